//! What guards say by themselves must agree with what `decide` says of them.

use serde_json::{Value, json};

use crate::{agree::Asked, failure::Fault, run::Recorded};

/// Asks every guard of the state, and compares its answer with that of the decision and with the same guard
/// tried by itself.
pub(crate) fn guards(
    machine: &mut Recorded<'_>,
    asked: &Asked<'_>,
    decision: &Value,
) -> Result<(), Fault> {
    let Asked { snapshot, ctx, request, ambiguous, .. } = *asked;
    let answers = machine.get("`guards`", |surface| surface.guards(snapshot, ctx, request))?;
    let answers: Vec<&Value> = answers.as_array().into_iter().flatten().collect();
    for reason in decision["reasons"].as_array().into_iter().flatten() {
        let status = match reason["code"].as_str() {
            Some("guard-false" | "entry-condition-failed") => "false",
            Some("guard-unknown" | "guard-not-registered" | "entry-condition-unknown") => "unknown",
            _ => continue,
        };
        // What follows by itself is asked in another situation.
        if !ambiguous.is_plain(&reason["transition"]) {
            continue;
        }
        let field = |value: &Value, name: &str| value.get(name).cloned().unwrap_or(json!([]));
        let said = |answer: &Value| ["values", "missing"].map(|name| field(answer, name));
        let same = |answer: &&&Value| {
            answer["transition"] == reason["transition"]
                && answer["condition"] == reason["condition"]
        };
        // Two states that are active at once may have conditions of one name.
        let found: Vec<&&Value> = answers.iter().filter(same).collect();
        let is_said = |answer: &&&Value| answer["status"] == status && said(answer) == said(reason);
        if !found.iter().any(is_said) {
            let what = "`guards` disagrees with a reason of `decide`";
            return Err(Fault::differs(what, reason.clone(), json!(found)));
        }
    }
    let taken = decision["transitions"].as_array().map(Vec::as_slice).unwrap_or_default();
    for taken in taken.iter().filter(|name| ambiguous.is_plain(name)) {
        // What conditions see is another thing where other transitions are taken, too.
        let is_false = |answer: &&&Value| {
            answer["transition"] == *taken
                && answer["status"] != "true"
                && (answer["condition"].is_null() || decision["transitions"] == json!([taken]))
        };
        if let Some(answer) = answers.iter().find(is_false) {
            let what = "`guards` says that a guard of the transition taken is not true";
            return Err(Fault::differs(what, taken.clone(), (*answer).clone()));
        }
    }
    if ambiguous.has_inner_guards {
        return Ok(());
    }
    // An entry condition sees the states after the step; the others are the same by themselves.
    for answer in answers.iter().filter(|answer| answer["condition"].is_null()) {
        let guard = answer["guard"].as_str().unwrap_or_default();
        let alone = machine
            .get("`evaluate` of a guard", |surface| surface.evaluate_guard(guard, snapshot, ctx))?;
        // What is neither true nor false is a value by itself, and unknown as a guard.
        let status = match alone["status"] == "value" {
            true => &json!("unknown"),
            false => &alone["status"],
        };
        if *status != answer["status"] {
            let what = "a guard tried by itself says something else";
            return Err(Fault::differs(what, (*answer).clone(), alone));
        }
    }
    Ok(())
}
