//! Deciding: what an action does to an object, and why it does not.
//!
//! Rules of this module. (1) There is one path: `weigh` says whether an action
//! may be taken, `plan` says what taking it does; `decide`, `available`, `can`,
//! `simulate` and an instance all go through them. (2) Nothing is carried out.
//! (3) Order is document order. Source: DESIGN §4.

mod adopt;
mod available;
mod choose;
mod conditions;
mod context;
mod course;
mod decide;
mod decision;
mod due;
mod explain;
mod guards;
mod instance;
mod permits;
mod place;
mod plan;
mod simulate;
mod snapshot;

pub use adopt::AdoptError;
pub use available::{Availability, AvailableOptions, Status};
pub(crate) use choose::{Data, Entries};
pub use conditions::{Violation, ViolationStatus};
pub use context::{Context, Request, TooDeep};
pub use decide::{DecideError, NewObject, StartError};
pub use decision::{Accepted, AlreadyApplied, Decision, Reason, ReasonCode, Refused};
pub use due::{Due, DueKind};
pub use guards::{Evidenced, GuardAnswer, GuardStatus, Input};
pub use instance::{Instance, Proposal};
pub use permits::{Permit, PermitCode};
pub use plan::{Effect, HistoryRecord};
pub use simulate::{ScriptStep, SimulateError, Trace, TraceStep};
pub use snapshot::{AppliedRequest, ForeignSnapshot, Snapshot};
