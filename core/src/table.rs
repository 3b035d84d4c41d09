//! Index tables: what leads out of a state, in arrays of integers.

use alloc::{vec, vec::Vec};

/// One way out of a state: a transition, asked for by an action.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Entry {
    pub(crate) state: u32,
    pub(crate) action: u32,
    pub(crate) transition: u32,
}

/// The ways out of every state, by state, then action, then document order.
#[derive(Debug, Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    starts: Vec<u32>,
    /// Where each state leads, in ascending order.
    targets: Neighbours,
    /// For each action the states that it is possible from, each once.
    sources: Neighbours,
}

impl Table {
    /// Builds the table from entries in document order. Linear: ordered by action first, then, keeping
    /// that order, by state.
    pub(crate) fn new(
        states: usize,
        actions: usize,
        edges: &[Entry],
        targets_of: &Neighbours,
    ) -> Self {
        let (_, by_action) = group(actions, edges.iter().map(|edge| edge.action));
        let mut last_action = vec![u32::MAX; states];
        // The edges of one action stand together, so the last one of a state tells whether it is new.
        let sources: Vec<(u32, u32)> = by_action
            .iter()
            .map(|&index| edges[index as usize])
            .filter(|edge| {
                core::mem::replace(&mut last_action[edge.state as usize], edge.action)
                    != edge.action
            })
            .map(|edge| (edge.action, edge.state))
            .collect();
        let edge = |index: &u32| edges[*index as usize];
        let (starts, order) = group(states, by_action.iter().map(|index| edge(index).state));
        let entries = order.iter().map(|&index| edge(&by_action[index as usize])).collect();
        let arcs: Vec<(u32, u32)> = edges
            .iter()
            .flat_map(|edge| targets_of.of(edge.transition).iter().map(|&to| (edge.state, to)))
            .collect();
        let (_, by_target) = group(states, arcs.iter().map(|arc| arc.1));
        let targets = Neighbours::new(states, by_target.iter().map(|&index| arcs[index as usize]));
        let sources = Neighbours::new(actions, sources.iter().copied());
        Self { entries, starts, targets, sources }
    }

    /// All ways out of all states.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The ways out of `state`, by action (in the order in which the document first names them), then
    /// in document order.
    #[inline]
    pub(crate) fn of(&self, state: u32) -> &[Entry] {
        let state = state as usize;
        &self.entries[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// The transitions of `state` for `action`, in document order.
    #[inline]
    pub(crate) fn candidates(&self, state: u32, action: u32) -> &[Entry] {
        let all = self.of(state);
        let start = all.partition_point(|entry| entry.action < action);
        let length = all[start..].partition_point(|entry| entry.action == action);
        &all[start..start + length]
    }

    /// The states that `action` is possible from, each once, in document order of the transitions.
    pub(crate) fn sources(&self, action: u32) -> &[u32] {
        self.sources.of(action)
    }

    /// Whether a transition leads from `from` to `to`.
    pub(crate) fn leads(&self, from: u32, to: u32) -> bool {
        self.targets.of(from).binary_search(&to).is_ok()
    }
}

/// Which states stand next to which, along arcs; the neighbours of one in the order of the arcs.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Neighbours {
    pub(crate) fn new(states: usize, arcs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let (starts, order) = group(states, arcs.clone().map(|(from, _)| from));
        let to: Vec<u32> = arcs.map(|(_, to)| to).collect();
        Self { starts, ends: order.iter().map(|&index| to[index as usize]).collect() }
    }

    #[inline]
    pub(crate) fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.ends[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// For each state whether an arc after an arc leads to it from one of `roots`.
    pub(crate) fn reach(&self, roots: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut reached = vec![false; self.starts.len() - 1];
        let mut open: Vec<u32> = roots.into_iter().collect();
        for root in &open {
            reached[*root as usize] = true;
        }
        while let Some(state) = open.pop() {
            for &next in self.of(state) {
                if !core::mem::replace(&mut reached[next as usize], true) {
                    open.push(next);
                }
            }
        }
        reached
    }
}

/// Groups items by key, stably: where each group starts (and the last ends), and the items in order.
pub(crate) fn group(
    keys: usize,
    key_of: impl Iterator<Item = u32> + Clone,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; keys + 1];
    for key in key_of.clone() {
        starts[key as usize + 1] += 1;
    }
    for key in 0..keys {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let mut order = vec![0_u32; starts[keys] as usize];
    for (index, key) in (0_u32..).zip(key_of) {
        order[next[key as usize] as usize] = index;
        next[key as usize] += 1;
    }
    (starts, order)
}

/// A position as an id. Positions are bounded by the limits on a definition.
pub(crate) fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
