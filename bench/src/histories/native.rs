//! The core: the columns in a `Log`, and its answers.

use std::collections::BTreeMap;
use std::error::Error;

use veristate::{
    Certainty, Log, LogColumns, LogOptions, LogReport, LogStateAt, Machine, ObjectAt, RowRule,
    StateReport, Time,
};

use super::answer::{Answer, Dwell, Faults};
use super::columns::{CREATION, Columns, OBJECTS, STATES};

/// A log and what is asked of it.
pub(crate) struct Native<'a> {
    pub(crate) log: Log,
    machine: &'a Machine,
    at: Time,
    now: Time,
}

/// All that one round answers.
pub(crate) type Answers = (LogReport, LogStateAt);

impl<'a> Native<'a> {
    pub(crate) fn new(columns: &Columns, machine: &'a Machine) -> Result<Self, Box<dyn Error>> {
        let mut log = Log::new();
        for object in 0..OBJECTS {
            log.add_object(&format!("object-{object}"), None, None)?;
        }
        let from: Vec<i32> = columns
            .from
            .iter()
            .map(|&from| if from == CREATION { -1 } else { i32::from(from) })
            .collect();
        let to: Vec<i32> = columns.to.iter().map(|&to| i32::from(to)).collect();
        let sequences: Vec<u64> = columns.sequence.iter().map(|&number| number.into()).collect();
        log.add_columns(&LogColumns {
            objects: &columns.object,
            times: &columns.time,
            from: Some(&from),
            to: &to,
            sequences: Some(&sequences),
            states: &STATES.map(|(name, _)| name.to_owned()),
        })?;
        let time = |micros| Time::from_micros(micros).ok_or("is a time");
        Ok(Self { log, machine, at: time(columns.at())?, now: time(columns.now())? })
    }

    /// All numbers as of the end, and where each object was in the middle.
    pub(crate) fn run(&self) -> Answers {
        let options = LogOptions::at(self.now);
        let report = self.log.report(self.machine, &options);
        (report, self.log.state_at(self.machine, self.at, &options))
    }

    /// The same in the form of all sides.
    pub(crate) fn told((report, places): &Answers) -> Answer {
        let states: BTreeMap<&str, &StateReport> =
            report.states.iter().map(|state| (state.state.as_str(), state)).collect();
        let dwell = STATES.map(|(name, _)| {
            let closed = states.get(name).and_then(|state| state.closed.as_ref());
            closed.map_or_else(
                || Dwell { sum: "0".into(), ..Dwell::default() },
                |stats| Dwell {
                    count: stats.count,
                    sum: stats.sum.0.to_string(),
                    mean: stats.mean.micros(),
                    p50: stats.p50.micros(),
                    p90: stats.p90.micros(),
                    p99: stats.p99.micros(),
                    max: stats.max.micros(),
                },
            )
        });
        let rows = |rules: &[RowRule]| {
            rules.iter().filter_map(|rule| report.violations.by_code.get(rule)).sum()
        };
        let mut distribution: Vec<u64> = STATES
            .iter()
            .filter_map(|(name, _)| places.states.iter().find(|place| place.state == *name))
            .map(|place| place.objects)
            .collect();
        distribution.extend([places.uncertain, places.not_created]);
        Answer {
            dwell: dwell.into(),
            distribution,
            state_at: places.objects.iter().map(letter).collect(),
            faults: Faults {
                chain: rows(&[RowRule::ChainGap]),
                sequence: rows(&[RowRule::SequenceSkips, RowRule::SequenceRepeats]),
                way: rows(&[RowRule::UnknownTransition]),
                time: rows(&[RowRule::TimeRunsBack]),
            },
        }
    }
}

/// Where an object was, as one letter.
fn letter(place: &ObjectAt) -> char {
    let position = |name: &String| STATES.iter().position(|(state, _)| state == name);
    let letter = place.states.first().and_then(position).and_then(|at| ('a'..).nth(at));
    match place.status {
        Certainty::Known => letter.unwrap_or('?'),
        Certainty::Uncertain => letter.unwrap_or('?').to_ascii_uppercase(),
        Certainty::NotCreated => '-',
        Certainty::Unknown => '?',
    }
}
