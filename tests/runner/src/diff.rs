//! A case about two definitions and what has changed.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{failure::Fault, json::missing, run::Recorded};

/// A case about two definitions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffCase {
    definition: Value,
    /// The newer one.
    other: Value,
    changes: Value,
}

pub(crate) fn run(case: &DiffCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let DiffCase { definition, other, changes } = case;
    let mut diff =
        |older: &Value, newer: &Value| machine.get("`diff`", |surface| surface.diff(older, newer));
    let found = diff(definition, other)?;
    if let Some(inside) = missing(changes, &found) {
        let what = format!("`changes{inside}` is not as expected");
        return Err(Fault::differs(what, changes.clone(), found));
    }
    for definition in [definition, other] {
        let found = diff(definition, definition)?;
        if found != json!([]) {
            return Err(Fault::differs("a definition differs from itself", json!([]), found));
        }
    }
    // Backwards there is as much to see, or nothing at all.
    let back = diff(other, definition)?;
    match (found == json!([])) == (back == json!([])) {
        true => Ok(()),
        false => Err(Fault::differs("there is a change in one direction only", found, back)),
    }
}
