//! The states of a definition as a tree, in arrays of integers.
//!
//! Ids count in document order, outer states before inner ones, so that what
//! is inside a state is one range of ids, document order is the order of
//! numbers, and the order in which states are entered is, too. A flat machine
//! is a tree of one level. Source: SCXML Appendix D, which works on such a tree.

use alloc::{format, rc::Rc, string::String, vec::Vec};
use core::ops::Range;

use crate::{
    definition::{Definition, HistoryKind, JoinCondition, State, SubMachine, Transition},
    table::{Neighbours, position},
};

/// Stands for the machine itself, around all states.
pub(crate) const ROOT: u32 = u32::MAX;

/// What a state is made of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    /// Nothing inside.
    Atomic,
    /// A machine inside: one of its states is active.
    Compound,
    /// Regions inside: all of them are active.
    Parallel,
    /// Never active: leads to what it remembers.
    History(HistoryKind),
}

/// One state of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The state around it, or [`ROOT`].
    pub(crate) parent: u32,
    /// Its position among its siblings.
    pub(crate) index: u32,
    /// The first id behind what is inside it.
    pub(crate) end: u32,
    pub(crate) shape: Shape,
    pub(crate) is_terminal: bool,
    /// Of a region: whether the state around it waits for its end.
    pub(crate) is_required: bool,
    /// Of a state with regions: whether the end of one is enough.
    pub(crate) joins_any: bool,
}

/// One machine of a definition: the outer one, or one inside a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The state that holds it, or [`ROOT`].
    pub(crate) owner: u32,
    /// The id of its first transition.
    pub(crate) first_transition: u32,
}

/// All states, machines and transitions of a definition.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    pub(crate) nodes: Vec<Node>,
    /// The machines, each behind those inside of it; the last is the outer one.
    pub(crate) frames: Vec<Frame>,
    /// For each transition its machine.
    frame_of: Vec<u32>,
    /// How many levels of states there are.
    pub(crate) levels: u32,
    /// For each state where it begins: the initial states of its machine, the default of a history state.
    /// Behind them those of the machine itself.
    pub(crate) defaults: Neighbours,
    /// For each state the history states that remember what is inside it.
    pub(crate) histories: Neighbours,
    /// For each transition where it leads.
    pub(crate) targets: Neighbours,
    /// For each transition whether it leaves its source for a target inside of it.
    pub(crate) reenters: Vec<bool>,
}

impl Chart {
    #[inline]
    pub(crate) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn shape(&self, id: u32) -> Shape {
        self.node(id).shape
    }

    /// The state around a state, or [`ROOT`].
    #[inline]
    pub(crate) fn parent(&self, id: u32) -> u32 {
        self.node(id).parent
    }

    /// Whether no state is inside another.
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.levels <= 1
    }

    /// The ids inside a state, or all.
    #[inline]
    pub(crate) fn inside(&self, id: u32) -> Range<u32> {
        match id {
            ROOT => 0..self.count(),
            id => id + 1..self.node(id).end,
        }
    }

    /// Whether `id` is inside `of`, at any depth.
    #[inline]
    pub(crate) fn is_inside(&self, id: u32, of: u32) -> bool {
        self.inside(of).contains(&id)
    }

    /// Whether `id` is `of` or inside of it.
    #[inline]
    pub(crate) fn is_within(&self, id: u32, of: u32) -> bool {
        id == of || self.is_inside(id, of)
    }

    pub(crate) fn count(&self) -> u32 {
        position(self.nodes.len())
    }

    /// The states directly inside a state (its regions or those of its machine, history states too), in order.
    pub(crate) fn children(&self, of: u32) -> impl Iterator<Item = u32> {
        let Range { start, end } = self.inside(of);
        let mut next = start;
        core::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.node(child).end;
            Some(child)
        })
    }

    /// Where a state begins, or the machine itself.
    pub(crate) fn defaults(&self, of: u32) -> &[u32] {
        self.defaults.of(if of == ROOT { self.count() } else { of })
    }

    /// The regions of a state.
    pub(crate) fn regions(&self, of: u32) -> impl Iterator<Item = u32> {
        self.children(of).filter(|&child| !matches!(self.shape(child), Shape::History(_)))
    }

    /// The states around a state, from the inside out.
    pub(crate) fn around(&self, id: u32) -> impl Iterator<Item = u32> {
        let mut next = id;
        core::iter::from_fn(move || {
            next = self.parent(next);
            (next != ROOT).then_some(next)
        })
    }

    /// A state and those around it, from the inside out.
    pub(crate) fn outward(&self, id: u32) -> impl Iterator<Item = u32> {
        core::iter::once(id).chain(self.around(id))
    }

    /// The state that holds both, or [`ROOT`]: the innermost.
    pub(crate) fn common(&self, a: u32, b: u32) -> u32 {
        self.outward(a).find(|&around| self.is_within(b, around)).unwrap_or(ROOT)
    }

    /// Whether a state is a region of another.
    pub(crate) fn is_region(&self, id: u32) -> bool {
        let parent = self.parent(id);
        parent != ROOT && self.shape(parent) == Shape::Parallel
    }

    /// The state as it is written.
    #[inline]
    pub(crate) fn state<'d>(&self, definition: &'d Definition, id: u32) -> &'d State {
        match self.is_flat() {
            true => &definition.states[id as usize],
            false => self.nested_state(definition, id),
        }
    }

    fn nested_state<'d>(&self, definition: &'d Definition, id: u32) -> &'d State {
        let node = self.node(id);
        let index = node.index as usize;
        match node.parent {
            ROOT => &definition.states[index],
            parent => &inside(self.nested_state(definition, parent))[index],
        }
    }

    /// The machine of a transition.
    pub(crate) fn frame(&self, transition: u32) -> &Frame {
        &self.frames[self.frame_of[transition as usize] as usize]
    }

    /// The number of the machine inside a state.
    pub(crate) fn frame_of_owner(&self, owner: u32) -> u32 {
        // A machine comes behind those inside of it: they stand in the order in which their states end.
        let key = |frame: &Frame| match frame.owner {
            ROOT => (u32::MAX, 0),
            id => (self.node(id).end, u32::MAX - id),
        };
        let wanted = (self.node(owner).end, u32::MAX - owner);
        position(self.frames.partition_point(|frame| key(frame) < wanted))
    }

    /// Whether what is inside a state is a machine, and not regions.
    fn has_machine(&self, id: u32) -> bool {
        let frame = self.frames.get(self.frame_of_owner(id) as usize);
        frame.is_some_and(|frame| frame.owner == id)
    }

    /// The number of the machine of a transition.
    pub(crate) fn frame_number(&self, transition: u32) -> u32 {
        self.frame_of[transition as usize]
    }

    /// The transition as it is written.
    #[inline]
    pub(crate) fn transition<'d>(&self, definition: &'d Definition, id: u32) -> &'d Transition {
        match self.is_flat() {
            true => &definition.transitions[id as usize],
            false => self.nested_transition(definition, id),
        }
    }

    fn nested_transition<'d>(&self, definition: &'d Definition, id: u32) -> &'d Transition {
        let frame = self.frame(id);
        let index = (id - frame.first_transition) as usize;
        match frame.owner {
            ROOT => &definition.transitions[index],
            owner => match &self.state(definition, owner).sub_machine {
                Some(machine) => &machine.transitions[index],
                // Only a state with a machine owns one.
                None => &definition.transitions[index],
            },
        }
    }

    /// Where a state stands in the definition (RFC 6901).
    pub(crate) fn state_pointer(&self, id: u32) -> String {
        let Node { parent, index, .. } = *self.node(id);
        match parent {
            parent if parent == ROOT || self.has_machine(parent) => {
                format!("{}/states/{index}", self.machine_pointer(parent))
            }
            parent => format!("{}/regions/{index}", self.state_pointer(parent)),
        }
    }

    /// Where the machine inside a state stands, or the outer one.
    pub(crate) fn machine_pointer(&self, owner: u32) -> String {
        match owner {
            ROOT => String::new(),
            owner => format!("{}/sub_machine", self.state_pointer(owner)),
        }
    }

    /// Where a transition stands.
    pub(crate) fn transition_pointer(&self, id: u32) -> String {
        let &Frame { owner, first_transition } = self.frame(id);
        format!("{}/transitions/{}", self.machine_pointer(owner), id - first_transition)
    }

    pub(crate) fn transitions(&self) -> usize {
        self.frame_of.len()
    }
}

/// The states directly inside a state.
pub(crate) fn inside(state: &State) -> &[State] {
    match &state.sub_machine {
        Some(machine) => &machine.states,
        None => &state.regions,
    }
}

/// What a state is made of, as it is written.
fn shape(state: &State) -> Shape {
    match (state.history, &state.sub_machine) {
        (Some(kind), _) => Shape::History(kind),
        (None, Some(_)) => Shape::Compound,
        (None, None) if state.regions.is_empty() => Shape::Atomic,
        (None, None) => Shape::Parallel,
    }
}

/// The tree of a definition while it is checked: with all its parts at hand.
pub(crate) struct Parts<'d> {
    pub(crate) chart: Chart,
    /// The states by id.
    pub(crate) states: Rc<[&'d State]>,
    /// The transitions by id.
    pub(crate) transitions: Vec<&'d Transition>,
    /// Where each part stands in the document, in order: the states, the transitions, and the guards of each
    /// machine. 0 is the machine itself.
    pub(crate) places: Places,
}

/// For each part of a definition its place in document order.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub(crate) states: Vec<u32>,
    pub(crate) transitions: Vec<u32>,
    pub(crate) guards: Vec<u32>,
    last: u32,
}

impl Places {
    fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// The place behind all others.
    pub(crate) fn end(&self) -> u32 {
        self.last + 1
    }
}

impl<'d> Parts<'d> {
    /// The definition must not be nested more deeply than is safe; see `check`.
    pub(crate) fn new(definition: &'d Definition) -> Self {
        let count = definition.states.len();
        let mut parts = Self {
            chart: Chart { nodes: Vec::with_capacity(count), ..Chart::default() },
            states: Rc::default(),
            transitions: Vec::with_capacity(definition.transitions.len()),
            places: Places::default(),
        };
        let mut states = Vec::with_capacity(count);
        parts.siblings(&mut states, &definition.states, ROOT, 1);
        parts.frame(ROOT, &definition.transitions);
        parts.states = states.into();
        parts
    }

    fn siblings(&mut self, all: &mut Vec<&'d State>, states: &'d [State], parent: u32, level: u32) {
        if !states.is_empty() {
            self.chart.levels = self.chart.levels.max(level);
        }
        for (index, state) in (0..).zip(states) {
            let id = self.chart.count();
            self.chart.nodes.push(Node {
                parent,
                index,
                end: id + 1,
                shape: shape(state),
                is_terminal: state.is_terminal,
                is_required: state.required.unwrap_or(true),
                joins_any: state.join_condition == JoinCondition::Any,
            });
            all.push(state);
            let place = self.places.next();
            self.places.states.push(place);
            self.siblings(all, inside(state), id, level + 1);
            if let Some(SubMachine { transitions, .. }) = state.sub_machine.as_deref() {
                self.frame(id, transitions);
            }
            self.chart.nodes[id as usize].end = self.chart.count();
        }
    }

    fn frame(&mut self, owner: u32, transitions: &'d [Transition]) {
        let number = position(self.chart.frames.len());
        let first_transition = position(self.transitions.len());
        for transition in transitions {
            self.transitions.push(transition);
            self.chart.reenters.push(transition.reenter);
            let place = self.places.next();
            self.places.transitions.push(place);
        }
        let place = self.places.next();
        self.places.guards.push(place);
        self.chart.frame_of.resize(self.transitions.len(), number);
        self.chart.frames.push(Frame { owner, first_transition });
    }
}
