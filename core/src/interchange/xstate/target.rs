//! How a config names a state: by an id, and the way down from it.

use alloc::{format, string::String, vec::Vec};

use crate::name::to_path;

/// The ids of all states, by their places.
#[derive(Debug)]
pub(super) struct Targets {
    list: Vec<Named>,
}

#[derive(Debug)]
struct Named {
    parent: usize,
    /// Its name as a part of a path.
    part: String,
    /// An id of its own, where XState would make one that another state has, too, or cannot read its name.
    id: Option<String>,
}

impl Targets {
    pub(super) fn new(root: &str) -> Self {
        let root = Named { parent: 0, part: String::new(), id: Some(root.into()) };
        Self { list: alloc::vec![root] }
    }

    /// Adds the next state.
    pub(super) fn add(&mut self, parent: usize, name: &str) {
        let place = self.list.len();
        // XState joins the names by dots, escapes nothing, and takes `#` for the beginning of an id.
        let is_unclear = name.contains('.') || name.starts_with('#');
        let is_inside = parent != 0 && self.list[parent].id.is_some();
        let id = (is_unclear || is_inside).then(|| {
            let root = self.list[0].id.as_deref().unwrap_or_default();
            format!("{root}#{place}")
        });
        self.list.push(Named { parent, part: to_path(name).into_owned(), id });
    }

    /// The id that a state has to be given.
    pub(super) fn own_id(&self, place: usize) -> Option<&str> {
        self.list[place].id.as_deref()
    }

    /// What a target says to mean the state.
    pub(super) fn text(&self, place: usize) -> String {
        let mut parts = Vec::new();
        let mut at = &self.list[place];
        let id = loop {
            match &at.id {
                Some(id) => break id,
                None => parts.push(at.part.as_str()),
            }
            at = &self.list[at.parent];
        };
        let mut text = format!("#{}", to_path(id));
        for part in parts.iter().rev() {
            text.push('.');
            text.push_str(part);
        }
        text
    }
}
