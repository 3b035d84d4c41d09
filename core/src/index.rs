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
    ids: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Index {
    /// Adds `id` under its name; returns the id that has the name already, and then adds nothing.
    pub(crate) fn insert(&mut self, id: u32, name_of: NameOf<'_, '_>) -> Option<u32> {
        let name = name_of(id);
        if let Some(first) = self.get(name, name_of) {
            return Some(first);
        }
        self.ids
            .insert_unique(self.hasher.hash_one(name), id, |&id| self.hasher.hash_one(name_of(id)));
        None
    }

    /// The id of `name`.
    pub(crate) fn get(&self, name: &str, name_of: NameOf<'_, '_>) -> Option<u32> {
        self.ids.find(self.hasher.hash_one(name), |&id| name_of(id) == name).copied()
    }
}
