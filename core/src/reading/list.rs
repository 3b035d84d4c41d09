//! A JSON list: a row is what stands between two commas of the list.
//!
//! Only brackets and quotes are looked at; whether a row is JSON is asked when it is read. So a row that is broken
//! does not hide those after it.

use alloc::vec::Vec;

use super::{
    lines::too_long,
    reader::Rows,
    scan,
    summary::{Fault, RowCode, RowResult},
};

/// Where in the text reading is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Stage {
    Before,
    Inside,
    After,
    /// What follows is not looked at.
    Over,
}

/// Where in a text between quotes it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Text {
    Outside,
    Inside,
    /// Behind a backslash.
    Escaped,
}

/// Cuts a list into rows.
#[derive(Debug)]
pub(super) struct List {
    stage: Stage,
    /// A row whose end has not come.
    carry: Vec<u8>,
    /// Where it starts, once it has.
    start: Option<u64>,
    /// It is too long, which has been said.
    skipping: bool,
    /// A comma came before it.
    comma: bool,
    /// Brackets that are open in it.
    depth: u64,
    text: Text,
    /// The line of the next byte.
    line: u64,
    limit: usize,
}

impl List {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            stage: Stage::Before,
            carry: Vec::new(),
            start: None,
            skipping: false,
            comma: false,
            depth: 0,
            text: Text::Outside,
            line: 1,
            limit,
        }
    }

    pub(super) fn feed<F: FnMut(RowResult<'_>)>(
        &mut self,
        mut rest: &[u8],
        rows: &mut Rows,
        take: &mut F,
    ) {
        while !rest.is_empty() {
            if self.start.is_none() {
                let text = rest.trim_ascii_start();
                self.pass(&rest[..rest.len() - text.len()]);
                rest = text;
            }
            let Some(first) = rest.first() else { return };
            rest = match self.stage {
                Stage::Before if *first == b'[' => {
                    self.stage = Stage::Inside;
                    &rest[1..]
                }
                Stage::Before => {
                    self.stage = Stage::Over;
                    rows.tally.file(no_list(*first), self.line, take);
                    return;
                }
                Stage::Inside => self.inside(rest, rows, take),
                Stage::After => {
                    self.stage = Stage::Over;
                    let help =
                        "a file is one list; if it is one object a line, read it as `json_lines`";
                    let fault =
                        Fault::new(RowCode::InvalidJson, "there is text after the list", help);
                    rows.tally.file(fault, self.line, take);
                    return;
                }
                Stage::Over => return,
            };
        }
    }

    /// One row, or as much of it as there is; returns what comes after it.
    fn inside<'b, F: FnMut(RowResult<'_>)>(
        &mut self,
        bytes: &'b [u8],
        rows: &mut Rows,
        take: &mut F,
    ) -> &'b [u8] {
        // So much until the limit is passed, which must not depend on the chunks.
        let room = match self.skipping {
            true => bytes.len(),
            false => (self.limit - self.carry.len()).saturating_add(1).min(bytes.len()),
        };
        let end = self.scan(&bytes[..room]);
        let row = &bytes[..end.unwrap_or(room)];
        if end != Some(0) && self.start.is_none() {
            self.start = Some(self.line);
        }
        self.pass(row);
        let Some(end) = end else {
            if !self.skipping && self.carry.len() + row.len() > self.limit {
                let line = self.start.unwrap_or(self.line);
                rows.tally.row(Err(too_long(self.limit)), line, take);
                self.skipping = true;
                self.carry.clear();
            } else if !self.skipping {
                self.carry.extend_from_slice(row);
            }
            return &bytes[room..];
        };
        let is_last = bytes[end] == b']';
        match self.start {
            Some(_) if self.skipping => {}
            Some(line) if self.carry.is_empty() => rows.object(row, line, take),
            Some(line) => {
                self.carry.extend_from_slice(row);
                rows.object(&self.carry, line, take);
            }
            None if is_last && !self.comma => {}
            None => {
                let message = "a row is missing beside a comma";
                let fault = Fault::new(RowCode::InvalidJson, message, "take one comma away");
                rows.tally.row(Err(fault), self.line, take);
            }
        }
        self.carry.clear();
        self.start = None;
        self.skipping = false;
        self.comma = true;
        if is_last {
            self.stage = Stage::After;
        }
        &bytes[end + 1..]
    }

    /// Looks for the comma or bracket that ends the row.
    fn scan(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match self.text {
                Text::Escaped => self.text = Text::Inside,
                Text::Inside => {
                    at += scan::plain(&bytes[at..]);
                    match bytes.get(at)? {
                        // A line feed in a text is no JSON: the text ends there, and the row will be refused.
                        b'"' | b'\n' => self.text = Text::Outside,
                        b'\\' => self.text = Text::Escaped,
                        _ => {}
                    }
                }
                Text::Outside => match byte {
                    b'"' => self.text = Text::Inside,
                    b'{' | b'[' => self.depth += 1,
                    b',' | b']' if self.depth == 0 => return Some(at),
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                },
            }
            at += 1;
        }
        None
    }

    /// Counts the lines of what has been passed.
    fn pass(&mut self, bytes: &[u8]) {
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
    }

    pub(super) fn finish<F: FnMut(RowResult<'_>)>(&mut self, rows: &mut Rows, take: &mut F) {
        let unfinished = |message: &str| {
            let help = "the file was probably cut off: get all of it";
            Fault::new(RowCode::Unfinished, message, help)
        };
        match (self.stage, self.start) {
            (Stage::Before, _) => {
                let help = "a log is a list of objects: at least []";
                let fault = Fault::new(RowCode::Unfinished, "the text is empty", help);
                rows.tally.file(fault, self.line, take);
            }
            (Stage::Inside, Some(line)) if !self.skipping => {
                rows.tally.row(Err(unfinished("the text ends within the row")), line, take);
            }
            (Stage::Inside, _) => {
                rows.tally.file(unfinished("the text ends within the list"), self.line, take);
            }
            _ => {}
        }
        self.carry = Vec::new();
    }
}

fn no_list(first: u8) -> Fault {
    let (message, help) = match first {
        b'{' => (
            "the text is an object, not a list",
            "hand over the list that is inside it; if it is one object a line, read it as `json_lines`",
        ),
        _ => ("the text is no JSON list", "is it another format? see `RecordFormat::detect`"),
    };
    Fault::new(RowCode::NotAList, message, help)
}
