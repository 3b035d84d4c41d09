//! Lifecycle rules that perform no I/O.
//!
//! A [`Definition`] is what somebody wrote. [`Machine::new`] checks it and
//! returns a [`Machine`], or every [`Diagnostic`] that it found. Running is a
//! pure function from a [`Snapshot`] and an action to a [`Decision`].
//!
//! ```
//! use veristate::{Context, Decision, Definition, Machine, NewObject, Request};
//!
//! let definition = Definition::from_json(r#"{
//!     "object_type": "Door", "initial_state": "open",
//!     "states": [{ "name": "open" }, { "name": "walled_up", "is_terminal": true }],
//!     "transitions": [{ "name": "brick", "from_state": "open", "to_state": "walled_up", "action": "wall_up" }]
//! }"#)?;
//! let machine = Machine::new(definition)?;
//! let ctx = Context { timestamp: Some("2026-01-01T12:00:00Z".parse()?), ..Context::default() };
//!
//! let Decision::Accepted(door) = machine.start(&NewObject::named("door-1"), &ctx, &Request::default())? else { panic!() };
//! let Decision::Accepted(plan) = machine.decide(&door.snapshot, "wall_up", &ctx, &Request::default())? else { panic!() };
//! assert_eq!(plan.snapshot.states, ["walled_up"]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # What is deliberately absent
//!
//! Clocks, threads, randomness, files and logging. Time enters as an argument;
//! effects leave as data. `#![no_std]` keeps it so.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod calendar;
mod chart;
mod check;
mod definition;
mod diagnostic;
mod diagram;
mod diff;
mod flat;
mod guard;
mod history;
mod index;
mod interchange;
mod json;
mod limits;
mod log;
mod machine;
mod microstep;
mod name;
mod outline;
mod place;
mod reading;
mod step;
mod table;
mod text;
mod time;

pub use calendar::{Calendar, InvalidCalendar};
#[cfg(feature = "schema")]
pub use definition::definition_schema;
pub use definition::{
    Definition, EntryCondition, HistoryKind, JoinCondition, Kind, Names, State, SubMachine,
    Timeout, Transition, Trigger,
};
pub use diagnostic::{Code, Diagnostic, InvalidDefinition, Related, Severity};
pub use diagram::{
    DiagramOptions, Direction, Edge, Heat, Highlight, LabelPart, StateText, Traffic,
};
pub use diff::{Affected, Change, ChangeCode, ChangeKind};
pub use flat::{FlattenError, Route, TestStep, TestVector, TestVectors};
pub use guard::{
    Evaluation, EvaluationStatus, Expression, HostGuard, InvalidExpression, Missing, MissingCode,
    Reading, UnknownGuard, evaluate,
};
pub use history::{
    Card, CardAction, CardEvidence, CardState, Certainty, Cycle, Deadline, Dwell, DwellOptions,
    ExplainedStep, Explanation, ExplanationKind, History, HistoryError, HistoryOptions, Overdue,
    RowRule, RowViolation, Sequences, StateAt, StateDwell, StuckCause, StuckCode, Visit,
    VisitStatus,
};
pub use interchange::{
    ImportCode, ImportDiagnostic, InvalidScxml, InvalidXstate, LeftOut, LeftOutCode, ScxmlExport,
    XstateExport, action_for_event, action_for_xstate_event,
};
pub use json::{InvalidInput, read, read_list};
pub use limits::Limits;
pub use log::{
    Bottleneck, BottleneckOptions, BucketOptions, Buckets, Log, LogColumns, LogError, LogOptions,
    LogRead, LogReader, LogReport, LogStateAt, LogViolation, LogViolations, ObjectAt, ObjectLine,
    ObjectStatus, OpenVisits, Replay, StateCount, StateReport, StateTide, Stats, Stranded,
    StrandedObject, StuckObject, StuckObjects, TotalTime, TransitionReport, UncertainVisits,
    Variant,
};
pub use machine::{ActionId, Machine, StateId, check};
pub use outline::{StateOutline, StateShape};
pub use reading::{
    InvalidReadOptions, LogRow, LogRowRef, ReadOptions, ReadSummary, RecordFormat, RecordReader,
    Records, RefusedRow, RowCode, RowNames, RowResult, TakenColumn, read_records,
};
pub use step::{
    Accepted, AdoptError, AlreadyApplied, AppliedRequest, Availability, AvailableOptions, Context,
    DecideError, Decision, Due, DueKind, Effect, Evidenced, ForeignSnapshot, GuardAnswer,
    GuardStatus, HistoryRecord, Input, Instance, NewObject, Permit, PermitCode, Proposal, Reason,
    ReasonCode, Refused, Request, ScriptStep, SimulateError, Snapshot, StartError, Status, TooDeep,
    Trace, TraceStep, Violation, ViolationStatus,
};
/// The JSON Schema of a definition, for editors; made from the types by `cargo xtask schema`.
pub const DEFINITION_SCHEMA: &str = include_str!("../definition.schema.json");

pub use time::{Duration, InvalidDuration, InvalidTime, Time};

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// So do those of the guide to histories.
#[cfg(doctest)]
#[doc = include_str!("../../docs/histories.md")]
mod histories {}
