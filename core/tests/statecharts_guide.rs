//! Everything that `docs/statecharts.md` shows is so.
//!
//! The page is read as it stands:
//! - a block `json` is a definition, which has no errors and no warnings, and can be exported and imported again;
//! - a block `mermaid` is its drawing;
//! - a block `text play` is what happens to an object that lives by it, one line for each thing that is done,
//!   with the states that are active after it, or with `refused`, the code and, behind a colon, the sentence:
//!
//!   ```text
//!   start {"amount": 5}   → draft            creates the object, with data
//!   save {"amount": 7}    → draft            decides an action, with new data of the object
//!   decide @ review.law   → published        decides it from this state only
//!   wait 30m              → late             lets time pass
//!   ```
//!
//!   A line that is indented says more of the one before it: `left`, `taken`, `entered`, `effects` (the names),
//!   `memory`, `since` (when active states were entered; a play begins at 09:00) and `buttons` (the actions that
//!   are enabled, each with the states that it leads out of). `-` is an empty list;
//! - a block `json snapshot`, `json flat`, `json routes` or `json vector` (the only one) is the answer for the
//!   definition, or the play, before it;
//! - a block `xml scxml` or `json xstate` is a foreign document that becomes the definition of the block
//!   `json imported` after it; a block `text refused` is what is said of one that cannot be imported.

use std::fmt::Write as _;

use serde_json::{Value, json};
use veristate::{
    AvailableOptions, Context, Decision, Definition, Limits, Machine, NewObject, Request,
    ScriptStep, Snapshot, Status, Trace, TraceStep,
};

#[test]
fn everything_is_so() {
    let page = include_str!("../../docs/statecharts.md");
    let (mut wrong, mut count) = (Vec::new(), [0; 3]);
    let mut machine = None;
    let mut snapshot = None;
    let mut imported = None;
    let mut lines = page.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> =
            lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
        let text = block.join("\n");
        let mut expect = |here: String| {
            if here.trim_end() != text {
                wrong.push(format!("line {number}: a block `{kind}` is\n{here}"));
            }
        };
        let known = || machine.as_ref().expect("a definition stands before it");
        let same = |here: Value| match serde_json::from_str::<Value>(&text) {
            Ok(there) if there == here => text.clone(),
            _ => format!("{here:#}"),
        };
        match kind {
            "json" => {
                count[0] += 1;
                let definition = Definition::from_json(&text);
                let definition =
                    definition.unwrap_or_else(|fault| panic!("line {number}: {fault}"));
                let new = Machine::new(definition);
                let new = new.unwrap_or_else(|fault| panic!("line {number}: {fault}"));
                let found: Vec<&str> =
                    new.diagnostics().iter().map(|found| found.message.as_str()).collect();
                assert!(found.is_empty(), "line {number}: {found:#?}");
                goes_round(&new);
                machine = Some(new);
            }
            "mermaid" => {
                count[1] += 1;
                expect(known().to_mermaid(&veristate::DiagramOptions::default()));
            }
            "text play" => {
                count[2] += 1;
                let (here, end) = play(known(), &block);
                snapshot = Some(end);
                expect(here);
            }
            "json snapshot" => expect(same(json!(snapshot))),
            "json flat" => {
                let flat = known().flatten(&Limits::default()).expect("it is small");
                expect(same(json!(flat)));
                machine = Some(Machine::new(flat).expect("it has no errors"));
            }
            "json routes" => {
                let routes = known().routes(&Limits::default()).expect("it is small");
                expect(same(json!(routes)));
            }
            "json vector" => {
                let vectors = known().test_vectors(&Limits::default()).expect("it is small");
                let [vector] = vectors.vectors.as_slice() else { panic!("it is one") };
                expect(same(json!(vector)));
            }
            "xml scxml" => imported = Some(scxml(&text)),
            "json xstate" => imported = Some(xstate(&text)),
            "json imported" => match imported.take().expect("a document stands before it") {
                Ok(definition) => {
                    expect(same(json!(definition)));
                    machine = Some(Machine::new(definition).expect("it has no errors"));
                }
                Err(refused) => panic!("line {number}: {refused}"),
            },
            "text refused" => match imported.take().expect("a document stands before it") {
                Ok(_) => panic!("line {number}: it is not refused"),
                Err(refused) => expect(refused),
            },
            "js" | "rust" => {}
            _ => panic!("line {number}: a block `{kind}` is not tested"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count.iter().all(|count| *count > 10), "only {count:?} examples were found");
}

fn scxml(text: &str) -> Result<Definition, String> {
    Definition::from_scxml(text).map_err(|invalid| lines(invalid.diagnostics()))
}

fn xstate(text: &str) -> Result<Definition, String> {
    Definition::from_xstate(text).map_err(|invalid| lines(invalid.diagnostics()))
}

fn lines(found: &[impl ToString]) -> String {
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What is exported can be imported.
fn goes_round(machine: &Machine) {
    let scxml = scxml(&machine.to_scxml().text).expect("it is SCXML");
    let xstate = xstate(&machine.to_xstate().config).expect("it is a config");
    for definition in [scxml, xstate] {
        Machine::new(definition).expect("it has no errors");
    }
}

/// A play as it goes, in the form of the page, and the object at its end.
fn play(machine: &Machine, block: &[&str]) -> (String, Snapshot) {
    let mut out = String::new();
    let mut ctx = context();
    let mut object: Option<Snapshot> = None;
    let mut taken: Vec<Decision> = Vec::new();
    let width = block.iter().filter_map(|line| line.split_once(" →")).map(|(done, _)| done);
    let width = width.map(|done| done.chars().count()).max().unwrap_or_default();
    for line in block {
        if let Some((what, _)) = line.strip_prefix("   ").and_then(|line| line.split_once(':')) {
            let snapshot = object.as_ref().expect("an object is there");
            _ = writeln!(out, "   {what}: {}", detail(machine, what, snapshot, &taken, &ctx));
            continue;
        }
        let (done, expected) = line.split_once(" → ").expect("a line says what comes of it");
        let done = done.trim_end();
        taken = match &object {
            None => vec![start(machine, done, &ctx)],
            Some(before) => {
                let script = [step(done)];
                let trace = machine.simulate(before, &ctx, &script).expect("it is played");
                let Trace { steps, snapshot, ctx: after } = trace;
                (object, ctx) = (Some(snapshot), after);
                steps.into_iter().filter_map(decision).collect()
            }
        };
        if let (None, [Decision::Accepted(plan)]) = (&object, taken.as_slice()) {
            object = Some(plan.snapshot.clone());
        }
        let result = match taken.last() {
            Some(Decision::Refused(refused)) => {
                let code = json!(refused.code);
                let code = code.as_str().unwrap_or_default();
                match expected.contains(": ") {
                    true => format!("refused {code}: {}", refused.message),
                    false => format!("refused {code}"),
                }
            }
            _ => object.as_ref().expect("an object is there").states.join(", "),
        };
        _ = writeln!(out, "{done:width$} → {result}");
    }
    (out, object.expect("an object is there"))
}

fn context() -> Context {
    let ctx = json!({ "actor_id": "ada", "timestamp": "2026-01-05T09:00:00Z" });
    serde_json::from_value(ctx).expect("it is a context")
}

fn decision(step: TraceStep) -> Option<Decision> {
    match step {
        TraceStep::Action { decision, .. } | TraceStep::Timeout { decision, .. } => Some(decision),
        _ => None,
    }
}

/// Splits `word {"data": 1}`.
fn data(done: &str) -> (&str, Option<Value>) {
    match done.split_once(" {") {
        Some((word, rest)) => {
            let data = serde_json::from_str(&format!("{{{rest}")).expect("the data are JSON");
            (word.trim(), Some(data))
        }
        None => (done, None),
    }
}

fn start(machine: &Machine, done: &str, ctx: &Context) -> Decision {
    let (word, data) = data(done);
    assert_eq!(word, "start", "a play begins with the creation");
    let new = NewObject { object_id: "it".into(), object: data.unwrap_or_default() };
    machine.start(&new, ctx, &Request::default()).expect("it is asked rightly")
}

fn step(done: &str) -> ScriptStep {
    if let Some(time) = done.strip_prefix("wait ") {
        return ScriptStep { advance: Some(time.into()), ..ScriptStep::default() };
    }
    let (word, object) = data(done);
    let (action, from) = match word.split_once(" @ ") {
        Some((action, from)) => (action, Some(from.trim().to_owned())),
        None => (word, None),
    };
    let request = Request { object, from_state: from, ..Request::default() };
    ScriptStep {
        action: Some(action.trim().into()),
        request: Some(request),
        ..ScriptStep::default()
    }
}

/// What an indented line says.
fn detail(
    machine: &Machine,
    what: &str,
    object: &Snapshot,
    taken: &[Decision],
    ctx: &Context,
) -> String {
    let records: Vec<_> = taken
        .iter()
        .filter_map(|decision| match decision {
            Decision::Accepted(plan) => Some(&plan.record),
            _ => None,
        })
        .collect();
    let list: Vec<String> = match what {
        "left" => records.iter().flat_map(|record| record.exited.clone()).collect(),
        "entered" => records.iter().flat_map(|record| record.entered.clone()).collect(),
        "taken" => records.iter().flat_map(|record| record.transitions.clone()).collect(),
        "effects" => {
            let effects = records.iter().flat_map(|record| record.effects.clone());
            effects.map(|effect| effect.name).collect()
        }
        "memory" => {
            let memory = object.memory.iter();
            memory.map(|(path, states)| format!("{path} = {}", states.join(" + "))).collect()
        }
        "since" => {
            let clock = |at: String| at.get(11..16).unwrap_or_default().to_owned();
            let since = object.entered_at.iter();
            since.map(|(path, at)| format!("{path} {}", clock(at.to_string()))).collect()
        }
        "buttons" => {
            let all = machine.available(object, ctx, &AvailableOptions::default());
            let all = all.expect("it is asked rightly").into_iter();
            let enabled = all.filter(|choice| choice.status == Status::Enabled);
            enabled
                .map(|choice| format!("{} ({})", choice.action, choice.from.join(" + ")))
                .collect()
        }
        _ => panic!("a line `{what}` is not tested"),
    };
    match list.is_empty() {
        true => "-".into(),
        false => list.join(", "),
    }
}
