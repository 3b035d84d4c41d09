//! A surface: one way to the rules.

use std::fmt;

use serde_json::{Map, Value, json};

/// One way to the rules, in terms of JSON. It holds at most one machine; `open` makes it.
///
/// An argument that is left out is null.
#[expect(clippy::missing_errors_doc, reason = "each throws what its surface throws, as said there")]
pub trait Surface {
    /// The name by which a case can skip it.
    fn name(&self) -> &'static str;

    /// Everything that is found in a text.
    fn check(&mut self, text: &str, limits: &Value) -> Answer;

    /// Makes the machine of a definition, given as text (a string) or as an object, and answers with
    /// its diagnostics. Guards of the machine before are gone.
    fn open(&mut self, definition: &Value, limits: &Value) -> Answer;

    /// What the machine says of itself: `{ "definition", "states", "actions", "permissions", "operations",
    /// "guards", "inputs", "outline", "leads" }`, the last one with the pairs of states that a transition leads between.
    fn about(&mut self) -> Answer;

    /// Registers a guard that always says the same.
    fn guard(&mut self, name: &str, says: Says) -> Answer;

    /// Creates an object.
    fn start(&mut self, object: &Value, ctx: &Value, request: &Value) -> Answer;

    /// Decides an action.
    fn decide(&mut self, snapshot: &Value, action: &str, ctx: &Value, request: &Value) -> Answer;

    /// Lists actions.
    fn available(&mut self, snapshot: &Value, ctx: &Value, options: &Value) -> Answer;

    /// Whether an action would be accepted.
    fn can(&mut self, snapshot: &Value, action: &str, ctx: &Value) -> Answer;

    /// Whether an operation is permitted.
    fn permits(&mut self, snapshot: &Value, operation: &str) -> Answer;

    /// Which entry conditions the object breaks.
    fn check_object(&mut self, snapshot: &Value, ctx: &Value) -> Answer;

    /// What the guards of the object's state say.
    fn guards(&mut self, snapshot: &Value, ctx: &Value, request: &Value) -> Answer;

    /// Evaluates an expression as a guard of the machine would see it.
    fn evaluate_guard(&mut self, expression: &str, snapshot: &Value, ctx: &Value) -> Answer;

    /// What is due at a time.
    fn due(&mut self, snapshot: &Value, now: &Value) -> Answer;

    /// What will be due, whenever.
    fn deadlines(&mut self, snapshot: &Value) -> Answer;

    /// Plays a script.
    fn simulate(&mut self, snapshot: &Value, ctx: &Value, script: &Value) -> Answer;

    /// Moves a snapshot to this version of the definition.
    fn adopt(&mut self, snapshot: &Value, mapping: &Value) -> Answer;

    /// Plays lines on an instance: `{ "ctx", "action" }`, at the time of `ctx`, or `{ "object" }`. The
    /// answer has one item for each line: `{ "can", "taken", "refusal", "records", "snapshot" }` for an
    /// action, null for data.
    fn instance(&mut self, snapshot: &Value, lines: &[Value]) -> Answer;

    /// The drawings: `{ "mermaid", "dot" }`.
    fn diagrams(&mut self, options: &Value) -> Answer;

    /// The arrows of the drawings with these options.
    fn edges(&mut self, options: &Value) -> Answer;

    /// The definition of an SCXML document. It needs no machine.
    fn import_scxml(&mut self, text: &str) -> Answer;

    /// The definition of a config of XState. It needs no machine.
    fn import_xstate(&mut self, text: &str) -> Answer;

    /// The action that an event stands for in a machine that came from SCXML.
    fn action_for_event(&mut self, event: &str) -> Answer;

    /// What the machine is exported to: `{ "scxml", "xstate", "left_out": { "scxml", "xstate" } }`.
    fn exports(&mut self) -> Answer;

    /// All configurations of the machine: `{ "flat", "routes", "vectors" }`.
    fn explore(&mut self, limits: &Value) -> Answer;

    /// Reads the history of an object and keeps it: `{ "rows", "violations", "timeline" }`.
    fn history(&mut self, rows: &Value, options: &Value) -> Answer;

    /// Asks the history that was read last.
    fn of_history(&mut self, question: Question<'_>) -> Answer;

    /// Makes a log for the machine and keeps it: of objects that are known beside the rows, and of a text, read as a
    /// whole or in chunks of so many bytes.
    fn log(&mut self, objects: &Value, text: &Text<'_>) -> Answer;

    /// Asks the log that was made last.
    fn of_log(&mut self, question: LogQuestion<'_>) -> Answer;

    /// Reads a log as a whole: `{ "records", "refused", "summary" }`. It needs no machine.
    fn read(&mut self, log: &[u8], format: &str, options: &Value) -> Answer;

    /// The format of a log.
    fn detect(&mut self, log: &[u8], name: Option<&str>) -> Answer;

    /// What has changed from one definition to another. It needs no machine.
    fn diff(&mut self, older: &Value, newer: &Value) -> Answer;

    /// What an expression gives. It needs no machine.
    fn evaluate(&mut self, expression: &str, variables: &Map<String, Value>) -> Answer;
}

/// What a history is asked.
#[derive(Clone, Copy, Debug)]
pub enum Question<'q> {
    /// Where the object was at a time.
    StateAt(&'q Value),
    /// How long it was where, with these options.
    Dwell(&'q Value),
    /// How long it took from one state to another.
    Cycle(&'q str, &'q str),
    /// Which timeouts have passed.
    Overdue,
    /// What a server would have stored at a time.
    SnapshotAt(&'q Value),
    /// The operator's card, for this context.
    Card(&'q Value),
}

/// A log as text.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    /// The text.
    pub bytes: &'t [u8],
    /// How it is written.
    pub format: &'t str,
    /// How it is to be read.
    pub options: &'t Value,
    /// In chunks of so many bytes; nothing for the whole.
    pub chunk: Option<usize>,
}

/// What a log is asked.
#[derive(Clone, Copy, Debug)]
pub enum LogQuestion<'q> {
    /// Everything, with these options.
    Report(&'q Value),
    /// A line for each object, with these options.
    Objects(&'q Value),
    /// Where all objects were at a time, with these options.
    StateAt(&'q Value, &'q Value),
    /// The records of one object.
    Records(&'q str),
    /// What another definition makes of it, with these options.
    Replay(&'q Value, &'q Value),
    /// The definition that it shows, for this type of objects.
    Discover(&'q str),
}

/// What a surface answers.
pub type Answer = Result<Value, Thrown>;

/// An error in place of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Thrown {
    /// The stable name of the cause.
    pub code: String,
    /// What was found about a definition.
    pub diagnostics: Option<Value>,
    /// For people; never compared.
    pub message: String,
}

impl Thrown {
    /// An error without diagnostics.
    #[must_use]
    pub fn new(code: &str, message: impl fmt::Display) -> Self {
        Self { code: code.into(), diagnostics: None, message: format!("{message}") }
    }

    /// The part that every surface must agree on.
    pub(crate) fn to_value(&self) -> Value {
        match &self.diagnostics {
            None => json!({ "error": self.code }),
            Some(found) => json!({ "error": self.code, "diagnostics": found }),
        }
    }
}

/// What a guard of a case says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Says {
    /// True.
    Yes,
    /// False.
    No,
    /// It fails.
    Unknown,
}

impl Says {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(true) => Some(Self::Yes),
            Value::Bool(false) => Some(Self::No),
            Value::String(text) if text == "unknown" => Some(Self::Unknown),
            _ => None,
        }
    }
}
