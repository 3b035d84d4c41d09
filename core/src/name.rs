//! Names, paths and near misses.
//!
//! A name is any non-empty text without control characters. A path joins
//! names with `.`; inside a name a dot is written `\.` and a backslash `\\`,
//! so that two states never share a path. Source: DESIGN §2.

use alloc::{borrow::Cow, string::String, vec, vec::Vec};

use crate::guard;

/// Why `name` cannot be a name, or nothing when it can.
pub(crate) fn fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("is empty")
    } else if name.chars().any(char::is_control) {
        Some("holds a control character")
    } else {
        None
    }
}

/// The path of a state at the root that is called `name`.
pub(crate) fn to_path(name: &str) -> Cow<'_, str> {
    if !name.contains(['.', '\\']) {
        return Cow::Borrowed(name);
    }
    let mut path = String::with_capacity(name.len() + 2);
    for c in name.chars() {
        if matches!(c, '.' | '\\') {
            path.push('\\');
        }
        path.push(c);
    }
    Cow::Owned(path)
}

/// Names as a list in a sentence.
pub(crate) fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(|name| alloc::format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A sentence whose names, in backquotes, are cut where they are long: a long name in very many findings
/// would else be a very long answer.
pub(crate) fn shortened(sentence: String) -> String {
    const LONGEST: usize = 100;
    if sentence.len() <= LONGEST || sentence.split('`').all(|part| part.len() <= LONGEST) {
        return sentence;
    }
    let cut = |(index, part): (usize, &str)| match part.char_indices().nth(LONGEST) {
        // Our own words stand outside of the backquotes, and stay.
        Some((end, _)) if index % 2 == 1 => [&part[..end], "…"].concat(),
        _ => String::from(part),
    };
    sentence.split('`').enumerate().map(cut).collect::<Vec<_>>().join("`")
}

/// The identifier of a named or host guard: ASCII letters, digits and `_`, not a digit first, and no
/// literal, variable or reserved word of the guard language.
pub(crate) fn is_guard_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && guard::is_free_word(text)
        && !matches!(text, "object" | "ctx" | "states")
}

/// Finds near misses, with a budget so that many unknown names in a large definition stay linear.
#[derive(Debug)]
pub(crate) struct Nearest {
    budget: usize,
}

impl Nearest {
    /// Longer names get no suggestion; nobody mistypes a paragraph.
    const LONGEST: usize = 64;

    pub(crate) fn new() -> Self {
        Self { budget: 20_000 }
    }

    /// The candidate closest to `name`, if it is close enough to be what was meant. The first wins a draw.
    pub(crate) fn find<'c>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        let wanted: Vec<char> = name.chars().map(|c| c.to_ascii_lowercase()).collect();
        if wanted.len() > Self::LONGEST {
            return None;
        }
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            if candidate.len() > 4 * Self::LONGEST {
                continue;
            }
            // One mistake in three letters; then only a better one.
            let limit = best.map_or((wanted.len() / 3).min(4) + 1, |(distance, _)| distance);
            let distance = distance(&wanted, candidate);
            if distance < limit {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// The first candidate that is close enough to be what was meant, as the end of a sentence.
pub(crate) fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> String {
    match Nearest::new().find(name, candidates) {
        Some(known) => alloc::format!("; did you mean `{known}`?"),
        None => String::new(),
    }
}

/// Edits (insert, delete, replace, swap of neighbours) between two texts, without regard to ASCII case.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost;
        }
        before = core::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_every_name_apart() {
        assert_eq!(to_path("In Progress"), "In Progress");
        assert_eq!(to_path("v1.2"), r"v1\.2");
        assert_eq!(to_path(r"a\"), r"a\\");
    }

    #[track_caller]
    fn check(name: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(Nearest::new().find(name, candidates.iter().copied()), expected);
    }

    #[test]
    fn near_misses_are_found_and_far_ones_are_not() {
        check("aprove", &["reject", "approve"], Some("approve"));
        check("initial_sate", &["states", "initial_state"], Some("initial_state"));
        check("Ready", &["ready"], Some("ready"));
        check("qeued", &["queued", "done"], Some("queued"));
        check("banana", &["queued", "done"], None);
        check("b", &["a"], None);
        check("", &["queued"], None);
    }
}
