//! From text to a definition, and from a finding to its place in the text.
//!
//! There is one parser, and every surface calls it. A fault of shape is found
//! while reading; a fault of sense is found later, and [`locate`] then finds
//! the lines of all of them in one pass over the text.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_path_to_error::Path;

use crate::{
    definition::Definition,
    json::{Object, cause, escape, pointer_to},
    diagnostic::{Code, Diagnostic},
    limits::Limits,
    name::Nearest,
};

/// `serde_json` refuses deeper texts itself; the limit can only be lower.
const DEEPEST: usize = 120;

/// Reads a definition. The first fault of shape comes with its place.
pub(crate) fn read(text: &str, limits: &Limits) -> Result<Definition, Box<Diagnostic>> {
    within(text, limits)?;
    let text = without_mark(text);
    let mut reader = serde_json::Deserializer::from_str(text);
    let fault = match serde_path_to_error::deserialize::<_, Object<Definition>>(&mut reader) {
        Ok(definition) => match reader.end() {
            Ok(()) => return Ok(definition.0),
            Err(error) => syntax_fault(text, &error),
        },
        Err(error) if error.inner().is_data() => shape_fault(text, error.path(), error.inner()),
        Err(error) => syntax_fault(text, error.inner()),
    };
    Err(Box::new(fault))
}

/// A byte order mark is no part of the text; editors on Windows write one.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn within(text: &str, limits: &Limits) -> Result<(), Box<Diagnostic>> {
    let exceeded = |message: String, help: &str| {
        let mut fault = Diagnostic::new(Code::LimitExceeded, String::new(), message, help);
        (fault.line, fault.column) = (Some(1), Some(1));
        Err(Box::new(fault))
    };
    if text.len() > limits.bytes {
        let message = format!("the text has {} bytes, the limit `bytes` is {}", text.len(), limits.bytes);
        return exceeded(message, "split the definition, or raise the limit `bytes`");
    }
    let deepest = limits.depth.min(DEEPEST);
    if depth(text) > deepest {
        let message = format!("the text is nested more deeply than the limit `depth`, {deepest}");
        return exceeded(message, "nest `metadata` less deeply, or raise the limit `depth`");
    }
    Ok(())
}

/// How deeply brackets are nested; a good bound for texts that are not JSON, too.
fn depth(text: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                now += 1;
                most = most.max(now);
            }
            b'}' | b']' => now = now.saturating_sub(1),
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => _ = bytes.next(),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    most
}

fn syntax_fault(text: &str, error: &serde_json::Error) -> Diagnostic {
    let message = format!("the text is not JSON: {}", cause(error));
    let help = "mend the JSON at this place; a comma or a quote is often missing just before it";
    let mut fault = Diagnostic::new(Code::InvalidJson, String::new(), message, help);
    let byte = byte_of(text, error.line(), error.column());
    (fault.line, fault.column) = place_of(text, byte);
    fault
}

fn shape_fault(text: &str, path: &Path, error: &serde_json::Error) -> Diagnostic {
    let cause = cause(error);
    let mut pointer = pointer_to(path);
    let quoted = |prefix: &str| cause.strip_prefix(prefix).and_then(|rest| rest.rsplit_once("`, expected ")).map(|(field, rest)| (field.to_string(), rest.to_string()));

    let mut fault = if let Some((field, known)) = quoted("unknown field `") {
        let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        let help = match Nearest::new().find(&field, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`? free data goes into `metadata`"),
            None => format!("the fields here are {}; free data goes into `metadata`", quote_all(&known)),
        };
        if !pointer.ends_with(&escape(&field)) {
            pointer = format!("{pointer}/{}", escape(&field));
        }
        Diagnostic::new(Code::UnknownField, pointer, format!("unknown field `{field}`"), help)
    } else if let Some(field) = cause.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let help = format!("add the field `{field}`");
        Diagnostic::new(Code::MissingField, pointer, format!("the field `{field}` is missing"), help)
    } else if let Some(field) = cause.strip_prefix("duplicate field `").and_then(|rest| rest.strip_suffix('`')) {
        let help = "keep one of the two";
        let mut fault = Diagnostic::new(Code::DuplicateField, pointer, format!("the field `{field}` is written twice"), help);
        let byte = byte_of(text, error.line(), error.column());
        (fault.line, fault.column) = place_of(text, byte.saturating_sub(field.len() + 2));
        return fault;
    } else {
        let help = "write a value of the type that this field has";
        Diagnostic::new(Code::InvalidShape, pointer, cause, help)
    };
    locate(text, core::slice::from_mut(&mut fault));
    fault
}

fn quote_all(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The byte at a line and column as `serde_json` counts them: both from 1, columns in bytes.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}

/// Line and column of a byte: both from 1, columns in characters.
fn place_of(text: &str, mut byte: usize) -> (Option<u32>, Option<u32>) {
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[start..].chars().count() + 1;
    (u32::try_from(line).ok(), u32::try_from(column).ok())
}

/// Fills in line and column of every finding. `text` must be the JSON that the findings are about; a
/// pointer to what is not there takes the place of the nearest part around it.
///
/// One pass over the text, whatever the number of findings.
pub(crate) fn locate(text: &str, findings: &mut [Diagnostic]) {
    let text = without_mark(text);
    let mut wanted = Wanted::default();
    for (index, found) in findings.iter().enumerate() {
        wanted.add(&found.pointer, (index, 0), found.code == Code::UnknownField);
        for (related, other) in found.related.iter().enumerate() {
            wanted.add(&other.pointer, (index, related + 1), false);
        }
    }
    let mut scan = Scan { text, at: 0, line: 1, line_start: 0, counted: 0, column: 1, findings };
    scan.space();
    let start = scan.place();
    scan.value(&wanted, start);
}

/// The places that are looked for, as a tree along their pointers.
#[derive(Default)]
struct Wanted {
    /// Which finding (and which related place of it, from 1; 0 is its own) is here.
    here: Vec<(usize, usize)>,
    /// The same for findings about the key and not its value.
    key: Vec<(usize, usize)>,
    inside: BTreeMap<String, Wanted>,
}

impl Wanted {
    fn add(&mut self, pointer: &str, finding: (usize, usize), is_key: bool) {
        let mut node = self;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            node = node.inside.entry(part).or_default();
        }
        if is_key { node.key.push(finding) } else { node.here.push(finding) }
    }
}

type Place = (u32, u32);

/// A walk over a text that is known to be JSON (or nearly: it stops at the end, never panics).
struct Scan<'t, 'f> {
    text: &'t str,
    at: usize,
    line: u32,
    line_start: usize,
    /// Up to where `column` has been counted, so that one long line is still read once.
    counted: usize,
    column: u32,
    findings: &'f mut [Diagnostic],
}

impl Scan<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.line_start = self.at + 1;
                    (self.counted, self.column) = (self.line_start, 1);
                }
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn place(&mut self) -> Place {
        let passed = self.text.get(self.counted..self.at).map_or(0, |text| text.chars().count());
        self.column += u32::try_from(passed).unwrap_or(u32::MAX - self.column);
        self.counted = self.at;
        (self.line, self.column)
    }

    fn report(&mut self, found: &[(usize, usize)], place: Place) {
        for &(finding, related) in found {
            let finding = &mut self.findings[finding];
            let (line, column) = match related.checked_sub(1) {
                None => (&mut finding.line, &mut finding.column),
                Some(other) => {
                    let other = &mut finding.related[other];
                    (&mut other.line, &mut other.column)
                }
            };
            (*line, *column) = (Some(place.0), Some(place.1));
        }
    }

    /// Everything that is looked for below `wanted` and is not in the text is said to be at `place`.
    fn report_all(&mut self, wanted: &Wanted, place: Place) {
        self.report(&wanted.here, place);
        self.report(&wanted.key, place);
        for inner in wanted.inside.values() {
            self.report_all(inner, place);
        }
    }

    fn value(&mut self, wanted: &Wanted, place: Place) {
        self.report_all(wanted, place);
        match self.peek() {
            Some(b'{') => self.members(wanted, b'}'),
            Some(b'[') => self.members(wanted, b']'),
            _ => self.scalar(),
        }
    }

    fn members(&mut self, wanted: &Wanted, close: u8) {
        if wanted.inside.is_empty() {
            return self.skip();
        }
        self.at += 1;
        let mut index = 0_usize;
        loop {
            self.space();
            match self.peek() {
                None => return,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return;
                }
                Some(b',') => self.at += 1,
                Some(_) if close == b'}' => {
                    let start = self.at;
                    let looked_for = self.key().and_then(|key| wanted.inside.get(&key));
                    let key_place = looked_for.map(|_| self.place_at(start));
                    self.space();
                    self.at += usize::from(self.peek() == Some(b':'));
                    self.member(looked_for, key_place);
                }
                Some(_) => {
                    let looked_for = wanted.inside.get(index.to_string().as_str());
                    index += 1;
                    self.member(looked_for, None);
                }
            }
        }
    }

    fn member(&mut self, looked_for: Option<&Wanted>, key: Option<Place>) {
        self.space();
        match looked_for {
            None => self.skip(),
            Some(wanted) => {
                let place = self.place();
                self.value(wanted, place);
                if let Some(key) = key {
                    self.report(&wanted.key, key);
                }
            }
        }
    }

    /// The place of a byte of the present line that lies behind; counts no further than needed.
    fn place_at(&mut self, byte: usize) -> Place {
        let now = core::mem::replace(&mut self.at, byte);
        let place = self.place();
        self.at = now;
        place
    }

    /// Reads a key and returns its value, with escapes undone.
    fn key(&mut self) -> Option<String> {
        let start = self.at;
        self.scalar();
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    /// Passes over one value that holds nothing of interest.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.space();
            match self.peek() {
                None => return,
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                Some(b',' | b':') => self.at += 1,
                Some(_) => self.scalar(),
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn scalar(&mut self) {
        let bytes = self.text.as_bytes();
        if self.peek() == Some(b'"') {
            self.at += 1;
            while let Some(&byte) = bytes.get(self.at) {
                self.at += match byte {
                    b'\\' => 2,
                    b'"' => break,
                    _ => 1,
                };
            }
            self.at = (self.at + 1).min(bytes.len());
            return;
        }
        let start = self.at;
        while bytes.get(self.at).is_some_and(|byte| !b",:]}{[\" \t\r\n".contains(byte)) {
            self.at += 1;
        }
        // Never stands still, whatever the text holds.
        self.at = self.at.max(start + 1).min(bytes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, pointer: &str, expected: (u32, u32)) {
        let mut findings = [Diagnostic::new(Code::InvalidName, pointer.into(), String::new(), "")];
        locate(text, &mut findings);
        assert_eq!((findings[0].line, findings[0].column), (Some(expected.0), Some(expected.1)));
    }

    #[test]
    fn a_pointer_is_found_in_the_text() {
        check("{}", "", (1, 1));
        check("  {\"a\": 1}", "/a", (1, 9));
        check("{\n  \"é\": [1, {\"b\\n\": 2}],\n  \"c\": 3}", "/é/1/b\n", (2, 20));
        check("{\n  \"é\": [1, {\"b\": 2}],\n  \"c\": 3}", "/c", (3, 8));
        check("[[], [[7]], \"x]\", 9]", "/3", (1, 19));
        check("{\"a/b\": {\"~\": true}}", "/a~1b/~0", (1, 15));
    }

    #[test]
    fn what_is_not_there_takes_the_place_around_it() {
        check("{\"a\": {\"b\": 1}}", "/a/c", (1, 7));
        check("[]", "/5/x", (1, 1));
    }

    #[test]
    fn columns_count_characters() {
        check("{\"🦀🦀\": 1, \"z\": 2}", "/z", (1, 16));
    }
}
