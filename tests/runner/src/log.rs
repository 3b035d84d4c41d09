//! A case about the rows of many objects and what they come to.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    failure::Fault,
    history::{csv, lines, row},
    json::missing,
    run::Recorded,
    surface::{LogQuestion, Text},
};

/// A case about many objects.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogCase {
    definition: Value,
    /// Objects that are known beside the rows.
    #[serde(default)]
    objects: Vec<Value>,
    rows: Vec<Map<String, Value>>,
    ask: Vec<Asked>,
}

/// One question as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    report: Option<Value>,
    objects: Option<Value>,
    state_at: Option<Value>,
    /// The id of the object.
    records: Option<String>,
    replay: Option<Value>,
    /// The other definition.
    definition: Option<Value>,
    /// The type of the objects.
    discover: Option<String>,
    #[serde(default)]
    options: Value,
    expect: Value,
}

pub(crate) fn run(case: &LogCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let definition = &case.definition;
    machine.get("the definition", |surface| surface.open(definition, &Value::Null))?;
    let rows: Vec<Value> = case.rows.iter().map(row).collect();
    let objects = Value::Array(case.objects.clone());
    let json = Value::from(rows.clone()).to_string();
    let text = |bytes| Text { bytes, format: "json", options: &Value::Null, chunk: None };
    let filled = machine.get("the log", |surface| surface.log(&objects, &text(json.as_bytes())))?;
    if filled["refused"] != json!([]) {
        return Err(Fault { got: Some(filled), ..Fault::new("the log refuses a row") });
    }
    agree(case, machine)?;
    let mut first = Vec::new();
    for (index, asked) in case.ask.iter().enumerate() {
        let answer = asked.put(machine).map_err(|fault| fault.at(&format!("question {index}")))?;
        if let Some(inside) = missing(&asked.expect, &answer) {
            let what = format!("the answer{inside} is not as expected");
            let fault = Fault::differs(what, asked.expect.clone(), answer);
            return Err(fault.at(&format!("question {index}")));
        }
        first.push(answer);
    }
    // The records as a file in chunks.
    let records =
        machine.get("`read`", |surface| surface.read(json.as_bytes(), "json", &Value::Null))?;
    let full: Vec<&Value> = records["records"].as_array().into_iter().flatten().collect();
    let lines = lines(&rows);
    let csv = csv(&full);
    for (format, text, size) in [("json_lines", &lines, 1), ("csv", &csv, 5), ("json", &json, 11)] {
        let bytes = text.as_bytes();
        let text = Text { bytes, format, options: &Value::Null, chunk: Some(size) };
        machine.get("the log in chunks", |surface| surface.log(&objects, &text))?;
        for (asked, first) in case.ask.iter().zip(&first) {
            let again = asked.put(machine)?;
            if again != *first {
                let what =
                    format!("the rows as {format} in chunks of {size} come to something else");
                return Err(Fault::differs(what, first.clone(), again));
            }
        }
    }
    Ok(())
}

/// The lines of objects, where all are at the time of a report, and the report count the same; the definition that a
/// log shows allows all of it.
fn agree(case: &LogCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let asked = case.ask.iter().find_map(|asked| asked.report.as_ref().or(asked.objects.as_ref()));
    let Some(options) = asked else { return Ok(()) };
    let mut get = |question| machine.get("a question", |surface| surface.of_log(question));
    let report = get(LogQuestion::Report(options))?;
    let lines = get(LogQuestion::Objects(options))?;
    let places = get(LogQuestion::StateAt(&options["as_of"], options))?;
    let definition = get(LogQuestion::Discover("Thing"))?;
    let lines = lines.as_array().map(Vec::as_slice).unwrap_or_default();
    let sum = |field: &str| -> u64 { lines.iter().filter_map(|line| line[field].as_u64()).sum() };
    let of_lines = json!([lines.len(), sum("records"), sum("violations"), sum("re_entries")]);
    let of_report = json!([
        report["objects"],
        report["records"],
        report["violations"]["total"],
        report["re_entries"]
    ]);
    if of_lines != of_report {
        let what = "the lines of objects do not count what the report counts";
        return Err(Fault::differs(what, of_report, of_lines));
    }
    let all = places["objects"].as_array().map_or(0, Vec::len);
    if all != lines.len() {
        let what = "`state_at` has other objects than there are";
        return Err(Fault::differs(what, json!(lines.len()), json!(all)));
    }
    machine.get("the definition that the log shows", |surface| {
        surface.open(&definition, &Value::Null)
    })?;
    machine.get("the definition", |surface| surface.open(&case.definition, &Value::Null))?;
    Ok(())
}

impl Asked {
    fn put(&self, machine: &mut Recorded<'_>) -> Result<Value, Fault> {
        let asked = [
            self.report.as_ref().map(LogQuestion::Report),
            self.objects.as_ref().map(LogQuestion::Objects),
            self.state_at.as_ref().map(|at| LogQuestion::StateAt(at, &self.options)),
            self.records.as_deref().map(LogQuestion::Records),
            match (&self.replay, &self.definition) {
                (Some(options), Some(definition)) => Some(LogQuestion::Replay(definition, options)),
                (None, None) => None,
                _ => return Err(Fault::new("`replay` and `definition` stand together")),
            },
            self.discover.as_deref().map(LogQuestion::Discover),
        ];
        let mut asked = asked.into_iter().flatten();
        let (Some(question), None) = (asked.next(), asked.next()) else {
            return Err(Fault::new("a question asks exactly one thing"));
        };
        if !self.options.is_null() && self.state_at.is_none() {
            return Err(Fault::new("this question takes no `options` beside it"));
        }
        machine.get("a question", |surface| surface.of_log(question))
    }
}
