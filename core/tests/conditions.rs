//! What an entry condition is asked on.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use veristate::{
    AvailableOptions, Context, Decision, Definition, Machine, NewObject, ReasonCode, Request,
};

/// What the guards were given, in order: which guard, the object's data and the states.
type Seen = Arc<Mutex<Vec<(&'static str, Value, Vec<String>)>>>;

/// A job whose guards note what they are given; each is true of data with its name.
fn job() -> (Machine, Seen) {
    let definition = r#"{
        "object_type": "Job", "initial_state": "running",
        "states": [
            { "name": "running", "entry_conditions": [{ "name": "s", "require": "started" }] },
            { "name": "done", "is_terminal": true, "entry_conditions": [{ "name": "f", "require": "finished" }] }
        ],
        "transitions": [
            { "name": "finish", "from_state": "running", "to_state": "done", "action": "finish", "guard": "started" },
            { "name": "beat", "from_state": "running", "action": "beat" }
        ]
    }"#;
    let definition = Definition::from_json(definition).expect("it has the shape");
    let mut machine = Machine::new(definition).expect("it has no errors");
    let seen = Seen::default();
    for name in ["started", "finished"] {
        let seen = Arc::clone(&seen);
        let guard = move |object: &Value, _: &Context, states: &[String]| {
            seen.lock().expect("no guard panics").push((name, object.clone(), states.to_vec()));
            Ok(object.get(name).is_some())
        };
        machine.register_guard(name, guard).expect("the definition asks it");
    }
    (machine, seen)
}

fn ctx() -> Context {
    Context { timestamp: "2026-01-01T00:00:00Z".parse().ok(), ..Context::default() }
}

fn with(object: Value) -> Request {
    Request { object: Some(object), ..Request::default() }
}

#[test]
fn it_sees_the_data_and_the_states_after_the_step() {
    let (machine, seen) = job();
    let take = || core::mem::take(&mut *seen.lock().expect("no guard panics"));
    let here = |state: &str| vec![state.to_owned()];
    let (old, new) = (json!({ "started": 1 }), json!({ "started": 1, "finished": 2 }));

    let object = NewObject { object_id: "o".into(), object: old.clone() };
    let Ok(Decision::Accepted(plan)) = machine.start(&object, &ctx(), &Request::default()) else {
        panic!("the data are as they must be")
    };
    assert_eq!(take(), [("started", old.clone(), here("running"))]);

    // The data of the request stand in place of those of the new object.
    let Ok(Decision::Refused(refused)) = machine.start(&object, &ctx(), &with(json!({}))) else {
        panic!("it has not started")
    };
    assert_eq!(refused.code, ReasonCode::EntryConditionFailed);
    assert_eq!(take(), [("started", json!({}), here("running"))]);

    let refused = machine.decide(&plan.snapshot, "finish", &ctx(), &Request::default());
    assert!(matches!(refused, Ok(Decision::Refused(_))));
    let asked =
        [("started", old.clone(), here("running")), ("finished", old.clone(), here("done"))];
    assert_eq!(take(), asked);

    let asked =
        [("started", old.clone(), here("running")), ("finished", new.clone(), here("done"))];
    let accepted = machine.decide(&plan.snapshot, "finish", &ctx(), &with(new.clone()));
    assert!(matches!(accepted, Ok(Decision::Accepted(_))));
    assert_eq!(take(), asked);

    let beat = machine.decide(&plan.snapshot, "beat", &ctx(), &with(json!({})));
    assert!(matches!(beat, Ok(Decision::Refused(_))));
    assert_eq!(take(), [("started", json!({}), here("running"))]);

    let options = AvailableOptions { request: with(new.clone()), ..AvailableOptions::default() };
    machine.available(&plan.snapshot, &ctx(), &options).expect("it belongs here");
    let [finish, beat] = [asked.to_vec(), vec![("started", new, here("running"))]];
    assert_eq!(take(), [finish, beat].concat());

    assert_eq!(machine.check_object(&plan.snapshot, &ctx()), Ok(vec![]));
    assert_eq!(take(), [("started", old, here("running"))]);
}
