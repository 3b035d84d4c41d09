//! Bounds on what an untrusted definition or script may ask for.

use serde::{Deserialize, Serialize};

/// What one definition may hold and what one simulation may do. Source: DESIGN §10.
///
/// A breach is the diagnostic or error `limit-exceeded`, which names the limit.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Size of the text, in bytes. Default: 64 MiB.
    pub bytes: usize,
    /// Nesting of arrays and objects in the text. Default 64, at most 120.
    pub depth: usize,
    /// Size of one name, label or duration, in bytes. Default: 4,096.
    pub name_bytes: usize,
    /// States of a definition. Default: 200,000.
    pub states: usize,
    /// Transitions of a definition, each counted once for every state that it starts from. Default: 1,000,000.
    pub transitions: usize,
    /// Actions and timeouts of one simulation. Default: 10,000.
    pub simulation_steps: usize,
    /// Data of the caller in the trace of one simulation, in bytes, about. Default: 64 MiB.
    pub simulation_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            depth: 64,
            name_bytes: 4096,
            states: 200_000,
            transitions: 1_000_000,
            simulation_steps: 10_000,
            simulation_bytes: 64 << 20,
        }
    }
}
