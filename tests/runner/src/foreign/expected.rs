//! What other people's cases expect, in their words.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::case::given;

/// What must come of the events. What is not there is not compared.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Expected {
    pub(super) state_at: Option<Vec<Value>>,
    /// Seconds; null where no length is certain.
    pub(super) dwell_s: Option<BTreeMap<String, Option<f64>>>,
    /// Whole microseconds, as text.
    pub(super) dwell_us_string: Option<BTreeMap<String, String>>,
    pub(super) business_dwell_s: Option<BTreeMap<String, f64>>,
    pub(super) visits: Option<BTreeMap<String, u64>>,
    pub(super) re_entries: Option<BTreeMap<String, u64>>,
    pub(super) first_entered: Option<BTreeMap<String, Value>>,
    pub(super) last_entered: Option<BTreeMap<String, Value>>,
    pub(super) violations: Option<Vec<Violation>>,
    /// Rows that are not used at all.
    #[serde(alias = "refused")]
    pub(super) rejected: Option<Vec<Violation>>,
    pub(super) open: Option<Vec<Open>>,
    pub(super) left_censored: Option<Vec<String>>,
    /// The time of the window that no state has.
    pub(super) unknown_s: Option<f64>,
    #[serde(deserialize_with = "given")]
    pub(super) current: Option<Value>,
    /// Seconds; null where there is none.
    #[serde(deserialize_with = "some")]
    pub(super) cycle_s: Option<Seconds>,
    /// Why there is none, in their words.
    pub(super) reason: Option<String>,
    pub(super) elapsed_first_in_to_done_s: Option<f64>,
}

/// A row that breaks a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Violation {
    pub(super) obj: Option<String>,
    pub(super) seq: Option<u64>,
    pub(super) kind: String,
    pub(super) by_us: Option<i64>,
    pub(super) expected_from: Option<String>,
    pub(super) got_from: Option<String>,
    pub(super) state: Option<String>,
    pub(super) field: Option<String>,
}

/// A visit that lasts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Open {
    pub(super) obj: Option<String>,
    pub(super) state: String,
    pub(super) since: Option<Value>,
    pub(super) so_far_s: Option<f64>,
}

/// Seconds that are there, even if they are null.
#[derive(Debug)]
pub(super) struct Seconds(pub(super) Option<f64>);

fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Seconds>, D::Error> {
    Option::deserialize(deserializer).map(|seconds| Some(Seconds(seconds)))
}

/// Our code for a kind of violation, if there is one.
pub(super) fn code(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind.replace('-', "_").as_str() {
        "missing_creation" | "no_creation" | "missing_initial" => &["missing-creation"],
        "second_creation" | "duplicate_creation" | "repeated_creation" | "created_twice" => {
            &["second-creation"]
        }
        "wrong_creation" | "wrong_initial" => &["wrong-creation"],
        "gap" | "chain_gap" | "chain_break" | "broken_chain" => &["chain-gap"],
        "time_backwards" | "time_runs_back" | "out_of_order" => &["time-runs-back"],
        "evidence_missing"
        | "missing_evidence"
        | "evidence_forbidden"
        | "forbidden_evidence"
        | "evidence_unexpected"
        | "unexpected_evidence" => &["evidence-missing"],
        "duplicate" | "duplicate_seq" | "sequence_repeat" | "sequence_repeats" | "seq_repeat"
        | "duplicate_sequence" | "repeated_sequence" | "repeated_seq" => &["sequence-repeats"],
        "sequence_gap" | "missing_seq" | "seq_gap" | "sequence_skip" | "sequence_skips"
        | "missing_sequence" => &["sequence-skips"],
        "after_terminal" | "terminal" => &["after-terminal"],
        "unknown_state" => &["unknown-state"],
        "unknown_transition" | "illegal_transition" | "invalid_transition" | "no_transition" => {
            &["unknown-transition"]
        }
        "before_creation" => &["before-creation"],
        "after_now" | "future" | "in_future" | "future_event" => &["after-now"],
        "repeated_request" | "duplicate_request" | "request_repeat" | "request_repeats" => {
            &["repeated-request"]
        }
        "ambiguous_time" | "no_offset" | "naive_time" | "missing_offset" => {
            &["no-offset", "ambiguous-time"]
        }
        "invalid_time" | "bad_time" => &["invalid-time"],
        _ => return None,
    })
}
