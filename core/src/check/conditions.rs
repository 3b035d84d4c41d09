//! Entry conditions: what is asked of an object in a state.

use alloc::{format, vec::Vec};

use super::{At, Check};
use crate::{
    chart::{ROOT, Shape},
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

    /// Whether no state has conditions.
    pub(crate) fn is_empty(&self) -> bool {
        self.guards.is_empty()
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
        conditions.starts.reserve(self.parts.states.len() + 1);
        for (id, state) in self.states() {
            let frame = self.frame_around(id);
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
                    let related = self.pointer(At::Condition(id, first), "name");
                    let found = self.report(at, "name", Code::DuplicateCondition, message, help);
                    found.relate(related, "first used here");
                }
                let guard = self.guard(at, frame, "require", &condition.require);
                conditions.guards.push(guard);
            }
        }
        conditions.starts.push(position(conditions.guards.len()));
        self.resolved.conditions = conditions;
    }

    /// `available` asks the conditions of every state that a transition leads to, and repeats them in its
    /// answer: without a limit, their number times that of the transitions.
    pub(super) fn conditions_within(&mut self, limit: usize) {
        let all = self.resolved.conditions.guards.len();
        // In a flat machine one state is active after a step, which the transition names.
        let most = self.conditions_at_once(ROOT);
        let asked_of = |entry: &Entry| match self.resolved.chart.is_flat() {
            true => {
                let target = self.resolved.chart.targets.of(entry.transition).first();
                self.resolved.conditions.of(*target.unwrap_or(&entry.state)).len()
            }
            false => most,
        };
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
        self.report(At::ROOT, "states", Code::LimitExceeded, message, help);
    }

    /// How many conditions are asked at most of states that are active at once, in a state and inside of it.
    fn conditions_at_once(&self, of: u32) -> usize {
        let chart = &self.resolved.chart;
        let inside = chart.children(of).map(|child| self.conditions_at_once(child));
        let (own, shape) = match of {
            ROOT => (0, Shape::Compound),
            of => (self.resolved.conditions.of(of).len(), chart.shape(of)),
        };
        own.saturating_add(match shape {
            Shape::Parallel => inside.fold(0, usize::saturating_add),
            _ => inside.max().unwrap_or(0),
        })
    }
}
