//! The native surface: the crate itself.

use std::collections::BTreeMap;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use veristate::{
    ActionId, AdoptError, Context, DecideError, Definition, FlattenError, ForeignSnapshot, History,
    HistoryError, HistoryOptions, InvalidDefinition, InvalidInput, InvalidReadOptions,
    InvalidScxml, InvalidXstate, Limits, Log, LogError, LogOptions, LogReader, LogRow, Machine,
    ReadOptions, RecordFormat, Request, ScriptStep, SimulateError, Snapshot, StartError, Time,
    TooDeep, UnknownGuard,
};

use crate::surface::{Answer, LogQuestion, Question, Says, Surface, Text, Thrown};

/// The crate `veristate` in this program.
#[derive(Debug, Default)]
pub struct Native {
    machine: Option<Machine>,
    history: Option<History>,
    log: Option<Log>,
}

impl Native {
    fn machine(&self) -> Result<&Machine, Thrown> {
        self.machine.as_ref().ok_or_else(|| Thrown::new("no-machine", "no machine was made"))
    }
}

impl Surface for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn check(&mut self, text: &str, limits: &Value) -> Answer {
        answer(&veristate::check(text, &optional(limits)?))
    }

    fn open(&mut self, definition: &Value, limits: &Value) -> Answer {
        let limits: Limits = optional(limits)?;
        let machine = match definition {
            Value::String(text) => Machine::from_json_within(text, &limits)?,
            object => Definition::from_json_within(&object.to_string(), &limits)
                .and_then(|definition| Machine::new_within(definition, &limits))
                .map_err(InvalidDefinition::without_positions)?,
        };
        answer(self.machine.insert(machine).diagnostics())
    }

    fn about(&mut self) -> Answer {
        let machine = self.machine()?;
        let states = machine.states();
        let pairs = states.iter().flat_map(|from| states.iter().map(move |to| (from, to)));
        let leads: Vec<_> = pairs.filter(|(from, to)| machine.can_transition(from, to)).collect();
        Ok(json!({
            "definition": answer(machine.definition())?,
            "states": states,
            "actions": machine.actions().collect::<Vec<_>>(),
            "permissions": machine.permissions(),
            "operations": machine.operations(),
            "guards": machine.host_guards().collect::<Vec<_>>(),
            "inputs": answer(&machine.inputs())?,
            "outline": answer(&machine.outline())?,
            "leads": leads,
        }))
    }

    fn guard(&mut self, name: &str, says: Says) -> Answer {
        let machine = self
            .machine
            .as_mut()
            .ok_or_else(|| Thrown::new("no-machine", "no machine was made"))?;
        machine.register_guard(name, move |_: &Value, _: &Context, _: &[String]| match says {
            Says::Yes => Ok(true),
            Says::No => Ok(false),
            Says::Unknown => Err("it threw: unknown".into()),
        })?;
        Ok(Value::Null)
    }

    fn start(&mut self, object: &Value, ctx: &Value, request: &Value) -> Answer {
        let (ctx, request): (Context, Request) = (optional(ctx)?, optional(request)?);
        answer(&self.machine()?.start(&argument(object)?, &ctx, &request)?)
    }

    fn decide(&mut self, snapshot: &Value, action: &str, ctx: &Value, request: &Value) -> Answer {
        let (ctx, request): (Context, Request) = (optional(ctx)?, optional(request)?);
        answer(&self.machine()?.decide(&argument(snapshot)?, action, &ctx, &request)?)
    }

    fn available(&mut self, snapshot: &Value, ctx: &Value, options: &Value) -> Answer {
        let ctx: Context = optional(ctx)?;
        answer(&self.machine()?.available(&argument(snapshot)?, &ctx, &optional(options)?)?)
    }

    fn can(&mut self, snapshot: &Value, action: &str, ctx: &Value) -> Answer {
        answer(&self.machine()?.can(&argument(snapshot)?, action, &optional(ctx)?)?)
    }

    fn permits(&mut self, snapshot: &Value, operation: &str) -> Answer {
        answer(&self.machine()?.permits(&argument(snapshot)?, operation)?)
    }

    fn check_object(&mut self, snapshot: &Value, ctx: &Value) -> Answer {
        answer(&self.machine()?.check_object(&argument(snapshot)?, &optional(ctx)?)?)
    }

    fn guards(&mut self, snapshot: &Value, ctx: &Value, request: &Value) -> Answer {
        let (ctx, request): (Context, Request) = (optional(ctx)?, optional(request)?);
        answer(&self.machine()?.guards(&argument(snapshot)?, &ctx, &request)?)
    }

    fn evaluate_guard(&mut self, expression: &str, snapshot: &Value, ctx: &Value) -> Answer {
        let (snapshot, ctx) = (argument(snapshot)?, optional(ctx)?);
        answer(&self.machine()?.evaluate(expression, &snapshot, &ctx)?)
    }

    fn due(&mut self, snapshot: &Value, now: &Value) -> Answer {
        answer(&self.machine()?.due(&argument(snapshot)?, time(now)?)?)
    }

    fn deadlines(&mut self, snapshot: &Value) -> Answer {
        answer(&self.machine()?.deadlines(&argument(snapshot)?)?)
    }

    fn simulate(&mut self, snapshot: &Value, ctx: &Value, script: &Value) -> Answer {
        let script: Vec<ScriptStep> = veristate::read_list(&script.to_string())?;
        answer(&self.machine()?.simulate(&argument(snapshot)?, &optional(ctx)?, &script)?)
    }

    fn adopt(&mut self, snapshot: &Value, mapping: &Value) -> Answer {
        let mapping: BTreeMap<String, String> = optional(mapping)?;
        answer(&self.machine()?.adopt(&argument(snapshot)?, &mapping)?)
    }

    fn instance(&mut self, snapshot: &Value, lines: &[Value]) -> Answer {
        let machine = self.machine()?;
        let mut instance = machine.instance(argument::<Snapshot>(snapshot)?)?;
        let mut answers = Vec::new();
        for line in lines {
            if let Some(object) = line.get("object") {
                instance.set_object(object.clone())?;
                answers.push(Value::Null);
                continue;
            }
            let action = line["action"].as_str().unwrap_or_default();
            let action = machine.action_id(action).unwrap_or(ActionId::from_number(u32::MAX));
            let at = time(&line["ctx"]["timestamp"])?;
            instance.set_context(argument(&line["ctx"])?);
            let can = instance.can(action);
            let refusal = instance.apply(action, at).err();
            answers.push(json!({
                "can": can,
                "taken": refusal.is_none(),
                "refusal": answer(&refusal)?,
                "records": answer(&instance.take_records())?,
                "snapshot": answer(&instance.snapshot())?,
            }));
        }
        Ok(Value::Array(answers))
    }

    fn diagrams(&mut self, options: &Value) -> Answer {
        let options = optional(options)?;
        let machine = self.machine()?;
        Ok(json!({ "mermaid": machine.to_mermaid(&options), "dot": machine.to_dot(&options) }))
    }

    fn edges(&mut self, options: &Value) -> Answer {
        answer(&self.machine()?.edges_within(&optional(options)?))
    }

    fn import_scxml(&mut self, text: &str) -> Answer {
        answer(&Definition::from_scxml(text)?)
    }

    fn import_xstate(&mut self, text: &str) -> Answer {
        answer(&Definition::from_xstate(text)?)
    }

    fn action_for_event(&mut self, event: &str) -> Answer {
        answer(&self.machine()?.action_for_event(event))
    }

    fn exports(&mut self) -> Answer {
        let machine = self.machine()?;
        let (scxml, xstate) = (machine.to_scxml(), machine.to_xstate());
        let config: Value =
            serde_json::from_str(&xstate.config).map_err(|error| Thrown::new("no-json", error))?;
        Ok(json!({
            "scxml": scxml.text,
            "xstate": config,
            "left_out": { "scxml": answer(&scxml.left_out)?, "xstate": answer(&xstate.left_out)? },
        }))
    }

    fn explore(&mut self, limits: &Value) -> Answer {
        let (machine, limits) = (self.machine()?, optional(limits)?);
        Ok(json!({
            "flat": answer(&machine.flatten(&limits)?)?,
            "routes": answer(&machine.routes(&limits)?)?,
            "vectors": answer(&machine.test_vectors(&limits)?)?,
        }))
    }

    fn history(&mut self, rows: &Value, options: &Value) -> Answer {
        let rows: Vec<LogRow> = veristate::read_list(&rows.to_string())?;
        let options: HistoryOptions = argument(options)?;
        let history = self.machine()?.history(&rows, &options)?;
        let history = self.history.insert(history);
        Ok(json!({
            "rows": answer(history.rows())?,
            "violations": answer(history.violations())?,
            "timeline": answer(&history.timeline())?,
        }))
    }

    fn of_history(&mut self, question: Question<'_>) -> Answer {
        let none = || Thrown::new("no-history", "no history was read");
        let history = self.history.as_ref().ok_or_else(none)?;
        match question {
            Question::StateAt(at) => answer(&history.state_at(time(at)?)),
            Question::Dwell(options) => answer(&history.dwell(&optional(options)?)),
            Question::Cycle(from, to) => answer(&history.cycle(from, to)),
            Question::Overdue => answer(&history.overdue()),
            Question::SnapshotAt(at) => answer(&history.snapshot_at(time(at)?)),
            Question::Card(ctx) => answer(&history.card(&optional(ctx)?)),
        }
    }

    fn log(&mut self, objects: &Value, text: &Text<'_>) -> Answer {
        let mut log = Log::new();
        for object in objects.as_array().into_iter().flatten() {
            let created_at = match &object["created_at"] {
                Value::Null => None,
                at => Some(time(at)?),
            };
            let id = object["object_id"].as_str().unwrap_or_default();
            log.add_object(id, created_at, object["tenant_id"].as_str())?;
        }
        let options: ReadOptions = optional(text.options)?;
        let mut reader = LogReader::into(log, record_format(text.format)?, &options)?;
        for chunk in text.bytes.chunks(text.chunk.unwrap_or(usize::MAX)) {
            reader.feed(chunk);
        }
        let (log, read) = reader.finish();
        self.log = Some(log);
        answer(&read)
    }

    fn of_log(&mut self, question: LogQuestion<'_>) -> Answer {
        let log = self.log.as_ref().ok_or_else(|| Thrown::new("no-log", "no log was made"))?;
        let machine = self.machine()?;
        match question {
            LogQuestion::Report(options) => answer(&log.report(machine, &argument(options)?)),
            LogQuestion::Objects(options) => answer(&log.objects(machine, &argument(options)?)),
            LogQuestion::StateAt(at, options) => {
                let at = time(at)?;
                let options = match options {
                    Value::Null => LogOptions::at(at),
                    options => argument(options)?,
                };
                answer(&log.state_at(machine, at, &options))
            }
            LogQuestion::Records(object_id) => answer(&log.records_of(object_id)),
            LogQuestion::Replay(definition, options) => {
                let other =
                    Definition::from_json(&definition.to_string()).and_then(Machine::new)?;
                answer(&log.replay(&other, &argument(options)?))
            }
            LogQuestion::Discover(object_type) => answer(&log.discover(object_type)),
        }
    }

    fn read(&mut self, log: &[u8], format: &str, options: &Value) -> Answer {
        let options: ReadOptions = optional(options)?;
        answer(&veristate::read_records(log, record_format(format)?, &options)?)
    }

    fn detect(&mut self, log: &[u8], name: Option<&str>) -> Answer {
        answer(&RecordFormat::detect(log, name))
    }

    fn diff(&mut self, older: &Value, newer: &Value) -> Answer {
        let machine = |definition: &Value| {
            Definition::from_json(&definition.to_string()).and_then(Machine::new)
        };
        answer(&machine(older)?.diff(&machine(newer)?))
    }

    fn evaluate(&mut self, expression: &str, variables: &Map<String, Value>) -> Answer {
        answer(&veristate::evaluate(expression, variables))
    }
}

fn answer<T: Serialize + ?Sized>(value: &T) -> Answer {
    serde_json::to_value(value).map_err(|error| Thrown::new("no-answer", error))
}

fn argument<T: DeserializeOwned>(value: &Value) -> Result<T, Thrown> {
    Ok(veristate::read(&value.to_string())?)
}

fn optional<T: DeserializeOwned + Default>(value: &Value) -> Result<T, Thrown> {
    if value.is_null() { Ok(T::default()) } else { argument(value) }
}

fn record_format(name: &str) -> Result<RecordFormat, Thrown> {
    serde_json::from_value(name.into()).map_err(|error| Thrown::new("invalid-argument", error))
}

fn time(value: &Value) -> Result<Time, Thrown> {
    serde_json::from_value(value.clone()).map_err(|error| Thrown::new("invalid-argument", error))
}

impl From<InvalidInput> for Thrown {
    fn from(error: InvalidInput) -> Self {
        Self::new("invalid-argument", error)
    }
}

/// An error of the core with everything that was found.
macro_rules! thrown_with_diagnostics {
    ($($error:ident),*) => {
        $(impl From<$error> for Thrown {
            fn from(error: $error) -> Self {
                let diagnostics = serde_json::to_value(error.diagnostics()).ok();
                Self { diagnostics, ..Self::new(error.code(), error) }
            }
        })*
    };
}

thrown_with_diagnostics!(InvalidDefinition, InvalidScxml, InvalidXstate);

/// An error of the core: its code and its sentence.
macro_rules! thrown {
    ($($error:ident),*) => {
        $(impl From<$error> for Thrown {
            fn from(error: $error) -> Self {
                Self::new(error.code(), error)
            }
        })*
    };
}

thrown!(
    AdoptError,
    DecideError,
    FlattenError,
    ForeignSnapshot,
    HistoryError,
    InvalidReadOptions,
    LogError,
    SimulateError,
    StartError,
    TooDeep,
    UnknownGuard
);
