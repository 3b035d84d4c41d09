//! Texts with numbers, and things in another order.
//!
//! All maps from texts in the interchange are of one type: each further type of map is 5 kB of WebAssembly.

use alloc::{collections::BTreeMap, vec::Vec};

/// Texts in the order in which they were first seen; each is known by its number there.
#[derive(Debug, Default)]
pub(super) struct Numbered<'t> {
    list: Vec<&'t str>,
    sorted: BTreeMap<&'t str, usize>,
}

impl<'t> Numbered<'t> {
    /// The number of a text; a new one is added.
    pub(super) fn add(&mut self, text: &'t str) -> usize {
        let next = self.list.len();
        let known = *self.sorted.entry(text).or_insert(next);
        if known == next {
            self.list.push(text);
        }
        known
    }

    /// Adds a text; whether it is new.
    pub(super) fn insert(&mut self, text: &'t str) -> bool {
        let next = self.list.len();
        self.add(text) == next
    }

    pub(super) fn position(&self, text: &str) -> Option<usize> {
        self.sorted.get(text).copied()
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.position(text).is_some()
    }

    pub(super) fn get(&self, number: usize) -> &'t str {
        self.list[number]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The first in alphabetical order.
    pub(super) fn first(&self) -> Option<&'t str> {
        self.sorted.keys().next().copied()
    }

    /// Those from one text on, up to another one, in alphabetical order.
    pub(super) fn between<'s>(
        &'s self,
        first: &'s str,
        end: &'s str,
    ) -> impl Iterator<Item = usize> {
        self.sorted.range(first..end).map(|(_, number)| *number)
    }
}

/// Puts things into the order of their keys, those with equal keys as they are.
///
/// Only pairs of numbers are sorted: each further type that is sorted is 6 kB of WebAssembly.
pub(super) fn in_order<T>(list: Vec<T>, key: impl Fn(&T) -> usize) -> Vec<T> {
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        order.push((key(item), at));
    }
    order.sort_unstable();
    let mut list: Vec<Option<T>> = list.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(list.len());
    for (_, at) in order {
        sorted.extend(list[at].take());
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_number() {
        let mut known = Numbered::default();
        assert!(known.insert("b") && known.insert("a") && !known.insert("b"));
        assert_eq!((known.add("c"), known.position("a"), known.len()), (2, Some(1), 3));
        assert_eq!((known.first(), known.get(0)), (Some("a"), "b"));
        assert!(known.between("a", "c").eq([1, 0]));
    }

    #[test]
    fn equal_keys_stay_as_they_are() {
        let sorted = in_order(alloc::vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')], |item| item.0);
        assert_eq!(sorted, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }
}
