//! The surface of JavaScript: values go through `JSON.parse` and `JSON.stringify`, as in a program.

use js_sys::{Error, Function, JSON, Reflect};
use serde_json::{Map, Value, json};
use veristate::Time;
use veristate_runner::{Answer, Says, Surface, Thrown as Error_};
use veristate_web::{Machine, Thrown};
use wasm_bindgen::prelude::*;

/// The classes of the package.
#[derive(Default)]
pub(crate) struct Web(Option<Machine>);

impl Web {
    fn machine(&self) -> Result<&Machine, Error_> {
        self.0.as_ref().ok_or_else(|| Error_::new("no-machine", "no machine was made"))
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
        out(self.0.insert(machine).diagnostics())
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
