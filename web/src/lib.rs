//! JavaScript bindings for `veristate`: the npm package of that name.
//!
//! Every function converts its arguments, calls the core once and converts
//! the result. Logic, defaults and messages belong in the core.

mod bytes;
mod columns;
mod convert;
mod evaluate;
mod guard;
mod history;
mod instance;
mod interchange;
mod log;
mod machine;
mod reading;
mod thrown;

use wasm_bindgen::prelude::*;

pub use evaluate::evaluate;
pub use history::History;
pub use instance::Instance;
pub use interchange::{from_scxml, from_xstate};
pub use log::{Log, LogReader};
pub use machine::Machine;
pub use reading::{detect_format, read_records};
pub use thrown::Thrown;

/// Reads and checks a definition: everything that is found, in document order. Never throws for a bad
/// definition: a text that is no definition is a finding, too.
///
/// # Errors
///
/// Throws `invalid-argument` when `text` is no text or `limits` not of its shape.
#[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
pub fn check(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
) -> Result<JsValue, Thrown> {
    let text = convert::string("text", text)?;
    convert::answer(&veristate::check(&text, &convert::optional("limits", limits)?))
}

/// The JSON Schema of a definition, for editors.
///
/// # Errors
///
/// None that a caller can bring about.
#[wasm_bindgen(unchecked_return_type = "object")]
pub fn schema() -> Result<JsValue, Thrown> {
    convert::json(veristate::DEFINITION_SCHEMA)
}

/// The version of this package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
