//! Generated machines: blocks of ten states, a state with four regions and their leaves.
//!
//! `go_0` to `go_3` lead from a leaf of a region to the next, `hop` from a block to the next, or from the only one to
//! itself: nine states are left and entered.

use std::fmt::Write;

/// States of a block.
const BLOCK: usize = 10;

/// Where the states are that are not active.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// In other blocks: each has five leaves.
    Elsewhere,
    /// In the regions of the only block.
    Beside,
}

impl Shape {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Elsewhere => "the rest in other blocks",
            Self::Beside => "the rest in the four regions",
        }
    }

    /// Blocks of a machine of so many states, and the leaves in each region of one.
    fn parts(self, states: usize) -> (usize, [usize; 4]) {
        let leaves = match self {
            Self::Elsewhere => BLOCK - 5,
            Self::Beside => states - 5,
        };
        let of = |region: usize| (leaves + 3 - region) / 4;
        let blocks = if matches!(self, Self::Elsewhere) { states / BLOCK } else { 1 };
        (blocks, [of(0), of(1), of(2), of(3)])
    }

    /// A definition of so many states as JSON text.
    pub(super) fn json(self, states: usize) -> String {
        let (blocks, regions) = self.parts(states);
        let mut text = String::from(
            r#"{"object_type":"Generated","version":1,"initial_state":"b0","allow":["no-terminal-state","region-never-joins"],"states":["#,
        );
        for block in 0..blocks {
            let comma = if block == 0 { "" } else { "," };
            write(&mut text, format_args!(r#"{comma}{{"name":"b{block}","regions":["#));
            for (region, leaves) in regions.into_iter().enumerate() {
                let comma = if region == 0 { "" } else { "," };
                let head = r#""sub_machine":{"initial_state":"s0","states":["#;
                write(&mut text, format_args!(r#"{comma}{{"name":"r{region}",{head}"#));
                list(&mut text, leaves, |leaf| format!(r#"{{"name":"s{leaf}"}}"#));
                text.push_str(r#"],"transitions":["#);
                // A machine of one state has nowhere to go.
                let ways = if leaves > 1 { leaves } else { 0 };
                list(&mut text, ways, |leaf| {
                    let to = (leaf + 1) % leaves;
                    format!(
                        r#"{{"name":"t{leaf}","from_state":"s{leaf}","to_state":"s{to}","action":"go_{region}"}}"#
                    )
                });
                text.push_str("]}}");
            }
            text.push_str("]}");
        }
        text.push_str(r#"],"transitions":["#);
        list(&mut text, blocks, |block| {
            let to = (block + 1) % blocks;
            format!(
                r#"{{"name":"t{block}","from_state":"b{block}","to_state":"b{to}","action":"hop","reenter":true}}"#
            )
        });
        text.push_str("]}");
        text
    }

    /// Paths of the active leaves of one of so many objects, which are spread over the states.
    pub(super) fn leaves(self, states: usize, object: usize, objects: usize) -> Vec<String> {
        let (blocks, regions) = self.parts(states);
        let block = object * blocks / objects;
        let leaf = |leaves: usize| object * leaves / objects;
        let leaves = regions.into_iter().enumerate();
        leaves.map(|(region, leaves)| format!("b{block}.r{region}.s{}", leaf(leaves))).collect()
    }
}

fn write(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.write_fmt(part).expect("a string takes everything");
}

fn list(text: &mut String, length: usize, item: impl Fn(usize) -> String) {
    for position in 0..length {
        if position > 0 {
            text.push(',');
        }
        text.push_str(&item(position));
    }
}
