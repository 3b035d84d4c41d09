//! What is refused, each with its place.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    diagnostic::{Code, Diagnostic},
    place::escape,
};

/// A part of the text that is being read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'p> {
    Root,
    Key(&'p Place<'p>, &'p str),
    Item(&'p Place<'p>, usize),
}

impl Place<'_> {
    pub(super) fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(around, key) => format!("{}/{}", around.pointer(), escape(key)),
            Self::Item(around, index) => format!("{}/{index}", around.pointer()),
        }
    }
}

/// All that is refused, up to a bound: a hostile text can have very many places with very long pointers.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    found: Vec<Diagnostic>,
    bytes: usize,
    more: usize,
}

impl Refusals {
    /// Pointers and sentences, in bytes.
    const MOST: usize = 8 << 20;

    pub(super) fn add(&mut self, found: Diagnostic) {
        if self.bytes > Self::MOST {
            self.more += 1;
            return;
        }
        self.bytes += found.pointer.len() + found.message.len() + found.help.len();
        self.found.push(found);
    }

    pub(super) fn refuse(
        &mut self,
        place: &Place<'_>,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.bytes > Self::MOST {
            self.more += 1;
            return;
        }
        self.add(Diagnostic::new(code, place.pointer(), message.into(), help));
    }

    /// What has no counterpart.
    pub(super) fn no_counterpart(&mut self, place: &Place<'_>, message: &str, help: &str) {
        self.refuse(place, Code::NoCounterpart, message.to_string(), help);
    }

    /// A value of another type than its place asks for.
    pub(super) fn shape(&mut self, place: &Place<'_>, expected: &str) {
        let message = format!("{expected} is expected here");
        self.refuse(place, Code::InvalidShape, message, "write it as XState's documentation says");
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(super) fn into_found(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let message = format!("{} more refusals are not listed", self.more);
            let help = "mend those that are listed first";
            self.found.push(Diagnostic::new(Code::LimitExceeded, String::new(), message, help));
        }
        self.found
    }
}
