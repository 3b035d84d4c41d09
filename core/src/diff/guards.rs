//! Named guards, functions of the host, and actions.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde_json::Value;

use super::{Diff, Found, Part, Words, change::ChangeCode, pairs::missing};
use crate::{chart::ROOT, guard::same_tokens, machine::Machine, place::escape};

impl Diff<'_> {
    /// The named guards of the machines that both have, then the functions of the host.
    pub(super) fn guards(&mut self) {
        let (older, newer) = (self.older, self.newer);
        let known = [older, newer].map(|machine| {
            let mut known = Words::default();
            known.add(machine.shared.resolved.guards.iter().map(|guard| &guard.key));
            known
        });
        self.guards_of(ROOT, ROOT, &known);
        for old in older.ids() {
            if let Some(new) = self.pairs.states[0][old as usize] {
                self.guards_of(old, new, &known);
            }
        }
        let before: Vec<&str> = older.host_guards().collect();
        let after: Vec<&str> = newer.host_guards().collect();
        for index in missing(&before, &after) {
            self.removed(
                Part::Machine(ROOT),
                Found {
                    code: ChangeCode::HostGuardRemoved,
                    breaking: true,
                    field: "",
                    before: before[index].into(),
                    after: Value::Null,
                    message: format!("nothing asks the host for `{}` any more", before[index]),
                },
            );
        }
        for index in missing(&after, &before) {
            self.added(
                Part::Machine(ROOT),
                Found {
                    code: ChangeCode::HostGuardAdded,
                    breaking: true,
                    field: "",
                    before: Value::Null,
                    after: after[index].into(),
                    message: format!("the host must register the guard `{}`", after[index]),
                },
            );
        }
    }

    /// `known`: the names of all guards that something asks or that have an expression, of both.
    fn guards_of(&mut self, old: u32, new: u32, known: &[Words<'_>; 2]) {
        let (older, newer) = (self.older, self.newer);
        let (Some(before), Some(after)) = (guards(older, old), guards(newer, new)) else { return };
        for (name, text) in before {
            let field = format!("guards/{}", escape(name));
            let Some(now) = after.get(name) else {
                // What still asks it finds one of that name further out, or asks the host.
                let breaking = known[1].holds(name);
                self.removed(
                    Part::Machine(old),
                    Found {
                        code: ChangeCode::NamedGuardRemoved,
                        breaking,
                        field: &field,
                        before: text.as_str().into(),
                        after: Value::Null,
                        message: format!(
                            "the guard `{name}` has no expression any more; it was `{text}`"
                        ),
                    },
                );
                continue;
            };
            if !same_tokens(text, now) {
                self.changed(
                    (Part::Machine(old), Part::Machine(new)),
                    Found {
                        code: ChangeCode::NamedGuardChanged,
                        breaking: true,
                        field: &field,
                        before: text.as_str().into(),
                        after: now.as_str().into(),
                        message: format!("the guard `{name}` is `{now}`, not `{text}`"),
                    },
                );
            }
        }
        for (name, text) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            // What asked it found one of that name further out, or asked the host.
            let breaking = known[0].holds(name);
            self.added(
                Part::Machine(new),
                Found {
                    code: ChangeCode::NamedGuardAdded,
                    breaking,
                    field: &format!("guards/{}", escape(name)),
                    before: Value::Null,
                    after: text.as_str().into(),
                    message: format!("the guard `{name}` is `{text}`"),
                },
            );
        }
    }

    pub(super) fn actions(&mut self) {
        let (older, newer) = (self.older, self.newer);
        let before: Vec<&str> = older.actions().collect();
        let after: Vec<&str> = newer.actions().collect();
        for index in missing(&before, &after) {
            self.removed(
                Part::Machine(ROOT),
                Found {
                    code: ChangeCode::ActionRemoved,
                    breaking: true,
                    field: "",
                    before: before[index].into(),
                    after: Value::Null,
                    message: format!("no transition takes `{}` any more", before[index]),
                },
            );
        }
        for index in missing(&after, &before) {
            self.added(
                Part::Machine(ROOT),
                Found {
                    code: ChangeCode::ActionAdded,
                    breaking: false,
                    field: "",
                    before: Value::Null,
                    after: after[index].into(),
                    message: format!("there is an action `{}`", after[index]),
                },
            );
        }
    }
}

/// The named guards of the machine inside a state, if it has one, or of the outer one.
fn guards(machine: &Machine, owner: u32) -> Option<&BTreeMap<String, String>> {
    match owner {
        ROOT => Some(&machine.definition().guards),
        owner => machine.state(owner).sub_machine.as_ref().map(|machine| &machine.guards),
    }
}
