//! The functions `readRecords` and `detectFormat`.

use veristate::{ReadOptions, RecordFormat};
use wasm_bindgen::prelude::*;

use crate::{bytes, convert, thrown::Thrown};

/// Reads a log that is in memory as a whole: the rows that can be used, and those that cannot, with their reason. What
/// is in the text is never an error.
///
/// # Errors
///
/// Throws `invalid-argument` for a format that there is not, and for options that cannot be followed.
#[wasm_bindgen(js_name = readRecords, unchecked_return_type = "Records")]
pub fn read_records(
    #[wasm_bindgen(unchecked_param_type = "Uint8Array | string")] log: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "RecordFormat")] format: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<ReadOptions>")] options: &JsValue,
) -> Result<JsValue, Thrown> {
    let bytes = bytes::bytes_or_text("log", log)?;
    let (format, options) = (self::format(format)?, self::options(options)?);
    convert::answer_with_data(&veristate::read_records(&bytes, format, &options)?)
}

/// The format of a log that starts so: the ending of the file's name decides, else its first character. Some kilobytes
/// are enough.
///
/// # Errors
///
/// Throws `invalid-argument` when `log` is neither a text nor bytes, or `name` is no text.
#[wasm_bindgen(js_name = detectFormat, unchecked_return_type = "RecordFormat")]
pub fn detect_format(
    #[wasm_bindgen(unchecked_param_type = "Uint8Array | string")] log: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "string | null")] name: &JsValue,
) -> Result<JsValue, Thrown> {
    let bytes = bytes::bytes_or_text("log", log)?;
    let name = match name.is_undefined() || name.is_null() {
        true => None,
        false => Some(convert::string("name", name)?),
    };
    convert::answer(&RecordFormat::detect(&bytes, name.as_deref()))
}

pub(crate) fn format(value: &JsValue) -> Result<RecordFormat, Thrown> {
    let name = convert::string("format", value)?;
    serde_json::from_value(name.into()).map_err(|_| {
        Thrown::new("invalid-argument", "`format` must be `json`, `json_lines`, `csv` or `xes`")
    })
}

pub(crate) fn options(value: &JsValue) -> Result<ReadOptions, Thrown> {
    convert::optional("options", value)
}
