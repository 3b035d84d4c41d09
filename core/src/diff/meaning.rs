//! What each change means, and for whom.

use super::change::{
    Affected::{self, Callers, Hosts, Objects, Readers},
    ChangeCode,
};

type Meaning = (Affected, &'static str);

impl ChangeCode {
    /// Whom the change affects, and how.
    pub(super) fn meaning(self, breaking: bool) -> Meaning {
        let of_part = self.of_definition(breaking).or_else(|| self.of_state(breaking));
        let of_part = of_part.or_else(|| self.of_transition(breaking));
        of_part.unwrap_or((Readers, "only what people are told changes"))
    }

    fn of_definition(self, breaking: bool) -> Option<Meaning> {
        Some(match (self, breaking) {
            (Self::VersionChanged, _) => {
                (Objects, "a stored object is refused until `adopt` has moved it to this version")
            }
            (Self::ObjectTypeChanged, true) => {
                (Hosts, "what finds a definition by the type of its objects no longer finds it")
            }
            (Self::HistoryEnabledChanged, true) => {
                (Hosts, "a store may no longer keep the records, which histories are read from")
            }
            (Self::HistoryEnabledChanged, false) => (Hosts, "a store is asked to keep the records"),
            (Self::MetadataChanged, _) => {
                (Hosts, "no rule reads it; a program that does sees something else")
            }
            (Self::InitialStateChanged, _) => (
                Callers,
                "what begins there finds itself in another state, where other actions are possible",
            ),
            _ => return None,
        })
    }

    fn of_state(self, breaking: bool) -> Option<Meaning> {
        Some(match (self, breaking) {
            (Self::StateAdded, true) => (
                Objects,
                "an object in the state around is not in this region until `adopt` has moved it, and its end may be waited for",
            ),
            (Self::StateAdded, false) => {
                (Readers, "who reads states meets one that was not there before")
            }
            (Self::StateRemoved, _) => (
                Objects,
                "an object that is in it has no place until `adopt` maps it to another state",
            ),
            (Self::StateShapeChanged, _) => (
                Objects,
                "where an object is, is written in another way; `adopt` moves those that are in it",
            ),
            (Self::TerminalChanged, _) => (
                Objects,
                "whether the life of an object ends there changes, and what waits for that end",
            ),
            (Self::HistoryKindChanged, _) => {
                (Objects, "something else is remembered, and objects come back to another state")
            }
            (Self::DefaultTargetChanged, _) => {
                (Objects, "an object of which nothing is remembered goes to another state")
            }
            (Self::JoinConditionChanged | Self::RequiredChanged, _) => {
                (Objects, "the state around the regions is complete at another time")
            }
            (Self::RegionsReordered, _) => (
                Objects,
                "regions are asked, left and entered in another order, which decides where two of them conflict",
            ),
            (Self::OperationAdded, _) => (Callers, "it is accepted where it was refused"),
            (Self::OperationRemoved, _) => (Callers, "who asks for it there is refused"),
            (Self::ConditionAdded, _) => (
                Objects,
                "an object that does not meet it cannot enter, and one that is there already lacks it",
            ),
            (Self::ConditionRemoved, _) => (Objects, "objects can enter that were refused before"),
            (Self::ConditionChanged, _) => {
                (Objects, "it may ask for more: an object that met it before may not meet it now")
            }
            (Self::TimeoutAdded, _) => (
                Objects,
                "an object that has been there for longer is overdue at once, and the action follows",
            ),
            (Self::TimeoutRemoved, _) => {
                (Objects, "nothing moves an object on that stays there for too long")
            }
            (Self::TimeoutChanged, true) => {
                (Objects, "an object may be overdue at once, or another action follows")
            }
            (Self::TimeoutChanged, false) => {
                (Objects, "the same action follows, not earlier than before")
            }
            (Self::EffectsChanged, true) => (
                Hosts,
                "an effect is missing, comes in another order, or is one that the host has never been asked for",
            ),
            (Self::EffectsChanged, false) => {
                (Hosts, "the host is asked for more, all of it known to it from elsewhere")
            }
            _ => return None,
        })
    }

    fn of_transition(self, breaking: bool) -> Option<Meaning> {
        Some(match (self, breaking) {
            (Self::TransitionAdded | Self::SourceAdded | Self::GuardRemoved, true) => (
                Objects,
                "it is taken where until now another transition was, or none, so that objects go elsewhere",
            ),
            (Self::TransitionAdded | Self::SourceAdded | Self::GuardRemoved, false) => {
                (Callers, "more is possible than before, and nothing else goes another way")
            }
            (Self::TransitionRemoved | Self::SourceRemoved, _) => {
                (Callers, "what it allowed is refused, or leads elsewhere")
            }
            (Self::TransitionRenamed, _) => {
                (Readers, "records have the newer name from now on, and the older one up to now")
            }
            (Self::TargetChanged, _) => (Callers, "who takes it arrives somewhere else"),
            (Self::TriggerChanged, _) => (Callers, "what set it off until now does so no more"),
            (Self::GuardAdded, _) => {
                (Callers, "who could take it is refused where the guard is not true")
            }
            (Self::GuardChanged | Self::NamedGuardChanged, _)
            | (Self::NamedGuardAdded | Self::NamedGuardRemoved, true) => {
                (Callers, "it may be stricter: what was possible may be refused, or go another way")
            }
            (Self::NamedGuardAdded | Self::NamedGuardRemoved, false) => {
                (Readers, "it changes nothing by itself; what asks it is reported on its own")
            }
            (Self::PermissionAdded, _) => (Callers, "who does not have it is refused"),
            (Self::PermissionRemoved, _) => (Callers, "who does not have it is no longer refused"),
            (Self::ReenterChanged, _) => (
                Objects,
                "clocks and the effects of entering and leaving start anew where they did not, or no longer do",
            ),
            (Self::OrderChanged, _) => {
                (Callers, "where the guards of several hold, another one is taken")
            }
            (Self::HostGuardAdded, _) => (
                Hosts,
                "until the host registers it, what depends on it is unknown, and not possible",
            ),
            (Self::HostGuardRemoved, _) => (Hosts, "a host that still registers it gets an error"),
            (Self::ActionAdded, _) => (Callers, "there is something new to ask for"),
            (Self::ActionRemoved, _) => {
                (Callers, "who asks for it is told that there is no such action")
            }
            _ => return None,
        })
    }
}
