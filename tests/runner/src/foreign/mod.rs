//! Histories of other people, in the words of `../shared/cases/history.json`: read where they are, and translated.

mod compare;
mod expected;
mod translate;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{case::given, failure::Fault, history::whole, run::Recorded, surface::Question};

/// A case: events, a query, and what must come of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForeignCase {
    events: Vec<Event>,
    #[serde(default)]
    query: Query,
    expect: expected::Expected,
}

/// A row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    #[serde(default)]
    obj: Option<String>,
    seq: Option<u64>,
    /// Null says that the object was created; absent is not said.
    #[serde(default, deserialize_with = "given")]
    from: Option<Value>,
    to: String,
    at: Value,
    /// The object's data after it. What is null there is not there.
    evidence: Option<Map<String, Value>>,
    #[serde(alias = "request")]
    request_id: Option<String>,
    action: Option<String>,
    #[serde(alias = "actor_id", alias = "by")]
    actor: Option<String>,
    #[serde(alias = "tenant_id")]
    tenant: Option<String>,
}

/// What is asked.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Query {
    initial: Option<String>,
    #[serde(alias = "now")]
    as_of: Option<Value>,
    state_at: Vec<Value>,
    window: Option<(Value, Value)>,
    /// Where each object is at last.
    current: bool,
    rules: BTreeMap<String, Rules>,
    calendar: Option<Map<String, Value>>,
    cycle: Option<(String, String)>,
    created_at: Option<Value>,
    object: Option<Map<String, Value>>,
    #[serde(alias = "terminal_states")]
    terminal: Vec<String>,
    /// All states of the definition, where that is not what the events show.
    states: Option<Vec<String>>,
    /// All transitions, as pairs.
    transitions: Option<Vec<(String, String)>>,
    offset: Option<String>,
    newest_first: bool,
}

/// Which data an object has in a state, and which not.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rules {
    requires: Vec<String>,
    forbids: Vec<String>,
}

/// What a surface says of one object.
struct Said {
    object: String,
    read: Value,
    dwell: Value,
    working: Option<Value>,
    state_at: Vec<Value>,
    current: Value,
    cycle: Option<Value>,
}

pub(crate) fn run(case: &ForeignCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let definition = translate::definition(case);
    machine.get("the definition", |surface| surface.open(&definition, &Value::Null))?;
    let rows = Value::Array(case.events.iter().map(translate::row).collect());
    let options = json!({ "offset": case.query.offset });
    let log = machine
        .get("`read`", |surface| surface.read(rows.to_string().as_bytes(), "json", &options))?;
    let records = log["records"].as_array().map(Vec::as_slice).unwrap_or_default();
    let options = translate::options(case, records)?;
    let mut all: Vec<Said> = Vec::new();
    for record in records {
        let object = record["object_id"].as_str().unwrap_or_default();
        if all.iter().any(|said| said.object == object) {
            continue;
        }
        let of: Value =
            records.iter().filter(|record| record["object_id"] == object).cloned().collect();
        all.push(ask(case, object, &of, &options, machine).map_err(|fault| fault.at(object))?);
    }
    compare::all(case, &log["refused"], &all)
}

/// Everything that a query may ask of one object.
fn ask(
    case: &ForeignCase,
    object: &str,
    rows: &Value,
    options: &Value,
    machine: &mut Recorded<'_>,
) -> Result<Said, Fault> {
    let query = &case.query;
    let dwell = json!({ "window": query.window });
    let working = match options.get("calendar") {
        None => None,
        Some(_) => {
            machine.get("`history`", |surface| surface.history(rows, options))?;
            let dwell = Question::Dwell(&dwell);
            Some(machine.get("`dwell`", |surface| surface.of_history(dwell))?)
        }
    };
    let read = machine.get("`history`", |surface| surface.history(rows, options))?;
    whole(machine, &read, options)?;
    let mut get =
        |question: Question<'_>| machine.get("a question", |surface| surface.of_history(question));
    let mut state_at = Vec::new();
    for at in &query.state_at {
        state_at.push(get(Question::StateAt(at))?);
    }
    let (from, to) = case.cycle();
    Ok(Said {
        object: object.into(),
        dwell: get(Question::Dwell(&dwell))?,
        working,
        state_at,
        current: get(Question::StateAt(&options["now"]))?,
        cycle: match from {
            Some(from) => Some(get(Question::Cycle(from, to))?),
            None => None,
        },
        read,
    })
}

impl ForeignCase {
    /// Between which states time is taken: those of the query, else from the state of which the case says when it was
    /// entered first up to `done`.
    fn cycle(&self) -> (Option<&str>, &str) {
        match &self.query.cycle {
            Some((from, to)) => (Some(from), to),
            None => {
                let first = self.expect.first_entered.iter().flatten().next();
                let created = self.events.first().map(|event| event.to.as_str());
                (first.map(|(state, _)| state.as_str()).or(created), "done")
            }
        }
    }
}
