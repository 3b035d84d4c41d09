//! History states: what they remember, and where they lead at first.

use alloc::{format, vec::Vec};

use super::{At, Check, tree::field_of};
use crate::{
    chart::{ROOT, Shape},
    definition::State,
    diagnostic::Code,
};

impl Check<'_> {
    /// Where a history state leads while nothing is remembered.
    pub(super) fn history(&mut self, id: u32, state: &State) -> Vec<u32> {
        let at = At::State(id);
        let parent = self.resolved.chart.parent(id);
        if parent == ROOT {
            let message = format!(
                "`{}` remembers what is active in the whole machine, which is never left",
                state.name
            );
            let help = "put it into the `sub_machine` or among the `regions` of the state that it remembers";
            self.report(at, "history", Code::HistoryAtRoot, message, help);
            return Vec::new();
        }
        let Some(names) =
            state.default_target.as_ref().filter(|names| !names.as_slice().is_empty())
        else {
            let message = format!(
                "the history state `{}` leads nowhere while nothing is remembered",
                state.name
            );
            let help = "add a `default_target`: a state inside of the one that it remembers";
            self.report(at, "", Code::HistoryWithoutDefault, message, help);
            return Vec::new();
        };
        let mut targets = Vec::new();
        for (index, name) in names.as_slice().iter().enumerate() {
            let field = field_of("default_target", names, index);
            let Some(target) = self.look_up(parent, name) else {
                let help = self.suggest_state(name);
                let message = format!(
                    "the default target `{name}` of `{}` is no state of this definition",
                    state.name
                );
                self.report(at, &field, Code::UnknownToState, message, help);
                continue;
            };
            let chart = &self.resolved.chart;
            let is_beside =
                matches!(chart.shape(target), Shape::History(_)) && chart.parent(target) == parent;
            if is_beside || !chart.is_inside(target, parent) {
                let message = match is_beside {
                    true => format!("`{name}` is a history state, which leads on itself"),
                    false => format!(
                        "the default target `{name}` is not inside `{}`, which `{}` remembers",
                        self.path(parent),
                        state.name
                    ),
                };
                let help = "name a state inside of the one that is remembered";
                self.report(at, &field, Code::InvalidDefaultTarget, message, help);
                continue;
            }
            targets.push(target);
        }
        let what = format!("`{}` leads to", state.name);
        self.must_fit(at, "default_target", &what, &targets);
        targets
    }
}
