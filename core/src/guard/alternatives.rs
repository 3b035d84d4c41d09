//! A guard as alternatives of comparisons: each alternative is one way in which it is true.
//!
//! This is exact for three values: a part that must be false (behind a `!`) is
//! false there, not unknown. What is no comparison of a path with a literal is
//! left out of its alternative, which is *partial* then: it asks for more than
//! its comparisons say.

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

use super::{
    Guard, Kind,
    budget::{Budget, TooCostly},
    compare,
    program::{Node, NodeId, Program, Range, Root},
    run::ordered,
    tree::Operator,
    value::{Field, Value},
};

/// Where a value is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place<'p> {
    pub(super) root: Root,
    pub(super) keys: &'p [Box<str>],
}

impl<'p> Place<'p> {
    /// None for what an example cannot hold: the states, the clock.
    fn new(root: Root, keys: &'p [Box<str>]) -> Option<Self> {
        let readable = match root {
            Root::Object | Root::Field(Field::Config | Field::Metadata) => true,
            Root::Field(field) => field != Field::Timestamp && keys.is_empty(),
            Root::Context | Root::States | Root::Variable(_) => false,
        };
        readable.then_some(Self { root, keys })
    }

    pub(super) fn is_below(self, other: Self) -> bool {
        self.root == other.root
            && self.keys.len() > other.keys.len()
            && self.keys.starts_with(other.keys)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Test<'p> {
    /// `has(path)`.
    Has,
    /// The path by itself: true or false.
    Is,
    /// The path on the left, a literal on the right; with `in` a list of literals.
    Compare(Operator, &'p Value<'static>),
    /// `"text" in path`.
    Contains(&'p str),
}

/// A comparison of a path with literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison<'p> {
    pub(super) place: Place<'p>,
    pub(super) test: Test<'p>,
    /// Whether it must be true; else it must be false. It must not be unknown.
    pub(super) holds: bool,
    program: &'p Program,
    node: NodeId,
}

impl<'p> Comparison<'p> {
    fn new(program: &'p Program, node: NodeId, holds: bool) -> Option<Self> {
        let place = |id| match program.node(id) {
            Node::Path(root, keys) => Place::new(root, program.keys(keys)),
            _ => None,
        };
        let constant = |id| match program.node(id) {
            Node::Constant(number) => Some(&program.constants[number as usize]),
            _ => None,
        };
        let (place, test) = match program.node(node) {
            Node::HasPath(root, keys) => (Place::new(root, program.keys(keys))?, Test::Has),
            Node::Path(..) => (place(node)?, Test::Is),
            Node::Binary(operator, left, right) => match (place(left), operator) {
                (Some(place), _) => (place, Test::Compare(operator, constant(right)?)),
                (None, Operator::In) => (place(right)?, Test::Contains(constant(left)?.text()?)),
                (None, _) => (place(right)?, Test::Compare(mirrored(operator), constant(left)?)),
            },
            _ => return None,
        };
        // Settings as a whole are always there and always a map: there is no more to say of them.
        let is_whole = place.keys.is_empty()
            && matches!(place.root, Root::Field(Field::Config | Field::Metadata));
        let is_decidable = match test {
            Test::Has => true,
            Test::Is | Test::Contains(_) => !is_whole,
            Test::Compare(Operator::In, Value::List(list)) => {
                (0..list.len()).all(|at| list.get(at).is_some_and(|item| is_literal(&item)))
            }
            Test::Compare(
                Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessOrEqual
                | Operator::Greater
                | Operator::GreaterOrEqual,
                value,
            ) => is_literal(value),
            Test::Compare(..) => false,
        };
        (is_decidable && !(is_whole && matches!(test, Test::Compare(..)))).then_some(Self {
            place,
            test,
            holds,
            program,
            node,
        })
    }

    /// Whether it holds for a value of its path. Source: `run`, of which this is a part.
    pub(super) fn is_met(self, value: &Value<'_>, budget: &Budget) -> Result<bool, TooCostly> {
        budget.spend(1)?;
        let answer = match self.test {
            Test::Has => Some(true),
            Test::Is => match value {
                Value::Bool(value) => Some(*value),
                _ => None,
            },
            Test::Contains(text) => compare::contains(value, &Value::Text(text), budget)?,
            Test::Compare(operator, literal) => match operator {
                Operator::Equal => Some(compare::equal(value, literal, budget)?),
                Operator::NotEqual => Some(!compare::equal(value, literal, budget)?),
                Operator::In => compare::contains(literal, value, budget)?,
                Operator::Less => ordered(value, literal, budget, core::cmp::Ordering::is_lt)?,
                Operator::LessOrEqual => {
                    ordered(value, literal, budget, core::cmp::Ordering::is_le)?
                }
                Operator::Greater => ordered(value, literal, budget, core::cmp::Ordering::is_gt)?,
                _ => ordered(value, literal, budget, core::cmp::Ordering::is_ge)?,
            },
        };
        Ok(answer == Some(self.holds))
    }

    /// It as it is written, with the `!` that it stands behind.
    pub(super) fn source(self) -> String {
        let source = self.program.source(self.node);
        match (self.holds, self.test) {
            (true, _) => source.into(),
            (false, Test::Has | Test::Is) => format!("!{source}"),
            (false, _) => format!("!({source})"),
        }
    }
}

/// The operator with its sides changed.
fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        other => other,
    }
}

/// What `solve` can reckon with: no lists and maps, and no number that equals several ints.
fn is_literal(value: &Value<'_>) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Made(_) => true,
        Value::Uint(value) => i64::try_from(*value).is_ok(),
        Value::Double(value) => value.abs() < 9_007_199_254_740_992.0,
        _ => false,
    }
}

/// Comparisons that must hold together.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternative<'p> {
    pub(super) comparisons: Vec<Comparison<'p>>,
    /// Whether it asks for more than the comparisons.
    pub(super) is_partial: bool,
}

/// More ways than this of being true are not told apart.
const MOST: usize = 64;

/// Reads guards, with those that they name.
#[derive(Debug)]
pub(super) struct Reader<'p, 'r> {
    pub(super) table: &'p [Guard],
    /// The guards that are known never to be true: of what asks them nothing is said again.
    pub(super) never: &'r [bool],
    pub(super) budget: &'r Budget,
}

impl<'p> Reader<'p, '_> {
    /// The ways in which a part is true, or false. None: it is never that.
    pub(super) fn read(
        &mut self,
        program: &'p Program,
        node: NodeId,
        holds: bool,
    ) -> Vec<Alternative<'p>> {
        if self.budget.spend(1).is_err() {
            return partial();
        }
        match program.node(node) {
            Node::Constant(number) => match &program.constants[number as usize] {
                Value::Bool(value) if *value == holds => vec![Alternative::default()],
                _ => Vec::new(),
            },
            Node::Not(inner) => self.read(program, inner, !holds),
            Node::And(parts) if holds => self.all(program, parts, holds),
            Node::Or(parts) if !holds => self.all(program, parts, holds),
            Node::And(parts) | Node::Or(parts) => {
                let mut any = Vec::new();
                for &part in program.list(parts) {
                    any.append(&mut self.read(program, part, holds));
                }
                within(any)
            }
            Node::If(condition, yes, no) => {
                let (is_true, yes) =
                    (self.read(program, condition, true), self.read(program, yes, holds));
                let mut any = self.both(is_true, &yes);
                let (is_false, no) =
                    (self.read(program, condition, false), self.read(program, no, holds));
                any.append(&mut self.both(is_false, &no));
                within(any)
            }
            Node::Guard(number) => {
                let id = program.guard_ids[number as usize] as usize;
                match &self.table[id].kind {
                    Kind::Expression(named) if !(holds && self.never[id]) => {
                        self.read(named, named.root, holds)
                    }
                    _ => partial(),
                }
            }
            _ => match Comparison::new(program, node, holds) {
                Some(comparison) => {
                    vec![Alternative { comparisons: vec![comparison], is_partial: false }]
                }
                None => partial(),
            },
        }
    }

    fn all(&mut self, program: &'p Program, parts: Range, holds: bool) -> Vec<Alternative<'p>> {
        let mut all = vec![Alternative::default()];
        for &part in program.list(parts) {
            let part = self.read(program, part, holds);
            all = self.both(all, &part);
        }
        all
    }

    /// Each of the one with each of the other. Where that is too much, what the other asks is left out.
    fn both(
        &mut self,
        mut one: Vec<Alternative<'p>>,
        other: &[Alternative<'p>],
    ) -> Vec<Alternative<'p>> {
        let size = |all: &[Alternative<'_>]| -> usize {
            all.iter().map(|alternative| 1 + alternative.comparisons.len()).sum()
        };
        let work = size(&one) * other.len() + size(other) * one.len();
        if one.len() * other.len() > MOST || self.budget.spend(work).is_err() {
            for alternative in &mut one {
                alternative.is_partial = true;
            }
            return one;
        }
        let mut both = Vec::with_capacity(one.len() * other.len());
        for a in &one {
            for b in other {
                let comparisons = [a.comparisons.as_slice(), b.comparisons.as_slice()].concat();
                both.push(Alternative { comparisons, is_partial: a.is_partial || b.is_partial });
            }
        }
        both
    }
}

/// Something that nothing is known of.
fn partial<'p>() -> Vec<Alternative<'p>> {
    vec![Alternative { comparisons: Vec::new(), is_partial: true }]
}

fn within(any: Vec<Alternative<'_>>) -> Vec<Alternative<'_>> {
    if any.len() > MOST { partial() } else { any }
}
