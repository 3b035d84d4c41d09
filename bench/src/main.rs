//! `cargo xtask bench`, its native half: the core by itself, and side by side with other crates.
//!
//! Each module prints one table and says at its head what is compared and
//! what is not. A ratio is taken within one run, on one machine, in turns.

mod documents;
mod generate;
mod growth;
mod guards;
mod histories;
mod independence;
mod lookup;
mod measure;
mod nested;
mod rival;
mod table;

use std::path::Path;

/// `histories FOLDER [PYTHON]` measures histories, anything else the rest.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, folder, python @ ..] = &arguments[..]
        && name == "histories"
    {
        return histories::run(Path::new(folder), python.first().map(String::as_str));
    }
    growth::run()?;
    independence::run()?;
    lookup::run()?;
    nested::run()?;
    documents::run()?;
    guards::run()
}
