//! Comparing JSON values.

use serde_json::{Map, Value};
use veristate::Time;

/// Numbers up to here are exact in JavaScript.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The value with every whole number written as one: JavaScript does not tell 1.0 from 1.
pub(crate) fn canonical(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
                Value::from(float as i64)
            }
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(canonical).collect(),
        Value::Object(map) => {
            Value::Object(map.into_iter().map(|(key, value)| (key, canonical(value))).collect())
        }
        other => other,
    }
}

/// Where `got` has not what `expected` names, or nothing. An object has at least the named fields; a list
/// has exactly as many items.
pub(crate) fn missing(expected: &Value, got: &Value) -> Option<String> {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => {
            expected.iter().find_map(|(key, value)| match got.get(key) {
                None => Some(format!("/{key}")),
                Some(got) => missing(value, got).map(|inner| format!("/{key}{inner}")),
            })
        }
        (Value::Array(expected), Value::Array(got)) if expected.len() == got.len() => {
            expected.iter().zip(got).enumerate().find_map(|(index, (expected, got))| {
                missing(expected, got).map(|inner| format!("/{index}{inner}"))
            })
        }
        _ if expected == got => None,
        _ => Some(String::new()),
    }
}

/// `below` with the fields of `above` laid over it.
pub(crate) fn laid_over(
    below: &Map<String, Value>,
    above: &Map<String, Value>,
) -> Map<String, Value> {
    let mut all = below.clone();
    all.extend(above.clone());
    all
}

/// A time that is written as text.
pub(crate) fn time(value: &Value) -> Option<Time> {
    value.as_str()?.parse().ok()
}
