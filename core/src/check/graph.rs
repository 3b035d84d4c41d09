//! Reachability: what no one can enter, and what no one can leave.

use alloc::{format, vec, vec::Vec};

use super::{At, Check};
use crate::{
    definition::Kind,
    diagnostic::Code,
    table::{Entry, Neighbours},
};

impl Check<'_> {
    /// Guards are taken as open: a state that only a false guard keeps out is reachable.
    pub(super) fn graph(&mut self) {
        let count = self.definition.states.len();
        let entries = self.resolved.table.entries().iter();
        let arcs: Vec<(u32, u32)> =
            entries.filter_map(|entry| Some((entry.state, self.leads_to(entry)?))).collect();
        self.unreachable(&Neighbours::new(count, arcs.iter().copied()));
        self.terminals(&arcs);
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

    fn leads_to(&self, edge: &Entry) -> Option<u32> {
        self.resolved.target_of[edge.transition as usize]
    }

    fn unreachable(&mut self, forward: &Neighbours) {
        if self.resolved.initial == u32::MAX {
            return;
        }
        let reached = forward.reach([self.resolved.initial]);
        for (id, state) in self.states() {
            if !reached[id as usize] && self.first_of_name[id as usize] == id {
                let message = format!("no sequence of actions leads to `{}`", state.name);
                let help = "add a transition to it, or drop it";
                self.report(At::State(id), "", Code::UnreachableState, message, help);
            }
        }
    }

    fn terminals(&mut self, arcs: &[(u32, u32)]) {
        let terminal: Vec<u32> =
            self.states().filter(|(_, state)| state.is_terminal).map(|(id, _)| id).collect();
        if terminal.is_empty() && !self.definition.states.is_empty() {
            let help = "mark the states in which the object's life ends with `is_terminal`, or allow it: `\"allow\": [\"no-terminal-state\"]`";
            self.report(
                At::Root,
                "states",
                Code::NoTerminalState,
                "no state is terminal".into(),
                help,
            );
        }
        let count = self.definition.states.len();
        let mut leaves = vec![false; count];
        for &(from, to) in arcs {
            leaves[from as usize] |= from != to;
        }
        for index in 0..self.resolved.edges.len() {
            let edge = self.resolved.edges[index];
            let state = self.state(edge.state);
            if state.is_terminal {
                let name = &self.transition(edge.transition).name;
                let message = format!("`{name}` leads out of `{}`, which is terminal", state.name);
                let help = "drop it, or let the state not be terminal; to try again from an end, create a new object";
                let found = self.report(
                    At::Transition(edge.transition),
                    "from_state",
                    Code::TerminalWithExit,
                    message,
                    help,
                );
                found.relate(At::State(edge.state).pointer("is_terminal"), "terminal here");
            }
        }
        let has_terminal = !terminal.is_empty();
        let backward = Neighbours::new(count, arcs.iter().map(|&(from, to)| (to, from)));
        let ends = backward.reach(terminal);
        for (id, state) in self.states() {
            if state.is_terminal || self.first_of_name[id as usize] != id {
                continue;
            }
            if !leaves[id as usize] {
                let message =
                    format!("nothing leads out of `{}`, and it is not terminal", state.name);
                self.report(
                    At::State(id),
                    "",
                    Code::NoExit,
                    message,
                    "add a transition from it, or mark it with `is_terminal`",
                );
            } else if has_terminal && !ends[id as usize] {
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
