//! What must agree in the answers of a history, whatever the case expects.

use serde_json::{Value, json};
use veristate::{Duration, Time};

use super::{by_path, whole_dwell};
use crate::{failure::Fault, run::Recorded, surface::Question};

/// Rules whose times contradict their order: sums over states are then not the observed time.
const OF_TIME: [&str; 2] = ["time-runs-back", "before-creation"];

/// The dwell, the timeline, the state at each row's time and the violations say the same.
pub(crate) fn whole(
    machine: &mut Recorded<'_>,
    read: &Value,
    options: &Value,
) -> Result<(), Fault> {
    rows_are_there(read)?;
    let answer = machine.get("`dwell`", whole_dwell)?;
    dwell(&answer)?;
    in_the_timeline(&answer, &read["timeline"])?;
    let has_order =
        !list(&read["violations"]).any(|found| OF_TIME.iter().any(|code| found["code"] == *code));
    if has_order && is_flat(machine)? {
        let total: i128 = list(&answer["states"]).map(|state| micros(&state["total"])).sum();
        if total != micros(&answer["known"]) {
            let what = "the totals of all states are not the time that is known";
            return Err(Fault::differs(what, answer["known"].clone(), answer));
        }
    }
    let now = &options["now"];
    for row in list(&read["rows"]) {
        let at = &row["timestamp"];
        let state =
            machine.get("`state_at`", |surface| surface.of_history(Question::StateAt(at)))?;
        if time(at) <= time(now) {
            at_a_row(&state, at, read)?;
            if has_order {
                is_visited(&state, at, read)?;
            }
        }
    }
    for question in [Question::SnapshotAt(now), Question::Overdue, Question::Card(&Value::Null)] {
        machine.get("a question about now", |surface| surface.of_history(question))?;
    }
    Ok(())
}

/// What a dwell says adds up.
pub(crate) fn dwell(answer: &Value) -> Result<(), Fault> {
    let parts: i128 =
        ["known", "uncertain", "unknown"].map(|part| micros(&answer[part])).iter().sum();
    let window = [&answer["from"], &answer["to"]].map(|at| time(at).map_or(0, Time::micros));
    let wrong = |what: &str| Err(Fault { got: Some(answer.clone()), ..Fault::new(what) });
    if parts != i128::from(window[1]) - i128::from(window[0]) {
        return wrong("`known`, `uncertain` and `unknown` are not the whole window");
    }
    for state in list(&answer["states"]) {
        let visits = state["intervals"].as_array().map(Vec::as_slice).unwrap_or_default();
        let count =
            |status: &str| json!(visits.iter().filter(|visit| visit["status"] == status).count());
        if state["visits"] != json!(visits.len())
            || state["re_entries"] != json!(visits.len().saturating_sub(1))
            || state["censored"] != count("censored")
            || state["disordered"] != count("disordered")
        {
            return wrong("a state does not count its visits");
        }
        let sum = |field: &str, status: Option<&str>| -> i128 {
            let of =
                visits.iter().filter(|visit| status.is_none_or(|status| visit["status"] == status));
            of.map(|visit| micros(&visit[field])).sum()
        };
        if micros(&state["total"]) != sum("duration", None)
            || micros(&state["open"]) != sum("duration", Some("open"))
            || micros(&state["uncertain"]) != sum("uncertain", None)
            || micros(&state["working"]) != sum("working", None)
        {
            return wrong("the sums of a state are not those of its visits");
        }
        if visits.is_empty() && !state["total"].is_null() {
            return wrong("a state without visits has a length");
        }
    }
    Ok(())
}

/// The rows in the opposite order, where their sequences order them, are the same history.
pub(crate) fn in_any_order(
    machine: &mut Recorded<'_>,
    read: &Value,
    options: &Value,
) -> Result<(), Fault> {
    let sequences: Vec<Option<u64>> =
        list(&read["rows"]).map(|row| row["sequence"].as_u64()).collect();
    let is_ordered =
        sequences.iter().all(Option::is_some) && sequences.windows(2).all(|pair| pair[0] < pair[1]);
    if !is_ordered {
        return Ok(());
    }
    let backwards: Value = list(&read["rows"]).rev().cloned().collect();
    same(machine, "the rows in the opposite order", &backwards, read, options)
}

/// Rows that must be the same history.
pub(crate) fn same(
    machine: &mut Recorded<'_>,
    what: &str,
    rows: &Value,
    read: &Value,
    options: &Value,
) -> Result<(), Fault> {
    let again = machine.get(what, |surface| surface.history(rows, options))?;
    match again == *read {
        true => Ok(()),
        false => {
            let what = format!("{what} are another history");
            Err(Fault::differs(what, read.clone(), again))
        }
    }
}

/// What is said of rows is said of rows that are there.
fn rows_are_there(read: &Value) -> Result<(), Fault> {
    let is_there = |number: &Value| list(&read["rows"]).any(|row| row["row"] == *number);
    for found in list(&read["violations"]) {
        let others = list(&found["rows"]).chain(list(&found["explanation"]["rows"]));
        if !others.chain([&found["row"]]).all(is_there) {
            let what = "a violation is about a row that is not there";
            return Err(Fault { got: Some(found.clone()), ..Fault::new(what) });
        }
    }
    for visit in list(&read["timeline"]) {
        let rows = [&visit["entered_by"], &visit["exited_by"]];
        if !rows.into_iter().filter(|row| !row.is_null()).all(is_there) {
            let what = "a visit was begun or ended by a row that is not there";
            return Err(Fault { got: Some(visit.clone()), ..Fault::new(what) });
        }
    }
    Ok(())
}

/// The intervals of all states are the visits of the timeline.
fn in_the_timeline(answer: &Value, timeline: &Value) -> Result<(), Fault> {
    let states = by_path(&answer["states"]);
    let mut count = 0;
    for visit in list(timeline) {
        let intervals = &states[visit["state"].as_str().unwrap_or_default()]["intervals"];
        if !list(intervals).any(|interval| interval == visit) {
            let what = "a visit of the timeline is not in the dwell of its state";
            return Err(Fault::differs(what, visit.clone(), intervals.clone()));
        }
        count += 1;
    }
    let all: usize = list(&answer["states"]).map(|state| list(&state["intervals"]).count()).sum();
    match count == all {
        true => Ok(()),
        false => Err(Fault::differs("the timeline has other visits", json!(all), json!(count))),
    }
}

/// At the time of a row, the last row up to then decides, in the order of the history.
fn at_a_row(state: &Value, at: &Value, read: &Value) -> Result<(), Fault> {
    let last = list(&read["rows"]).rfind(|row| time(&row["timestamp"]) <= time(at));
    let last = last.unwrap_or(&Value::Null);
    let expected = json!({
        "states": last["to_states"], "row": last["row"], "sequence": last["sequence"],
        "since": last["timestamp"],
    });
    match crate::json::missing(&expected, state) {
        None => Ok(()),
        Some(_) => {
            let what = "`state_at` is not what the last row up to then says";
            Err(Fault::differs(what, expected, state.clone()))
        }
    }
}

/// The timeline has a visit of each state in which the object was.
fn is_visited(state: &Value, at: &Value, read: &Value) -> Result<(), Fault> {
    let at = time(at);
    for path in list(&state["states"]) {
        let covers = |visit: &Value| {
            let (entered, exited) = (time(&visit["entered_at"]), time(&visit["exited_at"]));
            visit["state"] == *path
                && entered <= at
                && exited.is_none_or(|exited| Some(exited) >= at)
        };
        if !list(&read["timeline"]).any(covers) {
            let what = "the timeline has no visit of a state in which the object was";
            return Err(Fault::differs(what, state.clone(), read["timeline"].clone()));
        }
    }
    Ok(())
}

fn is_flat(machine: &mut Recorded<'_>) -> Result<bool, Fault> {
    let about = machine.get("`about`", |surface| surface.about())?;
    let is_nested = list(&about["outline"]).any(|state| !state["parent"].is_null());
    Ok(!is_nested)
}

pub(super) fn list(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

/// A duration in microseconds; none is zero.
pub(super) fn micros(value: &Value) -> i128 {
    let duration: Option<Duration> = value.as_str().and_then(|text| text.parse().ok());
    duration.map_or(0, |duration| i128::from(duration.micros()))
}

fn time(value: &Value) -> Option<Time> {
    serde_json::from_value(value.clone()).ok()
}
