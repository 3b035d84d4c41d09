//! Every configuration of a machine, with guards left open: a flat definition of it, and the shortest ways
//! through it. Source: DESIGN §5, `flatten`.
//!
//! ```text
//! ways ─ explore ─┬─ flatten
//!                 ├─ routes ─ vectors
//!                 └─ reach
//! ```

mod explore;
mod flatten;
mod reach;
mod routes;
mod vectors;
mod ways;

pub use explore::FlattenError;
pub(crate) use reach::{Outcome, Patience, Reach, Wanted};
pub use routes::Route;
pub use vectors::{TestStep, TestVector, TestVectors};
