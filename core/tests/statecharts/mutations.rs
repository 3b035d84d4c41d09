//! What a stranger may send: snapshots and definitions with parts of them changed.

use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use veristate::{Machine, Snapshot};

/// One change: of what kind, where, and to what.
pub(crate) type Change = (u8, usize, usize);

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    vec(any::<Change>(), 1..4)
}

pub(crate) fn change_snapshot(snapshot: &mut Snapshot, machine: &Machine, changes: &[Change]) {
    let states = machine.states();
    for &(kind, at, to) in changes {
        let path = states[to % states.len()].clone();
        let known = |map: Vec<&String>| (!map.is_empty()).then(|| map[at % map.len()].clone());
        match kind % 11 {
            0 if !snapshot.states.is_empty() => {
                let at = at % snapshot.states.len();
                snapshot.states[at] = path;
            }
            1 => snapshot.states.push(path),
            2 => _ = snapshot.states.pop(),
            3 => snapshot.states.reverse(),
            4 => {
                let at = snapshot.updated_at.unwrap_or(crate::noon());
                snapshot.entered_at.insert(path, at);
            }
            5 => {
                if let Some(path) = known(snapshot.entered_at.keys().collect()) {
                    snapshot.entered_at.remove(&path);
                }
            }
            6 => {
                let history = states[at % states.len()].clone();
                snapshot.memory.insert(history, vec![path]);
            }
            7 => {
                if let Some(history) = known(snapshot.memory.keys().collect()) {
                    snapshot.memory.entry(history).or_default().push(path);
                }
            }
            8 => {
                if let Some(history) = known(snapshot.memory.keys().collect()) {
                    snapshot.memory.entry(history).or_default().reverse();
                }
            }
            9 => {
                let history = states[at % states.len()].clone();
                snapshot.memory.insert(history, snapshot.states.clone());
            }
            _ => {
                let history = states[at % states.len()].clone();
                snapshot.memory.insert(history, vec![]);
            }
        }
    }
}

/// The pointers of everything in a value.
fn pointers(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.into());
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{here}/{key}"), all);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                pointers(value, &format!("{here}/{index}"), all);
            }
        }
        _ => {}
    }
}

pub(crate) fn change_definition(definition: &mut Value, changes: &[Change]) {
    for &(kind, at, to) in changes {
        let mut all = Vec::new();
        pointers(definition, "", &mut all);
        let of_kind = |end: &str| -> Vec<String> {
            let fits = |pointer: &&String| {
                let trimmed = pointer.trim_end_matches(|c: char| c.is_ascii_digit());
                pointer.ends_with(end) || trimmed.trim_end_matches('/').ends_with(end)
            };
            all.iter().filter(fits).cloned().collect()
        };
        let field = [
            "to_state",
            "from_state",
            "initial_state",
            "default_target",
            "states",
            "regions",
            "transitions",
        ];
        let places = match kind % 4 {
            0 => all.clone(),
            _ => of_kind(field[at % field.len()]),
        };
        if places.is_empty() {
            continue;
        }
        let place = &places[at / 7 % places.len()];
        let others = of_kind(field[to % field.len()]);
        let other =
            others.get(to / 7 % others.len().max(1)).and_then(|other| definition.pointer(other));
        let names: Vec<String> = (all.iter().filter(|pointer| pointer.ends_with("/name")))
            .filter_map(|pointer| definition.pointer(pointer)?.as_str().map(String::from))
            .collect();
        let name = names.get(to / 5 % names.len().max(1)).cloned().unwrap_or_default();
        let value = match kind / 4 % 8 {
            0 => other.cloned().unwrap_or(Value::Null),
            1 => json!(name),
            2 => json!([name, names.get(at / 3 % names.len().max(1))]),
            3 => json!("nowhere"),
            4 => json!([]),
            _ => Value::Null,
        };
        let Some(target) = definition.pointer_mut(place) else { continue };
        match (kind / 32, target) {
            (0..=2, Value::Object(state)) => {
                let (key, value) = match kind / 4 % 8 {
                    0 => ("history", json!("deep")),
                    1 => ("is_terminal", json!(true)),
                    2 => ("regions", json!([{ "name": "new" }])),
                    3 => ("default_target", json!(name)),
                    4 => ("trigger", json!("automatic")),
                    5 => ("reenter", json!(true)),
                    6 => ("required", json!(false)),
                    _ => ("history", json!("shallow")),
                };
                state.insert(key.into(), value);
            }
            (0..=2, Value::Array(list)) if !list.is_empty() => {
                let at = to % list.len();
                match kind / 4 % 3 {
                    0 => list.swap(0, at),
                    1 => _ = list.remove(at),
                    _ => list.push(list[at].clone()),
                }
            }
            (_, target) => *target = value,
        }
    }
}
