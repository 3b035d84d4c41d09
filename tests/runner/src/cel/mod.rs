//! A case of the conformance suite of CEL.
//!
//! The cases are other people's data. They are read from where they are
//! (`cel/` in `../shared` and in the folder that `VERISTATE_CASES` names).

mod exceptions;
mod typed;

use serde_json::{Map, Value, json};

pub use exceptions::Exception;
pub(crate) use typed::Typed;

use crate::{case::CelCase, failure::Fault, guard, run::Recorded};

pub(crate) fn run(case: &CelCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let (expression, variables) = bound(case)?;
    let answer = guard::evaluate(machine, &expression, &variables)?;
    let status = answer["status"].as_str().unwrap_or_default();
    let wrong = |what: &str, expected: Value| Err(Fault::differs(what, expected, answer.clone()));
    if let Some(exception) = Exception::of(&case.expr) {
        return match status == exception.status() {
            true => Ok(()),
            false => wrong(exception.reason(), json!({ "status": exception.status() })),
        };
    }
    match (&case.expect, case.expect_error) {
        (None, true) if ["unknown", "invalid"].contains(&status) => Ok(()),
        (None, true) => wrong("an error is expected", json!("unknown or invalid")),
        (Some(value), false) => {
            let said = answer["text"].as_str().is_some_and(|text| value.is_said_by(text));
            match said && answer["type"] == value.type_name() {
                true => Ok(()),
                false => {
                    let expected = json!({ "type": value.type_name(), "text": value.literal() });
                    wrong("the value is not as expected", expected)
                }
            }
        }
        _ => Err(Fault::new("a case has either `expect` or `expect_error`")),
    }
}

/// The expression with those bindings in it that JSON cannot carry with their types, and the others.
fn bound(case: &CelCase) -> Result<(String, Map<String, Value>), Fault> {
    let mut expression = case.expr.clone();
    let mut variables = Map::new();
    for (name, value) in &case.bindings {
        match value.as_json() {
            Some(value) => _ = variables.insert(name.clone(), value),
            None if name.contains('.') => {
                return Err(Fault::new(format!("the binding `{name}` cannot be given")));
            }
            None => expression = format!("[{}].map({name}, {expression})[0]", value.literal()),
        }
    }
    Ok((expression, variables))
}
