//! The runner sees what is wrong with a case about expressions.

use serde_json::{Value, json};
use veristate_runner::{CaseFile, Kind, Native, run};

/// What the failure says of a case about expressions; nothing where it passes.
fn said_of(kind: Kind, rest: &Value) -> Option<String> {
    let mut case = json!({ "title": "t", "source": "s" });
    case.as_object_mut().expect("an object").extend(rest.as_object().cloned().unwrap_or_default());
    let text = Ok(case.to_string());
    let file = CaseFile { path: "case.json".into(), kind, text };
    run(&file, &mut Native::default()).err().map(|failure| failure.to_string())
}

#[track_caller]
fn check_guard(rest: &Value, expected: &str) {
    let said = said_of(Kind::Guard, rest).expect("something is wrong");
    assert!(said.contains(expected), "{said}");
}

#[test]
fn every_wrong_example_of_a_table_is_named() {
    let right = json!({ "variables": { "a": 1, "b": 2 }, "examples": [
        { "expression": "a + 2", "gives": "3" },
        { "expression": "a + b", "variables": { "b": 5.5 }, "gives": "6.5" },
        { "expression": "a / 0", "unknown": true },
        { "expression": "c", "unknown": ["missing"] },
        { "expression": "a +", "invalid": true },
        { "expression": "a + * 2", "invalid": "1:5" },
        { "expression": "a", "expect": { "status": "value", "type": "int", "value": 1.0, "missing": [] } }
    ] });
    assert_eq!(said_of(Kind::Guard, &right), None);
    let table = |examples: &Value| json!({ "variables": { "a": 1 }, "examples": examples });
    let wrong = json!([
        { "expression": "a + 2", "gives": "4" },
        { "expression": "a", "gives": "1" },
        { "expression": "a + 2", "unknown": true }
    ]);
    check_guard(&table(&wrong), "2 of 3 examples are wrong");
    check_guard(&table(&wrong), "example 0, `a + 2`: `text` is not as expected");
    check_guard(&table(&wrong), "example 2, `a + 2`: `status` is not as expected");
    for (example, expected) in [
        (json!({ "expression": "b", "unknown": ["wrong-type"] }), "`missing/0/code`"),
        (json!({ "expression": "b", "unknown": [] }), "`missing`"),
        (json!({ "expression": "a +", "invalid": "1:1" }), "`place` is not as expected"),
        (json!({ "expression": "a", "invalid": true }), "`status`"),
        (json!({ "expression": "a", "expect": { "values": [] } }), "`values`"),
        (json!({ "expression": "a", "expect": { "value": 2 } }), "`value`"),
        (json!({ "expression": "a", "expect": { "no_field": 2 } }), "no field `no_field`"),
        (json!({ "expression": "a" }), "one of `gives`"),
        (json!({ "expression": "a", "gives": "1", "unknown": true }), "one of `gives`"),
        (json!({ "expression": "a", "unknown": false }), "`unknown` is true"),
        (json!({ "expression": "a", "invalid": false }), "`invalid` is true"),
    ] {
        check_guard(&table(&json!([example])), expected);
    }
    check_guard(&table(&json!([])), "a table has examples");
    check_guard(&table(&json!([{ "expression": "a", "give": "1" }])), "unknown field `give`");
    check_guard(&json!({ "expression": "a" }), "either an `expression`");
    check_guard(&json!({ "expression": "1", "expect": { "text": "2" } }), "`text`");
}

#[test]
fn a_conformance_case_is_compared_by_type_and_value() {
    let typed = |kind: &str, value: Value| json!({ "type": kind, "value": value });
    let int = |int: &str| typed("int", json!(int));
    let pair = |key: Value, value: Value| json!([key, value]);
    for (expression, value) in [
        ("1 + 1", int("2")),
        ("1u", typed("uint", json!("1"))),
        ("2.50", typed("double", json!("2.5"))),
        ("1e3", typed("double", json!("1000"))),
        ("0.0 / 0.0", typed("double", json!("nan"))),
        ("-1.0 / 0.0", typed("double", json!("-inf"))),
        ("null", json!({ "type": "null" })),
        ("1 < 2", typed("bool", json!(true))),
        (r"'a\tb\a\x7f'", typed("string", json!("a\tb\u{7}\u{7f}"))),
        (
            "[1, [2.0]]",
            typed("list", json!([int("1"), typed("list", json!([typed("double", json!("2"))]))])),
        ),
        (
            "{'b': 1, 2: {}}",
            typed(
                "map",
                json!([
                    pair(int("2"), typed("map", json!([]))),
                    pair(typed("string", json!("b")), int("1"))
                ]),
            ),
        ),
        (
            "timestamp('2009-02-13T23:31:30.5Z')",
            typed("timestamp", json!([1_234_567_890, 500_000_000])),
        ),
        ("duration('-1500ms')", typed("duration", json!(["-1", "-500000000"]))),
    ] {
        let case = json!({ "expr": expression, "expect": value });
        assert_eq!(said_of(Kind::Cel, &case), None, "{expression}");
    }
    for (expression, value) in [
        ("1 + 1", int("3")),
        ("1 + 1", typed("uint", json!("2"))),
        ("2.0", int("2")),
        ("2", typed("double", json!("2"))),
        ("'1'", int("1")),
        ("[1, 2]", typed("list", json!([int("1")]))),
        ("[1]", typed("list", json!([int("1"), int("2")]))),
        ("[1]", typed("list", json!([typed("double", json!("1"))]))),
        ("{'b': 1}", typed("map", json!([]))),
        ("{'b': 1}", typed("map", json!([pair(typed("string", json!("b")), int("2"))]))),
        ("1 / 0", int("1")),
    ] {
        let case = json!({ "expr": expression, "expect": value });
        let said = said_of(Kind::Cel, &case).expect("it is not that value");
        assert!(said.contains("is not as expected"), "{said}");
    }
}

#[test]
fn bindings_of_a_conformance_case_keep_their_types() {
    for (kind, value) in [
        ("int", json!("5")),
        ("int", json!("9223372036854775807")),
        ("uint", json!("5")),
        ("double", json!("5")),
        ("double", json!("5.5")),
        ("double", json!("inf")),
        ("string", json!("a\"\\\n\u{1}")),
        ("timestamp", json!([0, 0])),
        ("duration", json!([90, 0])),
        ("list", json!([{ "type": "uint", "value": "1" }])),
        ("map", json!([[{ "type": "int", "value": "1" }, { "type": "null" }]])),
        ("map", json!([[{ "type": "string", "value": "k" }, { "type": "int", "value": "1" }]])),
    ] {
        let value = json!({ "type": kind, "value": value });
        let case = json!({ "expr": "x", "bindings": { "x": value }, "expect": value });
        assert_eq!(said_of(Kind::Cel, &case), None);
    }
    let uint = json!({ "type": "uint", "value": "1" });
    let case = json!({ "expr": "a.b", "bindings": { "a.b": uint }, "expect": uint });
    let said = said_of(Kind::Cel, &case).expect("there is no way");
    assert!(said.contains("`a.b` cannot be given"), "{said}");
}

#[test]
fn an_error_is_expected_or_a_named_zone_is_unknown() {
    assert_eq!(said_of(Kind::Cel, &json!({ "expr": "1 / 0", "expect_error": true })), None);
    assert_eq!(said_of(Kind::Cel, &json!({ "expr": "1 +", "expect_error": true })), None);
    assert!(said_of(Kind::Cel, &json!({ "expr": "1", "expect_error": true })).is_some());
    assert!(said_of(Kind::Cel, &json!({ "expr": "1" })).is_some());
    let hours = |zone: &str| {
        let expression = format!("timestamp('2009-02-13T23:31:30Z').getHours({zone})");
        let hours = json!({ "type": "int", "value": "23" });
        said_of(Kind::Cel, &json!({ "expr": expression, "expect": hours }))
    };
    for right in ["", "'UTC'", "'+00:00'", "'Atlantic/Reykjavik'"] {
        assert_eq!(hours(right), None, "{right}");
    }
    assert!(hours("'+01:00'").is_some());
}
