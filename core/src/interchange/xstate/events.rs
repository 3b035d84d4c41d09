//! Which transitions of a state an event can take, and in which order.
//!
//! Source: XState 5, `getCandidates` and `matchesEventDescriptor`: those of the event itself, then those of
//! wildcards, the longer ones first. `order.*` stands for `order` and all that starts with `order.`.

use alloc::vec::Vec;

use super::config::{Config, Node};
use crate::interchange::{
    event::covered_by,
    numbered::{Numbered, in_order},
};

/// The action that an event of the outside stands for in a machine that came from XState: the event itself
/// where it is an action, else the longest wildcard that matches it (`order.*`, `*`), else nothing.
///
/// This is exact: a wildcard in a config becomes an action of its own, which has the transitions that XState
/// takes on an event that the config does not name. Cost: linear in the actions.
#[must_use]
pub fn action_for_xstate_event<'a>(
    actions: impl IntoIterator<Item = &'a str>,
    event: &str,
) -> Option<&'a str> {
    let matching = actions.into_iter().filter(|action| *action == event || matches(action, event));
    matching.max_by_key(|action| (*action == event, action.len()))
}

/// Whether `descriptor` is a wildcard that stands for `event`, too.
fn matches(descriptor: &str, event: &str) -> bool {
    descriptor == "*"
        || descriptor.strip_suffix(".*").is_some_and(|stem| {
            event.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

/// The stem of a wildcard: `order` of `order.*`; `*` is its own.
fn stem(descriptor: &str) -> Option<&str> {
    if descriptor == "*" { Some(descriptor) } else { descriptor.strip_suffix(".*") }
}

/// All events that a config names; each wildcard stands for those that it does not.
pub(super) fn known<'j>(config: &Config<'j>) -> Numbered<'j> {
    let mut known = Numbered::default();
    for (_, node) in config.iter() {
        for (descriptor, _) in &node.on {
            known.add(descriptor);
        }
    }
    known
}

/// For each event that a state can take the positions in `on` of what it takes, in the order of tries; nothing
/// where these are more than `most`.
pub(super) fn candidates<'j>(
    node: &Node<'j>,
    known: &Numbered<'j>,
    most: usize,
) -> Option<Vec<(&'j str, Vec<usize>)>> {
    let mut own = Numbered::default();
    let mut events = Vec::with_capacity(node.on.len());
    let mut wild = Vec::new();
    for (at, (event, ways)) in node.on.iter().enumerate() {
        own.add(event);
        events.push((*event, alloc::vec![at]));
        if let Some(stem) = stem(event).filter(|_| !ways.is_empty()) {
            wild.push((at, stem, event.encode_utf16().count()));
        }
    }
    // The longer ones first.
    let wild = in_order(wild, |(.., length)| usize::MAX - length);
    // Events that only wildcards take, each with one of them.
    let mut others = Vec::new();
    let mut count = 0_usize;
    for (at, stem, _) in wild {
        let covered = covered_by(known, stem);
        count += covered.len() * node.on[at].1.len();
        if count > most {
            return None;
        }
        for position in covered {
            match own.position(known.get(position)) {
                Some(event) if event == at => {}
                Some(event) => events[event].1.push(at),
                None => others.push((position, at)),
            }
        }
    }
    let mut last = None;
    for (position, at) in in_order(others, |(position, _)| *position) {
        if last.replace(position) != Some(position) {
            events.push((known.get(position), Vec::new()));
        }
        if let Some((_, ways)) = events.last_mut() {
            ways.push(at);
        }
    }
    Some(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_stands_for_itself_or_the_longest_wildcard() {
        let check = |actions: &[&str], event: &str, expected: Option<&str>| {
            let found = action_for_xstate_event(actions.iter().copied(), event);
            assert_eq!(found, expected, "{event}");
        };
        check(&["pay", "pay.*", "*"], "pay", Some("pay"));
        check(&["pay.*", "*", "pay.card.*"], "pay.card.visa", Some("pay.card.*"));
        check(&["*", "pay.*"], "pay", Some("pay.*"));
        check(&["*", "pay.*"], "payment", Some("*"));
        check(&["pay"], "pay.card", None);
    }
}
