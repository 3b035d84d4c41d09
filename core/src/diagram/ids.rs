//! Which names are plain enough to be ids in both languages.

use crate::machine::Machine;

/// Words of Mermaid and DOT, and names that collide inside a renderer. Compared without regard to case.
const RESERVED: &[&str] = &[
    "accdescr", "acctitle", "as", "class", "classdef", "click", "constructor", "default", "digraph", "direction",
    "edge", "end", "graph", "hasownproperty", "hide", "href", "node", "note", "prototype", "root", "scale", "state",
    "strict", "style", "subgraph", "tostring", "valueof", "tolocalestring", "isprototypeof",
];

/// Whether every state's name is plain, so that the names themselves are the ids. If one is not, all
/// states get numbers: mixed, a number could be another state's name.
pub(super) fn all_plain(machine: &Machine) -> bool {
    machine.definition().states.iter().all(|state| is_plain(&state.name))
}

/// ASCII letters, digits and single underscores between them, a letter first, no word of either language.
fn is_plain(name: &str) -> bool {
    name.len() <= 60
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && !name.ends_with('_')
        && !name.contains("__")
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// A text that means the same everywhere: ASCII letters, digits, single spaces and underscores.
pub(super) fn is_plain_text(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 60
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b' ')
        && !text.starts_with([' ', '_'])
        && !text.ends_with([' ', '_'])
        && !text.contains("  ")
        && !text.contains("__")
}
