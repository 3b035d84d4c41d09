//! Reading JSON strictly: an object where an object is meant, and errors that say where.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, marker::PhantomData};

use serde_json::Value;

use crate::place::{byte_of, pointer_at};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned},
};

/// A value that is written as an object. Derived code alone would take an array of its fields, too.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(Visitor(PhantomData))
    }
}

/// An object, for `deserialize_with`.
pub(crate) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|object| object.0)
}

/// A list of objects, for `deserialize_with`.
pub(crate) fn objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Visitor<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of objects")
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(Object(item)) = seq.next_element()? {
                list.push(item);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Visitor(PhantomData))
}

/// Texts by name, for `deserialize_with`; a name that is written twice is a fault.
pub(crate) fn texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    struct Visitor;

    impl<'de> de::Visitor<'de> for Visitor {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut texts = BTreeMap::new();
            while let Some(name) = map.next_key::<String>()? {
                if texts.contains_key(&name) {
                    return Err(de::Error::custom(format!("duplicate field `{name}`")));
                }
                texts.insert(name, map.next_value()?);
            }
            Ok(texts)
        }
    }

    deserializer.deserialize_map(Visitor)
}

/// A value that is there, even if it is null, for `deserialize_with`.
pub(crate) fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// An object or null, for `deserialize_with`.
pub(crate) fn object_or_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Object<T>>::deserialize(deserializer)?.map(|object| object.0))
}

/// A JSON text that is not what is asked for.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{cause}{place}", place = self.place())]
pub struct InvalidInput {
    /// What is wrong.
    pub cause: String,
    /// The part of the value that is wrong (RFC 6901); empty for all of it.
    pub pointer: String,
}

impl InvalidInput {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-argument"
    }

    fn place(&self) -> String {
        if self.pointer.is_empty() { String::new() } else { format!(" (at `{}`)", self.pointer) }
    }
}

/// Reads one of the plain shapes from JSON: a [`Snapshot`](crate::Snapshot), a
/// [`Context`](crate::Context), a [`Request`](crate::Request). (A definition is read by
/// [`Definition::from_json`](crate::Definition::from_json).)
///
/// # Errors
///
/// The text is not JSON or has not the shape; unknown fields are refused.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, InvalidInput> {
    read_as::<Object<T>>(text).map(|object| object.0)
}

/// Reads a list of plain shapes from JSON, such as the lines of a script.
///
/// # Errors
///
/// As [`read`].
pub fn read_list<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, InvalidInput> {
    read_as::<Objects<T>>(text).map(|list| list.0)
}

struct Objects<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Objects<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        objects(deserializer).map(Objects)
    }
}

fn read_as<T: DeserializeOwned>(text: &str) -> Result<T, InvalidInput> {
    serde_json::from_str(text).map_err(|error| {
        let pointer = match error.is_data() {
            true => pointer_at(text, byte_of(text, &error)),
            false => String::new(),
        };
        InvalidInput { cause: cause(&error), pointer }
    })
}

/// The error's sentence without its position, which we give in a better form.
pub(crate) fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let mut cause = text.strip_suffix(&position).unwrap_or(&text).to_string();
    // The words of Rust mean nothing to the author of a text.
    for (end, plain) in
        [("expected u64", "expected a whole number"), ("expected usize", "expected a whole number")]
    {
        if let Some(start) = cause.strip_suffix(end) {
            cause = [start, plain].concat();
        }
    }
    cause
}
