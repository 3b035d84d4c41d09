//! Diagrams: Mermaid and Graphviz DOT, as text.
//!
//! Rules of this module. (1) Equal machines and options give equal text.
//! (2) Plain names give the readable form; whatever else a definition holds,
//! the text parses in the real renderer and shows it. (3) Text of a definition
//! is never an id, a keyword or markup. Source: DESIGN §8.

mod dot;
mod ids;
mod mermaid;

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{definition::Transition, json::object, machine::Machine, table::Entry};

/// How a diagram is drawn.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiagramOptions {
    /// Which way it grows. Default: DOT from left to right, Mermaid as the renderer likes.
    pub direction: Option<Direction>,
    /// What an arrow says. Default: name and guard in Mermaid, action and guard in DOT.
    pub labels: Option<Vec<LabelPart>>,
    /// What a state says. Default: the display name in DOT; in Mermaid the name while all names,
    /// display names and actions of the definition are plain (ASCII letters and digits, single spaces
    /// and underscores between them), else the display name.
    pub states: Option<StateText>,
    /// Whether states and arrows carry ids by which a page finds them: `s0` and `st-s0` for the first
    /// state, `tr-0` for the first arrow; see [`Edge`]. Default: false.
    pub ids: bool,
    /// What stands out.
    #[serde(deserialize_with = "object")]
    pub highlight: Highlight,
}

/// Which way a diagram grows.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Direction {
    /// From left to right.
    Lr,
    /// From right to left.
    Rl,
    /// From top to bottom.
    Tb,
    /// From bottom to top.
    Bt,
}

impl Direction {
    fn as_str(self) -> &'static str {
        match self {
            Self::Lr => "LR",
            Self::Rl => "RL",
            Self::Tb => "TB",
            Self::Bt => "BT",
        }
    }
}

/// A part of what an arrow says.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelPart {
    /// The transition's name.
    Name,
    /// Its action.
    Action,
    /// What a button says: its display name, else its action.
    DisplayName,
    /// Its guard, in brackets.
    Guard,
}

/// What a state says.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StateText {
    /// Its name.
    Name,
    /// Its display name.
    DisplayName,
}

/// What stands out in a diagram. Mermaid cannot mark single arrows, so transitions stand out in DOT only.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Highlight {
    /// Paths of the active states.
    pub active: Vec<String>,
    /// Paths of states that were visited.
    pub visited: Vec<String>,
    /// Names of transitions that may be taken.
    pub available: Vec<String>,
    /// Names of transitions that may not be taken.
    pub blocked: Vec<String>,
}

/// What stands out, to be looked up.
struct Marks<'h> {
    active: BTreeSet<&'h str>,
    visited: BTreeSet<&'h str>,
    available: BTreeSet<&'h str>,
    blocked: BTreeSet<&'h str>,
}

impl<'h> Marks<'h> {
    fn new(highlight: &'h Highlight) -> Self {
        let set = |names: &'h [String]| names.iter().map(String::as_str).collect();
        Self {
            active: set(&highlight.active),
            visited: set(&highlight.visited),
            available: set(&highlight.available),
            blocked: set(&highlight.blocked),
        }
    }
}

/// One arrow of a diagram: a transition out of one of its states.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Edge {
    /// The id of its group in a DOT drawing that carries ids.
    pub id: String,
    /// The `data-id` of its arrow and label in a Mermaid drawing that carries ids. Transitions of a
    /// state to itself share one arrow there, since Mermaid would draw them over each other.
    pub mermaid: String,
    /// The transition's name.
    pub transition: String,
    /// Its action.
    pub action: String,
    /// The path of the state that it leads out of.
    pub from: String,
    /// The path of the state that it leads to; its own where it leaves nothing.
    pub to: String,
}

/// An arrow in integers.
#[derive(Clone, Copy, Debug)]
struct Arrow {
    transition: u32,
    from: u32,
    to: u32,
}

impl Machine {
    /// The arrows of a diagram, in document order, with the ids by which a page finds them.
    #[must_use]
    pub fn edges(&self) -> Vec<Edge> {
        let arrows = self.arrows();
        let numbers = mermaid::numbers(&arrows);
        let edge = |(index, (arrow, number)): (usize, (&Arrow, usize))| Edge {
            id: format!("tr-{index}"),
            mermaid: format!("edge{number}"),
            transition: self.transition(arrow.transition).name.clone(),
            action: self.transition(arrow.transition).action.clone(),
            from: self.path(arrow.from).clone(),
            to: self.path(arrow.to).clone(),
        };
        arrows.iter().zip(numbers).enumerate().map(edge).collect()
    }

    fn arrows(&self) -> Vec<Arrow> {
        let arrow = |edge: &Entry| {
            let (transition, from) = (edge.transition, edge.state);
            Arrow { transition, from, to: self.target(transition).unwrap_or(from) }
        };
        self.shared.resolved.edges.iter().map(arrow).collect()
    }
}

/// What an arrow says, in parts: the text, and whether it is a guard.
fn label<'t>(transition: &'t Transition, parts: &[LabelPart]) -> Vec<(&'t str, bool)> {
    let text = |part: &LabelPart| match part {
        LabelPart::Name => Some((transition.name.as_str(), false)),
        LabelPart::Action => Some((transition.action.as_str(), false)),
        LabelPart::DisplayName => {
            Some((transition.display_name.as_deref().unwrap_or(&transition.action), false))
        }
        LabelPart::Guard => transition.guard.as_deref().map(|guard| (guard, true)),
    };
    parts.iter().filter_map(text).collect()
}

/// What a state says.
fn state_text(machine: &Machine, state: u32, text: StateText) -> &str {
    let state = machine.state(state);
    match text {
        StateText::Name => &state.name,
        StateText::DisplayName => state.title(),
    }
}

/// `text` as a drawing can show it: every kind of line break is `\n`, a tab is four spaces, and what no
/// SVG can hold or nobody can see (other control characters, U+FFFE, U+FFFF) is U+FFFD.
fn showable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                _ = chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::showable;

    #[test]
    fn whatever_cannot_be_shown_has_a_sign_in_its_place() {
        let check = |text: &str, shown: &str| assert_eq!(showable(text), shown);
        check("a\r\nb\rc\u{2028}d\u{85}", "a\nb\nc\nd\n");
        check("a\tb\0\u{80}\u{ffff}", "a    b\u{fffd}\u{fffd}\u{fffd}");
        check("\u{200d} é 🚗 \u{202e}", "\u{200d} é 🚗 \u{202e}");
    }
}
