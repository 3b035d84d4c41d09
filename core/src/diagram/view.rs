//! What of a machine is drawn: which states as boxes, which as clusters, and the arrows between them.
//!
//! Both languages draw one view, so that they cannot disagree. The cost is
//! linear in states and arrows, times the depth.

use alloc::{string::String, vec, vec::Vec};

use hashbrown::HashSet;

use super::DiagramOptions;
use crate::{
    chart::{Chart, ROOT, Shape},
    machine::Machine,
    table::Entry,
};

/// An arrow in integers: a transition out of one of its states, to one of its targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    /// Its number among all arrows of the machine, whatever is drawn.
    pub(super) number: usize,
    pub(super) transition: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// How a state is drawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// Not at all.
    Absent,
    /// As a box, whatever is inside.
    Box,
    /// With what is inside.
    Cluster,
}

/// What is drawn.
#[derive(Debug)]
pub(super) struct View<'m> {
    machine: &'m Machine,
    forms: Vec<Form>,
    /// For each state the one that stands for it: itself, or one around it that is collapsed.
    stands_for: Vec<u32>,
    pub(super) arrows: Vec<Arrow>,
    /// How many states are neither drawn nor inside a box.
    pub(super) left_out: usize,
    /// For each state whether a mark inside it stands for its border; see [`View::ends`].
    has_ring: Vec<bool>,
}

impl<'m> View<'m> {
    pub(super) fn new(machine: &'m Machine, options: &DiagramOptions) -> Self {
        let chart = &machine.shared.resolved.chart;
        let stands_for = stand_ins(chart, &states(machine, &options.collapsed));
        let mut arrows = all_arrows(machine);
        if !options.collapsed.is_empty() {
            arrows = between(&arrows, &stands_for);
        }
        let mut is_drawn: Vec<bool> = (0..).zip(&stands_for).map(|(id, of)| id == *of).collect();
        let centres = states(machine, &options.around);
        if !centres.is_empty() {
            let near = neighbourhood(chart, &centres, &stands_for, &arrows);
            for (drawn, near) in is_drawn.iter_mut().zip(near) {
                *drawn &= near;
            }
            arrows.retain(|arrow| is_drawn[arrow.from as usize] && is_drawn[arrow.to as usize]);
        }
        let mut forms = vec![Form::Absent; is_drawn.len()];
        for id in (0..chart.count()).filter(|&id| is_drawn[id as usize]) {
            forms[id as usize] = Form::Box;
            if let Some(around) = forms.get_mut(chart.parent(id) as usize) {
                *around = Form::Cluster;
            }
        }
        let is_left_out = |id: &u32| {
            !matches!(chart.shape(*id), Shape::History(_))
                && chart.outward(*id).all(|around| match forms[around as usize] {
                    Form::Absent => true,
                    Form::Box => false,
                    Form::Cluster => around != *id,
                })
        };
        let left_out = machine.ids().filter(is_left_out).count();
        let has_ring = vec![false; forms.len()];
        let mut view = Self { machine, forms, stands_for, arrows, left_out, has_ring };
        for arrow in 0..view.arrows.len() {
            let Arrow { from, to, .. } = view.arrows[arrow];
            let (starts_inside, ends_inside) = view.ends(from, to);
            view.has_ring[from as usize] |= starts_inside;
            view.has_ring[to as usize] |= ends_inside;
        }
        view
    }

    pub(super) fn machine(&self) -> &'m Machine {
        self.machine
    }

    pub(super) fn chart(&self) -> &'m Chart {
        &self.machine.shared.resolved.chart
    }

    pub(super) fn form(&self, state: u32) -> Form {
        self.forms[state as usize]
    }

    pub(super) fn is_cluster(&self, state: u32) -> bool {
        self.form(state) == Form::Cluster
    }

    /// The states that are drawn directly inside a state, or at the root.
    pub(super) fn children(&self, of: u32) -> impl Iterator<Item = u32> {
        self.chart().children(of).filter(|&child| self.form(child) != Form::Absent)
    }

    /// All states that are drawn.
    pub(super) fn drawn(&self) -> impl Iterator<Item = u32> {
        self.machine.ids().filter(|&id| self.form(id) != Form::Absent)
    }

    pub(super) fn has_clusters(&self) -> bool {
        self.forms.contains(&Form::Cluster)
    }

    /// How many states are inside a box.
    pub(super) fn hidden_in(&self, state: u32) -> usize {
        let chart = self.chart();
        let is_state = |id: &u32| !matches!(chart.shape(*id), Shape::History(_));
        match self.form(state) {
            Form::Box => chart.inside(state).filter(is_state).count(),
            _ => 0,
        }
    }

    /// Where a machine begins, or where a history state leads while nothing is remembered, as far as it is
    /// drawn.
    pub(super) fn defaults(&self, of: u32) -> Vec<u32> {
        let leads = match of {
            ROOT => true,
            of => matches!(self.chart().shape(of), Shape::Compound | Shape::History(_)),
        };
        let mut drawn: Vec<u32> = Vec::new();
        for &to in self.chart().defaults(of).iter().filter(|_| leads) {
            let to = self.stands_for[to as usize];
            if self.form(to) != Form::Absent && drawn.last() != Some(&to) {
                drawn.push(to);
            }
        }
        drawn
    }

    /// Whether an arrow begins or ends at the inner side of a border, since its other end is inside. No
    /// renderer draws that; there, a ring inside the cluster stands for the border.
    pub(super) fn ends(&self, from: u32, to: u32) -> (bool, bool) {
        (self.chart().is_inside(to, from), self.chart().is_inside(from, to))
    }

    pub(super) fn has_ring(&self, state: u32) -> bool {
        self.has_ring[state as usize]
    }
}

/// The states with these paths; others are passed over.
fn states(machine: &Machine, paths: &[String]) -> Vec<u32> {
    paths.iter().filter_map(|path| machine.state_id(path)).map(|id| id.0).collect()
}

/// For each state itself, or the outermost state around it that is collapsed.
fn stand_ins(chart: &Chart, collapsed: &[u32]) -> Vec<u32> {
    let mut is_collapsed = vec![false; chart.nodes.len()];
    for &id in collapsed {
        is_collapsed[id as usize] = true;
    }
    let mut stands_for: Vec<u32> = Vec::with_capacity(chart.nodes.len());
    for id in 0..chart.count() {
        let around = chart.parent(id);
        let outer = stands_for.get(around as usize).copied();
        stands_for.push(match outer {
            Some(outer) if outer != around || is_collapsed[around as usize] => outer,
            _ => id,
        });
    }
    stands_for
}

fn all_arrows(machine: &Machine) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for &Entry { transition, state: from, .. } in &machine.shared.resolved.edges {
        let targets = machine.shared.resolved.chart.targets.of(transition);
        let stays = [from];
        for &to in if targets.is_empty() { &stays } else { targets } {
            arrows.push(Arrow { number: arrows.len(), transition, from, to });
        }
    }
    arrows
}

/// The arrows between what stands for their ends, each once, without those that stay inside a box.
fn between(arrows: &[Arrow], stands_for: &[u32]) -> Vec<Arrow> {
    let mut known: HashSet<(u32, u32, u32)> = HashSet::new();
    let mut drawn = Vec::new();
    for &arrow in arrows {
        let (from, to) = (stands_for[arrow.from as usize], stands_for[arrow.to as usize]);
        let stays_inside = from != arrow.from && from == to;
        if !stays_inside && known.insert((arrow.transition, from, to)) {
            drawn.push(Arrow { from, to, ..arrow });
        }
    }
    drawn
}

/// For each state whether it is one of `centres`, inside one, next to one, or around such a state.
fn neighbourhood(
    chart: &Chart,
    centres: &[u32],
    stands_for: &[u32],
    arrows: &[Arrow],
) -> Vec<bool> {
    let mut is_centre = vec![false; stands_for.len()];
    for &id in centres {
        is_centre[stands_for[id as usize] as usize] = true;
    }
    for id in 0..chart.count() {
        let around = is_centre.get(chart.parent(id) as usize).copied();
        is_centre[id as usize] |= around.unwrap_or(false);
    }
    let mut near = is_centre.clone();
    for arrow in arrows {
        if is_centre[arrow.from as usize] || is_centre[arrow.to as usize] {
            near[arrow.from as usize] = true;
            near[arrow.to as usize] = true;
        }
    }
    for id in (0..chart.count()).rev().filter(|&id| chart.parent(id) != ROOT) {
        let around = chart.parent(id) as usize;
        near[around] |= near[id as usize];
    }
    near
}
