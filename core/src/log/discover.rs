//! A definition out of a log: the states and transitions that its records show.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use hashbrown::{HashMap, HashSet};
use serde_json::Map;

use super::{bind::NONE, claims::List, store::Log};
use crate::{
    definition::{Definition, Names, State, Transition, Trigger},
    diagnostic::{Code, Severity},
    machine::Machine,
    name::to_path,
    table::position,
};

/// A step from a state to a state.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
struct Edge {
    from: u32,
    to: u32,
    /// The names of the action and of the transition, where records tell them.
    action: u32,
    transition: u32,
}

/// What was found, in the order in which it first appears.
#[derive(Default)]
struct Found {
    /// The names of states.
    states: Vec<String>,
    ids: HashMap<String, u32>,
    edges: Vec<Edge>,
    known: HashSet<Edge>,
    /// The states in which objects begin.
    begins: Vec<u32>,
}

impl Found {
    fn state(&mut self, name: String) -> u32 {
        if let Some(&id) = self.ids.get(&name) {
            return id;
        }
        let id = position(self.states.len());
        self.states.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    fn edge(&mut self, edge: Edge) {
        if self.known.insert(edge) {
            self.edges.push(edge);
        }
    }

    fn begin(&mut self, state: u32) {
        if !self.begins.contains(&state) {
            self.begins.push(state);
        }
    }
}

/// Longer names are cut.
const LONGEST: usize = 500;

/// What a definition takes for a name.
fn name_of(text: &str) -> String {
    let kept: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if kept.is_empty() { "?".into() } else { kept }
}

impl Log {
    /// A flat definition that allows all that the log shows: its states in the order in which they first appear, a
    /// transition for each step between two, its action that of the records, else `to <state>`. A state out of
    /// which nothing leads, not even to itself, is terminal. Where an action leads to several states, `object.next_state` says to which. Where objects begin in several states there is one before them, `start`, out of which
    /// `object.first_state` leads. Leaves that are active together are one state, joined with ` + `.
    ///
    /// It is a beginning and no more: that something was never seen does not mean that it must not be.
    ///
    /// Cost: linear in the records.
    #[must_use]
    pub fn discover(&self, object_type: &str) -> Definition {
        let found = self.found();
        let mut definition = found.definition(self, object_type);
        // What the rules of definitions do not like about it is accepted, where that can be.
        if let Err(invalid) = Machine::new(definition.clone()) {
            let errors =
                invalid.diagnostics().iter().filter(|found| found.severity == Severity::Error);
            for error in errors {
                let name = Code::ALLOWABLE.iter().find(|(_, code)| *code == error.code);
                if let Some((name, _)) =
                    name.filter(|(name, _)| !definition.allow.iter().any(|known| known == name))
                {
                    definition.allow.push((*name).into());
                }
            }
        }
        definition
    }

    fn found(&self) -> Found {
        let mut found = Found::default();
        let name = |list: List| {
            let ids = self.claims.list(list)?;
            let names: Vec<&str> = ids.iter().map(|&id| self.claims.names.get(id)).collect();
            Some(name_of(&names.join(" + "))).filter(|_| !ids.is_empty())
        };
        // Claims stand in the order in which they first appear.
        let mut places: Vec<(Option<u32>, Edge)> = Vec::with_capacity(self.claims.all.len());
        for claim in &self.claims.all {
            let is_creation = self.claims.list(claim.from).is_some_and(<[u32]>::is_empty);
            let from = name(claim.from).map(|name| found.state(name));
            let to = found.state(name(claim.to).unwrap_or_else(|| "?".into()));
            let transition = match self.claims.list(claim.transitions) {
                Some(&[only]) => only,
                _ => NONE,
            };
            let action = claim.action.unwrap_or(NONE);
            let edge = Edge { from: from.unwrap_or(NONE), to, action, transition };
            if from.is_some() {
                found.edge(edge);
            }
            // A creation comes from nowhere, which is no state; what is not said comes from the record before.
            places.push((from.or(is_creation.then_some(NONE)), edge));
        }
        let order = self.order();
        for object in 0..self.objects.len() {
            let mut before = None;
            for at in order.range(object) {
                let (from, edge) = places[self.claim[order.record(at)] as usize];
                match (from, before) {
                    (Some(NONE), _) | (None, None) => found.begin(edge.to),
                    (Some(from), None) => found.begin(from),
                    (None, Some(from)) => found.edge(Edge { from, ..edge }),
                    _ => {}
                }
                before = Some(edge.to);
            }
        }
        found
    }
}

impl Found {
    fn definition(&self, log: &Log, object_type: &str) -> Definition {
        let mut leaves = alloc::vec![false; self.states.len()];
        for edge in &self.edges {
            leaves[edge.from as usize] = true;
        }
        let mut states: Vec<State> = Vec::with_capacity(self.states.len() + 1);
        for (name, &is_left) in self.states.iter().zip(&leaves) {
            states.push(State { is_terminal: !is_left, ..State::named(name) });
        }
        let mut names = TransitionNames::default();
        let mut transitions = Vec::new();
        let initial = match self.begins[..] {
            [only] => self.states[only as usize].clone(),
            _ => {
                let mut start = String::from("start");
                while self.ids.contains_key(&start) {
                    start.push('_');
                }
                states.insert(
                    0,
                    State { is_terminal: self.begins.is_empty(), ..State::named(&start) },
                );
                for &begin in &self.begins {
                    transitions.push(self.beginning(&mut names, &start, begin));
                }
                start
            }
        };
        // Which of several steps an action is must be open, and so is asked of the object.
        let mut ways: HashMap<(u32, String), Vec<u32>> = HashMap::new();
        let told = |name: u32| (name != NONE).then(|| name_of(log.claims.names.get(name)));
        let action_of = |edge: &Edge| {
            told(edge.action).unwrap_or_else(|| format!("to {}", self.states[edge.to as usize]))
        };
        for edge in &self.edges {
            ways.entry((edge.from, action_of(edge))).or_default().push(edge.to);
        }
        for edge in &self.edges {
            let (from, to) = (&self.states[edge.from as usize], &self.states[edge.to as usize]);
            let action = action_of(edge);
            let name =
                names.free(&told(edge.transition).unwrap_or_else(|| action.clone()), from, to);
            let targets = ways.get(&(edge.from, action.clone())).map_or(&[][..], Vec::as_slice);
            let guard = match targets.iter().filter(|&&target| target == edge.to).count() {
                _ if targets.len() < 2 => None,
                1 => Some(format!("object.next_state == {}", literal(to))),
                _ => Some(format!("object.next_transition == {}", literal(&name))),
            };
            let transition = Transition::between(&name, &to_path(from), Some(&to_path(to)));
            transitions.push(Transition { action: Some(action), guard, ..transition });
        }
        Definition {
            object_type: object_type.into(),
            version: 1,
            initial_state: Names::One(to_path(&initial).into_owned()),
            history_enabled: true,
            states,
            transitions,
            guards: BTreeMap::new(),
            allow: Vec::new(),
            metadata: Map::new(),
        }
    }

    /// The way from the state before all others to one in which objects begin.
    fn beginning(&self, names: &mut TransitionNames, start: &str, begin: u32) -> Transition {
        let to = &self.states[begin as usize];
        let name = names.free(&format!("begin in {to}"), start, to);
        Transition {
            trigger: Trigger::Automatic,
            guard: Some(format!("object.first_state == {}", literal(to))),
            ..Transition::between(&name, start, Some(&to_path(to)))
        }
    }
}

/// A text as an expression.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Names of transitions, each used once.
#[derive(Default)]
struct TransitionNames {
    used: HashSet<String>,
    next: u64,
}

impl TransitionNames {
    fn free(&mut self, action: &str, from: &str, to: &str) -> String {
        let mut name = action.to_string();
        if self.used.contains(&name) {
            name = format!("{action} ({from})");
        }
        if self.used.contains(&name) {
            name = format!("{action} ({from} to {to})");
        }
        while self.used.contains(&name) {
            self.next += 1;
            name = format!("{action} ({})", self.next);
        }
        self.used.insert(name.clone());
        name
    }
}
