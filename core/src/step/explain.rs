//! Why no transition is taken: as data and as a sentence.

use alloc::{format, string::String, vec, vec::Vec};

use super::{
    choose::{Stop, Tried},
    conditions::Unmet,
    context::Context,
    decision::{Reason, ReasonCode, Refused},
};
use crate::{guard::Evidence, machine::Machine, name::shortened, table::Entry};

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
            stops: true,
            transition: None,
            condition: None,
            guard: None,
            expression: None,
            values: Vec::new(),
            missing: Vec::new(),
            permissions: Vec::new(),
        }
    }

    /// The same reason, with what is known of its guard.
    pub(crate) fn of_guard(self, guard: String, expression: Option<&str>, why: &Evidence) -> Self {
        Self {
            guard: Some(guard),
            expression: expression.map(Into::into),
            values: why.values.clone(),
            missing: why.missing.clone(),
            ..self
        }
    }
}

/// All reasons in one sentence.
fn sentences(reasons: &[Reason]) -> String {
    let sentences: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
    sentences.join("; ")
}

impl Machine {
    /// The refusal of an action that was asked for in `state`.
    pub(crate) fn refuse(&self, state: u32, stop: &Stop<'_>, ctx: &Context) -> Refused {
        let mut reasons = self.reasons(stop, ctx);
        let from_states = vec![self.path(state).clone()];
        let (code, message, to) = match stop {
            Stop::GuardsFailed(tried) => {
                (ReasonCode::GuardsFailed, sentences(&reasons), tried.entries)
            }
            Stop::ConditionsUnmet(tried, unmet) => {
                reasons = reasons.split_off(tried.entries.len() - 1);
                (Self::unmet_code(unmet), sentences(&reasons), tried.last())
            }
            Stop::NoTransition { .. } | Stop::TimeRunsBack { .. } => {
                (reasons[0].code, reasons[0].message.clone(), &[][..])
            }
            Stop::GuardUnknown(tried) | Stop::MissingPermissions(tried) => {
                // Only the last one stops the action: the guards before it passed it on.
                let last = reasons
                    .pop()
                    .unwrap_or_else(|| Reason::plain(ReasonCode::NoTransition, String::new()));
                reasons = vec![last];
                (reasons[0].code, reasons[0].message.clone(), tried.last())
            }
        };
        Refused { code, message, from_states, to_states: self.targets(state, to), reasons }
    }

    /// The refusal of a creation, whose object does not meet these conditions of the initial state.
    pub(crate) fn refuse_creation(&self, unmet: &[Unmet]) -> Refused {
        let reasons: Vec<Reason> =
            unmet.iter().map(|unmet| self.unmet_reason(unmet, None)).collect();
        Refused {
            code: Self::unmet_code(unmet),
            message: sentences(&reasons),
            from_states: Vec::new(),
            to_states: vec![self.path(self.shared.resolved.initial).clone()],
            reasons,
        }
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

    /// One reason for each transition that was tried, or for each entry condition that is not met, in order.
    pub(crate) fn reasons(&self, stop: &Stop<'_>, ctx: &Context) -> Vec<Reason> {
        let all_false = |tried: &Tried<'_>, count: usize| -> Vec<Reason> {
            let false_ones = tried.entries.iter().zip(&tried.said).take(count);
            false_ones.map(|(entry, why)| self.guard_false(entry.transition, why)).collect()
        };
        let before_last = |tried: &Tried<'_>| {
            let before = tried.entries.len() - 1;
            let passed = all_false(tried, before).into_iter();
            let passed = passed.map(|reason| Reason { stops: false, ..reason });
            (passed.collect::<Vec<_>>(), tried.entries[before].transition)
        };
        match stop {
            Stop::NoTransition { state, action } => vec![self.no_transition(*state, *action)],
            Stop::TimeRunsBack { now, last } => {
                let message = format!("{now} lies before the object's last step at {last}");
                vec![Reason::plain(ReasonCode::TimeRunsBack, message)]
            }
            Stop::GuardsFailed(tried) => all_false(tried, tried.entries.len()),
            Stop::GuardUnknown(tried) => {
                let (mut reasons, last) = before_last(tried);
                reasons.extend(tried.said.last().map(|why| self.guard_unknown(last, why)));
                reasons
            }
            Stop::MissingPermissions(tried) => {
                let (mut reasons, last) = before_last(tried);
                reasons.extend(self.missing_permissions(last, ctx));
                reasons
            }
            Stop::ConditionsUnmet(tried, unmet) => {
                let (mut reasons, last) = before_last(tried);
                reasons.extend(unmet.iter().map(|unmet| self.unmet_reason(unmet, Some(last))));
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

    fn guard_false(&self, transition: u32, why: &Evidence) -> Reason {
        let (guard, name) = (self.guard_of(transition), &self.transition(transition).name);
        let message = match &why.part {
            None => format!("the guard `{guard}` of `{name}` is false"),
            Some(part) if part == guard => format!("`{name}` needs `{part}`{}", why.readings()),
            Some(part) => {
                format!("`{name}` needs `{guard}`, and `{part}` is false{}", why.readings())
            }
        };
        let reason = self.reason(ReasonCode::GuardFalse, transition, message);
        reason.of_guard(guard.into(), self.expression(transition), why)
    }

    fn guard_unknown(&self, transition: u32, why: &Evidence) -> Reason {
        let (guard, name) = (self.guard_of(transition), &self.transition(transition).name);
        let code = match why.is_not_registered() {
            true => ReasonCode::GuardNotRegistered,
            false => ReasonCode::GuardUnknown,
        };
        let message = match (code, self.expression(transition)) {
            (ReasonCode::GuardNotRegistered, None) => {
                format!("the guard `{guard}` of `{name}` is not registered by the host")
            }
            _ => {
                format!("the guard `{guard}` of `{name}` could not be evaluated: {}", why.causes())
            }
        };
        let reason = self.reason(code, transition, message);
        reason.of_guard(guard.into(), self.expression(transition), why)
    }

    /// The expression behind a transition's guard, if it is one.
    fn expression(&self, transition: u32) -> Option<&str> {
        let guard = self.shared.resolved.guard_of[transition as usize]?;
        self.shared.resolved.guards[guard as usize].expression()
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
