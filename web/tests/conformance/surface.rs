//! The surface of JavaScript: values go through `JSON.parse` and `JSON.stringify`, as in a program.

use js_sys::{Error, Function, JSON, Reflect, Uint8Array};
use serde_json::{Map, Value, json};
use veristate::Time;
use veristate_runner::{Answer, LogQuestion, Question, Says, Surface, Text, Thrown as Error_};
use veristate_web::{History, Log, Machine, Thrown};
use wasm_bindgen::prelude::*;

/// The classes of the package.
#[derive(Default)]
pub(crate) struct Web {
    machine: Option<Machine>,
    history: Option<History>,
    log: Option<Log>,
}

impl Web {
    fn machine(&self) -> Result<&Machine, Error_> {
        self.machine.as_ref().ok_or_else(|| Error_::new("no-machine", "no machine was made"))
    }
}

impl Surface for Web {
    fn name(&self) -> &'static str {
        "web"
    }

    fn check(&mut self, text: &str, limits: &Value) -> Answer {
        out(veristate_web::check(&text.into(), &js(limits)?))
    }

    fn open(&mut self, definition: &Value, limits: &Value) -> Answer {
        let machine = Machine::new(&js(definition)?, &js(limits)?).map_err(thrown)?;
        out(self.machine.insert(machine).diagnostics())
    }

    fn about(&mut self) -> Answer {
        let machine = self.machine()?;
        let states = machine.states();
        let pairs = states.iter().flat_map(|from| states.iter().map(move |to| (from, to)));
        let leads: Vec<_> = pairs
            .filter(|(from, to)| {
                machine.can_transition(&(*from).into(), &(*to).into()).is_ok_and(|leads| leads)
            })
            .collect();
        Ok(json!({
            "definition": out(machine.definition())?,
            "states": states,
            "actions": machine.actions(),
            "permissions": machine.permissions(),
            "operations": machine.operations(),
            "guards": machine.host_guards(),
            "inputs": out(machine.inputs())?,
            "outline": out(machine.outline())?,
            "leads": leads,
        }))
    }

    fn guard(&mut self, name: &str, says: Says) -> Answer {
        let body = match says {
            Says::Yes => "return true",
            Says::No => "return false",
            Says::Unknown => "throw new Error('unknown')",
        };
        self.machine()?
            .register_guard(&name.into(), &Function::new_no_args(body))
            .map_err(thrown)?;
        Ok(Value::Null)
    }

    fn start(&mut self, object: &Value, ctx: &Value, request: &Value) -> Answer {
        out(self.machine()?.start(&js(object)?, &js(ctx)?, &js(request)?))
    }

    fn decide(&mut self, snapshot: &Value, action: &str, ctx: &Value, request: &Value) -> Answer {
        out(self.machine()?.decide(&js(snapshot)?, &action.into(), &js(ctx)?, &js(request)?))
    }

    fn available(&mut self, snapshot: &Value, ctx: &Value, options: &Value) -> Answer {
        out(self.machine()?.available(&js(snapshot)?, &js(ctx)?, &js(options)?))
    }

    fn can(&mut self, snapshot: &Value, action: &str, ctx: &Value) -> Answer {
        let can = self.machine()?.can(&js(snapshot)?, &action.into(), &js(ctx)?);
        out(can.map(JsValue::from_bool))
    }

    fn permits(&mut self, snapshot: &Value, operation: &str) -> Answer {
        out(self.machine()?.permits(&js(snapshot)?, &operation.into()))
    }

    fn check_object(&mut self, snapshot: &Value, ctx: &Value) -> Answer {
        out(self.machine()?.check_object(&js(snapshot)?, &js(ctx)?))
    }

    fn guards(&mut self, snapshot: &Value, ctx: &Value, request: &Value) -> Answer {
        out(self.machine()?.guards(&js(snapshot)?, &js(ctx)?, &js(request)?))
    }

    fn evaluate_guard(&mut self, expression: &str, snapshot: &Value, ctx: &Value) -> Answer {
        out(self.machine()?.evaluate(&expression.into(), &js(snapshot)?, &js(ctx)?))
    }

    fn due(&mut self, snapshot: &Value, now: &Value) -> Answer {
        out(self.machine()?.due(&js(snapshot)?, &js(now)?))
    }

    fn deadlines(&mut self, snapshot: &Value) -> Answer {
        out(self.machine()?.deadlines(&js(snapshot)?))
    }

    fn simulate(&mut self, snapshot: &Value, ctx: &Value, script: &Value) -> Answer {
        out(self.machine()?.simulate(&js(snapshot)?, &js(ctx)?, &js(script)?))
    }

    fn adopt(&mut self, snapshot: &Value, mapping: &Value) -> Answer {
        out(self.machine()?.adopt(&js(snapshot)?, &js(mapping)?))
    }

    fn instance(&mut self, snapshot: &Value, lines: &[Value]) -> Answer {
        let machine = self.machine()?;
        let actions = machine.actions();
        let instance = machine.instance(&js(snapshot)?).map_err(thrown)?;
        let mut answers = Vec::new();
        for line in lines {
            if let Some(object) = line.get("object") {
                instance.set_object(&js(object)?).map_err(thrown)?;
                answers.push(Value::Null);
                continue;
            }
            let number = actions.iter().position(|action| line["action"] == action.as_str());
            let number = number.and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX);
            instance.set_context(&js(&line["ctx"])?).map_err(thrown)?;
            let can = instance.can(f64::from(number));
            let taken = instance
                .apply(f64::from(number), millis(&line["ctx"]["timestamp"]))
                .map_err(thrown)?;
            answers.push(json!({
                "can": can,
                "taken": taken,
                "refusal": out(instance.refusal())?,
                "records": out(instance.take_records())?,
                "snapshot": out(instance.snapshot())?,
            }));
        }
        Ok(Value::Array(answers))
    }

    fn diagrams(&mut self, options: &Value) -> Answer {
        let (machine, options) = (self.machine()?, js(options)?);
        let mermaid = machine.to_mermaid(&options).map_err(thrown)?;
        Ok(json!({ "mermaid": mermaid, "dot": machine.to_dot(&options).map_err(thrown)? }))
    }

    fn edges(&mut self, options: &Value) -> Answer {
        let options = js(options)?;
        out(self.machine()?.edges(&options))
    }

    fn import_scxml(&mut self, text: &str) -> Answer {
        out(veristate_web::from_scxml(&text.into(), &JsValue::UNDEFINED))
    }

    fn import_xstate(&mut self, text: &str) -> Answer {
        out(veristate_web::from_xstate(&text.into(), &JsValue::UNDEFINED))
    }

    fn action_for_event(&mut self, event: &str) -> Answer {
        let action = self.machine()?.action_for_event(&event.into()).map_err(thrown)?;
        Ok(action.map_or(Value::Null, Value::from))
    }

    fn exports(&mut self) -> Answer {
        let machine = self.machine()?;
        let left_out = |format: &str| out(machine.left_out(&format.into()));
        Ok(json!({
            "scxml": machine.to_scxml(),
            "xstate": out(machine.to_xstate())?,
            "left_out": { "scxml": left_out("scxml")?, "xstate": left_out("xstate")? },
        }))
    }

    fn explore(&mut self, limits: &Value) -> Answer {
        let (machine, limits) = (self.machine()?, js(limits)?);
        Ok(json!({
            "flat": out(machine.flatten(&limits))?,
            "routes": out(machine.routes(&limits))?,
            "vectors": out(machine.test_vectors(&limits))?,
        }))
    }

    fn history(&mut self, rows: &Value, options: &Value) -> Answer {
        let history = self.machine()?.history(&js(rows)?, &js(options)?).map_err(thrown)?;
        let history = self.history.insert(history);
        Ok(json!({
            "rows": out(history.rows())?,
            "violations": out(history.violations())?,
            "timeline": out(history.timeline())?,
        }))
    }

    fn of_history(&mut self, question: Question<'_>) -> Answer {
        let none = || Error_::new("no-history", "no history was read");
        let history = self.history.as_ref().ok_or_else(none)?;
        out(match question {
            Question::StateAt(at) => history.state_at(&js(at)?),
            Question::Dwell(options) => history.dwell(&js(options)?),
            Question::Cycle(from, to) => history.cycle(&from.into(), &to.into()),
            Question::Overdue => history.overdue(),
            Question::SnapshotAt(at) => history.snapshot_at(&js(at)?),
            Question::Card(ctx) => history.card(&js(ctx)?),
        })
    }

    fn log(&mut self, objects: &Value, text: &Text<'_>) -> Answer {
        let log = self.machine()?.log();
        if !objects.is_null() {
            log.add_objects(&js(objects)?).map_err(thrown)?;
        }
        let (format, options) = (text.format.into(), js(text.options)?);
        let answer = match text.chunk {
            None => log.read(&Uint8Array::from(text.bytes), &format, &options),
            Some(size) => {
                let reader = log.reader(&format, &options).map_err(thrown)?;
                for chunk in text.bytes.chunks(size) {
                    reader.feed(&Uint8Array::from(chunk)).map_err(thrown)?;
                }
                reader.end()
            }
        };
        self.log = Some(log);
        out(answer)
    }

    fn of_log(&mut self, question: LogQuestion<'_>) -> Answer {
        let log = self.log.as_ref().ok_or_else(|| Error_::new("no-log", "no log was made"))?;
        out(match question {
            LogQuestion::Report(options) => log.report(&js(options)?),
            LogQuestion::Objects(options) => log.objects(&js(options)?),
            LogQuestion::StateAt(at, options) => log.state_at(&js(at)?, &js(options)?),
            LogQuestion::Records(object_id) => log.records(&object_id.into()),
            LogQuestion::Replay(definition, options) => {
                let other = Machine::new(&js(definition)?, &JsValue::UNDEFINED).map_err(thrown)?;
                log.replay(&other, &js(options)?)
            }
            LogQuestion::Discover(object_type) => log.discover(&object_type.into()),
        })
    }

    fn read(&mut self, log: &[u8], format: &str, options: &Value) -> Answer {
        let read =
            |log: &JsValue| out(veristate_web::read_records(log, &format.into(), &js(options)?));
        let of_bytes = read(&Uint8Array::from(log))?;
        // A text is read as its bytes are; JavaScript has no text that is not Unicode.
        match core::str::from_utf8(log) {
            Ok(text) if read(&text.into())? != of_bytes => {
                Err(Error_::new("no-answer", "a text is read otherwise than its bytes"))
            }
            _ => Ok(of_bytes),
        }
    }

    fn detect(&mut self, log: &[u8], name: Option<&str>) -> Answer {
        let name = name.map_or(JsValue::UNDEFINED, JsValue::from);
        out(veristate_web::detect_format(&Uint8Array::from(log), &name))
    }

    fn diff(&mut self, older: &Value, newer: &Value) -> Answer {
        let machine = |definition: &Value| {
            Machine::new(&js(definition)?, &JsValue::UNDEFINED).map_err(thrown)
        };
        out(machine(older)?.diff(&machine(newer)?))
    }

    fn evaluate(&mut self, expression: &str, variables: &Map<String, Value>) -> Answer {
        let variables = js(&Value::Object(variables.clone()))?;
        out(veristate_web::evaluate(&expression.into(), &variables))
    }
}

/// A value as JavaScript has it. What is left out is undefined.
pub(crate) fn js(value: &Value) -> Result<JsValue, Error_> {
    match value {
        Value::Null => Ok(JsValue::UNDEFINED),
        value => JSON::parse(&value.to_string())
            .map_err(|_| Error_::new("no-json", "JavaScript cannot read the value")),
    }
}

/// An answer of JavaScript; undefined is null.
pub(crate) fn out(answer: Result<JsValue, Thrown>) -> Answer {
    let value = answer.map_err(thrown)?;
    if value.is_undefined() {
        return Ok(Value::Null);
    }
    let text = JSON::stringify(&value).ok().and_then(|text| JsValue::from(text).as_string());
    text.and_then(|text| serde_json::from_str(&text).ok())
        .ok_or_else(|| Error_::new("no-json", "the answer cannot be written as JSON"))
}

/// What JavaScript catches.
pub(crate) fn thrown(thrown: Thrown) -> Error_ {
    let error = JsValue::from(thrown);
    let field = |name: &str| Reflect::get(&error, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if !error.is_instance_of::<Error>() || field("name") != "VeristateError" {
        return Error_::new("no-error", "what is thrown is no VeristateError");
    }
    let code = field("code").as_string().unwrap_or_default();
    let message = field("message").as_string().unwrap_or_default();
    let diagnostics = out(Ok(field("diagnostics"))).ok().filter(|found| !found.is_null());
    Error_ { diagnostics, ..Error_::new(&code, message) }
}

fn millis(time: &Value) -> f64 {
    let time: Option<Time> = serde_json::from_value(time.clone()).ok();
    #[expect(clippy::cast_precision_loss, reason = "JavaScript has no other number")]
    time.map_or(f64::NAN, |time| time.micros() as f64 / 1000.0)
}
