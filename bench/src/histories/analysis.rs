//! Dwell times, where all objects were at a time, and which rows break a rule: one log, all sides.

use std::cell::RefCell;
use std::error::Error;
use std::path::Path;
use std::process::Command;

use veristate::Machine;

use super::answer::Answer;
use super::columns::{Columns, OBJECTS};
use super::native::Native;
use super::node;
use super::rival::{Rival, Took};
use super::turns::{Goal, Side, compare};

/// How many times as fast as polars and `DuckDB`, and how many times as long WebAssembly may take.
const FASTER: Goal = Goal::Faster(10.0);
const WASM: Goal = Goal::AtMost(2.0);

/// The most bytes that a record may take.
const BYTES: f64 = 32.0;

/// Sides in Python: name, engine, threads (0: all), the way to the row before (see `histories.py`), goal.
const PYTHON: [(&str, &str, &str, &str, Goal); 6] = [
    ("polars, a window for each object", "polars", "1", "each", FASTER),
    ("polars, whole columns, known to be sorted", "polars", "1", "whole", FASTER),
    ("polars, whole columns, all threads, by the clock", "polars", "0", "whole", Goal::None),
    ("DuckDB, a window for each object", "duckdb", "1", "each", FASTER),
    ("DuckDB, whole columns, known to be sorted", "duckdb", "1", "whole", FASTER),
    ("DuckDB, whole columns, all threads, by the clock", "duckdb", "0", "whole", Goal::None),
];

const NODE: [(&str, &str, Goal); 3] = [
    ("Veristate in WebAssembly", "veristate", WASM),
    ("JavaScript, typed arrays", "typed", Goal::None),
    ("JavaScript, an object for each record", "objects", Goal::None),
];

pub(super) fn run(
    machine: &Machine,
    columns: &Columns,
    folder: &Path,
    python: Option<&str>,
) -> Result<(), Box<dyn Error>> {
    let native = Native::new(columns, machine)?;
    let answer = Native::told(&native.run());
    let mut rivals = start(folder, python)?;
    for (name, rival, ..) in &mut rivals {
        rival.go()?;
        answer.must_equal(name, &rival.answer::<Answer>()?)?;
    }
    let last = RefCell::new(None);
    let mut sides = vec![Side::native("Veristate", || {
        let (answers, took) = Took::of(|| native.run());
        last.replace(Some(answers));
        took
    })];
    for (name, rival, goal, is_wall) in &mut rivals {
        let side = Side::rival(name, rival, *goal);
        sides.push(if *is_wall { side.by_the_clock() } else { side });
    }
    let records = columns.len();
    let speed: Vec<f64> = sides.iter().map(|_| ten_thousands(records) / 100.0).collect();
    compare(
        &format!(
            "{records} records of {OBJECTS} objects: equal answers; one thread, processor time"
        ),
        sides,
        Some(("million/s", &speed)),
    )?;
    memory(&native, records);
    Ok(())
}

/// A side in another process: its name, the process, the goal, and whether it is measured by the clock.
type Started = (&'static str, Rival, Goal, bool);

/// Starts all sides in other processes.
fn start(folder: &Path, python: Option<&str>) -> Result<Vec<Started>, Box<dyn Error>> {
    let mut rivals = Vec::new();
    for (name, engine, threads, way, goal) in PYTHON {
        let Some(python) = python else { break };
        let mut command = Command::new(python);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/histories.py");
        command.arg(script).arg(engine).arg(folder).args([threads, way]);
        if threads == "1" {
            command.env("POLARS_MAX_THREADS", threads);
        }
        rivals.push((name, Rival::start(name, &mut command)?, goal, threads == "0"));
    }
    for (name, side, goal) in NODE {
        let mut command = node("histories.mjs");
        let rival = Rival::start(name, command.arg(side).arg(folder))?;
        rivals.push((name, rival, goal, false));
    }
    Ok(rivals)
}

fn memory(native: &Native<'_>, records: usize) {
    let bytes = ten_thousands(native.log.bytes()) / ten_thousands(records);
    let verdict = if bytes <= BYTES { "met" } else { "MISSED" };
    println!("  The log takes {bytes:.1} bytes a record; goal: {BYTES} or less: {verdict}");
}

fn ten_thousands(number: usize) -> f64 {
    f64::from(u32::try_from(number / 10_000).unwrap_or(u32::MAX))
}
