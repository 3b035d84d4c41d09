//! Timeouts.

use alloc::{format, string::ToString, vec::Vec};

use super::{At, Check, Timer};
use crate::{definition::Timeout, diagnostic::Code, time::Duration};

impl Check<'_> {
    /// Reads the timeouts. Needs the table of transitions.
    pub(super) fn timers(&mut self) {
        let mut timers = Vec::with_capacity(self.parts.states.len());
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
        let taken = self.action_id(&timeout.action).filter(|&action| {
            let mut outward = self.resolved.chart.outward(id);
            outward.any(|state| !self.resolved.table.candidates(state, action).is_empty())
        });
        if taken.is_none() {
            let (resolved, transitions) = (&self.resolved, &self.parts.transitions);
            let known = (resolved.chart.outward(id))
                .flat_map(|state| resolved.table.of(state))
                .map(|entry| transitions[entry.transition as usize].asked());
            let help = match self.nearest.find(&timeout.action, known) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("add a transition from `{}` for this action", self.state(id).name),
            };
            let message = format!(
                "no transition from `{}` takes the action `{}` of its timeout",
                self.path(id),
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
                let message = ToString::to_string(&error);
                self.report(At::State(id), field, Code::InvalidDuration, message, help);
                None
            }
        }
    }
}
