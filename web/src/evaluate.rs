//! The function `evaluate`.

use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;

use crate::{convert, thrown::Thrown};

/// Evaluates an expression on variables: true, false, a value, or unknown and why. Never throws for a bad
/// expression: what is no expression is an answer, too.
///
/// # Errors
///
/// Throws `invalid-argument` when `expression` is no text or `variables` no object.
#[wasm_bindgen(unchecked_return_type = "Evaluation")]
pub fn evaluate(
    #[wasm_bindgen(unchecked_param_type = "string")] expression: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "object | null")] variables: &JsValue,
) -> Result<JsValue, Thrown> {
    let expression = convert::string("expression", expression)?;
    let variables: Map<String, Value> = convert::optional("variables", variables)?;
    convert::answer_with_data(&veristate::evaluate(&expression, &variables))
}
