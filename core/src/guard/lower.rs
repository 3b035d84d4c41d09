//! From syntax to a program: names are resolved, types inferred, constants made. What cannot be right is found here.

mod calls;
mod names;
mod operators;

use alloc::{borrow::Cow, boxed::Box, format, string::String, vec::Vec};

use super::{
    budget::Budget,
    parse::parse,
    program::{Node, NodeId, Program, Range},
    run::{Run, World},
    token::{Span, SyntaxFault},
    tree::{Id, Syntax, Tree},
    types::{Types, in_words},
    value::Value,
};
use crate::{diagnostic::Code, limits::Limits};

/// A fault of an expression: which rule, where, what, and the way out.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(super) span: Span,
    pub(crate) message: String,
    pub(crate) help: Cow<'static, str>,
}

impl Problem {
    /// Where the fault begins in the expression, in bytes.
    pub(crate) fn byte(&self) -> u32 {
        self.span.start
    }
}

/// What the names of an expression may be.
#[derive(Clone, Copy)]
pub(crate) enum Names<'n> {
    /// `object`, `ctx`, `states`, named guards, and host guards where a condition is meant.
    Machine {
        is_guard: &'n dyn Fn(&str) -> bool,
        /// What to say of a path that no state has; nothing for the path of a state.
        unknown_state: &'n dyn Fn(&str) -> Option<String>,
        /// Whether it must be true or false.
        is_condition: bool,
    },
    /// Whatever is given.
    Variables,
}

/// Bounds of one expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) depth: u32,
    pub(crate) steps: usize,
}

impl Bounds {
    /// Deeper, the stack of a thread would not do: a level takes 12 kB in a debug build.
    const DEEPEST: usize = 120;

    pub(crate) fn of(limits: &Limits) -> Self {
        let depth = limits.expression_depth.min(Self::DEEPEST);
        Self { depth: u32::try_from(depth).unwrap_or_default(), steps: limits.evaluation_steps }
    }
}

/// A program, with what is found about it; or the fault for which there is none.
pub(crate) fn compile(
    text: &str,
    names: Names<'_>,
    bounds: Bounds,
) -> Result<(Program, Vec<Problem>), Problem> {
    let fault = |fault: SyntaxFault| Problem {
        code: if fault.is_limit { Code::LimitExceeded } else { Code::InvalidGuard },
        span: fault.span,
        message: fault.message,
        help: fault.help,
    };
    let (tree, root) = parse(text, bounds.depth).map_err(fault)?;
    let mut program = Program { text: text.into(), ..Program::default() };
    program.height = tree.height(root);
    let mut lower = Lower {
        tree: &tree,
        names,
        bounds,
        program,
        scope: Vec::new(),
        problems: Vec::new(),
        patterns: Budget::new(bounds.steps),
        fatal: None,
    };
    lower.program.root = match names {
        Names::Variables | Names::Machine { is_condition: false, .. } => lower.lower(root).0,
        Names::Machine { .. } => {
            let (id, shape) = lower.condition(root);
            lower.must_be(Code::NotBoolean, root, shape, Types::BOOL);
            id
        }
    };
    match lower.fatal {
        Some(problem) => Err(problem),
        None => Ok((lower.program, lower.problems)),
    }
}

/// What is known of a value before there is one.
#[derive(Clone, Copy, Debug)]
struct Shape {
    types: Types,
    /// Of a list's items or a map's keys.
    items: Types,
    /// Whether it is the path of an active state, or the list of them.
    of_states: bool,
}

impl Shape {
    fn one(types: Types) -> Self {
        let items = if types.meets(Types::MAP) && !types.meets(Types::LIST) {
            Types::STRING
        } else {
            Types::ANY
        };
        Self { types, items, of_states: false }
    }

    fn holding(types: Types, items: Types) -> Self {
        Self { types, items, of_states: false }
    }

    /// Data that was read from JSON.
    fn json() -> Self {
        Self::holding(Types::JSON, Types::JSON)
    }
}

/// A variable of a macro.
struct Variable<'t> {
    name: &'t str,
    shape: Shape,
}

struct Lower<'t, 'n> {
    tree: &'n Tree<'t>,
    names: Names<'n>,
    bounds: Bounds,
    program: Program,
    scope: Vec<Variable<'t>>,
    problems: Vec<Problem>,
    /// What may be spent on patterns.
    patterns: Budget,
    /// What no program can be made of.
    fatal: Option<Problem>,
}

type Lowered = (NodeId, Shape);

impl Lower<'_, '_> {
    fn report(
        &mut self,
        code: Code,
        span: Span,
        message: String,
        help: impl Into<Cow<'static, str>>,
    ) {
        self.problems.push(Problem { code, span, message, help: help.into() });
    }

    fn refuse(&mut self, code: Code, span: Span, message: String, help: &'static str) {
        self.fatal.get_or_insert(Problem { code, span, message, help: help.into() });
    }

    fn add(&mut self, node: Node, span: Span) -> NodeId {
        self.program.nodes.push(node);
        self.program.spans.push(span);
        self.program.expected.push(Types::ANY);
        count(self.program.nodes.len() - 1)
    }

    fn name(&mut self, name: &str) -> u32 {
        self.program.names.push(Box::from(name));
        count(self.program.names.len() - 1)
    }

    fn list(&mut self, ids: &[NodeId]) -> Range {
        let start = count(self.program.items.len());
        self.program.items.extend_from_slice(ids);
        Range { start, len: count(ids.len()) }
    }

    fn constant(&mut self, value: Value<'static>, span: Span) -> Lowered {
        let shape = shape_of(&value);
        self.program.constants.push(value);
        let number = count(self.program.constants.len() - 1);
        (self.add(Node::Constant(number), span), shape)
    }

    fn constant_of(&self, id: NodeId) -> Option<&Value<'static>> {
        match self.program.node(id) {
            Node::Constant(number) => Some(&self.program.constants[number as usize]),
            _ => None,
        }
    }

    /// Notes what would fit the place of a node.
    fn expect(&mut self, id: NodeId, types: Types) {
        let expected = &mut self.program.expected[id as usize];
        let both = expected.and(types);
        if !both.is_empty() {
            *expected = both;
        }
    }

    /// Reports a part that can never have the type of its place.
    fn must_be(&mut self, code: Code, id: Id, shape: Shape, types: Types) -> bool {
        if shape.types.meets(types) || shape.types.is_empty() {
            return true;
        }
        let span = self.tree.span(id);
        let source = span.of(&self.program.text);
        let message =
            format!("`{source}` is {}, {} is needed", in_words(shape.types), in_words(types));
        let help = match code {
            Code::NotBoolean => "compare it with something, so that it is true or false",
            _ => "convert it, or use another value",
        };
        self.report(code, span, message, help);
        false
    }

    /// A part where true or false is needed; a free name there is a guard.
    fn condition(&mut self, id: Id) -> Lowered {
        let lowered = match self.tree.node(id).syntax {
            Syntax::Name { name, from_root } if self.is_free(name, from_root) => {
                let number = self.guard(name, self.tree.span(id));
                (self.add(Node::Guard(number), self.tree.span(id)), Shape::one(Types::BOOL))
            }
            Syntax::If { condition, yes, no } => self.either(id, condition, yes, no, true),
            _ => self.lower(id),
        };
        self.expect(lowered.0, Types::BOOL);
        lowered
    }

    fn lower(&mut self, id: Id) -> Lowered {
        let (tree, span) = (self.tree, self.tree.span(id));
        match &tree.node(id).syntax {
            Syntax::Null => self.constant(Value::Null, span),
            Syntax::Bool(value) => self.constant(Value::Bool(*value), span),
            Syntax::Int(value) => self.constant(Value::Int(*value), span),
            Syntax::Uint(value) => self.constant(Value::Uint(*value), span),
            Syntax::Double(value) => self.constant(Value::Double(*value), span),
            Syntax::Text(text) => self.constant(Value::Made(text.as_ref().into()), span),
            Syntax::Name { name, from_root } => self.variable(span, name, *from_root),
            Syntax::Select { of, field } => {
                let (of_id, shape) = self.lower(*of);
                let (id, shape) = self.member(span, *of, of_id, shape, field);
                match self.program.node(id) {
                    Node::Select(of, _) => self.folded(id, shape, &[of], true),
                    _ => (id, shape),
                }
            }
            Syntax::Index { of, at } => self.index(span, *of, *at),
            Syntax::Call { of, name, name_span, args } => {
                self.call(span, *of, name, *name_span, args)
            }
            Syntax::List(items) => self.list_of(span, items),
            Syntax::Map(entries) => self.map_of(span, entries),
            Syntax::Not(inner) => {
                let (inner_id, shape) = self.condition(*inner);
                self.must_be(Code::NotBoolean, *inner, shape, Types::BOOL);
                (self.add(Node::Not(inner_id), span), Shape::one(Types::BOOL))
            }
            Syntax::Negate(inner) => {
                const SIGNED: Types = Types::INT.or(Types::DOUBLE);
                let (inner_id, shape) = self.lower(*inner);
                let fits = self.must_be(Code::TypeMismatch, *inner, shape, SIGNED);
                self.expect(inner_id, SIGNED);
                let id = self.add(Node::Negate(inner_id), span);
                self.folded(id, Shape::one(shape.types.and(SIGNED)), &[inner_id], fits)
            }
            Syntax::Binary(operator, left, right) => self.binary(span, *operator, *left, *right),
            Syntax::And(parts) => self.joined(span, parts, Node::And),
            Syntax::Or(parts) => self.joined(span, parts, Node::Or),
            Syntax::If { condition, yes, no } => self.either(id, *condition, *yes, *no, false),
        }
    }

    fn list_of(&mut self, span: Span, items: &[Id]) -> Lowered {
        let lowered: Vec<Lowered> = items.iter().map(|&item| self.lower(item)).collect();
        let ids: Vec<NodeId> = lowered.iter().map(|(id, _)| *id).collect();
        let types = lowered.iter().fold(Types::NONE, |types, (_, shape)| types.or(shape.types));
        let range = self.list(&ids);
        let id = self.add(Node::List(range), span);
        self.folded(id, Shape::holding(Types::LIST, types), &ids, true)
    }

    fn map_of(&mut self, span: Span, entries: &[(Id, Id)]) -> Lowered {
        const KEYS: Types = Types::BOOL.or(Types::INT).or(Types::UINT).or(Types::STRING);
        let (mut ids, mut types, mut fits) = (Vec::new(), Types::NONE, true);
        for &(key, value) in entries {
            let (key_id, shape) = self.lower(key);
            fits &= self.must_be(Code::TypeMismatch, key, shape, KEYS);
            self.expect(key_id, KEYS);
            let (value_id, _) = self.lower(value);
            types = types.or(shape.types);
            ids.extend([key_id, value_id]);
        }
        let range = self.list(&ids);
        let id = self.add(Node::Map(range), span);
        self.folded(id, Shape::holding(Types::MAP, types), &ids, fits)
    }

    /// A node whose parts are all constants is one, too.
    fn folded(&mut self, id: NodeId, shape: Shape, parts: &[NodeId], fits: bool) -> Lowered {
        if !fits || !parts.iter().all(|&part| self.constant_of(part).is_some()) {
            return (id, shape);
        }
        let root = core::mem::replace(&mut self.program.root, id);
        let value = Run::new(&self.program, World::Nothing, self.bounds.steps).value();
        let value = value.map(|value| value.owned());
        self.program.root = root;
        match value {
            Ok(value) => {
                let shape = shape_of(&value);
                self.program.constants.push(value);
                let number = count(self.program.constants.len() - 1);
                self.program.nodes[id as usize] = Node::Constant(number);
                (id, shape)
            }
            Err(unknown) => {
                let message = unknown.causes().swap_remove(0).message;
                let help = "it is unknown whatever the object is: mend it";
                self.report(Code::InvalidGuard, self.program.spans[id as usize], message, help);
                (id, shape)
            }
        }
    }
}

fn shape_of(value: &Value<'_>) -> Shape {
    let types = Types::of(value);
    let items = match value {
        Value::List(list) => (0..list.len())
            .filter_map(|at| list.get(at))
            .fold(Types::NONE, |types, item| types.or(Types::of(&item))),
        Value::Map(map) => {
            map.entries().iter().fold(Types::NONE, |types, (key, _)| types.or(Types::of(key)))
        }
        _ => Types::ANY,
    };
    Shape::holding(types, items)
}

/// The expression's length is limited, so that every count fits.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
