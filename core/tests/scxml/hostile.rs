//! Documents that are made to hurt.

use std::fmt::Write;

use veristate::{Definition, Limits};

use crate::document;

#[track_caller]
fn check(text: &str, expected: &str) {
    let error = Definition::from_scxml(text).expect_err("it is refused");
    let found: Vec<String> = error
        .diagnostics()
        .iter()
        .map(|found| serde_json::to_string(&found.code).expect("a code is a word"))
        .collect();
    assert_eq!(found, [format!("\"{expected}\"")]);
}

fn many(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().concat()
}

#[test]
fn there_are_no_entities() {
    let laughs = "<!DOCTYPE lolz [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                  <scxml><state id=\"&b;\"/></scxml>";
    check(laughs, "document-type");
    let external =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE scxml SYSTEM \"file:///etc/hosts\">\n<scxml/>";
    check(external, "document-type");
    check("<scxml><!DOCTYPE x><state/></scxml>", "document-type");
    check("<!doctype scxml><scxml/>", "document-type");
    check("<scxml><state id=\"&a;\"/></scxml>", "invalid-xml");
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize, inside: &str| {
        document("", &("<state>".repeat(depth) + inside + &"</state>".repeat(depth)))
    };
    assert!(Definition::from_scxml(&nested(20, "")).is_ok());
    check(&nested(22, ""), "limit-exceeded");
    check(&nested(100_000, ""), "limit-exceeded");
    check(&"<a>".repeat(100_000), "limit-exceeded");
    check(&document("", &"<parallel>".repeat(100_000)), "limit-exceeded");
    let limits = Limits { depth: 120, ..Limits::default() };
    assert!(Definition::from_scxml_within(&nested(39, ""), &limits).is_ok());
    assert!(Definition::from_scxml_within(&nested(40, ""), &limits).is_err());
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    assert!(Definition::from_scxml_within(&nested(100_000, ""), &limits).is_err());
}

#[test]
fn what_is_read_can_be_read_again() {
    for depth in 1..30 {
        for element in ["state", "parallel"] {
            let inside = "<transition event=\"e\" target=\"x y\"/><parallel><state id=\"x\"/><state id=\"y\"/></parallel>";
            let text = format!("<{element}>").repeat(depth)
                + inside
                + &format!("</{element}>").repeat(depth);
            if let Ok(definition) = Definition::from_scxml(&document("", &text)) {
                let json = serde_json::to_string(&definition).expect("a definition is JSON");
                assert_eq!(Definition::from_json(&json).as_ref(), Ok(&definition));
            }
        }
    }
}

#[test]
fn size_is_bounded() {
    let limits = Limits { bytes: 100, ..Limits::default() };
    let text = document("", &format!("<state id=\"{}\"/>", "a".repeat(100)));
    assert!(Definition::from_scxml_within(&text, &limits).is_err());
    let limits = Limits { states: 2, transitions: 1, ..Limits::default() };
    let within = |content: &str| Definition::from_scxml_within(&document("", content), &limits);
    assert!(within("<state/><state><transition event=\"e\"/></state>").is_ok());
    assert!(within("<state/><state/><state/>").is_err());
    assert!(within("<state><transition event=\"e\"/><transition event=\"e\"/></state>").is_err());
    assert!(within("<state><transition event=\"e f\"/></state>").is_err());
    assert!(within(&"<!-- < -->".repeat(2000)).is_err());
}

#[test]
fn a_star_cannot_multiply_without_bound() {
    let mut content = String::from("<state id=\"a\">");
    for event in 0..2000 {
        write!(content, "<transition event=\"e{event}\"/><transition event=\"*\"/>")
            .expect("it is text");
    }
    check(&document("", &(content + "</state>")), "limit-exceeded");
    let targets = "b ".repeat(1000);
    let content = format!(
        "<state id=\"a\"><transition event=\"e\" target=\"{targets}\"/></state><state id=\"b\"/>"
    );
    let definition = Definition::from_scxml(&document("", &content)).expect("it is small");
    assert_eq!(definition.transitions[0].to_state, Some("b".into()));
    let guard = "x".repeat(1 << 20);
    let events = many(100, |event| format!("e{event} "));
    let content = format!("<state><transition event=\"{events}\" cond=\"{guard}\"/></state>");
    check(&document(" datamodel=\"cel\"", &content), "limit-exceeded");
}

#[test]
fn attributes_and_namespaces_are_bounded() {
    let attributes = |count| many(count, |number| format!(" x:a{number}=\"\""));
    let text = |count| document(" xmlns:x=\"urn:x\"", &format!("<state{}/>", attributes(count)));
    assert!(Definition::from_scxml(&text(60)).is_ok());
    check(&text(100_000), "limit-exceeded");
    let spaces = many(100, |number| format!("<a xmlns:n{number}=\"urn:x\"/>"));
    check(&document("", &spaces), "limit-exceeded");
    let long = format!("<state id=\"{}\"/>", "a".repeat(1 << 20));
    check(&document("", &long), "limit-exceeded");
}

#[test]
fn findings_are_bounded() {
    let content = "<onentry/>".repeat(5000);
    let error = Definition::from_scxml(&document("", &content)).expect_err("it is refused");
    assert_eq!(error.diagnostics().len(), 1001);
    assert!(error.to_string().contains("and 1000 more"));
}

#[test]
fn every_beginning_of_a_document_is_refused() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<!-- é --><scxml xmlns='http://www.w3.org/2005/07/scxml' \
                name=\"a\"><state id='b'><transition event=\"e\" target=\"b\"/><![CDATA[ ]]></state></scxml>";
    assert!(Definition::from_scxml(text).is_ok(), "what it says of its encoding does not count");
    assert!(Definition::from_scxml(&format!("\u{feff}{text}")).is_ok());
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        assert!(Definition::from_scxml(&text[..end]).is_err(), "{end}");
    }
}

#[test]
fn characters_that_xml_has_not() {
    check("<scxml><state id=\"a\0b\"/></scxml>", "invalid-xml");
    check("<scxml>\u{fffe}<state/></scxml>", "invalid-xml");
    check("<scxml><state id=\"&#0;\"/></scxml>", "invalid-xml");
    check("\0", "invalid-xml");
}
