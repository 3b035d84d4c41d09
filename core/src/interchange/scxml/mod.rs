//! SCXML, the W3C's language of state machines, in and out.
//!
//! In: `xml` (text to XML, within bounds), `read` (XML to a chart of ids), `resolve` (ids to states), `arrows`
//! (events to actions), `order` (names and order of transitions), `build` (the definition).
//! Out: `tree` (states and elements), `plan` (transitions and their types), `words` (actions to events), `ids`,
//! `export` (the document), `write` (XML as text).
//! Source: <https://www.w3.org/TR/scxml/>, 3 and Appendix D.

mod arrows;
mod build;
mod chart;
mod export;
mod ids;
mod order;
mod plan;
mod read;
mod resolve;
mod tree;
mod words;
mod write;
mod xml;

use alloc::{format, vec::Vec};
use core::fmt;

pub use export::ScxmlExport;

use crate::{
    definition::Definition,
    interchange::finding::{Findings, ImportCode, ImportDiagnostic},
    limits::Limits,
    place::without_mark,
};

/// The namespace of SCXML.
const SCXML: &str = "http://www.w3.org/2005/07/scxml";
/// The namespace of what SCXML has no words for and an import reads back.
const OURS: &str = "urn:veristate";

impl Definition {
    /// Translates an SCXML document; whether it makes sense here is for `Machine::new` to say.
    ///
    /// States, parallel, final and history states, initial states, transitions with their events, targets and
    /// types have the same behaviour. Ids become names and events actions: each event descriptor of the
    /// document is one, and [`action_for_event`](crate::action_for_event) finds the one for an event. A
    /// transition without an event is automatic; `done.state.ID` on the state itself is its completion.
    /// Conditions are guards where the document says `datamodel="cel"`.
    ///
    /// The result allows what SCXML permits and a definition does not: states that nothing leads to, machines
    /// without a final state, regions that never end. What a document says of an encoding is passed over: the
    /// text is decoded already.
    ///
    /// # Errors
    ///
    /// Everything in the document that has no counterpart, each with its place: executable content, data
    /// models, services, conditions in another language, one state that waits for the end of another. Or that
    /// it is not XML, is larger or deeper than the default [`Limits`], or has a document type declaration.
    pub fn from_scxml(text: &str) -> Result<Self, InvalidScxml> {
        Self::from_scxml_within(text, &Limits::default())
    }

    /// Translates an SCXML document within `limits`.
    ///
    /// # Errors
    ///
    /// As [`Definition::from_scxml`].
    pub fn from_scxml_within(text: &str, limits: &Limits) -> Result<Self, InvalidScxml> {
        let text = without_mark(text);
        let mut findings = Findings::new(text);
        let definition = import(text, limits, &mut findings);
        let diagnostics = findings.finish();
        definition.filter(|_| diagnostics.is_empty()).ok_or(InvalidScxml { diagnostics })
    }
}

fn import(text: &str, limits: &Limits, findings: &mut Findings<'_>) -> Option<Definition> {
    if text.len() > limits.bytes {
        let (bytes, limit) = (text.len(), limits.bytes);
        let message = format!("the text has {bytes} bytes, the limit `bytes` is {limit}");
        let help = "split the document, or raise the limit `bytes`";
        findings.add(0, ImportCode::LimitExceeded, message, help);
        return None;
    }
    let document = xml::parse(text, limits, findings)?;
    let chart = read::read(document.root_element(), limits, findings)?;
    build::build(chart, limits, findings)
}

/// An SCXML document that cannot be translated, with everything that stands in the way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InvalidScxml {
    diagnostics: Vec<ImportDiagnostic>,
}

impl InvalidScxml {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-scxml"
    }

    /// Everything that was found, in document order; never empty.
    #[must_use]
    pub fn diagnostics(&self) -> &[ImportDiagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for InvalidScxml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the SCXML document cannot be imported")?;
        if let Some(first) = self.diagnostics.first() {
            write!(f, ": {first}")?;
        }
        match self.diagnostics.len().saturating_sub(1) {
            0 => Ok(()),
            1 => f.write_str("; and 1 more finding"),
            more => write!(f, "; and {more} more findings"),
        }
    }
}

impl core::error::Error for InvalidScxml {}
