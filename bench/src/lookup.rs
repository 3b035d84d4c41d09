//! The nine states of `instance.json`: lookups and steps, against the crate `statig`.
//!
//! statig compiles a machine, written as Rust code, into a `match` on the
//! state and the event; it reads no definition, checks nothing and keeps no
//! record. Its one question is `handle`, which also takes the step: there is
//! no `can`. The time is that of a circle of five steps. First it is checked
//! that both sides answer every action in every state alike.
//!
//! - `leads` is the bare table: may one state follow another?
//! - `can` on an instance asks as `decide` does: table, guard, permissions.
//!   One that only asks stays in `ready`, where three of the actions lead out.
//! - `apply` on an instance takes the step and keeps what its record needs.
//!   The instance is made anew for each turn; in the last row the records are
//!   written out after each circle.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use veristate::{ActionId, Instance, Machine, StateId, Time};

use crate::generate;
use crate::measure::{Side, Times, measure};
use crate::rival::{self, Event, State};
use crate::table::Table;

/// What is asked for, and the state after it. Before the first and after the last it is `ready`.
const CIRCLE: [(Event, &str, &str); 5] = [
    (Event::Update, "update", "updating"),
    (Event::Degrade, "degrade", "degraded"),
    (Event::Recover, "recover", "ready"),
    (Event::Suspend, "suspend", "suspended"),
    (Event::Resume, "resume", "ready"),
];

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let machine = Machine::from_json(generate::INSTANCE)?;
    agree(&machine);
    let circle = Circle::of(&machine).ok_or("the machine lacks a state or an action")?;
    let mut table = Table::of_comparisons("Veristate", "statig");
    let against_handle = |ours: Side<'_>| measure([ours, handle()]);
    let mut row = |name: &str, [ours, theirs]: [Times; 2]| table.compare(name, &ours, &theirs);
    row("leads, handle", against_handle(leads(&machine, &circle)));
    row("instance.can, handle", against_handle(can(&machine, &circle)));
    row("instance.apply, handle", against_handle(apply(&machine, &circle, |_| ())));
    row(
        "instance.apply and take_records, handle",
        against_handle(apply(&machine, &circle, |instance| drop(instance.take_records()))),
    );
    table.print("Five steps on a machine of nine states, against statig; no goal");
    Ok(())
}

/// The circle in the numbers of the machine.
struct Circle {
    actions: [ActionId; CIRCLE.len()],
    moves: [(StateId, StateId); CIRCLE.len()],
    at: Time,
}

impl Circle {
    fn of(machine: &Machine) -> Option<Self> {
        let mut from = machine.state_id("ready")?;
        let mut actions = Vec::new();
        let mut moves = Vec::new();
        for (_, action, to) in CIRCLE {
            let to = machine.state_id(to)?;
            actions.push(machine.action_id(action)?);
            moves.push((from, to));
            from = to;
        }
        let at = generate::actor().timestamp?;
        Some(Self { actions: actions.try_into().ok()?, moves: moves.try_into().ok()?, at })
    }
}

fn instance(machine: &Machine, state: &str) -> Instance {
    machine.instance(generate::object_in(machine, state)).expect("is an object of the machine")
}

/// Checks that both sides answer every action in every state alike.
fn agree(machine: &Machine) {
    let at = generate::actor().timestamp.expect("is given");
    let path_of = |state| rival::STATES.iter().find(|(known, _)| *known == state).map(|row| row.1);
    for (state, path) in rival::STATES {
        for (event, action) in Event::ALL {
            let (mut ours, mut theirs) = (instance(machine, path), rival::machine_in(state));
            let taken = ours.apply(machine.action_id(action).expect("is an action"), at).is_ok();
            theirs.handle(&event);
            let reached = path_of(*theirs.state());
            assert_eq!(reached, ours.snapshot().states.first().map(String::as_str));
            assert_eq!(taken, reached != Some(path));
        }
    }
}

fn handle() -> Side<'static> {
    let mut statig = rival::machine_in(State::Ready {});
    Side::new(move || {
        for (event, _, _) in &CIRCLE {
            statig.handle(black_box(event));
        }
    })
}

fn leads<'a>(machine: &'a Machine, circle: &'a Circle) -> Side<'a> {
    Side::new(|| {
        for &step in &circle.moves {
            let (from, to) = black_box(step);
            black_box(machine.leads(from, to));
        }
    })
}

fn can<'a>(machine: &Machine, circle: &'a Circle) -> Side<'a> {
    let instance = instance(machine, "ready");
    Side::new(move || {
        for &action in &circle.actions {
            black_box(instance.can(black_box(action)));
        }
    })
}

fn apply<'a>(
    machine: &'a Machine,
    circle: &'a Circle,
    mut after: impl FnMut(&mut Instance) + 'a,
) -> Side<'a> {
    Side::turns(move |times| {
        let mut instance = instance(machine, "ready");
        let start = Instant::now();
        for _ in 0..times {
            for &action in &circle.actions {
                let taken = instance.apply(black_box(action), circle.at);
                assert!(taken.is_ok());
            }
            after(&mut instance);
        }
        start.elapsed()
    })
}
