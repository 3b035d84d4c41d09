//! `diff`: each kind of change by itself, and what holds for any two definitions.

#[path = "properties/definitions.rs"]
#[expect(dead_code, reason = "only sound definitions are needed here")]
mod definitions;
#[path = "properties/scripts.rs"]
#[expect(dead_code, reason = "instances are not asked here")]
mod scripts;

use std::collections::{BTreeMap, BTreeSet};

use proptest::{collection::vec, prelude::*};
use scripts::{asks, machine_with, says};
use serde_json::{Value, json};
use veristate::{
    Affected, Change, ChangeKind, Context, Decision, Definition, Machine, NewObject, Request, Time,
};

/// A definition with one of everything.
fn base() -> Value {
    json!({
        "object_type": "Order", "version": 1, "initial_state": "draft",
        "allow": ["no-terminal-state", "unreachable-state", "terminal-with-exit", "region-never-joins"],
        "guards": { "large": "object.amount > 1000" },
        "states": [
            { "name": "draft", "permits": ["read", "write"], "on_exit": ["log"] },
            { "name": "work", "sub_machine": {
                "initial_state": "first",
                "states": [
                    { "name": "first" }, { "name": "second", "is_terminal": true },
                    { "name": "back", "history": "shallow", "default_target": "first" }
                ],
                "transitions": [
                    { "name": "next", "from_state": "first", "to_state": "second", "action": "next",
                      "guard": "object.ready" }
                ]
            } },
            { "name": "both", "regions": [
                { "name": "left", "sub_machine": { "initial_state": "on",
                    "states": [{ "name": "on" }, { "name": "off", "is_terminal": true }],
                    "transitions": [{ "name": "stop_left", "from_state": "on", "to_state": "off", "action": "stop" }] } },
                { "name": "right", "sub_machine": { "initial_state": "on",
                    "states": [{ "name": "on" }, { "name": "off", "is_terminal": true }],
                    "transitions": [{ "name": "stop_right", "from_state": "on", "to_state": "off", "action": "halt" }] } }
            ] },
            { "name": "late", "timeout": { "after": "1h", "action": "close", "notify_before": "5m" },
              "entry_conditions": [{ "name": "known", "require": "has(object.id)" }] },
            { "name": "old" },
            { "name": "done", "is_terminal": true }
        ],
        "transitions": [
            { "name": "submit", "from_state": "draft", "to_state": "work", "action": "submit",
              "required_permissions": ["order.submit"] },
            { "name": "large", "from_state": "draft", "to_state": "both", "action": "go", "guard": "large" },
            { "name": "host", "from_state": "draft", "to_state": "late", "action": "go", "guard": "asked" },
            { "name": "rest", "from_state": "draft", "to_state": "done", "action": "go", "side_effects": ["mail", "log"] },
            { "name": "close", "from_state": ["late", "old"], "to_state": "done", "action": "close" },
            { "name": "expire", "from_state": "old", "to_state": "done", "action": "expire" },
            { "name": "joined", "from_state": "both", "to_state": "done", "trigger": "completion" },
            { "name": "worked", "from_state": "work", "to_state": "done", "trigger": "completion" }
        ]
    })
}

fn machine(definition: &Value) -> Machine {
    Machine::from_json(&definition.to_string())
        .unwrap_or_else(|invalid| panic!("{invalid}: {definition}"))
}

fn named<'v>(list: &'v mut Value, name: &str) -> &'v mut Value {
    let list = list.as_array_mut().expect("it is a list");
    list.iter_mut().find(|item| item["name"] == name).expect("there is one of that name")
}

fn state<'v>(definition: &'v mut Value, name: &str) -> &'v mut Value {
    named(&mut definition["states"], name)
}

fn transition<'v>(definition: &'v mut Value, name: &str) -> &'v mut Value {
    named(&mut definition["transitions"], name)
}

fn push(list: &mut Value, item: Value) {
    list.as_array_mut().expect("it is a list").push(item);
}

fn remove(list: &mut Value, name: &str) {
    list.as_array_mut().expect("it is a list").retain(|item| item["name"] != name);
}

type Edit = fn(&mut Value);

/// Edits that can be made in this order, each or not, and what each says: the codes, and which of them break something.
const EDITS: &[(&[(&str, bool)], Edit)] = &[
    (&[("object-type-changed", true)], |d| d["object_type"] = json!("Purchase")),
    (&[("version-changed", false)], |d| d["version"] = json!(2)),
    (&[("history-enabled-changed", true)], |d| d["history_enabled"] = json!(false)),
    (&[("allow-changed", false)], |d| d["allow"][3] = json!("unreachable-state")),
    (&[("metadata-changed", false)], |d| d["metadata"] = json!({ "__proto__": 1 })),
    (&[("metadata-changed", false)], |d| state(d, "done")["metadata"] = json!({ "a": 1 })),
    (&[("metadata-changed", false)], |d| transition(d, "submit")["metadata"] = json!({ "a": 1 })),
    (&[("initial-state-changed", true)], |d| d["initial_state"] = json!("late")),
    (&[("initial-state-changed", true)], |d| {
        state(d, "work")["sub_machine"]["initial_state"] = json!("second");
    }),
    (&[("state-added", false)], |d| push(&mut d["states"], json!({ "name": "new" }))),
    (&[("state-shape-changed", true), ("state-added", false)], |d| {
        state(d, "late")["sub_machine"] =
            json!({ "initial_state": "x", "states": [{ "name": "x" }] });
    }),
    (&[("state-kind-changed", false)], |d| state(d, "late")["kind"] = json!("faulty")),
    (&[("terminal-changed", true)], |d| state(d, "done")["is_terminal"] = json!(false)),
    (&[("history-kind-changed", true)], |d| {
        named(&mut state(d, "work")["sub_machine"]["states"], "back")["history"] = json!("deep");
    }),
    (&[("default-target-changed", true)], |d| {
        named(&mut state(d, "work")["sub_machine"]["states"], "back")["default_target"] =
            json!("second");
    }),
    (&[("join-condition-changed", true)], |d| state(d, "both")["join_condition"] = json!("any")),
    (&[("required-changed", true)], |d| {
        named(&mut state(d, "both")["regions"], "left")["required"] = json!(false);
    }),
    (&[("state-added", true)], |d| {
        push(&mut state(d, "both")["regions"], json!({ "name": "middle", "required": false }));
    }),
    (&[("regions-reordered", true)], |d| {
        state(d, "both")["regions"].as_array_mut().expect("it is a list").reverse();
    }),
    (&[("operation-removed", true), ("operation-added", false)], |d| {
        state(d, "draft")["permits"] = json!(["write", "print"]);
    }),
    (&[("condition-changed", true), ("condition-message-changed", false)], |d| {
        state(d, "late")["entry_conditions"][0] =
            json!({ "name": "known", "require": "object.id > 0", "message": "it has a number" });
    }),
    (&[("condition-added", true)], |d| {
        push(
            &mut state(d, "late")["entry_conditions"],
            json!({ "name": "more", "require": "object.a" }),
        );
    }),
    (&[("timeout-changed", true)], |d| state(d, "late")["timeout"]["after"] = json!("59m")),
    (&[("timeout-added", true)], |d| {
        state(d, "old")["timeout"] = json!({ "after": "1h", "action": "expire" });
    }),
    (&[("effects-changed", true)], |d| state(d, "draft")["on_exit"] = json!(["log", "unheard of"])),
    (&[("effects-changed", false)], |d| state(d, "draft")["on_enter"] = json!(["mail"])),
    (&[("effects-changed", true)], |d| {
        transition(d, "rest")["side_effects"] = json!(["log", "mail"]);
    }),
    (&[("display-name-changed", false)], |d| state(d, "draft")["display_name"] = json!("A draft")),
    (&[("display-name-changed", false)], |d| {
        transition(d, "submit")["display_name"] = json!("Hand in");
    }),
    (&[("description-changed", false)], |d| state(d, "draft")["description"] = json!("text")),
    (&[("transition-added", false), ("action-added", false)], |d| {
        push(
            &mut d["transitions"],
            json!({ "name": "fly", "from_state": "draft", "to_state": "done", "action": "fly" }),
        );
    }),
    // Behind all others of its action it takes nothing from them.
    (&[("transition-added", false)], |d| {
        push(
            &mut d["transitions"],
            json!({ "name": "last", "from_state": "draft", "to_state": "late", "action": "go" }),
        );
    }),
    // The state around takes the action; the one inside is asked first.
    (&[("transition-added", true)], |d| {
        push(
            &mut named(&mut state(d, "both")["regions"], "left")["sub_machine"]["transitions"],
            json!({ "name": "halt_left", "from_state": "on", "to_state": "off", "action": "halt" }),
        );
    }),
    (&[("transition-added", true)], |d| {
        push(
            &mut d["transitions"],
            json!({ "name": "by_itself", "from_state": "old", "to_state": "late", "trigger": "automatic", "guard": "object.late" }),
        );
    }),
    (&[("source-removed", true), ("source-added", false)], |d| {
        transition(d, "close")["from_state"] = json!(["late", "draft"]);
    }),
    (&[("target-changed", true)], |d| transition(d, "expire")["to_state"] = json!("draft")),
    (&[("target-changed", true)], |d| {
        transition(d, "submit").as_object_mut().expect("it is one").remove("to_state");
    }),
    (&[("guard-added", true)], |d| transition(d, "submit")["guard"] = json!("object.x")),
    (&[("guard-changed", true)], |d| {
        state(d, "work")["sub_machine"]["transitions"][0]["guard"] = json!("object.readier");
    }),
    (&[("permission-removed", false), ("permission-added", true)], |d| {
        transition(d, "submit")["required_permissions"] = json!(["order.hand_in"]);
    }),
    (&[("reenter-changed", true)], |d| transition(d, "expire")["reenter"] = json!(true)),
    (&[("named-guard-changed", true)], |d| d["guards"]["large"] = json!("object.amount > 100")),
    (&[("named-guard-added", false)], |d| d["guards"]["unused"] = json!("true")),
    (&[("named-guard-added", true), ("host-guard-removed", true)], |d| {
        d["guards"]["asked"] = json!("object.asked");
    }),
    (&[("order-changed", true)], |d| {
        let list = d["transitions"].as_array_mut().expect("it is a list");
        let first = list.iter().position(|item| item["name"] == "large").expect("it is there");
        let second = list.iter().position(|item| item["name"] == "host").expect("it is there");
        list.swap(first, second);
    }),
    (&[("trigger-changed", true), ("action-removed", true), ("action-added", false)], |d| {
        state(d, "both")["regions"].as_array_mut().expect("it is a list").iter_mut().for_each(
            |region| {
                if region["name"] == "right" {
                    region["sub_machine"]["transitions"][0]["action"] = json!("brake");
                }
            },
        );
    }),
    (&[("transition-renamed", false)], |d| transition(d, "joined")["name"] = json!("together")),
];

/// Edits that mean nothing.
const WORDS: &[Edit] = &[
    |d| d["states"].as_array_mut().expect("it is a list").reverse(),
    |d| d["states"].as_array_mut().expect("it is a list").rotate_left(2),
    |d| d["transitions"].as_array_mut().expect("it is a list").rotate_right(2),
    |d| state(d, "work")["sub_machine"]["states"].as_array_mut().expect("it is a list").reverse(),
    |d| state(d, "draft")["permits"].as_array_mut().expect("it is a list").reverse(),
    |d| transition(d, "close")["from_state"].as_array_mut().expect("it is a list").reverse(),
    |d| state(d, "draft")["display_name"] = json!("draft"),
    |d| d["initial_state"] = json!([d["initial_state"]]),
    |d| state(d, "late")["timeout"]["after"] = json!("PT60M"),
    |d| transition(d, "large")["guard"] = json!(" large // says so"),
    |d| state(d, "late")["entry_conditions"][0]["require"] = json!("has( object.id )"),
    |d| transition(d, "expire")["to_state"] = json!(["done"]),
    |d| transition(d, "expire")["display_name"] = json!("expire"),
    |d| state(d, "work")["sub_machine"]["transitions"][0]["to_state"] = json!("work.second"),
    |d| named(&mut state(d, "both")["regions"], "left")["required"] = json!(true),
    |d| d["history_enabled"] = json!(true),
];

fn codes(changes: &[Change]) -> Vec<(String, bool)> {
    let code = |change: &Change| {
        let code = serde_json::to_value(change.code).expect("it can be written");
        (code.as_str().expect("it is a text").to_string(), change.breaking)
    };
    changes.iter().map(code).collect()
}

#[test]
fn each_change_is_reported_by_itself() {
    let older = machine(&base());
    for (number, (expected, edit)) in EDITS.iter().enumerate() {
        let mut definition = base();
        edit(&mut definition);
        let changes = older.diff(&machine(&definition));
        let mut found = codes(&changes);
        let mut expected: Vec<(String, bool)> =
            expected.iter().map(|(code, breaking)| ((*code).to_string(), *breaking)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "edit {number}: {changes:#?}");
    }
}

#[test]
fn other_words_for_the_same_are_no_change() {
    let older = machine(&base());
    for (number, edit) in WORDS.iter().enumerate() {
        let mut definition = base();
        edit(&mut definition);
        assert_eq!(older.diff(&machine(&definition)), [], "edit {number}");
    }
}

#[test]
fn a_change_says_where_it_stands_what_was_and_what_is() {
    let mut definition = base();
    definition["transitions"].as_array_mut().expect("it is a list").swap(0, 7);
    transition(&mut definition, "submit")["required_permissions"] = json!(["a/b", "order.submit"]);
    let changes = machine(&base()).diff(&machine(&definition));
    assert_eq!(
        serde_json::to_value(&changes).expect("they can be written"),
        json!([{
            "code": "permission-added", "kind": "added", "breaking": true, "affects": "callers",
            "state": null, "transition": "submit",
            "older_pointer": null, "newer_pointer": "/transitions/7/required_permissions/0",
            "before": null, "after": "a/b",
            "message": "`submit` asks for the permission `a/b`",
            "consequence": "who does not have it is refused",
        }])
    );
}

#[test]
fn a_state_that_is_gone_takes_its_transitions_along() {
    let mut definition = base();
    remove(&mut definition["states"], "both");
    remove(&mut definition["transitions"], "large");
    remove(&mut definition["transitions"], "joined");
    definition["guards"] = json!({});
    let changes = machine(&base()).diff(&machine(&definition));
    let found: Vec<(String, Option<&str>, Option<&str>)> = codes(&changes)
        .into_iter()
        .zip(&changes)
        .map(|((code, _), change)| (code, change.state.as_deref(), change.transition.as_deref()))
        .collect();
    let removed = |path| ("state-removed".to_string(), Some(path), None);
    let way = |state, name| ("transition-removed".to_string(), state, Some(name));
    assert_eq!(
        found,
        [
            removed("both"),
            removed("both.left"),
            removed("both.left.on"),
            removed("both.left.off"),
            removed("both.right"),
            removed("both.right.on"),
            removed("both.right.off"),
            way(Some("both.left"), "stop_left"),
            way(Some("both.right"), "stop_right"),
            way(None, "large"),
            way(None, "joined"),
            ("named-guard-removed".into(), None, None),
            ("action-removed".into(), None, None),
            ("action-removed".into(), None, None),
        ]
    );
    assert!(changes.iter().all(|change| change.kind == ChangeKind::Removed));
    assert!(
        changes[..7].iter().all(|change| change.breaking && change.affects == Affected::Objects)
    );
}

#[test]
fn a_guard_less_is_breaking_where_another_waits_behind_it() {
    let definition = |guard: Value| {
        json!({ "object_type": "T", "initial_state": "a", "states": [{ "name": "a" }, { "name": "b", "is_terminal": true }],
            "transitions": [
                { "name": "one", "from_state": "a", "to_state": "b", "action": "go", "guard": guard },
                { "name": "two", "from_state": "a", "to_state": "a", "action": "go" },
                { "name": "three", "from_state": "a", "to_state": "b", "action": "end", "guard": guard },
            ] })
    };
    let (older, newer) =
        (machine(&definition(json!("object.x"))), machine(&definition(json!(null))));
    assert_eq!(
        codes(&older.diff(&newer)),
        [("guard-removed".to_string(), true), ("guard-removed".to_string(), false)]
    );
}

#[test]
fn of_several_renamed_ones_each_finds_the_one_with_its_guard() {
    let definition = |names: [&str; 2], guards: [&str; 2]| {
        let transitions: Vec<Value> = names.iter().zip(guards).map(|(name, guard)| {
            json!({ "name": name, "from_state": "a", "to_state": "b", "action": "go", "guard": guard })
        }).collect();
        json!({ "object_type": "T", "initial_state": "a", "states": [{ "name": "a" }, { "name": "b", "is_terminal": true }],
            "transitions": transitions })
    };
    let older = machine(&definition(["one", "two"], ["object.x", "object.y"]));
    let newer = machine(&definition(["three", "four"], ["object.y", "object.x"]));
    let changes = older.diff(&newer);
    let said: Vec<&str> = changes.iter().map(|change| change.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "the transition `one` is called `four`",
            "the transition `two` is called `three`",
            "in `a` `three` is tried earlier for `go` than before",
        ]
    );
    assert_eq!(
        (&changes[2].before, &changes[2].after),
        (&json!(["one", "two"]), &json!(["three", "four"]))
    );
}

#[test]
fn a_longer_timeout_and_another_notice_break_nothing() {
    for (field, value) in [("after", "61m"), ("notify_before", "1m")] {
        let mut definition = base();
        state(&mut definition, "late")["timeout"][field] = json!(value);
        let changes = machine(&base()).diff(&machine(&definition));
        assert_eq!(codes(&changes), [("timeout-changed".to_string(), false)]);
    }
}

/// What a change is about, as seen from the other side.
fn mirrored(changes: &[Change], mirror: bool) -> BTreeSet<String> {
    let turned = |change: &Change| {
        let code = codes(std::slice::from_ref(change)).remove(0).0;
        let (code, ends) = match mirror {
            false => (code, [&change.older_pointer, &change.newer_pointer]),
            true => {
                let turned = match code.rsplit_once('-') {
                    Some((of, "added")) => format!("{of}-removed"),
                    Some((of, "removed")) => format!("{of}-added"),
                    _ => code,
                };
                (turned, [&change.newer_pointer, &change.older_pointer])
            }
        };
        let values =
            if mirror { [&change.after, &change.before] } else { [&change.before, &change.after] };
        // Which one of several was moved is told of each side's first.
        let ends = if code == "order-changed" { json!(null) } else { json!(ends) };
        json!([code, ends, values]).to_string()
    };
    changes.iter().map(turned).collect()
}

/// What a flat definition means, without the order that decides nothing.
fn meaning(definition: &Value) -> Value {
    let by_name = |list: &Value, keep: &dyn Fn(&Value) -> Value| -> BTreeMap<String, Value> {
        let items = list.as_array().expect("it is a list");
        items.iter().map(|item| (item["name"].to_string(), keep(item))).collect()
    };
    let set = |list: &Value| -> BTreeSet<String> {
        match list {
            Value::Array(items) => items.iter().map(Value::to_string).collect(),
            one => [one.to_string()].into(),
        }
    };
    let states = by_name(&definition["states"], &|state| {
        let conditions = state["entry_conditions"].as_array().cloned().unwrap_or_default();
        let conditions: BTreeSet<String> = conditions.iter().map(Value::to_string).collect();
        json!([
            state["is_terminal"],
            state["timeout"],
            conditions,
            state["on_enter"],
            state["permits"]
        ])
    });
    let transitions = by_name(&definition["transitions"], &|way| {
        let permissions = set(&way["required_permissions"]);
        json!([
            set(&way["from_state"]),
            way["to_state"],
            way["action"],
            way["guard"],
            permissions,
            way["side_effects"],
            way["reenter"]
        ])
    });
    let mut tried: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for way in definition["transitions"].as_array().expect("it is a list") {
        for from in set(&way["from_state"]) {
            tried
                .entry(format!("{from} {}", way["action"]))
                .or_default()
                .push(way["name"].to_string());
        }
    }
    json!([definition["version"], definition["initial_state"], states, transitions, tried])
}

/// Definitions that are often much alike: one, and the same with a few values from another.
fn pairs() -> impl Strategy<Value = (Value, Value)> {
    let edits = vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5), 0..4);
    (definitions::sound(), edits).prop_map(|(older, edits)| {
        let mut newer = older.clone();
        for (one, other, kind) in edits {
            let ways = newer["transitions"].as_array_mut().expect("it is a list");
            if ways.is_empty() {
                continue;
            }
            let (one, other) = (one.index(ways.len()), other.index(ways.len()));
            match kind {
                0 => ways.swap(one, other),
                1 => ways[one]["guard"] = ways[other]["guard"].clone(),
                2 => ways[one]["to_state"] = ways[other]["to_state"].clone(),
                3 => {
                    ways[one]["required_permissions"] = ways[other]["required_permissions"].clone();
                }
                _ => newer["states"].as_array_mut().expect("it is a list").reverse(),
            }
        }
        (older, newer)
    })
}

/// The edits of a choice, made.
fn edited(choice: &[bool], words: &[bool]) -> Value {
    let mut definition = base();
    for (edit, _) in WORDS.iter().zip(words).filter(|(_, made)| **made) {
        edit(&mut definition);
    }
    for ((_, edit), _) in EDITS.iter().zip(choice).filter(|(_, made)| **made) {
        edit(&mut definition);
    }
    definition
}

fn choices() -> impl Strategy<Value = [Vec<bool>; 2]> {
    let one = || vec(any::<bool>(), EDITS.len());
    let few = || vec(prop::bool::weighted(0.05), EDITS.len());
    prop_oneof![
        (one(), few()).prop_map(|(one, few)| {
            let other = one.iter().zip(few).map(|(a, b)| *a ^ b).collect();
            [one, other]
        }),
        (one(), one()).prop_map(|(one, other)| [one, other]),
    ]
}

/// A definition, and the same with edits that mostly allow more.
fn opened() -> impl Strategy<Value = (Value, Value)> {
    let edits = vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..9), 1..4);
    (definitions::sound(), edits).prop_map(|(older, edits)| {
        let mut newer = older.clone();
        for (number, (one, other, kind)) in edits.into_iter().enumerate() {
            let list = |value: &Value| value.as_array().map_or(0, Vec::len);
            let (states, ways) = (list(&newer["states"]), list(&newer["transitions"]));
            let way = &mut newer["transitions"];
            match kind {
                0 => push(
                    &mut newer["states"],
                    json!({ "name": format!("new {number}"), "permits": [] }),
                ),
                1 => push(&mut newer["states"][one.index(states)]["permits"], json!("print")),
                2 => newer["states"][one.index(states)]["entry_conditions"] = json!([]),
                _ if ways == 0 => {}
                3 => way[one.index(ways)]["guard"] = json!(null),
                4 => way[one.index(ways)]["required_permissions"] = json!([]),
                5 => push(&mut way[one.index(ways)]["side_effects"], json!("mail")),
                6 => {
                    let from = way[other.index(ways)]["from_state"].clone();
                    way[one.index(ways)]["from_state"] = from;
                }
                7 => way[one.index(ways)]["name"] = json!(format!("renamed {number}")),
                _ => {
                    let mut new = way[one.index(ways)].clone();
                    new["name"] = json!(format!("new {number}"));
                    new["from_state"] = way[other.index(ways)]["from_state"].clone();
                    let at = other.index(ways + 1);
                    way.as_array_mut().expect("it is a list").insert(at, new);
                }
            }
        }
        (older, newer)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn edits_are_found_whatever_else_was_edited([one, other] in choices(), words in vec(any::<bool>(), WORDS.len())) {
        let (older, newer) = (machine(&edited(&one, &[])), machine(&edited(&other, &words)));
        let changes = older.diff(&newer);
        let differing: Vec<usize> = (0..EDITS.len()).filter(|&edit| one[edit] != other[edit]).collect();
        prop_assert_eq!(changes.is_empty(), differing.is_empty(), "{:?}: {:#?}", differing, changes);
        prop_assert_eq!(mirrored(&changes, true), mirrored(&newer.diff(&older), false));
    }

    #[test]
    fn a_diff_is_empty_where_nothing_that_means_something_differs((older, newer) in pairs()) {
        let (before, after) = (machine(&older), machine(&newer));
        let changes = before.diff(&after);
        prop_assert_eq!(changes.is_empty(), meaning(&older) == meaning(&newer), "{:#?}", changes);
        prop_assert_eq!(mirrored(&changes, true), mirrored(&after.diff(&before), false));
        let copy = Definition::clone(before.definition());
        prop_assert_eq!(before.diff(&Machine::new(copy).expect("it has no errors")), []);
    }

    #[test]
    fn any_two_definitions_are_compared(older in definitions::sound(), newer in definitions::sound()) {
        let (before, after) = (machine(&older), machine(&newer));
        let changes = before.diff(&after);
        prop_assert_eq!(mirrored(&changes, true), mirrored(&after.diff(&before), false));
        for change in &changes {
            let both = [(&change.older_pointer, &older), (&change.newer_pointer, &newer)];
            for (pointer, definition) in both {
                if let Some(pointer) = pointer {
                    // A field that is absent, but has a default, stands in what is there.
                    let (around, _) = pointer.rsplit_once('/').unwrap_or(("", ""));
                    prop_assert!(definition.pointer(around).is_some(), "{}", pointer);
                }
            }
        }
    }

    /// Whatever the older machine accepts, the newer one accepts too, and takes it to the same place.
    #[test]
    fn what_breaks_nothing_leaves_every_answer_as_it_was((older, newer) in opened(), asks in asks(), says in says()) {
        let valid = Definition::from_json(&newer.to_string()).is_ok_and(|newer| Machine::new(newer).is_ok());
        prop_assume!(valid);
        let (before, after) = (machine_with(&older, &says), machine_with(&newer, &says));
        let changes = before.diff(&after);
        prop_assume!(!changes.iter().any(|change| change.breaking));
        let noon: Time = "2026-01-01T12:00:00Z".parse().expect("it is a time");
        let ctx = Context { timestamp: Some(noon), ..Context::default() };
        let start = before.start(&NewObject::named("o"), &ctx, &Request::default());
        let Ok(Decision::Accepted(start)) = start else { return Ok(()) };
        let mut snapshot = start.snapshot;
        for ask in &asks {
            let (was, is) = (ask.decide(&before, &snapshot), ask.decide(&after, &snapshot));
            if let Decision::Accepted(was) = was {
                let Decision::Accepted(is) = is else {
                    return Err(TestCaseError::fail(format!("{}: {changes:#?}", ask.action())));
                };
                prop_assert_eq!(&was.snapshot.states, &is.snapshot.states, "{:#?}", changes);
                prop_assert_eq!(was.transitions.len(), is.transitions.len());
                snapshot = was.snapshot;
            }
        }
    }
}
