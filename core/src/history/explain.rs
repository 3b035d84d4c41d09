//! The nearest legal history: what may have happened where rows cannot be true.

use alloc::{collections::BTreeMap, format, string::String, vec, vec::Vec};
use core::cell::RefCell;

use serde::Serialize;

use super::{
    object::History,
    pass::{Step, StepKind, are_same, situation},
};
use crate::{
    flat::{Outcome, Patience, Reach},
    microstep::{Memory, Situation, States},
    name::{quoted, shortened},
    reading::LogRow,
};

/// What may have happened: the fewest changes that make the rows a history of the definition.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Explanation {
    /// What kind of change.
    pub kind: ExplanationKind,
    /// It in one sentence. May change between versions.
    pub message: String,
    /// The rows that it is about, by number.
    pub rows: Vec<u64>,
    /// The steps whose rows are missing, in order.
    pub steps: Vec<ExplainedStep>,
}

/// A step that no row tells.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ExplainedStep {
    /// The action; null for the creation.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// The transitions that it takes, in order.
    pub transitions: Vec<String>,
    /// The leaves after it.
    pub to_states: Vec<String>,
}

/// The kinds of change that make rows a history.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExplanationKind {
    /// Rows are missing.
    MissingRows,
    /// A row is there twice.
    DoubledRow,
    /// Two rows stand in the wrong order.
    SwappedRows,
}

/// So many rows may be missing; a longer way is no explanation.
const MOST_MISSING: usize = 8;

/// Where steps start, none for nothing, and where they end.
type Between = (Option<(States, Memory)>, States);

pub(super) struct Explainer<'h> {
    history: &'h History,
    patience: Patience,
    /// The fewest steps that were found already, from a situation (none: from nothing) to states.
    ways: RefCell<BTreeMap<Between, Option<Vec<Outcome>>>>,
}

impl<'h> Explainer<'h> {
    pub(super) fn new(history: &'h History) -> Self {
        Self { history, patience: Patience::default(), ways: RefCell::default() }
    }

    /// The fewest steps between two configurations, looked for once.
    fn fewest(&self, from: Option<&Situation>, to: States) -> Option<Vec<Outcome>> {
        let key = (from.map(|from| (from.active.clone(), from.memory.clone())), to);
        if let Some(way) = self.ways.borrow().get(&key) {
            return way.clone();
        }
        let reach = Reach::within(&self.history.machine, &self.patience);
        let way = reach.way(from, &key.1);
        self.ways.borrow_mut().insert(key, way.clone());
        way
    }

    /// The number of the step that a row is.
    fn number(&self, at: usize) -> Option<usize> {
        self.history.pass.steps.binary_search_by_key(&at, |step| step.at).ok()
    }

    /// What is nearest for a step that does not start where the one before it ended.
    pub(super) fn near(&self, number: usize) -> Option<Explanation> {
        let steps = &self.history.pass.steps;
        let at = steps[number].at;
        self.doubled(at).or_else(|| self.misplaced(number)).or_else(|| self.missing(number))
    }

    /// The row is there twice: it says what the row before it says.
    pub(super) fn doubled(&self, at: usize) -> Option<Explanation> {
        let rows = &self.history.rows;
        let row = &rows[at];
        let is_copy = |other: &&LogRow| {
            let same_request = row.request_id.is_some() && other.request_id == row.request_id;
            other.to_states == row.to_states
                && other.from_states == row.from_states
                && other.action == row.action
                && other.transitions == row.transitions
                && (other.timestamp == row.timestamp
                    || same_request
                    || other.sequence == row.sequence && row.sequence.is_some())
        };
        let other = rows[..at].iter().rev().take(2).find(is_copy)?;
        Some(Explanation {
            kind: ExplanationKind::DoubledRow,
            message: format!("row {} is a copy of row {}", row.row, other.row),
            rows: vec![other.row, row.row],
            steps: vec![],
        })
    }

    /// This row and the one before it stand in the wrong order: by their times, and the chain joins the other way.
    pub(super) fn swapped(&self, at: usize) -> Option<Explanation> {
        let number = self.number(at)?;
        self.swap(number.checked_sub(1)?)
    }

    /// One of the two swaps that a step can be part of.
    fn misplaced(&self, number: usize) -> Option<Explanation> {
        let first = number.checked_sub(1).and_then(|before| self.swap(before));
        let second = || number.checked_sub(2).and_then(|before| self.swap(before));
        self.swap(number).or(first).or_else(second)
    }

    /// Whether two steps, this and the next, make a chain in the other order, and make none as they stand.
    fn swap(&self, number: usize) -> Option<Explanation> {
        let steps = &self.history.pass.steps;
        let (first, second) = (steps.get(number)?, steps.get(number + 1)?);
        let starts = |step: &Step| match number.checked_sub(1) {
            Some(before) => are_same(&steps[before].to, &step.from),
            None => step.kind == StepKind::Creation,
        };
        let ends =
            |step: &Step| steps.get(number + 2).is_none_or(|after| are_same(&step.to, &after.from));
        let joins = starts(second) && are_same(&second.to, &first.from) && ends(first);
        let stands = starts(first) && are_same(&first.to, &second.from) && ends(second);
        if !joins || stands || first.kind == StepKind::Creation {
            return None;
        }
        let rows = vec![self.row(first).row, self.row(second).row];
        let message = format!("rows {} and {} stand in the wrong order", rows[0], rows[1]);
        Some(Explanation { kind: ExplanationKind::SwappedRows, message, rows, steps: vec![] })
    }

    fn row(&self, step: &Step) -> &LogRow {
        &self.history.rows[step.at]
    }

    /// Rows are missing before the row at a position, since numbers are.
    pub(super) fn missing_before(&self, at: usize) -> Option<Explanation> {
        let number = self.number(at)?;
        let before = &self.history.pass.steps[number.checked_sub(1)?];
        match are_same(&before.to, &self.history.pass.steps[number].from) {
            // The object came back to where it was: nobody knows by which way.
            true => None,
            false => self.missing(number),
        }
    }

    /// The fewest steps from where the step before it ended to where it starts.
    fn missing(&self, number: usize) -> Option<Explanation> {
        let machine = &self.history.machine;
        let step = &self.history.pass.steps[number];
        let target = machine.configuration(step.from.clone()).filter(|_| !step.from.is_empty())?;
        let before = number.checked_sub(1).map(|before| &self.history.pass.steps[before]);
        let from = match before {
            Some(before) => Some(situation(machine, before)?),
            None => None,
        };
        let way = self.fewest(from.as_ref(), target)?;
        self.way(&way, before.into_iter().chain([step]).map(|step| self.row(step).row).collect())
    }

    /// The steps that lead from where a step starts to where it ends, if no single one does.
    pub(super) fn step_between(&self, number: usize) -> Option<Explanation> {
        let machine = &self.history.machine;
        let step = &self.history.pass.steps[number];
        let target = machine.configuration(step.to.clone())?;
        let from = match step.kind {
            StepKind::Creation => None,
            _ => {
                let active = machine.configuration(step.from.clone())?;
                Some(Situation { active, ..Situation::default() })
            }
        };
        let way = self.fewest(from.as_ref(), target)?;
        // One step: the row itself, said wrongly.
        if way.len() < 2 { None } else { self.way(&way, vec![self.row(step).row]) }
    }

    fn way(&self, way: &[Outcome], rows: Vec<u64>) -> Option<Explanation> {
        if way.is_empty() || way.len() > MOST_MISSING {
            return None;
        }
        let machine = &self.history.machine;
        let steps: Vec<ExplainedStep> = way
            .iter()
            .map(|outcome| ExplainedStep {
                action: outcome.action.map(|id| machine.action(id).into()),
                transitions: outcome
                    .taken()
                    .map(|id| machine.transition(id).name.clone())
                    .collect(),
                to_states: machine.leaf_paths(&outcome.to.active),
            })
            .collect();
        let names = steps.iter().map(|step| step.action.as_deref().unwrap_or("the creation"));
        let names = quoted(names);
        let message = shortened(match way.len() {
            1 => format!("a row is missing: {names}"),
            count => format!("{count} rows are missing: {names}"),
        });
        Some(Explanation { kind: ExplanationKind::MissingRows, message, rows, steps })
    }
}
