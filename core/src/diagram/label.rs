//! What states and arrows say.

use alloc::{format, string::String, vec::Vec};

use super::{LabelPart, StateText, View};
use crate::{
    chart::Shape,
    definition::{HistoryKind, Transition, Trigger},
    machine::Machine,
};

/// What an arrow says, in parts: the text, and whether it is a guard.
///
/// What is set off by no action says what else does it, in the place of the action, or else before the guard.
pub(super) fn label<'t>(transition: &'t Transition, parts: &[LabelPart]) -> Vec<(&'t str, bool)> {
    let word = word(transition.trigger);
    let mut label = Vec::with_capacity(parts.len());
    let mut is_said = word.is_none() || parts.is_empty() || parts.contains(&LabelPart::Action);
    for part in parts {
        match part {
            LabelPart::Name => label.push((transition.name.as_str(), false)),
            LabelPart::Action => label.push((word.unwrap_or_else(|| transition.asked()), false)),
            LabelPart::DisplayName => label.push((transition.title(), false)),
            LabelPart::Guard => {
                if !is_said {
                    label.extend(word.map(|word| (word, false)));
                    is_said = true;
                }
                label.extend(transition.guard.as_deref().map(|guard| (guard, true)));
            }
        }
    }
    if !is_said {
        label.extend(word.map(|word| (word, false)));
    }
    label
}

/// What sets a transition off, where it is no action.
fn word(trigger: Trigger) -> Option<&'static str> {
    match trigger {
        Trigger::Action => None,
        Trigger::Completion => Some("when done"),
        Trigger::Automatic => Some("at once"),
    }
}

/// What a state says.
pub(super) fn state_text(machine: &Machine, state: u32, text: StateText) -> &str {
    if let Shape::History(kind) = machine.shared.resolved.chart.shape(state) {
        return match kind {
            HistoryKind::Shallow => "H",
            HistoryKind::Deep => "H*",
        };
    }
    let state = machine.state(state);
    match text {
        StateText::Name => &state.name,
        StateText::DisplayName => state.title(),
    }
}

/// What a box says of the states inside it, which are not drawn.
pub(super) fn hidden(view: &View<'_>, state: u32) -> Option<String> {
    match view.hidden_in(state) {
        0 => None,
        1 => Some("+1 state".into()),
        count => Some(format!("+{count} states")),
    }
}

/// What a drawing says of the states that are left out.
pub(super) fn left_out(view: &View<'_>) -> Option<String> {
    match view.left_out {
        0 => None,
        1 => Some("1 more state".into()),
        count => Some(format!("{count} more states")),
    }
}

/// `text` as a drawing can show it: every kind of line break is `\n`, a tab is four spaces, and what no
/// SVG can hold or nobody can see (other control characters, U+FFFE, U+FFFF) is U+FFFD.
pub(super) fn showable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                _ = chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::showable;

    #[test]
    fn whatever_cannot_be_shown_has_a_sign_in_its_place() {
        let check = |text: &str, shown: &str| assert_eq!(showable(text), shown);
        check("a\r\nb\rc\u{2028}d\u{85}", "a\nb\nc\nd\n");
        check("a\tb\0\u{80}\u{ffff}", "a    b\u{fffd}\u{fffd}\u{fffd}");
        check("\u{200d} é 🚗 \u{202e}", "\u{200d} é 🚗 \u{202e}");
    }
}
