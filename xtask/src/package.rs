//! The npm package: compiled, bound to JavaScript, optimised and put together.
//!
//! The steps leave what they make in `target/npm`, so that a step whose input
//! did not change is not repeated. Only the last one writes to `web/pkg`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, ensure};
use wasmparser::{Parser, Payload};
use xshell::{Shell, cmd};

use crate::npm;
use crate::wasm::{TARGET, Toolchain};

/// Where the package is put together.
const PACKAGE: &str = "web/pkg";

/// The WebAssembly file in the package.
const WASM: &str = "veristate_bg.wasm";

/// What wasm-bindgen writes and the package has beside [`WASM`].
const GLUE: [&str; 3] = ["veristate.js", "veristate.d.ts", "veristate_bg.wasm.d.ts"];

/// What is copied into the package from the root.
const COPIED: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Quick rather than smallest: a guard is asked a quarter faster for a hundredth of size. And the features of
/// WebAssembly that rustc's output may use.
const OPTIMISE: [&str; 8] = [
    "-O3",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--strip-producers",
];

/// Makes the npm package in `web/pkg` and prints its size.
pub(crate) fn build(sh: &Shell) -> anyhow::Result<()> {
    make(sh)?;
    print_sizes(sh)
}

/// Makes the npm package in `web/pkg`.
pub(crate) fn make(sh: &Shell) -> anyhow::Result<()> {
    let compiled = compile(sh)?;
    let bound = bind(sh, &compiled)?;
    let optimised = optimise(sh, &bound.join(WASM))?;
    check_imports(&optimised)?;
    assemble(sh, &bound, &optimised)
}

/// The folder for what is made on the way.
pub(crate) fn work_dir(sh: &Shell) -> anyhow::Result<PathBuf> {
    Ok(sh.create_dir(target_dir(sh).join("npm"))?)
}

fn target_dir(sh: &Shell) -> PathBuf {
    let chosen = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    sh.current_dir().join(chosen)
}

/// Compiles the crate to WebAssembly.
fn compile(sh: &Shell) -> anyhow::Result<PathBuf> {
    let toolchain = Toolchain::find(sh)?;
    cmd!(sh, "cargo build --package veristate-web --target {TARGET} --profile wasm")
        .envs(toolchain.environment().iter().map(|(name, value)| (name, value)))
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags(sh)?)
        .run()?;
    Ok(target_dir(sh).join(TARGET).join("wasm/veristate_web.wasm"))
}

/// Compiler flags that keep this machine's paths out of the messages of panics.
///
/// They stand in place of the caller's `RUSTFLAGS`: a package is the same whoever makes it.
fn rustflags(sh: &Shell) -> anyhow::Result<String> {
    let home = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => env::home_dir().context("there is no home folder")?.join(".cargo"),
    };
    let registries = sh.read_dir(home.join("registry/src")).unwrap_or_default();
    let flags = registries
        .iter()
        .map(|path| format!("--remap-path-prefix={}=/crates", path.display()))
        .collect::<Vec<_>>();
    Ok(flags.join("\u{1f}"))
}

/// Writes the JavaScript and TypeScript for the compiled file; answers where.
fn bind(sh: &Shell, compiled: &Path) -> anyhow::Result<PathBuf> {
    let out = work_dir(sh)?.join("bound");
    sh.remove_path(&out)?;
    let options = ["--target=web", "--out-name=veristate", "--remove-name-section"];
    let mut arguments = vec!["wasm-bindgen".into()];
    arguments.extend(options.map(Into::into));
    arguments.extend(["--out-dir".into(), out.clone().into_os_string()]);
    arguments.push(compiled.into());
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(arguments)?;
    Ok(out)
}

/// Runs Binaryen's optimiser, unless it has seen the same file last time.
fn optimise(sh: &Shell, input: &Path) -> anyhow::Result<PathBuf> {
    npm::ci(sh, ".")?;
    let folder = sh.create_dir(work_dir(sh)?.join("optimised"))?;
    let (seen, done, output) = (folder.join("input.wasm"), folder.join("done"), folder.join(WASM));
    // What decides about the output beside the input: the options, and the tool's version.
    let settings = format!("{}\n{}", OPTIMISE.join(" "), sh.read_file("package-lock.json")?);
    let unchanged = sh.read_file(&done).is_ok_and(|before| before == settings)
        && sh.read_binary_file(&seen)? == sh.read_binary_file(input)?;
    if !unchanged {
        sh.remove_path(&done)?;
        let tool = "node_modules/binaryen/bin/wasm-opt";
        cmd!(sh, "node {tool} {OPTIMISE...} {input} -o {output}").run()?;
        sh.copy_file(input, &seen)?;
        sh.write_file(&done, settings)?;
    }
    Ok(output)
}

/// Checks that the file asks for nothing but its own glue.
///
/// An import from `env` means that some crate reached for an operating system.
fn check_imports(file: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(file)?;
    let mut modules = BTreeSet::new();
    for payload in Parser::new(0).parse_all(&bytes) {
        if let Payload::ImportSection(section) = payload? {
            for import in section.into_imports() {
                modules.insert(import?.module);
            }
        }
    }
    let own = BTreeSet::from(["./veristate_bg.js"]);
    ensure!(
        modules.is_subset(&own),
        "{WASM} imports from {modules:?}, and only its own glue, {own:?}, is allowed"
    );
    Ok(())
}

/// Fills `web/pkg`. A file that stays the same is not touched.
fn assemble(sh: &Shell, bound: &Path, optimised: &Path) -> anyhow::Result<()> {
    let package = sh.create_dir(PACKAGE)?;
    let template = sh.read_file("web/package.json")?;
    ensure!(template.matches("\"0.0.0\"").count() == 1, "web/package.json must say 0.0.0 once");
    let manifest = template.replace("0.0.0", env!("CARGO_PKG_VERSION"));

    let mut files = vec![("package.json", manifest.into_bytes())];
    files.push((WASM, sh.read_binary_file(optimised)?));
    for name in GLUE {
        files.push((name, sh.read_binary_file(bound.join(name))?));
    }
    for name in COPIED {
        files.push((name, sh.read_binary_file(name)?));
    }
    for old in sh.read_dir(&package)? {
        if !files.iter().any(|(name, _)| old.ends_with(name)) {
            sh.remove_path(old)?;
        }
    }
    for (name, content) in files {
        let path = package.join(name);
        if sh.read_binary_file(&path).ok().as_ref() != Some(&content) {
            // In one stroke: a page that is being built meanwhile must not read half a file.
            let part = package.join(format!("{name}.part"));
            sh.write_file(&part, content)?;
            std::fs::rename(&part, &path)?;
        }
    }
    Ok(())
}

/// Prints how many bytes a user downloads.
fn print_sizes(sh: &Shell) -> anyhow::Result<()> {
    println!("{PACKAGE}, in bytes:");
    let script = include_str!("sizes.js");
    cmd!(sh, "node --eval {script} {PACKAGE}/{WASM} {PACKAGE}/veristate.js").quiet().run()?;
    Ok(())
}
