//! `adopt`: moving a snapshot to this version of the definition.

use alloc::{collections::BTreeMap, string::String};

use super::snapshot::{ForeignSnapshot, Snapshot};
use crate::{machine::Machine, name::did_you_mean};

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
    /// # Errors
    ///
    /// A state has no counterpart, or the snapshot is wrong in itself.
    pub fn adopt(
        &self,
        snapshot: &Snapshot,
        mapping: &BTreeMap<String, String>,
    ) -> Result<Snapshot, AdoptError> {
        let map = |path: &String| {
            let path = mapping.get(path).unwrap_or(path);
            match self.state_id(path) {
                Some(id) => Ok(self.path(id.0).clone()),
                None => {
                    let hint = did_you_mean(path, self.states().iter().map(String::as_str));
                    Err(AdoptError::UnmappedState { state: path.clone(), hint })
                }
            }
        };
        let mut adopted = snapshot.clone();
        adopted.definition_version = self.definition().version;
        for state in &mut adopted.states {
            *state = map(state)?;
        }
        adopted.entered_at = BTreeMap::new();
        for (state, &since) in &snapshot.entered_at {
            adopted.entered_at.insert(map(state)?, since);
        }
        if adopted.entered_at.len() != snapshot.entered_at.len() {
            let state = adopted.states.first().cloned().unwrap_or_default();
            return Err(ForeignSnapshot::EnteredAt { state }.into());
        }
        self.locate(&adopted)?;
        Ok(adopted)
    }
}
