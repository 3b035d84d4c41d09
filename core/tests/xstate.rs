//! Configs of XState: what comes in, what is refused and where, and what goes out.

use serde_json::{Value, json};
use veristate::{
    Context, Decision, Definition, LeftOutCode, Limits, Machine, NewObject, Request, SubMachine,
    Transition, action_for_xstate_event,
};

#[track_caller]
fn import(config: &str) -> Definition {
    match Definition::from_xstate(config) {
        Ok(definition) => definition,
        Err(error) => panic!("{:#?}", error.diagnostics()),
    }
}

/// What is refused: code, pointer, line and column of each.
#[track_caller]
fn refused(config: &str) -> Vec<(String, String, (u32, u32))> {
    let error = Definition::from_xstate(config).expect_err("it is refused");
    let found = error.diagnostics().iter().map(|found| {
        assert!(!found.help.is_empty());
        let code = serde_json::to_value(found.code).expect("a code is a text");
        let place = found.line.zip(found.column).expect("it has a place");
        (code.as_str().unwrap_or_default().into(), found.pointer.clone(), place)
    });
    found.collect()
}

#[track_caller]
fn check_refused(config: &str, code: &str, pointer: &str, place: (u32, u32)) {
    assert_eq!(refused(config), [(code.into(), pointer.into(), place)], "{config}");
}

/// A machine with two states, of which the first has `fields`.
fn around(fields: &str) -> String {
    format!("{{\"initial\":\"a\",\"states\":{{\"a\":{{\n{fields}}},\"b\":{{}},\"c\":{{}}}}}}")
}

fn inside<'d>(definition: &'d Definition, path: &[&str]) -> &'d SubMachine {
    let mut states = &definition.states;
    for (index, name) in path.iter().enumerate() {
        let state = states.iter().find(|state| state.name == *name).expect("the state is there");
        match &state.sub_machine {
            Some(machine) if index + 1 == path.len() => return machine,
            Some(machine) => states = &machine.states,
            None => states = &state.regions,
        }
    }
    panic!("no machine is inside");
}

/// A transition in short: where from, by what, where to.
fn short(transition: &Transition) -> String {
    let from = transition.from_state.as_slice().join("|");
    let to = transition.to_state.as_ref().map(|to| to.as_slice().join("|")).unwrap_or_default();
    let by = match &transition.action {
        Some(action) => action.clone(),
        None => format!("({})", json!(transition.trigger).as_str().unwrap_or_default()),
    };
    let guard = transition.guard.as_ref().map(|it| format!(" if {it}")).unwrap_or_default();
    let reenter = if transition.reenter { "!" } else { "" };
    format!("{from} -{by}{guard}{reenter}-> {to}")
}

fn all(transitions: &[Transition]) -> Vec<String> {
    transitions.iter().map(short).collect()
}

const LIGHT: &str = r##"{
  "id": "light", "initial": "green", "version": "2.0", "context": { "count": 0 },
  "description": "A traffic light",
  "states": {
    "green": {
      "description": "go", "tags": ["moving"], "meta": { "color": "#0f0" },
      "entry": "lamp_on", "exit": ["lamp_off", { "type": "log" }],
      "on": {
        "TIMER": { "target": "yellow", "guard": "is_late", "actions": ["count"], "description": "in time" },
        "PING": { "actions": "pong" }, "IGNORED": {}
      }
    },
    "yellow": { "after": { "1500": { "target": "red" } } },
    "red": { "on": { "TIMER": [{ "target": "green", "cond": "is_early" }, "yellow"], "BROKEN": "#light.off" } },
    "off": { "type": "final", "output": { "why": "broken" } }
  }
}"##;

#[test]
fn a_flat_config_becomes_a_definition() {
    let definition = import(LIGHT);
    assert_eq!(
        serde_json::to_value(&definition).expect("it is JSON"),
        json!({
            "object_type": "light", "version": 1, "initial_state": "green", "history_enabled": true,
            "states": [
                { "name": "green", "description": "go", "on_enter": ["lamp_on"],
                  "on_exit": ["lamp_off", "log"],
                  "metadata": { "color": "#0f0", "xstate": { "tags": ["moving"] } } },
                { "name": "yellow",
                  "timeout": { "after": "PT1.5S", "action": "xstate.after.1500.light.yellow" } },
                { "name": "red" },
                { "name": "off", "is_terminal": true,
                  "metadata": { "xstate": { "output": { "why": "broken" } } } },
            ],
            "transitions": [
                { "name": "green_to_yellow_on_TIMER", "from_state": "green", "to_state": "yellow",
                  "action": "TIMER", "guard": "is_late", "side_effects": ["count"],
                  "metadata": { "xstate": { "description": "in time" } } },
                { "name": "green_on_PING", "from_state": "green", "action": "PING",
                  "side_effects": ["pong"] },
                { "name": "green_on_IGNORED", "from_state": "green", "action": "IGNORED" },
                { "name": "yellow_to_red_after_1500ms", "display_name": "after 1500ms",
                  "from_state": "yellow", "to_state": "red",
                  "action": "xstate.after.1500.light.yellow" },
                { "name": "red_to_green_on_TIMER", "from_state": "red", "to_state": "green",
                  "action": "TIMER", "guard": "is_early" },
                { "name": "red_to_yellow_on_TIMER", "from_state": "red", "to_state": "yellow",
                  "action": "TIMER" },
                { "name": "red_to_off_on_BROKEN", "from_state": "red", "to_state": "off",
                  "action": "BROKEN" },
            ],
            "allow": ["unreachable-state"],
            "metadata": { "xstate": {
                "context": { "count": 0 }, "version": "2.0", "description": "A traffic light" } }
        })
    );
}

#[test]
fn what_is_imported_runs() {
    let mut machine = Machine::new(import(LIGHT)).expect("it has no errors");
    for guard in ["is_late", "is_early"] {
        machine
            .register_guard(guard, |_: &Value, _: &Context, _: &[String]| Ok(true))
            .expect("the machine asks it");
    }
    let ctx = Context { timestamp: "2026-01-01T00:00:00Z".parse().ok(), ..Context::default() };
    let request = Request::default();
    let started = machine.start(&NewObject::named("light-1"), &ctx, &request).expect("it starts");
    let Decision::Accepted(mut at) = started else { panic!("{started:?}") };
    for (action, expected) in
        [("TIMER", "yellow"), ("xstate.after.1500.light.yellow", "red"), ("BROKEN", "off")]
    {
        let decision = machine.decide(&at.snapshot, action, &ctx, &request).expect("it is ours");
        let Decision::Accepted(next) = decision else { panic!("{decision:?}") };
        assert_eq!(next.snapshot.states, [expected]);
        at = next;
    }
}

#[test]
fn order_is_that_of_javascript() {
    let definition = import(
        r#"{"initial":"z","states":{"z":{"on":{"E":"10"}},"10":{},"b":{},"9":{},"01":{},"4294967295":{}}}"#,
    );
    let names: Vec<&str> = definition.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, ["9", "10", "z", "b", "01", "4294967295"]);
}

#[test]
fn targets_are_found_as_in_xstate() {
    let definition = import(
        r##"{"id":"m","initial":"a","states":{
            "a":{"id":"first","initial":"x","states":{
                "x":{"on":{"SIBLING":"y","DEEP":"y.p","ROOT":"#m.b","ID":"#first.y","SELF":".","UP":"#first"}},
                "y":{"initial":"p","states":{"p":{},"v1.2":{}}}},
                "on":{"INSIDE":".y.p","DOTS":".y.v1\\.2","AGAIN":{"target":".x","reenter":true},"OLD":{"target":".x","internal":false},"SEVERAL":["b","c"],"NONE":""}},
            "b":{}, "c":{}}}"##,
    );
    assert_eq!(
        all(&inside(&definition, &["a"]).transitions),
        ["x -SIBLING-> y", "x -DEEP-> y.p", "x -ROOT-> b", "x -ID-> y", "x -SELF-> x", "x -UP-> a",]
    );
    assert_eq!(
        all(&definition.transitions),
        [
            "a -INSIDE-> a.y.p",
            r"a -DOTS-> a.y.v1\.2",
            "a -AGAIN!-> a.x",
            "a -OLD!-> a.x",
            "a -SEVERAL-> b",
            "a -SEVERAL-> c",
            "a -NONE-> ",
        ]
    );
}

#[test]
fn a_name_that_hides_another_moves_the_transitions_outward() {
    let definition = import(
        r##"{"id":"m","initial":"a","states":{
            "a":{"initial":"x","states":{
                "x":{"on":{"FAIL":"#m.error","NEXT":"error"}}, "error":{}}},
            "error":{}}}"##,
    );
    assert_eq!(inside(&definition, &["a"]).transitions, []);
    assert_eq!(all(&definition.transitions), ["a.x -FAIL-> error", "a.x -NEXT-> a.error"]);
}

#[test]
fn a_name_like_a_path_is_refused() {
    check_refused(
        r##"{"id":"m","initial":"a","states":{"a":{"initial":"b","states":{"b":{}}},"a.b":{},"c":{"on":{"E":"#m.a.b"}}}}"##,
        "no-counterpart",
        "/states/c/on/E",
        (1, 97),
    );
}

#[test]
fn regions_stand_in_the_machine_around_the_parallel_state() {
    let definition = import(
        r#"{"id":"m","initial":"p","states":{
            "p":{"type":"parallel","onDone":{"target":"end","guard":"ok"},"states":{
                "r":{"initial":"x","on":{"RESET":".x"},"onDone":{"actions":"told"},"states":{
                    "x":{"on":{"E":"y"}},"y":{"type":"final"}}},
                "q":{"type":"parallel","states":{"s":{"on":{"F":{"actions":"f"}}},"t":{"type":"final"}}},
                "h":{"type":"history","history":"deep"}}},
            "back":{"on":{"B":["p.h"],"TWO":{"target":["p.r.y","p.q.t"]}}},
            "end":{"type":"final"}}}"#,
    );
    assert_eq!(
        all(&definition.transitions),
        [
            "p -(completion) if ok-> end",
            "p.r -RESET-> p.r.x",
            "p.r -(completion)-> ",
            "p.q.s -F-> ",
            "back -B-> p.h",
            "back -TWO-> p.r.y|p.q.t",
        ]
    );
    assert_eq!(all(&inside(&definition, &["p", "r"]).transitions), ["x -E-> y"]);
    let regions = &definition.states[0].regions;
    assert_eq!(json!(regions[2].history), "deep");
    assert_eq!(json!(regions[2].default_target), json!(["p.r", "p.q"]));
    assert_eq!(definition.allow, ["unreachable-state", "region-never-joins"]);
}

#[test]
fn a_region_that_is_an_end_has_one_inside() {
    let definition = import(
        r#"{"initial":"p","states":{"p":{"type":"parallel","states":{"r":{"type":"final","entry":"e"},"q":{}}}}}"#,
    );
    assert_eq!(
        json!(definition.states[0].regions[0]),
        json!({ "name": "r", "on_enter": ["e"], "sub_machine": { "initial_state": "final",
            "states": [{ "name": "final", "is_terminal": true }], "transitions": [] } })
    );
}

#[test]
fn histories_have_the_defaults_of_xstate() {
    let definition = import(
        r##"{"initial":"a","states":{"a":{"initial":"x","states":{
            "x":{},"y":{},"h":{"type":"history"},"i":{"history":"deep","target":"y"},"j":{"type":"history","history":true,"target":["#y2"]},"z":{"id":"y2"}}}}}"##,
    );
    let states = &inside(&definition, &["a"]).states;
    let histories: Vec<Value> =
        states[2..5].iter().map(|state| json!([state.history, state.default_target])).collect();
    assert_eq!(histories, [json!(["shallow", "x"]), json!(["deep", "y"]), json!(["shallow", "z"])]);
}

#[test]
fn wildcards_stand_for_what_is_not_named() {
    let definition = import(
        r#"{"initial":"a","states":{
            "a":{"on":{"*":"c","pay.*":"b","pay.card":{"target":"a","guard":"g"},"pay.card.*":[]}},
            "b":{"on":{"ship":"c","pay":"a"}},"c":{"on":{"payment":"a"}}}}"#,
    );
    let from_a: Vec<String> =
        all(&definition.transitions).into_iter().filter(|it| it.starts_with("a ")).collect();
    assert_eq!(
        from_a,
        [
            "a -*-> c",
            "a -pay.*-> b",
            "a -pay.*-> c",
            "a -pay.card if g-> a",
            "a -pay.card-> b",
            "a -pay.card-> c",
            "a -pay.card.*-> b",
            "a -pay.card.*-> c",
            "a -ship-> c",
            "a -pay-> b",
            "a -pay-> c",
            "a -payment-> c",
        ]
    );
    let actions = || definition.transitions.iter().filter_map(|it| it.action.as_deref());
    for (event, expected) in
        [("pay.cash", "pay.*"), ("pay", "pay"), ("paying", "*"), ("pay.card.visa", "pay.card.*")]
    {
        assert_eq!(action_for_xstate_event(actions(), event), Some(expected));
    }
}

#[test]
fn what_the_machine_takes_each_state_takes_last() {
    let definition = import(
        r#"{"initial":"a","exit":"bye","on":{"STOP":".end","E":{"actions":"seen"}},"always":{"target":".b","guard":"hurry"},"states":{
            "a":{"on":{"E":{"target":"b","guard":"g"}}},"b":{},"end":{"type":"final","entry":"hi","exit":"so_long"}}}"#,
    );
    assert_eq!(
        all(&definition.transitions),
        ["a -E if g-> b", "a|b -STOP!-> end", "a|b -E-> ", "a|b -(automatic) if hurry!-> b",]
    );
    assert_eq!(definition.states[2].on_enter, ["hi", "so_long", "bye"]);
    assert_eq!(definition.allow, ["unreachable-state"]);
}

#[test]
fn a_machine_that_is_entered_itself_becomes_a_state() {
    let check = |config: &str, expected: &[&str]| {
        let definition = import(config);
        let names: Vec<&str> = definition.states.iter().map(|state| state.name.as_str()).collect();
        assert_eq!(names, ["root"], "{config}");
        assert_eq!(all(&definition.transitions), expected, "{config}");
        assert!(definition.allow.contains(&"no-terminal-state".to_string()));
    };
    check(
        r#"{"type":"parallel","states":{"a":{"on":{"E":{"actions":"f"}}},"b":{}}}"#,
        &["root.a -E-> "],
    );
    check(
        r#"{"initial":"a","entry":"hi","on":{"E":".a"},"states":{"a":{}}}"#,
        &["root -E-> root.a"],
    );
    check(
        r#"{"initial":"a","after":{"0.5":".b"},"states":{"a":{},"b":{}}}"#,
        &["root -xstate.after.0.5.(machine)-> root.b"],
    );
    check(r#"{"on":{"E":{"actions":"f"}}}"#, &["root -E-> "]);
    check(r#"{"initial":"h","states":{"a":{},"h":{"type":"history","target":"a"}}}"#, &[]);
    let definition = import(
        r##"{"id":"m","initial":"a","states":{"a":{"on":{"RESTART":"#m"}},"end":{"type":"final"}}}"##,
    );
    assert_eq!(all(&inside(&definition, &["m"]).transitions), ["a -RESTART-> m"]);
}

#[test]
fn every_refusal_has_its_place() {
    for (fields, code, pointer, column) in [
        (r#""invoke":{"src":"x"}"#, "no-counterpart", "/invoke", 10),
        (r#""invoke":[{"src":"x"}]"#, "no-counterpart", "/invoke", 10),
        (r#""onError":"b""#, "no-counterpart", "/onError", 11),
        (r#""route":{}"#, "no-counterpart", "/route", 9),
        (r#""context":{}"#, "no-counterpart", "/context", 11),
        (r#""onEntry":"x""#, "no-counterpart", "/onEntry", 11),
        (r#""onDone":"b""#, "no-counterpart", "/onDone", 10),
        (r#""entry":{"type":"x","params":{}}"#, "no-counterpart", "/entry", 9),
        (r#""entry":["x",{"type":"xstate.assign"}]"#, "no-counterpart", "/entry/1", 14),
        (r#""exit":[7]"#, "invalid-shape", "/exit/0", 9),
        (r#""exit":"""#, "invalid-name", "/exit", 8),
        (r#""after":{"SLOW":"b"}"#, "no-counterpart", "/after/SLOW", 17),
        (r#""after":{"-1":"b"}"#, "no-counterpart", "/after/-1", 15),
        (
            r#""after":{"99999999999999999999":"b"}"#,
            "no-counterpart",
            "/after/99999999999999999999",
            33,
        ),
        (r#""after":{"20":"b","10":"b"}"#, "no-counterpart", "/after/20", 15),
        (r#""after":[]"#, "invalid-shape", "/after", 9),
        (
            r#""on":{"E":{"target":"b","guard":{"type":"and","guards":[]}}}"#,
            "no-counterpart",
            "/on/E/guard",
            33,
        ),
        (r#""on":{"E":{"guard":{"type":"g","params":1}}}"#, "no-counterpart", "/on/E/guard", 20),
        (r#""on":{"E":{"guard":"is late"}}"#, "no-counterpart", "/on/E/guard", 20),
        (r#""on":{"E":{"guard":"true"}}"#, "no-counterpart", "/on/E/guard", 20),
        (r#""on":{"E":{"guard":"g","cond":"g"}}"#, "no-counterpart", "/on/E/cond", 31),
        (r#""on":{"E":{"in":"b"}}"#, "no-counterpart", "/on/E/in", 17),
        (r#""on":{"E":{"reenter":true,"internal":true}}"#, "no-counterpart", "/on/E/internal", 38),
        (r#""on":{"E":{"reenter":1}}"#, "invalid-shape", "/on/E/reenter", 22),
        (r#""on":{"E":[{"target":"d"}]}"#, "unknown-to-state", "/on/E/0/target", 22),
        (r##""on":{"E":{"target":["b","#b"]}}"##, "unknown-to-state", "/on/E/target/1", 26),
        (r#""on":{"E":".b"}"#, "unknown-to-state", "/on/E", 11),
        (r#""on":{"E":null}"#, "invalid-shape", "/on/E", 11),
        (r#""on":{"E":{"target":null}}"#, "invalid-shape", "/on/E/target", 21),
        (r#""on":{"":"b"}"#, "no-counterpart", "/on/", 10),
        (r#""on":{"a.*.b":"b"}"#, "no-counterpart", "/on/a.*.b", 15),
        (r#""on":{"done.invoke.x":"b"}"#, "no-counterpart", "/on/done.invoke.x", 23),
        (r#""on":{"xstate.after.5.m":"b"}"#, "no-counterpart", "/on/xstate.after.5.m", 26),
        (r#""on":[]"#, "invalid-shape", "/on", 6),
        (r#""initial":"x","states":{"y":{}}"#, "unknown-initial-state", "/initial", 11),
        (
            r#""initial":{"target":"y","actions":"f"},"states":{"y":{}}"#,
            "no-counterpart",
            "/initial/actions",
            35,
        ),
        (r#""states":{"y":{}}"#, "missing-field", "", 0),
        (r#""states":[]"#, "invalid-shape", "/states", 10),
        (r#""states":{"y":3},"initial":"y""#, "invalid-shape", "/states/y", 15),
        (r#""type":"compound""#, "no-states", "", 0),
        (r#""type":"final","states":{"y":{}}"#, "no-counterpart", "/states", 25),
        (r#""type":"odd""#, "invalid-shape", "/type", 8),
        (r#""history":"long""#, "invalid-shape", "/history", 11),
        (r#""type":"history","on":{}"#, "unknown-field", "/on", 18),
        (r#""entri":"x""#, "unknown-field", "/entri", 1),
        (r#""tags":[1]"#, "invalid-shape", "/tags/0", 9),
        (r#""meta":{"veristate":{"odd":1}}"#, "invalid-shape", "/meta/veristate", 21),
    ] {
        let found = refused(&around(fields));
        let pointer = format!("/states/a{pointer}");
        let place = if column == 0 { (1, 30) } else { (2, column) };
        assert!(found.contains(&(code.into(), pointer, place)), "{fields}: {found:?}");
    }
}

#[test]
fn all_refusals_are_told_in_the_order_of_the_text() {
    let found = refused(
        r#"{ "initial": "x", "onDone": ".a", "states": {
  "a": { "invoke": {}, "on": { "E": "nowhere" } },
  "b": { "type": "final", "on": { "E": "a" } }
} }"#,
    );
    let found: Vec<_> =
        found.iter().map(|(code, pointer, _)| (code.as_str(), pointer.as_str())).collect();
    assert_eq!(
        found,
        [
            ("unknown-initial-state", "/initial"),
            ("no-counterpart", "/onDone"),
            ("no-counterpart", "/states/a/invoke"),
            ("unknown-to-state", "/states/a/on/E"),
            ("no-counterpart", "/states/b/on/E"),
        ]
    );
}

#[test]
fn what_was_meant_is_said() {
    let config = r##"{"initial":"open","states":{"open":{"id":"first","on":{
"E":"close","F":"#firs"}},"closed":{}}}"##;
    let error = Definition::from_xstate(config).expect_err("two targets are unknown");
    let help: Vec<&str> = error.diagnostics().iter().map(|found| found.help.as_str()).collect();
    assert_eq!(help, ["did you mean `closed`?", "did you mean `#first`?"]);
    assert_eq!(error.code(), "invalid-xstate");
    assert_eq!(
        error.to_string(),
        "the config cannot be imported: the target `close` is no state of this machine (line 2, \
         column 5, at `/states/open/on/E`); and 1 more refusal"
    );
    let error = error.without_lines();
    assert!(error.diagnostics().iter().all(|found| (found.line, found.column) == (None, None)));
    assert_eq!(
        error.to_string(),
        "the config cannot be imported: the target `close` is no state of this machine (at \
         `/states/open/on/E`); and 1 more refusal"
    );
    let error = Definition::from_xstate(r#"{"initial":"a","on":{"E":"a"},"states":{"a":{}}}"#);
    let error = error.expect_err("a sibling of the root");
    assert!(error.diagnostics()[0].help.contains("`.a`"));
}

#[test]
fn hostile_texts_are_refused() {
    for (config, code) in [
        ("", "invalid-json"),
        ("{", "invalid-json"),
        ("{} {}", "invalid-json"),
        ("[]", "invalid-shape"),
        ("null", "invalid-shape"),
        ("\"x\"", "invalid-shape"),
        (r#"{"initial":"a","states":{"a":{},"a":{}}}"#, "duplicate-field"),
        (r#"{"initial":"a","states":{"a":{"on":{"E":"a","E":"a"}}}}"#, "duplicate-field"),
        (r#"{"type":"final"}"#, "no-counterpart"),
        (r#"{"type":"history"}"#, "no-counterpart"),
        (r#"{"type":"parallel"}"#, "no-states"),
        (r#"{"id":"","initial":"a","states":{"a":{}}}"#, "invalid-name"),
        (r#"{"initial":"a","states":{"a":{"id":"x"},"b":{"id":"x"}}}"#, "duplicate-state"),
        (r#"{"initial":"a","states":{"a":{"id":"(machine)"}}}"#, "duplicate-state"),
        ("{\"initial\":\"a\",\"states\":{\"a\":{},\"b\\u0007\":{}}}", "invalid-name"),
        (r#"{"initial":"h","states":{"h":{"type":"history"},"a":{}}}"#, "no-counterpart"),
        (r#"{"initial":"toString","states":{"a":{}}}"#, "unknown-initial-state"),
        (r#"{"initial":"a","states":{"a":{"on":{"E":"constructor"}}}}"#, "unknown-to-state"),
        (r#"{"initial":"a","states":{"a":{"on":{"E":"__proto__"}}}}"#, "unknown-to-state"),
    ] {
        let found = refused(config);
        assert!(found.iter().any(|(found, _, _)| found == code), "{config}: {found:?}");
    }
    let deep = "{\"initial\":\"a\",\"states\":{\"a\":".repeat(100_000);
    assert_eq!(refused(&deep)[0].0, "limit-exceeded");
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(refused(&deep)[0].0, "limit-exceeded");
}

#[test]
fn names_of_prototypes_are_names() {
    let definition = import(
        r#"{"initial":"__proto__","states":{"__proto__":{"on":{"constructor":"hasOwnProperty"}},"hasOwnProperty":{"on":{"__proto__":"__proto__"}}}}"#,
    );
    assert_eq!(
        all(&definition.transitions),
        ["__proto__ -constructor-> hasOwnProperty", "hasOwnProperty -__proto__-> __proto__"]
    );
}

#[test]
fn copies_are_bounded() {
    // Each of 200 states has a wildcard, and 200 events are known: 40,000 transitions.
    let states: Vec<String> = (0..200)
        .map(|at| {
            format!(r#""s{at}":{{"on":{{"e{at}":"s0","*":{{"actions":"{}"}}}}}}"#, "x".repeat(500))
        })
        .collect();
    let config = format!(r#"{{"initial":"s0","states":{{{}}}}}"#, states.join(","));
    assert!(Definition::from_xstate(&config).is_ok());
    for limits in [
        Limits { transitions: 10_000, ..Limits::default() },
        Limits { bytes: 1_000_000, ..Limits::default() },
        Limits { states: 100, ..Limits::default() },
        Limits { name_bytes: 3, ..Limits::default() },
        Limits { depth: 3, ..Limits::default() },
    ] {
        let error = Definition::from_xstate_within(&config, &limits).expect_err("it is too large");
        let found = &error.diagnostics()[0];
        assert_eq!(json!(found.code), "limit-exceeded", "{found}");
    }
    // So have those of the machine itself.
    let states: Vec<String> = (0..300).map(|at| format!(r#""s{at}":{{}}"#)).collect();
    let events: Vec<String> = (0..300).map(|at| format!(r#""e{at}":".s0""#)).collect();
    let (states, events) = (states.join(","), events.join(","));
    let config = format!(r#"{{"initial":"s0","on":{{{events}}},"states":{{{states}}}}}"#);
    let limits = Limits { transitions: 10_000, ..Limits::default() };
    let error = Definition::from_xstate_within(&config, &limits).expect_err("it is too large");
    assert_eq!(json!(error.diagnostics()[0].code), "limit-exceeded");
}

#[test]
fn no_text_makes_it_panic() {
    let texts = [
        LIGHT,
        r##"{"id":"m","type":"parallel","on":{"*":"#m"},"states":{"a":{"initial":"h","states":{"h":{"type":"history","history":"deep"},"b":{"type":"final","on":{"E.*":["a","#m.a"]}}}},"c":{"after":{"1":{"target":"#m.a.b"}}}}}"##,
    ];
    for text in texts {
        for (end, _) in text.char_indices() {
            assert!(Definition::from_xstate(&text[..end]).is_err());
            // Something else in the place of each character.
            for other in ["0", "\"", "{}"] {
                let mut text = text.to_string();
                text.replace_range(end..=end, other);
                if let Ok(definition) = Definition::from_xstate(&text) {
                    let _ = Machine::new(definition.clone());
                    let _ = definition.to_xstate();
                }
            }
        }
    }
}

/// Exports, and imports that.
#[track_caller]
fn round_trip(definition: &Definition) -> (Definition, Vec<(LeftOutCode, String)>) {
    let export = definition.to_xstate();
    let left_out = export.left_out.into_iter().map(|it| (it.code, it.pointer)).collect();
    (import(&export.config), left_out)
}

#[test]
fn hostile_names_go_out_and_come_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/hostile");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let definition = Definition::from_json(&text).expect("it is a definition");
        let (again, _) = round_trip(&definition);
        let states: Vec<_> = definition.states.iter().map(|state| &state.name).collect();
        // JavaScript has another order of names that are whole numbers.
        let mut names: Vec<_> = again.states.iter().map(|state| &state.name).collect();
        if !states.is_sorted_by_key(|name| name.parse::<u32>().unwrap_or(u32::MAX)) {
            names.sort_by_key(|name| states.iter().position(|other| other == name));
        }
        assert_eq!(states, names, "{}", path.display());
        count += 1;
    }
    assert!(count > 50);
}

#[test]
fn an_import_goes_out_and_comes_back() {
    let definition = import(LIGHT);
    assert_eq!(round_trip(&definition), (definition, vec![]));
}

#[test]
fn a_definition_goes_out_and_comes_back() {
    let definition = Definition::from_json(
        r##"{
        "object_type": "Risk rule", "version": 7, "initial_state": "draft", "history_enabled": false,
        "states": [
            { "name": "draft", "display_name": "Draft", "on_enter": ["a"], "on_exit": ["b", "c"], "metadata": { "x": 1 } },
            { "name": "review", "kind": "transitional", "permits": ["read"], "join_condition": "any",
              "timeout": { "after": "1h", "action": "expire", "notify_before": "5m" },
              "entry_conditions": [{ "name": "has", "require": "has(object.a)" }],
              "regions": [
                { "name": "legal", "sub_machine": { "object_type": "Legal", "initial_state": "open", "states": [{ "name": "open" }, { "name": "v1.2" }, { "name": "#ok", "is_terminal": true }],
                  "transitions": [
                    { "name": "sign", "from_state": "open", "to_state": "#ok", "action": "sign", "guard": "object.n > 1" },
                    { "name": "odd", "from_state": "open", "to_state": "v1.2", "action": "odd" },
                    { "name": "even", "from_state": "v1.2", "to_state": "draft", "action": "odd", "required_permissions": ["p"] } ] } },
                { "name": "tech", "required": false },
                { "name": "past", "history": "deep", "default_target": ["review.legal", "review.tech"] } ] },
            { "name": "approved", "is_terminal": true }
        ],
        "transitions": [
            { "name": "submit", "display_name": "Send", "from_state": "draft", "to_state": "review", "action": "submit", "guard": "ready", "side_effects": ["mail"] },
            { "name": "again", "from_state": "draft", "to_state": ["review.legal.v1\\.2", "review.tech"], "action": "again" },
            { "name": "back", "from_state": "draft", "to_state": "review.past", "action": "back" },
            { "name": "self", "from_state": "review", "to_state": "review", "action": "restart", "reenter": true },
            { "name": "expired", "from_state": "review", "to_state": "draft", "action": "expire" },
            { "name": "done", "from_state": "review", "to_state": "approved", "trigger": "completion", "guard": "ready && hosted" },
            { "name": "at_once", "from_state": "review", "to_state": "draft", "trigger": "automatic", "guard": "object.bad" },
            { "name": "legal_reset", "from_state": "review.legal", "to_state": "review.legal.open", "action": "reset" }
        ],
        "guards": { "ready": "object.ready" },
        "allow": ["region-never-joins"], "metadata": { "owner": "me" }
    }"##,
    )
    .expect("it is a definition");
    let (again, left_out) = round_trip(&definition);
    let left_out: Vec<(LeftOutCode, &str)> =
        left_out.iter().map(|(code, pointer)| (*code, pointer.as_str())).collect();
    assert_eq!(
        left_out,
        [
            (
                LeftOutCode::Permissions,
                "/states/1/regions/0/sub_machine/transitions/2/required_permissions"
            ),
            (LeftOutCode::Permits, "/states/1/permits"),
            (LeftOutCode::EntryConditions, "/states/1/entry_conditions"),
            (LeftOutCode::JoinCondition, "/states/1/join_condition"),
            (LeftOutCode::Timeout, "/states/1/timeout/notify_before"),
            (LeftOutCode::Required, "/states/1/regions/1/required"),
        ]
    );
    // What differs: durations are written alike, guards have names, transitions stand by state.
    let mut expected = definition.clone();
    expected.states[1].timeout.as_mut().expect("it is there").after = "PT1H".into();
    expected.guards.insert("expression_1".into(), "ready && hosted".into());
    expected.guards.insert("expression_2".into(), "object.bad".into());
    expected.guards.insert("expression_3".into(), "object.n > 1".into());
    for (name, guard) in [("done", "expression_1"), ("at_once", "expression_2")] {
        let transition = expected.transitions.iter_mut().find(|it| it.name == name);
        transition.expect("it is there").guard = Some(guard.into());
    }
    let legal = expected.states[1].regions[0].sub_machine.as_mut().expect("it is there");
    legal.transitions[0].guard = Some("expression_3".into());
    let sorted = |mut definition: Definition| {
        definition.transitions.sort_by(|a, b| a.name.cmp(&b.name));
        definition
    };
    assert_eq!(sorted(again), sorted(expected));
}

#[test]
fn an_export_says_what_xstate_cannot() {
    let check = |definition: Value, expected: &[(LeftOutCode, &str)]| {
        let definition =
            Definition::from_json(&definition.to_string()).expect("it is a definition");
        let left_out = definition.to_xstate().left_out;
        let left_out: Vec<_> = left_out.iter().map(|it| (it.code, it.pointer.as_str())).collect();
        assert_eq!(left_out, expected);
    };
    check(
        json!({ "object_type": "m", "initial_state": "10", "states": [{ "name": "10" }, { "name": "9" }, { "name": "__proto__" }],
            "transitions": [
                { "name": "a", "from_state": "10", "to_state": "9", "action": "*" },
                { "name": "b", "from_state": "10", "to_state": "9", "action": "xstate.stop" },
                { "name": "c", "from_state": "10", "to_state": "nowhere", "action": "c" },
                { "name": "d", "from_state": "nowhere", "to_state": "9", "action": "d" },
                { "name": "e", "from_state": "10", "to_state": "9", "trigger": "completion" } ] }),
        &[
            (LeftOutCode::Transition, "/transitions/2"),
            (LeftOutCode::Transition, "/transitions/3"),
            (LeftOutCode::Order, "/states"),
            (LeftOutCode::Action, "/transitions/0/action"),
            (LeftOutCode::Transition, "/transitions/1"),
            (LeftOutCode::Transition, "/transitions/4"),
            (LeftOutCode::Name, "/states/2/name"),
        ],
    );
    check(
        json!({ "object_type": "m", "initial_state": "a.b",
            "states": [{ "name": "a", "is_terminal": true, "timeout": { "after": "soon", "action": "t" },
                "sub_machine": { "initial_state": "b", "states": [{ "name": "b" }], "guards": { "g": "object.x" },
                    "transitions": [{ "name": "t", "from_state": "b", "action": "t", "guard": "g" }] } }],
            "transitions": [{ "name": "u", "from_state": "a", "to_state": "a", "action": "u", "guard": "g" }],
            "guards": { "g": "object.y" } }),
        &[
            (LeftOutCode::Guard, "/states/0/sub_machine/guards"),
            (LeftOutCode::Target, "/initial_state"),
            (LeftOutCode::Terminal, "/states/0/is_terminal"),
            (LeftOutCode::Timeout, "/states/0/timeout"),
        ],
    );
}
