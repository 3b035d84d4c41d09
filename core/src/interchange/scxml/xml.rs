//! From text to XML, within bounds.
//!
//! The parser neither recurses nor expands entities without a document type, but its memory grows with every
//! `<` and `=`, and its time with the square of the attributes of one element and of the namespaces. One
//! pass over the text bounds these before it starts.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use roxmltree::{Document, Error, ParsingOptions};

use crate::{
    interchange::finding::{Findings, ImportCode},
    limits::Limits,
};

/// Elements inside of elements, at most, whatever the limits say: reading recurses.
const DEEPEST: usize = 120;
/// Attributes of one element; SCXML knows five.
const ATTRIBUTES: usize = 64;
/// Declarations of namespaces in one document.
const NAMESPACES: usize = 64;

/// The document that the text is, or nothing and a finding.
pub(super) fn parse<'t>(
    text: &'t str,
    limits: &Limits,
    findings: &mut Findings<'_>,
) -> Option<Document<'t>> {
    let elements = limits.states.saturating_add(limits.transitions);
    let Scanned { open } = scan(text, elements, limits.depth.min(DEEPEST), findings)?;
    let options = ParsingOptions {
        nodes_limit: u32::try_from(elements.saturating_mul(4).saturating_add(SMALL))
            .unwrap_or(u32::MAX),
        ..ParsingOptions::default()
    };
    let error = match Document::parse_with_options(text, options) {
        Ok(document) => return Some(document),
        Err(error) => error,
    };
    let at = match (&error, open) {
        (Error::UnclosedRootNode, Some(open)) => open,
        (Error::UnclosedRootNode | Error::UnexpectedEndOfStream, _) => text.len(),
        _ => byte_of(text, error.pos().row, error.pos().col),
    };
    let (code, message, help) = match error {
        Error::DtdDetected => return refuse_type(at, findings),
        Error::NodesLimitReached | Error::AttributesLimitReached => (
            ImportCode::LimitExceeded,
            "the document has too many elements".into(),
            "split the document, or raise the limits `states` and `transitions`",
        ),
        Error::UnclosedRootNode => (
            ImportCode::InvalidXml,
            "the text is not XML: an element is never closed".into(),
            "close the element",
        ),
        error => (
            ImportCode::InvalidXml,
            format!("the text is not XML: {}", cause(&error)),
            "mend the XML at this place",
        ),
    };
    findings.add(at, code, message, help);
    None
}

/// What the first pass finds.
struct Scanned {
    /// The innermost element that is never closed.
    open: Option<usize>,
}

/// What a small document may hold under any limits.
const SMALL: usize = 1000;

/// Passes over the text and stops at what the parser should not see.
fn scan(text: &str, elements: usize, depth: usize, findings: &mut Findings<'_>) -> Option<Scanned> {
    let bytes = text.as_bytes();
    let count = |sign| text.matches(sign).count();
    for (sign, limit) in [('<', elements.saturating_mul(2)), ('=', elements.saturating_mul(4))] {
        if count(sign) > limit.saturating_add(SMALL) {
            let message = "the document has more elements or attributes than the limits `states` and \
                           `transitions` have room for";
            findings.add(
                0,
                ImportCode::LimitExceeded,
                message,
                "split the document, or raise them",
            );
            return None;
        }
    }
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut namespaces) = (0, 0);
    while let Some(next) = text[at..].find('<') {
        at += next;
        let rest = &text[at..];
        let until = |end: &str| rest.find(end).map_or(text.len(), |found| at + found + end.len());
        if rest.starts_with("<!--") {
            at = until("-->");
        } else if rest.starts_with("<![CDATA[") {
            at = until("]]>");
        } else if rest.starts_with("<?") {
            at = until("?>");
        } else if rest.starts_with("<!") {
            return refuse_type(at, findings);
        } else if rest.starts_with("</") {
            open.pop();
            at = until(">");
        } else {
            let tag = Tag::of(&bytes[at..]);
            namespaces += tag.namespaces;
            let limit = if open.len() >= depth {
                Some(format!("elements are nested more deeply than the limit `depth`, {depth}"))
            } else if tag.attributes > ATTRIBUTES {
                Some(format!("an element has more than {ATTRIBUTES} attributes"))
            } else if namespaces > NAMESPACES {
                Some(format!("the document declares more than {NAMESPACES} namespaces"))
            } else {
                None
            };
            if let Some(message) = limit {
                findings.add(at, ImportCode::LimitExceeded, message, "simplify the document");
                return None;
            }
            if !tag.is_closed {
                open.push(at);
            }
            at += tag.length;
        }
    }
    Some(Scanned { open: open.pop() })
}

fn refuse_type<T>(at: usize, findings: &mut Findings<'_>) -> Option<T> {
    let message = "the document has a document type declaration (`<!DOCTYPE>`)";
    let help = "remove it, and write out the entities that it declares";
    findings.add(at, ImportCode::DocumentType, message, help);
    None
}

/// A start tag, roughly: the parser says whether it is one.
#[derive(Debug)]
struct Tag {
    length: usize,
    attributes: usize,
    namespaces: usize,
    is_closed: bool,
}

impl Tag {
    fn of(bytes: &[u8]) -> Self {
        let mut tag = Self { length: bytes.len(), attributes: 0, namespaces: 0, is_closed: false };
        let mut quote = None;
        for (at, &byte) in bytes.iter().enumerate().skip(1) {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => tag.attributes += 1,
                (None, b'x') => tag.namespaces += usize::from(bytes[at..].starts_with(b"xmlns")),
                (None, b'>') => {
                    tag.is_closed = bytes[at - 1] == b'/';
                    tag.length = at + 1;
                    break;
                }
                _ => {}
            }
        }
        tag
    }
}

/// What the parser says, without the place, which it appends.
fn cause(error: &Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at ") {
        Some((cause, place)) if place.contains(':') => cause.into(),
        _ => text,
    }
}

fn byte_of(text: &str, row: u32, column: u32) -> usize {
    let row = (row as usize).saturating_sub(1);
    let start = match row {
        0 => 0,
        row => text.match_indices('\n').nth(row - 1).map_or(text.len(), |(at, _)| at + 1),
    };
    let rest = &text[start..];
    let column = (column as usize).saturating_sub(1);
    start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}
