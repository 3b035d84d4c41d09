//! Questions to a machine: actions, by whom, when and in which request.

use proptest::{collection::vec, option, prelude::*, sample::subsequence};
use serde_json::{Value, json};
use veristate::{Context, Decision, Definition, Machine, Request, Snapshot, Time};

use crate::definitions::{GUARDS, PERMISSIONS, action};

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    action: &'static str,
    permissions: Vec<&'static str>,
    /// Minutes after noon; may run back.
    minute: i64,
    request_id: Option<u8>,
    expected_version: Option<u64>,
    object: Option<i32>,
}

impl Ask {
    pub(crate) fn action(&self) -> &str {
        self.action
    }

    pub(crate) fn ctx(&self) -> Context {
        let noon: Time = "2026-01-01T12:00:00Z".parse().expect("it is a time");
        Context {
            timestamp: Time::from_micros(noon.micros() + self.minute * 60_000_000),
            permissions: self.permissions.iter().map(ToString::to_string).collect(),
            ..Context::default()
        }
    }

    pub(crate) fn request(&self) -> Request {
        Request {
            request_id: self.request_id.map(|id| format!("r{id}")),
            expected_version: self.expected_version,
            object: self.object.map(|n| json!({ "n": n })),
            ..Request::default()
        }
    }

    /// The same, as an instance is asked.
    pub(crate) fn without_request(self) -> Self {
        Self { request_id: None, expected_version: None, object: None, ..self }
    }

    pub(crate) fn decide(&self, machine: &Machine, snapshot: &Snapshot) -> Decision {
        let decision = machine.decide(snapshot, self.action, &self.ctx(), &self.request());
        decision.expect("it is the machine's snapshot, and there is a time")
    }
}

pub(crate) fn asks() -> impl Strategy<Value = Vec<Ask>> {
    let ask = (
        action(),
        subsequence(PERMISSIONS.to_vec(), 0..=PERMISSIONS.len()),
        prop_oneof![4 => Just(None), 1 => (-2_i64..90).prop_map(Some)],
        option::weighted(0.3, 0_u8..6),
        option::weighted(0.1, 0_u64..5),
        option::weighted(0.2, any::<i32>()),
    );
    let ask =
        ask.prop_map(|(action, permissions, minute, request_id, expected_version, object)| {
            let ask = Ask { action, permissions, minute: 0, request_id, expected_version, object };
            (ask, minute)
        });
    vec(ask, 0..25).prop_map(|asks| {
        let at = |(index, (ask, minute)): (i64, (Ask, Option<i64>))| Ask {
            minute: minute.unwrap_or(index),
            ..ask
        };
        (0..).zip(asks).map(at).collect()
    })
}

/// What a guard says: true, false, nothing; or it is not registered.
pub(crate) type Says = Option<Result<bool, String>>;

pub(crate) fn says() -> impl Strategy<Value = Vec<Says>> {
    let says = prop_oneof![
        3 => Just(Some(Ok(true))),
        2 => Just(Some(Ok(false))),
        1 => Just(Some(Err("it cannot tell".to_owned()))),
        1 => Just(None),
    ];
    vec(says, GUARDS.len())
}

pub(crate) fn machine_with(definition: &Value, says: &[Says]) -> Machine {
    let definition = Definition::from_json(&definition.to_string()).expect("it has the shape");
    let mut machine = Machine::new(definition).expect("it has no errors");
    for (guard, says) in GUARDS.iter().zip(says) {
        if let Some(says) = says.clone() {
            // Only some of the guards are in this definition.
            _ = machine
                .register_guard(guard, move |_: &Value, _: &Context, _: &[String]| says.clone());
        }
    }
    machine
}
