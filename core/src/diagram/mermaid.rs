//! Mermaid `stateDiagram-v2`, for Mermaid 11 and later.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use core::fmt::Write as _;

use super::{
    Arrow, DiagramOptions, Highlight, LabelPart, StateText, ids, label, showable, state_text,
};
use crate::{definition::State, machine::Machine, table::position};

impl Machine {
    /// The diagram in Mermaid: an arrow into the initial state, one for each transition and state that
    /// it starts from (those of a state to itself share one), one out of each terminal state.
    #[must_use]
    pub fn to_mermaid(&self, options: &DiagramOptions) -> String {
        let arrows = self.arrows();
        let by_name = !options.ids && ids::all_plain(self);
        let id = |state: u32| match by_name {
            true => self.state(state).name.clone(),
            false => format!("s{state}"),
        };
        let mut out = String::from("stateDiagram-v2\n");
        if let Some(direction) = options.direction {
            _ = writeln!(out, "    direction {}", direction.as_str());
        }
        let text = options.states.unwrap_or_else(|| self.readable_text());
        // A name that is an id says itself.
        let is_said = |state: &State| text == StateText::Name || state.title() == state.name;
        let says_itself = by_name && self.definition().states.iter().all(is_said);
        for (index, has_arrow) in self.states_with_arrows(&arrows).into_iter().enumerate() {
            let state = position(index);
            if !says_itself {
                let text = escape(state_text(self, state, text), "\n");
                _ = writeln!(out, "    state \"{text}\" as {}", id(state));
            } else if !has_arrow {
                _ = writeln!(out, "    {}", id(state));
            }
        }
        _ = writeln!(out, "    [*] --> {}", id(self.shared.resolved.initial));
        for group in groups(&arrows) {
            let labels = group.iter().map(|&index| self.label(&arrows[index], options));
            let labels: Vec<String> = labels.filter(|label| !label.is_empty()).collect();
            let text = labels.join(BREAK);
            let colon = if text.is_empty() { "" } else { ": " };
            let first = &arrows[group[0]];
            _ = writeln!(out, "    {} --> {}{colon}{text}", id(first.from), id(first.to));
        }
        for index in 0..self.states().len() {
            let state = position(index);
            if self.state(state).is_terminal {
                _ = writeln!(out, "    {} --> [*]", id(state));
            }
        }
        self.highlight(&mut out, options, id);
        out
    }

    fn label(&self, arrow: &Arrow, options: &DiagramOptions) -> String {
        let parts = options.labels.as_deref().unwrap_or(&[LabelPart::Name, LabelPart::Guard]);
        let shown =
            label(self.transition(arrow.transition), parts).into_iter().map(|(text, is_guard)| {
                match is_guard {
                    true => format!("[{}]", escape(text, BREAK)),
                    false => escape(text, BREAK),
                }
            });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// For each state whether an arrow begins or ends there, and so mentions it.
    fn states_with_arrows(&self, arrows: &[Arrow]) -> Vec<bool> {
        let mut with_arrows: Vec<bool> =
            self.definition().states.iter().map(|state| state.is_terminal).collect();
        let ends = arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]);
        for state in ends.chain([self.shared.resolved.initial]) {
            with_arrows[state as usize] = true;
        }
        with_arrows
    }

    /// What states say if nobody asks: the name while all that a definition calls something is plain.
    fn readable_text(&self) -> StateText {
        let definition = self.definition();
        let states = definition.states.iter().flat_map(|state| [&*state.name, state.title()]);
        let transitions = definition
            .transitions
            .iter()
            .flat_map(|transition| [&*transition.name, &*transition.action]);
        match states.chain(transitions).all(ids::is_plain_text) {
            true => StateText::Name,
            false => StateText::DisplayName,
        }
    }

    fn highlight(&self, out: &mut String, options: &DiagramOptions, id: impl Fn(u32) -> String) {
        let mut mark = |class: &str, style: &str, paths: &[&str]| {
            let known = paths.iter().filter_map(|path| self.state_id(path));
            let ids: Vec<String> = known.map(|state| id(state.0)).collect();
            if !ids.is_empty() {
                _ = writeln!(out, "    classDef {class} {style}");
                _ = writeln!(out, "    class {} {class}", ids.join(","));
            }
        };
        let Highlight { active, visited, .. } = &options.highlight;
        let active: Vec<&str> = active.iter().map(String::as_str).collect();
        let is_active: BTreeSet<&str> = active.iter().copied().collect();
        let visited = visited.iter().map(String::as_str);
        let visited: Vec<&str> = visited.filter(|path| !is_active.contains(path)).collect();
        mark("visitedState", "fill:#eeeeee,color:#333333", &visited);
        mark("activeState", "fill:#cfe3ff,color:#10305c,stroke:#1f6feb,stroke-width:3px", &active);
    }
}

/// Positions of arrows in the order of writing. Those of a state to itself are one group, where the first
/// of them is.
fn groups(arrows: &[Arrow]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut loops: hashbrown::HashMap<u32, usize> = hashbrown::HashMap::new();
    for (index, arrow) in arrows.iter().enumerate() {
        let group = match arrow.from == arrow.to {
            true => *loops.entry(arrow.from).or_insert(groups.len()),
            false => groups.len(),
        };
        match groups.get_mut(group) {
            Some(known) => known.push(index),
            None => groups.push(alloc::vec![index]),
        }
    }
    groups
}

/// For each arrow the number of its line among all lines that draw an arrow; the one into the initial
/// state is number 0.
pub(super) fn numbers(arrows: &[Arrow]) -> Vec<usize> {
    let mut numbers = alloc::vec![0; arrows.len()];
    for (number, group) in groups(arrows).iter().enumerate() {
        for &index in group {
            numbers[index] = number + 1;
        }
    }
    numbers
}

/// `text` so that Mermaid shows it as it is.
///
/// In the text of a state a line break is a line break: next to `<br/>`, Mermaid would turn code points into
/// signs first and read those as Markdown. In that of an arrow it is `<br/>`, since the text ends with the
/// line; no Markdown is read there.
fn escape(text: &str, line_break: &str) -> String {
    showable(text).split('\n').map(escape_line).collect::<Vec<_>>().join(line_break)
}

/// Whatever means something to Mermaid, to Markdown, to HTML or to JavaScript's `trim` is written as a code
/// point.
fn escape_line(line: &str) -> String {
    if line.is_empty() {
        // No text at all would be an error of syntax.
        return INVISIBLE.into();
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    for (index, c) in line.char_indices() {
        let rest = &line[index..];
        let next = rest.chars().nth(1).unwrap_or(' ');
        let is_kept = match c {
            ' ' => before != ' ' && next != ' ',
            '_' => before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric(),
            // "direction LR" anywhere in a line would be a statement of its own.
            'd' | 'D' => !starts_with_direction(rest),
            c => c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_whitespace() && !is_format(c),
        };
        // What Mermaid itself writes for "&" and for ";".
        if matches!((before, c), ('\u{fb02}', '°') | ('¶', 'ß')) {
            out.push_str(INVISIBLE);
        }
        if is_kept {
            out.push(c);
        } else {
            _ = write!(out, "#{};", u32::from(c));
        }
        before = c;
    }
    out
}

/// A space without width, U+200B.
const INVISIBLE: &str = "#8203;";

/// A line break in what an arrow says.
const BREAK: &str = "<br/>";

fn starts_with_direction(text: &str) -> bool {
    text.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("direction"))
}

/// Whether a character has no shape of its own; some turn the text around them.
fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{BREAK, escape};

    #[test]
    fn a_label_holds_any_text() {
        let check = |text: &str, label: &str| assert_eq!(escape(text, BREAK), label, "{text:?}");
        check("In review_2 été 状態", "In review_2 été 状態");
        check("a; b: <i>", "a#59; b#58; #60;i#62;");
        check(" a  b ", "#32;a#32;#32;b#32;");
        check("_a_", "#95;a#95;");
        check("Direction LR", "#68;irection LR");
        check("a\r\nb\0", "a<br/>b\u{fffd}");
        check("\n¶ß\\", "#8203;<br/>¶#8203;ß#92;");
        check("\u{a0}\u{202e}", "#160;#8238;");
        check("", "#8203;");
    }
}
