//! What a guard read, for those who ask why it is false.

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

use serde_json::Value as Json;

use super::{answer::Reading, budget::Budget, literal::to_json, value::Value};

/// The notes of one evaluation.
#[derive(Debug, Default)]
pub(super) struct Trace<'v> {
    reads: Vec<(String, Option<Value<'v>>)>,
    blamed: Option<(&'v str, Range<usize>)>,
}

/// More readings than this are not read by anybody.
const MOST: usize = 32;
/// Larger lists and objects are not repeated in an answer, longer texts are cut.
const LARGE: usize = 256;

impl<'v> Trace<'v> {
    /// Whether one more reading would be kept.
    pub(super) fn has_room(&self) -> bool {
        self.reads.len() < MOST
    }

    /// Notes what was at a path; nothing where `has(…)` found nothing.
    pub(super) fn read(&mut self, path: String, value: Option<&Value<'v>>) {
        if self.has_room() {
            self.reads.push((path, value.cloned()));
        }
    }

    /// Notes the part of the expression that made it false, and which readings are its own.
    pub(super) fn blame(&mut self, part: &'v str, since: usize) {
        self.blamed = Some((part, since.min(self.reads.len())..self.reads.len()));
    }

    /// The part that made it false, and what that part read.
    pub(super) fn blamed(&self) -> Option<(&'v str, Vec<Reading>)> {
        let (part, range) = self.blamed.as_ref()?;
        Some((*part, readings(self.reads.get(range.clone()).unwrap_or_default())))
    }

    pub(super) fn len(&self) -> usize {
        self.reads.len()
    }

    /// Forgets what was read after `mark`.
    pub(super) fn forget(&mut self, mark: usize) {
        self.reads.truncate(mark);
    }

    /// All that was read, each input once.
    pub(super) fn readings(&self) -> Vec<Reading> {
        readings(&self.reads)
    }
}

fn readings(reads: &[(String, Option<Value<'_>>)]) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for (path, value) in reads {
        if !readings.iter().any(|known| known.path == *path) {
            readings.push(reading(path, value.as_ref()));
        }
    }
    readings
}

impl Reading {
    /// `object.amount` is 12000.
    pub(super) fn sentence(&self) -> String {
        let path = &self.path;
        match (&self.value, self.size) {
            _ if self.absent => format!("`{path}` is not there"),
            (_, Some(size)) => format!("`{path}` has {size} items"),
            (Json::String(text), _) => format!("`{path}` is `{text}`"),
            (value, _) => format!("`{path}` is {value}"),
        }
    }
}

fn reading(path: &str, value: Option<&Value<'_>>) -> Reading {
    let path = path.into();
    let Some(value) = value else {
        return Reading { path, value: Json::Null, size: None, absent: true };
    };
    let (value, size) = match value {
        Value::List(list) => (small(value), list.len()),
        Value::Map(map) => (small(value), map.len()),
        other => {
            let value = match to_json(other) {
                Json::String(text) if text.len() > LARGE => cut(&text).into(),
                json => json,
            };
            return Reading { path, value, size: None, absent: false };
        }
    };
    let size = value.is_none().then_some(size);
    Reading { path, size, value: value.unwrap_or(Json::Null), absent: false }
}

/// The value as JSON, if it is small.
fn small(value: &Value<'_>) -> Option<Json> {
    // A step is an item or 64 bytes of text.
    let budget = Budget::new(LARGE / 8);
    value.weigh(&budget).ok().map(|()| to_json(value))
}

fn cut(text: &str) -> String {
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= LARGE).last();
    [&text[..end.unwrap_or(0)], "…"].concat()
}
