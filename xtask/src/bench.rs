//! Measurements: of the core by itself, of the npm package in Node, and of histories against other engines.

use anyhow::Context;
use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::{npm, package};

/// Which measurements to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these parts; without any, all
    #[arg(value_enum)]
    parts: Vec<Part>,
}

/// A part of the measurements.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    /// The core by itself and beside other crates
    Native,
    /// The npm package in Node
    Node,
    /// Histories of many objects, beside polars, `DuckDB` and plain JavaScript
    Histories,
}

/// Where the Python of the other engines and the files for them are.
const FOLDER: &str = "target/histories";

/// Runs the measurements that are in `bench`.
pub(crate) fn bench(sh: &Shell, Options { parts }: &Options) -> anyhow::Result<()> {
    let is_asked = |part| parts.is_empty() || parts.contains(&part);
    if is_asked(Part::Native) {
        cmd!(sh, "cargo run --release --package veristate-bench").run()?;
    }
    if is_asked(Part::Node) || is_asked(Part::Histories) {
        package::make(sh)?;
        npm::ci(sh, "bench/js")?;
    }
    if is_asked(Part::Node) {
        cmd!(sh, "node bench/js/run.mjs").run()?;
    }
    if is_asked(Part::Histories) {
        sh.create_dir(FOLDER)?;
        let python = python(sh)
            .inspect_err(|error| println!("polars and DuckDB are skipped: {error:#}"))
            .ok();
        cmd!(sh, "cargo run --release --package veristate-bench -- histories {FOLDER} {python...}")
            .run()?;
    }
    Ok(())
}

/// A Python with the packages of `bench/python/requirements.txt`, in an environment of its own.
///
/// A copy of that file inside the environment remembers what was installed.
fn python(sh: &Shell) -> anyhow::Result<String> {
    let wanted = sh.read_file("bench/python/requirements.txt")?;
    let environment = format!("{FOLDER}/python");
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = format!("{environment}/{folder}/python");
    let stamp = format!("{environment}/installed.txt");
    if sh.read_file(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let base = if cfg!(windows) { "python" } else { "python3" };
    cmd!(sh, "{base} -m venv --clear {environment}").run().context("no Python 3 with venv")?;
    cmd!(sh, "{python} -m pip install --quiet --disable-pip-version-check -r bench/python/requirements.txt")
        .run()
        .context("its packages cannot be installed")?;
    sh.write_file(stamp, wanted)?;
    Ok(python)
}
