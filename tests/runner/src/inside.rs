//! What the machines inside of states make ambiguous: names that do not stand for one thing.

use std::collections::BTreeSet;

use serde_json::Value;

/// What of a definition a name does not tell.
#[derive(Debug, Default)]
pub(crate) struct Ambiguous {
    /// Names of transitions that several machines have, or that no action sets off.
    transitions: BTreeSet<String>,
    /// Whether a machine inside has guards of its own, which mean nothing outside of it.
    pub(crate) has_inner_guards: bool,
}

impl Ambiguous {
    pub(crate) fn of(definition: &Value) -> Self {
        let (mut found, mut seen) = (Self::default(), BTreeSet::new());
        found.machine(definition, &mut seen);
        found
    }

    /// Whether a transition is known by its name, and set off by its action.
    pub(crate) fn is_plain(&self, transition: &Value) -> bool {
        transition.as_str().is_none_or(|name| !self.transitions.contains(name))
    }

    fn machine(&mut self, machine: &Value, seen: &mut BTreeSet<String>) {
        for transition in items(machine, "transitions") {
            let name = transition["name"].as_str().unwrap_or_default().to_owned();
            let trigger = transition["trigger"].as_str().unwrap_or("action");
            if trigger != "action" || !seen.insert(name.clone()) {
                self.transitions.insert(name);
            }
        }
        self.states(items(machine, "states"), seen);
    }

    fn states(&mut self, states: &[Value], seen: &mut BTreeSet<String>) {
        for state in states {
            if let Some(inside) = state.get("sub_machine") {
                self.has_inner_guards |= inside.get("guards").is_some();
                self.machine(inside, seen);
            }
            self.states(items(state, "regions"), seen);
        }
    }
}

fn items<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value[field].as_array().map(Vec::as_slice).unwrap_or_default()
}
