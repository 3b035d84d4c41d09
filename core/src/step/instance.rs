//! An instance: a snapshot kept inside, for programs that ask often.
//!
//! States and actions are small integers here, and asking converts nothing.
//! It goes the same way as `decide`; records are written out when they are
//! taken, and until then a step costs a few words of memory.

use alloc::{boxed::Box, collections::BTreeMap, format, sync::Arc, vec::Vec};

use serde_json::Value;

use super::{
    choose::{Choice, Moment},
    context::{Context, Request, TooDeep},
    decision::{ReasonCode, Refused},
    plan::{HistoryRecord, Move, Step},
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
    /// The snapshot as it came; `state` and what follows say where the object is now.
    stored: Snapshot,
    state: u32,
    since: Time,
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
    moves: Move,
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
    moves: Move,
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
        let (state, since) = self.locate(&snapshot)?;
        Ok(Instance {
            machine: self.clone(),
            state,
            since,
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

    /// The active state.
    #[must_use]
    pub fn state(&self) -> StateId {
        StateId(self.state)
    }

    /// Whether the state is active.
    #[must_use]
    pub fn is_in(&self, state: StateId) -> bool {
        self.state == state.0
    }

    /// Whether `apply` would take the action at the time of the context (without one, time is not asked
    /// about). An unknown guard is no yes.
    ///
    /// Cost: as [`Machine::decide`], without a conversion and without a record.
    #[must_use]
    #[inline]
    pub fn can(&self, action: ActionId) -> bool {
        (action.0 as usize) < self.machine.actions().len()
            && matches!(self.choose(action, &self.ctx, self.ctx.timestamp, false), Choice::Take(_))
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
            let here = core::slice::from_ref(self.machine.path(self.state));
            return Err(Box::new(Refused::plain(ReasonCode::UnknownAction, message, here)));
        }
        // Guards see the time of this step; where there are none, the context need not be copied.
        let timed = (!self.machine.shared.resolved.guards.is_empty())
            .then(|| Context { timestamp: Some(at), ..Context::clone(&self.ctx) });
        let ctx = timed.as_ref().unwrap_or(&self.ctx);
        match self.choose(action, ctx, Some(at), true) {
            Choice::Take(transition) => {
                let moves = self.machine.moves(self.state, transition);
                Ok(Proposal { version: self.version, moves, action: action.0, at })
            }
            Choice::Stop(stop) => Err(Box::new(self.machine.refuse(self.state, &stop, ctx))),
        }
    }

    /// The second half of [`Instance::apply`]. A proposal that was made before another step is dropped;
    /// false then.
    #[expect(clippy::needless_pass_by_value, reason = "a proposal is committed once")]
    pub fn commit(&mut self, proposal: Proposal) -> bool {
        let Proposal { version, moves, action, at } = proposal;
        if version != self.version {
            return false;
        }
        let object = self.new_object.take().map(Box::new);
        self.steps.push(Taken { moves, action, at, ctx: Arc::clone(&self.ctx), object });
        if moves.crosses {
            self.since = at;
        }
        self.state = moves.to;
        self.updated_at = Some(at);
        self.version += 1;
        true
    }

    #[inline]
    fn choose(
        &self,
        action: ActionId,
        ctx: &Context,
        now: Option<Time>,
        explained: bool,
    ) -> Choice<'_> {
        let scene = self.machine.scene(self.state, &self.stored.object, ctx, explained);
        let moment = Moment { now, last: self.updated_at };
        self.machine.choose(self.state, action.0, moment, scene, scene.object)
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
        let step = Step { moves: taken.moves, at: taken.at, action };
        self.machine.record(&self.stored.object_id, sequence, step, &taken.ctx, &request)
    }

    /// The object as a store would keep it now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let path = self.machine.path(self.state);
        Snapshot {
            states: alloc::vec![path.clone()],
            version: self.version,
            entered_at: BTreeMap::from([(path.clone(), self.since)]),
            updated_at: self.updated_at,
            ..self.stored.clone()
        }
    }
}
