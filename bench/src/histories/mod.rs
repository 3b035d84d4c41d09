//! Histories of many objects, against polars, `DuckDB` and plain JavaScript: `cargo xtask bench histories`.
//!
//! All sides get the same rows (`columns`), keep them in their own form and give the same answers (`answer`), which is
//! checked before anything is printed. Sides in other languages run in processes of their own (`rival`) and measure
//! themselves; all take turns, and a ratio is the median of the ratios within the rounds. What one thread does is
//! measured in processor time, since the machine may be busy with something else.
//!
//! The core does more than is asked for: `Log::report` also tells the times before each transition, buckets of time,
//! variants, re-entries and stuck objects, and lists violations. The others do what is asked for and no more, in the
//! quickest way that was found.

mod analysis;
mod answer;
mod columns;
mod native;
mod reading;
mod rival;
mod texts;
mod turns;

use std::error::Error;
use std::path::Path;
use std::process::Command;

use veristate::Machine;

use crate::generate;
use columns::{Columns, Ways};

/// Rows of the logs that are analysed.
const SIZES: [usize; 2] = [1_000_000, 10_000_000];

/// Rows of the log that is read.
const READ: usize = 1_000_000;

/// Measures everything; files for the other processes go to `folder`. Without a Python that has polars and `DuckDB`,
/// their sides are left out.
pub(crate) fn run(folder: &Path, python: Option<&str>) -> Result<(), Box<dyn Error>> {
    let machine = Machine::from_json(generate::INSTANCE)?;
    let ways = Ways::of(&machine);
    for records in SIZES {
        let columns = Columns::generate(records, &ways);
        let folder = folder.join(records.to_string());
        columns.write(&folder, &ways)?;
        analysis::run(&machine, &columns, &folder, python)?;
    }
    reading::run(&Columns::generate(READ, &ways), &machine, folder)
}

/// A script of `bench/js`, with room for ten million objects.
fn node(script: &str) -> Command {
    let mut command = Command::new("node");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("js");
    command.arg("--max-old-space-size=8192").arg(folder.join(script));
    command
}
