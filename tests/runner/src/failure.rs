//! Why a case did not pass.

use std::fmt;

use serde_json::Value;

/// Why a case did not pass: which case, where in it, and what was seen.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Failure {
    /// The case's path.
    pub path: String,
    /// Where in the case, such as `step 3`.
    pub place: String,
    /// What is wrong, in one sentence.
    pub what: String,
    /// What the case, or another answer, says, as JSON text.
    pub expected: Option<String>,
    /// What the surface said, as JSON text.
    pub got: Option<String>,
}

/// A failure on its way out of a case; who knows the path and the place adds them.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) place: String,
    pub(crate) what: String,
    pub(crate) expected: Option<Value>,
    pub(crate) got: Option<Value>,
}

impl Fault {
    /// A case that cannot be run.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { place: String::new(), what: what.into(), expected: None, got: None }
    }

    /// Two values that should be the same.
    pub(crate) fn differs(what: impl Into<String>, expected: Value, got: Value) -> Self {
        Self { expected: Some(expected), got: Some(got), ..Self::new(what) }
    }

    /// The same fault in a known place; an inner place stays.
    pub(crate) fn at(mut self, place: &str) -> Self {
        if self.place.is_empty() {
            self.place = place.into();
        }
        self
    }

    pub(crate) fn in_file(self, path: &str) -> Failure {
        let Self { place, what, expected, got } = self;
        let text = |value: Option<Value>| value.map(|value| value.to_string());
        let (expected, got) = (text(expected), text(got));
        Failure { path: path.into(), place, what, expected, got }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": {}", self.what)?;
        if let Some(expected) = &self.expected {
            write!(f, "\n  expected {expected}")?;
        }
        if let Some(got) = &self.got {
            write!(f, "\n  got      {got}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
