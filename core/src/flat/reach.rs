//! What one step can do from a given configuration, and the fewest steps between two: for rows of a log,
//! which are judged without the data that guards read.

use alloc::{collections::VecDeque, vec, vec::Vec};

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
const MOVES: usize = 20_000;

/// Asks what steps can do, with guards open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<'m>(pub(crate) &'m Machine);

impl<'m> Reach<'m> {
    fn explorer(self) -> Explorer<'m> {
        Explorer::new(self.0, SITUATIONS, self.0.shared.limits.automatic_rounds)
    }

    /// The first creation that `is_it`.
    ///
    /// # Errors
    ///
    /// There is more to look at than is looked at for one question.
    pub(crate) fn creation(
        self,
        is_it: &mut dyn FnMut(&Outcome) -> bool,
    ) -> Result<Option<Outcome>, FlattenError> {
        let mut explorer = self.explorer();
        let Some((stop, happenings)) = explorer.create()? else { return Ok(None) };
        complete(&mut explorer, None, happenings, stop, is_it)
    }

    /// The first step out of a configuration, by an action or by any, that `is_it`.
    ///
    /// # Errors
    ///
    /// As [`Reach::creation`].
    pub(crate) fn step(
        self,
        from: &Situation,
        action: Option<u32>,
        is_it: &mut dyn FnMut(&Outcome) -> bool,
    ) -> Result<Option<Outcome>, FlattenError> {
        let mut explorer = self.explorer();
        let start = explorer.rest(from.clone())?;
        for step in explorer.leave(start)? {
            if action.is_some_and(|action| step.action != Some(action)) {
                continue;
            }
            let found = complete(&mut explorer, step.action, step.happenings, step.to, is_it)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if self.0.shared.resolved.chart.is_flat() {
            return Ok(None);
        }
        // A timeout, or a request with `from_state`, asks one state and outward.
        let actions = self.0.possible_actions(&from.active);
        for asked in actions.into_iter().filter(|&asked| action.is_none_or(|it| it == asked)) {
            for &state in &from.active {
                for step in explorer.leave_by(start, asked, state)? {
                    let Move { happenings, to, .. } = step;
                    let found = complete(&mut explorer, Some(asked), happenings, to, is_it)?;
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
            for step in explorer.leave(stop).ok()? {
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

/// Follows a step until it rests, in every way that open guards leave; the first end that `is_it`.
fn complete(
    explorer: &mut Explorer<'_>,
    action: Option<u32>,
    happenings: Happenings,
    stop: usize,
    is_it: &mut dyn FnMut(&Outcome) -> bool,
) -> Result<Option<Outcome>, FlattenError> {
    let mut open = vec![(stop, happenings, 0)];
    let mut moves = 0;
    while let Some((stop, happenings, depth)) = open.pop() {
        let here = &explorer.world.stops[stop];
        match here.stage {
            Stage::Never => continue,
            Stage::Rest => {
                let to = Situation { active: here.active.clone(), memory: here.memory.clone() };
                let outcome = Outcome { action, happenings, to };
                if is_it(&outcome) {
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
        for step in explorer.leave(stop)?.into_iter().rev() {
            let mut all = happenings.clone();
            all.extend(step.happenings);
            open.push((step.to, all, depth + 1));
        }
    }
    Ok(None)
}
