//! What must agree: `decide`, `available` and `can`; step by step, `simulate` and an instance.

use serde_json::{Map, Value, json};

use crate::{
    explained,
    failure::Fault,
    inside::Ambiguous,
    json::{missing, time},
    run::Recorded,
    surface::Answer,
};

/// What `decide` is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) snapshot: &'a Value,
    pub(crate) action: &'a str,
    pub(crate) ctx: &'a Value,
    pub(crate) request: &'a Value,
    pub(crate) ambiguous: &'a Ambiguous,
}

/// Decides, and checks that `available` and `can` say the same.
pub(crate) fn decide(machine: &mut Recorded<'_>, asked: &Asked<'_>) -> Result<Answer, Fault> {
    let Asked { snapshot, action, ctx, request, .. } = *asked;
    let answer = machine.ask(|surface| surface.decide(snapshot, action, ctx, request));
    let mut list = |all: bool| {
        let mut options = Map::from_iter([("all".to_owned(), all.into())]);
        if !request.is_null() {
            options.insert("request".into(), request.clone());
        }
        machine.ask(|surface| surface.available(snapshot, ctx, &Value::Object(options)))
    };
    let (every, here) = (list(true), list(false));
    match &answer {
        // Time is all that `available` does not need.
        Err(thrown) if thrown.code == "missing-timestamp" => return Ok(answer),
        Err(thrown) => {
            for listed in [every, here] {
                if listed.as_ref().err().map(|listed| &listed.code) != Some(&thrown.code) {
                    let what = "`available` does not throw what `decide` throws";
                    return Err(Fault::differs(what, json!(thrown.code), as_value(listed)));
                }
            }
            return Ok(answer);
        }
        Ok(decision) => {
            let every = every.map_err(|thrown| {
                Fault::new(format!("`available` throws `{}`, `decide` does not", thrown.code))
            })?;
            listed(action, decision, &every)?;
            in_order(&every, &as_value(here))?;
            let plain = match request.is_null() {
                true => decision.clone(),
                false => machine.get("`decide` without the request", |surface| {
                    surface.decide(snapshot, action, ctx, &Value::Null)
                })?,
            };
            explained::guards(machine, asked, decision)?;
            let can = machine.get("`can`", |surface| surface.can(snapshot, action, ctx))?;
            let accepted = json!(plain["outcome"] == "accepted");
            if can != accepted {
                return Err(Fault::differs("`can` disagrees with `decide`", accepted, can));
            }
        }
    }
    Ok(answer)
}

/// After a step that was accepted, the object breaks no condition of the state that it is in.
pub(crate) fn conditions(
    machine: &mut Recorded<'_>,
    decision: &Value,
    ctx: &Value,
) -> Result<(), Fault> {
    if decision["outcome"] != "accepted" {
        return Ok(());
    }
    let snapshot = &decision["snapshot"];
    let broken = machine.get("`check_object`", |surface| surface.check_object(snapshot, ctx))?;
    if broken == json!([]) {
        return Ok(());
    }
    Err(Fault::differs("an object breaks a condition of its new state", json!([]), broken))
}

/// Asks what is due, and checks that it is the first part of what will ever be due, up to now.
pub(crate) fn due(
    machine: &mut Recorded<'_>,
    snapshot: &Value,
    now: &Value,
) -> Result<Answer, Fault> {
    let due = machine.ask(|surface| surface.due(snapshot, now));
    let all = machine.ask(|surface| surface.deadlines(snapshot));
    let expected = match &all {
        Err(thrown) => Err(thrown.clone()),
        Ok(all) => {
            let all = all.as_array().into_iter().flatten();
            Ok(all.filter(|due| time(&due["at"]) <= time(now)).cloned().collect())
        }
    };
    let (expected, got) = (as_value(expected), as_value(due.clone()));
    if expected == got {
        return Ok(due);
    }
    Err(Fault::differs("`due` is not that part of `deadlines` that is due now", expected, got))
}

/// The action's row among all actions says what the decision says.
fn listed(action: &str, decision: &Value, every: &Value) -> Result<(), Fault> {
    let row = every.as_array().into_iter().flatten().find(|row| row["action"] == action);
    let Some(row) = row else {
        // One that no transition takes is in no list; what was asked before may refuse it, too.
        let known = decision["outcome"] == "accepted" || decision["code"] == "no-transition";
        return match known {
            false => Ok(()),
            true => Err(Fault::new("`available` with all does not list the action")),
        };
    };
    let status = match (decision["outcome"].as_str(), decision["code"].as_str()) {
        (Some("accepted"), _) => "enabled",
        (_, Some("guard-unknown" | "guard-not-registered" | "entry-condition-unknown")) => {
            "unknown"
        }
        _ => "disabled",
    };
    if row["status"] != status {
        let what = "the status in `available` disagrees with `decide`";
        return Err(Fault::differs(what, status.into(), row.clone()));
    }
    if status == "enabled" {
        let taken = taken(decision, row);
        if missing(&taken, row).is_some() {
            let what = "`available` names another transition than `decide` takes";
            return Err(Fault::differs(what, taken, row.clone()));
        }
    }
    let reasons = row["reasons"].as_array().map(Vec::as_slice).unwrap_or_default();
    for reason in decision["reasons"].as_array().into_iter().flatten() {
        if !reasons.contains(reason) {
            let what = "a reason of `decide` is not in `available`";
            return Err(Fault::differs(what, reason.clone(), row.clone()));
        }
    }
    Ok(())
}

/// What the row of an action that is accepted must say. What follows by itself is not in it; where the step leads
/// is known from its targets alone if they have nothing inside.
fn taken(decision: &Value, row: &Value) -> Value {
    let all = decision["transitions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let count = row["transitions"].as_array().map_or(0, Vec::len).max(1).min(all.len());
    let active = decision["snapshot"]["entered_at"].as_object().map_or(0, Map::len);
    let mut taken = json!({ "transitions": all[..count], "reasons": [] });
    if all.len() == 1 && active == 1 {
        taken["to"] = decision["record"]["to_states"].clone();
    }
    taken
}

/// The actions of the active states are those among all that have transitions there, in the same order.
fn in_order(every: &Value, here: &Value) -> Result<(), Fault> {
    let rows = every.as_array().into_iter().flatten();
    let expected: Value = rows.filter(|row| row["transitions"] != json!([])).cloned().collect();
    if expected == *here {
        return Ok(());
    }
    let what = "`available` is not that part of `available` with all that has transitions here";
    Err(Fault::differs(what, expected, here.clone()))
}

fn as_value(answer: Answer) -> Value {
    answer.unwrap_or_else(|thrown| thrown.to_value())
}

/// What was done so far, as long as one script can say it.
pub(crate) struct Played {
    snapshot: Value,
    ctx: Value,
    script: Vec<Value>,
    decisions: Vec<Value>,
    /// The same for an instance; nothing where it cannot say it.
    lines: Option<Vec<Value>>,
}

impl Played {
    pub(crate) fn new(snapshot: &Value, ctx: &Value) -> Self {
        let (snapshot, ctx) = (snapshot.clone(), ctx.clone());
        Self { snapshot, ctx, script: Vec::new(), decisions: Vec::new(), lines: Some(Vec::new()) }
    }

    pub(crate) fn action(&mut self, action: &str, ctx: &Value, request: &Value, decision: &Value) {
        let mut line = json!({ "action": action, "ctx": ctx });
        if !request.is_null() {
            line["request"] = request.clone();
        }
        self.script.push(line);
        self.decisions.push(decision.clone());
        match &mut self.lines {
            Some(lines) if request.is_null() && decision["code"] != "unknown-action" => {
                lines.push(json!({ "ctx": ctx, "action": action, "decision": decision }));
            }
            // It has no number, and nothing has happened.
            Some(_) if request.is_null() => {}
            lines => *lines = None,
        }
    }

    /// Time or data.
    pub(crate) fn line(&mut self, line: Value) {
        match &mut self.lines {
            Some(lines) if line.get("object").is_some() => lines.push(line.clone()),
            lines => *lines = None,
        }
        self.script.push(line);
    }

    /// What a timeout came to.
    pub(crate) fn decision(&mut self, decision: &Value) {
        self.decisions.push(decision.clone());
    }
}

/// Played as one script, and on an instance, everything comes out the same.
pub(crate) fn whole(machine: &mut Recorded<'_>, played: &Played, end: &Value) -> Result<(), Fault> {
    let Played { snapshot, ctx, .. } = played;
    let script = Value::Array(played.script.clone());
    let trace = machine
        .get("`simulate` of all steps", |surface| surface.simulate(snapshot, ctx, &script))?;
    if trace["snapshot"] != *end {
        let what = "`simulate` of all steps ends in another snapshot";
        return Err(Fault::differs(what, end.clone(), trace["snapshot"].clone()));
    }
    let events = trace["steps"].as_array().into_iter().flatten();
    let decisions: Value = events.filter_map(|event| event.get("decision")).cloned().collect();
    let expected = Value::Array(played.decisions.clone());
    if decisions != expected {
        return Err(Fault::differs(
            "`simulate` of all steps decides otherwise",
            expected,
            decisions,
        ));
    }
    match &played.lines {
        Some(lines) => on_an_instance(machine, snapshot, lines),
        None => Ok(()),
    }
}

fn on_an_instance(
    machine: &mut Recorded<'_>,
    snapshot: &Value,
    lines: &[Value],
) -> Result<(), Fault> {
    let without_decision = |line: &Value| {
        let mut line = line.clone();
        line.as_object_mut().map(|line| line.remove("decision"));
        line
    };
    let told: Vec<Value> = lines.iter().map(without_decision).collect();
    let answers = machine.get("the instance", |surface| surface.instance(snapshot, &told))?;
    for (line, answer) in lines.iter().zip(answers.as_array().into_iter().flatten()) {
        let decision = &line["decision"];
        let mut expected = match decision["outcome"].as_str() {
            None => Value::Null,
            Some("accepted") => json!({
                "can": true, "taken": true, "refusal": null,
                "records": [decision["record"]], "snapshot": decision["snapshot"],
            }),
            Some(_) => {
                let mut refusal = decision.clone();
                refusal.as_object_mut().map(|refusal| refusal.remove("outcome"));
                json!({ "can": false, "taken": false, "refusal": refusal, "records": [] })
            }
        };
        // `can` has no time, so that time cannot run back.
        if decision["code"] == "time-runs-back" {
            expected.as_object_mut().map(|expected| expected.remove("can"));
        }
        // A record carries data that was changed since the last one; `decide` does not know of it.
        if let Some(object) = answer.pointer("/records/0/object")
            && decision["record"].get("object").is_none()
            && *object == decision["snapshot"]["object"]
        {
            expected["records"][0]["object"] = object.clone();
        }
        let same = match expected["taken"] == false {
            true => missing(&expected, answer).is_none(),
            false => expected == *answer,
        };
        if !same {
            let what = "an instance does not do what `decide` decides";
            return Err(Fault::differs(what, expected, answer.clone()));
        }
    }
    Ok(())
}
