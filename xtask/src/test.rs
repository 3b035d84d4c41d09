//! `cargo xtask test`: every check, the quickest to fail first.
//!
//! A stage is one row of [`STAGES`]. Each can be run by itself and then does
//! first what it needs, which costs little when it was done before.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::builder::PossibleValuesParser;
use serde_json::json;
use xshell::{Cmd, Shell, cmd};

use crate::browser::Browser;
use crate::wasm::{self, TARGET, Toolchain};
use crate::{npm, package, serve};

/// A target without a standard library: what builds for it is `no_std`.
const BARE_TARGET: &str = "thumbv7m-none-eabi";

/// How many seconds the tests in a WebAssembly file may take together.
const WASM_TEST_LIMIT: &str = "600";

/// What stands in each line that says how many conformance cases of a suite ran.
const CONFORMANCE: &str = " conformance: ";

/// How many random statecharts are played: some 15 seconds.
const STATECHARTS: &str = "250";

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The stages to run, in the order of the list; all of them if none is named
    #[arg(value_name = "STAGE", value_parser = PossibleValuesParser::new(STAGES.iter().map(|stage| stage.name)))]
    stages: Vec<String>,
}

struct Stage {
    name: &'static str,
    title: &'static str,
    run: fn(&Shell) -> anyhow::Result<Verdict>,
}

/// How a stage ended, if nothing failed.
enum Verdict {
    Passed,
    /// The same, and what it says for the summary.
    Noted(String),
    /// It cannot be run on this machine, for this reason.
    Skipped(&'static str),
}

const STAGES: &[Stage] = &[
    Stage { name: "fmt", title: "Formatting of Rust", run: fmt },
    Stage { name: "clippy", title: "Lints", run: clippy },
    Stage { name: "no-std", title: "The core without the standard library", run: no_std },
    Stage { name: "native", title: "Tests in native Rust", run: native },
    Stage { name: "docs", title: "Documentation of the crates", run: docs },
    Stage { name: "deny", title: "Licences and sources of dependencies", run: deny },
    Stage {
        name: "package",
        title: "The npm package, as Node and TypeScript see it",
        run: npm_package,
    },
    Stage { name: "oracle", title: "Random statecharts against XState", run: oracle },
    Stage { name: "node", title: "Tests in WebAssembly, in Node", run: node },
    Stage { name: "browser", title: "Tests in WebAssembly, in a browser", run: browser },
    Stage { name: "www", title: "Types and unit tests of the page", run: www },
    Stage { name: "renderers", title: "Hostile names in the real renderers", run: renderers },
    Stage { name: "e2e", title: "The built page in a browser", run: e2e },
];

/// Runs the stages that were asked for, then prints how long each took.
///
/// # Errors
///
/// Stops at the first stage that fails, and names it.
pub(crate) fn test(sh: &Shell, options: &Options) -> anyhow::Result<()> {
    let asked = |stage: &&Stage| {
        options.stages.is_empty() || options.stages.iter().any(|name| name == stage.name)
    };
    let mut summary = Vec::new();
    let mut failure = None;
    for stage in STAGES.iter().filter(asked) {
        println!("\n=== {}: {} ===", stage.name, stage.title);
        let start = Instant::now();
        let verdict = (stage.run)(sh);
        let seconds = start.elapsed().as_secs_f64();
        let result = match &verdict {
            Ok(Verdict::Passed) => "passed".to_owned(),
            Ok(Verdict::Noted(note)) => format!("passed; {note}"),
            Ok(Verdict::Skipped(reason)) => format!("skipped: {reason}"),
            Err(_) => "FAILED".to_owned(),
        };
        summary.push(format!("{:<10}{seconds:>8.1} s  {result}", stage.name));
        if let Err(error) = verdict {
            failure = Some(error.context(format!("stage `{}` failed", stage.name)));
            break;
        }
    }
    println!("\n{}\n", summary.join("\n"));
    failure.map_or(Ok(()), Err)
}

fn fmt(sh: &Shell) -> anyhow::Result<Verdict> {
    cmd!(sh, "cargo fmt --all --check").run()?;
    Ok(Verdict::Passed)
}

fn clippy(sh: &Shell) -> anyhow::Result<Verdict> {
    cmd!(sh, "cargo clippy --workspace --all-targets --all-features -- -D warnings").run()?;
    // Only this way does it see what is compiled for WebAssembly alone.
    let toolchain = Toolchain::find(sh)?;
    if toolchain.is_in_use() {
        cmd!(sh, "cargo clippy --package veristate-web --all-targets --target {TARGET}")
            .args(["--", "-D", "warnings"])
            .run()?;
    } else {
        println!("not for {TARGET}: the toolchain that has it has no clippy");
    }
    Ok(Verdict::Passed)
}

fn no_std(sh: &Shell) -> anyhow::Result<Verdict> {
    let installed = || -> anyhow::Result<bool> {
        let folder =
            cmd!(sh, "rustc --print target-libdir --target {BARE_TARGET}").quiet().read()?;
        Ok(sh.path_exists(folder))
    };
    let ready = installed()? || (wasm::add_target(BARE_TARGET)? && installed()?);
    if !ready {
        return Ok(Verdict::Skipped("rustup could not add thumbv7m-none-eabi"));
    }
    // Without regular expressions, whose crate asks for `std`; all the rest of the core does without.
    cmd!(sh, "cargo check --package veristate --no-default-features --target {BARE_TARGET}")
        .run()?;
    Ok(Verdict::Passed)
}

fn native(sh: &Shell) -> anyhow::Result<Verdict> {
    // Apart, since together they would have its dependencies compiled anew, with more features.
    cmd!(sh, "cargo test --package xtask").run()?;
    noted(cmd!(sh, "cargo test --workspace --exclude xtask --all-features"))
}

fn docs(sh: &Shell) -> anyhow::Result<Verdict> {
    cmd!(sh, "cargo doc --workspace --exclude xtask --all-features --no-deps")
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    Ok(Verdict::Passed)
}

fn deny(sh: &Shell) -> anyhow::Result<Verdict> {
    if cmd!(sh, "cargo deny --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        return Ok(Verdict::Skipped("cargo-deny is not installed"));
    }
    // Not the advisories: they change without a change here, and need the network.
    cmd!(sh, "cargo deny check bans licenses sources").run()?;
    Ok(Verdict::Passed)
}

fn npm_package(sh: &Shell) -> anyhow::Result<Verdict> {
    package::build(sh)?;
    // By name, since Node 20 takes no patterns and later ones no folder.
    let mut files = sh.read_dir("tests/package")?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    ensure!(!files.is_empty(), "tests/package has no file `….test.js`");
    cmd!(sh, "node --test --test-reporter=spec {files...}").run()?;
    cmd!(sh, "node node_modules/typescript/bin/tsc --project tests/package").run()?;
    Ok(Verdict::Passed)
}

fn oracle(sh: &Shell) -> anyhow::Result<Verdict> {
    package::make(sh)?;
    npm::ci(sh, "tests/oracle")?;
    let _oracle = sh.push_dir("tests/oracle");
    cmd!(sh, "npm test").env("ORACLE_COUNT", STATECHARTS).run()?;
    Ok(Verdict::Passed)
}

fn node(sh: &Shell) -> anyhow::Result<Verdict> {
    npm::check_node(sh)?;
    noted(wasm_tests(sh)?.env("WASM_BINDGEN_TEST_ONLY_NODE", "1"))
}

fn browser(sh: &Shell) -> anyhow::Result<Verdict> {
    let browser = Browser::find(sh)?;
    let tests = wasm_tests(sh)?
        .env("WASM_BINDGEN_TEST_ONLY_WEB", "1")
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", browser.capabilities(sh)?)
        .env("CHROMEDRIVER", &browser.driver);
    noted(tests)
}

/// Runs tests and shows what they say. The lines that tell how many conformance cases ran would be lost
/// among all the others; they go into the summary, too.
fn noted(tests: Cmd<'_>) -> anyhow::Result<Verdict> {
    eprintln!("$ {tests}");
    let mut tests = Command::from(tests).stdout(Stdio::piped()).spawn()?;
    let said = tests.stdout.take().context("what the tests say cannot be read")?;
    let mut notes = Vec::new();
    for line in BufReader::new(said).lines() {
        let line = line?;
        println!("{line}");
        if line.contains(CONFORMANCE) {
            notes.push(line.trim().to_owned());
        }
    }
    let status = tests.wait()?;
    ensure!(status.success(), "the tests ended with {status}");
    Ok(match notes.is_empty() {
        true => Verdict::Passed,
        false => Verdict::Noted(notes.join("; ")),
    })
}

/// The command that runs `web/tests`; each file says whether it is for a browser.
fn wasm_tests(sh: &Shell) -> anyhow::Result<Cmd<'_>> {
    let toolchain = Toolchain::find(sh)?;
    // This program is the runner, whatever toolchain compiles the tests.
    let program = std::env::current_exe()?;
    let program = program.to_str().context("the path of xtask is not Unicode")?;
    let runner = json!([program, "wasm-test-runner"]);
    let runner = format!("target.{TARGET}.runner={runner}");
    let cargo = cmd!(sh, "cargo test --package veristate-web --tests --target {TARGET}")
        .args(["--config", &runner, "--", "--nocapture"])
        .env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_LIMIT)
        .envs(toolchain.environment().iter().map(|(name, value)| (name, value)));
    Ok(cargo)
}

fn www(sh: &Shell) -> anyhow::Result<Verdict> {
    package::make(sh)?;
    npm::ci(sh, "www")?;
    let _www = sh.push_dir("www");
    cmd!(sh, "npm run check").run()?;
    cmd!(sh, "npm run test --if-present").run()?;
    Ok(Verdict::Passed)
}

fn renderers(sh: &Shell) -> anyhow::Result<Verdict> {
    let browser = Browser::find(sh)?;
    package::make(sh)?;
    npm::ci(sh, "tests/renderers")?;
    let _renderers = sh.push_dir("tests/renderers");
    cmd!(sh, "npm test").env("CHROME", &browser.chrome).run()?;
    Ok(Verdict::Passed)
}

fn e2e(sh: &Shell) -> anyhow::Result<Verdict> {
    let browser = Browser::find(sh)?;
    package::make(sh)?;
    npm::ci(sh, "www")?;
    serve::build_page(sh)?;
    let _www = sh.push_dir("www");
    cmd!(sh, "npm run test:e2e").env("CHROME", &browser.chrome).run()?;
    Ok(Verdict::Passed)
}
