//! What one step can do from a given configuration, and the fewest steps between two: for rows of a log,
//! which are judged without the data that guards read.

use alloc::{
    collections::{BTreeSet, VecDeque},
    vec,
    vec::Vec,
};
use core::cell::Cell;

use smallvec::SmallVec;

use super::explore::{Explorer, FlattenError, Move, Stage};
use crate::{
    machine::Machine,
    microstep::{Happening, Situation},
};

/// One way that a whole step can go.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The action; none for a creation.
    pub(crate) action: Option<u32>,
    /// All that happens, in order.
    pub(crate) happenings: Happenings,
    /// Where the object is after.
    pub(crate) to: Situation,
}

impl Outcome {
    /// The transitions that are taken, in order.
    pub(crate) fn taken(&self) -> impl Iterator<Item = u32> + Clone {
        self.happenings.iter().copied().filter_map(Happening::taken)
    }

    /// The states that are left, in order.
    pub(crate) fn exited(&self) -> impl Iterator<Item = u32> + Clone {
        self.happenings.iter().copied().filter_map(Happening::exited)
    }

    /// The states that are entered, in order.
    pub(crate) fn entered(&self) -> impl Iterator<Item = u32> + Clone {
        self.happenings.iter().copied().filter_map(Happening::entered)
    }
}

/// All that happens in a part of a step, in order.
type Happenings = SmallVec<[Happening; 4]>;

/// The last part of the way to a situation: the situation before it, the action, and what happened.
type Part = (usize, Option<u32>, Happenings);

/// So many situations are looked at for one question.
const SITUATIONS: usize = 2_000;

/// So many parts of steps are followed for one question.
const MOVES: usize = 10_000;

/// What is looked for among the ways that a step can go.
pub(crate) trait Wanted {
    /// Whether this is it.
    fn is_it(&self, outcome: &Outcome) -> bool;

    /// Whether a step that began so can still become it, and then how far it has come. Two that are at one place and
    /// have come equally far go on alike, so that one of them is followed: there may be very many ways to a place.
    fn progress(&self, happenings: &[Happening]) -> Option<[usize; 3]>;
}

/// Any way at all that ends where it should.
impl<F: Fn(&Outcome) -> bool> Wanted for F {
    fn is_it(&self, outcome: &Outcome) -> bool {
        self(outcome)
    }

    fn progress(&self, _: &[Happening]) -> Option<[usize; 3]> {
        Some([0; 3])
    }
}

/// Asks what steps can do, with guards open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<'m> {
    machine: &'m Machine,
    patience: Option<&'m Patience>,
}

/// How much may be looked at for many questions together: a log from a stranger must not hang a page.
#[derive(Debug)]
pub(crate) struct Patience(Cell<usize>);

impl Default for Patience {
    /// So many parts of steps: some seconds.
    fn default() -> Self {
        Self(Cell::new(2_000_000))
    }
}

impl Patience {
    /// Takes away what was looked at.
    fn spend(&self, parts: usize) -> Result<(), FlattenError> {
        let left = self.0.get().checked_sub(parts.max(1));
        self.0.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(FlattenError::Configurations { limit: MOVES })
    }
}

impl<'m> Reach<'m> {
    /// One question by itself.
    pub(crate) fn new(machine: &'m Machine) -> Self {
        Self { machine, patience: None }
    }

    /// One of many questions.
    pub(crate) fn within(machine: &'m Machine, patience: &'m Patience) -> Self {
        Self { machine, patience: Some(patience) }
    }

    fn explorer(self) -> Explorer<'m> {
        Explorer::new(self.machine, SITUATIONS, self.machine.shared.limits.automatic_rounds)
    }

    /// The parts of steps that lead out of a situation.
    fn leave(self, explorer: &mut Explorer<'_>, stop: usize) -> Result<Vec<Move>, FlattenError> {
        self.spend(explorer.leave(stop)?)
    }

    fn spend(self, moves: Vec<Move>) -> Result<Vec<Move>, FlattenError> {
        if let Some(patience) = self.patience {
            patience.spend(moves.len())?;
        }
        Ok(moves)
    }

    /// The first creation that is wanted.
    ///
    /// # Errors
    ///
    /// There is more to look at than is looked at for one question.
    pub(crate) fn creation(self, wanted: &dyn Wanted) -> Result<Option<Outcome>, FlattenError> {
        let mut explorer = self.explorer();
        let Some((stop, happenings)) = explorer.create()? else { return Ok(None) };
        self.complete(&mut explorer, None, happenings, stop, wanted)
    }

    /// The first step out of a configuration, by an action or by any, that is wanted.
    ///
    /// # Errors
    ///
    /// As [`Reach::creation`].
    pub(crate) fn step(
        self,
        from: &Situation,
        action: Option<u32>,
        wanted: &dyn Wanted,
    ) -> Result<Option<Outcome>, FlattenError> {
        let mut explorer = self.explorer();
        let start = explorer.rest(from.clone())?;
        for step in self.leave(&mut explorer, start)? {
            if action.is_some_and(|action| step.action != Some(action)) {
                continue;
            }
            let Move { action, happenings, to, .. } = step;
            let found = self.complete(&mut explorer, action, happenings, to, wanted)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if self.machine.shared.resolved.chart.is_flat() {
            return Ok(None);
        }
        // A timeout, or a request with `from_state`, asks one state and outward.
        let actions = self.machine.possible_actions(&from.active);
        for asked in actions.into_iter().filter(|&asked| action.is_none_or(|it| it == asked)) {
            for &state in &from.active {
                for step in self.spend(explorer.leave_by(start, asked, state)?)? {
                    let Move { happenings, to, .. } = step;
                    let found =
                        self.complete(&mut explorer, Some(asked), happenings, to, wanted)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(None)
    }

    /// The fewest whole steps from one configuration to another; none where there are none, or where they are not
    /// found within what is looked at. `from` is none for a creation, which then is the first of them.
    pub(crate) fn way(self, from: Option<&Situation>, to: &[u32]) -> Option<Vec<Outcome>> {
        let mut explorer = self.explorer();
        let (start, first) = match from {
            Some(from) => (explorer.rest(from.clone()).ok()?, SmallVec::new()),
            None => explorer.create().ok()??,
        };
        // For each stop that was met: the stop before it, and what happened on the way.
        let mut before: Vec<Option<Part>> = vec![None];
        before.resize(start + 1, None);
        let mut met = vec![false; start + 1];
        met[start] = true;
        let mut open = VecDeque::from([start]);
        let mut moves = 0;
        while let Some(stop) = open.pop_front() {
            let here = &explorer.world.stops[stop];
            if here.stage == Stage::Rest && here.active[..] == *to {
                return Some(legs(
                    &explorer,
                    &before,
                    start,
                    stop,
                    from.is_none().then_some(first),
                ));
            }
            for step in self.leave(&mut explorer, stop).ok()? {
                moves += 1;
                if moves > MOVES {
                    return None;
                }
                if met.len() <= step.to {
                    met.resize(step.to + 1, false);
                    before.resize(step.to + 1, None);
                }
                if !core::mem::replace(&mut met[step.to], true) {
                    before[step.to] = Some((stop, step.action, step.happenings));
                    open.push_back(step.to);
                }
            }
        }
        None
    }

    /// Follows a step until it rests, in every way that open guards leave; the first end that is wanted.
    fn complete(
        self,
        explorer: &mut Explorer<'_>,
        action: Option<u32>,
        happenings: Happenings,
        stop: usize,
        wanted: &dyn Wanted,
    ) -> Result<Option<Outcome>, FlattenError> {
        let mut open = vec![(stop, happenings, 0)];
        let mut met: BTreeSet<(usize, [usize; 3])> = BTreeSet::new();
        let mut moves = 0;
        while let Some((stop, happenings, depth)) = open.pop() {
            let Some(progress) = wanted.progress(&happenings) else { continue };
            if !met.insert((stop, progress)) {
                continue;
            }
            let here = &explorer.world.stops[stop];
            match here.stage {
                Stage::Never => continue,
                Stage::Rest => {
                    let to = Situation { active: here.active.clone(), memory: here.memory.clone() };
                    let outcome = Outcome { action, happenings, to };
                    if wanted.is_it(&outcome) {
                        return Ok(Some(outcome));
                    }
                    continue;
                }
                Stage::Automatic | Stage::Completion => {}
            }
            moves += 1;
            if moves > MOVES {
                return Err(FlattenError::Configurations { limit: MOVES });
            }
            if depth > explorer.rounds() {
                continue;
            }
            // The last is popped first: in reverse, so that they are met in the order in which they are tried.
            for step in self.leave(explorer, stop)?.into_iter().rev() {
                let mut all = happenings.clone();
                all.extend(step.happenings);
                open.push((step.to, all, depth + 1));
            }
        }
        Ok(None)
    }
}

/// The whole steps on the way to a stop.
fn legs(
    explorer: &Explorer<'_>,
    before: &[Option<Part>],
    start: usize,
    end: usize,
    creation: Option<Happenings>,
) -> Vec<Outcome> {
    let mut parts: Vec<Part> = Vec::new();
    let mut stop = end;
    while let Some((from, action, happenings)) = &before[stop] {
        parts.push((stop, *action, happenings.clone()));
        stop = *from;
        if stop == start {
            break;
        }
    }
    if let Some(happenings) = creation {
        parts.push((start, None, happenings));
    }
    let mut legs: Vec<Outcome> = Vec::new();
    for (stop, action, happenings) in parts.into_iter().rev() {
        let here = &explorer.world.stops[stop];
        let to = Situation { active: here.active.clone(), memory: here.memory.clone() };
        match legs.last_mut().filter(|_| action.is_none()) {
            // What follows by itself belongs to the step before it.
            Some(leg) => {
                leg.happenings.extend(happenings);
                leg.to = to;
            }
            None => legs.push(Outcome { action, happenings, to }),
        }
    }
    legs
}
