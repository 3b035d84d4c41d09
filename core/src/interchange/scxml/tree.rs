//! A definition as a tree of elements, each state known by its number in document order.

use alloc::{collections::BTreeMap, format, string::String, vec, vec::Vec};

use crate::{
    definition::{Definition, Names, State, Transition},
    interchange::places::{Places, ROOT},
};

/// The states of a definition.
#[derive(Debug)]
pub(super) struct Tree<'d> {
    pub(super) definition: &'d Definition,
    pub(super) nodes: Vec<Node<'d>>,
    pub(super) places: Places<'d>,
    /// Whether a node raises `done.state` at its end.
    pub(super) ends: Vec<bool>,
}

/// A state, or the definition.
#[derive(Debug)]
pub(super) struct Node<'d> {
    pub(super) state: Option<&'d State>,
    pub(super) element: Element,
    pub(super) children: Vec<usize>,
    /// Its place in the list that it stands in.
    position: usize,
}

/// What is written for a state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Element {
    Scxml,
    /// A state without states inside, or with history states only.
    Atomic,
    Compound,
    Parallel,
    Final,
    History,
}

impl Element {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Scxml => "scxml",
            Self::Atomic | Self::Compound => "state",
            Self::Parallel => "parallel",
            Self::Final => "final",
            Self::History => "history",
        }
    }
}

/// What a machine is made of, the outermost one or one inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine<'d> {
    pub(super) initial_state: &'d Names,
    pub(super) transitions: &'d [Transition],
    pub(super) guards: &'d BTreeMap<String, String>,
}

impl<'d> Tree<'d> {
    pub(super) fn new(definition: &'d Definition) -> Self {
        let root = Node { state: None, element: Element::Scxml, children: Vec::new(), position: 0 };
        let (nodes, places) = (vec![root], Places::new());
        let mut tree = Self { definition, nodes, places, ends: Vec::new() };
        let mut waiting: Vec<(usize, usize, &State)> = Vec::new();
        let of = |parent: usize, states: &'d [State]| {
            states.iter().enumerate().rev().map(move |(position, state)| (parent, position, state))
        };
        waiting.extend(of(ROOT, &definition.states));
        while let Some((parent, position, state)) = waiting.pop() {
            let inside = inside(state);
            let element = match state {
                _ if state.history.is_some() => Element::History,
                _ if !state.regions.is_empty() => Element::Parallel,
                _ if inside.iter().any(|state| state.history.is_none()) => Element::Compound,
                _ if state.is_terminal
                    && inside.is_empty()
                    && tree.nodes[parent].element != Element::Parallel =>
                {
                    Element::Final
                }
                _ => Element::Atomic,
            };
            let (index, _) = tree.places.add(parent, &state.name, element == Element::Parallel);
            tree.nodes[parent].children.push(index);
            tree.nodes.push(Node { state: Some(state), element, children: Vec::new(), position });
            waiting.extend(of(index, inside));
        }
        tree.ends = tree.ends();
        tree
    }

    fn ends(&self) -> Vec<bool> {
        let mut ends = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let mut inside =
                node.children.iter().filter(|at| self.nodes[**at].element != Element::History);
            ends[index] = match node.element {
                Element::Compound => inside.any(|at| self.nodes[*at].element == Element::Final),
                Element::Parallel => inside.all(|at| ends[*at]),
                _ => false,
            };
        }
        ends
    }

    /// The machine that a node holds.
    pub(super) fn machine(&self, index: usize) -> Option<Machine<'d>> {
        let Some(state) = self.nodes[index].state else {
            let Definition { initial_state, transitions, guards, .. } = self.definition;
            return Some(Machine { initial_state, transitions, guards });
        };
        let inside = state.sub_machine.as_deref().filter(|_| state.regions.is_empty())?;
        let (initial_state, guards) = (&inside.initial_state, &inside.guards);
        Some(Machine { initial_state, transitions: &inside.transitions, guards })
    }

    /// Where a node stands in the definition.
    pub(super) fn pointer(&self, index: usize) -> String {
        if index == ROOT {
            return String::new();
        }
        let parent = self.places.parent(index);
        let list = match self.nodes[parent].element {
            Element::Parallel => "/regions",
            Element::Scxml => "/states",
            _ => "/sub_machine/states",
        };
        format!("{}{list}/{}", self.pointer(parent), self.nodes[index].position)
    }

    /// Where the machine that a node holds stands.
    pub(super) fn machine_pointer(&self, index: usize) -> String {
        match index {
            ROOT => String::new(),
            _ => format!("{}/sub_machine", self.pointer(index)),
        }
    }

    /// The states that a list of names in the machine or among the regions of `container` stands for.
    pub(super) fn find_inside(&self, container: usize, names: &Names) -> Option<Vec<usize>> {
        let names = names.as_slice();
        let found = names.iter().map(|name| self.places.find_inside(container, name));
        found.collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())
    }

    /// The states that a list of targets stands for, as they are looked for from `container` outward.
    pub(super) fn find(&self, container: usize, names: &Names) -> Option<Vec<usize>> {
        let names = names.as_slice();
        let found = names.iter().map(|name| self.places.find(container, name));
        found.collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())
    }

    pub(super) fn is_history(&self, index: usize) -> bool {
        self.nodes[index].element == Element::History
    }
}

fn inside(state: &State) -> &[State] {
    if state.history.is_some() {
        &[]
    } else if !state.regions.is_empty() {
        &state.regions
    } else {
        state.sub_machine.as_deref().map_or(&[], |inside| inside.states.as_slice())
    }
}
