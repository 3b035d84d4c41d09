//! Reachability: what no one can enter, and what no one can leave.

use alloc::{format, vec, vec::Vec};

use super::{At, Check};
use crate::{
    chart::{Chart, ROOT, Shape},
    definition::Kind,
    diagnostic::Code,
    table::{Entry, Neighbours},
};

impl Check<'_> {
    /// Guards are taken as open: a state that only a false guard keeps out is reachable.
    pub(super) fn graph(&mut self) {
        let reached = self.resolved.chart.reached(&self.resolved.edges);
        self.unreachable(&reached);
        self.terminals();
        self.completions(&reached);
        self.automatic_cycles();
        for (id, state) in self.states() {
            if state.kind == Kind::Transitional && state.timeout.is_none() && !state.is_terminal {
                let message = format!(
                    "the system is at work in `{}`, but nothing says for how long at most",
                    state.name
                );
                self.report(At::State(id), "", Code::NoTimeout, message, "give it a `timeout`");
            }
        }
    }

    fn unreachable(&mut self, reached: &[bool]) {
        if self.resolved.chart.defaults(ROOT).is_empty() {
            return;
        }
        for (id, state) in self.states() {
            let parent = self.resolved.chart.parent(id);
            // What is inside a state that nobody enters is found with it.
            let is_new = parent == ROOT || reached[parent as usize];
            if !reached[id as usize] && is_new && self.first_of_name[id as usize] == id {
                let message = format!("no sequence of actions leads to `{}`", state.name);
                let help = "add a transition to it, or drop it";
                self.report(At::State(id), "", Code::UnreachableState, message, help);
            }
        }
    }

    fn terminals(&mut self) {
        let chart = &self.resolved.chart;
        let terminal: Vec<u32> =
            chart.children(ROOT).filter(|&id| chart.node(id).is_terminal).collect();
        if terminal.is_empty() && !self.definition.states.is_empty() {
            let help = "mark the states in which the object's life ends with `is_terminal`, or allow it: `\"allow\": [\"no-terminal-state\"]`";
            self.report(
                At::ROOT,
                "states",
                Code::NoTerminalState,
                "no state is terminal".into(),
                help,
            );
        }
        for index in 0..self.resolved.edges.len() {
            let edge = self.resolved.edges[index];
            let state = self.state(edge.state);
            if state.is_terminal {
                let name = &self.transition(edge.transition).name;
                let message = format!("`{name}` leads out of `{}`, which is terminal", state.name);
                let help = "drop it, or let the state not be terminal; to try again from an end, create a new object";
                let at = At::Transition(edge.transition);
                let related = self.pointer(At::State(edge.state), "is_terminal");
                let found = self.report(at, "from_state", Code::TerminalWithExit, message, help);
                found.relate(related, "terminal here");
            }
        }
        let has_terminal = !terminal.is_empty();
        let ends = self.resolved.chart.ends(&self.resolved.edges, terminal);
        let has_exit = self.resolved.chart.exits(&self.resolved.edges);
        for (id, state) in self.states() {
            let shape = self.resolved.chart.shape(id);
            let is_no_state = matches!(shape, Shape::History(_));
            if state.is_terminal || is_no_state || self.first_of_name[id as usize] != id {
                continue;
            }
            if shape == Shape::Atomic && !has_exit[id as usize] {
                let message =
                    format!("nothing leads out of `{}`, and it is not terminal", state.name);
                self.report(
                    At::State(id),
                    "",
                    Code::NoExit,
                    message,
                    "add a transition from it, or mark it with `is_terminal`",
                );
            } else if has_terminal && self.resolved.chart.parent(id) == ROOT && !ends[id as usize] {
                let message = format!(
                    "no sequence of actions leads from `{}` to a terminal state",
                    state.name
                );
                self.report(
                    At::State(id),
                    "",
                    Code::NoPathToTerminal,
                    message,
                    "add a way to an end, if its life has one",
                );
            }
        }
    }
}

impl Chart {
    /// For each state whether it may become active (of a history state: whether it is led to).
    ///
    /// A state is known twice: as one that is active, and as one that is entered without a word about what is
    /// inside of it, which then begins at its beginning.
    fn reached(&self, edges: &[Entry]) -> Vec<bool> {
        let count = self.count();
        let (active, entered) = (|id: u32| id, |id: u32| count + id);
        let mut arcs: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
        if self.is_flat() {
            arcs.extend(edges.iter().flat_map(|edge| {
                self.targets.of(edge.transition).iter().map(|&to| (edge.state, to))
            }));
            let reached = Neighbours::new(count as usize, arcs.iter().copied());
            return reached.reach(self.defaults(ROOT).iter().copied());
        }
        for id in 0..count {
            arcs.push((entered(id), active(id)));
            if self.parent(id) != ROOT {
                arcs.push((active(id), active(self.parent(id))));
            }
            arcs.extend(self.defaults(id).iter().map(|&to| (entered(id), entered(to))));
            // Where a machine begins in a state that there is not, one finding says it.
            if self.shape(id) == Shape::Compound && self.defaults(id).is_empty() {
                arcs.extend(self.children(id).map(|child| (entered(id), entered(child))));
            }
            if self.shape(id) == Shape::Parallel {
                arcs.extend(self.regions(id).map(|region| (active(id), entered(region))));
            }
        }
        arcs.extend(edges.iter().flat_map(|edge| {
            let targets = self.targets.of(edge.transition).iter();
            targets.map(|&to| (active(edge.state), entered(to)))
        }));
        let graph = Neighbours::new(2 * count as usize, arcs.iter().copied());
        let roots = self.defaults(ROOT).iter().map(|&id| entered(id));
        let mut reached = graph.reach(roots);
        reached.truncate(count as usize);
        reached
    }

    /// For each state whether the life of the object may end from there: everything inside a state is taken
    /// for active with it, so that only what surely never ends is missing.
    fn ends(&self, edges: &[Entry], terminal: Vec<u32>) -> Vec<bool> {
        let count = self.count();
        // Backwards: from where a way leads to where it begins.
        let mut arcs: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
        arcs.extend(
            edges.iter().flat_map(|edge| {
                self.targets.of(edge.transition).iter().map(|&to| (to, edge.state))
            }),
        );
        if !self.is_flat() {
            for id in 0..count {
                arcs.extend(self.defaults(id).iter().map(|&to| (to, id)));
                if self.parent(id) != ROOT {
                    arcs.extend([(id, self.parent(id)), (self.parent(id), id)]);
                }
            }
        }
        Neighbours::new(count as usize, arcs.iter().copied()).reach(terminal)
    }

    /// For each state whether a transition of its own, of one around it, or of a region beside it leads away.
    fn exits(&self, edges: &[Entry]) -> Vec<bool> {
        let count = self.count() as usize;
        // Of each state whether a transition of its own leads elsewhere, and whether one inside leads out of it.
        let (mut moves, mut is_left) = (vec![false; count], vec![false; count]);
        for edge in edges {
            for &to in self.targets.of(edge.transition) {
                moves[edge.state as usize] |= to != edge.state;
                if !self.is_flat() {
                    for id in self.outward(edge.state).take_while(|&id| !self.is_within(to, id)) {
                        is_left[id as usize] = true;
                    }
                }
            }
        }
        for id in 0..self.count() {
            let parent = self.parent(id);
            if parent != ROOT {
                let is_left_with =
                    self.shape(parent) == Shape::Parallel && is_left[parent as usize];
                moves[id as usize] |= moves[parent as usize] || is_left_with;
            }
        }
        moves
    }
}
