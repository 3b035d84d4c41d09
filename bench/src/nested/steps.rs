//! A step in the machine of `nested.json`: 40 states, three levels deep, four regions. `js/` measures the same one
//! against XState.
//!
//! Times are for one step, in a circle: a leaf in one region; leaves in all four regions by one action; and seven
//! steps that also leave and enter states with states inside, end one, which completes the state around it, and leave
//! and enter everything. `instance.can` asks for the action that comes next.

use std::{error::Error, hint::black_box, iter};

use veristate::{ActionId, Machine, Request};

use super::objects::{applying, at_of, started, take};
use crate::{
    generate::actor,
    measure::{Side, measure},
    table::{Table, time},
};

/// `js/` reads the same file.
const NESTED: &str = include_str!("../../nested.json");

const ONE_REGION: &[&str] = &["payment_next", "payment_back"];
const FOUR_REGIONS: &[&str] = &["turn", "turn", "turn"];
const CIRCLE: &[&str] = &[
    "payment_next",
    "stock_fail",
    "stock_retry",
    "turn",
    "shipping_end",
    "shipping_begin",
    "restart",
];

pub(super) fn run() -> Result<(), Box<dyn Error>> {
    let machine = Machine::from_json(NESTED)?;
    let ctx = actor();
    let begun = take(&machine, &started(&machine)?, "submit")?;
    let mut table = Table::new(&["", "decide", "instance.apply", "instance.can"]);
    for (name, path) in
        [("one region", ONE_REGION), ("four regions", FOUR_REGIONS), ("circle", CIRCLE)]
    {
        let end = path.iter().try_fold(begun.clone(), |at, action| take(&machine, &at, action))?;
        assert_eq!(end.states, begun.states);
        // Each step begins where the one before it ended; one call is one step.
        let mut places = Vec::new();
        let mut at = begun.clone();
        for action in path {
            let next = take(&machine, &at, action)?;
            let id = machine.action_id(action).ok_or("is an action")?;
            places.push((at.clone(), *action, id, machine.instance(at)?));
            at = next;
        }
        let (mut decided, mut asked) = (places.iter().cycle(), places.iter().cycle());
        let actions: Vec<ActionId> = places.iter().map(|place| place.2).collect();
        let request = Request::default();
        let times = measure([
            Side::new(|| {
                let (snapshot, action, ..) = decided.next()?;
                machine.decide(black_box(snapshot), action, &ctx, &request).ok()
            }),
            applying(vec![machine.instance(begun.clone())?], actions, at_of(&ctx)),
            Side::new(|| asked.next().is_some_and(|(_, _, id, instance)| instance.can(*id))),
        ]);
        table.row(iter::once(name.into()).chain(times.iter().map(|times| time(times.median()))));
    }
    table.print("A step in a machine of 40 states, three levels, four regions; no goal");
    Ok(())
}
