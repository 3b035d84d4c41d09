//! The runner of the corpus: reads a case, puts it to a surface, compares.
//!
//! A [`Surface`] is one way to the rules: native Rust, or a class in
//! JavaScript. It takes and gives JSON values, so that one runner serves all.
//! A case that is wrong, like one that fails, is a [`Failure`]; nothing panics.
//! The format of a case is written down in `tests/README.md`.

mod agree;
mod case;
mod cel;
mod check;
mod conformance;
mod diagram;
mod diff;
mod expect;
mod explained;
mod failure;
mod files;
mod flat;
mod foreign;
mod guard;
mod history;
mod inside;
mod json;
mod log;
mod native;
mod read;
mod run;
mod scxml;
mod step;
mod surface;

pub use case::Kind;
pub use cel::Exception;
pub use conformance::Conformance;
pub use failure::Failure;
pub use files::{CaseFile, Source, gather, sources};
pub use native::Native;
pub use run::{Transcript, run};
pub use surface::{Answer, LogQuestion, Question, Says, Surface, Text, Thrown};
