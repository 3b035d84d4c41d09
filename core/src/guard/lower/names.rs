//! Names and paths: variables, fields, indexes, states.

use alloc::{boxed::Box, format};

use super::{Lower, Lowered, Names, Shape, count};
use crate::{
    diagnostic::Code,
    guard::{
        program::{Node, NodeId, Range, Root},
        token::Span,
        tree::{Id, Syntax},
        types::Types,
        value::Field,
    },
    name::did_you_mean,
};

impl Lower<'_, '_> {
    /// Whether a name is no variable, so that it can be a guard.
    pub(super) fn is_free(&self, name: &str, from_root: bool) -> bool {
        matches!(self.names, Names::Machine { .. })
            && !matches!(name, "object" | "ctx" | "states")
            && (from_root || !self.scope.iter().any(|variable| variable.name == name))
    }

    pub(super) fn guard(&mut self, name: &str, span: Span) -> u32 {
        let guards = &mut self.program.guards;
        let known = guards.iter().position(|(known, _)| known.as_ref() == name);
        count(known.unwrap_or_else(|| {
            guards.push((Box::from(name), span));
            guards.len() - 1
        }))
    }

    pub(super) fn variable(&mut self, span: Span, name: &str, from_root: bool) -> Lowered {
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

    /// A path, which can only be what its data can hold.
    pub(super) fn path(&mut self, root: Root, keys: Range, span: Span, shape: Shape) -> Lowered {
        let id = self.add(Node::Path(root, keys), span);
        self.expect(id, shape.types);
        (id, shape)
    }

    /// `of.field`, and `of["field"]`.
    pub(super) fn member(
        &mut self,
        span: Span,
        of: Id,
        of_id: NodeId,
        shape: Shape,
        field: &str,
    ) -> Lowered {
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
    pub(super) fn context(&mut self, span: Span, name: &str) -> Lowered {
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

    pub(super) fn index(&mut self, span: Span, of: Id, at: Id) -> Lowered {
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

    /// Reports the path of a state that there is not, where it is compared with states that are active.
    pub(super) fn known_states(&mut self, id: Id, other: Shape) {
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
}
