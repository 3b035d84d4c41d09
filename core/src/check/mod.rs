//! Whether a definition makes sense: every finding, each with its place.
//!
//! Rules of this module. (1) It reports all that is wrong, not the first
//! thing. (2) Its cost is linear in the size of the definition. (3) What it
//! resolves on the way (ids for names, the table of transitions) is handed on,
//! so that compiling does not resolve anything a second time.

mod automatic;
mod completion;
mod conditions;
mod graph;
mod guards;
mod history;
mod limits;
mod names;
mod overlaps;
mod targets;
mod timers;
mod transitions;
mod tree;

use alloc::{format, rc::Rc, string::String, vec::Vec};

pub(crate) use conditions::Conditions;

use crate::{
    chart::{Chart, Parts, ROOT},
    definition::{Definition, State, Transition},
    diagnostic::{Code, Diagnostic, Severity},
    guard::Guard,
    index::Index,
    limits::Limits,
    name::{Nearest, quoted},
    table::{Entry, Table, group},
    time::Duration,
};

/// A timeout whose texts have been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    pub(crate) after: Duration,
    pub(crate) notify_before: Option<Duration>,
    pub(crate) action: u32,
}

/// The guards that are known in a machine by their names or texts, and the machine around it.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    outer: Option<u32>,
    ids: Index,
}

/// What the names of a definition stand for. Ids count in document order.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) chart: Chart,
    /// The path of each state.
    pub(crate) paths: Vec<String>,
    /// The states by path.
    pub(crate) states: Index,
    /// For each action the first transition that has it.
    pub(crate) actions: Vec<u32>,
    pub(crate) action_ids: Index,
    /// What stands in the table in place of an action for automatic transitions, and for those of a completion.
    pub(crate) automatic: u32,
    pub(crate) completion: u32,
    /// Whether nothing follows an action by itself: there are no automatic transitions and no completions.
    pub(crate) rests: bool,
    /// The named guards, then those of transitions and entry conditions, each once.
    pub(crate) guards: Vec<Guard>,
    /// The guards that are functions of the host, by their numbers.
    pub(crate) host_guards: Vec<u32>,
    /// The guards by name or text: those of the outer machine, then those of machines inside with guards of
    /// their own.
    pub(crate) scopes: Vec<Scope>,
    /// For each transition its action and its guard.
    pub(crate) action_of: Vec<u32>,
    pub(crate) guard_of: Vec<Option<u32>>,
    /// One for each transition and state that it starts from, in document order.
    pub(crate) edges: Vec<Entry>,
    pub(crate) table: Table,
    pub(crate) conditions: Conditions,
    /// For each state its timeout.
    pub(crate) timers: Vec<Option<Timer>>,
}

impl Resolved {
    /// The guard of this name, or with this text: of the outer machine, else of the first one inside that has it.
    pub(crate) fn guard_id(&self, key: &str) -> Option<u32> {
        self.scopes.iter().find_map(|scope| self.guard_in(scope, key))
    }

    fn guard_in(&self, scope: &Scope, key: &str) -> Option<u32> {
        scope.ids.get(key, &|id| self.guards[id as usize].key.as_str())
    }

    /// The state with this path.
    pub(crate) fn state(&self, path: &str) -> Option<u32> {
        self.states.get(path, &|id| self.paths[id as usize].as_str())
    }
}

/// Checks `definition`: its findings in document order, and what its names stand for. The second is
/// only of use where no finding is an error.
pub(crate) fn check(definition: &Definition, limits: &Limits) -> (Vec<Diagnostic>, Resolved) {
    if let Some(found) = limits::nesting(definition, limits) {
        return (alloc::vec![found], Resolved::default());
    }
    let parts = Parts::new(definition);
    let mut check = Check {
        definition,
        limits,
        parts,
        findings: Vec::new(),
        nearest: Nearest::new(),
        resolved: Resolved::default(),
        first_of_name: Vec::new(),
        last_from: Vec::new(),
        guard_places: Vec::new(),
        scope_of: Vec::new(),
        named: 0,
    };
    // What is known of the tree from the start.
    check.resolved.chart = core::mem::take(&mut check.parts.chart);
    if check.within(limits) {
        check.version();
        check.names();
        check.tree();
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
    parts: Parts<'d>,
    findings: Vec<Found>,
    nearest: Nearest,
    resolved: Resolved,
    /// For each state the first state of its name: itself, unless the name is used twice.
    first_of_name: Vec<u32>,
    /// For each state the last transition that starts from it.
    last_from: Vec<u32>,
    /// For each guard where it is written first.
    guard_places: Vec<(At, String)>,
    /// For each machine the scope of its guards.
    scope_of: Vec<u32>,
    /// How many guards have a name.
    named: usize,
}

/// A finding and its place in document order.
struct Found {
    place: u32,
    diagnostic: Diagnostic,
}

/// A part of the document that a finding is about.
#[derive(Clone, Copy)]
enum At {
    /// A machine: of a state, or the outer one.
    Machine(u32),
    State(u32),
    /// An entry condition: its state, and its position there.
    Condition(u32, u32),
    Transition(u32),
    /// The guards of a machine, by number.
    Guards(u32),
    Allow,
}

impl At {
    const ROOT: Self = Self::Machine(ROOT);
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
        let places = &self.parts.places;
        let place = match at {
            At::Machine(ROOT) => 0,
            At::Machine(id) | At::State(id) | At::Condition(id, _) => places.states[id as usize],
            At::Transition(id) => places.transitions[id as usize],
            At::Guards(frame) => places.guards[frame as usize],
            At::Allow => places.end(),
        };
        let diagnostic = Diagnostic::new(code, self.pointer(at, field), message, help);
        self.findings.push(Found { place, diagnostic });
        let last = self.findings.len() - 1;
        &mut self.findings[last].diagnostic
    }

    /// The pointer to a field of a part, or to the part itself.
    fn pointer(&self, at: At, field: &str) -> String {
        let chart = &self.resolved.chart;
        let mut pointer = match at {
            At::Machine(owner) => chart.machine_pointer(owner),
            At::Guards(frame) => chart.machine_pointer(chart.frames[frame as usize].owner),
            At::Allow => String::new(),
            At::State(id) => chart.state_pointer(id),
            At::Condition(id, index) => {
                format!("{}/entry_conditions/{index}", chart.state_pointer(id))
            }
            At::Transition(id) => chart.transition_pointer(id),
        };
        if !field.is_empty() {
            pointer.push('/');
            pointer.push_str(field);
        }
        pointer
    }

    /// The findings in document order; those about one place in the order in which they were made.
    fn in_order(self) -> (Vec<Diagnostic>, Resolved) {
        let places = self.parts.places.end() as usize + 1;
        let (_, order) = group(places, self.findings.iter().map(|found| found.place));
        let mut findings: Vec<Option<Diagnostic>> =
            self.findings.into_iter().map(|found| Some(found.diagnostic)).collect();
        let ordered = order.iter().filter_map(|&index| findings[index as usize].take()).collect();
        (ordered, self.resolved)
    }

    fn state(&self, id: u32) -> &'d State {
        self.parts.states[id as usize]
    }

    fn transition(&self, id: u32) -> &'d Transition {
        self.parts.transitions[id as usize]
    }

    fn states(&self) -> impl Iterator<Item = (u32, &'d State)> + use<'d> {
        let states = Rc::clone(&self.parts.states);
        (0..self.resolved.chart.count()).map(move |id| (id, states[id as usize]))
    }

    /// The path of a state, for messages.
    fn path(&self, id: u32) -> &str {
        &self.resolved.paths[id as usize]
    }

    /// A sentence with the state that was probably meant.
    fn suggest_state(&mut self, name: &str) -> String {
        let names = self.parts.states.iter().map(|state| state.name.as_str());
        let paths = match self.resolved.chart.is_flat() {
            true => &[][..],
            false => &self.resolved.paths,
        };
        let paths = paths.iter().map(String::as_str);
        // A name is mistyped more often than a path.
        match self.nearest.find(name, names.chain(paths)) {
            Some(known) => format!("did you mean `{known}`?"),
            None => "add the state, or name one that there is".into(),
        }
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
                At::ROOT,
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
