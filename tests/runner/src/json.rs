//! Comparing JSON values.

use serde_json::{Map, Value};
use veristate::Time;

/// No integer of 64 bits is this large.
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

/// The value with every whole number written as one: JavaScript does not tell 1.0 from 1.
pub(crate) fn canonical(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            // JavaScript writes whole numbers of any size without a point; those that no integer holds are read as
            // doubles on both sides.
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < TWO_64 => {
                whole(float).unwrap_or(Value::Number(number))
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

fn whole(float: f64) -> Option<Value> {
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^64")]
    let integer = float as i128;
    match u64::try_from(integer) {
        Ok(positive) => Some(positive.into()),
        Err(_) => i64::try_from(integer).ok().map(Value::from),
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
