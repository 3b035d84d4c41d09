//! Logs: what the records of many objects say together, in columns of integers.
//!
//! Rules of this module. (1) Storage knows no machine: what a record says is a
//! *claim*, kept once for all records that say the same. (2) A report binds the
//! claims to a machine, each judged once, and goes once through the records.
//! (3) The rules of time are those of `history`. Source: DESIGN §6.
//!
//! ```text
//! texts, numbers, rows ─┬─ objects ─┬─ store ─ order ─┬─ pass ─┬─ report   all numbers of a log
//!                       └─ claims ──┴─ bind ──────────┘        ├─ lines    a line for each object
//!                          account: stats, buckets, variants,  ├─ at       where all were at a time
//!                          violations, stuck                   ├─ replay   another version of the definition
//!                                                              └─ discover a definition out of a log
//! ```

mod account;
mod at;
mod bind;
mod buckets;
mod claims;
mod columns;
mod discover;
mod lines;
mod numbers;
mod objects;
mod options;
mod order;
mod pass;
mod quick;
mod read;
mod replay;
mod report;
mod rows;
mod stats;
mod store;
mod stuck;
mod texts;
mod turn;
mod variants;
mod violations;

pub use at::{LogStateAt, ObjectAt, StateCount};
pub use buckets::{Buckets, StateTide};
pub use columns::LogColumns;
pub use lines::{ObjectLine, ObjectStatus};
pub use options::{BottleneckOptions, BucketOptions, LogOptions};
pub use read::{LogRead, LogReader};
pub use replay::{Replay, Stranded, StrandedObject};
pub use report::{
    Bottleneck, LogReport, OpenVisits, StateReport, TransitionReport, UncertainVisits,
};
pub use stats::{Stats, TotalTime};
pub use store::{Log, LogError};
pub use stuck::{StuckObject, StuckObjects};
pub use variants::Variant;
pub use violations::{LogViolation, LogViolations};
