//! A case about the rows of one object and what they prove.

mod agree;
mod log;
mod written;

pub(crate) use agree::whole;
pub(crate) use written::{csv, lines};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    case::given,
    failure::Fault,
    json::missing,
    run::Recorded,
    surface::{Question, Surface},
};

/// A case about the rows of one object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryCase {
    definition: Value,
    rows: Vec<Map<String, Value>>,
    options: Map<String, Value>,
    #[serde(default)]
    ask: Vec<Asked>,
    /// The error in place of a history.
    error: Option<String>,
}

/// One question as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    violations: Option<Value>,
    state_at: Option<Value>,
    dwell: Option<Value>,
    timeline: Option<bool>,
    cycle: Option<(String, String)>,
    overdue: Option<bool>,
    snapshot_at: Option<Value>,
    #[serde(default, deserialize_with = "given")]
    card: Option<Value>,
    #[serde(default, deserialize_with = "given")]
    expect: Option<Value>,
}

pub(crate) fn run(case: &HistoryCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let definition = &case.definition;
    machine.get("the definition", |surface| surface.open(definition, &Value::Null))?;
    let rows: Value = case.rows.iter().map(row).collect();
    let options = Value::Object(case.options.clone());
    let read = machine.ask(|surface| surface.history(&rows, &options));
    if let Some(code) = &case.error {
        return match read {
            Err(thrown) if thrown.code == *code => Ok(()),
            Err(thrown) => Err(Fault::differs("the error", json!(code), json!(thrown.code))),
            Ok(_) => Err(Fault::new(format!("`history` should throw `{code}`"))),
        };
    }
    let read = read.map_err(|thrown| {
        Fault::new(format!("`history` throws `{}`: {}", thrown.code, thrown.message))
    })?;
    if !case.ask.iter().any(|asked| asked.violations.is_some()) {
        compare("`violations`", &json!([]), &read["violations"])?;
    }
    for (index, asked) in case.ask.iter().enumerate() {
        asked.put(&read, machine).map_err(|fault| fault.at(&format!("question {index}")))?;
    }
    whole(machine, &read, &options)?;
    let rows: Vec<Value> = case.rows.iter().map(row).collect();
    log::same(machine, &rows, &read, &options)?;
    agree::in_any_order(machine, &read, &options)?;
    written::again(machine, &case.rows, &read, &options)
}

/// A row as it is given to a surface.
pub(crate) fn row(row: &Map<String, Value>) -> Value {
    let mut row = row.clone();
    row.entry("object_id").or_insert_with(|| "object-1".into());
    Value::Object(row)
}

impl Asked {
    /// Asks, and compares with what is expected.
    fn put(&self, read: &Value, machine: &mut Recorded<'_>) -> Result<(), Fault> {
        let expected = || self.expect.as_ref().ok_or_else(|| Fault::new("a question has `expect`"));
        if let Some(violations) = &self.violations {
            return match &self.expect {
                None => compare("`violations`", violations, &read["violations"]),
                Some(_) => Err(Fault::new("`violations` are themselves what is expected")),
            };
        }
        if self.timeline == Some(true) {
            return compare("`timeline`", expected()?, &read["timeline"]);
        }
        let (name, question) = self.question()?;
        let mut answer = machine.get(name, |surface| surface.of_history(question))?;
        if let Question::Dwell(_) = question {
            agree::dwell(&answer)?;
            answer["states"] = by_path(&answer["states"]);
        }
        compare(name, expected()?, &answer)
    }

    fn question(&self) -> Result<(&'static str, Question<'_>), Fault> {
        let asked = [
            self.state_at.as_ref().map(|at| ("`state_at`", Question::StateAt(at))),
            self.dwell.as_ref().map(|options| ("`dwell`", Question::Dwell(options))),
            self.cycle.as_ref().map(|(from, to)| ("`cycle`", Question::Cycle(from, to))),
            self.overdue.filter(|asked| *asked).map(|_| ("`overdue`", Question::Overdue)),
            self.snapshot_at.as_ref().map(|at| ("`snapshot_at`", Question::SnapshotAt(at))),
            self.card.as_ref().map(|ctx| ("`card`", Question::Card(ctx))),
        ];
        let mut asked = asked.into_iter().flatten();
        match (asked.next(), asked.next()) {
            (Some(question), None) => Ok(question),
            _ => Err(Fault::new("a question asks exactly one thing")),
        }
    }
}

/// The states of a dwell by their paths.
pub(crate) fn by_path(states: &Value) -> Value {
    let states = states.as_array().into_iter().flatten();
    let path = |state: &Value| state["state"].as_str().unwrap_or_default().to_owned();
    Value::Object(states.map(|state| (path(state), state.clone())).collect())
}

fn compare(what: &str, expected: &Value, got: &Value) -> Result<(), Fault> {
    match missing(expected, got) {
        None => Ok(()),
        Some(inside) => {
            let what = format!("{what}{inside} is not as expected");
            Err(Fault::differs(what, expected.clone(), got.clone()))
        }
    }
}

/// Asks a history for its dwell over all of its time.
fn whole_dwell(surface: &mut dyn Surface) -> crate::Answer {
    surface.of_history(Question::Dwell(&Value::Null))
}
