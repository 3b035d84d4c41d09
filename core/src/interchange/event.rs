//! Events by their names: descriptors, which match by leading tokens, and actions, which are exact.
//!
//! Source: W3C SCXML 3.12.1. A descriptor matches an event whose first tokens (the parts between dots) are
//! its own; `*` matches every event.

use alloc::{format, vec::Vec};

use super::numbered::Numbered;

/// The action that an event of the outside stands for: the longest of `actions` that is the event's name or
/// its leading tokens (`order` for `order.paid`, not for `orders`), else `*` if that is an action, else
/// nothing.
///
/// For a machine that came from SCXML this is exact. Each descriptor of the document became an action, and
/// a transition with descriptor *d* one transition for every action that *d* matches. Those that match an
/// event are its leading tokens, hence also the leading tokens of the longest of them, *a*: the event and
/// the action *a* are matched by the same descriptors, and so by the same transitions. An event that none
/// of them matches is matched by `*` alone, for which the action `*` stands.
///
/// Cost: linear in the actions.
#[must_use]
pub fn action_for_event<'a>(
    actions: impl IntoIterator<Item = &'a str>,
    event: &str,
) -> Option<&'a str> {
    let matching = actions.into_iter().filter(|action| *action == "*" || covers(action, event));
    matching.max_by_key(|action| match *action {
        "*" if event != "*" => 0,
        _ => action.len(),
    })
}

/// Whether the tokens of `descriptor` are the first ones of `event`.
pub(super) fn covers(descriptor: &str, event: &str) -> bool {
    event
        .strip_prefix(descriptor)
        .is_some_and(|rest| !descriptor.is_empty() && (rest.is_empty() || rest.starts_with('.')))
}

/// A descriptor without the ending that says nothing (`.*` or `.`); nothing for a text that is none.
pub(super) fn normalised(descriptor: &str) -> Option<&str> {
    if descriptor == "*" {
        return Some(descriptor);
    }
    let plain = descriptor.strip_suffix(".*").or(descriptor.strip_suffix('.'));
    let plain = plain.unwrap_or(descriptor);
    (!plain.contains('*') && plain.split('.').all(|token| !token.is_empty())).then_some(plain)
}

/// The numbers of all descriptors that `descriptor` matches, itself among them, ascending.
pub(super) fn covered_by(known: &Numbered<'_>, descriptor: &str) -> Vec<usize> {
    if descriptor == "*" {
        return (0..known.len()).collect();
    }
    let mut found: Vec<usize> = known.position(descriptor).into_iter().collect();
    // `/` follows `.`.
    found.extend(known.between(&format!("{descriptor}."), &format!("{descriptor}/")));
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(actions: &[&str], event: &str, expected: Option<&str>) {
        assert_eq!(action_for_event(actions.iter().copied(), event), expected, "{event}");
    }

    #[test]
    fn an_event_is_the_action_with_most_of_its_tokens() {
        check(&["pay", "pay.card"], "pay.card.visa", Some("pay.card"));
        check(&["pay.card", "pay"], "pay.card", Some("pay.card"));
        check(&["pay", "pay.card"], "pay.cash", Some("pay"));
        check(&["pay", "pay.card"], "payment", None);
        check(&["*", "pay"], "payment", Some("*"));
        check(&["pay", "*"], "pay.x", Some("pay"));
        check(&["*", "a"], "*", Some("*"));
        check(&["In Progress"], "In Progress", Some("In Progress"));
        check(&[], "pay", None);
        check(&["", "pay"], "", None);
    }

    #[test]
    fn the_end_of_a_descriptor_says_nothing() {
        for (text, expected) in [
            ("pay.card", Some("pay.card")),
            ("pay.*", Some("pay")),
            ("pay.", Some("pay")),
            ("*", Some("*")),
            (".*", None),
            ("", None),
            ("pay..card", None),
            ("pay*", None),
            ("*.pay", None),
            ("pay.*.*", None),
        ] {
            assert_eq!(normalised(text), expected, "{text}");
        }
    }

    #[test]
    fn descriptors_know_what_they_cover() {
        let mut known = Numbered::default();
        for descriptor in ["b.x", "pay.card", "pay", "*", "pay-later", "pay", "pay/x"] {
            known.add(descriptor);
        }
        assert_eq!(covered_by(&known, "pay"), [1, 2]);
        assert_eq!(covered_by(&known, "pay.card"), [1]);
        assert_eq!(covered_by(&known, "b"), [0]);
        assert_eq!(covered_by(&known, "*"), [0, 1, 2, 3, 4, 5]);
    }
}
