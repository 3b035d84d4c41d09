//! What taking a transition does: states left and entered, side effects, the record.

use alloc::{collections::BTreeMap, format, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    context::{Context, Request},
    decision::Accepted,
    snapshot::{AppliedRequest, Snapshot},
};
use crate::{
    json::{given, objects},
    machine::Machine,
    time::Time,
};

/// A side effect that somebody must carry out: a row of the outbox.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// `object_id:sequence:index`, unique: who carries it out uses it to do so once.
    pub key: String,
    /// What is to be done.
    pub name: String,
}

/// One row of a history: everything about one step.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryRecord {
    /// Which object.
    pub object_id: String,
    /// The object's version after the step; counts from 1 without a gap.
    pub sequence: u64,
    /// Active leaves before; empty for the creation.
    pub from_states: Vec<String>,
    /// Active leaves after.
    pub to_states: Vec<String>,
    /// The transitions that were taken, in order.
    pub transitions: Vec<String>,
    /// The states that were left, in order.
    pub exited: Vec<String>,
    /// The states that were entered, in order.
    pub entered: Vec<String>,
    /// What was asked for; null for the creation.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// Who did it.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_id: Option<String>,
    /// What kind of actor.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_type: Option<String>,
    /// For which tenant.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub tenant_id: Option<String>,
    /// In which world.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub world_id: Option<String>,
    /// Why, in the actor's words.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub reason: Option<String>,
    /// When.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub timestamp: Time,
    /// The request that asked for it.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub request_id: Option<String>,
    /// The version of the definition that decided it.
    pub definition_version: u64,
    /// The side effects, in order.
    #[serde(deserialize_with = "objects")]
    pub effects: Vec<Effect>,
    /// Free data of the request.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
    /// The object's data after the step, where the step brought it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "unknown"))]
    pub object: Option<Value>,
}

/// A step in integers: what a transition leaves and enters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    /// None for the creation.
    pub(crate) from: Option<u32>,
    /// None for the creation.
    pub(crate) transition: Option<u32>,
    pub(crate) to: u32,
    /// Whether `from` is left and `to` entered.
    pub(crate) crosses: bool,
}

/// A step of an object: what moves, when, and for which action (none for the creation).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    pub(crate) moves: Move,
    pub(crate) at: Time,
    pub(crate) action: Option<&'a str>,
}

impl Machine {
    pub(crate) fn creation(&self) -> Move {
        Move { from: None, transition: None, to: self.shared.resolved.initial, crosses: true }
    }

    /// What `transition` does in `state`. One without a target, or back to its own state without
    /// `reenter`, leaves and enters nothing (DESIGN §5.3).
    #[inline]
    pub(crate) fn moves(&self, state: u32, transition: u32) -> Move {
        let to = self.target(transition).unwrap_or(state);
        let reenter = self.transition(transition).reenter && self.target(transition).is_some();
        Move {
            from: Some(state),
            transition: Some(transition),
            to,
            crosses: to != state || reenter,
        }
    }

    /// The record of a step. Side effects are in the order exit, transition, entry.
    pub(crate) fn record(
        &self,
        object_id: &str,
        sequence: u64,
        step: Step<'_>,
        ctx: &Context,
        request: &Request,
    ) -> HistoryRecord {
        let moves = step.moves;
        let path = |state: u32| self.path(state).clone();
        let exited = moves.from.filter(|_| moves.crosses);
        let entered = moves.crosses.then_some(moves.to);
        let mut names: Vec<&String> = Vec::new();
        names.extend(exited.iter().flat_map(|&state| &self.state(state).on_exit));
        names.extend(
            moves
                .transition
                .iter()
                .flat_map(|&transition| &self.transition(transition).side_effects),
        );
        names.extend(entered.iter().flat_map(|&state| &self.state(state).on_enter));
        let effect = |(index, name): (usize, &String)| Effect {
            key: format!("{object_id}:{sequence}:{index}"),
            name: name.clone(),
        };
        HistoryRecord {
            object_id: object_id.into(),
            sequence,
            from_states: moves.from.map(path).into_iter().collect(),
            to_states: vec![path(moves.to)],
            transitions: moves
                .transition
                .map(|id| self.transition(id).name.clone())
                .into_iter()
                .collect(),
            exited: exited.map(path).into_iter().collect(),
            entered: entered.map(path).into_iter().collect(),
            action: step.action.map(Into::into),
            actor_id: ctx.actor_id.clone(),
            actor_type: ctx.actor_type.clone(),
            tenant_id: ctx.tenant_id.clone(),
            world_id: ctx.world_id.clone(),
            reason: request.reason.clone(),
            timestamp: step.at,
            request_id: request.request_id.clone(),
            definition_version: self.definition().version,
            effects: names.into_iter().enumerate().map(effect).collect(),
            metadata: request.metadata.clone(),
            object: request.object.clone(),
        }
    }

    /// The plan of a step: the record and the snapshot after it. `before` is what is stored now; for a
    /// creation it is the blank from which the object is made.
    pub(crate) fn plan(
        &self,
        before: &Snapshot,
        step: Step<'_>,
        ctx: &Context,
        request: &Request,
    ) -> Accepted {
        let Step { moves, at, .. } = step;
        let sequence = before.version + 1;
        let record = self.record(&before.object_id, sequence, step, ctx, request);
        let entered_at = match moves.crosses {
            true => BTreeMap::from([(self.path(moves.to).clone(), at)]),
            false => before.entered_at.clone(),
        };
        let forgotten = (before.requests.len() + usize::from(request.request_id.is_some()))
            .saturating_sub(Snapshot::REQUESTS);
        let mut requests: Vec<AppliedRequest> =
            before.requests.iter().skip(forgotten).cloned().collect();
        if let Some(request_id) = &request.request_id {
            let request_id = request_id.clone();
            requests.push(AppliedRequest {
                request_id,
                action: record.action.clone(),
                record: record.clone(),
            });
        }
        let snapshot = Snapshot {
            object_id: before.object_id.clone(),
            states: record.to_states.clone(),
            version: sequence,
            entered_at,
            updated_at: Some(at),
            object: request.data_after(&before.object).clone(),
            memory: before.memory.clone(),
            requests,
            definition_version: self.definition().version,
        };
        Accepted {
            expected_version: before.version,
            transitions: record.transitions.clone(),
            exited: record.exited.clone(),
            entered: record.entered.clone(),
            effects: record.effects.clone(),
            snapshot,
            record,
        }
    }
}
