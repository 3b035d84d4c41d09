//! Mermaid `stateDiagram-v2`, for Mermaid 11 and later.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;

use super::{Arrow, DiagramOptions, LabelPart, StateText, ids, label, state_text};
use crate::machine::{Machine, position};

impl Machine {
    /// The diagram in Mermaid: an arrow into the initial state, one for each transition and state that
    /// it starts from (those of a state to itself share one), one out of each terminal state.
    #[must_use]
    pub fn to_mermaid(&self, options: &DiagramOptions) -> String {
        let arrows = self.arrows();
        let by_name = self.reads_plainly(options);
        let id = |state: u32| match by_name {
            true => self.state(state).name.clone(),
            false => format!("s{state}"),
        };
        let mut out = String::from("stateDiagram-v2\n");
        if let Some(direction) = options.direction {
            _ = writeln!(out, "    direction {}", direction.as_str());
        }
        if !by_name {
            let text = options.states.unwrap_or(StateText::DisplayName);
            for index in 0..self.states().len() {
                let state = position(index);
                _ = writeln!(out, "    state \"{}\" as {}", escape(&state_text(self, state, text)), id(state));
            }
        }
        _ = writeln!(out, "    [*] --> {}", id(self.shared.resolved.initial));
        for group in groups(&arrows) {
            let labels: Vec<String> = group.iter().map(|&index| self.label(&arrows[index], options)).collect();
            let text = labels.join("<br/>");
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
        let shown = label(self.transition(arrow.transition), parts).into_iter().map(|(text, is_guard)| match is_guard {
            true => format!("[{}]", escape(text)),
            false => escape(text),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Whether the readable form, with names as ids, says all that is to be said.
    fn reads_plainly(&self, options: &DiagramOptions) -> bool {
        let plain_states = || match options.states {
            Some(StateText::DisplayName) => self.definition().states.iter().all(|state| state.title() == state.name),
            Some(StateText::Name) => true,
            None => self.definition().states.iter().all(|state| ids::is_plain_text(state.title())),
        };
        !options.ids && ids::all_plain(self) && plain_states()
    }

    fn highlight(&self, out: &mut String, options: &DiagramOptions, id: impl Fn(u32) -> String) {
        let mark = |out: &mut String, class: &str, style: &str, paths: &[String]| {
            let ids: Vec<String> = paths.iter().filter_map(|path| self.state_id(path)).map(|state| id(state.0)).collect();
            if !ids.is_empty() {
                _ = writeln!(out, "    classDef {class} {style}");
                _ = writeln!(out, "    class {} {class}", ids.join(","));
            }
        };
        let active = &options.highlight.active;
        let visited: Vec<String> = options.highlight.visited.iter().filter(|path| !active.contains(path)).cloned().collect();
        mark(out, "visitedState", "fill:#eeeeee,color:#333333", &visited);
        mark(out, "activeState", "fill:#cfe3ff,color:#10305c,stroke:#1f6feb,stroke-width:3px", active);
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

/// `text` so that Mermaid shows it as it is: everything but letters, digits and single spaces becomes a
/// code point. An empty text would be a syntax error.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        match c {
            '\r' if next == '\n' => {}
            '\n' | '\r' => out.push_str("<br/>"),
            c if c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_control() => {
                // "direction LR" anywhere in a line would be a statement of its own.
                if c.eq_ignore_ascii_case(&'d') && is_direction(c, &chars) {
                    _ = write!(out, "#{};", u32::from(c));
                } else {
                    out.push(c);
                }
            }
            ' ' if before != ' ' && next != ' ' => out.push(' '),
            '_' if before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric() => out.push('_'),
            c => _ = write!(out, "#{};", u32::from(c)),
        }
        before = c;
    }
    if out.is_empty() {
        out.push_str("#8203;");
    }
    out
}

fn is_direction(first: char, rest: &core::iter::Peekable<core::str::Chars<'_>>) -> bool {
    let word: String = core::iter::once(first).chain(rest.clone().take(8)).collect();
    word.eq_ignore_ascii_case("direction")
}
