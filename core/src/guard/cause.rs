//! Why there is no answer: the causes, each in one sentence.

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

use super::{
    answer::{Missing, MissingCode},
    types::{Types, each_in_words, in_words},
};
use crate::name::shortened;

/// An expression that cannot be evaluated, with every cause that was found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Unknown(Box<Causes>);

/// In a box of its own, so that a result with a value stays small.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Causes {
    all: Vec<Missing>,
}

/// More causes than this are not read.
const MOST: usize = 16;

impl Unknown {
    fn one(code: MissingCode, message: String) -> Self {
        Self::of(Missing {
            code,
            message: shortened(message),
            path: None,
            type_name: None,
            expected: Vec::new(),
        })
    }

    fn of(missing: Missing) -> Self {
        Self(Box::new(Causes { all: vec![missing] }))
    }

    /// An input that is not there.
    pub(super) fn missing(path: String, expected: Types) -> Self {
        let needed = needed(expected);
        let message = match needed.is_empty() {
            true => format!("`{path}` is missing"),
            false => format!("`{path}` is missing: {} is needed", in_words(expected)),
        };
        Self::of(Missing {
            code: MissingCode::Missing,
            message: shortened(message),
            path: Some(path),
            type_name: None,
            expected: needed,
        })
    }

    /// A value of another type than its place needs. `source` is what the expression says there.
    pub(super) fn wrong_type(
        path: Option<String>,
        source: &str,
        found: Types,
        expected: Types,
    ) -> Self {
        let what = path.as_deref().unwrap_or(source);
        let is = match found {
            Types::BOOL => "a bool".into(),
            found => each_in_words(found),
        };
        let message = match needed(expected).is_empty() {
            true => format!("`{what}` is {is}, which does not fit here"),
            // Beside a number of another kind, "a number" says too little.
            false if found.is_within(Types::NUMBER) => {
                format!("`{what}` is {is}, {} is needed", each_in_words(expected))
            }
            false => format!("`{what}` is {is}, {} is needed", in_words(expected)),
        };
        // Data is JSON, which has no other types.
        let of_json = expected.and(Types::JSON);
        let expected = if path.is_some() && !of_json.is_empty() { of_json } else { expected };
        Self::of(Missing {
            code: MissingCode::WrongType,
            message: shortened(message),
            path,
            type_name: Some(found.name()),
            expected: needed(expected),
        })
    }

    /// A part of the expression that has no value, and why.
    pub(super) fn no_value(source: &str, why: &str) -> Self {
        Self::one(MissingCode::NoValue, format!("`{source}` {why}"))
    }

    pub(super) fn too_costly(limit: usize) -> Self {
        let message =
            format!("too costly: it takes more than {limit} steps, the limit `evaluation_steps`");
        Self::one(MissingCode::TooCostly, message)
    }

    /// Data that is nested too deeply to be gone through.
    pub(super) fn too_deep(path: &str, limit: usize) -> Self {
        let message = format!("too costly: `{path}` is nested more deeply than {limit} levels");
        Self::one(MissingCode::TooCostly, message)
    }

    /// A name of a function, or of a variable, that there is not.
    pub(super) fn no_function(name: &str) -> Self {
        Self::one(MissingCode::UnknownFunction, format!("`{name}` means nothing here"))
    }

    pub(super) fn host_failed(name: &str, why: &str) -> Self {
        let message = format!("the host's guard `{name}` gave no answer: {why}");
        Self::one(MissingCode::HostGuardFailed, message)
    }

    pub(super) fn not_registered(name: &str) -> Self {
        let message = format!("the guard `{name}` is not registered by the host");
        Self::one(MissingCode::HostGuardNotRegistered, message)
    }

    /// Adds the causes of another part.
    pub(super) fn join(&mut self, other: Self) {
        for missing in other.0.all {
            if self.0.all.len() < MOST && !self.0.all.contains(&missing) {
                self.0.all.push(missing);
            }
        }
    }

    pub(crate) fn causes(self) -> Vec<Missing> {
        self.0.all
    }

    /// Whether that input is missing, and nothing else.
    pub(super) fn is_missing(&self, path: &str) -> bool {
        let [only] = self.0.all.as_slice() else { return false };
        only.code == MissingCode::Missing && only.path.as_deref() == Some(path)
    }

    pub(super) fn is_too_costly(&self) -> bool {
        self.0.all.iter().any(|missing| missing.code == MissingCode::TooCostly)
    }
}

/// The names of the types that would fit; none where any would.
fn needed(expected: Types) -> Vec<&'static str> {
    match Types::JSON.is_within(expected) {
        true => Vec::new(),
        false => expected.names(),
    }
}

/// Both parts, or the causes of those that have none.
pub(super) fn both<A, B>(a: Result<A, Unknown>, b: Result<B, Unknown>) -> Result<(A, B), Unknown> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(mut a), Err(b)) => {
            a.join(b);
            Err(a)
        }
        (Err(unknown), Ok(_)) | (Ok(_), Err(unknown)) => Err(unknown),
    }
}

/// Adds a cause to those before it.
pub(super) fn also(before: &mut Option<Unknown>, unknown: Unknown) {
    match before {
        Some(before) => before.join(unknown),
        None => *before = Some(unknown),
    }
}
