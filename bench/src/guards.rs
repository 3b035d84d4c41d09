//! Guards, against the crate `cel`: four expressions, compiled and evaluated.
//!
//! Both sides read the same text and see the same data. First it is checked
//! that both say yes to it, and no to other data.
//!
//! - Compiling is `Expression::new` against `Program::compile`. Ours also
//!   infers types, makes constants and reads the patterns of `matches`; theirs
//!   reads a pattern anew at each evaluation.
//! - `can` is the real use: `Instance::can` on a machine whose one transition
//!   has this guard. Theirs is `Program::execute`, its context made beforehand.
//! - `evaluate` is `Expression::evaluate` against the same `execute`: ours
//!   looks names up in a JSON object, keeps what it read, and writes the
//!   answer as JSON and as CEL.

use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use veristate::{ActionId, EvaluationStatus, Expression, Instance, Machine, Snapshot};

use crate::generate;
use crate::measure::{Side, Times, measure};
use crate::table::{Table, middle_half, number, time};

/// The expressions, an order that meets all of them, and what makes it one that meets none; `js/` reads the
/// same file.
#[derive(Deserialize)]
struct Subject {
    expressions: Vec<Named>,
    object: Value,
    ctx: Value,
    otherwise: Otherwise,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    text: String,
}

#[derive(Deserialize)]
struct Otherwise {
    object: Map<String, Value>,
    ctx: Value,
}

/// The variables of an expression.
struct Variables {
    object: Value,
    ctx: Value,
}

/// How many times as fast ours is to be.
const COMPILE: f64 = 10.0;
const CAN: f64 = 3.0;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let subject: Subject = serde_json::from_str(include_str!("../guards.json"))?;
    let mut other = subject.object.clone();
    other.as_object_mut().ok_or("an object")?.extend(subject.otherwise.object);
    let good = Variables { object: subject.object, ctx: subject.ctx };
    let bad = Variables { object: other, ctx: subject.otherwise.ctx };

    let mut table =
        Table::new(&["", "Veristate", "cel", "times as fast", "middle half", "goal", ""]);
    for Named { name, text } in &subject.expressions {
        agree(text, &good, true)?;
        agree(text, &bad, false)?;
        row(&mut table, &format!("{name}: compile"), Some(COMPILE), compile(text));
        row(&mut table, &format!("{name}: can, execute"), Some(CAN), can(text, &good)?);
        row(&mut table, &format!("{name}: evaluate, execute"), None, evaluate(text, &good)?);
    }
    table.print("Guards, against the crate cel");
    Ok(())
}

/// An instance whose one action has this guard.
fn instance(guard: &str, variables: &Variables) -> Result<Instance, Box<dyn Error>> {
    let definition = json!({
        "object_type": "Order", "version": 1, "initial_state": "open",
        "states": [{ "name": "open" }, { "name": "approved", "is_terminal": true }],
        "transitions": [{ "name": "approve", "from_state": "open", "to_state": "approved",
            "action": "approve", "guard": guard }],
    });
    let machine = Machine::from_json(&definition.to_string())?;
    let object = variables.object.clone();
    let snapshot = Snapshot { object, ..generate::object_in(&machine, "open") };
    let mut instance = machine.instance(snapshot)?;
    instance.set_context(serde_json::from_value(variables.ctx.clone())?);
    Ok(instance)
}

fn context(variables: &Variables) -> cel::Context<'static, 'static> {
    let mut context = cel::Context::default();
    context.add_variable_from_value("object", theirs(&variables.object));
    context.add_variable_from_value("ctx", theirs(&variables.ctx));
    context
}

/// The variables as `evaluate` takes them.
fn map(variables: &Variables) -> Map<String, Value> {
    let Variables { object, ctx } = variables;
    Map::from_iter([("object".into(), object.clone()), ("ctx".into(), ctx.clone())])
}

/// JSON as the other side has it: a whole number is an int there, too.
fn theirs(json: &Value) -> cel::Value {
    match json {
        Value::Null => cel::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number
            .as_i64()
            .map_or_else(|| cel::Value::Float(number.as_f64().unwrap_or_default()), Into::into),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => cel::Value::List(Arc::new(items.iter().map(theirs).collect())),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), theirs(value)));
            fields.collect::<HashMap<String, cel::Value>>().into()
        }
    }
}

/// Checks that both sides give this answer.
fn agree(text: &str, variables: &Variables, answer: bool) -> Result<(), Box<dyn Error>> {
    let status = if answer { EvaluationStatus::True } else { EvaluationStatus::False };
    assert_eq!(Expression::new(text)?.evaluate(&map(variables)).status, status, "{text}");
    assert_eq!(instance(text, variables)?.can(ActionId::from_number(0)), answer, "{text}");
    let theirs = cel::Program::compile(text)?.execute(&context(variables))?;
    assert_eq!(theirs, cel::Value::Bool(answer), "{text}");
    Ok(())
}

fn compile(text: &str) -> [Times; 2] {
    measure([
        Side::new(|| Expression::new(black_box(text))),
        Side::new(|| cel::Program::compile(black_box(text))),
    ])
}

fn can(text: &str, variables: &Variables) -> Result<[Times; 2], Box<dyn Error>> {
    let instance = instance(text, variables)?;
    let (program, context) = (cel::Program::compile(text)?, context(variables));
    Ok(measure([
        Side::new(|| instance.can(black_box(ActionId::from_number(0)))),
        Side::new(|| program.execute(black_box(&context))),
    ]))
}

fn evaluate(text: &str, variables: &Variables) -> Result<[Times; 2], Box<dyn Error>> {
    let (expression, map) = (Expression::new(text)?, map(variables));
    let (program, context) = (cel::Program::compile(text)?, context(variables));
    Ok(measure([
        Side::new(|| expression.evaluate(black_box(&map))),
        Side::new(|| program.execute(black_box(&context))),
    ]))
}

fn row(table: &mut Table, name: &str, goal: Option<f64>, [ours, theirs]: [Times; 2]) {
    let ratio = ours.ratio(&theirs);
    let verdict = |goal| if ratio.median >= goal { "met" } else { "MISSED" };
    table.row([
        name.into(),
        time(ours.median()),
        time(theirs.median()),
        number(ratio.median),
        middle_half(ratio),
        goal.map_or_else(String::new, number),
        goal.map_or("", verdict).into(),
    ]);
}
