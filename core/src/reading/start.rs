//! The first bytes of a file: a mark of UTF-8 is passed over, and what cannot be read is told at once.

use super::summary::{Fault, RowCode};

/// As many bytes are looked at.
const LOOKED_AT: usize = 4;

/// The first bytes, gathered from chunks of any size.
#[derive(Debug, Default)]
pub(super) struct Start {
    bytes: [u8; LOOKED_AT],
    held: usize,
}

impl Start {
    /// Takes what is missing from the chunk, and returns the rest of it.
    pub(super) fn gather<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let free = &mut self.bytes[self.held..];
        let (head, rest) = bytes.split_at(free.len().min(bytes.len()));
        free[..head.len()].copy_from_slice(head);
        self.held += head.len();
        rest
    }

    /// Whether there are enough.
    pub(super) fn is_full(&self) -> bool {
        self.held == LOOKED_AT
    }

    /// The bytes without the mark.
    pub(super) fn text(&self) -> Result<([u8; LOOKED_AT], core::ops::Range<usize>), Fault> {
        match &self.bytes[..self.held] {
            [0x1f, 0x8b, ..] => Err(packed("gzip")),
            [b'P', b'K', 3, 4] => {
                Err(packed("a ZIP archive or a spreadsheet (then save it as CSV)"))
            }
            [0x28, 0xb5, 0x2f, 0xfd] => Err(packed("Zstandard")),
            [0xfd, b'7', b'z', b'X'] => Err(packed("xz")),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => Err(Fault::new(
                RowCode::InvalidEncoding,
                "the file is UTF-16 or UTF-32, not UTF-8",
                "save the file as UTF-8",
            )),
            [0xef, 0xbb, 0xbf, ..] => Ok((self.bytes, 3..self.held)),
            _ => Ok((self.bytes, 0..self.held)),
        }
    }
}

fn packed(how: &str) -> Fault {
    let message = ["the file is packed: ", how].concat();
    Fault::new(RowCode::Compressed, message, "unpack it first")
}
