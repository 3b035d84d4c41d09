//! What may be chosen in a situation when guards are open: the alternatives, in the order in which they are tried.

use alloc::{vec, vec::Vec};

use smallvec::SmallVec;

use crate::{
    guard::{self, ActiveStates},
    machine::Machine,
    microstep::Situation,
    step::Entries,
    table::Entry,
};

/// One alternative: these transitions are taken if these guards are true and no alternative before it is taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub(super) entries: Entries,
    /// Guards that are open, each once.
    pub(super) guards: SmallVec<[u32; 2]>,
}

impl Way {
    /// Whether it is taken for sure where none before it is.
    pub(super) fn is_sure(&self) -> bool {
        self.guards.is_empty()
    }
}

/// More alternatives than [`MOST`] in one situation.
#[derive(Debug)]
pub(super) struct TooMany;

/// So many alternatives may one action have in one situation.
pub(super) const MOST: usize = 512;

/// Choosing with open guards.
pub(super) struct Open<'m> {
    pub(super) machine: &'m Machine,
}

impl Open<'_> {
    /// What a guard says in a configuration, whatever the data are; none where they decide, or where it can say
    /// nothing at all, so that it refuses at run time: to leave it open loses nothing.
    fn known(&self, guard: u32, active: &[u32]) -> Option<bool> {
        let resolved = &self.machine.shared.resolved;
        let states = ActiveStates { ids: active, paths: &resolved.paths };
        let steps = self.machine.shared.limits.evaluation_steps;
        guard::known(&resolved.guards, guard, states, steps)
    }

    /// The transitions of one state that may be taken, in order, each with its guard if that is open; and
    /// whether one of them is taken for sure.
    fn of_state(
        &self,
        state: u32,
        trigger: u32,
        active: &[u32],
    ) -> (Vec<(Entry, Option<u32>)>, bool) {
        let mut ways = Vec::new();
        for &entry in self.machine.shared.resolved.table.candidates(state, trigger) {
            let guard = self.machine.shared.resolved.guard_of[entry.transition as usize];
            match guard.map(|guard| (guard, self.known(guard, active))) {
                Some((_, Some(false))) => {}
                Some((guard, None)) => ways.push((entry, Some(guard))),
                None | Some((_, Some(true))) => {
                    ways.push((entry, None));
                    return (ways, true);
                }
            }
        }
        (ways, false)
    }

    /// The alternatives of one state alone: of its completion.
    pub(super) fn of_completion(&self, state: u32, active: &[u32]) -> Vec<Way> {
        let completion = self.machine.shared.resolved.completion;
        let (ways, _) = self.of_state(state, completion, active);
        let way = |(entry, guard): (Entry, Option<u32>)| Way {
            entries: SmallVec::from_buf([entry]),
            guards: guard.into_iter().collect(),
        };
        ways.into_iter().map(way).collect()
    }

    /// The alternatives for a trigger: for each leaf one of its transitions or none, the first leaf's choice
    /// weighing most. That is the order of tries: an alternative is met when its guards are true and all before
    /// it are not.
    pub(super) fn ways(&self, situation: &Situation, trigger: u32) -> Result<Vec<Way>, TooMany> {
        let chart = &self.machine.shared.resolved.chart;
        self.ways_from(chart.leaves(&situation.active), situation, trigger)
    }

    /// The same, but asked only of some active states, each outward: of one, as a timeout does.
    pub(super) fn ways_from(
        &self,
        starts: impl Iterator<Item = u32>,
        situation: &Situation,
        trigger: u32,
    ) -> Result<Vec<Way>, TooMany> {
        let chart = &self.machine.shared.resolved.chart;
        let active = &situation.active;
        let mut all: Vec<Way> = vec![Way::default()];
        for leaf in starts {
            let mut of_leaf: Vec<(Entry, Option<u32>)> = Vec::new();
            let mut is_sure = false;
            for state in chart.outward(leaf) {
                let (ways, sure) = self.of_state(state, trigger, active);
                of_leaf.extend(ways);
                if sure {
                    is_sure = true;
                    break;
                }
            }
            if of_leaf.is_empty() {
                continue;
            }
            let mut next = Vec::new();
            for way in &all {
                let choices = of_leaf.iter().map(Some).chain((!is_sure).then_some(None));
                for choice in choices {
                    let mut way = way.clone();
                    if let Some(&(entry, guard)) = choice {
                        if !way.entries.contains(&entry) {
                            way.entries.push(entry);
                        }
                        if let Some(guard) = guard.filter(|guard| !way.guards.contains(guard)) {
                            way.guards.push(guard);
                        }
                    }
                    next.push(way);
                    if next.len() > MOST {
                        return Err(TooMany);
                    }
                }
            }
            all = next;
        }
        // The one in which no leaf has a transition is none.
        all.retain(|way| !way.entries.is_empty());
        // Behind one that is taken for sure nothing is tried.
        if let Some(sure) = all.iter().position(Way::is_sure) {
            all.truncate(sure + 1);
        }
        // Nor is one whose guards are all asked by one before it: that one is taken whenever it could be.
        let mut kept: Vec<Way> = Vec::new();
        for way in all {
            let hides = |before: &Way| before.guards.iter().all(|guard| way.guards.contains(guard));
            if !kept.iter().any(hides) {
                kept.push(way);
            }
        }
        let mut all = kept;
        for way in &mut all {
            chart.without_conflicts(&mut way.entries, &situation.memory);
        }
        Ok(all)
    }
}
