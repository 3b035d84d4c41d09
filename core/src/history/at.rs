//! Where the object was at a time, and a snapshot of it.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use serde::Serialize;
use serde_json::Value;

use super::{
    object::History,
    pass::{Step, StepKind},
};
use crate::{step::Snapshot, time::Time};

/// Where an object was at a time, as far as its log can say.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StateAt {
    /// How sure that is.
    pub status: Certainty,
    /// The active leaves: proven if `known`; those before the gap if `uncertain`; those in which the first row starts
    /// if `unknown` and it says so; none before the creation.
    pub states: Vec<String>,
    /// The last row up to that time; null where there is none.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub row: Option<u64>,
    /// Its sequence, as it says.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub sequence: Option<u64>,
    /// When the object came into these leaves: the time of that row, or of the creation.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub since: Option<Time>,
}

/// How sure a log is of where an object was.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The rows prove it.
    Known,
    /// It was there, but the history has a gap before the next row, or its times contradict its order.
    Uncertain,
    /// The log does not reach there: it begins later without a creation, or now is earlier.
    Unknown,
    /// The object did not exist yet.
    NotCreated,
}

impl History {
    /// Where the object was at a time: the records up to and at it decide, in the order of the history.
    #[must_use]
    pub fn state_at(&self, at: Time) -> StateAt {
        let Some(number) = self.last_up_to(at) else { return self.before_all(at) };
        let steps = &self.pass.steps;
        let step = &steps[number];
        let row = &self.rows[step.at];
        let is_in_gap = steps.get(number + 1).is_some_and(|next| !next.joins) && at > step.time;
        let is_contradicted = steps[..number].iter().any(|earlier| earlier.time > at);
        let status = match () {
            () if at > self.options.now => Certainty::Unknown,
            () if is_in_gap || is_contradicted => Certainty::Uncertain,
            () => Certainty::Known,
        };
        StateAt {
            status,
            states: self.paths(&step.to),
            row: Some(row.row),
            sequence: row.sequence,
            since: Some(step.time),
        }
    }

    /// What a server would have stored of the object at a time, to ask further: what may be done, what is due. None where
    /// its states are not known, cannot be active together, or are none of this definition. An entry that no row
    /// tells is taken to be at the first row that proves it.
    #[must_use]
    pub fn snapshot_at(&self, at: Time) -> Option<Snapshot> {
        if at > self.options.now {
            return None;
        }
        let number = self.last_up_to(at);
        let (leaves, since, updated_at, version) = match number {
            Some(number) => {
                let step = &self.pass.steps[number];
                let since = |state: u32| {
                    let told = step.since.iter().find(|(id, _)| *id == state);
                    told.and_then(|(_, since)| *since).unwrap_or_else(|| self.proven(number, state))
                };
                let active = self.machine.configuration(step.to.clone())?;
                let since: Vec<(u32, Time)> = active.iter().map(|&id| (id, since(id))).collect();
                let sequence = self.rows[step.at].sequence;
                let count = u64::try_from(number).unwrap_or(u64::MAX - 1) + 1;
                (&step.to, since, step.time, sequence.unwrap_or(count).max(1))
            }
            None => {
                let leaves = self.initial_at(at)?;
                let created = self.created_at()?;
                let active = self.machine.configuration(leaves.clone())?;
                (leaves, active.iter().map(|&id| (id, created)).collect(), created, 1)
            }
        };
        let mut snapshot = Snapshot {
            object_id: self.object_id().unwrap_or("object").to_string(),
            states: self.paths(leaves),
            version,
            entered_at: BTreeMap::new(),
            updated_at: Some(updated_at),
            object: self.object_at(number),
            memory: BTreeMap::new(),
            requests: Vec::new(),
            definition_version: self.machine.definition().version,
        };
        for (id, at) in since {
            snapshot.entered_at.insert(self.name(id).to_string(), at);
        }
        let memory = number.and_then(|number| self.pass.steps[number].hop.memory.as_ref());
        for (id, states) in memory.into_iter().flatten() {
            snapshot.memory.insert(self.name(*id).to_string(), self.paths(states));
        }
        self.machine.locate(&snapshot).is_ok().then_some(snapshot)
    }

    /// The time of the first record that proves, without a break up to a step, that a state is active.
    fn proven(&self, number: usize, state: u32) -> Time {
        let steps = &self.pass.steps;
        let mut first = steps[number].time;
        for step in steps[..=number].iter().rev() {
            if !step.since.iter().any(|(id, since)| *id == state && since.is_none()) {
                break;
            }
            first = step.time;
            if !step.joins {
                break;
            }
        }
        first
    }

    /// The object's data as the last row before tells them.
    fn object_at(&self, number: Option<usize>) -> Value {
        let Some(number) = number else { return Value::Null };
        let mut steps = self.pass.steps[..=number].iter().rev();
        steps.find_map(|step| self.rows[step.at].object.clone()).unwrap_or_default()
    }

    /// The last record, in the order of the history, that is not after a time.
    pub(super) fn last_up_to(&self, at: Time) -> Option<usize> {
        self.pass.steps.iter().rposition(|step| step.time <= at)
    }

    /// Where the object is from its creation up to its first row, if that is known.
    fn initial_at(&self, at: Time) -> Option<&crate::microstep::States> {
        let created = self.created_at()?;
        if at < created {
            return None;
        }
        match self.pass.steps.first() {
            None => self.pass.initial.as_ref(),
            Some(first) => (first.joins && first.kind == StepKind::First).then_some(&first.from),
        }
    }

    fn before_all(&self, at: Time) -> StateAt {
        let blank =
            |status| StateAt { status, states: Vec::new(), row: None, sequence: None, since: None };
        let created = self.created_at();
        if created.is_some_and(|created| at < created) {
            return blank(Certainty::NotCreated);
        }
        if at > self.options.now {
            return blank(Certainty::Unknown);
        }
        if let Some(leaves) = self.initial_at(at) {
            let states = self.paths(leaves);
            return StateAt { states, since: created, ..blank(Certainty::Known) };
        }
        match self.pass.steps.first() {
            Some(Step { kind: StepKind::Creation, .. }) => blank(Certainty::NotCreated),
            Some(first) => StateAt { states: self.paths(&first.from), ..blank(Certainty::Unknown) },
            None => blank(Certainty::Unknown),
        }
    }

    pub(super) fn paths(&self, ids: &[u32]) -> Vec<String> {
        ids.iter().map(|&id| self.name(id).to_string()).collect()
    }
}
