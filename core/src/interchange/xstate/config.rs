//! States as a config writes them: one list, in document order.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value};

use super::{
    extra::{self, RootExtra, StateExtra, keep},
    fields::{actions, is_name, text, texts, unknown_field},
    json::Json,
    refusals::{Place, Refusals},
    ways::{Form, Way, ways},
};
use crate::{
    definition::HistoryKind, diagnostic::Code, interchange::places::Places, limits::Limits,
    place::escape, table::position, time::Duration,
};

/// A state of a config; the first one is the root.
#[derive(Debug, Default)]
pub(super) struct Node<'j> {
    pub(super) key: &'j str,
    pub(super) parent: Option<u32>,
    pub(super) children: Vec<u32>,
    pub(super) kind: NodeKind,
    pub(super) id: Option<&'j str>,
    pub(super) initial: Option<&'j str>,
    /// Of a history: where it leads while nothing is remembered.
    pub(super) targets: Vec<&'j str>,
    pub(super) description: Option<&'j str>,
    pub(super) entry: Vec<&'j str>,
    pub(super) exit: Vec<&'j str>,
    /// Event descriptors in order, each with its transitions.
    pub(super) on: Vec<(&'j str, Vec<Way<'j>>)>,
    pub(super) always: Vec<Way<'j>>,
    pub(super) done: Vec<Way<'j>>,
    pub(super) after: Option<Delay<'j>>,
    pub(super) metadata: Map<String, Value>,
    pub(super) extra: StateExtra,
}

/// Transitions that are taken after a time.
#[derive(Debug)]
pub(super) struct Delay<'j> {
    /// The milliseconds, as they are written.
    pub(super) key: &'j str,
    pub(super) after: Duration,
    pub(super) ways: Vec<Way<'j>>,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum NodeKind {
    #[default]
    Atomic,
    Compound,
    Parallel,
    Final,
    History(HistoryKind),
}

/// What a transition stands in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot<'j> {
    On(&'j str),
    Always,
    Done,
    After(&'j str),
}

/// A config.
#[derive(Debug)]
pub(super) struct Config<'j> {
    pub(super) nodes: Vec<Node<'j>>,
    pub(super) extra: RootExtra,
    /// The same states by their keys.
    keys: Places<'j>,
}

impl<'j> Config<'j> {
    pub(super) fn node(&self, id: u32) -> &Node<'j> {
        &self.nodes[id as usize]
    }

    /// Every state with its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Node<'j>)> {
        (0..).zip(&self.nodes)
    }

    pub(super) fn child(&self, parent: u32, key: &str) -> Option<u32> {
        self.keys.child(parent as usize, key).map(position)
    }

    /// Where a state stands in the text.
    pub(super) fn pointer(&self, id: u32) -> String {
        let mut keys = Vec::new();
        let mut at = self.node(id);
        while let Some(parent) = at.parent {
            keys.push(at.key);
            at = self.node(parent);
        }
        let mut pointer = String::new();
        for key in keys.iter().rev() {
            pointer.push_str("/states/");
            pointer.push_str(&escape(key));
        }
        pointer
    }

    /// Where a transition stands in the text.
    pub(super) fn way_pointer(&self, id: u32, slot: Slot<'_>, way: &Way<'_>) -> String {
        let mut pointer = self.pointer(id);
        let (field, key) = match slot {
            Slot::On(event) => ("/on/", escape(event)),
            Slot::Always => ("/always", String::new()),
            Slot::Done => ("/onDone", String::new()),
            Slot::After(delay) => ("/after/", escape(delay)),
        };
        pointer.push_str(field);
        pointer.push_str(&key);
        match way.index {
            Some(index) => format!("{pointer}/{index}"),
            None => pointer,
        }
    }

    /// Where a target of a transition stands in the text.
    pub(super) fn target_pointer(
        &self,
        id: u32,
        slot: Slot<'_>,
        way: &Way<'_>,
        target: usize,
    ) -> String {
        let pointer = self.way_pointer(id, slot, way);
        match way.form {
            Form::Text => pointer,
            Form::Field => format!("{pointer}/target"),
            Form::List => format!("{pointer}/target/{target}"),
        }
    }

    /// All transitions of a state, with what they stand in.
    pub(super) fn ways(&self, id: u32) -> Vec<(Slot<'j>, &Way<'j>)> {
        let node = self.node(id);
        let mut found = Vec::new();
        let mut add = |slot, ways| {
            for way in ways {
                found.push((slot, way));
            }
        };
        for (event, ways) in &node.on {
            add(Slot::On(event), ways);
        }
        add(Slot::Always, &node.always);
        add(Slot::Done, &node.done);
        if let Some(delay) = &node.after {
            add(Slot::After(delay.key), &delay.ways);
        }
        found
    }
}

/// Reads a config. What it answers is of use only where nothing is refused.
pub(super) fn read<'j>(json: &'j Json, limits: &Limits, refusals: &mut Refusals) -> Config<'j> {
    let config = Config { nodes: Vec::new(), extra: RootExtra::default(), keys: Places::new() };
    let mut reader = Reader { config, refusals, limits, full: false };
    reader.state("", json, None, &Place::Root);
    reader.config
}

const FIELDS: &[&str] = &[
    "id",
    "initial",
    "states",
    "type",
    "history",
    "target",
    "on",
    "always",
    "onDone",
    "after",
    "entry",
    "exit",
    "description",
    "tags",
    "meta",
];
const HISTORY_FIELDS: &[&str] = &["id", "type", "history", "target", "description", "tags", "meta"];

struct Reader<'j, 'r> {
    config: Config<'j>,
    refusals: &'r mut Refusals,
    limits: &'r Limits,
    /// Whether there are too many states.
    full: bool,
}

impl<'j> Reader<'j, '_> {
    fn state(&mut self, key: &'j str, json: &'j Json, parent: Option<u32>, place: &Place<'_>) {
        let Json::Object(members) = json else {
            return self.refusals.shape(place, "a state, which is an object,");
        };
        let kind = self.kind(members, place);
        let mut node = Node { key, parent, kind, ..Node::default() };
        let mut states: &'j [(String, Json)] = &[];
        for (key, value) in members {
            let place = &Place::Key(place, key);
            match (key.as_str(), value) {
                ("type" | "history", _) => {}
                ("states", Json::Object(members)) => states = members,
                ("states", _) => self.refusals.shape(place, "an object of states"),
                _ if matches!(kind, NodeKind::History(_))
                    && !HISTORY_FIELDS.contains(&key.as_str()) =>
                {
                    unknown_field(place, key, HISTORY_FIELDS, self.refusals);
                }
                _ => self.field(&mut node, key, value, place),
            }
        }
        self.check_inside(&node, states, place);

        let id = position(self.config.nodes.len());
        self.config.nodes.push(node);
        if let Some(parent) = parent {
            self.config.keys.add(parent as usize, key, false);
            self.config.nodes[parent as usize].children.push(id);
        }
        let around = Place::Key(place, "states");
        for (key, state) in states {
            let place = &Place::Key(&around, key);
            if !self.within(key, place) {
                return;
            }
            is_name(key, place, self.refusals);
            self.state(key, state, Some(id), place);
        }
    }

    /// What kind of state it is, said or to be concluded as XState does.
    fn kind(&mut self, members: &'j [(String, Json)], place: &Place<'_>) -> NodeKind {
        let get = |wanted: &str| members.iter().find(|(key, _)| key == wanted).map(|(_, it)| it);
        let history = match get("history") {
            Some(Json::Text(text)) if text == "deep" => Some(HistoryKind::Deep),
            Some(Json::Bool(true)) => Some(HistoryKind::Shallow),
            Some(Json::Text(text)) if text == "shallow" => Some(HistoryKind::Shallow),
            None | Some(Json::Bool(false)) => None,
            Some(_) => {
                self.refusals.shape(&Place::Key(place, "history"), "`shallow` or `deep`");
                None
            }
        };
        let has_states = matches!(get("states"), Some(Json::Object(states)) if !states.is_empty());
        match get("type").map(Json::as_text) {
            None if has_states => NodeKind::Compound,
            None => history.map_or(NodeKind::Atomic, NodeKind::History),
            Some(Some("atomic")) => NodeKind::Atomic,
            Some(Some("compound")) => NodeKind::Compound,
            Some(Some("parallel")) => NodeKind::Parallel,
            Some(Some("final")) => NodeKind::Final,
            Some(Some("history")) => NodeKind::History(history.unwrap_or(HistoryKind::Shallow)),
            Some(_) => {
                let expected = "`atomic`, `compound`, `parallel`, `final` or `history`";
                self.refusals.shape(&Place::Key(place, "type"), expected);
                NodeKind::Atomic
            }
        }
    }

    /// What must or must not be inside a state of its kind.
    fn check_inside(&mut self, node: &Node<'j>, states: &[(String, Json)], place: &Place<'_>) {
        let refusals = &mut *self.refusals;
        let is_root = node.parent.is_none();
        match node.kind {
            NodeKind::Final | NodeKind::History(_) if is_root => {
                let message = "the machine itself cannot be a final or a history state";
                let help = "drop `type`, or put the state into `states`";
                refusals.no_counterpart(&Place::Key(place, "type"), message, help);
            }
            NodeKind::Atomic | NodeKind::Final | NodeKind::History(_) if !states.is_empty() => {
                let message = "XState never enters what is inside a state of this `type`";
                let help = "take the `states` out, or drop `type`";
                refusals.no_counterpart(&Place::Key(place, "states"), message, help);
            }
            NodeKind::Compound | NodeKind::Parallel if states.is_empty() => {
                let message = "there are no `states` inside".to_string();
                refusals.refuse(place, Code::NoStates, message, "add them, or drop `type`");
            }
            NodeKind::Compound if node.initial.is_none() => {
                let message = "the field `initial` is missing".to_string();
                let help = "name the state that is entered first";
                refusals.refuse(place, Code::MissingField, message, help);
            }
            _ => {}
        }
        let has_inside = matches!(node.kind, NodeKind::Compound | NodeKind::Parallel);
        if !node.done.is_empty() && (is_root || !has_inside) {
            let (message, help) = match is_root {
                true => (
                    "XState never takes the `onDone` of the machine itself: it has ended by then",
                    "put the states into a state of their own, with this `onDone`",
                ),
                false => (
                    "XState never takes an `onDone` of a state that has no states inside",
                    "take it out, or write `always`",
                ),
            };
            refusals.no_counterpart(&Place::Key(place, "onDone"), message, help);
        }
    }

    fn within(&mut self, key: &str, place: &Place<'_>) -> bool {
        let (count, bytes) = (self.config.nodes.len(), self.limits.name_bytes);
        // One is the root.
        if count > self.limits.states {
            if !core::mem::replace(&mut self.full, true) {
                let limit = self.limits.states;
                let message = format!("there are more states than the limit `states`, {limit}");
                let help = "split the machine, or raise the limit `states`";
                self.refusals.refuse(&Place::Root, Code::LimitExceeded, message, help);
            }
            return false;
        }
        if key.len() > bytes {
            let message =
                format!("a name has {} bytes, the limit `name_bytes` is {bytes}", key.len());
            let help = "shorten it, or raise the limit `name_bytes`";
            let Place::Key(around, _) = place else { return false };
            self.refusals.refuse(around, Code::LimitExceeded, message, help);
            return false;
        }
        true
    }

    fn field(&mut self, node: &mut Node<'j>, key: &'j str, value: &'j Json, place: &Place<'_>) {
        let is_root = node.parent.is_none();
        let refusals = &mut *self.refusals;
        match key {
            "id" => {
                let id = text(value, place, refusals);
                node.id = id.filter(|id| is_name(id, place, refusals));
            }
            "initial" => node.initial = initial(value, place, refusals),
            "target" if matches!(node.kind, NodeKind::History(_)) => {
                node.targets = texts(value, place, refusals);
            }
            "on" => node.on = on(value, place, refusals),
            "always" => node.always = ways(value, place, refusals),
            "onDone" => node.done = ways(value, place, refusals),
            "after" => node.after = after(value, place, refusals),
            "entry" => node.entry = actions(value, place, refusals),
            "exit" => node.exit = actions(value, place, refusals),
            "description" => node.description = text(value, place, refusals),
            "tags" => {
                let tags = texts(value, place, refusals).into_iter().map(Value::from).collect();
                keep(&mut node.metadata, key, Value::Array(tags));
            }
            "meta" if is_root => {
                self.config.extra = extra::meta(value, place, &mut node.metadata, refusals);
            }
            "meta" => node.extra = extra::meta(value, place, &mut node.metadata, refusals),
            // What it says changes nothing of what is active when.
            "output" | "order" => keep(&mut node.metadata, key, value.to_value()),
            "context"
            | "version"
            | "types"
            | "schemas"
            | "tsTypes"
            | "options"
            | "strict"
            | "predictableActionArguments"
            | "preserveActionOrder"
                if is_root =>
            {
                keep(&mut node.metadata, key, value.to_value());
            }
            _ => match without_counterpart(key) {
                Some(_) if matches!(value, Json::List(items) if items.is_empty()) => {}
                Some((message, help)) => refusals.no_counterpart(place, message, help),
                None => unknown_field(place, key, FIELDS, refusals),
            },
        }
    }
}

/// Why a field has no counterpart, and the way out.
fn without_counterpart(field: &str) -> Option<(&'static str, &'static str)> {
    Some(match field {
        "invoke" | "activities" => (
            "a service that is started with a state and stopped with it has no counterpart",
            "name side effects in `entry` and `exit`, and let the host send its end as an event",
        ),
        "onError" => (
            "an error of a service has no counterpart",
            "let the host send it as an event, under `on`",
        ),
        "route" => (
            "a `route` from anywhere has no counterpart",
            "write it under `on` of the machine itself",
        ),
        "delimiter" => {
            ("paths with another delimiter are not understood", "write the targets with `.`")
        }
        "parallel" => ("`parallel` is an old word", "write `\"type\": \"parallel\"`"),
        "onEntry" => ("`onEntry` is an old word", "write `entry`"),
        "onExit" => ("`onExit` is an old word", "write `exit`"),
        "data" => ("`data` is an old word", "write `output`"),
        "context" => ("`context` belongs to the machine itself", "move it out of the state"),
        _ => return None,
    })
}

/// The key of the state that is entered first.
fn initial<'j>(value: &'j Json, place: &Place<'_>, refusals: &mut Refusals) -> Option<&'j str> {
    let Json::Object(members) = value else { return text(value, place, refusals) };
    let mut target = None;
    for (key, value) in members {
        let place = &Place::Key(place, key);
        match key.as_str() {
            "target" => target = text(value, place, refusals),
            "actions" if actions(value, place, refusals).is_empty() => {}
            "actions" => {
                let message =
                    "actions of entering the initial state by default have no counterpart";
                let help = "move them to the `entry` of that state";
                refusals.no_counterpart(place, message, help);
            }
            "description" | "meta" => {}
            _ => unknown_field(place, key, &["target", "actions"], refusals),
        }
    }
    target
}

fn on<'j>(
    value: &'j Json,
    place: &Place<'_>,
    refusals: &mut Refusals,
) -> Vec<(&'j str, Vec<Way<'j>>)> {
    let Json::Object(members) = value else {
        refusals.shape(place, "an object of events");
        return Vec::new();
    };
    let mut on = Vec::new();
    for (event, value) in members {
        let place = &Place::Key(place, event);
        if let Some((message, help)) = event_fault(event) {
            refusals.no_counterpart(place, message, help);
        } else if is_name(event, place, refusals) {
            on.push((event.as_str(), ways(value, place, refusals)));
        }
    }
    on
}

fn event_fault(event: &str) -> Option<(&'static str, &'static str)> {
    if event.is_empty() {
        return Some(("the empty event is an old word", "write `always`"));
    }
    for inside in ["xstate.", "done.state.", "done.invoke.", "error.platform.", "error.execution"] {
        if event.starts_with(inside) {
            return Some((
                "XState makes this event itself",
                "write `onDone` at the state that ends, `after` for a delay",
            ));
        }
    }
    let stem = event.strip_suffix(".*").unwrap_or(if event == "*" { "" } else { event });
    stem.contains('*').then_some((
        "a `*` may only be the last token of an event descriptor, or all of it",
        "write `order.*` or `*`, or name the events",
    ))
}

fn after<'j>(value: &'j Json, place: &Place<'_>, refusals: &mut Refusals) -> Option<Delay<'j>> {
    let Json::Object(members) = value else {
        refusals.shape(place, "an object of delays");
        return None;
    };
    let mut delays = members.iter();
    let (key, value) = delays.next()?;
    for (key, _) in delays {
        let message = "this is a second delay, and a state has one timeout";
        let help = "put a state inside for each stage of waiting, each with its delay";
        refusals.no_counterpart(&Place::Key(place, key), message, help);
    }
    let place = &Place::Key(place, key);
    let ways = ways(value, place, refusals);
    let Some(after) = millis(key) else {
        let message = format!("`{key}` is no number of milliseconds");
        let help = "write the delay as a number: a delay by name is code of the host";
        refusals.refuse(place, Code::NoCounterpart, message, help);
        return None;
    };
    Some(Delay { key, after, ways })
}

/// A number of milliseconds; digits beyond microseconds are cut.
fn millis(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = [whole, fraction]
        .iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    let whole: i64 = whole.parse().ok().filter(|_| is_number)?;
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    let micros = whole.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)?;
    Duration::from_micros(micros)
}
