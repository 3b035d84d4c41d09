//! What an expression answers: a value, or unknown and why.

use alloc::{string::String, vec::Vec};

use serde::Serialize;
use serde_json::Value;

use crate::diagnostic::Diagnostic;

/// What an expression gives on some variables.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// What kind of answer it is.
    pub status: EvaluationStatus,
    /// The CEL type of the value: `null`, `bool`, `int`, `uint`, `double`, `string`, `list`, `map`,
    /// `timestamp` or `duration`. Absent without a value.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub type_name: Option<&'static str>,
    /// The value as JSON. Whole numbers beyond 2^53 − 1, numbers that are not finite, timestamps and
    /// durations are text, as in the JSON mapping of protobuf.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "unknown"))]
    pub value: Option<Value>,
    /// The value as CEL would write it: exact, with its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The variables that were read, in order.
    pub values: Vec<Reading>,
    /// Why it is unknown: every input that was missing or did not fit.
    pub missing: Vec<Missing>,
    /// What is wrong with the expression; line and column are those of the expression.
    pub diagnostics: Vec<Diagnostic>,
}

/// The kinds of answer.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvaluationStatus {
    /// A guard that is true.
    True,
    /// A guard that is false.
    False,
    /// A value that is no boolean.
    Value,
    /// It cannot be evaluated on these variables.
    Unknown,
    /// It is no expression.
    Invalid,
}

/// An input that was read, and what it was.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Reading {
    /// Where it was read: `object.amount`, `ctx.config.limit`, `object.items[2].price`.
    pub path: String,
    /// What was there. Null in place of a large list or object, whose `size` is said; a long text is cut.
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub value: Value,
    /// How many items a list or an object has that is too large to be repeated here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub size: Option<usize>,
    /// True where nothing was there and `has(…)` asked for it; the value is null then.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub absent: bool,
}

/// One cause of an unknown answer.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Missing {
    /// The stable name of the cause.
    pub code: MissingCode,
    /// The cause in one sentence. May change between versions.
    pub message: String,
    /// The input that was read, where it is one input.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub path: Option<String>,
    /// The CEL type of what was there; absent where there was nothing.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub type_name: Option<&'static str>,
    /// The CEL types that would fit, where that is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string[]"))]
    pub expected: Vec<&'static str>,
}

/// Why an answer is unknown.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MissingCode {
    /// An input is not there.
    Missing,
    /// A value has another type than is needed.
    WrongType,
    /// It has no value: an overflow, a division by zero, an index beyond the end, a text that is no number.
    NoValue,
    /// It takes more steps than the limit `evaluation_steps`.
    TooCostly,
    /// A function, or a variable, that there is not.
    UnknownFunction,
    /// The host's function failed or gave no boolean.
    HostGuardFailed,
    /// Nobody registered the host's function.
    HostGuardNotRegistered,
}
