//! JSON whose objects keep their order.
//!
//! XState takes states and events in the order of JavaScript objects: keys
//! that are whole numbers first, by size, then the others as they are
//! written. `serde_json::Value` sorts all keys.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, SeqAccess},
};
use serde_json::{Map, Number, Value};

use crate::{index::Index, interchange::numbered::in_order, table::position};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Json>),
    /// Members in the order in which JavaScript has them. No key is written twice.
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same value in the form in which a definition keeps free data.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(yes) => Value::Bool(*yes),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone()),
            Self::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => Value::Object(to_map(members)),
        }
    }
}

/// Members in the form in which a definition keeps free data.
pub(super) fn to_map(members: &[(String, Json)]) -> Map<String, Value> {
    let mut map = Map::new();
    for (key, value) in members {
        map.insert(key.clone(), value.to_value());
    }
    map
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(yes) => Self::Bool(*yes),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(members) => Self::from(members),
        }
    }
}

impl From<&Map<String, Value>> for Json {
    fn from(members: &Map<String, Value>) -> Self {
        Self::Object(members.iter().map(|(key, value)| (key.clone(), value.into())).collect())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(yes) => serializer.serialize_bool(*yes),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E>(self, yes: bool) -> Result<Json, E> {
                Ok(Json::Bool(yes))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
                Ok(Json::Number(number.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
                Ok(Json::Number(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
                Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_string()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Json::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Json, A::Error> {
                members(map).map(Json::Object)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

fn members<'de, A: MapAccess<'de>>(mut map: A) -> Result<Vec<(String, Json)>, A::Error> {
    let mut keys: Vec<String> = Vec::new();
    let mut values = Vec::new();
    let mut index = Index::default();
    while let Some(key) = map.next_key::<String>()? {
        keys.push(key);
        if index.insert(position(values.len()), &|id| keys[id as usize].as_str()).is_some() {
            let key = keys.last().map_or("", String::as_str);
            return Err(de::Error::custom(format!("duplicate field `{key}`")));
        }
        values.push(map.next_value()?);
    }
    let members = keys.into_iter().zip(values).collect();
    Ok(in_order(members, |(key, _)| order(key) as usize))
}

/// The place of a key among the members of a JavaScript object: whole numbers below 2^32 − 1 by size, then
/// all others, which a stable sort leaves as they are.
pub(super) fn order(key: &str) -> u32 {
    let is_number = key.bytes().all(|byte| byte.is_ascii_digit())
        && (key == "0" || !key.starts_with('0'))
        && key.len() <= 10;
    key.parse().ok().filter(|_| is_number).unwrap_or(u32::MAX)
}
