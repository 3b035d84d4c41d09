//! Every case of the corpus: the same answers as in native Rust, word by word.

use serde_json::Value;
use veristate_corpus::{CASES, Case};
use veristate_runner::{CaseFile, Conformance, Failure, Kind, run};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

use super::surface::Web;

#[wasm_bindgen_test]
fn every_case_of_the_corpus() {
    let mut conformance = Conformance::default();
    let failures: Vec<String> =
        CASES.iter().filter_map(|case| failure(case, &mut conformance).err()).collect();
    let failed = failures.len();
    for line in conformance.to_string().lines() {
        console_log!("{line}");
    }
    console_log!("{} cases of the corpus were run, {failed} failed", CASES.len());
    assert!(!CASES.is_empty(), "the corpus has no cases");
    assert!(
        failures.is_empty(),
        "{failed} of {} cases failed:\n{}",
        CASES.len(),
        failures.join("\n")
    );
}

fn failure(case: &Case, conformance: &mut Conformance) -> Result<(), String> {
    let kind = Kind::of_folder(case.kind).ok_or("there is no such kind of case")?;
    let text = case.text.map(Into::into).map_err(Into::into);
    let file = CaseFile { path: case.path.into(), kind, text };
    conformance.found(&file);
    let native = case.native.map_err(|failure| format!("in native Rust already: {failure}"))?;
    conformance.ran(&file);
    let transcript =
        run(&file, &mut Web::default()).map_err(|failure: Failure| failure.to_string())?;
    if transcript.skipped.is_some() {
        return Ok(());
    }
    let native: Vec<Value> = serde_json::from_str(native).map_err(|error| error.to_string())?;
    for (index, (native, web)) in native.iter().zip(&transcript.answers).enumerate() {
        let (native, web) = (native.to_string(), web.to_string());
        if native != web {
            let path = case.path;
            return Err(format!("{path}, answer {index}\n  native {native}\n  web    {web}"));
        }
    }
    match native.len() == transcript.answers.len() {
        true => Ok(()),
        false => Err(format!("{}: not as many answers as in native Rust", case.path)),
    }
}
