//! Histories: what the rows of a log say of one object, and which of them cannot be true.
//!
//! Source: DESIGN §6.
//!
//! ```text
//! rule ─ hop ─ pass ─ object ─┬─ at         the state at a time, a snapshot of it
//!                             ├─ dwell      how long, in which state
//!                             ├─ explain    the nearest legal explanation of a row that cannot be
//!                             └─ card       what an operator asks
//! ```

mod at;
mod card;
mod dwell;
mod explain;
mod hop;
mod object;
mod options;
mod overdue;
mod pass;
mod rule;
mod told;
mod violation;
mod visit;

pub use at::{Certainty, StateAt};
pub use card::{Card, CardAction, CardEvidence, CardState, Deadline};
pub use dwell::{Cycle, Dwell, DwellOptions, StateDwell};
pub use explain::{ExplainedStep, Explanation, ExplanationKind};
pub(crate) use hop::{Claim, Hop, HopFault};
pub use object::{History, HistoryError};
pub use options::{HistoryOptions, Sequences};
pub use overdue::{Overdue, StuckCause, StuckCode};
pub use rule::RowRule;
pub use violation::RowViolation;
pub use visit::{Visit, VisitStatus};
