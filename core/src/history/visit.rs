//! Visits: how long an object was in a state, as far as the log proves it.

use alloc::string::String;

use serde::Serialize;

use crate::time::{Duration, Time};

/// One stay in one state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Visit {
    /// The path of the state; a name that the definition does not have, too.
    pub state: String,
    /// What the log proves of it.
    pub status: VisitStatus,
    /// When the state was entered; null where the log does not say.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub entered_at: Option<Time>,
    /// When it was left; null while it lasts, and where the log does not say.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub exited_at: Option<Time>,
    /// How long the log proves it, up to now if it lasts; null where it proves no length.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub duration: Option<Duration>,
    /// How much longer it may have lasted: the time across a gap.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub uncertain: Option<Duration>,
    /// `duration` in working time, where a calendar is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub working: Option<Duration>,
    /// The row that entered the state; null where there is none.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub entered_by: Option<u64>,
    /// The row that left it.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub exited_by: Option<u64>,
}

/// What a log proves of a visit.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitStatus {
    /// When it began and when it ended.
    Closed,
    /// When it began; it lasts.
    Open,
    /// When it began, or that it ended; on the other side is a gap in the history.
    Uncertain,
    /// That it ended; it began before the first record.
    Censored,
    /// Nothing of its length: by its rows it ended before it began.
    Disordered,
}

/// A visit in integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub(super) state: u32,
    pub(super) status: VisitStatus,
    pub(super) entered: Option<Time>,
    /// Where the proven part ends: the exit, the last proof before a gap, or now.
    pub(super) until: Time,
    /// Of a stay that a gap follows: the row behind the gap.
    pub(super) gap_end: Option<Time>,
    pub(super) entered_by: Option<u64>,
    pub(super) exited_by: Option<u64>,
}

impl Stay {
    /// How long the log proves it within a window, in microseconds.
    pub(super) fn known(&self, window: [Time; 2]) -> Option<i64> {
        let entered = self.entered?;
        match self.status {
            VisitStatus::Disordered | VisitStatus::Censored => None,
            _ => Some(overlap(window, entered, self.until)),
        }
    }

    /// How much longer it may have lasted within a window, in microseconds.
    pub(super) fn uncertain(&self, window: [Time; 2]) -> Option<i64> {
        self.gap_end.map(|end| overlap(window, self.until, end))
    }

    /// Whether it touches a window. A stay of no length does if it lies in it.
    pub(super) fn touches(&self, [from, to]: [Time; 2], now: Time) -> bool {
        let end = self.gap_end.unwrap_or(self.until);
        let start = self.entered.unwrap_or(end).min(end);
        let begins = start < to || (start == to && to == now);
        begins
            && (end > from || (start == end && start >= from) || self.status == VisitStatus::Open)
    }
}

/// How long a span lies in a window, in microseconds; zero where it is turned round.
pub(super) fn overlap([from, to]: [Time; 2], start: Time, end: Time) -> i64 {
    (end.min(to).micros() - start.max(from).micros()).max(0)
}

/// A length as it leaves.
pub(super) fn length(micros: i64) -> Duration {
    Duration::from_micros(micros.max(0)).unwrap_or_default()
}
