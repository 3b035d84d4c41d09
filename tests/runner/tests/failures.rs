//! The runner sees what is wrong: with a case, and with a surface.

use serde_json::{Map, Value, json};
use veristate_runner::{
    Answer, CaseFile, Kind, LogQuestion, Native, Question, Says, Surface, Text, Thrown, run,
};

fn door() -> Value {
    json!({
        "title": "a door", "source": "DESIGN 4",
        "definition": {
            "object_type": "Door", "initial_state": "shut",
            "states": [{ "name": "shut" }, { "name": "open" }, { "name": "gone", "is_terminal": true }],
            "transitions": [
                { "name": "open", "from_state": "shut", "to_state": "open", "action": "open", "guard": "may" },
                { "name": "drop", "from_state": ["shut", "open"], "to_state": "gone", "action": "drop" }
            ]
        },
        "guards": { "may": true },
        "steps": [
            { "action": "open", "expect": { "outcome": "accepted", "states": ["open"], "effects": [] } },
            { "action": "drop" }
        ]
    })
}

fn file(kind: Kind, case: &Value) -> CaseFile {
    CaseFile { path: "door.json".into(), kind, text: Ok(case.to_string()) }
}

/// What the failure says of a step case with one thing changed.
#[track_caller]
fn check(pointer: &str, value: Value, expected: &str) {
    let mut case = door();
    let (parent, field) = pointer.rsplit_once('/').expect("a pointer");
    let parent = case.pointer_mut(parent).expect("it is there");
    match field.parse::<usize>() {
        Ok(index) => parent[index] = value,
        Err(_) => parent[field] = value,
    }
    let failure = run(&file(Kind::Step, &case), &mut Native::default());
    let said = failure.expect_err("something is wrong").to_string();
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_case_that_is_right_passes() {
    let transcript = run(&file(Kind::Step, &door()), &mut Native::default()).expect("it is right");
    assert!(transcript.answers.len() > 10);
    assert_eq!(transcript.skipped, None);
}

#[test]
fn a_wrong_expectation_fails_and_says_where() {
    check("/steps/0/expect/states", json!(["gone"]), "step 0: `states` is not as expected");
    check("/steps/0/expect/states", json!([]), r#"got      ["open"]"#);
    check("/steps/0/expect/outcome", json!("refused"), r#"expected "refused""#);
    check("/steps/0/expect/effects", json!(["mail"]), "`effects`");
    check("/steps/0/expect/code", json!("no-transition"), "`code` is not as expected");
    check("/steps/0/expect/error", json!("foreign-snapshot"), "`error` is not as expected");
    check("/steps/0/expect/record", json!({ "sequence": 3 }), "`record/sequence`");
    check("/steps/0/expect/record", json!({ "no_field": 1 }), "`record/no_field`");
    check("/steps/0/ctx", json!({ "timestamp": null }), "an error in place of an answer");
    check("/start", json!({ "states": ["open"] }), "start: `states`");
}

#[test]
fn a_case_is_read_strictly() {
    check("/no_such_field", json!(1), "unknown field `no_such_field`");
    check("/steps/0/no_such_field", json!(1), "unknown field `no_such_field`");
    check("/steps/0/expect/no_such_field", json!(1), "`expect` has no field `no_such_field`");
    check("/steps/0/advance", json!("1m"), "exactly one thing");
    check("/steps/1", json!({ "ctx": {} }), "exactly one thing");
    check("/steps/1", json!({ "object": 1, "expect": { "states": ["gone"] } }), "`states`");
    check("/steps/1", json!({ "object": 1, "expect": { "outcome": "accepted" } }), "`outcome`");
    check("/steps/1", json!({ "permits": "x", "ctx": {} }), "no `ctx`");
    check("/steps/1", json!({ "adopt": {} }), "needs a `definition`");
    check("/title", json!(" "), "a `title`");
    check("/source", json!(null), "cannot be read");
    check("/guards/may", json!("perhaps"), "neither true, false");
    check("/guards/might", json!(true), "the guard `might`");
    check("/definition/states", json!([]), "`invalid-definition`");
    let text = Err("it is not there".to_owned());
    let file = CaseFile { path: "x".into(), kind: Kind::Check, text };
    let failure = run(&file, &mut Native::default()).expect_err("there is no text");
    assert_eq!(failure.to_string(), "x: it is not there");
}

#[test]
fn a_skip_is_for_what_fails() {
    check("/skip", json!({ "native": "it cannot" }), "it passes there");
    let mut case = door();
    case["skip"] = json!({ "native": "it cannot" });
    case["steps"][0]["expect"]["states"] = json!(["shut"]);
    let transcript = run(&file(Kind::Step, &case), &mut Native::default()).expect("it is skipped");
    assert!(transcript.skipped.is_some_and(|reason| reason.contains("it cannot")));
}

#[test]
fn all_findings_and_all_lines_are_compared() {
    let definition = &door()["definition"];
    let about = |rest: Value| {
        let mut case = json!({ "title": "t", "source": "s", "definition": definition });
        case.as_object_mut()
            .expect("an object")
            .extend(rest.as_object().cloned().unwrap_or_default());
        case
    };
    for (kind, rest) in [
        (Kind::Check, json!({ "diagnostics": [] })),
        (Kind::Check, json!({ "diagnostics": [{ "code": "host-guard" }, { "code": "no-exit" }] })),
        (Kind::Check, json!({ "diagnostics": [{ "code": "host-guard", "line": 9 }] })),
        (Kind::Check, json!({ "diagnostics": [{}], "text": "{}" })),
        (Kind::Diagram, json!({ "mermaid": ["stateDiagram-v2"] })),
        (Kind::Diagram, json!({ "dot": "digraph {}" })),
        (Kind::Diagram, json!({ "edges": [] })),
        (Kind::Diagram, json!({ "options": { "no_such": 1 } })),
    ] {
        assert!(run(&file(kind, &about(rest.clone())), &mut Native::default()).is_err(), "{rest}");
    }
    let right = about(json!({ "diagnostics": [{ "code": "host-guard" }] }));
    assert!(run(&file(Kind::Check, &right), &mut Native::default()).is_ok());
}

/// What an answer becomes.
type Lie = fn(Value) -> Answer;

/// The native surface with one answer changed.
struct Liar {
    native: Native,
    /// Which method lies.
    about: &'static str,
    lie: Lie,
}

impl Liar {
    fn tell(&self, method: &str, answer: Answer) -> Answer {
        match answer {
            Ok(value) if method == self.about => (self.lie)(value),
            answer => answer,
        }
    }
}

impl Surface for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }
    fn check(&mut self, text: &str, limits: &Value) -> Answer {
        let answer = self.native.check(text, limits);
        self.tell("check", answer)
    }
    fn open(&mut self, definition: &Value, limits: &Value) -> Answer {
        let answer = self.native.open(definition, limits);
        self.tell("open", answer)
    }
    fn about(&mut self) -> Answer {
        self.native.about()
    }
    fn guard(&mut self, name: &str, says: Says) -> Answer {
        self.native.guard(name, says)
    }
    fn start(&mut self, object: &Value, ctx: &Value, request: &Value) -> Answer {
        let answer = self.native.start(object, ctx, request);
        self.tell("start", answer)
    }
    fn decide(&mut self, snapshot: &Value, action: &str, ctx: &Value, request: &Value) -> Answer {
        let answer = self.native.decide(snapshot, action, ctx, request);
        self.tell("decide", answer)
    }
    fn available(&mut self, snapshot: &Value, ctx: &Value, options: &Value) -> Answer {
        let answer = self.native.available(snapshot, ctx, options);
        self.tell("available", answer)
    }
    fn can(&mut self, snapshot: &Value, action: &str, ctx: &Value) -> Answer {
        let answer = self.native.can(snapshot, action, ctx);
        self.tell("can", answer)
    }
    fn permits(&mut self, snapshot: &Value, operation: &str) -> Answer {
        self.native.permits(snapshot, operation)
    }
    fn check_object(&mut self, snapshot: &Value, ctx: &Value) -> Answer {
        let answer = self.native.check_object(snapshot, ctx);
        self.tell("check_object", answer)
    }
    fn guards(&mut self, snapshot: &Value, ctx: &Value, request: &Value) -> Answer {
        let answer = self.native.guards(snapshot, ctx, request);
        self.tell("guards", answer)
    }
    fn evaluate_guard(&mut self, expression: &str, snapshot: &Value, ctx: &Value) -> Answer {
        self.native.evaluate_guard(expression, snapshot, ctx)
    }
    fn due(&mut self, snapshot: &Value, now: &Value) -> Answer {
        self.native.due(snapshot, now)
    }
    fn deadlines(&mut self, snapshot: &Value) -> Answer {
        self.native.deadlines(snapshot)
    }
    fn simulate(&mut self, snapshot: &Value, ctx: &Value, script: &Value) -> Answer {
        let answer = self.native.simulate(snapshot, ctx, script);
        self.tell("simulate", answer)
    }
    fn adopt(&mut self, snapshot: &Value, mapping: &Value) -> Answer {
        self.native.adopt(snapshot, mapping)
    }
    fn instance(&mut self, snapshot: &Value, lines: &[Value]) -> Answer {
        let answer = self.native.instance(snapshot, lines);
        self.tell("instance", answer)
    }
    fn diagrams(&mut self, options: &Value) -> Answer {
        self.native.diagrams(options)
    }
    fn edges(&mut self, options: &Value) -> Answer {
        self.native.edges(options)
    }
    fn import_scxml(&mut self, text: &str) -> Answer {
        let answer = self.native.import_scxml(text);
        self.tell("import_scxml", answer)
    }
    fn import_xstate(&mut self, text: &str) -> Answer {
        self.native.import_xstate(text)
    }
    fn action_for_event(&mut self, event: &str) -> Answer {
        self.native.action_for_event(event)
    }
    fn exports(&mut self) -> Answer {
        let answer = self.native.exports();
        self.tell("exports", answer)
    }
    fn explore(&mut self, limits: &Value) -> Answer {
        let answer = self.native.explore(limits);
        self.tell("explore", answer)
    }
    fn history(&mut self, rows: &Value, options: &Value) -> Answer {
        let answer = self.native.history(rows, options);
        self.tell("history", answer)
    }
    fn of_history(&mut self, question: Question<'_>) -> Answer {
        let answer = self.native.of_history(question);
        match question {
            Question::Dwell(_) => self.tell("dwell", answer),
            Question::StateAt(_) => self.tell("state_at", answer),
            _ => answer,
        }
    }
    fn log(&mut self, objects: &Value, text: &Text<'_>) -> Answer {
        self.native.log(objects, text)
    }
    fn of_log(&mut self, question: LogQuestion<'_>) -> Answer {
        let answer = self.native.of_log(question);
        self.tell("log", answer)
    }
    fn read(&mut self, log: &[u8], format: &str, options: &Value) -> Answer {
        let answer = self.native.read(log, format, options);
        self.tell("read", answer)
    }
    fn detect(&mut self, log: &[u8], name: Option<&str>) -> Answer {
        self.native.detect(log, name)
    }
    fn diff(&mut self, older: &Value, newer: &Value) -> Answer {
        let answer = self.native.diff(older, newer);
        self.tell("diff", answer)
    }
    fn evaluate(&mut self, expression: &str, variables: &Map<String, Value>) -> Answer {
        let answer = self.native.evaluate(expression, variables);
        self.tell("evaluate", answer)
    }
}

#[test]
fn a_surface_that_contradicts_itself_fails() {
    let lies: [(&'static str, Lie, &str); 10] = [
        ("check_object", |_| Ok(json!([{}])), "breaks a condition"),
        ("can", |_| Ok(json!(false)), "`can` disagrees"),
        ("available", |_| Ok(json!([])), "does not list the action"),
        ("available", |_| Err(Thrown::new("foreign-snapshot", "")), "`available` throws"),
        (
            "available",
            |mut rows| {
                rows[0]["status"] = json!("unknown");
                Ok(rows)
            },
            "the status",
        ),
        (
            "available",
            |mut rows| {
                rows[0]["transitions"] = json!(["drop"]);
                Ok(rows)
            },
            "another transition",
        ),
        (
            "simulate",
            |mut trace| {
                trace["snapshot"]["version"] = json!(9);
                Ok(trace)
            },
            "another snapshot",
        ),
        (
            "simulate",
            |mut trace| {
                trace["steps"] = json!([]);
                Ok(trace)
            },
            "decides otherwise",
        ),
        (
            "instance",
            |mut said| {
                said[0]["taken"] = json!(false);
                Ok(said)
            },
            "an instance",
        ),
        (
            "instance",
            |mut said| {
                said[1]["snapshot"]["object"] = json!(1);
                Ok(said)
            },
            "an instance",
        ),
    ];
    for (about, lie, expected) in lies {
        let mut liar = Liar { native: Native::default(), about, lie };
        let failure = run(&file(Kind::Step, &door()), &mut liar).expect_err("it lies");
        assert!(failure.to_string().contains(expected), "{about}: {failure}");
    }
}

#[test]
fn an_answer_that_contradicts_itself_fails() {
    let case =
        json!({ "title": "t", "source": "s", "expression": "1 + 1", "expect": { "text": "2" } });
    let lies: [Lie; 6] = [
        |_| Ok(json!({})),
        |mut said| {
            said["status"] = json!("true");
            Ok(said)
        },
        |mut said| {
            said["status"] = json!("unknown");
            Ok(said)
        },
        |mut said| {
            said["missing"] = json!([{}]);
            Ok(said)
        },
        |mut said| {
            said["status"] = json!("invalid");
            Ok(said)
        },
        |mut said| {
            said.as_object_mut().map(|said| said.remove("type"));
            Ok(said)
        },
    ];
    for lie in lies {
        let mut liar = Liar { native: Native::default(), about: "evaluate", lie };
        let failure = run(&file(Kind::Guard, &case), &mut liar).expect_err("it lies");
        assert!(failure.to_string().contains("contradicts itself"), "{failure}");
    }
}

#[test]
fn what_becomes_of_a_machine_is_compared() {
    let about = |rest: Value| {
        let mut case = json!({ "title": "t", "source": "s", "definition": door()["definition"] });
        let fields = case.as_object_mut().expect("an object");
        fields.extend(rest.as_object().cloned().unwrap_or_default());
        case
    };
    let said = |rest: Value| {
        let ran = run(&file(Kind::Flat, &about(rest)), &mut Native::default());
        ran.err().map(|failure| failure.to_string()).unwrap_or_default()
    };
    assert_eq!(said(json!({ "states": ["shut", "open", "gone"] })), "");
    assert_eq!(said(json!({ "limits": { "configurations": 2 }, "error": "limit-exceeded" })), "");
    for (rest, expected) in [
        (json!({ "states": ["shut", "open"] }), "`states`"),
        (json!({ "transitions": [{}, {}, { "name": "fall" }] }), "`transitions/2/name`"),
        (json!({ "routes": [] }), "`routes`"),
        (json!({ "vectors": { "vectors": [] } }), "`vectors/vectors`"),
        (json!({ "error": "limit-exceeded" }), "should throw"),
        (json!({ "limits": { "configurations": 2 } }), "throws `limit-exceeded`"),
        (json!({ "limits": { "configurations": 2 }, "error": "nothing" }), "the error"),
        (json!({ "limits": { "no_such": 2 } }), "throws `invalid-argument`"),
    ] {
        let said = said(rest);
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let nested: Lie = |mut said| {
        said["flat"]["states"][0]["regions"] = json!([{ "name": "a" }]);
        Ok(said)
    };
    let mut liar = Liar { native: Native::default(), about: "explore", lie: nested };
    let failure = run(&file(Kind::Flat, &about(json!({}))), &mut liar).expect_err("it lies");
    assert!(failure.to_string().contains("a state is not flat"), "{failure}");
}

#[test]
fn a_document_and_its_script_are_compared() {
    let document = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
        <state id="off"><transition event="switch" target="on"/></state><state id="on"/></scxml>"#;
    let case = |field: &str, value: Value| {
        let mut case = json!({
            "title": "t", "source": "s", "scxml": document, "initialConfiguration": ["off"],
            "events": [{ "event": { "name": "switch" }, "nextConfiguration": ["on"] }],
        });
        case[field] = value;
        file(Kind::Scxml, &case)
    };
    let said = |field: &str, value: Value| {
        let ran = run(&case(field, value), &mut Native::default());
        ran.err().map(|failure| failure.to_string()).unwrap_or_default()
    };
    assert_eq!(said("title", json!("a lamp")), "");
    let event = json!([{ "event": { "name": "switch" }, "nextConfiguration": ["off"] }]);
    for (field, value, expected) in [
        ("initialConfiguration", json!(["on"]), "the first configuration"),
        ("events", event, "the configuration after event 0, `switch`"),
        ("error", json!("invalid-scxml"), "should throw"),
        ("scxml", json!("<scxml/>"), "the import throws `invalid-scxml`"),
        ("no_such_field", json!(1), "unknown field"),
    ] {
        let said = said(field, value);
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let lies: [(&'static str, Lie, &str); 2] = [
        (
            "exports",
            |mut said| {
                said["left_out"]["scxml"] = json!([{}]);
                Ok(said)
            },
            "exported whole",
        ),
        (
            "exports",
            |mut said| {
                let text = said["scxml"].as_str().unwrap_or_default().replace("switch", "twitch");
                said["scxml"] = text.into();
                Ok(said)
            },
            "of the export, imported again",
        ),
    ];
    for (about, lie, expected) in lies {
        let mut liar = Liar { native: Native::default(), about, lie };
        let ran = run(&case("title", json!("a lamp")), &mut liar);
        let failure = ran.expect_err("it lies").to_string();
        assert!(failure.contains(expected), "{failure}");
    }
}

fn loan() -> Value {
    json!({
        "title": "t", "source": "s",
        "definition": {
            "object_type": "Loan", "initial_state": "lent",
            "states": [{ "name": "lent" }, { "name": "back", "is_terminal": true }],
            "transitions": [{ "name": "return", "from_state": "lent", "to_state": "back", "action": "return" }]
        },
        "rows": [
            { "from_state": null, "to_state": "lent", "timestamp": "2026-01-01T10:00:00Z", "sequence": 1 },
            { "from_state": "lent", "to_state": "back", "timestamp": "2026-01-02T10:00:00Z", "sequence": 2 }
        ],
        "options": { "now": "2026-01-03T10:00:00Z" },
        "ask": [
            { "state_at": "2026-01-01T12:00:00Z", "expect": { "status": "known", "states": ["lent"] } },
            { "dwell": {}, "expect": { "known": "P2D", "states": { "lent": { "total": "P1D" } } } }
        ]
    })
}

/// What becomes of a case.
type Change = fn(&mut Value);

#[test]
fn a_history_is_compared() {
    let said = |change: Change| {
        let mut case = loan();
        change(&mut case);
        let ran = run(&file(Kind::History, &case), &mut Native::default());
        ran.err().map(|failure| failure.to_string()).unwrap_or_default()
    };
    assert_eq!(said(|_| {}), "");
    let changes: [(Change, &str); 8] = [
        (
            |case| case["ask"][0]["expect"]["states"] = json!(["back"]),
            "question 0: `state_at`/states",
        ),
        (|case| case["ask"][1]["expect"]["known"] = json!("P1D"), "question 1: `dwell`/known"),
        (|case| case["ask"][1]["expect"]["states"]["gone"] = json!({}), "`dwell`/states/gone"),
        (|case| case["ask"][0]["overdue"] = json!(true), "asks exactly one thing"),
        (|case| case["rows"][1]["from_state"] = json!("back"), "`violations`"),
        (
            |case| case["rows"][1]["timestamp"] = json!("2026-01-02"),
            "`history` throws `invalid-argument`",
        ),
        (|case| case["options"]["nw"] = json!(0), "`history` throws `invalid-argument`"),
        (|case| case["error"] = json!("mixed-objects"), "should throw `mixed-objects`"),
    ];
    for (change, expected) in changes {
        let said = said(change);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a_history_that_contradicts_itself_fails() {
    let lies: [(&'static str, Lie, &str); 8] = [
        (
            "dwell",
            |mut dwell| {
                dwell["unknown"] = json!("PT1S");
                Ok(dwell)
            },
            "are not the whole window",
        ),
        (
            "dwell",
            |mut dwell| {
                dwell["states"][0]["visits"] = json!(2);
                Ok(dwell)
            },
            "does not count its visits",
        ),
        (
            "dwell",
            |mut dwell| {
                dwell["states"][0]["total"] = json!("P1DT1S");
                Ok(dwell)
            },
            "not those of its visits",
        ),
        (
            "state_at",
            |mut state| {
                state["since"] = json!("2026-01-01T09:00:00Z");
                Ok(state)
            },
            "not what the last row up to then says",
        ),
        (
            "history",
            |mut read| {
                read["timeline"][0]["exited_by"] = json!(9);
                Ok(read)
            },
            "a row that is not there",
        ),
        (
            "history",
            |mut read| {
                read["timeline"] = json!([]);
                Ok(read)
            },
            "the timeline has other visits",
        ),
        (
            "log",
            |mut report| {
                report["states"][0]["closed"]["sum"] = json!("PT1H");
                Ok(report)
            },
            "the log says otherwise of \"lent\"",
        ),
        (
            "read",
            |mut read| {
                read["records"][0]["sequence"] = json!(null);
                Ok(read)
            },
            "are another history",
        ),
    ];
    for (about, lie, expected) in lies {
        let mut liar = Liar { native: Native::default(), about, lie };
        let failure = run(&file(Kind::History, &loan()), &mut liar).expect_err("it lies");
        assert!(failure.to_string().contains(expected), "{about}: {failure}");
    }
}

#[test]
fn a_history_of_other_people_is_compared() {
    let case = json!({
        "title": "t", "source": "s",
        "events": [
            { "obj": "x", "seq": 1, "from": null, "to": "a", "at": "2026-01-01T10:00:00Z" },
            { "obj": "x", "seq": 2, "from": "a", "to": "b", "at": "2026-01-01T11:00:00Z" },
            { "obj": "x", "seq": 3, "from": "c", "to": "b", "at": "2026-01-01T12:00:00Z" }
        ],
        "query": { "as_of": "2026-01-01T13:00:00Z", "state_at": ["2026-01-01T11:30:00Z"] },
        "expect": {
            "state_at": [{ "state": "b", "certain": false }],
            "dwell_s": { "a": 3600, "b": 3600, "c": null },
            "violations": [{ "seq": 3, "kind": "gap", "expected_from": "b", "got_from": "c" }]
        }
    });
    let said = |pointer: &str, value: Value| {
        let mut case = case.clone();
        let (parent, field) = pointer.rsplit_once('/').expect("a pointer");
        case.pointer_mut(parent).expect("it is there")[field] = value;
        let ran = run(&file(Kind::Foreign, &case), &mut Native::default());
        ran.err().map(|failure| failure.to_string()).unwrap_or_default()
    };
    assert_eq!(said("/title", json!("t")), "");
    for (pointer, value, expected) in [
        ("/expect/dwell_s", json!({ "a": 3600 }), "`b` has time that `dwell_s` does not give it"),
        ("/expect/dwell_s", json!({ "a": 3601, "b": 3600 }), "`dwell_s` of `a`"),
        ("/expect/violations", json!([]), "a violation that is not expected"),
        ("/expect/violations", json!([{ "seq": 3, "kind": "odd" }]), "`odd` is not known"),
        ("/expect/violations", json!([{ "seq": 2, "kind": "gap" }]), "no violation `gap`"),
        ("/expect/state_at", json!(["b"]), "`state_at/0`"),
        ("/expect/state_at", json!([{ "sure": true }]), "unknown field `sure`"),
        ("/expect/unknown_s", json!(5), "`unknown_s`"),
        ("/expect/current", json!("a"), "`current`"),
        ("/expect/longest_s", json!(5), "unknown field `longest_s`"),
        ("/query/until", json!(5), "unknown field `until`"),
    ] {
        let said = said(pointer, value);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn logs_readings_and_differences_are_compared() {
    let text = "object_id,to_state,timestamp\na,lent,2026-01-01T10:00:00Z\n";
    let reading = json!({ "title": "t", "source": "s", "format": "csv", "text": text, "records": [{ "row": 1 }] });
    let mut log = loan();
    log["options"].take();
    let mut log = log.as_object().cloned().expect("an object");
    log.remove("options");
    let options = json!({ "as_of": "2026-01-03T10:00:00Z" });
    log.insert(
        "ask".into(),
        json!([{ "report": options, "expect": { "objects": 1, "records": 2 } }]),
    );
    let definition = &loan()["definition"];
    let diff = json!({ "title": "t", "source": "s", "definition": definition, "other": definition, "changes": [] });
    for (kind, case, pointer, value, expected) in [
        (Kind::Read, &reading, "/records", json!([]), "`records`"),
        (Kind::Read, &reading, "/refused", json!([{}]), "`refused`"),
        (Kind::Read, &reading, "/summary", json!({ "used": 2 }), "`summary/used`"),
        (Kind::Read, &reading, "/format", json!("xml"), "`read` throws"),
        (Kind::Read, &reading, "/error", json!("invalid-argument"), "should throw"),
        (Kind::Read, &reading, "/bytes", json!("00"), "either a `text` or `bytes`"),
        (Kind::Log, &Value::Object(log), "/ask/0/expect", json!({ "objects": 2 }), "question 0"),
        (Kind::Diff, &diff, "/changes", json!([{}]), "`changes`"),
    ] {
        let said = |case: &Value| {
            let ran = run(&file(kind, case), &mut Native::default());
            ran.err().map(|failure| failure.to_string()).unwrap_or_default()
        };
        assert_eq!(said(case), "");
        let mut case = case.clone();
        let (parent, field) = pointer.rsplit_once('/').expect("a pointer");
        case.pointer_mut(parent).expect("it is there")[field] = value;
        let said = said(&case);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
