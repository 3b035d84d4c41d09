//! One pass over the rows of an object: which join, where the object is after each, and every stay in a state.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use smallvec::SmallVec;

use super::{
    hop::{Claim, Hop},
    options::{HistoryOptions, Sequences},
    visit::{Stay, VisitStatus},
};
use crate::{
    flat::{Outcome, Patience, Reach},
    machine::Machine,
    microstep::{Memory, Situation, States},
    name::to_path,
    reading::LogRow,
    table::position,
    time::Time,
};

/// A record that was counted.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its position among the rows.
    pub(super) at: usize,
    pub(super) time: Time,
    /// The leaves before it, as it says or as the record before it left them.
    pub(super) from: States,
    pub(super) to: States,
    pub(super) kind: StepKind,
    /// Whether nothing is missing between the record before it and this one.
    pub(super) joins: bool,
    pub(super) hop: Hop,
    /// When each active state was entered after it, where the log says so.
    pub(super) since: SmallVec<[(u32, Option<Time>); 4]>,
}

/// What a record is in its history.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum StepKind {
    /// It creates the object.
    Creation,
    /// It is the first, and does not.
    First,
    Later,
}

/// What the pass found.
#[derive(Debug, Default)]
pub(super) struct Pass {
    pub(super) steps: Vec<Step>,
    pub(super) stays: Vec<Stay>,
    /// Names of states that the machine does not have; their ids come behind those of the machine.
    pub(super) foreign: Vec<String>,
    /// Where an object is that nothing has happened to; none where it is not known to be created.
    pub(super) initial: Option<States>,
}

/// What a row says of its step, with where it starts.
#[derive(Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Said {
    from: States,
    to: States,
    action: Option<String>,
    transitions: Option<Vec<String>>,
    exited: Option<States>,
    entered: Option<States>,
    memory: Option<Memory>,
}

/// A stay that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    state: u32,
    entered: Option<Time>,
    entered_by: Option<u64>,
    /// Of a stay with an unknown beginning: why it is unknown.
    status: VisitStatus,
}

/// Rows in the order of the history: by sequence, never by time. Those without one follow the row before them.
pub(super) fn ordered(rows: &[LogRow], options: &HistoryOptions) -> Vec<LogRow> {
    let mut rows = rows.to_vec();
    // Rows that no reader numbered are numbered as they are given.
    for (number, row) in (1..).zip(&mut rows) {
        if row.row == 0 {
            row.row = number;
        }
    }
    if options.newest_first && rows.iter().all(|row| row.sequence.is_none()) {
        rows.reverse();
    }
    let mut last = 0;
    let mut keys: Vec<(u64, usize)> = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        last = row.sequence.unwrap_or(last);
        keys.push((last, index));
    }
    if keys.is_sorted() {
        return rows;
    }
    keys.sort_unstable();
    let mut slots: Vec<Option<LogRow>> = rows.into_iter().map(Some).collect();
    keys.into_iter().filter_map(|(_, index)| slots[index].take()).collect()
}

/// Whether two lists name the same states.
pub(super) fn are_same(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && a.iter().all(|id| b.contains(id))
}

pub(super) struct Passing<'m> {
    machine: &'m Machine,
    options: &'m HistoryOptions,
    pass: Pass,
    open: SmallVec<[Open; 4]>,
    memory: Option<Memory>,
    patience: Patience,
    /// What rows were found to do that say the same: most rows of a history do.
    known: BTreeMap<Said, Hop>,
}

impl<'m> Passing<'m> {
    /// Goes through rows that are in order.
    pub(super) fn run(
        machine: &'m Machine,
        rows: &[LogRow],
        created_at: Option<Time>,
        options: &'m HistoryOptions,
    ) -> Pass {
        let pass = Pass::default();
        let (open, memory, patience) = (SmallVec::new(), None, Patience::default());
        let known = BTreeMap::new();
        let mut passing = Self { machine, options, pass, open, memory, patience, known };
        for (at, row) in rows.iter().enumerate() {
            if row.timestamp <= options.now {
                passing.record(at, row, rows, created_at);
            }
        }
        if passing.pass.steps.is_empty() {
            passing.never_moved(created_at);
        }
        let open = core::mem::take(&mut passing.open);
        for stay in open {
            passing.end(stay, options.now, VisitStatus::Open, None, None);
        }
        passing.pass.stays.sort_by_key(|stay| (stay.entered_by, stay.state));
        passing.pass
    }

    fn ids(&mut self, names: &[String]) -> States {
        names.iter().map(|name| self.id(name)).collect()
    }

    fn id(&mut self, name: &str) -> u32 {
        // A log writes names as they are: `v1.2`, and not the path `v1\.2`.
        let known = self.machine.state_id(name);
        if let Some(id) = known.or_else(|| self.machine.state_id(&to_path(name))) {
            return id.0;
        }
        let count = self.machine.states().len();
        let known = self.pass.foreign.iter().position(|foreign| foreign == name);
        let index = known.unwrap_or_else(|| {
            self.pass.foreign.push(name.into());
            self.pass.foreign.len() - 1
        });
        position(count + index)
    }

    fn record(&mut self, at: usize, row: &LogRow, rows: &[LogRow], created_at: Option<Time>) {
        let to = self.ids(&row.to_states);
        let told = row.from_states.as_ref().map(|names| self.ids(names));
        let before = self.pass.steps.last();
        let begins_there = |leaves: &[u32]| is_beginning(self.machine, leaves);
        let kind = match (before, &told) {
            (_, Some(from)) if from.is_empty() => StepKind::Creation,
            (None, None) if begins_there(&to) => StepKind::Creation,
            (None, _) => StepKind::First,
            (Some(_), _) => StepKind::Later,
        };
        let from = match (told.clone(), before) {
            _ if kind == StepKind::Creation => States::new(),
            (Some(from), _) => from,
            (None, Some(before)) => before.to.clone(),
            (None, None) => States::new(),
        };
        let is_blind = kind == StepKind::First && told.is_none();
        let joins = match before {
            None => match kind {
                StepKind::Creation => true,
                _ => {
                    created_at.is_some_and(|created| created <= row.timestamp)
                        && begins_there(&from)
                }
            },
            Some(before) => {
                kind == StepKind::Later
                    && are_same(&from, &before.to)
                    && follows(&rows[before.at], row, self.options.sequences)
            }
        };
        self.connect(&from, kind, joins, row, created_at);
        let exited = row.exited.as_ref().map(|names| self.ids(names));
        let entered = row.entered.as_ref().map(|names| self.ids(names));
        let hop = if is_blind {
            // It says nothing of where it comes from: there is nothing to judge.
            let entered = self.machine.with_outer(&to).into_iter().collect();
            Hop { entered, ..Hop::default() }
        } else {
            let said = Said {
                from: from.clone(),
                to: to.clone(),
                action: row.action.clone().filter(|_| kind != StepKind::Creation),
                transitions: row.transitions.clone(),
                exited,
                entered,
                memory: self.memory.clone(),
            };
            self.judged(said)
        };
        self.memory.clone_from(&hop.memory);
        self.apply(&hop, row);
        let since = self.open.iter().map(|open| (open.state, open.entered)).collect();
        let time = row.timestamp;
        self.pass.steps.push(Step { at, time, from, to, kind, joins, hop, since });
    }

    /// What a row does, judged once for all rows that say the same.
    fn judged(&mut self, said: Said) -> Hop {
        if let Some(hop) = self.known.get(&said) {
            return hop.clone();
        }
        let hop = {
            let (machine, foreign) = (self.machine, &self.pass.foreign);
            let names: Option<SmallVec<[&str; 2]>> =
                said.transitions.as_ref().map(|list| list.iter().map(String::as_str).collect());
            machine.hop(&Claim {
                from: &said.from,
                to: &said.to,
                action: said.action.as_deref(),
                transitions: names.as_deref(),
                exited: said.exited.as_deref(),
                entered: said.entered.as_deref(),
                memory: said.memory.as_ref(),
                patience: &self.patience,
                name: &|id: u32| name_of(machine, foreign, id),
            })
        };
        self.known.insert(said, hop.clone());
        hop
    }

    /// Makes the stays be what the record starts from.
    fn connect(
        &mut self,
        from: &[u32],
        kind: StepKind,
        joins: bool,
        row: &LogRow,
        created_at: Option<Time>,
    ) {
        let is_first = self.pass.steps.is_empty();
        if kind == StepKind::Creation {
            self.memory = Some(Memory::new());
        }
        if joins && !is_first {
            return;
        }
        if !joins && kind != StepKind::Creation {
            self.memory = None;
        }
        // Of a gap after the creation that somebody told of: the object was where it began.
        if is_first && kind == StepKind::First {
            if let Some(created) = created_at.filter(|&created| created <= row.timestamp) {
                match joins {
                    true => self.created_in(from, created),
                    false => self.created(created),
                }
            }
            if joins {
                return;
            }
        }
        let proof = self.pass.steps.last().map(|step| step.time).or(created_at);
        for open in core::mem::take(&mut self.open) {
            let proof = proof.unwrap_or(row.timestamp);
            let gap_end = Some(row.timestamp.max(proof));
            self.end(open, proof, VisitStatus::Uncertain, gap_end, None);
        }
        let is_censored = is_first && created_at.is_none();
        let status = if is_censored { VisitStatus::Censored } else { VisitStatus::Uncertain };
        for state in self.machine.with_outer(from) {
            self.open.push(Open { state, entered: None, entered_by: None, status });
        }
    }

    /// The object is where every object begins, from its creation on; no row says so.
    fn created(&mut self, at: Time) {
        if let Some(leaves) = self.beginning() {
            self.created_in(&leaves, at);
        }
    }

    /// The same, where it is known in which of the states that it is.
    fn created_in(&mut self, leaves: &[u32], at: Time) {
        self.memory = Some(Memory::new());
        for state in self.machine.with_outer(leaves) {
            let (entered, status) = (Some(at), VisitStatus::Closed);
            self.open.push(Open { state, entered, entered_by: None, status });
        }
    }

    fn never_moved(&mut self, created_at: Option<Time>) {
        let Some(created) = created_at.filter(|&created| created <= self.options.now) else {
            return;
        };
        self.created(created);
        self.pass.initial = self.beginning();
    }

    /// The leaves in which an object begins, if that does not depend on its data.
    fn beginning(&self) -> Option<States> {
        let outcome = Reach::new(self.machine).creation(&|_: &Outcome| true).ok().flatten()?;
        let chart = &self.machine.shared.resolved.chart;
        Some(chart.leaves(&outcome.to.active).collect())
    }

    fn apply(&mut self, hop: &Hop, row: &LogRow) {
        let mut entered: SmallVec<[u32; 2]> = hop.entered.clone();
        for &state in &hop.exited {
            if let Some(at) = self.open.iter().position(|open| open.state == state) {
                let open = self.open.remove(at);
                let status = match open.entered {
                    None => open.status,
                    Some(entered) if entered > row.timestamp => VisitStatus::Disordered,
                    Some(_) => VisitStatus::Closed,
                };
                self.end(open, row.timestamp, status, None, Some(row.row));
            } else if let Some(at) = entered.iter().position(|&id| id == state) {
                // Passed through within the step: a stay of no length.
                entered.remove(at);
                let open = Open::new(state, row);
                self.end(open, row.timestamp, VisitStatus::Closed, None, Some(row.row));
            }
        }
        for state in entered {
            self.open.retain(|open| open.state != state);
            self.open.push(Open::new(state, row));
        }
    }

    fn end(
        &mut self,
        open: Open,
        until: Time,
        status: VisitStatus,
        gap_end: Option<Time>,
        exited_by: Option<u64>,
    ) {
        let Open { state, entered, entered_by, .. } = open;
        // One whose beginning nobody knows lasts, but for how long is not known either.
        let status = match (status, entered) {
            (VisitStatus::Open, None) => open.status,
            (status, _) => status,
        };
        // A proof cannot lie before the entry; where time ran back, nothing is proven.
        let until = match (status, entered) {
            (VisitStatus::Disordered, _) | (_, None) => until,
            (_, Some(entered)) => until.max(entered),
        };
        self.pass.stays.push(Stay {
            state,
            status,
            entered,
            until,
            gap_end,
            entered_by,
            exited_by,
        });
    }
}

impl Open {
    fn new(state: u32, row: &LogRow) -> Self {
        let (entered, entered_by) = (Some(row.timestamp), Some(row.row));
        Self { state, entered, entered_by, status: VisitStatus::Closed }
    }
}

/// Whether an object can begin in these leaves.
pub(super) fn is_beginning(machine: &Machine, leaves: &[u32]) -> bool {
    let Some(active) = machine.configuration(States::from_slice(leaves)) else { return false };
    let found = Reach::new(machine).creation(&|outcome: &Outcome| outcome.to.active == active);
    matches!(found, Ok(Some(_)))
}

/// Whether no sequence number is left out or repeated between two rows.
pub(super) fn follows(before: &LogRow, row: &LogRow, sequences: Sequences) -> bool {
    match (before.sequence, row.sequence, sequences) {
        (Some(a), Some(b), Sequences::Dense) => a.checked_add(1) == Some(b),
        (Some(a), Some(b), Sequences::Ordered) => a < b,
        _ => true,
    }
}

/// The name of a state, of those included that the machine does not have.
pub(super) fn name_of<'n>(machine: &'n Machine, foreign: &'n [String], id: u32) -> &'n str {
    let states = machine.states();
    let foreign_at = (id as usize).wrapping_sub(states.len());
    states.get(id as usize).or_else(|| foreign.get(foreign_at)).map_or("", String::as_str)
}

/// Where an object is after a step, as far as its states can be active together.
pub(super) fn situation(machine: &Machine, step: &Step) -> Option<Situation> {
    let active = machine.configuration(step.to.clone())?;
    Some(Situation { active, memory: step.hop.memory.clone().unwrap_or_default() })
}
