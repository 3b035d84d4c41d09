//! What the targets of a config stand for.
//!
//! Source: XState 5, `resolveTarget`, `getStateNodeByPath` and `resolveHistoryDefaultTransition`.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{
    config::{Config, NodeKind},
    refusals::Refusals,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    name::Nearest,
};

/// The id of a machine that has none.
pub(super) const NAMELESS: &str = "(machine)";

/// States in place of names.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// For each compound state the one that is entered first.
    pub(super) initial: Vec<Option<u32>>,
    /// For each history where it leads while nothing is remembered.
    pub(super) defaults: Vec<Vec<u32>>,
    /// For each state, for each of its transitions in the order of `Config::ways`, the targets.
    pub(super) targets: Vec<Vec<Vec<u32>>>,
}

/// Finds all that is named; what is not there is refused.
pub(super) fn resolve(config: &Config<'_>, refusals: &mut Refusals) -> Resolved {
    let mut search = Resolver { config, ids: BTreeMap::new(), nearest: Nearest::new(), refusals };
    search.read_ids();
    let mut found = Resolved::default();
    for (id, _) in config.iter() {
        found.initial.push(search.initial(id));
        found.targets.push(search.targets(id));
    }
    for (id, _) in config.iter() {
        let defaults = search.defaults(id, &found.initial);
        found.defaults.push(defaults);
    }
    found
}

struct Resolver<'c, 'j, 'r> {
    config: &'c Config<'j>,
    ids: BTreeMap<&'c str, u32>,
    nearest: Nearest,
    refusals: &'r mut Refusals,
}

impl Resolver<'_, '_, '_> {
    fn read_ids(&mut self) {
        for (at, node) in self.config.iter() {
            let id = node.id.or((at == 0).then_some(NAMELESS));
            let Some(id) = id else { continue };
            let Some(first) = self.ids.insert(id, at) else { continue };
            self.ids.insert(id, first);
            let pointer = format!("{}/id", self.config.pointer(at));
            let message = format!("the id `{id}` is used twice");
            let mut found =
                Diagnostic::new(Code::DuplicateState, pointer, message, "rename one of the two");
            found.relate(format!("{}/id", self.config.pointer(first)), "first used here");
            self.refusals.add(found);
        }
    }

    fn initial(&mut self, id: u32) -> Option<u32> {
        let node = self.config.node(id);
        let key = node.initial?;
        let found = self.config.child(id, key);
        if found.is_none() && node.kind == NodeKind::Compound {
            let children = node.children.iter().map(|child| self.config.node(*child).key);
            let help = match self.nearest.find(key, children) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "name one of the `states` inside".into(),
            };
            let pointer = format!("{}/initial", self.config.pointer(id));
            let message = format!("the initial state `{key}` is not among the states inside");
            self.refusals.add(Diagnostic::new(Code::UnknownInitialState, pointer, message, help));
        }
        found
    }

    fn targets(&mut self, id: u32) -> Vec<Vec<u32>> {
        let config = self.config;
        let mut found = Vec::new();
        for (slot, way) in config.ways(id) {
            let mut targets = Vec::with_capacity(way.targets.len());
            for (index, target) in way.targets.iter().enumerate() {
                match self.find(id, target) {
                    Some(found) => targets.push(found),
                    None => self.unknown(id, target, config.target_pointer(id, slot, way, index)),
                }
            }
            found.push(targets);
        }
        found
    }

    /// Where a history leads while nothing is remembered: what it says, else where the state around it begins.
    fn defaults(&mut self, id: u32, initial: &[Option<u32>]) -> Vec<u32> {
        let node = self.config.node(id);
        let (NodeKind::History(_), Some(parent)) = (node.kind, node.parent) else {
            return Vec::new();
        };
        let mut defaults = Vec::new();
        for target in &node.targets {
            let found = (!target.starts_with('.')).then(|| self.find(id, target)).flatten();
            match found {
                Some(found) => defaults.push(found),
                None => self.unknown(id, target, format!("{}/target", self.config.pointer(id))),
            }
        }
        if !node.targets.is_empty() {
            return defaults;
        }
        let around = self.config.node(parent);
        let is_history = |id: &u32| matches!(self.config.node(*id).kind, NodeKind::History(_));
        if around.kind == NodeKind::Parallel {
            return around.children.iter().copied().filter(|id| !is_history(id)).collect();
        }
        let first = initial[parent as usize];
        if first.is_some_and(|first| is_history(&first)) {
            let message = "it does not say where it leads while nothing is remembered, and the \
                           state around it begins with a history state";
            let (code, help) = (Code::NoCounterpart, "add a `target`");
            let pointer = self.config.pointer(id);
            self.refusals.add(Diagnostic::new(code, pointer, message.into(), help));
        }
        first.into_iter().collect()
    }

    fn find(&self, source: u32, target: &str) -> Option<u32> {
        if target.starts_with('#') {
            return self.walk(0, target);
        }
        let node = self.config.node(source);
        match target.strip_prefix('.') {
            Some(inside) => self.walk(source, inside),
            None => self.walk(node.parent?, target),
        }
    }

    /// Follows keys, or an id and keys. An empty key ends the path, as in XState.
    fn walk(&self, from: u32, path: &str) -> Option<u32> {
        let keys = split(path);
        let keys = keys.iter().take_while(|key| !key.is_empty());
        keys.into_iter().try_fold(from, |at, key| match key.strip_prefix('#') {
            Some(id) => self.ids.get(id).copied(),
            None => self.config.child(at, key),
        })
    }

    fn unknown(&mut self, source: u32, target: &str, pointer: String) {
        let node = self.config.node(source);
        let around = node.parent.unwrap_or_default();
        let help = if node.parent.is_none() && !target.starts_with(['.', '#']) {
            format!("a target of the machine itself is inside of it: write `.{target}`")
        } else if let Some(id) = target.strip_prefix('#') {
            match self.nearest.find(id, self.ids.keys().copied()) {
                Some(known) => format!("did you mean `#{known}`?"),
                None => "give the state that is meant this `id`".into(),
            }
        } else {
            let (prefix, around) = match target.starts_with('.') {
                true => (".", source),
                false => ("", around),
            };
            let keys = self.config.node(around).children.iter();
            let keys = keys.map(|child| self.config.node(*child).key);
            match self.nearest.find(target.trim_start_matches('.'), keys) {
                Some(known) => format!("did you mean `{prefix}{known}`?"),
                None => "name a sibling, `.child` for a state inside, or `#id`".into(),
            }
        };
        let message = format!("the target `{target}` is no state of this machine");
        self.refusals.add(Diagnostic::new(Code::UnknownToState, pointer, message, help));
    }
}

/// The keys of a path; a backslash keeps the character behind it from being a separator.
fn split(path: &str) -> Vec<String> {
    let mut keys = alloc::vec![String::new()];
    let mut chars = path.chars();
    while let Some(c) = chars.next() {
        if c == '.' {
            keys.push(String::new());
            continue;
        }
        let c = if c == '\\' { chars.next() } else { Some(c) };
        if let Some(key) = keys.last_mut() {
            key.extend(c);
        }
    }
    keys
}
