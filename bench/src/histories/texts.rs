//! A log as text: JSON lines, a list of JSON objects, CSV.

use std::fmt::Write;

use veristate::{Machine, Time};

use super::columns::{CREATION, Columns, STATES};

pub(super) struct Texts {
    pub(super) lines: String,
    pub(super) list: String,
    pub(super) csv: String,
}

impl Texts {
    /// Each row with six fields, as a table of a database would be exported.
    pub(super) fn of(columns: &Columns, machine: &Machine) -> Option<Self> {
        let name = |state: u8| STATES.get(usize::from(state)).map(|(name, _)| *name);
        let mut lines = String::new();
        let mut csv = String::from("object_id,sequence,from_state,to_state,transition,timestamp\n");
        for row in 0..columns.len() {
            let (object, sequence) = (columns.object[row], columns.sequence[row]);
            let to = name(columns.to[row])?;
            let from = name(columns.from[row]).unwrap_or_default();
            let time = Time::from_micros(columns.time[row])?;
            let transition = transition(machine, from, to);
            let (from_json, transition_json) = match columns.from[row] {
                CREATION => ("null".to_owned(), "null".to_owned()),
                _ => (format!("\"{from}\""), format!("\"{transition}\"")),
            };
            let _ = writeln!(
                lines,
                r#"{{"object_id":"object-{object}","sequence":{sequence},"from_state":{from_json},"to_state":"{to}","transition":{transition_json},"timestamp":"{time}"}}"#
            );
            let _ = writeln!(csv, "object-{object},{sequence},{from},{to},{transition},{time}");
        }
        let list = format!("[{}]", lines.trim_end().replace('\n', ","));
        Some(Self { lines, list, csv })
    }
}

/// The name of the transition between two states, or what a faulty writer would say.
fn transition<'m>(machine: &'m Machine, from: &str, to: &str) -> &'m str {
    let transitions = &machine.definition().transitions;
    let leads = |transition: &&veristate::Transition| {
        let has =
            |names: &veristate::Names, name: &str| names.as_slice().iter().any(|own| own == name);
        has(&transition.from_state, from)
            && transition.to_state.as_ref().is_some_and(|names| has(names, to))
    };
    transitions.iter().find(leads).map_or("unknown", |transition| transition.name.as_str())
}
