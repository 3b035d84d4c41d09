//! Every example in `docs/guards.md` gives what the page says.
//!
//! The page is read as it stands:
//! - a block `json data` is what the examples after it see: `object` and `ctx`; for guards also `guards` (named guards),
//!   `host` (what a function of the host says: true, false, or a text if it fails) and `entry_conditions`;
//! - a block `cel` holds expressions, each with its result after `// →`, on the same line or on the next;
//! - a block `cel guard` holds guards of a machine in the same form;
//! - a block `json reasons` or `json evaluation` is the whole answer for the example before it;
//! - in a table whose last column is `result` (`verdict` for guards), the column before it is the example.
//!
//! A result is the value as CEL writes it, or `unknown`, or the code of a fault; behind a colon what is said of it.

use serde_json::{Map, Value, json};
use veristate::{
    Context, Decision, Evaluation, EvaluationStatus, Machine, NewObject, Reason, Refused, Request,
    Severity, evaluate,
};

type Data = Map<String, Value>;

/// An answer: the word that stands for it, what is said of it, and all of it as JSON.
struct Answer {
    word: String,
    sentence: String,
    whole: Value,
}

#[test]
fn every_example_gives_what_the_page_says() {
    let page = include_str!("../../docs/guards.md");
    let (mut data, mut last, mut wrong, mut count) = (Data::new(), None, Vec::new(), 0);
    let mut lines = page.lines().zip(1..);
    let mut table: Option<String> = None;
    while let Some((line, number)) = lines.next() {
        let mut examples: Vec<(String, String, bool)> = Vec::new();
        if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<&str> =
                lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
            let json = || serde_json::from_str::<Value>(&block.join("\n")).expect("it is JSON");
            match kind {
                "json data" => data = json().as_object().expect("an object").clone(),
                "json reasons" | "json evaluation" => {
                    let Answer { whole, .. } = last.take().expect("an example stands before it");
                    if json() != whole {
                        wrong.push(format!("line {number}: the answer is {whole:#}"));
                    }
                }
                "cel" | "cel guard" => examples = in_block(&block, kind == "cel guard"),
                _ => panic!("line {number}: a block `{kind}` is not tested"),
            }
        } else if let Some(cells) = cells(line) {
            match (&table, cells.as_slice()) {
                (None, [.., end]) => table = Some(end.clone()),
                (Some(end), [.., example, result])
                    if matches!(end.as_str(), "result" | "verdict")
                        && !example.starts_with("--") =>
                {
                    examples.push((example.clone(), result.clone(), end == "verdict"));
                }
                _ => {}
            }
        } else {
            table = None;
        }
        for (example, expected, is_guard) in examples {
            count += 1;
            let answer = if is_guard { guard(&example, &data) } else { value(&example, &data) };
            let is_right = match expected.split_once(": ") {
                _ if expected == answer.word => true,
                Some((word, sentence)) => word == answer.word && sentence == answer.sentence,
                None => false,
            };
            if !is_right {
                let Answer { word, sentence, .. } = &answer;
                wrong.push(format!(
                    "line {number}: {example}\n  page: {expected}\n  here: {word}: {sentence}"
                ));
            }
            last = Some(answer);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 280, "only {count} examples were found");
}

/// The examples of a block, each with its result.
fn in_block(block: &[&str], is_guard: bool) -> Vec<(String, String, bool)> {
    let (mut examples, mut example) = (Vec::new(), String::new());
    for line in block {
        let (code, result) = line.split_once("// →").map_or((*line, None), |(a, b)| (a, Some(b)));
        example.push_str(code);
        example.push('\n');
        if let Some(result) = result {
            examples.push((example.trim().to_owned(), result.trim().to_owned(), is_guard));
            example.clear();
        }
    }
    assert!(example.trim().is_empty(), "no result stands behind `{example}`");
    examples
}

/// The cells of a row of a table, without their backticks.
fn cells(line: &str) -> Option<Vec<String>> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?.replace("\\|", "\0");
    let plain = |cell: &str| {
        let cell = cell.trim();
        let code = cell.strip_prefix("`` ").and_then(|cell| cell.strip_suffix(" ``"));
        let code = code.or_else(|| cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')));
        code.unwrap_or(cell).replace('\0', "|")
    };
    Some(row.split('|').map(plain).collect())
}

/// An expression by itself.
fn value(expression: &str, data: &Data) -> Answer {
    let answer = evaluate(expression, data);
    let whole = serde_json::to_value(&answer).expect("it is written");
    let Evaluation { status, text, missing, diagnostics, .. } = answer;
    let causes: Vec<String> = missing.into_iter().map(|missing| missing.message).collect();
    let (word, sentence) = match (status, text) {
        (EvaluationStatus::Invalid, _) => {
            (code(&diagnostics[0].code), diagnostics[0].message.clone())
        }
        (_, Some(text)) => (text, String::new()),
        (_, None) => ("unknown".to_owned(), causes.join("; ")),
    };
    Answer { word, sentence, whole }
}

/// A guard of the action `approve`.
fn guard(guard: &str, data: &Data) -> Answer {
    let of = |key: &str| data.get(key).cloned();
    let definition = json!({
        "object_type": "Order", "initial_state": "pending",
        "states": [
            { "name": "pending" },
            { "name": "approved", "is_terminal": true,
              "entry_conditions": of("entry_conditions").unwrap_or(json!([])) }
        ],
        "transitions": [
            { "name": "approve", "from_state": "pending", "to_state": "approved", "action": "approve", "guard": guard }
        ],
        "guards": of("guards").unwrap_or(json!({}))
    });
    let mut machine = match Machine::from_json(&definition.to_string()) {
        Ok(machine) => machine,
        Err(invalid) => {
            let found =
                invalid.diagnostics().iter().find(|found| found.severity == Severity::Error);
            let found = found.expect("an invalid definition has an error");
            let whole = serde_json::to_value(found).expect("it is written");
            return Answer { word: code(&found.code), sentence: found.message.clone(), whole };
        }
    };
    for (name, says) in of("host").iter().filter_map(Value::as_object).flatten() {
        let says = says.as_bool().ok_or_else(|| says.as_str().unwrap_or_default().to_owned());
        // Only what this guard asks can be registered.
        let _ = machine.register_guard(name, move |_: &_, _: &_, _: &_| says.clone());
    }
    let mut ctx = of("ctx").unwrap_or(json!({}));
    if ctx["timestamp"].is_null() {
        ctx["timestamp"] = json!("2026-01-01T00:00:00Z");
    }
    let ctx: Context = serde_json::from_value(ctx).expect("it is a context");
    let object =
        NewObject { object_id: "order-1".into(), object: of("object").unwrap_or_default() };
    let start = machine.start(&object, &ctx, &Request::default());
    let Ok(Decision::Accepted(created)) = start else { panic!("it cannot be created: {start:?}") };
    match machine.decide(&created.snapshot, "approve", &ctx, &Request::default()) {
        Ok(Decision::Refused(Refused { code: name, message, reasons, .. })) => {
            let word = match code(&name).as_str() {
                "guards-failed" => "false".to_owned(),
                "guard-unknown" | "guard-not-registered" => "unknown".to_owned(),
                other => other.to_owned(),
            };
            Answer { word, sentence: message, whole: json!(reasons) }
        }
        Ok(_) => {
            Answer { word: "true".into(), sentence: String::new(), whole: json!([] as [Reason; 0]) }
        }
        Err(error) => panic!("it cannot be decided: {error}"),
    }
}

/// A code as it leaves.
fn code(code: &impl serde::Serialize) -> String {
    json!(code).as_str().unwrap_or_default().to_owned()
}
