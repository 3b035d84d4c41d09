//! How hot states are and how busy arrows.
//!
//! What was measured comes as a level from 0 to 1 and as a text. The level is
//! drawn in [`STEPS`] steps, as a colour of one ramp of lightness or as a width,
//! so that equal options give equal text; the text stands in the label, so that
//! nothing is said by colour or width alone.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Arrow, DiagramOptions};
use crate::machine::Machine;

/// How hot a state is: how long objects stayed there, or whatever else was measured.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Heat {
    /// The path of the state. One that is no state's is passed over; of several for one state, the first counts.
    pub state: String,
    /// From 0 to 1; less is 0, more is 1. Shown as one of five colours, the hotter the darker.
    pub level: f64,
    /// A line of its own in what the state says, such as `median 3 h`. Empty: none.
    pub badge: String,
}

/// How busy an arrow is: how often it was taken, or whatever else was measured.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// The transition, by its name, which means all of that name, or by its pointer in the definition
    /// ([`Edge::pointer`](super::Edge::pointer)), which means one. What is said by pointer goes first; of
    /// several that fit, the first counts.
    pub transition: String,
    /// Only arrows out of the state with this path, as [`Edge::from`](super::Edge::from) says it. Default: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only arrows to the state with this path, as [`Edge::to`](super::Edge::to) says it. Default: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// From 0 to 1; less is 0, more is 1. Shown as one of five widths in DOT; Mermaid cannot give single
    /// arrows a width.
    pub level: f64,
    /// A line of its own in what the arrow says, such as `×12`. Empty: none.
    pub badge: String,
}

/// How many colours and widths there are.
pub(super) const STEPS: usize = 5;

/// From cool to hot. Black text has a contrast of at least 7 to 1 on each.
pub(super) const COLOURS: [&str; STEPS] = ["#fff6e0", "#fde3b0", "#f9cb7c", "#f1af4a", "#e4921f"];

/// From quiet to busy, in points.
pub(super) const WIDTHS: [&str; STEPS] = ["1", "2", "3", "4.5", "6"];

/// What is shown of a level: the position of its colour or width, and the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Warmth<'o> {
    pub(super) step: usize,
    pub(super) badge: &'o str,
}

impl<'o> Warmth<'o> {
    fn new(level: f64, badge: &'o str) -> Self {
        const BOUNDS: [f64; STEPS - 1] = [0.2, 0.4, 0.6, 0.8];
        // What is no number reaches no bound.
        let step = BOUNDS.iter().filter(|&&bound| level >= bound).count();
        Self { step, badge }
    }
}

/// Heat and traffic, to be looked up.
pub(super) struct Measured<'o> {
    states: Vec<Option<Warmth<'o>>>,
    transitions: BTreeMap<&'o str, Vec<&'o Traffic>>,
}

impl<'o> Measured<'o> {
    pub(super) fn new(machine: &Machine, options: &'o DiagramOptions) -> Self {
        let mut states = vec![None; machine.states().len()];
        for heat in options.heat.iter().rev() {
            if let Some(id) = machine.state_id(&heat.state) {
                states[id.0 as usize] = Some(Warmth::new(heat.level, &heat.badge));
            }
        }
        let mut transitions: BTreeMap<&str, Vec<&Traffic>> = BTreeMap::new();
        for traffic in &options.traffic {
            transitions.entry(&traffic.transition).or_default().push(traffic);
        }
        Self { states, transitions }
    }

    pub(super) fn state(&self, state: u32) -> Option<Warmth<'o>> {
        self.states[state as usize]
    }

    pub(super) fn arrow(&self, machine: &Machine, arrow: &Arrow) -> Option<Warmth<'o>> {
        if self.transitions.is_empty() {
            return None;
        }
        let pointer = machine.shared.resolved.chart.transition_pointer(arrow.transition);
        let name = &machine.transition(arrow.transition).name;
        let is = |wanted: &Option<String>, state| match wanted {
            Some(path) => path == machine.path(state),
            None => true,
        };
        [&pointer, name]
            .into_iter()
            .filter_map(|key| self.transitions.get(key.as_str()))
            .flatten()
            .find(|traffic| is(&traffic.from, arrow.from) && is(&traffic.to, arrow.to))
            .map(|traffic| Warmth::new(traffic.level, &traffic.badge))
    }
}

#[cfg(test)]
mod tests {
    use super::Warmth;

    #[test]
    fn a_level_is_one_of_five_steps_whatever_it_is() {
        let check =
            |level: f64, step: usize| assert_eq!(Warmth::new(level, "").step, step, "{level}");
        check(0.0, 0);
        check(0.199, 0);
        check(0.2, 1);
        check(0.5, 2);
        check(0.79, 3);
        check(1.0, 4);
        check(7.0, 4);
        check(-1.0, 0);
        check(f64::NAN, 0);
        check(f64::INFINITY, 4);
    }
}
