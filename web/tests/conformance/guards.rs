//! Guards that are functions of JavaScript, and what they may do meanwhile.

use std::{cell::RefCell, rc::Rc};

use js_sys::Function;
use serde_json::{Value, json};
use veristate_web::{Instance, Machine};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use super::door::{decide, door, eval, function, get, noon, open_with, snapshot, text, value};
use super::surface::{out, thrown};

#[wasm_bindgen_test]
fn a_guard_says_true_or_false() {
    assert_eq!(open_with(&function("return object.width >= 90"))["outcome"], "accepted");
    assert_eq!(open_with(&function("return object.width > 90"))["code"], "guards-failed");
}

#[wasm_bindgen_test]
fn a_guard_is_given_the_object_the_context_and_the_states() {
    let body = "return object.width === 90 && ctx.timestamp === '2026-01-01T12:00:00Z' \
                && ctx.actor_id === null && ctx.permissions.length === 0 \
                && states.length === 1 && states[0] === 'shut' && this === undefined";
    assert_eq!(open_with(&function(&format!("'use strict'; {body}")))["outcome"], "accepted");
}

#[wasm_bindgen_test]
fn what_a_guard_is_given_are_copies() {
    let said = open_with(&function(
        "object.width = 1; states.pop(); ctx.permissions.push('x'); return true",
    ));
    assert_eq!(said["snapshot"]["object"], json!({ "width": 90 }));
    assert_eq!(said["record"]["from_states"], json!(["shut"]));
}

#[wasm_bindgen_test]
fn whatever_else_a_guard_does_is_unknown() {
    for body in [
        "throw new Error('no network')",
        "throw 'a text'",
        "throw null",
        "throw undefined",
        "throw { message: 5 }",
        "throw { get message() { throw 1 } }",
        "return Promise.resolve(true)",
        "return (async () => true)()",
        "return undefined",
        "return null",
        "return 1",
        "return 0",
        "return 'true'",
        "return ''",
        "return new Boolean(true)",
        "return { valueOf: () => true }",
        "return Symbol('true')",
        "return 1n",
        "return () => true",
        "return new Proxy({}, { get() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') } })",
        "const f = () => f(); f()",
    ] {
        let said = open_with(&function(body));
        assert_eq!(said["code"], "guard-unknown", "a guard with the body `{body}`: {said}");
        assert_eq!(said["reasons"][0]["guard"], "may_open", "{body}");
    }
}

#[wasm_bindgen_test]
fn a_refusal_says_why_a_guard_is_unknown() {
    let message = |body| open_with(&function(body))["message"].to_string();
    assert!(message("throw new Error('no network')").contains("no network"));
    assert!(message("return Promise.resolve(true)").contains("promise"));
    assert!(message("return undefined").contains("undefined"));
}

#[wasm_bindgen_test]
fn only_a_guard_of_the_definition_can_be_registered() {
    let error = door().register_guard(&"may_opne".into(), &function("return true")).map_err(thrown);
    let error = error.expect_err("there is no such guard");
    assert_eq!(error.code, "unknown-guard");
    assert!(error.message.contains("may_open"), "{}", error.message);
}

/// A guard in Rust, so that it can hold the machine: what it returns is what it says.
fn calling(call: impl Fn() -> JsValue + 'static) -> Function {
    Closure::<dyn Fn() -> JsValue>::new(call).into_js_value().unchecked_into()
}

/// A machine whose guard is this, given the machine itself and a door.
fn reentrant(guard: impl Fn(&Machine, &JsValue) -> JsValue + 'static) -> (Rc<Machine>, JsValue) {
    let machine = Rc::new(door());
    let door = snapshot(&machine);
    let (inner, inside) = (Rc::clone(&machine), door.clone());
    let guard = calling(move || guard(&inner, &inside));
    machine.register_guard(&"may_open".into(), &guard).expect("the guard is known");
    (machine, door)
}

#[wasm_bindgen_test]
fn a_guard_may_ask_the_machine() {
    let (machine, door) = reentrant(|machine, door| {
        let answer = decide(machine, door, "brick").map(|said| said["outcome"] == "accepted");
        answer.unwrap_or_default().into()
    });
    assert_eq!(decide(&machine, &door, "open").expect("no error")["outcome"], "accepted");
}

#[wasm_bindgen_test]
fn guards_that_ask_for_each_other_without_end_are_unknown() {
    let (machine, door) = reentrant(|machine, door| {
        // Unknown inside is false outside, all the way up.
        let answer = decide(machine, door, "open").map(|said| said["outcome"] == "accepted");
        answer.unwrap_or_default().into()
    });
    assert_eq!(decide(&machine, &door, "open").expect("no error")["code"], "guards-failed");

    let (machine, door) = reentrant(|machine, door| {
        let rows = machine.available(door, &JsValue::UNDEFINED, &JsValue::UNDEFINED);
        let unknown = out(rows).is_ok_and(|rows| rows[0]["status"] == "unknown");
        if unknown { JsValue::UNDEFINED } else { JsValue::TRUE }
    });
    let said = decide(&machine, &door, "open").expect("no error");
    assert_eq!(said["code"], "guard-unknown", "{said}");
}

#[wasm_bindgen_test]
fn a_guard_that_is_registered_by_a_guard_is_seen_by_the_next_call() {
    let (machine, door) = reentrant(|machine, _| {
        machine
            .register_guard(&"may_open".into(), &function("return true"))
            .expect("the guard is known");
        JsValue::FALSE
    });
    assert_eq!(decide(&machine, &door, "open").expect("no error")["code"], "guards-failed");
    assert_eq!(decide(&machine, &door, "open").expect("no error")["outcome"], "accepted");
}

#[wasm_bindgen_test]
fn a_guard_that_frees_its_machine_is_unknown() {
    // As JavaScript holds it: `free` is a method of the class.
    let machine = JsValue::from(door());
    let call = Function::new_with_args(
        "machine, door, ctx",
        "machine.registerGuard('may_open', () => { machine.free(); return true });
         return machine.decide(door, 'open', ctx)",
    );
    let door = snapshot(&door());
    let ended = call.call3(&JsValue::UNDEFINED, &machine, &door, &noon());
    // The machine is in use, so that `free` throws inside of the guard; nothing crashes.
    let said = ended.expect("a refusal is no error");
    assert_eq!(get(&said, "code"), "guard-unknown", "{}", text(&said));
    assert_eq!(open_with(&function("return true"))["outcome"], "accepted");
}

#[wasm_bindgen_test]
fn a_guard_may_ask_its_instance_but_not_change_it() {
    let machine = door();
    let seen: Rc<RefCell<Vec<Value>>> = Rc::default();
    let instance: Rc<RefCell<Option<Rc<Instance>>>> = Rc::default();
    let (inner, notes) = (Rc::clone(&instance), Rc::clone(&seen));
    let guard = calling(move || {
        let Some(instance) = inner.borrow().clone() else { return JsValue::FALSE };
        let code = |error| thrown(error).code;
        let mut notes = notes.borrow_mut();
        notes.push(json!(instance.state()));
        notes.push(json!(instance.set_object(&JsValue::NULL).map_err(code).err()));
        notes.push(json!(instance.set_context(&noon()).map_err(code).err()));
        notes.push(json!(instance.take_records().map_err(code).err()));
        JsValue::TRUE
    });
    machine.register_guard(&"may_open".into(), &guard).expect("the guard is known");
    let made = Rc::new(machine.instance(&snapshot(&machine)).expect("it is a door"));
    *instance.borrow_mut() = Some(Rc::clone(&made));
    let open = machine.actions().iter().position(|action| action == "open");
    let open = open.and_then(|open| u32::try_from(open).ok()).expect("there is the action");

    assert!(made.apply(f64::from(open), 1_767_270_000_000.0).expect("it is a time"));
    assert_eq!(*seen.borrow(), [json!(0), json!("busy"), json!("busy"), json!("busy")]);
    assert_eq!(made.state(), 1);
    let records = made.take_records().expect("no guard is asked now");
    assert_eq!(get(&records, "length"), 1);
    *instance.borrow_mut() = None;
}

#[wasm_bindgen_test]
fn an_instance_keeps_the_guards_that_it_was_made_with() {
    let machine = door();
    machine
        .register_guard(&"may_open".into(), &function("return true"))
        .expect("the guard is known");
    let instance = machine.instance(&snapshot(&machine)).expect("it is a door");
    machine
        .register_guard(&"may_open".into(), &function("return false"))
        .expect("the guard is known");
    assert!(instance.can(0.0));
    assert!(!instance.can(99.0));
    assert!(!instance.apply(99.0, 1_767_270_000_000.0).expect("it is a time"));
    let refusal = instance.refusal().expect("it can be written");
    assert_eq!(get(&refusal, "code"), "unknown-action");
    for at in [f64::NAN, f64::INFINITY, 1e300, -1e300] {
        assert_eq!(
            instance.apply(0.0, at).map_err(|error| thrown(error).code),
            Err("invalid-argument".into())
        );
    }
}

#[wasm_bindgen_test]
fn an_answer_survives_json() {
    let machine = door();
    machine
        .register_guard(&"may_open".into(), &function("return true"))
        .expect("the guard is known");
    let door = snapshot(&machine);
    let ctx = value(
        &json!({ "timestamp": "2026-01-01T12:00:00Z", "config": { "a": { "b": [1] } }, "metadata": { "c": {} } }),
    );
    let request =
        value(&json!({ "request_id": "r1", "metadata": { "k": { "deep": [null, true] } } }));
    let said = machine.decide(&door, &"open".into(), &ctx, &request).expect("no error");
    let again = js_sys::JSON::parse(&text(&said)).expect("it is JSON");
    // Not only the same text: nothing in it is a `Map`, a `BigInt` or undefined.
    let same = Function::new_with_args(
        "a, b",
        "const plain = (x, y) => Object.is(x, y) || (typeof x === 'object' && typeof y === 'object'
           && x !== null && y !== null && Array.isArray(x) === Array.isArray(y) && !(x instanceof Map)
           && Object.keys(x).length === Object.keys(y).length
           && Object.keys(x).every((key) => key in y && plain(x[key], y[key])));
         return plain(a, b)",
    );
    assert_eq!(same.call2(&JsValue::UNDEFINED, &said, &again), Ok(JsValue::TRUE));
    assert_eq!(eval("JSON.stringify({})"), "{}");
}
