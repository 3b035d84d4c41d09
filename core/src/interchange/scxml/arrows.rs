//! From `<transition>` to transitions: events to actions, types to `reenter`.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{
    chart::{Arrow, Chart, NodeKind, Placed},
    order::Item,
    resolve::Resolved,
};
use crate::{
    definition::{Names, Transition, Trigger},
    interchange::{
        event::{covered_by, normalised},
        finding::{Findings, ImportCode},
        naming::{describe, on_action},
        numbered::Numbered,
        places::Places,
    },
    limits::Limits,
};

/// What the transitions of one document are made from.
pub(super) struct Arrows<'c, 'd, 'f, 't> {
    chart: &'c Chart<'d>,
    places: &'c Places<'c>,
    resolved: &'c Resolved,
    findings: &'f mut Findings<'t>,
    known: Numbered<'d>,
    /// For each known descriptor the action that it stands for, where that is another word.
    actions: Vec<Option<Placed<'d>>>,
    /// For each node and transition what sets it off.
    causes: Vec<Vec<Cause>>,
    ids: BTreeMap<&'c str, usize>,
    /// Ids of the nodes that raise `done.state`.
    ends: Numbered<'c>,
}

/// What sets one `<transition>` off.
#[derive(Debug, Default)]
struct Cause {
    is_automatic: bool,
    is_completion: bool,
    /// Known descriptors.
    events: Vec<usize>,
}

/// What becomes of one `<transition>`.
enum Made {
    All(Vec<Item>),
    /// Nothing, and a finding.
    Refused,
    TooMuch,
}

/// How much more may be made: one `*` stands for as many transitions as there are events.
struct Room {
    transitions: usize,
    bytes: usize,
}

impl Room {
    /// Takes room for so many transitions of a size; whether there was enough.
    fn take(&mut self, count: usize, size: usize) -> bool {
        let left = self.transitions.checked_sub(count);
        let bytes = self.bytes.checked_sub(count.saturating_mul(size));
        let (Some(left), Some(bytes)) = (left, bytes) else { return false };
        (self.transitions, self.bytes) = (left, bytes);
        true
    }
}

impl<'c, 'd, 'f, 't> Arrows<'c, 'd, 'f, 't> {
    /// Reads all events of the document.
    pub(super) fn new(
        chart: &'c Chart<'d>,
        places: &'c Places<'c>,
        resolved: &'c Resolved,
        findings: &'f mut Findings<'t>,
    ) -> Self {
        let mut arrows = Self {
            chart,
            places,
            resolved,
            findings,
            known: Numbered::default(),
            actions: Vec::new(),
            causes: Vec::new(),
            ids: BTreeMap::new(),
            ends: Numbered::default(),
        };
        for (index, node) in chart.nodes.iter().enumerate().skip(1) {
            arrows.ids.insert(node.id.as_str(), index);
            if resolved.ends[index] {
                arrows.ends.add(node.id.as_str());
            }
        }
        for (index, node) in chart.nodes.iter().enumerate() {
            let causes = node.arrows.iter().map(|arrow| arrows.cause(index, arrow)).collect();
            arrows.causes.push(causes);
        }
        arrows.one_action_each();
        arrows
    }

    /// The transitions of each machine, in document order, by the node that holds it.
    pub(super) fn items(mut self, limits: &Limits) -> Vec<Vec<Item>> {
        let mut items: Vec<Vec<Item>> = Vec::new();
        items.resize_with(self.chart.nodes.len(), Vec::new);
        let mut room = Room { transitions: limits.transitions, bytes: limits.bytes };
        for (source, node) in self.chart.nodes.iter().enumerate() {
            let home = self.places.machine_of(source);
            for (index, arrow) in node.arrows.iter().enumerate() {
                let made = match self.make(source, home, index, arrow, &mut room) {
                    Made::All(made) => made,
                    Made::Refused => continue,
                    Made::TooMuch => {
                        let message = "with one transition for each event the document is larger than the \
                                       limits `transitions` and `bytes`";
                        let help = "use fewer `*`, or raise these limits";
                        self.findings.add(arrow.at, ImportCode::LimitExceeded, message, help);
                        return items;
                    }
                };
                items[home].extend(made);
            }
        }
        items
    }

    fn cause(&mut self, source: usize, arrow: &Arrow<'d>) -> Cause {
        let Some(event) = arrow.event else {
            if let Some(action) = arrow.action {
                let message = "an action without an event";
                let help = "add the attribute `event`";
                self.findings.add(action.at, ImportCode::MissingAttribute, message, help);
            }
            return Cause { is_automatic: true, ..Cause::default() };
        };
        let mut cause = Cause::default();
        for text in event.text.split_ascii_whitespace() {
            let Some(descriptor) = normalised(text) else {
                let message = format!("`{text}` is no event descriptor");
                let help = "write words with single dots between them, or `*` alone";
                self.findings.add(event.at, ImportCode::InvalidEvent, message, help);
                continue;
            };
            match self.completion(source, descriptor) {
                Ok(true) => cause.is_completion = true,
                Ok(false) => {
                    let position = self.known.add(descriptor);
                    if position == self.actions.len() {
                        self.actions.push(None);
                    }
                    cause.events.push(position);
                }
                Err((message, help)) => {
                    self.findings.add(event.at, ImportCode::CompletionOfAnother, message, help);
                }
            }
        }
        cause.events.sort_unstable();
        cause.events.dedup();
        if event.text.trim_ascii().is_empty() {
            let message = "a list of events is empty";
            let help = "name an event; without the attribute the transition is automatic";
            self.findings.add(event.at, ImportCode::InvalidEvent, message, help);
        }
        if let Some(action) = arrow.action {
            self.alias(action, &cause);
        }
        cause
    }

    /// Notes which action a lone event stands for.
    fn alias(&mut self, action: Placed<'d>, cause: &Cause) {
        let (false, [event]) = (cause.is_completion, cause.events.as_slice()) else {
            let message = format!("`{}` is the action of more than one event", action.text);
            let help = "write a transition for each event";
            return self.findings.add(action.at, ImportCode::ConflictingAction, message, help);
        };
        let known = &mut self.actions[*event];
        match known {
            None => *known = Some(action),
            Some(known) if known.text == action.text => {}
            Some(known) => {
                let event = self.known.get(*event);
                let message = format!(
                    "`{event}` stands for two actions, `{}` and `{}`",
                    known.text, action.text
                );
                let help = "let an event be one action everywhere";
                self.findings.add(action.at, ImportCode::ConflictingAction, message, help);
            }
        }
    }

    /// No two events are one action.
    fn one_action_each(&mut self) {
        let mut seen = Numbered::default();
        // Plain ones first: a fault is where an action is written.
        for (event, action) in self.actions.iter().enumerate() {
            if action.is_none() {
                seen.add(self.known.get(event));
            }
        }
        for action in self.actions.iter().flatten() {
            if !seen.insert(action.text) {
                let message = format!("two events are the action `{}`", action.text);
                let help = "give each event an action of its own";
                self.findings.add(action.at, ImportCode::ConflictingAction, message, help);
            }
        }
    }

    /// Whether a descriptor means the end of the state itself; else it is an event of the outside. An error
    /// where it (also) means the end of other states.
    fn completion(&self, source: usize, descriptor: &str) -> Result<bool, (String, String)> {
        let of_others = |state: &str| {
            let message = format!(
                "`{descriptor}` also is the end of `{state}`, for which another state waits"
            );
            let help = "let the state that ends have the transition: `event=\"done.state.ID\"` in the state \
                        `ID` itself; and name the other events";
            Err((message, help.into()))
        };
        let Some(id) = descriptor.strip_prefix("done.state.") else {
            return match (descriptor, self.ends.first()) {
                ("*" | "done" | "done.state", Some(state)) => of_others(state),
                _ => Ok(false),
            };
        };
        if id != self.chart.nodes[source].id {
            return of_others(id);
        }
        // `/` follows `.`.
        let (first, end) = (format!("{id}."), format!("{id}/"));
        match self.ends.between(&first, &end).next() {
            Some(state) => of_others(self.ends.get(state)),
            None => Ok(true),
        }
    }

    fn make(
        &mut self,
        source: usize,
        home: usize,
        index: usize,
        arrow: &Arrow<'_>,
        room: &mut Room,
    ) -> Made {
        let guard = self.guard(arrow);
        let targets = self.resolved.targets[source][index].as_deref();
        let Ok(reenter) = targets.map_or(Ok(None), |targets| self.reenter(source, targets, arrow))
        else {
            return Made::Refused;
        };
        let from = self.places.inside_text(home, source);
        let to = targets.map(|states| self.texts(home, states));
        let (Some(from), false) = (from, matches!(to, Some(None))) else {
            let at = arrow.targets.as_ref().map_or(arrow.at, |targets| targets.at);
            ambiguous(at, self.findings);
            return Made::Refused;
        };
        let to_state = to.flatten();
        let cause = &self.causes[source][index];
        let mut events = Vec::new();
        for event in &cause.events {
            events.append(&mut covered_by(&self.known, self.known.get(*event)));
        }
        events.sort_unstable();
        events.dedup();
        let texts = [guard.as_deref(), arrow.name, arrow.display_name, Some(from.as_str())];
        let to_texts = to_state.iter().flat_map(Names::as_slice).map(String::as_str);
        let size = texts.into_iter().flatten().chain(to_texts).map(|text| text.len() + 24).sum();
        let count =
            events.len() + usize::from(cause.is_automatic) + usize::from(cause.is_completion);
        if !room.take(count, size) {
            return Made::TooMuch;
        }
        let name_of = |state: &usize| self.places.name(*state);
        let base = |cause: &str| {
            describe(name_of(&source), targets.unwrap_or_default().iter().map(name_of), cause)
        };
        let item = |trigger, action: Option<String>, base| Item {
            source,
            reenter,
            explicit: arrow.name.map(Into::into),
            base,
            transition: Transition {
                name: String::new(),
                display_name: arrow.display_name.map(Into::into),
                from_state: Names::One(from.clone()),
                to_state: to_state.clone(),
                action,
                trigger,
                guard: guard.clone(),
                required_permissions: Vec::new(),
                side_effects: Vec::new(),
                reenter: reenter.unwrap_or_default(),
                metadata: serde_json::Map::new(),
            },
        };
        let mut made = Vec::new();
        if cause.is_automatic {
            made.push(item(Trigger::Automatic, None, base("always")));
        }
        if cause.is_completion {
            made.push(item(Trigger::Completion, None, base("when_done")));
        }
        for event in events {
            let action = self.actions[event].map_or(self.known.get(event), |action| action.text);
            made.push(item(Trigger::Action, Some(action.into()), base(&on_action(action))));
        }
        Made::All(made)
    }

    fn texts(&self, home: usize, states: &[usize]) -> Option<Names> {
        names(states.iter().map(|state| self.places.text(home, *state)))
    }

    fn guard(&mut self, arrow: &Arrow<'_>) -> Option<String> {
        let condition = arrow.condition?;
        if let Some(id) = in_state(condition.text)
            && let Some(state) = self.ids.get(id)
        {
            let path = self.places.path(*state).replace('\\', "\\\\").replace('"', "\\\"");
            return Some(format!("\"{path}\" in states"));
        }
        if !self.chart.is_cel {
            let message = format!("the condition `{}` is not in CEL", condition.text);
            let help = "write the conditions in CEL and say `datamodel=\"cel\"`, or remove them and add guards \
                        after the import";
            self.findings.add(condition.at, ImportCode::ForeignCondition, message, help);
        } else if condition.text.trim().is_empty() {
            let message = "a condition is empty";
            let help = "write what must be true, or remove the attribute";
            self.findings.add(condition.at, ImportCode::InvalidAttribute, message, help);
        }
        Some(condition.text.into())
    }

    /// Whether the source is left and entered again by a transition back to it or into it; nothing inside
    /// where that cannot make a difference. An error, and a finding, if it would depend on a history.
    fn reenter(
        &mut self,
        source: usize,
        targets: &[usize],
        arrow: &Arrow<'_>,
    ) -> Result<Option<bool>, ()> {
        let (chart, places) = (self.chart, self.places);
        let is_history = |node: usize| chart.nodes[node].kind.is_history();
        if targets.iter().any(|target| leads_out(places, is_history(*target), source, *target)) {
            return Ok(None);
        }
        let node = &chart.nodes[source];
        let is_compound =
            node.kind == NodeKind::State && node.children.iter().any(|child| !is_history(*child));
        if !arrow.is_internal || !is_compound || targets.contains(&source) {
            return Ok(Some(true));
        }
        if targets.iter().all(|target| places.lies_in(*target, source)) {
            return Ok(Some(false));
        }
        let message = "whether this internal transition leaves its state depends on what a history state \
                       around it remembers";
        let help = "make it external (remove `type`), or name a state";
        self.findings.add(arrow.at, ImportCode::AmbiguousDomain, message, help);
        Err(())
    }
}

/// The id that a condition asks for and nothing else: `In('id')`, which every data model has.
fn in_state(condition: &str) -> Option<&str> {
    let inside = condition.trim().strip_prefix("In")?.trim_start();
    let inside = inside.strip_prefix('(')?.strip_suffix(')')?.trim();
    let id = ['\'', '"']
        .into_iter()
        .find_map(|quote| inside.strip_prefix(quote)?.strip_suffix(quote))?;
    (!id.contains(['\'', '"', '\\'])).then_some(id)
}

/// Whether a target surely lies outside of the source. A history state leads into the state around it.
pub(super) fn leads_out(
    places: &Places<'_>,
    is_history: bool,
    source: usize,
    target: usize,
) -> bool {
    if is_history {
        let around = places.parent(target);
        around != source && !places.lies_in(around, source) && !places.lies_in(source, around)
    } else {
        target != source && !places.lies_in(target, source)
    }
}

/// One text or a list of them; nothing if one is missing.
pub(super) fn names(mut texts: impl ExactSizeIterator<Item = Option<String>>) -> Option<Names> {
    match texts.len() {
        1 => texts.next()?.map(Names::One),
        _ => texts.collect::<Option<Vec<_>>>().map(Names::Many),
    }
}

/// Notes a state that no text names.
pub(super) fn ambiguous(at: usize, findings: &mut Findings<'_>) {
    let message = "the path of a state here is the name of another one";
    let help =
        "rename one of them: an id `a.b` beside a state `b` in a state `a` cannot be told apart";
    findings.add(at, ImportCode::AmbiguousPath, message, help);
}
