//! Definitions of machines inside machines, without errors.

use std::collections::BTreeSet;

use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value, json};
use veristate::{Code, Machine, Severity};

use crate::reference::{ancestors, is_descendant, join, look_up, look_within};

pub(crate) const ACTIONS: [&str; 3] = ["go", "stop", "back"];
pub(crate) const FLAGS: [&str; 3] = ["a", "b", "c"];
pub(crate) const HOSTS: [&str; 2] = ["g0", "g1"];
pub(crate) const PERMISSIONS: [&str; 2] = ["p", "q"];
const NAMES: [&str; 6] = ["a", "b", "v1.2", "a.b", r"back\slash", "审核中"];

/// Which guards a definition may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Guards {
    Absent,
    /// They read flags of the object and `states`.
    Known,
    /// Functions of the host, too.
    Any,
}

/// What a definition may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) guards: Guards,
    pub(crate) permissions: bool,
    pub(crate) conditions: bool,
    /// How many states there are, about, at most.
    pub(crate) size: u32,
}

pub(crate) const ALL: Style =
    Style { guards: Guards::Any, permissions: true, conditions: true, size: 14 };

#[derive(Clone, Debug)]
enum Inside {
    Nothing,
    Machine(Vec<Node>),
    Regions(Vec<Node>),
}

#[derive(Clone, Debug)]
struct Node {
    bits: u16,
    pick: (usize, usize),
    histories: Vec<(bool, usize, usize)>,
    inside: Inside,
}

fn node(size: u32) -> impl Strategy<Value = Node> {
    let traits = || {
        let histories = prop_oneof![
            2 => Just(vec![]),
            1 => vec(any::<(bool, usize, usize)>(), 1..3),
        ];
        (any::<u16>(), any::<(usize, usize)>(), histories)
    };
    let atomic = traits().prop_map(|(bits, pick, histories)| Node {
        bits,
        pick,
        histories,
        inside: Inside::Nothing,
    });
    atomic.prop_recursive(3, size, 3, move |inner| {
        let inside = prop_oneof![
            3 => vec(inner.clone(), 1..4).prop_map(Inside::Machine),
            2 => vec(inner, 1..4).prop_map(Inside::Regions),
        ];
        (traits(), inside).prop_map(|((bits, pick, histories), inside)| Node {
            bits,
            pick,
            histories,
            inside,
        })
    })
}

#[derive(Clone, Debug)]
struct Way {
    from: Vec<usize>,
    to: Vec<usize>,
    trigger: u8,
    action: usize,
    guard: (u8, usize, usize),
    bits: u8,
    spelling: usize,
}

fn way() -> impl Strategy<Value = Way> {
    let from = prop_oneof![4 => vec(any::<usize>(), 1), 1 => vec(any::<usize>(), 2)];
    let to = prop_oneof![
        1 => vec(any::<usize>(), 0),
        7 => vec(any::<usize>(), 1),
        4 => vec(any::<usize>(), 2..8),
    ];
    let action = prop_oneof![6 => Just(0_usize), 3 => Just(1), 1 => Just(2)];
    let rest = (0..12_u8, action, any::<(u8, usize, usize)>(), any::<u8>());
    (from, to, rest, any::<usize>()).prop_map(
        |(from, to, (trigger, action, guard, bits), spelling)| Way {
            from,
            to,
            trigger,
            action,
            guard,
            bits,
            spelling,
        },
    )
}

/// A definition without errors.
pub(crate) fn sound(style: Style) -> impl Strategy<Value = Value> {
    let states = prop_oneof![
        1 => vec(node(style.size), 1..4),
        3 => vec(node(style.size), 2..4),
    ];
    (states, vec(way(), 3..18), any::<(usize, usize)>(), any::<u16>()).prop_map(
        move |(states, ways, pick, bits)| {
            let definition = build(&states, &ways, pick, bits, style, true);
            match Machine::from_json(&definition.to_string()) {
                Err(invalid) if invalid.diagnostics().iter().all(is_no_fault_of_ours) => {
                    build(&states, &ways, pick, bits, style, false)
                }
                _ => definition,
            }
        },
    )
}

fn is_no_fault_of_ours(found: &veristate::Diagnostic) -> bool {
    found.severity != Severity::Error || found.code == Code::AutomaticCycle
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Atomic,
    Compound,
    Parallel,
    History,
}

/// A state with its place.
#[derive(Debug)]
struct Site {
    path: String,
    name: String,
    parent: String,
    kind: Kind,
    fields: Map<String, Value>,
}

#[derive(Default)]
struct Builder {
    /// In document order.
    sites: Vec<Site>,
    paths: BTreeSet<String>,
}

impl Builder {
    fn site(&self, path: &str) -> Option<&Site> {
        self.sites.iter().find(|site| site.path == path)
    }

    fn add(&mut self, parent: &str, name: String, kind: Kind) -> usize {
        let path = join(parent, &name);
        self.paths.insert(path.clone());
        let fields = Map::from_iter([("name".into(), json!(name))]);
        self.sites.push(Site { path, name, parent: parent.into(), kind, fields });
        self.sites.len() - 1
    }

    fn siblings(&mut self, nodes: &[Node], parent: &str, are_regions: bool, style: Style) {
        let is_required = |node: &Node| node.bits & 0x300 != 0;
        for (index, node) in nodes.iter().enumerate() {
            let plain = NAMES[index % NAMES.len()];
            let name = match node.bits & 0x3 {
                0 => plain.to_owned(),
                _ => format!("{}{}", ["s", "t", "u"][index % 3], self.sites.len()),
            };
            let (kind, inside) = match &node.inside {
                Inside::Nothing => (Kind::Atomic, &[][..]),
                Inside::Machine(inside) => (Kind::Compound, &inside[..]),
                Inside::Regions(inside) => (Kind::Parallel, &inside[..]),
            };
            let id = self.add(parent, name, kind);
            let path = self.sites[id].path.clone();
            let fields = &mut self.sites[id].fields;
            let is_last = index + 1 == nodes.len() && node.bits & 0x44 != 0;
            let ends = index > 0 && (is_last || node.bits & 0x18 == 0x18);
            if kind == Kind::Atomic && !are_regions && ends {
                fields.insert("is_terminal".into(), json!(true));
            }
            if node.bits & 0x20 != 0 {
                fields.insert("on_enter".into(), json!([format!("+{path}")]));
                fields.insert("on_exit".into(), json!([format!("-{path}")]));
            }
            if are_regions && !is_required(node) && nodes.iter().any(is_required) {
                fields.insert("required".into(), json!(false));
            }
            if kind == Kind::Parallel && node.bits & 0x400 != 0 {
                fields.insert("join_condition".into(), json!("any"));
            }
            if style.conditions && index > 0 && node.bits & 0xf000 == 0xf000 {
                let condition =
                    json!([{ "name": "c", "require": format!("object.{}", FLAGS[index % 3]) }]);
                fields.insert("entry_conditions".into(), condition);
            }
            let first = node.pick.0 % 2 == 0;
            if first {
                self.histories(node, &path, kind);
            }
            self.siblings(inside, &path, kind == Kind::Parallel, style);
            if !first {
                self.histories(node, &path, kind);
            }
        }
    }

    fn histories(&mut self, node: &Node, path: &str, kind: Kind) {
        if kind == Kind::Atomic {
            return;
        }
        for (index, (is_deep, ..)) in node.histories.iter().enumerate() {
            let id = self.add(path, format!("h{index}"), Kind::History);
            let kind = if *is_deep { "deep" } else { "shallow" };
            self.sites[id].fields.insert("history".into(), json!(kind));
        }
    }

    fn inside(&self, of: &str) -> Vec<&Site> {
        self.sites.iter().filter(|site| is_descendant(&site.path, of)).collect()
    }

    /// Whether two states can be entered together, neither through the other.
    fn fit(&self, a: &str, b: &str) -> bool {
        let common = ancestors(a).find(|around| is_descendant(b, around)).unwrap_or_default();
        let is_all = |path: &str| {
            self.site(path).is_some_and(|site| site.kind == Kind::History && site.parent == common)
        };
        let holds = |outer: &str, inner: &str| outer == inner || is_descendant(inner, outer);
        self.site(common).is_some_and(|site| site.kind == Kind::Parallel)
            && !holds(a, b)
            && !holds(b, a)
            && !is_all(a)
            && !is_all(b)
    }

    /// Of these states as many as can be entered together, the first for sure.
    fn together<'s>(&self, wanted: impl IntoIterator<Item = &'s Site>) -> Vec<String> {
        let mut taken: Vec<String> = Vec::new();
        for site in wanted {
            if taken.iter().all(|other| self.fit(other, &site.path)) {
                taken.push(site.path.clone());
            }
        }
        taken
    }

    /// One of the texts that stand for a state in a place.
    fn spelled(
        &self,
        to: &str,
        container: &str,
        spelling: usize,
        find: fn(&BTreeSet<String>, &str, &str) -> Option<String>,
    ) -> Option<String> {
        let mut texts = vec![to.to_owned()];
        texts.extend(self.site(to).map(|site| site.name.clone()));
        for around in ancestors(to).filter(|around| !around.is_empty()) {
            texts.push(to[around.len() + 1..].to_owned());
        }
        texts.retain(|text| find(&self.paths, container, text).as_deref() == Some(to));
        (!texts.is_empty()).then(|| texts[spelling % texts.len()].clone())
    }

    fn list(
        &self,
        to: &[String],
        container: &str,
        spelling: usize,
        find: fn(&BTreeSet<String>, &str, &str) -> Option<String>,
    ) -> Option<Value> {
        let texts: Vec<String> =
            to.iter().filter_map(|to| self.spelled(to, container, spelling, find)).collect();
        match texts.as_slice() {
            [] => None,
            [one] if spelling.is_multiple_of(3) => Some(json!(one)),
            all => Some(json!(all)),
        }
    }

    fn guard(&self, (kind, x, y): (u8, usize, usize), guards: Guards) -> Option<String> {
        let active: Vec<&Site> =
            self.sites.iter().filter(|site| site.kind != Kind::History).collect();
        let path = json!(active[y % active.len()].path);
        let flag = FLAGS[x % FLAGS.len()];
        let text = match kind % 16 {
            0 => format!("object.{flag}"),
            1 => format!("!object.{flag}"),
            2 => format!("{path} in states"),
            3 => format!("!({path} in states)"),
            4 => format!("object.{flag} && {path} in states"),
            5 => format!("object.{flag} || !({path} in states)"),
            6 => "n0".into(),
            7 => "n1".into(),
            8 if guards == Guards::Any => HOSTS[x % 2].into(),
            9 if guards == Guards::Any => format!("object.{flag} && {}", HOSTS[y % 2]),
            _ => return None,
        };
        (guards != Guards::Absent).then_some(text)
    }

    /// Where a machine begins.
    fn initial(&self, owner: &str, pick: (usize, usize)) -> Value {
        let inside = self.inside(owner);
        let is_plain = |site: &&&Site| site.kind != Kind::History && site.parent == owner;
        let plain = inside.iter().find(is_plain).map_or("", |site| &site.path);
        let wanted: Vec<&Site> = match pick.0 % 4 {
            0 => {
                let picked = inside.iter().cycle().skip(pick.1 % inside.len());
                picked.take(inside.len()).copied().collect()
            }
            _ => inside.iter().filter(|site| site.path == plain).copied().collect(),
        };
        let mut to = self.together(wanted);
        to.truncate(1 + pick.1 % 3);
        let initial = self.list(&to, owner, pick.1, look_within);
        initial.unwrap_or_else(|| json!(plain))
    }

    fn defaults(&self, history: &Site, (_, x, y): (bool, usize, usize)) -> Value {
        let of = &history.parent;
        let inside = self.inside(of);
        let fits = |site: &&&Site| site.kind != Kind::History || site.parent != *of;
        let wanted: Vec<&Site> = inside.iter().filter(fits).copied().collect();
        let picked = wanted.iter().cycle().skip(x % wanted.len());
        let mut to = self.together(picked.take(wanted.len()).copied());
        to.truncate(1 + y % 3);
        self.list(&to, of, y, look_up).unwrap_or_else(|| json!(to))
    }

    /// A transition, and the machine that it stands in.
    fn transition(
        &self,
        number: usize,
        way: &Way,
        style: Style,
        automatic: bool,
    ) -> (String, Value) {
        let active: Vec<&Site> =
            self.sites.iter().filter(|site| site.kind != Kind::History).collect();
        let mut source = active[way.from[0] % active.len()];
        let is_completion = way.trigger < 4;
        if is_completion && source.kind == Kind::Atomic {
            source = self.site(&source.parent).unwrap_or(source);
        }
        let owners: Vec<&str> = ancestors(&source.path)
            .filter(|around| self.site(around).is_none_or(|site| site.kind == Kind::Compound))
            .collect();
        let at = if way.bits & 0x6 == 0 { way.spelling % owners.len() } else { 0 };
        let owner = owners[at];
        let mut from: Vec<String> = vec![source.path.clone()];
        for index in &way.from[1..] {
            let path = &active[index % active.len()].path;
            if is_descendant(path, owner) && !from.contains(path) {
                from.push(path.clone());
            }
        }
        let to = self.together(way.to.iter().map(|index| &self.sites[index % self.sites.len()]));
        let mut transition = json!({
            "name": format!("t{number}"), "reenter": way.bits & 0x1 != 0,
            "from_state": self.list(&from, owner, way.spelling, look_within),
        });
        let fields = transition.as_object_mut().expect("it is one");
        if let Some(to) = self.list(&to, owner, way.spelling, look_up) {
            fields.insert("to_state".into(), to);
        }
        if let Some(guard) = self.guard(way.guard, style.guards) {
            fields.insert("guard".into(), json!(guard));
        }
        if way.bits & 0x18 == 0 {
            fields.insert("side_effects".into(), json!([format!("!{number}"), "log"]));
        }
        match way.trigger {
            _ if is_completion && source.kind != Kind::Atomic => {
                fields.insert("trigger".into(), json!("completion"));
            }
            4 if automatic => {
                fields.insert("trigger".into(), json!("automatic"));
            }
            _ => {
                fields.insert("action".into(), json!(ACTIONS[way.action]));
                if style.permissions && way.bits & 0xe0 == 0 {
                    let permission = PERMISSIONS[way.spelling % 2];
                    fields.insert("required_permissions".into(), json!([permission]));
                }
            }
        }
        (owner.to_owned(), transition)
    }

    fn states(&self, parent: &str, machines: &[(String, Value)]) -> Vec<Value> {
        let here = self.sites.iter().filter(|site| site.parent == parent);
        let state = |site: &Site| {
            let mut fields = site.fields.clone();
            let inside = self.states(&site.path, machines);
            match site.kind {
                Kind::Parallel => _ = fields.insert("regions".into(), json!(inside)),
                Kind::Compound => {
                    let machine = machines.iter().find(|(owner, _)| *owner == site.path);
                    let mut machine =
                        machine.map(|(_, machine)| machine.clone()).unwrap_or_default();
                    machine["states"] = json!(inside);
                    fields.insert("sub_machine".into(), machine);
                }
                Kind::Atomic | Kind::History => {}
            }
            Value::Object(fields)
        };
        here.map(state).collect()
    }
}

/// The nodes with something inside, in document order.
fn outer_nodes<'n>(nodes: &'n [Node], all: &mut Vec<&'n Node>) {
    for node in nodes {
        match &node.inside {
            Inside::Nothing => {}
            Inside::Machine(inside) | Inside::Regions(inside) => {
                all.push(node);
                outer_nodes(inside, all);
            }
        }
    }
}

fn build(
    states: &[Node],
    ways: &[Way],
    pick: (usize, usize),
    bits: u16,
    style: Style,
    automatic: bool,
) -> Value {
    let mut builder = Builder::default();
    builder.siblings(states, "", false, style);
    let transitions: Vec<(String, Value)> = (0..)
        .zip(ways)
        .map(|(number, way)| builder.transition(number, way, style, automatic))
        .collect();
    let of = |owner: &str| {
        let of_owner = transitions.iter().filter(|(other, _)| other == owner);
        of_owner.map(|(_, transition)| transition.clone()).collect::<Vec<_>>()
    };
    let mut nodes = Vec::new();
    outer_nodes(states, &mut nodes);
    let mut machines: Vec<(String, Value)> = Vec::new();
    let mut defaults: Vec<(String, Value)> = Vec::new();
    let outer =
        builder.sites.iter().filter(|site| matches!(site.kind, Kind::Compound | Kind::Parallel));
    for (site, node) in outer.zip(nodes) {
        if site.kind == Kind::Compound {
            let mut machine = json!({
                "initial_state": builder.initial(&site.path, node.pick), "transitions": of(&site.path),
            });
            if style.guards != Guards::Absent && node.bits & 0x800 != 0 {
                machine["guards"] = json!({ "n0": "!object.b" });
            }
            machines.push((site.path.clone(), machine));
        }
        let histories =
            builder.sites.iter().filter(|of| of.parent == site.path && of.kind == Kind::History);
        for (history, picks) in histories.zip(&node.histories) {
            defaults.push((history.path.clone(), builder.defaults(history, *picks)));
        }
    }
    for (path, default) in defaults {
        if let Some(site) = builder.sites.iter_mut().find(|site| site.path == path) {
            site.fields.insert("default_target".into(), default);
        }
    }
    timeouts(&mut builder, ways, bits);
    let guards = match style.guards {
        Guards::Absent => json!({}),
        _ => {
            json!({ "n0": "object.a", "n1": format!("{} in states", json!(builder.sites[0].path)) })
        }
    };
    json!({
        "object_type": "Thing", "initial_state": builder.initial("", pick), "guards": guards,
        "states": builder.states("", &machines), "transitions": of(""),
        "allow": ["no-terminal-state", "unreachable-state", "terminal-with-exit", "region-never-joins"],
    })
}

/// Timeouts of some of the states that an action leads out of.
fn timeouts(builder: &mut Builder, ways: &[Way], bits: u16) {
    let active: Vec<usize> =
        (0..builder.sites.len()).filter(|&id| builder.sites[id].kind != Kind::History).collect();
    for (number, way) in ways.iter().enumerate() {
        if bits >> (number % 16) & 1 == 0 || way.trigger < 5 || number % 2 == 0 {
            continue;
        }
        let site = &mut builder.sites[active[way.from[0] % active.len()]];
        let timeout = json!({ "after": "30m", "action": ACTIONS[way.action] });
        site.fields.insert("timeout".into(), timeout);
    }
}
