//! From a chart to a definition.

use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::mem;

use serde_json::Map;

use super::{
    arrows::{Arrows, ambiguous, names},
    chart::{Chart, NodeKind},
    order::{self, Item},
    resolve::{self, Resolved},
};
use crate::{
    definition::{Definition, HistoryKind, Names, State, SubMachine},
    interchange::{
        finding::{Findings, ImportCode},
        places::{Places, ROOT},
    },
    limits::Limits,
};

/// Deeper texts of a definition cannot be read, whatever the limits say.
const DEEPEST: usize = 120;

/// The definition that a chart means; nothing if there are findings.
pub(super) fn build(
    mut chart: Chart<'_>,
    limits: &Limits,
    findings: &mut Findings<'_>,
) -> Option<Definition> {
    resolve::complete_ids(&mut chart, findings);
    within_depth(&chart, limits, findings);
    let places = resolve::places(&chart, findings);
    let resolved = resolve::resolve(&chart, &places, findings);
    let items = Arrows::new(&chart, &places, &resolved, findings).items(limits);
    let mut initial = Vec::with_capacity(chart.nodes.len());
    for index in 0..chart.nodes.len() {
        initial.push(begin(&chart, &places, &resolved, index, findings));
    }
    if !findings.is_empty() {
        return None;
    }
    let mut builder = Builder { chart: &chart, items, initial };
    let states = builder.states(ROOT);
    let root = &chart.nodes[ROOT];
    Some(Definition {
        object_type: root.name.unwrap_or("Imported").into(),
        version: chart.version.unwrap_or(1),
        initial_state: builder.initial(ROOT),
        history_enabled: !chart.history_disabled,
        states,
        transitions: builder.transitions(ROOT),
        guards: root.guards.clone(),
        allow: allow(&chart, &resolved),
        metadata: Map::new(),
    })
}

/// What SCXML permits and a definition must allow. Which states nothing leads to is not easy to see: they
/// may always be there.
fn allow(chart: &Chart<'_>, resolved: &Resolved) -> Vec<String> {
    let is_machine = |kind| matches!(kind, NodeKind::Root | NodeKind::State);
    let nodes = || chart.nodes.iter().enumerate().filter(|(_, node)| !node.children.is_empty());
    let is_endless = nodes().any(|(_, node)| {
        let mut inside = node.children.iter().map(|child| chart.nodes[*child].kind);
        is_machine(node.kind) && !inside.any(|kind| kind == NodeKind::Final)
    });
    let never_joins =
        nodes().any(|(index, node)| node.kind == NodeKind::Parallel && !resolved.ends[index]);
    let codes = [
        (is_endless, "no-terminal-state"),
        (true, "unreachable-state"),
        (never_joins, "region-never-joins"),
    ];
    codes.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, code)| code.into()).collect()
}

/// Notes the first state that would be nested too deeply in the text of the definition.
fn within_depth(chart: &Chart<'_>, limits: &Limits, findings: &mut Findings<'_>) {
    let limit = limits.depth.min(DEEPEST);
    let mut depths = Vec::with_capacity(chart.nodes.len());
    for node in &chart.nodes {
        let depth = match chart.nodes[node.parent].kind {
            _ if node.kind == NodeKind::Root => 1,
            // Around a state stand a list and, inside of a state, the machine.
            NodeKind::Root | NodeKind::Parallel => depths[node.parent] + 2,
            _ => depths[node.parent] + 3,
        };
        depths.push(depth);
        // Its transitions may list names.
        if depth + 1 > limit {
            let message = format!(
                "states are nested more deeply than the limit `depth`, {limit}, permits: a level takes 2 \
                 or 3 of it"
            );
            let help = "nest states less deeply, or raise the limit `depth`";
            findings.add(node.at, ImportCode::LimitExceeded, message, help);
            return;
        }
    }
}

/// How it is written where a node begins or a history state leads.
fn begin(
    chart: &Chart<'_>,
    places: &Places<'_>,
    resolved: &Resolved,
    index: usize,
    findings: &mut Findings<'_>,
) -> Option<Names> {
    let node = &chart.nodes[index];
    let states = &resolved.initial[index];
    if states.is_empty() {
        return None;
    }
    let around = if node.kind.is_history() { node.parent } else { index };
    let texts = states.iter().map(|state| places.inside_text(around, *state));
    let found = names(texts);
    // A target outside is noted already.
    if found.is_none() && states.iter().all(|state| places.lies_in(*state, around)) {
        ambiguous(node.initial.as_ref().map_or(node.at, |targets| targets.at), findings);
    }
    found
}

struct Builder<'c, 'd> {
    chart: &'c Chart<'d>,
    items: Vec<Vec<Item>>,
    initial: Vec<Option<Names>>,
}

impl Builder<'_, '_> {
    fn states(&mut self, owner: usize) -> Vec<State> {
        let chart = self.chart;
        chart.nodes[owner].children.iter().map(|child| self.state(*child)).collect()
    }

    /// Recurses no deeper than `within_depth` lets it.
    fn state(&mut self, index: usize) -> State {
        let node = &self.chart.nodes[index];
        let inside = self.states(index);
        let (mut regions, mut sub_machine) = (Vec::new(), None);
        match node.kind {
            NodeKind::Parallel => regions = inside,
            NodeKind::State if !inside.is_empty() => {
                sub_machine = Some(Box::new(SubMachine {
                    object_type: node.object_type.map(Into::into),
                    initial_state: self.initial(index),
                    states: inside,
                    transitions: self.transitions(index),
                    guards: node.guards.clone(),
                    metadata: Map::new(),
                }));
            }
            _ => {}
        }
        let history = match node.kind {
            NodeKind::Shallow => Some(HistoryKind::Shallow),
            NodeKind::Deep => Some(HistoryKind::Deep),
            _ => None,
        };
        State {
            display_name: node.display_name.map(Into::into),
            description: node.description.map(Into::into),
            is_terminal: node.kind == NodeKind::Final,
            kind: node.condition,
            sub_machine,
            regions,
            default_target: history.and_then(|_| self.initial[index].take()),
            history,
            ..State::named(node.title())
        }
    }

    fn initial(&mut self, owner: usize) -> Names {
        self.initial[owner].take().unwrap_or(Names::Many(Vec::new()))
    }

    fn transitions(&mut self, owner: usize) -> Vec<crate::definition::Transition> {
        order::transitions(mem::take(&mut self.items[owner]))
    }
}
