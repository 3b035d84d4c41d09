//! Variants: the ways through the states that objects went, each with how many went it.

use alloc::{string::String, vec::Vec};
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use serde::Serialize;

use crate::table::position;

/// A way through the states that objects went.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// The active leaves, one after the other; a step that changes none is left out. At most 1,000 are listed.
    pub states: Vec<Vec<String>>,
    /// How many there are.
    pub length: usize,
    /// How many objects went it.
    pub count: u64,
    /// Their part of all objects whose way is known, from 0 to 1.
    pub share: f64,
    /// The first of them.
    pub example: String,
}

/// All ways, as sequences of configurations. They are found by a hash and then compared.
#[derive(Debug, Default)]
pub(super) struct Variants {
    /// The way of the object that is gone through now, and where it is. Numbers are written in bytes of seven bits,
    /// the lowest first; there are mostly less than 128.
    way: Vec<u8>,
    last: Option<u32>,
    /// All different ways, one behind the other.
    arena: Vec<u8>,
    pub(super) all: Vec<Counted>,
    ids: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
    /// How many objects have one.
    pub(super) objects: u64,
}

/// A way and how often it was gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    start: usize,
    end: usize,
    pub(super) count: u64,
    /// The first object that went it.
    pub(super) example: u32,
}

impl Variants {
    /// The object is somewhere else, or where it was.
    #[inline]
    pub(super) fn go(&mut self, config: u32) {
        if self.last != Some(config) {
            self.last = Some(config);
            self.push(config);
        }
    }

    /// The object goes on, step by step, and is never where it was before the step.
    #[inline]
    pub(super) fn go_on(&mut self, configs: impl ExactSizeIterator<Item = u32>) {
        self.way.reserve(configs.len());
        for config in configs {
            self.last = Some(config);
            self.push(config);
        }
    }

    #[inline]
    fn push(&mut self, config: u32) {
        let mut rest = config;
        while let (false, low) = (rest < 128, rest.to_le_bytes()[0] | 128) {
            self.way.push(low);
            rest >>= 7;
        }
        self.way.push(rest.to_le_bytes()[0]);
    }

    /// The way of an object is complete.
    pub(super) fn end(&mut self, object: u32) {
        if self.way.is_empty() {
            return;
        }
        self.objects += 1;
        let Self { way, last, arena, all, ids, hasher, .. } = self;
        let way_of = |counted: &Counted| arena.get(counted.start..counted.end).unwrap_or_default();
        let hash = hasher.hash_one(way.as_slice());
        let is_same = |&(other, id): &(u64, u32)| {
            other == hash && way_of(&all[id as usize]) == way.as_slice()
        };
        match ids.find(hash, is_same) {
            Some(&(_, id)) => all[id as usize].count += 1,
            None => {
                let id = position(all.len());
                ids.insert_unique(hash, (hash, id), |&(hash, _)| hash);
                let start = arena.len();
                arena.extend_from_slice(way);
                all.push(Counted { start, end: arena.len(), count: 1, example: object });
            }
        }
        way.clear();
        *last = None;
    }

    /// The most frequent ones, at most so many; of equal ones that of the first object comes first.
    pub(super) fn most(&self, count: usize) -> Vec<Counted> {
        let mut keys: Vec<(u64, u64, u32)> = (0..)
            .zip(&self.all)
            .map(|(id, counted)| (u64::MAX - counted.count, u64::from(counted.example), id))
            .collect();
        keys.sort_unstable();
        keys.iter().take(count).map(|&(_, _, id)| self.all[id as usize]).collect()
    }

    /// The configurations of a way.
    pub(super) fn way(&self, counted: &Counted) -> Vec<u32> {
        let bytes = self.arena.get(counted.start..counted.end).unwrap_or_default();
        let (mut way, mut number, mut shift) = (Vec::new(), 0_u32, 0_u32);
        for &byte in bytes {
            number |= u32::from(byte & 127).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte < 128 {
                way.push(core::mem::take(&mut number));
                shift = 0;
            }
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_told_as_it_was_gone() {
        let mut variants = Variants::default();
        let ways: [&[u32]; 3] = [&[1, 127, 128, 5, 300_000, u32::MAX - 1], &[1], &[1, 127, 128]];
        for (object, way) in (0..).zip(ways.iter().chain(&ways)) {
            way.iter().for_each(|&config| variants.go(config));
            variants.end(object);
        }
        let found = variants.most(5);
        assert_eq!(found.iter().map(|found| variants.way(found)).collect::<Vec<_>>(), ways);
        assert!(found.iter().all(|found| found.count == 2));
    }
}
