//! What can change between two definitions, and what that means for whom.

use alloc::string::String;

use serde::Serialize;
use serde_json::Value;

/// One difference between two definitions.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The stable name of what changed, which programs compare.
    pub code: ChangeCode,
    /// Whether it is there, was there, or is another.
    pub kind: ChangeKind,
    /// Whether something that the older definition stored, accepted or promised may be refused, be missing or lead
    /// elsewhere under the newer one.
    pub breaking: bool,
    /// Who meets it.
    pub affects: Affected,
    /// The path of the state that it is about; of a transition or a guard the path of the state whose machine it stands
    /// in, of an order the state whose transitions are tried; null for what belongs to the outer machine.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub state: Option<String>,
    /// The transition that it is about, by its name in the newer definition, or in the older one where it is gone.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub transition: Option<String>,
    /// Where it stands in the older definition (RFC 6901); null where it is not there.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub older_pointer: Option<String>,
    /// Where it stands in the newer definition; null where it is not there.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub newer_pointer: Option<String>,
    /// What the older definition says; null for nothing.
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub before: Value,
    /// What the newer one says; null for nothing.
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub after: Value,
    /// What changed, in one sentence. May change between versions.
    pub message: String,
    /// What that means for those whom it affects, in one sentence. May change between versions.
    pub consequence: String,
}

/// Whether something came, went or became another.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Only the newer definition has it.
    Added,
    /// Only the older definition has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
}

/// Who meets a change.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Affected {
    /// Objects that are stored, and where they go.
    Objects,
    /// Who asks for actions and operations.
    Callers,
    /// The program around: side effects, functions behind guards, stores.
    Hosts,
    /// Who reads texts, states and records.
    Readers,
}

/// What can change. Each has its section in `docs/diff.md`.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ChangeCode {
    /// The definition's version.
    VersionChanged,
    /// The type of the objects, or what a machine inside is the lifecycle of.
    ObjectTypeChanged,
    /// Whether a store should keep the records.
    HistoryEnabledChanged,
    /// The errors that the definition accepts.
    AllowChanged,
    /// Free data of the definition, a machine, a state or a transition.
    MetadataChanged,
    /// Where a machine begins.
    InitialStateChanged,
    /// A state.
    StateAdded,
    /// A state.
    StateRemoved,
    /// What a state is made of: nothing inside, a machine, regions, or a history state.
    StateShapeChanged,
    /// Whether an object rests in the state, is being worked on, or is faulty.
    StateKindChanged,
    /// Whether a state is terminal.
    TerminalChanged,
    /// Whether a history state remembers the states beside it or the innermost ones.
    HistoryKindChanged,
    /// Where a history state leads while nothing is remembered.
    DefaultTargetChanged,
    /// Which of the regions must end.
    JoinConditionChanged,
    /// Whether the state around a region waits for its end.
    RequiredChanged,
    /// The order of regions.
    RegionsReordered,
    /// An operation that a state permits.
    OperationAdded,
    /// An operation that a state permits.
    OperationRemoved,
    /// An entry condition.
    ConditionAdded,
    /// An entry condition.
    ConditionRemoved,
    /// What an entry condition asks for.
    ConditionChanged,
    /// What people read where an entry condition is not met.
    ConditionMessageChanged,
    /// The timeout of a state.
    TimeoutAdded,
    /// The timeout of a state.
    TimeoutRemoved,
    /// The timeout of a state.
    TimeoutChanged,
    /// The side effects of entering or leaving a state, or of a transition.
    EffectsChanged,
    /// What people read as the name of a state or on the button of a transition.
    DisplayNameChanged,
    /// What people read about a state.
    DescriptionChanged,
    /// A transition.
    TransitionAdded,
    /// A transition.
    TransitionRemoved,
    /// The name of a transition that leads from the same states to the same states for the same action.
    TransitionRenamed,
    /// A state that a transition leads out of.
    SourceAdded,
    /// A state that a transition leads out of.
    SourceRemoved,
    /// Where a transition leads.
    TargetChanged,
    /// What sets a transition off: another action, or something else than an action.
    TriggerChanged,
    /// The guard of a transition.
    GuardAdded,
    /// The guard of a transition.
    GuardRemoved,
    /// The guard of a transition.
    GuardChanged,
    /// A permission that a transition asks for.
    PermissionAdded,
    /// A permission that a transition asks for.
    PermissionRemoved,
    /// Whether a transition leaves and enters its own state.
    ReenterChanged,
    /// The order in which the transitions of one state are tried for one action.
    OrderChanged,
    /// An entry of `guards`.
    NamedGuardAdded,
    /// An entry of `guards`.
    NamedGuardRemoved,
    /// An entry of `guards`.
    NamedGuardChanged,
    /// A function that the host registers.
    HostGuardAdded,
    /// A function that the host registers.
    HostGuardRemoved,
    /// An action that no transition took.
    ActionAdded,
    /// An action that no transition takes any more.
    ActionRemoved,
}
