//! Names for what has none in a foreign format.

use alloc::{format, string::String, vec::Vec};

use crate::{index::Index, table::position};

/// Names that are given once each.
#[derive(Debug, Default)]
pub(super) struct FreshNames {
    used: Vec<Used>,
    index: Index,
}

#[derive(Debug)]
struct Used {
    name: String,
    /// The number that the next one of this name gets.
    next: u32,
}

impl FreshNames {
    /// Keeps a name for whoever has it already; whether it was still free.
    pub(super) fn reserve(&mut self, name: &str) -> bool {
        self.add(name.into()).is_none()
    }

    /// `base`, or `base` with the first number that makes it new.
    pub(super) fn fresh(&mut self, base: &str) -> String {
        let Some(first) = self.add(base.into()) else { return base.into() };
        loop {
            let used = &mut self.used[first];
            let name = format!("{base}_{}", used.next);
            used.next += 1;
            if self.add(name.clone()).is_none() {
                return name;
            }
        }
    }

    /// Adds a name, or tells where it is already.
    fn add(&mut self, name: String) -> Option<usize> {
        let next = self.used.len();
        self.used.push(Used { name, next: 2 });
        let name_of = |id: u32| self.used[id as usize].name.as_str();
        let known = self.index.insert(position(next), &name_of)?;
        self.used.pop();
        Some(known as usize)
    }
}

/// A readable name: `draft_to_review_on_submit`. `cause` is empty where nothing is asked for.
pub(super) fn describe<'n>(
    source: &'n str,
    targets: impl ExactSizeIterator<Item = &'n str>,
    cause: &str,
) -> String {
    let mut name = short(source);
    let count = targets.len();
    for (index, target) in targets.take(2).enumerate() {
        name.push_str(if index == 0 { "_to_" } else { "_and_" });
        name.push_str(&short(target));
    }
    if count > 2 {
        name.push_str("_and_more");
    }
    if !cause.is_empty() {
        name.push('_');
        name.push_str(cause);
    }
    name
}

/// How an action stands in the name of a transition.
pub(super) fn on_action(action: &str) -> String {
    match action {
        "*" => "on_any".into(),
        _ => format!("on_{}", short(action)),
    }
}

/// At most 24 characters.
fn short(text: &str) -> String {
    text.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_happens() {
        let check = |targets: &[&str], cause: &str, expected: &str| {
            assert_eq!(describe("a", targets.iter().copied(), cause), expected);
        };
        check(&["b"], &on_action("t"), "a_to_b_on_t");
        check(&[], &on_action("*"), "a_on_any");
        check(&["b", "c"], "", "a_to_b_and_c");
        check(&["b", "c", "d"], "when_done", "a_to_b_and_c_and_more_when_done");
        check(&[&"é".repeat(90)], "", &format!("a_to_{}", "é".repeat(24)));
    }

    #[test]
    fn a_name_is_given_once() {
        let mut names = FreshNames::default();
        assert!(names.reserve("a_2"));
        assert_eq!(names.fresh("a"), "a");
        assert_eq!(names.fresh("a"), "a_3");
        assert_eq!(names.fresh("a"), "a_4");
    }
}
