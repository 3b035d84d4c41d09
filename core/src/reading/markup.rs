//! Where the tags of an XML text are, wherever its chunks end.
//!
//! Comments, CDATA and processing instructions are passed over, whatever stands in them, and so is what
//! attributes have between quotes. Whether the XML is right is not asked here.

/// What has been found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Found {
    /// From `<` up to and with `>`, in bytes of the buffer.
    Tag { start: usize, end: usize, attributes: usize },
    /// The same of a processing instruction, such as the declaration.
    Instruction { start: usize, end: usize },
    /// A document type begins.
    Doctype { start: usize },
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Tag,
    Instruction,
    /// A comment or CDATA, with what stands before its last `>`.
    Passage(&'static [u8]),
}

/// What has begun and has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    kind: Kind,
    start: usize,
    /// Before this byte it cannot end.
    from: usize,
}

/// Looks for markup in a buffer that grows at its end and is cut at its beginning.
#[derive(Debug, Default)]
pub(super) struct Markup {
    at: usize,
    open: Option<Open>,
    /// The quote that an attribute's value has begun with.
    quote: Option<u8>,
    attributes: usize,
}

impl Markup {
    /// The next tag or instruction that is whole; none until the buffer has more.
    pub(super) fn next(&mut self, buffer: &[u8]) -> Option<Found> {
        loop {
            let open = match self.open {
                Some(open) => open,
                None => {
                    let Some(found) = memchr::memchr(b'<', buffer.get(self.at..)?) else {
                        self.at = buffer.len();
                        return None;
                    };
                    self.at += found;
                    let (kind, length) = kind(buffer.get(self.at..)?)?;
                    let Some(kind) = kind else { return Some(Found::Doctype { start: self.at }) };
                    let open = Open { kind, start: self.at, from: self.at + length };
                    self.open = Some(open);
                    self.at += 1;
                    open
                }
            };
            let end = match open.kind {
                Kind::Tag => self.tag_end(buffer)?,
                Kind::Instruction => self.passage_end(buffer, open.from, b"?")?,
                Kind::Passage(last) => self.passage_end(buffer, open.from, last)?,
            };
            self.open = None;
            self.at = end;
            let start = open.start;
            match open.kind {
                Kind::Tag => {
                    let attributes = core::mem::take(&mut self.attributes);
                    return Some(Found::Tag { start, end, attributes });
                }
                Kind::Instruction => return Some(Found::Instruction { start, end }),
                Kind::Passage(_) => {}
            }
        }
    }

    fn tag_end(&mut self, buffer: &[u8]) -> Option<usize> {
        loop {
            let rest = buffer.get(self.at..)?;
            let found = match self.quote {
                Some(quote) => memchr::memchr(quote, rest),
                None => memchr::memchr3(b'"', b'\'', b'>', rest),
            };
            let Some(found) = found else {
                self.at = buffer.len();
                return None;
            };
            self.at += found + 1;
            match (self.quote, rest[found]) {
                (Some(_), _) => self.quote = None,
                (None, b'>') => return Some(self.at),
                (None, quote) => {
                    self.quote = Some(quote);
                    self.attributes += 1;
                }
            }
        }
    }

    fn passage_end(&mut self, buffer: &[u8], from: usize, last: &[u8]) -> Option<usize> {
        loop {
            let Some(found) = memchr::memchr(b'>', buffer.get(self.at..)?) else {
                self.at = buffer.len();
                return None;
            };
            let end = self.at + found;
            self.at = end + 1;
            if end >= from && buffer[..end].ends_with(last) {
                return Some(end + 1);
            }
        }
    }

    /// From where on the buffer is still needed.
    pub(super) fn needed(&mut self) -> usize {
        match &mut self.open {
            // Of a passage only its last bytes, and those not before they have come.
            Some(Open { kind: Kind::Passage(last), start, from }) => {
                let needed = self.at.saturating_sub(last.len());
                if self.at > *from {
                    *start = needed.max(*start);
                }
                *start
            }
            Some(open) => open.start,
            None => self.at,
        }
    }

    /// How long the tag or instruction is that has not ended.
    pub(super) fn held(&self, buffer: &[u8]) -> usize {
        match self.open {
            Some(Open { kind: Kind::Tag | Kind::Instruction, start, .. }) => buffer.len() - start,
            _ => 0,
        }
    }

    /// Whether something has begun that has not ended.
    pub(super) fn is_open(&self, buffer: &[u8]) -> bool {
        self.open.is_some() || self.at < buffer.len()
    }

    /// The first bytes of the buffer are gone.
    pub(super) fn cut(&mut self, bytes: usize) {
        self.at -= bytes;
        if let Some(open) = &mut self.open {
            open.start -= bytes;
            open.from = open.from.saturating_sub(bytes);
        }
    }
}

/// What begins with this `<`, and how many bytes it has at least before its last one; a document type is none of
/// the kinds. Nothing if there are too few bytes to say.
fn kind(text: &[u8]) -> Option<(Option<Kind>, usize)> {
    const COMMENT: &[u8] = b"<!--";
    const CDATA: &[u8] = b"<![CDATA[";
    match text {
        [_, b'?', ..] => Some((Some(Kind::Instruction), 3)),
        [_, b'!', ..] if text.starts_with(COMMENT) => Some((Some(Kind::Passage(b"--")), 6)),
        [_, b'!', ..] if text.starts_with(CDATA) => Some((Some(Kind::Passage(b"]]")), 11)),
        [_, b'!', ..] if COMMENT.starts_with(text) || CDATA.starts_with(text) => None,
        [_, b'!', ..] => Some((None, 0)),
        [_, _, ..] => Some((Some(Kind::Tag), 1)),
        _ => None,
    }
}
