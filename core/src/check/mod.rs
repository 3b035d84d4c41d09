//! Whether a definition makes sense: every finding, each with its place.
//!
//! Rules of this module. (1) It reports all that is wrong, not the first
//! thing. (2) Its cost is linear in the size of the definition. (3) What it
//! resolves on the way (ids for names, the table of transitions) is handed on,
//! so that compiling does not resolve anything a second time.

mod conditions;
mod graph;
mod guards;
mod names;
mod overlaps;
mod transitions;

use alloc::{format, string::String, vec::Vec};

pub(crate) use conditions::Conditions;

use crate::{
    definition::{Definition, Names, State, Transition},
    diagnostic::{Code, Diagnostic, Severity},
    guard::Guard,
    index::Index,
    limits::Limits,
    name::{Nearest, quoted, to_path},
    table::{Entry, Table, group, position},
    time::Duration,
};

/// A timeout whose texts have been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    pub(crate) after: Duration,
    pub(crate) notify_before: Option<Duration>,
    pub(crate) action: u32,
}

/// What the names of a definition stand for. Ids count in document order.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) initial: u32,
    pub(crate) states: Index,
    /// For each action the first transition that has it.
    pub(crate) actions: Vec<u32>,
    pub(crate) action_ids: Index,
    /// The named guards, then those of transitions and entry conditions, each once.
    pub(crate) guards: Vec<Guard>,
    /// The guards that are functions of the host, by their numbers.
    pub(crate) host_guards: Vec<u32>,
    pub(crate) guard_ids: Index,
    /// For each transition its action, guard and target.
    pub(crate) action_of: Vec<u32>,
    pub(crate) guard_of: Vec<Option<u32>>,
    pub(crate) target_of: Vec<Option<u32>>,
    /// One for each transition and state that it starts from, in document order.
    pub(crate) edges: Vec<Entry>,
    pub(crate) table: Table,
    pub(crate) conditions: Conditions,
    /// For each state its timeout.
    pub(crate) timers: Vec<Option<Timer>>,
}

impl Resolved {
    /// The guard of this name, or with this text.
    pub(crate) fn guard_id(&self, key: &str) -> Option<u32> {
        self.guard_ids.get(key, &|id| self.guards[id as usize].key.as_str())
    }
}

/// Checks `definition`: its findings in document order, and what its names stand for. The second is
/// only of use where no finding is an error.
pub(crate) fn check(definition: &Definition, limits: &Limits) -> (Vec<Diagnostic>, Resolved) {
    let mut check = Check {
        definition,
        limits,
        findings: Vec::new(),
        nearest: Nearest::new(),
        resolved: Resolved::default(),
        first_of_name: Vec::new(),
        last_from: Vec::new(),
        guard_places: Vec::new(),
    };
    if check.within(limits) {
        check.version();
        check.names();
        check.named_guards();
        check.conditions();
        check.transitions();
        let order = check.guard_names();
        check.decidable_guards(&order);
        check.conditions_within(limits.conditions);
        check.graph();
        check.allow();
    }
    check.in_order()
}

/// Checks in progress.
struct Check<'d> {
    definition: &'d Definition,
    limits: &'d Limits,
    findings: Vec<Found>,
    nearest: Nearest,
    resolved: Resolved,
    /// For each state the first state of its name: itself, unless the name is used twice.
    first_of_name: Vec<u32>,
    /// For each state the last transition that starts from it.
    last_from: Vec<u32>,
    /// For each guard where it is written first.
    guard_places: Vec<(At, String)>,
}

/// A finding and its place in document order.
struct Found {
    place: u32,
    diagnostic: Diagnostic,
}

/// A part of the document that a finding is about.
#[derive(Clone, Copy)]
enum At {
    Root,
    State(u32),
    /// An entry condition: its state, and its position there.
    Condition(u32, u32),
    Transition(u32),
    Guards,
    Allow,
}

impl At {
    fn pointer(self, field: &str) -> String {
        match self {
            Self::Root if field.is_empty() => String::new(),
            Self::Root | Self::Guards | Self::Allow => format!("/{field}"),
            Self::State(id) if field.is_empty() => format!("/states/{id}"),
            Self::State(id) => format!("/states/{id}/{field}"),
            Self::Condition(id, index) => format!("/states/{id}/entry_conditions/{index}/{field}"),
            Self::Transition(id) if field.is_empty() => format!("/transitions/{id}"),
            Self::Transition(id) => format!("/transitions/{id}/{field}"),
        }
    }
}

impl<'d> Check<'d> {
    fn report(
        &mut self,
        at: At,
        field: &str,
        code: Code,
        message: String,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        let states = position(self.definition.states.len());
        let place = match at {
            At::Root => 0,
            At::State(id) | At::Condition(id, _) => 1 + id,
            At::Transition(id) => 1 + states + id,
            At::Guards => 1 + states + position(self.definition.transitions.len()),
            At::Allow => 2 + states + position(self.definition.transitions.len()),
        };
        let diagnostic = Diagnostic::new(code, at.pointer(field), message, help);
        self.findings.push(Found { place, diagnostic });
        let last = self.findings.len() - 1;
        &mut self.findings[last].diagnostic
    }

    /// The findings in document order; those about one place in the order in which they were made.
    fn in_order(self) -> (Vec<Diagnostic>, Resolved) {
        let places = self.definition.states.len() + self.definition.transitions.len() + 3;
        let (_, order) = group(places, self.findings.iter().map(|found| found.place));
        let mut findings: Vec<Option<Diagnostic>> =
            self.findings.into_iter().map(|found| Some(found.diagnostic)).collect();
        let ordered = order.iter().filter_map(|&index| findings[index as usize].take()).collect();
        (ordered, self.resolved)
    }

    fn state(&self, id: u32) -> &'d State {
        &self.definition.states[id as usize]
    }

    fn transition(&self, id: u32) -> &'d Transition {
        &self.definition.transitions[id as usize]
    }

    fn states(&self) -> impl Iterator<Item = (u32, &'d State)> + use<'d> {
        (0..).zip(&self.definition.states)
    }

    /// The state that a name or a path of one part stands for.
    fn find_state(&self, name: &str) -> Option<u32> {
        self.find_name(name).or_else(|| self.find_path(name))
    }

    fn find_name(&self, name: &str) -> Option<u32> {
        self.resolved.states.get(name, &|id| self.state(id).name.as_str())
    }

    /// The state that has this path.
    fn find_path(&self, path: &str) -> Option<u32> {
        self.find_name(&crate::name::from_path(path)?)
    }

    /// A sentence with the state that was probably meant.
    fn suggest_state(&mut self, name: &str) -> String {
        let states = self.definition.states.iter().map(|state| state.name.as_str());
        match self.nearest.find(name, states) {
            Some(known) => format!("did you mean `{known}`?"),
            None => "add the state, or name one that there is".into(),
        }
    }

    fn within(&mut self, limits: &Limits) -> bool {
        let states = self.definition.states.len();
        let edges: usize = self
            .definition
            .transitions
            .iter()
            .map(|transition| transition.from_state.as_slice().len().max(1))
            .sum();
        for (name, field, count, limit) in [
            ("states", "states", states, limits.states),
            ("transitions", "transitions", edges, limits.transitions),
        ] {
            if count > limit {
                let message =
                    format!("the definition has {count} {name}, the limit `{name}` is {limit}");
                let help = format!("split the definition, or raise the limit `{name}`");
                self.report(At::Root, field, Code::LimitExceeded, message, help);
                return false;
            }
        }
        self.names_within(limits.name_bytes)
    }

    /// No name is longer than the limit: answers repeat names.
    fn names_within(&mut self, limit: usize) -> bool {
        let definition = self.definition;
        let root = [&definition.object_type, &definition.initial_state];
        let mut root = root.into_iter().chain(&definition.allow).chain(definition.guards.keys());
        let root = root.find(|name| name.len() > limit);
        let mut too_long = root.map(|name| (At::Root, name));
        for (id, state) in self.states() {
            let timeout = state.timeout.iter();
            let conditions = state.entry_conditions.iter();
            let texts = core::iter::once(&state.name)
                .chain(&state.display_name)
                .chain([&state.permits, &state.on_enter, &state.on_exit].into_iter().flatten())
                .chain(timeout.flat_map(|timeout| {
                    [&timeout.after, &timeout.action].into_iter().chain(&timeout.notify_before)
                }))
                .chain(conditions.flat_map(|condition| {
                    core::iter::once(&condition.name).chain(&condition.message)
                }));
            let found = texts.into_iter().find(|text| text.len() > limit);
            too_long = too_long.or(found.map(|text| (At::State(id), text)));
        }
        for (id, transition) in (0..).zip(&definition.transitions) {
            let texts = [&transition.name, &transition.action]
                .into_iter()
                .chain(&transition.display_name)
                .chain(transition.from_state.as_slice())
                .chain(transition.to_state.iter().flat_map(Names::as_slice))
                .chain(&transition.required_permissions)
                .chain(&transition.side_effects);
            let found = texts.into_iter().find(|text| text.len() > limit);
            too_long = too_long.or(found.map(|text| (At::Transition(id), text)));
        }
        let Some((at, text)) = too_long else { return true };
        let message = format!("a name has {} bytes, the limit `name_bytes` is {limit}", text.len());
        let help = "shorten it (long texts go into `description`), or raise the limit `name_bytes`";
        self.report(at, "", Code::LimitExceeded, message, help);
        false
    }

    /// A version that every reader of JSON keeps exactly.
    fn version(&mut self) {
        const LAST: u64 = (1 << 53) - 1;
        if self.definition.version > LAST {
            let message = format!(
                "the version {} is more than 2^53 − 1, the last whole number that every reader of JSON keeps",
                self.definition.version
            );
            self.report(
                At::Root,
                "version",
                Code::InvalidVersion,
                message,
                "count versions from 1",
            );
        }
    }

    /// Errors that the definition accepts become warnings.
    fn allow(&mut self) {
        let mut allowed = Vec::new();
        for (index, name) in self.definition.allow.iter().enumerate() {
            if let Some((_, code)) = Code::ALLOWABLE.iter().find(|(known, _)| known == name) {
                allowed.push(*code);
                continue;
            }
            let known = Code::ALLOWABLE.iter().map(|(known, _)| *known);
            let help = match self.nearest.find(name, known.clone()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("the errors that can be allowed are {}", quoted(known)),
            };
            let message = format!("`{name}` is no error that can be allowed");
            self.report(At::Allow, &format!("allow/{index}"), Code::UnknownAllow, message, help);
        }
        for found in &mut self.findings {
            if allowed.contains(&found.diagnostic.code) {
                found.diagnostic.severity = Severity::Warning;
            }
        }
    }
}

/// The path of a state, for messages.
fn path(state: &State) -> alloc::borrow::Cow<'_, str> {
    to_path(&state.name)
}
