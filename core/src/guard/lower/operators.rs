//! Operators, and the types that they go between.

use alloc::{format, vec::Vec};

use super::{Lower, Lowered, Shape};
use crate::{
    diagnostic::Code,
    guard::{
        arithmetic,
        program::{Node, Range},
        token::Span,
        tree::{Id, Operator},
        types::{Types, in_words},
    },
};

impl Lower<'_, '_> {
    pub(super) fn joined(&mut self, span: Span, parts: &[Id], node: fn(Range) -> Node) -> Lowered {
        let mut ids = Vec::with_capacity(parts.len());
        for &part in parts {
            let (id, shape) = self.condition(part);
            self.must_be(Code::NotBoolean, part, shape, Types::BOOL);
            ids.push(id);
        }
        let range = self.list(&ids);
        (self.add(node(range), span), Shape::one(Types::BOOL))
    }

    pub(super) fn either(
        &mut self,
        id: Id,
        condition: Id,
        yes: Id,
        no: Id,
        as_condition: bool,
    ) -> Lowered {
        let (condition_id, shape) = self.condition(condition);
        self.must_be(Code::NotBoolean, condition, shape, Types::BOOL);
        let mut branch = |id: Id| if as_condition { self.condition(id) } else { self.lower(id) };
        let branches = (branch(yes), branch(no));
        let mut is_bool = true;
        if as_condition {
            is_bool = self.must_be(Code::NotBoolean, yes, branches.0.1, Types::BOOL);
            is_bool &= self.must_be(Code::NotBoolean, no, branches.1.1, Types::BOOL);
        }
        let ((yes_id, yes), (no_id, no)) = branches;
        let shape = Shape {
            // A branch that is not has been reported.
            types: if is_bool { yes.types.or(no.types) } else { Types::BOOL },
            items: yes.items.or(no.items),
            of_states: yes.of_states && no.of_states,
        };
        (self.add(Node::If(condition_id, yes_id, no_id), self.tree.span(id)), shape)
    }

    pub(super) fn binary(
        &mut self,
        span: Span,
        operator: Operator,
        left: Id,
        right: Id,
    ) -> Lowered {
        let (left_id, a) = self.lower(left);
        let (right_id, b) = self.lower(right);
        let before = self.problems.len();
        let types = match operator {
            Operator::Equal | Operator::NotEqual => {
                self.expect(left_id, b.types.beside_equals());
                self.expect(right_id, a.types.beside_equals());
                if !a.types.equals().meets(b.types) {
                    self.never(span, operator, a.types, b.types);
                }
                self.known_states(left, b);
                self.known_states(right, a);
                Types::BOOL
            }
            Operator::In => {
                const HOLDS: Types = Types::LIST.or(Types::MAP);
                self.expect(left_id, b.items.equals());
                self.expect(right_id, HOLDS);
                if self.must_be(Code::TypeMismatch, right, b, HOLDS)
                    && !b.items.is_empty()
                    && !a.types.equals().meets(b.items)
                {
                    self.never(span, operator, a.types, b.items);
                }
                self.known_states(left, b);
                self.known_states(right, a);
                Types::BOOL
            }
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => {
                self.expect(left_id, b.types.ordered());
                self.expect(right_id, a.types.ordered());
                if !a.types.ordered().meets(b.types) {
                    self.never(span, operator, a.types, b.types);
                }
                Types::BOOL
            }
            _ => {
                let types = pairs(operator, a.types, b.types);
                self.expect(left_id, arithmetic::partners(operator, b.types, 0));
                self.expect(right_id, arithmetic::partners(operator, a.types, 1));
                if types.is_empty() && !a.types.is_empty() && !b.types.is_empty() {
                    let message = format!(
                        "`{}` does not go between {} and {}",
                        operator.sign(),
                        in_words(a.types),
                        in_words(b.types)
                    );
                    let help = other_type(a.types.or(b.types));
                    self.report(Code::TypeMismatch, span, message, help);
                }
                types
            }
        };
        let fits = self.problems.len() == before;
        let id = self.add(Node::Binary(operator, left_id, right_id), span);
        let shape = Shape::holding(types, a.items.or(b.items));
        self.folded(id, shape, &[left_id, right_id], fits)
    }

    /// Reports a comparison that comes out the same whatever the object is.
    pub(super) fn never(&mut self, span: Span, operator: Operator, a: Types, b: Types) {
        if a.is_empty() || b.is_empty() {
            return;
        }
        let source = span.of(&self.program.text);
        let help = other_type(a.or(b));
        let (a, b) = (in_words(a), in_words(b));
        let message = match operator {
            Operator::NotEqual => format!("`{source}` is always true: {a} never equals {b}"),
            Operator::Equal | Operator::In => {
                format!("`{source}` is always false: {a} never equals {b}")
            }
            _ => format!("`{source}` has no answer: {a} and {b} have no order"),
        };
        self.report(Code::ImpossibleComparison, span, message, help);
    }
}

/// The type of an arithmetic operator for all pairs of types.
fn pairs(operator: Operator, a: Types, b: Types) -> Types {
    let all = a.each().flat_map(|a| b.each().map(move |b| arithmetic::result(operator, a, b)));
    all.fold(Types::NONE, Types::or)
}

/// The way out where two types do not go together.
fn other_type(both: Types) -> &'static str {
    if both.meets(Types::TIMESTAMP.or(Types::DURATION)) {
        "a time or a length of time in the data is a text: `timestamp(object.due_at)`, `duration(object.patience)`"
    } else if both.meets(Types::NULL) {
        "whether a field is there is asked with `has(…)`"
    } else {
        "use values of one type; `int(…)`, `double(…)`, `string(…)` and `timestamp(…)` convert"
    }
}
