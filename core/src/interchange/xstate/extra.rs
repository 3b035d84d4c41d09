//! What a definition says and XState does not read: it travels in `meta.veristate`, so that an export that
//! comes back is the definition that it was.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
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
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RootExtra {
    pub(super) object_type: Option<String>,
    pub(super) version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) history_enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allow: Option<Vec<String>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) guards: BTreeMap<String, String>,
}

/// Of a state.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StateExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) display_name: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) kind: Kind,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) permits: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) entry_conditions: Vec<EntryCondition>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) join_condition: JoinCondition,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) required: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) notify_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sub_machine: Option<MachineExtra>,
}

/// Of a machine inside a state.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MachineExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object_type: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) metadata: Map<String, Value>,
}

/// Of a transition.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WayExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) display_name: Option<String>,
    /// Of a delayed one: the action of the timeout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) action: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) required_permissions: Vec<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
        metadata.append(&mut map);
    }
    let Some(own) = own else { return T::default() };
    serde_json::from_value(own).unwrap_or_else(|error| {
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
