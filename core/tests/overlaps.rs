//! What is said of guards that overlap or can never be true, against a grid of data.
//!
//! For guards of comparisons with literals the answer is exact: no finding is false, and none is missing.

use proptest::prelude::*;
use serde_json::{Deserializer, Value, json};
use veristate::{
    ActionId, Code, Context, Decision, Definition, Instance, Limits, Machine, NewObject, Request,
};

fn path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["object.a", "object.a", "object.a.c", "ctx.config.k"])
}

fn literal() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "0", "1", "1", "2", "2u", "0.5", "1.0", "1.5", "'a'", "'b'", "''", "true", "false",
    ])
}

fn comparison() -> impl Strategy<Value = String> {
    let operator = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let list = prop::collection::vec(literal(), 0..4);
    prop_oneof![
        6 => (path(), operator.clone(), literal()).prop_map(|(a, is, b)| format!("{a} {is} {b}")),
        2 => (path(), operator, literal()).prop_map(|(a, is, b)| format!("{b} {is} {a}")),
        1 => path().prop_map(|a| format!("{a} != null")),
        1 => path().prop_map(|a| format!("null == {a}")),
        2 => (path(), list).prop_map(|(a, list)| format!("{a} in [{}]", list.join(", "))),
        1 => (path(), prop::sample::select(vec!["'a'", "'b'"])).prop_map(|(a, b)| format!("{b} in {a}")),
        1 => path().prop_map(String::from),
        1 => path().prop_map(|a| format!("has({a})")),
    ]
}

/// Comparisons, joined in up to two levels; few enough alternatives for all of them to be looked at.
fn guard(leaf: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = String> {
    let both = |inner: BoxedStrategy<String>| {
        let join = prop::sample::select(vec!["&&", "&&", "||"]);
        prop_oneof![
            (inner.clone(), join, inner.clone()).prop_map(|(a, is, b)| format!("({a} {is} {b})")),
            inner.prop_map(|a| format!("!({a})")),
        ]
    };
    let choice = (leaf.clone(), leaf.clone(), leaf.clone())
        .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})"));
    let one = prop_oneof![2 => leaf.clone(), 4 => both(leaf.boxed()), 1 => choice].boxed();
    prop_oneof![1 => one.clone(), 3 => both(one)]
}

/// Two guards, and a third that they may name.
fn guards() -> impl Strategy<Value = (String, String, String)> {
    let leaf = prop_oneof![8 => comparison(), 1 => Just(String::from("named"))];
    let named = prop_oneof![
        comparison(),
        (comparison(), comparison()).prop_map(|(a, b)| format!("{a} && {b}")),
    ];
    (guard(leaf.clone()), guard(leaf), named)
}

const FIRST: u32 = 0;
const SECOND: u32 = 1;
const ALWAYS: u32 = 2;

/// A machine with both guards and one that is always true behind one action, and each behind its own.
fn machine(first: &str, second: &str, named: &str) -> Machine {
    let transition = |(name, action, guard): (&str, &str, &str)| json!({ "name": name, "from_state": "s", "action": action, "guard": guard });
    let transitions = [
        ("first", "go", first),
        ("second", "go", second),
        ("always", "go", "true"),
        ("first alone", "first", first),
        ("second alone", "second", second),
    ];
    let mut transitions: Vec<Value> = transitions.into_iter().map(transition).collect();
    transitions.push(json!({ "name": "end", "from_state": "s", "to_state": "z", "action": "end" }));
    let definition = json!({
        "object_type": "Thing", "initial_state": "s",
        "states": [{ "name": "s" }, { "name": "z", "is_terminal": true }],
        "transitions": transitions,
        "guards": { "named": named },
    });
    let definition = Definition::from_json(&definition.to_string()).expect("it has the shape");
    Machine::new(definition).expect("it has no errors")
}

fn config(k: Option<Value>) -> Context {
    let timestamp = "2026-01-01T00:00:00Z".parse().ok();
    let config = k.into_iter().map(|k| (String::from("k"), k)).collect();
    Context { timestamp, config, ..Context::default() }
}

fn instance(machine: &Machine) -> Instance {
    let started = machine.start(&NewObject::named("o"), &config(None), &Request::default());
    let Ok(Decision::Accepted(plan)) = started else { panic!("nothing hinders it: {started:?}") };
    machine.instance(plan.snapshot).expect("it is of this machine")
}

/// Whether the first and the second guard are true.
fn both(instance: &Instance, machine: &Machine) -> (bool, bool) {
    let action = |name: &str| {
        let number = machine.actions().position(|action| action == name);
        ActionId::from_number(number.and_then(|at| u32::try_from(at).ok()).expect("it is there"))
    };
    (instance.can(action("first")), instance.can(action("second")))
}

/// All that matters: each literal, what is between and beside them, and every type.
fn scalars() -> Vec<Option<Value>> {
    let numbers = [-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0];
    let texts = ["", "A", "a", "aa", "b", "c"];
    let others = [json!(null), json!(true), json!(false), json!([]), json!({})];
    let values = numbers.map(|number| json!(number)).into_iter();
    let values = values.chain(texts.map(|text| json!(text))).chain(others);
    core::iter::once(None).chain(values.map(Some)).collect()
}

fn objects() -> Vec<Value> {
    let object = |a: Option<Value>| a.map_or(json!({}), |a| json!({ "a": a }));
    let lists = [json!(["a"]), json!(["b"]), json!(["a", "b"]), json!({ "a": 1 })].map(Some);
    let below = scalars().into_iter().flatten().map(|c| Some(json!({ "c": c })));
    scalars().into_iter().chain(lists).chain(below).map(object).collect()
}

/// The example that a message gives: `…, as with object = {"a":1}, ctx = {…}: the first decides`.
fn example(message: &str) -> (Value, Option<Value>) {
    let read = |name: &str| {
        let (_, rest) = message.split_once(name)?;
        Deserializer::from_str(rest).into_iter::<Value>().next()?.ok()
    };
    let ctx = read("ctx = ");
    (read("object = ").unwrap_or(json!({})), ctx.and_then(|ctx| ctx["config"].get("k").cloned()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_found_is_so_and_what_is_so_is_found((first, second, named) in guards()) {
        let machine = machine(&first, &second, &named);
        let mut instance = instance(&machine);
        let found = |code: Code, later: u32, related: Option<u32>| {
            let pointer = |number: u32| format!("/transitions/{number}/guard");
            machine.diagnostics().iter().find(|found| {
                let earlier = found.related.first().map(|related| related.pointer.clone());
                (found.code, &found.pointer, earlier) == (code, &pointer(later), related.map(pointer))
            })
        };
        let overlap = found(Code::GuardOverlap, SECOND, Some(FIRST));
        let never = [FIRST, if first == second { FIRST } else { SECOND }]
            .map(|number| found(Code::GuardNeverTrue, number, None).is_some());
        let named_never =
            machine.diagnostics().iter().any(|found| found.code == Code::GuardNeverTrue && found.pointer == "/guards/named");

        // An example is one.
        for (earlier, later) in [(FIRST, SECOND), (FIRST, ALWAYS), (SECOND, ALWAYS)] {
            let Some(overlap) = found(Code::GuardOverlap, later, Some(earlier)) else { continue };
            let (object, k) = example(&overlap.message);
            instance.set_object(object).expect("it is shallow");
            instance.set_context(config(k));
            let (is_first, is_second) = both(&instance, &machine);
            prop_assert!(is_first || earlier == SECOND, "{}", overlap.message);
            prop_assert!(is_second || earlier == FIRST && later == ALWAYS, "{}", overlap.message);
        }
        // A guard is never true, or there is an example for it.
        for (number, never) in [FIRST, SECOND].into_iter().zip(never) {
            let sometimes = found(Code::GuardOverlap, ALWAYS, Some(number)).is_some();
            prop_assert!(never != sometimes || named_never && !sometimes, "guard {number}: {never} and {sometimes}");
        }
        for k in scalars() {
            instance.set_context(config(k.clone()));
            for object in objects() {
                instance.set_object(object.clone()).expect("it is shallow");
                let is_true = both(&instance, &machine);
                prop_assert!(!(never[0] && is_true.0), "the first is true on {object}, {k:?}");
                prop_assert!(!(never[1] && is_true.1), "the second is true on {object}, {k:?}");
                prop_assert!(overlap.is_some() || is_true != (true, true), "both are true on {object}, {k:?}");
            }
        }
    }
}

/// What is looked at is bounded, however many pairs there are and however often guards name each other.
#[test]
fn the_work_is_bounded() {
    let overlaps = |transitions: Vec<Value>, guards: Value| {
        let definition = json!({
            "object_type": "Thing", "initial_state": "s",
            "states": [{ "name": "s" }, { "name": "z", "is_terminal": true }],
            "transitions": transitions, "guards": guards,
        });
        let found = veristate::check(&definition.to_string(), &Limits::default());
        found.into_iter().filter(|found| found.code == Code::GuardOverlap).count()
    };
    let transition = |number: usize, guard: &str| json!({ "name": format!("t{number}"), "from_state": "s", "to_state": "z", "action": "go", "guard": guard });
    // Twelve million pairs.
    let many = (0..5000).map(|number| transition(number, &format!("object.n > {number}")));
    let found = overlaps(many.collect(), json!({}));
    assert!((1000..10_000).contains(&found), "{found} are reported");
    // A guard that is 2^40 comparisons.
    let twice = |number| (format!("g{number}"), json!(format!("g{0} && g{0}", number - 1)));
    let mut guards: serde_json::Map<String, Value> = (1..40).map(twice).collect();
    guards.insert("g0".into(), json!("object.n > 1 || object.n > 2"));
    let two = vec![transition(0, "g39"), transition(1, "object.n > 1")];
    assert_eq!(overlaps(two, guards.into()), 0);
}
