//! Which states and transitions of two machines are the same ones.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::fmt::Write;

use crate::{
    chart::ROOT,
    definition::Trigger,
    index::Index,
    machine::{Machine, Shared},
    table::{Entry, position},
};

/// For each state and transition of two machines its counterpart in the other.
#[derive(Debug)]
pub(super) struct Pairs {
    pub(super) states: [Vec<Option<u32>>; 2],
    pub(super) transitions: [Vec<Option<u32>>; 2],
}

impl Pairs {
    /// States are the same by their paths. Transitions are by their machine and name; of the others those that lead
    /// from the same states to the same states, set off by the same, are one that was renamed: first those
    /// with the same guard, then any, in document order.
    pub(super) fn new(older: &Machine, newer: &Machine) -> Self {
        let (old, new) = (&older.shared.resolved, &newer.shared.resolved);
        let mut pairs = Self {
            states: [vec![None; old.paths.len()], vec![None; new.paths.len()]],
            transitions: [vec![None; old.chart.transitions()], vec![None; new.chart.transitions()]],
        };
        for (id, path) in (0_u32..).zip(&old.paths) {
            let same = new.state(path);
            pairs.states[0][id as usize] = same;
            if let Some(same) = same {
                pairs.states[1][same as usize] = Some(id);
            }
        }
        for by in [By::Name, By::WaysAndGuard, By::Ways] {
            pairs.pair_transitions(older, newer, by);
        }
        pairs
    }

    /// The state of the newer machine that a state of the older one is, or [`ROOT`] for the machine itself.
    pub(super) fn newer_state(&self, id: u32) -> Option<u32> {
        if id == ROOT { Some(ROOT) } else { self.states[0][id as usize] }
    }

    /// The states of the newer machine that these of the older are, in order of ids; none where one is gone.
    pub(super) fn newer_states(&self, ids: impl IntoIterator<Item = u32>) -> Option<Vec<u32>> {
        let mut ids: Vec<u32> =
            ids.into_iter().map(|id| self.newer_state(id)).collect::<Option<_>>()?;
        ids.sort_unstable();
        Some(ids)
    }

    fn pair_transitions(&mut self, older: &Machine, newer: &Machine, by: By) {
        let same = |id: u32| Some(id);
        let new_keys: Vec<(u32, String)> =
            self.open(1).filter_map(|id| Some((id, key(newer, id, by, &same)?))).collect();
        if new_keys.is_empty() {
            return;
        }
        // Those with one key form a chain, the first of them in front.
        let mut index = Index::default();
        let mut heads = vec![None; new_keys.len()];
        let mut next = vec![None; new_keys.len()];
        let text = |at: u32| new_keys[at as usize].1.as_str();
        for at in (0..position(new_keys.len())).rev() {
            let slot = index.insert(at, &text).unwrap_or(at) as usize;
            next[at as usize] = heads[slot].replace(at);
        }
        let olds: Vec<u32> = self.open(0).collect();
        for id in olds {
            let Some(key) = key(older, id, by, &|id| self.newer_state(id)) else { continue };
            let Some(slot) = index.get(&key, &text) else { continue };
            let Some(at) = heads[slot as usize] else { continue };
            heads[slot as usize] = next[at as usize];
            let (partner, _) = new_keys[at as usize];
            self.transitions[0][id as usize] = Some(partner);
            self.transitions[1][partner as usize] = Some(id);
        }
    }

    /// The transitions of a side that have no counterpart yet.
    fn open(&self, side: usize) -> impl Iterator<Item = u32> {
        let all = (0_u32..).zip(&self.transitions[side]);
        all.filter(|(_, partner)| partner.is_none()).map(|(id, _)| id)
    }
}

/// What two transitions must share to be the same.
#[derive(Clone, Copy, Eq, PartialEq)]
enum By {
    Name,
    WaysAndGuard,
    Ways,
}

/// What a transition is compared by, with states as ids of the newer machine; none where one of them is gone. Names
/// hold no control characters, so that a line break divides them.
fn key(machine: &Machine, id: u32, by: By, newer: &dyn Fn(u32) -> Option<u32>) -> Option<String> {
    let Shared { resolved, .. } = &*machine.shared;
    let transition = machine.transition(id);
    let mut key = newer(resolved.chart.frame(id).owner)?.to_string();
    if by == By::Name {
        key.push('\n');
        key.push_str(&transition.name);
        return Some(key);
    }
    let sources = sources(machine, id).iter().map(|edge| edge.state).collect();
    for ids in [sources, resolved.chart.targets.of(id).to_vec()] {
        let mut ids: Vec<u32> = ids.into_iter().map(newer).collect::<Option<_>>()?;
        ids.sort_unstable();
        key.push('\n');
        for id in ids {
            write!(key, "{id},").ok()?;
        }
    }
    let trigger = match transition.trigger {
        Trigger::Action => format!("\n={}", transition.asked()),
        Trigger::Completion => "\ncompletion".into(),
        Trigger::Automatic => "\nautomatic".into(),
    };
    key.push_str(&trigger);
    if let Some(guard) = transition.guard.as_deref().filter(|_| by == By::WaysAndGuard) {
        key.push('\n');
        key.push_str(guard);
    }
    Some(key)
}

/// The ways out of states that are this transition, one for each state that it starts from.
pub(super) fn sources(machine: &Machine, transition: u32) -> &[Entry] {
    let edges = &machine.shared.resolved.edges;
    let start = edges.partition_point(|edge| edge.transition < transition);
    let length = edges[start..].partition_point(|edge| edge.transition == transition);
    &edges[start..start + length]
}

/// The positions in `of` of what is not in `others`, each text once. Linear.
pub(super) fn missing(of: &[&str], others: &[&str]) -> Vec<usize> {
    let mut known = Index::default();
    // Both lists are one list of names to the index: the others first.
    let text = |id: u32| {
        let id = id as usize;
        if id < others.len() { others[id] } else { of[id - others.len()] }
    };
    for id in 0..position(others.len()) {
        known.insert(id, &text);
    }
    let new = |at: &usize| known.insert(position(others.len() + at), &text).is_none();
    (0..of.len()).filter(new).collect()
}
