//! Completion: states that can never be complete, and those whose completion nothing follows.

use alloc::{format, vec, vec::Vec};

use super::{At, Check};
use crate::{
    chart::{ROOT, Shape},
    diagnostic::Code,
};

impl Check<'_> {
    /// Source: DESIGN §2, §5.6.
    pub(super) fn completions(&mut self, reached: &[bool]) {
        if self.resolved.chart.is_flat() && self.resolved.rests {
            return;
        }
        let can_end = self.can_end(reached);
        self.joins(reached, &can_end);
        let mut is_followed = vec![false; self.parts.states.len()];
        for index in 0..self.resolved.edges.len() {
            let edge = self.resolved.edges[index];
            if edge.action != self.resolved.completion {
                continue;
            }
            is_followed[edge.state as usize] |=
                self.resolved.guard_of[edge.transition as usize].is_none();
            if can_end[edge.state as usize] {
                continue;
            }
            let message = format!(
                "`{}` waits for `{}` to be complete, which never happens",
                self.transition(edge.transition).name,
                self.path(edge.state)
            );
            let help = match self.resolved.chart.shape(edge.state) {
                Shape::Atomic => {
                    "a state is complete when the machine inside has ended; this one has none"
                }
                _ => "mark the states in which what is inside ends with `is_terminal`",
            };
            let at = At::Transition(edge.transition);
            self.report(at, "trigger", Code::CompletionNeverFires, message, help);
        }
        for (id, state) in self.states() {
            if !can_end[id as usize]
                || is_followed[id as usize]
                || self.resolved.chart.is_region(id)
            {
                continue;
            }
            let message = format!("nothing follows for sure when `{}` is complete", state.name);
            let help = "add a transition from it with `\"trigger\": \"completion\"` and without a guard, behind those with one";
            self.report(At::State(id), "", Code::UnhandledCompletion, message, help);
        }
    }

    /// For each state whether what is inside can end.
    fn can_end(&self, reached: &[bool]) -> Vec<bool> {
        let chart = &self.resolved.chart;
        let mut can_end = vec![false; self.parts.states.len()];
        for id in (0..chart.count()).rev() {
            can_end[id as usize] = match chart.shape(id) {
                Shape::Compound => chart.children(id).any(|child| {
                    let is_state = !matches!(chart.shape(child), Shape::History(_));
                    is_state && chart.node(child).is_terminal && reached[child as usize]
                }),
                Shape::Parallel => {
                    let mut required = chart
                        .regions(id)
                        .filter(|&region| chart.node(region).is_required)
                        .peekable();
                    let ends = |region: u32| can_end[region as usize];
                    required.peek().is_some()
                        && match chart.node(id).joins_any {
                            true => required.any(ends),
                            false => required.all(ends),
                        }
                }
                Shape::Atomic | Shape::History(_) => false,
            };
        }
        can_end
    }

    /// Regions that can never join.
    fn joins(&mut self, reached: &[bool], can_end: &[bool]) {
        for (id, state) in self.states() {
            if self.resolved.chart.shape(id) != Shape::Parallel || !reached[id as usize] {
                continue;
            }
            let chart = &self.resolved.chart;
            let required: Vec<u32> =
                chart.regions(id).filter(|&region| chart.node(region).is_required).collect();
            let joins_any = chart.node(id).joins_any;
            if required.is_empty() {
                let message =
                    format!("no region of `{}` is required, so it is never complete", state.name);
                let help = "let at least one region be required";
                self.report(At::State(id), "regions", Code::NoRequiredRegion, message, help);
                continue;
            }
            let never: Vec<u32> =
                required.iter().copied().filter(|&region| !can_end[region as usize]).collect();
            if joins_any && never.len() < required.len() {
                continue;
            }
            for region in never {
                let message = format!(
                    "the region `{}` can never end, so `{}` can never join",
                    self.state(region).name,
                    state.name
                );
                let help = "mark its last states with `is_terminal`, let it not be `required`, or allow it: `\"allow\": [\"region-never-joins\"]`";
                self.report(At::State(region), "", Code::RegionNeverJoins, message, help);
            }
        }
    }

    /// Automatic transitions that follow each other for ever.
    pub(super) fn automatic_cycles(&mut self) {
        if self.resolved.rests || self.has_errors() {
            return;
        }
        for transition in self.endless_transitions() {
            let state = self.resolved.edges.iter().find(|edge| edge.transition == transition);
            let state = state.map_or(ROOT, |edge| edge.state);
            let from = if state == ROOT { "the machine" } else { self.path(state) };
            let message = format!(
                "`{}` begins a circle of automatic transitions without guards: a step that comes to `{from}` never ends",
                self.transition(transition).name
            );
            let help = "give one of them a guard that becomes false, or let an action set it off";
            let at = At::Transition(transition);
            self.report(at, "trigger", Code::AutomaticCycle, message, help);
        }
    }
}
