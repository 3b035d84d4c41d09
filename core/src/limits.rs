//! Bounds on what an untrusted definition or script may ask for.

use alloc::{format, string::String};

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
    /// Levels of states, one inside the other. Default 32, at most 64.
    pub nesting: usize,
    /// States that can be active at once without another inside them: the regions of all levels together.
    /// Default: 256.
    pub active_leaves: usize,
    /// Automatic and completion transitions that follow one action, in rounds. Default: 100.
    pub automatic_rounds: usize,
    /// Configurations that `flatten`, `routes` and `test_vectors` go through, each counted once for what history
    /// states remember. Default: 10,000.
    pub configurations: usize,
    /// Actions in all `routes` together, and steps in all `test_vectors`. Default: 100,000.
    pub route_steps: usize,
    /// Entry conditions of a definition, each counted once for every way into its state: so many may be
    /// asked in one call. Default: 200,000.
    pub conditions: usize,
    /// Length of one guard or entry condition, in bytes. Default: 4,096.
    pub expression_bytes: usize,
    /// Nesting of one guard with the guards that it names. Default 100, at most 120.
    pub expression_depth: usize,
    /// Steps of evaluating one guard, and of all guards of what follows by itself in one decision: about one for each operator, item and 64 bytes of text. Default: 200,000.
    pub evaluation_steps: usize,
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
            nesting: 32,
            active_leaves: 256,
            automatic_rounds: 100,
            configurations: 10_000,
            route_steps: 100_000,
            conditions: 200_000,
            expression_bytes: 4096,
            expression_depth: 100,
            evaluation_steps: 200_000,
            simulation_steps: 10_000,
            simulation_bytes: 64 << 20,
        }
    }
}

impl Limits {
    /// Deeper, the stack of a thread would not do.
    const DEEPEST: usize = 64;

    pub(crate) fn levels(&self) -> usize {
        self.nesting.min(Self::DEEPEST)
    }

    /// What to say of an expression that is too long.
    pub(crate) fn expression_too_long(&self, text: &str) -> Option<String> {
        let (bytes, limit) = (text.len(), self.expression_bytes);
        (bytes > limit).then(|| {
            format!("an expression has {bytes} bytes, the limit `expression_bytes` is {limit}")
        })
    }
}
