//! `adopt`: moving a snapshot to this version of the definition.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
};

use smallvec::SmallVec;

use super::{
    place::{Place, remember},
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{
    chart::{ROOT, Shape},
    machine::Machine,
    microstep::{Entering, Memory, Situation, States},
    name::did_you_mean,
    time::Time,
};

/// Why a snapshot cannot be moved to this version.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdoptError {
    /// A state has no counterpart.
    #[error("the state `{state}` is no state of this definition{hint}; map it to one")]
    UnmappedState {
        /// The state in the snapshot, or where the mapping sends it.
        state: String,
        /// The end of the sentence: what was probably meant.
        hint: String,
    },
    /// The snapshot is wrong in a way that no mapping mends.
    #[error(transparent)]
    ForeignSnapshot(#[from] ForeignSnapshot),
}

impl AdoptError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnmappedState { .. } => "unmapped-state",
            Self::ForeignSnapshot(error) => error.code(),
        }
    }
}

impl Machine {
    /// The same object under this version of the definition. `mapping` gives a new path for the states
    /// that have another one here; others keep theirs. Data, version, clocks and remembered requests stay.
    ///
    /// A leaf that has states inside here begins inside of itself, with the clock that it had; so do regions
    /// that are new. A state around leaves that is gone needs no counterpart; of several states that become one
    /// the clock that began first counts. What a history state remembers is mapped, too; what it cannot remember
    /// here is forgotten.
    ///
    /// # Errors
    ///
    /// A state has no counterpart, or the snapshot is wrong in itself.
    pub fn adopt(
        &self,
        snapshot: &Snapshot,
        mapping: &BTreeMap<String, String>,
    ) -> Result<Snapshot, AdoptError> {
        let chart = &self.shared.resolved.chart;
        let mapped = |path: &String| self.mapped(path, mapping);
        let mut adopted = snapshot.clone();
        adopted.definition_version = self.definition().version;
        adopted.is_countable(adopted.definition_version)?;
        let leaves = snapshot.states.iter().map(mapped).collect::<Result<States, _>>()?;
        let mut clocks = self.mapped_clocks(snapshot, mapping)?;
        let memory = Memory::new();
        let mut entering = Entering { chart, memory: &memory, states: States::new() };
        entering.targets(&leaves, ROOT);
        let active = entering.states;
        let is_history = |&id: &u32| matches!(chart.shape(id), Shape::History(_));
        if leaves.is_empty() || leaves.iter().any(is_history) || !chart.is_legal(ROOT, &active) {
            let count = snapshot.states.len();
            return Err(ForeignSnapshot::Configuration { count }.into());
        }
        clocks.retain(|id, _| active.binary_search(id).is_ok());
        // A state that is new here has the clock of the one around it, else of one inside, else of the last step.
        let mut since: SmallVec<[Time; 4]> = SmallVec::new();
        for &id in &active {
            let around = chart.outward(id).find_map(|id| clocks.get(&id));
            let inside = || clocks.iter().find(|(inside, _)| chart.is_inside(**inside, id));
            let known = around.copied().or_else(|| inside().map(|(_, at)| *at));
            let missing = || ForeignSnapshot::EnteredAt { state: self.path(id).clone() };
            since.push(known.or(snapshot.updated_at).ok_or_else(missing)?);
        }
        let memory = self.mapped_memory(snapshot, mapping);
        let place = Place { situation: Situation { active, memory }, since };
        self.write_place(&place, &mut adopted);
        self.locate(&adopted)?;
        Ok(adopted)
    }

    fn mapped(&self, path: &String, mapping: &BTreeMap<String, String>) -> Result<u32, AdoptError> {
        let path = mapping.get(path).unwrap_or(path);
        self.state_id(path).map(|id| id.0).ok_or_else(|| {
            let hint = did_you_mean(path, self.states().iter().map(String::as_str));
            AdoptError::UnmappedState { state: path.clone(), hint }
        })
    }

    /// The clocks of the states that have a counterpart here.
    fn mapped_clocks(
        &self,
        snapshot: &Snapshot,
        mapping: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<u32, Time>, AdoptError> {
        let entered_at = &snapshot.entered_at;
        let active: BTreeSet<&str> =
            snapshot.states.iter().flat_map(|leaf| outward(leaf)).collect();
        let differs = |path: &&str| active.contains(path) != entered_at.contains_key(*path);
        let entries = entered_at.keys().map(String::as_str);
        if let Some(state) = entries.chain(active.iter().copied()).find(differs) {
            return Err(ForeignSnapshot::EnteredAt { state: state.into() }.into());
        }
        let mut clocks = BTreeMap::new();
        for (path, &at) in entered_at {
            match self.mapped(path, mapping) {
                Ok(state) => {
                    let clock = clocks.entry(state).or_insert(at);
                    *clock = at.min(*clock);
                }
                Err(error) if mapping.contains_key(path) || snapshot.states.contains(path) => {
                    return Err(error);
                }
                // A state around leaves, which is gone.
                Err(_) => {}
            }
        }
        Ok(clocks)
    }

    fn mapped_memory(&self, snapshot: &Snapshot, mapping: &BTreeMap<String, String>) -> Memory {
        let chart = &self.shared.resolved.chart;
        let mut memory = Memory::new();
        for (path, states) in &snapshot.memory {
            let Ok(history) = self.mapped(path, mapping) else { continue };
            let states = states.iter().map(|path| self.mapped(path, mapping));
            let Ok(mut states) = states.collect::<Result<States, _>>() else { continue };
            states.sort_unstable();
            let is_history = matches!(chart.shape(history), Shape::History(_));
            if is_history && chart.can_remember(history, &states) {
                remember(&mut memory, history, states);
            }
        }
        memory
    }
}

/// A path and those of the states around it.
fn outward(path: &str) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    let dots = path.char_indices().filter(move |&(_, c)| {
        let was_escaped = is_escaped;
        is_escaped = c == '\\' && !was_escaped;
        c == '.' && !was_escaped
    });
    dots.map(|(at, _)| &path[..at]).chain([path])
}
