//! Dependencies between the crates of this repository point one way.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// The crates that users get, and which of our own each may need.
const LAYERS: [(&str, &[&str]); 2] = [("veristate", &[]), ("veristate-web", &["veristate"])];

#[test]
fn what_users_get_depends_on_lower_layers_only() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1"])
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a workspace has packages");
    let own: BTreeSet<&str> =
        packages.iter().filter_map(|package| package["name"].as_str()).collect();

    for (name, allowed) in LAYERS {
        let package = packages.iter().find(|package| package["name"] == name);
        let dependencies =
            package.expect("the crate is in the workspace")["dependencies"].as_array();
        let needed: BTreeSet<&str> = dependencies
            .expect("cargo lists dependencies")
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|name| own.contains(name))
            .collect();
        assert_eq!(needed, allowed.iter().copied().collect(), "what {name} depends on");
    }
}
