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

    /// What an expression gives. It needs no machine.
    fn evaluate(&mut self, expression: &str, variables: &Map<String, Value>) -> Answer;
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
