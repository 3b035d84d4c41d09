//! `flatten`: a flat definition with the same behaviour.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value, json};

use super::explore::{FlattenError, Move, Stage, Stop, World};
use crate::{
    chart::ROOT,
    definition::{Definition, EntryCondition, Kind, Names, State, Transition, Trigger},
    guard::{ActiveStates, reads_states, rewritten},
    limits::Limits,
    machine::Machine,
    microstep::Happening,
};

impl Machine {
    /// A flat definition that goes the same ways: one state for each configuration that can be reached (and for
    /// what history states remember there), one transition for each choice. Guards stay open, apart from what
    /// they ask of `states`, which is known in each configuration; transitions that follow for sure are part of
    /// the step that they follow. Where a guard decides within a step, the state of that moment is one that an
    /// automatic transition leaves. A step that does not come to rest ends in a state that has no end, and is
    /// refused there, too.
    ///
    /// Side effects are those of the transitions, in order. In `metadata` of a state stand the active leaves
    /// (`states`) and the memory of history states, in that of a transition the transitions that it stands for.
    /// Requests with `from_state` are left out, and so are timeouts, which ask so: they count from the entry of a state, which may be earlier than that of a
    /// configuration.
    ///
    /// Cost: linear in the number of configurations times what is active and possible in each.
    ///
    /// # Errors
    ///
    /// More configurations than the limit `configurations`, a configuration with too many alternatives, or none,
    /// since the creation does not come to rest.
    pub fn flatten(&self, limits: &Limits) -> Result<Definition, FlattenError> {
        let world = World::of(self, limits)?;
        if world.stops.is_empty() {
            return Err(FlattenError::NeverRests { limit: limits.automatic_rounds });
        }
        let flat = Flat {
            machine: self,
            names: names(self, &world),
            reads_states: reads_states(&self.shared.resolved.guards),
            expression_bytes: limits.expression_bytes,
        };
        flat.definition(&world)
    }
}

/// For each situation the name of its state: its leaves, and a number where that is used before.
fn names(machine: &Machine, world: &World) -> Vec<String> {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(world.stops.len());
    for stop in &world.stops {
        let mut name = machine.leaf_paths(&stop.active).join(" + ");
        match stop.stage {
            Stage::Rest => {}
            Stage::Automatic | Stage::Completion => name.push_str(" …"),
            Stage::Never => name.push_str(NEVER),
        }
        names.push(numbered(&mut used, name));
    }
    names
}

/// A name, with a number behind it where it is used before.
fn numbered(used: &mut BTreeMap<String, usize>, name: String) -> String {
    let count = used.entry(name.clone()).or_insert(0);
    *count += 1;
    if *count > 1 { format!("{name} ({count})") } else { name }
}

struct Flat<'m> {
    machine: &'m Machine,
    names: Vec<String>,
    /// For each guard whether it reads the active states.
    reads_states: Vec<bool>,
    expression_bytes: usize,
}

/// The state before the creation, where entering the first states has side effects.
const BEFORE: &str = "(before)";

/// The state in which no step ends, so that a step that leads there is refused.
const NEVER: &str = "(never rests)";

impl Flat<'_> {
    fn definition(&self, world: &World) -> Result<Definition, FlattenError> {
        let original = self.machine.definition();
        let mut states = Vec::with_capacity(world.stops.len() + 1);
        let mut transitions = Vec::new();
        let mut initial = self.names.first().cloned().unwrap_or_default();
        let effects = self.effects(&world.creation);
        if !effects.is_empty() || world.stops.first().is_some_and(|stop| stop.stage != Stage::Rest)
        {
            states.push(State::named(BEFORE));
            let create = Transition {
                side_effects: effects,
                trigger: Trigger::Automatic,
                ..Transition::between("create", BEFORE, Some(&initial))
            };
            transitions.push(create);
            initial = BEFORE.into();
        }
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        for (index, stop) in world.stops.iter().enumerate() {
            states.push(self.state(index, stop)?);
            for step in &world.moves[index] {
                transitions.push(self.step(index, stop, step, &mut used)?);
            }
        }
        Ok(Definition {
            object_type: original.object_type.clone(),
            version: original.version,
            initial_state: Names::One(initial),
            history_enabled: original.history_enabled,
            states,
            transitions,
            guards: self.guards(),
            allow: ["no-terminal-state", "terminal-with-exit", "unreachable-state"]
                .map(String::from)
                .to_vec(),
            metadata: Map::from_iter([("flattened_from".to_string(), json!(original.object_type))]),
        })
    }

    /// The named guards that any expression may name: those of the outer machine that do not read `states`.
    fn guards(&self) -> BTreeMap<String, String> {
        let named = self.machine.definition().guards.iter();
        named
            .filter(|(name, _)| self.is_kept_name(name))
            .map(|(name, text)| (name.clone(), text.clone()))
            .collect()
    }

    fn is_kept_name(&self, name: &str) -> bool {
        self.machine.guard_id(name).is_some_and(|id| !self.reads_states[id as usize])
    }

    /// Whether a guard's own words mean the same in the flat definition.
    fn is_kept(&self, id: u32) -> bool {
        let guard = &self.machine.shared.resolved.guards[id as usize];
        let is_outer = self.machine.guard_id(&guard.key) == Some(id)
            && self.machine.definition().guards.contains_key(&guard.key);
        !self.reads_states[id as usize] && is_outer
    }

    fn text(&self, id: u32, active: &[u32], of: &str) -> Result<String, FlattenError> {
        let resolved = &self.machine.shared.resolved;
        let limit = self.expression_bytes;
        let states = ActiveStates { ids: active, paths: &resolved.paths };
        let text = rewritten(&resolved.guards, id, states, &|id| self.is_kept(id), limit);
        text.ok_or_else(|| FlattenError::Expression { transition: of.into(), limit })
    }

    fn state(&self, index: usize, stop: &Stop) -> Result<State, FlattenError> {
        let machine = self.machine;
        let chart = &machine.shared.resolved.chart;
        let active = stop.active.iter().map(|&id| (id, machine.state(id)));
        let mut titles: Vec<&str> =
            chart.leaves(&stop.active).map(|id| machine.state(id).title()).collect();
        if stop.stage == Stage::Never {
            titles.push(NEVER);
        }
        let mut permits: Vec<String> = Vec::new();
        let mut entry_conditions = Vec::new();
        let mut kind = Kind::Stable;
        for (id, state) in active {
            for operation in &state.permits {
                if !permits.contains(operation) {
                    permits.push(operation.clone());
                }
            }
            kind = match (kind, state.kind) {
                (Kind::Faulty, _) | (_, Kind::Faulty) => Kind::Faulty,
                (Kind::Transitional, _) | (_, Kind::Transitional) => Kind::Transitional,
                _ => Kind::Stable,
            };
            let guards = machine.shared.resolved.conditions.of(id);
            for (condition, &guard) in state.entry_conditions.iter().zip(guards) {
                // Within a step nothing is asked.
                if stop.stage == Stage::Rest {
                    entry_conditions.push(EntryCondition {
                        name: format!("{}: {}", machine.path(id), condition.name),
                        require: self.text(guard, &stop.active, &condition.name)?,
                        message: condition.message.clone(),
                    });
                }
            }
        }
        let mut metadata = Map::new();
        metadata.insert("states".into(), json!(machine.leaf_paths(&stop.active)));
        if !stop.memory.is_empty() {
            let paths =
                |ids: &[u32]| ids.iter().map(|&id| machine.path(id).clone()).collect::<Vec<_>>();
            let memory =
                stop.memory.iter().map(|(id, ids)| (machine.path(*id).clone(), json!(paths(ids))));
            metadata.insert("memory".into(), Value::Object(memory.collect()));
        }
        let is_terminal = stop.stage == Stage::Rest
            && stop
                .active
                .first()
                .is_some_and(|&id| chart.parent(id) == ROOT && chart.node(id).is_terminal);
        Ok(State {
            display_name: Some(titles.join(" + ")),
            is_terminal,
            kind,
            permits,
            entry_conditions,
            metadata,
            ..State::named(&self.names[index])
        })
    }

    fn step(
        &self,
        from: usize,
        stop: &Stop,
        moved: &Move,
        used: &mut BTreeMap<String, usize>,
    ) -> Result<Transition, FlattenError> {
        let machine = self.machine;
        let chosen: Vec<&str> = (moved.way.entries.iter())
            .map(|entry| machine.transition(entry.transition).name.as_str())
            .collect();
        let name = if chosen.is_empty() { "otherwise".into() } else { chosen.join(" + ") };
        let name = numbered(used, name);
        let guards = moved.way.guards.iter();
        let guards = guards.map(|&id| self.text(id, &stop.active, &name));
        let guards = guards.collect::<Result<Vec<String>, _>>()?;
        let guard = match guards.as_slice() {
            // A circle without a guard is an error.
            [] if stop.stage == Stage::Never => Some("true".into()),
            [] => None,
            [one] => Some(one.clone()),
            all => Some(format!("({})", all.join(") && ("))),
        };
        let leaves =
            moved.happenings.iter().any(|happening| !matches!(happening, Happening::Take(_)));
        let to = (leaves || moved.to != from).then(|| self.names[moved.to].as_str());
        let taken = moved.taken().map(|id| machine.transition(id).name.as_str());
        let display_name = moved.way.entries.first();
        let display_name = display_name
            .and_then(|entry| machine.transition(entry.transition).display_name.clone());
        Ok(Transition {
            display_name,
            action: moved.action.map(|action| machine.action(action).into()),
            trigger: if moved.action.is_some() { Trigger::Action } else { Trigger::Automatic },
            guard,
            required_permissions: moved.permissions(machine),
            side_effects: self.effects(&moved.happenings),
            reenter: leaves && moved.to == from,
            metadata: Map::from_iter([(
                "transitions".to_string(),
                json!(taken.collect::<Vec<_>>()),
            )]),
            ..Transition::between(&name, &self.names[from], to)
        })
    }

    /// The side effects of what happens, in order.
    fn effects(&self, happenings: &[Happening]) -> Vec<String> {
        let effects = happenings.iter().flat_map(|happening| self.machine.effects(*happening));
        effects.cloned().collect()
    }
}
