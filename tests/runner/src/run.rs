//! Putting one case to one surface.

use serde_json::Value;

use crate::{
    case::{self, About, Kind},
    cel, check, diagram, diff,
    failure::{Failure, Fault},
    files::CaseFile,
    flat, foreign, guard, history,
    json::canonical,
    log, read, scxml, step,
    surface::{Answer, Surface},
};

/// All whole answers to a case, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The answers; an error is `{ "error": code }`.
    pub answers: Vec<Value>,
    /// Why the case does not pass on this surface, where it says so itself.
    pub skipped: Option<String>,
}

/// A surface whose answers are all written down.
pub(crate) struct Recorded<'s> {
    surface: &'s mut dyn Surface,
    answers: Vec<Value>,
}

impl Recorded<'_> {
    pub(crate) fn ask(&mut self, call: impl FnOnce(&mut dyn Surface) -> Answer) -> Answer {
        let answer = call(self.surface).map(canonical);
        self.answers.push(match &answer {
            Ok(value) => value.clone(),
            Err(thrown) => thrown.to_value(),
        });
        answer
    }

    /// The same where no error is expected.
    pub(crate) fn get(
        &mut self,
        what: &str,
        call: impl FnOnce(&mut dyn Surface) -> Answer,
    ) -> Result<Value, Fault> {
        self.ask(call).map_err(|thrown| {
            let message = format!("{what} throws `{}`: {}", thrown.code, thrown.message);
            Fault { got: thrown.diagnostics.clone(), ..Fault::new(message) }
        })
    }
}

/// Puts a case to a surface: what the case expects must be in the answers.
///
/// # Errors
///
/// The first thing that is otherwise, or that a case skips a surface on which it passes.
pub fn run(file: &CaseFile, surface: &mut dyn Surface) -> Result<Transcript, Failure> {
    let text = file.text.as_ref().map_err(|why| Fault::new(why).in_file(&file.path))?;
    let name = surface.name();
    let mut machine = Recorded { surface, answers: Vec::new() };
    let ran = match file.kind {
        Kind::Step => go(text, &mut machine, step::run),
        Kind::Check => go(text, &mut machine, check::run),
        Kind::Diagram => go(text, &mut machine, diagram::run),
        Kind::Guard => go(text, &mut machine, guard::run),
        Kind::Cel => go(text, &mut machine, cel::run),
        Kind::Scxml => go(text, &mut machine, scxml::run),
        Kind::Flat => go(text, &mut machine, flat::run),
        Kind::History => go(text, &mut machine, history::run),
        Kind::Read => go(text, &mut machine, read::run),
        Kind::Foreign => go(text, &mut machine, foreign::run),
        Kind::Log => go(text, &mut machine, log::run),
        Kind::Diff => go(text, &mut machine, diff::run),
    };
    let (about, ended) = ran.map_err(|fault| fault.in_file(&file.path))?;
    let skip = about.skip.get(name).map(ToString::to_string);
    match (ended, skip) {
        (Ok(()), None) => Ok(Transcript { answers: machine.answers, skipped: None }),
        (Err(_), Some(reason)) => Ok(Transcript { answers: Vec::new(), skipped: Some(reason) }),
        (Err(fault), None) => Err(fault.in_file(&file.path)),
        (Ok(()), Some(reason)) => {
            let what = format!("the case skips `{name}` ({reason}), but it passes there");
            Err(Fault::new(what).in_file(&file.path))
        }
    }
}

type Ended = (About, Result<(), Fault>);

fn go<T: serde::de::DeserializeOwned>(
    text: &str,
    machine: &mut Recorded<'_>,
    run: fn(&T, &mut Recorded<'_>) -> Result<(), Fault>,
) -> Result<Ended, Fault> {
    let (about, case) = case::read::<T>(text)?;
    let ended = run(&case, machine);
    Ok((about, ended))
}
