//! Guards: conditions that are true, false or unknown.
//!
//! A guard is an expression in CEL, compiled once with the definition, or a
//! function that the host registers. *Unknown* is a guard that gave no answer
//! (an input is missing, a function failed); it is never taken for false.
//! Only this module knows the language. Source: DESIGN §3; the CEL language
//! definition and its conformance suite.
//!
//! ```text
//! text ─ token ─ parse ─ tree ─ lower ─ program ─ run ─ value
//! ```

mod alternatives;
mod answer;
mod arithmetic;
mod budget;
mod cause;
mod compare;
mod convert;
mod evaluate;
mod functions;
mod glance;
mod host;
mod input;
mod literal;
mod lower;
mod moment;
mod parse;
mod path;
mod pattern;
mod program;
mod rewrite;
mod run;
mod solve;
mod token;
mod trace;
mod tree;
mod types;
mod value;

use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::cell::Cell;

use serde_json::Value as Json;

use crate::step::Context;
pub use answer::{Evaluation, EvaluationStatus, Missing, MissingCode, Reading};
pub use evaluate::{Expression, InvalidExpression, evaluate};
pub(crate) use host::Guards;
pub use host::{HostGuard, UnknownGuard};
pub(crate) use lower::{Bounds, Names, Problem, compile};
pub(crate) use parse::is_free_word;
pub(crate) use program::Program;
pub(crate) use rewrite::{reads_states, rewritten};
use run::{Run, World};
pub(crate) use solve::Solver;
pub(crate) use token::same_tokens;

/// A guard that a definition asks.
#[derive(Debug)]
pub(crate) struct Guard {
    /// What the definition calls it: a name, or the expression itself.
    pub(crate) key: String,
    pub(crate) kind: Kind,
    /// How deeply it is nested, with the guards that it names.
    pub(crate) height: u32,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// A function of the host, by its number.
    Host(u32),
    Expression(Box<Program>),
}

/// How deeply a program is nested with the guards that it names, whose heights are known.
pub(crate) fn height(program: &Program, table: &[Guard]) -> u32 {
    let below = program.guard_ids.iter().map(|&id| table[id as usize].height).max();
    program.height().saturating_add(below.unwrap_or(0))
}

impl Guard {
    /// The text of its expression; none for a host guard.
    pub(crate) fn expression(&self) -> Option<&str> {
        match &self.kind {
            Kind::Host(_) => None,
            Kind::Expression(program) => Some(program.text()),
        }
    }
}

/// What a guard sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'s> {
    pub(crate) object: &'s Json,
    pub(crate) ctx: &'s Context,
    pub(crate) states: ActiveStates<'s>,
    /// Whether somebody will read why it is not true.
    pub(crate) explained: bool,
    /// Steps that are left to all guards of what follows by itself in one decision.
    pub(crate) budget: Option<&'s Cell<usize>>,
}

/// All active states, outer ones before inner ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveStates<'s> {
    pub(crate) ids: &'s [u32],
    /// The paths of all states, by id.
    pub(crate) paths: &'s [String],
}

impl<'s> ActiveStates<'s> {
    pub(crate) fn paths(self) -> impl Iterator<Item = &'s String> {
        self.ids.iter().map(move |&id| &self.paths[id as usize])
    }
}

/// What a guard said.
#[derive(Debug)]
pub(crate) enum Truth {
    True,
    False(Box<Evidence>),
    Unknown(Box<Evidence>),
}

/// Why a guard is not true; empty where nobody will read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// The part of the expression that is false.
    pub(crate) part: Option<String>,
    /// What that part read.
    pub(crate) part_values: Vec<Reading>,
    /// All that was read.
    pub(crate) values: Vec<Reading>,
    /// Why it is unknown.
    pub(crate) missing: Vec<Missing>,
}

impl Truth {
    /// Why it is not true.
    pub(crate) fn evidence(&self) -> &Evidence {
        const NOTHING: &Evidence = &Evidence {
            part: None,
            part_values: Vec::new(),
            values: Vec::new(),
            missing: Vec::new(),
        };
        match self {
            Self::True => NOTHING,
            Self::False(why) | Self::Unknown(why) => why,
        }
    }
}

impl Evidence {
    /// More values than this in one sentence are not read.
    const SHOWN: usize = 5;

    /// What the false part read, as the end of a sentence: `: amount is 12000, the limit is 10000`.
    pub(crate) fn readings(&self) -> String {
        Self::sentence(&self.part_values)
    }

    /// The same of all that was read.
    pub(crate) fn all_readings(&self) -> String {
        Self::sentence(&self.values)
    }

    fn sentence(read: &[Reading]) -> String {
        let shown: Vec<String> = read.iter().take(Self::SHOWN).map(Reading::sentence).collect();
        match shown.is_empty() {
            true => String::new(),
            false => format!(": {}", shown.join(", ")),
        }
    }

    /// Whether nothing is wrong but that a function of the host is not registered.
    pub(crate) fn is_not_registered(&self) -> bool {
        let nobody = |missing: &Missing| missing.code == MissingCode::HostGuardNotRegistered;
        !self.missing.is_empty() && self.missing.iter().all(nobody)
    }

    /// Why it is unknown, as one sentence.
    pub(crate) fn causes(&self) -> String {
        let causes: Vec<&str> =
            self.missing.iter().map(|missing| missing.message.as_str()).collect();
        causes.join("; ")
    }
}

/// Asks a guard: the answer, and why it is not true.
///
/// Cost: as many steps as the expression takes, at most `steps`; if it is not true and somebody will read why,
/// twice as many. A function of the host is called at most once.
#[inline]
pub(crate) fn ask(
    table: &[Guard],
    id: u32,
    guards: &Guards,
    scene: Scene<'_>,
    steps: usize,
) -> Truth {
    let program = match &table[id as usize].kind {
        Kind::Expression(program) => program,
        Kind::Host(slot) => {
            return match guards.ask(*slot, &table[id as usize].key, scene) {
                Ok(true) => Truth::True,
                Ok(false) => Truth::False(Box::default()),
                Err(unknown) => Truth::Unknown(Box::new(Evidence {
                    missing: unknown.causes(),
                    ..Evidence::default()
                })),
            };
        }
    };
    let world = World::Machine { scene, guards, table };
    let steps = scene.budget.map_or(steps, |budget| steps.min(budget.get()));
    let mut run = Run::new(program, world, steps);
    let answer = run.holds().ok();
    if let Some(budget) = scene.budget {
        budget.set(budget.get() - (steps - run.left()));
    }
    match (answer, scene.explained) {
        (Some(true), _) => Truth::True,
        (Some(false), false) => Truth::False(Box::default()),
        (None, false) => Truth::Unknown(Box::default()),
        // The same again, with notes: most guards are asked where nobody will read them.
        (_, true) => {
            let (again, why) = noted(run.again());
            debug_assert_eq!(again, answer, "notes change no answer: {}", program.text());
            match again {
                Some(true) => Truth::True,
                Some(false) => Truth::False(Box::new(why)),
                None => Truth::Unknown(Box::new(why)),
            }
        }
    }
}

/// What a guard says while these states are active, whatever the object's data, the context and the functions of
/// the host are; none where they decide.
pub(crate) fn known(
    table: &[Guard],
    id: u32,
    states: ActiveStates<'_>,
    steps: usize,
) -> Option<bool> {
    let Kind::Expression(program) = &table[id as usize].kind else { return None };
    Run::new(program, World::Configuration { states, table }, steps).holds().ok()
}

/// Asks a guard for its answer (none where it is unknown) and for all that it read, whatever it says.
///
/// Cost: as many steps as the expression takes, at most `steps`.
pub(crate) fn examine(
    table: &[Guard],
    id: u32,
    guards: &Guards,
    scene: Scene<'_>,
    steps: usize,
) -> (Option<bool>, Evidence) {
    match &table[id as usize].kind {
        Kind::Expression(program) => {
            let world = World::Machine { scene, guards, table };
            noted(Run::new(program, world, steps).traced())
        }
        Kind::Host(_) => match ask(table, id, guards, scene, steps) {
            Truth::True => (Some(true), Evidence::default()),
            Truth::False(why) => (Some(false), *why),
            Truth::Unknown(why) => (None, *why),
        },
    }
}

/// The answer of an evaluation with its notes.
fn noted(mut run: Run<'_>) -> (Option<bool>, Evidence) {
    let answer = run.holds();
    let trace = run.into_trace();
    let (part, part_values) = match (&answer, trace.blamed()) {
        (Ok(false), Some((part, values))) => (Some(part.into()), values),
        _ => (None, Vec::new()),
    };
    let values = trace.readings();
    let (answer, missing) = match answer {
        Ok(answer) => (Some(answer), Vec::new()),
        Err(unknown) => (None, unknown.causes()),
    };
    (answer, Evidence { part, part_values, values, missing })
}
