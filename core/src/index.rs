//! From names to small integers, without a copy of the names.

use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// How to find the name of an id. Not generic: one copy of the code serves all kinds of names.
type NameOf<'f, 'n> = &'f dyn Fn(u32) -> &'n str;

/// Ids by name. The names stay where they are: every call is told how to find the name of an id.
///
/// Never iterated, so that no order depends on a hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    slots: HashTable<Slot>,
    hasher: DefaultHashBuilder,
}

/// An id and half of the hash of its name. A large table would else wait for memory at every name
/// that it compares in vain or moves.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    id: u32,
}

impl Slot {
    /// The hash that the table works with: its upper and its lower bits depend on the whole.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Index {
    /// Adds `id` under its name; returns the id that has the name already, and then adds nothing.
    pub(crate) fn insert(&mut self, id: u32, name_of: NameOf<'_, '_>) -> Option<u32> {
        let name = name_of(id);
        let hash = self.hash(name);
        if let Some(first) = self.find(hash, name, name_of) {
            return Some(first);
        }
        self.slots
            .insert_unique(Slot::spread(hash), Slot { hash, id }, |slot| Slot::spread(slot.hash));
        None
    }

    /// The id of `name`.
    pub(crate) fn get(&self, name: &str, name_of: NameOf<'_, '_>) -> Option<u32> {
        self.find(self.hash(name), name, name_of)
    }

    fn find(&self, hash: u32, name: &str, name_of: NameOf<'_, '_>) -> Option<u32> {
        let same = |slot: &Slot| slot.hash == hash && name_of(slot.id) == name;
        self.slots.find(Slot::spread(hash), same).map(|slot| slot.id)
    }

    fn hash(&self, name: &str) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
        let half = self.hasher.hash_one(name) as u32;
        half
    }
}
