//! Operators, and which side is to blame where they do not fit.

use core::cmp::Ordering;

use super::{Answer, Run};
use crate::guard::{
    arithmetic::{self, Fault, calculate},
    budget::{Budget, TooCostly},
    cause::{Unknown, both},
    compare,
    program::{Node, NodeId},
    tree::Operator,
    types::Types,
    value::Value,
};

impl<'v> Run<'v> {
    pub(super) fn binary(
        &mut self,
        id: NodeId,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Answer<'v> {
        let (a, b) = (self.eval(left), self.eval(right));
        let (a, b) = match (a, b) {
            (Ok(a), Ok(b)) => (a, b),
            // What is there says what is needed beside it.
            (Ok(a), Err(unknown)) => return Err(self.beside(operator, right, 1, &a, unknown)),
            (Err(unknown), Ok(b)) => return Err(self.beside(operator, left, 0, &b, unknown)),
            (a, b) => both(a, b)?,
        };
        let budget = &self.budget;
        let answer = match operator {
            Operator::Equal => compare::equal(&a, &b, budget).map(Some),
            Operator::NotEqual => compare::equal(&a, &b, budget).map(|equal| Some(!equal)),
            Operator::In => compare::contains(&b, &a, budget),
            Operator::Less => ordered(&a, &b, budget, Ordering::is_lt),
            Operator::LessOrEqual => ordered(&a, &b, budget, Ordering::is_le),
            Operator::Greater => ordered(&a, &b, budget, Ordering::is_gt),
            Operator::GreaterOrEqual => ordered(&a, &b, budget, Ordering::is_ge),
            _ => {
                return calculate(operator, &a, &b, budget).map_err(|fault| match fault {
                    Fault::Type => self.misfit(operator, [left, right], [&a, &b]),
                    Fault::Value(why) => self.no_value(id, why),
                    Fault::TooCostly => self.costly(TooCostly),
                });
            }
        };
        match answer {
            Ok(Some(answer)) => Ok(Value::Bool(answer)),
            Ok(None) => Err(self.misfit(operator, [left, right], [&a, &b])),
            Err(error) => Err(self.costly(error)),
        }
    }

    pub(super) fn is_constant(&self, id: NodeId) -> bool {
        matches!(self.program.node(id), Node::Constant(_))
    }

    /// The cause of a side without a value, beside a value: for a missing input with the types that fit.
    pub(super) fn beside(
        &self,
        operator: Operator,
        id: NodeId,
        side: usize,
        other: &Value<'v>,
        unknown: Unknown,
    ) -> Unknown {
        let fitting = self.expected(id).and(fits(operator, side, Types::of(other)));
        match (self.program.node(id), self.path(id)) {
            (Node::Path(..), Some(path)) if unknown.is_missing(&path) && !fitting.is_empty() => {
                self.missing(path, fitting)
            }
            _ => unknown,
        }
    }

    /// Which side of an operator does not fit: the input, where one of them is an input, else the second.
    pub(super) fn misfit(
        &self,
        operator: Operator,
        ids: [NodeId; 2],
        values: [&Value<'v>; 2],
    ) -> Unknown {
        self.cause(None);
        let types = values.map(Types::of);
        let blames = |side: usize| {
            let expected = fits(operator, side, types[1 - side]);
            let path = self.path(ids[side]);
            let source = self.program.source(ids[side]);
            (!types[side].is_within(expected))
                .then(|| (path.is_some(), Unknown::wrong_type(path, source, types[side], expected)))
        };
        match (blames(0), blames(1)) {
            (Some((true, mut a)), Some((true, b))) => {
                a.join(b);
                a
            }
            (Some((is_input, a)), b) if is_input || b.is_none() || self.is_constant(ids[1]) => a,
            (_, Some((_, b))) => b,
            (_, None) => Unknown::no_value(self.program.source(ids[0]), "does not fit here"),
        }
    }
}

/// The types that an operator takes on one side (0 is the left) beside a type on the other.
fn fits(operator: Operator, side: usize, other: Types) -> Types {
    match operator {
        Operator::Equal | Operator::NotEqual => other.beside_equals(),
        Operator::In if side == 1 => Types::LIST.or(Types::MAP),
        Operator::In => Types::ANY,
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            other.ordered()
        }
        _ => arithmetic::partners(operator, other, side),
    }
}

/// The answer of a comparison; none for types without an order. Nothing is less or more than NaN.
pub(in crate::guard) fn ordered(
    a: &Value<'_>,
    b: &Value<'_>,
    budget: &Budget,
    holds: fn(Ordering) -> bool,
) -> Result<Option<bool>, TooCostly> {
    Ok(compare::order(a, b, budget)?.ok().map(|order| order.is_some_and(holds)))
}
