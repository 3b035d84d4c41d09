//! Graphviz DOT.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write as _;

use super::{DiagramOptions, Direction, LabelPart, StateText, ids, label, state_text};
use crate::machine::{Machine, position};

impl Machine {
    /// The diagram in DOT: one node for each state, one edge for each transition and state that it
    /// starts from.
    #[must_use]
    pub fn to_dot(&self, options: &DiagramOptions) -> String {
        let direction = options.direction.unwrap_or(Direction::Lr).as_str();
        let mut dot = format!("digraph StateMachine {{\n    rankdir={direction};\n    node [shape=box, style=rounded];\n");
        let by_name = !options.ids && ids::all_plain(self);
        let id = |state: u32| match by_name {
            true => self.state(state).name.clone(),
            false => format!("s{state}"),
        };
        for index in 0..self.states().len() {
            let state = position(index);
            _ = writeln!(dot, "    {} [{}];", id(state), self.node(state, options).join(", "));
        }
        for (index, arrow) in self.arrows().into_iter().enumerate() {
            let transition = self.transition(arrow.transition);
            let mut attributes = Vec::new();
            if options.ids {
                attributes.push(format!("id=\"tr-{index}\""));
            }
            attributes.push(format!("label=\"{}\"", edge_label(&label(transition, parts(options)))));
            let named = |names: &[String]| names.contains(&transition.name);
            if named(&options.highlight.available) {
                attributes.push("penwidth=2".to_string());
            } else if named(&options.highlight.blocked) {
                attributes.push("style=dashed".to_string());
            }
            _ = writeln!(dot, "    {} -> {} [{}];", id(arrow.from), id(arrow.to), attributes.join(", "));
        }
        dot.push_str("}\n");
        dot
    }

    fn node(&self, state: u32, options: &DiagramOptions) -> Vec<String> {
        let mut attributes = Vec::new();
        if options.ids {
            attributes.push(format!("id=\"st-s{state}\""));
        }
        let text = state_text(self, state, options.states.unwrap_or(StateText::DisplayName));
        attributes.push(format!("label=\"{}\"", escape(&text)));
        if state == self.shared.resolved.initial {
            attributes.push("peripheries=2".to_string());
        }
        if self.state(state).is_terminal {
            attributes.push("shape=doublecircle".to_string());
        }
        let named = |paths: &[String]| paths.contains(self.path(state));
        if named(&options.highlight.active) {
            attributes.push("style=\"rounded,filled,bold\", fillcolor=\"#cfe3ff\"".to_string());
        } else if named(&options.highlight.visited) {
            attributes.push("style=\"rounded,filled\", fillcolor=\"#eeeeee\"".to_string());
        }
        attributes
    }
}

fn parts(options: &DiagramOptions) -> &[LabelPart] {
    options.labels.as_deref().unwrap_or(&[LabelPart::Action, LabelPart::Guard])
}

fn edge_label(parts: &[(&str, bool)]) -> String {
    let line = |(text, is_guard): &(&str, bool)| match is_guard {
        true => format!("[{}]", escape(text)),
        false => escape(text),
    };
    parts.iter().map(line).collect::<Vec<_>>().join("\\n")
}

/// The inside of a quoted string that shows `text` as it is. DOT reads entities and backslashes there;
/// what it cannot show becomes U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '\r' => {
                _ = chars.next_if_eq(&'\n');
                out.push_str("\\n");
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("    "),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
