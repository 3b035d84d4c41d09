//! The three answers to an action: accepted, already applied, refused.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use crate::guard::{Missing, Reading};

use super::{
    plan::{Effect, HistoryRecord},
    snapshot::Snapshot,
};

/// The answer to an action.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Decision {
    /// It may be done: commit the plan in one transaction.
    Accepted(Accepted),
    /// This request was applied before; nothing is done twice.
    AlreadyApplied(AlreadyApplied),
    /// It may not be done, and why.
    Refused(Refused),
}

/// A plan that the caller commits in one transaction: the snapshot, the record and its side effects.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accepted {
    /// The version that the stored snapshot must still have; 0 for a creation.
    pub expected_version: u64,
    /// What is stored from now on.
    pub snapshot: Snapshot,
    /// The row that is added to the history.
    pub record: HistoryRecord,
    /// The transitions that are taken, in order.
    pub transitions: Vec<String>,
    /// The states that are left, in order.
    pub exited: Vec<String>,
    /// The states that are entered, in order.
    pub entered: Vec<String>,
    /// The side effects to carry out after the commit, in order.
    pub effects: Vec<Effect>,
}

/// What was done when the request came for the first time.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AlreadyApplied {
    /// The row that it added to the history.
    pub record: HistoryRecord,
    /// The snapshot as it is.
    pub snapshot: Snapshot,
}

/// Why an action may not be done. Nothing has happened.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Refused {
    /// The stable name of the cause.
    pub code: ReasonCode,
    /// The cause in one sentence. May change between versions.
    pub message: String,
    /// Where the object is.
    pub from_states: Vec<String>,
    /// Where the action would have led, as far as that is known.
    pub to_states: Vec<String>,
    /// The cause in parts: one for each transition that was tried, or for each entry condition that is not
    /// met.
    pub reasons: Vec<Reason>,
}

/// One reason why an action may not be done.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Reason {
    /// The stable name of the reason.
    pub code: ReasonCode,
    /// The reason in one sentence. May change between versions.
    pub message: String,
    /// True where `decide` refuses for it. The others are what stands in the way besides: a false guard that
    /// passed the action on, or what `available` would miss next.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub stops: bool,
    /// The transition that it stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transition: Option<String>,
    /// The entry condition that is not met, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The guard that is false or unknown; of an entry condition its `require`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// The expression behind the guard; absent for a function of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// What the guard read, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub values: Vec<Reading>,
    /// Why the guard is unknown: every input that was missing or did not fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub missing: Vec<Missing>,
    /// The permissions that the actor lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub permissions: Vec<String>,
}

/// Why an action may not be done.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReasonCode {
    /// The request was applied before, with this action.
    AlreadyApplied,
    /// The request was applied before, with another action.
    RequestConflict,
    /// The request has seen another version than the stored one.
    VersionConflict,
    /// No transition of the definition has the action.
    UnknownAction,
    /// The state is terminal: nothing leads out of it.
    TerminalState,
    /// No transition leads out of this state for the action.
    NoTransition,
    /// The time lies before the object's last step.
    TimeRunsBack,
    /// The guard of every transition is false.
    GuardsFailed,
    /// A guard is false.
    GuardFalse,
    /// A guard could not be evaluated.
    GuardUnknown,
    /// Nobody registered the guard.
    GuardNotRegistered,
    /// The actor lacks permissions.
    MissingPermissions,
    /// What follows by itself does not come to rest within the limit.
    NeverRests,
    /// An entry condition of a state that would be active after the step is not met.
    EntryConditionFailed,
    /// An entry condition of that state could not be evaluated, or nobody registered its guard.
    EntryConditionUnknown,
}
