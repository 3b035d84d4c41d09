//! The transitions of one machine: which were one with several sources, in which order, under which names.

use alloc::{
    collections::{BTreeMap, BinaryHeap},
    string::String,
    vec,
    vec::Vec,
};
use core::{cmp::Reverse, mem};

use crate::{
    definition::{Names, Transition},
    interchange::naming::FreshNames,
};

/// A transition out of one state, without a name yet.
#[derive(Debug)]
pub(super) struct Item {
    /// The node that it leads out of.
    pub(super) source: usize,
    /// Its `reenter`; nothing where that makes no difference.
    pub(super) reenter: Option<bool>,
    /// The name that the document gives it.
    pub(super) explicit: Option<String>,
    /// A name for it, unless it is taken.
    pub(super) base: String,
    pub(super) transition: Transition,
}

/// A transition out of one or several states.
#[derive(Debug, Default)]
struct Group {
    items: Vec<usize>,
    reenter: Option<bool>,
}

/// Transitions with names, those of one state in the order in which they came. Those that the document calls
/// the same and that differ in their source only become one, as far as the order of every state permits.
pub(super) fn transitions(items: Vec<Item>) -> Vec<Transition> {
    let mut groups = groups(&items);
    let groups: Vec<Group> = match order(&items, &groups) {
        Some(order) => order.into_iter().map(|group| mem::take(&mut groups[group])).collect(),
        // A circle: apart, nothing is out of order.
        None => (0..items.len()).map(|item| Group { items: vec![item], reenter: None }).collect(),
    };

    let mut names = FreshNames::default();
    let mut given: Vec<Option<String>> = vec![None; items.len()];
    for group in &groups {
        let first = group.items[0];
        given[first] = items[first].explicit.clone().filter(|name| names.reserve(name));
    }
    let mut items: Vec<Option<Item>> = items.into_iter().map(Some).collect();
    let mut made = Vec::with_capacity(groups.len());
    for group in groups {
        let mut sources = Vec::with_capacity(group.items.len());
        let mut first = None;
        for index in group.items {
            let Some(mut item) = items[index].take() else { continue };
            let none = Names::Many(Vec::new());
            sources.push(mem::replace(&mut item.transition.from_state, none));
            first.get_or_insert((index, item));
        }
        let Some((index, item)) = first else { continue };
        let base = item.explicit.as_deref().unwrap_or(&item.base);
        let name = given[index].take().unwrap_or_else(|| names.fresh(base));
        let from_state = match <[Names; 1]>::try_from(sources) {
            Ok([one]) => one,
            Err(many) => Names::Many(many.iter().flat_map(Names::as_slice).cloned().collect()),
        };
        let reenter = group.reenter.unwrap_or(item.transition.reenter);
        made.push(Transition { name, from_state, reenter, ..item.transition });
    }
    made
}

fn groups(items: &[Item]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let next = groups.len();
        if let Some(name) = item.explicit.as_deref() {
            let known = *by_name.entry(name).or_insert(next);
            if let Some(group) = groups.get_mut(known)
                && items[group.items[0]].is_one_with(item)
                && (group.reenter == item.reenter || group.reenter.is_none() || item.reenter.is_none())
                // Items come by source: the same one would be the last.
                && group.items.last().is_none_or(|last| items[*last].source != item.source)
            {
                group.items.push(index);
                group.reenter = group.reenter.or(item.reenter);
                continue;
            }
        }
        groups.push(Group { items: vec![index], reenter: item.reenter });
    }
    groups
}

impl Item {
    /// Whether only their sources differ.
    fn is_one_with(&self, other: &Self) -> bool {
        let (a, b) = (&self.transition, &other.transition);
        a.to_state == b.to_state
            && a.action == b.action
            && a.trigger == b.trigger
            && a.guard == b.guard
            && a.display_name == b.display_name
    }
}

/// An order of the groups in which those of every state stay in theirs, else as they came; nothing if there is
/// none.
fn order(items: &[Item], groups: &[Group]) -> Option<Vec<usize>> {
    let mut group_of = vec![0; items.len()];
    for (group, Group { items, .. }) in groups.iter().enumerate() {
        for item in items {
            group_of[*item] = group;
        }
    }
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    let mut waits_for = vec![0_usize; groups.len()];
    for (index, pair) in items.windows(2).enumerate() {
        if pair[0].source == pair[1].source {
            after[group_of[index]].push(group_of[index + 1]);
            waits_for[group_of[index + 1]] += 1;
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..groups.len()).filter(|group| waits_for[*group] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(groups.len());
    while let Some(Reverse(group)) = ready.pop() {
        order.push(group);
        for next in &after[group] {
            waits_for[*next] -= 1;
            if waits_for[*next] == 0 {
                ready.push(Reverse(*next));
            }
        }
    }
    (order.len() == groups.len()).then_some(order)
}
