//! Questions to a nested machine, and what its guards say.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use veristate::{Context, Decision, Machine, NewObject, Request, Snapshot, Time};

use crate::{
    charts::{ACTIONS, FLAGS, HOSTS, PERMISSIONS},
    reference::World,
};

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) action: &'static str,
    /// Minutes after noon.
    minute: i64,
    /// The flags of the object after the step, if they change.
    flags: Option<u8>,
    permissions: u8,
    /// Which active state is asked, if not all are.
    from: Option<usize>,
}

pub(crate) fn noon() -> Time {
    "2026-01-01T12:00:00Z".parse().expect("it is a time")
}

/// An object with flags; the higher bits take one away.
pub(crate) fn object(flags: u8) -> Value {
    let flag = |index: usize| (FLAGS[index], json!(flags >> index & 1 == 1));
    let is_there = |index: &usize| flags >> 3 != 8 + u8::try_from(*index).unwrap_or(0);
    json!((0..FLAGS.len()).filter(is_there).map(flag).collect::<BTreeMap<_, _>>())
}

impl Ask {
    pub(crate) fn ctx(&self) -> Context {
        let held = (0..).zip(PERMISSIONS).filter(|(index, _)| self.permissions >> index & 1 == 0);
        Context {
            timestamp: Time::from_micros(noon().micros() + self.minute * 60_000_000),
            permissions: held.map(|(_, permission)| permission.into()).collect(),
            ..Context::default()
        }
    }

    pub(crate) fn request(&self, snapshot: &Snapshot) -> Request {
        let active: Vec<&String> = snapshot.entered_at.keys().collect();
        Request {
            object: self.flags.map(object),
            from_state: self.from.map(|from| active[from % active.len()].clone()),
            ..Request::default()
        }
    }

    /// The same, of all active states.
    pub(crate) fn of_all(self) -> Self {
        Self { from: None, ..self }
    }

    /// The same, by somebody who may do everything, with data where nothing is missing.
    pub(crate) fn known(self) -> Self {
        Self { flags: self.flags.map(|flags| flags & 7), from: None, permissions: 0, ..self }
    }

    pub(crate) fn decide(&self, machine: &Machine, snapshot: &Snapshot) -> Decision {
        let decision = machine.decide(snapshot, self.action, &self.ctx(), &self.request(snapshot));
        decision.expect("it is the machine's snapshot, and there is a time")
    }

    /// What the reference is told.
    pub(crate) fn world(&self, snapshot: &Snapshot, host: &Host) -> World {
        let after = self.request(snapshot).object.unwrap_or_else(|| snapshot.object.clone());
        let permissions = self.ctx().permissions;
        World { before: snapshot.object.clone(), after, permissions, host: host.clone() }
    }
}

pub(crate) fn asks(count: usize) -> impl Strategy<Value = Vec<Ask>> {
    let ask = (
        prop_oneof![6 => Just(ACTIONS[0]), 3 => Just(ACTIONS[1]), 1 => Just(ACTIONS[2])],
        proptest::option::weighted(0.4, 0..90_u8),
        prop_oneof![3 => Just(0_u8), 1 => any::<u8>()],
        proptest::option::weighted(0.1, any::<usize>()),
    );
    vec(ask, 1..count).prop_map(|asks| {
        let ask = |(minute, (action, flags, permissions, from))| Ask {
            action,
            minute,
            flags,
            permissions,
            from,
        };
        (1..).zip(asks).map(ask).collect()
    })
}

/// What each function of the host says; one that is missing is not registered.
pub(crate) type Host = BTreeMap<String, Option<bool>>;

pub(crate) fn host() -> impl Strategy<Value = Host> {
    let says = prop_oneof![
        3 => Just(Some(Some(true))),
        3 => Just(Some(Some(false))),
        1 => Just(Some(None)),
        1 => Just(None),
    ];
    vec(says, HOSTS.len()).prop_map(|says| {
        let said = HOSTS.iter().zip(says).filter_map(|(name, says)| Some(((*name).into(), says?)));
        said.collect()
    })
}

pub(crate) fn machine_with(definition: &Value, host: &Host) -> Machine {
    let mut machine = Machine::from_json(&definition.to_string())
        .unwrap_or_else(|invalid| panic!("it has no errors: {:#?}", invalid.diagnostics()));
    for (name, says) in host {
        let says = says.ok_or("it cannot tell".to_owned());
        // Only some of the guards are in this definition.
        _ = machine.register_guard(name, move |_: &Value, _: &Context, _: &[String]| says.clone());
    }
    machine
}

pub(crate) fn start(machine: &Machine, flags: u8) -> Decision {
    let ctx = Context { timestamp: Some(noon()), ..Context::default() };
    let new = NewObject { object: object(flags), ..NewObject::named("o") };
    machine.start(&new, &ctx, &Request::default()).expect("there is a time and a name")
}
