//! Reading inputs: paths, fields, items.

use alloc::{boxed::Box, format, string::String};

use super::{Answer, MAP_KEYS, Run, World};
use crate::guard::{
    cause::Unknown,
    compare, literal, path,
    program::{Node, NodeId, Range, Root},
    trace::Trace,
    types::Types,
    value::{List, Map, Value, whole},
};

impl<'v> Run<'v> {
    /// Whether somebody will read what is read now: only then its path is worth writing.
    fn takes_notes(&self) -> bool {
        self.trace.as_ref().is_some_and(Trace::has_room)
    }

    pub(super) fn note(&mut self, id: NodeId, value: Option<&Value<'v>>) {
        if self.takes_notes()
            && let Some(path) = self.path(id)
            && let Some(trace) = &mut self.trace
        {
            trace.read(path, value);
        }
    }

    /// Where a node reads its value: `object.items[2].price`. None for what is no input.
    pub(super) fn path(&self, id: NodeId) -> Option<String> {
        match self.program.node(id) {
            Node::Path(root, keys) | Node::HasPath(root, keys) => {
                Some(path::written(self.program, root, self.program.keys(keys)))
            }
            Node::Local(slot) => {
                let local = self.locals.get(self.base + slot as usize)?;
                match (local.at, self.path(local.over)) {
                    (Some(at), Some(over)) => Some(format!("{over}[{at}]")),
                    _ => None,
                }
            }
            Node::Select(of, name) | Node::Has(of, name) => {
                let mut path = self.path(of)?;
                path::push_field(&mut path, &self.program.names[name as usize]);
                Some(path)
            }
            Node::Index(of, at) => {
                let key = match self.program.node(at) {
                    Node::Constant(number) => &self.program.constants[number as usize],
                    Node::Local(slot) => &self.locals.get(self.base + slot as usize)?.value,
                    _ => return None,
                };
                Some(indexed(&self.path(of)?, key))
            }
            _ => None,
        }
    }

    pub(super) fn read(&mut self, id: NodeId, root: Root, keys: Range) -> Answer<'v> {
        let value = self.look_up(root, self.program.keys(keys), self.expected(id))?;
        self.note(id, Some(&value));
        Ok(value)
    }

    pub(super) fn is_object(&self, root: Root) -> bool {
        match root {
            Root::Object => true,
            Root::Variable(name) => self.program.names[name as usize].as_ref() == "object",
            _ => false,
        }
    }

    /// Follows the keys from the root.
    pub(super) fn look_up(&self, root: Root, keys: &'v [Box<str>], expected: Types) -> Answer<'v> {
        let written = |keys| path::written(self.program, root, keys);
        let missing = || self.missing(written(keys), expected);
        let (mut value, rest) = self.start(root, keys).ok_or_else(missing)?;
        let first = keys.len() - rest.len();
        for (depth, key) in (first..).zip(rest) {
            self.spend(key.len() / 16)?;
            value = match &value {
                Value::Map(map) => map.field(key).ok_or_else(missing)?,
                // An object without data has no fields.
                Value::Null if depth == 0 && self.is_object(root) => return Err(missing()),
                other => {
                    self.cause(None);
                    let path = Some(written(&keys[..depth]));
                    return Err(Unknown::wrong_type(path, "", Types::of(other), Types::MAP));
                }
            };
        }
        Ok(value)
    }

    /// The value that a path begins with, and the keys that are left to follow.
    pub(super) fn start<'k>(
        &self,
        root: Root,
        keys: &'k [Box<str>],
    ) -> Option<(Value<'v>, &'k [Box<str>])> {
        let value = match (self.world, root) {
            (World::Machine { scene, .. }, Root::Object) => Value::of(scene.object),
            (World::Machine { scene, .. }, Root::Context) => Value::Map(Map::Context(scene.ctx)),
            (World::Machine { scene, .. }, Root::Field(field)) => field.of(scene.ctx)?,
            (World::Machine { scene, .. }, Root::States) => Value::List(List::States(scene.states)),
            (World::Configuration { states, .. }, Root::States) => {
                Value::List(List::States(states))
            }
            (World::Variables { map, dotted }, Root::Variable(name)) => {
                let name = self.program.names[name as usize].as_ref();
                // The longest name that there is wins. Source: CEL, "Name resolution".
                let longest = if dotted { keys.len() } else { 0 };
                let _ = self.budget.spend(longest * longest / 4);
                for count in (1..=longest).rev() {
                    let joined = format!("{name}.{}", keys[..count].join("."));
                    if let Some(value) = map.get(&joined) {
                        return Some((Value::of(value), &keys[count..]));
                    }
                }
                Value::of(map.get(name)?)
            }
            _ => return None,
        };
        Some((value, keys))
    }

    /// `has(object.a.b)`: whether `object.a` has a field `b`.
    pub(super) fn has_path(&mut self, id: NodeId, root: Root, keys: Range) -> Answer<'v> {
        let found = match self.program.keys(keys).split_last() {
            None => self.start(root, &[]).map(|(value, _)| value),
            Some((last, before)) => match self.look_up(root, before, Types::MAP)? {
                Value::Map(map) => map.field(last),
                // An object without data has no fields.
                Value::Null if before.is_empty() && self.is_object(root) => None,
                other => {
                    self.cause(None);
                    let path = Some(path::written(self.program, root, before));
                    return Err(Unknown::wrong_type(path, "", Types::of(&other), Types::MAP));
                }
            },
        };
        self.note(id, found.as_ref());
        Ok(Value::Bool(found.is_some()))
    }

    pub(super) fn select(
        &mut self,
        id: NodeId,
        of: NodeId,
        value: &Value<'v>,
        field: &str,
    ) -> Answer<'v> {
        let Value::Map(map) = value else {
            return Err(self.wrong_type(of, value, Types::MAP));
        };
        self.spend(field.len() / 16)?;
        let found = map.field(field).ok_or_else(|| match self.path(id) {
            Some(path) => self.missing(path, self.expected(id)),
            None => self.no_value(id, "asks for a field that is not there"),
        })?;
        self.note(id, Some(&found));
        Ok(found)
    }

    pub(super) fn index(
        &mut self,
        id: NodeId,
        of: NodeId,
        at: NodeId,
        value: &Value<'v>,
        key: &Value<'v>,
    ) -> Answer<'v> {
        let found = match value {
            Value::List(list) => {
                let position = match key {
                    Value::Int(at) => Some(*at),
                    Value::Uint(at) => Some(i64::try_from(*at).unwrap_or(i64::MAX)),
                    Value::Double(at) => whole(*at),
                    other => return Err(self.wrong_type(at, other, Types::INT)),
                };
                position.and_then(|at| usize::try_from(at).ok()).and_then(|at| list.get(at))
            }
            Value::Map(map) => {
                if !Types::of(key).meets(KEYS) {
                    return Err(self.wrong_type(at, key, KEYS));
                }
                compare::find(map, key, &self.budget).map_err(|error| self.costly(error))?
            }
            other => return Err(self.wrong_type(of, other, Types::LIST.or(Types::MAP))),
        };
        let path = || self.path(of).map(|path| indexed(&path, key));
        let found = found.ok_or_else(|| match path() {
            Some(path) => self.missing(path, self.expected(id)),
            None => self.no_value(id, "asks for an item that is not there"),
        })?;
        if self.takes_notes()
            && let Some(path) = path()
            && let Some(trace) = &mut self.trace
        {
            trace.read(path, Some(&found));
        }
        Ok(found)
    }
}

/// A path with the index of an item.
fn indexed(path: &str, key: &Value<'_>) -> String {
    format!("{path}[{}]", literal::write(key))
}

/// What can be the key of a map that is asked: all that equals a key.
const KEYS: Types = MAP_KEYS.or(Types::DOUBLE);
