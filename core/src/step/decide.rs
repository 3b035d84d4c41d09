//! `start` and `decide`: from nothing to an object, from an action to a decision.

use alloc::{boxed::Box, collections::BTreeMap, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    choose::{Data, Stop, Verdict},
    context::{Context, Request, TooDeep},
    decision::{AlreadyApplied, Decision, ReasonCode, Refused},
    place::Place,
    plan::Step,
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::machine::Machine;

/// The object that `start` creates.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NewObject {
    /// Names the object; not empty.
    pub object_id: String,
    /// Its own data.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "unknown"))]
    pub object: Value,
}

impl NewObject {
    /// An object without data.
    #[must_use]
    pub fn named(object_id: &str) -> Self {
        Self { object_id: object_id.into(), object: Value::Null }
    }
}

/// Why an object cannot be created.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The context has no time.
    #[error("`ctx.timestamp` is missing; the time is always given, never guessed")]
    MissingTimestamp,
    /// The object has no name.
    #[error("`object_id` is empty; every object has a name")]
    EmptyObjectId,
    /// The data is nested too deeply to be stored.
    #[error(transparent)]
    TooDeep(#[from] TooDeep),
}

impl StartError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingTimestamp => "missing-timestamp",
            Self::EmptyObjectId => "empty-object-id",
            Self::TooDeep(error) => error.code(),
        }
    }
}

/// Why an action cannot be decided.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecideError {
    /// The snapshot does not belong to this machine.
    #[error(transparent)]
    ForeignSnapshot(#[from] ForeignSnapshot),
    /// The context has no time.
    #[error("`ctx.timestamp` is missing; the time is always given, never guessed")]
    MissingTimestamp,
    /// The request's data is nested too deeply to be stored.
    #[error(transparent)]
    TooDeep(#[from] TooDeep),
}

impl DecideError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ForeignSnapshot(error) => error.code(),
            Self::MissingTimestamp => "missing-timestamp",
            Self::TooDeep(error) => error.code(),
        }
    }
}

impl Machine {
    /// Creates an object: a full step from nothing into the initial state. Sequence and version are 1,
    /// and the record has empty `from_states`. Refused when the object's data (those of the request, if it
    /// has some) do not meet the entry conditions of the initial state.
    ///
    /// # Errors
    ///
    /// The context has no time, or the object no name.
    pub fn start(
        &self,
        new: &NewObject,
        ctx: &Context,
        request: &Request,
    ) -> Result<Decision, StartError> {
        let at = ctx.timestamp.ok_or(StartError::MissingTimestamp)?;
        if new.object_id.is_empty() {
            return Err(StartError::EmptyObjectId);
        }
        let blank = Snapshot {
            object_id: new.object_id.clone(),
            states: Vec::new(),
            version: 0,
            entered_at: BTreeMap::new(),
            updated_at: None,
            object: Value::Null,
            memory: BTreeMap::new(),
            requests: Vec::new(),
            definition_version: self.definition().version,
        };
        if let Some(seen) = request.expected_version.filter(|seen| *seen != 0) {
            return Ok(Decision::Refused(Refused::plain(
                ReasonCode::VersionConflict,
                format!("the request has seen version {seen}, but the object does not exist yet"),
                &[],
            )));
        }
        let mut request = request.clone();
        if request.object.is_none() && !new.object.is_null() {
            request.object = Some(new.object.clone());
        }
        TooDeep::check_request(&request)?;
        let object = request.data_after(&blank.object);
        let data = Data { object, after: object, ctx, explained: true };
        let stop = match self.creation(data) {
            Ok(None) => Stop::NeverRests(Box::default()),
            Err(stop) => stop,
            Ok(Some(course)) => match self.unmet(&course.to.active, data) {
                unmet if unmet.is_empty() => {
                    let step = Step { course: &course, at, action: None };
                    let plan = self.plan(&blank, &Place::default(), step, ctx, &request);
                    return Ok(Decision::Accepted(plan));
                }
                unmet => Stop::ConditionsUnmet(Box::default(), unmet),
            },
        };
        Ok(Decision::Refused(self.refuse_creation(&stop, ctx)))
    }

    /// Decides one action and changes nothing.
    ///
    /// Pure: equal arguments (and equal answers of the host's guards) give equal decisions. Asked in
    /// this order: snapshot, request id, version, action, time, guards, permissions, entry conditions. Of
    /// the transitions of the state for the action, the first in document order whose guard is true is
    /// taken; an unknown guard, or a permission that is missing on it, refuses the action, and so does an
    /// entry condition of the state that is active then, asked on the object's data as they would be.
    ///
    /// Cost: does not depend on the number of states.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine (a stored snapshot meets a changed definition), or
    /// the context has no time. That an action may not be done is no error but a refusal.
    pub fn decide(
        &self,
        snapshot: &Snapshot,
        action: &str,
        ctx: &Context,
        request: &Request,
    ) -> Result<Decision, DecideError> {
        let place = self.locate(snapshot)?;
        let at = ctx.timestamp.ok_or(DecideError::MissingTimestamp)?;
        TooDeep::check_request(request)?;
        Ok(match self.weigh(snapshot, &place, action, ctx, request, true) {
            Verdict::Take(_, course) => {
                let step = Step { course: &course, at, action: Some(action) };
                Decision::Accepted(self.plan(snapshot, &place, step, ctx, request))
            }
            Verdict::Applied(index) => Decision::AlreadyApplied(AlreadyApplied {
                record: snapshot.requests[index].record.clone(),
                snapshot: snapshot.clone(),
            }),
            Verdict::Refuse(refused) => Decision::Refused(refused),
            Verdict::Stop(stop) => {
                Decision::Refused(self.refuse(&place.situation.active, &stop, ctx))
            }
        })
    }
}
