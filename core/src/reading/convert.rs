//! Parts of a row from their texts, where all formats agree.

use alloc::{borrow::Cow, format};
use core::fmt;

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::{
    names::Field,
    row::RowNames,
    summary::{Fault, RowCode},
    when::shown,
};

/// What a field that is needed lacks.
pub(super) fn missing(field: Field) -> Fault {
    let name = field.name();
    let message = format!("`{name}` is missing or empty");
    let help = format!(
        "if it has another name in the file, say so with the option `columns`: {{\"{name}\": \"…\"}}"
    );
    Fault::new(RowCode::MissingField, message, help)
}

/// What a field has that it cannot have.
pub(super) fn invalid(field: Field, value: &str, needed: &'static str) -> Fault {
    let (name, value) = (field.name(), shown(value));
    Fault::new(RowCode::InvalidField, format!("`{name}` is `{value}`"), needed)
}

/// A whole number of zero or more.
pub(super) fn count(field: Field, text: &str) -> Result<u64, Fault> {
    let needed = "a whole number of zero or more is needed";
    text.parse().map_err(|_| invalid(field, text, needed))
}

/// A JSON list of texts. An empty name is none.
pub(super) fn names<'a>(field: Field, json: &'a str) -> Result<RowNames<'a>, Fault> {
    let needed = "a JSON list of names is needed, such as [\"review.legal\", \"review.tax\"]";
    let mut reader = serde_json::Deserializer::from_str(json);
    reader
        .deserialize_seq(NamesVisitor)
        .and_then(|names: RowNames<'a>| reader.end().map(|()| names))
        .ok()
        .filter(|names| names.iter().all(|name| !name.is_empty()))
        .ok_or_else(|| invalid(field, json, needed))
}

/// One JSON text, borrowed where it has no escape.
pub(super) fn string(json: &str) -> Result<Cow<'_, str>, serde_json::Error> {
    serde_json::Deserializer::from_str(json).deserialize_str(TextVisitor)
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.into()))
    }
}

impl<'de> DeserializeSeed<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = RowNames<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut names = SmallVec::new();
        while let Some(name) = seq.next_element_seed(TextVisitor)? {
            names.push(name);
        }
        Ok(names)
    }
}

/// JSON data of the user; null is none. What [`Value`](serde_json::Value) could not hold is refused here, and not
/// when somebody looks.
pub(super) fn data(field: Field, json: &str) -> Result<Option<&RawValue>, Fault> {
    let raw: Result<&RawValue, _> = serde_json::from_str(json);
    let Ok(raw) = raw else {
        return Err(invalid(field, json, "JSON is needed here"));
    };
    if raw.get() == "null" {
        return Ok(None);
    }
    if field == Field::Metadata && !raw.get().starts_with('{') {
        return Err(invalid(field, json, "a JSON object is needed here"));
    }
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    match Sound(DEEPEST).deserialize(&mut reader) {
        Ok(()) => Ok(Some(raw)),
        Err(error) => {
            let cause = crate::json::cause(&error);
            let message = format!("`{}` cannot be read: {cause}", field.name());
            Err(Fault::new(RowCode::InvalidField, message, "mend the data of this field"))
        }
    }
}

/// How deeply the user's data may be nested, so that they can be read again inside of others.
const DEEPEST: usize = 100;

/// Reads a value as `Value` does and keeps nothing; so many levels are allowed.
#[derive(Clone, Copy)]
struct Sound(usize);

impl Sound {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        let deeper = self.0.checked_sub(1);
        deeper.map(Self).ok_or_else(|| E::custom("it is nested more deeply than 100 levels"))
    }
}

impl<'de> DeserializeSeed<'de> for Sound {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Sound {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let inner = self.inner()?;
        while seq.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let inner = self.inner()?;
        while map.next_key_seed(inner)?.is_some() {
            map.next_value_seed(inner)?;
        }
        Ok(())
    }
}
