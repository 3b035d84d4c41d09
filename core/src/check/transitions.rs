//! Transitions: where from, where to, for which action, behind which guard.

use alloc::{format, vec, vec::Vec};

use super::{At, Check, path};
use crate::{
    definition::Names,
    diagnostic::{Code, Diagnostic},
    index::Index,
    table::{Entry, Table},
};

impl Check<'_> {
    pub(super) fn transitions(&mut self) {
        let transitions = &self.definition.transitions;
        self.last_from = vec![u32::MAX; self.definition.states.len()];
        let mut names = Index::default();
        for (id, transition) in (0_u32..).zip(transitions) {
            let at = At::Transition(id);
            self.legal(at, "name", &transition.name);
            self.legal(at, "action", &transition.action);
            self.all_legal(at, "required_permissions", &transition.required_permissions);
            self.all_legal(at, "side_effects", &transition.side_effects);
            if let Some(first) = names.insert(id, &|id| transitions[id as usize].name.as_str()) {
                let message = format!("the transition name `{}` is used twice", transition.name);
                let found = self.report(
                    at,
                    "name",
                    Code::DuplicateTransition,
                    message,
                    "rename one of the two",
                );
                found.relate(At::Transition(first).pointer("name"), "first used here");
            }
            let action = self.action(id);
            self.resolved.action_of.push(action);
            self.sources(id, action);
            let guard = transition.guard.as_deref().map(|guard| self.guard(at, "guard", guard));
            self.resolved.guard_of.push(guard);
            let target = transition.to_state.as_ref().and_then(|names| self.target(id, names));
            self.resolved.target_of.push(target);
        }
        self.resolved.table = Table::new(
            self.definition.states.len(),
            self.resolved.actions.len(),
            &self.resolved.edges,
            &self.resolved.target_of,
        );
        self.timers();
        self.never_tried();
    }

    fn action(&mut self, transition: u32) -> u32 {
        let transitions = &self.definition.transitions;
        let next = u32::try_from(self.resolved.actions.len()).unwrap_or(u32::MAX);
        self.resolved.actions.push(transition);
        let actions = &self.resolved.actions;
        let name_of = |action: u32| transitions[actions[action as usize] as usize].action.as_str();
        match self.resolved.action_ids.insert(next, &name_of) {
            Some(known) => {
                self.resolved.actions.pop();
                known
            }
            None => next,
        }
    }

    fn target(&mut self, id: u32, names: &Names) -> Option<u32> {
        let at = At::Transition(id);
        let list = names.as_slice();
        let field = |index: usize| match names {
            Names::One(_) => "to_state".into(),
            Names::Many(_) => format!("to_state/{index}"),
        };
        let mut targets = Vec::new();
        for (index, name) in list.iter().enumerate() {
            if let Some(target) = self.find_state(name) {
                targets.push(target);
                continue;
            }
            let help = self.suggest_state(name);
            let message = format!(
                "the target `{name}` of `{}` is no state of this definition",
                self.transition(id).name
            );
            self.report(at, &field(index), Code::UnknownToState, message, help);
        }
        if list.is_empty() {
            let message =
                format!("`{}` leads to an empty list of states", self.transition(id).name);
            let help =
                "name a state, or drop `to_state` for a transition that leaves and enters nothing";
            self.report(at, "to_state", Code::NoToState, message, help);
        }
        if list.len() > 1 {
            let message = format!(
                "`{}` leads to {} states, of which one can be active",
                self.transition(id).name,
                list.len()
            );
            self.report(at, "to_state", Code::ConflictingTargets, message, "name one state");
        }
        targets.first().copied()
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
            let field = match transition.from_state {
                Names::One(_) => "from_state".into(),
                Names::Many(_) => format!("from_state/{index}"),
            };
            match self.find_state(name) {
                None => {
                    let help = self.suggest_state(name);
                    let message = format!(
                        "the source `{name}` of `{}` is no state of this definition",
                        transition.name
                    );
                    self.report(at, &field, Code::UnknownFromState, message, help);
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
            let state = path(self.state(state));
            let message = match code {
                Code::ShadowedTransition => format!(
                    "`{}` is never tried from `{state}`: `{}` takes `{}` before it, without a guard",
                    transition.name, earlier.name, transition.action
                ),
                _ => format!(
                    "`{}` and `{}` both take `{}` from `{state}` without a guard: the first always wins",
                    earlier.name, transition.name, transition.action
                ),
            };
            let help = match code {
                Code::ShadowedTransition => "put it before the other, or give the other a guard",
                _ => "give the first a guard, or drop one of the two",
            };
            let found: &mut Diagnostic = self.report(At::Transition(id), "", code, message, help);
            found.relate(At::Transition(first).pointer(""), "this one is taken");
        }
    }
}
