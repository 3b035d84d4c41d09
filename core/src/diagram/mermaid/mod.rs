//! Mermaid `stateDiagram-v2`, for Mermaid 11 and later.
//!
//! A region is a block with a dashed border inside the block of its state: what
//! Mermaid's separator `--` makes has no name and no id, and no arrow ends at it.

mod lines;
mod markup;

use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;

use lines::Line;
pub(super) use lines::numbers;
use markup::{BREAK, escape};

use super::{
    Arrow, DiagramOptions, LabelPart, StateText, View,
    heat::{COLOURS, Measured, STEPS},
    ids,
    label::{self, label, state_text},
    marks::{Mark, Marks, outward},
};
use crate::{
    chart::{ROOT, Shape},
    machine::Machine,
};

/// The id of the box that tells what is left out. No name that is an id has two underscores in a row.
const LEFT_OUT: &str = "more__states";

impl Machine {
    /// The diagram in Mermaid: an arrow into the initial state, one for each transition, state that it
    /// starts from and target (those of a state to itself share one), one out of each terminal state.
    ///
    /// Cost: linear in the size of the definition, times its depth.
    #[must_use]
    pub fn to_mermaid(&self, options: &DiagramOptions) -> String {
        let view = View::new(self, options);
        let mut drawing = Drawing::new(self, &view, options);
        if let Some(direction) = options.direction {
            _ = writeln!(drawing.out, "    direction {}", direction.as_str());
        }
        for line in lines::lines(&view) {
            drawing.line(&line);
        }
        drawing.regions();
        drawing.highlight();
        drawing.heat();
        drawing.out
    }

    /// What states say if nobody asks: the name while all that a definition calls something is plain.
    fn readable_text(&self) -> StateText {
        let states = self.ids().map(|id| self.state(id));
        let mut of_states = states.flat_map(|state| [&*state.name, state.title()]);
        let transitions = 0..self.shared.resolved.chart.transitions();
        let transitions = transitions.map(|id| self.transition(crate::table::position(id)));
        let mut of_transitions = transitions.flat_map(|transition| {
            [Some(&*transition.name), transition.action.as_deref()].into_iter().flatten()
        });
        match of_states.all(ids::is_plain_text) && of_transitions.all(ids::is_plain_text) {
            true => StateText::Name,
            false => StateText::DisplayName,
        }
    }
}

/// A drawing while it is written.
struct Drawing<'d> {
    machine: &'d Machine,
    view: &'d View<'d>,
    options: &'d DiagramOptions,
    measured: Measured<'d>,
    text: StateText,
    by_name: bool,
    /// Whether every state is called what its id says.
    says_itself: bool,
    /// For each state whether an arrow at the root mentions it.
    is_mentioned: Vec<bool>,
    depth: usize,
    out: String,
}

impl<'d> Drawing<'d> {
    fn new(machine: &'d Machine, view: &'d View<'d>, options: &'d DiagramOptions) -> Self {
        let by_name = !options.ids && ids::all_plain(machine);
        let text = options.states.unwrap_or_else(|| machine.readable_text());
        let is_said = |id: u32| {
            let state = machine.state(id);
            text == StateText::Name || state.title() == state.name
        };
        Self {
            machine,
            view,
            options,
            measured: Measured::new(machine, options),
            text,
            by_name,
            says_itself: by_name && machine.ids().all(is_said),
            is_mentioned: mentioned(machine, view),
            depth: 1,
            out: String::from("stateDiagram-v2\n"),
        }
    }

    fn id(&self, state: u32) -> String {
        match self.by_name {
            true => self.machine.state(state).name.clone(),
            false => format!("s{state}"),
        }
    }

    fn ring(&self, state: u32) -> String {
        format!("{}__itself", self.id(state))
    }

    fn write(&mut self, text: &str) {
        let depth = self.depth;
        _ = writeln!(self.out, "{:1$}{text}", "", 4 * depth);
    }

    fn line(&mut self, line: &Line) {
        match *line {
            Line::State(state) => self.state(state),
            Line::Open(state) => {
                let text = self.text_of(state);
                self.write(&format!("state \"{text}\" as {} {{", self.id(state)));
                self.depth += 1;
                if let Some(direction) = self.options.direction {
                    self.write(&format!("direction {}", direction.as_str()));
                }
            }
            Line::Close => {
                self.depth -= 1;
                self.write("}");
            }
            Line::Ring(state) => {
                let text = escape(state_text(self.machine, state, self.text), "\n");
                self.write(&format!("state \"{text}\" as {}", self.ring(state)));
            }
            Line::LeftOut => {
                let text = label::left_out(self.view).unwrap_or_default();
                self.write(&format!("state \"{text}\" as {LEFT_OUT}"));
            }
            Line::Initial(state) => self.write(&format!("[*] --> {}", self.id(state))),
            Line::Default(from, to) => {
                self.write(&format!("{} --> {}", self.id(from), self.id(to)));
            }
            Line::Arrows(ref group) => self.arrows(group),
            Line::Terminal(state) => self.write(&format!("{} --> [*]", self.id(state))),
        }
    }

    fn state(&mut self, state: u32) {
        let says_itself = self.says_itself
            && !matches!(self.view.chart().shape(state), Shape::History(_))
            && self.view.hidden_in(state) == 0
            && self.badge(state).is_none();
        if !says_itself {
            let text = self.text_of(state);
            self.write(&format!("state \"{text}\" as {}", self.id(state)));
        } else if !self.is_mentioned[state as usize] {
            self.write(&self.id(state));
        }
    }

    fn text_of(&self, state: u32) -> String {
        let text = escape(state_text(self.machine, state, self.text), "\n");
        let hidden = label::hidden(self.view, state);
        [hidden.as_deref(), self.badge(state)]
            .into_iter()
            .flatten()
            .fold(text, |text, line| format!("{text}\n{}", escape(line, "\n")))
    }

    fn badge(&self, state: u32) -> Option<&'d str> {
        self.measured.state(state).map(|heat| heat.badge).filter(|badge| !badge.is_empty())
    }

    fn arrows(&mut self, group: &[usize]) {
        let labels = group.iter().map(|&index| self.label(&self.view.arrows[index]));
        let labels: Vec<String> = labels.filter(|label| !label.is_empty()).collect();
        let text = labels.join(BREAK);
        let colon = if text.is_empty() { "" } else { ": " };
        let Arrow { from, to, .. } = self.view.arrows[group[0]];
        let (starts_inside, ends_inside) = self.view.ends(from, to);
        let end = |state, is_ring| if is_ring { self.ring(state) } else { self.id(state) };
        let (from, to) = (end(from, starts_inside), end(to, ends_inside));
        self.write(&format!("{from} --> {to}{colon}{text}"));
    }

    fn label(&self, arrow: &Arrow) -> String {
        let parts = self.options.labels.as_deref().unwrap_or(&[LabelPart::Name, LabelPart::Guard]);
        let shown = label(self.machine.transition(arrow.transition), parts).into_iter().map(
            |(text, is_guard)| match is_guard {
                true => format!("[{}]", escape(text, BREAK)),
                false => escape(text, BREAK),
            },
        );
        let text = shown.collect::<Vec<_>>().join(" ");
        match self.measured.arrow(self.machine, arrow) {
            Some(traffic) if !traffic.badge.is_empty() => {
                let line_break = if text.is_empty() { "" } else { BREAK };
                format!("{text}{line_break}{}", escape(traffic.badge, BREAK))
            }
            _ => text,
        }
    }

    fn class(&mut self, class: &str, style: &str, ids: &[String]) {
        if !ids.is_empty() {
            _ = writeln!(self.out, "    classDef {class} {style}");
            _ = writeln!(self.out, "    class {} {class}", ids.join(","));
        }
    }

    /// The looks of what Mermaid has no sign for.
    fn regions(&mut self) {
        let (view, chart) = (self.view, self.view.chart());
        let is_history = |state: &u32| matches!(chart.shape(*state), Shape::History(_));
        let is_region = |state: &u32| chart.is_region(*state) && !is_history(state);
        let regions: Vec<String> = view.drawn().filter(is_region).map(|id| self.id(id)).collect();
        let histories: Vec<String> =
            view.drawn().filter(is_history).map(|id| self.id(id)).collect();
        let rings = view.drawn().filter(|&id| view.has_ring(id)).map(|id| self.ring(id));
        let mut faint: Vec<String> = rings.collect();
        faint.extend((view.left_out > 0).then(|| LEFT_OUT.into()));
        self.class("regionState", "stroke-dasharray:6 4", &regions);
        self.class("historyState", "rx:20px,ry:20px", &histories);
        self.class("faintState", "fill:none,stroke-dasharray:2 4,rx:20px,ry:20px", &faint);
    }

    fn highlight(&mut self) {
        let highlight = &self.options.highlight;
        let marks = Marks::new(self.machine, highlight);
        let ids = |paths: &[String], mark: Mark, is_cluster: bool| -> Vec<String> {
            let marked = outward(self.machine, paths).into_iter().filter(|&id| {
                let form = self.view.form(id);
                marks.state(id) == mark
                    && form != super::Form::Absent
                    && (form == super::Form::Cluster) == is_cluster
            });
            marked.map(|id| self.id(id)).collect()
        };
        let visited = ids(&highlight.visited, Mark::Visited, false);
        let active = ids(&highlight.active, Mark::Active, false);
        let outer = ids(&highlight.active, Mark::Active, true);
        self.class("visitedState", "fill:#eeeeee,color:#333333", &visited);
        self.class("activeAround", "fill:#f2f7ff,color:#10305c,stroke:#1f6feb", &outer);
        self.class(
            "activeState",
            "fill:#cfe3ff,color:#10305c,stroke:#1f6feb,stroke-width:3px",
            &active,
        );
    }

    /// Written last, so that a colour of heat goes before one of what is highlighted.
    fn heat(&mut self) {
        let mut ids: [Vec<String>; STEPS] = Default::default();
        for state in self.view.drawn() {
            if let Some(heat) = self.measured.state(state) {
                ids[heat.step].push(self.id(state));
            }
        }
        for (step, (ids, colour)) in ids.iter().zip(COLOURS).enumerate() {
            self.class(&format!("heat{step}"), &format!("fill:{colour},color:#000000"), ids);
        }
    }
}

/// For each state whether an arrow at the root mentions it, and nothing else needs to.
fn mentioned(machine: &Machine, view: &View<'_>) -> Vec<bool> {
    let mut mentioned: Vec<bool> = machine.ids().map(|id| machine.state(id).is_terminal).collect();
    let ends = view.arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]);
    for state in ends.chain(view.defaults(ROOT)) {
        mentioned[state as usize] = true;
    }
    if !machine.shared.resolved.chart.is_flat() {
        mentioned.fill(false);
    }
    mentioned
}
