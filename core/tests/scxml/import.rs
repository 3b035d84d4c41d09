//! What each part of SCXML becomes.

use serde_json::{Value, json};
use veristate::action_for_event;

use crate::{as_json, import};

#[track_caller]
fn check_states(content: &str, expected: &Value) {
    assert_eq!(as_json(&import("", content))["states"], *expected);
}

#[track_caller]
fn check_transitions(content: &str, expected: &Value) {
    assert_eq!(as_json(&import("", content))["transitions"], *expected);
}

#[test]
fn a_document_becomes_a_definition() {
    let found = import(
        " name=\"Order\" initial=\"open\" version=\"1.0\" datamodel=\"ecmascript\"",
        "<final id=\"closed\"/><state id=\"open\"><transition event=\"close\" target=\"closed\"/></state>",
    );
    let expected = json!({
        "object_type": "Order",
        "version": 1,
        "initial_state": "open",
        "history_enabled": true,
        "states": [{ "name": "closed", "is_terminal": true }, { "name": "open" }],
        "transitions": [{
            "name": "open_to_closed_on_close",
            "from_state": "open",
            "to_state": "closed",
            "action": "close",
        }],
        "allow": ["unreachable-state"],
    });
    assert_eq!(as_json(&found), expected);
}

#[test]
fn without_a_name_it_is_imported_and_begins_with_its_first_state() {
    let found = import("", "<state id=\"a\"/><final id=\"b\"/>");
    assert_eq!((found.object_type.as_str(), found.initial_state), ("Imported", "a".into()));
}

#[test]
fn a_document_may_do_without_a_namespace() {
    let text = "<scxml><state id=\"a\"/></scxml>";
    assert!(veristate::Definition::from_scxml(text).is_ok());
    let prefixed =
        "<s:scxml xmlns:s=\"http://www.w3.org/2005/07/scxml\"><s:state id=\"a\"/></s:scxml>";
    assert!(veristate::Definition::from_scxml(prefixed).is_ok());
}

#[test]
fn states_nest() {
    check_states(
        "<state id=\"a\"><state id=\"b\"><final id=\"c\"/></state></state>",
        &json!([{ "name": "a", "sub_machine": {
            "initial_state": "b",
            "states": [{ "name": "b", "sub_machine": {
                "initial_state": "c",
                "states": [{ "name": "c", "is_terminal": true }],
                "transitions": [],
            } }],
            "transitions": [],
        } }]),
    );
}

#[test]
fn a_parallel_state_has_regions_of_every_kind() {
    check_states(
        "<parallel id=\"p\">\
           <state id=\"plain\"/>\
           <state id=\"machine\"><state id=\"x\"/></state>\
           <parallel id=\"q\"><state id=\"r\"/></parallel>\
           <history id=\"h\" type=\"deep\"><transition target=\"x r\"/></history>\
         </parallel>",
        &json!([{ "name": "p", "regions": [
            { "name": "plain" },
            { "name": "machine", "sub_machine": {
                "initial_state": "x", "states": [{ "name": "x" }], "transitions": [],
            } },
            { "name": "q", "regions": [{ "name": "r" }] },
            { "name": "h", "history": "deep", "default_target": ["machine.x", "q.r"] },
        ] }]),
    );
}

#[test]
fn it_is_said_in_two_ways_where_a_state_begins() {
    for (attribute, element) in [
        (" initial=\"y\"", ""),
        ("", "<initial><transition target=\"y\"/></initial>"),
        ("", "<initial><!-- here --><transition target=\" y&#9;\"/></initial>"),
    ] {
        let inside = "<state id=\"x\"/><state id=\"y\"/>";
        let found = import("", &format!("<state id=\"a\"{attribute}>{element}{inside}</state>"));
        assert_eq!(as_json(&found)["states"][0]["sub_machine"]["initial_state"], "y");
    }
}

#[test]
fn a_beginning_may_lie_deep_be_a_history_state_or_be_several() {
    let inside = "<parallel id=\"p\"><state id=\"r\"><state id=\"r1\"/><state id=\"r2\"/></state>\
                  <state id=\"s\"><state id=\"s1\"/><state id=\"s2\"/></state></parallel>\
                  <history id=\"h\"><transition target=\"p\"/></history>";
    for (initial, expected) in
        [("r2", json!("p.r.r2")), ("h", json!("h")), ("s2 r2 s2", json!(["p.s.s2", "p.r.r2"]))]
    {
        let found = import("", &format!("<state id=\"a\" initial=\"{initial}\">{inside}</state>"));
        assert_eq!(as_json(&found)["states"][0]["sub_machine"]["initial_state"], expected);
    }
    let found = import(" initial=\"b\"", "<state id=\"a\"><state id=\"b\"/></state>");
    assert_eq!(found.initial_state, "a.b".into());
}

#[test]
fn a_history_state_is_no_beginning_unless_it_is_named() {
    let found = import(
        "",
        "<state id=\"a\"><history id=\"h\"><transition target=\"x\"/></history><state id=\"x\"/></state>",
    );
    let inside = &as_json(&found)["states"][0]["sub_machine"];
    assert_eq!(inside["initial_state"], "x");
    let history = json!({ "name": "h", "history": "shallow", "default_target": "x" });
    assert_eq!(inside["states"][0], history);
}

#[test]
fn a_state_without_an_id_gets_one_that_is_free() {
    let found =
        import("", "<state/><state id=\"state2\"/><state/><final/><parallel><state/></parallel>");
    let names: Vec<&str> = found.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, ["state1", "state2", "state3", "final1", "parallel1"]);
    assert_eq!(found.states[4].regions[0].name, "state4");
}

#[test]
fn what_sets_a_transition_off() {
    check_transitions(
        "<state id=\"a\">\
           <transition event=\"go\" target=\"b\"/>\
           <transition target=\"b\"/>\
           <transition event=\"done.state.a\" target=\"b\"/>\
           <transition event=\"stay\"/>\
           <final id=\"x\"/>\
         </state><final id=\"b\"/>",
        &json!([
            { "name": "a_to_b_on_go", "from_state": "a", "to_state": "b", "action": "go" },
            { "name": "a_to_b_always", "from_state": "a", "to_state": "b", "trigger": "automatic" },
            { "name": "a_to_b_when_done", "from_state": "a", "to_state": "b", "trigger": "completion" },
            { "name": "a_on_stay", "from_state": "a", "action": "stay" },
        ]),
    );
}

/// Source and action of each transition, in order.
#[track_caller]
fn check_actions(content: &str, expected: &[(&str, &str)]) {
    let found = import("", content);
    let actions: Vec<(&str, &str)> = found
        .transitions
        .iter()
        .map(|transition| {
            let action = transition.action.as_deref().unwrap_or_default();
            (transition.from_state.as_slice()[0].as_str(), action)
        })
        .collect();
    assert_eq!(actions, expected);
}

#[test]
fn an_event_descriptor_becomes_all_actions_that_it_matches() {
    check_actions(
        "<state id=\"a\"><transition event=\"pay.*\" target=\"b\"/></state>\
         <state id=\"b\"><transition event=\"pay.card. stop\" target=\"a\"/></state>\
         <state id=\"c\"><transition event=\"payment\" target=\"a\"/></state>",
        &[("a", "pay"), ("a", "pay.card"), ("b", "pay.card"), ("b", "stop"), ("c", "payment")],
    );
}

#[test]
fn a_star_becomes_all_actions_and_one_for_the_rest() {
    check_actions(
        "<state id=\"a\"><transition event=\"x\" target=\"b\"/><transition event=\"*\" target=\"a\"/></state>\
         <state id=\"b\"><transition event=\"y.z\" target=\"a\"/></state>",
        &[("a", "x"), ("a", "x"), ("a", "*"), ("a", "y.z"), ("b", "y.z")],
    );
}

#[test]
fn an_event_of_the_outside_finds_its_action() {
    let found =
        import("", "<state id=\"a\"><transition event=\"pay pay.card *\" target=\"a\"/></state>");
    let actions = || found.transitions.iter().filter_map(|transition| transition.action.as_deref());
    assert_eq!(action_for_event(actions(), "pay.card.visa"), Some("pay.card"));
    assert_eq!(action_for_event(actions(), "pay.cash"), Some("pay"));
    assert_eq!(action_for_event(actions(), "ship"), Some("*"));
}

#[test]
fn a_star_or_done_is_an_event_like_others_where_nothing_ends() {
    check_actions(
        "<state id=\"a\"><transition event=\"done\" target=\"b\"/></state><final id=\"b\"/>",
        &[("a", "done")],
    );
}

#[test]
fn transitions_stand_in_the_machine_of_their_source() {
    let found = import(
        "",
        "<state id=\"a\"><transition event=\"e\" target=\"r2\"/>\
           <state id=\"b\"><transition event=\"e\" target=\"a\"/><transition event=\"f\" target=\"p\"/></state>\
         </state>\
         <parallel id=\"p\"><transition event=\"e\" target=\"a\"/>\
           <state id=\"r\"><transition event=\"e\" target=\"b\"/>\
             <state id=\"r1\"><transition event=\"e\" target=\"r2\"/></state>\
             <state id=\"r2\"><transition event=\"e\" target=\"s\"/></state>\
           </state>\
           <parallel id=\"q\"><state id=\"s\"><transition event=\"e\" target=\"r1\"/></state></parallel>\
         </parallel>",
    );
    let found = as_json(&found);
    let ways = |transitions: &Value| -> Vec<(String, String)> {
        let list = transitions.as_array().expect("a list");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        list.iter().map(|way| (text(&way["from_state"]), text(&way["to_state"]))).collect()
    };
    let of = |ways: &[(&str, &str)]| -> Vec<(String, String)> {
        ways.iter().map(|(from, to)| ((*from).into(), (*to).into())).collect()
    };
    let root = [("a", "p.r.r2"), ("p", "a"), ("p.r", "a.b"), ("p.q.s", "p.r.r1")];
    assert_eq!(ways(&found["transitions"]), of(&root));
    let in_a = &found["states"][0]["sub_machine"]["transitions"];
    assert_eq!(ways(in_a), of(&[("b", "a"), ("b", "p")]));
    let in_r = &found["states"][1]["regions"][0]["sub_machine"]["transitions"];
    assert_eq!(ways(in_r), of(&[("r1", "r2"), ("r2", "p.q.s")]));
}

#[test]
fn an_id_with_a_dot_is_escaped_in_paths_only() {
    let found = import(
        "",
        "<state id=\"v1\"><transition event=\"e\" target=\"v2.1\"/></state>\
         <state id=\"v2\"><state id=\"v2.1\"/></state><state id=\"v3.0\"/>\
         <state id=\"x\"><transition event=\"e\" target=\"v3.0\"/></state>",
    );
    let found = as_json(&found);
    assert_eq!(found["transitions"][0]["to_state"], r"v2.v2\.1");
    assert_eq!(found["transitions"][1]["to_state"], "v3.0");
}

/// `reenter` of a transition of `s`, which holds `x`, `y` and the history state `h`; beside it is `t`.
#[track_caller]
fn check_reenter(kind: &str, target: &str, expected: bool) {
    let found = import(
        "",
        &format!(
            "<state id=\"m\">\
               <state id=\"s\"><transition event=\"e\" {kind} target=\"{target}\"/>\
                 <state id=\"x\"/><state id=\"y\"/>\
                 <history id=\"h\"><transition target=\"y\"/></history></state>\
               <state id=\"t\"/>\
               <history id=\"around\"><transition target=\"t\"/></history>\
             </state><state id=\"u\"/>"
        ),
    );
    let inside = &as_json(&found)["states"][0]["sub_machine"]["transitions"][0];
    assert_eq!(inside["reenter"] == true, expected, "{kind} {target}");
}

#[test]
fn the_type_counts_where_a_transition_could_stay_inside() {
    for target in ["x", "s", "h", "around"] {
        check_reenter("", target, true);
        check_reenter("type=\"external\"", target, true);
    }
    for target in ["x", "h"] {
        check_reenter("type=\"internal\"", target, false);
    }
    check_reenter("type=\"internal\"", "s", true);
    for target in ["t", "u", "m"] {
        check_reenter("", target, false);
        check_reenter("type=\"internal\"", target, false);
    }
}

#[test]
fn only_a_compound_state_stays_in_an_internal_transition() {
    let found = import(
        "",
        "<parallel id=\"p\"><transition event=\"e\" type=\"internal\" target=\"x\"/>\
           <state id=\"r\"><state id=\"x\"><transition event=\"e\" type=\"internal\" target=\"x\"/></state>\
           </state></parallel>",
    );
    let found = as_json(&found);
    assert_eq!(found["transitions"][0]["reenter"], true);
    let region = &found["states"][0]["regions"][0]["sub_machine"];
    assert_eq!(region["transitions"][0]["reenter"], true);
}

#[test]
fn conditions_in_cel_are_guards() {
    let content =
        "<state id=\"a\"><transition event=\"e\" cond=\"object.x &lt; 3\" target=\"a\"/></state>";
    let found = import(" datamodel=\"cel\"", content);
    assert_eq!(found.transitions[0].guard.as_deref(), Some("object.x < 3"));
}

#[test]
fn the_condition_of_every_data_model_asks_for_a_path() {
    let content = "<state id=\"a\"><state id=\"b.c\"><transition cond=\"In('b.c')\" event=\"e\"/></state></state>";
    for model in ["", " datamodel=\"null\"", " datamodel=\"cel\""] {
        let found = as_json(&import(model, content));
        let guard = &found["states"][0]["sub_machine"]["transitions"][0]["guard"];
        assert_eq!(guard, r#""a.b\\.c" in states"#);
    }
}

#[test]
fn what_does_nothing_is_passed_over() {
    let found = import(
        " xmlns:x=\"urn:x\" x:y=\"z\" xmlns:qt=\"http://www.qt.io/2015/02/scxml-ext\" binding=\"early\"",
        "<!-- a --><?php echo ?><datamodel/><state id=\"a\" x:y=\"z\">\n  <qt:editorinfo geometry=\"1\"/>\
         <onentry/><onexit><!-- b --></onexit><transition event=\"e\"/></state>",
    );
    assert_eq!((found.states.len(), found.transitions.len()), (1, 1));
}

#[test]
fn a_document_allows_what_scxml_permits() {
    let allow = |content: &str| import("", content).allow;
    assert_eq!(allow("<state id=\"a\"/><final id=\"b\"/>"), ["unreachable-state"]);
    assert_eq!(allow("<state id=\"a\"/>"), ["no-terminal-state", "unreachable-state"]);
    let joins =
        "<parallel id=\"p\"><state id=\"r\"><final id=\"x\"/></state></parallel><final id=\"f\"/>";
    assert_eq!(allow(joins), ["unreachable-state"]);
    let never = "<parallel id=\"p\"><state id=\"r\"/></parallel><final id=\"f\"/>";
    assert_eq!(allow(never), ["unreachable-state", "region-never-joins"]);
}

#[test]
fn names_of_transitions_are_unique_and_short() {
    let found = import(
        "",
        "<state id=\"a\"><transition event=\"e\" target=\"a\"/><transition event=\"e\" target=\"a\"/>\
         <transition event=\"abcdefghijklmnopqrstuvwxyz0123456789\" target=\"a\"/></state>",
    );
    let names: Vec<&str> =
        found.transitions.iter().map(|transition| transition.name.as_str()).collect();
    assert_eq!(names, ["a_to_a_on_e", "a_to_a_on_e_2", "a_to_a_on_abcdefghijklmnopqrstuvwx"]);
}
