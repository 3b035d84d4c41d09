//! A row of a log: what it says of one step of one object.

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};
use smallvec::SmallVec;

use crate::time::Time;

/// A record as a log tells it: a whole [`HistoryRecord`](crate::HistoryRecord), or as little of one as there is.
///
/// What is not said is null. That `from_states` is not said (null) is not the same as that it is empty: an
/// empty list says that the object was created by this row.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogRow {
    /// The number of the row in what it was read from, from 1; the header of a CSV file is none. Where it is 0, the
    /// row is numbered as it is given.
    pub row: u64,
    /// Which object.
    pub object_id: String,
    /// Its place in the history of the object. Default: after the rows of that object before it.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub sequence: Option<u64>,
    /// Active leaves before; empty for the creation; null where the log does not say.
    #[cfg_attr(feature = "tsify", tsify(type = "string[] | null"))]
    pub from_states: Option<Vec<String>>,
    /// Active leaves after; never empty.
    pub to_states: Vec<String>,
    /// The transitions that were taken, in order.
    #[cfg_attr(feature = "tsify", tsify(type = "string[] | null"))]
    pub transitions: Option<Vec<String>>,
    /// The states that were left, in order.
    #[cfg_attr(feature = "tsify", tsify(type = "string[] | null"))]
    pub exited: Option<Vec<String>>,
    /// The states that were entered, in order.
    #[cfg_attr(feature = "tsify", tsify(type = "string[] | null"))]
    pub entered: Option<Vec<String>>,
    /// What was asked for.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// Who did it.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_id: Option<String>,
    /// What kind of actor.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_type: Option<String>,
    /// For which tenant.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub tenant_id: Option<String>,
    /// In which world.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub world_id: Option<String>,
    /// Why, in the actor's words.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub reason: Option<String>,
    /// When.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub timestamp: Time,
    /// The request that asked for it.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub request_id: Option<String>,
    /// The version of the definition that decided it.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub definition_version: Option<u64>,
    /// When the object was created, where each row says so.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub created_at: Option<Time>,
    /// Free data.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
    /// The object's data after the step, where the row tells them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "unknown"))]
    pub object: Option<Value>,
}

/// A few names, mostly one.
pub type RowNames<'a> = SmallVec<[Cow<'a, str>; 1]>;

/// The same, borrowed from the bytes that it was read from: a reader makes it without an allocation for most rows.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of `LogRow`")]
pub struct LogRowRef<'a> {
    pub row: u64,
    pub object_id: Cow<'a, str>,
    pub sequence: Option<u64>,
    pub from_states: Option<RowNames<'a>>,
    pub to_states: RowNames<'a>,
    pub transitions: Option<RowNames<'a>>,
    pub exited: Option<RowNames<'a>>,
    pub entered: Option<RowNames<'a>>,
    pub action: Option<Cow<'a, str>>,
    pub actor_id: Option<Cow<'a, str>>,
    pub actor_type: Option<Cow<'a, str>>,
    pub tenant_id: Option<Cow<'a, str>>,
    pub world_id: Option<Cow<'a, str>>,
    pub reason: Option<Cow<'a, str>>,
    pub timestamp: Time,
    pub request_id: Option<Cow<'a, str>>,
    pub definition_version: Option<u64>,
    pub created_at: Option<Time>,
    pub metadata: Option<&'a RawValue>,
    pub object: Option<&'a RawValue>,
}
