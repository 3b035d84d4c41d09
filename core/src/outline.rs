//! The states of a machine as a list, for those who show them.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use crate::{
    chart::{ROOT, Shape},
    machine::Machine,
};

/// One state: where it stands, and what it is made of.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StateOutline {
    /// Its path.
    pub path: String,
    /// The path of the state around it; null for a state of the outer machine.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub parent: Option<String>,
    /// Where it stands in the definition (RFC 6901).
    pub pointer: String,
    /// What people read: the display name, else the name.
    pub title: String,
    /// What it is made of.
    pub shape: StateShape,
    /// Whether it is a region: active whenever the state around it is.
    pub is_region: bool,
    /// Whether its machine begins here.
    pub is_initial: bool,
    /// Whether its machine ends here.
    pub is_terminal: bool,
}

/// What a state is made of.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StateShape {
    /// Nothing is inside.
    Atomic,
    /// A machine is inside: one of its states is active.
    Compound,
    /// Regions are inside: all of them are active.
    Parallel,
    /// A history state: never active itself.
    History,
}

impl Machine {
    /// All states in document order, outer ones before inner ones; the position is the
    /// [`StateId`](crate::StateId).
    ///
    /// Cost: linear in the number of states.
    #[must_use]
    pub fn outline(&self) -> Vec<StateOutline> {
        let chart = &self.shared.resolved.chart;
        let mut all: Vec<StateOutline> = Vec::with_capacity(self.states().len());
        for id in self.ids() {
            let (state, node) = (self.state(id), chart.node(id));
            let around = (node.parent != ROOT).then(|| &all[node.parent as usize]);
            all.push(StateOutline {
                path: self.path(id).clone(),
                parent: around.map(|around| around.path.clone()),
                pointer: chart.state_pointer(id),
                title: state.title().into(),
                shape: match node.shape {
                    Shape::Atomic => StateShape::Atomic,
                    Shape::Compound => StateShape::Compound,
                    Shape::Parallel => StateShape::Parallel,
                    Shape::History(_) => StateShape::History,
                },
                is_region: chart.is_region(id) && !matches!(node.shape, Shape::History(_)),
                is_initial: !chart.is_region(id)
                    && chart.defaults(node.parent).iter().any(|&to| chart.is_within(to, id)),
                is_terminal: node.is_terminal,
            });
        }
        all
    }
}
