//! Which data a program reads: for editors that complete them.

use alloc::{string::String, vec::Vec};

use super::{
    path,
    program::{Node, Program, Root},
    types::Types,
};

/// A place in the data that a program reads.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: String,
    /// The variable, then the fields on the way.
    pub(crate) keys: Vec<String>,
    pub(crate) types: Fitting,
}

/// The types that fit a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fitting(Types);

impl Fitting {
    /// What fits both places; of places that ask for different things, what fits one of them.
    pub(crate) fn with(self, other: Self) -> Self {
        let both = self.0.and(other.0);
        Self(if both.is_empty() { self.0.or(other.0) } else { both })
    }

    /// The names of the types that JSON can hold.
    pub(crate) fn names(self) -> Vec<&'static str> {
        self.0.and(Types::JSON).names()
    }
}

impl Program {
    /// Each path into the object and the context that it reads, in the order of the expression.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.nodes.iter().zip(&self.expected).filter_map(|(node, expected)| {
            let (root, keys, types) = match *node {
                Node::Path(root, keys) => (root, self.keys(keys), *expected),
                // Whether it is there is all that is asked.
                Node::HasPath(root, keys) => (root, self.keys(keys), Types::ANY),
                _ => return None,
            };
            let first = match root {
                Root::Object if !keys.is_empty() => ["object"].iter(),
                Root::Field(_) => ["ctx"].iter(),
                _ => return None,
            };
            let field = match root {
                Root::Field(field) => Some(field.name()),
                _ => None,
            };
            let keys = first.copied().chain(field).chain(keys.iter().map(AsRef::as_ref));
            Some(Place {
                path: self.path_of(*node),
                keys: keys.map(String::from).collect(),
                types: Fitting(types),
            })
        })
    }

    fn path_of(&self, node: Node) -> String {
        match node {
            Node::Path(root, keys) | Node::HasPath(root, keys) => {
                path::written(self, root, self.keys(keys))
            }
            _ => String::new(),
        }
    }
}
