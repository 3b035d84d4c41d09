//! A case about an object and what is done to it.

use serde_json::{Map, Value, json};

use crate::{
    agree::{self, Asked, Played},
    case::{Deed, StepCase, StepLine},
    expect::compare,
    failure::Fault,
    flat,
    inside::Ambiguous,
    json::{laid_over, time},
    run::Recorded,
    surface::{Says, Thrown},
};

/// An object in the middle of its case.
struct Run<'c, 'm, 's> {
    case: &'c StepCase,
    machine: &'m mut Recorded<'s>,
    ambiguous: Ambiguous,
    guards: Map<String, Value>,
    clock: Value,
    snapshot: Value,
    played: Option<Played>,
}

pub(crate) fn run(case: &StepCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    machine.get("the definition", |surface| surface.open(&case.definition, &case.limits))?;
    machine.get("what the machine says of itself", |surface| surface.about())?;
    let mut run = Run {
        case,
        machine,
        ambiguous: Ambiguous::of(&case.definition),
        guards: Map::new(),
        clock: case.clock.clone(),
        snapshot: Value::Null,
        played: None,
    };
    run.guards(&case.guards, false)?;
    if !run.start().map_err(|fault| fault.at("start"))? {
        return match case.steps.is_empty() {
            true => flat::note(run.machine),
            false => Err(Fault::new("`start` made no object for the steps").at("start")),
        };
    }
    for (index, line) in case.steps.iter().enumerate() {
        run.step(line).map_err(|fault| fault.at(&format!("step {index}")))?;
        // A store keeps it as text.
        run.snapshot = serde_json::from_str(&run.snapshot.to_string())
            .map_err(|error| Fault::new(format!("the snapshot is no JSON: {error}")))?;
    }
    if let Some(played) = run.played {
        agree::whole(run.machine, &played, &run.snapshot).map_err(|fault| fault.at("the end"))?;
    }
    flat::note(run.machine).map_err(|fault| fault.at("the end"))
}

impl Run<'_, '_, '_> {
    /// Whether there is an object.
    fn start(&mut self) -> Result<bool, Fault> {
        let object = json!({ "object_id": self.case.object_id, "object": self.case.object });
        let ctx = self.ctx(None);
        let request = &self.case.request;
        let answer = self.machine.ask(|surface| surface.start(&object, &ctx, request));
        if let Ok(decision) = &answer {
            self.take(decision);
            agree::conditions(self.machine, decision, &ctx)?;
        }
        compare(self.case.start.as_ref(), &self.seen(answer))?;
        self.played = Some(Played::new(&self.snapshot, &self.system_scene()));
        Ok(!self.snapshot.is_null())
    }

    fn step(&mut self, line: &StepLine) -> Result<(), Fault> {
        let seen = match line.deed()? {
            Deed::Action(action) => self.action(action, line)?,
            Deed::Advance(length) => self.advance(length, line),
            Deed::Object(object) => {
                self.snapshot["object"] = object.clone();
                self.note(|played| played.line(json!({ "object": object })));
                self.with_present(Map::new())
            }
            Deed::Guards(guards) => {
                self.played = None;
                self.guards(guards, false)?;
                self.with_present(Map::new())
            }
            Deed::Available(options) => {
                let ctx = self.ctx(line.ctx.as_ref());
                let snapshot = &self.snapshot;
                let answer = self.machine.ask(|surface| surface.available(snapshot, &ctx, options));
                self.seen(answer.map(|actions| json!({ "actions": actions })))
            }
            Deed::Permits(operation) => {
                let snapshot = &self.snapshot;
                let answer = self.machine.ask(|surface| surface.permits(snapshot, operation));
                self.seen(answer)
            }
            Deed::Due => {
                let (snapshot, clock) = (&self.snapshot, &self.clock);
                let answer = agree::due(self.machine, snapshot, clock)?;
                self.seen(answer.map(|due| json!({ "due": due })))
            }
            Deed::CheckObject => {
                let (snapshot, ctx) = (&self.snapshot, self.ctx(line.ctx.as_ref()));
                let answer = self.machine.ask(|surface| surface.check_object(snapshot, &ctx));
                self.seen(answer.map(|violations| json!({ "violations": violations })))
            }
            Deed::Adopt { mapping, definition } => {
                self.open(definition)?;
                let snapshot = &self.snapshot;
                let answer = self.machine.ask(|surface| surface.adopt(snapshot, mapping));
                if let Ok(adopted) = &answer {
                    self.snapshot = adopted.clone();
                }
                self.seen(answer.map(|adopted| json!({ "snapshot": adopted })))
            }
            Deed::Definition(definition) => {
                self.open(definition)?;
                self.with_present(Map::new())
            }
            Deed::Snapshot(fields) => {
                self.played = None;
                if let Value::Object(snapshot) = &self.snapshot {
                    self.snapshot = Value::Object(laid_over(snapshot, fields));
                }
                self.with_present(Map::new())
            }
        };
        compare(line.expect.as_ref(), &seen)
    }

    /// Decides an action, and asks everything else that must agree.
    fn action(&mut self, action: &str, line: &StepLine) -> Result<Map<String, Value>, Fault> {
        let (ctx, request) = (self.ctx(line.ctx.as_ref()), &line.request);
        let (snapshot, ambiguous) = (&self.snapshot, &self.ambiguous);
        let asked = Asked { snapshot, action, ctx: &ctx, request, ambiguous };
        let answer = agree::decide(self.machine, &asked)?;
        match &answer {
            Ok(decision) => {
                self.note(|played| played.action(action, &ctx, request, decision));
                self.take(decision);
                agree::conditions(self.machine, decision, &ctx)?;
            }
            Err(_) => self.played = None,
        }
        Ok(self.seen(answer))
    }

    /// Lets time pass. What is seen is all that happened, as if it were one step.
    fn advance(&mut self, length: &str, line: &StepLine) -> Map<String, Value> {
        let mut step = Map::from_iter([("advance".into(), length.into())]);
        if let Some(ctx) = &line.ctx {
            step.insert("ctx".into(), Value::Object(laid_over(&self.system(), ctx)));
        }
        let step = Value::Object(step);
        let (snapshot, scene) = (&self.snapshot, self.system_scene());
        let script = Value::Array(vec![step.clone()]);
        let answer = self.machine.ask(|surface| surface.simulate(snapshot, &scene, &script));
        let trace = match answer {
            Ok(trace) => trace,
            Err(thrown) => {
                self.played = None;
                return self.seen(Err(thrown));
            }
        };
        let mut seen = nothing_happened();
        let (mut due, mut last) = (Vec::new(), json!({ "outcome": "nothing_due" }));
        for event in trace["steps"].as_array().into_iter().flatten() {
            if event["kind"] == "notification" {
                due.push(event["due"].clone());
            }
            if event["kind"] == "timeout" {
                last = event["decision"].clone();
                for (field, all) in &mut seen {
                    if let (Value::Array(all), Value::Array(more)) = (all, &last[field]) {
                        all.extend(more.clone());
                    }
                }
                self.note(|played| played.decision(&last));
            }
        }
        self.note(|played| played.line(step));
        self.snapshot = trace["snapshot"].clone();
        self.clock = trace["ctx"]["timestamp"].clone();
        if let Value::Object(last) = last {
            for (field, value) in last {
                seen.entry(field).or_insert(value);
            }
        }
        seen.insert("due".into(), due.into());
        self.with_present(seen)
    }

    /// The object is what the decision says; an accepted action takes the clock with it.
    fn take(&mut self, decision: &Value) {
        if decision["outcome"] == "accepted" {
            self.snapshot = decision["snapshot"].clone();
            let at = &decision["record"]["timestamp"];
            if time(at) > time(&self.clock) {
                self.clock = at.clone();
            }
        }
    }

    fn note(&mut self, note: impl FnOnce(&mut Played)) {
        if let Some(played) = &mut self.played {
            note(played);
        }
    }

    /// Makes the machine of another definition; guards that it has too stay.
    fn open(&mut self, definition: &Value) -> Result<(), Fault> {
        self.played = None;
        let limits = &self.case.limits;
        self.machine.get("the definition", |surface| surface.open(definition, limits))?;
        self.ambiguous = Ambiguous::of(definition);
        self.guards(&self.guards.clone(), true)
    }

    fn guards(&mut self, guards: &Map<String, Value>, may_be_unknown: bool) -> Result<(), Fault> {
        for (name, says) in guards {
            let Some(says) = Says::read(says) else {
                let what = format!("the guard `{name}` is neither true, false nor \"unknown\"");
                return Err(Fault::differs(what, json!([true, false, "unknown"]), says.clone()));
            };
            match self.machine.ask(|surface| surface.guard(name, says)) {
                Err(thrown) if !may_be_unknown || thrown.code != "unknown-guard" => {
                    return Err(Fault::new(format!("the guard `{name}`: {}", thrown.message)));
                }
                _ => {}
            }
        }
        self.guards = laid_over(&self.guards, guards);
        Ok(())
    }

    /// The case's context with a step's laid over it, and the clock.
    fn ctx(&self, step: Option<&Map<String, Value>>) -> Value {
        let mut ctx = laid_over(&self.case.ctx, step.unwrap_or(&Map::new()));
        ctx.entry("timestamp").or_insert_with(|| self.clock.clone());
        Value::Object(ctx)
    }

    /// The case's context at the clock, whatever time it says.
    fn system_scene(&self) -> Value {
        let mut ctx = self.case.ctx.clone();
        ctx.insert("timestamp".into(), self.clock.clone());
        Value::Object(ctx)
    }

    /// Who fires timeouts, if nothing else is said.
    fn system(&self) -> Map<String, Value> {
        let mut ctx = self.case.ctx.clone();
        ctx.remove("timestamp");
        ctx.insert("actor_id".into(), "system".into());
        ctx.insert("actor_type".into(), "system".into());
        ctx.insert("permissions".into(), json!([]));
        ctx
    }

    /// An answer as fields that a case can expect, with the states that are active now.
    fn seen(&self, answer: Result<Value, Thrown>) -> Map<String, Value> {
        match answer {
            Err(thrown) => Map::from_iter([("error".into(), thrown.code.into())]),
            Ok(Value::Object(mut seen)) => {
                if seen.contains_key("outcome") {
                    for (field, nothing) in nothing_happened() {
                        seen.entry(field).or_insert(nothing);
                    }
                }
                self.with_present(seen)
            }
            Ok(other) => Map::from_iter([("answer".into(), other)]),
        }
    }

    fn with_present(&self, mut seen: Map<String, Value>) -> Map<String, Value> {
        seen.insert("states".into(), self.snapshot["states"].clone());
        seen.insert("clock".into(), self.clock.clone());
        seen.entry("snapshot").or_insert_with(|| self.snapshot.clone());
        seen
    }
}

fn nothing_happened() -> Map<String, Value> {
    ["transitions", "exited", "entered", "effects"]
        .map(|field| (field.to_owned(), json!([])))
        .into_iter()
        .collect()
}
