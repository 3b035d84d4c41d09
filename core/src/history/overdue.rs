//! Timeouts that passed without their action, and why an object is stuck.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::Serialize;

use super::{at::Certainty, object::History};
use crate::{
    calendar::Calendar,
    machine::Machine,
    name::shortened,
    time::{Duration, Time},
};

/// A timeout that has passed, and whose action no record tells.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Overdue {
    /// The state that has it.
    pub state: String,
    /// When the state was entered, or the first proof that it is active.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub since: Time,
    /// The action that is due.
    pub action: String,
    /// When it was due; with a calendar, counted in working time.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub due_at: Time,
    /// For how long.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub late_by: Duration,
}

/// Why an object does not go on.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StuckCause {
    /// The stable name of the cause.
    pub code: StuckCode,
    /// The cause in one sentence. May change between versions.
    pub message: String,
}

/// The causes for which objects do not go on.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StuckCode {
    /// A timeout has passed, and its action was not taken.
    Overdue,
    /// The state is not terminal, and no transition leads out of it.
    NoWayOut,
    /// Whoever asks can take no action, and no timeout will.
    Blocked,
    /// It is in its state longer than 99 of 100 objects were.
    Long,
    /// Its history does not say where it is.
    NotKnown,
}

impl Machine {
    /// When a timer that began at `since` ends, in working time where there is a calendar.
    pub(crate) fn end_of(
        since: Time,
        after: Duration,
        calendar: Option<&Calendar>,
    ) -> Option<Time> {
        match calendar {
            Some(calendar) => calendar.add(since, after),
            None => since.checked_add(after),
        }
    }
}

impl History {
    /// The timeouts that have passed by now, in order of time: their action was not taken, since the state is active
    /// still. None where the history does not say where the object is.
    #[must_use]
    pub fn overdue(&self) -> Vec<Overdue> {
        let mut all: Vec<Overdue> = Vec::new();
        if self.state_at(self.now()).status != Certainty::Known {
            return all;
        }
        let Some(snapshot) = self.snapshot_at(self.now()) else { return all };
        for (state, &since) in &snapshot.entered_at {
            let Some(id) = self.machine.state_id(state) else { continue };
            let Some(timer) = self.machine.shared.resolved.timers[id.0 as usize] else { continue };
            let end = Machine::end_of(since, timer.after, self.options.calendar.as_ref());
            let Some(due_at) = end.filter(|&end| end <= self.now()) else { continue };
            let late_by = Duration::from_micros(self.now().micros() - due_at.micros());
            let action = self.machine.action(timer.action).to_string();
            let late_by = late_by.unwrap_or_default();
            let overdue = Overdue { state: state.clone(), since, action, due_at, late_by };
            let behind = all.partition_point(|before| before.due_at <= due_at);
            all.insert(behind, overdue);
        }
        all
    }
}

impl Overdue {
    /// The cause that it is.
    pub(super) fn cause(&self) -> StuckCause {
        let Self { state, action, due_at, late_by, .. } = self;
        StuckCause {
            code: StuckCode::Overdue,
            message: shortened(format!(
                "`{action}` of `{state}` was due at {due_at}, {late_by} ago, and was not done"
            )),
        }
    }
}
