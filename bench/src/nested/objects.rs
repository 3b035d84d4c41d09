//! Objects of nested machines, and their steps.

use std::{error::Error, hint::black_box, time::Instant};

use veristate::{
    ActionId, Context, Decision, Instance, Machine, NewObject, Request, Snapshot, Time,
};

use crate::{generate::actor, measure::Side};

pub(super) fn started(machine: &Machine) -> Result<Snapshot, Box<dyn Error>> {
    let object = serde_json::json!({ "name": "primary", "gigabytes": 20 });
    let new = NewObject { object, ..NewObject::named("object-1") };
    accepted(machine.start(&new, &actor(), &Request::default())?)
}

pub(super) fn take(
    machine: &Machine,
    at: &Snapshot,
    action: &str,
) -> Result<Snapshot, Box<dyn Error>> {
    accepted(machine.decide(at, action, &actor(), &Request::default())?)
}

fn accepted(decision: Decision) -> Result<Snapshot, Box<dyn Error>> {
    match decision {
        Decision::Accepted(accepted) => Ok(accepted.snapshot),
        other => Err(format!("not accepted: {other:?}").into()),
    }
}

pub(super) fn at_of(ctx: &Context) -> Time {
    ctx.timestamp.expect("is given")
}

/// One call is one step of one of the instances, in turn; each goes along the actions, round and round.
/// The instances are made anew for each turn, which is not in the time.
pub(super) fn applying<'a>(instances: Vec<Instance>, actions: Vec<ActionId>, at: Time) -> Side<'a> {
    Side::turns(move |times| {
        let mut all = instances.clone();
        let mut left = times as usize;
        let start = Instant::now();
        for action in actions.iter().cycle() {
            for instance in &mut all {
                if left == 0 {
                    return start.elapsed();
                }
                left -= 1;
                assert!(instance.apply(black_box(*action), at).is_ok());
            }
        }
        start.elapsed()
    })
}
