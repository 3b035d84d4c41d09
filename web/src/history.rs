//! The class `History`.

use veristate::{DwellOptions, LogRow};
use wasm_bindgen::prelude::*;

use crate::{convert, thrown::Thrown};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * A row as it is given: one that was read, a record of `decide`, or the plain form of one state. A row that has no
 * `row` gets its position, from 1. Further fields are passed over.
 */
export type RowInput = Partial<Omit<LogRow, "object_id" | "timestamp" | "created_at">> & {
    object_id: string;
    timestamp: string | number | Date;
    created_at?: string | number | Date | null;
    /** The one state before; null says that the row created the object. */
    from_state?: string | null;
    /** The one state after. */
    to_state?: string;
    /** The one transition. */
    transition?: string | null;
};
"#;

/// What the rows of one object say: where it was, for how long, and which of them cannot be true. Made by
/// `machine.history`; it never changes.
#[wasm_bindgen]
#[derive(Debug)]
pub struct History(veristate::History);

impl History {
    pub(crate) fn new(
        machine: &veristate::Machine,
        rows: &JsValue,
        options: &JsValue,
    ) -> Result<Self, Thrown> {
        let rows: Vec<LogRow> = convert::list("rows", rows)?;
        Ok(Self(machine.history(&rows, &convert::argument("options", options)?)?))
    }
}

#[wasm_bindgen]
impl History {
    /// The rows in the order of the history.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "LogRow[]")]
    pub fn rows(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(self.0.rows())
    }

    /// The rows that cannot be true, each with its rule and, where there is one, the nearest legal explanation, in the
    /// order of the history.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "RowViolation[]")]
    pub fn violations(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(self.0.violations())
    }

    /// Where the object was at a time: the records up to and at it decide, in the order of the history.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when `at` is no time.
    #[wasm_bindgen(js_name = stateAt, unchecked_return_type = "StateAt")]
    pub fn state_at(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | Date")] at: &JsValue,
    ) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.0.state_at(convert::time("at", at)?))
    }

    /// How long the object was in which state, within a window.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape.
    #[wasm_bindgen(unchecked_return_type = "Dwell")]
    pub fn dwell(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "DwellOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let options: DwellOptions = convert::optional("options", options)?;
        convert::answer_with_data(&self.0.dwell(&options))
    }

    /// Every visit of every state, in the order in which they began; those whose beginning no row tells come first.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "Visit[]")]
    pub fn timeline(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.0.timeline())
    }

    /// How long it took from the first entry of one state to the first entry of another after it.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when a path is no text.
    #[wasm_bindgen(unchecked_return_type = "Cycle")]
    pub fn cycle(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] from: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] to: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let (from, to) = (convert::string("from", from)?, convert::string("to", to)?);
        convert::answer(&self.0.cycle(&from, &to))
    }

    /// What a server would have stored of the object at a time, to ask further; nothing where its states are not known or
    /// are none of this definition.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when `at` is no time.
    #[wasm_bindgen(js_name = snapshotAt, unchecked_return_type = "Snapshot | undefined")]
    pub fn snapshot_at(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | Date")] at: &JsValue,
    ) -> Result<JsValue, Thrown> {
        match self.0.snapshot_at(convert::time("at", at)?) {
            Some(snapshot) => convert::answer_with_data(&snapshot),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The timeouts that have passed by now, in order of time.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "Overdue[]")]
    pub fn overdue(&self) -> Result<JsValue, Thrown> {
        convert::answer(&self.0.overdue())
    }

    /// The card of the object as of now: its state and what that means, since when, on what evidence, the deadlines and
    /// what happens then, what the actor of `ctx` may do, what blocks the rest and which evidence would
    /// authorise it, and why it is stuck.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the context is not of its shape.
    #[wasm_bindgen(unchecked_return_type = "Card")]
    pub fn card(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
    ) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.0.card(&convert::optional("ctx", ctx)?))
    }
}
