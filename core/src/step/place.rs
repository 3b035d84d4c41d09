//! Where an object is, in integers.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use smallvec::SmallVec;

use super::{
    course::Course,
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{
    chart::{ROOT, Shape},
    machine::Machine,
    microstep::{Memory, Situation, States},
    name::did_you_mean,
    time::Time,
};

/// The active states, what history states remember, and when each active state was entered.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) situation: Situation,
    /// For each active state when it was entered.
    pub(crate) since: SmallVec<[Time; 4]>,
}

impl Place {
    /// Where the object is after a step at a time. What was not entered keeps its clock.
    pub(crate) fn after(&self, course: &Course, at: Time) -> Self {
        let mut is_entered: States = course.entered().collect();
        if is_entered.len() > 1 {
            is_entered.sort_unstable();
        }
        let since = |id: &u32| match self.situation.active.binary_search(id) {
            Ok(before) if is_entered.binary_search(id).is_err() => self.since[before],
            _ => at,
        };
        Self { since: course.to.active.iter().map(since).collect(), situation: course.to.clone() }
    }
}

/// Where nothing is: before the creation.
impl Default for Place {
    fn default() -> Self {
        Self { situation: Situation::default(), since: SmallVec::new() }
    }
}

impl Machine {
    /// Where the object of a snapshot from outside is.
    pub(crate) fn locate(&self, snapshot: &Snapshot) -> Result<Place, ForeignSnapshot> {
        snapshot.is_countable(self.definition().version)?;
        let active = self.active(&snapshot.states)?;
        let memory = self.memory(&snapshot.memory)?;
        snapshot.belongs_to_itself()?;
        let mut since = SmallVec::new();
        for &id in &active {
            let path = self.path(id);
            let entered = snapshot.entered_at.get(path);
            let entered = entered.filter(|_| snapshot.entered_at.len() == active.len());
            since.push(*entered.ok_or_else(|| ForeignSnapshot::EnteredAt { state: path.clone() })?);
        }
        Ok(Place { situation: Situation { active, memory }, since })
    }

    /// All active states, of the paths of the innermost ones.
    fn active(&self, paths: &[String]) -> Result<States, ForeignSnapshot> {
        let mut leaves = States::new();
        for path in paths {
            leaves.push(self.known_state(path)?);
        }
        self.configuration(leaves).ok_or(ForeignSnapshot::Configuration { count: paths.len() })
    }

    /// All active states, of the innermost ones in any order; none where they cannot be active together, or one is
    /// no state of this machine.
    pub(crate) fn configuration(&self, mut leaves: States) -> Option<States> {
        let chart = &self.shared.resolved.chart;
        if leaves.iter().any(|&id| id >= chart.count()) {
            return None;
        }
        if chart.is_flat() && leaves.len() == 1 {
            return Some(leaves);
        }
        leaves.sort_unstable();
        let is_leaf = |&id: &u32| chart.shape(id) == Shape::Atomic;
        let is_once = leaves.is_sorted_by(|a, b| a < b);
        let active = chart.with_outer(ROOT, &leaves);
        (is_once && leaves.iter().all(is_leaf) && chart.is_legal(ROOT, &active)).then_some(active)
    }

    fn known_state(&self, path: &str) -> Result<u32, ForeignSnapshot> {
        self.state_id(path).map(|id| id.0).ok_or_else(|| {
            let hint = did_you_mean(path, self.states().iter().map(String::as_str));
            ForeignSnapshot::UnknownState { state: path.into(), hint }
        })
    }

    fn memory(&self, written: &BTreeMap<String, Vec<String>>) -> Result<Memory, ForeignSnapshot> {
        let chart = &self.shared.resolved.chart;
        let mut memory = Memory::with_capacity(written.len());
        for (path, states) in written {
            let foreign = || ForeignSnapshot::Memory { state: path.clone() };
            let history = self.state_id(path).ok_or_else(foreign)?.0;
            let ids = states.iter().map(|path| self.state_id(path).map(|id| id.0));
            let mut ids: States = ids.collect::<Option<_>>().ok_or_else(foreign)?;
            ids.sort_unstable();
            let is_history = matches!(chart.shape(history), Shape::History(_));
            if !is_history || !chart.can_remember(history, &ids) {
                return Err(foreign());
            }
            remember(&mut memory, history, ids);
        }
        Ok(memory)
    }

    /// The paths of the innermost active states.
    pub(crate) fn leaf_paths(&self, active: &[u32]) -> Vec<String> {
        if let [only] = active {
            return vec![self.path(*only).clone()];
        }
        self.shared.resolved.chart.leaves(active).map(|id| self.path(id).clone()).collect()
    }

    /// Writes where an object is into its snapshot.
    pub(crate) fn write_place(&self, place: &Place, snapshot: &mut Snapshot) {
        let Situation { active, memory } = &place.situation;
        snapshot.states = self.leaf_paths(active);
        // One by one: to collect into a map sorts first, with a copy of the sorting for each type.
        snapshot.entered_at.clear();
        for (&id, &at) in active.iter().zip(&place.since) {
            snapshot.entered_at.insert(self.path(id).clone(), at);
        }
        snapshot.memory.clear();
        for (id, ids) in memory {
            let paths = ids.iter().map(|&id| self.path(id).clone()).collect();
            snapshot.memory.insert(self.path(*id).clone(), paths);
        }
    }
}

/// Notes what a history state remembers, in order of ids. False where it remembers something already.
pub(super) fn remember(memory: &mut Memory, history: u32, states: States) -> bool {
    let at = memory.binary_search_by_key(&history, |(id, _)| *id);
    if let Err(at) = at {
        memory.insert(at, (history, states));
    }
    at.is_err()
}
