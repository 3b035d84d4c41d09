//! Guards written anew for a configuration that is known: `states` becomes a list.

use alloc::{string::String, vec, vec::Vec};

use super::{
    ActiveStates, Guard, Kind,
    program::{Node, Program, Root},
    token::Span,
};

/// For each guard of a table whether it reads the active states, itself or through guards that it names; a function
/// of the host may. No guard names itself, directly or through others.
///
/// Cost: linear in the size of all expressions.
pub(crate) fn reads_states(table: &[Guard]) -> Vec<bool> {
    fn of(table: &[Guard], id: u32, known: &mut [Option<bool>]) -> bool {
        if let Some(known) = known[id as usize] {
            return known;
        }
        let reads = match &table[id as usize].kind {
            Kind::Host(_) => true,
            Kind::Expression(program) => {
                let is_states = |node: &Node| {
                    matches!(node, Node::Path(Root::States, _) | Node::HasPath(Root::States, _))
                };
                program.nodes.iter().any(is_states)
                    || program.guard_ids.iter().any(|&named| of(table, named, known))
            }
        };
        known[id as usize] = Some(reads);
        reads
    }
    let mut known = vec![None; table.len()];
    (0..crate::table::position(table.len())).map(|id| of(table, id, &mut known)).collect()
}

/// A guard as it reads while these states are active: `states` is written out as a list, and what a guard names
/// stands in its place, unless `keeps` says that the name is known. None if it is longer than `limit` bytes.
pub(crate) fn rewritten(
    table: &[Guard],
    id: u32,
    states: ActiveStates<'_>,
    keeps: &dyn Fn(u32) -> bool,
    limit: usize,
) -> Option<String> {
    let mut out = String::new();
    Rewrite { table, states, keeps, limit }.guard(id, &mut out).then_some(out)
}

struct Rewrite<'r> {
    table: &'r [Guard],
    states: ActiveStates<'r>,
    keeps: &'r dyn Fn(u32) -> bool,
    limit: usize,
}

impl Rewrite<'_> {
    /// Whether there was room.
    fn guard(&self, id: u32, out: &mut String) -> bool {
        let guard = &self.table[id as usize];
        match &guard.kind {
            Kind::Expression(program) if !(self.keeps)(id) => self.program(program, out),
            _ => {
                out.push_str(&guard.key);
                out.len() <= self.limit
            }
        }
    }

    fn program(&self, program: &Program, out: &mut String) -> bool {
        let mut places: Vec<(Span, Option<u32>)> = Vec::new();
        for (node, span) in program.nodes.iter().zip(&program.spans) {
            match node {
                Node::Path(Root::States, _) => places.push((*span, None)),
                Node::Guard(number) => {
                    places.push((*span, program.guard_ids.get(*number as usize).copied()));
                }
                _ => {}
            }
        }
        places.sort_by_key(|(span, _)| span.start);
        let mut from = 0;
        for (span, guard) in places {
            // A part that was read twice stands in the text once.
            if (span.start as usize) < from {
                continue;
            }
            out.push_str(program.text.get(from..span.start as usize).unwrap_or_default());
            from = span.end as usize;
            let has_room = match guard {
                None => self.list(out),
                Some(id) => {
                    out.push('(');
                    let has_room = self.guard(id, out);
                    out.push(')');
                    has_room
                }
            };
            if !has_room {
                return false;
            }
        }
        out.push_str(program.text.get(from..).unwrap_or_default());
        out.len() <= self.limit
    }

    fn list(&self, out: &mut String) -> bool {
        out.push('[');
        for (index, path) in self.states.paths().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            out.push('\'');
            for c in path.chars() {
                if matches!(c, '\'' | '\\') {
                    out.push('\\');
                }
                out.push(c);
            }
            out.push('\'');
            if out.len() > self.limit {
                return false;
            }
        }
        out.push(']');
        true
    }
}
