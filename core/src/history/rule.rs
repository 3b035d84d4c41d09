//! The rules that the rows of a history keep to.

use serde::Serialize;

/// Which rule a row breaks: the stable name of a violation. Source: DESIGN §6.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RowRule {
    /// The history begins with a row that does not create the object.
    MissingCreation,
    /// The object is created again.
    SecondCreation,
    /// The object is created in states in which no object begins.
    WrongCreation,
    /// A state that the definition does not have.
    UnknownState,
    /// States that cannot be active together, or do not name the innermost ones.
    ImpossibleConfiguration,
    /// The definition has no transition that leads so.
    UnknownTransition,
    /// The object was in a terminal state before.
    AfterTerminal,
    /// It does not start where the row before it ended.
    ChainGap,
    /// It lies before the row before it.
    TimeRunsBack,
    /// Sequence numbers are left out before it.
    SequenceSkips,
    /// It has the sequence number of the row before it.
    SequenceRepeats,
    /// A request was applied by an earlier row.
    RepeatedRequest,
    /// It lies before the creation of the object.
    BeforeCreation,
    /// It lies after now.
    AfterNow,
    /// The object's data do not meet an entry condition of a state that is active after it.
    EvidenceMissing,
    /// It says that other states were left or entered than its transitions leave and enter.
    OtherVisits,
    /// It goes where a history state would lead only if it remembered something else.
    NotRemembered,
    /// Nobody can tell: to look at all that its action can do takes too much.
    NotJudged,
}

impl RowRule {
    /// All rules, in the order of their numbers.
    pub const ALL: [Self; 18] = [
        Self::MissingCreation,
        Self::SecondCreation,
        Self::WrongCreation,
        Self::UnknownState,
        Self::ImpossibleConfiguration,
        Self::UnknownTransition,
        Self::AfterTerminal,
        Self::ChainGap,
        Self::TimeRunsBack,
        Self::SequenceSkips,
        Self::SequenceRepeats,
        Self::RepeatedRequest,
        Self::BeforeCreation,
        Self::AfterNow,
        Self::EvidenceMissing,
        Self::OtherVisits,
        Self::NotRemembered,
        Self::NotJudged,
    ];
}
