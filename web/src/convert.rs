//! Values across the border. In: as JSON text, so that unknown fields are seen and a value means what it
//! means to a server. Out: plain objects, equal to the JSON of the native answer; ours piece by piece, data
//! of the user as JSON text.

use js_sys::JSON;
use serde::{Serialize, de::DeserializeOwned};
use serde_wasm_bindgen::Serializer;
use veristate::{InvalidInput, Time};
use wasm_bindgen::prelude::*;

use crate::thrown::{self, Thrown};

/// An argument that must be given.
pub(crate) fn argument<T: DeserializeOwned>(name: &str, value: &JsValue) -> Result<T, Thrown> {
    veristate::read(&text(name, value)?).map_err(|error| invalid(name, &error))
}

/// An argument that may be left out.
pub(crate) fn optional<T: DeserializeOwned + Default>(
    name: &str,
    value: &JsValue,
) -> Result<T, Thrown> {
    if value.is_undefined() || value.is_null() { Ok(T::default()) } else { argument(name, value) }
}

/// A list of objects.
pub(crate) fn list<T: DeserializeOwned>(name: &str, value: &JsValue) -> Result<Vec<T>, Thrown> {
    veristate::read_list(&text(name, value)?).map_err(|error| invalid(name, &error))
}

/// A time: RFC 3339 text, a `Date`, or milliseconds.
pub(crate) fn time(name: &str, value: &JsValue) -> Result<Time, Thrown> {
    serde_json::from_str(&text(name, value)?).map_err(|_| {
        Thrown::new(
            "invalid-argument",
            &format!(
                "`{name}` is no time: give RFC 3339 text with an offset, a Date or milliseconds"
            ),
        )
    })
}

/// Milliseconds as a time.
pub(crate) fn millis(name: &str, value: f64) -> Result<Time, Thrown> {
    Time::from_millis(value).ok_or_else(|| {
        Thrown::new(
            "invalid-argument",
            &format!(
                "`{name}` is no time: it is not a number of milliseconds in the years 0000 to 9999"
            ),
        )
    })
}

/// A text. Without this check a number in its place would be a fault of memory.
pub(crate) fn string(name: &str, value: &JsValue) -> Result<String, Thrown> {
    value
        .as_string()
        .ok_or_else(|| Thrown::new("invalid-argument", &format!("`{name}` must be a text")))
}

/// A number of a state or an action. What is no whole number is none of them.
pub(crate) fn number(value: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "is checked")]
    if value.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&value) {
        value as u32
    } else {
        u32::MAX
    }
}

/// Any JSON value.
pub(crate) fn data(name: &str, value: &JsValue) -> Result<serde_json::Value, Thrown> {
    serde_json::from_str(&text(name, value)?).map_err(|error| {
        Thrown::new("invalid-argument", &format!("`{name}` cannot be read: {error}"))
    })
}

/// A value as JSON text.
pub(crate) fn text(name: &str, value: &JsValue) -> Result<String, Thrown> {
    let refused = |why: &str| Thrown::new("invalid-argument", &format!("`{name}` {why}"));
    let json = JSON::stringify(value).map_err(|error| {
        refused(&format!("cannot be written as JSON: {}", thrown::message(&error)))
    })?;
    JsValue::from(json).as_string().ok_or_else(|| refused("is missing, or is no data"))
}

fn invalid(name: &str, error: &InvalidInput) -> Thrown {
    Thrown::new(error.code(), &format!("`{name}`: {error}"))
}

/// An answer that holds nothing but our own shapes, as plain objects.
pub(crate) fn answer<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, Thrown> {
    value.serialize(&Serializer::json_compatible()).map_err(|error| {
        Thrown::new("invalid-argument", &format!("the answer cannot be handed over: {error}"))
    })
}

/// An answer that holds data of the user. It crosses as JSON text: piece by piece, a key `__proto__`
/// would set a prototype, and a number beyond 2^53 would be an error.
pub(crate) fn answer_with_data<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, Thrown> {
    json(&serde_json::to_string(value).map_err(|error| {
        Thrown::new("invalid-argument", &format!("the answer cannot be handed over: {error}"))
    })?)
}

/// JSON text as plain objects.
pub(crate) fn json(text: &str) -> Result<JsValue, Thrown> {
    JSON::parse(text).map_err(|_| Thrown::new("invalid-argument", "the text is not JSON"))
}
