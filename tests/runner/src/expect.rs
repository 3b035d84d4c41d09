//! What a case expects of an answer.

use serde_json::{Map, Value};

use crate::{failure::Fault, json::missing};

/// How an expected field is compared.
#[derive(Clone, Copy)]
enum Rule {
    Whole,
    Subset,
    /// Names, or whole effects.
    Effects,
}

const FIELDS: [(&str, Rule); 20] = [
    ("outcome", Rule::Whole),
    ("states", Rule::Whole),
    ("transitions", Rule::Whole),
    ("exited", Rule::Whole),
    ("entered", Rule::Whole),
    ("effects", Rule::Effects),
    ("code", Rule::Whole),
    ("message", Rule::Whole),
    ("from_states", Rule::Whole),
    ("to_states", Rule::Whole),
    ("expected_version", Rule::Whole),
    ("reasons", Rule::Subset),
    ("record", Rule::Subset),
    ("snapshot", Rule::Subset),
    ("actions", Rule::Subset),
    ("due", Rule::Subset),
    ("permitted", Rule::Whole),
    ("violations", Rule::Subset),
    ("clock", Rule::Whole),
    ("error", Rule::Whole),
];

/// Compares what was seen with what a case expects.
pub(crate) fn compare(
    expected: Option<&Map<String, Value>>,
    seen: &Map<String, Value>,
) -> Result<(), Fault> {
    if let Some(code) = seen.get("error")
        && expected.is_none_or(|expected| !expected.contains_key("error"))
    {
        let what = "there is an error in place of an answer";
        return Err(Fault { got: Some(code.clone()), ..Fault::new(what) });
    }
    for (field, expected) in expected.into_iter().flatten() {
        let Some((_, rule)) = FIELDS.iter().find(|(name, _)| name == field) else {
            return Err(Fault::new(format!("`expect` has no field `{field}`")));
        };
        let got = seen.get(field).unwrap_or(&Value::Null);
        let fault = match rule {
            Rule::Whole => (expected != got).then(String::new),
            Rule::Subset => missing(expected, got),
            Rule::Effects => missing(expected, &named_like(expected, got)),
        };
        if let Some(inside) = fault {
            let what = format!("`{field}{inside}` is not as expected");
            return Err(Fault::differs(what, expected.clone(), got.clone()));
        }
    }
    Ok(())
}

/// Effects, those as their names for which the case gives a name.
fn named_like(expected: &Value, got: &Value) -> Value {
    let (Value::Array(expected), Value::Array(effects)) = (expected, got) else {
        return got.clone();
    };
    let name = |(index, effect): (usize, &Value)| match expected.get(index) {
        Some(Value::String(_)) => effect["name"].clone(),
        _ => effect.clone(),
    };
    effects.iter().enumerate().map(name).collect()
}
