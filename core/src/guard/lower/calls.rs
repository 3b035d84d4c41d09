//! Functions and macros.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{Lower, Lowered, Shape, Variable, count};
use crate::{
    diagnostic::Code,
    guard::{
        functions::{self, Found, Function, Loop, Signature},
        moment::read_zone,
        pattern::Pattern,
        program::{LoopNode, Node, NodeId, Range},
        token::Span,
        tree::{Id, Syntax},
        types::Types,
        value::Value,
    },
    name::did_you_mean,
};

impl<'t> Lower<'t, '_> {
    pub(super) fn call(
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

    pub(super) fn no_function(&mut self, name: &str, span: Span, found: &Found, is_member: bool) {
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

    pub(super) fn function(&mut self, span: Span, signature: &Signature, args: &[Id]) -> Lowered {
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

    pub(super) fn matches(
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
    pub(super) fn has(&mut self, span: Span, args: &[Id]) -> Lowered {
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

    pub(super) fn run_over(&mut self, span: Span, over: Id, kind: Loop, args: &[Id]) -> Lowered {
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
}
