//! The format of a case, as `tests/README.md` describes it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Map, Value, json, value::RawValue};

use crate::{cel::Typed, failure::Fault};

/// What a case is about: the folder that it lies in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// An object and what is done to it.
    Step,
    /// A definition and what is found about it.
    Check,
    /// A definition and its drawings.
    Diagram,
    /// Expressions and what they give.
    Guard,
    /// An expression of the conformance suite of CEL. A file holds many.
    Cel,
    /// A document of SCXML and a script of events.
    Scxml,
    /// A definition and all that can become of it.
    Flat,
    /// The rows of one object and what they prove.
    History,
    /// The same in other people's words. A file holds many.
    Foreign,
    /// A log as text, and the rows that it holds.
    Read,
    /// The rows of many objects and what they come to.
    Log,
    /// Two definitions and what has changed.
    Diff,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Step,
        Self::Check,
        Self::Diagram,
        Self::Guard,
        Self::Cel,
        Self::Scxml,
        Self::Flat,
        Self::History,
        Self::Foreign,
        Self::Read,
        Self::Log,
        Self::Diff,
    ];

    /// The name of the folder; of other people's histories, what stands in its place.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Check => "check",
            Self::Diagram => "diagram",
            Self::Guard => "guard",
            Self::Cel => "cel",
            Self::Scxml => "scxml",
            Self::Flat => "flat",
            Self::History => "history",
            Self::Foreign => "histories",
            Self::Read => "read",
            Self::Log => "log",
            Self::Diff => "diff",
        }
    }

    /// The kind with cases in this folder.
    #[must_use]
    pub fn of_folder(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.folder() == name)
    }
}

/// What all cases say of themselves.
#[derive(Debug, Deserialize)]
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) skip: Map<String, Value>,
}

/// A case about an object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepCase {
    pub(crate) definition: Value,
    #[serde(default)]
    pub(crate) limits: Value,
    #[serde(default)]
    pub(crate) object: Value,
    #[serde(default = "object_1")]
    pub(crate) object_id: String,
    #[serde(default)]
    pub(crate) ctx: Map<String, Value>,
    #[serde(default = "new_year")]
    pub(crate) clock: Value,
    #[serde(default)]
    pub(crate) guards: Map<String, Value>,
    #[serde(default)]
    pub(crate) request: Value,
    pub(crate) start: Option<Map<String, Value>>,
    pub(crate) steps: Vec<StepLine>,
}

/// One step as it is written: it does one thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepLine {
    action: Option<String>,
    advance: Option<String>,
    #[serde(default, deserialize_with = "given")]
    object: Option<Value>,
    guards: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "given")]
    available: Option<Value>,
    permits: Option<String>,
    due: Option<bool>,
    check_object: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    adopt: Option<Value>,
    definition: Option<Value>,
    snapshot: Option<Map<String, Value>>,
    pub(crate) ctx: Option<Map<String, Value>>,
    #[serde(default)]
    pub(crate) request: Value,
    pub(crate) expect: Option<Map<String, Value>>,
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed<'c> {
    Action(&'c str),
    Advance(&'c str),
    Object(&'c Value),
    Guards(&'c Map<String, Value>),
    Available(&'c Value),
    Permits(&'c str),
    Due,
    CheckObject,
    Adopt { mapping: &'c Value, definition: &'c Value },
    Definition(&'c Value),
    Snapshot(&'c Map<String, Value>),
}

impl StepLine {
    /// What the step does, if that is one thing and what stands beside it belongs to it.
    pub(crate) fn deed(&self) -> Result<Deed<'_>, Fault> {
        let deeds = [
            self.action.as_deref().map(Deed::Action),
            self.advance.as_deref().map(Deed::Advance),
            self.object.as_ref().map(Deed::Object),
            self.guards.as_ref().map(Deed::Guards),
            self.available.as_ref().map(Deed::Available),
            self.permits.as_deref().map(Deed::Permits),
            self.due.filter(|due| *due).map(|_| Deed::Due),
            self.check_object.filter(|asked| *asked).map(|_| Deed::CheckObject),
            self.snapshot.as_ref().map(Deed::Snapshot),
            match (&self.adopt, &self.definition) {
                (Some(mapping), Some(definition)) => Some(Deed::Adopt { mapping, definition }),
                (Some(_), None) => return Err(Fault::new("`adopt` needs a `definition`")),
                (None, definition) => definition.as_ref().map(Deed::Definition),
            },
        ];
        let mut deeds = deeds.into_iter().flatten();
        let (Some(deed), None) = (deeds.next(), deeds.next()) else {
            return Err(Fault::new("a step does exactly one thing"));
        };
        let takes_ctx = matches!(
            deed,
            Deed::Action(_) | Deed::Advance(_) | Deed::Available(_) | Deed::CheckObject
        );
        if self.ctx.is_some() && !takes_ctx {
            return Err(Fault::new("this step takes no `ctx`"));
        }
        if !self.request.is_null() && !matches!(deed, Deed::Action(_)) {
            return Err(Fault::new("this step takes no `request`"));
        }
        Ok(deed)
    }
}

/// A case about a definition.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckCase {
    /// As it is written, with its order of fields and its lines.
    pub(crate) definition: Option<Box<RawValue>>,
    pub(crate) text: Option<String>,
    #[serde(default)]
    pub(crate) limits: Value,
    pub(crate) diagnostics: Value,
}

/// A case about drawings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiagramCase {
    pub(crate) definition: Value,
    #[serde(default)]
    pub(crate) options: Value,
    pub(crate) mermaid: Option<Drawing>,
    pub(crate) dot: Option<Drawing>,
    pub(crate) edges: Option<Value>,
}

/// A drawing: its lines, or its whole text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Drawing {
    Lines(Vec<String>),
    Text(String),
}

/// A case about expressions: one, or a table of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuardCase {
    #[serde(default)]
    pub(crate) variables: Map<String, Value>,
    pub(crate) expression: Option<String>,
    pub(crate) expect: Option<Map<String, Value>>,
    pub(crate) examples: Option<Vec<Example>>,
}

/// An expression and what it gives.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    pub(crate) expression: String,
    #[serde(default)]
    pub(crate) variables: Map<String, Value>,
    gives: Option<String>,
    unknown: Option<Causes>,
    invalid: Option<Place>,
    expect: Option<Map<String, Value>>,
}

/// Why an answer is unknown.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Causes {
    Any(bool),
    Codes(Vec<String>),
}

/// Where an expression is wrong.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Place {
    Any(bool),
    /// `line:column`
    At(String),
}

impl Example {
    /// What must be in the answer: fields of it, and where its first diagnostic is.
    pub(crate) fn expected(&self) -> Result<Map<String, Value>, Fault> {
        let unknown = match &self.unknown {
            None => None,
            Some(Causes::Any(true)) => Some(json!({ "status": "unknown" })),
            Some(Causes::Codes(codes)) => {
                let missing: Value = codes.iter().map(|code| json!({ "code": code })).collect();
                Some(json!({ "status": "unknown", "missing": missing }))
            }
            Some(Causes::Any(false)) => return Err(Fault::new("`unknown` is true, or codes")),
        };
        let invalid = match &self.invalid {
            None => None,
            Some(Place::Any(true)) => Some(json!({ "status": "invalid" })),
            Some(Place::At(place)) => Some(json!({ "status": "invalid", "place": place })),
            Some(Place::Any(false)) => return Err(Fault::new("`invalid` is true, or a place")),
        };
        let gives = self.gives.as_ref().map(|text| json!({ "text": text }));
        let expect = self.expect.clone().map(Value::Object);
        let mut ways = [gives, unknown, invalid, expect].into_iter().flatten();
        match (ways.next(), ways.next()) {
            (Some(Value::Object(expected)), None) => Ok(expected),
            _ => {
                Err(Fault::new("an example has one of `gives`, `unknown`, `invalid` and `expect`"))
            }
        }
    }
}

/// A case of the conformance suite of CEL.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CelCase {
    pub(crate) expr: String,
    #[serde(default)]
    pub(crate) bindings: BTreeMap<String, Typed>,
    pub(crate) expect: Option<Typed>,
    #[serde(default)]
    pub(crate) expect_error: bool,
}

/// A document of SCXML and what is played on it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ScxmlCase {
    pub(crate) scxml: String,
    /// The error of an import that must fail.
    pub(crate) error: Option<String>,
    #[serde(default)]
    pub(crate) initial_configuration: BTreeSet<String>,
    #[serde(default)]
    pub(crate) events: Vec<ScxmlEvent>,
}

/// An event, and the ids of the active leaves after it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScxmlEvent {
    pub(crate) event: ScxmlName,
    /// How long is waited before, in milliseconds.
    pub(crate) after: Option<f64>,
    pub(crate) next_configuration: BTreeSet<String>,
}

/// The name of an event.
#[derive(Debug, Deserialize)]
pub(crate) struct ScxmlName {
    pub(crate) name: String,
}

/// A case about all configurations of a machine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlatCase {
    pub(crate) definition: Value,
    #[serde(default)]
    pub(crate) limits: Value,
    /// The names of the flat definition's states.
    pub(crate) states: Option<Value>,
    pub(crate) transitions: Option<Value>,
    pub(crate) routes: Option<Value>,
    pub(crate) vectors: Option<Value>,
    /// The error in place of all these.
    pub(crate) error: Option<String>,
}

/// Reads what all cases have, and the rest of this kind of case.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<(About, T), Fault> {
    let wrong = |error: serde_json::Error| Fault::new(format!("the case cannot be read: {error}"));
    let about: About = serde_json::from_str(text).map_err(wrong)?;
    if about.title.trim().is_empty() || about.source.trim().is_empty() {
        return Err(Fault::new("a case has a `title` and a `source`"));
    }
    let mut rest: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).map_err(wrong)?;
    for field in ["title", "source", "skip"] {
        rest.remove(field);
    }
    // By way of text, since only from there a definition comes as it is written.
    let rest = serde_json::to_string(&rest).map_err(wrong)?;
    Ok((about, serde_json::from_str(&rest).map_err(wrong)?))
}

fn object_1() -> String {
    "object-1".into()
}

fn new_year() -> Value {
    "2026-01-01T00:00:00Z".into()
}

/// A value that is there, even if it is null.
pub(crate) fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
