//! A log bound to a machine: what each claim does there, judged once and not for each record.
//!
//! States are counted by *slots*, in the order in which the log needs them, so
//! that what a report keeps for a state depends on the log and not on the
//! size of the machine.

use alloc::{collections::BTreeMap, vec::Vec};

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::claims::Claims;
use crate::{
    chart::Shape,
    flat::{Outcome, Patience, Reach},
    history::{Claim, Hop, HopFault},
    machine::Machine,
    microstep::{Memory, States},
    name::to_path,
    table::position,
};

/// Stands for no number.
pub(super) const NONE: u32 = u32::MAX;
/// The claim does not say where it starts.
pub(super) const UNSAID: u32 = u32::MAX;
/// The configuration before a creation: nothing is active.
pub(super) const NOTHING: u32 = 0;

/// Leaves that are active together, as some record or the machine says.
#[derive(Debug)]
pub(super) struct Config {
    /// As the log says, in order of ids.
    pub(super) leaves: States,
    /// With the states around them: slots.
    pub(super) active: SmallVec<[u32; 4]>,
    /// Whether the object's life is over there.
    pub(super) is_ended: bool,
    /// Whether these states can be active together.
    pub(super) is_possible: bool,
    begins: Option<bool>,
}

/// A claim as a record meets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundClaim {
    /// The configuration that it starts from, [`NOTHING`], or [`UNSAID`].
    pub(super) from: u32,
    /// The configuration after it.
    pub(super) to: u32,
    /// What it does, where that depends on nothing else.
    pub(super) step: u32,
}

impl BoundClaim {
    /// Whether it starts where the record before it ended.
    pub(super) fn goes_on(&self, before: u32) -> bool {
        self.from == UNSAID || self.from == before
    }
}

/// A claim that stops one clock and starts one, breaks no rule and depends on nothing: most records have one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quick {
    /// The configuration that it starts from; [`NONE`] if the claim is no such one.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The slot whose clock it stops, and the list for the time there.
    pub(super) left: u32,
    pub(super) list: u32,
    /// The slot whose clock it starts.
    pub(super) entered: u32,
    pub(super) step: u32,
}

impl Quick {
    const NO: Self =
        Self { from: NONE, to: NONE, left: NONE, list: NONE, entered: NONE, step: NONE };
}

/// What a record does: which clocks stop, which start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The way that is counted, or [`NONE`].
    pub(super) way: u32,
    /// Where the time in the source before it is noted if that is not left: its slot, and its list.
    pub(super) stays: (u32, u32),
    /// Why no step of the definition does that, or [`NONE`].
    pub(super) fault: u32,
    /// What history states remember after it, or [`NONE`].
    pub(super) memory: u32,
    /// Where its lists of slots begin: those that it leaves (with the list for the time there), passes through,
    /// and enters; behind them the end.
    parts: [u32; 4],
    /// Whether it passes through states.
    pub(super) is_passing: bool,
    /// Whether it ends the object's life.
    pub(super) is_end: bool,
}

/// Where the lengths of visits are collected: of a slot, by the way that ended them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListOf {
    pub(super) slot: u32,
    pub(super) way: u32,
}

/// A way from states to states, taken by records.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Way {
    /// The transition of the machine, or [`NONE`].
    pub(super) transition: u32,
    /// Its source where the transition is known, else the configuration before.
    pub(super) from: u32,
    /// The configuration after, where the transition is not known.
    pub(super) to: u32,
    /// The name of the action, where the transition is not known, or [`NONE`].
    pub(super) action: u32,
}

/// What is known of the claims of a log in a machine; more is found on the way.
#[derive(Debug)]
pub(super) struct Bound<'l> {
    pub(super) machine: &'l Machine,
    names: &'l Claims,
    /// For each name of the log its state.
    state_of: Vec<u32>,
    /// For each state that the machine does not have its name.
    foreign: Vec<u32>,
    slot_of: HashMap<u32, u32>,
    /// For each slot its state.
    pub(super) slots: Vec<u32>,
    /// For each slot the list for lengths of no way.
    pub(super) plain: Vec<u32>,
    pub(super) configs: Vec<Config>,
    config_ids: BTreeMap<States, u32>,
    pub(super) claims: Vec<BoundClaim>,
    /// For each claim the same, where it can be said in short.
    pub(super) quick: Vec<Quick>,
    pub(super) moves: Vec<Move>,
    parts: Vec<(u32, u32)>,
    pub(super) lists: Vec<ListOf>,
    list_ids: BTreeMap<(u32, u32), u32>,
    pub(super) ways: Vec<Way>,
    way_ids: BTreeMap<Way, u32>,
    pub(super) faults: Vec<HopFault>,
    known: HashMap<(u32, u32, u32), u32>,
    patience: Patience,
    memories: Vec<Memory>,
    memory_ids: BTreeMap<Memory, u32>,
    has_memory: bool,
    /// Where every object begins, as far as that does not depend on its data, or [`NONE`].
    pub(super) initial: u32,
}

impl<'l> Bound<'l> {
    /// Binds claims to a machine. Cost: what it costs to judge each claim.
    pub(super) fn new(machine: &'l Machine, names: &'l Claims) -> Self {
        let chart = &machine.shared.resolved.chart;
        let has_memory = chart.nodes.iter().any(|node| matches!(node.shape, Shape::History(_)));
        let mut bound = Self {
            machine,
            names,
            state_of: Vec::new(),
            foreign: Vec::new(),
            slot_of: HashMap::new(),
            slots: Vec::new(),
            plain: Vec::new(),
            configs: Vec::new(),
            config_ids: BTreeMap::new(),
            claims: Vec::with_capacity(names.all.len()),
            quick: Vec::new(),
            moves: Vec::new(),
            parts: Vec::new(),
            lists: Vec::new(),
            list_ids: BTreeMap::new(),
            ways: Vec::new(),
            way_ids: BTreeMap::new(),
            faults: Vec::new(),
            known: HashMap::new(),
            patience: Patience::default(),
            memories: Vec::new(),
            memory_ids: BTreeMap::new(),
            has_memory,
            initial: NONE,
        };
        bound.bind();
        bound
    }

    fn bind(&mut self) {
        for name in self.names.names.iter() {
            let id = self.machine.state_id(name).or_else(|| self.machine.state_id(&to_path(name)));
            let id = id.map(|id| id.0);
            // A name that is no state gets an id when a claim uses it as one.
            self.state_of.push(id.unwrap_or(NONE));
        }
        self.config(States::new());
        let begins = Reach::new(self.machine).creation(&|_: &Outcome| true).ok().flatten();
        if let Some(outcome) = begins {
            let leaves = self.machine.shared.resolved.chart.leaves(&outcome.to.active).collect();
            self.initial = self.config(leaves);
        }
        for claim in &self.names.all {
            let from = self.names.list(claim.from);
            let from = from.map_or(UNSAID, |names| self.config_of(names));
            let to = self.config_of(self.names.list(claim.to).unwrap_or_default());
            self.claims.push(BoundClaim { from, to, step: NONE });
        }
        if !self.has_memory {
            for claim in 0..position(self.claims.len()) {
                let from = self.claims[claim as usize].from;
                if from != UNSAID {
                    self.claims[claim as usize].step = self.judge(claim, from, NONE);
                }
            }
        }
        self.quick = self.claims.iter().map(|claim| self.in_short(claim)).collect();
    }

    fn in_short(&self, claim: &BoundClaim) -> Quick {
        let Some(taken) = self.moves.get(claim.step as usize) else { return Quick::NO };
        let is_plain = taken.fault == NONE && taken.stays.0 == NONE && !taken.is_passing;
        let is_plain = is_plain && claim.from != claim.to;
        match (self.left(taken), self.entered(taken)) {
            (&[(left, list)], &[(entered, _)]) if is_plain => {
                let &BoundClaim { from, to, step } = claim;
                Quick { from, to, left, list, entered, step }
            }
            _ => Quick::NO,
        }
    }

    fn states(&mut self, names: &[u32]) -> States {
        names.iter().map(|&name| self.state(name)).collect()
    }

    fn state(&mut self, name: u32) -> u32 {
        if self.state_of[name as usize] == NONE {
            let count = self.machine.states().len() + self.foreign.len();
            self.foreign.push(name);
            self.state_of[name as usize] = position(count);
        }
        self.state_of[name as usize]
    }

    /// The path of a state, or the name that the machine does not have.
    pub(super) fn path(&self, state: u32) -> &str {
        path(self.machine, self.names, &self.foreign, state)
    }

    /// The paths of the leaves of a configuration.
    pub(super) fn paths(&self, config: u32) -> Vec<alloc::string::String> {
        let leaves = self.configs.get(config as usize).map(|config| &config.leaves);
        leaves.into_iter().flatten().map(|&state| self.path(state).into()).collect()
    }

    /// The states of the machine in document order without history states, then those that only the log names, by
    /// name.
    pub(super) fn listed(&self) -> Vec<u32> {
        let chart = &self.machine.shared.resolved.chart;
        let is_state = |id: &u32| !matches!(chart.shape(*id), Shape::History(_));
        let mut listed: Vec<u32> = self.machine.ids().filter(is_state).collect();
        let count = self.machine.states().len();
        let foreign =
            (count..).zip(&self.foreign).map(|(id, &name)| (self.names.names.get(name), id));
        let by_name: BTreeMap<&str, usize> = foreign.collect();
        listed.extend(by_name.into_values().map(position));
        listed
    }

    /// The slot of a state, if the log needed one.
    pub(super) fn slot_of(&self, state: u32) -> Option<usize> {
        self.slot_of.get(&state).map(|&slot| slot as usize)
    }

    fn slot(&mut self, state: u32) -> u32 {
        if let Some(&slot) = self.slot_of.get(&state) {
            return slot;
        }
        let slot = position(self.slots.len());
        self.slots.push(state);
        self.slot_of.insert(state, slot);
        let list = self.list(slot, NONE);
        self.plain.push(list);
        slot
    }

    fn list(&mut self, slot: u32, way: u32) -> u32 {
        let next = position(self.lists.len());
        let id = *self.list_ids.entry((slot, way)).or_insert(next);
        if id == next {
            self.lists.push(ListOf { slot, way });
        }
        id
    }

    fn config_of(&mut self, names: &[u32]) -> u32 {
        let states = self.states(names);
        self.config(states)
    }

    fn config(&mut self, mut leaves: States) -> u32 {
        leaves.sort_unstable();
        if let Some(&id) = self.config_ids.get(&leaves) {
            return id;
        }
        let id = position(self.configs.len());
        let active = self.machine.with_outer(&leaves);
        let chart = &self.machine.shared.resolved.chart;
        let outer = active.first().filter(|&&state| state < chart.count());
        let is_ended = outer.is_some_and(|&state| chart.node(state).is_terminal);
        let is_possible = self.machine.configuration(leaves.clone()).is_some();
        let active = active.into_iter().map(|state| self.slot(state)).collect();
        self.config_ids.insert(leaves.clone(), id);
        self.configs.push(Config { leaves, active, is_ended, is_possible, begins: None });
        id
    }

    /// Whether an object can begin in a configuration.
    pub(super) fn begins(&mut self, config: u32) -> bool {
        let machine = self.machine;
        let config = &mut self.configs[config as usize];
        *config.begins.get_or_insert_with(|| {
            let Some(active) = machine.configuration(config.leaves.clone()) else { return false };
            let found =
                Reach::new(machine).creation(&|outcome: &Outcome| outcome.to.active == active);
            matches!(found, Ok(Some(_)))
        })
    }

    /// What a record with a claim does that starts from a configuration.
    #[inline]
    pub(super) fn step(&mut self, claim: u32, from: u32, memory: u32) -> u32 {
        match self.claims[claim as usize].step {
            NONE => self.step_from(claim, from, memory),
            step => step,
        }
    }

    fn step_from(&mut self, claim: u32, from: u32, memory: u32) -> u32 {
        let memory = if self.has_memory { memory } else { NONE };
        if let Some(&step) = self.known.get(&(claim, from, memory)) {
            return step;
        }
        let step = self.judge(claim, from, memory);
        self.known.insert((claim, from, memory), step);
        step
    }

    /// What a record does that says nothing of where it comes from, and is the first: there is nothing to judge.
    pub(super) fn blind(&mut self, claim: u32) -> u32 {
        let key = (claim, NONE, NONE);
        if let Some(&step) = self.known.get(&key) {
            return step;
        }
        let to = self.claims[claim as usize].to;
        let entered = self.configs[to as usize].active.iter();
        let entered = entered.map(|&slot| self.slots[slot as usize]).collect();
        let step = self.add(NOTHING, to, NONE, Hop { entered, ..Hop::default() });
        self.known.insert(key, step);
        step
    }

    /// The number of a memory, empty at first.
    pub(super) fn no_memory(&mut self) -> u32 {
        match self.has_memory {
            true => self.memory_id(Memory::new()),
            false => NONE,
        }
    }

    fn memory_id(&mut self, memory: Memory) -> u32 {
        if let Some(&id) = self.memory_ids.get(&memory) {
            return id;
        }
        let id = position(self.memories.len());
        self.memories.push(memory.clone());
        self.memory_ids.insert(memory, id);
        id
    }

    fn judge(&mut self, claim: u32, from: u32, memory: u32) -> u32 {
        let logged = self.names.all[claim as usize];
        let to = self.claims[claim as usize].to;
        let exited = self.names.list(logged.exited).map(|names| self.states(names));
        let entered = self.names.list(logged.entered).map(|names| self.states(names));
        let all = self.names;
        let transitions = all.list(logged.transitions);
        let transitions: Option<SmallVec<[&str; 2]>> =
            transitions.map(|names| names.iter().map(|&name| all.names.get(name)).collect());
        let action = logged.action.filter(|_| from != NOTHING);
        let hop = {
            let (machine, foreign) = (self.machine, &self.foreign);
            let name = |state: u32| path(machine, all, foreign, state);
            machine.hop(&Claim {
                from: &self.configs[from as usize].leaves,
                to: &self.configs[to as usize].leaves,
                action: action.map(|name| all.names.get(name)),
                transitions: transitions.as_deref(),
                exited: exited.as_deref(),
                entered: entered.as_deref(),
                memory: self.memories.get(memory as usize),
                patience: &self.patience,
                name: &name,
            })
        };
        self.add(from, to, action.unwrap_or(NONE), hop)
    }

    fn add(&mut self, from: u32, to: u32, action: u32, hop: Hop) -> u32 {
        let way = match from {
            NOTHING => NONE,
            from => self.way(from, to, action, &hop),
        };
        let source = self.source(from, &hop);
        let mut open = self.configs[from as usize].active.clone();
        let mut enters: SmallVec<[u32; 4]> = hop.entered.iter().map(|&id| self.slot(id)).collect();
        let (mut leaves, mut passes) =
            (SmallVec::<[(u32, u32); 4]>::new(), SmallVec::<[(u32, u32); 4]>::new());
        for &state in &hop.exited {
            let slot = self.slot(state);
            if let Some(at) = open.iter().position(|&other| other == slot) {
                open.remove(at);
                let list = self.list(slot, if Some(state) == source { way } else { NONE });
                leaves.push((slot, list));
            } else if let Some(at) = enters.iter().position(|&other| other == slot) {
                // Passed through within the step: a visit of no length.
                enters.remove(at);
                passes.push((slot, self.plain[slot as usize]));
            }
        }
        let stays = match source.filter(|source| way != NONE && !hop.exited.contains(source)) {
            Some(source) => (self.slot(source), self.list(NONE, way)),
            None => (NONE, NONE),
        };
        let enters = enters.into_iter().map(|slot| (slot, NONE));
        let mut parts = [0; 4];
        let is_passing = !passes.is_empty();
        parts[0] = position(self.parts.len());
        self.parts.extend(leaves);
        parts[1] = position(self.parts.len());
        self.parts.extend(passes);
        parts[2] = position(self.parts.len());
        self.parts.extend(enters);
        parts[3] = position(self.parts.len());
        let is_end = self.configs[to as usize].is_ended && !self.configs[from as usize].is_ended;
        let memory = match hop.memory.filter(|_| self.has_memory) {
            Some(memory) => self.memory_id(memory),
            None => NONE,
        };
        let fault = match hop.fault {
            Some(fault) => {
                self.faults.push(fault);
                position(self.faults.len() - 1)
            }
            None => NONE,
        };
        self.moves.push(Move { way, stays, fault, memory, parts, is_passing, is_end });
        position(self.moves.len() - 1)
    }

    /// The state whose time before the step is that of the way.
    fn source(&self, from: u32, hop: &Hop) -> Option<u32> {
        let config = &self.configs[from as usize];
        if let Some(transition) = hop.transition {
            let table = &self.machine.shared.resolved.table;
            let count = position(self.machine.states().len());
            let states = config.active.iter().map(|&slot| self.slots[slot as usize]);
            let mut known = states.filter(|&state| state < count);
            return known
                .find(|&state| table.of(state).iter().any(|entry| entry.transition == transition));
        }
        if let [only] = config.leaves[..] {
            return Some(only);
        }
        let mut left = config.leaves.iter().copied().filter(|state| hop.exited.contains(state));
        left.next().filter(|_| left.next().is_none())
    }

    fn way(&mut self, from: u32, to: u32, action: u32, hop: &Hop) -> u32 {
        let way = match (hop.transition, self.source(from, hop)) {
            (Some(transition), Some(source)) => {
                Way { transition, from: source, to: NONE, action: NONE }
            }
            _ => Way { transition: NONE, from, to, action },
        };
        let next = position(self.ways.len());
        let id = *self.way_ids.entry(way).or_insert(next);
        if id == next {
            self.ways.push(way);
        }
        id
    }

    /// The slots that a move leaves, each with the list of its lengths.
    #[inline]
    pub(super) fn left(&self, step: &Move) -> &[(u32, u32)] {
        &self.parts[step.parts[0] as usize..step.parts[1] as usize]
    }

    /// The slots that it passes through.
    pub(super) fn passed(&self, step: &Move) -> &[(u32, u32)] {
        &self.parts[step.parts[1] as usize..step.parts[2] as usize]
    }

    /// The slots that it enters.
    #[inline]
    pub(super) fn entered(&self, step: &Move) -> &[(u32, u32)] {
        &self.parts[step.parts[2] as usize..step.parts[3] as usize]
    }

    /// What an action of the log is called.
    pub(super) fn action(&self, name: u32) -> Option<&str> {
        (name != NONE).then(|| self.names.names.get(name))
    }

    /// Whether nothing leads out of a configuration in which the life of an object is not over.
    pub(super) fn has_no_way_out(&self, config: u32) -> bool {
        let config = &self.configs[config as usize];
        let table = &self.machine.shared.resolved.table;
        let mut states = config.active.iter().map(|&slot| self.slots[slot as usize]);
        !config.is_ended && config.is_possible && states.all(|state| table.of(state).is_empty())
    }
}

fn path<'n>(machine: &'n Machine, names: &'n Claims, foreign: &[u32], state: u32) -> &'n str {
    let states = machine.states();
    match states.get(state as usize) {
        Some(path) => path,
        None => {
            let name = foreign.get((state as usize).wrapping_sub(states.len()));
            name.map_or("", |&name| names.names.get(name))
        }
    }
}
