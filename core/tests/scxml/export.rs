//! What is written for a definition, and that it comes back.

use serde_json::{Value, json};
use veristate::{Definition, LeftOutCode};

use crate::{as_json, definition, import};

/// A definition that comes back as it is; `allow` is written anew.
#[track_caller]
fn check_same(fields: &Value) -> String {
    let definition = definition(fields);
    let export = definition.to_scxml();
    assert_eq!(export.left_out, []);
    let again = Definition::from_scxml(&export.text)
        .unwrap_or_else(|error| panic!("{error}\n{}", export.text));
    let mut expected = as_json(&definition);
    expected["allow"] = as_json(&again)["allow"].clone();
    assert_eq!(as_json(&again), expected, "{}", export.text);
    assert_eq!(again.to_scxml(), export);
    export.text
}

/// What an export is without, as codes and pointers.
#[track_caller]
fn check_left_out(fields: &Value, expected: &[(LeftOutCode, &str)]) {
    let export = definition(fields).to_scxml();
    let found: Vec<(LeftOutCode, &str)> =
        export.left_out.iter().map(|part| (part.code, part.pointer.as_str())).collect();
    assert_eq!(found, expected);
    let again = Definition::from_scxml(&export.text)
        .unwrap_or_else(|error| panic!("{error}\n{}", export.text));
    assert_eq!(again.to_scxml().text, export.text);
}

#[test]
fn a_machine_is_plain_scxml() {
    let text = check_same(&json!({
        "initial_state": "draft",
        "states": [{ "name": "draft" }, { "name": "done", "is_terminal": true }],
        "transitions": [
            { "name": "draft_to_done_on_finish", "from_state": "draft", "to_state": "done", "action": "finish" },
        ],
    }));
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"null\" name=\"Thing\" initial=\"draft\">\n  \
          <state id=\"draft\">\n    \
            <transition event=\"finish\" target=\"done\"/>\n  \
          </state>\n  \
          <final id=\"done\"/>\n\
        </scxml>\n";
    assert_eq!(text, expected);
}

#[test]
fn names_that_are_no_ids_come_back() {
    let text = check_same(&json!({
        "object_type": "Bug <report> & \"more\"",
        "version": 7,
        "history_enabled": false,
        "initial_state": "In Progress",
        "states": [
            { "name": "In Progress", "display_name": "In Arbeit", "description": "<a>\r\n\t&amp;", "kind": "transitional" },
            { "name": "N/A", "sub_machine": {
                "object_type": "Inner",
                "initial_state": "open",
                "states": [{ "name": "open" }, { "name": "In Progress", "is_terminal": true }],
            } },
            { "name": "审核中", "regions": [{ "name": "1", "sub_machine": {
                "initial_state": "open", "states": [{ "name": "open" }],
            } }, { "name": "v1.2" }] },
        ],
        "transitions": [
            { "name": "Won't fix", "display_name": "Close it", "from_state": "In Progress",
              "to_state": ["审核中.1.open", "审核中.v1\\.2"], "action": "won't fix" },
        ],
    }));
    for part in
        ["id=\"In_Progress\"", "id=\"N_A\"", "id=\"N_A_open\"", "id=\"_1\"", "event=\"won_t_fix\""]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn an_id_is_nobody_elses() {
    check_same(&json!({
        "initial_state": "a b",
        "states": [{ "name": "a b" }, { "name": "a_b" }, { "name": "a-b" }, { "name": "a/b" }, { "name": "a_b_2" }],
    }));
}

#[test]
fn an_action_that_leads_another_is_written_as_a_word_of_its_own() {
    let text = check_same(&json!({
        "initial_state": "a",
        "states": [{ "name": "a" }],
        "transitions": [
            { "name": "x", "from_state": "a", "action": "pay" },
            { "name": "y", "from_state": "a", "action": "pay.card" },
            { "name": "z", "from_state": "a", "action": "*" },
            { "name": "u", "from_state": "a", "action": "done.state.a" },
            { "name": "v", "from_state": "a", "action": "two words" },
        ],
    }));
    for part in ["event=\"pay_2\"", "event=\"pay.card\"", "event=\"any\"", "event=\"done_state_a\""]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn done_is_an_event_unless_something_ends() {
    let fields = |states: Value| {
        json!({ "initial_state": "a", "states": states, "transitions": [
            { "name": "x", "from_state": "a", "action": "done" },
        ] })
    };
    assert!(check_same(&fields(json!([{ "name": "a" }]))).contains("event=\"done\""));
    let ends = json!([{ "name": "a", "sub_machine": {
        "initial_state": "b", "states": [{ "name": "b", "is_terminal": true }],
    } }]);
    assert!(check_same(&fields(ends)).contains("event=\"done_2\""));
}

#[test]
fn events_of_a_document_are_written_as_they_were() {
    for content in [
        "<state id=\"a\">\n    <transition event=\"pay\" target=\"b\"/>\n  </state>\n  \
         <state id=\"b\">\n    <transition event=\"pay.card go\" target=\"a\"/>\n  </state>",
        "<state id=\"a\">\n    <transition event=\"x\"/>\n    <transition event=\"*\" target=\"a\"/>\n  </state>",
    ] {
        let text = import("", content).to_scxml().text;
        assert!(text.contains(content), "{text}");
    }
}

#[test]
fn a_transition_from_several_states_stays_one() {
    check_same(&json!({
        "initial_state": "a",
        "states": [{ "name": "a" }, { "name": "b" }, { "name": "c", "is_terminal": true }],
        "transitions": [
            { "name": "first", "from_state": "b", "to_state": "a", "action": "x" },
            { "name": "cancel", "from_state": ["a", "b"], "to_state": "c", "action": "cancel" },
            { "name": "last", "from_state": "a", "to_state": "b", "action": "x" },
        ],
    }));
}

#[test]
fn orders_that_contradict_each_other_keep_a_state_in_order() {
    let fields = json!({
        "initial_state": "a",
        "states": [{ "name": "a" }, { "name": "b" }],
        "transitions": [
            { "name": "x", "from_state": ["a", "b"], "action": "x" },
            { "name": "y", "from_state": ["a", "b"], "action": "y" },
        ],
    });
    let text = definition(&fields).to_scxml().text;
    let [x, y] = ["x", "y"]
        .map(|name| format!("    <transition event=\"{name}\" veristate:name=\"{name}\"/>\n"));
    let turned = text.replacen(&[x.as_str(), &y].concat(), &[y, x].concat(), 1);
    assert_ne!(turned, text);
    let found = Definition::from_scxml(&turned).expect("it is a document");
    let names: Vec<&str> = found.transitions.iter().map(|way| way.name.as_str()).collect();
    assert_eq!(names, ["y", "x", "x_2", "y_2"]);
}

#[test]
fn guards_keep_their_names_and_places() {
    let text = check_same(&json!({
        "initial_state": "a",
        "states": [{ "name": "a", "sub_machine": {
            "initial_state": "b",
            "states": [{ "name": "b" }],
            "transitions": [{ "name": "x", "from_state": "b", "action": "x", "guard": "ready" }],
            "guards": { "ready": "object.b > 1 && \"<&'\n\" != ''" },
        } }],
        "transitions": [
            { "name": "y", "from_state": "a", "action": "x", "guard": "ready && hosts_own" },
            { "name": "z", "from_state": "a", "trigger": "automatic", "guard": "\"a.b\" in states" },
        ],
        "guards": { "ready": "object.a > 1", "unused": "true" },
    }));
    assert!(text.contains("datamodel=\"cel\""));
}

#[test]
fn a_guard_never_becomes_another_one() {
    check_left_out(
        &json!({
            "initial_state": "a",
            "states": [{ "name": "a", "sub_machine": {
                "initial_state": "b", "states": [{ "name": "b" }], "guards": { "ready": "object.b" },
            } }],
            "transitions": [
                { "name": "x", "from_state": "a.b", "action": "x", "guard": "ready || object.c" },
                { "name": "y", "from_state": "a.b", "action": "y", "guard": "is_ready" },
            ],
            "guards": { "ready": "object.a" },
        }),
        &[(LeftOutCode::Transition, "/transitions/0/guard")],
    );
}

#[test]
fn history_completion_and_types_come_back() {
    let text = check_same(&json!({
        "initial_state": "p",
        "states": [
            { "name": "p", "regions": [
                { "name": "r", "sub_machine": {
                    "initial_state": "h",
                    "states": [
                        { "name": "x" }, { "name": "y", "is_terminal": true },
                        { "name": "h", "history": "shallow", "default_target": "x" },
                    ],
                    "transitions": [{ "name": "go", "from_state": "x", "to_state": "y", "action": "go" }],
                } },
                { "name": "back", "history": "deep", "default_target": "r.y" },
            ] },
            { "name": "end", "is_terminal": true },
        ],
        "transitions": [
            { "name": "whole", "from_state": "p", "to_state": "p", "action": "whole", "reenter": true },
            { "name": "ended", "from_state": "p", "to_state": "end", "trigger": "completion" },
            { "name": "inner", "from_state": "p.r", "to_state": "p.r.x", "action": "inner" },
            { "name": "outer", "from_state": "p.r", "to_state": "p.r.x", "action": "outer", "reenter": true },
        ],
    }));
    assert!(text.contains("target=\"x\" type=\"internal\" veristate:name=\"inner\""));
    assert!(text.contains("event=\"done.state.p\""));
}

/// What a transition that leads back is written as, and how it comes back.
#[track_caller]
fn check_back(way: &Value, written: &str, to_state: &Value, reenter: bool) {
    let export = definition(&json!({
        "initial_state": "c",
        "states": [
            { "name": "a" },
            { "name": "c", "sub_machine": { "initial_state": "x", "states": [{ "name": "x" }] } },
        ],
        "transitions": [way],
    }))
    .to_scxml();
    assert_eq!(export.left_out, []);
    assert!(export.text.contains(written), "{}", export.text);
    let again = as_json(&Definition::from_scxml(&export.text).expect("it is SCXML"));
    let again = &again["transitions"][0];
    assert_eq!((&again["to_state"], again["reenter"] == true), (to_state, reenter));
}

#[test]
fn a_way_back_leaves_what_it_left() {
    let way = |from: &str, to: &str, reenter: bool| json!({ "name": "w", "from_state": from, "to_state": to, "action": "e", "reenter": reenter });
    check_back(&way("a", "a", false), "<transition event=\"e\" ver", &Value::Null, false);
    check_back(&way("a", "a", true), "event=\"e\" target=\"a\" ver", &json!("a"), true);
    let inside = "event=\"e\" target=\"x\" type=\"internal\" ver";
    check_back(&way("c", "c", false), inside, &json!("c.x"), false);
    check_back(&way("c", "c.x", false), inside, &json!("c.x"), false);
    check_back(&way("c", "c.x", true), "event=\"e\" target=\"x\" ver", &json!("c.x"), true);
    check_back(&way("c", "a", true), "event=\"e\" target=\"a\" ver", &json!("a"), false);
}

#[test]
fn what_scxml_cannot_say_is_listed() {
    use LeftOutCode as Code;
    check_left_out(
        &json!({
            "initial_state": "a",
            "metadata": { "a": 1 },
            "states": [
                { "name": "a", "permits": ["read"], "on_enter": ["x"], "on_exit": ["y"],
                  "timeout": { "after": "1h", "action": "e" },
                  "entry_conditions": [{ "name": "c", "require": "object.x" }], "metadata": { "a": 1 } },
                { "name": "p", "join_condition": "any", "regions": [
                    { "name": "r", "required": false },
                    { "name": "s", "is_terminal": true },
                ] },
                { "name": "t", "is_terminal": true },
            ],
            "transitions": [
                { "name": "w", "from_state": "a", "to_state": "t", "action": "e", "side_effects": ["z"],
                  "required_permissions": ["p"], "metadata": { "a": 1 } },
                { "name": "back", "from_state": "p", "to_state": "p.r", "action": "e" },
                { "name": "out", "from_state": ["t", "a"], "to_state": "a", "action": "f" },
            ],
        }),
        &[
            (Code::Metadata, "/metadata"),
            (Code::Permits, "/states/0/permits"),
            (Code::EntryConditions, "/states/0/entry_conditions"),
            (Code::Timeout, "/states/0/timeout"),
            (Code::SideEffects, "/states/0/on_enter"),
            (Code::SideEffects, "/states/0/on_exit"),
            (Code::Metadata, "/states/0/metadata"),
            (Code::JoinCondition, "/states/1/join_condition"),
            (Code::Required, "/states/1/regions/0/required"),
            (Code::Terminal, "/states/1/regions/1/is_terminal"),
            (Code::Permissions, "/transitions/0/required_permissions"),
            (Code::SideEffects, "/transitions/0/side_effects"),
            (Code::Metadata, "/transitions/0/metadata"),
            (Code::Reenter, "/transitions/1/to_state"),
            (Code::Transition, "/transitions/2/from_state"),
        ],
    );
}

#[test]
fn what_xml_cannot_hold_is_left_out_with_all_that_depends_on_it() {
    use LeftOutCode as Code;
    check_left_out(
        &json!({
            "object_type": "T\u{fffe}",
            "initial_state": "a\u{fffe}",
            "states": [{ "name": "a\u{fffe}", "description": "\u{1}" }],
            "transitions": [
                { "name": "w", "from_state": "a\u{fffe}", "action": "e", "guard": "object.x == '\u{1}'" },
                { "name": "v\u{ffff}", "from_state": "a\u{fffe}", "action": "e", "guard": "g" },
            ],
            "guards": { "g": "'\u{fffe}' == object.x" },
        }),
        &[
            (Code::Text, "/object_type"),
            (Code::Text, "/states/0/name"),
            (Code::Text, "/states/0/description"),
            (Code::Transition, "/transitions/0/guard"),
            (Code::Text, "/transitions/1/name"),
            (Code::Guard, "/guards/g"),
        ],
    );
}

#[test]
fn a_definition_that_is_wrong_is_written_as_far_as_it_goes() {
    let export = definition(&json!({
        "initial_state": "nowhere",
        "states": [{ "name": "a", "history": "deep" }, { "name": "", "sub_machine": { "initial_state": [], "states": [] } }],
        "transitions": [
            { "name": "x", "from_state": "b", "to_state": "a", "action": "e" },
            { "name": "y", "from_state": "", "to_state": [], "action": "e" },
            { "name": "z", "from_state": "", "trigger": "completion", "action": "e" },
            { "name": "u", "from_state": "" },
            { "name": "v", "from_state": "a", "action": "e" },
        ],
    }))
    .to_scxml();
    let pointers: Vec<&str> = export.left_out.iter().map(|part| part.pointer.as_str()).collect();
    let expected = [
        "/transitions/0/from_state",
        "/transitions/1/to_state",
        "/transitions/2",
        "/transitions/3",
        "/transitions/4/from_state",
        "/states/0/default_target",
        "/initial_state",
    ];
    assert_eq!(pointers, expected);
}

#[test]
fn targets_are_found_however_their_paths_are_written() {
    let machine = |initial: &str, default: &str| {
        definition(&json!({
            "initial_state": initial,
            "states": [
                { "name": "out" },
                { "name": "w", "sub_machine": {
                    "initial_state": "w.b",
                    "states": [
                        { "name": "a" },
                        { "name": "b", "is_terminal": true },
                        { "name": "h", "history": "shallow", "default_target": default },
                    ],
                } },
            ],
            "transitions": [
                { "name": "t", "from_state": "out", "to_state": "w.h", "action": "go" },
            ],
        }))
        .to_scxml()
    };
    let export = machine("out", "w.a");
    assert_eq!(export.left_out, [], "{}", export.text);
    assert_eq!(export, machine("out", "a"), "a path from the root or a name: the same state");
    assert!(Definition::from_scxml(&export.text).is_ok(), "{}", export.text);
}
