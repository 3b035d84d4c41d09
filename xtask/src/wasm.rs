//! A Rust toolchain that builds for `wasm32-unknown-unknown`.
//!
//! The standard library for this target is not on every machine, and not
//! every machine can reach rustup's server. So it is looked for in this order:
//! the toolchain in use; one that an earlier run has set up from Debian's
//! packages; `rustup target add`; Debian's packages (see [`crate::debian`]).

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, bail};
use xshell::Shell;

use crate::{apt, debian};

/// The target of everything that runs in JavaScript.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// What the help of the commands that need WebAssembly says about it.
pub(crate) const HELP: &str = "The WebAssembly target is set up when it is missing. \
    VERISTATE_WASM_VIA=debian takes Debian's packages for it even where rustup has it.";

/// How long rustup may try to download.
const RUSTUP_LIMIT: Duration = Duration::from_secs(60);

/// A program that uses the standard library and must be linked.
const PROBE: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn probe(n: u32) -> usize { format!("{n}").len() }
"#;

/// A toolchain that has [`TARGET`].
pub(crate) struct Toolchain {
    environment: Vec<(&'static str, OsString)>,
}

impl Toolchain {
    /// Finds a toolchain, and sets one up where there is none.
    pub(crate) fn find(sh: &Shell) -> anyhow::Result<Self> {
        match env::var("VERISTATE_WASM_VIA").as_deref() {
            Ok("debian") => return Self::from_debian(sh),
            Ok(other) => bail!("VERISTATE_WASM_VIA is `{other}`: the only choice is `debian`"),
            Err(_) => (),
        }
        let in_use = Self { environment: Vec::new() };
        if in_use.works()? {
            return Ok(in_use);
        }
        let earlier = Self::debian();
        if earlier.works()? {
            return Ok(earlier);
        }
        if add_target(TARGET)? && in_use.works()? {
            return Ok(in_use);
        }
        if apt::available(sh) {
            return Self::from_debian(sh);
        }
        bail!(
            "the Rust toolchain cannot build for {TARGET}, `rustup target add {TARGET}` failed, \
             and only root on Debian can use Debian's packages instead"
        )
    }

    /// The variables that make `cargo` and `rustc` this toolchain's.
    pub(crate) fn environment(&self) -> &[(&'static str, OsString)] {
        &self.environment
    }

    /// Whether this is the toolchain that also runs everything else.
    pub(crate) fn is_in_use(&self) -> bool {
        self.environment.is_empty()
    }

    /// Debian's toolchain, whether it is there or not.
    fn debian() -> Self {
        let environment = if has_rustup() {
            vec![("RUSTUP_TOOLCHAIN", debian::TOOLCHAIN.into())]
        } else {
            let mut path = OsString::from("/usr/bin:");
            path.push(env::var_os("PATH").unwrap_or_default());
            vec![("PATH", path)]
        };
        Self { environment }
    }

    fn from_debian(sh: &Shell) -> anyhow::Result<Self> {
        let toolchain = Self::debian();
        if !toolchain.works()? {
            debian::set_up(sh, has_rustup())?;
        }
        if !toolchain.works()? {
            bail!("Debian's Rust was set up, but it cannot build for {TARGET}");
        }
        Ok(toolchain)
    }

    /// Whether a program can be compiled and linked.
    fn works(&self) -> anyhow::Result<bool> {
        let mut rustc = Command::new("rustc");
        rustc.envs(self.environment.iter().map(|(name, value)| (name, value)));
        builds(&mut rustc)
    }
}

/// Whether `rustc` compiles and links a program for [`TARGET`].
pub(crate) fn builds(rustc: &mut Command) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("probe.rs");
    fs::write(&source, PROBE)?;
    let status = rustc
        .args(["--edition=2024", "--crate-type=cdylib", "--target", TARGET, "-o"])
        .arg(folder.path().join("probe.wasm"))
        .arg(source)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("could not start rustc")?;
    Ok(status.success())
}

/// Asks rustup for a target, and gives up after a while. Answers whether it came.
pub(crate) fn add_target(target: &str) -> anyhow::Result<bool> {
    if !has_rustup() {
        return Ok(false);
    }
    eprintln!("$ rustup target add {target}");
    let mut rustup = Command::new("rustup")
        .args(["target", "add", target])
        .env("RUSTUP_MAX_RETRIES", "0")
        .stdin(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    while start.elapsed() < RUSTUP_LIMIT {
        if let Some(status) = rustup.try_wait()? {
            return Ok(status.success());
        }
        sleep(Duration::from_millis(100));
    }
    rustup.kill()?;
    rustup.wait()?;
    Ok(false)
}

fn has_rustup() -> bool {
    let mut rustup = Command::new("rustup");
    rustup.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    rustup.status().is_ok_and(|status| status.success())
}
