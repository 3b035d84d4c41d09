//! A row from the cells of a line of CSV.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use serde_json::Number;
use smallvec::smallvec;

use super::{
    convert,
    names::{FIELDS, Field, Meaning},
    object::{not_utf8, push_string},
    row::{LogRowRef, RowNames},
    summary::{Fault, RowCode},
    when,
};
use crate::time::Time;

/// What each column stands for: of two for one field, the worse has no meaning any more.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) meanings: Vec<Meaning>,
    /// The names of the fields of the object's data that columns make.
    pub(super) parts: Vec<String>,
    pub(super) delimiter: u8,
}

/// The cells of one line; text behind a quote that closes, and a quote that does not, are faults.
pub(super) struct Cells<'a> {
    rest: Option<&'a str>,
    delimiter: u8,
}

impl<'a> Cells<'a> {
    pub(super) fn new(line: &'a str, delimiter: u8) -> Self {
        Self { rest: Some(line), delimiter }
    }

    fn quoted(&mut self, line: &'a str) -> Result<Cow<'a, str>, Fault> {
        let bytes = line.as_bytes();
        let (mut at, mut is_doubled) = (1, false);
        loop {
            at += memchr::memchr(b'"', &bytes[at..]).ok_or_else(unclosed)?;
            if bytes.get(at + 1) != Some(&b'"') {
                break;
            }
            is_doubled = true;
            at += 2;
        }
        self.rest = match bytes.get(at + 1) {
            None => None,
            Some(byte) if *byte == self.delimiter => line.get(at + 2..),
            Some(_) => {
                let message = "a cell goes on behind the quote that closes it";
                let help = "write a quote within a quoted cell twice";
                return Err(Fault::new(RowCode::InvalidCsv, message, help));
            }
        };
        let cell = line.get(1..at).unwrap_or_default();
        Ok(if is_doubled { cell.replace("\"\"", "\"").into() } else { cell.into() })
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Result<Cow<'a, str>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.rest.take()?;
        if line.starts_with('"') {
            return Some(self.quoted(line));
        }
        let cell = match memchr::memchr(self.delimiter, line.as_bytes()) {
            Some(end) => {
                self.rest = line.get(end + 1..);
                &line[..end]
            }
            None => line,
        };
        Some(Ok(Cow::Borrowed(cell)))
    }
}

/// What is said of a quote that does not close.
pub(super) fn unclosed() -> Fault {
    let message = "a quote at the beginning of a cell is never closed";
    let help = "close it, or quote the whole cell and write its own quotes twice";
    Fault::new(RowCode::InvalidCsv, message, help)
}

/// What a row has of each field, as texts.
pub(super) struct Slots<'a>([Option<Cow<'a, str>>; FIELDS]);

/// What each format finds in its own way: whose step it is, and from where to where.
pub(super) struct Step<'a> {
    pub(super) row: u64,
    pub(super) object_id: Cow<'a, str>,
    pub(super) sequence: Option<u64>,
    pub(super) from_states: Option<RowNames<'a>>,
    pub(super) to_states: RowNames<'a>,
}

/// Reads one line. `scratch` keeps the object's data if columns make it.
pub(super) fn read<'a>(
    line: &'a [u8],
    row: u64,
    columns: &Columns,
    offset: Option<i32>,
    scratch: &'a mut String,
    data: &'a mut [Cow<'static, str>; 2],
) -> Result<LogRowRef<'a>, Fault> {
    let line = core::str::from_utf8(line).map_err(|error| not_utf8(error.valid_up_to()))?;
    let mut slots = Slots::default();
    scratch.clear();
    let mut number = 0;
    for cell in Cells::new(line, columns.delimiter) {
        let cell = cell?;
        match columns.meanings.get(number) {
            Some(Meaning::Field { field, .. }) => slots.set(*field, cell),
            Some(Meaning::Part(part)) => {
                push_part(scratch, columns.parts.get(*part).map_or("", String::as_str), &cell);
            }
            Some(Meaning::Nothing) => {}
            // Some tools end each line with a delimiter.
            None if cell.is_empty() => {}
            None => return Err(cell_count(number + 1, columns, true)),
        }
        number += 1;
    }
    if number < columns.meanings.len() {
        return Err(cell_count(number, columns, false));
    }
    let [metadata, object] = data;
    if scratch.is_empty() {
        *object = slots.owned(Field::Object);
    } else {
        scratch.push('}');
        *object = Cow::Owned(core::mem::take(scratch));
    }
    *metadata = slots.owned(Field::Metadata);
    let data = |field, json: &'a str| match json.trim_ascii() {
        "" => Ok(None),
        json => convert::data(field, json),
    };
    let step = Step {
        row,
        object_id: slots.needed(Field::ObjectId)?,
        sequence: slots.count(Field::Sequence)?,
        from_states: slots.before()?,
        to_states: slots
            .names(Field::ToStates)?
            .filter(|names| !names.is_empty())
            .ok_or_else(|| convert::missing(Field::ToStates))?,
    };
    let mut told = slots.told(step, offset)?;
    told.metadata = data(Field::Metadata, metadata)?;
    told.object = data(Field::Object, object)?;
    Ok(told)
}

fn cell_count(cells: usize, columns: &Columns, is_more: bool) -> Fault {
    let at_least = if is_more { "at least " } else { "" };
    let header = columns.meanings.len();
    let message = format!("the row has {at_least}{cells} cells, the header has {header}");
    let help =
        "quote cells that hold the delimiter or a line end; a row that was cut off lacks cells";
    Fault::new(RowCode::CellCount, message, help)
}

/// Adds a field of the object's data: a number, true, false, or else a text; an empty cell adds none.
pub(super) fn push_part(json: &mut String, name: &str, cell: &str) {
    if cell.is_empty() {
        return;
    }
    json.push(if json.is_empty() { '{' } else { ',' });
    push_string(json, name);
    json.push(':');
    let word = cell.trim_ascii();
    // A whole number that no integer can hold would lose digits.
    let is_number = serde_json::from_str::<Number>(word)
        .is_ok_and(|number| !number.is_f64() || word.contains(['.', 'e', 'E']));
    match word {
        "true" | "false" => json.push_str(word),
        word if is_number => json.push_str(word),
        _ => push_string(json, cell),
    }
}

impl Default for Slots<'_> {
    fn default() -> Self {
        Self([const { None }; FIELDS])
    }
}

impl<'a> Slots<'a> {
    pub(super) fn set(&mut self, field: Field, text: Cow<'a, str>) {
        self.0[field as usize] = Some(text);
    }

    /// The row of a step, with all else that is said of it but the data.
    pub(super) fn told(
        &mut self,
        step: Step<'a>,
        offset: Option<i32>,
    ) -> Result<LogRowRef<'a>, Fault> {
        Ok(LogRowRef {
            row: step.row,
            object_id: step.object_id,
            sequence: step.sequence,
            from_states: step.from_states,
            to_states: step.to_states,
            transitions: self.names(Field::Transitions)?,
            exited: self.names(Field::Exited)?,
            entered: self.names(Field::Entered)?,
            action: self.text(Field::Action),
            actor_id: self.text(Field::ActorId),
            actor_type: self.text(Field::ActorType),
            tenant_id: self.text(Field::TenantId),
            world_id: self.text(Field::WorldId),
            reason: self.text(Field::Reason),
            timestamp: self
                .time(Field::Timestamp, offset)?
                .ok_or_else(|| convert::missing(Field::Timestamp))?,
            request_id: self.text(Field::RequestId),
            definition_version: self.count(Field::DefinitionVersion)?,
            created_at: self.time(Field::CreatedAt, offset)?,
            metadata: None,
            object: None,
        })
    }

    /// A text that is not empty.
    pub(super) fn text(&mut self, field: Field) -> Option<Cow<'a, str>> {
        self.0[field as usize].take().filter(|cell| !cell.is_empty())
    }

    pub(super) fn needed(&mut self, field: Field) -> Result<Cow<'a, str>, Fault> {
        self.text(field).ok_or_else(|| convert::missing(field))
    }

    fn owned(&mut self, field: Field) -> Cow<'static, str> {
        self.text(field).map_or(Cow::Borrowed(""), |cell| Cow::Owned(cell.into_owned()))
    }

    pub(super) fn count(&mut self, field: Field) -> Result<Option<u64>, Fault> {
        let cell = self.text(field);
        cell.map(|cell| convert::count(field, cell.trim_ascii())).transpose()
    }

    pub(super) fn time(
        &mut self,
        field: Field,
        offset: Option<i32>,
    ) -> Result<Option<Time>, Fault> {
        let cell = self.text(field);
        cell.map(|cell| when::read(&cell, offset, field.name())).transpose()
    }

    /// One name as it is, or a JSON list of names.
    pub(super) fn names(&mut self, field: Field) -> Result<Option<RowNames<'a>>, Fault> {
        match self.text(field) {
            None => Ok(None),
            Some(cell) if cell.starts_with('[') => {
                let names = match cell {
                    Cow::Borrowed(json) => convert::names(field, json)?,
                    Cow::Owned(json) => convert::names(field, &json)?
                        .into_iter()
                        .map(|name| Cow::Owned(name.into_owned()))
                        .collect(),
                };
                Ok(Some(names))
            }
            Some(cell) => Ok(Some(smallvec![cell])),
        }
    }

    /// The states before; an empty cell is the creation.
    pub(super) fn before(&mut self) -> Result<Option<RowNames<'a>>, Fault> {
        match &self.0[Field::FromStates as usize] {
            Some(cell) if cell.is_empty() => Ok(Some(RowNames::new())),
            _ => self.names(Field::FromStates),
        }
    }
}
