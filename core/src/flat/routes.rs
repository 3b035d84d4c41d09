//! The shortest way to every configuration.

use alloc::{collections::VecDeque, string::String, vec, vec::Vec};

use serde::Serialize;

use super::explore::{FlattenError, Stage, World};
use crate::{limits::Limits, machine::Machine};

/// The shortest way from the creation to a configuration.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Route {
    /// The active leaves at its end.
    pub states: Vec<String>,
    /// The actions that lead there, in order. Guards are taken as open.
    pub actions: Vec<String>,
}

/// A move: the stop that it leaves, and its number there.
pub(super) type Place = (usize, usize);

impl Machine {
    /// For each configuration that can be reached the fewest actions that lead there, in the order in which a
    /// search from the creation finds them. With guards taken as open, each way may need data that makes its
    /// guards true; [`Machine::test_vectors`] says which. Of configurations that differ only in what history
    /// states remember, the first stands for all.
    ///
    /// # Errors
    ///
    /// As [`Machine::flatten`], and more actions in all routes than the limit `route_steps`.
    pub fn routes(&self, limits: &Limits) -> Result<Vec<Route>, FlattenError> {
        let world = World::of(self, limits)?;
        let from = world.search(0);
        let mut routes: Vec<Route> = Vec::new();
        let mut steps = 0;
        let mut seen = alloc::collections::BTreeSet::new();
        let mut order: Vec<usize> = (0..world.stops.len()).collect();
        order.sort_by_key(|&stop| from[stop].map_or(usize::MAX, |(distance, _)| distance));
        for stop in order {
            let is_at_rest = world.stops[stop].stage == Stage::Rest && from[stop].is_some();
            if is_at_rest && seen.insert(&world.stops[stop].active) {
                let actions = way(&from, stop).into_iter().filter_map(|(stop, number)| {
                    let action = world.moves[stop][number].action?;
                    Some(self.action(action).into())
                });
                let actions: Vec<String> = actions.collect();
                steps += actions.len();
                if steps > limits.route_steps {
                    return Err(FlattenError::Steps { limit: limits.route_steps });
                }
                routes.push(Route { states: self.leaf_paths(&world.stops[stop].active), actions });
            }
        }
        Ok(routes)
    }
}

impl World {
    /// For each stop that can be reached from one: how many actions away it is, and the move that leads there.
    pub(super) fn search(&self, start: usize) -> Found {
        let mut found: Found = vec![None; self.stops.len()];
        let mut open = VecDeque::new();
        if self.rests_in.get(start).is_some_and(Option::is_some) {
            found[start] = Some((0, None));
            open.push_back((start, 0));
        }
        while let Some((stop, distance)) = open.pop_front() {
            if found[stop].is_none_or(|(known, _)| known != distance) {
                continue;
            }
            for (number, step) in self.moves[stop].iter().enumerate() {
                if self.rests_in[step.to].is_none() {
                    continue;
                }
                let next = distance + usize::from(step.action.is_some());
                if found[step.to].is_some_and(|(known, _)| known <= next) {
                    continue;
                }
                found[step.to] = Some((next, Some((stop, number))));
                // What follows by itself costs no action.
                match step.action {
                    Some(_) => open.push_back((step.to, next)),
                    None => open.push_front((step.to, next)),
                }
            }
        }
        found
    }
}

/// For each stop that was found how many actions away it is, and the move that leads there.
pub(super) type Found = Vec<Option<(usize, Option<Place>)>>;

/// The moves that lead to a stop, in order.
pub(super) fn way(found: &Found, to: usize) -> Vec<Place> {
    let mut way = Vec::new();
    let mut at = to;
    while let Some((_, Some(place))) = found[at] {
        way.push(place);
        at = place.0;
    }
    way.reverse();
    way
}
