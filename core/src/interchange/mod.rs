//! Definitions from the formats of others, and to them.
//!
//! What a format says and we can say, too, is translated so that the behaviour is the same. All else is
//! refused on the way in, each part with its place, and named on the way out: nothing is lost in silence.

mod event;
mod finding;
mod naming;
mod numbered;
mod places;
mod scxml;
mod xstate;

pub use event::action_for_event;
pub use finding::{ImportCode, ImportDiagnostic, LeftOut, LeftOutCode};
pub use scxml::{InvalidScxml, ScxmlExport};
pub use xstate::{InvalidXstate, XstateExport, action_for_xstate_event};
