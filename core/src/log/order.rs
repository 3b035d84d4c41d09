//! The order of histories: all records of an object together, by sequence, never by time.

use alloc::vec::Vec;

use super::{
    numbers::{NONE, reorder},
    store::Log,
};
use crate::table::{group, position};

/// Where the records of each object are.
#[derive(Debug)]
pub(super) struct Order {
    /// For each object where its records start, and behind the last where they end.
    pub(super) starts: Vec<u32>,
    /// The records in order; none where they stand so.
    records: Option<Vec<u32>>,
}

impl Order {
    /// The position in the columns of the record that stands so far in order.
    #[inline]
    pub(super) fn record(&self, at: usize) -> usize {
        match &self.records {
            None => at,
            Some(records) => records[at] as usize,
        }
    }

    /// The same of a range of records, where they stand in order.
    pub(super) fn direct(&self, range: core::ops::Range<usize>) -> Option<core::ops::Range<usize>> {
        self.records.is_none().then_some(range)
    }

    #[inline]
    pub(super) fn range(&self, object: usize) -> core::ops::Range<usize> {
        self.starts[object] as usize..self.starts[object + 1] as usize
    }
}

impl Log {
    /// Puts the records into the order of histories, once, so that every later question is answered in one pass
    /// without looking for them. What is answered is the same without it.
    ///
    /// Cost: linear where an object's records are in order among themselves. Nothing, where all are already.
    pub fn settle(&mut self) {
        let Some(records) = self.order().records else { return };
        reorder(&mut self.object, &records);
        reorder(&mut self.time, &records);
        reorder(&mut self.claim, &records);
        self.sequence.reorder(&records);
        self.rows.reorder(&records);
        self.is_ordered = true;
        self.is_reordered = true;
        self.learn();
    }

    /// Where the records of each object are, in order.
    pub(super) fn order(&self) -> Order {
        let objects = self.objects.len();
        if self.is_ordered {
            // An object without records starts where the next one does.
            let mut starts = Vec::with_capacity(objects + 1);
            starts.extend_from_slice(&self.starts);
            starts.resize(objects + 1, position(self.object.len()));
            return Order { starts, records: None };
        }
        let (starts, mut records) = group(objects, self.object.iter().copied());
        let mut keys = Vec::new();
        let unsorted = if self.is_sorted_in_objects() { 0..0 } else { 0..objects };
        for object in unsorted {
            let range = starts[object] as usize..starts[object + 1] as usize;
            self.sort(&mut records[range], &mut keys);
        }
        Order { starts, records: Some(records) }
    }

    /// Whether the records of each object stand in order among themselves, as they mostly do in a log in order of time.
    fn is_sorted_in_objects(&self) -> bool {
        let mut last = alloc::vec![0_u64; self.objects.len()];
        let is_next = |(index, &object): (usize, &u32)| {
            let sequence = self.sequence.get(index);
            sequence == NONE || sequence >= core::mem::replace(&mut last[object as usize], sequence)
        };
        !self.is_reordered && self.object.iter().enumerate().all(is_next)
    }

    /// Sorts the records of one object by sequence; one without follows the row before it.
    fn sort(&self, records: &mut [u32], keys: &mut Vec<(u64, u64, u32)>) {
        if self.is_reordered && !records.is_sorted_by_key(|&record| self.rows.get(record as usize))
        {
            // Back to the order of rows, as they were added.
            keys.clear();
            keys.extend(records.iter().map(|&record| (self.rows.get(record as usize), 0, record)));
            keys.sort_unstable();
            copy(keys, records);
        }
        keys.clear();
        let mut last = 0;
        for (at, &record) in (0..).zip(records.iter()) {
            let sequence = self.sequence.get(record as usize);
            last = if sequence == NONE { last } else { sequence };
            keys.push((last, at, record));
        }
        if !keys.is_sorted_by_key(|&(key, ..)| key) {
            keys.sort_unstable();
            copy(keys, records);
        }
    }
}

fn copy(keys: &[(u64, u64, u32)], records: &mut [u32]) {
    for (record, key) in records.iter_mut().zip(keys) {
        *record = key.2;
    }
}
