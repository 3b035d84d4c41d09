//! The functions `fromScxml` and `fromXstate`.

use std::cell::RefCell;

use js_sys::JSON;
use veristate::{Definition, InvalidXstate, Limits};
use wasm_bindgen::prelude::*;

use crate::{convert, thrown::Thrown};

/// Translates an SCXML document into a definition with the same behaviour. Whether it makes sense here is for
/// `check` and `new Machine` to say.
///
/// # Errors
///
/// Throws `invalid-scxml`, with everything that has no counterpart in `diagnostics`.
#[wasm_bindgen(js_name = fromScxml, unchecked_return_type = "Definition")]
pub fn from_scxml(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
) -> Result<JsValue, Thrown> {
    let text = convert::string("text", text)?;
    let limits: Limits = convert::optional("limits", limits)?;
    convert::answer_with_data(&Definition::from_scxml_within(&text, &limits)?)
}

/// Translates a machine of XState 5, as it is passed to `createMachine` or as its JSON text, into a definition with
/// the same behaviour. As text, findings have lines and columns, and names that are whole numbers keep their order.
///
/// # Errors
///
/// Throws `invalid-xstate`, with everything that has no counterpart in `diagnostics`; `invalid-argument` when the
/// config holds a function: guards and actions are names here.
#[wasm_bindgen(js_name = fromXstate, unchecked_return_type = "Definition")]
pub fn from_xstate(
    #[wasm_bindgen(unchecked_param_type = "string | object")] config: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
) -> Result<JsValue, Thrown> {
    let limits: Limits = convert::optional("limits", limits)?;
    let definition = match config.as_string() {
        Some(text) => Definition::from_xstate_within(&text, &limits)?,
        None => Definition::from_xstate_within(&json(config)?, &limits)
            .map_err(InvalidXstate::without_lines)?,
    };
    convert::answer_with_data(&definition)
}

/// The JSON of a config without functions: `JSON.stringify` alone would drop them in silence.
fn json(config: &JsValue) -> Result<String, Thrown> {
    let function: RefCell<Option<String>> = RefCell::new(None);
    let text = {
        let note = |key: JsValue, value: JsValue| {
            if value.is_function() {
                function.borrow_mut().get_or_insert(key.as_string().unwrap_or_default());
            }
            value
        };
        let replacer = ScopedClosure::borrow(&note);
        JSON::stringify_with_replacer(config, replacer.as_js_value())
    };
    if let Some(key) = function.into_inner() {
        let message = format!(
            "`config` holds a function at `{key}`: name guards and actions, and register guards with the machine"
        );
        return Err(Thrown::new("invalid-argument", &message));
    }
    let text = text.ok().and_then(|text| text.as_string());
    text.ok_or_else(|| Thrown::new("invalid-argument", "`config` is no JSON"))
}
