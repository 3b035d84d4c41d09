//! A row from a JSON object.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use smallvec::smallvec;

use super::{
    convert,
    names::{FIELDS, Field, Found, Meaning, Names},
    row::{LogRowRef, RowNames},
    scan,
    summary::{Fault, RowCode},
    when,
};
use crate::time::Time;

/// The value of a field as it is written, and how good its name is.
#[derive(Clone, Copy)]
struct Slot<'a> {
    json: &'a str,
    /// It has no escape.
    is_plain: bool,
    rank: u8,
    plain: bool,
    index: Option<u16>,
}

/// What an object has of each field.
struct Slots<'a> {
    fields: [Option<Slot<'a>>; FIELDS],
    parts: Vec<(usize, &'a str)>,
    /// The first name that is written twice.
    twice: Option<String>,
}

/// Reads one JSON object, which `text` is but for white space around it. `scratch` keeps what has to be put together.
pub(super) fn read<'a>(
    text: &'a [u8],
    row: u64,
    names: &mut Names,
    offset: Option<i32>,
    scratch: &'a mut String,
) -> Result<LogRowRef<'a>, Fault> {
    let text = core::str::from_utf8(text).map_err(|error| not_utf8(error.valid_up_to()))?;
    names.begin();
    let slots = sort(text, names).ok_or_else(|| no_object(text))?;
    if let Some(name) = &slots.twice {
        let message = format!("the field `{}` is written twice", when::shown(name));
        return Err(Fault::new(RowCode::DuplicateField, message, "keep one of the two"));
    }
    for slot in slots.fields.iter().flatten() {
        names.took(slot.index);
    }
    let object = match slots.parts.is_empty() {
        true => slots.data(Field::Object)?,
        false => {
            join(&slots.parts, names, scratch);
            convert::data(Field::Object, scratch)?
        }
    };
    Ok(LogRowRef {
        row,
        object_id: slots
            .text(Field::ObjectId)?
            .filter(|id| !id.is_empty())
            .ok_or_else(|| convert::missing(Field::ObjectId))?,
        sequence: slots.count(Field::Sequence)?,
        from_states: slots.before()?,
        to_states: slots
            .names(Field::ToStates)?
            .filter(|names| !names.is_empty())
            .ok_or_else(|| convert::missing(Field::ToStates))?,
        transitions: slots.names(Field::Transitions)?,
        exited: slots.names(Field::Exited)?,
        entered: slots.names(Field::Entered)?,
        action: slots.text(Field::Action)?,
        actor_id: slots.text(Field::ActorId)?,
        actor_type: slots.text(Field::ActorType)?,
        tenant_id: slots.text(Field::TenantId)?,
        world_id: slots.text(Field::WorldId)?,
        reason: slots.text(Field::Reason)?,
        timestamp: slots
            .time(Field::Timestamp, offset)?
            .ok_or_else(|| convert::missing(Field::Timestamp))?,
        request_id: slots.text(Field::RequestId)?,
        definition_version: slots.count(Field::DefinitionVersion)?,
        created_at: slots.time(Field::CreatedAt, offset)?,
        metadata: slots.data(Field::Metadata)?,
        object,
    })
}

/// What is said of bytes that are no text.
pub(super) fn not_utf8(at: usize) -> Fault {
    let message = format!("the row is not UTF-8, from byte {} of it on", at + 1);
    Fault::new(RowCode::InvalidEncoding, message, "save the file as UTF-8")
}

fn no_object(text: &str) -> Fault {
    let start = text.trim_ascii_start();
    let cause = match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => crate::json::cause(&error),
        Ok(_) => {
            let message = format!("`{}` is no JSON object", when::shown(start.trim_ascii_end()));
            let help = "each row is an object, such as {\"object_id\": \"o-1\", \"from_state\": \"draft\", \"to_state\": \"sent\", \"timestamp\": \"2026-01-31T12:00:00Z\"}";
            return Fault::new(RowCode::NotAnObject, message, help);
        }
    };
    let help = match start.starts_with('[') {
        true => "if the file is one JSON list, read it as `json`",
        false => {
            "mend the JSON of this row; one that is cut off, or that goes over many lines, is often the cause"
        }
    };
    Fault::new(RowCode::InvalidJson, format!("the row is not JSON: {cause}"), help)
}

/// The object's data out of fields of their own.
fn join(parts: &[(usize, &str)], names: &Names, scratch: &mut String) {
    scratch.clear();
    for (number, (part, json)) in parts.iter().enumerate() {
        scratch.push(if number == 0 { '{' } else { ',' });
        push_string(scratch, names.part(*part));
        scratch.push(':');
        scratch.push_str(json);
    }
    scratch.push('}');
}

/// Writes a text as JSON.
pub(super) fn push_string(json: &mut String, text: &str) {
    // Writing a text as JSON into memory does not fail.
    json.push_str(&serde_json::to_string(text).unwrap_or_default());
}

impl<'a> Slots<'a> {
    fn get(&self, field: Field) -> Option<&Slot<'a>> {
        self.fields[field as usize].as_ref()
    }

    /// A text; a whole number is the text of its digits.
    fn text(&self, field: Field) -> Result<Option<Cow<'a, str>>, Fault> {
        self.get(field).map(|slot| slot.text(field)).transpose()
    }

    fn count(&self, field: Field) -> Result<Option<u64>, Fault> {
        let Some(slot) = self.get(field) else { return Ok(None) };
        match slot.inner() {
            Some("") => Ok(None),
            Some(digits) => convert::count(field, digits).map(Some),
            None => convert::count(field, slot.json).map(Some),
        }
    }

    /// A list of names, or one name.
    fn names(&self, field: Field) -> Result<Option<RowNames<'a>>, Fault> {
        let Some(slot) = self.get(field) else { return Ok(None) };
        if slot.json.starts_with('[') {
            return convert::names(field, slot.json).map(Some);
        }
        let name = slot.text(field)?;
        Ok((!name.is_empty()).then(|| smallvec![name]))
    }

    /// The states before: null or an empty text of the plain form is the creation.
    fn before(&self) -> Result<Option<RowNames<'a>>, Fault> {
        match self.get(Field::FromStates) {
            Some(slot) if slot.plain && matches!(slot.json, "null" | "\"\"") => {
                Ok(Some(RowNames::new()))
            }
            _ => self.names(Field::FromStates),
        }
    }

    fn time(&self, field: Field, offset: Option<i32>) -> Result<Option<Time>, Fault> {
        let Some(slot) = self.get(field) else { return Ok(None) };
        if slot.json.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return when::read_number(slot.json, field.name()).map(Some);
        }
        let text = slot.text(field)?;
        if text.is_empty() { Ok(None) } else { when::read(&text, offset, field.name()).map(Some) }
    }

    fn data(&self, field: Field) -> Result<Option<&'a RawValue>, Fault> {
        match self.get(field) {
            Some(slot) => convert::data(field, slot.json),
            None => Ok(None),
        }
    }
}

impl<'a> Slot<'a> {
    /// What is between the quotes of a text without escapes.
    fn inner(&self) -> Option<&'a str> {
        if self.is_plain { self.json.strip_prefix('"')?.strip_suffix('"') } else { None }
    }

    fn text(&self, field: Field) -> Result<Cow<'a, str>, Fault> {
        if let Some(inner) = self.inner() {
            return Ok(Cow::Borrowed(inner));
        }
        let text = match self.json.as_bytes() {
            [b'"', ..] => convert::string(self.json).ok(),
            [b'-' | b'0'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => {
                Some(Cow::Borrowed(self.json))
            }
            _ => None,
        };
        text.ok_or_else(|| convert::invalid(field, self.json, "a text is needed here"))
    }
}

/// Sorts the values of an object by field.
fn sort<'a>(text: &'a str, names: &mut Names) -> Option<Slots<'a>> {
    let mut slots = Slots { fields: [None; FIELDS], parts: Vec::new(), twice: None };
    scan::members(text, |name, json, is_plain| {
        let Found { meaning, index, twice } = names.find(name);
        if twice && slots.twice.is_none() {
            slots.twice = Some(name.into());
        }
        match meaning {
            Meaning::Nothing => names.ignored(index),
            Meaning::Part(part) => {
                slots.parts.push((part, json));
                names.took(index);
            }
            // Null says nothing, but for the one state before.
            Meaning::Field { field, plain, .. }
                if json == "null" && !(field == Field::FromStates && plain) => {}
            Meaning::Field { field, rank, plain } => match &mut slots.fields[field as usize] {
                Some(taken) if taken.rank <= rank => names.ignored(index),
                taken => {
                    let worse = taken.replace(Slot { json, is_plain, rank, plain, index });
                    if let Some(worse) = worse {
                        names.ignored(worse.index);
                    }
                    // It is checked when it is read.
                    return worse.is_some();
                }
            },
        }
        true
    })?;
    Some(slots)
}

/// One row from any deserializer, such as an object of JavaScript: the plain form is taken, too, and unknown fields
/// are passed over.
impl<'de> Deserialize<'de> for super::row::LogRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OwnedVisitor)
    }
}

struct OwnedVisitor;

impl<'de> Visitor<'de> for OwnedVisitor {
    type Value = super::row::LogRow;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row of a log: an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut json = String::new();
        let mut row = 0;
        while let Some(name) = map.next_key::<String>()? {
            let value: serde_json::Value = map.next_value()?;
            if name == "row" {
                row = value.as_u64().unwrap_or(0);
                continue;
            }
            json.push(if json.is_empty() { '{' } else { ',' });
            push_string(&mut json, &name);
            json.push(':');
            json.push_str(&serde_json::to_string(&value).map_err(de::Error::custom)?);
        }
        json.push_str(if json.is_empty() { "{}" } else { "}" });
        let mut names = Names::unmapped();
        read(json.as_bytes(), row, &mut names, None, &mut String::new())
            .map(|row| row.to_row())
            .map_err(|fault| de::Error::custom(format!("{}; {}", fault.message, fault.help)))
    }
}
