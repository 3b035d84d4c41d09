//! The class `Instance`.

use std::cell::RefCell;

use veristate::{ActionId, Refused, StateId};
use wasm_bindgen::prelude::*;

use crate::{convert, thrown::Thrown};

/// One object that lives in memory, for programs that ask often. States and actions are numbers:
/// positions in `machine.states()` and `machine.actions()`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Instance {
    core: RefCell<veristate::Instance>,
    refusal: RefCell<Option<Box<Refused>>>,
}

impl Instance {
    pub(crate) fn new(instance: veristate::Instance) -> Self {
        Self { core: RefCell::new(instance), refusal: RefCell::new(None) }
    }
}

#[wasm_bindgen]
impl Instance {
    /// Who acts from now on. `can` asks for the time of the context, `apply` for its own.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the context is not of its shape, `busy` inside of a guard.
    #[wasm_bindgen(js_name = setContext)]
    pub fn set_context(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Context")] ctx: &JsValue,
    ) -> Result<(), Thrown> {
        let ctx = convert::argument("ctx", ctx)?;
        self.change(|core| core.set_context(ctx))
    }

    /// The object's data from now on; the next record carries it.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the data is no JSON, `busy` inside of a guard.
    #[wasm_bindgen(js_name = setObject)]
    pub fn set_object(&self, object: &JsValue) -> Result<(), Thrown> {
        let object = convert::data("object", object)?;
        Ok(self.change(|core| core.set_object(object))??)
    }

    /// The number of the active state; of several innermost ones the first, see `leaves`.
    #[must_use]
    pub fn state(&self) -> u32 {
        self.core.borrow().state().number()
    }

    /// The numbers of the innermost active states, in document order: one for each region.
    #[must_use]
    pub fn leaves(&self) -> Vec<u32> {
        self.core.borrow().leaves().map(StateId::number).collect()
    }

    /// Whether the state with this number is active, or one inside of it.
    #[wasm_bindgen(js_name = isIn)]
    #[must_use]
    pub fn is_in(&self, state: f64) -> bool {
        self.core.borrow().is_in(StateId::from_number(convert::number(state)))
    }

    /// Whether `apply` would take the action with this number. An unknown guard is no yes.
    #[must_use]
    pub fn can(&self, action: f64) -> bool {
        self.core.borrow().can(ActionId::from_number(convert::number(action)))
    }

    /// Takes the action with this number at a time in milliseconds since 1970, as `decide` would decide
    /// it. False: nothing has happened, and `refusal()` says why.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when `at` is no time, `busy` inside of a guard.
    pub fn apply(&self, action: f64, at: f64) -> Result<bool, Thrown> {
        let at = convert::millis("at", at)?;
        // Guards run in the first half, which leaves the instance readable for them.
        let proposal =
            self.core.borrow().propose(ActionId::from_number(convert::number(action)), at);
        let refusal = match proposal {
            Ok(proposal) => {
                self.change(|core| core.commit(proposal))?;
                None
            }
            Err(refusal) => Some(refusal),
        };
        let taken = refusal.is_none();
        self.refusal.replace(refusal);
        Ok(taken)
    }

    /// Why the last `apply` was refused; nothing if it was not.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "Refused | undefined")]
    pub fn refusal(&self) -> Result<JsValue, Thrown> {
        match self.refusal.borrow().as_deref() {
            Some(refused) => convert::answer(refused),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The object as a store would keep it now.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "Snapshot")]
    pub fn snapshot(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.core.borrow().snapshot())
    }

    /// The records of the steps since the last call, in order. A store that takes the snapshot without
    /// them loses history and side effects.
    ///
    /// # Errors
    ///
    /// Throws `busy` inside of a guard.
    #[wasm_bindgen(js_name = takeRecords, unchecked_return_type = "HistoryRecord[]")]
    pub fn take_records(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.change(veristate::Instance::take_records)?)
    }

    /// A guard that runs during `apply` may ask the instance, but not change it.
    fn change<T>(&self, change: impl FnOnce(&mut veristate::Instance) -> T) -> Result<T, Thrown> {
        match self.core.try_borrow_mut() {
            Ok(mut core) => Ok(change(&mut core)),
            Err(_) => Err(Thrown::new(
                "busy",
                "a guard of this instance is being asked; it cannot be changed now",
            )),
        }
    }
}
