//! What is stored of one object, and whether it belongs to a machine.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::HistoryRecord;
use crate::{
    json::{object, objects},
    time::Time,
};

/// What a server has stored of one object. Plain data; a store keeps it as JSON and hands it back.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Which object.
    pub object_id: String,
    /// Paths of the active leaves, in document order; in a flat machine one. (A state is a leaf if no state is
    /// inside it.)
    pub states: Vec<String>,
    /// Counts the steps of the object, from 1: for optimistic locking.
    pub version: u64,
    /// When each active state was entered, inner and outer ones.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
    pub entered_at: BTreeMap<String, Time>,
    /// When the last step was taken; an action before that is refused. Default: the latest entry.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub updated_at: Option<Time>,
    /// The object's own data.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub object: Value,
    /// What history states remember, by path: the paths that they lead to.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string[]>"))]
    pub memory: BTreeMap<String, Vec<String>>,
    /// The last 64 requests that were applied, the latest last.
    #[serde(default, deserialize_with = "objects")]
    pub requests: Vec<AppliedRequest>,
    /// Version of the definition that the object lives by.
    pub definition_version: u64,
}

/// A request that was applied.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AppliedRequest {
    /// The id that the caller gave it.
    pub request_id: String,
    /// The action that it asked for; null for the creation.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// What was done.
    #[serde(deserialize_with = "object")]
    pub record: HistoryRecord,
}

impl Snapshot {
    /// How many requests are remembered.
    pub const REQUESTS: usize = 64;

    /// A remembered request that cannot be one of this object: of another object, of a later version, out
    /// of order, named otherwise in its record, or one too many.
    fn foreign_request(&self) -> Option<&AppliedRequest> {
        let mut last = 0;
        let mut belongs = |applied: &AppliedRequest| {
            let record = &applied.record;
            let in_order = record.sequence > core::mem::replace(&mut last, record.sequence);
            in_order
                && record.sequence <= self.version
                && record.object_id == self.object_id
                && record.action == applied.action
                && record.request_id.as_ref() == Some(&applied.request_id)
        };
        let foreign = self.requests.iter().find(|applied| !belongs(applied));
        foreign.or_else(|| self.requests.get(Self::REQUESTS))
    }

    /// Whether it was made by this version of a definition, and its own version can be counted on.
    pub(super) fn is_countable(&self, expected: u64) -> Result<(), ForeignSnapshot> {
        if self.definition_version != expected {
            return Err(ForeignSnapshot::Version { expected, found: self.definition_version });
        }
        if self.version == 0 || self.version > LAST_VERSION {
            return Err(ForeignSnapshot::Count { version: self.version });
        }
        Ok(())
    }

    /// Whether it has a name, and remembers requests of its own.
    pub(super) fn belongs_to_itself(&self) -> Result<(), ForeignSnapshot> {
        if self.object_id.is_empty() {
            return Err(ForeignSnapshot::ObjectId);
        }
        match self.foreign_request() {
            None => Ok(()),
            Some(request) => {
                Err(ForeignSnapshot::Request { request_id: request.request_id.clone() })
            }
        }
    }

    pub(crate) fn updated_at(&self) -> Option<Time> {
        self.updated_at.max(self.entered_at.values().max().copied())
    }
}

/// A snapshot that does not belong to this machine. `adopt` moves one from another version.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignSnapshot {
    /// It was made by another version of the definition.
    #[error(
        "the snapshot was made by version {found} of the definition, this is version {expected}; `adopt` moves it"
    )]
    Version {
        /// The version of this machine's definition.
        expected: u64,
        /// The version in the snapshot.
        found: u64,
    },
    /// It is in a state that this machine has not.
    #[error("the snapshot is in `{state}`, which is no state of this definition{hint}")]
    UnknownState {
        /// The path in the snapshot.
        state: String,
        /// The end of the sentence: what was probably meant.
        hint: String,
    },
    /// Its states cannot be active together.
    #[error(
        "the snapshot's states ({count}) are no configuration of this machine: it needs exactly one state of each machine that is active, all regions, and only the innermost are listed"
    )]
    Configuration {
        /// How many states it has.
        count: usize,
    },
    /// `entered_at` does not give a time for exactly the active states, inner and outer ones.
    #[error(
        "`entered_at` must hold the entry of each active state, as of `{state}`, and of no other state"
    )]
    EnteredAt {
        /// One of the active states.
        state: String,
    },
    /// It remembers something that no history state of this machine can remember.
    #[error(
        "`memory` holds `{state}`, which is no history state of this definition, or cannot remember that"
    )]
    Memory {
        /// The key in `memory`.
        state: String,
    },
    /// The object has no name.
    #[error("the snapshot's `object_id` is empty; every object has a name")]
    ObjectId,
    /// A remembered request is not one of this object, or there are too many.
    #[error(
        "the remembered request `{request_id}` does not belong to this object, or is one of more than 64"
    )]
    Request {
        /// The id of the request.
        request_id: String,
    },
    /// Its version is zero or cannot be counted on.
    #[error("the snapshot's version is {version}; versions count from 1, and end before 2^53 − 1")]
    Count {
        /// The version in the snapshot.
        version: u64,
    },
}

impl ForeignSnapshot {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "foreign-snapshot"
    }
}

/// The highest version: JavaScript reads integers exactly up to 2^53 − 1.
const LAST_VERSION: u64 = (1 << 53) - 2;
