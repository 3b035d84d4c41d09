//! `available` and `can`: all that a row of buttons needs, in one call.

use alloc::{format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{
    choose::{Asked, Data, Entries, Stop, Verdict},
    context::{Context, Request, TooDeep},
    decide::DecideError,
    decision::{Reason, ReasonCode},
    place::Place,
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{json::object, machine::Machine};

/// Whether one action may be taken now, and why not.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Availability {
    /// The action.
    pub action: String,
    /// What a button says.
    pub display_name: String,
    /// The transitions that would be taken; if none would, those that might be. What follows by itself is not
    /// among them.
    pub transitions: Vec<String>,
    /// The states that they lead out of: with regions, the one that a button belongs to.
    pub from: Vec<String>,
    /// Where they lead.
    pub to: Vec<String>,
    /// The permissions that they ask for, held or not, each once.
    pub permissions: Vec<String>,
    /// What a button looks like.
    pub status: Status,
    /// Why it is not enabled: every reason, for each transition that was tried.
    pub reasons: Vec<Reason>,
}

/// Whether an action may be taken.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// `decide` would accept it.
    Enabled,
    /// `decide` would not.
    Disabled,
    /// A guard or an entry condition gives no answer, so that nobody can tell.
    Unknown,
}

/// What `available` is asked for.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct AvailableOptions {
    /// Every action of the machine, and not only those of the active states. Default: false.
    pub all: bool,
    /// The request that the actions would come with.
    #[serde(deserialize_with = "object")]
    pub request: Request,
}

impl Machine {
    /// The actions of the object's active states, in document order: enabled, disabled or unknown, with every
    /// reason. It can never disagree with `decide`, which goes the same way. Without `ctx.timestamp`,
    /// time is not asked about.
    ///
    /// Cost: linear in the number of actions that are listed.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine, or the request's data is nested too deeply.
    pub fn available(
        &self,
        snapshot: &Snapshot,
        ctx: &Context,
        options: &AvailableOptions,
    ) -> Result<Vec<Availability>, DecideError> {
        let place = self.locate(snapshot)?;
        TooDeep::check_request(&options.request)?;
        let actions = match options.all {
            true => (0..self.shared.resolved.automatic).collect(),
            false => self.possible_actions(&place.situation.active),
        };
        Ok(actions
            .into_iter()
            .map(|action| self.availability(snapshot, &place, action, ctx, &options.request))
            .collect())
    }

    /// Whether `decide` would accept the action. An unknown guard is no yes.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn can(
        &self,
        snapshot: &Snapshot,
        action: &str,
        ctx: &Context,
    ) -> Result<bool, ForeignSnapshot> {
        let place = self.locate(snapshot)?;
        Ok(matches!(
            self.weigh(snapshot, &place, action, ctx, &Request::default(), false),
            Verdict::Take(..)
        ))
    }

    fn availability(
        &self,
        snapshot: &Snapshot,
        place: &Place,
        action: u32,
        ctx: &Context,
        request: &Request,
    ) -> Availability {
        let name = self.action(action);
        let (mut status, mut taken, mut reasons) = (Status::Disabled, None, Vec::new());
        match self.weigh(snapshot, place, name, ctx, request, true) {
            Verdict::Take(entries, _) => (status, taken) = (Status::Enabled, Some(entries)),
            Verdict::Refuse(refused) => reasons = refused.reasons,
            Verdict::Applied(_) => {
                let id = request.request_id.as_deref().unwrap_or_default();
                let message = format!("the request `{id}` was applied before");
                reasons.push(Reason::plain(ReasonCode::AlreadyApplied, message));
            }
            Verdict::Stop(stop) => {
                if stop.is_unknown() {
                    status = Status::Unknown;
                }
                let object = &snapshot.object;
                let after = request.data_after(object);
                let data = Data { object, after, ctx, explained: true };
                reasons = self.every_reason(&stop, place, data);
            }
        }
        let active = &place.situation.active;
        let shown = taken.unwrap_or_else(|| self.ways(active, Asked { action, from: None }));
        let first = shown
            .first()
            .map_or(self.shared.resolved.actions[action as usize], |entry| entry.transition);
        let mut from: Vec<String> = Vec::new();
        for entry in &shown {
            if !from.contains(self.path(entry.state)) {
                from.push(self.path(entry.state).clone());
            }
        }
        let mut permissions: Vec<String> = Vec::new();
        for entry in &shown {
            for permission in &self.transition(entry.transition).required_permissions {
                if !permissions.contains(permission) {
                    permissions.push(permission.clone());
                }
            }
        }
        Availability {
            action: name.into(),
            display_name: self
                .transition(first)
                .display_name
                .clone()
                .unwrap_or_else(|| name.into()),
            transitions: shown
                .iter()
                .map(|entry| self.transition(entry.transition).name.clone())
                .collect(),
            from,
            to: self.targets(&shown),
            permissions,
            status,
            reasons,
        }
    }

    /// The reasons of a refusal, and the permissions and entry conditions that would be missed next, on the
    /// object's data after the step.
    fn every_reason(&self, stop: &Stop, place: &Place, data: Data<'_>) -> Vec<Reason> {
        let mut reasons = self.reasons(&place.situation.active, stop, data.ctx);
        let (permissions_open, conditions_open): (Entries, Entries) = match stop {
            Stop::GuardsFailed(tried) => {
                let tried: Entries = tried.passed.iter().map(|(entry, _)| *entry).collect();
                (tried.clone(), tried)
            }
            Stop::GuardUnknown(tried, _) => {
                let passed = tried.passed.iter().map(|(entry, _)| *entry);
                let tried: Entries = passed.chain(tried.at.iter().copied()).collect();
                (tried.clone(), tried)
            }
            Stop::MissingPermissions(tried) => (Entries::new(), tried.at.clone()),
            _ => (Entries::new(), Entries::new()),
        };
        let stopping = reasons.len();
        for entry in permissions_open {
            reasons.extend(self.missing_permissions(entry.transition, data.ctx));
        }
        for entry in conditions_open {
            // What would follow by itself is not known where it does not come to rest.
            let Ok(Some(course)) = self.course(&place.situation, &[entry], data) else { continue };
            let unmet = self.unmet(&course.to.active, data);
            reasons
                .extend(unmet.iter().map(|unmet| self.unmet_reason(unmet, Some(entry.transition))));
        }
        for next in &mut reasons[stopping..] {
            next.stops = false;
        }
        reasons
    }
}
