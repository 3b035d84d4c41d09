//! Graphviz DOT.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write as _;

use super::{
    DiagramOptions, Direction, LabelPart, Marks, StateText, ids, label, showable, state_text,
};
use crate::{machine::Machine, table::position};

/// The longest line that a circle is drawn around, in characters.
const LONGEST_IN_CIRCLE: usize = 20;

impl Machine {
    /// The diagram in DOT: one node for each state, one edge for each transition and state that it
    /// starts from.
    #[must_use]
    pub fn to_dot(&self, options: &DiagramOptions) -> String {
        let direction = options.direction.unwrap_or(Direction::Lr).as_str();
        let mut dot = format!(
            "digraph StateMachine {{\n    rankdir={direction};\n    node [shape=box, style=rounded];\n"
        );
        let marks = Marks::new(&options.highlight);
        let by_name = !options.ids && ids::all_plain(self);
        let id = |state: u32| match by_name {
            true => self.state(state).name.clone(),
            false => format!("s{state}"),
        };
        for index in 0..self.states().len() {
            let state = position(index);
            _ = writeln!(
                dot,
                "    {} [{}];",
                id(state),
                self.node(state, options, &marks).join(", ")
            );
        }
        for (index, arrow) in self.arrows().into_iter().enumerate() {
            let transition = self.transition(arrow.transition);
            let mut attributes = Vec::new();
            if options.ids {
                attributes.push(format!("id=\"tr-{index}\""));
            }
            attributes
                .push(format!("label=\"{}\"", edge_label(&label(transition, parts(options)))));
            let name = transition.name.as_str();
            if marks.available.contains(name) {
                attributes.push("penwidth=2".to_string());
            } else if marks.blocked.contains(name) {
                attributes.push("style=dashed".to_string());
            }
            _ = writeln!(
                dot,
                "    {} -> {} [{}];",
                id(arrow.from),
                id(arrow.to),
                attributes.join(", ")
            );
        }
        dot.push_str("}\n");
        dot
    }

    /// What is said about a state. The initial one has two lines around it; a terminal one is a double
    /// circle, or, since a circle around a long text is huge, a box of two thick lines.
    fn node(&self, state: u32, options: &DiagramOptions, marks: &Marks<'_>) -> Vec<String> {
        let mut attributes = Vec::new();
        if options.ids {
            attributes.push(format!("id=\"st-s{state}\""));
        }
        let text =
            showable(state_text(self, state, options.states.unwrap_or(StateText::DisplayName)));
        attributes.push(format!("label=\"{}\"", escape(&text)));
        let is_terminal = self.state(state).is_terminal;
        let is_long = text.lines().any(|line| line.chars().count() > LONGEST_IN_CIRCLE);
        if state == self.shared.resolved.initial || is_terminal && is_long {
            attributes.push("peripheries=2".to_string());
        }
        let mut style = String::from("rounded");
        if is_terminal && is_long {
            style = String::from("bold");
        } else if is_terminal {
            attributes.push("shape=doublecircle".to_string());
        }
        let path = self.path(state).as_str();
        let mut fill = "";
        if marks.active.contains(path) {
            style.push_str(",filled,bold");
            fill = ", fillcolor=\"#cfe3ff\"";
        } else if marks.visited.contains(path) {
            style.push_str(",filled");
            fill = ", fillcolor=\"#eeeeee\"";
        }
        if style != "rounded" {
            attributes.push(format!("style=\"{style}\"{fill}"));
        }
        attributes
    }
}

fn parts(options: &DiagramOptions) -> &[LabelPart] {
    options.labels.as_deref().unwrap_or(&[LabelPart::Action, LabelPart::Guard])
}

fn edge_label(parts: &[(&str, bool)]) -> String {
    let line = |(text, is_guard): &(&str, bool)| match is_guard {
        true => format!("[{}]", escape(&showable(text))),
        false => escape(&showable(text)),
    };
    parts.iter().map(line).collect::<Vec<_>>().join("\\n")
}

/// The inside of a quoted string that shows a text as it is: DOT reads entities and backslashes there.
fn escape(showable: &str) -> String {
    let mut out = String::with_capacity(showable.len() + 8);
    if showable.starts_with('\n') {
        // Graphviz writes past its memory when a label begins with a line break.
        out.push(' ');
    }
    for c in showable.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn a_quoted_string_holds_any_text() {
        let check = |text: &str, quoted: &str| assert_eq!(escape(text), quoted);
        check("In review, 2nd", "In review, 2nd");
        check(r#"say "\N""#, r#"say \"\\N\""#);
        check("a\\", r"a\\");
        check("&lt;<b>\n", r"&amp;lt;<b>\n");
        check("\n\na", r" \n\na");
    }
}
