//! The typed values of the conformance cases, and their literals.

use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, de};
use serde_json::{Number, Value};
use veristate::Time;

/// The largest whole number up to which JavaScript is exact.
const EXACT: i64 = (1 << 53) - 1;

/// A value with its CEL type.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "lowercase")]
pub(crate) enum Typed {
    Null,
    Bool(bool),
    Int(String),
    Uint(String),
    Double(String),
    String(String),
    List(Vec<Self>),
    Map(Vec<(Self, Self)>),
    Timestamp(Seconds),
    Duration(Seconds),
}

/// Seconds and nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Seconds(
    #[serde(deserialize_with = "whole")] i64,
    #[serde(deserialize_with = "whole")] i64,
);

impl Typed {
    /// The name of its type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Timestamp(_) => "timestamp",
            Self::Duration(_) => "duration",
        }
    }

    /// The value as JSON, where JSON gives it this type again.
    pub(crate) fn as_json(&self) -> Option<Value> {
        match self {
            Self::Null => Some(Value::Null),
            Self::Bool(bool) => Some((*bool).into()),
            Self::Int(int) => {
                let int: i64 = int.parse().ok()?;
                (-EXACT..=EXACT).contains(&int).then(|| int.into())
            }
            Self::Double(double) => {
                let double: f64 = double.parse().ok()?;
                let is_whole = double.fract() == 0.0;
                Number::from_f64(double).filter(|_| !is_whole).map(Value::Number)
            }
            Self::String(text) => Some(text.as_str().into()),
            Self::List(items) => items.iter().map(Self::as_json).collect(),
            Self::Map(entries) => {
                let entry = |(key, value): &(Self, Self)| match key {
                    Self::String(key) => Some((key.clone(), value.as_json()?)),
                    _ => None,
                };
                entries.iter().map(entry).collect::<Option<_>>().map(Value::Object)
            }
            Self::Uint(_) | Self::Timestamp(_) | Self::Duration(_) => None,
        }
    }

    /// The expression that has this value.
    pub(crate) fn literal(&self) -> String {
        let list = |items: Vec<String>| items.join(", ");
        match self {
            Self::Null => "null".into(),
            Self::Bool(bool) => bool.to_string(),
            Self::Int(int) => int.clone(),
            Self::Uint(uint) => format!("{uint}u"),
            Self::Double(text) => match text.parse() {
                Ok(double) if f64::is_finite(double) => format!("{double:?}"),
                _ => format!("double('{text}')"),
            },
            Self::String(text) => quoted(text),
            Self::List(items) => format!("[{}]", list(items.iter().map(Self::literal).collect())),
            Self::Map(entries) => {
                let entry =
                    |(key, value): &(Self, Self)| format!("{}: {}", key.literal(), value.literal());
                format!("{{{}}}", list(entries.iter().map(entry).collect()))
            }
            Self::Timestamp(time) => format!("timestamp(\"{}\")", time.as_time()),
            Self::Duration(length) => format!("duration(\"{}\")", length.as_length()),
        }
    }

    /// Whether this is what a text says, all of it. Doubles are compared as numbers, maps without regard to
    /// order.
    pub(crate) fn is_said_by(&self, text: &str) -> bool {
        self.after(text) == Some("")
    }

    /// What follows in a text that begins with this value.
    fn after<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Double(expected) => {
                let (got, rest) = number(text)?;
                let expected: f64 = expected.parse().ok()?;
                #[expect(clippy::float_cmp, reason = "the very same number is expected")]
                let same = expected == got || expected.is_nan() && got.is_nan();
                same.then_some(rest)
            }
            Self::String(expected) => {
                let (got, rest) = string(text)?;
                (got == *expected).then_some(rest)
            }
            Self::List(items) => {
                let mut rest = text.strip_prefix('[')?;
                for (index, item) in items.iter().enumerate() {
                    rest = item.after(separated(index, rest)?)?;
                }
                rest.strip_prefix(']')
            }
            Self::Map(entries) => {
                let mut rest = text.strip_prefix('{')?;
                let mut left: Vec<_> = entries.iter().collect();
                for index in 0..entries.len() {
                    let start = separated(index, rest)?;
                    let after = |(key, value): &(Self, Self)| {
                        value.after(key.after(start)?.strip_prefix(": ")?)
                    };
                    let found = left
                        .iter()
                        .enumerate()
                        .find_map(|(index, entry)| Some((index, after(entry)?)));
                    let (which, end) = found?;
                    left.swap_remove(which);
                    rest = end;
                }
                rest.strip_prefix('}')
            }
            other => text.strip_prefix(other.literal().as_str()),
        }
    }
}

impl Seconds {
    /// As RFC 3339 writes it.
    fn as_time(self) -> String {
        let time = self.0.checked_mul(1_000_000).and_then(Time::from_micros);
        // The years beyond 9999 have no text; a case that has one cannot pass.
        let text = time.map(|time| time.to_string()).unwrap_or_default();
        format!("{}{}Z", text.trim_end_matches('Z'), fraction(self.1))
    }

    fn as_length(self) -> String {
        let total = i128::from(self.0) * 1_000_000_000 + i128::from(self.1);
        let sign = if total < 0 { "-" } else { "" };
        let (seconds, rest) = (total.abs() / 1_000_000_000, total.abs() % 1_000_000_000);
        format!("{sign}{seconds}{}s", fraction(i64::try_from(rest).unwrap_or_default()))
    }
}

/// A point and the digits of nanoseconds, without zeros at the end.
fn fraction(nanos: i64) -> String {
    format!(".{nanos:09}").trim_end_matches('0').trim_end_matches('.').into()
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '\\' | '"' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Writing to a string cannot fail.
            control if control.is_control() => _ = write!(quoted, "\\u{:04x}", u32::from(control)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// What follows the comma before every item but the first.
fn separated(index: usize, text: &str) -> Option<&str> {
    if index == 0 { Some(text) } else { text.strip_prefix(", ") }
}

/// A text in quotes, and what follows it.
fn string(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut read = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((read, chars.as_str())),
            '\\' => read.push(match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let (digits, rest) = chars.as_str().split_at_checked(4)?;
                    chars = rest.chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                same @ ('\\' | '"') => same,
                _ => return None,
            }),
            other => read.push(other),
        }
    }
}

/// A double, and what follows it. A whole one has a point or an exponent: without, it is an int.
fn number(text: &str) -> Option<(f64, &str)> {
    if let Some(rest) = text.strip_prefix("double('") {
        let (name, rest) = rest.split_once("')")?;
        return Some((name.parse().ok()?, rest));
    }
    let end = text.find([',', ']', '}']).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = digits.parse().ok().filter(|_| digits.contains(['.', 'e']))?;
    Some((number, rest))
}

/// A whole number, as a number or as its digits.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let read = value.as_i64().or_else(|| value.as_str()?.parse().ok());
    read.ok_or_else(|| de::Error::custom("a whole number is expected"))
}
