//! Measurements: of the core by itself, and of the npm package in Node.

use xshell::{Shell, cmd};

use crate::{npm, package};

/// Runs the measurements that are in `bench`.
pub(crate) fn bench(sh: &Shell) -> anyhow::Result<()> {
    if sh.path_exists("bench/Cargo.toml") {
        cmd!(sh, "cargo run --release --package veristate-bench").run()?;
    } else {
        println!("there are no native measurements: bench/Cargo.toml is missing");
    }
    if sh.path_exists("bench/js/run.mjs") {
        package::make(sh)?;
        npm::ci(sh, "bench/js")?;
        cmd!(sh, "node bench/js/run.mjs").run()?;
    } else {
        println!("there are no measurements in Node: bench/js/run.mjs is missing");
    }
    Ok(())
}
