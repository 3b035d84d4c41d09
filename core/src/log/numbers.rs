//! A column of whole numbers that takes four bytes a number until one needs eight.

use alloc::vec::Vec;

/// How a column grows: by a quarter, so that what is reserved and not used stays small.
pub(super) fn make_room<T>(column: &mut Vec<T>, more: usize) {
    if column.capacity() - column.len() < more {
        column.reserve_exact(more.max(column.len() / 4).max(64));
    }
}

/// Numbers, some of which are absent.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Small(Vec<u32>),
    Large(Vec<u64>),
}

/// Stands for an absent number in the small form, and in the large one.
const NO_SMALL: u32 = u32::MAX;
pub(super) const NONE: u64 = u64::MAX;

impl Default for Numbers {
    fn default() -> Self {
        Self::Small(Vec::new())
    }
}

impl Numbers {
    /// Adds a number; [`NONE`] is an absent one.
    #[inline]
    pub(super) fn push(&mut self, number: u64) {
        match self {
            Self::Small(column) => match small(number) {
                Some(number) => {
                    make_room(column, 1);
                    column.push(number);
                }
                None => {
                    self.widen();
                    self.push(number);
                }
            },
            Self::Large(column) => {
                make_room(column, 1);
                column.push(number);
            }
        }
    }

    /// Adds numbers.
    pub(super) fn extend(&mut self, numbers: impl ExactSizeIterator<Item = u64>) {
        match self {
            Self::Small(column) => make_room(column, numbers.len()),
            Self::Large(column) => make_room(column, numbers.len()),
        }
        numbers.for_each(|number| self.push(number));
    }

    /// The number at a position; [`NONE`] where it is absent.
    #[inline]
    pub(super) fn get(&self, index: usize) -> u64 {
        match self {
            Self::Small(column) => match column[index] {
                NO_SMALL => NONE,
                number => u64::from(number),
            },
            Self::Large(column) => column[index],
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Small(column) => column.len(),
            Self::Large(column) => column.len(),
        }
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Small(column) => column.capacity() * 4,
            Self::Large(column) => column.capacity() * 8,
        }
    }

    /// The numbers in another order.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        match self {
            Self::Small(column) => reorder(column, order),
            Self::Large(column) => reorder(column, order),
        }
    }

    #[cold]
    fn widen(&mut self) {
        let Self::Small(column) = self else { return };
        let wide = |&number: &u32| if number == NO_SMALL { NONE } else { u64::from(number) };
        let mut large = Vec::new();
        make_room(&mut large, column.len() + 1);
        large.extend(column.iter().map(wide));
        *self = Self::Large(large);
    }
}

fn small(number: u64) -> Option<u32> {
    match number {
        NONE => Some(NO_SMALL),
        number => u32::try_from(number).ok().filter(|&number| number != NO_SMALL),
    }
}

/// A column in another order.
pub(super) fn reorder<T: Copy>(column: &mut Vec<T>, order: &[u32]) {
    let mut ordered = Vec::with_capacity(order.len());
    ordered.extend(order.iter().map(|&index| column[index as usize]));
    *column = ordered;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_needs_it_widens_the_column_and_changes_none() {
        let mut numbers = Numbers::default();
        let all = [7, NONE, 0, u64::from(u32::MAX) - 1, u64::from(u32::MAX), NONE, 1 << 40];
        for number in all {
            numbers.push(number);
        }
        assert_eq!((0..all.len()).map(|index| numbers.get(index)).collect::<Vec<_>>(), all);
        assert!(matches!(numbers, Numbers::Large(_)));
        numbers.reorder(&[6, 0]);
        assert_eq!((numbers.get(0), numbers.get(1), numbers.len()), (1 << 40, 7, 2));
    }
}
