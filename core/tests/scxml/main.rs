//! SCXML in and out.

mod export;
mod hostile;
mod import;
mod properties;
mod refusals;
mod shared;

use serde_json::{Value, json};
use veristate::{Definition, InvalidScxml};

/// The definition that an SCXML document means, whose content this is.
#[track_caller]
fn import(attributes: &str, content: &str) -> Definition {
    try_import(attributes, content).unwrap_or_else(|error| panic!("{error}"))
}

fn try_import(attributes: &str, content: &str) -> Result<Definition, InvalidScxml> {
    Definition::from_scxml(&document(attributes, content))
}

/// On one line, so that a column is a place in `content` and 57 more.
fn document(attributes: &str, content: &str) -> String {
    format!("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\"{attributes}>\n{content}\n</scxml>")
}

/// A definition from its states and transitions, and other fields.
#[track_caller]
fn definition(fields: &Value) -> Definition {
    let mut whole = json!({ "object_type": "Thing" });
    let members = whole.as_object_mut().expect("it is an object");
    members.extend(fields.as_object().expect("fields are an object").clone());
    Definition::from_json(&whole.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn as_json(definition: &Definition) -> Value {
    serde_json::to_value(definition).expect("a definition is JSON")
}
