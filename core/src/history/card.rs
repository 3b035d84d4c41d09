//! The card of an object: what an operator asks when something is wrong, in one call. Source: DESIGN §6a.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use serde::Serialize;

use super::{
    at::Certainty,
    object::History,
    overdue::{Overdue, StuckCause, StuckCode},
};
use crate::{
    definition::Kind,
    name::{quoted, shortened},
    step::{
        Availability, AvailableOptions, Context, DueKind, Evidenced, GuardAnswer, GuardStatus,
        Reason, Request, Snapshot, Status,
    },
    time::{Duration, Time},
};

/// Everything about one object that decides what to do with it next.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// Which object; null where there are no rows.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub object_id: Option<String>,
    /// The time that it is of.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub now: Time,
    /// How sure the history is of where the object is.
    pub status: Certainty,
    /// The active states, outer ones before inner ones, and what they mean.
    pub states: Vec<CardState>,
    /// What the system is doing, in one sentence.
    pub doing: String,
    /// On what that stands.
    pub evidence: CardEvidence,
    /// What happens by itself, in order of time; what has passed first.
    pub deadlines: Vec<Deadline>,
    /// What a person may do now, what not, and why: what may be done first.
    pub actions: Vec<CardAction>,
    /// Operations that the object accepts, which are no transitions.
    pub operations: Vec<String>,
    /// Why it does not go on; empty where nothing says that it is stuck.
    pub stuck: Vec<StuckCause>,
}

/// An active state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct CardState {
    /// Its path.
    pub state: String,
    /// What people read.
    pub display_name: String,
    /// What it means, in the words of the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub description: Option<String>,
    /// Whether the object rests, is being worked on, or went wrong.
    pub kind: Kind,
    /// Whether its machine ends here.
    pub is_terminal: bool,
    /// When it was entered; null where no row says so.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub since: Option<Time>,
    /// How long ago that is; in working time where a calendar is given.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub for_time: Option<Duration>,
}

/// On what a card stands.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CardEvidence {
    /// The last row; null where there is none.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub row: Option<u64>,
    /// When it was.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub at: Option<Time>,
    /// What was done.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// By whom.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub actor_id: Option<String>,
    /// Why, in the actor's words.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub reason: Option<String>,
    /// The entry conditions of the active states, and what they say of the object's data.
    pub conditions: Vec<Evidenced>,
    /// How many violations there are in the history.
    pub violations: usize,
}

/// Something that happens at a time if nothing is done.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Deadline {
    /// Whether somebody is told, or an action is decided.
    pub kind: DueKind,
    /// The state that asks for it.
    pub state: String,
    /// The action that is decided.
    pub action: String,
    /// When; with a calendar, counted in working time.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub at: Time,
    /// Whether that has passed.
    pub is_over: bool,
    /// Where the action leads if it is decided by somebody with all permissions; empty where it would be refused.
    pub to: Vec<String>,
    /// What happens then, in one sentence.
    pub then: String,
}

/// An action, and what stands between the operator and it.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct CardAction {
    /// The action.
    pub action: String,
    /// What a button says.
    pub display_name: String,
    /// Where it leads.
    pub to: Vec<String>,
    /// Whether it may be taken.
    pub status: Status,
    /// The permissions that it asks for.
    pub permissions: Vec<String>,
    /// Those of them that whoever asks does not hold.
    pub missing_permissions: Vec<String>,
    /// The evidence that would authorise it: every guard and entry condition on the way that is not true now.
    pub needs: Vec<GuardAnswer>,
    /// Why it may not be taken.
    pub reasons: Vec<Reason>,
}

impl History {
    /// The card of the object as of now: the state and what it means, since when, on what evidence, what the system
    /// is doing, the deadline and what happens then, what the actor of `ctx` may do, what blocks the rest, and
    /// which evidence would authorise it. Without `ctx.timestamp` the time is now.
    #[must_use]
    pub fn card(&self, ctx: &Context) -> Card {
        let now = self.now();
        let ctx = Context { timestamp: ctx.timestamp.or(Some(now)), ..ctx.clone() };
        let here = self.state_at(now);
        let snapshot = self.snapshot_at(now);
        let states = self.card_states(&here.states);
        let mut card = Card {
            object_id: self.object_id().map(Into::into),
            now,
            status: here.status,
            doing: Self::doing(&states),
            states,
            evidence: self.card_evidence(here.row),
            deadlines: vec![],
            actions: vec![],
            operations: vec![],
            stuck: vec![],
        };
        if let Some(snapshot) = &snapshot {
            self.ask(&mut card, snapshot, &ctx);
        }
        card.stuck = Self::stuck(&card, snapshot.as_ref(), &self.overdue());
        card
    }

    /// What the machine says of the object.
    fn ask(&self, card: &mut Card, snapshot: &Snapshot, ctx: &Context) {
        let machine = &self.machine;
        // The snapshot was made for this machine: no question of it can be foreign.
        card.evidence.conditions = machine.evidence(snapshot, ctx).unwrap_or_default();
        card.deadlines = self.card_deadlines(snapshot, ctx);
        let guards = machine.guards(snapshot, ctx, &Request::default()).unwrap_or_default();
        let available = machine.available(snapshot, ctx, &AvailableOptions::default());
        let actions = available.unwrap_or_default();
        let mut actions: Vec<CardAction> =
            actions.into_iter().map(|available| card_action(available, &guards, ctx)).collect();
        actions.sort_by_key(|action| action.status != Status::Enabled);
        card.actions = actions;
        for state in &card.states {
            let id = machine.state_id(&state.state);
            for operation in id.into_iter().flat_map(|id| &machine.state(id.0).permits) {
                if !card.operations.contains(operation) {
                    card.operations.push(operation.clone());
                }
            }
        }
    }

    fn card_states(&self, leaves: &[String]) -> Vec<CardState> {
        let ids: Option<Vec<u32>> =
            leaves.iter().map(|path| self.machine.state_id(path).map(|id| id.0)).collect();
        let Some(ids) = ids else {
            // Of states that the definition does not have, only the names are known.
            let foreign = |path: &String| CardState {
                state: path.clone(),
                display_name: path.clone(),
                description: None,
                kind: Kind::Stable,
                is_terminal: false,
                since: None,
                for_time: None,
            };
            return leaves.iter().map(foreign).collect();
        };
        let number = self.last_up_to(self.now());
        let since = |id: u32| match number {
            Some(number) => {
                let known = self.pass.steps[number].since.iter().find(|(state, _)| *state == id);
                known.and_then(|(_, since)| *since)
            }
            None => self.created_at(),
        };
        let state = |&id: &u32| {
            let written = self.machine.state(id);
            let since = since(id);
            CardState {
                state: self.name(id).to_string(),
                display_name: written.title().to_string(),
                description: written.description.clone(),
                kind: written.kind,
                is_terminal: written.is_terminal,
                since,
                for_time: since.and_then(|since| self.passed(since)),
            }
        };
        self.machine.with_outer(&ids).iter().map(state).collect()
    }

    fn passed(&self, since: Time) -> Option<Duration> {
        match &self.options.calendar {
            Some(calendar) => Some(calendar.working_time(since, self.now())),
            None => Duration::from_micros(self.now().micros() - since.micros()),
        }
    }

    fn card_evidence(&self, number: Option<u64>) -> CardEvidence {
        let row = number.and_then(|number| self.rows.iter().find(|row| row.row == number));
        CardEvidence {
            row: number,
            at: row.map(|row| row.timestamp),
            action: row.and_then(|row| row.action.clone()),
            actor_id: row.and_then(|row| row.actor_id.clone()),
            reason: row.and_then(|row| row.reason.clone()),
            conditions: vec![],
            violations: self.violations().len(),
        }
    }

    fn card_deadlines(&self, snapshot: &Snapshot, ctx: &Context) -> Vec<Deadline> {
        let machine = &self.machine;
        let mut all: Vec<Deadline> = Vec::new();
        let permissions = machine.permissions().into_iter().map(Into::into).collect();
        for due in machine.deadlines(snapshot).unwrap_or_default() {
            let at = match (&self.options.calendar, snapshot.entered_at.get(&due.state)) {
                (Some(_), Some(&since)) => self.by_calendar(&due.state, since, due.kind),
                _ => Some(due.at),
            };
            let Some(at) = at else { continue };
            let system = Context {
                actor_type: Some("system".into()),
                timestamp: Some(at.max(snapshot.updated_at.unwrap_or(at))),
                permissions: Vec::clone(&permissions),
                ..ctx.clone()
            };
            let (to, then) = match due.kind {
                DueKind::Notification => {
                    (vec![], format!("somebody is told that `{}` comes", due.action))
                }
                DueKind::Timeout => self.outcome(snapshot, &due.action, &due.state, &system),
            };
            let behind = all.partition_point(|before| before.at <= at);
            let (kind, state, action) = (due.kind, due.state, due.action);
            let is_over = at <= self.now();
            all.insert(behind, Deadline { kind, state, action, at, is_over, to, then });
        }
        all
    }

    fn by_calendar(&self, state: &str, since: Time, kind: DueKind) -> Option<Time> {
        let calendar = self.options.calendar.as_ref()?;
        let id = self.machine.state_id(state)?.0;
        let timer = self.machine.shared.resolved.timers[id as usize]?;
        let after = match (kind, timer.notify_before) {
            (DueKind::Notification, Some(before)) => {
                Duration::from_micros(timer.after.micros() - before.micros())?
            }
            _ => timer.after,
        };
        calendar.add(since, after)
    }

    /// Where a timeout leads.
    fn outcome(
        &self,
        snapshot: &Snapshot,
        action: &str,
        state: &str,
        ctx: &Context,
    ) -> (Vec<String>, String) {
        use crate::step::Decision;
        let request = Request { from_state: Some(state.into()), ..Request::default() };
        match self.machine.decide(snapshot, action, ctx, &request) {
            Ok(Decision::Accepted(plan)) => {
                let names = quoted(plan.snapshot.states.iter().map(String::as_str));
                (plan.snapshot.states, shortened(format!("`{action}` leads to {names}")))
            }
            Ok(Decision::Refused(refused)) => {
                (vec![], shortened(format!("`{action}` would be refused: {}", refused.message)))
            }
            Ok(Decision::AlreadyApplied(_)) | Err(_) => {
                (vec![], format!("`{action}` would be refused"))
            }
        }
    }

    /// Whether the machine itself, and not one inside a state, has ended: outer states come first.
    fn has_ended(states: &[CardState]) -> bool {
        states.first().is_some_and(|state| state.is_terminal)
    }

    /// What the system is doing with an object in these states.
    fn doing(states: &[CardState]) -> String {
        let Some(innermost) = states.last() else { return "the object does not exist".into() };
        let of_kind = |kind| states.iter().rev().find(|state| state.kind == kind);
        let title = &innermost.display_name;
        shortened(match (of_kind(Kind::Transitional), of_kind(Kind::Faulty)) {
            _ if Self::has_ended(states) => format!("nothing: `{title}` is the end"),
            (Some(state), _) => {
                let text = state.description.as_ref().unwrap_or(&state.display_name);
                format!("the system is at work: {text}")
            }
            (None, Some(state)) => {
                let title = &state.display_name;
                format!("nothing: something went wrong, and `{title}` waits for an action")
            }
            (None, None) => format!("nothing: `{title}` waits for an action"),
        })
    }

    fn stuck(card: &Card, snapshot: Option<&Snapshot>, overdue: &[Overdue]) -> Vec<StuckCause> {
        let mut causes: Vec<StuckCause> = overdue.iter().map(Overdue::cause).collect();
        let mut add = |code, message: String| {
            causes.push(StuckCause { code, message: shortened(message) });
        };
        let is_over = Self::has_ended(&card.states);
        if card.status != Certainty::Known || snapshot.is_none() {
            if card.status != Certainty::NotCreated {
                let message = "its history does not say for sure where it is, or the definition has no such state";
                add(StuckCode::NotKnown, message.into());
            }
        } else if !is_over && card.actions.is_empty() {
            let names = quoted(card.states.iter().map(|state| state.state.as_str()));
            add(
                StuckCode::NoWayOut,
                format!("no transition leads out of {names}, which is not terminal"),
            );
        } else if !is_over
            && card.actions.iter().all(|action| action.status != Status::Enabled)
            && card.deadlines.iter().all(|deadline| deadline.to.is_empty())
        {
            let first = card.actions.first().and_then(|action| action.reasons.first());
            let why = first.map(|reason| reason.message.clone()).unwrap_or_default();
            add(
                StuckCode::Blocked,
                format!("nothing can be done here, and no timeout will: {why}"),
            );
        }
        causes
    }
}

fn card_action(available: Availability, guards: &[GuardAnswer], ctx: &Context) -> CardAction {
    let Availability {
        action, display_name, transitions, to, permissions, status, reasons, ..
    } = available;
    let is_of = |answer: &&GuardAnswer| {
        answer.action == action
            && transitions.contains(&answer.transition)
            && answer.status != GuardStatus::True
    };
    let needs = guards.iter().filter(is_of).cloned().collect();
    let missing = permissions.iter().filter(|permission| !ctx.holds(permission));
    let missing_permissions = missing.cloned().collect();
    CardAction {
        action,
        display_name,
        to,
        status,
        permissions,
        missing_permissions,
        needs,
        reasons,
    }
}
