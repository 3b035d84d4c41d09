//! The tree of states by names: from what is written to a state, and from a state to what to write.
//!
//! A text names a state in three ways, tried in this order: as the whole name of a state among the siblings,
//! then outward; as a path from the root; as a path from a container, the inner ones first. Source: DESIGN §2.

use alloc::{string::String, vec::Vec};

use crate::{index::Index, name::to_path, table::position};

/// The root: no state, but what holds the outermost ones.
pub(super) const ROOT: usize = 0;

/// States in pre-order, each known by its number.
#[derive(Debug)]
pub(super) struct Places<'n> {
    list: Vec<Place<'n>>,
    /// For each state what is in it, by name.
    inside: Vec<Index>,
}

#[derive(Debug)]
struct Place<'n> {
    name: &'n str,
    parent: usize,
    has_regions: bool,
}

impl<'n> Places<'n> {
    pub(super) fn new() -> Self {
        let root = Place { name: "", parent: ROOT, has_regions: false };
        Self { list: alloc::vec![root], inside: alloc::vec![Index::default()] }
    }

    /// Adds a state, and tells its number and the first sibling of the same name.
    pub(super) fn add(
        &mut self,
        parent: usize,
        name: &'n str,
        has_regions: bool,
    ) -> (usize, Option<usize>) {
        let next = self.list.len();
        self.list.push(Place { name, parent, has_regions });
        self.inside.push(Index::default());
        let name_of = |id: u32| self.list[id as usize].name;
        let first = self.inside[parent].insert(position(next), &name_of);
        (next, first.map(|first| first as usize))
    }

    pub(super) fn name(&self, state: usize) -> &'n str {
        self.list[state].name
    }

    pub(super) fn parent(&self, state: usize) -> usize {
        self.list[state].parent
    }

    pub(super) fn has_regions(&self, state: usize) -> bool {
        self.list[state].has_regions
    }

    /// Whether `state` lies in `around`, and is not it.
    pub(super) fn lies_in(&self, mut state: usize, around: usize) -> bool {
        while state != ROOT {
            state = self.parent(state);
            if state == around {
                return true;
            }
        }
        false
    }

    /// What holds the machine in whose list a transition out of `state` stands: around its regions, if it is
    /// one, and what they are regions of.
    pub(super) fn machine_of(&self, state: usize) -> usize {
        let mut owner = self.parent(state);
        while self.has_regions(owner) {
            owner = self.parent(owner);
        }
        owner
    }

    /// The state that a text names in the machine, or among the regions, that `container` holds: a name, a
    /// path to what is inside, or a path from the root that leads there.
    pub(super) fn find_inside(&self, container: usize, text: &str) -> Option<usize> {
        if let Some(child) = self.child(container, text) {
            return Some(child);
        }
        let path = split(text)?;
        let from_root = || self.walk(ROOT, &path).filter(|&found| self.lies_in(found, container));
        self.walk(container, &path).or_else(from_root)
    }

    /// The state that a target names.
    pub(super) fn find(&self, container: usize, text: &str) -> Option<usize> {
        if let Some(found) = self.outward(container).find_map(|at| self.child(at, text)) {
            return Some(found);
        }
        let path = split(text)?;
        self.walk(ROOT, &path)
            .or_else(|| self.outward(container).find_map(|at| self.walk(at, &path)))
    }

    /// A text by which [`Self::find_inside`] finds `state`, which lies in `container`.
    pub(super) fn inside_text(&self, container: usize, state: usize) -> Option<String> {
        let text = self.text_from(container, state);
        (self.find_inside(container, &text) == Some(state)).then_some(text)
    }

    /// The shortest text by which [`Self::find`] finds `state`.
    pub(super) fn text(&self, container: usize, state: usize) -> Option<String> {
        self.outward(container)
            .filter(|at| *at == container || !self.has_regions(*at))
            .filter(|at| self.lies_in(state, *at))
            .map(|at| self.text_from(at, state))
            .find(|text| self.find(container, text) == Some(state))
    }

    /// The path of a state from the root, as guards see it.
    pub(super) fn path(&self, state: usize) -> String {
        match self.parent(state) {
            ROOT => to_path(self.name(state)).into_owned(),
            _ => self.text_from(ROOT, state),
        }
    }

    fn text_from(&self, container: usize, state: usize) -> String {
        if self.parent(state) == container {
            return self.name(state).into();
        }
        let mut parts = Vec::new();
        let mut at = state;
        while at != container && at != ROOT {
            parts.push(to_path(self.name(at)));
            at = self.parent(at);
        }
        parts.reverse();
        parts.join(".")
    }

    /// The state of this name in the machine, or among the regions, that `container` holds.
    pub(super) fn child(&self, container: usize, name: &str) -> Option<usize> {
        let name_of = |id: u32| self.list[id as usize].name;
        self.inside[container].get(name, &name_of).map(|id| id as usize)
    }

    fn walk(&self, container: usize, path: &[String]) -> Option<usize> {
        path.iter().try_fold(container, |at, name| self.child(at, name))
    }

    /// What holds a machine or regions, from the inside out to the root.
    fn outward(&self, container: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(container);
        core::iter::from_fn(move || {
            let at = next?;
            next = (at != ROOT).then(|| self.parent(at));
            Some(at)
        })
    }
}

/// The names on a path; nothing for a stray backslash.
fn split(path: &str) -> Option<Vec<String>> {
    let mut names = alloc::vec![String::new()];
    let mut chars = path.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '.' => {
                names.push(String::new());
                continue;
            }
            '\\' => chars.next().filter(|c| matches!(c, '.' | '\\'))?,
            c => c,
        };
        names.last_mut()?.push(c);
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a(b(c), v1.2), p(r1(c), r2), p.r2
    fn places() -> Places<'static> {
        let mut places = Places::new();
        for (parent, name, has_regions) in [
            (0, "a", false),
            (1, "b", false),
            (2, "c", false),
            (1, "v1.2", false),
            (0, "p", true),
            (5, "r1", false),
            (6, "c", false),
            (5, "r2", false),
            (0, "p.r2", false),
        ] {
            assert_eq!(places.add(parent, name, has_regions).1, None);
        }
        places
    }

    #[test]
    fn a_text_finds_the_nearest_name_then_a_path() {
        let places = places();
        for (container, text, expected) in [
            (1, "b", Some(2)),
            (2, "v1.2", Some(4)),
            (0, r"a.v1\.2", Some(4)),
            (0, "a.v1.2", None),
            (2, "b.c", Some(3)),
            (6, "r1.c", Some(7)),
            (0, "p.r2", Some(9)),
            (6, "r2", Some(8)),
            (0, "r2", None),
            (0, "", None),
            (0, r"a\b", None),
        ] {
            assert_eq!(places.find(container, text), expected, "{text}");
        }
        assert_eq!(places.find_inside(0, "p.r1"), Some(6));
        assert_eq!(places.find_inside(2, "b"), None);
        assert_eq!(places.find_inside(1, "a.b.c"), Some(3), "a path from the root");
        assert_eq!(places.find_inside(6, "a.b.c"), None, "one that leads elsewhere");
    }

    #[test]
    fn what_is_written_finds_the_state_again() {
        let places = places();
        assert_eq!(places.text(2, 3).as_deref(), Some("c"));
        assert_eq!(places.text(0, 4).as_deref(), Some(r"a.v1\.2"));
        assert_eq!(places.text(2, 1).as_deref(), Some("a"));
        assert_eq!(places.text(6, 3).as_deref(), Some("a.b.c"));
        assert_eq!(places.text(0, 8), None, "`p.r2` is the name of another state");
        assert_eq!(places.inside_text(0, 7).as_deref(), Some("p.r1.c"));
        assert_eq!((places.path(4), places.path(9)), (r"a.v1\.2".into(), r"p\.r2".into()));
        assert_eq!((places.machine_of(6), places.machine_of(7), places.machine_of(3)), (0, 6, 2));
    }

    #[test]
    fn a_sibling_of_the_same_name_is_told() {
        assert_eq!(places().add(0, "a", false), (10, Some(1)));
    }
}
