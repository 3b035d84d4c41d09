//! A machine for tests, and values in JavaScript.

use js_sys::{Function, JSON};
use serde_json::{Value, json};
use veristate_runner::Thrown as Error_;
use veristate_web::Machine;
use wasm_bindgen::JsValue;

use super::surface::{js, out};

/// A door that opens only where the guard `may_open` says so.
pub(crate) fn door() -> Machine {
    let definition = json!({
        "object_type": "Door", "initial_state": "shut",
        "states": [{ "name": "shut" }, { "name": "open" }, { "name": "walled_up", "is_terminal": true }],
        "transitions": [
            { "name": "open", "from_state": "shut", "to_state": "open", "action": "open", "guard": "may_open" },
            { "name": "shut", "from_state": "open", "to_state": "shut", "action": "shut" },
            { "name": "brick", "from_state": "shut", "to_state": "walled_up", "action": "brick" }
        ]
    });
    Machine::new(&value(&definition), &JsValue::UNDEFINED).expect("the definition has no errors")
}

/// A new door.
pub(crate) fn snapshot(machine: &Machine) -> JsValue {
    let door = value(&json!({ "object_id": "door-1", "object": { "width": 90 } }));
    let decision = machine.start(&door, &noon(), &JsValue::UNDEFINED).expect("it can be made");
    get(&decision, "snapshot")
}

/// A context with nothing but a time.
pub(crate) fn noon() -> JsValue {
    value(&json!({ "timestamp": "2026-01-01T12:00:00Z" }))
}

/// What `decide` says of `open`, with this guard.
pub(crate) fn open_with(guard: &Function) -> Value {
    let machine = door();
    machine.register_guard(&"may_open".into(), guard).expect("the guard is known");
    decide(&machine, &snapshot(&machine), "open").expect("a refusal is no error")
}

pub(crate) fn decide(machine: &Machine, snapshot: &JsValue, action: &str) -> Result<Value, Error_> {
    out(machine.decide(snapshot, &action.into(), &noon(), &JsValue::UNDEFINED))
}

/// A function `(object, ctx, states)` with this body.
pub(crate) fn function(body: &str) -> Function {
    Function::new_with_args("object, ctx, states", body)
}

/// What an expression of JavaScript is.
pub(crate) fn eval(expression: &str) -> JsValue {
    let made = Function::new_no_args(&format!("return {expression}"));
    made.call0(&JsValue::UNDEFINED).expect("the expression does not throw")
}

pub(crate) fn value(value: &Value) -> JsValue {
    js(value).expect("JavaScript reads JSON")
}

pub(crate) fn get(object: &JsValue, field: &str) -> JsValue {
    js_sys::Reflect::get(object, &field.into()).expect("it is an object")
}

pub(crate) fn text(value: &JsValue) -> String {
    JSON::stringify(value).map(String::from).expect("it is JSON")
}
