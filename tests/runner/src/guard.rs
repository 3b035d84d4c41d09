//! A case about expressions and what they give.

use serde_json::{Map, Value, json};

use crate::{
    case::{Example, GuardCase},
    failure::Fault,
    json::{canonical, laid_over, missing},
    run::Recorded,
};

pub(crate) fn run(case: &GuardCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    match (&case.expression, &case.expect, &case.examples) {
        (Some(expression), Some(expected), None) => {
            let answer = evaluate(machine, expression, &case.variables)?;
            compare(expected, &answer)
        }
        (None, None, Some(examples)) => table(examples, &case.variables, machine),
        _ => {
            Err(Fault::new("a guard case has either an `expression` with `expect`, or `examples`"))
        }
    }
}

/// All examples, whatever becomes of each: a table that is half wrong is mended in one go.
fn table(
    examples: &[Example],
    variables: &Map<String, Value>,
    machine: &mut Recorded<'_>,
) -> Result<(), Fault> {
    if examples.is_empty() {
        return Err(Fault::new("a table has examples"));
    }
    let mut wrong = Vec::new();
    for (index, example) in examples.iter().enumerate() {
        let variables = laid_over(variables, &example.variables);
        let ended = evaluate(machine, &example.expression, &variables)
            .and_then(|answer| compare(&example.expected()?, &answer));
        if let Err(fault) = ended {
            let expression = &example.expression;
            wrong.push(fault.in_file(&format!("example {index}, `{expression}`")).to_string());
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => {
            let (count, of, list) = (wrong.len(), examples.len(), wrong.join("\n"));
            Err(Fault::new(format!("{count} of {of} examples are wrong\n{list}")))
        }
    }
}

/// Evaluates, and looks whether the answer contradicts itself.
pub(crate) fn evaluate(
    machine: &mut Recorded<'_>,
    expression: &str,
    variables: &Map<String, Value>,
) -> Result<Value, Fault> {
    let answer = machine.get("`evaluate`", |surface| surface.evaluate(expression, variables))?;
    coherent(&answer)?;
    // The text of a value is an expression that needs no variables.
    if let Some(text) = answer["text"].as_str() {
        let again =
            machine.get("`evaluate` of the text", |surface| surface.evaluate(text, &Map::new()))?;
        for field in ["status", "type", "value", "text"] {
            if again[field] != answer[field] {
                let what = format!("the text, evaluated, has another `{field}`");
                return Err(Fault::differs(what, answer, again));
            }
        }
    }
    Ok(answer)
}

/// The fields say the same as the status. (What the checks find may stand beside any answer.)
fn coherent(answer: &Value) -> Result<(), Fault> {
    let none = |field: &str| answer[field] == json!([]);
    let [value, text, kind] = ["value", "text", "type"].map(|field| answer.get(field));
    let is_value = value.is_some() && text.is_some() && kind.is_some();
    let is_none = value.is_none() && text.is_none() && kind.is_none();
    let is_bool = |bool: bool| value == Some(&bool.into()) && kind == Some(&"bool".into());
    // What the check finds may stand beside any answer.
    let sound = match answer["status"].as_str() {
        Some("true") => is_value && is_bool(true) && none("missing"),
        Some("false") => is_value && is_bool(false) && none("missing"),
        Some("value") => is_value && kind != Some(&"bool".into()) && none("missing"),
        Some("unknown") => is_none && !none("missing"),
        Some("invalid") => is_none && !none("diagnostics") && none("missing") && none("values"),
        _ => false,
    };
    match sound {
        true => Ok(()),
        false => {
            let what = "the answer contradicts itself";
            Err(Fault { got: Some(answer.clone()), ..Fault::new(what) })
        }
    }
}

fn compare(expected: &Map<String, Value>, answer: &Value) -> Result<(), Fault> {
    for (field, expected) in expected {
        let got = answer.get(field).unwrap_or(&Value::Null);
        let expected = canonical(expected.clone());
        let fault = match field.as_str() {
            "status" | "type" | "value" | "text" => (expected != *got).then(String::new),
            "values" | "missing" | "diagnostics" => missing(&expected, got),
            "place" => {
                let first = &answer["diagnostics"][0];
                let place = format!("{}:{}", first["line"], first["column"]);
                (expected != place).then(String::new)
            }
            _ => return Err(Fault::new(format!("`expect` has no field `{field}`"))),
        };
        if let Some(inside) = fault {
            let what = format!("`{field}{inside}` is not as expected");
            return Err(Fault::differs(what, expected, answer.clone()));
        }
    }
    Ok(())
}
