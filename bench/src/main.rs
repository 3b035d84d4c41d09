//! `cargo xtask bench`, its native half: the core by itself, and side by side with other crates.
//!
//! Each module prints one table and says at its head what is compared and
//! what is not. A ratio is taken within one run, on one machine, in turns.

mod documents;
mod generate;
mod growth;
mod guards;
mod independence;
mod lookup;
mod measure;
mod nested;
mod rival;
mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    growth::run()?;
    independence::run()?;
    lookup::run()?;
    nested::run()?;
    documents::run()?;
    guards::run()
}
