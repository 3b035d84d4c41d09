//! Entry conditions: what is asked of an object in a state.

use alloc::{format, vec::Vec};

use super::{At, Check};
use crate::{
    diagnostic::Code,
    index::Index,
    table::{Entry, position},
};

/// The entry conditions of every state, as ids of guards.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    guards: Vec<u32>,
    /// Where each state begins, and where the last one ends.
    starts: Vec<u32>,
}

impl Conditions {
    /// The guards of all conditions.
    pub(super) fn guards(&self) -> impl Iterator<Item = u32> {
        self.guards.iter().copied()
    }

    /// The guards of the conditions of `state`, in document order.
    pub(crate) fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.guards[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

impl Check<'_> {
    /// The entry conditions of all states.
    pub(super) fn conditions(&mut self) {
        let mut conditions = Conditions::default();
        conditions.starts.reserve(self.definition.states.len() + 1);
        for (id, state) in self.states() {
            conditions.starts.push(position(conditions.guards.len()));
            let all = &state.entry_conditions;
            let mut names = Index::default();
            for (index, condition) in (0_u32..).zip(all) {
                let at = At::Condition(id, index);
                self.legal(at, "name", &condition.name);
                if let Some(first) = names.insert(index, &|index| all[index as usize].name.as_str())
                {
                    let message = format!(
                        "the condition name `{}` is used twice in `{}`",
                        condition.name, state.name
                    );
                    let help = "rename one of the two";
                    let found = self.report(at, "name", Code::DuplicateCondition, message, help);
                    found.relate(At::Condition(id, first).pointer("name"), "first used here");
                }
                let guard = self.guard(at, "require", &condition.require);
                conditions.guards.push(guard);
            }
        }
        conditions.starts.push(position(conditions.guards.len()));
        self.resolved.conditions = conditions;
    }

    /// `available` asks the conditions of every state that a transition leads to, and repeats them in its
    /// answer: without a limit, their number times that of the transitions.
    pub(super) fn conditions_within(&mut self, limit: usize) {
        let asked_of = |entry: &Entry| {
            let target = self.resolved.target_of[entry.transition as usize];
            self.resolved.conditions.of(target.unwrap_or(entry.state)).len()
        };
        let all = self.resolved.conditions.guards.len();
        let on_the_way = self.resolved.edges.iter().map(asked_of).fold(0, usize::saturating_add);
        let count = on_the_way.max(all);
        if count <= limit {
            return;
        }
        let message = format!(
            "entry conditions are asked on {count} ways into their states, the limit `conditions` is {limit}"
        );
        let help =
            "ask for less in states that many transitions lead to, or raise the limit `conditions`";
        self.report(At::Root, "states", Code::LimitExceeded, message, help);
    }
}
