//! Every case in native Rust, each as one named test.

use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use veristate_runner::{CaseFile, Conformance, Native, gather, run, sources};

fn main() {
    let sources = sources();
    let conformance = Arc::new(Mutex::new(Conformance::default()));
    let trial = |file: CaseFile| {
        if let Ok(mut conformance) = conformance.lock() {
            conformance.found(&file);
        }
        trial(file, Arc::clone(&conformance))
    };
    let mut trials: Vec<Trial> = sources.iter().flat_map(gather).map(trial).collect();
    if !sources.iter().any(|source| source.name == "shared/") {
        trials.push(Trial::test("../shared is not here", || Ok(())).with_ignored_flag(true));
    }
    let arguments = Arguments::from_args();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let (false, Ok(conformance)) = (arguments.list, conformance.lock()) {
        println!("{conformance}\n");
    }
    conclusion.exit();
}

fn trial(file: CaseFile, conformance: Arc<Mutex<Conformance>>) -> Trial {
    Trial::test(file.path.clone(), move || {
        if let Ok(mut conformance) = conformance.lock() {
            conformance.ran(&file);
        }
        match run(&file, &mut Native::default()) {
            Ok(_) => Ok(()),
            Err(failure) => Err(Failed::from(failure.to_string())),
        }
    })
}
