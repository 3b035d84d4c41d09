//! Where a transition stands in its definition.

use alloc::{format, string::String};
use core::fmt::Write as _;

use crate::{
    chart::{Frame, ROOT},
    machine::Machine,
};

/// The pointer (RFC 6901) of a transition.
pub(super) fn of_transition(machine: &Machine, transition: u32) -> String {
    let &Frame { owner, first_transition } = machine.shared.resolved.chart.frame(transition);
    let mut pointer = String::new();
    if owner != ROOT {
        state(machine, owner, &mut pointer);
        pointer.push_str("/sub_machine");
    }
    pointer + &format!("/transitions/{}", transition - first_transition)
}

/// Writes the pointer of a state. The depth is bounded by the limits on a definition.
fn state(machine: &Machine, id: u32, pointer: &mut String) {
    let node = machine.shared.resolved.chart.node(id);
    let list = match node.parent {
        ROOT => "/states",
        parent => {
            state(machine, parent, pointer);
            match machine.state(parent).sub_machine {
                Some(_) => "/sub_machine/states",
                None => "/regions",
            }
        }
    };
    _ = write!(pointer, "{list}/{}", node.index);
}
