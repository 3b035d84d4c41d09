//! What a definition says and XState does not read: it travels in `meta.veristate`, so that an export that
//! comes back is the definition that it was.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    json::{Json, to_map},
    refusals::{Place, Refusals},
};
use crate::{
    definition::{EntryCondition, JoinCondition, Kind},
    diagnostic::Code,
};

/// Of a definition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RootExtra {
    pub(super) object_type: Option<String>,
    pub(super) version: Option<u64>,
    pub(super) history_enabled: Option<bool>,
    pub(super) allow: Option<Vec<String>>,
    pub(super) guards: BTreeMap<String, String>,
}

/// Of a state.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StateExtra {
    pub(super) display_name: Option<String>,
    pub(super) kind: Kind,
    pub(super) permits: Vec<String>,
    pub(super) entry_conditions: Vec<EntryCondition>,
    pub(super) join_condition: JoinCondition,
    pub(super) required: Option<bool>,
    pub(super) notify_before: Option<String>,
    pub(super) sub_machine: Option<MachineExtra>,
}

/// Of a machine inside a state.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MachineExtra {
    pub(super) object_type: Option<String>,
    pub(super) metadata: Map<String, Value>,
}

/// Of a transition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WayExtra {
    pub(super) name: Option<String>,
    pub(super) display_name: Option<String>,
    /// Of a delayed one: the action of the timeout.
    pub(super) action: Option<String>,
    pub(super) required_permissions: Vec<String>,
}

/// Where what has no field here is kept in `metadata`.
pub(super) const KEPT: &str = "xstate";

/// Where our own is kept in `meta`.
pub(super) const OWN: &str = "veristate";

/// Reads `meta`: what the author put there goes into `metadata` as it is.
pub(super) fn meta<T: Default + DeserializeOwned>(
    value: &Json,
    place: &Place<'_>,
    metadata: &mut Map<String, Value>,
    refusals: &mut Refusals,
) -> T {
    let Json::Object(members) = value else {
        keep(metadata, "meta", value.to_value());
        return T::default();
    };
    let mut map = to_map(members);
    let own = map.remove(OWN);
    if map.contains_key(KEPT) {
        keep(metadata, "meta", Value::Object(map));
    } else {
        for (key, value) in map {
            metadata.insert(key, value);
        }
    }
    let Some(own) = own else { return T::default() };
    // By way of a text, as definitions are read: reading from a value would be all that code once more.
    let read = serde_json::to_string(&own).and_then(|text| serde_json::from_str(&text));
    read.unwrap_or_else(|error| {
        let help = "`meta.veristate` is what an export of this library writes; take it out";
        let place = Place::Key(place, OWN);
        refusals.refuse(&place, Code::InvalidShape, crate::json::cause(&error), help);
        T::default()
    })
}

/// Keeps what has no field of its own.
pub(super) fn keep(metadata: &mut Map<String, Value>, key: &str, value: Value) {
    let kept = metadata.entry(KEPT).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(kept) = kept {
        kept.insert(key.into(), value);
    }
}
