//! The definition of a lifecycle, exactly as it is written in JSON.
//!
//! These types are the stable format. A value may still be wrong (unknown
//! target, duplicate name); only `Machine::new` makes something that runs.
//! Source: DESIGN §2.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, slice};

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};

use crate::{
    diagnostic::InvalidDefinition,
    json::{object_or_null, objects, texts},
    limits::Limits,
    text,
};

/// What a definition says of one kind of object: its states, and what leads from one to the next.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// What kind of object lives by this definition.
    pub object_type: String,
    /// Version of this definition; recorded in every history record. Default: 1.
    #[serde(default = "first_version")]
    pub version: u64,
    /// The state that a new object enters: a name, or a path or a list of paths to what is inside.
    #[cfg_attr(feature = "tsify", tsify(type = "string | string[]"))]
    pub initial_state: Names,
    /// Whether a store should keep the records. Decisions carry them in any case. Default: true.
    #[serde(default = "yes")]
    pub history_enabled: bool,
    /// The states. Their order is the document order.
    #[serde(deserialize_with = "objects")]
    pub states: Vec<State>,
    /// The transitions, in the order in which they are tried.
    #[serde(default, deserialize_with = "objects")]
    pub transitions: Vec<Transition>,
    /// Named guards: a name and its expression, in CEL. A transition, an entry condition and other guards ask
    /// them by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "texts")]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
    pub guards: BTreeMap<String, String>,
    /// Codes of errors that this definition accepts as warnings: `no-terminal-state`,
    /// `unreachable-state`, `terminal-with-exit`, `region-never-joins`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Free data of the author; never read by the rules.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
}

/// A machine inside a state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SubMachine {
    /// What it is the lifecycle of, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_type: Option<String>,
    /// The state that is entered with the state around it: a name, or a path or a list of paths to what is
    /// inside.
    #[cfg_attr(feature = "tsify", tsify(type = "string | string[]"))]
    pub initial_state: Names,
    /// The states. Their order is the document order.
    #[serde(deserialize_with = "objects")]
    pub states: Vec<State>,
    /// The transitions, in the order in which they are tried.
    #[serde(default, deserialize_with = "objects")]
    pub transitions: Vec<Transition>,
    /// Named guards of this machine and those inside; one hides another of the same name further out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "texts")]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
    pub guards: BTreeMap<String, String>,
    /// Free data of the author; never read by the rules.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
}

/// One state of an object.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Unique among its siblings. Any non-empty text without control characters.
    pub name: String,
    /// What people read. Default: the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What it means to be in this state, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// May be said for readers; must agree with `initial_state`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_initial: Option<bool>,
    /// Nothing leads out of a terminal state: the object's life ends here. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_terminal: bool,
    /// Whether an object rests here, is being worked on, or is faulty. Default: stable.
    #[serde(default, skip_serializing_if = "Kind::is_stable")]
    // Any text, too, since TypeScript reads an imported JSON file so; `check` says which words there are.
    #[cfg_attr(feature = "tsify", tsify(type = "Kind | (string & {})"))]
    pub kind: Kind,
    /// Operations that an object in this state accepts, which are no transitions: `read`, `write`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permits: Vec<String>,
    /// What must be true of an object for as long as it is in this state: the evidence for it. No step
    /// ends here while one of them is false or unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    pub entry_conditions: Vec<EntryCondition>,
    /// When an object has been here too long, and what is done then.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object_or_null")]
    pub timeout: Option<Timeout>,
    /// Names of the side effects of entering the state, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_enter: Vec<String>,
    /// Names of the side effects of leaving the state, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_exit: Vec<String>,
    /// The machine inside this state: one of its states is active while this one is.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object_or_null")]
    pub sub_machine: Option<Box<SubMachine>>,
    /// The regions of this state, which are all active while it is. Each is a state, mostly one with a
    /// `sub_machine`; its name is a part of the paths inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    pub regions: Vec<State>,
    /// Which of the required regions must have ended for this state to be complete. Default: all.
    #[serde(default, skip_serializing_if = "JoinCondition::is_all")]
    #[cfg_attr(feature = "tsify", tsify(type = "JoinCondition | (string & {})"))]
    pub join_condition: JoinCondition,
    /// Of a region: whether the state around it waits for its end. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Makes it a history state: never active itself, it leads to where the machine that it stands in (or the
    /// state whose regions it stands among) was when it was left last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "HistoryKind | (string & {})"))]
    pub history: Option<HistoryKind>,
    /// Of a history state: where it leads while nothing is remembered, a path or a list of paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | string[]"))]
    pub default_target: Option<Names>,
    /// Free data of the author; never read by the rules.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
}

impl State {
    /// A state of this name, about which nothing else is said.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            display_name: None,
            description: None,
            is_initial: None,
            is_terminal: false,
            kind: Kind::Stable,
            permits: Vec::new(),
            entry_conditions: Vec::new(),
            timeout: None,
            on_enter: Vec::new(),
            on_exit: Vec::new(),
            sub_machine: None,
            regions: Vec::new(),
            join_condition: JoinCondition::All,
            required: None,
            history: None,
            default_target: None,
            metadata: Map::new(),
        }
    }

    /// What people read: the display name, else the name.
    #[must_use]
    pub fn title(&self) -> &str {
        self.display_name.as_deref().unwrap_or(&self.name)
    }
}

/// What an object does in a state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It rests; nothing needs to happen.
    #[default]
    Stable,
    /// The system is at work on it; a timeout says for how long at most.
    Transitional,
    /// Something went wrong with it.
    Faulty,
}

impl Kind {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
    fn is_stable(&self) -> bool {
        *self == Self::Stable
    }
}

/// When a state with regions is complete.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JoinCondition {
    /// Every required region has ended.
    #[default]
    All,
    /// The first required region has ended.
    Any,
}

impl JoinCondition {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
    fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// What a history state remembers.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryKind {
    /// The states beside it; what is inside of them starts anew.
    Shallow,
    /// The innermost states.
    Deep,
}

/// What sets a transition off.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Somebody asks for its action.
    #[default]
    Action,
    /// The state is complete: its machine has come to a terminal state, or its regions have joined.
    Completion,
    /// Nothing: it is taken within the step, as soon as its guard holds.
    Automatic,
}

impl Trigger {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
    fn is_action(&self) -> bool {
        *self == Self::Action
    }
}

/// What must be true of an object in a state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EntryCondition {
    /// Unique among the conditions of its state; a refusal and a violation name it.
    pub name: String,
    /// What must be true, written as a guard is. It sees the object's data as they are after the step, and
    /// as `states` those that are active then.
    pub require: String,
    /// What people read where it is not met: what is asked for, as in `a finished job has an end`.
    /// Default: made from the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// When an object has been in a state for too long.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Timeout {
    /// How long after entry: ISO 8601 (`PT30M`) or friendly (`30m`, `1h 30m`, `2d`). Zero is due at once,
    /// in a step of its own.
    pub after: String,
    /// The action that is then decided; a transition of this state must take it.
    pub action: String,
    /// How long before that somebody is told; must be shorter than `after`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify_before: Option<String>,
}

/// One way from a state to a state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// Unique in its machine; what the history calls it.
    pub name: String,
    /// What a button says. Default: the action; without one the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The state, or the states, that it leads out of: names of this machine, or paths to what is inside.
    #[cfg_attr(feature = "tsify", tsify(type = "string | string[]"))]
    pub from_state: Names,
    /// Where it leads: a name or a path, or a list of them into regions. It is looked for as a name among the
    /// states of this machine, then outward; then as a path from the root; then as a path from here, outward.
    /// Absent: nothing is left or entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | string[]"))]
    pub to_state: Option<Names>,
    /// What is asked for: the word in a request, on a button, in an event. Required, unless `trigger` says
    /// otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What sets it off. Default: its action.
    #[serde(default, skip_serializing_if = "Trigger::is_action")]
    #[cfg_attr(feature = "tsify", tsify(type = "Trigger | (string & {})"))]
    pub trigger: Trigger,
    /// What must be true: an expression in CEL over `object`, `ctx` and `states`, the name of an entry of
    /// `guards`, or the name of a function that the host registers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// Permissions that the actor must have, all of them. Only where it is set off by an action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_permissions: Vec<String>,
    /// Names of the side effects of taking it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub side_effects: Vec<String>,
    /// Whether it leaves and enters its state again when it leads back to it or to what is inside, which
    /// restarts the state's clock. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reenter: bool,
    /// Free data of the author; never read by the rules.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
}

impl Transition {
    /// A transition of this name from one state to another, or to none; nothing sets it off yet but its trigger,
    /// whose action is not said.
    #[must_use]
    pub fn between(name: &str, from: &str, to: Option<&str>) -> Self {
        Self {
            name: name.into(),
            display_name: None,
            from_state: from.into(),
            to_state: to.map(Names::from),
            action: None,
            trigger: Trigger::Action,
            guard: None,
            required_permissions: Vec::new(),
            side_effects: Vec::new(),
            reenter: false,
            metadata: Map::new(),
        }
    }

    /// What a button says: the display name, else the action, else the name.
    #[must_use]
    pub fn title(&self) -> &str {
        self.display_name.as_deref().or(self.action.as_deref()).unwrap_or(&self.name)
    }

    /// The action; empty where something else sets it off.
    pub(crate) fn asked(&self) -> &str {
        self.action.as_deref().unwrap_or_default()
    }
}

/// A name or a list of names, kept as it was written.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Names {
    /// One name.
    One(String),
    /// A list of names.
    Many(Vec<String>),
}

impl Names {
    /// The names, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(name) => slice::from_ref(name),
            Self::Many(names) => names,
        }
    }
}

impl From<&str> for Names {
    fn from(name: &str) -> Self {
        Self::One(name.into())
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name or a list of names")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Names, E> {
                Ok(Names::One(name.to_string()))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Names, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(Names::Many)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl Definition {
    /// Reads a definition; whether it makes sense is for `Machine::new` to say.
    ///
    /// # Errors
    ///
    /// One diagnostic, the first fault: the text is not JSON, has not the shape of a definition, or
    /// is larger or deeper than the default [`Limits`].
    pub fn from_json(text: &str) -> Result<Self, InvalidDefinition> {
        Self::from_json_within(text, &Limits::default())
    }

    /// Reads a definition within `limits`.
    ///
    /// # Errors
    ///
    /// As [`Definition::from_json`].
    pub fn from_json_within(text: &str, limits: &Limits) -> Result<Self, InvalidDefinition> {
        text::read(text, limits).map_err(|fault| InvalidDefinition::new(alloc::vec![*fault]))
    }
}

fn yes() -> bool {
    true
}

fn first_version() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The JSON Schema of a definition as text, made from the types of this module.
#[cfg(feature = "schema")]
#[must_use]
pub fn definition_schema() -> String {
    let mut schema = schemars::schema_for!(Definition);
    schema.insert("title".into(), "Veristate definition".into());
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
