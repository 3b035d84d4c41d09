//! Choosing the transition of an action: the one place where the order of tries is written.

use alloc::{borrow::ToOwned, format, string::String};

use super::{
    context::{Context, Request},
    decision::{ReasonCode, Refused},
    snapshot::Snapshot,
};
use crate::{
    guard::{Scene, Truth},
    machine::Machine,
    name::did_you_mean,
    table::Entry,
    time::Time,
};

/// What becomes of an action in a state.
#[derive(Debug)]
pub(crate) enum Choice<'m> {
    Take(u32),
    Stop(Stop<'m>),
}

/// Why no transition is taken. Almost without text: most are never read.
#[derive(Debug)]
pub(crate) enum Stop<'m> {
    /// The action has no transition in the state.
    NoTransition { state: u32, action: u32 },
    /// The time lies before the last step.
    TimeRunsBack { now: Time, last: Time },
    /// Every guard is false.
    GuardsFailed(&'m [Entry]),
    /// The guard of the last of these failed (and why) or is not registered; those before are false.
    GuardUnknown { tried: &'m [Entry], why: Option<String> },
    /// The guard of the last of these is true, but the actor lacks permissions; those before are false.
    MissingPermissions { tried: &'m [Entry] },
}

/// When an action is asked for, and when the object's last step was. What is not known is not asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) now: Option<Time>,
    pub(crate) last: Option<Time>,
}

/// The verdict on an action, before anything is written down.
#[derive(Debug)]
pub(crate) enum Verdict<'m> {
    Take(u32),
    /// The request was applied: which of the remembered ones it is.
    Applied(usize),
    /// It does not fit the object as it is.
    Refuse(Refused),
    /// No transition is taken.
    Stop(Stop<'m>),
}

impl Machine {
    /// Asks, in this order: is there a way, does time run forward (where it is given), guards, permissions.
    ///
    /// It is the first transition in document order whose guard is true and whose permissions are held; an
    /// unknown guard before it, or a permission that is missing on it, stops the whole action.
    ///
    /// Cost: one search among the actions of the state, then one guard for each transition tried.
    pub(crate) fn choose(
        &self,
        state: u32,
        action: u32,
        moment: Moment,
        scene: Scene<'_>,
    ) -> Choice<'_> {
        let candidates = self.shared.resolved.table.candidates(state, action);
        if candidates.is_empty() {
            return Choice::Stop(Stop::NoTransition { state, action });
        }
        if let (Some(now), Some(last)) = (moment.now, moment.last)
            && now < last
        {
            return Choice::Stop(Stop::TimeRunsBack { now, last });
        }
        for (index, entry) in candidates.iter().enumerate() {
            let (transition, tried) = (entry.transition, &candidates[..=index]);
            if let Some(guard) = self.shared.resolved.guard_of[transition as usize] {
                match self.guards.ask(guard, scene) {
                    Truth::True => {}
                    Truth::False => continue,
                    Truth::Unknown(why) => {
                        return Choice::Stop(Stop::GuardUnknown { tried, why: Some(why) });
                    }
                    Truth::NotRegistered => {
                        return Choice::Stop(Stop::GuardUnknown { tried, why: None });
                    }
                }
            }
            let required = &self.transition(transition).required_permissions;
            if !required.iter().all(|permission| scene.ctx.holds(permission)) {
                return Choice::Stop(Stop::MissingPermissions { tried });
            }
            return Choice::Take(transition);
        }
        Choice::Stop(Stop::GuardsFailed(candidates))
    }

    /// Whether `action` may be taken. In this order: request id, version, action, time, guards,
    /// permissions. Without a time, time is not asked about. Source: DESIGN §4.
    pub(crate) fn weigh(
        &self,
        snapshot: &Snapshot,
        state: u32,
        action: &str,
        ctx: &Context,
        request: &Request,
    ) -> Verdict<'_> {
        let refuse =
            |code, message| Verdict::Refuse(Refused::plain(code, message, &snapshot.states));
        if let Some(id) = &request.request_id
            && let Some(index) =
                snapshot.requests.iter().position(|applied| applied.request_id == *id)
        {
            let applied = &snapshot.requests[index];
            if applied.action.as_deref() == Some(action) {
                return Verdict::Applied(index);
            }
            let before = applied.action.as_ref().map_or_else(
                || "the creation".to_owned(),
                |action| format!("the action `{action}`"),
            );
            return refuse(
                ReasonCode::RequestConflict,
                format!("the request `{id}` was applied before, for {before}"),
            );
        }
        if let Some(seen) = request.expected_version
            && seen != snapshot.version
        {
            let message = format!(
                "the request has seen version {seen}, the object is at version {}",
                snapshot.version
            );
            return refuse(ReasonCode::VersionConflict, message);
        }
        let Some(action_id) = self.action_id(action) else {
            let message =
                format!("there is no action `{action}`{}", did_you_mean(action, self.actions()));
            return refuse(ReasonCode::UnknownAction, message);
        };
        let scene = Scene {
            object: &snapshot.object,
            ctx,
            states: core::slice::from_ref(self.path(state)),
        };
        let moment = Moment { now: ctx.timestamp, last: snapshot.updated_at() };
        match self.choose(state, action_id.0, moment, scene) {
            Choice::Take(transition) => Verdict::Take(transition),
            Choice::Stop(stop) => Verdict::Stop(stop),
        }
    }
}
