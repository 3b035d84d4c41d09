//! Why no transition is taken: as data and as a sentence.

use alloc::{format, string::String, vec, vec::Vec};

use super::{
    choose::Stop,
    context::Context,
    decision::{Reason, ReasonCode, Refused},
};
use crate::{machine::Machine, name::shortened, table::Entry};

/// More names than this in one sentence are not read.
const NAMES: usize = 5;

impl Refused {
    /// A refusal for a reason that concerns no transition.
    pub(crate) fn plain(code: ReasonCode, message: String, from: &[String]) -> Self {
        let message = shortened(message);
        let reasons = vec![Reason::plain(code, message.clone())];
        Self { code, message, from_states: from.to_vec(), to_states: Vec::new(), reasons }
    }
}

impl Reason {
    pub(crate) fn plain(code: ReasonCode, message: String) -> Self {
        Self {
            code,
            message: shortened(message),
            transition: None,
            guard: None,
            permissions: Vec::new(),
        }
    }
}

impl Machine {
    /// The refusal of an action that was asked for in `state`.
    pub(crate) fn refuse(&self, state: u32, stop: &Stop<'_>, ctx: &Context) -> Refused {
        let mut reasons = self.reasons(stop, ctx);
        let from_states = vec![self.path(state).clone()];
        let (code, message, to) = match stop {
            Stop::GuardsFailed(tried) if tried.len() > 1 => {
                let sentences: Vec<&str> =
                    reasons.iter().map(|reason| reason.message.as_str()).collect();
                (ReasonCode::GuardsFailed, sentences.join("; "), *tried)
            }
            Stop::GuardsFailed(tried) => {
                (ReasonCode::GuardsFailed, reasons[0].message.clone(), *tried)
            }
            Stop::NoTransition { .. } | Stop::TimeRunsBack { .. } => {
                (reasons[0].code, reasons[0].message.clone(), &[][..])
            }
            Stop::GuardUnknown { tried, .. } | Stop::MissingPermissions { tried } => {
                // Only the last one stops the action: the guards before it passed it on.
                let last = reasons
                    .pop()
                    .unwrap_or_else(|| Reason::plain(ReasonCode::NoTransition, String::new()));
                reasons = vec![last];
                (reasons[0].code, reasons[0].message.clone(), &tried[tried.len() - 1..])
            }
        };
        Refused { code, message, from_states, to_states: self.targets(state, to), reasons }
    }

    /// The paths that transitions from `state` lead to, each once.
    pub(crate) fn targets(&self, state: u32, entries: &[Entry]) -> Vec<String> {
        let mut targets: Vec<String> = Vec::new();
        for entry in entries {
            let path = self.path(self.target(entry.transition).unwrap_or(state));
            if !targets.contains(path) {
                targets.push(path.clone());
            }
        }
        targets
    }

    /// One reason for each transition that was tried, in order.
    pub(crate) fn reasons(&self, stop: &Stop<'_>, ctx: &Context) -> Vec<Reason> {
        let all_false = |tried: &[Entry]| {
            tried.iter().map(|entry| self.guard_false(entry.transition)).collect::<Vec<_>>()
        };
        let before_last = |tried: &[Entry]| {
            (all_false(&tried[..tried.len() - 1]), tried[tried.len() - 1].transition)
        };
        match stop {
            Stop::NoTransition { state, action } => vec![self.no_transition(*state, *action)],
            Stop::TimeRunsBack { now, last } => {
                let message = format!("{now} lies before the object's last step at {last}");
                vec![Reason::plain(ReasonCode::TimeRunsBack, message)]
            }
            Stop::GuardsFailed(tried) => all_false(tried),
            Stop::GuardUnknown { tried, why } => {
                let (mut reasons, last) = before_last(tried);
                reasons.push(self.guard_unknown(last, why.as_deref()));
                reasons
            }
            Stop::MissingPermissions { tried } => {
                let (mut reasons, last) = before_last(tried);
                reasons.extend(self.missing_permissions(last, ctx));
                reasons
            }
        }
    }

    pub(crate) fn no_transition(&self, state: u32, action: u32) -> Reason {
        let here = self.state(state);
        let action_name = self.action(action);
        if here.is_terminal && self.shared.resolved.table.of(state).is_empty() {
            let message = format!("`{}` is terminal: nothing leads out of it", here.title());
            return Reason::plain(ReasonCode::TerminalState, message);
        }
        let sources = self.shared.resolved.table.sources(action);
        let shown: Vec<String> =
            sources.iter().take(NAMES).map(|&id| format!("`{}`", self.state(id).title())).collect();
        let more = match sources.len().saturating_sub(NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "`{action_name}` is possible from {}{more}, not from `{}`",
            shown.join(", "),
            here.title()
        );
        Reason::plain(ReasonCode::NoTransition, message)
    }

    fn guard_false(&self, transition: u32) -> Reason {
        let guard = self.guard_of(transition);
        let message =
            format!("the guard `{guard}` of `{}` is false", self.transition(transition).name);
        Reason {
            guard: Some(guard.into()),
            ..self.reason(ReasonCode::GuardFalse, transition, message)
        }
    }

    fn guard_unknown(&self, transition: u32, why: Option<&str>) -> Reason {
        let guard = self.guard_of(transition);
        let name = &self.transition(transition).name;
        let (code, message) = match why {
            Some(why) => (
                ReasonCode::GuardUnknown,
                format!("the guard `{guard}` of `{name}` could not be evaluated: {why}"),
            ),
            None => (
                ReasonCode::GuardNotRegistered,
                format!("the guard `{guard}` of `{name}` is not registered by the host"),
            ),
        };
        Reason { guard: Some(guard.into()), ..self.reason(code, transition, message) }
    }

    /// The reason that the actor lacks permissions for a transition, if it does.
    pub(crate) fn missing_permissions(&self, transition: u32, ctx: &Context) -> Option<Reason> {
        let required = &self.transition(transition).required_permissions;
        let permissions: Vec<String> =
            required.iter().filter(|permission| !ctx.holds(permission)).cloned().collect();
        if permissions.is_empty() {
            return None;
        }
        let names: Vec<String> =
            permissions.iter().map(|permission| format!("`{permission}`")).collect();
        let message = format!(
            "`{}` needs the permission {}",
            self.transition(transition).name,
            names.join(" and ")
        );
        Some(Reason {
            permissions,
            ..self.reason(ReasonCode::MissingPermissions, transition, message)
        })
    }

    fn reason(&self, code: ReasonCode, transition: u32, message: String) -> Reason {
        Reason {
            transition: Some(self.transition(transition).name.clone()),
            ..Reason::plain(code, message)
        }
    }

    fn guard_of(&self, transition: u32) -> &str {
        self.transition(transition).guard.as_deref().unwrap_or_default()
    }
}
