//! The machine of `instance.json` as one writes it for the crate `statig`: Rust code.
#![expect(clippy::trivially_copy_pass_by_ref, reason = "the form that statig calls")]

use statig::blocking::{
    IntoStateMachineExt, Outcome, StateMachine, Super, Transition, state_machine,
};

/// The events.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    Provision,
    Complete,
    Fail,
    Update,
    Degrade,
    Suspend,
    Deprovision,
    Recover,
    Resume,
}

impl Event {
    /// All of them, with the action in the definition.
    pub(crate) const ALL: [(Self, &str); 9] = [
        (Self::Provision, "provision"),
        (Self::Complete, "complete"),
        (Self::Fail, "fail"),
        (Self::Update, "update"),
        (Self::Degrade, "degrade"),
        (Self::Suspend, "suspend"),
        (Self::Deprovision, "deprovision"),
        (Self::Recover, "recover"),
        (Self::Resume, "resume"),
    ];
}

#[derive(Default)]
pub(crate) struct Instance;

#[state_machine(initial = "State::ready()", state(derive(Clone, Copy, Debug, PartialEq)))]
impl Instance {
    #[state]
    fn pending(event: &Event) -> Outcome<State> {
        match event {
            Event::Provision => Transition(State::provisioning()),
            Event::Fail => Transition(State::failed()),
            _ => Super,
        }
    }

    #[state]
    fn provisioning(event: &Event) -> Outcome<State> {
        match event {
            Event::Complete => Transition(State::ready()),
            Event::Fail => Transition(State::failed()),
            _ => Super,
        }
    }

    #[state]
    fn ready(event: &Event) -> Outcome<State> {
        match event {
            Event::Update => Transition(State::updating()),
            Event::Degrade => Transition(State::degraded()),
            Event::Suspend => Transition(State::suspended()),
            Event::Deprovision => Transition(State::deprovisioning()),
            _ => Super,
        }
    }

    #[state]
    fn updating(event: &Event) -> Outcome<State> {
        match event {
            Event::Complete => Transition(State::ready()),
            Event::Degrade => Transition(State::degraded()),
            Event::Fail => Transition(State::failed()),
            _ => Super,
        }
    }

    #[state]
    fn degraded(event: &Event) -> Outcome<State> {
        match event {
            Event::Recover => Transition(State::ready()),
            Event::Deprovision => Transition(State::deprovisioning()),
            Event::Fail => Transition(State::failed()),
            _ => Super,
        }
    }

    #[state]
    fn suspended(event: &Event) -> Outcome<State> {
        match event {
            Event::Resume => Transition(State::ready()),
            Event::Deprovision => Transition(State::deprovisioning()),
            _ => Super,
        }
    }

    #[state]
    fn deprovisioning(event: &Event) -> Outcome<State> {
        match event {
            Event::Complete => Transition(State::deleted()),
            Event::Fail => Transition(State::failed()),
            _ => Super,
        }
    }

    #[state]
    fn deleted() -> Outcome<State> {
        Super
    }

    #[state]
    fn failed() -> Outcome<State> {
        Super
    }
}

/// All states, with the path in the definition.
pub(crate) const STATES: [(State, &str); 9] = [
    (State::Pending {}, "pending"),
    (State::Provisioning {}, "provisioning"),
    (State::Ready {}, "ready"),
    (State::Updating {}, "updating"),
    (State::Degraded {}, "degraded"),
    (State::Suspended {}, "suspended"),
    (State::Deprovisioning {}, "deprovisioning"),
    (State::Deleted {}, "deleted"),
    (State::Failed {}, "failed"),
];

/// A machine in this state.
pub(crate) fn machine_in(state: State) -> StateMachine<Instance> {
    let mut machine = Instance.uninitialized_state_machine();
    *machine.state_mut() = state;
    machine.init().into()
}
