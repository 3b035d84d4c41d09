//! From text to a definition. There is one parser, and every surface calls it.

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

use serde::de::DeserializeOwned;

use crate::{
    definition::Definition,
    diagnostic::{Code, Diagnostic},
    json::{Object, cause},
    limits::Limits,
    name::{Nearest, quoted},
    place::{byte_of, escape, locate, place_of, pointer_at, string_end, without_mark},
};

/// `serde_json` refuses deeper texts itself; the limit can only be lower.
const DEEPEST: usize = 120;

/// Reads a definition. The first fault of shape comes with its place.
pub(crate) fn read(text: &str, limits: &Limits) -> Result<Definition, Box<Diagnostic>> {
    read_as::<Object<Definition>>(text, limits).map(|definition| definition.0)
}

/// Reads any shape. The first fault comes with its place.
pub(crate) fn read_as<T: DeserializeOwned>(
    text: &str,
    limits: &Limits,
) -> Result<T, Box<Diagnostic>> {
    within(text, limits)?;
    let text = without_mark(text);
    let mut reader = serde_json::Deserializer::from_str(text);
    let fault = match T::deserialize(&mut reader) {
        Ok(value) => match reader.end() {
            Ok(()) => return Ok(value),
            Err(error) => syntax_fault(text, &error),
        },
        Err(error) if error.is_data() => shape_fault(text, &error),
        Err(error) => syntax_fault(text, &error),
    };
    Err(Box::new(fault))
}

fn within(text: &str, limits: &Limits) -> Result<(), Box<Diagnostic>> {
    let exceeded = |message: String, help: &str| {
        let mut fault = Diagnostic::new(Code::LimitExceeded, String::new(), message, help);
        (fault.line, fault.column) = (Some(1), Some(1));
        Err(Box::new(fault))
    };
    if text.len() > limits.bytes {
        let message =
            format!("the text has {} bytes, the limit `bytes` is {}", text.len(), limits.bytes);
        return exceeded(message, "split the definition, or raise the limit `bytes`");
    }
    let deepest = limits.depth.min(DEEPEST);
    if depth(text) > deepest {
        let message = format!("the text is nested more deeply than the limit `depth`, {deepest}");
        return exceeded(
            message,
            "nest less deeply (a level of states takes 2 or 3 of it), or raise the limit `depth`, to 120 at most",
        );
    }
    Ok(())
}

/// How deeply brackets are nested; a good bound for texts that are not JSON, too.
fn depth(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut now, mut most, mut at) = (0_usize, 0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => {
                now += 1;
                most = most.max(now);
            }
            b'}' | b']' => now = now.saturating_sub(1),
            _ => {}
        }
        at = if *byte == b'"' { string_end(bytes, at) } else { at + 1 };
    }
    most
}

fn syntax_fault(text: &str, error: &serde_json::Error) -> Diagnostic {
    let message = format!("the text is not JSON: {}", cause(error));
    let help = "mend the JSON at this place; a comma or a quote is often missing just before it";
    let mut fault = Diagnostic::new(Code::InvalidJson, String::new(), message, help);
    let byte = byte_of(text, error);
    (fault.line, fault.column) = place_of(text, byte);
    fault
}

fn shape_fault(text: &str, error: &serde_json::Error) -> Diagnostic {
    let cause = cause(error);
    let byte = byte_of(text, error);
    let mut pointer = pointer_at(text, byte);
    // A word that is not known, and those that are.
    let unknown = |what: &str| {
        let (word, known) = cause.strip_prefix(what)?.rsplit_once("`, expected ")?;
        Some((word, known.split('`').skip(1).step_by(2).collect::<Vec<_>>()))
    };

    let fault = if let Some((field, known)) = unknown("unknown field `") {
        let help = match Nearest::new().find(field, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`? free data goes into `metadata`"),
            None => {
                format!("the fields here are {}; free data goes into `metadata`", quoted(known))
            }
        };
        if !pointer.ends_with(&escape(field)) {
            pointer = format!("{pointer}/{}", escape(field));
        }
        Diagnostic::new(Code::UnknownField, pointer, format!("unknown field `{field}`"), help)
    } else if let Some(field) =
        cause.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'))
    {
        let help = format!("add the field `{field}`");
        Diagnostic::new(
            Code::MissingField,
            pointer,
            format!("the field `{field}` is missing"),
            help,
        )
    } else if let Some(field) =
        cause.strip_prefix("duplicate field `").and_then(|rest| rest.strip_suffix('`'))
    {
        let help = "keep one of the two";
        let mut fault = Diagnostic::new(
            Code::DuplicateField,
            pointer,
            format!("the field `{field}` is written twice"),
            help,
        );
        (fault.line, fault.column) =
            place_of(text, text.get(..byte).and_then(|before| before.rfind('"')).unwrap_or(byte));
        return fault;
    } else if let Some((word, known)) = unknown("unknown variant `") {
        let help = match Nearest::new().find(word, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("the words here are {}", quoted(known)),
        };
        Diagnostic::new(
            Code::InvalidShape,
            pointer,
            format!("`{word}` is no word for this place"),
            help,
        )
    } else {
        let help = "write a value of the type that this field has";
        Diagnostic::new(Code::InvalidShape, pointer, cause, help)
    };
    // What comes after the fault has not been read, and may be anything.
    let read = text.get(..=byte).unwrap_or(text);
    locate(read, vec![fault]).remove(0)
}
