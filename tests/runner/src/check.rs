//! A case about a definition and what is found about it.

use serde_json::{Value, json};

use crate::{
    case::CheckCase,
    failure::Fault,
    json::{canonical, missing},
    run::Recorded,
};

pub(crate) fn run(case: &CheckCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let text = match (&case.definition, &case.text) {
        (Some(definition), None) => definition.get().to_owned(),
        (None, Some(text)) => text.clone(),
        _ => return Err(Fault::new("a check case has either a `definition` or a `text`")),
    };
    let found = machine.get("`check`", |surface| surface.check(&text, &case.limits))?;
    if let Some(inside) = missing(&case.diagnostics, &found) {
        let what = format!("`diagnostics{inside}` is not as expected");
        return Err(Fault::differs(what, case.diagnostics.clone(), found));
    }
    let expected = made(&found);
    let got = make(machine, &Value::String(text.clone()), &case.limits);
    if got != expected {
        let what = "a machine made of the text does not find what `check` finds";
        return Err(Fault::differs(what, expected, got));
    }
    if case.definition.is_some() {
        // Its fields have no order of their own, and so the findings about them have none.
        let definition = serde_json::from_str(&text)
            .map_err(|error| Fault::new(format!("the definition is no JSON: {error}")))?;
        let got = sorted(make(machine, &definition, &case.limits));
        let expected = sorted(made(&without_places(found)));
        if got != expected {
            let what = "a machine made of the object does not find what `check` finds in the text";
            return Err(Fault::differs(what, expected, got));
        }
    }
    Ok(())
}

/// What comes of making a machine where `found` is what there is to find.
fn made(found: &Value) -> Value {
    let is_error = |found: &Value| found["severity"] == "error";
    match found.as_array().is_some_and(|found| found.iter().any(is_error)) {
        true => json!({ "error": "invalid-definition", "diagnostics": found }),
        false => json!({ "diagnostics": found }),
    }
}

fn make(machine: &mut Recorded<'_>, definition: &Value, limits: &Value) -> Value {
    match machine.ask(|surface| surface.open(definition, limits)) {
        Ok(diagnostics) => json!({ "diagnostics": diagnostics }),
        Err(thrown) => canonical(thrown.to_value()),
    }
}

fn sorted(mut made: Value) -> Value {
    if let Value::Array(found) = &mut made["diagnostics"] {
        found.sort_by_key(ToString::to_string);
    }
    made
}

/// The findings as they are for an input that is no text.
fn without_places(mut found: Value) -> Value {
    fn clear(list: &mut Value) {
        for found in list.as_array_mut().into_iter().flatten() {
            found["line"] = Value::Null;
            found["column"] = Value::Null;
        }
    }
    clear(&mut found);
    for found in found.as_array_mut().into_iter().flatten() {
        clear(&mut found["related"]);
    }
    found
}
