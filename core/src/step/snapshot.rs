//! What is stored of one object, and whether it belongs to a machine.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::HistoryRecord;
use crate::{
    json::{object, objects},
    machine::Machine,
    name::did_you_mean,
    time::Time,
};

/// What a server has stored of one object. Plain data; a store keeps it as JSON and hands it back.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Which object.
    pub object_id: String,
    /// Paths of the active leaves, in document order; in a flat machine one.
    pub states: Vec<String>,
    /// Counts the steps of the object, from 1: for optimistic locking.
    pub version: u64,
    /// When each active state was entered.
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
    /// What history states remember: none in a flat machine.
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
    #[error("the snapshot has {count} active states, an object is in exactly one")]
    Configuration {
        /// How many states it has.
        count: usize,
    },
    /// `entered_at` does not give a time for exactly the active states.
    #[error("`entered_at` must hold the entry of `{state}` and of no other state")]
    EnteredAt {
        /// The active state.
        state: String,
    },
    /// It remembers something for a history state that this machine has not.
    #[error("`memory` holds `{state}`, which is no history state of this definition")]
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

impl Machine {
    /// The active state of a snapshot from outside, and when it was entered.
    pub(crate) fn locate(&self, snapshot: &Snapshot) -> Result<(u32, Time), ForeignSnapshot> {
        let expected = self.definition().version;
        if snapshot.definition_version != expected {
            return Err(ForeignSnapshot::Version { expected, found: snapshot.definition_version });
        }
        if snapshot.version == 0 || snapshot.version > LAST_VERSION {
            return Err(ForeignSnapshot::Count { version: snapshot.version });
        }
        let [path] = snapshot.states.as_slice() else {
            return Err(ForeignSnapshot::Configuration { count: snapshot.states.len() });
        };
        let Some(state) = self.state_id(path) else {
            let hint = did_you_mean(path, self.states().iter().map(String::as_str));
            return Err(ForeignSnapshot::UnknownState { state: path.clone(), hint });
        };
        if let Some(state) = snapshot.memory.keys().next() {
            return Err(ForeignSnapshot::Memory { state: state.clone() });
        }
        if snapshot.object_id.is_empty() {
            return Err(ForeignSnapshot::ObjectId);
        }
        if let Some(request) = snapshot.foreign_request() {
            return Err(ForeignSnapshot::Request { request_id: request.request_id.clone() });
        }
        match snapshot.entered_at.get(path) {
            Some(&since) if snapshot.entered_at.len() == 1 => Ok((state.0, since)),
            _ => Err(ForeignSnapshot::EnteredAt { state: path.clone() }),
        }
    }
}
