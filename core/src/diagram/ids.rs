//! What is plain: which names can be ids in both languages, and which texts mean the same everywhere.
//!
//! The lists are what Mermaid 11.17 and 12.3 and Graphviz 16.1 refused or misread when each word, alone and
//! as a part of longer names, was drawn in every place where an id can stand. `end`, `as`, `hide` or
//! `note1` are harmless there. `tests/renderers` draws them.

use alloc::collections::BTreeSet;

use crate::machine::Machine;

/// Names that are no ids, without regard to case.
const RESERVED: &[&str] = &[
    // Words of Mermaid.
    "accdescr",
    "acctitle",
    "class",
    "classdef",
    "click",
    "default",
    "href",
    "note",
    "scale",
    "state",
    "statediagram",
    "style",
    // Its own nodes.
    "root",
    "root_end",
    "root_start",
    // Words of DOT.
    "digraph",
    "edge",
    "graph",
    "node",
    "strict",
    "subgraph",
    // What every JavaScript object has: some renderers keep nodes in objects.
    "constructor",
    "hasownproperty",
    "isprototypeof",
    "propertyisenumerable",
    "tolocalestring",
    "tostring",
    "valueof",
];

/// The longest text that is plain. A longer one reads better beside a short id.
const LONGEST: usize = 60;

/// Whether every state's name is plain and no two are alike, so that the names themselves are the ids. If
/// one is not, all states get numbers: mixed, a number could be another state's name.
pub(super) fn all_plain(machine: &Machine) -> bool {
    let is_flat = machine.shared.resolved.chart.is_flat();
    let mut known = BTreeSet::new();
    machine
        .ids()
        .map(|id| machine.state(id).name.as_str())
        .all(|name| is_plain(name) && (is_flat || known.insert(name) && !is_mark(name)))
}

/// Whether Mermaid could call the beginning or the end inside a state so.
fn is_mark(name: &str) -> bool {
    name.ends_with("_start") || name.ends_with("_end")
}

/// ASCII letters, digits and single underscores between them, a letter first, no word of either language.
fn is_plain(name: &str) -> bool {
    is_plain_text(name)
        && !name.contains(' ')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        // Mermaid reads "direction", white space (a line break, too) and "LR" or the like as a statement.
        && !name.to_ascii_lowercase().ends_with("direction")
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// A text that means the same everywhere: ASCII letters and digits, with single spaces and underscores
/// between them.
pub(super) fn is_plain_text(text: &str) -> bool {
    let is_gap = |c: char| c == ' ' || c == '_';
    text.len() <= LONGEST
        && text
            .split(is_gap)
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::{is_plain, is_plain_text};

    fn check(text: &str, can_be_id: bool, is_plain: bool) {
        assert_eq!((self::is_plain(text), is_plain_text(text)), (can_be_id, is_plain), "{text}");
    }

    #[test]
    fn a_word_of_a_language_is_text_but_no_id() {
        for name in
            ["draft", "In_review2", "end", "note1", "state_machine", "default_x", "directions"]
        {
            check(name, true, true);
        }
        for name in
            ["State", "note", "root", "Node", "toString", "wind_direction", "two words", "1st"]
        {
            check(name, false, true);
        }
    }

    #[test]
    fn what_a_renderer_could_read_is_not_plain() {
        for text in ["", " ", "a  b", "a ", "_a", "a_", "__proto__", "a-b", "1.", "état", "a\n"] {
            check(text, false, false);
        }
        check(&"a".repeat(60), true, true);
        check(&"a".repeat(61), false, false);
    }
}
