//! What surfaces say, against what other people's cases expect.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use veristate::Duration;

use super::{
    ForeignCase, Said,
    expected::{Expected, Open, Seconds, Violation, code},
    translate::time,
};
use crate::{failure::Fault, history::by_path};

/// Compares everything that a case expects.
pub(super) fn all(case: &ForeignCase, refused: &Value, said: &[Said]) -> Result<(), Fault> {
    let expected = &case.expect;
    violations(case, refused, said)?;
    state_at(expected, said)?;
    dwell(expected, said)?;
    visits(expected, said)?;
    open(expected.open.as_deref(), said)?;
    cycle(case, said)?;
    if let Some(current) = &expected.current {
        let one = |said: &Said| json!(said.current["states"][0]);
        let got = match said {
            [only] => one(only),
            several => several.iter().map(|said| (said.object.clone(), one(said))).collect(),
        };
        same("current", current, &got)?;
    }
    Ok(())
}

fn same(what: &str, expected: &Value, got: &Value) -> Result<(), Fault> {
    match expected == got {
        true => Ok(()),
        false => {
            let what = format!("`{what}` is not as expected");
            Err(Fault::differs(what, expected.clone(), got.clone()))
        }
    }
}

/// Microseconds of seconds. What our durations are made of, so that no sum is rounded.
fn of_seconds(seconds: f64) -> i128 {
    #[expect(clippy::cast_possible_truncation, reason = "rounded, and far below 2^127")]
    let micros = (seconds * 1e6).round() as i128;
    micros
}

fn micros(duration: &Value) -> Option<i128> {
    let duration: Duration = duration.as_str()?.parse().ok()?;
    Some(i128::from(duration.micros()))
}

/// A sum over all objects; none where no object has one.
fn sum(said: &[Said], get: impl Fn(&Said) -> Option<i128>) -> Option<i128> {
    said.iter().filter_map(get).fold(None, |sum, part| Some(sum.unwrap_or(0) + part))
}

fn state<'s>(dwell: &'s Value, path: &str) -> &'s Value {
    let states = dwell["states"].as_array().map(Vec::as_slice).unwrap_or_default();
    states.iter().find(|state| state["state"] == path).unwrap_or(&Value::Null)
}

fn dwell(expected: &Expected, said: &[Said]) -> Result<(), Fault> {
    let total = |path: &str| sum(said, |said| micros(&state(&said.dwell, path)["total"]));
    if let Some(dwell) = &expected.dwell_s {
        for (path, seconds) in dwell {
            let (expected, got) = (seconds.map(of_seconds), total(path));
            if expected != got {
                let what = format!("`dwell_s` of `{path}`, in microseconds, is not as expected");
                return Err(Fault::differs(what, json!(expected), json!(got)));
            }
        }
        let all =
            said.iter().filter_map(|said| by_path(&said.dwell["states"]).as_object().cloned());
        let others: BTreeMap<String, Value> = all.flatten().collect();
        for path in others.keys().filter(|path| !dwell.contains_key(*path)) {
            if total(path).is_some_and(|total| total > 0) {
                let what = format!("`{path}` has time that `dwell_s` does not give it");
                return Err(Fault::differs(what, json!(0), json!(total(path))));
            }
        }
    }
    for (path, digits) in expected.dwell_us_string.iter().flatten() {
        let got = total(path).map(|total| total.to_string());
        same(&format!("dwell_us_string/{path}"), &json!(digits), &json!(got))?;
    }
    for (path, seconds) in expected.business_dwell_s.iter().flatten() {
        let got = sum(said, |said| micros(&state(said.working.as_ref()?, path)["working"]));
        let got = json!(got);
        same(&format!("business_dwell_s/{path}"), &json!(of_seconds(*seconds)), &got)?;
    }
    if let Some(seconds) = expected.unknown_s {
        // What no state has: nothing is known of it, or it lies across a gap.
        let part = |said: &Said, field: &str| micros(&said.dwell[field]).unwrap_or(0);
        let got = sum(said, |said| Some(part(said, "unknown") + part(said, "uncertain")));
        same("unknown_s", &json!(of_seconds(seconds)), &json!(got))?;
    }
    Ok(())
}

fn visits(expected: &Expected, said: &[Said]) -> Result<(), Fault> {
    for (field, counts) in [("visits", &expected.visits), ("re_entries", &expected.re_entries)] {
        for (path, count) in counts.iter().flatten() {
            let got: u64 =
                said.iter().filter_map(|said| state(&said.dwell, path)[field].as_u64()).sum();
            same(&format!("{field}/{path}"), &json!(count), &json!(got))?;
        }
    }
    for (field, times, is_first) in [
        ("first_entered_at", &expected.first_entered, true),
        ("last_entered_at", &expected.last_entered, false),
    ] {
        for (path, at) in times.iter().flatten() {
            let entered = said.iter().filter_map(|said| time(&state(&said.dwell, path)[field]));
            let got = if is_first { entered.min() } else { entered.max() };
            same(&format!("{field}/{path}"), &json!(time(at)), &json!(got))?;
        }
    }
    if let Some(censored) = &expected.left_censored {
        let of = |path: &&String| said.iter().any(|said| state(&said.dwell, path)["censored"] != 0);
        let paths = said.first().map(|said| by_path(&said.dwell["states"])).unwrap_or_default();
        let paths: Vec<String> =
            paths.as_object().into_iter().flatten().map(|(p, _)| p.clone()).collect();
        let got: Vec<&String> = paths.iter().filter(of).collect();
        let mut sorted: Vec<&String> = censored.iter().collect();
        sorted.sort();
        same("left_censored", &json!(sorted), &json!(got))?;
    }
    Ok(())
}

fn open(expected: Option<&[Open]>, said: &[Said]) -> Result<(), Fault> {
    let Some(expected) = expected else { return Ok(()) };
    let mut got: Vec<(&str, &Value)> = Vec::new();
    for said in said {
        let states = said.dwell["states"].as_array().into_iter().flatten();
        let visits = states.flat_map(|state| state["intervals"].as_array().into_iter().flatten());
        got.extend(
            visits
                .filter(|visit| visit["status"] == "open")
                .map(|visit| (said.object.as_str(), visit)),
        );
    }
    let shown: Value = got.iter().map(|(object, visit)| json!([object, visit])).collect();
    let is_it = |open: &Open| {
        got.iter().any(|(object, visit)| {
            open.obj.as_deref().is_none_or(|obj| obj == *object)
                && visit["state"] == open.state.as_str()
                && open.since.as_ref().is_none_or(|at| time(at) == time(&visit["entered_at"]))
                && open
                    .so_far_s
                    .is_none_or(|seconds| Some(of_seconds(seconds)) == micros(&visit["duration"]))
        })
    };
    match expected.iter().all(is_it) && expected.len() == got.len() {
        true => Ok(()),
        false => {
            let expected = expected.iter().map(|open| open.state.as_str()).collect::<Vec<_>>();
            Err(Fault::differs("`open` is not as expected", json!(expected), shown))
        }
    }
}

fn cycle(case: &ForeignCase, said: &[Said]) -> Result<(), Fault> {
    let expected = &case.expect;
    let elapsed = expected.elapsed_first_in_to_done_s.map(|seconds| json!(of_seconds(seconds)));
    let asked = expected.cycle_s.as_ref().map(|Seconds(cycle)| json!(cycle.map(of_seconds)));
    let Some(asked) = asked.or(elapsed) else { return Ok(()) };
    let [said] = said else { return Err(Fault::new("a cycle is of one object")) };
    let cycle = said.cycle.as_ref().unwrap_or(&Value::Null);
    same("cycle_s, in microseconds", &asked, &json!(micros(&cycle["duration"])))?;
    // The reason is in other words; it names the states.
    let (from, to) = case.cycle();
    let message = cycle["message"].as_str().unwrap_or_default();
    let is_told = [from.unwrap_or_default(), to].iter().any(|state| message.contains(state));
    match expected.reason.is_none() || is_told {
        true => Ok(()),
        false => Err(Fault { got: Some(cycle.clone()), ..Fault::new("there is no reason") }),
    }
}

fn state_at(expected: &Expected, said: &[Said]) -> Result<(), Fault> {
    let Some(times) = &expected.state_at else { return Ok(()) };
    for (index, expected) in times.iter().enumerate() {
        for said in said {
            let got = said.state_at.get(index).unwrap_or(&Value::Null);
            // Of several objects, each by its name.
            let of_object = match expected.as_object() {
                Some(fields) if fields.contains_key(&said.object) => &fields[&said.object],
                _ => expected,
            };
            let (status, state) = place(of_object)?;
            let leaves: Vec<&str> = state.into_iter().collect();
            let is_it = status == got["status"]
                && (status == "unknown" && state.is_none() || json!(leaves) == got["states"]);
            if !is_it {
                let what = format!("`state_at/{index}` is not as expected");
                return Err(Fault::differs(what, of_object.clone(), got.clone()));
            }
        }
        if times.len() != said.first().map_or(0, |said| said.state_at.len()) {
            return Err(Fault::new("`state_at` has not one answer for each time"));
        }
    }
    Ok(())
}

/// How sure, and which state.
fn place(expected: &Value) -> Result<(&'static str, Option<&str>), Fault> {
    let fields = match expected {
        Value::Null => return Ok(("not_created", None)),
        Value::String(state) => return Ok(("known", Some(state))),
        Value::Object(fields) => fields,
        _ => return Err(Fault::new("an item of `state_at` is a state, null or an object")),
    };
    let known = ["state", "certain", "unknown_before_first_event", "implied"];
    if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
        return Err(Fault::new(format!("an item of `state_at` has an unknown field `{field}`")));
    }
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    if fields.get("unknown_before_first_event") == Some(&json!(true)) {
        return Ok(("unknown", text("implied")));
    }
    let is_certain = fields.get("certain") != Some(&json!(false));
    Ok((if is_certain { "known" } else { "uncertain" }, text("state")))
}

/// A violation of ours, with the object and, of a refused row, its sequence.
struct Found<'s> {
    object: Option<&'s str>,
    sequence: Option<u64>,
    violation: &'s Value,
}

fn violations(case: &ForeignCase, refused: &Value, said: &[Said]) -> Result<(), Fault> {
    let lists = [&case.expect.violations, &case.expect.rejected];
    let expected: Vec<&Violation> = lists.into_iter().flatten().flatten().collect();
    if lists.iter().all(|list| list.is_none()) {
        return Ok(());
    }
    let mut codes = Vec::new();
    for violation in &expected {
        let code = code(&violation.kind);
        let unknown =
            || Fault::new(format!("the kind of violation `{}` is not known", violation.kind));
        codes.push(code.ok_or_else(unknown)?);
    }
    let is_expected = |code: &Value| codes.iter().any(|codes| codes.iter().any(|it| code == it));
    let mut found: Vec<Found<'_>> = Vec::new();
    for violation in refused.as_array().into_iter().flatten() {
        let index = violation["row"].as_u64().and_then(|row| usize::try_from(row - 1).ok());
        let event = index.and_then(|index| case.events.get(index));
        let object = event.and_then(|event| event.obj.as_deref());
        found.push(Found { object, sequence: event.and_then(|event| event.seq), violation });
    }
    for said in said {
        for violation in said.read["violations"].as_array().into_iter().flatten() {
            // That a row is later than the time of the query follows from the query.
            let follows = violation["code"] == "after-now" && case.query.as_of.is_some();
            if !follows || is_expected(&violation["code"]) {
                let (object, sequence) =
                    (Some(said.object.as_str()), violation["sequence"].as_u64());
                found.push(Found { object, sequence, violation });
            }
        }
    }
    let all: Value = found.iter().map(|found| found.violation.clone()).collect();
    for (violation, codes) in expected.iter().zip(codes) {
        let at = found.iter().position(|found| is_it(violation, codes, found));
        let Some(at) = at else {
            let what =
                format!("there is no violation `{}` of row {:?}", violation.kind, violation.seq);
            return Err(Fault { got: Some(all), ..Fault::new(what) });
        };
        found.remove(at);
    }
    match found.first() {
        None => Ok(()),
        Some(found) => {
            let got = Some(found.violation.clone());
            Err(Fault { got, ..Fault::new("there is a violation that is not expected") })
        }
    }
}

fn is_it(expected: &Violation, codes: &[&str], found: &Found<'_>) -> bool {
    let got = found.violation;
    let one = |state: &Option<String>, field: &str| {
        state.as_ref().is_none_or(|state| got[field] == json!([state]))
    };
    codes.iter().any(|code| got["code"] == *code)
        && expected.obj.as_deref().is_none_or(|obj| found.object == Some(obj))
        && expected.seq.is_none_or(|seq| found.sequence == Some(seq))
        && expected.by_us.is_none_or(|by| micros(&got["by"]) == Some(i128::from(by)))
        && one(&expected.expected_from, "expected")
        && one(&expected.got_from, "found")
        && expected.state.as_ref().is_none_or(|state| got["state"] == state.as_str())
        && expected.field.as_ref().is_none_or(|field| got["condition"] == field.as_str())
}
