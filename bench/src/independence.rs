//! Deciding on machines of 10, 1,000 and 100,000 states.
//!
//! The machines have three transitions for each state and the same six
//! actions. The objects are 64 snapshots, spread over the states and asked in
//! turn; the time includes dropping the decision. What grows with the states
//! here should be only what the processor's caches no longer hold.
//! Goal: as long for 100,000 states as for 10 (met: at most half as long again).

use std::error::Error;
use std::iter;

use veristate::{Decision, Machine, Request, Snapshot};

use crate::generate::{self, WAYS};
use crate::measure::{Side, measure};
use crate::table::{Table, middle_half, number, time, verdict};

const SIZES: [usize; 3] = [10, 1_000, 100_000];

const OBJECTS: usize = 64;

/// A machine, and objects with an action that they take and one that they refuse.
struct Subject {
    machine: Machine,
    objects: Vec<Object>,
}

struct Object {
    snapshot: Snapshot,
    refused: String,
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let subjects = [subject(SIZES[0])?, subject(SIZES[1])?, subject(SIZES[2])?];
    let mut table =
        Table::new(&["", "10", "1,000", "100,000", "times as long", "middle half", "goal: 1"]);
    let ctx = generate::actor();
    let request = Request::default();
    let decide = |subject: &Subject, object: &Object, action: &str| {
        subject.machine.decide(&object.snapshot, action, &ctx, &request)
    };
    row(&mut table, &subjects, "decide, accepted", |subject, object| {
        matches!(decide(subject, object, "go"), Ok(Decision::Accepted(_)))
    });
    row(&mut table, &subjects, "decide, refused", |subject, object| {
        matches!(decide(subject, object, &object.refused), Ok(Decision::Refused(_)))
    });
    row(&mut table, &subjects, "can", |subject, object| {
        subject.machine.can(&object.snapshot, "go", &ctx) == Ok(true)
    });
    table.print("Deciding, by the number of states");
    Ok(())
}

/// Measures a question whose answer must be yes.
fn row(
    table: &mut Table,
    subjects: &[Subject; 3],
    name: &str,
    ask: impl Fn(&Subject, &Object) -> bool,
) {
    let ask = &ask;
    for subject in subjects {
        assert!(subject.objects.iter().all(|object| ask(subject, object)), "{name}");
    }
    let times = measure(subjects.each_ref().map(|subject| {
        let mut objects = subject.objects.iter().cycle();
        Side::new(move || objects.next().is_some_and(|object| ask(subject, object)))
    }));
    let longer = times[0].ratio(&times[2]);
    let cells = times.iter().map(|times| time(times.median()));
    table.row(iter::once(name.into()).chain(cells).chain([
        number(longer.median),
        middle_half(longer),
        verdict(longer.median, 1.0),
    ]));
}

fn subject(states: usize) -> Result<Subject, Box<dyn Error>> {
    let machine = Machine::from_json(&generate::json(states))?;
    let objects = (0..OBJECTS)
        .map(|object| {
            let state = object * (states - 1) / OBJECTS;
            Object {
                snapshot: generate::object_in(&machine, &machine.states()[state]),
                refused: missing_action(&machine, state),
            }
        })
        .collect();
    Ok(Subject { machine, objects })
}

/// An action of the machine that does not lead out of the state.
fn missing_action(machine: &Machine, state: usize) -> String {
    let ways = &machine.definition().transitions[state * WAYS..(state + 1) * WAYS];
    let leads = |action: &str| ways.iter().any(|way| way.action.as_deref() == Some(action));
    let missing = machine.actions().find(|action| !leads(action));
    missing.expect("a state has three of six actions").to_owned()
}
