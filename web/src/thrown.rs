//! Errors on their way to JavaScript: always a real `Error`, with a name and a code.

use js_sys::{Error, Reflect};
use veristate::{
    AdoptError, DecideError, FlattenError, ForeignSnapshot, HistoryError, InvalidDefinition,
    InvalidReadOptions, InvalidScxml, InvalidXstate, LogError, SimulateError, StartError, TooDeep,
    UnknownGuard,
};
use wasm_bindgen::prelude::*;

use crate::convert;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What every function of this package throws. */
export interface VeristateError extends Error {
    name: "VeristateError";
    /** The stable name of the cause. */
    code: ErrorCode;
    /**
     * Everything that was found; there for `invalid-definition`, `invalid-scxml` and `invalid-xstate`. A finding about
     * SCXML has no pointer.
     */
    diagnostics?: (Diagnostic | (ImportDiagnostic & { pointer?: undefined }))[];
}
/** The causes of errors. */
export type ErrorCode =
    | "invalid-argument" | "invalid-definition" | "foreign-snapshot" | "missing-timestamp"
    | "invalid-scxml" | "invalid-xstate"
    | "empty-object-id" | "unknown-guard" | "unmapped-state" | "invalid-script" | "limit-exceeded" | "busy"
    | "mixed-objects";
"#;

/// An error on its way to JavaScript.
#[derive(Debug)]
pub struct Thrown(Error);

impl Thrown {
    pub(crate) fn new(code: &str, message: &str) -> Self {
        let error = Error::new(message);
        error.set_name("VeristateError");
        let thrown = Self(error);
        thrown.set("code", &code.into());
        thrown
    }

    fn set(&self, field: &str, value: &JsValue) {
        // A fresh Error takes every property.
        _ = Reflect::set(&self.0, &field.into(), value);
    }
}

/// What a thrown value says of itself. Its getters are a stranger's code, which may throw again.
pub(crate) fn message(thrown: &JsValue) -> String {
    let own = || Reflect::get(thrown, &"message".into()).ok()?.as_string();
    thrown.as_string().or_else(own).unwrap_or_else(|| "a value that is no error".into())
}

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        thrown.0.into()
    }
}

/// An error of the core with everything that was found.
macro_rules! thrown_with_diagnostics {
    ($($error:ident),*) => {
        $(impl From<$error> for Thrown {
            fn from(error: $error) -> Self {
                let thrown = Self::new(error.code(), &error.to_string());
                if let Ok(diagnostics) = convert::answer(error.diagnostics()) {
                    thrown.set("diagnostics", &diagnostics);
                }
                thrown
            }
        })*
    };
}

thrown_with_diagnostics!(InvalidDefinition, InvalidScxml, InvalidXstate);

/// An error of the core: its code and its sentence.
macro_rules! thrown {
    ($($error:ident),*) => {
        $(impl From<$error> for Thrown {
            fn from(error: $error) -> Self {
                Self::new(error.code(), &error.to_string())
            }
        })*
    };
}

thrown!(
    AdoptError,
    DecideError,
    FlattenError,
    ForeignSnapshot,
    HistoryError,
    InvalidReadOptions,
    LogError,
    SimulateError,
    StartError,
    TooDeep,
    UnknownGuard
);
