//! States that are entered together: whether they can be active together.

use alloc::{format, string::String, vec::Vec};

use super::{At, Check, tree::field_of};
use crate::{
    chart::{ROOT, Shape},
    definition::Names,
    diagnostic::Code,
};

impl Check<'_> {
    /// The targets of a transition.
    pub(super) fn targets(&mut self, id: u32, names: &Names) -> Vec<u32> {
        let at = At::Transition(id);
        let container = self.resolved.chart.frame(id).owner;
        let list = names.as_slice();
        let mut targets = Vec::new();
        for (index, name) in list.iter().enumerate() {
            if let Some(target) = self.look_up(container, name) {
                targets.push(target);
                continue;
            }
            let help = self.suggest_state(name);
            let message = format!(
                "the target `{name}` of `{}` is no state of this definition",
                self.transition(id).name
            );
            let field = field_of("to_state", names, index);
            self.report(at, &field, Code::UnknownToState, message, help);
        }
        if list.is_empty() {
            let message =
                format!("`{}` leads to an empty list of states", self.transition(id).name);
            let help =
                "name a state, or drop `to_state` for a transition that leaves and enters nothing";
            self.report(at, "to_state", Code::NoToState, message, help);
        }
        let what = format!("`{}` leads to", self.transition(id).name);
        self.must_fit(at, "to_state", &what, &targets);
        targets
    }

    /// Reports states that cannot be active together. Of states in order of ids, two that are not neighbours
    /// are held together by a state that holds two neighbours together.
    ///
    /// Source: SCXML §3.11, legal state configurations.
    pub(super) fn must_fit(&mut self, at: At, field: &str, what: &String, targets: &[u32]) {
        let mut sorted = targets.to_vec();
        sorted.sort_unstable();
        let conflict = sorted.windows(2).find(|pair| !self.fit(pair[0], pair[1]));
        let Some(&[a, b]) = conflict.and_then(|pair| pair.first_chunk::<2>()) else { return };
        let message = match a == b {
            true => format!("{what} `{}` twice", self.path(a)),
            false => format!(
                "{what} `{}` and `{}`, which cannot be active together",
                self.path(a),
                self.path(b)
            ),
        };
        let help = "name one state, or one for each region";
        self.report(at, field, Code::ConflictingTargets, message, help);
    }

    /// Whether two states can be entered together, neither through the other.
    fn fit(&self, a: u32, b: u32) -> bool {
        let chart = &self.resolved.chart;
        let common = chart.common(a, b);
        // A history state of the state with the regions leads into all of them.
        let is_all =
            |id: u32| matches!(chart.shape(id), Shape::History(_)) && chart.parent(id) == common;
        common != ROOT
            && common != a
            && common != b
            && chart.shape(common) == Shape::Parallel
            && !is_all(a)
            && !is_all(b)
    }
}
