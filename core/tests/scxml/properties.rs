//! What holds for every document and every definition.

use proptest::prelude::*;
use serde_json::{Value, json};
use veristate::{Definition, LeftOutCode};

use crate::document;

/// A name that is hard to write, or one that occurs often.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-d]",
        1 => "[a-c]\\.[a-c]",
        1 => "(done|done\\.state\\.a|\\*|state1|x y|1st|<&\"'>|\\\\)",
        1 => "\\PC{1,4}",
    ]
}

/// A target: mostly a name, sometimes a path.
fn target() -> impl Strategy<Value = String> {
    prop::collection::vec(name(), 1..3).prop_map(|parts| parts.join("."))
}

/// A state with what is in it, names among siblings often equal.
fn state() -> impl Strategy<Value = Value> {
    let plain = (name(), any::<bool>())
        .prop_map(|(name, is_terminal)| json!({ "name": name, "is_terminal": is_terminal }));
    plain.prop_recursive(3, 20, 4, |inner| {
        let history = (name(), target()).prop_map(|(name, target)| json!({ "name": name, "history": "deep", "default_target": target })).boxed();
        let states = || prop::collection::vec(prop_oneof![5 => inner.clone(), 1 => history.clone()], 1..4);
        prop_oneof![
            (name(), target(), states(), transitions()).prop_map(|(name, initial, states, transitions)| {
                let initial = begin(initial, &states);
                json!({ "name": name, "sub_machine": { "initial_state": initial, "states": states, "transitions": transitions } })
            }),
            (name(), states()).prop_map(|(name, regions)| json!({ "name": name, "regions": regions })),
        ]
    })
}

/// Mostly the first state; else what may be none.
fn begin(target: String, states: &[Value]) -> String {
    match target.len() {
        3.. => target,
        _ => {
            states[0]["name"].as_str().unwrap_or_default().replace('\\', "\\\\").replace('.', "\\.")
        }
    }
}

fn transitions() -> impl Strategy<Value = Vec<Value>> {
    let way = (
        name(),
        prop::collection::vec(target(), 1..3),
        prop::option::of(target()),
        0..4,
        any::<bool>(),
        prop::option::of("[a-c]|[a-c]\\PC{1,4}"),
    );
    let way = way.prop_flat_map(|fields| (Just(fields), name()));
    let way = way.prop_map(|((name, from, to, trigger, reenter, guard), action)| {
        let mut way = json!({ "name": name, "from_state": from, "reenter": reenter });
        if let Some(to) = to {
            way["to_state"] = to.into();
        }
        if let Some(guard) = guard {
            way["guard"] = guard.into();
        }
        match trigger {
            0 => way["trigger"] = "automatic".into(),
            1 => way["trigger"] = "completion".into(),
            _ => way["action"] = action.into(),
        }
        way
    });
    prop::collection::vec(way, 0..8)
}

fn definitions() -> impl Strategy<Value = Definition> {
    (name(), prop::collection::vec(state(), 1..5), transitions()).prop_map(|(initial, states, transitions)| {
        let initial = begin(initial, &states);
        let fields = json!({ "object_type": "T", "initial_state": initial, "states": states, "transitions": transitions, "guards": { "a": "object.x" } });
        Definition::from_json(&fields.to_string()).expect("it has the shape of a definition")
    })
}

/// Pieces of documents, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<state id=\"a\">".to_string()),
        Just("<state>".to_string()),
        Just("</state>".to_string()),
        Just("<parallel id=\"p\">".to_string()),
        Just("</parallel>".to_string()),
        Just("<final id=\"f\"/>".to_string()),
        Just("<history id=\"h\"><transition target=\"a\"/></history>".to_string()),
        "<transition event=\"(e|e\\.f|\\*|done\\.state\\.a)\" target=\"(a|p|f|h)\"/>",
        Just("<![CDATA[".to_string()),
        Just("<!--".to_string()),
        "\\PC{0,5}",
        "[<>&\"'=/!?\\-\\]]{1,3}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A document without our names: those that are there twice get numbers.
fn without_names(text: &str) -> String {
    let mut parts = text.split(" veristate:name=\"");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |before, part| before + part.split_once('"').map_or("", |(_, rest)| rest))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever the definition, an export is a document, and one that was imported comes back whole.
    #[test]
    fn an_export_is_a_fixed_point(definition in definitions()) {
        let export = definition.to_scxml();
        let first = match Definition::from_scxml(&export.text) {
            Ok(first) => first,
            Err(error) => {
                // Nothing in it is no SCXML; but a definition that is wrong stays wrong.
                let codes: Vec<String> = error.diagnostics().iter().map(|found| serde_json::to_string(&found.code).expect("a word")).collect();
                let is_known = |code: &String| matches!(
                    code.trim_matches('"'),
                    "duplicate-id" | "no-states" | "history-without-default" | "history-cycle" | "ambiguous-path"
                );
                prop_assert!(codes.iter().all(is_known), "{codes:?} {error}\n{}", export.text);
                return Ok(());
            }
        };
        let second = first.to_scxml();
        if export.left_out.iter().all(|part| part.code != LeftOutCode::Target) {
            prop_assert_eq!(without_names(&second.text), without_names(&export.text));
        }
        let lost: Vec<LeftOutCode> = second.left_out.iter().map(|part| part.code).collect();
        prop_assert_eq!(lost, [], "{}", export.text);
        let again = Definition::from_scxml(&second.text);
        prop_assert_eq!(again.as_ref(), Ok(&first), "{}\n{}", export.text, second.text);
        prop_assert_eq!(first.to_scxml(), second);
    }

    /// Nothing panics, and what is refused has its place.
    #[test]
    fn any_text_is_answered(text in pieces()) {
        for text in [document("", &text), text] {
            match Definition::from_scxml(&text) {
                Ok(definition) => {
                    let export = definition.to_scxml();
                    prop_assert_eq!(export.left_out, []);
                    let again = Definition::from_scxml(&export.text);
                    prop_assert_eq!(again, Ok(definition));
                }
                Err(error) => {
                    prop_assert!(!error.diagnostics().is_empty());
                    for found in error.diagnostics() {
                        prop_assert!(found.line.is_some() && found.column.is_some());
                    }
                }
            }
        }
    }
}
