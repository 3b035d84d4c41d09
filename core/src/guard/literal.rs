//! A value as CEL would write it, and as JSON.

use alloc::string::{String, ToString};
use core::fmt::{self, Write};

use serde_json::Value as Json;

use super::{convert::double_text, value::Value};

/// Exact, with its type: `3u`, `3.0`, `"text"`, `[1, 2]`, `duration("1.5s")`.
pub(super) fn write(value: &Value<'_>) -> String {
    let mut text = String::new();
    push(&mut text, value);
    text
}

fn push(out: &mut String, value: &Value<'_>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Uint(value) => write_to(out, format_args!("{value}u")),
        Value::Double(value) => push_double(out, *value),
        Value::Text(text) => push_text(out, text),
        Value::Made(text) => push_text(out, text),
        Value::List(list) => {
            out.push('[');
            for at in 0..list.len() {
                if at > 0 {
                    out.push_str(", ");
                }
                push(out, &list.get(at).unwrap_or(Value::Null));
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (at, (key, value)) in map.entries().iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push(out, key);
                out.push_str(": ");
                push(out, value);
            }
            out.push('}');
        }
        Value::Timestamp(time) => write_to(out, format_args!("timestamp(\"{}\")", time.write())),
        Value::Duration(length) => write_to(out, format_args!("duration(\"{}\")", length.write())),
    }
}

fn write_to(out: &mut String, parts: fmt::Arguments<'_>) {
    // A String takes everything.
    let _ = out.write_fmt(parts);
}

fn push_double(out: &mut String, value: f64) {
    let text = double_text(value);
    if !value.is_finite() {
        write_to(out, format_args!("double('{text}')"));
        return;
    }
    out.push_str(&text);
    if !text.contains(['.', 'e']) {
        out.push_str(".0");
    }
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => write_to(out, format_args!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The value as JSON; what JSON has no number for is text, as in the JSON mapping of protobuf.
pub(super) fn to_json(value: &Value<'_>) -> Json {
    /// The last whole number that every reader of JSON keeps exactly.
    const LAST: u64 = (1 << 53) - 1;
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) if value.unsigned_abs() <= LAST => (*value).into(),
        Value::Int(value) => value.to_string().into(),
        Value::Uint(value) if *value <= LAST => (*value).into(),
        Value::Uint(value) => value.to_string().into(),
        Value::Double(value) if value.is_finite() => (*value).into(),
        Value::Double(value) => double_text(*value).into(),
        Value::Text(text) => (*text).into(),
        Value::Made(text) => text.to_string().into(),
        Value::List(list) => {
            (0..list.len()).filter_map(|at| Some(to_json(&list.get(at)?))).collect()
        }
        Value::Map(map) => {
            // Put in one by one: to collect them would bring a sort of its own.
            let mut fields = serde_json::Map::new();
            for (key, value) in map.entries() {
                fields.insert(key_text(&key), to_json(&value));
            }
            Json::Object(fields)
        }
        Value::Timestamp(time) => time.write().into(),
        Value::Duration(length) => length.write().into(),
    }
}

fn key_text(key: &Value<'_>) -> String {
    match key {
        Value::Text(text) => (*text).into(),
        Value::Made(text) => text.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        other => write(other),
    }
}
