//! Which field or column of a file is which field of ours.
//!
//! A name is looked up in the caller's mapping, then among our own names and those that tools are known to use.
//! What has been looked up is remembered, so that the second row costs one comparison a name.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};

use crate::index::Index;

use super::{options::ReadOptions, summary::TakenColumn};

/// A field of a row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Field {
    ObjectId,
    Sequence,
    FromStates,
    ToStates,
    Transitions,
    Exited,
    Entered,
    Action,
    ActorId,
    ActorType,
    TenantId,
    WorldId,
    Reason,
    Timestamp,
    RequestId,
    DefinitionVersion,
    CreatedAt,
    Metadata,
    Object,
}

/// How many fields there are.
pub(super) const FIELDS: usize = 19;

/// Every field with its name, and the words for it from the best to the worst: in lower case, without spaces,
/// underscores and dashes. No word stands for two fields.
///
/// Jira's change log has both `from` (an id) and `fromString` (a name): the name is the better one.
const WORDS: [(Field, &str, &[&str]); FIELDS] = [
    (
        Field::ObjectId,
        "object_id",
        &[
            "objectid",
            "obj",
            "case:concept:name",
            "issuekey",
            "key",
            "caseid",
            "case",
            "ticketid",
            "ticket",
            "issueid",
            "issue",
            "orderid",
            "entityid",
            "recordid",
            "instanceid",
            "id",
        ],
    ),
    (Field::Sequence, "sequence", &["sequence", "seq", "sequencenumber", "seqno", "version"]),
    (
        Field::FromStates,
        "from_states",
        &[
            LIST_BEFORE,
            "fromstate",
            "fromstring",
            "fromstatus",
            "from",
            "oldstate",
            "oldstatus",
            "oldvalue",
            "previousstate",
            "previousstatus",
            "sourcestate",
        ],
    ),
    (
        Field::ToStates,
        "to_states",
        &[
            "tostates",
            "tostate",
            "tostring",
            "tostatus",
            "to",
            "newstate",
            "newstatus",
            "newvalue",
            "targetstate",
            "status",
            "state",
            "concept:name",
            "activity",
        ],
    ),
    (Field::Transitions, "transitions", &["transitions", "transition", "transitionname"]),
    (Field::Exited, "exited", &["exited"]),
    (Field::Entered, "entered", &["entered"]),
    (Field::Action, "action", &["action", "event", "command"]),
    (
        Field::ActorId,
        "actor_id",
        &[
            "actorid",
            "actor",
            "org:resource",
            "author",
            "changedby",
            "userid",
            "username",
            "user",
            "resource",
            "by",
        ],
    ),
    (Field::ActorType, "actor_type", &["actortype"]),
    (Field::TenantId, "tenant_id", &["tenantid", "tenant"]),
    (Field::WorldId, "world_id", &["worldid", "world"]),
    (Field::Reason, "reason", &["reason", "comment", "note"]),
    (
        Field::Timestamp,
        "timestamp",
        &[
            "timestamp",
            "time:timestamp",
            "occurredat",
            "changedat",
            "changed",
            "transitionedat",
            "transitiondate",
            "changedate",
            "eventtime",
            "completetimestamp",
            "at",
            "time",
            "datetime",
            "ts",
            "when",
            "created",
            "date",
        ],
    ),
    (Field::RequestId, "request_id", &["requestid"]),
    (Field::DefinitionVersion, "definition_version", &["definitionversion"]),
    (Field::CreatedAt, "created_at", &["createdat", "objectcreatedat"]),
    (Field::Metadata, "metadata", &["metadata", "meta"]),
    (Field::Object, "object", &["object"]),
];

/// Of the words for the states before, the one that means a list: null is then "not said", and no creation.
const LIST_BEFORE: &str = "fromstates";

/// The rank of a name that the caller has mapped.
const MAPPED: u8 = 0;

impl Field {
    /// Our name of it.
    pub(super) fn name(self) -> &'static str {
        WORDS[self as usize].1
    }

    /// The field of that name, where the form of one state counts, too; and whether it is that form.
    fn named(name: &str) -> Option<(Self, bool)> {
        let (name, plain) = match name {
            "from_state" => ("from_states", true),
            "to_state" => ("to_states", true),
            "transition" => ("transitions", true),
            name => (name, false),
        };
        WORDS.iter().find(|(_, own, _)| *own == name).map(|(field, ..)| (*field, plain))
    }
}

/// What a name of the file stands for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Meaning {
    /// It is not used.
    Nothing,
    /// A field; of two names for one field the one with the lower rank is taken. `plain`: one state, so that null
    /// is the creation.
    Field { field: Field, rank: u8, plain: bool },
    /// A field of the object's data, by its number in [`Names::parts`].
    Part(usize),
}

/// A name that has been looked up.
#[derive(Debug)]
struct Seen {
    name: Box<str>,
    meaning: Meaning,
    /// The last row that had it.
    row: u64,
    taken: bool,
    ignored: bool,
}

/// Names that are remembered; more are looked up each time.
const REMEMBERED: usize = 1024;
/// A longer name is not remembered.
const NAME_BYTES: usize = 256;
/// Names that a summary lists as ignored.
const LISTED: usize = 64;

/// The names of a file.
#[derive(Debug)]
pub(super) struct Names {
    mapped: Vec<(String, Meaning)>,
    /// The names of the fields of the object's data that are put together from columns.
    pub(super) parts: Vec<String>,
    seen: Vec<Seen>,
    /// Where in it a name is.
    index: Index,
    /// Of the well-known names only those of XES count: what else an event has are data.
    only_xes: bool,
    /// Which of them comes next if this row is like the last one.
    next: usize,
    row: u64,
    unlisted: u64,
}

/// A name of a row, looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) meaning: Meaning,
    /// Its number among the names that are remembered.
    pub(super) index: Option<u16>,
    /// Whether this row had it before.
    pub(super) twice: bool,
}

impl Names {
    /// The names that are known without a mapping.
    pub(super) fn unmapped() -> Self {
        Self {
            mapped: Vec::new(),
            parts: Vec::new(),
            seen: Vec::new(),
            index: Index::default(),
            only_xes: false,
            next: 0,
            row: 0,
            unlisted: 0,
        }
    }

    /// The names under the caller's mapping; a key of it that is no field is the error.
    pub(super) fn new(options: &ReadOptions, only_xes: bool) -> Result<Self, &str> {
        let mut names = Self { only_xes, ..Self::unmapped() };
        for (key, column) in &options.columns {
            let meaning = if let Some(part) = key.strip_prefix("object.") {
                names.parts.push(part.to_owned());
                Meaning::Part(names.parts.len() - 1)
            } else {
                let (field, plain) = Field::named(key).ok_or(key.as_str())?;
                Meaning::Field { field, rank: MAPPED, plain }
            };
            names.mapped.push((column.clone(), meaning));
        }
        Ok(names)
    }

    /// The names of columns that the caller has mapped.
    pub(super) fn mapped(&self) -> impl Iterator<Item = &str> {
        self.mapped.iter().map(|(column, _)| column.as_str())
    }

    /// The name of a field of the object's data.
    pub(super) fn part(&self, part: usize) -> &str {
        self.parts.get(part).map_or("", String::as_str)
    }

    /// Another row begins.
    pub(super) fn begin(&mut self) {
        self.row += 1;
        self.next = 0;
    }

    /// What a name of this row means.
    pub(super) fn find(&mut self, name: &str) -> Found {
        let guess = self.next;
        let index = match self.seen.get(guess) {
            Some(seen) if *seen.name == *name => Some(guess),
            _ => self.index.get(name, &|id| &self.seen[id as usize].name).map(|id| id as usize),
        };
        let index = match index {
            Some(index) => index,
            None => {
                let meaning = self.meaning(name);
                let Some(index) = self.remember(name, meaning) else {
                    return Found { meaning, index: None, twice: false };
                };
                index
            }
        };
        self.next = index + 1;
        let seen = &mut self.seen[index];
        let twice = seen.row == self.row;
        seen.row = self.row;
        Found { meaning: seen.meaning, index: u16::try_from(index).ok(), twice }
    }

    /// Keeps a name, if it is not one too many.
    fn remember(&mut self, name: &str, meaning: Meaning) -> Option<usize> {
        let index = self.seen.len();
        let id = u32::try_from(index).ok()?;
        if index >= REMEMBERED || name.len() > NAME_BYTES {
            return None;
        }
        let name = name.into();
        self.seen.push(Seen { name, meaning, row: 0, taken: false, ignored: false });
        self.index.insert(id, &|id| &self.seen[id as usize].name);
        Some(index)
    }

    fn meaning(&self, name: &str) -> Meaning {
        if let Some((_, meaning)) = self.mapped.iter().find(|(column, _)| column == name) {
            return *meaning;
        }
        let word: String = name
            .chars()
            .filter(|c| !matches!(c, ' ' | '_' | '-'))
            .map(|c| c.to_ascii_lowercase())
            .take(NAME_BYTES)
            .collect();
        let is_mapped = |field: Field| {
            self.mapped
                .iter()
                .any(|(_, m)| matches!(m, Meaning::Field { field: other, .. } if *other == field))
        };
        for (field, _, words) in WORDS {
            let Some(rank) = words.iter().position(|known| *known == word) else { continue };
            if self.only_xes && !word.contains(':') {
                return Meaning::Nothing;
            }
            // The fields of the data that are put together leave no place for the data as a whole.
            if is_mapped(field) || (field == Field::Object && !self.parts.is_empty()) {
                return Meaning::Nothing;
            }
            let rank = u8::try_from(rank).map_or(u8::MAX, |rank| rank.saturating_add(MAPPED + 1));
            return Meaning::Field { field, rank, plain: word != LIST_BEFORE };
        }
        Meaning::Nothing
    }

    /// Notes that a name gave a field.
    pub(super) fn took(&mut self, index: Option<u16>) {
        if let Some(seen) = index.and_then(|index| self.seen.get_mut(usize::from(index))) {
            seen.taken = true;
        }
    }

    /// Notes that a name was passed over.
    pub(super) fn ignored(&mut self, index: Option<u16>) {
        match index.and_then(|index| self.seen.get_mut(usize::from(index))) {
            Some(seen) => seen.ignored = true,
            None => self.unlisted += 1,
        }
    }

    /// The same for a name that has not been looked up.
    pub(super) fn ignored_name(&mut self, name: &str) {
        let index = self.find(name).index;
        self.ignored(index);
    }

    /// Which name was taken for which field.
    pub(super) fn columns(&self) -> Vec<TakenColumn> {
        let mut columns = Vec::new();
        for seen in self.seen.iter().filter(|seen| seen.taken) {
            let field = match seen.meaning {
                Meaning::Field { field, .. } => field.name().to_owned(),
                Meaning::Part(part) => {
                    self.parts.get(part).map(|part| ["object.", part].concat()).unwrap_or_default()
                }
                Meaning::Nothing => continue,
            };
            columns.push(TakenColumn { field, column: seen.name.clone().into() });
        }
        columns
    }

    /// The names that were passed over, and how many more.
    pub(super) fn list_ignored(&self) -> (Vec<String>, u64) {
        let mut ignored = self.seen.iter().filter(|seen| seen.ignored);
        let listed = ignored.by_ref().take(LISTED).map(|seen| seen.name.clone().into()).collect();
        (listed, self.unlisted + ignored.count() as u64)
    }
}
