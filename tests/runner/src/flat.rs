//! A case about all that can become of a machine: its configurations, the ways to them, its test vectors.

use serde_json::{Value, json};

use crate::{
    case::FlatCase,
    failure::Fault,
    json::missing,
    run::Recorded,
    surface::{Answer, Surface},
};

pub(crate) fn run(case: &FlatCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let definition = &case.definition;
    machine.get("the definition", |surface| surface.open(definition, &Value::Null))?;
    let seen = machine.ask(|surface| surface.explore(&case.limits));
    let seen = match (seen, &case.error) {
        (Ok(seen), None) => seen,
        (Err(thrown), Some(code)) if thrown.code == *code => return Ok(()),
        (Err(thrown), Some(code)) => {
            return Err(Fault::differs("the error", json!(code), json!(thrown.code)));
        }
        (Ok(_), Some(code)) => return Err(Fault::new(format!("`explore` should throw `{code}`"))),
        (Err(thrown), None) => {
            let what = format!("`explore` throws `{}`: {}", thrown.code, thrown.message);
            return Err(Fault::new(what));
        }
    };
    let flat = &seen["flat"];
    let states = flat["states"].as_array().into_iter().flatten();
    let states: Value = states.map(|state| state["name"].clone()).collect();
    let parts = [
        ("states", &case.states, &states),
        ("transitions", &case.transitions, &flat["transitions"]),
        ("routes", &case.routes, &seen["routes"]),
        ("vectors", &case.vectors, &seen["vectors"]),
    ];
    for (name, expected, got) in parts {
        let Some(expected) = expected else { continue };
        if let Some(inside) = missing(expected, got) {
            let what = format!("`{name}{inside}` is not as expected");
            return Err(Fault::differs(what, expected.clone(), got.clone()));
        }
    }
    let is_nested = |state: &&Value| state.get("sub_machine").or(state.get("regions")).is_some();
    if let Some(state) = flat["states"].as_array().into_iter().flatten().find(is_nested) {
        return Err(Fault { got: Some(state.clone()), ..Fault::new("a state is not flat") });
    }
    machine.get("the flat definition", |surface| surface.open(flat, &Value::Null))?;
    Ok(())
}

/// Asks for all whole answers about a machine for which a case does not expect anything: only that each surface
/// gives the same. That there are too many configurations is an answer, too.
pub(crate) fn note(machine: &mut Recorded<'_>) -> Result<(), Fault> {
    machine.get("the exports", |surface| surface.exports())?;
    let explore = |surface: &mut dyn Surface| -> Answer {
        surface.explore(&json!({ "configurations": 200 }))
    };
    match machine.ask(explore) {
        Err(thrown) if thrown.code != "limit-exceeded" => {
            let what = format!("`explore` throws `{}`: {}", thrown.code, thrown.message);
            Err(Fault::new(what))
        }
        _ => Ok(()),
    }
}
