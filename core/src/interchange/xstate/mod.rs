//! Machines of XState 5, as JSON: what people pass to `createMachine`.
//!
//! What has the same meaning in both is translated; all else is refused, each part with its place. Where XState
//! and W3C SCXML differ, a definition does what SCXML says (DESIGN §5):
//!
//! - a `*` stands for what the world sends. In XState it also takes the end of a state and the events of
//!   delays, so that a delay further out never comes through;
//! - a parallel state takes an event beside its regions where their transitions do not collide; in XState only
//!   where no region takes it;
//! - a transition between regions leaves and enters the parallel state, too; in XState only what is in it;
//! - regions are asked in document order, in XState in the order in which they were entered last;
//! - a region that is itself `final` gets a state `final` inside: here a region ends as its machine does;
//! - the end of a machine leaves nothing; XState runs the `exit` of all that is active. (Those of an outermost
//!   final state and of the machine follow its `entry` here.)
//!
//! Source: XState 5.33, `StateNode` and `stateUtils`.

mod build;
mod config;
mod events;
mod export;
mod extra;
mod fields;
mod json;
mod refusals;
mod resolve;
mod target;
mod ways;

use alloc::{string::String, vec::Vec};
use core::fmt;

pub use events::action_for_xstate_event;
use json::Json;
use refusals::Refusals;
use serde::Serialize;

use super::LeftOut;
use crate::{definition::Definition, diagnostic::Diagnostic, limits::Limits, place::locate, text};

/// A config that is not JSON, or says what a definition cannot, with all that is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InvalidXstate {
    diagnostics: Vec<Diagnostic>,
}

impl InvalidXstate {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-xstate"
    }

    /// Everything that is refused, in the order of the text, each part with its place, the reason and the way
    /// out; at least one.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The same without lines and columns: for a config that its author has not written as this text.
    #[must_use]
    pub fn without_lines(mut self) -> Self {
        for found in &mut self.diagnostics {
            (found.line, found.column) = (None, None);
            for related in &mut found.related {
                (related.line, related.column) = (None, None);
            }
        }
        self
    }
}

impl fmt::Display for InvalidXstate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the config cannot be imported")?;
        if let Some(first) = self.diagnostics.first() {
            write!(f, ": {first}")?;
        }
        match self.diagnostics.len().saturating_sub(1) {
            0 => Ok(()),
            1 => f.write_str("; and 1 more refusal"),
            more => write!(f, "; and {more} more refusals"),
        }
    }
}

impl core::error::Error for InvalidXstate {}

/// A definition as a config of XState.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct XstateExport {
    /// The config, as JSON text: its order of states and events is a part of what it means.
    pub config: String,
    /// What XState has no word for, in document order.
    pub left_out: Vec<LeftOut>,
}

impl Definition {
    /// Reads a machine of XState 5: the JSON form of what is passed to `createMachine`. The old words `cond`
    /// and `internal` are understood, too.
    ///
    /// Whether the definition makes sense is for `Machine::new` to say; what is an error here and none in
    /// XState (no terminal state, unreachable states) is allowed. A named guard becomes a guard of that name, which
    /// the host registers or the author writes in CEL; actions become names of side effects. A delay becomes a
    /// timeout, whose action has the name of XState's event for it. `context`, `output` and `tags` are kept in
    /// `metadata.xstate`: an object's data are handed in when it starts.
    ///
    /// # Errors
    ///
    /// The text is not JSON, says what a definition cannot (services, code, guards and actions with parts of
    /// their own, several delays in one state), names what is not there, or is larger than the default
    /// [`Limits`].
    pub fn from_xstate(text: &str) -> Result<Self, InvalidXstate> {
        Self::from_xstate_within(text, &Limits::default())
    }

    /// Reads a machine of XState 5 within `limits`.
    ///
    /// # Errors
    ///
    /// As [`Definition::from_xstate`].
    pub fn from_xstate_within(text: &str, limits: &Limits) -> Result<Self, InvalidXstate> {
        let json: Json = text::read_as(text, limits)
            .map_err(|fault| InvalidXstate { diagnostics: alloc::vec![*fault] })?;
        let mut refusals = Refusals::default();
        let config = config::read(&json, limits, &mut refusals);
        // What is not understood may be what a target is missing.
        if !config.nodes.is_empty() {
            let resolved = resolve::resolve(&config, &mut refusals);
            let definition = build::build(&config, &resolved, limits, &mut refusals);
            if refusals.is_empty() {
                return Ok(definition);
            }
        }
        Err(InvalidXstate { diagnostics: locate(text, refusals.into_found()) })
    }

    /// Writes the definition as a config of XState 5, and says what XState has no word for.
    ///
    /// What can come back is written to `meta.veristate`, so that an import gives the definition again, with
    /// all of its guards. A guard that is an expression gets a name; its text is in `meta.veristate.guards` of
    /// the machine. Cost: linear in the size of the definition.
    #[must_use]
    pub fn to_xstate(&self) -> XstateExport {
        export::export(self)
    }
}
