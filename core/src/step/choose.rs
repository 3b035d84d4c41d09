//! Choosing the transitions of an action: the one place where the order of tries is written.

use alloc::{borrow::ToOwned, boxed::Box, format, vec::Vec};

use serde_json::Value;
use smallvec::SmallVec;

use super::{
    conditions::Unmet,
    context::{Context, Request},
    course::Course,
    decision::{ReasonCode, Refused},
    place::Place,
    snapshot::Snapshot,
};
use crate::{
    guard::{ActiveStates, Evidence, Scene, Truth},
    machine::Machine,
    microstep::{Situation, States},
    name::did_you_mean,
    table::Entry,
    time::Time,
};

/// Transitions out of states: mostly one.
pub(crate) type Entries = SmallVec<[Entry; 1]>;

/// Why no transition is taken. Almost without text: most are never read.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The action has no transition in the active states, or in one of them and those around it.
    NoTransition { action: u32, from: Option<u32> },
    /// The time lies before the last step.
    TimeRunsBack { now: Time, last: Time },
    /// Every guard is false.
    GuardsFailed(Box<Tried>),
    /// The guard of this one is unknown.
    GuardUnknown(Box<Tried>, Box<Evidence>),
    /// These would be taken, but the actor lacks permissions.
    MissingPermissions(Box<Tried>),
    /// These would be taken, but entry conditions of states that are active then are not met.
    ConditionsUnmet(Box<Tried>, Vec<Unmet>),
    /// These would be taken, but what follows by itself does not come to rest.
    NeverRests(Box<Tried>),
    /// Something of the above; nobody will read what.
    Unread,
}

/// The transitions that were tried.
#[derive(Debug, Default)]
pub(crate) struct Tried {
    /// Those whose guard is false, in order, and why; empty where nobody will read it.
    pub(crate) passed: Vec<(Entry, Evidence)>,
    /// Those that decide.
    pub(crate) at: Entries,
}

impl Stop {
    /// Whether nobody can tell: a guard gives no answer, or nothing but the answer of an entry condition is
    /// missing.
    pub(crate) fn is_unknown(&self) -> bool {
        match self {
            Self::GuardUnknown(..) => true,
            Self::ConditionsUnmet(_, unmet) => !unmet.iter().any(Unmet::is_false),
            _ => false,
        }
    }
}

/// When an action is asked for, and when the object's last step was. What is not known is not asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) now: Option<Time>,
    pub(crate) last: Option<Time>,
}

/// What is asked for: an action, of all active states or of one and those around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) action: u32,
    pub(crate) from: Option<u32>,
}

impl Asked {
    fn without_transition(self) -> Stop {
        Stop::NoTransition { action: self.action, from: self.from }
    }
}

/// What guards read, apart from the active states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data<'d> {
    /// The object's data before the step.
    pub(crate) object: &'d Value,
    /// The object's data after it.
    pub(crate) after: &'d Value,
    pub(crate) ctx: &'d Context,
    /// Whether somebody will read why something is not true.
    pub(crate) explained: bool,
}

/// The verdict on an action, before anything is written down.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// These transitions are taken, with what follows.
    Take(Entries, Box<Course>),
    /// The request was applied: which of the remembered ones it is.
    Applied(usize),
    /// It does not fit the object as it is.
    Refuse(Refused),
    /// No transition is taken.
    Stop(Stop),
}

impl Machine {
    /// What a guard sees while these states are active.
    pub(crate) fn scene<'s>(
        &'s self,
        active: &'s [u32],
        object: &'s Value,
        data: Data<'s>,
    ) -> Scene<'s> {
        let states = ActiveStates { ids: active, paths: &self.shared.resolved.paths };
        Scene { object, ctx: data.ctx, states, explained: data.explained, budget: None }
    }

    /// Asks, in this order: is there a way, does time run forward (where it is given), guards, permissions,
    /// entry conditions of the states that are active after the step, on the object's data after it.
    ///
    /// Cost: that of [`Machine::chosen`], of the step, and one guard for each entry condition.
    pub(crate) fn choose(
        &self,
        situation: &Situation,
        asked: Asked,
        moment: Moment,
        data: Data<'_>,
    ) -> Result<(Entries, Box<Course>), Stop> {
        let mut tried = Tried::default();
        self.chosen(situation, asked, moment, data, &mut tried)?;
        let Some(course) = self.course(situation, &tried.at, data)? else {
            return Err(Stop::NeverRests(Box::new(tried)));
        };
        let unmet = self.unmet(&course.to.active, data);
        if !unmet.is_empty() {
            return Err(Stop::ConditionsUnmet(Box::new(tried), unmet));
        }
        Ok((tried.at, course))
    }

    /// Whether [`Machine::choose`] would take the action.
    #[inline]
    pub(crate) fn may(
        &self,
        situation: &Situation,
        asked: Asked,
        moment: Moment,
        data: Data<'_>,
    ) -> bool {
        let resolved = &self.shared.resolved;
        // Where nothing follows by itself and no state asks for anything, the choice decides.
        match resolved.rests && resolved.conditions.is_empty() {
            true => self.chosen(situation, asked, moment, data, &mut Tried::default()).is_ok(),
            false => self.choose(situation, asked, moment, data).is_ok(),
        }
    }

    /// The first half of [`Machine::choose`], up to permissions.
    ///
    /// For each active leaf in document order, from it outward: the first transition in document order whose
    /// guard is true. An unknown guard before it, or a permission or an entry condition that is missing on the
    /// way, stops the whole action. Source: SCXML `selectTransitions`; DESIGN §4, §5.
    ///
    /// Cost: for each active state one search among its actions, then one guard for each transition tried.
    #[inline]
    fn chosen(
        &self,
        situation: &Situation,
        asked: Asked,
        moment: Moment,
        data: Data<'_>,
        tried: &mut Tried,
    ) -> Result<(), Stop> {
        if let (Some(now), Some(last)) = (moment.now, moment.last)
            && now < last
        {
            let is_possible = !self.ways(&situation.active, asked).is_empty();
            return Err(match is_possible {
                true => Stop::TimeRunsBack { now, last },
                false => asked.without_transition(),
            });
        }
        let scene = self.scene(&situation.active, data.object, data);
        let is_possible = match situation.active.as_slice() {
            [only] => {
                let (is_possible, entry) = self.enabled(*only, asked.action, scene, tried)?;
                tried.at.extend(entry);
                is_possible
            }
            _ => self.select(situation, asked, scene, tried)?,
        };
        if !is_possible {
            return Err(asked.without_transition());
        }
        if tried.at.is_empty() {
            return Err(match data.explained {
                true => Stop::GuardsFailed(Box::new(core::mem::take(tried))),
                false => Stop::Unread,
            });
        }
        let is_permitted = |entry: &Entry| {
            let required = &self.transition(entry.transition).required_permissions;
            required.iter().all(|permission| data.ctx.holds(permission))
        };
        match tried.at.iter().all(is_permitted) {
            true => Ok(()),
            false if data.explained => {
                Err(Stop::MissingPermissions(Box::new(core::mem::take(tried))))
            }
            false => Err(Stop::Unread),
        }
    }

    /// The actions that have transitions in these states, each once, in document order.
    pub(crate) fn possible_actions(&self, active: &[u32]) -> Vec<u32> {
        let resolved = &self.shared.resolved;
        let entries = active.iter().flat_map(|&state| resolved.table.of(state));
        // Behind the actions come automatic and completion transitions, which nobody asks for.
        let mut actions: Vec<u32> = entries
            .map(|entry| entry.action)
            .filter(|&action| action < resolved.automatic)
            .collect();
        actions.sort_unstable();
        actions.dedup();
        actions
    }

    /// All transitions for what is asked, whatever their guards say: those of each active leaf, then outward.
    pub(super) fn ways(&self, active: &[u32], asked: Asked) -> Entries {
        let resolved = &self.shared.resolved;
        let mut ways = Entries::new();
        let leaves = asked.from.into_iter();
        let leaves = leaves.chain(resolved.chart.leaves(active).filter(|_| asked.from.is_none()));
        for state in leaves.flat_map(|leaf| resolved.chart.outward(leaf)) {
            for entry in resolved.table.candidates(state, asked.action) {
                if !ways.contains(entry) {
                    ways.push(*entry);
                }
            }
        }
        ways
    }

    /// Finds the transitions that are enabled, without those that lose a conflict. Whether there are any for what
    /// is asked, whatever their guards say.
    pub(super) fn select(
        &self,
        situation: &Situation,
        asked: Asked,
        scene: Scene<'_>,
        tried: &mut Tried,
    ) -> Result<bool, Stop> {
        let chart = &self.shared.resolved.chart;
        let leaves: States = match asked.from {
            Some(from) => States::from_slice(&[from]),
            None => chart.leaves(&situation.active).collect(),
        };
        let mut any = false;
        // States around a leaf that have been asked for another one.
        let mut walked: SmallVec<[u32; 8]> = SmallVec::new();
        for leaf in leaves {
            for state in chart.outward(leaf) {
                if state != leaf {
                    match walked.binary_search(&state) {
                        Ok(_) => break,
                        Err(at) => walked.insert(at, state),
                    }
                }
                let (is_possible, entry) = self.enabled(state, asked.action, scene, tried)?;
                any |= is_possible;
                if let Some(entry) = entry {
                    tried.at.push(entry);
                    break;
                }
            }
        }
        chart.without_conflicts(&mut tried.at, &situation.memory);
        Ok(any)
    }

    /// The first transition of a state whose guard is true; and whether there is one at all.
    #[inline]
    pub(super) fn enabled(
        &self,
        state: u32,
        action: u32,
        scene: Scene<'_>,
        tried: &mut Tried,
    ) -> Result<(bool, Option<Entry>), Stop> {
        let candidates = self.shared.resolved.table.candidates(state, action);
        for &entry in candidates {
            let Some(guard) = self.shared.resolved.guard_of[entry.transition as usize] else {
                return Ok((true, Some(entry)));
            };
            match self.ask(guard, scene) {
                Truth::True => return Ok((true, Some(entry))),
                Truth::False(_) if !scene.explained => {}
                Truth::False(why) => tried.passed.push((entry, *why)),
                Truth::Unknown(_) if !scene.explained => return Err(Stop::Unread),
                Truth::Unknown(why) => {
                    let passed = core::mem::take(&mut tried.passed);
                    let at = SmallVec::from_buf([entry]);
                    return Err(Stop::GuardUnknown(Box::new(Tried { passed, at }), why));
                }
            }
        }
        Ok((!candidates.is_empty(), None))
    }

    /// Whether `action` may be taken. In this order: request id, version, action, time, guards,
    /// permissions, entry conditions. Without a time, time is not asked about. `explained` says whether
    /// somebody will read why it may not. Source: DESIGN §4.
    pub(crate) fn weigh(
        &self,
        snapshot: &Snapshot,
        place: &Place,
        action: &str,
        ctx: &Context,
        request: &Request,
        explained: bool,
    ) -> Verdict {
        let refuse =
            |code, message| Verdict::Refuse(Refused::plain(code, message, &snapshot.states));
        if let Some(id) = &request.request_id
            && let Some(index) =
                snapshot.requests.iter().position(|applied| applied.request_id == *id)
        {
            let applied = &snapshot.requests[index];
            if applied.action.as_deref() == Some(action) {
                return Verdict::Applied(index);
            }
            let before = applied.action.as_ref().map_or_else(
                || "the creation".to_owned(),
                |action| format!("the action `{action}`"),
            );
            return refuse(
                ReasonCode::RequestConflict,
                format!("the request `{id}` was applied before, for {before}"),
            );
        }
        if let Some(seen) = request.expected_version
            && seen != snapshot.version
        {
            let message = format!(
                "the request has seen version {seen}, the object is at version {}",
                snapshot.version
            );
            return refuse(ReasonCode::VersionConflict, message);
        }
        let Some(action_id) = self.action_id(action) else {
            let message =
                format!("there is no action `{action}`{}", did_you_mean(action, self.actions()));
            return refuse(ReasonCode::UnknownAction, message);
        };
        let from = match &request.from_state {
            None => None,
            Some(path) => match self.active_state(place, path) {
                Some(from) => Some(from),
                None => {
                    let message =
                        format!("`{path}` is not active, so `{action}` cannot be asked from there");
                    return refuse(ReasonCode::NoTransition, message);
                }
            },
        };
        let after = request.data_after(&snapshot.object);
        let data = Data { object: &snapshot.object, after, ctx, explained };
        let moment = Moment { now: ctx.timestamp, last: snapshot.updated_at() };
        let asked = Asked { action: action_id.0, from };
        match self.choose(&place.situation, asked, moment, data) {
            Ok((entries, course)) => Verdict::Take(entries, course),
            Err(stop) => Verdict::Stop(stop),
        }
    }

    /// The active state with this path.
    fn active_state(&self, place: &Place, path: &str) -> Option<u32> {
        let id = self.state_id(path)?.0;
        place.situation.active.binary_search(&id).ok().map(|_| id)
    }
}
