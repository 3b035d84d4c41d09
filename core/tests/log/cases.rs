//! Machines and logs to try: walks that the definition allows, and what goes wrong with logs.

use proptest::prelude::*;
use veristate::{Context, Decision, LogRow, Machine, NewObject, Request, Snapshot, Time};

/// One region: a state that is passed through, a heartbeat, a step that restarts its state, a timeout.
pub(crate) fn flat() -> Machine {
    machine(
        r#"{
        "object_type": "Flat", "initial_state": "a",
        "states": [
            { "name": "a" }, { "name": "b", "timeout": { "after": "1m", "action": "on" } },
            { "name": "c" }, { "name": "between" }, { "name": "dead_end" },
            { "name": "d", "is_terminal": true }
        ],
        "transitions": [
            { "name": "to_b", "from_state": ["a", "c"], "to_state": "b", "action": "b" },
            { "name": "to_c", "from_state": "b", "to_state": "c", "action": "on" },
            { "name": "beat", "from_state": "b", "action": "beat" },
            { "name": "again", "from_state": "c", "to_state": "c", "action": "again", "reenter": true },
            { "name": "over", "from_state": "c", "to_state": "between", "action": "end" },
            { "name": "pass", "from_state": "between", "to_state": "d", "trigger": "automatic" },
            { "name": "lose", "from_state": "a", "to_state": "dead_end", "action": "lose" }
        ] }"#,
    )
}

/// States inside states, regions, memory.
pub(crate) fn nested() -> Machine {
    machine(
        r#"{
        "object_type": "Nested", "initial_state": "idle",
        "states": [
            { "name": "idle" },
            { "name": "work", "regions": [
                { "name": "left", "sub_machine": { "initial_state": "one", "states": [
                    { "name": "one" }, { "name": "two" }, { "name": "end", "is_terminal": true }
                ], "transitions": [
                    { "name": "l1", "from_state": "one", "to_state": "two", "action": "l" },
                    { "name": "l2", "from_state": "two", "to_state": "end", "action": "l" },
                    { "name": "both", "from_state": "one", "to_state": "two", "action": "both" }
                ] } },
                { "name": "right", "sub_machine": { "initial_state": "one", "states": [
                    { "name": "one" }, { "name": "end", "is_terminal": true }
                ], "transitions": [
                    { "name": "r1", "from_state": "one", "to_state": "end", "action": "r" },
                    { "name": "too", "from_state": "one", "to_state": "one", "action": "both", "reenter": true }
                ] } }
            ] },
            { "name": "deep", "sub_machine": { "initial_state": "x", "states": [
                { "name": "x" }, { "name": "y" },
                { "name": "back", "history": "shallow", "default_target": "x" }
            ], "transitions": [
                { "name": "flip", "from_state": "x", "to_state": "y", "action": "flip" }
            ] } },
            { "name": "done", "is_terminal": true }
        ],
        "transitions": [
            { "name": "go", "from_state": "idle", "to_state": "work", "action": "go" },
            { "name": "dive", "from_state": "idle", "to_state": "deep.back", "action": "dive" },
            { "name": "rest", "from_state": ["deep", "work"], "to_state": "idle", "action": "rest" },
            { "name": "finish", "from_state": "work", "to_state": "done", "trigger": "completion" }
        ] }"#,
    )
}

fn machine(text: &str) -> Machine {
    Machine::from_json(text).unwrap_or_else(|invalid| panic!("{invalid:?}"))
}

/// So many seconds after the beginning of a year.
pub(crate) fn at(seconds: i64) -> Time {
    Time::from_micros((1_767_225_600 + seconds) * 1_000_000).expect("it is in range")
}

/// One object: its rows in the order in which they are written, and when it was created.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) rows: Vec<LogRow>,
    pub(crate) created_at: Option<Time>,
}

/// In short, for a person who looks at what failed.
impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "created_at {:?}", self.created_at.map(|time| time.to_string()))?;
        for row in &self.rows {
            let LogRow {
                row,
                sequence,
                from_states,
                to_states,
                action,
                transitions,
                timestamp,
                ..
            } = row;
            writeln!(
                f,
                "row {row} sequence {sequence:?} {from_states:?} to {to_states:?} by {action:?} {transitions:?} at {timestamp}"
            )?;
        }
        Ok(())
    }
}

/// A history that the machine allows, action by action, seconds apart.
fn walk(machine: &Machine, steps: &[(usize, i64)]) -> Vec<LogRow> {
    let at_time = |seconds| Context { timestamp: Some(at(seconds)), ..Context::default() };
    let accepted = |decision: Decision| match decision {
        Decision::Accepted(plan) => Some((plan.snapshot, plan.record)),
        _ => None,
    };
    let object = NewObject::named("o");
    let started =
        machine.start(&object, &at_time(0), &Request::default()).expect("there is a time");
    let (mut snapshot, record): (Snapshot, _) = accepted(started).expect("a creation is accepted");
    let mut rows = vec![LogRow::of_record(&record, 1)];
    let actions: Vec<&str> = machine.actions().collect();
    let mut now = 0;
    for &(choice, seconds) in steps {
        now += seconds;
        let ctx = at_time(now);
        let next = (0..actions.len()).find_map(|more| {
            let action = actions[(choice + more) % actions.len()];
            accepted(machine.decide(&snapshot, action, &ctx, &Request::default()).ok()?)
        });
        let Some((after, record)) = next else { break };
        snapshot = after;
        rows.push(LogRow::of_record(&record, rows.len() as u64 + 1));
    }
    rows
}

/// What goes wrong with a log.
#[derive(Clone, Debug)]
enum Harm {
    Drop(usize),
    Double(usize),
    Swap(usize),
    Time(usize, i64),
    Sequence(usize, Option<u64>),
    NoSequences,
    NoFrom(usize),
    NoFroms,
    To(usize, &'static str),
    From(usize, &'static str),
    Create(usize),
    Plain,
    NoAction(usize),
    Transition(usize, &'static str),
    CreatedAt(i64),
}

const STATES: [&str; 8] = ["a", "b", "c", "d", "idle", "deep.y", "work.left.two", "elsewhere"];

fn harm() -> impl Strategy<Value = Harm> {
    let place = 0_usize..12;
    let state = prop::sample::select(&STATES[..]);
    prop_oneof![
        place.clone().prop_map(Harm::Drop),
        place.clone().prop_map(Harm::Double),
        place.clone().prop_map(Harm::Swap),
        (place.clone(), -20_i64..60).prop_map(|(row, by)| Harm::Time(row, by)),
        (place.clone(), prop::option::of(0_u64..8)).prop_map(|(row, to)| Harm::Sequence(row, to)),
        Just(Harm::NoSequences),
        place.clone().prop_map(Harm::NoFrom),
        Just(Harm::NoFroms),
        (place.clone(), state.clone()).prop_map(|(row, state)| Harm::To(row, state)),
        (place.clone(), state.clone()).prop_map(|(row, state)| Harm::From(row, state)),
        place.clone().prop_map(Harm::Create),
        Just(Harm::Plain),
        place.clone().prop_map(Harm::NoAction),
        (place, prop::sample::select(&["to_b", "over", "l1", "nothing"][..]))
            .prop_map(|(row, name)| Harm::Transition(row, name)),
        (-40_i64..40).prop_map(Harm::CreatedAt),
    ]
}

impl Harm {
    fn happen(&self, case: &mut Case) {
        let count = case.rows.len();
        if count == 0 {
            return;
        }
        let rows = &mut case.rows;
        let row = |row: &usize| row % count;
        match self {
            Self::Drop(at) => drop(rows.remove(row(at))),
            Self::Double(at) => rows.insert(row(at), rows[row(at)].clone()),
            Self::Swap(at) => rows.swap(row(at), (row(at) + 1) % count),
            Self::Time(place, by) => {
                let row = &mut rows[row(place)];
                let micros = row.timestamp.micros() + by * 1_000_000;
                row.timestamp = Time::from_micros(micros).expect("it is in range");
            }
            Self::Sequence(at, to) => rows[row(at)].sequence = *to,
            Self::NoSequences => rows.iter_mut().for_each(|row| row.sequence = None),
            Self::NoFrom(at) => rows[row(at)].from_states = None,
            Self::NoFroms => rows.iter_mut().for_each(|row| row.from_states = None),
            Self::To(at, state) => rows[row(at)].to_states = vec![(*state).into()],
            Self::From(at, state) => rows[row(at)].from_states = Some(vec![(*state).into()]),
            Self::Create(at) => rows[row(at)].from_states = Some(vec![]),
            Self::Plain => rows.iter_mut().for_each(|row| {
                (row.transitions, row.exited, row.entered) = (None, None, None);
            }),
            Self::NoAction(at) => rows[row(at)].action = None,
            Self::Transition(at, name) => rows[row(at)].transitions = Some(vec![(*name).into()]),
            Self::CreatedAt(seconds) => case.created_at = Some(at(*seconds)),
        }
    }
}

/// An object with up to so many things wrong with its log.
pub(crate) fn case(machine: Machine, harms: usize) -> impl Strategy<Value = Case> {
    let steps = prop::collection::vec((0_usize..8, 0_i64..50), 0..12);
    let harms = prop::collection::vec(harm(), 0..=harms);
    (steps, harms).prop_map(move |(steps, harms)| {
        let mut case = Case { rows: walk(&machine, &steps), created_at: None };
        for harm in harms {
            harm.happen(&mut case);
        }
        for (number, row) in (1..).zip(&mut case.rows) {
            row.row = number;
        }
        case
    })
}
