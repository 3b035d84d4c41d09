//! Node and npm: their version, and packages as a lockfile names them.

use anyhow::{Context, ensure};
use xshell::{Shell, cmd};

/// The oldest Node that the package and the page are made with.
const OLDEST_NODE: u32 = 20;

/// Checks that Node is there and not too old.
pub(crate) fn check_node(sh: &Shell) -> anyhow::Result<()> {
    let need = format!("install Node {OLDEST_NODE} or later, with npm");
    let version = cmd!(sh, "node --version").quiet().read().with_context(|| need.clone())?;
    let major = version.trim_start_matches('v').split('.').next().and_then(|n| n.parse().ok());
    ensure!(major.is_some_and(|major: u32| major >= OLDEST_NODE), "this is Node {version}: {need}");
    Ok(())
}

/// Installs what `package-lock.json` in `folder` names, unless that was done.
///
/// A copy of the lockfile inside `node_modules` remembers what was installed.
pub(crate) fn ci(sh: &Shell, folder: &str) -> anyhow::Result<()> {
    check_node(sh)?;
    let _folder = sh.push_dir(folder);
    let stamp = "node_modules/.installed-lock.json";
    let lock = sh.read_file("package-lock.json")?;
    if sh.read_file(stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    cmd!(sh, "npm ci --no-audit --no-fund --loglevel=error").run()?;
    sh.write_file(stamp, lock)?;
    Ok(())
}
