//! `flatten`, `routes` and `test_vectors`: what is read off the reachable configurations is so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use serde_json::{Value, json};
use veristate::{Context, Decision, Definition, Limits, Machine, Request, Snapshot};

use crate::{
    asks::{Ask, Host, asks, machine_with, noon, start},
    cases,
    charts::{ACTIONS, Guards, Style, sound},
};

const KNOWN: Style = Style { guards: Guards::Known, permissions: true, conditions: true, size: 12 };
const BARE: Style =
    Style { guards: Guards::Absent, permissions: false, conditions: false, size: 10 };

fn names(decision: &veristate::Accepted) -> Vec<&str> {
    decision.effects.iter().map(|effect| effect.name.as_str()).collect()
}

/// The transitions that those of a flat machine stand for.
fn meant(flat: &Definition, taken: &[String]) -> Vec<Value> {
    let of = |name: &String| flat.transitions.iter().find(|transition| transition.name == *name);
    let lists = taken.iter().filter_map(|name| of(name)?.metadata.get("transitions")?.as_array());
    lists.flatten().cloned().collect()
}

fn states(flat: &Definition, snapshot: &Snapshot) -> Value {
    let state = flat.states.iter().find(|state| veristate_path(&state.name) == snapshot.states[0]);
    state.and_then(|state| state.metadata.get("states").cloned()).unwrap_or_default()
}

fn veristate_path(name: &str) -> String {
    crate::reference::join("", name)
}

/// An action of somebody who may do everything.
fn act(machine: &Machine, snapshot: &Snapshot, action: &str) -> Option<veristate::Accepted> {
    let ctx = Context { timestamp: Some(noon()), ..Context::default() };
    match machine.decide(snapshot, action, &ctx, &Request::default()) {
        Ok(Decision::Accepted(plan)) => Some(plan),
        _ => None,
    }
}

#[test]
fn a_flat_step_that_never_rests_is_refused_too() {
    // A region keeps the circle from being proved when the definition is checked.
    let definition = json!({
        "object_type": "Thing", "initial_state": "a", "allow": ["no-terminal-state", "region-never-joins"],
        "states": [{ "name": "a" }, { "name": "b", "regions": [{ "name": "r" }] }, { "name": "c" }],
        "transitions": [
            { "name": "endless", "action": "go", "from_state": "a", "to_state": "b", "guard": "object.a" },
            { "name": "good", "action": "go", "from_state": "a", "to_state": "c" },
            { "name": "spin", "trigger": "automatic", "from_state": "b.r" },
        ],
    });
    let machine = machine_with(&definition, &Host::new());
    let flat = Machine::new(machine.flatten(&Limits::default()).expect("it is small"));
    let flat = flat.expect("it has no errors");
    for (flags, is_accepted) in [(0, true), (1, false)] {
        for machine in [&machine, &flat] {
            let Decision::Accepted(created) = start(machine, flags) else {
                panic!("it is created")
            };
            assert_eq!(act(machine, &created.snapshot, "go").is_some(), is_accepted);
        }
    }
    let vectors = machine.test_vectors(&Limits::default()).expect("it is small");
    assert_eq!(vectors.unreachable, ["/transitions/0", "/transitions/2"]);
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_flat_machine_goes_the_same_ways(definition in sound(KNOWN), flags in 0..8_u8, asks in asks(8)) {
        let machine = machine_with(&definition, &Host::new());
        let limits = Limits { configurations: 1_000, ..Limits::default() };
        let Ok(flat) = machine.flatten(&limits) else { return Ok(()) };
        let made = Machine::new(flat.clone());
        prop_assert!(made.is_ok(), "{:?} {}", made, json!(flat));
        let Ok(made) = made else { return Ok(()) };
        let (mut nested, mut other) = match (start(&machine, flags), start(&made, flags)) {
            (Decision::Accepted(nested), Decision::Accepted(other)) => {
                prop_assert_eq!(names(&nested), names(&other));
                (nested.snapshot, other.snapshot)
            }
            (Decision::Refused(_), Decision::Refused(_)) => return Ok(()),
            (nested, other) => return Err(TestCaseError::fail(format!("{nested:?} is not {other:?}"))),
        };
        for ask in asks.into_iter().map(Ask::known) {
            prop_assert_eq!(states(&flat, &other), json!(nested.states));
            match (ask.decide(&machine, &nested), ask.decide(&made, &other)) {
                (Decision::Accepted(one), Decision::Accepted(two)) => {
                    prop_assert_eq!(names(&one), names(&two));
                    prop_assert_eq!(json!(one.transitions), json!(meant(&flat, &two.transitions)));
                    (nested, other) = (one.snapshot, two.snapshot);
                }
                (Decision::Refused(_), Decision::Refused(_)) => {}
                (one, two) => return Err(TestCaseError::fail(format!("{one:?} is not {two:?}"))),
            }
        }
        prop_assert_eq!(states(&flat, &other), json!(nested.states));
    }

    #[test]
    fn a_route_is_the_shortest_way(definition in sound(BARE)) {
        let machine = machine_with(&definition, &Host::new());
        let limits = Limits { configurations: 300, ..Limits::default() };
        let Ok(routes) = machine.routes(&limits) else { return Ok(()) };
        let Decision::Accepted(created) = start(&machine, 0) else {
            prop_assert!(routes.is_empty());
            return Ok(());
        };
        for route in &routes {
            let mut snapshot = created.snapshot.clone();
            for action in &route.actions {
                let plan = act(&machine, &snapshot, action);
                prop_assert!(plan.is_some(), "{:?} is refused", action);
                snapshot = plan.map_or(snapshot, |plan| plan.snapshot);
            }
            prop_assert_eq!(&snapshot.states, &route.states);
        }
        let mut shortest: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut open = VecDeque::from([(created.snapshot, 0)]);
        while let Some((snapshot, length)) = open.pop_front() {
            if !seen.insert((snapshot.states.clone(), snapshot.memory.clone())) {
                continue;
            }
            shortest.entry(snapshot.states.clone()).or_insert(length);
            let next = ACTIONS.iter().filter_map(|action| act(&machine, &snapshot, action));
            open.extend(next.map(|plan| (plan.snapshot, length + 1)));
        }
        let found: BTreeMap<Vec<String>, usize> =
            routes.into_iter().map(|route| (route.states, route.actions.len())).collect();
        prop_assert_eq!(found, shortest);
    }

    #[test]
    fn a_test_vector_is_what_happens(definition in sound(BARE)) {
        let machine = machine_with(&definition, &Host::new());
        let limits = Limits { configurations: 300, ..Limits::default() };
        let Ok(vectors) = machine.test_vectors(&limits) else { return Ok(()) };
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for vector in &vectors.vectors {
            let mut snapshot: Option<Snapshot> = None;
            for step in &vector.steps {
                let plan = match (&step.action, &snapshot) {
                    (Some(action), Some(snapshot)) => act(&machine, snapshot, action),
                    (None, None) => match start(&machine, 0) {
                        Decision::Accepted(plan) => Some(plan),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(plan) = plan else {
                    return Err(TestCaseError::fail(format!("{step:?} is refused")));
                };
                prop_assert_eq!(&plan.transitions, &step.transitions);
                prop_assert_eq!(&plan.exited, &step.exited);
                prop_assert_eq!(&plan.entered, &step.entered);
                prop_assert_eq!(names(&plan), step.effects.iter().map(String::as_str).collect::<Vec<_>>());
                prop_assert_eq!(&plan.snapshot.states, &step.states);
                prop_assert!(step.guards.is_empty() && step.permissions.is_empty());
                taken.extend(plan.transitions);
                snapshot = Some(plan.snapshot);
            }
        }
        let name = |pointer: &String| definition.pointer(pointer)?["name"].as_str().map(String::from);
        let mut unreachable = BTreeSet::new();
        for pointer in &vectors.unreachable {
            let name = name(pointer);
            prop_assert!(name.is_some(), "{}", pointer);
            unreachable.extend(name);
        }
        prop_assert!(taken.is_disjoint(&unreachable), "{taken:?} {unreachable:?}");
        prop_assert_eq!(taken.len() + unreachable.len(), definition.to_string().matches("\"from_state\"").count());
    }
}
