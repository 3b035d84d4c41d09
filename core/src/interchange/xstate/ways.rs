//! Transitions as a config writes them.

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value};

use super::{
    extra::{self, WayExtra, keep},
    fields::{actions, guard, is_name, text, unknown_field, yes_or_no},
    json::Json,
    refusals::{Place, Refusals},
};

/// One transition.
#[derive(Debug, Default)]
pub(super) struct Way<'j> {
    /// Its place in the list that it stands in.
    pub(super) index: Option<usize>,
    /// How its target is written, to find its place again.
    pub(super) form: Form,
    pub(super) targets: Vec<&'j str>,
    pub(super) guard: Option<&'j str>,
    pub(super) actions: Vec<&'j str>,
    pub(super) reenter: bool,
    pub(super) metadata: Map<String, Value>,
    pub(super) extra: WayExtra,
    /// About how large it is, in bytes: a wildcard makes copies of it.
    pub(super) size: usize,
}

/// How the target of a transition is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Form {
    /// The transition is nothing but its target.
    #[default]
    Text,
    /// In the field `target`.
    Field,
    /// In a list in the field `target`.
    List,
}

const FIELDS: &[&str] = &["target", "guard", "actions", "reenter", "description", "meta"];

/// One transition, or a list of them in the order in which they are tried.
pub(super) fn ways<'j>(
    value: &'j Json,
    place: &Place<'_>,
    refusals: &mut Refusals,
) -> Vec<Way<'j>> {
    match value {
        Json::List(items) => (0..)
            .zip(items)
            .filter_map(|(index, item)| {
                let way = way(item, &Place::Item(place, index), refusals)?;
                Some(Way { index: Some(index), ..way })
            })
            .collect(),
        _ => way(value, place, refusals).into_iter().collect(),
    }
}

fn way<'j>(value: &'j Json, place: &Place<'_>, refusals: &mut Refusals) -> Option<Way<'j>> {
    let members = match value {
        Json::Text(target) => {
            let targets = target_of(target);
            return Some(Way { size: target.len(), targets, ..Way::default() });
        }
        Json::Object(members) => members,
        _ => {
            refusals.shape(place, "a target or an object");
            return None;
        }
    };
    let mut way = Way { form: Form::Field, ..Way::default() };
    let (mut reenter, mut internal) = (None, None);
    let mut asked = 0;
    for (key, value) in members {
        let place = &Place::Key(place, key);
        match key.as_str() {
            "target" => read_target(&mut way, value, place, refusals),
            "guard" | "cond" => {
                way.guard = guard(value, place, refusals);
                asked += 1;
                if asked > 1 {
                    let message = "`guard` and its old name `cond` are both here";
                    refusals.no_counterpart(place, message, "keep `guard`");
                }
            }
            "actions" => way.actions = actions(value, place, refusals),
            "reenter" => reenter = yes_or_no(value, place, refusals),
            "internal" => internal = yes_or_no(value, place, refusals),
            "description" => {
                if let Some(text) = text(value, place, refusals) {
                    way.size += text.len();
                    keep(&mut way.metadata, key, text.into());
                }
            }
            "meta" => {
                way.size += size(value);
                way.extra = extra::meta(value, place, &mut way.metadata, refusals);
            }
            "in" => {
                let message = "`in` has no counterpart: a guard asks for an active state";
                let help = "write a named guard such as `\"other.ready\" in states`";
                refusals.no_counterpart(place, message, help);
            }
            _ => unknown_field(place, key, FIELDS, refusals),
        }
    }
    if reenter.is_some() && internal.is_some_and(|internal| reenter == Some(internal)) {
        let message = "`reenter` and its old opposite `internal` contradict each other";
        refusals.no_counterpart(&Place::Key(place, "internal"), message, "keep `reenter`");
    }
    way.reenter = reenter.or(internal.map(|internal| !internal)).unwrap_or(false);
    way.size += way.actions.iter().chain(&way.targets).map(|text| text.len()).sum::<usize>();
    Some(way)
}

fn read_target<'j>(way: &mut Way<'j>, value: &'j Json, place: &Place<'_>, refusals: &mut Refusals) {
    let Json::List(items) = value else {
        way.targets = text(value, place, refusals).map(target_of).unwrap_or_default();
        return;
    };
    way.form = Form::List;
    for (index, item) in items.iter().enumerate() {
        let place = &Place::Item(place, index);
        let target = text(item, place, refusals).filter(|text| is_name(text, place, refusals));
        way.targets.extend(target);
    }
}

/// XState takes the empty text for no target.
fn target_of(text: &str) -> Vec<&str> {
    [text].into_iter().filter(|text| !text.is_empty()).collect()
}

/// About how many bytes a value has.
fn size(value: &Json) -> usize {
    match value {
        Json::Text(text) => 16 + text.len(),
        Json::List(items) => 16 + items.iter().map(size).sum::<usize>(),
        Json::Object(members) => {
            16 + members.iter().map(|(key, value)| key.len() + size(value)).sum::<usize>()
        }
        _ => 16,
    }
}
