//! Prints the JSON Schema of a definition: `cargo xtask schema` keeps it in the repository.

fn main() {
    print!("{}", veristate::definition_schema());
}
