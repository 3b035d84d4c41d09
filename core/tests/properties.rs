//! What holds for every definition, every action and every text.
//!
//! A generator says what definitions and scripts look like; the properties
//! are the sentences of DESIGN §2, §4 and §8 that have no exception.

#[path = "properties/definitions.rs"]
mod definitions;
#[path = "properties/scripts.rs"]
mod scripts;

use std::collections::BTreeSet;

use definitions::{broken, odd_text, sound};
use proptest::prelude::*;
use scripts::{Ask, asks, machine_with, says};
use veristate::{
    AvailableOptions, Context, Decision, Definition, Diagnostic, DiagramOptions, Limits, Machine,
    NewObject, ReasonCode, Request, ScriptStep, Severity, Snapshot, Status, Time, TraceStep, check,
};

fn noon() -> Time {
    "2026-01-01T12:00:00Z".parse().expect("it is a time")
}

fn at_noon() -> Context {
    Context { timestamp: Some(noon()), ..Context::default() }
}

fn start(machine: &Machine) -> Snapshot {
    let decision = machine.start(&NewObject::named("o"), &at_noon(), &Request::default());
    match decision.expect("there is a time and a name") {
        Decision::Accepted(plan) => plan.snapshot,
        other => panic!("a creation is accepted: {other:?}"),
    }
}

/// Plays questions from the creation on; `each` sees the object before, the question and the answer.
fn play(
    machine: &Machine,
    asks: &[Ask],
    mut each: impl FnMut(&Snapshot, &Ask, &Decision) -> Result<(), TestCaseError>,
) -> Result<Snapshot, TestCaseError> {
    let mut snapshot = start(machine);
    for ask in asks {
        let decision = ask.decide(machine, &snapshot);
        each(&snapshot, ask, &decision)?;
        if let Decision::Accepted(plan) = decision {
            snapshot = plan.snapshot;
        }
    }
    Ok(snapshot)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_text_can_be_checked(text in odd_text()) {
        let found = check(&text, &Limits::default());
        let is_error = found.iter().any(|found| found.severity == Severity::Error);
        prop_assert_eq!(Machine::from_json(&text).is_err(), is_error);
        for found in &found {
            let (Some(line), Some(column)) = (found.line, found.column) else {
                return Err(TestCaseError::fail("a finding in a text has a place"));
            };
            let line = text.split('\n').nth(line as usize - 1);
            let length = line.map(|line| line.chars().count());
            prop_assert!(length.is_some_and(|length| column as usize <= length + 1), "{found:?}");
        }
    }

    #[test]
    fn a_broken_definition_is_refused_with_its_findings(definition in broken()) {
        let text = definition.to_string();
        let by_text = check(&text, &Limits::default());
        prop_assert_eq!(&by_text, &check(&text, &Limits::default()));
        let made = Definition::from_json(&text).and_then(Machine::new);
        let by_value = match &made {
            Ok(machine) => machine.diagnostics().to_vec(),
            Err(invalid) => invalid.clone().without_positions().diagnostics().to_vec(),
        };
        // The same findings; the fields of a value have no order of their own.
        let brief = |found: &[Diagnostic]| {
            let brief = |found: &Diagnostic| (found.pointer.clone(), format!("{:?} {:?}", found.code, found.severity));
            found.iter().map(brief).collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(by_text.len(), by_value.len());
        prop_assert_eq!(brief(&by_text), brief(&by_value));
        prop_assert!(by_text.is_sorted_by_key(|found| (found.line, found.column)), "{by_text:?}");
        for found in &by_text {
            prop_assert!(definition.pointer(&found.pointer).is_some() || found.pointer.is_empty(), "{found:?}");
            prop_assert!(!found.message.is_empty() && !found.help.is_empty());
        }
    }

    #[test]
    fn a_definition_reads_back_as_it_was(definition in sound()) {
        let definition = Definition::from_json(&definition.to_string()).expect("it has the shape");
        let text = serde_json::to_string(&definition).expect("it can be written");
        prop_assert_eq!(Definition::from_json(&text).expect("it has the shape"), definition);
    }

    #[test]
    fn equal_questions_have_equal_answers(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        let again = machine_with(&definition, &says);
        play(&machine, &asks, |snapshot, ask, decision| {
            prop_assert_eq!(&ask.decide(&again, snapshot), decision);
            Ok(())
        })?;
    }

    #[test]
    fn a_snapshot_survives_json(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        play(&machine, &asks, |snapshot, ask, decision| {
            let text = serde_json::to_string(snapshot).expect("it can be written");
            let stored: Snapshot = veristate::read(&text).expect("it can be read");
            prop_assert_eq!(&stored, snapshot);
            prop_assert_eq!(&ask.decide(&machine, &stored), decision);
            Ok(())
        })?;
    }

    #[test]
    fn each_step_adds_one_record(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        play(&machine, &asks, |before, ask, decision| {
            match decision {
                Decision::Accepted(plan) => {
                    let (after, record) = (&plan.snapshot, &plan.record);
                    prop_assert_eq!(plan.expected_version, before.version);
                    prop_assert_eq!(after.version, before.version + 1);
                    prop_assert_eq!(record.sequence, after.version);
                    prop_assert_eq!(&record.from_states, &before.states);
                    prop_assert_eq!(&record.to_states, &after.states);
                    prop_assert_eq!(after.entered_at.keys().collect::<Vec<_>>(), after.states.iter().collect::<Vec<_>>());
                    // What is entered has a new clock; what stays keeps its own.
                    let since = after.entered_at.values().next().copied();
                    let expected = match record.entered.is_empty() {
                        true => before.entered_at.values().next().copied(),
                        false => ask.ctx().timestamp,
                    };
                    prop_assert_eq!(since, expected);
                    prop_assert_eq!(record.exited.is_empty(), record.entered.is_empty());
                    for (index, effect) in plan.effects.iter().enumerate() {
                        prop_assert_eq!(&effect.key, &format!("o:{}:{index}", record.sequence));
                    }
                    prop_assert!(after.requests.len() <= 64);
                }
                Decision::AlreadyApplied(applied) => {
                    prop_assert_eq!(&applied.snapshot, before);
                    prop_assert_eq!(&applied.record.request_id, &ask.request().request_id);
                }
                Decision::Refused(refused) => {
                    prop_assert_eq!(&refused.from_states, &before.states);
                    prop_assert!(!refused.reasons.is_empty());
                    prop_assert!(!refused.message.is_empty());
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn available_and_can_agree_with_decide(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        play(&machine, &asks, |snapshot, ask, decision| {
            let options = AvailableOptions { all: true, request: ask.request() };
            let rows = machine.available(snapshot, &ask.ctx(), &options).expect("it belongs here");
            let status = rows.iter().find(|row| row.action == ask.action()).map(|row| row.status);
            let expected = match decision {
                Decision::Accepted(_) => Some(Status::Enabled),
                Decision::AlreadyApplied(_) => Some(Status::Disabled),
                Decision::Refused(refused) => match refused.code {
                    ReasonCode::GuardUnknown
                    | ReasonCode::GuardNotRegistered
                    | ReasonCode::EntryConditionUnknown => Some(Status::Unknown),
                    _ => Some(Status::Disabled),
                },
            };
            // An action that no transition takes is in no list.
            prop_assert_eq!(status, expected.filter(|_| machine.actions().any(|known| known == ask.action())));
            let plain = machine.decide(snapshot, ask.action(), &ask.ctx(), &Request::default());
            let accepted = matches!(plain, Ok(Decision::Accepted(_)));
            prop_assert_eq!(machine.can(snapshot, ask.action(), &ask.ctx()).ok(), Some(accepted));
            Ok(())
        })?;
    }

    #[test]
    fn an_object_comes_where_it_breaks_no_condition(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        play(&machine, &asks, |_, ask, decision| {
            match decision {
                Decision::Accepted(plan) => {
                    prop_assert_eq!(machine.check_object(&plan.snapshot, &ask.ctx()), Ok(vec![]));
                }
                Decision::Refused(refused) => {
                    let conditions = refused.reasons.iter().filter(|reason| reason.condition.is_some()).count();
                    let of_conditions = matches!(refused.code, ReasonCode::EntryConditionFailed | ReasonCode::EntryConditionUnknown);
                    prop_assert_eq!(conditions, if of_conditions { refused.reasons.len() } else { 0 });
                }
                Decision::AlreadyApplied(_) => {}
            }
            Ok(())
        })?;
    }

    #[test]
    fn an_instance_decides_as_decide(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        let mut instance = machine.instance(start(&machine)).expect("it belongs here");
        let asks: Vec<Ask> = asks.into_iter().map(Ask::without_request).collect();
        let mut records = Vec::new();
        let end = play(&machine, &asks, |snapshot, ask, decision| {
            let ctx = ask.ctx();
            let Some(action) = machine.action_id(ask.action()) else { return Ok(()) };
            instance.set_context(ctx.clone());
            prop_assert_eq!(Some(instance.can(action)), machine.can(snapshot, ask.action(), &ctx).ok());
            match (instance.apply(action, ctx.timestamp.expect("a question has its time")), decision) {
                (Ok(()), Decision::Accepted(plan)) => {
                    prop_assert_eq!(&instance.snapshot(), &plan.snapshot);
                    records.push(plan.record.clone());
                }
                (Err(said), Decision::Refused(refused)) => prop_assert_eq!(&*said, refused),
                (said, decided) => prop_assert!(false, "{said:?} is not {decided:?}"),
            }
            Ok(())
        })?;
        prop_assert_eq!(instance.snapshot(), end);
        prop_assert_eq!(instance.take_records(), records);
        prop_assert_eq!(instance.take_records(), []);
    }

    #[test]
    fn a_script_ends_where_its_actions_end(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        let mut decisions = Vec::new();
        let end = play(&machine, &asks, |_, _, decision| {
            decisions.push(decision.clone());
            Ok(())
        })?;
        let line = |ask: &Ask| ScriptStep {
            action: Some(ask.action().into()),
            ctx: Some(ask.ctx()),
            request: Some(ask.request()),
            ..ScriptStep::default()
        };
        let script: Vec<ScriptStep> = asks.iter().map(line).collect();
        let trace = machine.simulate(&start(&machine), &at_noon(), &script).expect("a script of actions");
        prop_assert_eq!(trace.snapshot, end);
        let played: Vec<Decision> = trace.steps.into_iter().filter_map(|step| match step {
            TraceStep::Action { decision, .. } => Some(decision),
            _ => None,
        }).collect();
        prop_assert_eq!(played, decisions);
    }

    #[test]
    fn waiting_ends_and_time_never_runs_back(definition in sound(), says in says(), hours in 0_u32..100) {
        let machine = machine_with(&definition, &says);
        let wait = ScriptStep { advance: Some(format!("{hours}h")), ..ScriptStep::default() };
        let Ok(trace) = machine.simulate(&start(&machine), &at_noon(), &[wait]) else {
            // Timeouts of no length may chase each other, up to the limit.
            return Ok(());
        };
        let mut last = noon();
        for step in &trace.steps {
            if let TraceStep::Timeout { decision: Decision::Accepted(plan), .. } = step {
                prop_assert!(plan.record.timestamp >= last);
                last = plan.record.timestamp;
            }
        }
        prop_assert!(trace.ctx.timestamp.is_some_and(|end| end >= last));
        prop_assert!(machine.due(&trace.snapshot, last).is_ok());
    }

    #[test]
    fn adopting_to_the_same_definition_changes_nothing(definition in sound(), says in says(), asks in asks()) {
        let machine = machine_with(&definition, &says);
        let snapshot = play(&machine, &asks, |_, _, _| Ok(()))?;
        prop_assert_eq!(machine.adopt(&snapshot, &[].into()), Ok(snapshot));
    }

    #[test]
    fn edges_are_numbered_as_mermaid_draws_them(definition in sound()) {
        let machine = machine_with(&definition, &[]);
        let options = DiagramOptions { ids: true, ..DiagramOptions::default() };
        let text = machine.to_mermaid(&options);
        let arrows: Vec<&str> = text.lines().filter(|line| line.contains(" --> ")).collect();
        let id = |path: &String| machine.states().iter().position(|known| known == path).unwrap_or(usize::MAX);
        for (index, edge) in machine.edges().iter().enumerate() {
            prop_assert_eq!(&edge.id, &format!("tr-{index}"));
            let number: usize = edge.mermaid.trim_start_matches("edge").parse().expect("a number");
            let arrow = format!("    s{} --> s{}", id(&edge.from), id(&edge.to));
            let line = arrows.get(number).copied().unwrap_or_default();
            prop_assert!(line == arrow || line.starts_with(&format!("{arrow}:")), "{line} is not {arrow}");
        }
        prop_assert_eq!(machine.to_dot(&options).matches(" -> s").count(), machine.edges().len());
        prop_assert_eq!(&text, &machine.to_mermaid(&options));
    }
}
