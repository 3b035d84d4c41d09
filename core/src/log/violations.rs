//! Records that cannot be true: all counted, the first ones told.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::Serialize;

use super::{
    bind::{Bound, NONE},
    numbers::NONE as NO_SEQUENCE,
    store::Log,
};
use crate::{
    history::RowRule,
    name::{quoted, shortened},
    time::{Duration, Time},
};

/// A record that cannot be true. [`History`](crate::History) says more of it, with the nearest explanation.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LogViolation {
    /// The rule that is broken.
    pub code: RowRule,
    /// Of which object.
    pub object_id: String,
    /// The number of the row.
    pub row: u64,
    /// Its sequence, as it says.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub sequence: Option<u64>,
    /// What is wrong, in one sentence. May change between versions.
    pub message: String,
}

/// All violations of a log. Entry conditions and repeated requests are not among them: columns hold no data.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct LogViolations {
    /// How many there are.
    pub total: u64,
    /// In how many objects.
    pub objects: u64,
    /// How many by rule; rules that no record breaks are left out.
    #[cfg_attr(feature = "tsify", tsify(type = "Partial<Record<RowRule, number>>"))]
    pub by_code: BTreeMap<RowRule, u64>,
    /// The first ones: by object, in the order of its history.
    pub listed: Vec<LogViolation>,
}

/// A violation in integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) code: RowRule,
    pub(super) object: u32,
    pub(super) record: u32,
    /// The record before it, if the rule is about that, too.
    pub(super) before: u32,
    /// The fault of a claim.
    pub(super) fault: u32,
}

/// What is counted and kept of violations.
#[derive(Debug)]
pub(super) struct Violations {
    counts: [u64; RowRule::ALL.len()],
    pub(super) objects: u64,
    most: usize,
    listed: Vec<Found>,
    /// Whether only what the definition says of a step counts, and nothing about rows.
    pub(super) only_faults: bool,
    /// Of the object that is gone through now.
    of_object: u64,
}

impl Violations {
    pub(super) fn new(most: usize) -> Self {
        let counts = [0; RowRule::ALL.len()];
        Self { counts, objects: 0, most, listed: Vec::new(), only_faults: false, of_object: 0 }
    }

    #[cold]
    pub(super) fn add(&mut self, found: Found) {
        if self.only_faults && found.fault == NONE {
            return;
        }
        self.counts[found.code as usize] += 1;
        self.of_object += 1;
        if self.listed.len() < self.most {
            self.listed.push(found);
        }
    }

    /// The object is over.
    pub(super) fn end(&mut self) -> u64 {
        let count = core::mem::take(&mut self.of_object);
        self.objects += u64::from(count > 0);
        count
    }

    pub(super) fn told(&self, log: &Log, bound: &Bound<'_>, as_of: Time) -> LogViolations {
        let by_code: BTreeMap<RowRule, u64> =
            RowRule::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0).collect();
        let listed = self.listed.iter().map(|found| {
            let record = found.record as usize;
            LogViolation {
                code: found.code,
                object_id: log.objects.ids.get(found.object).into(),
                row: log.rows.get(record),
                sequence: log.sequence_of(record),
                message: shortened(sentence(log, bound, found, as_of)),
            }
        });
        LogViolations {
            total: self.counts.iter().sum(),
            objects: self.objects,
            by_code,
            listed: listed.collect(),
        }
    }
}

impl Log {
    pub(super) fn sequence_of(&self, record: usize) -> Option<u64> {
        Some(self.sequence.get(record)).filter(|&sequence| sequence != NO_SEQUENCE)
    }
}

/// What is wrong with a record, in one sentence.
fn sentence(log: &Log, bound: &Bound<'_>, found: &Found, as_of: Time) -> String {
    let record = found.record as usize;
    let before = found.before as usize;
    let time =
        |micros: i64| Time::from_micros(micros).map_or_else(String::new, |time| time.to_string());
    let at = log.time[record];
    let row_before = || log.rows.get(before);
    let states = |config: u32| {
        let paths = bound.paths(config);
        quoted(paths.iter().map(String::as_str))
    };
    if let Some(fault) = bound.faults.get(found.fault as usize) {
        return fault.message.clone();
    }
    match found.code {
        RowRule::AfterNow => format!("the row is of {}, after {as_of}", time(at)),
        RowRule::BeforeCreation => {
            let created = log.objects.created_at[found.object as usize];
            format!("the row is of {}, before the object was created, {}", time(at), time(created))
        }
        RowRule::TimeRunsBack => {
            let by = Duration::from_micros(log.time[before] - at).unwrap_or_default();
            format!(
                "the row is of {}, {by} before row {}, which comes before it",
                time(at),
                row_before()
            )
        }
        RowRule::SequenceRepeats => {
            let sequence = log.sequence.get(record);
            format!("the sequence {sequence} is that of row {}, too", row_before())
        }
        RowRule::SequenceSkips => {
            let (a, b) = (log.sequence.get(before), log.sequence.get(record));
            match b.saturating_sub(a) {
                2 => format!("the sequence {} is missing before it", a + 1),
                _ => format!("the sequences {} to {} are missing before it", a + 1, b - 1),
            }
        }
        RowRule::SecondCreation => "the object is created a second time".into(),
        RowRule::MissingCreation => match bound.claims[log.claim[record] as usize].from {
            super::bind::UNSAID | super::bind::NOTHING => {
                "the history does not begin with the creation of the object".into()
            }
            from => format!(
                "the history begins in {}, without the row that created the object",
                states(from)
            ),
        },
        RowRule::ChainGap => format!(
            "the row starts in {}, but row {} ended in {}",
            states(bound.claims[log.claim[record] as usize].from),
            row_before(),
            states(bound.claims[log.claim[before] as usize].to),
        ),
        code => format!("the row breaks the rule {code:?}"),
    }
}
