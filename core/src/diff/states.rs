//! States: which there are, and what is said of each.

use alloc::{format, string::String, vec, vec::Vec};

use serde_json::Value;

use super::{Diff, Found, Part, change::ChangeCode, list, machines::quoted, pairs::missing, strs};
use crate::{
    chart::{Node, Shape},
    definition::{EntryCondition, HistoryKind, Kind, State, Timeout},
    guard::same_tokens,
    index::Index,
    machine::Machine,
    table::position,
};

impl Diff<'_> {
    pub(super) fn states(&mut self) {
        for old in self.older.ids() {
            let Some(new) = self.pairs.states[0][old as usize] else {
                let path = self.older.path(old);
                self.removed(
                    Part::State(old),
                    Found {
                        code: ChangeCode::StateRemoved,
                        breaking: true,
                        field: "",
                        before: path.as_str().into(),
                        after: Value::Null,
                        message: format!("there is no state `{path}` any more"),
                    },
                );
                continue;
            };
            self.state(old, new);
        }
        for new in self.newer.ids() {
            if self.pairs.states[1][new as usize].is_some() {
                continue;
            }
            let path = self.newer.path(new);
            self.added(
                Part::State(new),
                Found {
                    code: ChangeCode::StateAdded,
                    breaking: self.is_new_region(new),
                    field: "",
                    before: Value::Null,
                    after: path.as_str().into(),
                    message: format!("there is a state `{path}`"),
                },
            );
        }
    }

    /// Whether a state that is new is active whenever one is that both have.
    fn is_new_region(&self, new: u32) -> bool {
        let chart = &self.newer.shared.resolved.chart;
        let is_history = matches!(chart.shape(new), Shape::History(_));
        chart.is_region(new)
            && !is_history
            && self.pairs.states[1][chart.parent(new) as usize].is_some()
    }

    fn state(&mut self, old: u32, new: u32) {
        self.make(old, new);
        self.conditions(old, new);
        self.timeout(old, new);
        let (before, after) = (self.older.state(old), self.newer.state(new));
        let (path, both) = (self.newer.path(new), (Part::State(old), Part::State(new)));
        self.operations(old, new);
        for (field, lists, when) in [
            ("on_enter", [before.on_enter.as_slice(), &after.on_enter], "entering"),
            ("on_exit", [&before.on_exit, &after.on_exit], "leaving"),
        ] {
            self.effects(both, field, lists, &format!("{when} `{path}`"));
        }
        if before.kind != after.kind {
            let (was, is) = (kind(before.kind), kind(after.kind));
            self.changed(
                both,
                Found {
                    code: ChangeCode::StateKindChanged,
                    breaking: false,
                    field: "kind",
                    before: was.into(),
                    after: is.into(),
                    message: format!("`{path}` is {is}, not {was}"),
                },
            );
        }
        self.title(both, [before.title(), after.title()], path);
        if before.description != after.description {
            self.changed(
                both,
                Found {
                    code: ChangeCode::DescriptionChanged,
                    breaking: false,
                    field: "description",
                    before: before.description.as_deref().into(),
                    after: after.description.as_deref().into(),
                    message: format!("`{path}` is described in other words"),
                },
            );
        }
        self.metadata(both, [&before.metadata, &after.metadata], &format!("`{path}`"));
    }

    /// What a state is made of, and what follows from that.
    fn make(&mut self, old: u32, new: u32) {
        let (charts, path) = ((self.older, self.newer), self.newer.path(new));
        let node = |machine: &Machine, id| *machine.shared.resolved.chart.node(id);
        let (before, after) = (node(charts.0, old), node(charts.1, new));
        let both = (Part::State(old), Part::State(new));
        let mut differs = |code, field: &str, before: Value, after: Value, message: String| {
            self.changed(both, Found { code, breaking: true, field, before, after, message });
        };
        if before.is_terminal != after.is_terminal {
            let is = if after.is_terminal { "is" } else { "is not" };
            let (was, now) = (before.is_terminal.into(), after.is_terminal.into());
            let message = format!("`{path}` {is} terminal");
            differs(ChangeCode::TerminalChanged, "is_terminal", was, now, message);
        }
        if before.is_required != after.is_required {
            let is = if after.is_required { "waits" } else { "does not wait" };
            let (was, now) = (before.is_required.into(), after.is_required.into());
            let message = format!("the state around the region `{path}` {is} for its end");
            differs(ChangeCode::RequiredChanged, "required", was, now, message);
        }
        let (was, is) = (shape(before), shape(after));
        if was != is {
            let message = format!("`{path}` is {is}, not {was}");
            differs(ChangeCode::StateShapeChanged, "", was.into(), is.into(), message);
            return;
        }
        match (before.shape, after.shape) {
            (Shape::Compound, _) => self.sub_machine(old, new),
            (Shape::Parallel, _) => {
                if before.joins_any != after.joins_any {
                    let word = |node: Node| if node.joins_any { "any" } else { "all" };
                    let what = if after.joins_any { "one region" } else { "every region" };
                    let message =
                        format!("`{path}` is complete when {what} of those required has ended");
                    let (was, is) = (word(before).into(), word(after).into());
                    differs(ChangeCode::JoinConditionChanged, "join_condition", was, is, message);
                }
                self.regions(old, new);
            }
            (Shape::History(was), Shape::History(is)) => {
                if was != is {
                    let word = |kind| if kind == HistoryKind::Deep { "deep" } else { "shallow" };
                    let message =
                        format!("the memory of `{path}` is {}, not {}", word(is), word(was));
                    let (was, is) = (word(was).into(), word(is).into());
                    differs(ChangeCode::HistoryKindChanged, "history", was, is, message);
                }
                if let Some((before, after)) = self.other_defaults(old, new) {
                    let message = format!(
                        "`{path}` leads to {} while nothing is remembered, not to {}",
                        quoted(&after),
                        quoted(&before)
                    );
                    self.changed(
                        both,
                        Found {
                            code: ChangeCode::DefaultTargetChanged,
                            breaking: true,
                            field: "default_target",
                            before: list(before),
                            after: list(after),
                            message,
                        },
                    );
                }
            }
            _ => {}
        }
    }

    /// The order of the regions that both have.
    fn regions(&mut self, old: u32, new: u32) {
        let before: Vec<(u32, u32)> = {
            let chart = &self.older.shared.resolved.chart;
            let both = |id: u32| Some((id, self.pairs.states[0][id as usize]?));
            chart.regions(old).filter_map(both).collect()
        };
        if before.is_sorted_by_key(|(_, newer)| *newer) {
            return;
        }
        let mut after: Vec<u32> = before.iter().map(|(_, newer)| *newer).collect();
        after.sort_unstable();
        let before = list(before.iter().map(|(id, _)| self.older.path(*id).as_str()));
        let after = list(after.iter().map(|id| self.newer.path(*id).as_str()));
        let message = format!("the regions of `{}` stand in another order", self.newer.path(new));
        self.changed(
            (Part::State(old), Part::State(new)),
            Found {
                code: ChangeCode::RegionsReordered,
                breaking: true,
                field: "regions",
                before,
                after,
                message,
            },
        );
    }

    fn operations(&mut self, old: u32, new: u32) {
        let path = self.newer.path(new);
        let before = strs(&self.older.state(old).permits);
        let after = strs(&self.newer.state(new).permits);
        for index in missing(&before, &after) {
            self.removed(
                Part::State(old),
                Found {
                    code: ChangeCode::OperationRemoved,
                    breaking: true,
                    field: &format!("permits/{index}"),
                    before: before[index].into(),
                    after: Value::Null,
                    message: format!("`{path}` does not permit `{}` any more", before[index]),
                },
            );
        }
        for index in missing(&after, &before) {
            self.added(
                Part::State(new),
                Found {
                    code: ChangeCode::OperationAdded,
                    breaking: false,
                    field: &format!("permits/{index}"),
                    before: Value::Null,
                    after: after[index].into(),
                    message: format!("`{path}` permits `{}`", after[index]),
                },
            );
        }
    }

    /// The entry conditions, by name.
    fn conditions(&mut self, old: u32, new: u32) {
        let path = self.newer.path(new);
        let (before, after) = (self.older.state(old), self.newer.state(new));
        let (before, after) = (&before.entry_conditions, &after.entry_conditions);
        let mut index = Index::default();
        let name_of = |id: u32| after[id as usize].name.as_str();
        for id in 0..position(after.len()) {
            index.insert(id, &name_of);
        }
        let mut is_known = vec![false; after.len()];
        for (at, condition) in before.iter().enumerate() {
            let Some(partner) = index.get(&condition.name, &name_of) else {
                self.removed(
                    Part::State(old),
                    Found {
                        code: ChangeCode::ConditionRemoved,
                        breaking: false,
                        field: &format!("entry_conditions/{at}"),
                        before: condition.require.as_str().into(),
                        after: Value::Null,
                        message: format!("`{path}` does not ask for `{}` any more", condition.name),
                    },
                );
                continue;
            };
            is_known[partner as usize] = true;
            self.condition((old, at, condition), (new, partner as usize, &after[partner as usize]));
        }
        for (at, condition) in after.iter().enumerate().filter(|(at, _)| !is_known[*at]) {
            self.added(
                Part::State(new),
                Found {
                    code: ChangeCode::ConditionAdded,
                    breaking: true,
                    field: &format!("entry_conditions/{at}"),
                    before: Value::Null,
                    after: condition.require.as_str().into(),
                    message: format!(
                        "`{path}` asks for `{}`: `{}`",
                        condition.name, condition.require
                    ),
                },
            );
        }
    }

    fn condition(
        &mut self,
        (old, old_at, before): (u32, usize, &EntryCondition),
        (new, new_at, after): (u32, usize, &EntryCondition),
    ) {
        let path = self.newer.path(new);
        let mut differs = |code, breaking, field: &str, before: Value, after: Value, message| {
            let fields = [old_at, new_at].map(|at| format!("entry_conditions/{at}/{field}"));
            let (older, newer) = (Part::State(old), Part::State(new));
            let found = Found { code, breaking, field, before, after, message };
            self.changed_at((older, &fields[0]), (newer, &fields[1]), found);
        };
        if !same_tokens(&before.require, &after.require) {
            let message = format!(
                "`{}` of `{path}` asks for `{}`, not for `{}`",
                after.name, after.require, before.require
            );
            let (was, is) = (before.require.as_str().into(), after.require.as_str().into());
            differs(ChangeCode::ConditionChanged, true, "require", was, is, message);
        }
        if before.message != after.message {
            let message =
                format!("what people read of `{}` in `{path}` is another text", after.name);
            let (was, is) = (before.message.as_deref().into(), after.message.as_deref().into());
            differs(ChangeCode::ConditionMessageChanged, false, "message", was, is, message);
        }
    }

    fn timeout(&mut self, old: u32, new: u32) {
        let path = self.newer.path(new);
        let (before, after) = (self.older.state(old), self.newer.state(new));
        let timer = |machine: &Machine, id: u32| machine.shared.resolved.timers[id as usize];
        let both = (Part::State(old), Part::State(new));
        let (was, is) = (value(before), value(after));
        match (&before.timeout, &after.timeout) {
            (Some(timeout), None) => self.removed(
                both.0,
                Found {
                    code: ChangeCode::TimeoutRemoved,
                    breaking: true,
                    field: "timeout",
                    before: was,
                    after: is,
                    message: format!(
                        "`{path}` has no timeout any more; it was `{}`",
                        timeout.after
                    ),
                },
            ),
            (None, Some(timeout)) => self.added(
                both.1,
                Found {
                    code: ChangeCode::TimeoutAdded,
                    breaking: true,
                    field: "timeout",
                    before: was,
                    after: is,
                    message: format!(
                        "an object takes `{}` after `{}` in `{path}`",
                        timeout.action, timeout.after
                    ),
                },
            ),
            (Some(one), Some(other)) => {
                let (Some(older), Some(newer)) = (timer(self.older, old), timer(self.newer, new))
                else {
                    return;
                };
                let same_action = one.action == other.action;
                if same_action
                    && (older.after, older.notify_before) == (newer.after, newer.notify_before)
                {
                    return;
                }
                self.changed(
                    both,
                    Found {
                        code: ChangeCode::TimeoutChanged,
                        breaking: !same_action || newer.after < older.after,
                        field: "timeout",
                        before: was,
                        after: is,
                        message: format!(
                            "the timeout of `{path}` is {}, not {}",
                            said(other),
                            said(one)
                        ),
                    },
                );
            }
            (None, None) => {}
        }
    }

    /// The side effects of one moment.
    pub(super) fn effects(
        &mut self,
        both: (Part, Part),
        field: &str,
        [before, after]: [&[String]; 2],
        when: &str,
    ) {
        if before == after {
            return;
        }
        // Nothing is lost and in another order if what there was is found in what there is, from left to right.
        let mut rest = after.iter();
        let keeps = before.iter().all(|name| rest.any(|other| other == name));
        let all_known = after.iter().all(|name| self.effects.holds(name));
        let (before, after) = (strs(before), strs(after));
        let words = |names: &[&str]| match names.is_empty() {
            true => String::from("nothing"),
            false => quoted(names),
        };
        self.changed(
            both,
            Found {
                code: ChangeCode::EffectsChanged,
                breaking: !keeps || !all_known,
                field,
                message: format!(
                    "{when} asks the host for {}, not for {}",
                    words(&after),
                    words(&before)
                ),
                before: list(before),
                after: list(after),
            },
        );
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Stable => "stable",
        Kind::Transitional => "transitional",
        Kind::Faulty => "faulty",
    }
}

fn shape(node: Node) -> &'static str {
    match node.shape {
        Shape::Atomic => "atomic",
        Shape::Compound => "compound",
        Shape::Parallel => "parallel",
        Shape::History(_) => "history",
    }
}

/// A timeout as it is written.
fn value(state: &State) -> Value {
    let Some(Timeout { after, action, notify_before }) = &state.timeout else { return Value::Null };
    let mut fields = serde_json::Map::new();
    fields.insert("after".into(), after.as_str().into());
    fields.insert("action".into(), action.as_str().into());
    if let Some(notice) = notify_before {
        fields.insert("notify_before".into(), notice.as_str().into());
    }
    fields.into()
}

fn said(timeout: &Timeout) -> String {
    let notice = match &timeout.notify_before {
        Some(notice) => format!(", announced `{notice}` before"),
        None => String::new(),
    };
    format!("`{}` after `{}`{notice}", timeout.action, timeout.after)
}
