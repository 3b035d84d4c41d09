//! What can be wrong with a definition, and where.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::Serialize;

use crate::name::shortened;

/// One finding about a definition: what, where, and the way out.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Diagnostic {
    /// The stable name of the rule, which programs compare.
    pub code: Code,
    /// Whether the definition can run with it.
    pub severity: Severity,
    /// What is wrong, in one sentence. May change between versions.
    pub message: String,
    /// How to mend it, in one sentence. May change between versions.
    pub help: String,
    /// The smallest part of the document that must change (RFC 6901).
    pub pointer: String,
    /// Line of that part in the text, from 1; null where the input was no text.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub line: Option<u32>,
    /// Column of that part in its line, from 1, in Unicode characters; null where the input was no text.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub column: Option<u32>,
    /// Other places that belong to the finding, such as the first use of a name.
    pub related: Vec<Related>,
    /// Which part of what stands at `pointer` it is about.
    #[serde(skip)]
    pub(crate) part: Part,
}

/// The part of a member of the document that a finding is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Part {
    Whole,
    /// Its key, and not its value.
    Key,
    /// Its text from a byte on; bytes of the text as it is meant, with escapes undone.
    From(u32),
}

/// Another place that belongs to a finding.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Related {
    /// Where (RFC 6901).
    pub pointer: String,
    /// What is there.
    pub message: String,
    /// Line in the text, from 1; null where the input was no text.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub line: Option<u32>,
    /// Column in its line, from 1, in Unicode characters; null where the input was no text.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub column: Option<u32>,
}

/// How much a finding matters.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The definition cannot run.
    Error,
    /// It runs, but probably not as its author wants.
    Warning,
    /// Something to know, nothing to mend.
    Info,
}

/// The rules that a definition is held to. Each has its section in `docs/diagnostics.md`.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Code {
    /// The text is not JSON.
    InvalidJson,
    /// A value has not the type that its place asks for.
    InvalidShape,
    /// A field that no definition has.
    UnknownField,
    /// A required field is absent.
    MissingField,
    /// A field is written twice.
    DuplicateField,
    /// The definition is larger than the limits allow.
    LimitExceeded,
    /// A name is empty or holds a control character.
    InvalidName,
    /// There are no states.
    NoStates,
    /// Two states have one name.
    DuplicateState,
    /// Two transitions have one name.
    DuplicateTransition,
    /// Two entry conditions of one state have one name.
    DuplicateCondition,
    /// The version is too large a number.
    InvalidVersion,
    /// `initial_state` names no state.
    UnknownInitialState,
    /// `is_initial` says something else than `initial_state`.
    InitialMismatch,
    /// `from_state` names no state.
    UnknownFromState,
    /// `from_state` names a state twice.
    DuplicateFromState,
    /// `from_state` is an empty list: the transition comes out of nowhere.
    NoFromState,
    /// `to_state` names no state.
    UnknownToState,
    /// `to_state` is an empty list.
    NoToState,
    /// `to_state` lists states that cannot be active together.
    ConflictingTargets,
    /// `from_state` names a history state.
    HistorySource,
    /// A field that means nothing where it stands, such as `required` outside of a region.
    MisplacedField,
    /// A terminal state that has states inside.
    TerminalWithStates,
    /// A history state of the whole machine, which is never left.
    HistoryAtRoot,
    /// A history state without a default target.
    HistoryWithoutDefault,
    /// The default target of a history state is not inside what it remembers.
    InvalidDefaultTarget,
    /// An action or permissions of a transition that no action sets off.
    InvalidTrigger,
    /// A required region that never ends, so that the state around it is never complete.
    RegionNeverJoins,
    /// A state with regions of which none is required.
    NoRequiredRegion,
    /// A transition that waits for a completion which never happens.
    CompletionNeverFires,
    /// A state whose completion no transition without a guard follows.
    UnhandledCompletion,
    /// Automatic transitions that follow each other for ever.
    AutomaticCycle,
    /// No sequence of actions leads to the state.
    UnreachableState,
    /// No state is terminal.
    NoTerminalState,
    /// A transition leads out of a terminal state.
    TerminalWithExit,
    /// A guard that cannot be read.
    InvalidGuard,
    /// A guard reads a variable that there is not.
    UnknownVariable,
    /// A guard calls a function that there is not.
    UnknownFunction,
    /// A guard calls a function with another number of arguments, or in another form.
    WrongArguments,
    /// A guard, or a part of it that must be, can never be true or false.
    NotBoolean,
    /// A part of a guard has a type that does not fit its place.
    TypeMismatch,
    /// A comparison in a guard that comes out the same whatever the object is.
    ImpossibleComparison,
    /// A guard asks for a state that there is not.
    UnknownStateInGuard,
    /// Named guards refer to each other in a circle.
    GuardCycle,
    /// A named guard that nothing asks.
    UnusedGuard,
    /// A guard that can never be true.
    GuardNeverTrue,
    /// Two guards of one state and action can be true at once, so that their order decides.
    GuardOverlap,
    /// A text that is not a duration.
    InvalidDuration,
    /// `notify_before` is not shorter than `after`.
    NoticeTooEarly,
    /// A timeout asks for an action that no transition of its state takes.
    UnknownTimeoutAction,
    /// `allow` names something that is not an error that can be allowed.
    UnknownAllow,
    /// A state from which no terminal state can be reached.
    NoPathToTerminal,
    /// A state that is not terminal and has no way out.
    NoExit,
    /// A transition that is never tried, since an earlier one without a guard takes its action.
    ShadowedTransition,
    /// Two transitions of one state take one action without a guard.
    AmbiguousAction,
    /// A transitional state without a timeout.
    NoTimeout,
    /// More states in one machine than people can hold in mind.
    TooManyStates,
    /// A function that the host must register.
    HostGuard,
    /// Something in a text of another format that a definition cannot say.
    NoCounterpart,
}

impl Code {
    /// How much a finding of this rule matters, unless the definition allows it.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::NoPathToTerminal
            | Self::NoExit
            | Self::ShadowedTransition
            | Self::AmbiguousAction
            | Self::NoTimeout
            | Self::UnusedGuard
            | Self::GuardNeverTrue
            | Self::GuardOverlap
            | Self::CompletionNeverFires
            | Self::UnhandledCompletion
            | Self::TooManyStates => Severity::Warning,
            Self::HostGuard => Severity::Info,
            _ => Severity::Error,
        }
    }

    /// The errors that a definition may `allow`, by name: with these it still has one meaning.
    pub(crate) const ALLOWABLE: [(&'static str, Self); 4] = [
        ("no-terminal-state", Self::NoTerminalState),
        ("unreachable-state", Self::UnreachableState),
        ("terminal-with-exit", Self::TerminalWithExit),
        ("region-never-joins", Self::RegionNeverJoins),
    ];
}

impl Diagnostic {
    /// A finding without a position in a text.
    pub(crate) fn new(
        code: Code,
        pointer: String,
        message: String,
        help: impl Into<String>,
    ) -> Self {
        let severity = code.severity();
        let message = shortened(message);
        Self {
            code,
            severity,
            message,
            help: help.into(),
            pointer,
            line: None,
            column: None,
            related: Vec::new(),
            part: if code == Code::UnknownField { Part::Key } else { Part::Whole },
        }
    }

    /// Adds another place that belongs to the finding.
    pub(crate) fn relate(&mut self, pointer: String, message: impl Into<String>) {
        self.related.push(Related { pointer, message: message.into(), line: None, column: None });
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.message)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "line {line}, column {column}, ")?;
        }
        write!(f, "at `{}`)", self.pointer)
    }
}

/// A definition that cannot run, with everything that was found about it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InvalidDefinition {
    diagnostics: Vec<Diagnostic>,
}

impl InvalidDefinition {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>) -> Self {
        debug_assert!(
            diagnostics.iter().any(|found| found.severity == Severity::Error),
            "an invalid definition has an error"
        );
        Self { diagnostics }
    }

    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-definition"
    }

    /// Everything that was found, in document order; at least one error.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The same findings without lines and columns, for a definition that its author did not hand over
    /// as a text.
    #[must_use]
    pub fn without_positions(mut self) -> Self {
        for found in &mut self.diagnostics {
            (found.line, found.column) = (None, None);
            for other in &mut found.related {
                (other.line, other.column) = (None, None);
            }
        }
        self
    }
}

impl fmt::Display for InvalidDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut errors = self.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        match errors.next() {
            Some(first) => write!(f, "the definition is invalid: {first}")?,
            None => f.write_str("the definition is invalid")?,
        }
        match errors.count() {
            0 => Ok(()),
            1 => f.write_str("; and 1 more error"),
            more => write!(f, "; and {more} more errors"),
        }
    }
}

impl core::error::Error for InvalidDefinition {}
