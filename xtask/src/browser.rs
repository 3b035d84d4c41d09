//! The browser that tests run in: Chromium or Chrome, and its chromedriver.

use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use xshell::Shell;

use crate::{apt, package};

/// Where the two programs are.
pub(crate) struct Browser {
    /// Chromium or Chrome.
    pub(crate) chrome: PathBuf,
    /// The chromedriver of the same version.
    pub(crate) driver: PathBuf,
}

impl Browser {
    /// Finds the programs, and installs them where this user may do so.
    ///
    /// The variables `CHROME` and `CHROMEDRIVER` go before what is in `PATH`.
    pub(crate) fn find(sh: &Shell) -> anyhow::Result<Self> {
        if let Some(browser) = Self::present() {
            return Ok(browser);
        }
        if apt::available(sh) {
            apt::install(sh, &["chromium", "chromium-driver"])?;
        }
        Self::present().context(
            "found no Chromium or Chrome with its chromedriver: install both \
             (Debian: chromium and chromium-driver), or name them in CHROME and CHROMEDRIVER",
        )
    }

    fn present() -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        Some(Self {
            chrome: program("CHROME", &names)?,
            driver: program("CHROMEDRIVER", &["chromedriver"])?,
        })
    }

    /// Writes the capabilities for wasm-bindgen's test runner: those of
    /// `web/webdriver.json`, with the browser that was found.
    pub(crate) fn capabilities(&self, sh: &Shell) -> anyhow::Result<PathBuf> {
        let mut all: Value = serde_json::from_str(&sh.read_file("web/webdriver.json")?)?;
        let Some(options) = all.get_mut("goog:chromeOptions") else {
            bail!("web/webdriver.json has no `goog:chromeOptions`");
        };
        options["binary"] = json!(self.chrome);
        let path = package::work_dir(sh)?.join("webdriver.json");
        fs::write(&path, all.to_string())?;
        Ok(path)
    }
}

/// The program that `variable` names, or else the first of `names` in `PATH`.
fn program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(path) = env::var_os(variable) {
        return Some(path.into());
    }
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .map(|file| file.with_extension(env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}
