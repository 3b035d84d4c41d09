//! `permits`: operations that are no transitions, such as reading and writing.

use alloc::{format, string::String};

use serde::Serialize;

use super::snapshot::{ForeignSnapshot, Snapshot};
use crate::{machine::Machine, name::did_you_mean};

/// Whether the object accepts an operation.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Permit {
    /// Whether an active state lists it.
    pub permitted: bool,
    /// The stable name of the answer.
    pub code: PermitCode,
    /// The answer in one sentence. May change between versions.
    pub message: String,
}

/// The answers to a question for an operation.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PermitCode {
    /// The state lists it.
    Permitted,
    /// Other states list it, this one does not.
    NotPermitted,
    /// No state lists it: probably a mistyped name.
    UnknownOperation,
}

impl Machine {
    /// Whether an object accepts `operation` in its present state.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn permits(&self, snapshot: &Snapshot, operation: &str) -> Result<Permit, ForeignSnapshot> {
        let (state, _) = self.locate(snapshot)?;
        let here = self.state(state);
        let listed = |permits: &[String]| permits.iter().any(|permitted| permitted == operation);
        let (code, message) = if listed(&here.permits) {
            (PermitCode::Permitted, format!("`{}` permits `{operation}`", here.title()))
        } else if self.definition().states.iter().any(|state| listed(&state.permits)) {
            (PermitCode::NotPermitted, format!("`{}` does not permit `{operation}`", here.title()))
        } else {
            let hint = did_you_mean(operation, self.operations());
            (PermitCode::UnknownOperation, format!("no state permits `{operation}`{hint}"))
        };
        Ok(Permit { permitted: code == PermitCode::Permitted, code, message })
    }
}
