//! What taking a transition does: states left and entered, side effects, the record.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    context::{Context, Request},
    course::Course,
    decision::Accepted,
    place::Place,
    snapshot::{AppliedRequest, Snapshot},
};
use crate::{
    json::{given, objects},
    machine::Machine,
    microstep::Happening,
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

/// A step of an object: what happens, when, and for which action (none for the creation).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    pub(crate) course: &'a Course,
    pub(crate) at: Time,
    pub(crate) action: Option<&'a str>,
}

/// What a few ids stand for. A list that grows would make room for four, and most steps need one.
fn listed(ids: impl Iterator<Item = u32> + Clone, of: impl Fn(u32) -> String) -> Vec<String> {
    let mut list = Vec::with_capacity(ids.clone().count());
    list.extend(ids.map(of));
    list
}

impl Machine {
    /// The side effects of one thing that happens, in order.
    pub(crate) fn effects(&self, happening: Happening) -> &[String] {
        match happening {
            Happening::Exit(id) => &self.state(id).on_exit,
            Happening::Take(id) => &self.transition(id).side_effects,
            Happening::Enter(id) => &self.state(id).on_enter,
        }
    }

    /// The record of a step. Side effects are in the order of what happens: exit, transition, entry.
    pub(crate) fn record(
        &self,
        object_id: &str,
        sequence: u64,
        step: Step<'_>,
        ctx: &Context,
        request: &Request,
    ) -> HistoryRecord {
        let course = step.course;
        let path = |id: u32| self.path(id).clone();
        let mut effects: Vec<Effect> = Vec::new();
        for name in course.log.happenings.iter().flat_map(|happening| self.effects(*happening)) {
            let key = format!("{object_id}:{sequence}:{}", effects.len());
            effects.push(Effect { key, name: name.clone() });
        }
        HistoryRecord {
            object_id: object_id.into(),
            sequence,
            from_states: self.leaf_paths(&course.from),
            to_states: self.leaf_paths(&course.to.active),
            transitions: listed(course.taken(), |id| self.transition(id).name.clone()),
            exited: listed(course.exited(), path),
            entered: listed(course.entered(), path),
            action: step.action.map(Into::into),
            actor_id: ctx.actor_id.clone(),
            actor_type: ctx.actor_type.clone(),
            tenant_id: ctx.tenant_id.clone(),
            world_id: ctx.world_id.clone(),
            reason: request.reason.clone(),
            timestamp: step.at,
            request_id: request.request_id.clone(),
            definition_version: self.definition().version,
            effects,
            metadata: request.metadata.clone(),
            object: request.object.clone(),
        }
    }

    /// The plan of a step: the record and the snapshot after it. `before` is what is stored now, and where the
    /// object is there; for a creation it is the blank from which the object is made.
    pub(crate) fn plan(
        &self,
        before: &Snapshot,
        place: &Place,
        step: Step<'_>,
        ctx: &Context,
        request: &Request,
    ) -> Accepted {
        let sequence = before.version + 1;
        let record = self.record(&before.object_id, sequence, step, ctx, request);
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
        let mut snapshot = Snapshot {
            object_id: before.object_id.clone(),
            states: Vec::new(),
            version: sequence,
            entered_at: BTreeMap::new(),
            updated_at: Some(step.at),
            object: request.data_after(&before.object).clone(),
            memory: BTreeMap::new(),
            requests,
            definition_version: self.definition().version,
        };
        self.write_place(&place.after(step.course, step.at), &mut snapshot);
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
