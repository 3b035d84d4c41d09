//! What an import refuses and what an export leaves out, each with its place.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::Serialize;

use super::numbered::in_order;
use crate::name::shortened;

/// One part of a foreign document that cannot be translated: where, why, and the way out.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ImportDiagnostic {
    /// The stable name of the reason, which programs compare.
    pub code: ImportCode,
    /// What is wrong or has no counterpart, in one sentence. May change between versions.
    pub message: String,
    /// The way out, in one sentence. May change between versions.
    pub help: String,
    /// Line of that part in the text, from 1; null where the input was no text.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub line: Option<u32>,
    /// Column of that part in its line, from 1, in Unicode characters; null where the input was no text.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub column: Option<u32>,
}

impl fmt::Display for ImportDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, " (line {line}, column {column})"),
            _ => Ok(()),
        }
    }
}

/// Why a part of a foreign document is refused.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ImportCode {
    /// The document is larger, deeper or wider than the limits allow.
    LimitExceeded,
    /// The text is not well-formed XML.
    InvalidXml,
    /// The text has a document type declaration: entities could make it boundless.
    DocumentType,
    /// The outermost element is not `<scxml>`.
    NotScxml,
    /// An element that SCXML has not, or one of a vocabulary whose meaning is not known.
    UnknownElement,
    /// An element that has no place where it stands.
    MisplacedElement,
    /// Text between the elements.
    UnexpectedText,
    /// An attribute that its element has not.
    UnknownAttribute,
    /// An attribute that is needed is absent.
    MissingAttribute,
    /// The value of an attribute is not one of those that there are.
    InvalidAttribute,
    /// A name that is empty, holds a control character or, as an id, a space.
    InvalidName,
    /// Two states have one id, or two siblings one name.
    DuplicateId,
    /// An id that no state has.
    UnknownTarget,
    /// A target that stands outside of the state that it must lie in.
    MisplacedTarget,
    /// A document or a parallel state without states inside.
    NoStates,
    /// A history state that does not say where it leads while nothing is remembered.
    HistoryWithoutDefault,
    /// History states that lead to each other in a circle.
    HistoryCycle,
    /// A text that is no event descriptor.
    InvalidEvent,
    /// The end of a state, waited for by another state.
    CompletionOfAnother,
    /// One event that stands for two actions, or two that stand for one.
    ConflictingAction,
    /// Code that is run: side effects are names here.
    ExecutableContent,
    /// Data inside the machine: an object's data are handed in here.
    DataModel,
    /// A condition in another language than CEL.
    ForeignCondition,
    /// A service that is started and stopped with a state.
    Invocation,
    /// Whether the state is left would depend on what a history state remembers.
    AmbiguousDomain,
    /// A state that no path can name without naming another one.
    AmbiguousPath,
}

/// One part of a definition that a foreign format cannot say, so that an export is without it.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LeftOut {
    /// The stable name of what it is, which programs compare.
    pub code: LeftOutCode,
    /// Where it stands in the definition (RFC 6901).
    pub pointer: String,
    /// What is left out, in one sentence. May change between versions.
    pub message: String,
}

/// What an export can be without.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LeftOutCode {
    /// Names of side effects, of entering, leaving or a transition.
    SideEffects,
    /// A timeout.
    Timeout,
    /// Permissions that a transition asks for. Who reads the export lets everybody take it.
    Permissions,
    /// What must be true of an object in a state.
    EntryConditions,
    /// Operations that a state permits.
    Permits,
    /// A region that the state around it does not wait for.
    Required,
    /// A join condition other than `all`.
    JoinCondition,
    /// A terminal state with states inside, or one that is itself a region: it is an ordinary state there.
    Terminal,
    /// That a state is not left by a transition back to it: there it is left and entered again.
    Reenter,
    /// A whole transition: one that cannot be written, or whose guard cannot.
    Transition,
    /// Where a machine or a history state begins, since what is written there names no state inside.
    Target,
    /// A named guard that cannot be written.
    Guard,
    /// A text for people, of which a character cannot be written in XML.
    Text,
    /// The order of states whose names JavaScript sorts.
    Order,
    /// A name that JavaScript has for something else.
    Name,
    /// That an action is no wildcard.
    Action,
    /// Free data. No rule reads them.
    Metadata,
}

/// The findings about one text, while it is read.
#[derive(Debug)]
pub(super) struct Findings<'t> {
    text: &'t str,
    found: Vec<(usize, ImportDiagnostic)>,
    is_cut: bool,
}

impl<'t> Findings<'t> {
    /// Nobody reads more; a hostile text could else ask for any amount of memory.
    const MOST: usize = 1000;

    pub(super) fn new(text: &'t str) -> Self {
        Self { text, found: Vec::new(), is_cut: false }
    }

    /// Notes what stands at a byte of the text.
    pub(super) fn add(
        &mut self,
        at: usize,
        code: ImportCode,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.is_full() {
            self.is_cut = true;
            return;
        }
        let (message, help) = (shortened(message.into()), shortened(help.into()));
        self.found.push((at, ImportDiagnostic { code, message, help, line: None, column: None }));
    }

    /// Whether nothing more is noted.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() == Self::MOST
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Everything that was noted, in the order of the text, with lines and columns from one pass over it.
    pub(super) fn finish(mut self) -> Vec<ImportDiagnostic> {
        if self.is_cut {
            let last = self.found.iter().map(|(at, _)| *at).max().unwrap_or_default();
            let message = alloc::format!("there is more than the first {} findings", Self::MOST);
            let (code, help) = (ImportCode::LimitExceeded, "mend these, and import again".into());
            let cut = ImportDiagnostic { code, message, help, line: None, column: None };
            self.found.push((last, cut));
        }
        self.found = in_order(self.found, |(at, _)| *at);
        let (mut line, mut column, mut read) = (1_u32, 1_u32, 0);
        for (at, found) in &mut self.found {
            for c in self.text.get(read..*at).unwrap_or_default().chars() {
                (line, column) = match c {
                    '\n' => (line.saturating_add(1), 1),
                    _ => (line, column.saturating_add(1)),
                };
            }
            read = (*at).max(read);
            (found.line, found.column) = (Some(line), Some(column));
        }
        self.found.into_iter().map(|(_, found)| found).collect()
    }
}
