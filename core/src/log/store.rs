//! The columns of a log, and how records get into them.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{
    claims::{Claims, Said},
    numbers::{NONE, Numbers, make_room},
    objects::Objects,
    rows::RowNumbers,
};
use crate::{
    reading::{LogRow, LogRowRef, RowNames},
    table::position,
    time::Time,
};

/// The records of many objects, in columns: at most 32 bytes a record.
///
/// It belongs to no machine: names of states are kept as they are, and what they mean is asked when a report is
/// made, so that the same log can be put to several versions of a definition.
///
/// ```
/// use veristate::{Log, LogOptions, Machine, ReadOptions, RecordFormat};
///
/// let machine = Machine::from_json(r#"{
///     "object_type": "Door", "initial_state": "open",
///     "states": [{ "name": "open" }, { "name": "walled_up", "is_terminal": true }],
///     "transitions": [{ "name": "brick", "from_state": "open", "to_state": "walled_up", "action": "wall_up" }]
/// }"#)?;
/// let text = "object_id,sequence,from_state,to_state,action,timestamp\n\
///     d-1,1,,open,,2026-01-01T12:00:00Z\n\
///     d-1,2,open,walled_up,wall_up,2026-01-03T12:00:00Z\n";
/// let (log, read) = Log::read(text.as_bytes(), RecordFormat::Csv, &ReadOptions::default())?;
/// assert_eq!(read.summary.used, 2);
///
/// let report = log.report(&machine, &LogOptions::at("2026-01-04T00:00:00Z".parse()?));
/// let open = report.states[0].closed.as_ref().expect("a door was open and is not");
/// assert_eq!(open.mean.to_string(), "P2D");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Log {
    pub(super) objects: Objects,
    pub(super) claims: Claims,
    /// For each record its object,
    pub(super) object: Vec<u32>,
    /// its time in microseconds,
    pub(super) time: Vec<i64>,
    /// what it says,
    pub(super) claim: Vec<u32>,
    /// its sequence, and
    pub(super) sequence: Numbers,
    /// the number of its row.
    pub(super) rows: RowNumbers,
    /// Whether the records stand in the order of histories: all of an object together, by sequence.
    pub(super) is_ordered: bool,
    /// Whether they were put in another order than that in which they were added.
    pub(super) is_reordered: bool,
    /// Where the records of each object start, while they stand in order; those of the last objects may be missing.
    pub(super) starts: Vec<u32>,
    /// Whether no object's times run back, as far as its records stand together.
    pub(super) runs_forward: bool,
    last_sequence: u64,
    /// The earliest and latest time of all records and creations.
    pub(super) span: Option<[i64; 2]>,
}

/// Why a record cannot be added to a log.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A limit is reached, which is named.
    #[error("the log is full: it holds {limit} {what}, the most that it can")]
    LimitExceeded {
        /// Of what there are too many.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
    /// The columns do not have one length.
    #[error("the column `{column}` has {found} values, `objects` has {expected}")]
    Lengths {
        /// The column.
        column: &'static str,
        /// How many values `objects` has.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A value of a column means nothing.
    #[error("`{column}` at position {position}: {cause}")]
    Value {
        /// The column.
        column: &'static str,
        /// Where, from 0.
        position: usize,
        /// What is wrong.
        cause: String,
    },
}

impl LogError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::LimitExceeded { .. } => "limit-exceeded",
            Self::Lengths { .. } | Self::Value { .. } => "invalid-argument",
        }
    }
}

impl Default for Log {
    fn default() -> Self {
        Self::new()
    }
}

impl Log {
    /// So many records fit, and so many objects: their numbers are 32 bits.
    pub const RECORDS: u64 = u32::MAX as u64 - 1;

    /// A log without records.
    #[must_use]
    pub fn new() -> Self {
        Self {
            objects: Objects::default(),
            claims: Claims::default(),
            object: Vec::new(),
            time: Vec::new(),
            claim: Vec::new(),
            sequence: Numbers::default(),
            rows: RowNumbers::default(),
            is_ordered: true,
            is_reordered: false,
            starts: Vec::new(),
            runs_forward: true,
            last_sequence: 0,
            span: None,
        }
    }

    /// How many records it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether it holds no record; it may hold objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// How many objects it knows, with records or without.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// The ids of all objects, in the order of their numbers.
    pub fn object_ids(&self) -> impl Iterator<Item = &str> {
        self.objects.ids.iter()
    }

    /// Bytes that it takes, about: columns, objects and names.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.object.capacity() * 4
            + self.time.capacity() * 8
            + self.claim.capacity() * 4
            + self.sequence.bytes()
            + self.rows.bytes()
            + self.starts.capacity() * 4
            + self.objects.bytes()
            + self.claims.bytes()
    }

    /// Adds an object that may have no record, and says when it was created and for which tenant; what was said
    /// first stays. Returns its number.
    ///
    /// # Errors
    ///
    /// There are as many objects as can be counted.
    pub fn add_object(
        &mut self,
        id: &str,
        created_at: Option<Time>,
        tenant: Option<&str>,
    ) -> Result<u32, LogError> {
        let object = self.objects.add(id).ok_or_else(full_of_objects)?;
        self.tell(object, tenant, created_at);
        Ok(object)
    }

    fn tell(&mut self, object: u32, tenant: Option<&str>, created_at: Option<Time>) {
        let created_at = created_at.map(Time::micros);
        self.objects.tell(object, tenant, created_at);
        if let Some(at) = created_at {
            self.stretch(at);
        }
    }

    #[inline]
    pub(super) fn stretch(&mut self, at: i64) {
        let [first, last] = self.span.unwrap_or([at, at]);
        self.span = Some([first.min(at), last.max(at)]);
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// It has no states to lead to, or a limit is reached. Nothing is added then, but perhaps the object.
    #[inline]
    pub fn add(&mut self, row: &LogRowRef<'_>) -> Result<(), LogError> {
        if self.time.len() as u64 >= Self::RECORDS {
            return Err(full_of_records());
        }
        if row.to_states.is_empty() {
            let cause = "a record leads somewhere: it has at least one state".into();
            return Err(LogError::Value { column: "to_states", position: self.time.len(), cause });
        }
        let object = self.objects.add(&row.object_id).ok_or_else(full_of_objects)?;
        let said = Said {
            from: row.from_states.as_ref(),
            to: &row.to_states,
            transitions: row.transitions.as_ref(),
            exited: row.exited.as_ref(),
            entered: row.entered.as_ref(),
            action: row.action.as_deref(),
        };
        let claim = self.claims.add(&said).ok_or_else(full_of_claims)?;
        if row.tenant_id.is_some() || row.created_at.is_some() {
            self.tell(object, row.tenant_id.as_deref(), row.created_at);
        }
        let number = if row.row == 0 { self.rows.next() } else { row.row };
        // The one number that stands for an absent one is as good as the one before it.
        let sequence = row.sequence.map_or(NONE, |sequence| sequence.min(NONE - 1));
        self.push(object, row.timestamp.micros(), claim, sequence, number);
        Ok(())
    }

    /// Learns again what was learnt record by record, of records in order.
    pub(super) fn learn(&mut self) {
        self.last_sequence = 0;
        self.runs_forward = true;
        self.starts.clear();
        let mut before: Option<(u32, i64)> = None;
        for (index, (&object, &time)) in self.object.iter().zip(&self.time).enumerate() {
            if let Some((_, before)) = before.filter(|&(before, _)| before == object) {
                self.runs_forward &= time >= before;
            } else {
                self.last_sequence = 0;
                self.starts.resize(object as usize + 1, position(index));
            }
            let sequence = self.sequence.get(index);
            if sequence != NONE {
                self.last_sequence = sequence;
            }
            before = Some((object, time));
        }
    }

    /// Looks at a record that is about to be added: what it means for the order of all.
    #[inline]
    pub(super) fn look(
        &mut self,
        last: Option<(u32, i64)>,
        (object, time): (u32, i64),
        sequence: u64,
        at: usize,
    ) {
        // Once records stand elsewhere than they were added, one without a sequence has to find its place.
        self.is_ordered &= sequence != NONE || !self.is_reordered;
        match last {
            Some((last, before)) if last == object => {
                self.is_ordered &= sequence == NONE || sequence >= self.last_sequence;
                self.runs_forward &= time >= before;
                if sequence != NONE {
                    self.last_sequence = sequence;
                }
            }
            last => {
                self.is_ordered &= last.is_none_or(|(last, _)| last < object);
                self.last_sequence = if sequence == NONE { 0 } else { sequence };
                if self.is_ordered {
                    self.starts.resize(object as usize + 1, position(at));
                }
            }
        }
    }

    /// The object and the time of the last record.
    pub(super) fn last(&self) -> Option<(u32, i64)> {
        Some((*self.object.last()?, *self.time.last()?))
    }

    #[inline]
    fn push(&mut self, object: u32, time: i64, claim: u32, sequence: u64, row: u64) {
        self.look(self.last(), (object, time), sequence, self.time.len());
        self.stretch(time);
        make_room(&mut self.object, 1);
        make_room(&mut self.time, 1);
        make_room(&mut self.claim, 1);
        self.object.push(object);
        self.time.push(time);
        self.claim.push(claim);
        self.sequence.push(sequence);
        self.rows.push(row);
        self.claims.used(claim);
    }

    /// Adds a record that owns what it says.
    ///
    /// # Errors
    ///
    /// As [`Log::add`].
    pub fn add_row(&mut self, row: &LogRow) -> Result<(), LogError> {
        fn names(names: &[String]) -> RowNames<'_> {
            names.iter().map(|name| Cow::Borrowed(name.as_str())).collect()
        }
        fn text(text: Option<&String>) -> Option<Cow<'_, str>> {
            text.map(|text| Cow::Borrowed(text.as_str()))
        }
        self.add(&LogRowRef {
            row: row.row,
            object_id: Cow::Borrowed(&row.object_id),
            sequence: row.sequence,
            from_states: row.from_states.as_deref().map(names),
            to_states: names(&row.to_states),
            transitions: row.transitions.as_deref().map(names),
            exited: row.exited.as_deref().map(names),
            entered: row.entered.as_deref().map(names),
            action: text(row.action.as_ref()),
            actor_id: None,
            actor_type: None,
            tenant_id: text(row.tenant_id.as_ref()),
            world_id: None,
            reason: None,
            timestamp: row.timestamp,
            request_id: None,
            definition_version: row.definition_version,
            created_at: row.created_at,
            metadata: None,
            object: None,
        })
    }
}

pub(super) fn full_of_claims() -> LogError {
    let what = "different claims (states, action and transitions together)";
    LogError::LimitExceeded { what, limit: Claims::MOST as u64 }
}

pub(super) fn full_of_records() -> LogError {
    LogError::LimitExceeded { what: "records", limit: Log::RECORDS }
}

pub(super) fn full_of_objects() -> LogError {
    LogError::LimitExceeded { what: "objects", limit: Log::RECORDS }
}
