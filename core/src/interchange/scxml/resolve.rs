//! From ids to states: what a chart means, checked as far as no path could say it.

use alloc::{collections::BTreeMap, format, string::String, vec, vec::Vec};

use super::chart::{Chart, NodeKind, Targets};
use crate::{
    interchange::{
        finding::{Findings, ImportCode},
        naming::FreshNames,
        places::{Places, ROOT},
    },
    name::Nearest,
};

/// For each node what its ids stand for; nodes are known by their positions.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// Where a node begins, or where a history state leads; empty for what has nothing inside.
    pub(super) initial: Vec<Vec<usize>>,
    /// For each transition of each node its targets; nothing for one without.
    pub(super) targets: Vec<Vec<Option<Vec<usize>>>>,
    /// Whether a node can come to its end while it is active.
    pub(super) ends: Vec<bool>,
}

/// Gives an id to every state that has none, as SCXML 3.14 asks for.
pub(super) fn complete_ids(chart: &mut Chart<'_>, findings: &mut Findings<'_>) {
    let mut used = FreshNames::default();
    for node in chart.nodes.iter().skip(1).filter(|node| !node.id.is_empty()) {
        if !used.reserve(&node.id) {
            let message = format!("the id `{}` is there twice", node.id);
            findings.add(node.at, ImportCode::DuplicateId, message, "rename one of the two states");
        }
    }
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    for node in chart.nodes.iter_mut().skip(1).filter(|node| node.id.is_empty()) {
        let number = numbers.entry(node.kind.element()).or_default();
        loop {
            *number += 1;
            let id = format!("{}{number}", node.kind.element());
            if used.reserve(&id) {
                node.id = id;
                break;
            }
        }
    }
}

/// The states by their names.
pub(super) fn places<'c>(chart: &'c Chart<'_>, findings: &mut Findings<'_>) -> Places<'c> {
    let mut places = Places::new();
    for node in chart.nodes.iter().skip(1) {
        let name = node.title();
        if places.add(node.parent, name, node.kind == NodeKind::Parallel).1.is_some()
            && node.name.is_some()
        {
            let message = format!("two siblings are called `{name}`");
            findings.add(node.at, ImportCode::DuplicateId, message, "rename one of them");
        }
    }
    places
}

/// Finds what all ids stand for, and notes those that cannot stand there.
pub(super) fn resolve(
    chart: &Chart<'_>,
    places: &Places<'_>,
    findings: &mut Findings<'_>,
) -> Resolved {
    let mut ids = BTreeMap::new();
    for (index, node) in chart.nodes.iter().enumerate().skip(1) {
        ids.entry(node.id.as_str()).or_insert(index);
    }
    let listed = vec![0; chart.nodes.len()];
    let nearest = Nearest::new();
    let mut finder = Resolver { chart, places, findings, ids, nearest, lists: 0, listed };
    let mut resolved = Resolved { ends: ends(chart), ..Resolved::default() };
    for index in 0..chart.nodes.len() {
        let initial = finder.initial(index);
        resolved.initial.push(initial);
        let arrows = &chart.nodes[index].arrows;
        let targets = arrows.iter().map(|arrow| arrow.targets.as_ref().map(|ids| finder.find(ids)));
        resolved.targets.push(targets.collect());
    }
    finder.circles(&resolved.initial);
    resolved
}

struct Resolver<'c, 'd, 'f, 't> {
    chart: &'c Chart<'d>,
    places: &'c Places<'c>,
    findings: &'f mut Findings<'t>,
    ids: BTreeMap<&'c str, usize>,
    nearest: Nearest,
    /// How many lists of ids were read, and for each node the last of them that it is in.
    lists: usize,
    listed: Vec<usize>,
}

impl Resolver<'_, '_, '_, '_> {
    fn find(&mut self, targets: &Targets<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        self.lists += 1;
        for id in &targets.ids {
            match self.ids.get(id) {
                Some(state) => {
                    if core::mem::replace(&mut self.listed[*state], self.lists) != self.lists {
                        found.push(*state);
                    }
                }
                None => {
                    let message = format!("no state has the id `{id}`");
                    let help: String = match self.nearest.find(id, self.ids.keys().copied()) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => "add the state, or name another".into(),
                    };
                    self.findings.add(targets.at, ImportCode::UnknownTarget, message, help);
                }
            }
        }
        found
    }

    fn initial(&mut self, index: usize) -> Vec<usize> {
        let node = &self.chart.nodes[index];
        let states = || node.children.iter().filter(|at| !self.chart.nodes[**at].kind.is_history());
        let first = states().next().copied();
        let around = if node.kind.is_history() { node.parent } else { index };
        match node.kind {
            NodeKind::Root if first.is_none() => {
                let message = "the document has no states";
                self.findings.add(node.at, ImportCode::NoStates, message, "add a `<state>`");
            }
            NodeKind::Parallel if first.is_none() => {
                let message = "a parallel state has nothing inside";
                let help = "add states to it, or write `<state>`";
                self.findings.add(node.at, ImportCode::NoStates, message, help);
            }
            NodeKind::State if first.is_none() && !node.children.is_empty() => {
                let message = "a state has history states inside, and no states";
                let help = "add states to it, or remove the history states";
                self.findings.add(node.at, ImportCode::NoStates, message, help);
            }
            _ => {}
        }
        let Some(targets) = &node.initial else {
            if node.kind.is_history() {
                let message = format!(
                    "the history state `{}` does not say where it leads while nothing is remembered",
                    node.id
                );
                let help = "add `<transition target=\"…\"/>` to it";
                self.findings.add(node.at, ImportCode::HistoryWithoutDefault, message, help);
            }
            return match node.kind {
                NodeKind::Root | NodeKind::State => first.into_iter().collect(),
                _ => Vec::new(),
            };
        };
        let found = self.find(targets);
        for state in &found {
            if !self.places.lies_in(*state, around) {
                let id = &self.chart.nodes[*state].id;
                let of = match self.chart.nodes[around].id.as_str() {
                    "" => "the document".into(),
                    id => format!("`{id}`"),
                };
                let message = format!("`{id}` does not lie in {of}");
                let help = format!("name a state inside of {of}");
                self.findings.add(targets.at, ImportCode::MisplacedTarget, message, help);
            }
        }
        found
    }

    /// History states that lead to each other. A way through a state goes inward, and never comes back.
    fn circles(&mut self, leads_to: &[Vec<usize>]) {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            Entered,
            Left,
        }
        let nodes = &self.chart.nodes;
        let mut seen = vec![Seen::Not; nodes.len()];
        for start in 0..nodes.len() {
            let mut stack = vec![(start, false)];
            while let Some((at, is_done)) = stack.pop() {
                if !nodes[at].kind.is_history() {
                    continue;
                }
                if is_done {
                    seen[at] = Seen::Left;
                    continue;
                }
                match seen[at] {
                    Seen::Left => {}
                    Seen::Entered => {
                        let message =
                            format!("the history state `{}` leads back to itself", nodes[at].id);
                        let help = "let one of the history states in this circle lead to a state";
                        self.findings.add(nodes[at].at, ImportCode::HistoryCycle, message, help);
                    }
                    Seen::Not => {
                        seen[at] = Seen::Entered;
                        stack.push((at, true));
                        stack.extend(leads_to[at].iter().map(|next| (*next, false)));
                    }
                }
            }
        }
    }
}

/// Which nodes raise `done.state`: compound ones with a final state, and parallel ones of which all regions
/// can end.
fn ends(chart: &Chart<'_>) -> Vec<bool> {
    let mut ends = vec![false; chart.nodes.len()];
    for (index, node) in chart.nodes.iter().enumerate().skip(1).rev() {
        let mut states = node.children.iter().filter(|at| !chart.nodes[**at].kind.is_history());
        ends[index] = match node.kind {
            NodeKind::State => states.any(|at| chart.nodes[*at].kind == NodeKind::Final),
            NodeKind::Parallel => states.all(|at| ends[*at]),
            _ => false,
        };
    }
    ends[ROOT] = false;
    ends
}
