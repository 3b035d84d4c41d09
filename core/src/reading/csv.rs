//! CSV: RFC 4180 with a header.
//!
//! Lines are cut out first and read then, so that cells can be borrowed. That is our own and not `csv-core`'s,
//! which copies each cell, takes text behind a closing quote as part of the cell, and cannot say that a text
//! ends within quotes: a damaged row would be read as another one.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::mem;

use super::{
    cells::{self, Cells, Columns, unclosed},
    lines::too_long,
    names::{FIELDS, Field, Meaning, Names},
    object::not_utf8,
    reader::Rows,
    summary::{Fault, RowCode, RowResult},
};

/// What may part the cells, the first of two that are as frequent.
const DELIMITERS: [u8; 4] = *b",;\t|";

/// Where in a line the next byte is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    /// At the beginning of a cell.
    Start,
    /// In a cell without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// Behind a quote, which closes the cell or is the first of two.
    Closed,
}

/// Reads CSV.
#[derive(Debug)]
pub(super) struct Csv {
    header: Header,
    delimiter: Option<u8>,
    /// A line whose end has not come.
    carry: Vec<u8>,
    place: Place,
    /// It had a quote.
    is_quoted: bool,
    /// It is too long, which has been said.
    skipping: bool,
    /// The byte before was a carriage return, which ended a line.
    after_return: bool,
    /// Where the line starts.
    line: u64,
    limit: usize,
    /// Metadata and object of one row.
    data: [Cow<'static, str>; 2],
}

#[derive(Debug)]
enum Header {
    Awaited,
    Read(Columns),
    /// It cannot be used, and so no row can.
    Useless,
}

impl Csv {
    pub(super) fn new(limit: usize, delimiter: Option<u8>) -> Self {
        Self {
            header: Header::Awaited,
            delimiter,
            carry: Vec::new(),
            place: Place::Start,
            is_quoted: false,
            skipping: false,
            after_return: false,
            line: 1,
            limit,
            data: [Cow::Borrowed(""), Cow::Borrowed("")],
        }
    }

    pub(super) fn feed<F: FnMut(RowResult<'_>)>(
        &mut self,
        mut rest: &[u8],
        rows: &mut Rows,
        take: &mut F,
    ) {
        while let Some(first) = rest.first() {
            if mem::take(&mut self.after_return) && *first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            // So much until the limit is passed, which must not depend on the chunks.
            let room = match self.skipping {
                true => rest.len(),
                false => (self.limit - self.carry.len()).saturating_add(1).min(rest.len()),
            };
            let end = match self.skipping {
                true => memchr::memchr2(b'\n', b'\r', rest),
                false => self.scan(&rest[..room]),
            };
            let Some(end) = end else {
                self.hold(&rest[..room], rows, take);
                rest = &rest[room..];
                continue;
            };
            if self.skipping {
                self.line += 1;
            } else if self.carry.is_empty() {
                self.row(&rest[..end], rows, take);
            } else {
                let mut line = mem::take(&mut self.carry);
                line.extend_from_slice(&rest[..end]);
                self.row(&line, rows, take);
                line.clear();
                self.carry = line;
            }
            self.skipping = false;
            self.is_quoted = false;
            self.place = Place::Start;
            self.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
        }
    }

    /// Looks for the end of the line.
    fn scan(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..)?;
            match self.place {
                Place::Start | Place::Plain => {
                    let Some(found) = memchr::memchr3(b'\n', b'\r', b'"', rest) else {
                        if let Some(last) = rest.last() {
                            self.place = self.after(*last);
                        }
                        return None;
                    };
                    if let Some(last) = found.checked_sub(1).and_then(|last| rest.get(last)) {
                        self.place = self.after(*last);
                    }
                    at += found;
                    if bytes[at] != b'"' {
                        return Some(at);
                    }
                    if self.place == Place::Start {
                        self.place = Place::Quoted;
                        self.is_quoted = true;
                    }
                    at += 1;
                }
                Place::Quoted => {
                    at += memchr::memchr(b'"', rest)? + 1;
                    self.place = Place::Closed;
                }
                Place::Closed => {
                    match rest.first()? {
                        b'"' => self.place = Place::Quoted,
                        b'\n' | b'\r' => return Some(at),
                        byte => self.place = self.after(*byte),
                    }
                    at += 1;
                }
            }
        }
    }

    fn after(&self, byte: u8) -> Place {
        let is_delimiter = match self.delimiter {
            Some(delimiter) => byte == delimiter,
            None => DELIMITERS.contains(&byte),
        };
        if is_delimiter { Place::Start } else { Place::Plain }
    }

    /// Keeps a part of a line, if it is not too long.
    fn hold<F: FnMut(RowResult<'_>)>(&mut self, part: &[u8], rows: &mut Rows, take: &mut F) {
        if self.skipping {
            return;
        }
        self.carry.extend_from_slice(part);
        if self.carry.len() <= self.limit {
            return;
        }
        match self.header {
            Header::Awaited => {
                self.header = Header::Useless;
                rows.tally.file(too_long(self.limit), self.line, take);
            }
            Header::Useless => rows.tally.count(RowCode::MissingColumn, 1),
            Header::Read(_) => rows.tally.row(Err(too_long(self.limit)), self.line, take),
        }
        // What comes after the next line end may be a row again.
        self.line += newlines(&self.carry);
        self.carry.clear();
        self.skipping = true;
    }

    /// A whole line.
    fn row<F: FnMut(RowResult<'_>)>(&mut self, line: &[u8], rows: &mut Rows, take: &mut F) {
        let start = self.line;
        self.line += 1 + if self.is_quoted { newlines(line) } else { 0 };
        if line.trim_ascii().is_empty() {
            return;
        }
        match &self.header {
            Header::Read(columns) => {
                let Rows { tally, offset, scratch, .. } = rows;
                let row =
                    cells::read(line, tally.next(), columns, *offset, scratch, &mut self.data);
                tally.row(row, start, take);
            }
            Header::Useless => rows.tally.count(RowCode::MissingColumn, 1),
            Header::Awaited => {
                // Spreadsheets say so which delimiter they wrote.
                if let ([b's', b'e', b'p', b'=', delimiter], None) = (line, self.delimiter) {
                    self.delimiter = Some(*delimiter);
                    return;
                }
                let delimiter = self.delimiter.unwrap_or_else(|| most_frequent(line));
                self.delimiter = Some(delimiter);
                self.header = match columns(line, delimiter, &mut rows.names) {
                    Ok(columns) => Header::Read(columns),
                    Err(fault) => {
                        rows.tally.file(fault, start, take);
                        Header::Useless
                    }
                };
            }
        }
    }

    pub(super) fn finish<F: FnMut(RowResult<'_>)>(&mut self, rows: &mut Rows, take: &mut F) {
        if self.place == Place::Quoted && matches!(self.header, Header::Read(_)) {
            // Everything behind the quote was taken for its cell: those lines are rows of their own.
            let carry = mem::take(&mut self.carry);
            rows.tally.row(Err(unclosed()), self.line, take);
            self.place = Place::Start;
            if let Some(end) = memchr::memchr(b'\n', &carry) {
                self.line += 1;
                self.feed(&carry[end + 1..], rows, take);
            }
        }
        let carry = mem::take(&mut self.carry);
        self.row(&carry, rows, take);
        if matches!(self.header, Header::Awaited) {
            let help = "the first line has the names of the columns";
            let fault = Fault::new(RowCode::MissingColumn, "the file has no header", help);
            rows.tally.file(fault, 1, take);
        }
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The delimiter that the header has most of, outside of quotes.
fn most_frequent(header: &[u8]) -> u8 {
    let mut counts = [0_usize; DELIMITERS.len()];
    let mut is_quoted = false;
    for byte in header {
        is_quoted ^= *byte == b'"';
        if let Some(index) = DELIMITERS.iter().position(|known| known == byte)
            && !is_quoted
        {
            counts[index] += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let index = counts.iter().position(|count| *count == most).unwrap_or(0);
    DELIMITERS[index]
}

/// What the columns of a header stand for.
fn columns(header: &[u8], delimiter: u8, names: &mut Names) -> Result<Columns, Fault> {
    let header = core::str::from_utf8(header).map_err(|error| not_utf8(error.valid_up_to()))?;
    let titles: Vec<Cow<'_, str>> = Cells::new(header, delimiter).collect::<Result<_, _>>()?;
    let titles: Vec<&str> = titles.iter().map(|title| title.trim()).collect();
    let mut meanings: Vec<Meaning> = Vec::with_capacity(titles.len());
    let mut indices = Vec::with_capacity(titles.len());
    // For each field the column that has it, and its rank.
    let mut best: [Option<(usize, u8)>; FIELDS] = [None; FIELDS];
    names.begin();
    for (column, title) in titles.iter().enumerate() {
        let found = names.find(title);
        indices.push(found.index);
        meanings.push(if found.twice { Meaning::Nothing } else { found.meaning });
        if let (Meaning::Field { field, rank, .. }, false) = (found.meaning, found.twice) {
            let best = &mut best[field as usize];
            let worse = match best {
                Some((_, taken)) if *taken <= rank => Some(column),
                best => best.replace((column, rank)).map(|(column, _)| column),
            };
            if let Some(worse) = worse {
                meanings[worse] = Meaning::Nothing;
            }
        }
    }
    for (meaning, index) in meanings.iter().zip(indices) {
        match meaning {
            Meaning::Nothing => names.ignored(index),
            _ => names.took(index),
        }
    }
    let needed = [Field::ObjectId, Field::ToStates, Field::Timestamp];
    let missing: Vec<&str> = needed
        .iter()
        .filter(|field| best[**field as usize].is_none())
        .map(|field| field.name())
        .collect();
    let unknown = names.mapped().find(|name| !titles.contains(name));
    if missing.is_empty() && unknown.is_none() {
        return Ok(Columns { meanings, parts: names.parts.clone(), delimiter });
    }
    let message = match unknown {
        Some(name) => {
            format!("the header has no column `{name}`, which the option `columns` names")
        }
        None => format!("the header has no column for `{}`", missing.join("`, `")),
    };
    Err(Fault::new(RowCode::MissingColumn, message, way_out(&titles, missing.first(), delimiter)))
}

/// Which columns there are, and how to say what they are.
fn way_out(titles: &[&str], missing: Option<&&str>, delimiter: u8) -> String {
    const SHOWN: usize = 20;
    let mut shown: Vec<String> =
        titles.iter().take(SHOWN).map(|title| format!("`{}`", super::when::shown(title))).collect();
    if titles.len() > SHOWN {
        shown.push(format!("{} more", titles.len() - SHOWN));
    }
    let field = missing.copied().unwrap_or("to_states");
    let mut help = format!(
        "the columns are {}; say which one it is with the option `columns`: {{\"{field}\": \"…\"}}",
        shown.join(", ")
    );
    if titles.len() == 1 {
        let delimiter = char::from(delimiter);
        help =
            format!("{help}; if `{delimiter}` does not part them, say what does with `delimiter`");
    }
    help
}
