//! Records in columns, as programs hold them.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    claims::Said,
    numbers::{NONE, make_room},
    store::{Log, LogError, full_of_claims, full_of_objects, full_of_records},
};
use crate::{reading::RowNames, time::Time};

/// Records in columns of one length, as programs hold them: all names are small integers.
#[derive(Clone, Copy, Debug)]
pub struct LogColumns<'a> {
    /// For each record its object: a number that [`Log::add_object`] returned. A number behind those that there are
    /// adds an object, whose id is the number as text.
    pub objects: &'a [u32],
    /// When, in microseconds since the Unix epoch.
    pub times: &'a [i64],
    /// The state before: a position in `states`; -1 for a creation. Absent where the log does not know it.
    pub from: Option<&'a [i32]>,
    /// The state after: a position in `states`.
    pub to: &'a [i32],
    /// The place in the history of the object. Absent: the order of the records.
    pub sequences: Option<&'a [u64]>,
    /// The names of the states; mostly [`Machine::states`](crate::Machine::states).
    pub states: &'a [String],
}

impl Log {
    /// Adds records of flat machines from columns. Their rows are numbered on. All are added, or none.
    ///
    /// # Errors
    ///
    /// The columns differ in length, a value means nothing, or a limit is reached.
    pub fn add_columns(&mut self, columns: &LogColumns<'_>) -> Result<(), LogError> {
        let count = self.check(columns)?;
        let states = columns.states.len();
        for number in self.objects.len()..count {
            self.objects.add(&number.to_string()).ok_or_else(full_of_objects)?;
        }
        // Few states: a table from pairs to claims. Many: each pair is looked up.
        let width = states + 2;
        let mut table: Vec<u32> = match width.checked_mul(width) {
            Some(size) if size <= 1 << 16 => alloc::vec![u32::MAX; size],
            _ => Vec::new(),
        };
        let all = columns.objects.len();
        make_room(&mut self.object, all);
        make_room(&mut self.time, all);
        make_room(&mut self.claim, all);
        for index in 0..all {
            // 0: not known, 1: creation, then the states.
            let from = columns.from.map_or(0, |from| shifted(from[index]));
            let to = shifted(columns.to[index]);
            let slot = from * width + to;
            let mut claim = table.get(slot).copied().unwrap_or(u32::MAX);
            if claim == u32::MAX {
                claim = match self.claim_between(from, to, columns.states) {
                    Ok(claim) => claim,
                    Err(error) => {
                        self.claim.truncate(self.time.len());
                        return Err(error);
                    }
                };
                if let Some(slot) = table.get_mut(slot) {
                    *slot = claim;
                }
            }
            self.claim.push(claim);
        }
        let (mut last, first) = (self.last(), self.time.len());
        let sequence_of =
            |index: usize| columns.sequences.map_or(NONE, |all| all[index].min(NONE - 1));
        for (index, record) in
            columns.objects.iter().copied().zip(columns.times.iter().copied()).enumerate()
        {
            self.look(last, record, sequence_of(index), first + index);
            last = Some(record);
        }
        for time in [columns.times.iter().min(), columns.times.iter().max()].into_iter().flatten() {
            self.stretch(*time);
        }
        self.object.extend_from_slice(columns.objects);
        self.time.extend_from_slice(columns.times);
        self.sequence.extend((0..all).map(sequence_of));
        let row = self.rows.next();
        self.rows.extend(row, all);
        for index in first..self.claim.len() {
            self.claims.used(self.claim[index]);
        }
        Ok(())
    }

    /// Whether columns can be added, and how many objects there are then.
    fn check(&self, columns: &LogColumns<'_>) -> Result<usize, LogError> {
        let expected = columns.objects.len();
        let lengths = [
            ("times", Some(columns.times.len())),
            ("from", columns.from.map(<[i32]>::len)),
            ("to", Some(columns.to.len())),
            ("sequences", columns.sequences.map(<[u64]>::len)),
        ];
        for (column, found) in lengths {
            if let Some(found) = found.filter(|&found| found != expected) {
                return Err(LogError::Lengths { column, expected, found });
            }
        }
        if (self.time.len() + expected) as u64 > Self::RECORDS {
            return Err(full_of_records());
        }
        let value = |column, position, cause| Err(LogError::Value { column, position, cause });
        let most = self.objects.len() + expected;
        let mut count = self.objects.len();
        for (position, &object) in columns.objects.iter().enumerate() {
            if object as usize >= most {
                let cause = alloc::format!(
                    "{object} is no object: there cannot be more of them than objects and records together, {most}"
                );
                return value("objects", position, cause);
            }
            count = count.max(object as usize + 1);
        }
        if let Some(taken) = (self.objects.len()..count)
            .find(|number| self.objects.ids.find(&number.to_string()).is_some())
        {
            let cause =
                alloc::format!("the id `{taken}` names another object; add the objects first");
            return value("objects", 0, cause);
        }
        for (position, &time) in columns.times.iter().enumerate() {
            if Time::from_micros(time).is_none() {
                let cause = alloc::format!("{time} microseconds is no time of the years 0 to 9999");
                return value("times", position, cause);
            }
        }
        let states = columns.states.len();
        for (column, values, least) in [("from", columns.from, -1), ("to", Some(columns.to), 0)] {
            for (position, &state) in values.unwrap_or_default().iter().enumerate() {
                if state < least || usize::try_from(state).is_ok_and(|state| state >= states) {
                    let cause =
                        alloc::format!("{state} is no position in `states`, which has {states}");
                    return value(column, position, cause);
                }
            }
        }
        Ok(count)
    }

    /// The claim of a step between states; 0 is not known, 1 the creation, then the states.
    #[cold]
    fn claim_between(
        &mut self,
        from: usize,
        to: usize,
        states: &[String],
    ) -> Result<u32, LogError> {
        let name = |index: usize| -> RowNames<'_> {
            let name = index.checked_sub(2).and_then(|index| states.get(index));
            name.map(|name| Cow::Borrowed(name.as_str())).into_iter().collect()
        };
        let (from, to) = ((from > 0).then(|| name(from)), name(to));
        let (transitions, exited, entered, action) = (None, None, None, None);
        let said = Said { from: from.as_ref(), to: &to, transitions, exited, entered, action };
        self.claims.add(&said).ok_or_else(full_of_claims)
    }
}

/// A state of a column behind the two that are none: not known, and the creation.
#[inline]
fn shifted(state: i32) -> usize {
    usize::try_from(i64::from(state) + 2).unwrap_or(0)
}
