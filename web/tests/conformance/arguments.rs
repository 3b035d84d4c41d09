//! What a call may be given, and what it throws for the rest.

use serde_json::{Value, json};
use veristate_web::{Machine, check, evaluate};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use super::door::{door, eval, get, noon, snapshot, text, value};
use super::surface::{out, thrown};

const UNDEFINED: JsValue = JsValue::UNDEFINED;

#[wasm_bindgen_test]
fn a_time_is_text_a_date_or_milliseconds() {
    let machine = door();
    let door = snapshot(&machine);
    for time in [
        "'2026-01-01T13:00:00Z'",
        "'2026-01-01T14:00:00+01:00'",
        "new Date('2026-01-01T13:00:00Z')",
        "Date.parse('2026-01-01T13:00:00Z')",
        "1767272400000.0004",
    ] {
        let ctx = eval(&format!("({{ timestamp: {time} }})"));
        let said = out(machine.decide(&door, &"brick".into(), &ctx, &UNDEFINED)).expect("no error");
        assert_eq!(said["record"]["timestamp"], "2026-01-01T13:00:00Z", "{time}");
        assert_eq!(out(machine.due(&door, &eval(time))), Ok(json!([])), "{time}");
    }
}

#[wasm_bindgen_test]
fn what_is_no_time_is_refused() {
    let machine = door();
    let door = snapshot(&machine);
    for time in [
        "'2026-01-01'",
        "'yesterday'",
        "''",
        "true",
        "[]",
        "{}",
        "Infinity",
        "1e300",
        "-1e300",
        "new Date(NaN)",
        "undefined",
        "null",
        "() => 1",
        "Symbol()",
        "1n",
    ] {
        let code =
            machine.due(&door, &eval(&format!("({time})"))).map_err(|error| thrown(error).code);
        assert_eq!(code.err().as_deref(), Some("invalid-argument"), "{time}");
    }
    for time in ["'2026-01-01'", "true", "[]", "1e300"] {
        let ctx = eval(&format!("({{ timestamp: {time} }})"));
        let code = machine
            .decide(&door, &"brick".into(), &ctx, &UNDEFINED)
            .map_err(|error| thrown(error).code);
        assert_eq!(code.err().as_deref(), Some("invalid-argument"), "{time}");
    }
    // `NaN` is null in JSON, and null is no time.
    let ctx = eval("({ timestamp: NaN })");
    let code = machine
        .decide(&door, &"brick".into(), &ctx, &UNDEFINED)
        .map_err(|error| thrown(error).code);
    assert_eq!(code.err().as_deref(), Some("missing-timestamp"));
}

#[wasm_bindgen_test]
fn what_is_left_out_is_undefined_or_null() {
    let machine = door();
    let door = snapshot(&machine);
    for nothing in [UNDEFINED, JsValue::NULL] {
        assert!(machine.available(&door, &nothing, &nothing).is_ok());
        assert_eq!(machine.can(&door, &"brick".into(), &nothing).ok(), Some(true));
        assert!(machine.decide(&door, &"brick".into(), &noon(), &nothing).is_ok());
        assert!(machine.to_mermaid(&nothing).is_ok());
        assert!(check(&"{}".into(), &nothing).is_ok());
        let code = machine
            .decide(&door, &"brick".into(), &nothing, &nothing)
            .map_err(|error| thrown(error).code);
        assert_eq!(code.err().as_deref(), Some("missing-timestamp"));
    }
    // An undefined field is an absent one.
    let ctx = eval("({ timestamp: '2026-01-01T12:00:00Z', actor_id: undefined })");
    assert!(machine.decide(&door, &"brick".into(), &ctx, &UNDEFINED).is_ok());
}

/// One call for each argument that can be wrong.
fn calls(wrong: &JsValue) -> Vec<(&'static str, Result<JsValue, veristate_web::Thrown>)> {
    let machine = door();
    let door = snapshot(&machine);
    vec![
        ("check limits", check(&"{}".into(), wrong)),
        ("new limits", Machine::new(&value(&json!("{}")), wrong).map(JsValue::from)),
        ("start object", machine.start(wrong, &noon(), &UNDEFINED)),
        ("start ctx", machine.start(&value(&json!({ "object_id": "x" })), wrong, &UNDEFINED)),
        ("start request", machine.start(&value(&json!({ "object_id": "x" })), &noon(), wrong)),
        ("decide snapshot", machine.decide(wrong, &"brick".into(), &noon(), &UNDEFINED)),
        ("decide ctx", machine.decide(&door, &"brick".into(), wrong, &UNDEFINED)),
        ("decide request", machine.decide(&door, &"brick".into(), &noon(), wrong)),
        ("available snapshot", machine.available(wrong, &UNDEFINED, &UNDEFINED)),
        ("available ctx", machine.available(&door, wrong, &UNDEFINED)),
        ("available options", machine.available(&door, &UNDEFINED, wrong)),
        ("can snapshot", machine.can(wrong, &"brick".into(), &UNDEFINED).map(JsValue::from)),
        ("can ctx", machine.can(&door, &"brick".into(), wrong).map(JsValue::from)),
        ("permits", machine.permits(wrong, &"read".into())),
        ("due", machine.due(wrong, &value(&json!(0)))),
        ("simulate snapshot", machine.simulate(wrong, &noon(), &value(&json!([])))),
        ("simulate ctx", machine.simulate(&door, wrong, &value(&json!([])))),
        ("simulate script", machine.simulate(&door, &noon(), wrong)),
        ("adopt", machine.adopt(wrong, &UNDEFINED)),
        ("adopt mapping", machine.adopt(&door, wrong)),
        ("instance", machine.instance(wrong).map(JsValue::from)),
        ("toMermaid", machine.to_mermaid(wrong).map(JsValue::from)),
        ("toDot", machine.to_dot(wrong).map(JsValue::from)),
    ]
}

#[wasm_bindgen_test]
fn what_has_not_the_shape_is_refused() {
    for wrong in [
        "5",
        "'text'",
        "true",
        "[1]",
        "{ no_such_field: 1 }",
        "Symbol()",
        "1n",
        "() => 1",
        "(() => { const a = {}; a.a = a; return a })()",
        "{ get timestamp() { throw new Error('trap') } }",
        "{ toJSON() { throw new Error('trap') } }",
        "(() => { let a = []; for (let i = 0; i < 1000; i++) a = [a]; return a })()",
        "(() => { let a = {}; for (let i = 0; i < 100000; i++) a = { a }; return a })()",
        "new Proxy({}, { ownKeys() { throw new Error('trap') } })",
    ] {
        for (call, ended) in calls(&eval(&format!("({wrong})"))) {
            let code = ended.map(|value| text(&value)).map_err(|error| thrown(error).code);
            assert_eq!(code, Err("invalid-argument".into()), "{call}: {wrong}");
        }
    }
}

#[wasm_bindgen_test]
fn an_expression_is_a_text_and_its_variables_an_object() {
    let status = |expression: &JsValue, variables: &str| {
        let answer = out(evaluate(expression, &eval(&format!("({variables})"))));
        answer.map(|answer| answer["status"].clone()).map_err(|error| error.code)
    };
    for variables in ["{ n: 2 }", "{ n: 2, undefined, m() {} }", "{ toJSON() { return { n: 2 } } }"]
    {
        assert_eq!(status(&"n == 2".into(), variables), Ok(json!("true")), "{variables}");
    }
    for nothing in ["undefined", "null", "{}"] {
        assert_eq!(status(&"n == 2".into(), nothing), Ok(json!("unknown")), "{nothing}");
    }
    for wrong in ["5", "'n'", "true", "[1]", "{ n: 1n }", "() => 1", "Symbol()"] {
        assert_eq!(status(&"true".into(), wrong), Err("invalid-argument".into()), "{wrong}");
    }
    for wrong in ["undefined", "null", "5", "['true']", "new String('true')"] {
        assert_eq!(status(&eval(wrong), "{}"), Err("invalid-argument".into()), "{wrong}");
    }
    assert_eq!(status(&"".into(), "{}"), Ok(json!("invalid")));
}

#[wasm_bindgen_test]
fn a_definition_is_text_or_an_object() {
    let object = out(door().definition()).expect("it can be written");
    let as_object = Machine::new(&value(&object), &UNDEFINED).expect("no errors");
    let as_text = Machine::new(&object.to_string().into(), &UNDEFINED).expect("no errors");
    assert_eq!(out(as_object.definition()), out(as_text.definition()));
    // In a text, findings have their lines; in an object there are none.
    let lines = |machine: &Machine| out(machine.diagnostics()).expect("JSON")[0]["line"].clone();
    assert_eq!((lines(&as_object), lines(&as_text)), (Value::Null, json!(1)));
}

#[wasm_bindgen_test]
fn what_is_no_definition_is_refused_with_findings() {
    for (wrong, code) in [
        ("{}", "missing-field"),
        ("[]", "invalid-shape"),
        ("5", "invalid-shape"),
        ("null", "invalid-shape"),
        ("'{'", "invalid-json"),
        ("''", "invalid-json"),
    ] {
        let error = Machine::new(&eval(&format!("({wrong})")), &UNDEFINED).map_err(thrown);
        let error = error.err().unwrap_or_else(|| panic!("`{wrong}` is no definition"));
        assert_eq!(error.code, "invalid-definition", "{wrong}");
        assert_eq!(error.diagnostics.expect("there are findings")[0]["code"], code, "{wrong}");
    }
    for wrong in
        ["undefined", "Symbol()", "1n", "() => 1", "(() => { const a = {}; a.a = a; return a })()"]
    {
        let error = Machine::new(&eval(&format!("({wrong})")), &UNDEFINED).map_err(thrown);
        assert_eq!(
            error.err().map(|error| error.code).as_deref(),
            Some("invalid-argument"),
            "{wrong}"
        );
    }
}

#[wasm_bindgen_test]
fn errors_are_errors() {
    let error =
        JsValue::from(Machine::new(&value(&json!("{}")), &UNDEFINED).expect_err("no definition"));
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(get(&error, "name"), "VeristateError");
    assert_eq!(get(&error, "code"), "invalid-definition");
    assert!(get(&error, "message").as_string().is_some_and(|message| !message.is_empty()));
    assert!(get(&error, "stack").is_string());
    assert!(js_sys::Array::is_array(&get(&error, "diagnostics")));
}
