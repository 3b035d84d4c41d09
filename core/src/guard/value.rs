//! Values while an expression runs. Data of the caller is borrowed, never copied.

use alloc::{string::String, sync::Arc, vec::Vec};

use serde_json::Value as Json;

use super::{
    ActiveStates,
    budget::{Budget, TooCostly},
    moment::{Length, Timestamp},
};
use crate::step::Context;

#[derive(Clone, Debug)]
pub(super) enum Value<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    /// A text of the data or of the expression.
    Text(&'v str),
    /// A text that was made.
    Made(Arc<str>),
    List(List<'v>),
    Map(Map<'v>),
    Timestamp(Timestamp),
    Duration(Length),
}

#[derive(Clone, Debug)]
pub(super) enum List<'v> {
    Json(&'v [Json]),
    Texts(&'v [String]),
    States(ActiveStates<'v>),
    /// One that stands in the expression.
    Constant(&'v [Value<'v>]),
    Made(Arc<[Value<'v>]>),
}

#[derive(Clone, Debug)]
pub(super) enum Map<'v> {
    Json(&'v serde_json::Map<String, Json>),
    Context(&'v Context),
    Constant(&'v [(Value<'v>, Value<'v>)]),
    Made(Arc<[(Value<'v>, Value<'v>)]>),
}

impl<'v> Value<'v> {
    /// A number is an int where it is whole and fits, else a double. Source: DESIGN §3.
    pub(super) fn of(json: &'v Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(value) => Self::Int(value),
                None => {
                    let value = number.as_f64().unwrap_or(f64::NAN);
                    whole(value).map_or(Self::Double(value), Self::Int)
                }
            },
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::List(List::Json(items)),
            Json::Object(fields) => Self::Map(Map::Json(fields)),
        }
    }

    /// The same value without a copy of what it holds.
    pub(super) fn borrowed(&'v self) -> Self {
        match self {
            Self::Made(text) => Self::Text(text),
            Self::List(List::Made(items)) => Self::List(List::Constant(items)),
            Self::Map(Map::Made(entries)) => Self::Map(Map::Constant(entries)),
            other => other.clone(),
        }
    }

    /// The same value without anything borrowed.
    pub(super) fn owned(&self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => Value::Int(*value),
            Self::Uint(value) => Value::Uint(*value),
            Self::Double(value) => Value::Double(*value),
            Self::Text(text) => Value::Made(Arc::from(*text)),
            Self::Made(text) => Value::Made(Arc::clone(text)),
            Self::List(list) => {
                let items = (0..list.len()).filter_map(|at| Some(list.get(at)?.owned()));
                Value::List(List::Made(items.collect()))
            }
            Self::Map(map) => {
                let entries = map.entries();
                let entries = entries.iter().map(|(key, value)| (key.owned(), value.owned()));
                Value::Map(Map::Made(entries.collect()))
            }
            Self::Timestamp(time) => Value::Timestamp(*time),
            Self::Duration(length) => Value::Duration(*length),
        }
    }

    /// Pays for writing the value down. A list that holds another one twice shares it, so that few steps can
    /// make a value that is endless to write.
    pub(super) fn weigh(&self, budget: &Budget) -> Result<(), TooCostly> {
        budget.spend(1)?;
        match self {
            Self::List(list) => budget.inside(|| {
                (0..list.len())
                    .try_for_each(|at| list.get(at).map_or(Ok(()), |item| item.weigh(budget)))
            }),
            Self::Map(map) => budget.inside(|| {
                budget.spend(map.len())?;
                map.entries().iter().try_for_each(|(key, value)| {
                    key.weigh(budget)?;
                    value.weigh(budget)
                })
            }),
            _ => budget.spend_text(self.text().map_or(0, str::len)),
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Made(text) => Some(text),
            _ => None,
        }
    }
}

/// The int that a double is, if it is whole and fits.
#[inline]
pub(super) fn whole(value: f64) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let cut = value as i64;
    #[expect(
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "a whole double comes back exactly"
    )]
    let same = cut as f64 == value;
    (same && (-BEYOND..BEYOND).contains(&value)).then_some(cut)
}

impl<'v> List<'v> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Json(items) => items.len(),
            Self::Texts(items) => items.len(),
            Self::States(states) => states.ids.len(),
            Self::Constant(items) => items.len(),
            Self::Made(items) => items.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<Value<'v>> {
        match self {
            Self::Json(items) => items.get(at).map(Value::of),
            Self::Texts(items) => items.get(at).map(|text| Value::Text(text)),
            Self::States(ActiveStates { ids, paths }) => {
                ids.get(at).map(|&id| Value::Text(&paths[id as usize]))
            }
            Self::Constant(items) => items.get(at).map(Value::borrowed),
            Self::Made(items) => items.get(at).cloned(),
        }
    }
}

impl<'v> Map<'v> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Json(fields) => fields.len(),
            Self::Context(_) => self.entries().len(),
            Self::Constant(entries) => entries.len(),
            Self::Made(entries) => entries.len(),
        }
    }

    /// The value of a field.
    pub(super) fn field(&self, name: &str) -> Option<Value<'v>> {
        let named = |(key, _): &&(Value<'v>, Value<'v>)| key.text() == Some(name);
        match self {
            Self::Json(fields) => fields.get(name).map(Value::of),
            Self::Context(ctx) => Field::named(name).and_then(|field| field.of(ctx)),
            Self::Constant(entries) => {
                entries.iter().find(named).map(|(_, value)| value.borrowed())
            }
            Self::Made(entries) => entries.iter().find(named).map(|(_, value)| value.clone()),
        }
    }

    /// All keys with their values, in the order of the map.
    pub(super) fn entries(&self) -> Vec<(Value<'v>, Value<'v>)> {
        match self {
            Self::Json(fields) => {
                fields.iter().map(|(key, value)| (Value::Text(key), Value::of(value))).collect()
            }
            Self::Context(ctx) => Field::ALL
                .iter()
                .filter_map(|field| Some((Value::Text(field.name()), field.of(ctx)?)))
                .collect(),
            Self::Constant(entries) => {
                entries.iter().map(|(key, value)| (key.borrowed(), value.borrowed())).collect()
            }
            Self::Made(entries) => entries.to_vec(),
        }
    }
}

/// A field of the context. Source: DESIGN §3.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Field {
    ActorId,
    ActorType,
    TenantId,
    WorldId,
    Timestamp,
    Permissions,
    Config,
    Metadata,
}

impl Field {
    pub(super) const ALL: [Self; 8] = [
        Self::ActorId,
        Self::ActorType,
        Self::TenantId,
        Self::WorldId,
        Self::Timestamp,
        Self::Permissions,
        Self::Config,
        Self::Metadata,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ActorId => "actor_id",
            Self::ActorType => "actor_type",
            Self::TenantId => "tenant_id",
            Self::WorldId => "world_id",
            Self::Timestamp => "timestamp",
            Self::Permissions => "permissions",
            Self::Config => "config",
            Self::Metadata => "metadata",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Its value; nothing where the caller left it out.
    pub(super) fn of(self, ctx: &Context) -> Option<Value<'_>> {
        fn text(text: Option<&String>) -> Option<Value<'_>> {
            text.map(|text| Value::Text(text))
        }
        match self {
            Self::ActorId => text(ctx.actor_id.as_ref()),
            Self::ActorType => text(ctx.actor_type.as_ref()),
            Self::TenantId => text(ctx.tenant_id.as_ref()),
            Self::WorldId => text(ctx.world_id.as_ref()),
            Self::Timestamp => {
                let micros = ctx.timestamp?.micros();
                let nanos = micros.rem_euclid(1_000_000) * 1000;
                Timestamp::new(micros.div_euclid(1_000_000), nanos).map(Value::Timestamp)
            }
            Self::Permissions => Some(Value::List(List::Texts(&ctx.permissions))),
            Self::Config => Some(Value::Map(Map::Json(&ctx.config))),
            Self::Metadata => Some(Value::Map(Map::Json(&ctx.metadata))),
        }
    }
}
