//! An instance: a snapshot kept inside, for programs that ask often.
//!
//! States and actions are small integers here, and asking converts nothing.
//! It goes the same way as `decide`; records are written out when they are
//! taken, and until then a step costs a few words of memory.

use alloc::{boxed::Box, format, sync::Arc, vec::Vec};

use serde_json::Value;

use super::{
    choose::{Asked, Data, Entries, Moment, Stop},
    context::{Context, Request, TooDeep},
    course::Course,
    decision::{ReasonCode, Refused},
    place::Place,
    plan::{HistoryRecord, Step},
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{
    machine::{ActionId, Machine, StateId},
    time::Time,
};

/// One object that lives in memory.
#[derive(Clone, Debug)]
pub struct Instance {
    machine: Machine,
    /// The snapshot as it came; `place` and what follows say where the object is now.
    stored: Snapshot,
    place: Place,
    updated_at: Option<Time>,
    version: u64,
    ctx: Arc<Context>,
    /// Data that no record carries yet.
    new_object: Option<Value>,
    steps: Vec<Taken>,
}

/// A step whose record has not been taken.
#[derive(Clone, Debug)]
struct Taken {
    course: Box<Course>,
    action: u32,
    at: Time,
    ctx: Arc<Context>,
    object: Option<Box<Value>>,
}

/// A step that an instance would take: decided, not done.
#[derive(Debug)]
pub struct Proposal {
    /// The version that it was decided for.
    version: u64,
    course: Box<Course>,
    action: u32,
    at: Time,
}

impl Machine {
    /// Keeps a snapshot inside. Guards that are registered later are not seen by it.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn instance(&self, snapshot: Snapshot) -> Result<Instance, ForeignSnapshot> {
        let place = self.locate(&snapshot)?;
        Ok(Instance {
            machine: self.clone(),
            place,
            updated_at: snapshot.updated_at(),
            version: snapshot.version,
            stored: snapshot,
            ctx: Arc::default(),
            new_object: None,
            steps: Vec::new(),
        })
    }
}

impl Instance {
    /// Who acts from now on. `can` asks for the time of the context, `apply` for its own.
    pub fn set_context(&mut self, ctx: Context) {
        self.ctx = Arc::new(ctx);
    }

    /// The object's data from now on; the next record carries it.
    ///
    /// # Errors
    ///
    /// The data is nested too deeply to be stored; nothing has changed then.
    pub fn set_object(&mut self, object: Value) -> Result<(), TooDeep> {
        TooDeep::check(&object)?;
        self.stored.object = object.clone();
        self.new_object = Some(object);
        Ok(())
    }

    /// The active state; of several innermost ones the first, see [`Instance::leaves`].
    #[must_use]
    pub fn state(&self) -> StateId {
        let first = self.leaves().next();
        first.unwrap_or(StateId(u32::MAX))
    }

    /// The innermost active states, in document order: one for each region, in a flat machine one.
    pub fn leaves(&self) -> impl Iterator<Item = StateId> {
        self.machine.shared.resolved.chart.leaves(&self.place.situation.active).map(StateId)
    }

    /// Whether the state is active, or one inside of it.
    #[must_use]
    pub fn is_in(&self, state: StateId) -> bool {
        self.place.situation.active.binary_search(&state.0).is_ok()
    }

    /// Whether `apply` would take the action at the time of the context (without one, time is not asked
    /// about). An unknown guard is no yes.
    ///
    /// Cost: as [`Machine::decide`], without a conversion and without a record.
    #[must_use]
    #[inline]
    pub fn can(&self, action: ActionId) -> bool {
        (action.0 as usize) < self.machine.actions().len() && self.may(action)
    }

    /// Takes an action, as `decide` would decide it.
    ///
    /// # Errors
    ///
    /// The refusal; nothing has happened then.
    pub fn apply(&mut self, action: ActionId, at: Time) -> Result<(), Box<Refused>> {
        let proposal = self.propose(action, at)?;
        self.commit(proposal);
        Ok(())
    }

    /// The first half of [`Instance::apply`]: decides, and changes nothing.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub fn propose(&self, action: ActionId, at: Time) -> Result<Proposal, Box<Refused>> {
        if action.0 as usize >= self.machine.actions().len() {
            let message = format!("there is no action number {}", action.0);
            let here = self.machine.leaf_paths(&self.place.situation.active);
            return Err(Box::new(Refused::plain(ReasonCode::UnknownAction, message, &here)));
        }
        // Guards see the time of this step; where there are none, the context need not be copied.
        let timed = (!self.machine.shared.resolved.guards.is_empty())
            .then(|| Context { timestamp: Some(at), ..Context::clone(&self.ctx) });
        let ctx = timed.as_ref().unwrap_or(&self.ctx);
        match self.choose(action, ctx, at) {
            Ok((_, course)) => Ok(Proposal { version: self.version, course, action: action.0, at }),
            Err(stop) => {
                Err(Box::new(self.machine.refuse(&self.place.situation.active, &stop, ctx)))
            }
        }
    }

    /// The second half of [`Instance::apply`]. A proposal that was made before another step is dropped;
    /// false then.
    pub fn commit(&mut self, proposal: Proposal) -> bool {
        let Proposal { version, course, action, at } = proposal;
        if version != self.version {
            return false;
        }
        let object = self.new_object.take().map(Box::new);
        self.place = self.place.after(&course, at);
        self.steps.push(Taken { course, action, at, ctx: Arc::clone(&self.ctx), object });
        self.updated_at = Some(at);
        self.version += 1;
        true
    }

    fn choose(
        &self,
        action: ActionId,
        ctx: &Context,
        at: Time,
    ) -> Result<(Entries, Box<Course>), Stop> {
        let object = &self.stored.object;
        let data = Data { object, after: object, ctx, explained: true };
        let moment = Moment { now: Some(at), last: self.updated_at };
        let asked = Asked { action: action.0, from: None };
        self.machine.choose(&self.place.situation, asked, moment, data)
    }

    #[inline]
    fn may(&self, action: ActionId) -> bool {
        let (object, ctx) = (&self.stored.object, &*self.ctx);
        let data = Data { object, after: object, ctx, explained: false };
        let moment = Moment { now: ctx.timestamp, last: self.updated_at };
        let asked = Asked { action: action.0, from: None };
        self.machine.may(&self.place.situation, asked, moment, data)
    }

    /// Writes out the records of the steps since the last call, in order, and forgets them. A store that
    /// takes the snapshot without them loses history and side effects.
    pub fn take_records(&mut self) -> Vec<HistoryRecord> {
        let first = self.version - self.steps.len() as u64 + 1;
        let steps = core::mem::take(&mut self.steps);
        (first..).zip(steps).map(|(sequence, taken)| self.record(sequence, taken)).collect()
    }

    fn record(&self, sequence: u64, taken: Taken) -> HistoryRecord {
        let request = Request { object: taken.object.map(|object| *object), ..Request::default() };
        let action = Some(self.machine.action(taken.action));
        let step = Step { course: &taken.course, at: taken.at, action };
        self.machine.record(&self.stored.object_id, sequence, step, &taken.ctx, &request)
    }

    /// The object as a store would keep it now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot =
            Snapshot { version: self.version, updated_at: self.updated_at, ..self.stored.clone() };
        self.machine.write_place(&self.place, &mut snapshot);
        snapshot
    }
}
