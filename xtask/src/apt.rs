//! Packages of Debian and its relatives, where this user may install them.

use xshell::{Shell, cmd};

/// Whether packages can be installed here: there is `apt-get`, and we are root.
pub(crate) fn available(sh: &Shell) -> bool {
    let root = cmd!(sh, "id -u").ignore_stderr().quiet().read().is_ok_and(|id| id == "0");
    root && cmd!(sh, "apt-get --version").ignore_stdout().ignore_stderr().quiet().run().is_ok()
}

/// Installs those of `packages` that are not there yet.
pub(crate) fn install(sh: &Shell, packages: &[&str]) -> anyhow::Result<()> {
    let missing: Vec<&str> = packages.iter().copied().filter(|name| !installed(sh, name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let _quiet = sh.push_env("DEBIAN_FRONTEND", "noninteractive");
    cmd!(sh, "apt-get update -qq").run()?;
    cmd!(sh, "apt-get install -y -qq --no-install-recommends {missing...}").run()?;
    Ok(())
}

fn installed(sh: &Shell, package: &str) -> bool {
    let format = "--showformat=${Status}";
    cmd!(sh, "dpkg-query --show {format} {package}")
        .ignore_stderr()
        .quiet()
        .read()
        .is_ok_and(|status| status.ends_with(" installed"))
}
