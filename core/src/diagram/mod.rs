//! Diagrams: Mermaid and Graphviz DOT, as text.
//!
//! Rules of this module. (1) Equal machines and options give equal text.
//! (2) Plain names give the readable form; whatever else a definition holds,
//! the text parses in the real renderer and shows it. (3) Text of a definition
//! is never an id, a keyword or markup. Source: DESIGN §8.

mod dot;
mod heat;
mod ids;
mod label;
mod marks;
mod mermaid;
mod view;

use alloc::{format, string::String, vec::Vec};

pub use heat::{Heat, Traffic};
use serde::{Deserialize, Serialize};
use view::{Arrow, Form, View};

use crate::{definition::Trigger, json::object, machine::Machine};

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
    /// state, `tr-0` for the first arrow; see [`Edge`]. A state keeps its number, a cluster and a box have
    /// theirs alike, and an arrow keeps it in DOT, whatever is collapsed. Default: false.
    pub ids: bool,
    /// Paths of states that are drawn as one box, which says how many states are inside. Arrows to and from
    /// the inside go to the box, each once; those that stay inside are left out.
    pub collapsed: Vec<String>,
    /// Paths of states, for a large machine: only these, what is inside them, those that an arrow connects
    /// with them and those around all of these are drawn, and a box that says how many are not. Empty, or
    /// with no path of a state: all.
    pub around: Vec<String>,
    /// What stands out.
    #[serde(deserialize_with = "object")]
    pub highlight: Highlight,
    /// How hot states are. A state that is not named here has neither colour nor badge. What is highlighted
    /// keeps its border and gives its colour away.
    pub heat: Vec<Heat>,
    /// How busy arrows are.
    pub traffic: Vec<Traffic>,
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
    /// Paths of the active states. The states around them are active, too, and stand out more faintly.
    pub active: Vec<String>,
    /// Paths of states that were visited.
    pub visited: Vec<String>,
    /// Transitions that may be taken, each by its name, which means all of that name, or by its pointer in
    /// the definition ([`Edge::pointer`]), which means one.
    pub available: Vec<String>,
    /// Transitions that may not be taken, by name or by pointer.
    pub blocked: Vec<String>,
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
    /// Its action; empty where something else sets it off.
    pub action: String,
    /// What sets it off.
    pub trigger: Trigger,
    /// Where the transition stands in the definition (RFC 6901).
    pub pointer: String,
    /// The path of the state that it leads out of, or of the collapsed one around it.
    pub from: String,
    /// The path of the state that it leads to, or of the collapsed one around it; its own where it leaves
    /// nothing.
    pub to: String,
}

impl Machine {
    /// The arrows of a diagram with all that there is, in document order, with the ids by which a page finds
    /// them.
    #[must_use]
    pub fn edges(&self) -> Vec<Edge> {
        self.edges_within(&DiagramOptions::default())
    }

    /// The arrows of the diagram that `options` ask for; see [`DiagramOptions::collapsed`] and
    /// [`DiagramOptions::around`].
    ///
    /// Cost: linear in the size of the definition, times its depth.
    #[must_use]
    pub fn edges_within(&self, options: &DiagramOptions) -> Vec<Edge> {
        let view = View::new(self, options);
        let numbers = mermaid::numbers(&view);
        let edge = |(arrow, number): (&Arrow, usize)| {
            let transition = self.transition(arrow.transition);
            Edge {
                id: format!("tr-{}", arrow.number),
                mermaid: format!("edge{number}"),
                transition: transition.name.clone(),
                action: transition.asked().into(),
                trigger: transition.trigger,
                pointer: self.shared.resolved.chart.transition_pointer(arrow.transition),
                from: self.path(arrow.from).clone(),
                to: self.path(arrow.to).clone(),
            }
        };
        view.arrows.iter().zip(numbers).map(edge).collect()
    }
}
