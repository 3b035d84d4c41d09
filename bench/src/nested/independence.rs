//! A step by the number of states: 10, 1,000 and 100,000, of which nine are active.
//!
//! The objects are 64, spread over the states and asked in turn; the time includes dropping what is returned. What
//! grows with the states here should be only what the processor's caches no longer hold; so one row asks the same
//! object again and again. (Under Cachegrind, a step takes as many instructions in all sizes, within two per cent.)
//! Goal: as long for 100,000 states as for 10 (met: at most half as long again).

use std::{error::Error, iter};

use veristate::{ActionId, Decision, Instance, Machine, Request, Snapshot};

use super::{
    objects::{applying, at_of, started},
    shape::Shape,
};
use crate::{
    generate::actor,
    measure::{Side, measure},
    table::{Table, middle_half, number, time, verdict},
};

const SIZES: [usize; 3] = [10, 1_000, 100_000];

const OBJECTS: usize = 64;

struct Subject {
    machine: Machine,
    objects: Vec<Snapshot>,
    instances: Vec<Instance>,
    go: ActionId,
    hop: ActionId,
}

impl Subject {
    fn new(shape: Shape, states: usize) -> Result<Self, Box<dyn Error>> {
        let machine = Machine::from_json(&shape.json(states))?;
        assert_eq!(machine.states().len(), states);
        let object = started(&machine)?;
        let entered = at_of(&actor());
        let objects = (0..OBJECTS).map(|number| {
            let states = shape.leaves(states, number, OBJECTS);
            let regions = states.iter().map(|path| &path[..path.rfind('.').unwrap_or(0)]);
            let block = &states[0][..states[0].find('.').unwrap_or(0)];
            let active = regions.chain(states.iter().map(String::as_str)).chain([block]);
            let entered_at = active.map(|path| (path.to_owned(), entered)).collect();
            Snapshot { entered_at, states: states.clone(), ..object.clone() }
        });
        let objects: Vec<Snapshot> = objects.collect();
        let instances = objects.iter().map(|object| machine.instance(object.clone()));
        let instances = instances.collect::<Result<_, _>>()?;
        let [go, hop] = ["go_0", "hop"].map(|action| machine.action_id(action));
        let (go, hop) = (go.ok_or("is an action")?, hop.ok_or("is an action")?);
        Ok(Self { machine, objects, instances, go, hop })
    }
}

pub(super) fn run(shape: Shape) -> Result<(), Box<dyn Error>> {
    let subjects = [
        Subject::new(shape, SIZES[0])?,
        Subject::new(shape, SIZES[1])?,
        Subject::new(shape, SIZES[2])?,
    ];
    let mut table =
        Table::new(&["", "10", "1,000", "100,000", "times as long", "middle half", "goal: 1"]);
    let ctx = actor();
    let request = Request::default();
    let mut row = |name: &str, sides: [Side<'_>; 3]| {
        let times = measure(sides);
        let longer = times[0].ratio(&times[2]);
        let cells = times.iter().map(|times| time(times.median()));
        table.row(iter::once(name.into()).chain(cells).chain([
            number(longer.median),
            middle_half(longer),
            verdict(longer.median, 1.0),
        ]));
    };
    for (name, action, taken, objects) in [
        ("decide, one leaf", "go_0", true, OBJECTS),
        ("decide, nine states", "hop", true, OBJECTS),
        ("decide, nine states, the same object", "hop", true, 1),
        ("decide, refused", "nothing", false, OBJECTS),
    ] {
        row(
            name,
            subjects.each_ref().map(|subject| {
                let mut objects = subject.objects[..objects].iter().cycle();
                let (ctx, request) = (&ctx, &request);
                Side::new(move || {
                    let decision = subject.machine.decide(objects.next()?, action, ctx, request);
                    assert_eq!(matches!(decision, Ok(Decision::Accepted(_))), taken);
                    decision.ok()
                })
            }),
        );
    }
    for (name, id) in [
        ("instance.apply, one leaf", (|subject| subject.go) as fn(&Subject) -> ActionId),
        ("instance.apply, nine states", |subject| subject.hop),
    ] {
        row(
            name,
            subjects
                .each_ref()
                .map(|subject| applying(subject.instances.clone(), vec![id(subject)], at_of(&ctx))),
        );
    }
    row(
        "instance.can, one leaf",
        subjects.each_ref().map(|subject| {
            let mut instances = subject.instances.iter().cycle();
            Side::new(move || {
                let can = instances.next().is_some_and(|instance| instance.can(subject.go));
                assert!(can);
                can
            })
        }),
    );
    row(
        "can, one leaf",
        subjects.each_ref().map(|subject| {
            let mut objects = subject.objects.iter().cycle();
            let ctx = &ctx;
            Side::new(move || {
                let can = objects.next().map(|object| subject.machine.can(object, "go_0", ctx));
                assert_eq!(can, Some(Ok(true)));
                can
            })
        }),
    );
    let name = shape.name();
    table.print(&format!("A step by the number of states, nine active: {name}"));
    Ok(())
}
