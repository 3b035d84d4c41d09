//! From syntax to a program: names are resolved, types inferred, constants made. What cannot be right is found here.

use alloc::{borrow::Cow, boxed::Box, format, string::String, vec::Vec};

use super::{
    arithmetic,
    budget::Budget,
    functions::{self, Found, Function, Loop, Signature},
    moment::read_zone,
    parse::parse,
    pattern::Pattern,
    program::{LoopNode, Node, NodeId, Program, Range, Root},
    run::{Run, World},
    token::{Span, SyntaxFault},
    tree::{Id, Operator, Syntax, Tree},
    types::{Types, in_words},
    value::{Field, Value},
};
use crate::{diagnostic::Code, limits::Limits, name::did_you_mean};

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

impl<'t> Lower<'t, '_> {
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

    /// A path, which can only be what its data can hold.
    fn path(&mut self, root: Root, keys: Range, span: Span, shape: Shape) -> Lowered {
        let id = self.add(Node::Path(root, keys), span);
        self.expect(id, shape.types);
        (id, shape)
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

    /// Whether a name is no variable, so that it can be a guard.
    fn is_free(&self, name: &str, from_root: bool) -> bool {
        matches!(self.names, Names::Machine { .. })
            && !matches!(name, "object" | "ctx" | "states")
            && (from_root || !self.scope.iter().any(|variable| variable.name == name))
    }

    fn guard(&mut self, name: &str, span: Span) -> u32 {
        let guards = &mut self.program.guards;
        let known = guards.iter().position(|(known, _)| known.as_ref() == name);
        count(known.unwrap_or_else(|| {
            guards.push((Box::from(name), span));
            guards.len() - 1
        }))
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

    fn joined(&mut self, span: Span, parts: &[Id], node: fn(Range) -> Node) -> Lowered {
        let mut ids = Vec::with_capacity(parts.len());
        for &part in parts {
            let (id, shape) = self.condition(part);
            self.must_be(Code::NotBoolean, part, shape, Types::BOOL);
            ids.push(id);
        }
        let range = self.list(&ids);
        (self.add(node(range), span), Shape::one(Types::BOOL))
    }

    fn either(&mut self, id: Id, condition: Id, yes: Id, no: Id, as_condition: bool) -> Lowered {
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

    fn variable(&mut self, span: Span, name: &str, from_root: bool) -> Lowered {
        let local = self.scope.iter().rposition(|variable| variable.name == name);
        if let Some(slot) = local.filter(|_| !from_root) {
            let shape = self.scope[slot].shape;
            let id = self.add(Node::Local(count(slot)), span);
            self.expect(id, shape.types);
            return (id, shape);
        }
        let (root, shape) = match (self.names, name) {
            (Names::Variables, _) => (Root::Variable(self.name(name)), Shape::json()),
            (_, "object") => (Root::Object, Shape::json()),
            (_, "ctx") => (Root::Context, Shape::one(Types::MAP)),
            (_, "states") => {
                let of_states = true;
                (Root::States, Shape { types: Types::LIST, items: Types::STRING, of_states })
            }
            (Names::Machine { is_guard, .. }, _) if is_guard(name) => {
                let number = self.guard(name, span);
                return (self.add(Node::Guard(number), span), Shape::one(Types::BOOL));
            }
            _ => {
                let known = ["object", "ctx", "states"];
                let known = known.into_iter().chain(self.scope.iter().map(|local| local.name));
                let message =
                    format!("there is no variable `{name}` here{}", did_you_mean(name, known));
                let help = format!(
                    "an expression sees `object`, `ctx` and `states`: write `object.{name}` for a field of the object; a guard of the host stands only where true or false is needed"
                );
                self.report(Code::UnknownVariable, span, message, help);
                let name = self.name(name);
                return (self.add(Node::NoFunction(name), span), Shape::one(Types::ANY));
            }
        };
        let keys = Range { start: count(self.program.names.len()), len: 0 };
        self.path(root, keys, span, shape)
    }

    /// `of.field`, and `of["field"]`.
    fn member(&mut self, span: Span, of: Id, of_id: NodeId, shape: Shape, field: &str) -> Lowered {
        if !self.must_be(Code::TypeMismatch, of, shape, Types::MAP) {
            let name = self.name(field);
            return (self.add(Node::Select(of_id, name), span), Shape::one(Types::ANY));
        }
        self.expect(of_id, Types::MAP);
        let Node::Path(root, keys) = self.program.node(of_id) else {
            let name = self.name(field);
            let id = self.add(Node::Select(of_id, name), span);
            self.expect(id, Types::JSON);
            return (id, Shape::json());
        };
        // The path grows in place: what it began with is no value of its own any more.
        let last = of_id as usize + 1 == self.program.nodes.len()
            && (keys.start + keys.len) as usize == self.program.names.len();
        debug_assert!(last, "a path is the last node when it grows");
        self.program.nodes.pop();
        self.program.spans.pop();
        self.program.expected.pop();
        if root == Root::Context && keys.len == 0 {
            return self.context(span, field);
        }
        self.name(field);
        let keys = Range { len: keys.len + 1, ..keys };
        self.path(root, keys, span, Shape::json())
    }

    /// A field of `ctx`.
    fn context(&mut self, span: Span, name: &str) -> Lowered {
        let keys = Range { start: count(self.program.names.len()), len: 0 };
        let Some(field) = Field::named(name) else {
            let known = Field::ALL.iter().map(|field| field.name());
            let message = format!("`ctx` has no field `{name}`{}", did_you_mean(name, known));
            let help = "settings are in `ctx.config`, free data in `ctx.metadata`";
            self.report(Code::UnknownVariable, span, message, help);
            self.name(name);
            let keys = Range { len: 1, ..keys };
            return (self.add(Node::Path(Root::Context, keys), span), Shape::one(Types::ANY));
        };
        let shape = match field {
            Field::Timestamp => Shape::one(Types::TIMESTAMP),
            Field::Permissions => Shape::holding(Types::LIST, Types::STRING),
            Field::Config | Field::Metadata => Shape::one(Types::MAP),
            _ => Shape::one(Types::STRING),
        };
        self.path(Root::Field(field), keys, span, shape)
    }

    fn index(&mut self, span: Span, of: Id, at: Id) -> Lowered {
        const KEYS: Types = Types::NUMBER.or(Types::BOOL).or(Types::STRING);
        let (of_id, shape) = self.lower(of);
        if let (Syntax::Text(field), true) =
            (&self.tree.node(at).syntax, shape.types.meets(Types::MAP))
            && matches!(self.program.node(of_id), Node::Path(..))
        {
            return self.member(span, of, of_id, shape, field);
        }
        let (at_id, at_shape) = self.lower(at);
        let fits = self.must_be(Code::TypeMismatch, of, shape, Types::LIST.or(Types::MAP));
        self.expect(of_id, Types::LIST.or(Types::MAP));
        let keys = if shape.types.meets(Types::MAP) { KEYS } else { Types::NUMBER };
        let fits = fits && self.must_be(Code::TypeMismatch, at, at_shape, keys);
        self.expect(at_id, keys);
        let id = self.add(Node::Index(of_id, at_id), span);
        let is_list = !shape.types.meets(Types::MAP);
        let types = if is_list { shape.items } else { Types::ANY };
        let shape = Shape { types, items: Types::ANY, of_states: shape.of_states };
        self.folded(id, shape, &[of_id, at_id], fits)
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

    fn binary(&mut self, span: Span, operator: Operator, left: Id, right: Id) -> Lowered {
        let (left_id, a) = self.lower(left);
        let (right_id, b) = self.lower(right);
        let before = self.problems.len();
        let types = match operator {
            Operator::Equal | Operator::NotEqual => {
                self.expect(left_id, b.types.equals());
                self.expect(right_id, a.types.equals());
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
    fn never(&mut self, span: Span, operator: Operator, a: Types, b: Types) {
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

    /// Reports the path of a state that there is not, where it is compared with states that are active.
    fn known_states(&mut self, id: Id, other: Shape) {
        let (Names::Machine { unknown_state, .. }, true) = (self.names, other.of_states) else {
            return;
        };
        let tree = self.tree;
        let texts = match &tree.node(id).syntax {
            Syntax::List(items) => items.as_slice(),
            _ => &[id],
        };
        for &id in texts {
            if let Syntax::Text(path) = &tree.node(id).syntax
                && let Some(help) = unknown_state(path)
            {
                let message = format!("`{path}` is no state of this definition");
                self.report(Code::UnknownStateInGuard, tree.span(id), message, help);
            }
        }
    }

    fn call(
        &mut self,
        span: Span,
        of: Option<Id>,
        name: &'t str,
        name_span: Span,
        args: &[Id],
    ) -> Lowered {
        if of.is_none() && name == "has" {
            return self.has(span, args);
        }
        if let (Some(over), Some(kind)) = (of, Loop::named(name, args.len())) {
            return self.run_over(span, over, kind, args);
        }
        let all: Vec<Id> = of.into_iter().chain(args.iter().copied()).collect();
        let signature = match functions::find(name, of.is_some(), all.len()) {
            Found::Function(signature) => signature,
            found => {
                self.no_function(name, name_span, &found, of.is_some());
                // What stands inside may be meant for another language, too.
                let before = self.problems.len();
                for &arg in &all {
                    self.lower(arg);
                }
                self.problems.truncate(before);
                let name = self.name(name);
                return (self.add(Node::NoFunction(name), span), Shape::one(Types::ANY));
            }
        };
        self.function(span, signature, &all)
    }

    fn no_function(&mut self, name: &str, span: Span, found: &Found, is_member: bool) {
        let (code, message, help): (_, _, Cow<'static, str>) = match found {
            Found::Arguments(count) => (
                Code::WrongArguments,
                format!("`{name}` does not take so many arguments: it takes {count}"),
                "see the list of functions in the documentation of guards".into(),
            ),
            Found::Form(form) => (
                Code::WrongArguments,
                format!("`{name}` is called in another way"),
                format!("write `{}`", form.replace("name", name)).into(),
            ),
            _ => {
                let help = match name {
                    "all" | "exists" | "exists_one" | "map" | "filter" => {
                        "it is called on a list, with a variable and an expression: `object.items.all(item, item.done)`"
                    }
                    "has" => "it stands alone: `has(object.field)`",
                    "type" => "types are no values of this language",
                    "bytes" => "bytes are no part of this language",
                    "now" | "today" => "there is no clock: the time is `ctx.timestamp`",
                    "len" | "length" | "count" => "it is `size(…)`",
                    "any" | "some" => "it is `exists(…)`",
                    "every" => "it is `all(…)`",
                    "includes" => "it is `x in list`, or `text.contains(…)`",
                    "lower" | "upper" | "lowerAscii" | "upperAscii" | "toLowerCase" => {
                        "compare with each spelling, or with `matches(\"(?i)…\")`"
                    }
                    _ if is_member => "see the list of functions in the documentation of guards",
                    _ => "a guard of the host stands without brackets: `name`",
                };
                let near = did_you_mean(name, functions::names());
                let code = match name {
                    "has" | "all" | "exists" | "exists_one" | "map" | "filter" => {
                        Code::WrongArguments
                    }
                    _ => Code::UnknownFunction,
                };
                let message = match code {
                    Code::UnknownFunction => format!("there is no function `{name}`{near}"),
                    _ => format!("`{name}` is called in another way"),
                };
                (code, message, help.into())
            }
        };
        self.report(code, span, message, help);
    }

    fn function(&mut self, span: Span, signature: &Signature, args: &[Id]) -> Lowered {
        let (mut ids, mut fits) = (Vec::with_capacity(args.len()), true);
        let mut first = Shape::one(Types::ANY);
        for (&arg, &takes) in args.iter().zip(signature.takes) {
            let (id, shape) = self.lower(arg);
            fits &= self.must_be(Code::TypeMismatch, arg, shape, takes);
            self.expect(id, takes);
            if ids.is_empty() {
                first = shape;
            }
            ids.push(id);
        }
        let shape = match signature.function {
            Function::Dyn => Shape::holding(Types::ANY, first.items),
            _ => Shape::one(signature.gives),
        };
        let text = ids.get(1).and_then(|&id| self.constant_of(id)).and_then(Value::text);
        if let (Some(text), &[of, pattern]) = (text, ids.as_slice()) {
            match signature.function {
                Function::Matches => {
                    let read = Pattern::read(text, &self.patterns)
                        .unwrap_or_else(|_| Err("all patterns together are too large".into()));
                    return self.matches(span, of, pattern, read);
                }
                Function::Part(_) if read_zone(text).is_none() => {
                    let message = format!("the time zone `{text}` is not read");
                    let help = "only `UTC` and offsets such as `+02:00` are: the rules of places change, and differ from machine to machine";
                    let span = self.program.spans[pattern as usize];
                    self.report(Code::InvalidGuard, span, message, help);
                    fits = false;
                }
                _ => {}
            }
        }
        let range = self.list(&ids);
        let id = self.add(Node::Call(signature.function, range), span);
        // What `dyn` hides from the checks stays hidden.
        self.folded(id, shape, &ids, fits && signature.function != Function::Dyn)
    }

    fn matches(
        &mut self,
        span: Span,
        of: NodeId,
        pattern: NodeId,
        read: Result<Pattern, String>,
    ) -> Lowered {
        let shape = Shape::one(Types::BOOL);
        match read {
            Ok(read) => {
                self.program.patterns.push(read);
                let number = count(self.program.patterns.len() - 1);
                let id = self.add(Node::Matches(of, number), span);
                self.folded(id, shape, &[of], true)
            }
            Err(error) => {
                let message = format!("this regular expression cannot be read: {error}");
                let help = "the syntax is that of RE2, without the classes of Unicode such as `\\p{L}`, and of a moderate size";
                let at = self.program.spans[pattern as usize];
                self.report(Code::InvalidGuard, at, message, help);
                let range = self.list(&[of, pattern]);
                (self.add(Node::Call(Function::Matches, range), span), shape)
            }
        }
    }

    /// `has(a.b)`: whether the field is there.
    fn has(&mut self, span: Span, args: &[Id]) -> Lowered {
        let shape = Shape::one(Types::BOOL);
        let field = match args {
            [arg] => match &self.tree.node(*arg).syntax {
                Syntax::Select { of, field } => Some((*of, *field)),
                _ => None,
            },
            _ => None,
        };
        let Some((of, field)) = field else {
            let (code, at) = match args {
                [arg] => (Code::InvalidGuard, self.tree.span(*arg)),
                _ => (Code::WrongArguments, span),
            };
            let message = format!("`{}` is no field", at.of(&self.program.text));
            self.refuse(code, at, message, "it takes one field behind a dot: `has(object.amount)`");
            return (self.add(Node::List(Range { start: 0, len: 0 }), span), shape);
        };
        let (of_id, of_shape) = self.lower(of);
        let at = self.tree.span(args[0]);
        let (id, _) = self.member(at, of, of_id, of_shape, field);
        self.program.spans[id as usize] = span;
        let node = match self.program.node(id) {
            Node::Path(root, keys) => Node::HasPath(root, keys),
            Node::Select(of, name) => Node::Has(of, name),
            other => other,
        };
        self.program.nodes[id as usize] = node;
        (id, shape)
    }

    fn run_over(&mut self, span: Span, over: Id, kind: Loop, args: &[Id]) -> Lowered {
        const HOLDS: Types = Types::LIST.or(Types::MAP);
        let (over_id, shape) = self.lower(over);
        self.must_be(Code::TypeMismatch, over, shape, HOLDS);
        self.expect(over_id, HOLDS);
        let Syntax::Name { name, from_root: false } = self.tree.node(args[0]).syntax else {
            let message =
                format!("`{}` is no variable", self.tree.span(args[0]).of(&self.program.text));
            let help = "the first argument is a new name for each item: `object.items.all(item, item.done)`";
            self.refuse(Code::InvalidGuard, self.tree.span(args[0]), message, help);
            return (self.add(Node::List(Range { start: 0, len: 0 }), span), shape);
        };
        let items = if shape.items.is_empty() { Types::ANY } else { shape.items };
        let item = Shape { types: items, items: Types::ANY, of_states: shape.of_states };
        self.scope.push(Variable { name, shape: item });
        let (body, filter) = match (kind, args) {
            (Loop::Map, [_, filter, body]) => (*body, Some(*filter)),
            _ => (args[args.len() - 1], None),
        };
        let filter = filter.map(|filter| {
            let (id, shape) = self.condition(filter);
            self.must_be(Code::NotBoolean, filter, shape, Types::BOOL);
            id
        });
        let (body_id, body_shape) = match kind {
            Loop::Map => self.lower(body),
            _ => {
                let lowered = self.condition(body);
                self.must_be(Code::NotBoolean, body, lowered.1, Types::BOOL);
                lowered
            }
        };
        self.scope.pop();
        self.program.loops.push(LoopNode { kind, over: over_id, filter, body: body_id });
        let number = count(self.program.loops.len() - 1);
        let shape = match kind {
            Loop::Map => Shape::holding(Types::LIST, body_shape.types),
            Loop::Filter => Shape { types: Types::LIST, items, of_states: shape.of_states },
            _ => Shape::one(Types::BOOL),
        };
        (self.add(Node::Loop(number), span), shape)
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
