//! Rows from the trace of an XES log.

use alloc::{
    borrow::Cow,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use roxmltree::{Document, Node, ParsingOptions};
use smallvec::smallvec;

use super::{
    cells::{Slots, Step, push_part},
    convert,
    names::{Field, Meaning, Names},
    object::{not_utf8, push_string},
    row::{LogRowRef, RowNames},
    summary::{Fault, RowCode},
    when,
};

/// Size of one event, and of what a trace has besides its events.
pub(super) const EVENT_BYTES: usize = 1 << 20;
/// Attributes of one element, of which XES has two: the parser's time grows with the square of their number.
pub(super) const ATTRIBUTES: usize = 64;
/// Declarations of namespaces in one event; the parser copies them.
const NAMESPACES: usize = 64;

/// Where an event is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// In bytes from the beginning of its trace.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: u64,
    /// One of its elements has too many attributes.
    pub(super) is_crowded: bool,
}

/// What a trace says of all its events: what each attribute stands for, and its value.
pub(super) type Inherited = Vec<(Meaning, String)>;

/// The texts that rows borrow from.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    metadata: String,
    object: String,
}

/// A part of a log as XML by itself, with the prefixes of the log declared around it.
pub(super) fn wrapped<'a>(
    part: &'a [u8],
    prefixes: &[String],
    is_crowded: bool,
) -> Result<Cow<'a, str>, Fault> {
    let exceeded = |message: String| {
        Fault::new(RowCode::LimitExceeded, message, "take away what is not needed")
    };
    if part.len() > EVENT_BYTES {
        return Err(exceeded(format!("the event is longer than {EVENT_BYTES} bytes")));
    }
    if is_crowded {
        return Err(exceeded(format!("an element has more than {ATTRIBUTES} attributes")));
    }
    if memchr::memmem::find_iter(part, b"xmlns").take(NAMESPACES + 1).count() > NAMESPACES {
        return Err(exceeded(format!("the event declares more than {NAMESPACES} namespaces")));
    }
    let text = core::str::from_utf8(part).map_err(|error| not_utf8(error.valid_up_to()))?;
    if prefixes.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    let mut whole = String::from("<log");
    for prefix in prefixes {
        whole.push_str(" xmlns:");
        whole.push_str(prefix);
        whole.push_str("=\"urn:x\"");
    }
    whole.push('>');
    whole.push_str(text);
    whole.push_str("</log>");
    Ok(Cow::Owned(whole))
}

/// The document of such a part.
pub(super) fn document(text: &str) -> Result<Document<'_>, Fault> {
    let options = ParsingOptions { nodes_limit: 1 << 17, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let message = format!("the event or its trace is not XML: {error}");
        Fault::new(RowCode::InvalidXml, message, "mend the XML of this event")
    })
}

/// The element itself, inside of what is around it.
fn element<'d>(document: &'d Document<'_>, name: &str) -> Option<Node<'d, 'd>> {
    document.root().descendants().find(|node| node.is_element() && node.tag_name().name() == name)
}

/// An attribute of XES: its key, its type and its value. None for one without a key; a list has no value.
fn attribute<'d>(node: Node<'d, 'd>) -> Option<(&'d str, &'d str, Option<&'d str>)> {
    let kind = node.tag_name().name();
    let is_scalar = matches!(kind, "string" | "date" | "int" | "float" | "boolean" | "id");
    let value = node.attribute("value").filter(|_| is_scalar);
    node.is_element().then(|| node.attribute("key").map(|key| (key, kind, value))).flatten()
}

/// Notes the attributes that are inside of an attribute, which are not used.
fn pass_nested(node: Node<'_, '_>, names: &mut Names) {
    for nested in node.descendants().skip(1) {
        if let Some((key, ..)) = attribute(nested) {
            names.ignored_name(key);
        }
    }
}

/// What a trace, whose events have been cut out, says of all of them. A name of its attribute is known as
/// `case:` and its key.
pub(super) fn inherited(head: &Document<'_>, names: &mut Names) -> Result<Inherited, Fault> {
    let mut inherited: Inherited = Vec::new();
    names.begin();
    let children = element(head, "trace").into_iter().flat_map(|trace| trace.children());
    for node in children {
        let Some((key, _, value)) = attribute(node) else { continue };
        pass_nested(node, names);
        let name = ["case:", key].concat();
        let found = names.find(&name);
        match value {
            _ if found.twice => return Err(twice(&name)),
            Some(value) if found.meaning != Meaning::Nothing => {
                names.took(found.index);
                inherited.push((found.meaning, value.to_string()));
            }
            _ => names.ignored(found.index),
        }
    }
    Ok(inherited)
}

fn twice(key: &str) -> Fault {
    let message = format!("the attribute `{}` is there twice", when::shown(key));
    Fault::new(RowCode::DuplicateField, message, "keep one of the two")
}

/// Reads one event, which is the `position`th of its trace, from 1.
pub(super) fn read<'a>(
    document: &'a Document<'a>,
    (row, position): (u64, u64),
    inherited: &'a Inherited,
    names: &mut Names,
    offset: Option<i32>,
    scratch: &'a mut Scratch,
) -> Result<LogRowRef<'a>, Fault> {
    let Scratch { metadata, object } = scratch;
    metadata.clear();
    object.clear();
    names.begin();
    let mut slots = Slots::default();
    for (meaning, value) in inherited {
        match meaning {
            Meaning::Field { field, .. } => slots.set(*field, Cow::Borrowed(value)),
            Meaning::Part(part) => push_part(object, names.part(*part), value),
            Meaning::Nothing => {}
        }
    }
    let mut lifecycle = None;
    let mut others: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let children = element(document, "event").into_iter().flat_map(|event| event.children());
    for node in children {
        let Some((key, kind, value)) = attribute(node) else { continue };
        pass_nested(node, names);
        let found = names.find(key);
        if found.twice {
            return Err(twice(key));
        }
        let Some(value) = value else {
            names.ignored(found.index);
            continue;
        };
        match found.meaning {
            Meaning::Field { field, .. } => {
                names.took(found.index);
                slots.set(field, Cow::Borrowed(value));
            }
            Meaning::Part(part) => {
                names.took(found.index);
                push_part(object, names.part(part), value);
            }
            Meaning::Nothing if key == "lifecycle:transition" => lifecycle = Some(value),
            Meaning::Nothing => {
                if others.insert(key, (kind, value)).is_some() {
                    return Err(twice(key));
                }
            }
        }
    }
    for (key, (kind, value)) in others {
        push_attribute(metadata, key, kind, value);
    }
    for json in [&mut *metadata, &mut *object] {
        json.push_str(if json.is_empty() { "null" } else { "}" });
    }
    let from_states = match slots.before()? {
        None if position == 1 => Some(RowNames::new()),
        before => before,
    };
    let mut to_states = slots
        .names(Field::ToStates)?
        .filter(|names| !names.is_empty())
        .ok_or_else(|| convert::missing(Field::ToStates))?;
    // The classifier that XES itself has: the name and the transition, joined by a plus sign.
    if let (Some(step), [name]) = (lifecycle, to_states.as_slice())
        && !step.is_empty()
        && !step.eq_ignore_ascii_case("complete")
    {
        to_states = smallvec![Cow::Owned(format!("{name}+{step}"))];
    }
    let step = Step {
        row,
        object_id: slots.needed(Field::ObjectId)?,
        sequence: slots.count(Field::Sequence)?.or(Some(position)),
        from_states,
        to_states,
    };
    let mut told = slots.told(step, offset)?;
    told.metadata = convert::data(Field::Metadata, metadata)?;
    told.object = convert::data(Field::Object, object)?;
    Ok(told)
}

/// Adds an attribute to the metadata, as the type says that it has.
fn push_attribute(json: &mut String, key: &str, kind: &str, value: &str) {
    json.push(if json.is_empty() { '{' } else { ',' });
    push_string(json, key);
    json.push(':');
    let word = value.trim_ascii();
    match kind {
        "int" if word.parse::<i64>().is_ok() => json.push_str(&int(word)),
        "float" if serde_json::from_str::<f64>(word).is_ok() => json.push_str(word),
        "boolean" if matches!(word, "true" | "false") => json.push_str(word),
        _ => push_string(json, value),
    }
}

/// A whole number as JSON writes it: without a plus sign and zeros before it.
fn int(word: &str) -> String {
    word.parse::<i64>().map_or_else(|_| word.into(), |number| number.to_string())
}
