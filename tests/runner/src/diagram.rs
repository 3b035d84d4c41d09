//! A case about a definition and its drawings.

use serde_json::Value;

use crate::{
    case::{DiagramCase, Drawing},
    failure::Fault,
    flat,
    json::missing,
    run::Recorded,
};

pub(crate) fn run(case: &DiagramCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    machine.get("the definition", |surface| surface.open(&case.definition, &Value::Null))?;
    machine.get("what the machine says of itself", |surface| surface.about())?;
    let drawn = machine.get("drawing", |surface| surface.diagrams(&case.options))?;
    for (name, expected) in [("mermaid", &case.mermaid), ("dot", &case.dot)] {
        if let Some(expected) = expected {
            same(name, expected, &drawn[name])?;
        }
    }
    let edges = machine.get("`edges`", |surface| surface.edges(&case.options))?;
    if let Some(expected) = &case.edges
        && let Some(inside) = missing(expected, &edges)
    {
        let what = format!("`edges{inside}` is not as expected");
        return Err(Fault::differs(what, expected.clone(), edges));
    }
    flat::note(machine)
}

/// Every line ends with a line break; only the last one of a whole text may lack it.
fn same(name: &str, expected: &Drawing, got: &Value) -> Result<(), Fault> {
    let expected = match expected {
        Drawing::Lines(lines) => lines.iter().flat_map(|line| [line, "\n"]).collect::<String>(),
        Drawing::Text(text) if text.ends_with('\n') => text.clone(),
        Drawing::Text(text) => format!("{text}\n"),
    };
    if got == &Value::String(expected.clone()) {
        return Ok(());
    }
    let lines = expected.lines().zip(got.as_str().unwrap_or_default().lines());
    let line = lines.take_while(|(expected, got)| expected == got).count() + 1;
    let what = format!("`{name}` is not as expected, from line {line} on");
    Err(Fault::differs(what, expected.into(), got.clone()))
}
