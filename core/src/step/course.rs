//! The course of a step: the transitions that an action takes, and all that follows by itself.

use alloc::{boxed::Box, collections::VecDeque};
use core::cell::Cell;

use smallvec::SmallVec;

use super::choose::{Asked, Data, Entries, Stop, Tried};
use crate::{
    guard::Scene,
    machine::Machine,
    microstep::{Happening, Log, Situation, States},
    table::Entry,
};

/// A whole step in integers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// The states that were active before; none for the creation.
    pub(crate) from: States,
    /// What happens.
    pub(crate) log: Log,
    /// Where the object is after.
    pub(crate) to: Situation,
}

impl Course {
    /// The states that are left, in order.
    pub(crate) fn exited(&self) -> impl Iterator<Item = u32> + Clone {
        self.log.happenings.iter().copied().filter_map(Happening::exited)
    }

    /// The states that are entered, in order.
    pub(crate) fn entered(&self) -> impl Iterator<Item = u32> + Clone {
        self.log.happenings.iter().copied().filter_map(Happening::entered)
    }

    /// The transitions that are taken, in order.
    pub(crate) fn taken(&self) -> impl Iterator<Item = u32> + Clone {
        self.log.happenings.iter().copied().filter_map(Happening::taken)
    }
}

impl Machine {
    /// The step that begins with these transitions; none if it does not come to rest within the limit.
    pub(super) fn course(
        &self,
        situation: &Situation,
        first: &[Entry],
        data: Data<'_>,
    ) -> Result<Option<Box<Course>>, Stop> {
        let from = States::from_slice(&situation.active);
        let active = States::from_slice(&situation.active);
        let to = Situation { active, memory: situation.memory.clone() };
        let mut course = Box::new(Course { from, to, log: Log::default() });
        let Course { to, log, .. } = &mut *course;
        self.shared.resolved.chart.microstep(to, first, log);
        self.settle(course, data)
    }

    /// The step from nothing into the initial state.
    pub(super) fn creation(&self, data: Data<'_>) -> Result<Option<Box<Course>>, Stop> {
        let mut course = Box::<Course>::default();
        let Course { to, log, .. } = &mut *course;
        self.shared.resolved.chart.begin(to, log);
        self.settle(course, data)
    }

    /// Automatic transitions while any is enabled, then the oldest completion, and again.
    ///
    /// They see the object's data after the step: it is what the request brings about. Source: SCXML
    /// `interpret`, `mainEventLoop`; DESIGN §5.1.
    fn settle(&self, mut course: Box<Course>, data: Data<'_>) -> Result<Option<Box<Course>>, Stop> {
        let resolved = &self.shared.resolved;
        if resolved.rests {
            return Ok(Some(course));
        }
        let Course { to, log, .. } = &mut *course;
        let mut completed = VecDeque::new();
        let mut rounds = 0;
        // One budget for the guards of all rounds: a definition from a stranger must not hang a page.
        let budget = Cell::new(self.shared.limits.evaluation_steps);
        loop {
            completed.extend(log.completed.drain(..));
            let Some(entries) = self.following(to, &mut completed, data, &budget)? else { break };
            rounds += 1;
            if rounds > self.shared.limits.automatic_rounds {
                return Ok(None);
            }
            resolved.chart.microstep(to, &entries, log);
        }
        Ok(Some(course))
    }

    /// What follows by itself in a situation.
    fn following(
        &self,
        now: &Situation,
        completed: &mut VecDeque<u32>,
        data: Data<'_>,
        budget: &Cell<usize>,
    ) -> Result<Option<Entries>, Stop> {
        let resolved = &self.shared.resolved;
        let scene = self.scene(&now.active, data.after, data);
        let scene = Scene { budget: Some(budget), ..scene };
        let mut tried = Tried::default();
        if !resolved.table.sources(resolved.automatic).is_empty() {
            let automatic = Asked { action: resolved.automatic, from: None };
            self.select(now, automatic, scene, &mut tried).map_err(Stop::without_passed)?;
        }
        if !tried.at.is_empty() {
            return Ok(Some(tried.at));
        }
        while let Some(state) = completed.pop_front() {
            if now.active.binary_search(&state).is_err() {
                continue;
            }
            let enabled = self.enabled(state, resolved.completion, scene, &mut tried);
            if let (_, Some(entry)) = enabled.map_err(Stop::without_passed)? {
                return Ok(Some(SmallVec::from_buf([entry])));
            }
        }
        Ok(None)
    }
}

impl Stop {
    /// The same without guards that are false: of what follows by itself, they are nobody's reason.
    fn without_passed(mut self) -> Self {
        if let Self::GuardUnknown(tried, _) = &mut self {
            tried.passed.clear();
        }
        self
    }
}
