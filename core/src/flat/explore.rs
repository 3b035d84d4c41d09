//! Every situation that can be reached, and what leads from one to the next.

use alloc::{
    collections::{BTreeMap, VecDeque},
    string::String,
    vec,
    vec::Vec,
};

use smallvec::SmallVec;

use super::ways::{MOST, Open, TooMany, Way};
use crate::{
    limits::Limits,
    machine::Machine,
    microstep::{Happening, Log, Situation, States},
    step::Entries,
};

/// Why the configurations of a machine cannot be enumerated.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FlattenError {
    /// There are more of them than the limit allows.
    #[error(
        "stopped after {limit} configurations, the limit `configurations`; raise it, or look at a part of the machine"
    )]
    Configurations {
        /// The limit.
        limit: usize,
    },
    /// One action has too many alternatives, since guards of several regions are open.
    #[error(
        "stopped at `{action}` in {states}: more than {limit} alternatives, since guards of many regions are open"
    )]
    Alternatives {
        /// The action; empty for what follows by itself.
        action: String,
        /// The active leaves, as a list in a sentence.
        states: String,
        /// How many there may be.
        limit: usize,
    },
    /// No object can be created: what follows by itself does not come to rest.
    #[error(
        "no object can be created: what follows by itself does not come to rest within {limit} rounds, the limit `automatic_rounds`"
    )]
    NeverRests {
        /// The limit.
        limit: usize,
    },
    /// The ways through the configurations are longer than the limit allows.
    #[error(
        "stopped after {limit} steps of all ways together, the limit `route_steps`; raise it, or look at a part of the machine"
    )]
    Steps {
        /// The limit.
        limit: usize,
    },
    /// A guard is too long once `states` is written out in it.
    #[error(
        "stopped at the guard of `{transition}`: with the active states written out it is longer than the limit `expression_bytes`, {limit}"
    )]
    Expression {
        /// The transition.
        transition: String,
        /// The limit.
        limit: usize,
    },
}

impl FlattenError {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "limit-exceeded"
    }
}

/// What a situation waits for.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Stage {
    /// An action: the step is over.
    Rest,
    /// The guards of automatic transitions.
    Automatic,
    /// The guards of the oldest completion.
    Completion,
    /// Nothing: what follows by itself does not come to rest, so that the step is refused.
    Never,
}

/// A situation: at rest, or within a step where a guard is open.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Stop {
    pub(super) active: States,
    pub(super) memory: Vec<(u32, States)>,
    pub(super) pending: States,
    pub(super) stage: Stage,
}

/// One way from a situation to the next.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The action; none for what follows by itself.
    pub(super) action: Option<u32>,
    /// The transitions that were chosen, and the guards that must be true.
    pub(super) way: Way,
    /// All that happens, what follows for sure included.
    pub(super) happenings: SmallVec<[Happening; 4]>,
    pub(super) to: usize,
}

impl Move {
    /// The permissions that it needs, each once.
    pub(super) fn permissions(&self, machine: &Machine) -> Vec<String> {
        let mut permissions: Vec<String> = Vec::new();
        for entry in &self.way.entries {
            for permission in &machine.transition(entry.transition).required_permissions {
                if !permissions.contains(permission) {
                    permissions.push(permission.clone());
                }
            }
        }
        permissions
    }

    /// The transitions that it takes, in order.
    pub(super) fn taken(&self) -> impl Iterator<Item = u32> {
        self.happenings.iter().copied().filter_map(Happening::taken)
    }
}

/// All situations, and for each the ways out of it, in the order in which they are tried.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) stops: Vec<Stop>,
    pub(super) moves: Vec<Vec<Move>>,
    /// What happens at the creation; the object is then at the first stop.
    pub(super) creation: SmallVec<[Happening; 4]>,
    /// For each stop how many moves end the step, at least; none where the step is refused.
    pub(super) rests_in: Vec<Option<usize>>,
}

impl World {
    /// The first `limit` situations, breadth first.
    pub(super) fn of(machine: &Machine, limits: &Limits) -> Result<Self, FlattenError> {
        let mut explorer = Explorer::new(machine, limits.configurations, limits.automatic_rounds);
        let Some((_, happenings)) = explorer.create()? else { return Ok(explorer.world) };
        explorer.world.creation = happenings;
        let mut next = 0;
        while next < explorer.world.stops.len() {
            let moves = explorer.leave(next)?;
            explorer.world.moves.push(moves);
            next += 1;
        }
        explorer.world.count_to_rest();
        Ok(explorer.world)
    }

    fn count_to_rest(&mut self) {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.stops.len()];
        for (from, moves) in self.moves.iter().enumerate() {
            for step in moves.iter().filter(|step| step.action.is_none()) {
                before[step.to].push(from);
            }
        }
        let is_at_rest = |stop: &Stop| (stop.stage == Stage::Rest).then_some(0);
        self.rests_in = self.stops.iter().map(is_at_rest).collect();
        let mut open: VecDeque<usize> =
            (0..self.stops.len()).filter(|&stop| self.rests_in[stop].is_some()).collect();
        while let Some(to) = open.pop_front() {
            for &from in &before[to] {
                if self.rests_in[from].is_none() {
                    self.rests_in[from] = self.rests_in[to].map(|count| count + 1);
                    open.push_back(from);
                }
            }
        }
    }
}

/// The situation after a creation, and what happens in it.
type Created = (usize, SmallVec<[Happening; 4]>);

/// Goes through situations, as far as it is asked to.
pub(super) struct Explorer<'m> {
    open: Open<'m>,
    pub(super) world: World,
    known: BTreeMap<Stop, usize>,
    limit: usize,
    rounds: usize,
}

impl<'m> Explorer<'m> {
    /// One that knows nothing yet. `limit` bounds the situations, `rounds` what follows a step by itself.
    pub(super) fn new(machine: &'m Machine, limit: usize, rounds: usize) -> Self {
        let (world, known) = (World::default(), BTreeMap::new());
        Self { open: Open { machine }, world, known, limit, rounds }
    }

    /// The situation after a creation, up to the first open guard, and what happens; none where it never rests.
    pub(super) fn create(&mut self) -> Result<Option<Created>, FlattenError> {
        let mut situation = Situation::default();
        let mut log = Log::default();
        self.open.machine.shared.resolved.chart.begin(&mut situation, &mut log);
        let (pending, mut happenings) = (log.completed, log.happenings);
        let stop = self.settle(situation, pending, Stage::Automatic, &mut happenings)?;
        let Some(stop) = stop else { return Ok(None) };
        Ok(Some((self.add(stop)?, happenings)))
    }

    /// How many rounds may follow a step by themselves.
    pub(super) fn rounds(&self) -> usize {
        self.rounds
    }

    /// A situation at rest.
    pub(super) fn rest(&mut self, situation: Situation) -> Result<usize, FlattenError> {
        let Situation { active, memory } = situation;
        self.add(Stop { active, memory, pending: States::new(), stage: Stage::Rest })
    }

    fn add(&mut self, stop: Stop) -> Result<usize, FlattenError> {
        if let Some(&known) = self.known.get(&stop) {
            return Ok(known);
        }
        let number = self.world.stops.len();
        if number >= self.limit {
            return Err(FlattenError::Configurations { limit: self.limit });
        }
        self.known.insert(stop.clone(), number);
        self.world.stops.push(stop);
        Ok(number)
    }

    fn ways(&self, situation: &Situation, trigger: u32) -> Result<Vec<Way>, FlattenError> {
        self.open.ways(situation, trigger).map_err(|TooMany| {
            let machine = self.open.machine;
            let is_action = (trigger as usize) < machine.shared.resolved.actions.len();
            let action = if is_action { machine.action(trigger).into() } else { String::new() };
            let leaves = machine.leaf_paths(&situation.active);
            let states = crate::name::quoted(leaves.iter().map(String::as_str));
            FlattenError::Alternatives { action, states, limit: MOST }
        })
    }

    /// What an action may do at rest if it is asked only of `of` and outward, as a timeout does.
    pub(super) fn leave_by(
        &mut self,
        from: usize,
        action: u32,
        of: u32,
    ) -> Result<Vec<Move>, FlattenError> {
        let Stop { active, memory, .. } = self.world.stops[from].clone();
        let situation = Situation { active, memory };
        let mut moves = Vec::new();
        // More alternatives than are looked at are none that a row can be held to.
        let ways = self.open.ways_from(core::iter::once(of), &situation, action);
        for way in ways.unwrap_or_default() {
            self.take(&mut moves, Some(action), way, &situation, States::new())?;
        }
        Ok(moves)
    }

    /// All ways out of a situation.
    pub(super) fn leave(&mut self, from: usize) -> Result<Vec<Move>, FlattenError> {
        let stop = self.world.stops[from].clone();
        let situation = Situation { active: stop.active.clone(), memory: stop.memory.clone() };
        let resolved = &self.open.machine.shared.resolved;
        let mut moves = Vec::new();
        match stop.stage {
            Stage::Rest => {
                for action in self.open.machine.possible_actions(&stop.active) {
                    for way in self.ways(&situation, action)? {
                        self.take(&mut moves, Some(action), way, &situation, States::new())?;
                    }
                }
            }
            Stage::Automatic => {
                for way in self.ways(&situation, resolved.automatic)? {
                    self.take(&mut moves, None, way, &situation, stop.pending.clone())?;
                }
                self.pass(&mut moves, situation, stop.pending)?;
            }
            Stage::Completion => {
                let mut pending = stop.pending;
                let Some(&state) = pending.first() else { return Ok(moves) };
                pending.remove(0);
                for way in self.open.of_completion(state, &stop.active) {
                    self.take(&mut moves, None, way, &situation, pending.clone())?;
                }
                self.pass(&mut moves, situation, pending)?;
            }
            Stage::Never => {
                let (way, happenings) = (Way::default(), SmallVec::new());
                moves.push(Move { action: None, way, happenings, to: from });
            }
        }
        Ok(moves)
    }

    /// The move that takes a way. An action that surely never comes to rest is refused: it is no move. One behind
    /// a guard, and what follows by itself, keep what is tried behind them from being taken.
    fn take(
        &mut self,
        moves: &mut Vec<Move>,
        action: Option<u32>,
        way: Way,
        situation: &Situation,
        mut pending: States,
    ) -> Result<(), FlattenError> {
        let mut now = situation.clone();
        let mut log = Log::default();
        let chart = &self.open.machine.shared.resolved.chart;
        chart.microstep(&mut now, &way.entries, &mut log);
        let mut happenings = log.happenings;
        pending.extend(log.completed);
        if let Some(stop) = self.settle(now, pending, Stage::Automatic, &mut happenings)? {
            let to = self.add(stop)?;
            moves.push(Move { action, way, happenings, to });
        } else if action.is_none() || !way.is_sure() {
            let to = self.never()?;
            moves.push(Move { action, way, happenings: SmallVec::new(), to });
        }
        Ok(())
    }

    fn never(&mut self) -> Result<usize, FlattenError> {
        let (active, pending) = (States::new(), States::new());
        self.add(Stop { active, memory: Vec::new(), pending, stage: Stage::Never })
    }

    /// The move where no guard is true, if there may be one.
    fn pass(
        &mut self,
        moves: &mut Vec<Move>,
        situation: Situation,
        pending: States,
    ) -> Result<(), FlattenError> {
        if moves.last().is_some_and(|last| last.way.is_sure()) {
            return Ok(());
        }
        let mut happenings = SmallVec::new();
        if let Some(stop) = self.settle(situation, pending, Stage::Completion, &mut happenings)? {
            let to = self.add(stop)?;
            moves.push(Move { action: None, way: Way::default(), happenings, to });
        } else {
            let (way, to) = (Way::default(), self.never()?);
            moves.push(Move { action: None, way, happenings: SmallVec::new(), to });
        }
        Ok(())
    }

    /// Goes on as long as what follows is sure; none if that does not come to rest.
    fn settle(
        &self,
        mut situation: Situation,
        mut pending: States,
        mut stage: Stage,
        happenings: &mut SmallVec<[Happening; 4]>,
    ) -> Result<Option<Stop>, FlattenError> {
        let resolved = &self.open.machine.shared.resolved;
        let mut rounds = 0;
        loop {
            let mut chosen: Option<Entries> = None;
            if resolved.rests {
                pending.clear();
                stage = Stage::Completion;
            }
            if stage == Stage::Automatic {
                match self.ways(&situation, resolved.automatic)?.into_iter().next() {
                    Some(way) if way.is_sure() => chosen = Some(way.entries),
                    Some(_) => break,
                    None => stage = Stage::Completion,
                }
            }
            if stage == Stage::Completion {
                let Some(&completed) = pending.first() else {
                    stage = Stage::Rest;
                    break;
                };
                let is_active = situation.active.binary_search(&completed).is_ok();
                let ways = match is_active {
                    true => self.open.of_completion(completed, &situation.active),
                    false => vec![],
                };
                match ways.into_iter().next() {
                    Some(way) if !way.is_sure() => break,
                    Some(way) => chosen = Some(way.entries),
                    None => {}
                }
                pending.remove(0);
            }
            let Some(entries) = chosen else { continue };
            rounds += 1;
            if rounds > self.rounds {
                return Ok(None);
            }
            let mut log = Log::default();
            resolved.chart.microstep(&mut situation, &entries, &mut log);
            happenings.extend(log.happenings);
            pending.extend(log.completed);
            stage = Stage::Automatic;
        }
        let Situation { active, memory } = situation;
        Ok(Some(Stop { active, memory, pending, stage }))
    }
}
