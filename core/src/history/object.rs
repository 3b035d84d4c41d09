//! The history of one object.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    options::HistoryOptions,
    pass::{Pass, Passing, name_of, ordered},
    violation::{RowViolation, violations},
    visit::{Stay, Visit, length},
};
use crate::{
    machine::Machine,
    reading::LogRow,
    time::{Duration, Time},
};

/// What the rows of one object say: where it was, for how long, and which of them cannot be true.
///
/// Order is that of `sequence`, never that of time. Nothing is given to a state that the rows do not prove.
#[derive(Debug)]
pub struct History {
    pub(super) machine: Machine,
    pub(super) options: HistoryOptions,
    pub(super) rows: Vec<LogRow>,
    pub(super) pass: Pass,
    violations: Vec<RowViolation>,
}

/// Rows that are no history of one object.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// They are of several objects.
    #[error(
        "row {row} is of `{found}`, the rows before it of `{expected}`; give the rows of one object, or use a log"
    )]
    MixedObjects {
        /// The number of the first row that is of another object.
        row: u64,
        /// The object of the first row.
        expected: String,
        /// The object of that row.
        found: String,
    },
}

impl HistoryError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::MixedObjects { .. } => "mixed-objects",
        }
    }
}

impl Machine {
    /// Reads the history of one object, in any order of rows. No rows at all are the history of an object that
    /// never moved.
    ///
    /// Cost: linear in the rows, times the ways that a step can go.
    ///
    /// # Errors
    ///
    /// The rows are of several objects.
    pub fn history(
        &self,
        rows: &[LogRow],
        options: &HistoryOptions,
    ) -> Result<History, HistoryError> {
        if let Some(first) = rows.first()
            && let Some(other) = rows.iter().find(|row| row.object_id != first.object_id)
        {
            return Err(HistoryError::MixedObjects {
                row: other.row,
                expected: first.object_id.clone(),
                found: other.object_id.clone(),
            });
        }
        let (machine, options) = (self.clone(), options.clone());
        let rows = ordered(rows, &options);
        let mut history =
            History { machine, options, rows, pass: Pass::default(), violations: Vec::new() };
        let created_at = history.created_at();
        history.pass = Passing::run(&history.machine, &history.rows, created_at, &history.options);
        history.violations = violations(&history);
        Ok(history)
    }
}

impl History {
    /// Which object; none where there are no rows.
    #[must_use]
    pub fn object_id(&self) -> Option<&str> {
        self.rows.first().map(|row| row.object_id.as_str())
    }

    /// The rows in the order of the history.
    #[must_use]
    pub fn rows(&self) -> &[LogRow] {
        &self.rows
    }

    /// Up to when time is counted.
    #[must_use]
    pub fn now(&self) -> Time {
        self.options.now
    }

    /// The rows that cannot be true, each with its rule, in the order of the history.
    #[must_use]
    pub fn violations(&self) -> &[RowViolation] {
        &self.violations
    }

    /// Every visit of every state, in the order in which they began; those whose beginning no row tells come first.
    #[must_use]
    pub fn timeline(&self) -> Vec<Visit> {
        let window = self.whole();
        self.pass.stays.iter().map(|stay| self.visit(stay, window)).collect()
    }

    /// When the object was created, as the caller or the rows say beside the row of its creation.
    pub(super) fn created_at(&self) -> Option<Time> {
        self.options.created_at.or_else(|| self.rows.iter().find_map(|row| row.created_at))
    }

    /// From the first that is known up to now.
    pub(super) fn whole(&self) -> [Time; 2] {
        // Where time runs back, the first row is not the earliest.
        let times = self.pass.steps.iter().map(|step| step.time);
        let start = times.chain(self.created_at()).min().unwrap_or(self.options.now);
        [start.min(self.options.now), self.options.now]
    }

    pub(super) fn name(&self, id: u32) -> &str {
        name_of(&self.machine, &self.pass.foreign, id)
    }

    /// A stay as far as it lies in a window.
    pub(super) fn visit(&self, stay: &Stay, window: [Time; 2]) -> Visit {
        use super::visit::VisitStatus::{Closed, Open, Uncertain};
        let known = stay.known(window);
        let is_over = !matches!(stay.status, Open) && stay.exited_by.is_some();
        Visit {
            state: self.name(stay.state).to_string(),
            status: stay.status,
            entered_at: stay.entered,
            exited_at: is_over.then_some(stay.until),
            duration: known.map(length),
            uncertain: stay.uncertain(window).map(length),
            working: match stay.status {
                Closed | Open | Uncertain => self.working(stay, window),
                _ => None,
            },
            entered_by: stay.entered_by,
            exited_by: stay.exited_by,
        }
    }

    /// The working time of a stay within a window, where there is a calendar.
    pub(super) fn working(&self, stay: &Stay, [from, to]: [Time; 2]) -> Option<Duration> {
        let calendar = self.options.calendar.as_ref()?;
        let (start, end) = (stay.entered?.max(from), stay.until.min(to));
        Some(match start < end {
            true => calendar.working_time(start, end),
            false => Duration::default(),
        })
    }
}
