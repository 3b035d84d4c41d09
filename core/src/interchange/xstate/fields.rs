//! The small parts of a config: texts, names of actions, guards.

use alloc::{format, vec::Vec};

use super::{
    json::Json,
    refusals::{Place, Refusals},
};
use crate::{
    diagnostic::Code,
    name::{self, Nearest, quoted},
};

pub(super) fn text<'j>(
    value: &'j Json,
    place: &Place<'_>,
    refusals: &mut Refusals,
) -> Option<&'j str> {
    let text = value.as_text();
    if text.is_none() {
        refusals.shape(place, "a text");
    }
    text
}

pub(super) fn yes_or_no(value: &Json, place: &Place<'_>, refusals: &mut Refusals) -> Option<bool> {
    if let Json::Bool(yes) = value {
        return Some(*yes);
    }
    refusals.shape(place, "`true` or `false`");
    None
}

/// The value, or each item of a list.
pub(super) fn each<'j>(
    value: &'j Json,
    place: &Place<'_>,
    mut visit: impl FnMut(&'j Json, &Place<'_>),
) {
    match value {
        Json::List(items) => {
            for (index, item) in items.iter().enumerate() {
                visit(item, &Place::Item(place, index));
            }
        }
        _ => visit(value, place),
    }
}

/// One text, or a list of texts.
pub(super) fn texts<'j>(
    value: &'j Json,
    place: &Place<'_>,
    refusals: &mut Refusals,
) -> Vec<&'j str> {
    let mut texts = Vec::new();
    each(value, place, |item, place| texts.extend(text(item, place, refusals)));
    texts
}

/// A name that a definition can have.
pub(super) fn is_name(text: &str, place: &Place<'_>, refusals: &mut Refusals) -> bool {
    let Some(fault) = name::fault(text) else { return true };
    let shown: alloc::string::String = text.chars().filter(|c| !c.is_control()).collect();
    let help = "a name is any non-empty text without control characters";
    refusals.refuse(place, Code::InvalidName, format!("the name `{shown}` {fault}"), help);
    false
}

pub(super) fn unknown_field(
    place: &Place<'_>,
    field: &str,
    known: &[&'static str],
    refusals: &mut Refusals,
) {
    let help = match Nearest::new().find(field, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`? data of your own goes into `meta`"),
        None => format!(
            "the fields here are {}; data of your own goes into `meta`",
            quoted(known.iter().copied())
        ),
    };
    refusals.refuse(place, Code::UnknownField, format!("unknown field `{field}`"), help);
}

/// Names of actions: texts, or objects that have a `type` and nothing else.
pub(super) fn actions<'j>(
    value: &'j Json,
    place: &Place<'_>,
    refusals: &mut Refusals,
) -> Vec<&'j str> {
    let mut names = Vec::new();
    each(value, place, |item, place| names.extend(action(item, place, refusals)));
    names
}

fn action<'j>(value: &'j Json, place: &Place<'_>, refusals: &mut Refusals) -> Option<&'j str> {
    let name = typed(value, place, "an action", refusals, &mut |place, refusals| {
        let message = "an action with data of its own has no counterpart: a side effect is a name";
        let help = "give the action a name of its own, and let the host know the data by it";
        refusals.no_counterpart(place, message, help);
    })?;
    if let Some(built_in) = name.strip_prefix("xstate.") {
        let message = format!("`{built_in}` is an action that XState itself carries out");
        let help =
            "take it out: data belong to the object, and what follows at once is an `always`";
        refusals.refuse(place, Code::NoCounterpart, message, help);
        return None;
    }
    is_name(name, place, refusals).then_some(name)
}

/// The name of a guard: a text, or an object that has a `type` and nothing else.
pub(super) fn guard<'j>(
    value: &'j Json,
    place: &Place<'_>,
    refusals: &mut Refusals,
) -> Option<&'j str> {
    let name = typed(value, place, "a guard", refusals, &mut |place, refusals| {
        let message = "a guard with parts of its own (`and`, `not`, `params`) has no counterpart";
        let help = "give the whole guard one name, and register a function of that name or write \
                    it in CEL under `guards`";
        refusals.no_counterpart(place, message, help);
    })?;
    if name::is_guard_name(name) {
        return Some(name);
    }
    let message = format!("`{name}` cannot be the name of a guard");
    let help = "rename it: letters, digits and `_`, not a digit first, and no word of CEL";
    refusals.refuse(place, Code::NoCounterpart, message, help);
    None
}

/// A text, or the `type` of an object that has nothing else.
fn typed<'j>(
    value: &'j Json,
    place: &Place<'_>,
    what: &str,
    refusals: &mut Refusals,
    refuse: &mut dyn FnMut(&Place<'_>, &mut Refusals),
) -> Option<&'j str> {
    match value {
        Json::Text(text) => Some(text),
        Json::Object(members) => match members.as_slice() {
            [(key, value)] if key == "type" => text(value, &Place::Key(place, "type"), refusals),
            _ => {
                refuse(place, refusals);
                None
            }
        },
        _ => {
            refusals.shape(place, &format!("the name of {what}"));
            None
        }
    }
}
