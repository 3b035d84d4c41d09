//! The lines of a Mermaid drawing, in the order of writing.
//!
//! Mermaid numbers arrows in the order in which it reads them, so whoever asks
//! for an arrow's number asks this list. A state belongs to the cluster in
//! whose block it was mentioned last: an arrow stands in a block only if both
//! ends belong there, and behind all blocks if they do not.

use alloc::{vec, vec::Vec};

use hashbrown::HashMap;

use super::super::view::{Arrow, View};
use crate::chart::{ROOT, Shape};

/// One line.
#[derive(Clone, Debug)]
pub(super) enum Line {
    /// A state by itself.
    State(u32),
    /// The beginning of the block of a state.
    Open(u32),
    /// The end of a block.
    Close,
    /// The ring that stands for the border of the state, in its block.
    Ring(u32),
    /// The arrow into a state where its machine begins.
    Initial(u32),
    /// Where a history state leads while nothing is remembered.
    Default(u32, u32),
    /// Arrows that are drawn as one, by their positions in the view.
    Arrows(Vec<usize>),
    /// The arrow out of a terminal state.
    Terminal(u32),
    /// What is left out.
    LeftOut,
}

impl Line {
    fn is_arrow(&self) -> bool {
        matches!(self, Self::Initial(_) | Self::Default(..) | Self::Arrows(_) | Self::Terminal(_))
    }
}

/// All lines of a drawing.
pub(super) fn lines(view: &View<'_>) -> Vec<Line> {
    let mut writer = Writer { view, lines: Vec::new(), arrows: HashMap::new() };
    for group in groups(&view.arrows) {
        let Arrow { from, to, .. } = view.arrows[group[0]];
        let (starts_inside, ends_inside) = view.ends(from, to);
        let block =
            |state: u32, is_ring: bool| if is_ring { state } else { view.chart().parent(state) };
        let (from, to) = (block(from, starts_inside), block(to, ends_inside));
        writer.arrows.entry(if from == to { from } else { ROOT }).or_default().push(group);
    }
    writer.block(ROOT);
    writer.lines
}

/// For each arrow of the view its number among all arrows that are drawn.
pub(in super::super) fn numbers(view: &View<'_>) -> Vec<usize> {
    let mut numbers = vec![0; view.arrows.len()];
    for (number, line) in lines(view).iter().filter(|line| line.is_arrow()).enumerate() {
        if let Line::Arrows(group) = line {
            for &index in group {
                numbers[index] = number;
            }
        }
    }
    numbers
}

struct Writer<'v> {
    view: &'v View<'v>,
    lines: Vec<Line>,
    /// The arrows by the state in whose block they stand.
    arrows: HashMap<u32, Vec<Vec<usize>>>,
}

impl Writer<'_> {
    /// What is directly inside a state. Its depth is bounded by the limits on a definition.
    fn block(&mut self, of: u32) {
        let (view, chart) = (self.view, self.view.chart());
        let is_near = |state: &u32| of == ROOT || chart.parent(*state) == of;
        let (near, far): (Vec<u32>, Vec<u32>) = view.defaults(of).into_iter().partition(is_near);
        // Mentioned before the blocks to which they belong.
        self.lines.extend(far.into_iter().map(Line::Initial));
        for state in view.children(of) {
            if view.is_cluster(state) {
                self.lines.push(Line::Open(state));
                self.block(state);
                self.lines.push(Line::Close);
            } else {
                self.lines.push(Line::State(state));
            }
        }
        if of == ROOT && view.left_out > 0 {
            self.lines.push(Line::LeftOut);
        }
        if of != ROOT && view.has_ring(of) {
            self.lines.push(Line::Ring(of));
        }
        self.lines.extend(near.into_iter().map(Line::Initial));
        self.history(of);
        let arrows = self.arrows.remove(&of).unwrap_or_default();
        self.lines.extend(arrows.into_iter().map(Line::Arrows));
        let terminal = view.children(of).filter(|&state| chart.node(state).is_terminal);
        self.lines.extend(terminal.map(Line::Terminal));
    }

    /// The arrows out of history states: those to states beside them in the block, the others at the root.
    fn history(&mut self, of: u32) {
        let (view, chart) = (self.view, self.view.chart());
        let is_history = |state: &u32| matches!(chart.shape(*state), Shape::History(_));
        let drawn: Vec<u32> = match of {
            ROOT => view.drawn().filter(is_history).collect(),
            of => view.children(of).filter(is_history).collect(),
        };
        for from in drawn {
            for to in view.defaults(from) {
                let block = match chart.parent(from) == chart.parent(to) {
                    true => chart.parent(to),
                    false => ROOT,
                };
                if block == of {
                    self.lines.push(Line::Default(from, to));
                }
            }
        }
    }
}

/// Positions of arrows in the order of writing. Those of a state to itself are one group, where the first
/// of them is: Mermaid would draw them over each other.
fn groups(arrows: &[Arrow]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut loops: HashMap<u32, usize> = HashMap::new();
    for (index, arrow) in arrows.iter().enumerate() {
        let group = match arrow.from == arrow.to {
            true => *loops.entry(arrow.from).or_insert(groups.len()),
            false => groups.len(),
        };
        match groups.get_mut(group) {
            Some(known) => known.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}
