//! WebAssembly from Debian's packages, for machines that rustup cannot serve.
//!
//! Debian packages a recent Rust for building browsers, `rustc-web`, together
//! with the source of the standard library but without a compiled one for
//! WebAssembly. It is compiled here, once, and put where that compiler looks.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use xshell::{Shell, cmd};

use crate::apt;
use crate::wasm::{TARGET, builds};

/// The name under which rustup knows Debian's Rust.
pub(crate) const TOOLCHAIN: &str = "wasm";

/// Debian's compiler.
const RUSTC: &str = "/usr/bin/rustc";

/// Installs Debian's Rust, completes it, and links it to rustup if that is there.
pub(crate) fn set_up(sh: &Shell, rustup: bool) -> anyhow::Result<()> {
    ensure!(apt::available(sh), "Debian's packages need apt-get and root");
    apt::install(sh, &["rustc-web", "cargo-web", "rust-web-src", "gcc", "libc6-dev"])?;
    let about = cmd!(sh, "{RUSTC} --version --verbose").env_remove("RUSTUP_TOOLCHAIN").read()?;
    let field = |name: &str| {
        let value = about.lines().find_map(|line| line.strip_prefix(name));
        value.with_context(|| format!("`rustc --version --verbose` has no line `{name}`"))
    };
    let sysroot = cmd!(sh, "{RUSTC} --print sysroot").read()?;
    let library = Path::new(&sysroot).join("lib/rustlib");

    link_linker(sh, &library.join(field("host: ")?).join("bin"), field("LLVM version: ")?)?;
    if !builds(&mut Command::new(RUSTC))? {
        compile_std(sh, &library.join(TARGET).join("lib"), field("release: ")?)?;
    }
    if rustup {
        cmd!(sh, "rustup toolchain link {TOOLCHAIN} /usr").run()?;
    }
    Ok(())
}

/// Puts LLVM's linker where rustc looks for `rust-lld`.
fn link_linker(sh: &Shell, folder: &Path, llvm: &str) -> anyhow::Result<()> {
    let rust_lld = folder.join("rust-lld");
    if cmd!(sh, "{rust_lld} -flavor wasm --version").quiet().ignore_stderr().read().is_ok() {
        return Ok(());
    }
    let major = llvm.split('.').next().unwrap_or(llvm);
    let package = format!("lld-{major}");
    apt::install(sh, &[&package])?;
    sh.create_dir(folder)?;
    cmd!(sh, "ln -sfn /usr/lib/llvm-{major}/bin/lld {rust_lld}").run()?;
    Ok(())
}

/// Compiles the standard library from Debian's source into `folder`.
fn compile_std(sh: &Shell, folder: &Path, release: &str) -> anyhow::Result<()> {
    eprintln!("compiling the standard library for {TARGET}, once");
    let source = format!("/usr/src/rustc-{release}/library");
    let scratch = sh.create_temp_dir()?;
    let output = scratch.path().join("target");
    // Away from this workspace, so that its configuration does not apply.
    let _folder = sh.push_dir(scratch.path());
    // The library uses unstable features and private crates, as only it may.
    // Bitcode lets link-time optimisation reach into it.
    let flags = format!(
        "-Zforce-unstable-if-unmarked -Cembed-bitcode=yes \
         --remap-path-prefix={source}=/rustc/{release}/library"
    );
    let mut cargo = cmd!(sh, "/usr/bin/cargo build --quiet --locked --release --target {TARGET}")
        .args(["--features", "compiler-builtins-mem", "--manifest-path"])
        .arg(format!("{source}/sysroot/Cargo.toml"));
    // Nothing of the calling cargo and its toolchain may reach this build.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if (name.starts_with("CARGO_") && name != "CARGO_HOME") || name.starts_with("RUST") {
            cargo = cargo.env_remove(&*name);
        }
    }
    cargo
        .env("PATH", "/usr/bin:/bin")
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", &output)
        .run()?;

    sh.remove_path(folder)?;
    sh.create_dir(folder)?;
    for file in sh.read_dir(output.join(TARGET).join("release/deps"))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with("libsysroot-") {
            sh.copy_file(&file, folder)?;
        }
    }
    Ok(())
}
