//! Test vectors: a few action sequences that take every transition, for another system to run.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use serde::Serialize;

use super::{
    explore::{FlattenError, Move, World},
    routes::{Place, way},
};
use crate::{limits::Limits, machine::Machine, microstep::Happening};

/// Action sequences that take every transition which can be taken, with what must come of each action.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct TestVectors {
    /// What the definition is about.
    pub object_type: String,
    /// Its version.
    pub definition_version: u64,
    /// The sequences. Each begins with the creation of an object.
    pub vectors: Vec<TestVector>,
    /// Transitions that no sequence takes, since nothing leads there: their places in the definition (RFC 6901).
    pub unreachable: Vec<String>,
}

/// One object: its creation, and what is done to it.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct TestVector {
    /// The steps. The first has no action: it is the creation.
    pub steps: Vec<TestStep>,
}

/// One step, and what must come of it.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct TestStep {
    /// The action; null for the creation.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// What guards must say for that, as they are written. Those that are not named are not asked, or are known
    /// from the active states. Each is taken to be open each time that it is asked: where one is asked twice in a
    /// step with two answers, the last stands here, and only data that the step changes can bring that about.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, boolean>"))]
    pub guards: BTreeMap<String, bool>,
    /// The permissions that the actor needs.
    pub permissions: Vec<String>,
    /// The transitions that are taken, in order.
    pub transitions: Vec<String>,
    /// The states that are left, in order.
    pub exited: Vec<String>,
    /// The states that are entered, in order.
    pub entered: Vec<String>,
    /// The side effects, in order.
    pub effects: Vec<String>,
    /// The active leaves after the step.
    pub states: Vec<String>,
}

impl Machine {
    /// A small set of action sequences that takes every transition which can be taken with guards open: from
    /// where one ends, the nearest transition that has not been taken comes next.
    ///
    /// Cost: the number of transitions times that of moves between configurations, at most.
    ///
    /// # Errors
    ///
    /// As [`Machine::flatten`], and more steps in all vectors than the limit `route_steps`.
    pub fn test_vectors(&self, limits: &Limits) -> Result<TestVectors, FlattenError> {
        let world = World::of(self, limits)?;
        let mut is_taken = vec![false; self.shared.resolved.chart.transitions()];
        let is_created = world.rests_in.first().is_some_and(Option::is_some);
        let created = world.creation.iter().copied().filter(|_| is_created);
        for transition in created.filter_map(Happening::taken) {
            is_taken[transition as usize] = true;
        }
        let mut vectors = Vec::new();
        let mut steps = 0;
        loop {
            let (mut at, mut way) = (0, Vec::new());
            while let Some(next) = world.nearest(at, &is_taken) {
                for &(stop, number) in &next {
                    for transition in world.moves[stop][number].taken() {
                        is_taken[transition as usize] = true;
                    }
                    at = world.moves[stop][number].to;
                }
                steps += next.len();
                if steps > limits.route_steps {
                    return Err(FlattenError::Steps { limit: limits.route_steps });
                }
                way.extend(next);
            }
            if way.is_empty() && !vectors.is_empty() {
                break;
            }
            let is_done = way.is_empty();
            if !is_created {
                break;
            }
            way.extend(world.to_rest(at));
            vectors.push(self.vector(&world, &way));
            if is_done {
                break;
            }
        }
        let unreachable = (0..).zip(&is_taken).filter(|(_, is_taken)| !**is_taken);
        Ok(TestVectors {
            object_type: self.definition().object_type.clone(),
            definition_version: self.definition().version,
            vectors,
            unreachable: unreachable
                .map(|(id, _)| self.shared.resolved.chart.transition_pointer(id))
                .collect(),
        })
    }

    fn vector(&self, world: &World, way: &[Place]) -> TestVector {
        let creation = TestStep::default();
        let mut steps = vec![self.extended(creation, &world.creation)];
        let mut at = 0;
        for &(stop, number) in way {
            let step = &world.moves[stop][number];
            if step.action.is_some() {
                self.end(world, at, &mut steps);
                let action = step.action.map(|action| self.action(action).into());
                let permissions = step.permissions(self);
                steps.push(TestStep { action, permissions, ..TestStep::default() });
            }
            if let Some(last) = steps.pop() {
                let mut last = self.extended(last, &step.happenings);
                self.assume(&world.moves[stop], number, &mut last);
                steps.push(last);
            }
            at = step.to;
        }
        self.end(world, at, &mut steps);
        TestVector { steps }
    }

    /// Writes where the object is into the last step.
    fn end(&self, world: &World, at: usize, steps: &mut [TestStep]) {
        if let (Some(last), Some(stop)) = (steps.last_mut(), world.stops.get(at)) {
            last.states = self.leaf_paths(&stop.active);
        }
    }

    fn extended(&self, mut step: TestStep, happenings: &[Happening]) -> TestStep {
        for &happening in happenings {
            match happening {
                Happening::Exit(id) => step.exited.push(self.path(id).clone()),
                Happening::Take(id) => step.transitions.push(self.transition(id).name.clone()),
                Happening::Enter(id) => step.entered.push(self.path(id).clone()),
            }
            step.effects.extend(self.effects(happening).iter().cloned());
        }
        step
    }

    /// What guards must say for a move to be taken, and none before it.
    fn assume(&self, moves: &[Move], number: usize, step: &mut TestStep) {
        let key = |guard: u32| self.shared.resolved.guards[guard as usize].key.clone();
        let wanted = &moves[number].way.guards;
        let tried = moves[..number].iter().filter(|tried| tried.action == moves[number].action);
        for &guard in tried.flat_map(|tried| &tried.way.guards) {
            step.guards.insert(key(guard), wanted.contains(&guard));
        }
        for &guard in wanted {
            step.guards.insert(key(guard), true);
        }
    }
}

impl World {
    /// The moves to the nearest one that takes a transition for the first time, with that one.
    fn nearest(&self, start: usize, is_taken: &[bool]) -> Option<Vec<Place>> {
        let found = self.search(start);
        let mut nearest: Option<(usize, Place)> = None;
        for (stop, reached) in found.iter().enumerate() {
            let Some((distance, _)) = *reached else { continue };
            if nearest.is_some_and(|(known, _)| known <= distance) {
                continue;
            }
            let is_new = |step: &Move| {
                self.rests_in[step.to].is_some() && step.taken().any(|id| !is_taken[id as usize])
            };
            if let Some(number) = self.moves[stop].iter().position(is_new) {
                nearest = Some((distance, (stop, number)));
            }
        }
        let (_, place) = nearest?;
        let mut way = way(&found, place.0);
        way.push(place);
        Some(way)
    }

    /// The moves that end the step which is on its way.
    fn to_rest(&self, mut at: usize) -> Vec<Place> {
        let mut way = Vec::new();
        while let Some(left) = self.rests_in[at].and_then(|left| left.checked_sub(1)) {
            let is_nearer =
                |step: &Move| step.action.is_none() && self.rests_in[step.to] == Some(left);
            let Some(number) = self.moves[at].iter().rposition(is_nearer) else { break };
            way.push((at, number));
            at = self.moves[at][number].to;
        }
        way
    }
}
