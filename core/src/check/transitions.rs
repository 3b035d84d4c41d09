//! Transitions: where from, where to, for which action, behind which guard.

use alloc::{format, string::String, vec, vec::Vec};

use super::{At, Check, tree::field_of};
use crate::{
    chart::Shape,
    definition::Trigger,
    diagnostic::{Code, Diagnostic},
    index::Index,
    table::{Entry, Neighbours, Table, position},
};

/// Stand for what an automatic transition or one of a completion has in place of an action, until the number of
/// actions is known.
const AUTOMATIC: u32 = u32::MAX - 1;
const COMPLETION: u32 = u32::MAX;

impl Check<'_> {
    pub(super) fn transitions(&mut self) {
        let transitions = self.parts.transitions.clone();
        self.last_from = vec![u32::MAX; self.parts.states.len()];
        let mut names = Index::default();
        let mut frame = u32::MAX;
        let mut targets: Vec<(u32, u32)> = Vec::with_capacity(transitions.len());
        for (id, transition) in (0_u32..).zip(transitions.iter().copied()) {
            let number = self.resolved.chart.frame_number(id);
            if core::mem::replace(&mut frame, number) != number {
                names = Index::default();
            }
            let at = At::Transition(id);
            self.legal(at, "name", &transition.name);
            self.all_legal(at, "required_permissions", &transition.required_permissions);
            self.all_legal(at, "side_effects", &transition.side_effects);
            if let Some(first) = names.insert(id, &|id| transitions[id as usize].name.as_str()) {
                let message = format!("the transition name `{}` is used twice", transition.name);
                let related = self.pointer(At::Transition(first), "name");
                let help = "rename one of the two";
                let found = self.report(at, "name", Code::DuplicateTransition, message, help);
                found.relate(related, "first used here");
            }
            let action = self.trigger(id);
            self.resolved.action_of.push(action);
            self.sources(id, action);
            let guard = transition.guard.as_deref();
            let guard = guard.map(|guard| self.guard(at, number, "guard", guard));
            self.resolved.guard_of.push(guard);
            if let Some(names) = &transition.to_state {
                targets.extend(self.targets(id, names).into_iter().map(|to| (id, to)));
            }
        }
        self.resolved.chart.targets = Neighbours::new(transitions.len(), targets.iter().copied());
        self.number_triggers();
        self.resolved.table = Table::new(
            self.parts.states.len(),
            self.resolved.actions.len() + 2,
            &self.resolved.edges,
            &self.resolved.chart.targets,
        );
        self.timers();
        self.never_tried();
    }

    /// What stands in the table for what sets a transition off.
    fn trigger(&mut self, id: u32) -> u32 {
        let (at, transition) = (At::Transition(id), self.transition(id));
        let stands_for = match transition.trigger {
            Trigger::Action => {
                if let Some(action) = &transition.action {
                    self.legal(at, "action", action);
                } else {
                    let message = "the field `action` is missing".into();
                    let help =
                        "add the field `action`, or say with `trigger` what else sets it off";
                    self.report(at, "", Code::MissingField, message, help);
                }
                return self.action(id);
            }
            Trigger::Completion => COMPLETION,
            Trigger::Automatic => AUTOMATIC,
        };
        let takes = match transition.trigger {
            Trigger::Completion => "is set off by the completion of its state",
            _ => "is taken by itself",
        };
        if transition.action.is_some() {
            let message = format!("`{}` {takes}, and has an action", transition.name);
            let help = "drop `action`, or drop `trigger`";
            self.report(at, "action", Code::InvalidTrigger, message, help);
        }
        if !transition.required_permissions.is_empty() {
            let message = format!(
                "`{}` {takes}, and asks for permissions, which nobody brings",
                transition.name
            );
            let help =
                "drop `required_permissions`, or ask for them with a guard over `ctx.permissions`";
            self.report(at, "required_permissions", Code::InvalidTrigger, message, help);
        }
        stands_for
    }

    /// Gives what is set off by no action the numbers behind those of the actions.
    fn number_triggers(&mut self) {
        let resolved = &mut self.resolved;
        let actions = position(resolved.actions.len());
        (resolved.automatic, resolved.completion) = (actions, actions + 1);
        resolved.rests = true;
        let edges = resolved.edges.iter_mut().map(|edge| &mut edge.action);
        for action in edges.chain(&mut resolved.action_of) {
            if *action >= AUTOMATIC {
                resolved.rests = false;
                *action = actions + u32::from(*action == COMPLETION);
            }
        }
    }

    fn action(&mut self, transition: u32) -> u32 {
        let transitions = &self.parts.transitions;
        let next = position(self.resolved.actions.len());
        self.resolved.actions.push(transition);
        let actions = &self.resolved.actions;
        let name_of = |action: u32| transitions[actions[action as usize] as usize].asked();
        match self.resolved.action_ids.insert(next, &name_of) {
            Some(known) => {
                self.resolved.actions.pop();
                known
            }
            None => next,
        }
    }

    fn sources(&mut self, id: u32, action: u32) {
        let transition = self.transition(id);
        let at = At::Transition(id);
        let list = transition.from_state.as_slice();
        if list.is_empty() {
            let message = format!("`{}` comes out of nowhere", transition.name);
            self.report(
                at,
                "from_state",
                Code::NoFromState,
                message,
                "name the states that it leads out of",
            );
        }
        for (index, name) in list.iter().enumerate() {
            let field = field_of("from_state", &transition.from_state, index);
            match self.find_within(self.resolved.chart.frame(id).owner, name) {
                None => {
                    let help = self.suggest_state(name);
                    let message = format!(
                        "the source `{name}` of `{}` is no state of this definition",
                        transition.name
                    );
                    self.report(at, &field, Code::UnknownFromState, message, help);
                }
                Some(state) if matches!(self.resolved.chart.shape(state), Shape::History(_)) => {
                    let message = format!("`{name}` is a history state, which is never active");
                    let help = "let the transition lead out of a state";
                    self.report(at, &field, Code::HistorySource, message, help);
                }
                Some(state) => self.add_edge(&field, Entry { state, action, transition: id }),
            }
        }
    }

    fn add_edge(&mut self, field: &str, edge: Entry) {
        let last = &mut self.last_from[edge.state as usize];
        if core::mem::replace(last, edge.transition) != edge.transition {
            self.resolved.edges.push(edge);
            return;
        }
        let name = &self.state(edge.state).name;
        let message =
            format!("`{}` names its source `{name}` twice", self.transition(edge.transition).name);
        let at = At::Transition(edge.transition);
        self.report(at, field, Code::DuplicateFromState, message, "name each state once");
    }

    /// Transitions of one state for one action, behind one that has no guard.
    fn never_tried(&mut self) {
        let mut findings: Vec<(u32, Code, u32, u32)> = Vec::new();
        let mut open: Option<Entry> = None;
        for entry in self.resolved.table.entries() {
            let same = open.filter(|open| (open.state, open.action) == (entry.state, entry.action));
            let guarded = self.transition(entry.transition).guard.is_some();
            match same {
                Some(first) => {
                    let code =
                        if guarded { Code::ShadowedTransition } else { Code::AmbiguousAction };
                    findings.push((entry.transition, code, first.transition, entry.state));
                }
                None if !guarded => open = Some(*entry),
                None => {}
            }
        }
        for (id, code, first, state) in findings {
            let (transition, earlier) = (self.transition(id), self.transition(first));
            let state = self.path(state);
            let taken = self.taken(id);
            let message = match code {
                Code::ShadowedTransition => format!(
                    "`{}` is never tried from `{state}`: `{}` takes {taken} before it, without a guard",
                    transition.name, earlier.name
                ),
                _ => format!(
                    "`{}` and `{}` both take {taken} from `{state}` without a guard: the first always wins",
                    earlier.name, transition.name
                ),
            };
            let help = match code {
                Code::ShadowedTransition => "put it before the other, or give the other a guard",
                _ => "give the first a guard, or drop one of the two",
            };
            let related = self.pointer(At::Transition(first), "");
            let found: &mut Diagnostic = self.report(At::Transition(id), "", code, message, help);
            found.relate(related, "this one is taken");
        }
    }

    /// What sets a transition off, in a sentence.
    fn taken(&self, id: u32) -> String {
        match self.transition(id).trigger {
            Trigger::Action => format!("`{}`", self.transition(id).asked()),
            Trigger::Completion => "the completion".into(),
            Trigger::Automatic => "the automatic step".into(),
        }
    }

    /// The action of this name.
    pub(super) fn action_id(&self, action: &str) -> Option<u32> {
        let (transitions, actions) = (&self.parts.transitions, &self.resolved.actions);
        let name_of = |id: u32| transitions[actions[id as usize] as usize].asked();
        self.resolved.action_ids.get(action, &name_of)
    }
}
