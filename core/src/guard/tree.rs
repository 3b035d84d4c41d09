//! The syntax tree of an expression: what was written, before anything is known about names and types.
//!
//! The nodes lie in one list, children before their parents, so that no tree is too deep to be dropped.

use alloc::{borrow::Cow, vec::Vec};

use super::token::Span;

/// A node: its position in [`Tree::nodes`].
pub(super) type Id = u32;

#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    nodes: Vec<Node<'t>>,
}

#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) syntax: Syntax<'t>,
    pub(super) span: Span,
    /// The same with the brackets around it.
    pub(super) outer: Span,
    /// The longest way down from here, in nodes.
    pub(super) height: u32,
}

#[derive(Debug)]
pub(super) enum Syntax<'t> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Cow<'t, str>),
    Name { name: &'t str, from_root: bool },
    Select { of: Id, field: &'t str },
    Index { of: Id, at: Id },
    Call { of: Option<Id>, name: &'t str, name_span: Span, args: Vec<Id> },
    List(Vec<Id>),
    Map(Vec<(Id, Id)>),
    Not(Id),
    Negate(Id),
    Binary(Operator, Id, Id),
    And(Vec<Id>),
    Or(Vec<Id>),
    If { condition: Id, yes: Id, no: Id },
}

/// The operators with two sides, `&&` and `||` apart.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Operator {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

impl<'t> Tree<'t> {
    pub(super) fn add(&mut self, syntax: Syntax<'t>, span: Span, below: u32) -> Id {
        self.nodes.push(Node { syntax, span, outer: span, height: below + 1 });
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn node(&self, id: Id) -> &Node<'t> {
        &self.nodes[id as usize]
    }

    pub(super) fn height(&self, id: Id) -> u32 {
        self.node(id).height
    }

    pub(super) fn span(&self, id: Id) -> Span {
        self.node(id).span
    }

    pub(super) fn outer(&self, id: Id) -> Span {
        self.node(id).outer
    }

    /// Notes the brackets around a node.
    pub(super) fn enclose(&mut self, id: Id, outer: Span) {
        self.nodes[id as usize].outer = outer;
    }
}
