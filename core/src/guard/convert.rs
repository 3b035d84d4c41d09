//! Conversions: `int(…)`, `string(…)` and their like. Source: CEL language definition, "List of standard
//! definitions".

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
};

use super::{
    arithmetic::Fault,
    moment::{Length, Timestamp},
    value::Value,
};

const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

#[expect(clippy::cast_possible_truncation, reason = "the range is checked; digits are cut")]
pub(super) fn to_int<'v>(value: &Value<'_>) -> Result<Value<'v>, Fault> {
    const RANGE: Fault = Fault::Value("lies beyond the range of int");
    Ok(Value::Int(match value {
        Value::Int(value) => *value,
        Value::Uint(value) => i64::try_from(*value).map_err(|_| RANGE)?,
        // Both ends are out: a double there may have been another number.
        Value::Double(value) if *value > -TWO_63 && *value < TWO_63 => *value as i64,
        Value::Double(_) => return Err(RANGE),
        Value::Timestamp(time) => time.seconds(),
        _ => {
            let text = value.text().ok_or(Fault::Type)?;
            text.parse().map_err(|_| Fault::Value("reads a text that is no int"))?
        }
    }))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
pub(super) fn to_uint<'v>(value: &Value<'_>) -> Result<Value<'v>, Fault> {
    const RANGE: Fault = Fault::Value("lies beyond the range of uint");
    Ok(Value::Uint(match value {
        Value::Uint(value) => *value,
        Value::Int(value) => u64::try_from(*value).map_err(|_| RANGE)?,
        Value::Double(value) if *value >= 0.0 && *value < TWO_64 => *value as u64,
        Value::Double(_) => return Err(RANGE),
        _ => {
            let text = value.text().ok_or(Fault::Type)?;
            text.parse().map_err(|_| Fault::Value("reads a text that is no uint"))?
        }
    }))
}

#[expect(clippy::cast_precision_loss, reason = "the nearest double is what is asked for")]
pub(super) fn to_double<'v>(value: &Value<'_>) -> Result<Value<'v>, Fault> {
    Ok(Value::Double(match value {
        Value::Double(value) => *value,
        Value::Int(value) => *value as f64,
        Value::Uint(value) => *value as f64,
        _ => {
            let text = value.text().ok_or(Fault::Type)?;
            read_double(text).ok_or(Fault::Value("reads a text that is no double"))?
        }
    }))
}

/// Reads a double: `1`, `-1.5e3`, `.5`, `NaN`, `Infinity`; what is too large is infinite.
///
/// The digits are left to `serde_json`, which is there anyhow: the tables behind `str::parse` alone would be a
/// tenth of what guards add to the npm package.
pub(super) fn read_double(text: &str) -> Option<f64> {
    let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is = |word: &str| rest.eq_ignore_ascii_case(word);
    let value = if is("nan") {
        f64::NAN
    } else if is("inf") || is("infinity") {
        f64::INFINITY
    } else {
        let (number, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let well = are_digits(whole) && are_digits(part) && are_digits(power);
        if !well || power.is_empty() || (whole.is_empty() && part.is_empty()) {
            return None;
        }
        // As JSON has it: digits on both sides of the point, and no zeros before them.
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        serde_json::from_str(&format!("{whole}.{part}0e{exponent}")).unwrap_or(f64::INFINITY)
    };
    Some(if text.starts_with('-') { -value } else { value })
}

pub(super) fn to_bool<'v>(value: &Value<'_>) -> Result<Value<'v>, Fault> {
    if let Value::Bool(value) = value {
        return Ok(Value::Bool(*value));
    }
    match value.text().ok_or(Fault::Type)? {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
        _ => Err(Fault::Value("reads a text that is neither true nor false")),
    }
}

pub(super) fn to_text<'v>(value: &Value<'v>) -> Result<Value<'v>, Fault> {
    let text = match value {
        Value::Text(_) | Value::Made(_) => return Ok(value.clone()),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => double_text(*value),
        Value::Timestamp(time) => time.write(),
        Value::Duration(length) => length.write(),
        _ => return Err(Fault::Type),
    };
    Ok(Value::Made(Arc::from(text)))
}

pub(super) fn to_timestamp<'v>(value: &Value<'_>) -> Result<Value<'v>, Fault> {
    let time = match value {
        Value::Timestamp(time) => Some(*time),
        Value::Int(seconds) => Some(
            Timestamp::new(*seconds, 0)
                .ok_or(Fault::Value("lies beyond the years 0001 to 9999"))?,
        ),
        _ => Timestamp::read(value.text().ok_or(Fault::Type)?),
    };
    let fault =
        "reads a text that is no time of RFC 3339 with an offset, in the years 0001 to 9999";
    time.map(Value::Timestamp).ok_or(Fault::Value(fault))
}

pub(super) fn to_duration<'v>(value: &Value<'_>) -> Result<Value<'v>, Fault> {
    let length = match value {
        Value::Duration(length) => Some(*length),
        _ => Length::read(value.text().ok_or(Fault::Type)?),
    };
    let fault = "reads a text that is no duration, such as `1h30m` or `-1.5s`";
    length.map(Value::Duration).ok_or(Fault::Value(fault))
}

/// A double in the shortest form that reads back to it: with an exponent from 10^21 up and below 10^−6, as
/// JavaScript writes it.
pub(super) fn double_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{value:e}");
        return match text.split_once('e') {
            Some((digits, power)) if !power.starts_with('-') => format!("{digits}e+{power}"),
            _ => text,
        };
    }
    value.to_string()
}
