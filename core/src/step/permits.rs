//! `permits`: operations that are no transitions, such as reading and writing.

use alloc::{format, string::String, vec::Vec};

use serde::Serialize;

use super::snapshot::{ForeignSnapshot, Snapshot};
use crate::{
    machine::Machine,
    name::{did_you_mean, quoted},
};

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
    /// Other states list it, the active ones do not.
    NotPermitted,
    /// No state lists it: probably a mistyped name.
    UnknownOperation,
}

impl Machine {
    /// Whether an object accepts `operation`: an active state, or one around it, lists it.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn permits(&self, snapshot: &Snapshot, operation: &str) -> Result<Permit, ForeignSnapshot> {
        let active = self.locate(snapshot)?.situation.active;
        let chart = &self.shared.resolved.chart;
        let listed = |permits: &[String]| permits.iter().any(|permitted| permitted == operation);
        let permits = |&id: &u32| listed(&self.state(id).permits);
        let (code, message) = if let Some(id) = active.iter().copied().find(permits) {
            (PermitCode::Permitted, format!("`{}` permits `{operation}`", self.called(id)))
        } else if (0..chart.count()).any(|id| permits(&id)) {
            let here: Vec<&str> = chart.leaves(&active).map(|id| self.called(id)).collect();
            let here = quoted(here);
            let does = if active.len() > 1 { "do" } else { "does" };
            (PermitCode::NotPermitted, format!("{here} {does} not permit `{operation}`"))
        } else {
            let hint = did_you_mean(operation, self.operations());
            (PermitCode::UnknownOperation, format!("no state permits `{operation}`{hint}"))
        };
        Ok(Permit { permitted: code == PermitCode::Permitted, code, message })
    }
}
