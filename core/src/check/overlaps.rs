//! Guards that can never be true, and guards whose order decides. A finding is proved; what cannot be
//! decided is not reported.

use alloc::{format, string::String, vec, vec::Vec};

use super::{At, Check};
use crate::{
    diagnostic::{Code, Severity},
    guard::{ActiveStates, Kind, Solver},
};

impl Check<'_> {
    /// `order` is that of [`Check::guard_names`]. Its cost is bounded by the number of guards and edges.
    pub(super) fn decidable_guards(&mut self, order: &[u32]) {
        let guards = &self.resolved.guards;
        let errors = |found: &super::Found| found.diagnostic.severity == Severity::Error;
        if !guards.iter().any(|guard| matches!(guard.kind, Kind::Expression(_)))
            || self.findings.iter().any(errors)
        {
            return;
        }
        let guards = core::mem::take(&mut self.resolved.guards);
        let hosts = self.resolved.host_guards.len();
        let mut solver = Solver::new(&guards, hosts, self.limits.evaluation_steps);
        self.never_true(&mut solver, order);
        self.overlaps(&mut solver);
        self.resolved.guards = guards;
    }

    /// Each guard once, at the place where it is written.
    fn never_true(&mut self, solver: &mut Solver<'_>, order: &[u32]) {
        let mut causes: Vec<Option<String>> = order.iter().map(|_| None).collect();
        for &id in order {
            causes[id as usize] = solver.never_true(id);
        }
        for (id, cause) in (0_u32..).zip(causes) {
            let Some(cause) = cause else { continue };
            let message = format!("this can never be true: {cause}");
            let help = "mend the comparison, or drop it with what asks it";
            self.report_guard(id, Code::GuardNeverTrue, message, help);
        }
    }

    /// Each pair of transitions once, in the first state that has both.
    fn overlaps(&mut self, solver: &mut Solver<'_>) {
        let mut last = vec![u32::MAX; self.parts.transitions.len()];
        let mut earlier: Vec<(u32, u32)> = Vec::new();
        'edges: for index in 0..self.resolved.edges.len() {
            let edge = self.resolved.edges[index];
            let Some(later) = self.resolved.guard_of[edge.transition as usize] else { continue };
            earlier.clear();
            for entry in self.resolved.table.candidates(edge.state, edge.action) {
                if !solver.goes_on() {
                    return;
                }
                if entry.transition == edge.transition {
                    break;
                }
                match self.resolved.guard_of[entry.transition as usize] {
                    Some(guard) => earlier.push((entry.transition, guard)),
                    // Behind one without a guard nothing is tried.
                    None => continue 'edges,
                }
            }
            // The states that are active for sure: what else is, no example can say.
            let mut ids: Vec<u32> = self.resolved.chart.outward(edge.state).collect();
            ids.reverse();
            for &(transition, guard) in &earlier {
                let before = core::mem::replace(&mut last[transition as usize], edge.transition);
                if before == edge.transition {
                    continue;
                }
                let active = ActiveStates { ids: &ids, paths: &self.resolved.paths };
                if let Some(example) = solver.overlap(guard, later, active) {
                    self.report_overlap(transition, edge.transition, &example.text);
                }
            }
        }
    }

    fn report_overlap(&mut self, first: u32, later: u32, example: &str) {
        let (earlier, transition) = (self.transition(first), self.transition(later));
        let on = match example.is_empty() {
            true => String::new(),
            false => format!(", as with {example}"),
        };
        let message = format!(
            "the guards of `{}` and `{}` can both be true{on}: the first decides",
            earlier.name, transition.name
        );
        let help = "let one exclude the other, so that their order does not matter";
        let at = At::Transition(later);
        let related = self.pointer(At::Transition(first), "guard");
        let found = self.report(at, "guard", Code::GuardOverlap, message, help);
        found.relate(related, "this one is taken");
    }
}
