//! Bounds on what a definition may ask for. The first breach ends the checks: what comes after would cost too much.

use alloc::{format, string::String};

use super::{At, Check};
use crate::{
    chart::{self, ROOT, Shape},
    definition::{Definition, Names, State},
    diagnostic::{Code, Diagnostic},
    limits::Limits,
};

/// The first state that is nested more deeply than the limit, as a finding. Nothing else may walk into a
/// definition before.
pub(super) fn nesting(definition: &Definition, limits: &Limits) -> Option<Diagnostic> {
    fn too_deep(states: &[State], levels: usize) -> Option<String> {
        states.iter().enumerate().find_map(|(index, state)| {
            let field = if state.sub_machine.is_some() { "sub_machine/states" } else { "regions" };
            match (chart::inside(state), levels) {
                ([], _) => None,
                (_, 0 | 1) => Some(format!("{index}")),
                (inside, _) => {
                    too_deep(inside, levels - 1).map(|rest| format!("{index}/{field}/{rest}"))
                }
            }
        })
    }
    let limit = limits.levels();
    let pointer = too_deep(&definition.states, limit)?;
    let message = format!(
        "states are nested more deeply inside each other than the limit `nesting`, {limit}"
    );
    let help = "nest them less deeply, or raise the limit `nesting` (64 levels at most)";
    let pointer = format!("/states/{pointer}");
    Some(Diagnostic::new(Code::LimitExceeded, pointer, message, help))
}

impl Check<'_> {
    pub(super) fn within(&mut self, limits: &Limits) -> bool {
        let states = self.parts.states.len();
        let transitions = self.parts.transitions.iter();
        let edges: usize =
            transitions.map(|transition| transition.from_state.as_slice().len().max(1)).sum();
        for (name, field, count, limit) in [
            ("states", "states", states, limits.states),
            ("transitions", "transitions", edges, limits.transitions),
        ] {
            if count > limit {
                let message =
                    format!("the definition has {count} {name}, the limit `{name}` is {limit}");
                let help = format!("split the definition, or raise the limit `{name}`");
                self.report(At::ROOT, field, Code::LimitExceeded, message, help);
                return false;
            }
        }
        self.names_within(limits.name_bytes) && self.leaves_within(limits.active_leaves)
    }

    /// No name is longer than the limit: answers repeat names.
    fn names_within(&mut self, limit: usize) -> bool {
        let definition = self.definition;
        let root = core::iter::once(&definition.object_type)
            .chain(definition.initial_state.as_slice())
            .chain(&definition.allow)
            .chain(definition.guards.keys());
        let mut too_long =
            root.into_iter().find(|name| name.len() > limit).map(|name| (At::ROOT, name));
        for (id, state) in self.states() {
            let timeout = state.timeout.iter();
            let conditions = state.entry_conditions.iter();
            let machine = state.sub_machine.iter().flat_map(|machine| {
                let names = machine.object_type.iter().chain(machine.initial_state.as_slice());
                names.chain(machine.guards.keys())
            });
            let texts = core::iter::once(&state.name)
                .chain(&state.display_name)
                .chain([&state.permits, &state.on_enter, &state.on_exit].into_iter().flatten())
                .chain(timeout.flat_map(|timeout| {
                    [&timeout.after, &timeout.action].into_iter().chain(&timeout.notify_before)
                }))
                .chain(conditions.flat_map(|condition| {
                    core::iter::once(&condition.name).chain(&condition.message)
                }))
                .chain(state.default_target.iter().flat_map(Names::as_slice))
                .chain(machine);
            let found = texts.into_iter().find(|text| text.len() > limit);
            too_long = too_long.or(found.map(|text| (At::State(id), text)));
        }
        for (id, transition) in (0..).zip(&self.parts.transitions) {
            let texts = core::iter::once(&transition.name)
                .chain(&transition.action)
                .chain(&transition.display_name)
                .chain(transition.from_state.as_slice())
                .chain(transition.to_state.iter().flat_map(Names::as_slice))
                .chain(&transition.required_permissions)
                .chain(&transition.side_effects);
            let found = texts.into_iter().find(|text| text.len() > limit);
            too_long = too_long.or(found.map(|text| (At::Transition(id), text)));
        }
        let Some((at, text)) = too_long else { return true };
        let message = format!("a name has {} bytes, the limit `name_bytes` is {limit}", text.len());
        let help = "shorten it (long texts go into `description`), or raise the limit `name_bytes`";
        self.report(at, "", Code::LimitExceeded, message, help);
        false
    }

    /// The cost of a step grows with the number of states that are active at once.
    fn leaves_within(&mut self, limit: usize) -> bool {
        let leaves = self.active_leaves(ROOT);
        if leaves <= limit {
            return true;
        }
        let message =
            format!("{leaves} states can be active at once, the limit `active_leaves` is {limit}");
        let help = "use fewer regions, or raise the limit `active_leaves`";
        self.report(At::ROOT, "states", Code::LimitExceeded, message, help);
        false
    }

    /// How many innermost states can be active at once inside a state, at most.
    fn active_leaves(&self, of: u32) -> usize {
        let chart = &self.resolved.chart;
        let inside = chart.children(of).map(|child| self.active_leaves(child));
        let shape = if of == ROOT { Shape::Compound } else { chart.shape(of) };
        match shape {
            Shape::Atomic => 1,
            Shape::History(_) => 0,
            Shape::Compound => inside.max().unwrap_or(1).max(1),
            Shape::Parallel => inside.fold(0, usize::saturating_add).max(1),
        }
    }
}
