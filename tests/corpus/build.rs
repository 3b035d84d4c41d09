//! Gathers all cases and runs them in native Rust, for programs that have no files.

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

use veristate_runner::{CaseFile, Native, gather, run, sources};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=VERISTATE_CASES");
    let mut table = String::from("&[\n");
    for source in sources() {
        // A whole folder is watched; of `../shared`, what cases are made of.
        match source.name {
            "shared/" => {
                for part in ["seed", "cases", "cel", "scxml"] {
                    watch(&source.folder.join(part));
                }
            }
            _ => watch(&source.folder),
        }
        for case in gather(&source) {
            writeln!(table, "    {},", row(&case))?;
        }
    }
    table.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or("cargo says where to write")?;
    fs::write(Path::new(&out).join("cases.rs"), table)?;
    Ok(())
}

fn watch(folder: &Path) {
    if folder.exists() {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

fn row(case: &CaseFile) -> String {
    let native = match run(case, &mut Native::default()) {
        Ok(transcript) => {
            let answers = transcript.answers.iter().map(ToString::to_string).collect::<Vec<_>>();
            format!("Ok({:?})", format!("[{}]", answers.join(",")))
        }
        Err(failure) => format!("Err({:?})", failure.to_string()),
    };
    let text = match &case.text {
        Ok(text) => format!("Ok({text:?})"),
        Err(why) => format!("Err({why:?})"),
    };
    let (path, kind) = (&case.path, case.kind.folder());
    format!("Case {{ path: {path:?}, kind: {kind:?}, text: {text}, native: {native} }}")
}
