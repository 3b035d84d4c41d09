//! Transitions: which there are, and what is said of each.

use alloc::{format, string::String, vec::Vec};

use serde_json::Value;

use super::{
    Diff, Found, Part,
    change::ChangeCode,
    list,
    machines::{paths, quoted},
    pairs::{missing, sources},
    strs,
};
use crate::{
    chart::Shape,
    definition::{Transition, Trigger},
    guard::same_tokens,
    machine::Machine,
    table::{Entry, position},
};

impl Diff<'_> {
    pub(super) fn transitions(&mut self) {
        for old in 0..position(self.pairs.transitions[0].len()) {
            match self.pairs.transitions[0][old as usize] {
                Some(new) => self.transition(old, new),
                None => {
                    let found = Found {
                        code: ChangeCode::TransitionRemoved,
                        breaking: true,
                        field: "",
                        before: self.older.transition(old).name.as_str().into(),
                        after: Value::Null,
                        message: format!("there is no {} any more", described(self.older, old)),
                    };
                    self.removed(Part::Transition(old), found);
                }
            }
        }
        for new in 0..position(self.pairs.transitions[1].len()) {
            if self.pairs.transitions[1][new as usize].is_none() {
                let breaking = sources(self.newer, new).iter().any(|edge| self.takes_over(*edge));
                let found = Found {
                    code: ChangeCode::TransitionAdded,
                    breaking,
                    field: "",
                    before: Value::Null,
                    after: self.newer.transition(new).name.as_str().into(),
                    message: format!("there is {}", described(self.newer, new)),
                };
                self.added(Part::Transition(new), found);
            }
        }
    }

    fn transition(&mut self, old: u32, new: u32) {
        let (before, after) = (self.older.transition(old), self.newer.transition(new));
        let name = &after.name;
        let both = (Part::Transition(old), Part::Transition(new));
        if before.name != *name {
            self.changed(
                both,
                Found {
                    code: ChangeCode::TransitionRenamed,
                    breaking: false,
                    field: "name",
                    before: before.name.as_str().into(),
                    after: name.as_str().into(),
                    message: format!("the transition `{}` is called `{name}`", before.name),
                },
            );
        }
        self.sources(old, new);
        self.target(old, new);
        if before.trigger != after.trigger || before.action != after.action {
            let (was, is) = (trigger(before), trigger(after));
            self.changed(
                both,
                Found {
                    code: ChangeCode::TriggerChanged,
                    breaking: true,
                    field: if before.trigger == after.trigger { "action" } else { "trigger" },
                    message: format!(
                        "`{name}` is set off by {}, not by {}",
                        said(after),
                        said(before)
                    ),
                    before: was,
                    after: is,
                },
            );
        }
        self.guard(old, new);
        self.permissions(old, new);
        self.effects(
            both,
            "side_effects",
            [&before.side_effects, &after.side_effects],
            &format!("`{name}`"),
        );
        if before.reenter != after.reenter {
            let does = if after.reenter { "leaves and enters" } else { "does not leave and enter" };
            self.changed(
                both,
                Found {
                    code: ChangeCode::ReenterChanged,
                    breaking: true,
                    field: "reenter",
                    before: before.reenter.into(),
                    after: after.reenter.into(),
                    message: format!("`{name}` {does} its own state again"),
                },
            );
        }
        // Without a text of their own the texts follow from the action and the name, which are reported themselves.
        let has_text = before.display_name.is_some() || after.display_name.is_some();
        if has_text {
            self.title(both, [before.title(), after.title()], name);
        }
        self.metadata(both, [&before.metadata, &after.metadata], &format!("`{name}`"));
    }

    /// The states that a transition leads out of.
    fn sources(&mut self, old: u32, new: u32) {
        let name = &self.newer.transition(new).name;
        let (before, after) = (sources(self.older, old), sources(self.newer, new));
        let mut kept: Vec<u32> = Vec::with_capacity(before.len());
        for edge in before {
            kept.extend(self.pairs.newer_state(edge.state));
        }
        kept.sort_unstable();
        let mut now: Vec<u32> = after.iter().map(|edge| edge.state).collect();
        now.sort_unstable();
        for edge in before {
            let same = self.pairs.newer_state(edge.state);
            if same.is_none_or(|same| now.binary_search(&same).is_err()) {
                let path = self.older.path(edge.state);
                self.removed(
                    Part::Transition(old),
                    Found {
                        code: ChangeCode::SourceRemoved,
                        breaking: true,
                        field: "from_state",
                        before: path.as_str().into(),
                        after: Value::Null,
                        message: format!("`{name}` does not lead out of `{path}` any more"),
                    },
                );
            }
        }
        for edge in after {
            if kept.binary_search(&edge.state).is_err() {
                let path = self.newer.path(edge.state);
                self.added(
                    Part::Transition(new),
                    Found {
                        code: ChangeCode::SourceAdded,
                        breaking: self.takes_over(*edge),
                        field: "from_state",
                        before: Value::Null,
                        after: path.as_str().into(),
                        message: format!("`{name}` leads out of `{path}`, too"),
                    },
                );
            }
        }
    }

    fn target(&mut self, old: u32, new: u32) {
        let targets = |machine: &Machine, id| machine.shared.resolved.chart.targets.of(id).to_vec();
        let (before, mut after) = (targets(self.older, old), targets(self.newer, new));
        after.sort_unstable();
        if self.pairs.newer_states(before.iter().copied()).as_ref() == Some(&after) {
            return;
        }
        let (before, after) = (paths(self.older, &before), paths(self.newer, &after));
        let message = format!(
            "`{}` leads to {}, not to {}",
            self.newer.transition(new).name,
            places(&after),
            places(&before)
        );
        let value = |paths: Vec<&str>| if paths.is_empty() { Value::Null } else { list(paths) };
        self.changed(
            (Part::Transition(old), Part::Transition(new)),
            Found {
                code: ChangeCode::TargetChanged,
                breaking: true,
                field: "to_state",
                before: value(before),
                after: value(after),
                message,
            },
        );
    }

    fn guard(&mut self, old: u32, new: u32) {
        let (before, after) = (self.older.transition(old), self.newer.transition(new));
        let name = &after.name;
        let (was, is) = (before.guard.as_deref(), after.guard.as_deref());
        let found = |code, breaking, message: String| Found {
            code,
            breaking,
            field: "guard",
            before: was.into(),
            after: is.into(),
            message,
        };
        match (was, is) {
            (None, Some(guard)) => {
                let message = format!("`{name}` has a guard: `{guard}`");
                self.added(Part::Transition(new), found(ChangeCode::GuardAdded, true, message));
            }
            (Some(guard), None) => {
                let breaking = sources(self.newer, new).iter().any(|edge| self.takes_over(*edge));
                let message = format!("`{name}` has no guard any more; it was `{guard}`");
                let found = found(ChangeCode::GuardRemoved, breaking, message);
                self.removed(Part::Transition(old), found);
            }
            (Some(one), Some(other)) if !same_tokens(one, other) => {
                let message = format!("the guard of `{name}` is `{other}`, not `{one}`");
                let found = found(ChangeCode::GuardChanged, true, message);
                self.changed((Part::Transition(old), Part::Transition(new)), found);
            }
            _ => {}
        }
    }

    fn permissions(&mut self, old: u32, new: u32) {
        let name = &self.newer.transition(new).name;
        let before = strs(&self.older.transition(old).required_permissions);
        let after = strs(&self.newer.transition(new).required_permissions);
        for index in missing(&before, &after) {
            self.removed(
                Part::Transition(old),
                Found {
                    code: ChangeCode::PermissionRemoved,
                    breaking: false,
                    field: &format!("required_permissions/{index}"),
                    before: before[index].into(),
                    after: Value::Null,
                    message: format!(
                        "`{name}` does not ask for the permission `{}` any more",
                        before[index]
                    ),
                },
            );
        }
        for index in missing(&after, &before) {
            self.added(
                Part::Transition(new),
                Found {
                    code: ChangeCode::PermissionAdded,
                    breaking: true,
                    field: &format!("required_permissions/{index}"),
                    before: Value::Null,
                    after: after[index].into(),
                    message: format!("`{name}` asks for the permission `{}`", after[index]),
                },
            );
        }
    }

    /// Whether a way out of a state of the newer machine, which is new or open to more, may be taken where an object
    /// went another way or none by itself. Of what stands before it in the same state nothing changes, nor of
    /// what is inside: that is tried first.
    fn takes_over(&self, edge: Entry) -> bool {
        let chart = &self.newer.shared.resolved.chart;
        if self.pairs.states[1][edge.state as usize].is_none() {
            return false;
        }
        if self.newer.transition(edge.transition).trigger != Trigger::Action {
            return true;
        }
        if self.stood_before.behind(edge) {
            return true;
        }
        if chart.around(edge.state).any(|id| self.stood_before.any(id, edge.action)) {
            return true;
        }
        // Where regions are active together, one action is taken in several of them: another one that takes it may
        // conflict with those, or refuse the step.
        let asked = self.newer.transition(edge.transition).asked();
        let has_regions = chart.outward(edge.state).any(|id| chart.shape(id) == Shape::Parallel)
            || self.holds_regions(edge.state);
        has_regions && self.older.action_id(asked).is_some()
    }

    /// Whether a state of the newer machine inside of a state has regions.
    fn holds_regions(&self, id: u32) -> bool {
        let inside = self.newer.shared.resolved.chart.inside(id);
        self.parallels[inside.start as usize] < self.parallels[inside.end as usize]
    }
}

/// A transition in a sentence.
fn described(machine: &Machine, id: u32) -> String {
    let transition = machine.transition(id);
    let from: Vec<u32> = sources(machine, id).iter().map(|edge| edge.state).collect();
    format!(
        "transition `{}` from {} to {}, set off by {}",
        transition.name,
        quoted(&paths(machine, &from)),
        places(&paths(machine, machine.shared.resolved.chart.targets.of(id))),
        said(transition)
    )
}

fn places(paths: &[&str]) -> String {
    if paths.is_empty() { "no state".into() } else { quoted(paths) }
}

/// What sets a transition off, as a value: its action, or what else.
fn trigger(transition: &Transition) -> Value {
    let mut fields = serde_json::Map::new();
    match transition.trigger {
        Trigger::Action => fields.insert("action".into(), transition.asked().into()),
        Trigger::Completion => fields.insert("trigger".into(), "completion".into()),
        Trigger::Automatic => fields.insert("trigger".into(), "automatic".into()),
    };
    fields.into()
}

fn said(transition: &Transition) -> String {
    match transition.trigger {
        Trigger::Action => format!("`{}`", transition.asked()),
        Trigger::Completion => "the completion of its state".into(),
        Trigger::Automatic => "nothing, as soon as it can".into(),
    }
}
