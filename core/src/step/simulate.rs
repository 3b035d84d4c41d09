//! `simulate`: a script of actions, changes and waiting, with everything that happens on the way.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    context::{Context, Request, TooDeep},
    decide::DecideError,
    decision::{Decision, Reason},
    due::{Due, DueKind},
    plan::HistoryRecord,
    snapshot::Snapshot,
};
use crate::{
    json::{given, object_or_null},
    machine::Machine,
    time::{Duration, Time},
};

/// One line of a script. It does one thing: it has `action`, `advance` or `object`, or `ctx` alone.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptStep {
    /// Decides this action.
    pub action: Option<String>,
    /// What comes with the action.
    #[cfg_attr(feature = "tsify", tsify(optional))]
    #[serde(deserialize_with = "object_or_null")]
    pub request: Option<Request>,
    /// Lets this much time pass; what becomes due on the way is decided when it is due.
    pub advance: Option<String>,
    /// Changes the object's data.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "unknown"))]
    pub object: Option<Value>,
    /// With `action`: the context of this action only. With `advance`: the context of the timeouts, laid
    /// over that of the actor `system`, who has no permissions and otherwise the context of the script.
    /// Alone: the context from now on. The clock goes on where none is given.
    #[serde(deserialize_with = "object_or_null")]
    pub ctx: Option<Context>,
}

/// What a script did.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// Everything that happened, in order.
    pub steps: Vec<TraceStep>,
    /// The object at the end.
    pub snapshot: Snapshot,
    /// The context at the end; its `timestamp` is the clock.
    pub ctx: Context,
}

/// One thing that happened.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TraceStep {
    /// An action of the script was decided.
    Action {
        /// The action.
        action: String,
        /// When.
        #[cfg_attr(feature = "tsify", tsify(type = "string"))]
        at: Time,
        /// The answer.
        decision: Decision,
    },
    /// A timeout was due, and its action was decided.
    Timeout {
        /// What was due.
        due: Due,
        /// The answer.
        decision: Decision,
    },
    /// A timeout came near.
    Notification {
        /// What was due.
        due: Due,
    },
    /// The object's data changed.
    Object {
        /// The data from now on.
        #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
        object: Value,
    },
    /// The context changed.
    Context {
        /// The context from now on.
        ctx: Context,
    },
    /// Time has passed.
    Advanced {
        /// The clock from now on.
        #[cfg_attr(feature = "tsify", tsify(type = "string"))]
        to: Time,
    },
}

/// Why a script cannot be played.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulateError {
    /// The snapshot does not belong to this machine, or the context has no time.
    #[error(transparent)]
    Decide(#[from] DecideError),
    /// A line of the script does not do one thing.
    #[error(
        "line {index} of the script must have exactly one of `action`, `advance`, `object`, or `ctx` alone"
    )]
    Line {
        /// Which line, from 0.
        index: usize,
    },
    /// A line of the script waits for something that is no duration.
    #[error("line {index} of the script: {message}")]
    Advance {
        /// Which line, from 0.
        index: usize,
        /// What is wrong.
        message: String,
    },
    /// More happened than the limit allows.
    #[error("the script takes more steps than the limit `simulation_steps`, {limit}")]
    LimitExceeded {
        /// The limit.
        limit: usize,
    },
    /// The trace would hold more data than the limit allows.
    #[error("the trace holds more data than the limit `simulation_bytes`, {limit}")]
    BytesExceeded {
        /// The limit.
        limit: usize,
    },
}

impl SimulateError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Decide(error) => error.code(),
            Self::Line { .. } | Self::Advance { .. } => "invalid-script",
            Self::LimitExceeded { .. } | Self::BytesExceeded { .. } => "limit-exceeded",
        }
    }
}

impl Machine {
    /// Plays a script and returns everything that happened. A refusal is part of the trace; the script
    /// goes on.
    ///
    /// Time passes only where the script says so. What becomes due is done at its time and in order: a
    /// notification is noted, a timeout is decided once for each stay in its state and each `advance`.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine, the context has no time, a line does not do one
    /// thing, or more happens than the limit allows.
    pub fn simulate(
        &self,
        snapshot: &Snapshot,
        ctx: &Context,
        script: &[ScriptStep],
    ) -> Result<Trace, SimulateError> {
        self.locate(snapshot).map_err(DecideError::from)?;
        let now = ctx.timestamp.ok_or(DecideError::MissingTimestamp)?;
        let trace = Trace { steps: Vec::new(), snapshot: snapshot.clone(), ctx: ctx.clone() };
        let mut play = Play {
            machine: self,
            trace,
            now,
            told: now,
            left: self.shared.limits.simulation_steps,
            bytes_left: self.shared.limits.simulation_bytes,
        };
        for (index, line) in script.iter().enumerate() {
            play.line(index, line)?;
        }
        Ok(play.trace)
    }
}

/// A script that is being played.
struct Play<'m> {
    machine: &'m Machine,
    trace: Trace,
    now: Time,
    /// Notifications up to this time have been told.
    told: Time,
    /// How many decisions may still be made.
    left: usize,
    /// How many bytes of data the trace may still hold.
    bytes_left: usize,
}

/// About how many bytes a value takes.
fn heft(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 8,
        Value::Array(list) => list.iter().map(heft).sum::<usize>() + 8,
        Value::Object(map) => {
            map.iter().map(|(key, value)| key.len() + 8 + heft(value)).sum::<usize>() + 8
        }
        _ => 8,
    }
}

impl Decision {
    /// About how many bytes of the caller's data it holds.
    fn heft(&self) -> usize {
        let record = |record: &HistoryRecord| {
            record.object.iter().chain(record.metadata.values()).map(heft).sum::<usize>() + 512
        };
        let snapshot = |snapshot: &Snapshot| {
            let requests = snapshot.requests.iter().map(|applied| record(&applied.record));
            requests.sum::<usize>() + heft(&snapshot.object)
        };
        match self {
            Self::Accepted(plan) => record(&plan.record) + snapshot(&plan.snapshot),
            Self::AlreadyApplied(applied) => record(&applied.record) + snapshot(&applied.snapshot),
            // Reasons quote the definition, which may have long texts.
            Self::Refused(refused) => {
                let texts = |reason: &Reason| {
                    let names = [&reason.transition, &reason.guard, &reason.condition];
                    let names = names.into_iter().flatten().chain(&reason.permissions);
                    reason.message.len() + names.map(String::len).sum::<usize>() + 64
                };
                refused.reasons.iter().map(texts).sum::<usize>() + refused.message.len() + 512
            }
        }
    }
}

impl Play<'_> {
    fn line(&mut self, index: usize, line: &ScriptStep) -> Result<(), SimulateError> {
        self.spend()?;
        match (&line.action, &line.advance, &line.object, &line.ctx) {
            (Some(action), None, None, ctx) => {
                let ctx = ctx.clone().unwrap_or_else(|| self.trace.ctx.clone());
                let at = ctx.timestamp.unwrap_or(self.now);
                let decision =
                    self.decide(action, ctx, at, &line.request.clone().unwrap_or_default())?;
                self.trace.steps.push(TraceStep::Action { action: action.clone(), at, decision });
            }
            (None, Some(length), None, ctx) if line.request.is_none() => {
                let wrong = |message: String| SimulateError::Advance { index, message };
                let length: Duration = length
                    .parse()
                    .map_err(|error: crate::time::InvalidDuration| wrong(error.to_string()))?;
                let to = self
                    .now
                    .checked_add(length)
                    .ok_or_else(|| wrong("the clock would pass the year 9999".into()))?;
                self.advance(to, ctx.as_ref())?;
            }
            (None, None, Some(object), None) if line.request.is_none() => {
                TooDeep::check(object).map_err(DecideError::from)?;
                self.spend_bytes(heft(object))?;
                self.trace.snapshot.object = object.clone();
                self.trace.steps.push(TraceStep::Object { object: object.clone() });
            }
            (None, None, None, Some(ctx)) if line.request.is_none() => {
                self.now = ctx.timestamp.unwrap_or(self.now);
                self.trace.ctx = Context { timestamp: Some(self.now), ..ctx.clone() };
                self.trace.steps.push(TraceStep::Context { ctx: self.trace.ctx.clone() });
            }
            _ => return Err(SimulateError::Line { index }),
        }
        Ok(())
    }

    /// Lets time pass, and does what becomes due at its time.
    fn advance(&mut self, to: Time, actor: Option<&Context>) -> Result<(), SimulateError> {
        let told = core::mem::replace(&mut self.told, to);
        let actor = self.timer_actor(actor);
        // What was done for the present stay in a state: a refused timeout is not tried again until the next advance.
        let mut done: BTreeSet<(String, DueKind)> = BTreeSet::new();
        loop {
            let due = self.machine.due(&self.trace.snapshot, to).map_err(DecideError::from)?;
            // A notification is told when its time comes, not again on a later advance; a timeout stays due.
            let next = due.into_iter().find(|due| {
                let is_told = due.kind == DueKind::Notification && due.at <= told;
                !is_told && !done.contains(&(due.state.clone(), due.kind))
            });
            let Some(due) = next else { break };
            self.spend()?;
            done.insert((due.state.clone(), due.kind));
            if due.kind == DueKind::Notification {
                self.trace.steps.push(TraceStep::Notification { due });
                continue;
            }
            // One that was due before is decided now: time does not run back.
            let at = due.at.max(self.now);
            self.now = at;
            let ctx = Context { timestamp: Some(at), ..actor.clone() };
            let request = Request { from_state: Some(due.state.clone()), ..Request::default() };
            let decision = self.decide(&due.action, ctx, at, &request)?;
            if let Decision::Accepted(plan) = &decision {
                done.retain(|(state, _)| !plan.entered.contains(state));
            }
            self.trace.steps.push(TraceStep::Timeout { due, decision });
        }
        self.now = to;
        self.trace.ctx.timestamp = Some(to);
        self.trace.steps.push(TraceStep::Advanced { to });
        Ok(())
    }

    /// Who decides the timeouts: what is given, over the actor `system`, who has no permissions and
    /// otherwise the context of the script.
    fn timer_actor(&self, given: Option<&Context>) -> Context {
        let (given, now) = (given.cloned().unwrap_or_default(), &self.trace.ctx);
        let system = || Some(String::from("system"));
        Context {
            actor_id: given.actor_id.or_else(system),
            actor_type: given.actor_type.or_else(system),
            tenant_id: given.tenant_id.or_else(|| now.tenant_id.clone()),
            world_id: given.world_id.or_else(|| now.world_id.clone()),
            timestamp: None,
            permissions: given.permissions,
            config: if given.config.is_empty() { now.config.clone() } else { given.config },
            metadata: if given.metadata.is_empty() { now.metadata.clone() } else { given.metadata },
        }
    }

    fn decide(
        &mut self,
        action: &str,
        ctx: Context,
        at: Time,
        request: &Request,
    ) -> Result<Decision, SimulateError> {
        let ctx = Context { timestamp: Some(at), ..ctx };
        let decision = self.machine.decide(&self.trace.snapshot, action, &ctx, request)?;
        self.spend_bytes(decision.heft())?;
        if let Decision::Accepted(plan) = &decision {
            self.trace.snapshot = plan.snapshot.clone();
            self.now = self.now.max(at);
            self.trace.ctx.timestamp = Some(self.now);
        }
        Ok(decision)
    }

    fn spend_bytes(&mut self, bytes: usize) -> Result<(), SimulateError> {
        let limit = self.machine.shared.limits.simulation_bytes;
        let left = self.bytes_left.checked_sub(bytes);
        self.bytes_left = left.ok_or(SimulateError::BytesExceeded { limit })?;
        Ok(())
    }

    fn spend(&mut self) -> Result<(), SimulateError> {
        let limit = self.machine.shared.limits.simulation_steps;
        self.left = self.left.checked_sub(1).ok_or(SimulateError::LimitExceeded { limit })?;
        Ok(())
    }
}
