//! Other people's events and queries in our words.

use serde_json::{Map, Value, json};
use veristate::Time;

use super::{Event, ForeignCase, Rules};
use crate::failure::Fault;

/// The definition that the events show: each step is a transition.
pub(super) fn definition(case: &ForeignCase) -> Value {
    let query = &case.query;
    let from = |event: &Event| event.from.as_ref().and_then(Value::as_str).map(str::to_owned);
    let creation = case.events.iter().find(|event| event.from == Some(Value::Null));
    let initial = query.initial.clone();
    let initial = initial.or_else(|| creation.map(|event| event.to.clone()));
    let initial = initial.or_else(|| case.events.first().and_then(from));
    let initial = initial.or_else(|| case.events.first().map(|event| event.to.clone()));
    let mut states: Vec<String> = initial.iter().cloned().collect();
    match &query.states {
        Some(all) => states.extend(all.iter().cloned()),
        None => {
            for event in &case.events {
                states.extend(from(event));
                states.push(event.to.clone());
            }
            let told = query.cycle.iter().flat_map(|(from, to)| [from, to]);
            states.extend(told.chain(&query.terminal).chain(query.rules.keys()).cloned());
        }
    }
    let mut seen: Vec<String> = Vec::new();
    states.retain(|state| {
        let is_new = !seen.contains(state);
        if is_new {
            seen.push(state.clone());
        }
        is_new
    });
    let shown = || {
        // An event that does not say where it starts, starts where the one before it of its object ended.
        let before = |index: usize| {
            let obj = &case.events[index].obj;
            case.events[..index].iter().rev().find(|event| event.obj == *obj)
        };
        let step = |(index, event): (usize, &Event)| match &event.from {
            None => before(index).map(|before| (before.to.clone(), event.to.clone())),
            Some(from) => from.as_str().map(|from| (from.to_owned(), event.to.clone())),
        };
        case.events.iter().enumerate().filter_map(step).collect()
    };
    let pairs: Vec<(String, String)> = query.transitions.clone().unwrap_or_else(shown);
    let mut transitions: Vec<Value> = Vec::new();
    for (index, (from, to)) in pairs.iter().enumerate() {
        let is_known = states.contains(from) && states.contains(to);
        if !is_known || query.terminal.contains(from) || pairs[..index].contains(&pairs[index]) {
            continue;
        }
        let of =
            |event: &&Event| event.from.as_ref().is_some_and(|it| it == from) && event.to == *to;
        let action = case.events.iter().find(of).and_then(|event| event.action.clone());
        let name = format!("step {index}");
        let action = action.unwrap_or_else(|| name.clone());
        transitions
            .push(json!({ "name": name, "from_state": from, "to_state": to, "action": action }));
    }
    let state = |name: &String| {
        let rules = query.rules.get(name);
        json!({
            "name": name,
            "is_terminal": query.terminal.contains(name),
            "entry_conditions": rules.map(conditions).unwrap_or_default(),
        })
    };
    json!({
        "object_type": "Thing",
        "allow": ["no-terminal-state", "unreachable-state"],
        "initial_state": initial,
        "states": states.iter().map(state).collect::<Vec<_>>(),
        "transitions": transitions,
    })
}

/// A condition for each field, of its name.
fn conditions(rules: &Rules) -> Vec<Value> {
    let requires = rules.requires.iter().map(|field| (field, format!("has(object.{field})")));
    let forbids = rules.forbids.iter().map(|field| (field, format!("!has(object.{field})")));
    let condition = |(field, require): (&String, String)| json!({ "name": field, "require": require, "message": format!("it is about {field}") });
    requires.chain(forbids).map(condition).collect()
}

/// An event as a row.
pub(super) fn row(event: &Event) -> Value {
    let mut row = json!({
        "object_id": event.obj.as_deref().unwrap_or("o1"),
        "sequence": event.seq,
        "to_state": event.to,
        "timestamp": event.at,
        "request_id": event.request_id,
        "action": event.action,
        "actor_id": event.actor,
        "tenant_id": event.tenant,
    });
    if let Some(from) = &event.from {
        row["from_state"] = from.clone();
    }
    if let Some(evidence) = &event.evidence {
        let is_there = |(_, value): &(&String, &Value)| !value.is_null();
        let there: Map<String, Value> = evidence
            .iter()
            .filter(is_there)
            .map(|(field, value)| (field.clone(), value.clone()))
            .collect();
        row["object"] = Value::Object(there);
    }
    row
}

/// The options of each history. Without a time in the query, now is the end of its window, else the latest event.
pub(super) fn options(case: &ForeignCase, records: &[Value]) -> Result<Value, Fault> {
    let query = &case.query;
    let latest = records.iter().filter_map(|record| time(&record["timestamp"])).max();
    let now = query.as_of.clone().or(query.window.as_ref().map(|(_, end)| end.clone()));
    let now = match (now, latest) {
        (Some(now), _) => now,
        (None, Some(latest)) => json!(latest),
        (None, None) => return Err(Fault::new("there is neither an event nor a time that is now")),
    };
    let mut options = json!({
        "now": now,
        "newest_first": query.newest_first,
        "sequences": if is_shared(case) { "ordered" } else { "dense" },
    });
    let created_at = query.object.as_ref().and_then(|object| object.get("created_at"));
    if let Some(created_at) = query.created_at.as_ref().or(created_at) {
        options["created_at"] = created_at.clone();
    }
    if let Some(calendar) = &query.calendar {
        options["calendar"] = self::calendar(calendar);
    }
    Ok(options)
}

/// Whether several objects share one row of numbers.
fn is_shared(case: &ForeignCase) -> bool {
    let mut numbers: Vec<u64> = case.events.iter().filter_map(|event| event.seq).collect();
    numbers.sort_unstable();
    let several = case.events.windows(2).any(|pair| pair[0].obj != pair[1].obj);
    several && numbers.windows(2).all(|pair| pair[0] != pair[1])
}

fn calendar(calendar: &Map<String, Value>) -> Value {
    let mut ours = json!({ "offset": "Z", "hours": {} });
    for (field, value) in calendar {
        match field.as_str() {
            "tz" | "offset" if value == "UTC" => {}
            "tz" | "offset" => ours["offset"] = value.clone(),
            "holidays" => ours["holidays"] = value.clone(),
            "hours" => ours["hours"] = value.clone(),
            day => ours["hours"][day] = value.clone(),
        }
    }
    ours
}

pub(super) fn time(value: &Value) -> Option<Time> {
    serde_json::from_value(value.clone()).ok()
}
