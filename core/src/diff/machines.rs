//! The definition itself, and the machines inside states.

use alloc::{format, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::{Diff, Found, Part, change::ChangeCode, list, pairs::missing, strs};
use crate::{chart::ROOT, machine::Machine};

impl Diff<'_> {
    /// What the outer machine alone has, and the outer machine.
    pub(super) fn definition(&mut self) {
        let (old, new) = (self.older.definition(), self.newer.definition());
        let both = (Part::Machine(ROOT), Part::Machine(ROOT));
        if old.object_type != new.object_type {
            let message =
                format!("the objects are called `{}`, not `{}`", new.object_type, old.object_type);
            self.changed(
                both,
                Found {
                    code: ChangeCode::ObjectTypeChanged,
                    breaking: true,
                    field: "object_type",
                    before: old.object_type.as_str().into(),
                    after: new.object_type.as_str().into(),
                    message,
                },
            );
        }
        if old.version != new.version {
            self.changed(
                both,
                Found {
                    code: ChangeCode::VersionChanged,
                    breaking: false,
                    field: "version",
                    before: old.version.into(),
                    after: new.version.into(),
                    message: format!("the version is {}, not {}", new.version, old.version),
                },
            );
        }
        if old.history_enabled != new.history_enabled {
            let should = if new.history_enabled { "should" } else { "need not" };
            self.changed(
                both,
                Found {
                    code: ChangeCode::HistoryEnabledChanged,
                    breaking: old.history_enabled,
                    field: "history_enabled",
                    before: old.history_enabled.into(),
                    after: new.history_enabled.into(),
                    message: format!("a store {should} keep the records"),
                },
            );
        }
        let (before, after) = (strs(&old.allow), strs(&new.allow));
        if !missing(&before, &after).is_empty() || !missing(&after, &before).is_empty() {
            self.changed(
                both,
                Found {
                    code: ChangeCode::AllowChanged,
                    breaking: false,
                    field: "allow",
                    before: list(before),
                    after: list(after),
                    message: "other errors are accepted as warnings".into(),
                },
            );
        }
        self.initial(ROOT, ROOT);
        self.metadata(both, [&old.metadata, &new.metadata], "the definition");
    }

    /// The machine inside a state that both have.
    pub(super) fn sub_machine(&mut self, old: u32, new: u32) {
        let (older, newer) = (self.older.state(old), self.newer.state(new));
        let (Some(before), Some(after)) = (&older.sub_machine, &newer.sub_machine) else { return };
        let both = (Part::Machine(old), Part::Machine(new));
        let path = self.newer.path(new);
        if before.object_type != after.object_type {
            self.changed(
                both,
                Found {
                    code: ChangeCode::ObjectTypeChanged,
                    breaking: false,
                    field: "object_type",
                    before: before.object_type.as_deref().into(),
                    after: after.object_type.as_deref().into(),
                    message: format!("what the machine in `{path}` is the lifecycle of is another"),
                },
            );
        }
        self.initial(old, new);
        self.metadata(
            both,
            [&before.metadata, &after.metadata],
            &format!("the machine in `{path}`"),
        );
    }

    /// Where a machine begins.
    fn initial(&mut self, old: u32, new: u32) {
        let Some((before, after)) = self.other_defaults(old, new) else { return };
        let inside = match new {
            ROOT => String::from("the machine"),
            new => format!("the machine in `{}`", self.newer.path(new)),
        };
        self.changed(
            (Part::Machine(old), Part::Machine(new)),
            Found {
                code: ChangeCode::InitialStateChanged,
                breaking: true,
                field: "initial_state",
                message: format!(
                    "{inside} begins in {}, not in {}",
                    quoted(&after),
                    quoted(&before)
                ),
                before: list(before),
                after: list(after),
            },
        );
    }

    /// Where a state or a machine begins, in both, if that is not the same.
    pub(super) fn other_defaults(&self, old: u32, new: u32) -> Option<(Vec<&str>, Vec<&str>)> {
        let defaults = |machine: &Machine, id| machine.shared.resolved.chart.defaults(id).to_vec();
        let (before, mut after) = (defaults(self.older, old), defaults(self.newer, new));
        after.sort_unstable();
        if self.pairs.newer_states(before.iter().copied()).as_ref() == Some(&after) {
            return None;
        }
        Some((paths(self.older, &before), paths(self.newer, &after)))
    }

    /// What people read of a part that is called `of`.
    pub(super) fn title(&mut self, both: (Part, Part), [before, after]: [&str; 2], of: &str) {
        if before != after {
            self.changed(
                both,
                Found {
                    code: ChangeCode::DisplayNameChanged,
                    breaking: false,
                    field: "display_name",
                    before: before.into(),
                    after: after.into(),
                    message: format!("people read `{of}` as `{after}`, not as `{before}`"),
                },
            );
        }
    }

    pub(super) fn metadata(
        &mut self,
        both: (Part, Part),
        [before, after]: [&Map<String, Value>; 2],
        of: &str,
    ) {
        if before != after {
            self.changed(
                both,
                Found {
                    code: ChangeCode::MetadataChanged,
                    breaking: false,
                    field: "metadata",
                    before: before.clone().into(),
                    after: after.clone().into(),
                    message: format!("{of} has other metadata"),
                },
            );
        }
    }
}

pub(super) fn paths<'m>(machine: &'m Machine, ids: &[u32]) -> Vec<&'m str> {
    ids.iter().map(|&id| machine.path(id).as_str()).collect()
}

pub(super) fn quoted(names: &[&str]) -> String {
    /// More than this in one sentence are not read.
    const SHOWN: usize = 5;
    let shown = crate::name::quoted(names.iter().take(SHOWN).copied());
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
