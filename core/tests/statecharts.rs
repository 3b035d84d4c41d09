//! Machines inside machines: what holds for every definition and every action.
//!
//! The heart is a second engine, written plainly from SCXML Appendix D; both
//! must do the same. `STATECHART_CASES` multiplies the number of cases.

#[path = "statecharts/asks.rs"]
mod asks;
#[path = "statecharts/charts.rs"]
mod charts;
#[path = "statecharts/flat.rs"]
mod flat;
#[path = "statecharts/history.rs"]
mod history;
#[path = "statecharts/mutations.rs"]
mod mutations;
#[path = "statecharts/reference.rs"]
mod reference;

use std::collections::BTreeSet;

use asks::{Ask, asks, host, machine_with, noon, start};
use charts::{ALL, sound};
use proptest::prelude::*;
use reference::{Chart, Place, World, ancestors};
use serde_json::{Value, json};
use veristate::{
    Accepted, AvailableOptions, Context, Decision, Machine, ReasonCode, Refused, Request,
    ScriptStep, Snapshot, Status, Time, TraceStep,
};

fn cases(count: u32) -> ProptestConfig {
    let times = std::env::var("STATECHART_CASES").ok().and_then(|times| times.parse().ok());
    ProptestConfig::with_cases(count * times.unwrap_or(1))
}

/// Where the object of a snapshot is, in the words of the reference.
fn place(chart: &Chart, snapshot: &Snapshot) -> Place {
    Place { active: chart.in_order(snapshot.entered_at.keys()), memory: snapshot.memory.clone() }
}

/// What a refusal is called in the reference.
fn code(refused: &Refused) -> &'static str {
    match refused.code {
        ReasonCode::UnknownAction => "unknown-action",
        ReasonCode::NoTransition | ReasonCode::TerminalState => "no-transition",
        ReasonCode::GuardsFailed => "guards-failed",
        ReasonCode::GuardUnknown | ReasonCode::GuardNotRegistered => "guard-unknown",
        ReasonCode::MissingPermissions => "missing-permissions",
        ReasonCode::NeverRests => "never-rests",
        ReasonCode::EntryConditionFailed => "entry-condition-failed",
        ReasonCode::EntryConditionUnknown => "entry-condition-unknown",
        _ => "something else",
    }
}

/// Both engines have done the same.
fn compare(
    chart: &Chart,
    decision: &Decision,
    expected: &Result<reference::Step, &'static str>,
) -> Result<(), TestCaseError> {
    match (decision, expected) {
        (Decision::Accepted(plan), Ok(step)) => {
            let effects: Vec<&String> = plan.effects.iter().map(|effect| &effect.name).collect();
            prop_assert_eq!(&plan.exited, &step.exited, "exited");
            prop_assert_eq!(&plan.transitions, &step.transitions, "transitions");
            prop_assert_eq!(&plan.entered, &step.entered, "entered");
            prop_assert_eq!(effects, step.effects.iter().collect::<Vec<_>>(), "effects");
            prop_assert_eq!(&plan.snapshot.states, &chart.leaves(&step.place.active), "leaves");
            prop_assert_eq!(&place(chart, &plan.snapshot), &step.place, "place");
        }
        (Decision::Refused(refused), Err(expected)) => prop_assert_eq!(code(refused), *expected),
        (decision, expected) => prop_assert!(false, "{decision:?} is not {expected:?}"),
    }
    Ok(())
}

/// Plays questions from the creation on; `each` sees the object before, the question and the answer. None where
/// the creation is refused.
fn play(
    machine: &Machine,
    flags: u8,
    asks: &[Ask],
    mut each: impl FnMut(&Snapshot, &Ask, &Decision) -> Result<(), TestCaseError>,
) -> Result<Option<Snapshot>, TestCaseError> {
    let Decision::Accepted(created) = start(machine, flags) else { return Ok(None) };
    let mut snapshot = created.snapshot;
    for ask in asks {
        let decision = ask.decide(machine, &snapshot);
        each(&snapshot, ask, &decision)?;
        if let Decision::Accepted(plan) = decision {
            snapshot = plan.snapshot;
        }
    }
    Ok(Some(snapshot))
}

/// Replays what was left and entered; it is balanced, and the clocks are those of what was entered last.
fn check_plan(before: &Snapshot, plan: &Accepted) -> Result<(), TestCaseError> {
    let mut clocks = before.entered_at.clone();
    let at = plan.record.timestamp;
    let mut rest = plan.entered.iter();
    // States are left and entered in turns, round by round: only the sums are known.
    let mut count: std::collections::BTreeMap<&String, i32> =
        clocks.keys().map(|path| (path, 1)).collect();
    for path in &plan.exited {
        *count.entry(path).or_default() -= 1;
    }
    for path in rest.by_ref() {
        *count.entry(path).or_default() += 1;
    }
    prop_assert!(count.values().all(|count| matches!(count, 0 | 1)), "{count:?}");
    let active: BTreeSet<&String> =
        count.iter().filter(|(_, count)| **count == 1).map(|(path, _)| *path).collect();
    prop_assert_eq!(active, plan.snapshot.entered_at.keys().collect::<BTreeSet<_>>());
    clocks.retain(|path, _| !plan.exited.contains(path));
    for path in &plan.entered {
        if plan.snapshot.entered_at.contains_key(path) {
            clocks.insert(path.clone(), at);
        }
    }
    prop_assert_eq!(&clocks, &plan.snapshot.entered_at);
    prop_assert_eq!(&plan.record.from_states, &before.states);
    prop_assert_eq!(&plan.record.to_states, &plan.snapshot.states);
    for (index, effect) in plan.effects.iter().enumerate() {
        prop_assert_eq!(&effect.key, &format!("o:{}:{index}", plan.record.sequence));
    }
    Ok(())
}

/// The active states are those that the leaves have around them.
fn check_legal(machine: &Machine, snapshot: &Snapshot) -> Result<(), TestCaseError> {
    let mut active: BTreeSet<&str> = snapshot.states.iter().map(String::as_str).collect();
    prop_assert_eq!(active.len(), snapshot.states.len());
    for leaf in &snapshot.states {
        active.extend(ancestors(leaf).filter(|path| !path.is_empty()));
    }
    let outline = machine.outline();
    let of_root = outline.iter().filter(|state| state.parent.is_none());
    prop_assert_eq!(of_root.filter(|state| active.contains(state.path.as_str())).count(), 1);
    for state in &outline {
        if !active.contains(state.path.as_str()) {
            continue;
        }
        let children = outline.iter().filter(|child| child.parent.as_ref() == Some(&state.path));
        let children: Vec<_> =
            children.filter(|child| child.shape != veristate::StateShape::History).collect();
        let here = children.iter().filter(|child| active.contains(child.path.as_str())).count();
        let expected = match state.shape {
            veristate::StateShape::Atomic => 0,
            veristate::StateShape::Compound => 1,
            veristate::StateShape::Parallel => children.len(),
            veristate::StateShape::History => {
                return Err(TestCaseError::fail("a history state is active"));
            }
        };
        prop_assert_eq!(here, expected);
    }
    Ok(())
}

/// The first action of an object of this definition.
fn first(definition: &Value, action: &str) -> Accepted {
    let machine = machine_with(definition, &asks::Host::new());
    let Decision::Accepted(created) = start(&machine, 0) else { panic!("it is created") };
    let ctx = Context { timestamp: Some(noon()), ..Context::default() };
    match machine.decide(&created.snapshot, action, &ctx, &Request::default()) {
        Ok(Decision::Accepted(plan)) => plan,
        other => panic!("it is accepted: {other:?}"),
    }
}

#[test]
fn a_state_with_regions_that_leads_into_one_begins_the_others_anew() {
    let plan = first(
        &json!({
            "object_type": "Thing", "initial_state": "p", "allow": ["no-terminal-state", "region-never-joins"],
            "states": [{ "name": "p", "regions": [{ "name": "r" }, { "name": "s" }] }],
            "transitions": [{ "name": "t", "action": "go", "from_state": "p", "to_state": "p.r" }],
        }),
        "go",
    );
    assert_eq!(plan.exited, ["p.s", "p.r"]);
    assert_eq!(plan.entered, ["p.r", "p.s"]);
}

#[test]
fn a_history_state_around_the_domain_enters_nothing_that_is_active() {
    let plan = first(
        &json!({
            "object_type": "Thing", "initial_state": "p", "allow": ["no-terminal-state", "region-never-joins"],
            "states": [{ "name": "p", "regions": [
                { "name": "r", "sub_machine": { "initial_state": "a", "states": [{ "name": "a" }, { "name": "b" }] } },
                { "name": "h", "history": "shallow", "default_target": "r.b" },
            ] }],
            "transitions": [{ "name": "t", "action": "go", "from_state": "p.r.a", "to_state": "p.h" }],
        }),
        "go",
    );
    assert_eq!(plan.exited, ["p.r.a"]);
    assert_eq!(plan.entered, ["p.r.b"]);
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn both_engines_do_the_same(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(8)) {
        let (machine, chart) = (machine_with(&definition, &host), Chart::read(&definition));
        let object = asks::object(flags);
        let world = World { before: object.clone(), after: object, host: host.clone(), ..World::default() };
        compare(&chart, &start(&machine, flags), &chart.start(&world))?;
        play(&machine, flags, &asks, |before, ask, decision| {
            let request = ask.request(before);
            let from = request.from_state.as_deref();
            let expected = chart.act(&place(&chart, before), ask.action, from, &ask.world(before, &host));
            compare(&chart, decision, &expected)?;
            if let Decision::Accepted(plan) = decision {
                check_plan(before, plan)?;
                check_legal(&machine, &plan.snapshot)?;
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_stored_snapshot_goes_on_as_it_was(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(8)) {
        let machine = machine_with(&definition, &host);
        let end = play(&machine, flags, &asks, |before, ask, decision| {
            let text = serde_json::to_string(before).expect("it can be written");
            let stored: Snapshot = veristate::read(&text).expect("it can be read");
            prop_assert_eq!(&stored, before);
            prop_assert_eq!(&ask.decide(&machine, &stored), decision);
            prop_assert_eq!(machine.adopt(before, &[].into()), Ok(before.clone()));
            Ok(())
        })?;
        if let Some(end) = end {
            prop_assert_eq!(machine.adopt(&end, &[].into()), Ok(end));
        }
    }

    #[test]
    fn every_question_has_the_answer_of_decide(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(8)) {
        let machine = machine_with(&definition, &host);
        let mut decisions = Vec::new();
        let mut script = Vec::new();
        let end = play(&machine, flags, &asks, |before, ask, decision| {
            let (ctx, request) = (ask.ctx(), ask.request(before));
            script.push(ScriptStep {
                action: Some(ask.action.into()),
                ctx: Some(ctx.clone()),
                request: Some(request.clone()),
                ..ScriptStep::default()
            });
            decisions.push(decision.clone());
            let options = AvailableOptions { all: true, request };
            let rows = machine.available(before, &ctx, &options).expect("it belongs here");
            let row = rows.iter().find(|row| row.action == ask.action);
            let expected = match decision {
                Decision::Accepted(_) => Status::Enabled,
                Decision::Refused(refused) => match refused.code {
                    ReasonCode::GuardUnknown | ReasonCode::GuardNotRegistered | ReasonCode::EntryConditionUnknown => Status::Unknown,
                    _ => Status::Disabled,
                },
                Decision::AlreadyApplied(_) => return Err(TestCaseError::fail("there are no request ids")),
            };
            if machine.action_id(ask.action).is_some() {
                prop_assert_eq!(row.map(|row| row.status), Some(expected), "{:?}", decision);
            }
            if let (Some(row), Decision::Accepted(plan)) = (row, decision) {
                prop_assert!(row.reasons.is_empty());
                prop_assert!(plan.transitions.starts_with(&row.transitions), "{:?} {:?}", row.transitions, plan.transitions);
                prop_assert!(row.from.iter().all(|path| before.entered_at.contains_key(path)));
            }
            let plain = machine.decide(before, ask.action, &ctx, &Request::default());
            let accepted = matches!(plain, Ok(Decision::Accepted(_)));
            prop_assert_eq!(machine.can(before, ask.action, &ctx).ok(), Some(accepted));
            Ok(())
        })?;
        if let (Some(end), Decision::Accepted(created)) = (end, start(&machine, flags)) {
            let ctx = Context { timestamp: Some(noon()), ..Context::default() };
            let trace = machine.simulate(&created.snapshot, &ctx, &script).expect("a script of actions");
            prop_assert_eq!(trace.snapshot, end);
            let played = trace.steps.into_iter().filter_map(|step| match step {
                TraceStep::Action { decision, .. } => Some(decision),
                _ => None,
            });
            prop_assert_eq!(played.collect::<Vec<_>>(), decisions);
        }
    }

    #[test]
    fn an_instance_decides_as_decide(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(8)) {
        let machine = machine_with(&definition, &host);
        let Decision::Accepted(created) = start(&machine, flags) else { return Ok(()) };
        let mut instance = machine.instance(created.snapshot).expect("it belongs here");
        let asks: Vec<Ask> = asks.into_iter().map(Ask::of_all).collect();
        let mut records = Vec::new();
        let mut snapshot = instance.snapshot();
        for ask in &asks {
            let Some(action) = machine.action_id(ask.action) else { continue };
            // An instance has one object: the one that it is given.
            if let Some(object) = ask.request(&snapshot).object {
                snapshot.object = object.clone();
                instance.set_object(object).expect("it is flat");
            }
            let ctx = ask.ctx();
            let decision = machine.decide(&snapshot, ask.action, &ctx, &Request::default()).expect("it belongs here");
            instance.set_context(ctx.clone());
            prop_assert_eq!(Some(instance.can(action)), machine.can(&snapshot, ask.action, &ctx).ok());
            match (instance.apply(action, ctx.timestamp.expect("a question has its time")), decision) {
                (Ok(()), Decision::Accepted(plan)) => {
                    prop_assert_eq!(&instance.snapshot(), &plan.snapshot);
                    snapshot = plan.snapshot;
                    records.push(plan.record);
                    let leaves = snapshot.states.iter().filter_map(|path| machine.state_id(path));
                    prop_assert_eq!(instance.leaves().collect::<Vec<_>>(), leaves.collect::<Vec<_>>());
                    for path in machine.states() {
                        let is_in = machine.state_id(path).map(|id| instance.is_in(id));
                        prop_assert_eq!(is_in, Some(snapshot.entered_at.contains_key(path)));
                    }
                }
                (Err(said), Decision::Refused(refused)) => prop_assert_eq!(*said, refused),
                (said, decided) => prop_assert!(false, "{said:?} is not {decided:?}"),
            }
        }
        let mut taken = instance.take_records();
        for record in &mut taken {
            // It carries the data that were set.
            record.object = None;
        }
        prop_assert_eq!(taken, records);
    }

    #[test]
    fn a_timeout_is_decided_from_its_state(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(5), minutes in 0..300_u32) {
        let machine = machine_with(&definition, &host);
        let Some(before) = play(&machine, flags, &asks, |_, _, _| Ok(()))? else { return Ok(()) };
        let ctx = Context { timestamp: before.updated_at, ..Context::default() };
        let wait = ScriptStep { advance: Some(format!("{minutes}m")), ..ScriptStep::default() };
        let trace = machine.simulate(&before, &ctx, &[wait]).expect("no timeout is of no length");
        let mut snapshot = before;
        let mut last: Option<Time> = None;
        for step in trace.steps {
            let TraceStep::Timeout { due, decision } = step else { continue };
            prop_assert!(snapshot.entered_at.contains_key(&due.state));
            let at = match &decision {
                Decision::Accepted(plan) => plan.record.timestamp,
                _ => due.at.max(last.unwrap_or(due.at)),
            };
            prop_assert!(last.is_none_or(|last| last <= at));
            last = Some(at);
            let ctx = Context {
                timestamp: Some(at),
                actor_id: Some("system".into()),
                actor_type: Some("system".into()),
                ..Context::default()
            };
            let request = Request { from_state: Some(due.state.clone()), ..Request::default() };
            let decided = machine.decide(&snapshot, &due.action, &ctx, &request).expect("it belongs here");
            prop_assert_eq!(&decided, &decision);
            if let Decision::Accepted(plan) = decided {
                snapshot = plan.snapshot;
            }
        }
        prop_assert_eq!(trace.snapshot, snapshot);
    }

    #[test]
    fn a_snapshot_from_a_stranger_is_located_or_refused(
        definition in sound(ALL), flags in 0..90_u8, asks in asks(6), changes in mutations::changes(), host in host(),
    ) {
        let machine = machine_with(&definition, &host);
        let Some(end) = play(&machine, flags, &asks, |_, _, _| Ok(()))? else { return Ok(()) };
        let mut changed = end.clone();
        mutations::change_snapshot(&mut changed, &machine, &changes);
        for ask in &asks {
            if let Ok(Decision::Accepted(plan)) = machine.decide(&changed, ask.action, &ask.ctx(), &Request::default()) {
                // Only the order in which its leaves are listed is mended.
                let mended = machine.adopt(&changed, &[].into()).expect("it belongs here");
                check_plan(&mended, &plan)?;
                check_legal(&machine, &plan.snapshot)?;
                prop_assert!(machine.instance(plan.snapshot).is_ok());
            }
        }
        if machine.instance(changed.clone()).is_ok() {
            check_legal(&machine, &changed)?;
            let adopted = machine.adopt(&changed, &[].into()).expect("it belongs here");
            prop_assert!(machine.instance(adopted.clone()).is_ok());
            let sorted = |states: &[String]| states.iter().cloned().collect::<BTreeSet<_>>();
            prop_assert_eq!(sorted(&adopted.states), sorted(&changed.states));
            prop_assert_eq!(&adopted.entered_at, &changed.entered_at);
        } else if let Ok(adopted) = machine.adopt(&changed, &[].into()) {
            check_legal(&machine, &adopted)?;
            prop_assert!(machine.instance(adopted).is_ok());
        }
    }

    #[test]
    fn a_changed_definition_plays_or_is_refused(
        definition in sound(ALL), changes in mutations::changes(), host in host(), flags in 0..8_u8, asks in asks(6),
    ) {
        let mut changed = definition;
        mutations::change_definition(&mut changed, &changes);
        let text = changed.to_string();
        let found = veristate::check(&text, &veristate::Limits::default());
        let Ok(mut machine) = Machine::from_json(&text) else {
            prop_assert!(found.iter().any(|found| found.severity == veristate::Severity::Error));
            return Ok(());
        };
        for (name, says) in &host {
            let says = says.ok_or("it cannot tell".to_owned());
            _ = machine.register_guard(name, move |_: &Value, _: &Context, _: &[String]| says.clone());
        }
        play(&machine, flags, &asks, |before, _, decision| {
            if let Decision::Accepted(plan) = decision {
                check_plan(before, plan)?;
                check_legal(&machine, &plan.snapshot)?;
                prop_assert!(machine.instance(plan.snapshot.clone()).is_ok());
            }
            let options = AvailableOptions { all: true, ..AvailableOptions::default() };
            prop_assert!(machine.available(before, &Context::default(), &options).is_ok());
            Ok(())
        })?;
        let limits = veristate::Limits { configurations: 200, ..veristate::Limits::default() };
        if let Ok(flat) = machine.flatten(&limits) {
            prop_assert!(Machine::new(flat.clone()).is_ok(), "{}", json!(flat));
        }
        _ = machine.routes(&limits);
        _ = machine.test_vectors(&limits);
    }
}
