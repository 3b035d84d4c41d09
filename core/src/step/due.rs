//! Timeouts: what is due, and when something will be.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::snapshot::{ForeignSnapshot, Snapshot};
use crate::{machine::Machine, time::Time};

/// Something that a state asks for at a time.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Due {
    /// Whether somebody is told or an action is decided.
    pub kind: DueKind,
    /// The state that asks for it.
    pub state: String,
    /// The action of the timeout.
    pub action: String,
    /// When.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub at: Time,
}

/// What is due.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DueKind {
    /// Somebody is told that the timeout comes near.
    Notification,
    /// The action of the timeout is decided.
    Timeout,
}

impl Machine {
    /// What is due at `now`, in order of time. Nothing is carried out: a timeout's action is decided by
    /// `decide`, for an actor that the caller names, with its state as the request's `from_state`.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn due(&self, snapshot: &Snapshot, now: Time) -> Result<Vec<Due>, ForeignSnapshot> {
        let mut due = self.deadlines(snapshot)?;
        due.retain(|due| due.at <= now);
        Ok(due)
    }

    /// Everything that the active states ask for at a time, due or not, in order of time. A timer counts from the
    /// entry of its own state. What would
    /// come after the year 9999 never comes.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn deadlines(&self, snapshot: &Snapshot) -> Result<Vec<Due>, ForeignSnapshot> {
        let place = self.locate(snapshot)?;
        let mut all: Vec<Due> = Vec::new();
        // Of two at one time that of the inner state comes first: it wins in a step, too.
        for (&state, &since) in place.situation.active.iter().zip(&place.since).rev() {
            let Some(timer) = self.shared.resolved.timers[state as usize] else { continue };
            let Some(end) = since.checked_add(timer.after) else { continue };
            let due = |kind, at| Due {
                kind,
                state: self.path(state).clone(),
                action: self.action(timer.action).into(),
                at,
            };
            let notice = timer.notify_before.and_then(|before| end.checked_sub(before));
            let due = notice
                .map(|at| due(DueKind::Notification, at))
                .into_iter()
                .chain([due(DueKind::Timeout, end)]);
            for due in due {
                let behind = all.partition_point(|before| before.at <= due.at);
                all.insert(behind, due);
            }
        }
        Ok(all)
    }
}
