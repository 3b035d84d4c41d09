//! The order in which the transitions of one state are tried.

use alloc::{format, string::String, vec::Vec};

use super::{Diff, Found, Part, change::ChangeCode, list};
use crate::{machine::Machine, table::Entry};

impl Diff<'_> {
    /// For each state and action that both have: whether the transitions that both have for it are tried in another
    /// order. New ones between them are reported as such.
    pub(super) fn orders(&mut self) {
        for old in self.older.ids() {
            let Some(new) = self.pairs.states[0][old as usize] else { continue };
            let older = self.older;
            let ways = older.shared.resolved.table.of(old);
            for ways in ways.chunk_by(|one, other| one.action == other.action) {
                if ways.len() > 1 {
                    self.order(new, ways);
                }
            }
        }
    }

    /// The transitions of one state and action of the older machine.
    fn order(&mut self, state: u32, ways: &[Entry]) {
        let Some(action) = self.newer_action(ways[0].action) else { return };
        let ways_now = self.newer.shared.resolved.table.candidates(state, action);
        let mut both: Vec<(u32, u32)> = Vec::with_capacity(ways.len());
        for way in ways {
            let Some(same) = self.pairs.transitions[0][way.transition as usize] else { continue };
            if ways_now.binary_search_by_key(&same, |entry| entry.transition).is_ok() {
                both.push((way.transition, same));
            }
        }
        if both.is_sorted_by_key(|(_, newer)| *newer) {
            return;
        }
        let mut now: Vec<u32> = both.iter().map(|(_, newer)| *newer).collect();
        now.sort_unstable();
        let name = |machine: &Machine, id: u32| machine.transition(id).name.clone();
        let before: Vec<String> = both.iter().map(|(old, _)| name(self.older, *old)).collect();
        let after: Vec<String> = now.iter().map(|new| name(self.newer, *new)).collect();
        let path = self.newer.path(state);
        let what = match self.newer.shared.resolved.actions.get(action as usize) {
            Some(_) => format!("for `{}`", self.newer.action(action)),
            None => "by itself".into(),
        };
        // The first that is now tried earlier than one that stood before it.
        let first = both.iter().zip(&now).find(|((_, was), is)| was != *is);
        let moved = first.map_or(both[0], |((_, _), is)| {
            both.iter().copied().find(|(_, newer)| newer == is).unwrap_or(both[0])
        });
        self.changed(
            (Part::Transition(moved.0), Part::Transition(moved.1)),
            Found {
                code: ChangeCode::OrderChanged,
                breaking: true,
                field: "",
                message: format!(
                    "in `{path}` `{}` is tried earlier {what} than before",
                    self.newer.transition(moved.1).name
                ),
                before: list(before.iter().map(String::as_str)),
                after: list(after.iter().map(String::as_str)),
            },
        );
        if let Some(change) = self.changes.last_mut() {
            change.state = Some(path.clone());
        }
    }

    /// The number in the newer machine's table for what stands in that of the older.
    fn newer_action(&self, action: u32) -> Option<u32> {
        let (older, newer) = (&self.older.shared.resolved, &self.newer.shared.resolved);
        match action {
            automatic if automatic == older.automatic => Some(newer.automatic),
            completion if completion == older.completion => Some(newer.completion),
            action => self.newer.action_id(self.older.action(action)).map(|id| id.0),
        }
    }
}

/// For each way out of a state of the newer machine whether a transition of the older one takes the same action there,
/// as this way or behind it.
#[derive(Debug)]
pub(super) struct StoodBefore<'m> {
    ways: &'m [Entry],
    from_here: Vec<bool>,
}

impl<'m> StoodBefore<'m> {
    /// `partners`: for each transition of the newer machine its counterpart.
    pub(super) fn new(newer: &'m Machine, partners: &[Option<u32>]) -> Self {
        let ways = newer.shared.resolved.table.entries();
        let mut from_here = alloc::vec![false; ways.len()];
        for (at, way) in ways.iter().enumerate().rev() {
            let next = ways.get(at + 1).is_some_and(|next| same_group(next, way));
            from_here[at] =
                partners[way.transition as usize].is_some() || (next && from_here[at + 1]);
        }
        Self { ways, from_here }
    }

    /// Whether one stands behind a way.
    pub(super) fn behind(&self, way: Entry) -> bool {
        let next = self.ways.partition_point(|other| *other <= way);
        self.ways.get(next).is_some_and(|other| same_group(other, &way)) && self.from_here[next]
    }

    /// Whether there is one for an action in a state.
    pub(super) fn any(&self, state: u32, action: u32) -> bool {
        let first = self.ways.partition_point(|way| (way.state, way.action) < (state, action));
        let is_one = |way: &Entry| (way.state, way.action) == (state, action);
        self.ways.get(first).is_some_and(is_one) && self.from_here[first]
    }
}

fn same_group(one: &Entry, other: &Entry) -> bool {
    (one.state, one.action) == (other.state, other.action)
}
