//! A compiled expression: names are resolved, functions found, constants made.
//!
//! The nodes lie in one list; a node points to those below it by number.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::{
    functions::{Function, Loop},
    pattern::Pattern,
    token::Span,
    tree::Operator,
    types::Types,
    value::{Field, Value},
};

pub(super) type NodeId = u32;

/// A piece of one of the program's lists.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// Where a path begins.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Root {
    Object,
    /// `ctx` as a whole.
    Context,
    Field(Field),
    States,
    /// A variable of `evaluate`, by the number of its name.
    Variable(u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Constant(u32),
    /// `object.a.b`: the keys lie in `names`.
    Path(Root, Range),
    /// `has(object.a.b)`; at least one key.
    HasPath(Root, Range),
    /// A variable of a macro.
    Local(u32),
    Select(NodeId, u32),
    Has(NodeId, u32),
    Index(NodeId, NodeId),
    Not(NodeId),
    Negate(NodeId),
    Binary(Operator, NodeId, NodeId),
    And(Range),
    Or(Range),
    If(NodeId, NodeId, NodeId),
    List(Range),
    /// Keys and values by turns.
    Map(Range),
    Call(Function, Range),
    /// `matches` with a pattern that stands in the expression.
    Matches(NodeId, u32),
    Loop(u32),
    /// A named guard or a host guard, by the number of its name.
    Guard(u32),
    /// A call of a function that there is not, by the number of its name.
    NoFunction(u32),
}

/// A macro that goes through a list or the keys of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopNode {
    pub(super) kind: Loop,
    pub(super) over: NodeId,
    /// Of `map` with three arguments.
    pub(super) filter: Option<NodeId>,
    pub(super) body: NodeId,
}

#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(super) text: String,
    pub(super) nodes: Vec<Node>,
    /// Where each node stands in the text.
    pub(super) spans: Vec<Span>,
    /// For each node the types that would fit its place.
    pub(super) expected: Vec<Types>,
    /// Nodes that belong to lists: arguments, items, parts of `&&`.
    pub(super) items: Vec<NodeId>,
    pub(super) constants: Vec<Value<'static>>,
    pub(super) names: Vec<Box<str>>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) loops: Vec<LoopNode>,
    /// The guards that it refers to, by name; and by id, once that is known.
    pub(super) guards: Vec<(Box<str>, Span)>,
    pub(crate) guard_ids: Vec<u32>,
    pub(super) root: NodeId,
    /// The longest way down from the root, in nodes.
    pub(super) height: u32,
}

impl Program {
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    /// The text of a node.
    pub(super) fn source(&self, id: NodeId) -> &str {
        self.spans[id as usize].of(&self.text)
    }

    #[inline]
    pub(super) fn keys(&self, range: Range) -> &[Box<str>] {
        &self.names[range.start as usize..(range.start + range.len) as usize]
    }

    #[inline]
    pub(super) fn list(&self, range: Range) -> &[NodeId] {
        &self.items[range.start as usize..(range.start + range.len) as usize]
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The guards that it refers to, by name, each once, and where it does so first, in bytes.
    pub(crate) fn guards(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        self.guards.iter().map(|(name, span)| (name.as_ref(), span.start))
    }

    /// Where it refers first to the guard with this id, in bytes.
    pub(crate) fn place_of(&self, guard: u32) -> Option<u32> {
        let index = self.guard_ids.iter().position(|id| *id == guard)?;
        self.guards.get(index).map(|(_, span)| span.start)
    }

    pub(crate) fn height(&self) -> u32 {
        self.height
    }
}
