//! A log of one object's rows says of it what its history says.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    agree::{list, micros},
    whole_dwell,
};
use crate::{
    failure::Fault,
    run::Recorded,
    surface::{LogQuestion, Text},
};

/// Rules that a log cannot judge: its columns hold no data and no requests.
const NOT_OF_A_LOG: [&str; 2] = ["evidence-missing", "repeated-request"];

/// Compares the times in each state and the violations. A log has no calendar; what it counts is the same.
pub(super) fn same(
    machine: &mut Recorded<'_>,
    rows: &[Value],
    read: &Value,
    options: &Value,
) -> Result<(), Fault> {
    let id = rows.first().map_or_else(|| json!("object-1"), |row| row["object_id"].clone());
    let object = json!([{ "object_id": id, "created_at": options["created_at"] }]);
    let text = Value::from(rows).to_string();
    let text =
        Text { bytes: text.as_bytes(), format: "json", options: &Value::Null, chunk: Some(7) };
    let filled = machine.get("the log of the rows", |surface| surface.log(&object, &text))?;
    if filled["refused"] != json!([]) {
        return Err(Fault { got: Some(filled), ..Fault::new("the log refuses a row") });
    }
    let mut asked = json!({ "as_of": options["now"] });
    for field in ["newest_first", "sequences"] {
        if let Some(value) = options.get(field) {
            asked[field] = value.clone();
        }
    }
    let report = machine.get("`report`", |surface| surface.of_log(LogQuestion::Report(&asked)))?;
    let dwell = machine.get("`dwell`", whole_dwell)?;
    for state in list(&dwell["states"]) {
        let expected = of_history(state);
        let reported = list(&report["states"]).find(|reported| reported["state"] == state["state"]);
        let got = reported.map_or_else(|| of_log(&json!({})), of_log);
        if expected != got {
            let what = format!("the log says otherwise of {}", state["state"]);
            return Err(Fault::differs(what, expected, got));
        }
    }
    violations(read, &report)
}

/// What both say of a state, out of a history.
fn of_history(state: &Value) -> Value {
    let visits = |status: &'static str| {
        list(&state["intervals"]).filter(move |visit| visit["status"] == status)
    };
    let sum = |status, field: &str| -> String {
        visits(status).map(|visit| micros(&visit[field])).sum::<i128>().to_string()
    };
    json!({
        "visits": state["visits"],
        "re_entries": state["re_entries"],
        "censored": state["censored"],
        "disordered": state["disordered"],
        "closed": visits("closed").count(),
        "closed_sum": sum("closed", "duration"),
        "open": visits("open").count(),
        "open_sum": sum("open", "duration"),
        "uncertain": visits("uncertain").count(),
        "uncertain_known": sum("uncertain", "duration"),
        "uncertain_sum": sum("uncertain", "uncertain"),
    })
}

/// The same out of a report.
fn of_log(state: &Value) -> Value {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let sum = |value: &Value| micros(value).to_string();
    json!({
        "visits": number(&state["visits"]),
        "re_entries": number(&state["re_entries"]),
        "censored": number(&state["censored"]),
        "disordered": number(&state["disordered"]),
        "closed": number(&state["closed"]["count"]),
        "closed_sum": sum(&state["closed"]["sum"]),
        "open": number(&state["open"]["count"]),
        "open_sum": sum(&state["open"]["sum"]),
        "uncertain": number(&state["uncertain"]["count"]),
        "uncertain_known": sum(&state["uncertain"]["known"]),
        "uncertain_sum": sum(&state["uncertain"]["sum"]),
    })
}

/// The same rules are broken as often.
fn violations(read: &Value, report: &Value) -> Result<(), Fault> {
    let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
    for found in list(&read["violations"]) {
        let code = found["code"].as_str().unwrap_or_default();
        if !NOT_OF_A_LOG.contains(&code) {
            *expected.entry(code).or_default() += 1;
        }
    }
    let (expected, got) = (json!(expected), &report["violations"]["by_code"]);
    match expected == *got {
        true => Ok(()),
        false => Err(Fault::differs("the log has other violations", expected, got.clone())),
    }
}
