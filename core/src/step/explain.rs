//! Why no transition is taken: as data and as a sentence.

use alloc::{format, string::String, vec, vec::Vec};

use super::{
    choose::{Entries, Stop, Tried},
    context::Context,
    decision::{Reason, ReasonCode, Refused},
};
use crate::{chart::ROOT, guard::Evidence, machine::Machine, name::shortened, table::Entry};

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
    /// The refusal of an action that was asked for while these states are active.
    pub(crate) fn refuse(&self, active: &[u32], stop: &Stop, ctx: &Context) -> Refused {
        let mut reasons = self.reasons(active, stop, ctx);
        // Only the last ones stop the action: the guards before them passed it on.
        reasons.retain(|reason| reason.stops);
        let (code, to) = match stop {
            Stop::GuardsFailed(tried) => {
                let tried: Entries = tried.passed.iter().map(|(entry, _)| *entry).collect();
                (ReasonCode::GuardsFailed, self.targets(&tried))
            }
            Stop::ConditionsUnmet(tried, unmet) => {
                (Self::unmet_code(unmet), self.targets(&tried.at))
            }
            Stop::NoTransition { .. } | Stop::TimeRunsBack { .. } | Stop::Unread => {
                (reasons[0].code, Vec::new())
            }
            Stop::GuardUnknown(tried, _)
            | Stop::MissingPermissions(tried)
            | Stop::NeverRests(tried) => (reasons[0].code, self.targets(&tried.at)),
        };
        let from_states = self.leaf_paths(active);
        Refused { code, message: sentences(&reasons), from_states, to_states: to, reasons }
    }

    /// The refusal of a creation.
    pub(crate) fn refuse_creation(&self, stop: &Stop, ctx: &Context) -> Refused {
        let reasons = self.reasons(&[], stop, ctx);
        let code = match stop {
            Stop::ConditionsUnmet(_, unmet) => Self::unmet_code(unmet),
            _ => reasons[0].code,
        };
        let initial = self.shared.resolved.chart.defaults(ROOT);
        let to_states = initial.iter().map(|&id| self.path(id).clone()).collect();
        Refused { code, message: sentences(&reasons), from_states: Vec::new(), to_states, reasons }
    }

    /// The paths that transitions lead to, each once; one that leads nowhere stays in its state.
    pub(crate) fn targets(&self, entries: &[Entry]) -> Vec<String> {
        let mut targets: Vec<String> = Vec::new();
        for entry in entries {
            let to = match self.shared.resolved.chart.targets.of(entry.transition) {
                [] => core::slice::from_ref(&entry.state),
                to => to,
            };
            for &state in to {
                if !targets.contains(self.path(state)) {
                    targets.push(self.path(state).clone());
                }
            }
        }
        targets
    }

    /// One reason for each transition that was tried, or for each entry condition that is not met, in order.
    /// There is at least one that stops the action.
    pub(crate) fn reasons(&self, active: &[u32], stop: &Stop, ctx: &Context) -> Vec<Reason> {
        let passed = |tried: &Tried, stops: bool| -> Vec<Reason> {
            let false_ones = tried.passed.iter();
            let reason = |(entry, why): &(Entry, Evidence)| self.guard_false(entry.transition, why);
            false_ones.map(reason).map(|reason| Reason { stops, ..reason }).collect()
        };
        match stop {
            Stop::NoTransition { action, from } => match from {
                None => vec![self.no_transition(active, *action)],
                Some(from) => vec![self.no_transition(&[*from], *action)],
            },
            Stop::TimeRunsBack { now, last } => {
                let message = format!("{now} lies before the object's last step at {last}");
                vec![Reason::plain(ReasonCode::TimeRunsBack, message)]
            }
            Stop::Unread => {
                vec![Reason::plain(ReasonCode::GuardsFailed, "nobody asked for a reason".into())]
            }
            Stop::GuardsFailed(tried) => passed(tried, true),
            Stop::GuardUnknown(tried, why) => {
                let mut reasons = passed(tried, false);
                let unknown =
                    tried.at.iter().map(|entry| self.guard_unknown(entry.transition, why));
                reasons.extend(unknown);
                reasons
            }
            Stop::MissingPermissions(tried) => {
                let mut reasons = passed(tried, false);
                let missing = |entry: &Entry| self.missing_permissions(entry.transition, ctx);
                reasons.extend(tried.at.iter().filter_map(missing));
                reasons
            }
            Stop::ConditionsUnmet(tried, unmet) => {
                let mut reasons = passed(tried, false);
                let transition = tried.at.first().map(|entry| entry.transition);
                reasons.extend(unmet.iter().map(|unmet| self.unmet_reason(unmet, transition)));
                reasons
            }
            Stop::NeverRests(tried) => {
                let mut reasons = passed(tried, false);
                let limit = self.shared.limits.automatic_rounds;
                let message = format!(
                    "what follows by itself does not come to rest: more rounds of automatic and completion transitions than the limit `automatic_rounds`, {limit}"
                );
                let transition = tried.at.first().map(|entry| self.transition(entry.transition));
                reasons.push(Reason {
                    transition: transition.map(|transition| transition.name.clone()),
                    ..Reason::plain(ReasonCode::NeverRests, message)
                });
                reasons
            }
        }
    }

    /// What people call a state: its title, or, since titles repeat inside of states, its path.
    pub(super) fn called(&self, id: u32) -> &str {
        match self.shared.resolved.chart.parent(id) {
            ROOT => self.state(id).title(),
            _ => self.path(id),
        }
    }

    fn no_transition(&self, active: &[u32], action: u32) -> Reason {
        let resolved = &self.shared.resolved;
        let action_name = self.action(action);
        if let [only] = active
            && resolved.chart.node(*only).is_terminal
            && resolved.chart.parent(*only) == ROOT
            && resolved.table.of(*only).is_empty()
        {
            let title = self.state(*only).title();
            let message = format!("`{title}` is terminal: nothing leads out of it");
            return Reason::plain(ReasonCode::TerminalState, message);
        }
        let list = |ids: &mut dyn Iterator<Item = u32>| -> String {
            let shown = ids.take(NAMES).map(|id| format!("`{}`", self.called(id)));
            shown.collect::<Vec<_>>().join(", ")
        };
        let sources = resolved.table.sources(action);
        let shown = list(&mut sources.iter().copied());
        let more = match sources.len().saturating_sub(NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let here = list(&mut resolved.chart.leaves(active));
        let here = if here.is_empty() { list(&mut active.iter().copied()) } else { here };
        let message = format!("`{action_name}` is possible from {shown}{more}, not from {here}");
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
