//! Claims: what records say, each different one once.
//!
//! A log has few of them, however long it is: what makes a record one of many
//! (its object, its time, its sequence) is not part of a claim. A claim is
//! judged once, when the log is bound to a machine.

use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::texts::Texts;
use crate::reading::RowNames;

/// A list of numbers of names, or that nothing is said of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct List {
    start: u32,
    length: u32,
}

impl List {
    const UNSAID: Self = Self { start: 0, length: u32::MAX };
}

/// What a record says of its step. Names are numbers of [`Claims::names`].
#[derive(Clone, Copy, Debug)]
pub(super) struct LoggedClaim {
    pub(super) from: List,
    pub(super) to: List,
    pub(super) transitions: List,
    pub(super) exited: List,
    pub(super) entered: List,
    pub(super) action: Option<u32>,
}

/// The same in names, borrowed from a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'r, 'a> {
    pub(super) from: Option<&'r RowNames<'a>>,
    pub(super) to: &'r RowNames<'a>,
    pub(super) transitions: Option<&'r RowNames<'a>>,
    pub(super) exited: Option<&'r RowNames<'a>>,
    pub(super) entered: Option<&'r RowNames<'a>>,
    pub(super) action: Option<&'r str>,
}

/// All claims of a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// Names of states, actions and transitions.
    pub(super) names: Texts,
    pub(super) all: Vec<LoggedClaim>,
    /// How many records have each.
    pub(super) counts: Vec<u32>,
    /// The lists, one behind the other.
    parts: Vec<u32>,
    /// Each claim as bytes, by which it is found.
    keys: Vec<u8>,
    key_ends: Vec<usize>,
    ids: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
    scratch: Vec<u8>,
    last: u32,
}

impl Claims {
    /// More different claims than this are refused: a log with so many says something else in a column than it should.
    pub(super) const MOST: usize = 1 << 22;

    /// The names of a list; none where nothing is said.
    pub(super) fn list(&self, list: List) -> Option<&[u32]> {
        (list != List::UNSAID).then(|| {
            let start = list.start as usize;
            self.parts.get(start..start + list.length as usize).unwrap_or_default()
        })
    }

    /// The number of what a row says, which is added if it is new; none where there are too many.
    #[inline]
    pub(super) fn add(&mut self, said: &Said<'_, '_>) -> Option<u32> {
        let mut key = core::mem::take(&mut self.scratch);
        key.clear();
        write_list(&mut key, said.from);
        write_list(&mut key, Some(said.to));
        write_list(&mut key, said.transitions);
        write_list(&mut key, said.exited);
        write_list(&mut key, said.entered);
        key.push(u8::from(said.action.is_some()));
        key.extend_from_slice(said.action.unwrap_or_default().as_bytes());
        let id = if !self.all.is_empty() && self.key(self.last) == key {
            Some(self.last)
        } else {
            let hash = self.hash(&key);
            self.find(hash, &key).or_else(|| self.insert(hash, &key, said))
        };
        self.last = id.unwrap_or(self.last);
        self.scratch = key;
        id
    }

    /// One more record has a claim.
    #[inline]
    pub(super) fn used(&mut self, claim: u32) {
        if let Some(count) = self.counts.get_mut(claim as usize) {
            *count += 1;
        }
    }

    fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.hash_one(key)
    }

    fn key(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.key_ends[before]);
        &self.keys[start..self.key_ends[id]]
    }

    fn find(&self, hash: u64, key: &[u8]) -> Option<u32> {
        let found = self.ids.find(hash, |&(other, id)| other == hash && self.key(id) == key);
        found.map(|&(_, id)| id)
    }

    #[cold]
    fn insert(&mut self, hash: u64, key: &[u8], said: &Said<'_, '_>) -> Option<u32> {
        if self.all.len() >= Self::MOST {
            return None;
        }
        let id = u32::try_from(self.all.len()).ok()?;
        let from = self.write(said.from)?;
        let to = self.write(Some(said.to))?;
        let transitions = self.write(said.transitions)?;
        let exited = self.write(said.exited)?;
        let entered = self.write(said.entered)?;
        let action = match said.action {
            Some(action) => Some(self.names.add(action)?),
            None => None,
        };
        self.counts.push(0);
        self.all.push(LoggedClaim { from, to, transitions, exited, entered, action });
        self.keys.extend_from_slice(key);
        self.key_ends.push(self.keys.len());
        self.ids.insert_unique(hash, (hash, id), |&(hash, _)| hash);
        Some(id)
    }

    fn write(&mut self, names: Option<&RowNames<'_>>) -> Option<List> {
        let Some(names) = names else { return Some(List::UNSAID) };
        let start = u32::try_from(self.parts.len()).ok()?;
        for name in names {
            let id = self.names.add(name)?;
            self.parts.push(id);
        }
        let length = u32::try_from(names.len()).ok().filter(|&length| length < u32::MAX)?;
        start.checked_add(length)?;
        Some(List { start, length })
    }

    pub(super) fn bytes(&self) -> usize {
        self.names.bytes()
            + self.all.capacity() * (size_of::<LoggedClaim>() + 4)
            + self.parts.capacity() * 4
            + self.keys.capacity()
            + self.key_ends.capacity() * 8
            + self.ids.capacity() * 17
    }
}

/// A list so that no two lists, and no two lists of lists, are the same bytes.
#[inline]
fn write_list(key: &mut Vec<u8>, names: Option<&RowNames<'_>>) {
    let Some(names) = names else {
        key.push(255);
        return;
    };
    write_length(key, names.len());
    for name in names {
        write_length(key, name.len());
        key.extend_from_slice(name.as_bytes());
    }
}

#[inline]
fn write_length(key: &mut Vec<u8>, length: usize) {
    match u8::try_from(length) {
        Ok(short) if short < 254 => key.push(short),
        _ => {
            key.push(254);
            key.extend_from_slice(&(length as u64).to_le_bytes());
        }
    }
}
