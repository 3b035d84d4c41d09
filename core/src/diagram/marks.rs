//! What stands out, by state and by transition.

use alloc::{collections::BTreeSet, string::String, vec, vec::Vec};

use super::Highlight;
use crate::machine::Machine;

/// How a state stands out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    None,
    Visited,
    Active,
}

/// How a transition stands out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Sign {
    None,
    Available,
    Blocked,
}

/// What stands out, to be looked up.
pub(super) struct Marks<'h> {
    states: Vec<Mark>,
    available: BTreeSet<&'h str>,
    blocked: BTreeSet<&'h str>,
}

impl<'h> Marks<'h> {
    pub(super) fn new(machine: &Machine, highlight: &'h Highlight) -> Self {
        let mut states = vec![Mark::None; machine.states().len()];
        for (mark, paths) in
            [(Mark::Active, &highlight.active), (Mark::Visited, &highlight.visited)]
        {
            for id in outward(machine, paths) {
                let known = &mut states[id as usize];
                if *known == Mark::None {
                    *known = mark;
                }
            }
        }
        let set = |names: &'h [String]| {
            let mut set = BTreeSet::new();
            for name in names {
                set.insert(name.as_str());
            }
            set
        };
        Self { states, available: set(&highlight.available), blocked: set(&highlight.blocked) }
    }

    pub(super) fn state(&self, state: u32) -> Mark {
        self.states[state as usize]
    }

    pub(super) fn transition(&self, machine: &Machine, transition: u32) -> Sign {
        if self.available.is_empty() && self.blocked.is_empty() {
            return Sign::None;
        }
        let name = machine.transition(transition).name.as_str();
        let pointer = machine.shared.resolved.chart.transition_pointer(transition);
        let is_in = |set: &BTreeSet<&str>| set.contains(name) || set.contains(pointer.as_str());
        match (is_in(&self.available), is_in(&self.blocked)) {
            (true, _) => Sign::Available,
            (false, true) => Sign::Blocked,
            (false, false) => Sign::None,
        }
    }
}

/// The states with these paths and those around them, each once: where an inner state is active, so are the
/// outer ones.
pub(super) fn outward(machine: &Machine, paths: &[String]) -> Vec<u32> {
    let chart = &machine.shared.resolved.chart;
    let mut is_known = vec![false; machine.states().len()];
    let mut all = Vec::new();
    for id in paths.iter().filter_map(|path| machine.state_id(path)) {
        for id in chart.outward(id.0) {
            if core::mem::replace(&mut is_known[id as usize], true) {
                break;
            }
            all.push(id);
        }
    }
    all
}
