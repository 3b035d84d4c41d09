//! From a config whose targets are found to a definition.
//!
//! The root of a config is a state, that of a definition is none. What the root of a config takes is taken by
//! each state inside of it that has not ended, after its own: that is the same, since a config has ended as
//! soon as one of its outermost states has. A root that must be entered or left itself (it is parallel, has
//! `entry` or `after`, is a target) becomes a state around all others.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::mem;

use super::{
    config::{Config, Delay, Node, NodeKind},
    events::{candidates, known},
    extra::keep,
    refusals::{Place, Refusals},
    resolve::{NAMELESS, Resolved},
    ways::Way,
};
use crate::{
    definition::{Definition, Names, State, SubMachine, Timeout, Transition, Trigger},
    diagnostic::{Code, Diagnostic},
    interchange::{
        naming::{FreshNames, describe, on_action},
        places::{Places, ROOT},
    },
    limits::Limits,
    time::Duration,
};

/// The beginning of the event that XState makes for a delay; such an action is nobody's to ask for.
pub(super) const AFTER: &str = "xstate.after.";

/// Makes the definition. It is of use only where nothing is refused.
pub(super) fn build(
    config: &Config<'_>,
    resolved: &Resolved,
    limits: &Limits,
    refusals: &mut Refusals,
) -> Definition {
    let is_wrapped = needs_state(config, resolved);
    let mut places = Places::new();
    if is_wrapped {
        let is_parallel = config.node(0).kind == NodeKind::Parallel;
        places.add(ROOT, config.node(0).id.unwrap_or("root"), is_parallel);
    }
    let offset = u32::from(is_wrapped);
    for (_, node) in config.iter().skip(1) {
        let parent = node.parent.unwrap_or_default() + offset;
        places.add(parent as usize, node.key, node.kind == NodeKind::Parallel);
    }
    let mut builder = Builder {
        config,
        resolved,
        limits,
        refusals,
        places,
        offset,
        machines: Vec::new(),
        timeouts: Vec::new(),
        edges: 0,
        bytes: 0,
    };
    builder.machines.resize_with(config.nodes.len() + offset as usize, MachineMade::default);
    builder.timeouts.resize_with(config.nodes.len(), || None);
    builder.all_transitions();
    if builder.refusals.is_empty() { builder.definition() } else { empty() }
}

/// What is inside of a region that is an end itself: a region ends as its machine does.
fn ended() -> SubMachine {
    SubMachine {
        object_type: None,
        initial_state: "final".into(),
        states: alloc::vec![State { is_terminal: true, ..State::named("final") }],
        transitions: Vec::new(),
        guards: BTreeMap::new(),
        metadata: serde_json::Map::new(),
    }
}

/// Stands for a definition where there is none.
fn empty() -> Definition {
    Definition {
        object_type: String::new(),
        version: 1,
        initial_state: Names::Many(Vec::new()),
        history_enabled: true,
        states: Vec::new(),
        transitions: Vec::new(),
        guards: BTreeMap::new(),
        allow: Vec::new(),
        metadata: serde_json::Map::new(),
    }
}

/// Whether the root of a config must be a state.
fn needs_state(config: &Config<'_>, resolved: &Resolved) -> bool {
    let root = config.node(0);
    let is_history = |id: &u32| matches!(config.node(*id).kind, NodeKind::History(_));
    root.kind != NodeKind::Compound
        || !root.entry.is_empty()
        || root.after.is_some()
        || root.children.iter().any(is_history)
        || resolved.targets.iter().flatten().flatten().any(|target| *target == 0)
        || (!root.exit.is_empty()
            && config.ways(0).iter().any(|(_, way)| way.reenter && !way.targets.is_empty()))
}

struct Builder<'c, 'j, 'r> {
    config: &'c Config<'j>,
    resolved: &'c Resolved,
    limits: &'r Limits,
    refusals: &'r mut Refusals,
    /// Where each state stands in the definition; a state of the config is at its number and `offset`.
    places: Places<'c>,
    offset: u32,
    /// For each place what is made of the machine that it holds.
    machines: Vec<MachineMade>,
    /// For each state of the config.
    timeouts: Vec<Option<Timeout>>,
    /// How much has been made: a wildcard, and the root of a config, make copies.
    edges: usize,
    bytes: usize,
}

/// The transitions of a machine, and which names they have.
#[derive(Default)]
struct MachineMade {
    transitions: Vec<Transition>,
    names: FreshNames,
}

/// What a transition starts from, in the machine that it stands in.
struct Source {
    id: u32,
    machine: usize,
    from: Names,
    /// For its name.
    short: String,
    /// For each of the state's transitions the targets, as they are written there.
    targets: Vec<Vec<String>>,
    /// Whether it is the root of the config, of which no state is left.
    is_root: bool,
}

/// What sets a transition off.
enum Cause<'a> {
    Action(&'a str),
    Automatic,
    Completion,
    After(&'a str, Duration),
}

impl Builder<'_, '_, '_> {
    fn place(&self, id: u32) -> usize {
        (id + self.offset) as usize
    }

    /// Whether nothing follows this state: the machine has ended.
    fn is_end(&self, node: &Node<'_>) -> bool {
        node.kind == NodeKind::Final
            && node.parent == Some(0)
            && self.config.node(0).kind == NodeKind::Compound
    }

    fn is_region(&self, node: &Node<'_>) -> bool {
        node.parent.is_some_and(|parent| self.config.node(parent).kind == NodeKind::Parallel)
    }

    fn all_transitions(&mut self) {
        let config = self.config;
        let known = known(config);
        // What the root takes is tried last.
        for (id, node) in config.iter().skip(1).chain(config.iter().take(1)) {
            if config.ways(id).is_empty() {
                continue;
            }
            if self.is_end(node) {
                self.never_left(id);
                continue;
            }
            let Some(source) = self.source(id) else { continue };
            let positions = positions(node);
            let most = self.limits.transitions.saturating_sub(self.edges);
            let Some(events) = candidates(node, &known, most) else { return self.too_many() };
            for (event, lists) in events {
                for list in lists {
                    for (way, at) in node.on[list].1.iter().zip(positions[list]..) {
                        self.add(&source, at, way, &Cause::Action(event));
                    }
                }
            }
            let mut next = positions[node.on.len()];
            for (ways, cause) in [(&node.always, Cause::Automatic), (&node.done, Cause::Completion)]
            {
                for way in ways {
                    self.add(&source, next, way, &cause);
                    next += 1;
                }
            }
            if let Some(delay) = &node.after {
                self.delay(id, &source, delay, next);
            }
            if self.edges > self.limits.transitions || self.bytes > self.limits.bytes {
                return self.too_many();
            }
        }
    }

    fn never_left(&mut self, id: u32) {
        let Some(&(slot, way)) = self.config.ways(id).first() else { return };
        let pointer = self.config.way_pointer(id, slot, way);
        let message = "XState never takes a transition out of an outermost final state: the \
                       machine has ended";
        let help = "take it out, or drop `\"type\": \"final\"`";
        self.refusals.add(Diagnostic::new(Code::NoCounterpart, pointer, message.into(), help));
    }

    fn too_many(&mut self) {
        let limit = self.limits.transitions;
        let (message, help) = match self.bytes > self.limits.bytes {
            true => (
                format!("the transitions are larger than the limit `bytes`, {}", self.limits.bytes),
                "wildcards, and the transitions of the machine itself, make copies; shorten what \
                 they hold, or raise the limit `bytes`",
            ),
            false => (
                format!("there are more transitions than the limit `transitions`, {limit}"),
                "wildcards, and the transitions of the machine itself, make copies; name the \
                 events, or raise the limit `transitions`",
            ),
        };
        self.refusals.refuse(&Place::Root, Code::LimitExceeded, message, help);
    }

    /// How the transitions of a state begin, in the innermost machine in which they can be written.
    fn source(&mut self, id: u32) -> Option<Source> {
        let targets = &self.resolved.targets[id as usize];
        if id == 0 && self.offset == 0 {
            return self.root_source(targets);
        }
        let place = self.place(id);
        let mut machine = self.places.machine_of(place);
        loop {
            let from = self.places.inside_text(machine, place);
            let written = from.map(|from| (from, self.written(machine, targets)));
            match written {
                Some((from, Ok(targets))) => {
                    let short = self.places.name(place).to_string();
                    let from = Names::One(from);
                    return Some(Source { id, machine, from, short, targets, is_root: false });
                }
                Some((_, Err(at))) if machine == ROOT => {
                    self.unwritable(id, at);
                    return None;
                }
                None if machine == ROOT => {
                    let pointer = self.config.pointer(id);
                    let name = self.places.name(place);
                    self.ambiguous(pointer, name);
                    return None;
                }
                _ => machine = self.places.machine_of(machine),
            }
        }
    }

    /// The transitions of the root start from each state that has not ended.
    fn root_source(&mut self, targets: &[Vec<u32>]) -> Option<Source> {
        let config = self.config;
        let children = config.node(0).children.iter().map(|child| config.node(*child));
        let from: Vec<String> = children
            .filter(|child| child.kind != NodeKind::Final)
            .map(|child| child.key.to_string())
            .collect();
        let targets = match self.written(ROOT, targets) {
            Ok(targets) => targets,
            Err(at) => {
                self.unwritable(0, at);
                return None;
            }
        };
        let from = match from.as_slice() {
            [] => return None,
            [one] => Names::One(one.clone()),
            _ => Names::Many(from),
        };
        let short = "any".into();
        Some(Source { id: 0, machine: ROOT, from, short, targets, is_root: true })
    }

    /// The targets of all transitions of a state as a machine writes them, or the first that it cannot.
    fn written(&self, machine: usize, targets: &[Vec<u32>]) -> Result<Vec<Vec<String>>, usize> {
        let mut written = Vec::with_capacity(targets.len());
        for (at, targets) in targets.iter().enumerate() {
            let mut texts = Vec::with_capacity(targets.len());
            for target in targets {
                texts.push(self.places.text(machine, self.place(*target)).ok_or(at)?);
            }
            written.push(texts);
        }
        Ok(written)
    }

    fn unwritable(&mut self, id: u32, at: usize) {
        let Some(&(slot, way)) = self.config.ways(id).get(at) else { return };
        let pointer = self.config.way_pointer(id, slot, way);
        self.ambiguous(pointer, &way.targets.join(", "));
    }

    fn ambiguous(&mut self, pointer: String, name: &str) {
        let message = format!("another state has the path of `{name}` as its name");
        let help = "rename one of the two: a dot joins the names of a path";
        self.refusals.add(Diagnostic::new(Code::NoCounterpart, pointer, message, help));
    }

    fn delay(&mut self, id: u32, source: &Source, delay: &Delay<'_>, first: usize) {
        let Some(way) = delay.ways.first() else { return };
        let action = match &way.extra.action {
            Some(action) => action.clone(),
            None => format!("{AFTER}{}.{}", millis(delay.after), self.id(id)),
        };
        self.bytes += action.len();
        let node = self.config.node(id);
        // An export writes what an action and a timeout do in both places.
        if node.on.iter().all(|(event, _)| *event != action) {
            for (way, at) in delay.ways.iter().zip(first..) {
                self.add(source, at, way, &Cause::After(&action, delay.after));
            }
        }
        let notify_before = node.extra.notify_before.clone();
        let timeout = Timeout { after: delay.after.to_string(), action, notify_before };
        self.timeouts[id as usize] = Some(timeout);
    }

    /// The id of a state as XState makes it.
    fn id(&self, id: u32) -> String {
        let mut keys = Vec::new();
        let mut at = self.config.node(id);
        if let Some(id) = at.id {
            return id.into();
        }
        while let Some(parent) = at.parent {
            keys.push(at.key);
            at = self.config.node(parent);
        }
        keys.push(at.id.unwrap_or(NAMELESS));
        keys.reverse();
        keys.join(".")
    }

    fn add(&mut self, source: &Source, at: usize, way: &Way<'_>, cause: &Cause<'_>) {
        let from = source.from.as_slice();
        let targets = &source.targets[at];
        self.edges += from.len();
        self.bytes += way.size + from.iter().chain(targets).map(String::len).sum::<usize>();
        if self.edges > self.limits.transitions || self.bytes > self.limits.bytes {
            return;
        }
        let (trigger, action, words) = match cause {
            Cause::Action(event) => (Trigger::Action, Some(*event), on_action(event)),
            Cause::After(action, after) => {
                (Trigger::Action, Some(*action), format!("after_{}", friendly(*after)))
            }
            Cause::Automatic => (Trigger::Automatic, None, "when_possible".to_string()),
            Cause::Completion => (Trigger::Completion, None, "when_done".to_string()),
        };
        let MachineMade { transitions, names } = &mut self.machines[source.machine];
        let given = way.extra.name.as_ref().filter(|name| names.reserve(name));
        let name = match given {
            Some(name) => name.clone(),
            None => {
                let targets = &self.resolved.targets[source.id as usize][at];
                let offset = self.offset;
                let targets =
                    targets.iter().map(|target| self.places.name((target + offset) as usize));
                names.fresh(&describe(&source.short, targets, &words))
            }
        };
        let generated = match cause {
            Cause::After(action, after) if action.starts_with(AFTER) => {
                Some(format!("after {}", friendly(*after)))
            }
            _ => None,
        };
        transitions.push(Transition {
            name,
            display_name: way.extra.display_name.clone().or(generated),
            from_state: source.from.clone(),
            to_state: names_of(targets.clone()),
            action: action.map(Into::into),
            trigger,
            guard: way.guard.map(Into::into),
            required_permissions: way.extra.required_permissions.clone(),
            side_effects: owned(&way.actions),
            reenter: (way.reenter || source.is_root) && !targets.is_empty(),
            metadata: way.metadata.clone(),
        });
    }

    fn definition(mut self) -> Definition {
        let config = self.config;
        let (root, extra) = (config.node(0), &config.extra);
        let children: &[u32] = if self.offset == 1 { &[0] } else { &root.children };
        let states: Vec<State> = children.iter().map(|id| self.state(*id)).collect();
        let initial_state = match self.resolved.initial[0] {
            Some(initial) if self.offset == 0 => config.node(initial).key,
            _ => self.places.name(1),
        };
        let mut metadata = root.metadata.clone();
        if let Some(description) = root.description {
            keep(&mut metadata, "description", description.into());
        }
        let object_type = extra.object_type.clone();
        Definition {
            object_type: object_type.unwrap_or_else(|| root.id.unwrap_or("Object").into()),
            version: extra.version.unwrap_or(1),
            initial_state: initial_state.into(),
            history_enabled: extra.history_enabled.unwrap_or(true),
            allow: extra.allow.clone().unwrap_or_else(|| self.allow(&states)),
            states,
            transitions: mem::take(&mut self.machines[ROOT].transitions),
            guards: extra.guards.clone(),
            metadata,
        }
    }

    /// The errors that are none in XState.
    fn allow(&self, states: &[State]) -> Vec<String> {
        let config = self.config;
        let leaves_the_end = |(id, node): (u32, &Node<'_>)| {
            let is_terminal = node.kind == NodeKind::Final && !self.is_region(node);
            is_terminal && !config.ways(id).is_empty()
        };
        let mut allow = Vec::new();
        if !states.iter().any(|state| state.is_terminal) {
            allow.push("no-terminal-state");
        }
        allow.push("unreachable-state");
        if config.iter().any(leaves_the_end) {
            allow.push("terminal-with-exit");
        }
        if config.iter().any(|(_, node)| node.kind == NodeKind::Parallel) {
            allow.push("region-never-joins");
        }
        owned(&allow)
    }

    fn state(&mut self, id: u32) -> State {
        let config = self.config;
        let node = config.node(id);
        let mut on_enter = owned(&node.entry);
        let mut on_exit = owned(&node.exit);
        if self.is_end(node) {
            // XState leaves everything as the machine ends; here nothing leaves a terminal state.
            on_enter.append(&mut on_exit);
            on_enter.extend(config.node(0).exit.iter().map(ToString::to_string));
        }
        let children = node.children.iter().map(|child| self.state(*child)).collect();
        let extra = &node.extra;
        let is_region = self.is_region(node);
        let (sub_machine, regions) = match node.kind {
            NodeKind::Compound => (Some(Box::new(self.machine(id, children))), Vec::new()),
            NodeKind::Final if is_region => (Some(Box::new(ended())), Vec::new()),
            _ => (None, children),
        };
        let history = match node.kind {
            NodeKind::History(kind) => Some(kind),
            _ => None,
        };
        State {
            display_name: extra.display_name.clone(),
            description: node.description.map(Into::into),
            is_terminal: node.kind == NodeKind::Final && !is_region,
            kind: extra.kind,
            permits: extra.permits.clone(),
            entry_conditions: extra.entry_conditions.clone(),
            timeout: self.timeouts[id as usize].take(),
            on_enter,
            on_exit,
            sub_machine,
            regions,
            join_condition: extra.join_condition,
            required: extra.required,
            history,
            default_target: self.default_target(id),
            metadata: match id {
                0 => serde_json::Map::new(),
                _ => node.metadata.clone(),
            },
            ..State::named(self.places.name(self.place(id)))
        }
    }

    fn machine(&mut self, id: u32, states: Vec<State>) -> SubMachine {
        let node = self.config.node(id);
        let initial = self.resolved.initial[id as usize].map(|child| self.config.node(child).key);
        let extra = node.extra.sub_machine.clone().unwrap_or_default();
        let place = self.place(id);
        SubMachine {
            object_type: extra.object_type,
            initial_state: initial.unwrap_or_default().into(),
            states,
            transitions: mem::take(&mut self.machines[place].transitions),
            guards: BTreeMap::new(),
            metadata: extra.metadata,
        }
    }

    fn default_target(&self, id: u32) -> Option<Names> {
        let place = self.place(id);
        let mut targets = Vec::new();
        for target in &self.resolved.defaults[id as usize] {
            // Found from the machine as well as from among the regions.
            let target = self.place(*target);
            let around = self.places.parent(place);
            let outer = self.places.text(self.places.machine_of(place), target);
            let outer = outer.filter(|text| self.places.find(around, text) == Some(target));
            let text = outer.or_else(|| self.places.text(around, target));
            targets.push(text.unwrap_or_default());
        }
        names_of(targets)
    }
}

/// For each event of a state the place of its first transition among all of the state, and at the end that of
/// the others.
fn positions(node: &Node<'_>) -> Vec<usize> {
    let mut next = 0;
    let mut positions = alloc::vec![0];
    for (_, ways) in &node.on {
        next += ways.len();
        positions.push(next);
    }
    positions
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn names_of(mut names: Vec<String>) -> Option<Names> {
    match names.len() {
        0 => None,
        1 => names.pop().map(Names::One),
        _ => Some(Names::Many(names)),
    }
}

/// A number of milliseconds as JavaScript writes it.
pub(super) fn millis(after: Duration) -> String {
    let (whole, fraction) = (after.micros() / 1000, after.micros() % 1000);
    let text = format!("{whole}.{fraction:03}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A time for people: `30s`.
fn friendly(after: Duration) -> String {
    let micros = after.micros();
    let units =
        [("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000)];
    match units.iter().find(|(_, length)| micros > 0 && micros % length == 0) {
        Some((unit, length)) => format!("{}{unit}", micros / length),
        None => format!("{}ms", millis(after)),
    }
}
