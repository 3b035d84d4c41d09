//! Every case in native Rust, each as one named test.

use libtest_mimic::{Arguments, Failed, Trial};
use veristate_runner::{CaseFile, Native, gather, run, sources};

fn main() {
    let sources = sources();
    let mut trials: Vec<Trial> = sources.iter().flat_map(gather).map(trial).collect();
    if !sources.iter().any(|source| source.name == "shared/") {
        trials.push(Trial::test("../shared is not here", || Ok(())).with_ignored_flag(true));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn trial(file: CaseFile) -> Trial {
    Trial::test(file.path.clone(), move || match run(&file, &mut Native::default()) {
        Ok(_) => Ok(()),
        Err(failure) => Err(Failed::from(failure.to_string())),
    })
}
