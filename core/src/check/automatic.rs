//! Automatic transitions that follow each other for ever. Each finding is a proof: what a guard or another
//! region could end is not reported.

use alloc::vec::Vec;

use super::Check;
use crate::{
    chart::{ROOT, Shape},
    diagnostic::Severity,
    microstep::{Entering, Log, Memory, Situation, States},
    table::Entry,
};

/// Circles that are longer than this are not looked for.
const LONGEST: usize = 64;

/// How many states are tried at most.
const TRIED: usize = 1_000;

impl Check<'_> {
    pub(super) fn has_errors(&self) -> bool {
        self.findings.iter().any(|found| found.diagnostic.severity == Severity::Error)
    }

    /// For each circle the transition that begins it, in document order.
    pub(super) fn endless_transitions(&self) -> Vec<u32> {
        let resolved = &self.resolved;
        let (mut begins, mut known) = (Vec::new(), Vec::new());
        let automatic = resolved.edges.iter().filter(|edge| edge.action == resolved.automatic);
        for edge in automatic.take(TRIED) {
            if known.contains(&edge.transition) {
                continue;
            }
            if let Some(circle) = self.circle(*edge)
                && !circle.iter().any(|transition| known.contains(transition))
            {
                begins.extend(circle.iter().min());
                known.extend(circle);
            }
        }
        begins.sort_unstable();
        begins
    }

    /// The transitions of a circle that is met for sure once the state of `edge` is entered.
    fn circle(&self, edge: Entry) -> Option<Vec<u32>> {
        let chart = &self.resolved.chart;
        // In other regions there may be anything.
        if chart.outward(edge.state).any(|id| chart.shape(id) == Shape::Parallel) {
            return None;
        }
        let memory = Memory::new();
        let mut entering = Entering { chart, memory: &memory, states: States::new() };
        entering.targets(&[edge.state], ROOT);
        let active = entering.states;
        let mut situation = Situation { active, memory };
        let mut seen: Vec<(States, u32)> = Vec::new();
        for _ in 0..LONGEST {
            if situation.active.iter().any(|&id| chart.shape(id) == Shape::Parallel) {
                return None;
            }
            let next = self.only_way(&situation.active)?;
            let here = situation.active.clone();
            if let Some(first) = seen.iter().position(|(active, _)| *active == here) {
                return Some(seen[first..].iter().map(|(_, transition)| *transition).collect());
            }
            seen.push((here, next.transition));
            chart.microstep(&mut situation, &[next], &mut Log::default());
        }
        None
    }

    /// The automatic transition that is surely taken next: the innermost, if it has no guard.
    fn only_way(&self, active: &[u32]) -> Option<Entry> {
        let chart = &self.resolved.chart;
        let leaf = chart.leaves(active).next()?;
        let of_state =
            |id: u32| self.resolved.table.candidates(id, self.resolved.automatic).first().copied();
        let first = chart.outward(leaf).find_map(of_state)?;
        self.resolved.guard_of[first.transition as usize].is_none().then_some(first)
    }
}
