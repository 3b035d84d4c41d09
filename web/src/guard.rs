//! Guards that are JavaScript functions.

use std::cell::Cell;

use js_sys::{Function, Promise};
use send_wrapper::SendWrapper;
use serde_json::Value;
use veristate::Context;
use wasm_bindgen::prelude::*;

use crate::{
    convert,
    thrown::{Thrown, message},
};

/// How deeply guards may ask a machine that asks guards. Deeper, the stack would overflow in the middle
/// of a call.
const DEEPEST: u32 = 16;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A function as a guard of the core. What it is given are copies. It answers with a boolean; whatever
/// else it does (throw, return a promise, return nothing) makes the guard unknown.
pub(crate) fn guard(function: Function) -> impl veristate::HostGuard {
    // The core asks for guards that may go to another thread. There is none here.
    let function = SendWrapper::new(function);
    move |object: &Value, ctx: &Context, states: &[String]| {
        if DEPTH.get() >= DEEPEST {
            return Err(format!("guards ask for each other more than {DEEPEST} levels deep"));
        }
        let unreadable = |_: Thrown| "its arguments cannot be handed over".to_owned();
        let object = convert::answer_with_data(object).map_err(unreadable)?;
        let ctx = convert::answer_with_data(ctx).map_err(unreadable)?;
        let states = convert::answer(states).map_err(unreadable)?;
        DEPTH.set(DEPTH.get() + 1);
        let answer = function.call3(&JsValue::UNDEFINED, &object, &ctx, &states);
        DEPTH.set(DEPTH.get() - 1);
        match answer {
            Err(thrown) => Err(format!("it threw: {}", message(&thrown))),
            Ok(value) => value
                .as_bool()
                .ok_or_else(|| format!("it returned {}, not true or false", kind(&value))),
        }
    }
}

fn kind(value: &JsValue) -> String {
    if value.is_null() {
        "null".into()
    } else if value.is_instance_of::<Promise>() {
        "a promise".into()
    } else {
        format!("a value of type {}", value.js_typeof().as_string().unwrap_or_default())
    }
}
