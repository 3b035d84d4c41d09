//! Names: legal, unique, and what they stand for. States and their own fields.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{At, Check};
use crate::{
    chart::ROOT,
    diagnostic::Code,
    name::{self, to_path},
};

/// More states than this in one machine are hard to hold in mind.
const MANY_STATES: usize = 12;

impl Check<'_> {
    pub(super) fn names(&mut self) {
        let definition = self.definition;
        self.legal(At::ROOT, "object_type", &definition.object_type);
        self.paths();
        for (id, state) in self.states() {
            self.state_name(id);
            for (field, names) in [
                ("permits", &state.permits),
                ("on_enter", &state.on_enter),
                ("on_exit", &state.on_exit),
            ] {
                self.all_legal(At::State(id), field, names);
            }
            if let Some(machine) = &state.sub_machine {
                if let Some(object_type) = &machine.object_type {
                    self.legal(At::Machine(id), "object_type", object_type);
                }
                self.count_of_states(At::Machine(id), machine.states.len());
            }
        }
        self.count_of_states(At::ROOT, definition.states.len());
    }

    fn count_of_states(&mut self, at: At, count: usize) {
        if count == 0 {
            let help = "add at least an initial and a terminal state";
            self.report(at, "states", Code::NoStates, "there are no states".into(), help);
        }
        if count > MANY_STATES {
            let message = format!(
                "one machine has {count} states; more than {MANY_STATES} are hard to hold in mind"
            );
            let help = "see whether some of them are a lifecycle of their own";
            self.report(at, "states", Code::TooManyStates, message, help);
        }
    }

    pub(super) fn legal(&mut self, at: At, field: &str, text: &str) {
        if let Some(fault) = name::fault(text) {
            let shown: String = text.chars().filter(|c| !c.is_control()).collect();
            let message = format!("the name `{shown}` {fault}");
            self.report(
                at,
                field,
                Code::InvalidName,
                message,
                "a name is any non-empty text without control characters",
            );
        }
    }

    pub(super) fn all_legal(&mut self, at: At, field: &str, names: &[String]) {
        for (index, text) in names.iter().enumerate() {
            self.legal(at, &format!("{field}/{index}"), text);
        }
    }

    /// The path of every state: the names from the outside in.
    fn paths(&mut self) {
        let mut paths: Vec<String> = Vec::with_capacity(self.parts.states.len());
        let mut bytes = 0_usize;
        for (id, state) in self.states() {
            let path = match self.resolved.chart.parent(id) {
                ROOT => to_path(&state.name).into_owned(),
                // Behind the limit no path is read any more.
                _ if bytes > self.limits.bytes => String::new(),
                parent => [&paths[parent as usize], ".", &*to_path(&state.name)].concat(),
            };
            bytes = bytes.saturating_add(path.len());
            paths.push(path);
        }
        if bytes > self.limits.bytes && !self.resolved.chart.is_flat() {
            let limit = self.limits.bytes;
            let message = format!(
                "the paths of the states have more bytes together than the limit `bytes`, {limit}"
            );
            let help = "shorten the names of states that hold many others, or raise the limit";
            self.report(At::ROOT, "states", Code::LimitExceeded, message, help);
        }
        self.resolved.paths = paths;
    }

    fn state_name(&mut self, id: u32) {
        let state = self.state(id);
        self.legal(At::State(id), "name", &state.name);
        let paths = &self.resolved.paths;
        let first = self.resolved.states.insert(id, &|id| paths[id as usize].as_str());
        self.first_of_name.push(first.unwrap_or(id));
        // What is inside a state whose name is used twice is found twice for that reason alone.
        let outer = self.resolved.chart.parent(id);
        let is_new = outer == ROOT || self.first_of_name[outer as usize] == outer;
        if let Some(first) = first.filter(|_| is_new) {
            let message = format!("the state name `{}` is used twice", state.name);
            let help = "rename one of the two";
            let related = self.pointer(At::State(first), "name");
            let found = self.report(At::State(id), "name", Code::DuplicateState, message, help);
            found.relate(related, "first used here");
        }
    }

    /// The state called `name` directly inside `container`.
    pub(super) fn find_name(&self, container: u32, name: &str) -> Option<u32> {
        self.find_inside(container, &to_path(name))
    }

    /// The state that has this path inside `container`, at any depth.
    pub(super) fn find_inside(&self, container: u32, path: &str) -> Option<u32> {
        let path = match container {
            ROOT => Cow::Borrowed(path),
            container => Cow::Owned([self.path(container), ".", path].concat()),
        };
        self.resolved.state(&path)
    }

    /// The state that a text stands for, seen from `container`. Source: DESIGN §2.
    pub(super) fn look_up(&self, container: u32, text: &str) -> Option<u32> {
        let outward = || {
            let around = Some(container).filter(|&id| id != ROOT).into_iter();
            around.flat_map(|id| self.resolved.chart.outward(id)).chain([ROOT])
        };
        outward()
            .find_map(|container| self.find_name(container, text))
            .or_else(|| self.find_inside(ROOT, text))
            .or_else(|| outward().find_map(|container| self.find_inside(container, text)))
    }
}
