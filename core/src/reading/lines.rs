//! JSON lines: a row is what stands between two line feeds.

use alloc::{format, vec::Vec};

use super::{
    reader::Rows,
    summary::{Fault, RowCode, RowResult},
};

/// Cuts a text into lines.
#[derive(Debug)]
pub(super) struct Lines {
    /// A line whose end has not come.
    carry: Vec<u8>,
    /// Its number.
    line: u64,
    /// It is too long, which has been said.
    skipping: bool,
    limit: usize,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { carry: Vec::new(), line: 1, skipping: false, limit }
    }

    pub(super) fn feed<F: FnMut(RowResult<'_>)>(
        &mut self,
        mut rest: &[u8],
        rows: &mut Rows,
        take: &mut F,
    ) {
        while !rest.is_empty() {
            // So much until the limit is passed, which must not depend on the chunks.
            let room = match self.skipping {
                true => rest.len(),
                false => (self.limit - self.carry.len()).saturating_add(1).min(rest.len()),
            };
            let Some(end) = memchr::memchr(b'\n', &rest[..room]) else {
                if !self.skipping {
                    self.hold(&rest[..room], rows, take);
                }
                rest = &rest[room..];
                continue;
            };
            if !self.skipping {
                if self.carry.is_empty() {
                    row(&rest[..end], self.line, rows, take);
                } else {
                    self.carry.extend_from_slice(&rest[..end]);
                    row(&self.carry, self.line, rows, take);
                }
            }
            self.carry.clear();
            self.skipping = false;
            self.line += 1;
            rest = &rest[end + 1..];
        }
    }

    /// Keeps a part of a line, if it is not too long.
    fn hold<F: FnMut(RowResult<'_>)>(&mut self, part: &[u8], rows: &mut Rows, take: &mut F) {
        if self.carry.len() + part.len() > self.limit {
            rows.tally.row(Err(too_long(self.limit)), self.line, take);
            self.skipping = true;
            self.carry.clear();
        } else {
            self.carry.extend_from_slice(part);
        }
    }

    pub(super) fn finish<F: FnMut(RowResult<'_>)>(&mut self, rows: &mut Rows, take: &mut F) {
        row(&self.carry, self.line, rows, take);
        self.carry = Vec::new();
    }
}

fn row<F: FnMut(RowResult<'_>)>(text: &[u8], line: u64, rows: &mut Rows, take: &mut F) {
    // A blank line is none; most lines begin with a bracket.
    if text.first() == Some(&b'{') || !text.trim_ascii().is_empty() {
        rows.object(text, line, take);
    }
}

/// What is said of a row that is too long.
pub(super) fn too_long(limit: usize) -> Fault {
    let message = format!("the row is longer than the limit `row_bytes`, {limit}");
    let help = "split the row, or raise the limit `row_bytes`; a quote or a bracket that is never closed is often the cause";
    Fault::new(RowCode::LimitExceeded, message, help)
}
