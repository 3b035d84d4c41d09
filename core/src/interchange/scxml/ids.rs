//! Which names can be ids and events, and what is written for the others.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::tree::Tree;
use crate::interchange::naming::FreshNames;

/// An id for every state, by its number: its name, where that is an id and nobody else's.
pub(super) fn ids(tree: &Tree<'_>) -> Vec<String> {
    let states = || 1..tree.nodes.len();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for state in states() {
        *counts.entry(tree.places.name(state)).or_default() += 1;
    }
    // `done.state.a` would match the end of `a.b`, too.
    let is_longer_name =
        |name: &str| name.match_indices('.').any(|(dot, _)| counts.contains_key(&name[..dot]));
    let can_be_id = |state: usize| {
        let name = tree.places.name(state);
        is_id(name) && counts[name] == 1 && !(tree.ends[state] && is_longer_name(name))
    };
    let mut used = FreshNames::default();
    for state in states().filter(|state| can_be_id(*state)) {
        used.reserve(tree.places.name(state));
    }
    let mut ids = alloc::vec![String::new()];
    for state in states() {
        let name = tree.places.name(state);
        if can_be_id(state) {
            ids.push(name.into());
            continue;
        }
        let around = &ids[tree.places.parent(state)];
        let mut id = word(name, 30);
        if counts[name] > 1 && !around.is_empty() {
            id = format!("{}_{id}", word(around, 60));
        }
        ids.push(used.fresh(&id));
    }
    ids
}

/// A word for an action that cannot be an event, where `used` holds the first tokens of the others.
pub(super) fn event(action: &str, used: &mut FreshNames) -> String {
    match action {
        "*" => used.fresh("any"),
        _ => used.fresh(&word(action, 60)),
    }
}

/// Letters, digits and `_`, at most so many.
pub(super) fn word(text: &str, longest: usize) -> String {
    let plain = |c: char| if is_name_char(c) && c != '.' { c } else { '_' };
    let word: String = text.chars().take(longest).map(plain).collect();
    match word.chars().next() {
        Some(first) if is_name_start(first) => word,
        _ => format!("_{word}"),
    }
}

/// A name without a colon, as XML Namespaces 4 asks of ids.
fn is_id(text: &str) -> bool {
    text.starts_with(is_name_start) && text.chars().all(is_name_char)
}

/// Tokens of name characters with single dots between them.
pub(super) fn is_event(text: &str) -> bool {
    text.split('.')
        .all(|token| !token.is_empty() && token.chars().all(|c| is_name_char(c) || c == ':'))
}

/// Whether XML 1.0 can hold it. Source: XML 1.0, production 2.
pub(super) fn is_xml(text: &str) -> bool {
    text.chars().all(|c| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{1_0000}'..)
    })
}

/// Source: XML 1.0, production 4, without the colon.
fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{1_0000}'..='\u{e_ffff}')
}

/// Source: XML 1.0, production 4a, without the colon.
fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_id_where_xml_permits() {
        for name in ["a", "_", "In-Progress", "b1.1", "审核中", "état2"] {
            assert!(is_id(name), "{name}");
        }
        for name in ["", "1st", "In Progress", "a:b", "N/A", "-a", ".a", "a\u{fffe}", "×"] {
            assert!(!is_id(name), "{name}");
        }
        assert!(is_event("order:pay.card-2") && !is_event("a..b") && !is_event("a.*"));
    }

    #[test]
    fn a_word_is_made_of_anything() {
        assert_eq!(word("In Progress", 60), "In_Progress");
        assert_eq!(word("1.5", 60), "_1_5");
        assert_eq!(word("", 60), "_");
        let mut used = FreshNames::default();
        used.reserve("any");
        assert_eq!(event("*", &mut used), "any_2");
    }
}
