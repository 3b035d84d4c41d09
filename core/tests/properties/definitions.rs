//! Definitions: sound ones, broken ones, and texts that are none.

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value, json};

/// Names that have gone wrong somewhere.
const NAMES: [&str; 12] = [
    "a",
    "b",
    "In Progress",
    "v1.2",
    r"back\slash",
    "审核中",
    "🎉",
    "__proto__",
    "end",
    "A",
    "N/A",
    "\"q\"",
];
const ACTIONS: [&str; 4] = ["go", "Go", "stop", "übergeben"];
pub(crate) const GUARDS: [&str; 3] = ["g0", "g1", "is_ready"];
pub(crate) const PERMISSIONS: [&str; 3] = ["p", "q", "order.approve"];
const LENGTHS: [&str; 5] = ["0s", "1us", "30m", "P1D", "99999d"];

/// One action of every script; see `scripts.rs`.
pub(crate) fn action() -> impl Strategy<Value = &'static str> {
    prop_oneof![9 => select(&ACTIONS[..]), 1 => Just("unheard of")]
}

#[derive(Clone, Debug)]
struct Way {
    from: Vec<usize>,
    to: Option<usize>,
    action: &'static str,
    guard: Option<&'static str>,
    permissions: Vec<&'static str>,
    effects: Vec<&'static str>,
    reenter: bool,
}

fn way() -> impl Strategy<Value = Way> {
    let ends = (vec(any::<usize>(), 1..3), option::weighted(0.8, any::<usize>()));
    let rest = (
        select(&ACTIONS[..]),
        option::weighted(0.4, select(&GUARDS[..])),
        vec(select(&PERMISSIONS[..]), 0..2),
        vec(select(&["log", "mail"][..]), 0..3),
        any::<bool>(),
    );
    (ends, rest).prop_map(|((from, to), (action, guard, permissions, effects, reenter))| Way {
        from,
        to,
        action,
        guard,
        permissions,
        effects,
        reenter,
    })
}

/// A definition without errors.
pub(crate) fn sound() -> impl Strategy<Value = Value> {
    let conditions = vec(select(&GUARDS[..]), 0..3);
    let conditions = prop_oneof![3 => Just(vec![]), 1 => conditions];
    let states =
        vec((any::<bool>(), any::<bool>(), option::of(select(&LENGTHS[..])), conditions), 1..7);
    (Just(NAMES.to_vec()).prop_shuffle(), states, vec(way(), 0..10), 1_u64..4)
        .prop_map(|(names, states, ways, version)| build(&names, &states, &ways, version))
}

fn build(
    names: &[&str],
    states: &[(bool, bool, Option<&str>, Vec<&str>)],
    ways: &[Way],
    version: u64,
) -> Value {
    let name = |index: usize| names[index % states.len()];
    let transitions: Vec<Value> = (0..)
        .zip(ways)
        .map(|(index, way): (usize, &Way)| {
            let mut from: Vec<&str> = way.from.iter().map(|&from| name(from)).collect();
            from.dedup();
            json!({
                "name": format!("t{index}"), "action": way.action, "guard": way.guard,
                "from_state": if from.len() == 1 { json!(from[0]) } else { json!(from) },
                "to_state": way.to.map(name), "required_permissions": way.permissions,
                "side_effects": way.effects, "reenter": way.reenter,
            })
        })
        .collect();
    let states: Vec<Value> = (0..)
        .zip(states)
        .map(|(index, (terminal, effects, length, conditions)): (usize, _)| {
            let way =
                ways.iter().find(|way| way.from.iter().any(|&from| name(from) == names[index]));
            let timeout =
                length.zip(way).map(|(after, way)| json!({ "after": after, "action": way.action }));
            // The initial one has none, so that there is an object.
            let conditions: Vec<Value> = (0..)
                .zip(conditions.iter().filter(|_| index > 0))
                .map(|(number, guard): (u32, _)| json!({ "name": format!("c{number}"), "require": guard }))
                .collect();
            let on = if *effects { vec!["note"] } else { vec![] };
            json!({
                "name": names[index], "is_terminal": *terminal && index > 0, "timeout": timeout,
                "on_enter": on, "on_exit": on, "permits": on, "entry_conditions": conditions,
            })
        })
        .collect();
    json!({
        "object_type": "Thing", "version": version, "initial_state": names[0], "states": states,
        "transitions": transitions,
        "allow": ["no-terminal-state", "unreachable-state", "terminal-with-exit"],
    })
}

/// A definition with whatever may be wrong: names twice, unknown, empty; lists too short or too long.
pub(crate) fn broken() -> impl Strategy<Value = Value> {
    let name = || prop_oneof![4 => select(&NAMES[..3]), 1 => select(&["", "\n", "nowhere"][..])];
    let names = move || {
        prop_oneof![
            3 => name().prop_map(Value::from),
            1 => vec(name(), 0..3).prop_map(Value::from),
        ]
    };
    let conditions = vec((name(), name()), 0..3);
    let state = (name(), any::<bool>(), option::of(any::<bool>()), option::of((name(), name())), conditions)
        .prop_map(|(name, terminal, initial, timeout, conditions)| {
            let conditions: Vec<Value> = conditions
                .into_iter()
                .map(|(name, require)| json!({ "name": name, "require": require }))
                .collect();
            let timeout = timeout.map(|(after, action)| {
                json!({ "after": after, "action": action, "notify_before": "1m" })
            });
            json!({ "name": name, "is_terminal": terminal, "is_initial": initial, "timeout": timeout, "entry_conditions": conditions })
        });
    let transition = (name(), names(), option::of(names()), name(), option::of(name())).prop_map(
        |(name, from, to, action, guard)| {
            json!({ "name": name, "from_state": from, "to_state": to, "action": action, "guard": guard })
        },
    );
    let allow = vec(select(&["no-terminal-state", "unreachable-state", "no-exit"][..]), 0..2);
    (name(), vec(state, 0..5), vec(transition, 0..6), allow).prop_map(
        |(initial, states, transitions, allow)| {
            json!({ "object_type": "Thing", "initial_state": initial, "states": states, "transitions": transitions, "allow": allow })
        },
    )
}

/// Texts: any, of the pieces of definitions, and definitions with a few characters changed.
pub(crate) fn odd_text() -> impl Strategy<Value = String> {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\n",
        " ",
        "\"states\"",
        "\"name\"",
        "\"object_type\"",
        "\"a\"",
        "\"initial_state\"",
        "\"transitions\"",
        "null",
        "true",
        "1",
        "-1e9",
        "\u{feff}",
        "é",
        "🎉",
        "\\u0000",
        "\r\n",
    ];
    let changed = (
        prop_oneof![sound(), broken()],
        vec((any::<prop::sample::Index>(), select(pieces.to_vec())), 1..4),
    )
        .prop_map(|(definition, changes)| {
            let mut text: Vec<char> = pretty(&definition).chars().collect();
            for (place, piece) in changes {
                let at = place.index(text.len());
                text.splice(at..=at, piece.chars());
            }
            text.into_iter().collect()
        });
    prop_oneof![
        1 => any::<String>(),
        2 => vec(select(pieces.to_vec()), 0..30).prop_map(|pieces| pieces.concat()),
        3 => changed,
        1 => odd_shape().prop_map(|value| value.to_string()),
    ]
}

/// A definition in which one field is something else.
fn odd_shape() -> impl Strategy<Value = Value> {
    let anything = select(vec![
        json!(null),
        json!(5),
        json!("x"),
        json!([]),
        json!({}),
        json!([[]]),
        json!([{}]),
        json!(-1.5),
    ]);
    let field = select(vec![
        "object_type",
        "version",
        "initial_state",
        "states",
        "transitions",
        "allow",
        "metadata",
        "x",
    ]);
    (sound(), field, anything).prop_map(|(definition, field, value)| {
        let mut fields: Map<String, Value> = definition.as_object().cloned().unwrap_or_default();
        fields.insert(field.into(), value);
        Value::Object(fields)
    })
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("JSON can be written")
}
