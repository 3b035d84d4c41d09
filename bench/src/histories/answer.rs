//! What every side answers, and whether two answers are equal.

use serde::Deserialize;

use super::columns::STATES;
use crate::table::Table;

/// All that is asked of a log.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub(crate) struct Answer {
    /// Of each state, visits that have ended, by rows that join.
    pub(crate) dwell: Vec<Dwell>,
    /// How many objects were in each state at a time; then those of which that is uncertain; then those that did not
    /// exist.
    pub(crate) distribution: Vec<u64>,
    /// Where each object was at that time: a letter from `a` on for each state; a capital if that is uncertain; `-` if
    /// it did not exist.
    pub(crate) state_at: String,
    pub(crate) faults: Faults,
}

/// Durations in microseconds.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub(crate) struct Dwell {
    pub(crate) count: u64,
    /// As text, since it may exceed what a number of JSON can be.
    pub(crate) sum: String,
    pub(crate) mean: i64,
    pub(crate) p50: i64,
    pub(crate) p90: i64,
    pub(crate) p99: i64,
    pub(crate) max: i64,
}

/// How many rows break each rule.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub(crate) struct Faults {
    /// It does not start where the row before it ended.
    pub(crate) chain: u64,
    /// Its sequence number is not the next one.
    pub(crate) sequence: u64,
    /// No transition leads so.
    pub(crate) way: u64,
    /// It is earlier than the row before it.
    pub(crate) time: u64,
}

impl Answer {
    /// Prints both sides of each number that is not equal.
    pub(crate) fn must_equal(&self, name: &str, other: &Self) -> Result<(), String> {
        if self == other {
            return Ok(());
        }
        let mut table = Table::new(&["", "Veristate", name]);
        for ((what, ours), (_, theirs)) in self.numbers().into_iter().zip(other.numbers()) {
            if ours != theirs {
                table.row([what, ours, theirs]);
            }
        }
        let objects = self.state_at.chars().zip(other.state_at.chars()).enumerate();
        for (object, (ours, theirs)) in objects.filter(|(_, (ours, theirs))| ours != theirs).take(9)
        {
            table.row([format!("state of object {object}"), ours.into(), theirs.into()]);
        }
        table.print("Answers that are not equal");
        Err(format!("{name} gives another answer"))
    }

    /// Each number with its name.
    fn numbers(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for ((state, _), dwell) in STATES.iter().zip(&self.dwell) {
            let Dwell { count, sum, mean, p50, p90, p99, max } = dwell;
            all.push((format!("{state}: count"), count.to_string()));
            all.push((format!("{state}: sum"), sum.clone()));
            let others = [("mean", mean), ("p50", p50), ("p90", p90), ("p99", p99), ("max", max)];
            all.extend(
                others.map(|(what, number)| (format!("{state}: {what}"), number.to_string())),
            );
        }
        let places = STATES.map(|(name, _)| name).into_iter().chain(["uncertain", "not created"]);
        for (place, count) in places.zip(&self.distribution) {
            all.push((format!("objects: {place}"), count.to_string()));
        }
        let Faults { chain, sequence, way, time } = self.faults;
        let faults = [("chain", chain), ("sequence", sequence), ("way", way), ("time", time)];
        all.extend(faults.map(|(what, count)| (format!("faults: {what}"), count.to_string())));
        all
    }
}
