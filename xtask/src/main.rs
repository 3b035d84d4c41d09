//! `cargo xtask <command>`: all the automation of this repository.
//!
//! A command finds or installs what it needs (the WebAssembly target, npm
//! packages, a browser) and skips work whose inputs did not change.

mod apt;
mod bench;
mod browser;
mod debian;
mod npm;
mod package;
mod schema;
mod serve;
mod test;
mod wasm;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xshell::Shell;

/// The developer's commands of Veristate.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the npm package in `web/pkg`
    #[command(after_help = wasm::HELP)]
    Build,
    /// Builds the page and serves it
    Serve(serve::Options),
    /// Runs every check, or only the stages that are named
    #[command(after_help = wasm::HELP)]
    Test(test::Options),
    /// Measures the speed of the core and of the npm package, or only the parts that are named
    Bench(bench::Options),
    /// Writes the JSON Schema of a definition anew from the types
    Schema,
    /// Runs the tests in a WebAssembly file; cargo calls this as its runner
    #[command(hide = true)]
    WasmTestRunner {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        // The whole chain on one line; a backtrace through this program would only hide it.
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    if let Command::WasmTestRunner { arguments } = command {
        let program = OsString::from("wasm-bindgen-test-runner");
        let arguments = std::iter::once(program).chain(arguments);
        return wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(arguments);
    }

    let sh = Shell::new()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the root");
    sh.change_dir(root);
    match command {
        Command::Build => package::build(&sh),
        Command::Serve(options) => serve::serve(&sh, &options),
        Command::Test(options) => test::test(&sh, &options),
        Command::Bench(options) => bench::bench(&sh, &options),
        Command::Schema => schema::schema(&sh),
        Command::WasmTestRunner { .. } => unreachable!("was handled above"),
    }
}
