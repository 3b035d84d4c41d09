//! A case of SCXML: a document, and a script of events with the configurations that must come of them.
//!
//! Other people's cases are read from where they are (`scxml/` in `../shared` and in the folder that
//! `VERISTATE_CASES` names). The document is imported; what it is exported to is imported again and played, too.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    case::{ScxmlCase, ScxmlEvent},
    failure::Fault,
    run::Recorded,
};

/// Refusals that are no more than an event which nothing waits for.
const IGNORED: [&str; 3] = ["no-transition", "terminal-state", "guards-failed"];

pub(crate) fn run(case: &ScxmlCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let definition = machine.ask(|surface| surface.import_scxml(&case.scxml));
    if let Some(code) = &case.error {
        return match definition {
            Err(thrown) if thrown.code == *code => Ok(()),
            Err(thrown) => Err(Fault::differs("the error", json!(code), json!(thrown.code))),
            Ok(_) => Err(Fault::new(format!("the import should throw `{code}`"))),
        };
    }
    let definition = definition.map_err(|thrown| {
        let message = format!("the import throws `{}`: {}", thrown.code, thrown.message);
        Fault { got: thrown.diagnostics.clone(), ..Fault::new(message) }
    })?;
    play(case, &definition, machine)?;
    let exports = machine.get("`exports`", |surface| surface.exports())?;
    if exports["left_out"]["scxml"] != json!([]) {
        let left_out = exports["left_out"]["scxml"].clone();
        return Err(Fault::differs("what was imported is exported whole", json!([]), left_out));
    }
    let text = exports["scxml"].as_str().unwrap_or_default().to_owned();
    let again = machine.get("the import of the export", |surface| surface.import_scxml(&text))?;
    play(case, &again, machine).map_err(|fault| Fault {
        what: format!("of the export, imported again: {}", fault.what),
        ..fault
    })
}

/// Plays the script on a definition.
fn play(case: &ScxmlCase, definition: &Value, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    machine.get("`open`", |surface| surface.open(definition, &Value::Null))?;
    let about = machine.get("`about`", |surface| surface.about())?;
    let object = json!({ "object_id": "scxml" });
    let mut ctx = json!({ "timestamp": "2026-01-01T00:00:00Z" });
    let created = machine.get("`start`", |surface| surface.start(&object, &ctx, &Value::Null))?;
    let mut snapshot = created["snapshot"].clone();
    let names = |snapshot: &Value| names(definition, &about, snapshot);
    let compare = |what: &str, expected: &BTreeSet<String>, snapshot: &Value| match names(snapshot)
        == *expected
    {
        true => Ok(()),
        false => Err(Fault::differs(what, json!(expected), json!(names(snapshot)))),
    };
    compare("the first configuration", &case.initial_configuration, &snapshot)?;
    for (index, line) in case.events.iter().enumerate() {
        let ScxmlEvent { event, after, next_configuration } = line;
        if let Some(after) = after {
            let seconds = format!("PT{}S", after / 1000.0);
            let script = json!([{ "advance": seconds }]);
            let trace =
                machine.get("`simulate`", |surface| surface.simulate(&snapshot, &ctx, &script))?;
            (snapshot, ctx) = (trace["snapshot"].clone(), trace["ctx"].clone());
        }
        let name = &event.name;
        let action = machine.get("`action_for_event`", |surface| surface.action_for_event(name))?;
        if let Some(action) = action.as_str() {
            let decide = |surface: &mut dyn crate::Surface| {
                surface.decide(&snapshot, action, &ctx, &Value::Null)
            };
            let decision = machine.get("`decide`", decide)?;
            match decision["outcome"].as_str() {
                Some("accepted") => snapshot = decision["snapshot"].clone(),
                _ if IGNORED.contains(&decision["code"].as_str().unwrap_or_default()) => {}
                _ => {
                    let what = format!("event {index}, `{name}`, is refused");
                    return Err(Fault::differs(&what, json!("accepted"), decision));
                }
            }
        }
        let what = format!("the configuration after event {index}, `{name}`");
        compare(&what, next_configuration, &snapshot)?;
    }
    Ok(())
}

/// The names of the active leaves: ids of the document.
fn names(definition: &Value, about: &Value, snapshot: &Value) -> BTreeSet<String> {
    let name = |path: &Value| {
        let outline = about["outline"].as_array()?;
        let state = outline.iter().find(|state| state["path"] == *path)?;
        let state = definition.pointer(state["pointer"].as_str()?)?;
        Some(state["name"].as_str()?.to_owned())
    };
    snapshot["states"].as_array().into_iter().flatten().filter_map(name).collect()
}
