//! XES (IEEE 1849): traces are cut out of the text as they come.
//!
//! Then their events are, and each is parsed by itself: the memory that parsing takes is that of one event, and
//! one that is broken does not hide the others.

use alloc::{format, string::String, vec::Vec};

use super::{
    event::{self, ATTRIBUTES, Place, Scratch},
    lines::too_long,
    markup::{Found, Markup},
    reader::Rows,
    summary::{Fault, RowCode, RowResult},
};

/// Chunks are taken in pieces of this size, so that a large one is not held as a whole.
const PIECE: usize = 1 << 16;

/// Reads XES.
#[derive(Debug)]
pub(super) struct Xes {
    /// The trace that has begun, or else the markup that has.
    buffer: Vec<u8>,
    markup: Markup,
    trace: Option<Trace>,
    /// Prefixes of namespaces that the log declares.
    prefixes: Vec<String>,
    log: Log,
    /// Up to here lines have been counted.
    counted: usize,
    line: u64,
    limit: usize,
    scratch: Scratch,
}

/// How far the log is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Log {
    Before,
    Open,
    Closed,
    /// What follows cannot be read.
    Useless,
}

/// A trace that has begun.
#[derive(Debug)]
struct Trace {
    start: usize,
    line: u64,
    events: Vec<Place>,
    /// The event that has begun, and how many are inside of each other.
    open: Option<Place>,
    depth: usize,
    is_crowded: bool,
    /// It is too long: its events are only counted.
    skipped: Option<u64>,
}

impl Xes {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            markup: Markup::default(),
            trace: None,
            prefixes: Vec::new(),
            log: Log::Before,
            counted: 0,
            line: 1,
            limit,
            scratch: Scratch::default(),
        }
    }

    pub(super) fn feed<F: FnMut(RowResult<'_>)>(
        &mut self,
        bytes: &[u8],
        rows: &mut Rows,
        take: &mut F,
    ) {
        for piece in bytes.chunks(PIECE) {
            if matches!(self.log, Log::Useless | Log::Closed) {
                return;
            }
            self.buffer.extend_from_slice(piece);
            self.go_on(rows, take);
        }
    }

    fn go_on<F: FnMut(RowResult<'_>)>(&mut self, rows: &mut Rows, take: &mut F) {
        while let Some(found) = self.markup.next(&self.buffer) {
            match found {
                Found::Doctype { start } => {
                    let message = "the file has a document type";
                    let help = "XES has none: take it away";
                    let fault = Fault::new(RowCode::InvalidXml, message, help);
                    self.give_up(fault, start, rows, take);
                }
                Found::Tag { start, end, .. } | Found::Instruction { start, end }
                    if end - start > self.limit =>
                {
                    self.give_up(too_long(self.limit), start, rows, take);
                }
                Found::Instruction { start, end } => {
                    if let Some(fault) = foreign_encoding(&self.buffer[start..end]) {
                        self.give_up(fault, start, rows, take);
                    }
                }
                Found::Tag { start, end, attributes } => {
                    self.tag(start, end, attributes, rows, take);
                }
            }
            if matches!(self.log, Log::Useless | Log::Closed) {
                self.buffer = Vec::new();
                return;
            }
        }
        if self.markup.held(&self.buffer) > self.limit {
            let start = self.markup.needed();
            self.give_up(too_long(self.limit), start, rows, take);
            self.buffer = Vec::new();
            return;
        }
        let length = self.buffer.len();
        if let Some(trace) = &mut self.trace
            && trace.skipped.is_none()
            && length - trace.start > self.limit
        {
            trace.skip();
        }
        let needed = match &self.trace {
            Some(Trace { start, skipped: None, .. }) => *start,
            _ => self.markup.needed(),
        };
        self.count_lines(needed);
        self.buffer.drain(..needed);
        self.markup.cut(needed);
        self.counted -= needed;
        if let Some(trace) = &mut self.trace {
            trace.start = trace.start.saturating_sub(needed);
        }
    }

    /// The line of a byte of the buffer.
    fn count_lines(&mut self, at: usize) -> u64 {
        if let Some(passed) = self.buffer.get(self.counted..at) {
            self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
            self.counted = at;
        }
        self.line
    }

    fn tag<F: FnMut(RowResult<'_>)>(
        &mut self,
        start: usize,
        end: usize,
        attributes: usize,
        rows: &mut Rows,
        take: &mut F,
    ) {
        let tag = &self.buffer[start..end];
        let is_end = tag.get(1) == Some(&b'/');
        let is_whole = tag.ends_with(b"/>");
        let name = local_name(tag);
        if let Some(trace) = &mut self.trace
            && attributes > ATTRIBUTES
        {
            let is_crowded =
                trace.open.as_mut().map_or(&mut trace.is_crowded, |event| &mut event.is_crowded);
            *is_crowded = true;
        }
        match (name, is_end) {
            (b"log", false) if self.log == Log::Before => {
                self.prefixes = prefixes(tag);
                self.log = if is_whole { Log::Closed } else { Log::Open };
            }
            _ if self.log == Log::Before => {
                let help = "an XES file begins with the element `log`";
                let fault = Fault::new(RowCode::InvalidXml, "the file is no XES log", help);
                self.give_up(fault, start, rows, take);
            }
            (b"log", true) => {
                self.close_trace(start, rows, take);
                self.log = Log::Closed;
            }
            (b"trace", false) => {
                self.close_trace(start, rows, take);
                if !is_whole {
                    let line = self.count_lines(start);
                    let is_crowded = attributes > ATTRIBUTES;
                    self.trace = Some(Trace {
                        start,
                        line,
                        events: Vec::new(),
                        open: None,
                        depth: 0,
                        is_crowded,
                        skipped: None,
                    });
                }
            }
            (b"trace", true) => self.close_trace(end, rows, take),
            (b"event", false) => {
                let line = self.count_lines(start);
                match &mut self.trace {
                    Some(trace) => {
                        trace.open_event(start, line, attributes > ATTRIBUTES);
                        if is_whole {
                            trace.close_event(end);
                        }
                    }
                    None => {
                        let help = "put the event into the trace of its object";
                        let message = "the event belongs to no trace";
                        let fault = Fault::new(RowCode::OutsideTrace, message, help);
                        rows.tally.row(Err(fault), line, take);
                    }
                }
            }
            (b"event", true) => {
                if let Some(trace) = &mut self.trace {
                    trace.close_event(end);
                }
            }
            _ => {}
        }
    }

    /// The trace ends before the byte `end` of the buffer, whether it is closed or not.
    fn close_trace<F: FnMut(RowResult<'_>)>(&mut self, end: usize, rows: &mut Rows, take: &mut F) {
        let Some(mut trace) = self.trace.take() else { return };
        if trace.skipped.is_none() && end - trace.start > self.limit {
            trace.skip();
        }
        if let Some(events) = trace.skipped {
            let fault = too_long(self.limit);
            match events.checked_sub(1) {
                None => rows.tally.file(fault, trace.line, take),
                Some(others) => {
                    rows.tally.row(Err(fault), trace.line, take);
                    rows.tally.count(RowCode::LimitExceeded, others);
                }
            }
            return;
        }
        // An event that is not closed is in the way of what comes after it.
        trace.events.extend(trace.open.take());
        let text = &self.buffer[trace.start..end];
        read_trace(text, &trace, &self.prefixes, &mut self.scratch, rows, take);
    }

    /// The file cannot be read any further.
    fn give_up<F: FnMut(RowResult<'_>)>(
        &mut self,
        fault: Fault,
        at: usize,
        rows: &mut Rows,
        take: &mut F,
    ) {
        if let Some(trace) = self.trace.take() {
            rows.tally.count(fault.code, trace.count());
        }
        let line = self.count_lines(at);
        rows.tally.file(fault, line, take);
        self.log = Log::Useless;
    }

    pub(super) fn finish<F: FnMut(RowResult<'_>)>(&mut self, rows: &mut Rows, take: &mut F) {
        let unfinished = |what: &str| {
            let message = format!("the text ends within the {what}");
            Fault::new(RowCode::Unfinished, message, "the file was probably cut off: get all of it")
        };
        if self.trace.is_some() {
            match self.trace.as_ref().is_some_and(|trace| trace.skipped.is_some()) {
                true => self.close_trace(self.buffer.len(), rows, take),
                false => {
                    let trace = self.trace.take();
                    for event in
                        trace.iter().flat_map(|trace| trace.events.iter().chain(&trace.open))
                    {
                        rows.tally.row(Err(unfinished("trace")), event.line, take);
                    }
                    if let Some(trace) = trace.filter(|trace| trace.count() == 0) {
                        rows.tally.file(unfinished("trace"), trace.line, take);
                    }
                }
            }
        } else if self.log == Log::Open {
            let what = if self.markup.is_open(&self.buffer) { "element" } else { "log" };
            let line = self.count_lines(self.buffer.len());
            rows.tally.file(unfinished(what), line, take);
        } else if self.log == Log::Before {
            let help = "an XES file begins with the element `log`";
            let fault = Fault::new(RowCode::InvalidXml, "the file is no XES log", help);
            let line = self.count_lines(self.buffer.len());
            rows.tally.file(fault, line, take);
        }
        self.buffer = Vec::new();
    }
}

impl Trace {
    fn open_event(&mut self, start: usize, line: u64, is_crowded: bool) {
        self.depth += 1;
        if self.depth > 1 {
            return;
        }
        if let Some(events) = &mut self.skipped {
            *events += 1;
        } else {
            let start = start - self.start;
            self.open = Some(Place { start, end: start, line, is_crowded });
        }
    }

    fn close_event(&mut self, end: usize) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0
            && let Some(event) = self.open.take()
        {
            self.events.push(Place { end: end - self.start, ..event });
        }
    }

    fn count(&self) -> u64 {
        self.skipped.unwrap_or((self.events.len() + usize::from(self.open.is_some())) as u64)
    }

    fn skip(&mut self) {
        self.skipped = Some(self.count());
        self.events = Vec::new();
        self.open = None;
    }
}

/// Reads the events of a trace.
fn read_trace<F: FnMut(RowResult<'_>)>(
    text: &[u8],
    trace: &Trace,
    prefixes: &[String],
    scratch: &mut Scratch,
    rows: &mut Rows,
    take: &mut F,
) {
    let mut head = Vec::new();
    let mut at = 0;
    for event in &trace.events {
        head.extend_from_slice(text.get(at..event.start).unwrap_or_default());
        at = event.end;
    }
    head.extend_from_slice(text.get(at..).unwrap_or_default());
    let inherited = event::wrapped(&head, prefixes, trace.is_crowded)
        .and_then(|head| event::inherited(&event::document(&head)?, &mut rows.names));
    for (event, position) in trace.events.iter().zip(1..) {
        let text = text.get(event.start..event.end).unwrap_or_default();
        let Rows { names, tally, offset, .. } = rows;
        let place = (tally.next(), position);
        let fault = match (&inherited, event::wrapped(text, prefixes, event.is_crowded)) {
            (Ok(inherited), Ok(text)) => match event::document(&text) {
                Ok(document) => {
                    let row = event::read(&document, place, inherited, names, *offset, scratch);
                    tally.row(row, event.line, take);
                    continue;
                }
                Err(fault) => fault,
            },
            (_, Err(fault)) => fault,
            (Err(fault), _) => fault.clone(),
        };
        tally.row(Err(fault), event.line, take);
    }
    if let (Err(fault), true) = (inherited, trace.events.is_empty()) {
        rows.tally.file(fault, trace.line, take);
    }
}

/// The name of a tag without its prefix.
fn local_name(tag: &[u8]) -> &[u8] {
    let name = tag.strip_prefix(b"</").or_else(|| tag.strip_prefix(b"<")).unwrap_or(tag);
    let end = name.iter().position(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte));
    let name = &name[..end.unwrap_or(name.len())];
    name.iter().rposition(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..])
}

/// The prefixes that a tag declares.
fn prefixes(tag: &[u8]) -> Vec<String> {
    const MOST: usize = 32;
    let mut prefixes: Vec<String> = Vec::new();
    for at in memchr::memmem::find_iter(tag, b"xmlns:") {
        let name = &tag[at + 6..];
        let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        let name = String::from_utf8_lossy(&name[..end.unwrap_or(name.len())]).into_owned();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name != "xmlns";
        if is_name && name != "xml" && !prefixes.contains(&name) && prefixes.len() < MOST {
            prefixes.push(name);
        }
    }
    prefixes
}

/// What is said of a declaration that names an encoding other than UTF-8.
fn foreign_encoding(instruction: &[u8]) -> Option<Fault> {
    let declaration = instruction.strip_prefix(b"<?xml")?;
    declaration.first().filter(|byte| byte.is_ascii_whitespace())?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let value = value.split(|byte| byte == quote).next()?;
    if [&b"utf-8"[..], b"utf8", b"us-ascii", b"ascii"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(value))
    {
        return None;
    }
    let message = format!("the file is encoded in `{}`", String::from_utf8_lossy(value));
    let help = "save the file as UTF-8, and let its declaration say so";
    Some(Fault::new(RowCode::InvalidEncoding, message, help))
}
