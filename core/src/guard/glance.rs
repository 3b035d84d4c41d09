//! Comparing inputs where they lie: what most guards do, in a fraction of the time.
//!
//! Invariant: where there is an answer, [`Run`] would give the same one in as many steps. Whatever is not plain,
//! is missing or does not fit is left to it.
//!
//! `#[inline]` counts here: the npm package is optimised for size, and this is what its programs ask most.

use alloc::string::String;
use core::cmp::Ordering;

use serde_json::{Map as JsonMap, Value as Json};

use super::{
    functions::Function,
    program::{Node, NodeId, Range, Root},
    run::{Run, World},
    tree::Operator,
    value::{Field, List, Map, Value},
};

/// A value that is as cheap to copy as a number.
#[derive(Clone, Copy, Debug)]
enum Plain<'v> {
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(&'v str),
}

impl<'v> Plain<'v> {
    #[inline]
    fn of(value: &'v Value<'_>) -> Option<Self> {
        Some(match value {
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Double(value) => Self::Double(*value),
            Value::Text(text) => Self::Text(text),
            Value::Made(text) => Self::Text(text),
            _ => return None,
        })
    }

    #[inline]
    fn read(json: &'v Json) -> Option<Self> {
        Some(match json {
            Json::String(text) => Self::Text(text),
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(_) => match Value::of(json) {
                Value::Int(value) => Self::Int(value),
                Value::Double(value) => Self::Double(value),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// None for values of different types, and beside NaN.
    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(&b)),
            (Self::Double(a), Self::Double(b)) => a.partial_cmp(&b),
            #[expect(clippy::cast_precision_loss, reason = "as in `compare`")]
            (Self::Int(a), Self::Double(b)) => (a as f64).partial_cmp(&b),
            #[expect(clippy::cast_precision_loss, reason = "as in `compare`")]
            (Self::Double(a), Self::Int(b)) => a.partial_cmp(&(b as f64)),
            _ => None,
        }
    }
}

impl Run<'_> {
    /// The answer of a guard whose parts are all plain comparisons, joined by `&&` or by `||`.
    pub(super) fn glance_at_all(&self) -> Option<bool> {
        let (parts, decides) = match self.program.node(self.program.root) {
            Node::And(parts) => (parts, false),
            Node::Or(parts) => (parts, true),
            _ => return None,
        };
        let before = self.budget.left();
        for &part in self.program.list(parts) {
            match self.glance(part) {
                Some(answer) if answer == decides => return Some(decides),
                Some(_) => {}
                None => {
                    self.budget.rewind(before);
                    return None;
                }
            }
        }
        Some(!decides)
    }

    /// The answer of a comparison of plain values. Nothing where somebody wants to know what was read.
    #[inline]
    pub(super) fn glance(&self, id: NodeId) -> Option<bool> {
        if self.trace.is_some() {
            return None;
        }
        let before = self.budget.left();
        let answer = match self.program.node(id) {
            Node::Binary(operator, left, right) => {
                self.pay(1).and_then(|()| self.compared(operator, left, right))
            }
            Node::Call(function, parts) => self.pay(1).and_then(|()| self.asked(function, parts)),
            _ => return None,
        };
        if answer.is_none() {
            self.budget.rewind(before);
        }
        answer
    }

    #[inline]
    fn compared(&self, operator: Operator, left: NodeId, right: NodeId) -> Option<bool> {
        let a = self.plain(left)?;
        if operator == Operator::In {
            return self.is_among(a, right);
        }
        let order = self.order(a, self.plain(right)?)?;
        Some(match operator {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            _ => return None,
        })
    }

    /// Whether a text begins or ends with another.
    #[inline]
    fn asked(&self, function: Function, parts: Range) -> Option<bool> {
        let &[of, with] = self.program.list(parts) else { return None };
        let holds: fn(&str, &str) -> bool = match function {
            Function::StartsWith => |text, part| text.starts_with(part),
            Function::EndsWith => |text, part| text.ends_with(part),
            _ => return None,
        };
        let (Plain::Text(text), Plain::Text(part)) = (self.plain(of)?, self.plain(with)?) else {
            return None;
        };
        self.budget.spend_text(part.len()).ok()?;
        Some(holds(text, part))
    }

    /// Whether it is an item of a list that stands in the expression, all of one type with it.
    #[inline]
    fn is_among(&self, wanted: Plain<'_>, list: NodeId) -> Option<bool> {
        let Node::Constant(number) = self.program.node(list) else { return None };
        let Value::List(List::Made(items)) = &self.program.constants[number as usize] else {
            return None;
        };
        self.pay(1)?;
        for item in items.iter() {
            self.pay(1)?;
            if self.order(Plain::of(item)?, wanted)?.is_eq() {
                return Some(true);
            }
        }
        Some(false)
    }

    #[inline]
    fn order(&self, a: Plain<'_>, b: Plain<'_>) -> Option<Ordering> {
        if let (Plain::Text(a), Plain::Text(b)) = (a, b) {
            self.budget.spend_text(a.len().min(b.len())).ok()?;
        }
        a.order(b)
    }

    #[inline]
    fn plain(&self, id: NodeId) -> Option<Plain<'_>> {
        self.pay(1)?;
        match self.program.node(id) {
            Node::Constant(number) => Plain::of(&self.program.constants[number as usize]),
            Node::Local(slot) => Plain::of(self.local(slot)),
            Node::Select(of, name) => {
                let Node::Local(slot) = self.program.node(of) else { return None };
                let Value::Map(Map::Json(fields)) = self.local(slot) else { return None };
                Plain::read(self.field(fields, &self.program.names[name as usize])?)
            }
            Node::Path(root, keys) => {
                let World::Machine { scene, .. } = self.world else { return None };
                let fields = match root {
                    Root::Object => scene.object.as_object()?,
                    Root::Field(Field::Config) => &scene.ctx.config,
                    Root::Field(Field::Metadata) => &scene.ctx.metadata,
                    _ => return None,
                };
                let (first, rest) = self.program.keys(keys).split_first()?;
                let mut json = self.field(fields, first)?;
                for key in rest {
                    json = self.field(json.as_object()?, key)?;
                }
                Plain::read(json)
            }
            _ => None,
        }
    }

    #[inline]
    fn local(&self, slot: u32) -> &Value<'_> {
        &self.locals[self.base + slot as usize].value
    }

    #[inline]
    fn field<'f>(&self, fields: &'f JsonMap<String, Json>, key: &str) -> Option<&'f Json> {
        self.pay(key.len() / 16)?;
        fields.get(key)
    }

    #[inline]
    fn pay(&self, steps: usize) -> Option<()> {
        self.budget.spend(steps).ok()
    }
}
