//! Errors on their way to JavaScript: always a real `Error`, with a name and a code.

use js_sys::{Error, Reflect};
use veristate::{
    AdoptError, DecideError, ForeignSnapshot, InvalidDefinition, SimulateError, StartError,
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
    /** Everything that was found; there for `invalid-definition`. */
    diagnostics?: Diagnostic[];
}
/** The causes of errors. */
export type ErrorCode =
    | "invalid-argument" | "invalid-definition" | "foreign-snapshot" | "missing-timestamp"
    | "empty-object-id" | "unknown-guard" | "unmapped-state" | "invalid-script" | "limit-exceeded" | "busy";
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

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        thrown.0.into()
    }
}

impl From<InvalidDefinition> for Thrown {
    fn from(error: InvalidDefinition) -> Self {
        let thrown = Self::new("invalid-definition", &error.to_string());
        if let Ok(diagnostics) = convert::answer(error.diagnostics()) {
            thrown.set("diagnostics", &diagnostics);
        }
        thrown
    }
}

impl From<ForeignSnapshot> for Thrown {
    fn from(error: ForeignSnapshot) -> Self {
        Self::new("foreign-snapshot", &error.to_string())
    }
}

impl From<StartError> for Thrown {
    fn from(error: StartError) -> Self {
        let code = match error {
            StartError::EmptyObjectId => "empty-object-id",
            _ => "missing-timestamp",
        };
        Self::new(code, &error.to_string())
    }
}

impl From<DecideError> for Thrown {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::ForeignSnapshot(error) => error.into(),
            error => Self::new("missing-timestamp", &error.to_string()),
        }
    }
}

impl From<SimulateError> for Thrown {
    fn from(error: SimulateError) -> Self {
        match error {
            SimulateError::Decide(error) => error.into(),
            SimulateError::LimitExceeded { .. } => Self::new("limit-exceeded", &error.to_string()),
            error => Self::new("invalid-script", &error.to_string()),
        }
    }
}

impl From<AdoptError> for Thrown {
    fn from(error: AdoptError) -> Self {
        match error {
            AdoptError::ForeignSnapshot(error) => error.into(),
            error => Self::new("unmapped-state", &error.to_string()),
        }
    }
}

impl From<UnknownGuard> for Thrown {
    fn from(error: UnknownGuard) -> Self {
        Self::new("unknown-guard", &error.to_string())
    }
}
