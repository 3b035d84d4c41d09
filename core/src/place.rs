//! Places in a JSON text: from a pointer to line and column, and from a byte to a pointer.
//!
//! A fault of shape is found while reading, at a byte; a fault of sense is
//! found later, at a pointer. Both ways are one pass over the text.

use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

use crate::{
    diagnostic::{Diagnostic, Part},
    index::Index,
    table::{group, position},
};

/// A byte order mark is no part of the text; editors on Windows write one.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The byte at which an error was found: the last one that was read, or the bracket of a list or an
/// object that has no place there.
pub(crate) fn byte_of(text: &str, error: &serde_json::Error) -> usize {
    let start = match error.line() {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1),
    };
    let read = (start + error.column()).min(text.len());
    let cause = error.to_string();
    let of_bracket =
        cause.starts_with("invalid type: sequence") || cause.starts_with("invalid type: map");
    let rest = &text.as_bytes()[read..];
    match rest.iter().position(|byte| !byte.is_ascii_whitespace()) {
        Some(space) if of_bracket && matches!(rest[space], b'[' | b'{') => read + space,
        _ => read.saturating_sub(1),
    }
}

/// Line and column of a byte: both from 1, columns in characters.
pub(crate) fn place_of(text: &str, mut byte: usize) -> (Option<u32>, Option<u32>) {
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[start..].chars().count() + 1;
    (u32::try_from(line).ok(), u32::try_from(column).ok())
}

/// One part of a JSON pointer (RFC 6901).
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The pointer to the innermost value that holds a byte; on the key of a member, to its value. `text`
/// must be JSON up to there.
pub(crate) fn pointer_at(text: &str, byte: usize) -> String {
    let bytes = text.as_bytes();
    let mut pointer = String::new();
    // For each open bracket how long the pointer to it is and, in a list, which item comes next.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut expects_key = false;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'"' => {
                at = string_end(bytes, start);
                if expects_key && let Some((length, _)) = open.last() {
                    pointer.truncate(*length);
                    let key: Option<String> =
                        text.get(start..at).and_then(|key| serde_json::from_str(key).ok());
                    pointer.push('/');
                    pointer.push_str(&escape(&key.unwrap_or_default()));
                    expects_key = false;
                }
            }
            bracket @ (b'{' | b'[') if start < byte => {
                expects_key = bracket == b'{';
                open.push((pointer.len(), (bracket == b'[').then_some(1)));
                if bracket == b'[' {
                    pointer.push_str("/0");
                }
            }
            b'}' | b']' => {
                pointer.truncate(open.pop().map_or(0, |(length, _)| length));
                expects_key = false;
            }
            b',' if start < byte => match open.last_mut() {
                Some((length, Some(index))) => {
                    pointer.truncate(*length);
                    pointer.push('/');
                    pointer.push_str(&index.to_string());
                    *index += 1;
                }
                _ => expects_key = true,
            },
            _ => {}
        }
        if at > byte {
            break;
        }
    }
    pointer
}

/// The byte behind a string that starts at `start`.
pub(crate) fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'\\' => 2,
            b'"' => return at + 1,
            _ => 1,
        };
    }
    bytes.len()
}

/// How many characters of a JSON string, its quote among them, stand before a byte of the text that it means.
fn chars_before(string: &str, byte: usize) -> u32 {
    let (mut before, mut meant) = (1_usize, 0);
    let mut rest = string.get(1..).unwrap_or_default();
    while meant < byte {
        let (length, stands_for) = match rest.as_bytes() {
            [] | [b'"', ..] => break,
            [b'\\', b'u', digits @ ..] => {
                let digits = digits.get(..4).and_then(|hex| core::str::from_utf8(hex).ok());
                match digits.and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
                    // Two escapes stand for one character beyond the first 65,536.
                    Some(0xd800..0xdc00) => (12, 4),
                    code => (6, code.and_then(char::from_u32).map_or(3, char::len_utf8)),
                }
            }
            [b'\\', ..] => (2, 1),
            _ => {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                (length, length)
            }
        };
        let Some(after) = rest.get(length..) else { break };
        before += rest[..length].chars().count();
        meant += stands_for;
        rest = after;
    }
    u32::try_from(before).unwrap_or(u32::MAX)
}

/// Fills in line and column of every finding, and puts the findings in the order of the text, which must
/// be the JSON that they are about. A pointer to what is not there takes the place of the nearest part
/// around it.
///
/// One pass over the text, whatever the number of findings.
pub(crate) fn locate(text: &str, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let text = without_mark(text);
    let mut wanted = Wanted::default();
    for (index, found) in findings.iter().enumerate() {
        wanted.add(&found.pointer, (index, 0), found.part == Part::Key);
        for (related, other) in found.related.iter().enumerate() {
            wanted.add(&other.pointer, (index, related + 1), false);
        }
    }
    let order = vec![0; findings.len()];
    let findings_here = &mut findings;
    let mut scan = Scan {
        text,
        at: 0,
        line: 1,
        counted: 0,
        column: 1,
        findings: findings_here,
        order,
        reports: 0,
    };
    scan.space();
    let start = scan.place();
    scan.value(&wanted, start);
    let (reports, order) = (scan.reports, scan.order);
    let (_, order) = group(reports as usize + 1, order.iter().copied());
    let mut findings: Vec<Option<Diagnostic>> = findings.into_iter().map(Some).collect();
    order.iter().filter_map(|&index| findings[index as usize].take()).collect()
}

/// The places that are looked for, as a tree along their pointers.
#[derive(Default)]
struct Wanted {
    /// Which finding (and which related place of it, from 1; 0 is its own) is here.
    here: Vec<(usize, usize)>,
    /// The same for findings about the key and not its value.
    key: Vec<(usize, usize)>,
    /// What is looked for inside, by key; the index finds a key among many.
    inside: Vec<(String, Wanted)>,
    keys: Index,
}

impl Wanted {
    fn add(&mut self, pointer: &str, finding: (usize, usize), is_key: bool) {
        let mut node = self;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            node = node.enter(part);
        }
        if is_key { node.key.push(finding) } else { node.here.push(finding) }
    }

    fn enter(&mut self, key: String) -> &mut Self {
        let next = self.inside.len();
        self.inside.push((key, Self::default()));
        let inside = &self.inside;
        let known = self.keys.insert(position(next), &|id| inside[id as usize].0.as_str());
        if known.is_some() {
            self.inside.pop();
        }
        &mut self.inside[known.map_or(next, |id| id as usize)].1
    }

    fn get(&self, key: &str) -> Option<&Self> {
        let found = self.keys.get(key, &|id| self.inside[id as usize].0.as_str())?;
        Some(&self.inside[found as usize].1)
    }
}

type Place = (u32, u32);

/// A walk over a text that is known to be JSON (or nearly: it stops at the end, never panics).
struct Scan<'t, 'f> {
    text: &'t str,
    at: usize,
    line: u32,
    /// Up to where `column` has been counted, so that one long line is still read once.
    counted: usize,
    column: u32,
    findings: &'f mut [Diagnostic],
    /// For each finding which report was the last about it: they come in the order of the text.
    order: Vec<u32>,
    reports: u32,
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
                    (self.counted, self.column) = (self.at + 1, 1);
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
        let mut found = found.to_vec();
        found.sort_by_key(|(finding, _)| match self.findings[*finding].part {
            Part::From(byte) => byte,
            _ => 0,
        });
        for (finding, related) in found {
            if related == 0 {
                self.reports += 1;
                self.order[finding] = self.reports;
            }
            let mut place = place;
            if let (0, Part::From(byte)) = (related, self.findings[finding].part) {
                // A JSON string has no line breaks.
                place.1 += chars_before(&self.text[self.at..], byte as usize);
            }
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
        for (_, inner) in &wanted.inside {
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
                    let looked_for = self.key().and_then(|key| wanted.get(&key));
                    let key_place = looked_for.map(|_| self.place_at(start));
                    self.space();
                    self.at += usize::from(self.peek() == Some(b':'));
                    self.member(looked_for, key_place);
                }
                Some(_) => {
                    let looked_for = wanted.get(&index.to_string());
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
            self.at = string_end(bytes, self.at);
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
    use crate::diagnostic::Code;

    #[track_caller]
    fn check(text: &str, pointer: &str, expected: (u32, u32)) {
        let finding = Diagnostic::new(Code::InvalidName, pointer.into(), String::new(), "");
        let findings = locate(text, vec![finding]);
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

    #[track_caller]
    fn check_pointer(before: &str, after: &str, expected: &str) {
        let text = [before, after].concat();
        assert_eq!(pointer_at(&text, before.len()), expected);
    }

    #[test]
    fn a_byte_belongs_to_the_innermost_value() {
        check_pointer("", "{}", "");
        check_pointer("{\"a\": ", "1}", "/a");
        check_pointer("{\"a", "\": 1}", "/a");
        check_pointer("{\"a\": 1, \"b/~\": [0, ", "true]}", "/b~1~0/1");
        check_pointer("{\"a\": [{\"x\": \"]}\"}, ", "{}]}", "/a/1");
        check_pointer("{\"a\": [{\"x\": 1}, {\"y\": 2", "}]}", "/a/1");
        check_pointer("{\"a\": [1, 2", "], \"b\": 3}", "/a");
        check_pointer("{\"a\": ", "[1, 2]}", "/a");
    }
}
