//! What changed between two definitions, and whether it breaks something.
//!
//! What is compared is what the definitions mean, not how they are written:
//! states by path, targets by the states that they name, durations by their
//! length, guards by their tokens. Order counts only where it decides. Every
//! part is looked at once, so the cost is linear in the size of both.

mod change;
mod guards;
mod machines;
mod meaning;
mod order;
mod pairs;
mod states;
mod transitions;

use alloc::{string::String, sync::Arc, vec::Vec};

pub use change::{Affected, Change, ChangeCode, ChangeKind};
use serde_json::Value;

use self::{order::StoodBefore, pairs::Pairs};
use crate::{
    chart::{ROOT, Shape},
    index::Index,
    machine::Machine,
    name::shortened,
    table::position,
};

impl Machine {
    /// What `newer` changes of this machine's definition: first the definition itself, then its states, transitions,
    /// orders, guards and actions, each in document order; what only `newer` has comes last.
    ///
    /// States are the same by their paths, transitions by their machine and name; one that leads from the same states
    /// to the same states for the same action is the same under another name. Order that decides nothing is no
    /// change, nor is another way to write the same: of a list, a duration, a target, the spaces in a guard.
    ///
    /// ```
    /// use veristate::Machine;
    ///
    /// let older = Machine::from_json(r#"{ "object_type": "Door", "initial_state": "open",
    ///     "states": [{ "name": "open" }, { "name": "gone", "is_terminal": true }],
    ///     "transitions": [{ "name": "break", "from_state": "open", "to_state": "gone", "action": "break" }] }"#)?;
    /// let mut definition = older.definition().clone();
    /// definition.transitions[0].required_permissions.push("door.break".into());
    /// let changes = older.diff(&Machine::new(definition)?);
    /// assert_eq!(changes.len(), 1);
    /// assert_eq!(changes[0].message, "`break` asks for the permission `door.break`");
    /// assert!(changes[0].breaking);
    /// # Ok::<(), veristate::InvalidDefinition>(())
    /// ```
    ///
    /// Cost: linear in the size of both definitions.
    #[must_use]
    pub fn diff(&self, newer: &Self) -> Vec<Change> {
        if Arc::ptr_eq(&self.shared, &newer.shared) {
            return Vec::new();
        }
        let pairs = Pairs::new(self, newer);
        let mut diff = Diff {
            older: self,
            newer,
            stood_before: StoodBefore::new(newer, &pairs.transitions[1]),
            pairs,
            parallels: parallels(newer),
            effects: effects(self),
            changes: Vec::new(),
        };
        diff.definition();
        diff.states();
        diff.transitions();
        diff.orders();
        diff.guards();
        diff.actions();
        diff.changes
    }
}

/// A comparison in progress.
struct Diff<'m> {
    older: &'m Machine,
    newer: &'m Machine,
    pairs: Pairs,
    /// How many of the states of the newer machine before each have regions, and how many all together.
    parallels: Vec<u32>,
    stood_before: StoodBefore<'m>,
    /// The side effects that the older machine names.
    effects: Words<'m>,
    changes: Vec<Change>,
}

/// A part of a definition.
#[derive(Clone, Copy)]
enum Part {
    /// The machine inside a state, or the outer one.
    Machine(u32),
    State(u32),
    Transition(u32),
}

/// A change that was found, but for its place.
struct Found<'f> {
    code: ChangeCode,
    breaking: bool,
    /// The field of the part, as the end of a pointer; empty for the part itself.
    field: &'f str,
    before: Value,
    after: Value,
    message: String,
}

impl Diff<'_> {
    fn added(&mut self, part: Part, found: Found<'_>) {
        let field = found.field;
        self.report(ChangeKind::Added, None, Some((part, field)), found);
    }

    fn removed(&mut self, part: Part, found: Found<'_>) {
        let field = found.field;
        self.report(ChangeKind::Removed, Some((part, field)), None, found);
    }

    /// A change of a field that both have.
    fn changed(&mut self, (older, newer): (Part, Part), found: Found<'_>) {
        let field = found.field;
        self.report(ChangeKind::Changed, Some((older, field)), Some((newer, field)), found);
    }

    /// The same where the field stands at another place in each.
    fn changed_at(&mut self, older: (Part, &str), newer: (Part, &str), found: Found<'_>) {
        self.report(ChangeKind::Changed, Some(older), Some(newer), found);
    }

    fn report(
        &mut self,
        kind: ChangeKind,
        older: Option<(Part, &str)>,
        newer: Option<(Part, &str)>,
        found: Found<'_>,
    ) {
        let Found { code, breaking, before, after, message, .. } = found;
        let (state, transition) = match (older, newer) {
            (_, Some((part, _))) => owner(self.newer, part),
            (Some((part, _)), None) => owner(self.older, part),
            (None, None) => (None, None),
        };
        let (affects, consequence) = code.meaning(breaking);
        self.changes.push(Change {
            code,
            kind,
            breaking,
            affects,
            state,
            transition,
            older_pointer: older.map(|(part, field)| pointer(self.older, part, field)),
            newer_pointer: newer.map(|(part, field)| pointer(self.newer, part, field)),
            before,
            after,
            message: shortened(message),
            consequence: consequence.into(),
        });
    }
}

/// The state and the transition that a part is about.
fn owner(machine: &Machine, part: Part) -> (Option<String>, Option<String>) {
    let path = |id: u32| (id != ROOT).then(|| machine.path(id).clone());
    match part {
        Part::Machine(id) | Part::State(id) => (path(id), None),
        Part::Transition(id) => {
            let owner = machine.shared.resolved.chart.frame(id).owner;
            (path(owner), Some(machine.transition(id).name.clone()))
        }
    }
}

fn pointer(machine: &Machine, part: Part, field: &str) -> String {
    let chart = &machine.shared.resolved.chart;
    let mut pointer = match part {
        Part::Machine(owner) => chart.machine_pointer(owner),
        Part::State(id) => chart.state_pointer(id),
        Part::Transition(id) => chart.transition_pointer(id),
    };
    if !field.is_empty() {
        pointer.push('/');
        pointer.push_str(field);
    }
    pointer
}

fn parallels(machine: &Machine) -> Vec<u32> {
    let mut count = 0;
    let nodes = machine.shared.resolved.chart.nodes.iter();
    let before = nodes.map(|node| {
        count += u32::from(node.shape == Shape::Parallel);
        count
    });
    core::iter::once(0).chain(before).collect()
}

/// Words, each once.
#[derive(Default)]
struct Words<'m> {
    words: Vec<&'m str>,
    index: Index,
}

impl<'m> Words<'m> {
    fn add(&mut self, words: impl IntoIterator<Item = &'m String>) {
        for word in words {
            self.words.push(word);
            let known = &self.words;
            let last = position(known.len() - 1);
            if self.index.insert(last, &|id| known[id as usize]).is_some() {
                self.words.pop();
            }
        }
    }

    fn holds(&self, word: &str) -> bool {
        self.index.get(word, &|id| self.words[id as usize]).is_some()
    }
}

/// All side effects that a machine names.
fn effects(machine: &Machine) -> Words<'_> {
    let mut effects = Words::default();
    for state in machine.ids().map(|id| machine.state(id)) {
        effects.add(state.on_enter.iter().chain(&state.on_exit));
    }
    for id in 0..position(machine.shared.resolved.chart.transitions()) {
        effects.add(&machine.transition(id).side_effects);
    }
    effects
}

/// A list of texts as a value.
fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> Value {
    Value::Array(texts.into_iter().map(Value::from).collect())
}

fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
