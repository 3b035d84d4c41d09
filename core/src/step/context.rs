//! What the caller says about the world: who acts, when, and in which request.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{json::given, time::Time};

/// Who acts, for whom, when, and with which permissions.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Context {
    /// Who acts.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_id: Option<String>,
    /// What kind of actor: `user`, `system`, …
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_type: Option<String>,
    /// The tenant that the object belongs to.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub tenant_id: Option<String>,
    /// The world (environment, simulation) that the object lives in.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub world_id: Option<String>,
    /// Now. Needed by `start`, `decide` and `simulate`; there is no default, since the core has no clock.
    #[cfg_attr(feature = "tsify", tsify(type = "string | number | Date | null"))]
    pub timestamp: Option<Time>,
    /// What the actor may do.
    pub permissions: Vec<String>,
    /// Settings that guards read.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub config: Map<String, Value>,
    /// Free data that guards read.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
}

/// Data that is nested more deeply than a stored snapshot can be read back.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("data of the object is nested more deeply than {LIMIT} levels", LIMIT = Self::LIMIT)]
pub struct TooDeep;

impl TooDeep {
    /// How deeply an object's data and a request's metadata may be nested.
    pub const LIMIT: usize = 100;

    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "limit-exceeded"
    }

    pub(crate) fn check(value: &Value) -> Result<(), Self> {
        if fits(value, Self::LIMIT) { Ok(()) } else { Err(Self) }
    }

    pub(crate) fn check_request(request: &Request) -> Result<(), Self> {
        request.object.iter().chain(request.metadata.values()).try_for_each(Self::check)
    }
}

/// Whether a value has at most `levels` lists and objects around its innermost part.
fn fits(value: &Value, levels: usize) -> bool {
    let inner_fits = |value: &Value| fits(value, levels - 1);
    match value {
        Value::Array(list) => levels > 0 && list.iter().all(inner_fits),
        Value::Object(map) => levels > 0 && map.values().all(inner_fits),
        _ => true,
    }
}

impl Request {
    /// The object's data after the step: those of the request, else those that are `stored`.
    pub(crate) fn data_after<'a>(&'a self, stored: &'a Value) -> &'a Value {
        self.object.as_ref().unwrap_or(stored)
    }
}

impl Context {
    pub(crate) fn holds(&self, permission: &str) -> bool {
        self.permissions.iter().any(|held| held == permission)
    }
}

/// What comes with one request for an action.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Names the request, so that it is applied once however often it is sent.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub request_id: Option<String>,
    /// The version of the snapshot that the caller has seen.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub expected_version: Option<u64>,
    /// Asks only this active state, by path, and those around it: what a timeout does with its state. Default: all
    /// active states, from the inside out.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub from_state: Option<String>,
    /// Why the actor does it; kept in the record.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub reason: Option<String>,
    /// The object's data as it is after the action (null is data, too). Default: as before.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub object: Option<Value>,
    /// Free data; kept in the record.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
}
