//! Texts, each once, in one arena.

use alloc::{string::String, vec::Vec};

use crate::index::Index;

/// Texts by number, and numbers by text. Numbers count in the order in which texts first appear.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    arena: String,
    /// Where each text ends.
    ends: Vec<usize>,
    ids: Index,
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> &str {
        text(&self.arena, &self.ends, id)
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.ids.get(name, &|id| self.get(id))
    }

    /// The number of a text, which is added if it is new; none where there are as many as can be counted.
    pub(super) fn add(&mut self, name: &str) -> Option<u32> {
        if let Some(id) = self.find(name) {
            return Some(id);
        }
        let id = u32::try_from(self.ends.len()).ok().filter(|&id| id < u32::MAX - 1)?;
        self.arena.push_str(name);
        self.ends.push(self.arena.len());
        let Self { arena, ends, ids } = self;
        ids.insert(id, &|id| text(arena, ends, id));
        Some(id)
    }

    /// All texts, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).zip(&self.ends).map(|(id, _)| self.get(id))
    }

    /// Bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        self.arena.capacity() + self.ends.capacity() * 8 + self.ends.len() * 16
    }
}

fn text<'a>(arena: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = id.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    let end = ends.get(id).copied().unwrap_or(start);
    arena.get(start..end).unwrap_or_default()
}
