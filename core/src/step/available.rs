//! `available` and `can`: all that a row of buttons needs, in one call.

use alloc::{format, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    choose::{Stop, Verdict},
    context::{Context, Request, TooDeep},
    decide::DecideError,
    decision::{Reason, ReasonCode},
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{
    json::object,
    machine::Machine,
    table::{Entry, position},
};

/// Whether one action may be taken now, and why not.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Availability {
    /// The action.
    pub action: String,
    /// What a button says.
    pub display_name: String,
    /// The transition that would be taken; if none would, those that might be.
    pub transitions: Vec<String>,
    /// Where they lead.
    pub to: Vec<String>,
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
    /// The actions of the object's state, in document order: enabled, disabled or unknown, with every
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
        let (state, _) = self.locate(snapshot)?;
        TooDeep::check_request(&options.request)?;
        let count = position(self.shared.resolved.actions.len());
        let mut actions: Vec<u32> = match options.all {
            true => (0..count).collect(),
            false => {
                self.shared.resolved.table.of(state).iter().map(|entry| entry.action).collect()
            }
        };
        actions.dedup();
        Ok(actions
            .into_iter()
            .map(|action| self.availability(snapshot, state, action, ctx, &options.request))
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
        let (state, _) = self.locate(snapshot)?;
        Ok(matches!(
            self.weigh(snapshot, state, action, ctx, &Request::default(), false),
            Verdict::Take(_)
        ))
    }

    fn availability(
        &self,
        snapshot: &Snapshot,
        state: u32,
        action: u32,
        ctx: &Context,
        request: &Request,
    ) -> Availability {
        let name = self.action(action);
        let candidates = self.shared.resolved.table.candidates(state, action);
        let (status, taken, reasons) = match self.weigh(snapshot, state, name, ctx, request, true) {
            Verdict::Take(transition) => (Status::Enabled, Some(transition), vec![]),
            Verdict::Refuse(refused) => (Status::Disabled, None, refused.reasons),
            Verdict::Applied(_) => {
                let id = request.request_id.as_deref().unwrap_or_default();
                let message = format!("the request `{id}` was applied before");
                (Status::Disabled, None, vec![Reason::plain(ReasonCode::AlreadyApplied, message)])
            }
            Verdict::Stop(stop) => {
                let status = if stop.is_unknown() { Status::Unknown } else { Status::Disabled };
                let after = request.data_after(&snapshot.object);
                (status, None, self.every_reason(&stop, state, ctx, after))
            }
        };
        let chosen = taken.map(|transition| Entry { state, action, transition });
        let shown = chosen.as_ref().map_or(candidates, core::slice::from_ref);
        let first = shown
            .first()
            .map_or(self.shared.resolved.actions[action as usize], |entry| entry.transition);
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
            to: self.targets(state, shown),
            status,
            reasons,
        }
    }

    /// The reasons of a refusal, and the permissions and entry conditions that would be missed next, on the
    /// object's data `after` the step.
    fn every_reason(
        &self,
        stop: &Stop<'_>,
        state: u32,
        ctx: &Context,
        after: &Value,
    ) -> Vec<Reason> {
        let mut reasons = self.reasons(stop, ctx);
        let permissions_open: &[Entry] = match stop {
            Stop::GuardsFailed(tried) | Stop::GuardUnknown(tried) => tried.entries,
            _ => &[],
        };
        let conditions_open = match stop {
            Stop::MissingPermissions(tried) => tried.last(),
            _ => permissions_open,
        };
        let stopping = reasons.len();
        for entry in permissions_open {
            reasons.extend(self.missing_permissions(entry.transition, ctx));
        }
        for entry in conditions_open {
            let to = self.moves(state, entry.transition).to;
            let unmet = self.unmet(to, self.scene(to, after, ctx, true));
            reasons
                .extend(unmet.iter().map(|unmet| self.unmet_reason(unmet, Some(entry.transition))));
        }
        for next in &mut reasons[stopping..] {
            next.stops = false;
        }
        reasons
    }
}
