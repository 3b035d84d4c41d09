//! Names: legal, unique, and what they stand for. States and their own fields.

use alloc::{format, vec::Vec};

use super::{At, Check, Timer};
use crate::{definition::Timeout, diagnostic::Code, name, time::Duration};

/// More states than this in one machine are hard to hold in mind.
const MANY_STATES: usize = 12;

impl Check<'_> {
    pub(super) fn names(&mut self) {
        let definition = self.definition;
        self.legal(At::Root, "object_type", &definition.object_type);
        for (id, state) in self.states() {
            self.state_name(id);
            for (field, names) in [
                ("permits", &state.permits),
                ("on_enter", &state.on_enter),
                ("on_exit", &state.on_exit),
            ] {
                self.all_legal(At::State(id), field, names);
            }
        }
        self.initial();
        if definition.states.is_empty() {
            let help = "add at least an initial and a terminal state";
            self.report(At::Root, "states", Code::NoStates, "there are no states".into(), help);
        }
        if definition.states.len() > MANY_STATES {
            let count = definition.states.len();
            let message = format!(
                "one machine has {count} states; more than {MANY_STATES} are hard to hold in mind"
            );
            self.report(
                At::Root,
                "states",
                Code::TooManyStates,
                message,
                "see whether some of them are a lifecycle of their own",
            );
        }
    }

    pub(super) fn legal(&mut self, at: At, field: &str, text: &str) {
        if let Some(fault) = name::fault(text) {
            let shown: alloc::string::String = text.chars().filter(|c| !c.is_control()).collect();
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

    pub(super) fn all_legal(&mut self, at: At, field: &str, names: &[alloc::string::String]) {
        for (index, text) in names.iter().enumerate() {
            self.legal(at, &format!("{field}/{index}"), text);
        }
    }

    fn state_name(&mut self, id: u32) {
        let state = self.state(id);
        self.legal(At::State(id), "name", &state.name);
        let states = &self.definition.states;
        let first = self.resolved.states.insert(id, &|id| states[id as usize].name.as_str());
        self.first_of_name.push(first.unwrap_or(id));
        if let Some(first) = first {
            let message = format!("the state name `{}` is used twice", state.name);
            let help = "rename one of the two";
            let found = self.report(At::State(id), "name", Code::DuplicateState, message, help);
            found.relate(At::State(first).pointer("name"), "first used here");
        }
    }

    fn initial(&mut self) {
        let wanted = &self.definition.initial_state;
        let initial = self.find_state(wanted);
        self.resolved.initial = initial.unwrap_or(u32::MAX);
        if initial.is_none() {
            let help = self.suggest_state(wanted);
            let message = format!("the initial state `{wanted}` is no state of this definition");
            self.report(At::Root, "initial_state", Code::UnknownInitialState, message, help);
        }
        for (id, state) in self.states() {
            let is_initial = initial == Some(id);
            let Some(said) =
                state.is_initial.filter(|said| *said != is_initial && initial.is_some())
            else {
                continue;
            };
            let message = match said {
                true => format!(
                    "`{}` says that it is initial, but `initial_state` is `{wanted}`",
                    state.name
                ),
                false => format!(
                    "`{}` says that it is not initial, but it is the `initial_state`",
                    state.name
                ),
            };
            let help = "drop `is_initial`, or make the two agree";
            let found =
                self.report(At::State(id), "is_initial", Code::InitialMismatch, message, help);
            found.relate("/initial_state".into(), "the initial state is named here");
        }
    }

    /// Reads the timeouts. Needs the table of transitions.
    pub(super) fn timers(&mut self) {
        let mut timers = Vec::with_capacity(self.definition.states.len());
        for (id, state) in self.states() {
            timers.push(state.timeout.as_ref().and_then(|timeout| self.timer(id, timeout)));
        }
        self.resolved.timers = timers;
    }

    fn timer(&mut self, id: u32, timeout: &Timeout) -> Option<Timer> {
        let after = self.duration(id, "timeout/after", &timeout.after);
        let notify_before = match &timeout.notify_before {
            Some(text) => Some(self.duration(id, "timeout/notify_before", text)?),
            None => None,
        };
        if let (Some(after), Some(notice)) = (after, notify_before)
            && notice >= after
        {
            let message = format!(
                "the notice comes {notice} before a timeout of {after}: before the state is entered"
            );
            self.report(
                At::State(id),
                "timeout/notify_before",
                Code::NoticeTooEarly,
                message,
                "say less than `after`",
            );
        }
        let definition = self.definition;
        let action = self.resolved.action_ids.get(&timeout.action, &|action| {
            definition.transitions[self.resolved.actions[action as usize] as usize].action.as_str()
        });
        let taken = action.filter(|action| !self.resolved.table.candidates(id, *action).is_empty());
        if taken.is_none() {
            let actions = self
                .resolved
                .table
                .of(id)
                .iter()
                .map(|entry| definition.transitions[entry.transition as usize].action.as_str());
            let help = match self.nearest.find(&timeout.action, actions) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("add a transition from `{}` for this action", self.state(id).name),
            };
            let message = format!(
                "no transition from `{}` takes the action `{}` of its timeout",
                self.state(id).name,
                timeout.action
            );
            self.report(At::State(id), "timeout/action", Code::UnknownTimeoutAction, message, help);
        }
        Some(Timer { after: after?, notify_before, action: taken? })
    }

    fn duration(&mut self, id: u32, field: &str, text: &str) -> Option<Duration> {
        match text.parse() {
            Ok(duration) => Some(duration),
            Err(error) => {
                let help = "write it like `30m`, `1h 30m`, `2d` or `PT30M`";
                self.report(
                    At::State(id),
                    field,
                    Code::InvalidDuration,
                    alloc::string::ToString::to_string(&error),
                    help,
                );
                None
            }
        }
    }
}
