//! `evaluate`: an expression tried by itself.

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

use serde_json::{Map, Value};

use super::{
    Bounds, Names, Problem, Program,
    answer::{Evaluation, EvaluationStatus},
    cause::Unknown,
    compile, height,
    literal::{to_json, write},
    run::{Run, World},
    types::Types,
    value,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    limits::Limits,
    machine::Machine,
    name::did_you_mean,
    place::place_of,
    step::{Context, Data, ForeignSnapshot, Snapshot, TooDeep},
};

/// An expression that has been read, to be evaluated on variables of any names. (The guards of a machine see
/// `object`, `ctx` and `states` alone, and are compiled with its definition.)
#[derive(Debug)]
pub struct Expression {
    program: Program,
    findings: Vec<Diagnostic>,
    steps: usize,
}

/// A text that is no expression, and why.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the expression cannot be read: {}", self.diagnostic.message)]
pub struct InvalidExpression {
    /// What is wrong; line and column are those of the expression.
    pub diagnostic: Box<Diagnostic>,
}

impl InvalidExpression {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-expression"
    }
}

impl Expression {
    /// Reads an expression in CEL.
    ///
    /// Cost: linear in the length of the text.
    ///
    /// # Errors
    ///
    /// The text is no expression, or larger than the default [`Limits`].
    pub fn new(text: &str) -> Result<Self, InvalidExpression> {
        Self::new_within(text, &Limits::default())
    }

    /// Reads an expression within `limits`.
    ///
    /// # Errors
    ///
    /// As [`Expression::new`].
    pub fn new_within(text: &str, limits: &Limits) -> Result<Self, InvalidExpression> {
        let invalid = |diagnostic| InvalidExpression { diagnostic };
        within(text, limits).map_err(invalid)?;
        let bounds = Bounds::of(limits);
        let (program, problems) = compile(text, Names::Variables, bounds)
            .map_err(|problem| invalid(Box::new(finding(text, problem))))?;
        let findings = problems.into_iter().map(|problem| finding(text, problem)).collect();
        Ok(Self { program, findings, steps: bounds.steps })
    }

    /// Evaluates it: true, false, a value, or unknown and why.
    ///
    /// Cost: at most the limit `evaluation_steps`; beyond, the answer is unknown, too.
    #[must_use]
    pub fn evaluate(&self, variables: &Map<String, Value>) -> Evaluation {
        if let Some((name, _)) = variables.iter().find(|(_, value)| TooDeep::check(value).is_err())
        {
            let missing = Unknown::too_deep(name, TooDeep::LIMIT).causes();
            return Evaluation { missing, ..Evaluation::without_value(EvaluationStatus::Unknown) };
        }
        let dotted = variables.keys().any(|name| name.contains('.'));
        let world = World::Variables { map: variables, dotted };
        answer(&self.program, world, self.steps, self.findings.clone())
    }
}

/// What a program gives in a world, beside what was found about it.
fn answer(
    program: &Program,
    world: World<'_>,
    steps: usize,
    diagnostics: Vec<Diagnostic>,
) -> Evaluation {
    let mut run = Run::new(program, world, steps).traced();
    let answer = run.value();
    let values = run.into_trace().readings();
    match answer {
        Ok(value) => Evaluation {
            status: match value {
                value::Value::Bool(true) => EvaluationStatus::True,
                value::Value::Bool(false) => EvaluationStatus::False,
                _ => EvaluationStatus::Value,
            },
            type_name: Some(Types::of(&value).name()),
            value: Some(to_json(&value)),
            text: Some(write(&value)),
            values,
            missing: Vec::new(),
            diagnostics,
        },
        Err(unknown) => Evaluation {
            missing: Unknown::causes(unknown),
            values,
            diagnostics,
            ..Evaluation::without_value(EvaluationStatus::Unknown)
        },
    }
}

impl Machine {
    /// Evaluates an expression on an object as a guard of this machine would see it: `object`, `ctx` and
    /// `states`, and the guards of the definition by name. The answer may be any value. Never changes
    /// anything; what is no expression is an answer, too.
    ///
    /// Cost: linear in the length of the expression, and at most the limit `evaluation_steps`.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn evaluate(
        &self,
        expression: &str,
        snapshot: &Snapshot,
        ctx: &Context,
    ) -> Result<Evaluation, ForeignSnapshot> {
        let place = self.locate(snapshot)?;
        let object = &snapshot.object;
        let data = Data { object, after: object, ctx, explained: true };
        let scene = self.scene(&place.situation.active, object, data);
        let limits = &self.shared.limits;
        Ok(match self.compiled(expression, limits) {
            Ok((program, findings)) => {
                let (table, guards) = (&self.shared.resolved.guards, &*self.guards);
                let world = World::Machine { scene, guards, table };
                answer(&program, world, limits.evaluation_steps, findings)
            }
            Err(fault) => Evaluation::invalid(*fault),
        })
    }

    /// An expression as this machine reads it, with what is found about it.
    fn compiled(
        &self,
        text: &str,
        limits: &Limits,
    ) -> Result<(Program, Vec<Diagnostic>), Box<Diagnostic>> {
        within(text, limits)?;
        let unknown_state = |path: &str| match self.state_id(path) {
            Some(_) => None,
            None => Some(match did_you_mean(path, self.states().iter().map(String::as_str)) {
                near if near.is_empty() => "name a state that there is".into(),
                near => near.trim_start_matches("; ").into(),
            }),
        };
        let is_guard = |name: &str| self.guard_id(name).is_some();
        let names = Names::Machine {
            is_guard: &is_guard,
            unknown_state: &unknown_state,
            is_condition: false,
        };
        let (mut program, problems) = compile(text, names, Bounds::of(limits))
            .map_err(|problem| Box::new(finding(text, problem)))?;
        let mut ids = Vec::new();
        for (name, byte) in program.guards() {
            ids.push(self.guard_id(name).ok_or_else(|| {
                let message = format!("there is no guard `{name}` in this definition");
                let help = "name a guard that the definition asks, or write its expression";
                Box::new(placed(text, byte, Code::UnknownVariable, message, help))
            })?);
        }
        program.guard_ids = ids;
        let deepest = Bounds::of(limits).depth;
        if height(&program, &self.shared.resolved.guards) > deepest {
            let message = format!(
                "with the guards that it names, the expression is nested more deeply than the limit `expression_depth`, {deepest}"
            );
            let help = "ask for less in one expression, or raise the limit";
            return Err(Box::new(Diagnostic::new(
                Code::LimitExceeded,
                String::new(),
                message,
                help,
            )));
        }
        Ok((program, problems.into_iter().map(|problem| finding(text, problem)).collect()))
    }
}

fn within(text: &str, limits: &Limits) -> Result<(), Box<Diagnostic>> {
    let help = "split it, or raise the limit";
    let fault = |message| Diagnostic::new(Code::LimitExceeded, String::new(), message, help);
    limits.expression_too_long(text).map_or(Ok(()), |message| Err(Box::new(fault(message))))
}

impl Evaluation {
    fn invalid(fault: Diagnostic) -> Self {
        Self { diagnostics: vec![fault], ..Self::without_value(EvaluationStatus::Invalid) }
    }

    fn without_value(status: EvaluationStatus) -> Self {
        Self {
            status,
            type_name: None,
            value: None,
            text: None,
            values: Vec::new(),
            missing: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// Evaluates an expression on variables: true, false, a value, or unknown and why. Never fails: what is no
/// expression is an answer, too.
///
/// Cost: linear in the length of the expression, and at most the default limit `evaluation_steps`.
///
/// ```
/// use veristate::{EvaluationStatus, evaluate};
///
/// let variables = serde_json::json!({ "amount": 12_000, "limit": 10_000 });
/// let answer = evaluate("amount <= limit", variables.as_object().expect("an object"));
/// assert_eq!(answer.status, EvaluationStatus::False);
/// assert_eq!(answer.values[0].path, "amount");
/// ```
#[must_use]
pub fn evaluate(expression: &str, variables: &Map<String, Value>) -> Evaluation {
    match Expression::new(expression) {
        Ok(expression) => expression.evaluate(variables),
        Err(invalid) => Evaluation::invalid(*invalid.diagnostic),
    }
}

fn finding(text: &str, problem: Problem) -> Diagnostic {
    placed(text, problem.byte(), problem.code, problem.message, problem.help)
}

/// A finding at a byte of an expression.
fn placed(
    text: &str,
    byte: u32,
    code: Code,
    message: String,
    help: impl Into<String>,
) -> Diagnostic {
    let mut found = Diagnostic::new(code, String::new(), message, help);
    (found.line, found.column) = place_of(text, byte as usize);
    found
}
