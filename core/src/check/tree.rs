//! What is inside states: where a machine begins, and which fields mean something where.

use alloc::{format, string::String, vec::Vec};

use super::{At, Check};
use crate::{
    chart::{ROOT, Shape},
    definition::{JoinCondition, Names, State},
    diagnostic::Code,
    table::Neighbours,
};

impl Check<'_> {
    /// Fields, initial states and history states. Needs the names.
    pub(super) fn tree(&mut self) {
        let mut defaults: Vec<(u32, u32)> = Vec::new();
        let mut histories: Vec<(u32, u32)> = Vec::new();
        for (id, state) in self.states() {
            self.fields(id, state);
            match self.resolved.chart.shape(id) {
                Shape::Compound => {
                    if let Some(machine) = &state.sub_machine {
                        let initial = self.initial(id, &machine.initial_state);
                        defaults.extend(initial.into_iter().map(|to| (id, to)));
                    }
                }
                Shape::History(_) => {
                    let parent = self.resolved.chart.parent(id);
                    if parent != ROOT {
                        histories.push((parent, id));
                    }
                    let targets = self.history(id, state);
                    defaults.extend(targets.into_iter().map(|to| (id, to)));
                }
                Shape::Atomic | Shape::Parallel => {}
            }
        }
        let count = self.resolved.chart.count();
        let initial = self.initial(ROOT, &self.definition.initial_state);
        defaults.extend(initial.into_iter().map(|to| (count, to)));
        self.resolved.chart.defaults =
            Neighbours::new(count as usize + 1, defaults.iter().copied());
        self.resolved.chart.histories = Neighbours::new(count as usize, histories.iter().copied());
    }

    /// Where a machine begins.
    fn initial(&mut self, owner: u32, names: &Names) -> Vec<u32> {
        let at = At::Machine(owner);
        let mut targets = Vec::new();
        let mut is_known = !names.as_slice().is_empty();
        for (index, name) in names.as_slice().iter().enumerate() {
            if let Some(target) = self.find_within(owner, name) {
                targets.push(target);
                continue;
            }
            is_known = false;
            let help = self.suggest_state(name);
            let message = match owner {
                ROOT => format!("the initial state `{name}` is no state of this definition"),
                _ => format!("the initial state `{name}` is no state of `{}`", self.path(owner)),
            };
            let field = field_of("initial_state", names, index);
            self.report(at, &field, Code::UnknownInitialState, message, help);
        }
        if names.as_slice().is_empty() {
            let message = String::from("the machine begins in an empty list of states");
            let help = "name the state that it begins in";
            self.report(at, "initial_state", Code::UnknownInitialState, message, help);
        }
        let what = String::from("the machine begins in");
        self.must_fit(at, "initial_state", &what, &targets);
        if is_known {
            self.said_initial(owner, &targets);
        }
        targets
    }

    /// The state inside `owner` that a name or a path stands for.
    pub(super) fn find_within(&self, owner: u32, text: &str) -> Option<u32> {
        let absolute =
            || self.find_inside(ROOT, text).filter(|&id| self.resolved.chart.is_inside(id, owner));
        self.find_name(owner, text).or_else(|| self.find_inside(owner, text)).or_else(absolute)
    }

    /// What states say of being initial agrees with where the machine begins.
    fn said_initial(&mut self, owner: u32, targets: &[u32]) {
        let children: Vec<u32> = self.resolved.chart.children(owner).collect();
        for id in children {
            let state = self.state(id);
            let is_initial = targets.iter().any(|&to| self.resolved.chart.is_within(to, id));
            let Some(said) = state.is_initial.filter(|&said| said != is_initial) else { continue };
            let wanted = match targets {
                [one] => self.path(*one),
                _ => "a list",
            };
            let message = match said {
                true => format!(
                    "`{}` says that it is initial, but `initial_state` is `{wanted}`",
                    state.name
                ),
                false => format!(
                    "`{}` says that it is not initial, but it is the `initial_state`",
                    state.name
                ),
            };
            let help = "drop `is_initial`, or make the two agree";
            let related = self.pointer(At::Machine(owner), "initial_state");
            let found =
                self.report(At::State(id), "is_initial", Code::InitialMismatch, message, help);
            found.relate(related, "the initial state is named here");
        }
    }

    /// Fields that mean nothing where they stand.
    fn fields(&mut self, id: u32, state: &State) {
        let shape = self.resolved.chart.shape(id);
        let is_region = self.resolved.chart.is_region(id);
        let is_history = matches!(shape, Shape::History(_));
        let mut misplaced: Vec<(&str, &str)> = Vec::new();
        if state.required.is_some() && (!is_region || is_history) {
            misplaced.push(("required", "only a region is required or not"));
        }
        if state.join_condition == JoinCondition::Any && state.regions.is_empty() {
            misplaced.push(("join_condition", "only regions are joined"));
        }
        if state.default_target.is_some() && !is_history {
            misplaced.push(("default_target", "only a history state has a default target"));
        }
        if is_region && state.is_terminal {
            misplaced.push((
                "is_terminal",
                "a region ends when the machine inside it does; it is no end itself",
            ));
        }
        if is_region && state.is_initial.is_some() {
            misplaced.push(("is_initial", "all regions are entered together"));
        }
        if is_history {
            let why = "a history state is never active";
            let given = [
                ("sub_machine", state.sub_machine.is_some()),
                ("regions", !state.regions.is_empty()),
                ("is_terminal", state.is_terminal),
                ("timeout", state.timeout.is_some()),
                ("permits", !state.permits.is_empty()),
                ("entry_conditions", !state.entry_conditions.is_empty()),
                ("on_enter", !state.on_enter.is_empty()),
                ("on_exit", !state.on_exit.is_empty()),
            ];
            misplaced.extend(
                given.into_iter().filter(|(_, given)| *given).map(|(field, _)| (field, why)),
            );
        } else if state.sub_machine.is_some() && !state.regions.is_empty() {
            misplaced.push((
                "regions",
                "a state has one machine inside, or regions that are active at once",
            ));
        }
        for (field, why) in misplaced {
            let message = format!("`{field}` means nothing in `{}`: {why}", state.name);
            let help = format!("drop `{field}`, or move it to the state that it is meant for");
            self.report(At::State(id), field, Code::MisplacedField, message, help);
        }
        if state.is_terminal && matches!(shape, Shape::Compound | Shape::Parallel) {
            let message = format!("`{}` is terminal, but has states inside", state.name);
            let help = "let it not be terminal, and lead to a terminal state when what is inside is complete";
            self.report(At::State(id), "is_terminal", Code::TerminalWithStates, message, help);
        }
    }
}

/// The field that holds the name at a position.
pub(super) fn field_of(field: &str, names: &Names, index: usize) -> String {
    match names {
        Names::One(_) => field.into(),
        Names::Many(_) => format!("{field}/{index}"),
    }
}
