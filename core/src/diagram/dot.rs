//! Graphviz DOT.
//!
//! A state with others inside is a cluster. An arrow cannot end at a cluster: it
//! ends at a node inside, and is cut off at the border (`lhead`, `ltail`). Which
//! node it is decides the layout: for arrows between a cluster and what is defined
//! before it, where the cluster begins; for the others, where it ends. An arrow that
//! stays inside ends at a ring.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write as _;

use super::{
    Arrow, DiagramOptions, Direction, LabelPart, StateText, View,
    heat::{COLOURS, Measured, WIDTHS, Warmth},
    ids,
    label::{self, label, showable, state_text},
    marks::{Mark, Marks, Sign},
};
use crate::{
    chart::{ROOT, Shape},
    definition::Trigger,
    machine::Machine,
};

/// The longest line that a circle is drawn around, in characters.
const LONGEST_IN_CIRCLE: usize = 20;

impl Machine {
    /// The diagram in DOT: one node or cluster for each state, one edge for each transition, state that it
    /// starts from and target.
    ///
    /// Cost: linear in the size of the definition, times its depth.
    #[must_use]
    pub fn to_dot(&self, options: &DiagramOptions) -> String {
        let direction = options.direction.unwrap_or(Direction::Lr).as_str();
        let view = View::new(self, options);
        let mut drawing = Drawing {
            machine: self,
            view: &view,
            options,
            marks: Marks::new(self, &options.highlight),
            measured: Measured::new(self, options),
            by_name: !options.ids && ids::all_plain(self),
            is_flat: self.shared.resolved.chart.is_flat(),
            has_ring: rings(&view),
            depth: 1,
            out: format!("digraph StateMachine {{\n    rankdir={direction};\n"),
        };
        if view.has_clusters() {
            drawing.write("compound=true;");
        }
        drawing.write("node [shape=box, style=rounded];");
        drawing.inside(ROOT);
        for arrow in &view.arrows {
            drawing.arrow(arrow);
        }
        drawing.out.push_str("}\n");
        drawing.out
    }
}

/// For each state whether an arrow leads from its border to its border or to what is inside.
fn rings(view: &View<'_>) -> Vec<bool> {
    let mut has_ring: Vec<bool> = view.machine().ids().map(|id| view.has_ring(id)).collect();
    for arrow in view.arrows.iter().filter(|arrow| arrow.from == arrow.to) {
        has_ring[arrow.from as usize] = true;
    }
    has_ring
}

/// A drawing while it is written.
struct Drawing<'d> {
    machine: &'d Machine,
    view: &'d View<'d>,
    options: &'d DiagramOptions,
    marks: Marks<'d>,
    measured: Measured<'d>,
    by_name: bool,
    /// Without machines inside states; there the initial state has two lines around it.
    is_flat: bool,
    has_ring: Vec<bool>,
    depth: usize,
    out: String,
}

impl Drawing<'_> {
    fn id(&self, state: u32) -> String {
        match self.by_name {
            true => self.machine.state(state).name.clone(),
            false => format!("s{state}"),
        }
    }

    fn write(&mut self, text: &str) {
        let depth = self.depth;
        _ = writeln!(self.out, "{:1$}{text}", "", 4 * depth);
    }

    /// What is directly inside a state. Its depth is bounded by the limits on a definition.
    fn inside(&mut self, of: u32) {
        let view = self.view;
        for state in view.children(of) {
            if view.is_cluster(state) {
                self.cluster(state);
            } else {
                self.write(&format!("{} [{}];", self.id(state), self.node(state).join(", ")));
            }
            if matches!(view.chart().shape(state), Shape::History(_)) {
                for to in view.defaults(state) {
                    self.plain_arrow(&self.id(state), to);
                }
            }
        }
        let initial = view.defaults(of);
        if !self.is_flat && !initial.is_empty() {
            // No name that is an id has two underscores in a row.
            let start = match of {
                ROOT => "root__start".into(),
                of => format!("{}__start", self.id(of)),
            };
            self.write(&format!("{start} [shape=point, width=0.12];"));
            for to in initial {
                self.plain_arrow(&start, to);
            }
        }
        if of == ROOT
            && let Some(text) = label::left_out(view)
        {
            self.write(&format!("more__states [label=\"{text}\", shape=plaintext];"));
        }
    }

    /// An arrow that no transition stands for.
    fn plain_arrow(&mut self, from: &str, to: u32) {
        let to_cluster = match self.view.is_cluster(to) {
            true => format!(" [lhead=cluster_{}]", self.id(to)),
            false => String::new(),
        };
        self.write(&format!("{from} -> {}{to_cluster};", self.first(to)));
    }

    fn cluster(&mut self, state: u32) {
        let id = self.id(state);
        self.write(&format!("subgraph cluster_{id} {{"));
        self.depth += 1;
        if self.options.ids {
            self.write(&format!("id=\"st-s{state}\";"));
        }
        let heat = self.measured.state(state);
        let text = with_badge(showable(self.text(state)), heat);
        self.write(&format!("label=\"{}\";", escape(&text)));
        // Clusters inside would else have what is said of this one.
        let chart = self.view.chart();
        let mut style = String::from("rounded");
        if chart.is_region(state) {
            style.push_str(",dashed");
        }
        let is_active = self.marks.state(state) == Mark::Active;
        if is_active || chart.node(state).is_terminal {
            style.push_str(",bold");
        }
        let fill = match heat {
            Some(heat) => Some(COLOURS[heat.step]),
            None => is_active.then_some("#f2f7ff"),
        };
        if let Some(colour) = fill {
            style.push_str(",filled");
            self.write(&format!("fillcolor=\"{colour}\";"));
        }
        if !self.options.heat.is_empty() {
            self.write(&format!("class=\"{}\";", class(heat)));
        }
        self.write(&format!("style=\"{style}\";"));
        if self.has_ring[state as usize] {
            self.write(&format!("{id} [shape=circle, label=\"\", width=0.12, style=solid];"));
        }
        self.inside(state);
        self.depth -= 1;
        self.write("}");
    }

    /// Of the regions of a cluster the largest, which mostly is the widest.
    fn largest(&self, cluster: u32) -> Option<u32> {
        let chart = self.view.chart();
        self.view.children(cluster).max_by_key(|&id| chart.inside(id).len())
    }

    /// A node in which a state begins.
    fn first(&self, mut state: u32) -> String {
        while self.view.is_cluster(state) {
            if !self.view.defaults(state).is_empty() {
                return format!("{}__start", self.id(state));
            }
            match self.largest(state) {
                Some(first) => state = first,
                None => break,
            }
        }
        self.id(state)
    }

    /// A node in which a state ends.
    fn last(&self, mut state: u32) -> String {
        let (view, chart) = (self.view, self.view.chart());
        while view.is_cluster(state) {
            let terminal = view.children(state).filter(|&id| chart.node(id).is_terminal).last();
            match terminal.or_else(|| self.largest(state)) {
                Some(last) => state = last,
                None => break,
            }
        }
        self.id(state)
    }

    /// The node at which an arrow to or from `other` ends, and whether it is cut off at the border.
    fn end(&self, state: u32, other: u32) -> (String, bool) {
        let is_inside = other == state || self.view.chart().is_inside(other, state);
        match self.view.is_cluster(state) && !is_inside {
            false => (self.id(state), false),
            true if other < state => (self.first(state), true),
            true => (self.last(state), true),
        }
    }

    fn text(&self, state: u32) -> &str {
        let text = self.options.states.unwrap_or(StateText::DisplayName);
        state_text(self.machine, state, text)
    }

    fn arrow(&mut self, arrow: &Arrow) {
        let &Arrow { number, transition, from, to } = arrow;
        let mut attributes = Vec::new();
        if self.options.ids {
            attributes.push(format!("id=\"tr-{number}\""));
        }
        let said = self.machine.transition(transition);
        let traffic = self.measured.arrow(self.machine, arrow);
        let text = edge_label(&label(said, parts(self.options)), traffic);
        attributes.push(format!("label=\"{text}\""));
        let (tail, is_cut) = self.end(from, to);
        if is_cut {
            attributes.push(format!("ltail=cluster_{}", self.id(from)));
        }
        let (head, is_cut) = self.end(to, from);
        if is_cut {
            attributes.push(format!("lhead=cluster_{}", self.id(to)));
            if from > to {
                // Leads back; else both ends would stand side by side.
                attributes.push("constraint=false".to_string());
            }
        }
        if said.trigger != Trigger::Action {
            attributes.push("arrowhead=empty".to_string());
        }
        if let Some(traffic) = traffic {
            attributes.push(format!("penwidth={}", WIDTHS[traffic.step]));
        }
        match self.marks.transition(self.machine, transition) {
            Sign::Available if traffic.is_none() => attributes.push("penwidth=2".to_string()),
            Sign::Available => attributes.push("color=\"#1f6feb\"".to_string()),
            Sign::Blocked => attributes.push("style=dashed".to_string()),
            Sign::None => {}
        }
        self.write(&format!("{tail} -> {head} [{}];", attributes.join(", ")));
    }

    /// What is said about a state that is a box. In a flat machine the initial one has two lines around it;
    /// a terminal one is a double circle, or, since a circle around a long text is huge, a box of two thick
    /// lines.
    fn node(&self, state: u32) -> Vec<String> {
        let mut attributes = Vec::new();
        if self.options.ids {
            attributes.push(format!("id=\"st-s{state}\""));
        }
        let mut text = showable(self.text(state));
        if let Some(hidden) = label::hidden(self.view, state) {
            text = format!("{text}\n{hidden}");
        }
        let heat = self.measured.state(state);
        text = with_badge(text, heat);
        if heat.is_some() {
            attributes.push(format!("class=\"{}\"", class(heat)));
        }
        attributes.push(format!("label=\"{}\"", escape(&text)));
        let node = self.view.chart().node(state);
        let is_long = text.lines().any(|line| line.chars().count() > LONGEST_IN_CIRCLE);
        let is_initial = self.is_flat && self.view.chart().defaults(ROOT).contains(&state);
        if is_initial || node.is_terminal && is_long {
            attributes.push("peripheries=2".to_string());
        }
        let mut style = String::from("rounded");
        if matches!(node.shape, Shape::History(_)) {
            attributes.push("shape=circle".to_string());
        } else if node.is_terminal && is_long {
            style = String::from("bold");
        } else if node.is_terminal {
            attributes.push("shape=doublecircle".to_string());
        } else if self.view.chart().is_region(state) {
            style.push_str(",dashed");
        }
        let mark = self.marks.state(state);
        let fill = match (heat, mark) {
            (Some(heat), _) => Some(COLOURS[heat.step]),
            (None, Mark::Active) => Some("#cfe3ff"),
            (None, Mark::Visited) => Some("#eeeeee"),
            (None, Mark::None) => None,
        };
        if fill.is_some() {
            style.push_str(",filled");
        }
        if mark == Mark::Active {
            style.push_str(",bold");
        }
        if style != "rounded" {
            attributes.push(format!("style=\"{style}\""));
        }
        if let Some(colour) = fill {
            attributes.push(format!("fillcolor=\"{colour}\""));
        }
        attributes
    }
}

fn parts(options: &DiagramOptions) -> &[LabelPart] {
    options.labels.as_deref().unwrap_or(&[LabelPart::Action, LabelPart::Guard])
}

/// The class of the drawn group by which a page finds how hot a state is.
fn class(heat: Option<Warmth<'_>>) -> String {
    heat.map_or_else(String::new, |heat| format!("heat{}", heat.step))
}

/// A showable text with the badge below it.
fn with_badge(text: String, heat: Option<Warmth<'_>>) -> String {
    match heat {
        Some(heat) if !heat.badge.is_empty() => format!("{text}\n{}", showable(heat.badge)),
        _ => text,
    }
}

fn edge_label(parts: &[(&str, bool)], traffic: Option<Warmth<'_>>) -> String {
    let badge =
        traffic.map(|traffic| (traffic.badge, false)).filter(|(badge, _)| !badge.is_empty());
    let line = |(text, is_guard): &(&str, bool)| match is_guard {
        true => format!("[{}]", escape(&showable(text))),
        false => escape(&showable(text)),
    };
    parts.iter().chain(&badge).map(line).collect::<Vec<_>>().join("\\n")
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
