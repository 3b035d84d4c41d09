//! What is written for the transitions of a definition.

use alloc::{format, string::String, vec::Vec};

use super::{
    arrows::leads_out,
    ids::is_xml,
    tree::{Element, Tree},
};
use crate::{
    definition::{Transition, Trigger},
    interchange::{
        finding::{LeftOut, LeftOutCode},
        naming::{FreshNames, describe, on_action},
    },
};

/// A transition out of one state.
#[derive(Debug)]
pub(super) struct Out<'d> {
    pub(super) transition: &'d Transition,
    /// Where it leads, in the words of SCXML; nothing for one that leaves nothing.
    pub(super) targets: Option<Vec<usize>>,
    pub(super) is_internal: bool,
}

impl Out<'_> {
    /// Whether two differ in their names and actions only.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.targets == other.targets
            && self.is_internal == other.is_internal
            && self.transition.trigger == other.transition.trigger
            && self.transition.guard == other.transition.guard
            && self.transition.display_name == other.transition.display_name
    }
}

/// The transitions out of every state, in the order in which they are tried.
pub(super) fn plan<'d>(tree: &Tree<'d>, left_out: &mut Vec<LeftOut>) -> Vec<Vec<Out<'d>>> {
    let mut plan: Vec<Vec<Out<'d>>> = Vec::new();
    plan.resize_with(tree.nodes.len(), Vec::new);
    // Those of a machine inside are tried before those of one around it.
    for owner in (0..tree.nodes.len()).rev() {
        let Some(machine) = tree.machine(owner) else { continue };
        for (index, transition) in machine.transitions.iter().enumerate() {
            let mut planner = Planner { tree, owner, index, transition, left_out };
            planner.fields();
            for name in transition.from_state.as_slice() {
                if let Some((source, out)) = planner.out(name) {
                    plan[source].push(out);
                }
            }
        }
    }
    plan
}

/// For each node whether an import would give the transitions of its machine the names that they have.
pub(super) fn named_as_made(tree: &Tree<'_>, plan: &[Vec<Out<'_>>]) -> Vec<bool> {
    let mut is_as_made = alloc::vec![true; tree.nodes.len()];
    let mut names: Vec<FreshNames> = Vec::new();
    names.resize_with(tree.nodes.len(), FreshNames::default);
    for (source, outs) in plan.iter().enumerate() {
        let home = tree.places.machine_of(source);
        for out in outs {
            let cause = match out.transition.trigger {
                Trigger::Action => on_action(out.transition.asked()),
                Trigger::Completion => "when_done".into(),
                Trigger::Automatic => "always".into(),
            };
            let name_of = |state: &usize| tree.places.name(*state);
            let targets = out.targets.as_deref().unwrap_or_default().iter().map(name_of);
            let made = names[home].fresh(&describe(name_of(&source), targets, &cause));
            is_as_made[home] &= made == out.transition.name;
        }
    }
    is_as_made
}

struct Planner<'p, 'd> {
    tree: &'p Tree<'d>,
    /// The node that holds the machine.
    owner: usize,
    index: usize,
    transition: &'d Transition,
    left_out: &'p mut Vec<LeftOut>,
}

impl<'d> Planner<'_, 'd> {
    fn leave_out(&mut self, code: LeftOutCode, field: &str, message: impl Into<String>) {
        let machine = self.tree.machine_pointer(self.owner);
        let pointer = format!("{machine}/transitions/{}{field}", self.index);
        let message = message.into();
        let found = LeftOut { code, pointer, message };
        if self.left_out.last() != Some(&found) {
            self.left_out.push(found);
        }
    }

    fn fields(&mut self) {
        let transition = self.transition;
        let name = &transition.name;
        if !transition.required_permissions.is_empty() {
            let message = format!("SCXML knows no permissions: anybody may take `{name}`");
            self.leave_out(LeftOutCode::Permissions, "/required_permissions", message);
        }
        if !transition.side_effects.is_empty() {
            let message = format!("the side effects of `{name}` are names, and SCXML has code");
            self.leave_out(LeftOutCode::SideEffects, "/side_effects", message);
        }
        if !transition.metadata.is_empty() {
            self.leave_out(LeftOutCode::Metadata, "/metadata", "free data have no place in SCXML");
        }
        for (field, text) in
            [("/name", Some(name)), ("/display_name", transition.display_name.as_ref())]
        {
            if text.is_some_and(|text| !is_xml(text)) {
                self.leave_out(
                    LeftOutCode::Text,
                    field,
                    "a character of this cannot be written in XML",
                );
            }
        }
    }

    /// Leaves the transition out: never its guard alone, which would let more happen.
    fn refuse(&mut self, field: &str, message: impl Into<String>) -> Option<(usize, Out<'d>)> {
        self.leave_out(LeftOutCode::Transition, field, message);
        None
    }

    fn out(&mut self, name: &str) -> Option<(usize, Out<'d>)> {
        let (tree, transition) = (self.tree, self.transition);
        let Some(source) = tree.places.find_inside(self.owner, name) else {
            return self.refuse("/from_state", format!("no state is called `{name}`"));
        };
        match tree.nodes[source].element {
            Element::Final => {
                return self.refuse("/from_state", "in SCXML nothing leads out of a final state");
            }
            Element::History => {
                return self.refuse("/from_state", "nothing leads out of a history state");
            }
            _ => {}
        }
        match (&transition.action, transition.trigger) {
            (Some(action), Trigger::Action) if !is_xml(action) => {
                return self
                    .refuse("/action", "a character of the action cannot be written in XML");
            }
            (Some(_), Trigger::Action) | (None, Trigger::Completion | Trigger::Automatic) => {}
            _ => return self.refuse("", "it is not clear what sets it off"),
        }
        if let Some(guard) = &transition.guard {
            if !is_xml(guard) {
                return self.refuse("/guard", "a character of the guard cannot be written in XML");
            }
            if let Some(hidden) = self.hidden_guard(source, guard) {
                let message = format!("inside of its source `{hidden}` is another guard");
                return self.refuse("/guard", message);
            }
        }
        let Some(names) = &transition.to_state else {
            return Some((source, Out { transition, targets: None, is_internal: false }));
        };
        let mut targets = Vec::new();
        for name in names.as_slice() {
            match tree.places.find(self.owner, name) {
                Some(target) => targets.push(target),
                None => return self.refuse("/to_state", format!("no state is called `{name}`")),
            }
        }
        if targets.is_empty() {
            return self.refuse("/to_state", "the list of targets is empty");
        }
        let (targets, is_internal) = self.domain(source, targets);
        Some((source, Out { transition, targets, is_internal }))
    }

    /// A named guard that would be another one where the transition is written: in its source.
    fn hidden_guard(&self, source: usize, guard: &str) -> Option<&'d str> {
        let mut at = self.tree.places.machine_of(source);
        while at != self.owner {
            let guards = self.tree.machine(at).map(|machine| machine.guards);
            let mut names = guards.into_iter().flat_map(|guards| guards.keys());
            if let Some(name) = names.find(|name| mentions(guard, name)) {
                return Some(name);
            }
            at = self.tree.places.parent(at);
        }
        None
    }

    /// Targets and type by which SCXML leaves and enters the same states.
    fn domain(&mut self, source: usize, targets: Vec<usize>) -> (Option<Vec<usize>>, bool) {
        let tree = self.tree;
        let out =
            |target: &usize| leads_out(&tree.places, tree.is_history(*target), source, *target);
        if self.transition.reenter || targets.iter().any(out) {
            return (Some(targets), false);
        }
        let is_inside = |target: &usize| tree.places.lies_in(*target, source);
        let is_self = |target: &usize| *target == source;
        let element = tree.nodes[source].element;
        if element == Element::Compound && targets.iter().all(is_inside) {
            return (Some(targets), true);
        }
        if targets.iter().all(is_self) {
            let initial = tree.machine(source).filter(|_| element == Element::Compound);
            match initial.and_then(|inside| tree.find_inside(source, inside.initial_state)) {
                Some(initial) => return (Some(initial), true),
                None if element == Element::Atomic => return (None, false),
                None => {}
            }
        }
        let message = format!(
            "`{}` would not leave its state; in SCXML it leaves and enters it again",
            self.transition.name
        );
        self.leave_out(LeftOutCode::Reenter, "/to_state", message);
        (Some(targets), false)
    }
}

/// Whether an expression has an identifier in it.
fn mentions(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}
