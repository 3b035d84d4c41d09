//! The numbers of the rows that records come from, without a column where they can be reckoned.

use alloc::vec::Vec;

use super::numbers::Numbers;

/// Row numbers. They count up by one but where a row was refused, and only those places are kept; a log where that
/// is often, or whose order was changed, gets a column.
#[derive(Clone, Debug)]
pub(super) enum RowNumbers {
    /// From a record on, by how much the number of its row is ahead of its position.
    Sparse {
        count: usize,
        jumps: Vec<(u32, u64)>,
    },
    Column(Numbers),
}

impl Default for RowNumbers {
    fn default() -> Self {
        Self::Sparse { count: 0, jumps: Vec::new() }
    }
}

impl RowNumbers {
    #[inline]
    pub(super) fn push(&mut self, row: u64) {
        match self {
            Self::Sparse { count, jumps } => {
                let ahead = row.wrapping_sub(*count as u64);
                if jumps.last().is_none_or(|&(_, last)| last != ahead) {
                    // A jump takes as much as four numbers do.
                    if jumps.len() > 1024 && jumps.len() > *count / 4 {
                        self.spread();
                        return self.push(row);
                    }
                    jumps.push((u32::try_from(*count).unwrap_or(u32::MAX), ahead));
                }
                *count += 1;
            }
            Self::Column(numbers) => numbers.push(row),
        }
    }

    /// Adds the numbers of so many records that come from rows one after the other.
    pub(super) fn extend(&mut self, first: u64, records: usize) {
        for row in first..first.saturating_add(records as u64) {
            self.push(row);
            if let Self::Sparse { count, .. } = self {
                // All others are as far ahead as this one.
                *count += records - 1;
                return;
            }
        }
    }

    /// The number of the row of a record.
    pub(super) fn get(&self, index: usize) -> u64 {
        match self {
            Self::Sparse { jumps, .. } => {
                let behind = jumps.partition_point(|&(start, _)| start as usize <= index);
                let ahead = behind.checked_sub(1).map_or(1, |at| jumps[at].1);
                (index as u64).wrapping_add(ahead)
            }
            Self::Column(numbers) => numbers.get(index),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Sparse { count, .. } => *count,
            Self::Column(numbers) => numbers.len(),
        }
    }

    /// The number of a row that comes behind all others.
    pub(super) fn next(&self) -> u64 {
        self.len().checked_sub(1).map_or(1, |last| self.get(last).saturating_add(1))
    }

    pub(super) fn reorder(&mut self, order: &[u32]) {
        self.spread();
        if let Self::Column(numbers) = self {
            numbers.reorder(order);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Sparse { jumps, .. } => jumps.capacity() * size_of::<(u32, u64)>(),
            Self::Column(numbers) => numbers.bytes(),
        }
    }

    #[cold]
    fn spread(&mut self) {
        if let Self::Sparse { count, jumps } = self {
            let mut numbers = Numbers::default();
            let mut next = 0;
            let mut ahead = 1;
            for index in 0..*count {
                if jumps.get(next).is_some_and(|&(start, _)| start as usize == index) {
                    ahead = jumps[next].1;
                    next += 1;
                }
                numbers.push((index as u64).wrapping_add(ahead));
            }
            *self = Self::Column(numbers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rows: impl Iterator<Item = u64> + Clone, is_column: bool) {
        let mut numbers = RowNumbers::default();
        rows.clone().for_each(|row| numbers.push(row));
        assert!(rows.clone().enumerate().all(|(index, row)| numbers.get(index) == row));
        assert_eq!(matches!(numbers, RowNumbers::Column(_)), is_column);
        assert_eq!(numbers.next(), rows.last().map_or(1, |last| last + 1));
    }

    #[test]
    fn rows_are_told_without_a_column_unless_many_are_missing() {
        check(1..1, false);
        check(1..5000, false);
        check((1..5000).filter(|row| row % 100 != 0), false);
        check((1..50_000).filter(|row| row % 2 == 0), true);
        check([9, 3, 4, 1].into_iter(), false);
    }
}
