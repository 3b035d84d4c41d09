//! An SCXML document as it was written: states, targets as ids, nothing resolved.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::definition::Kind;

/// A document. The first node is `<scxml>`, the others follow in document order.
#[derive(Debug, Default)]
pub(super) struct Chart<'d> {
    pub(super) nodes: Vec<Node<'d>>,
    /// Whether conditions are in CEL.
    pub(super) is_cel: bool,
    pub(super) version: Option<u64>,
    pub(super) history_disabled: bool,
}

/// What a state is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum NodeKind {
    #[default]
    Root,
    State,
    Parallel,
    Final,
    Shallow,
    Deep,
}

impl NodeKind {
    pub(super) fn is_history(self) -> bool {
        matches!(self, Self::Shallow | Self::Deep)
    }

    /// The name of its element.
    pub(super) fn element(self) -> &'static str {
        match self {
            Self::Root => "scxml",
            Self::State => "state",
            Self::Parallel => "parallel",
            Self::Final => "final",
            Self::Shallow | Self::Deep => "history",
        }
    }
}

/// A state, a history state, or the document.
#[derive(Debug, Default)]
pub(super) struct Node<'d> {
    pub(super) kind: NodeKind,
    /// Where its element starts, in bytes.
    pub(super) at: usize,
    pub(super) parent: usize,
    pub(super) children: Vec<usize>,
    /// Its id; made up where the document has none.
    pub(super) id: String,
    /// Its name here, where that is not the id; of the document, the kind of object.
    pub(super) name: Option<&'d str>,
    pub(super) display_name: Option<&'d str>,
    pub(super) description: Option<&'d str>,
    /// Whether it is at work or faulty.
    pub(super) condition: Kind,
    /// What the machine inside is the lifecycle of.
    pub(super) object_type: Option<&'d str>,
    /// Where it begins; of a history state, where it leads while nothing is remembered.
    pub(super) initial: Option<Targets<'d>>,
    pub(super) guards: BTreeMap<String, String>,
    pub(super) arrows: Vec<Arrow<'d>>,
}

impl Node<'_> {
    /// What it is called here.
    pub(super) fn title(&self) -> &str {
        self.name.unwrap_or(&self.id)
    }
}

/// Ids, as an attribute lists them.
#[derive(Clone, Debug)]
pub(super) struct Targets<'d> {
    pub(super) at: usize,
    pub(super) ids: Vec<&'d str>,
}

/// A text and where its attribute starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'d> {
    pub(super) at: usize,
    pub(super) text: &'d str,
}

/// A `<transition>` of a state.
#[derive(Debug)]
pub(super) struct Arrow<'d> {
    pub(super) at: usize,
    pub(super) event: Option<Placed<'d>>,
    pub(super) targets: Option<Targets<'d>>,
    pub(super) is_internal: bool,
    pub(super) condition: Option<Placed<'d>>,
    pub(super) name: Option<&'d str>,
    pub(super) display_name: Option<&'d str>,
    /// What its event is called here, where that is not its name.
    pub(super) action: Option<Placed<'d>>,
}
