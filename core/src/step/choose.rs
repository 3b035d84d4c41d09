//! Choosing the transition of an action: the one place where the order of tries is written.

use alloc::{borrow::ToOwned, format, vec::Vec};

use serde_json::Value;

use super::{
    conditions::Unmet,
    context::{Context, Request},
    decision::{ReasonCode, Refused},
    snapshot::Snapshot,
};
use crate::{
    guard::{Evidence, Scene, Truth},
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
    GuardsFailed(Tried<'m>),
    /// The guard of the last of these is unknown; those before are false.
    GuardUnknown(Tried<'m>),
    /// The guard of the last of these is true, but the actor lacks permissions; those before are false.
    MissingPermissions(Tried<'m>),
    /// The last of these would be taken, but these entry conditions of its target are not met.
    ConditionsUnmet(Tried<'m>, Vec<Unmet>),
}

/// The transitions that were tried, the last of which decides.
#[derive(Debug)]
pub(crate) struct Tried<'m> {
    pub(crate) entries: &'m [Entry],
    /// For each guard that is not true, in order, why; empty where nobody will read it.
    pub(crate) said: Vec<Evidence>,
}

impl<'m> Tried<'m> {
    /// The last transition.
    pub(crate) fn last(&self) -> &'m [Entry] {
        &self.entries[self.entries.len().saturating_sub(1)..]
    }
}

impl Stop<'_> {
    /// Whether nobody can tell: a guard gives no answer, or nothing but the answer of an entry condition is
    /// missing.
    pub(crate) fn is_unknown(&self) -> bool {
        match self {
            Self::GuardUnknown(_) => true,
            Self::ConditionsUnmet(_, unmet) => !unmet.iter().any(Unmet::is_false),
            _ => false,
        }
    }
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
    /// What a guard sees of an object in a state. `explained` says whether somebody will read why it is not true.
    pub(crate) fn scene<'s>(
        &'s self,
        state: u32,
        object: &'s Value,
        ctx: &'s Context,
        explained: bool,
    ) -> Scene<'s> {
        Scene { object, ctx, states: core::slice::from_ref(self.path(state)), explained }
    }

    /// Asks, in this order: is there a way, does time run forward (where it is given), guards, permissions,
    /// entry conditions of the state that is active after the step, on the object's data `after` it.
    ///
    /// It is the first transition in document order whose guard is true; an unknown guard before it, or a
    /// permission or an entry condition that is missing on it, stops the whole action.
    ///
    /// Cost: one search among the actions of the state, then one guard for each transition tried and for
    /// each entry condition of the target.
    #[inline]
    pub(crate) fn choose(
        &self,
        state: u32,
        action: u32,
        moment: Moment,
        scene: Scene<'_>,
        after: &Value,
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
        let mut said = Vec::new();
        for (index, entry) in candidates.iter().enumerate() {
            let (transition, entries) = (entry.transition, &candidates[..=index]);
            if let Some(guard) = self.shared.resolved.guard_of[transition as usize] {
                match self.ask(guard, scene) {
                    Truth::True => {}
                    Truth::False(_) if !scene.explained => continue,
                    Truth::False(why) => {
                        said.push(*why);
                        continue;
                    }
                    Truth::Unknown(why) => {
                        said.push(*why);
                        return Choice::Stop(Stop::GuardUnknown(Tried { entries, said }));
                    }
                }
            }
            let required = &self.transition(transition).required_permissions;
            if !required.iter().all(|permission| scene.ctx.holds(permission)) {
                return Choice::Stop(Stop::MissingPermissions(Tried { entries, said }));
            }
            let to = self.moves(state, transition).to;
            let unmet = self.unmet(to, self.scene(to, after, scene.ctx, scene.explained));
            if !unmet.is_empty() {
                return Choice::Stop(Stop::ConditionsUnmet(Tried { entries, said }, unmet));
            }
            return Choice::Take(transition);
        }
        Choice::Stop(Stop::GuardsFailed(Tried { entries: candidates, said }))
    }

    /// Whether `action` may be taken. In this order: request id, version, action, time, guards,
    /// permissions, entry conditions. Without a time, time is not asked about. `explained` says whether
    /// somebody will read why it may not. Source: DESIGN §4.
    pub(crate) fn weigh(
        &self,
        snapshot: &Snapshot,
        state: u32,
        action: &str,
        ctx: &Context,
        request: &Request,
        explained: bool,
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
        let scene = self.scene(state, &snapshot.object, ctx, explained);
        let moment = Moment { now: ctx.timestamp, last: snapshot.updated_at() };
        let after = request.data_after(&snapshot.object);
        match self.choose(state, action_id.0, moment, scene, after) {
            Choice::Take(transition) => Verdict::Take(transition),
            Choice::Stop(stop) => Verdict::Stop(stop),
        }
    }
}
