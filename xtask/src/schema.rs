//! The JSON Schema of a definition, for editors: made from the types, kept in the repository.

use xshell::{Shell, cmd};

/// Where it is kept; a test of the core says when it is out of date.
const FILE: &str = "core/definition.schema.json";

/// Writes the schema anew.
pub(crate) fn schema(sh: &Shell) -> anyhow::Result<()> {
    let text = cmd!(sh, "cargo run --quiet --package veristate --features schema --example schema")
        .read()?;
    sh.write_file(FILE, text + "\n")?;
    println!("{FILE}");
    Ok(())
}
