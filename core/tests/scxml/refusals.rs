//! What has no counterpart, each with its place.

use crate::try_import;

/// The code, line and column of each finding.
fn findings(attributes: &str, content: &str) -> Vec<(String, u32, u32)> {
    let Err(error) = try_import(attributes, content) else { return Vec::new() };
    assert_eq!(error.code(), "invalid-scxml");
    let code = |found: &veristate::ImportDiagnostic| {
        serde_json::to_value(found.code)
            .expect("a code is a word")
            .as_str()
            .unwrap_or("")
            .to_string()
    };
    let diagnostics = error.diagnostics().iter();
    diagnostics
        .map(|found| {
            assert!(!found.message.is_empty() && !found.help.is_empty());
            (code(found), found.line.unwrap_or(0), found.column.unwrap_or(0))
        })
        .collect()
}

/// The one finding about a content, of which `¦` marks the place.
#[track_caller]
fn check(attributes: &str, content: &str, expected: &str) {
    let column = content.chars().position(|c| c == '¦').map_or(0, |column| column + 1);
    let content = content.replace('¦', "");
    let column = u32::try_from(column).expect("a line is short");
    assert_eq!(findings(attributes, &content), [(expected.to_string(), 2, column)], "{content}");
}

#[test]
fn executable_content() {
    for content in [
        "<state id=\"a\"><onentry>¦<log expr=\"1\"/></onentry></state>",
        "<state id=\"a\"><onexit>¦<raise event=\"x\"/></onexit></state>",
        "<state id=\"a\"><transition event=\"e\">¦<send event=\"x\"/></transition></state>",
        "<state id=\"a\"><initial><transition target=\"b\">¦<assign/></transition></initial><state id=\"b\"/></state>",
        "<state id=\"a\"><state id=\"b\"/><history id=\"h\"><transition target=\"b\">¦<if/></transition></history></state>",
        "<state id=\"a\"/>¦<script>x = 1</script>",
    ] {
        check("", content, "executable-content");
    }
}

#[test]
fn data_services_and_conditions() {
    check("", "<state id=\"a\"/><datamodel>¦<data id=\"x\">1</data></datamodel>", "data-model");
    check("", "<final id=\"a\">¦<donedata><content/></donedata></final>", "data-model");
    check("", "<state id=\"a\">¦<invoke type=\"x\"/></state>", "invocation");
    let condition = "<state id=\"a\"><transition event=\"e\" ¦cond=\"x == 1\"/></state>";
    check(" datamodel=\"ecmascript\"", condition, "foreign-condition");
    check("", condition, "foreign-condition");
    let empty = "<state id=\"a\"><transition event=\"e\" ¦cond=\" \"/></state>";
    check(" datamodel=\"cel\"", empty, "invalid-attribute");
    let nowhere = "<state id=\"a\"><transition event=\"e\" ¦cond=\"In('b')\"/></state>";
    check("", nowhere, "foreign-condition");
}

#[test]
fn the_end_of_another_state() {
    let around = |event: &str| {
        format!(
            "<state id=\"a\"><transition ¦event=\"{event}\"/><state id=\"b\"><final id=\"c\"/></state></state>"
        )
    };
    for event in ["done.state.b", "done.state.*", "done", "*", "go done.state.nobody"] {
        check("", &around(event), "completion-of-another");
    }
    check(
        "",
        "<state id=\"a\"><transition ¦event=\"done.state.a\"/><final id=\"x\"/></state>\
         <state id=\"a.b\"><final id=\"y\"/></state>",
        "completion-of-another",
    );
}

#[test]
fn events_that_are_none() {
    for event in ["", " ", ".", "a..b", "a*", "*.a"] {
        let content = format!("<state id=\"a\"><transition ¦event=\"{event}\"/></state>");
        check("", &content, "invalid-event");
    }
}

#[test]
fn ids_and_targets() {
    check("", "<state id=\"a\"/>¦<state id=\"a\"/>", "duplicate-id");
    check("", "<state ¦id=\"\"/>", "invalid-name");
    check("", "<state ¦id=\"a b\"/>", "invalid-name");
    check("", "<state ¦id=\"a&#x85;\"/>", "invalid-name");
    check(
        "",
        "<state id=\"a\"><transition event=\"e\" ¦target=\"A b\"/></state><state id=\"b\"/>",
        "unknown-target",
    );
    check(
        "",
        "<state id=\"a\"><transition event=\"e\" ¦target=\" \"/></state>",
        "invalid-attribute",
    );
    check(
        "",
        "<state id=\"a\" ¦initial=\"b\"><state id=\"c\"/></state><state id=\"b\"/>",
        "misplaced-target",
    );
    check("", "<state id=\"a\" ¦initial=\"a\"><state id=\"c\"/></state>", "misplaced-target");
    check("", "<state id=\"a\" ¦initial=\"a\"/>", "misplaced-target");
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/><history id=\"h\"><transition ¦target=\"c\"/></history></state><state id=\"c\"/>",
        "misplaced-target",
    );
}

#[test]
fn history_states() {
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/>¦<history id=\"h\"/></state>",
        "history-without-default",
    );
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/>¦<history id=\"h\"><transition target=\"h\"/></history></state>",
        "history-cycle",
    );
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/>¦<history id=\"h\"><transition target=\"i\"/></history>\
         <history id=\"i\"><transition target=\"h\"/></history></state>",
        "history-cycle",
    );
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/><history id=\"h\" ¦type=\"flat\"><transition target=\"b\"/></history></state>",
        "invalid-attribute",
    );
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/><history id=\"h\"><transition ¦event=\"e\" target=\"b\"/></history></state>",
        "unknown-attribute",
    );
    check(
        "",
        "<state id=\"a\"><state id=\"b\"/><history id=\"h\"><transition target=\"b\"/>¦<transition target=\"b\"/></history></state>",
        "misplaced-element",
    );
    check("", "<state id=\"a\"/>¦<history id=\"h\"/>", "misplaced-element");
    check(
        "",
        "<state id=\"m\"><state id=\"s\">¦<transition event=\"e\" type=\"internal\" target=\"h\"/><state id=\"x\"/></state>\
         <history id=\"h\"><transition target=\"s\"/></history></state>",
        "ambiguous-domain",
    );
}

#[test]
fn a_chain_of_history_states_that_ends_is_no_circle() {
    let content = "<state id=\"a\"><state id=\"b\"/><history id=\"h\"><transition target=\"i\"/></history>\
                   <history id=\"i\"><transition target=\"b\"/></history></state>";
    assert_eq!(findings("", content), []);
}

#[test]
fn elements_and_attributes() {
    check("", "<state id=\"a\"/>¦<stat id=\"b\"/>", "unknown-element");
    check("", "<state id=\"a\"/>¦<x:y xmlns:x=\"urn:x\"/>", "unknown-element");
    check("", "<state id=\"a\"/>¦<transition event=\"e\"/>", "misplaced-element");
    check("", "<state id=\"a\"/><final id=\"b\">¦<state id=\"c\"/></final>", "misplaced-element");
    check(
        "",
        "<parallel id=\"a\"><state id=\"b\"/>¦<final id=\"c\"/></parallel>",
        "misplaced-element",
    );
    check("", "<final id=\"b\">¦<transition event=\"e\"/></final>", "misplaced-element");
    check(
        "",
        "<state id=\"a\" initial=\"b\">¦<initial><transition target=\"b\"/></initial><state id=\"b\"/></state>",
        "misplaced-element",
    );
    check("", "<state id=\"a\">¦<initial/><state id=\"b\"/></state>", "missing-attribute");
    check(
        "",
        "<state id=\"a\"><initial>¦<transition/></initial><state id=\"b\"/></state>",
        "missing-attribute",
    );
    check("", "<state id=\"a\"/> ¦text", "unexpected-text");
    check("", "<state id=\"a\" ¦initail=\"b\"/>", "unknown-attribute");
    check(
        "",
        "<parallel id=\"a\" ¦initial=\"b\"><state id=\"b\"/></parallel>",
        "unknown-attribute",
    );
    check(
        "",
        "<state id=\"a\"><transition event=\"e\" ¦type=\"both\"/></state>",
        "invalid-attribute",
    );
    check("", "¦<parallel id=\"a\"/>", "no-states");
}

#[test]
fn our_own_attributes() {
    let ours = " xmlns:v=\"urn:veristate\"";
    check(ours, "<state id=\"a\" ¦v:nmae=\"b\"/>", "unknown-attribute");
    check(ours, "<state id=\"a\" v:name=\"x\"/>¦<state id=\"b\" v:name=\"x\"/>", "duplicate-id");
    check(ours, "<state id=\"a\" ¦v:kind=\"odd\"/>", "invalid-attribute");
    check(ours, "<state id=\"a\"/>¦<v:guard name=\"g\"/>", "missing-attribute");
    check(ours, "<state id=\"a\"/>¦<v:gard name=\"g\"/>", "unknown-element");
    check(ours, "<state id=\"a\"><transition ¦v:action=\"x\"/></state>", "missing-attribute");
    check(
        ours,
        "<state id=\"a\"><transition event=\"e f\" ¦v:action=\"x\"/></state>",
        "conflicting-action",
    );
    check(
        ours,
        "<state id=\"a\"><transition event=\"e\" v:action=\"x\"/><transition event=\"e\" ¦v:action=\"y\"/></state>",
        "conflicting-action",
    );
    check(
        ours,
        "<state id=\"a\"><transition event=\"e\" ¦v:action=\"x\"/><transition event=\"x\"/></state>",
        "conflicting-action",
    );
}

#[test]
fn a_document_that_is_none() {
    let places = |text: &str| {
        let error = veristate::Definition::from_scxml(text).expect_err("it is refused");
        let first = &error.diagnostics()[0];
        let code = serde_json::to_value(first.code).expect("a code is a word");
        (code.as_str().unwrap_or("").to_string(), first.line, first.column)
    };
    let check = |text: &str, code: &str, line, column| {
        assert_eq!(places(text), (code.to_string(), Some(line), Some(column)), "{text}");
    };
    check("", "invalid-xml", 1, 1);
    check("  <html/>", "not-scxml", 1, 3);
    check("<scxml xmlns=\"urn:x\"/>", "not-scxml", 1, 1);
    check("<scxml/>", "no-states", 1, 1);
    check("<scxml version=\"2.0\"><state/></scxml>", "invalid-attribute", 1, 8);
    check("<scxml>\n <state>\n</scxml>", "invalid-xml", 3, 1);
    check("<scxml>\n <state><a/>\n ", "invalid-xml", 2, 2);
    check("<scxml>\n <state id=\"a\" id=\"b\"/></scxml>", "invalid-xml", 2, 16);
    check("<scxml>é &x;</scxml>", "invalid-xml", 1, 10);
    check("<scxml><state x:id=\"\"/></scxml>", "invalid-xml", 1, 15);
}

#[test]
fn everything_is_found_at_once() {
    let found = findings(
        "",
        "<state id=\"a\"><onentry><log/></onentry><transition event=\"e\" cond=\"x\" target=\"b\"/></state>\n\
         <state id=\"a\"><invoke/></state>",
    );
    let codes: Vec<&str> = found.iter().map(|(code, ..)| code.as_str()).collect();
    let expected =
        ["executable-content", "foreign-condition", "unknown-target", "duplicate-id", "invocation"];
    assert_eq!(codes, expected);
    assert!(found.is_sorted_by_key(|(_, line, column)| (*line, *column)));
}
