//! The class `Machine`.

use std::{cell::RefCell, collections::BTreeMap};

use js_sys::Function;
use veristate::{Definition, Limits};
use wasm_bindgen::prelude::*;

use crate::{convert, guard, history::History, instance::Instance, log::Log, thrown::Thrown};

/// A definition that has been checked. Apart from the guards that are registered it never changes, so
/// one machine serves all objects.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Machine(RefCell<veristate::Machine>);

impl Machine {
    /// The machine for one call. A guard may register another guard meanwhile; the call does not see it.
    pub(crate) fn core(&self) -> veristate::Machine {
        self.0.borrow().clone()
    }
}

#[wasm_bindgen]
impl Machine {
    /// Checks a definition, given as text or as an object.
    ///
    /// # Errors
    ///
    /// Throws `invalid-definition` with every finding in `diagnostics`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "string | Definition")] definition: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
    ) -> Result<Self, Thrown> {
        let limits: Limits = convert::optional("limits", limits)?;
        let machine = match definition.as_string() {
            Some(text) => veristate::Machine::from_json_within(&text, &limits)?,
            None => {
                Definition::from_json_within(&convert::text("definition", definition)?, &limits)
                    .and_then(|definition| veristate::Machine::new_within(definition, &limits))
                    .map_err(veristate::InvalidDefinition::without_positions)?
            }
        };
        Ok(Self(RefCell::new(machine)))
    }

    /// The definition as it was read: what says the default is left out.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(getter, unchecked_return_type = "Definition")]
    pub fn definition(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(self.core().definition())
    }

    /// What was found about the definition: warnings and information.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(getter, unchecked_return_type = "Diagnostic[]")]
    pub fn diagnostics(&self) -> Result<JsValue, Thrown> {
        convert::answer(self.core().diagnostics())
    }

    /// The paths of all states, in document order. An instance takes the position as the state's number.
    #[must_use]
    pub fn states(&self) -> Vec<String> {
        self.core().states().to_vec()
    }

    /// All states in document order with where they stand and what they are made of, for those who show them.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "StateOutline[]")]
    pub fn outline(&self) -> Result<JsValue, Thrown> {
        convert::answer(&self.core().outline())
    }

    /// All actions, in the order in which the document first names them. An instance takes the position
    /// as the action's number.
    #[must_use]
    pub fn actions(&self) -> Vec<String> {
        self.core().actions().map(str::to_owned).collect()
    }

    /// All permissions that a transition asks for, each once.
    #[must_use]
    pub fn permissions(&self) -> Vec<String> {
        self.core().permissions().into_iter().map(str::to_owned).collect()
    }

    /// All operations that a state permits, each once.
    #[must_use]
    pub fn operations(&self) -> Vec<String> {
        self.core().operations().into_iter().map(str::to_owned).collect()
    }

    /// The guards that the host must register.
    #[wasm_bindgen(js_name = hostGuards)]
    #[must_use]
    pub fn host_guards(&self) -> Vec<String> {
        self.core().host_guards().map(str::to_owned).collect()
    }

    /// The arrows of the diagram that is drawn with the same options, with the ids by which a page finds
    /// them.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape.
    #[wasm_bindgen(unchecked_return_type = "Edge[]")]
    pub fn edges(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "DiagramOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        convert::answer(&self.core().edges_within(&convert::optional("options", options)?))
    }

    /// Registers the function behind a guard, in place of an earlier one. It is given copies, and
    /// answers with a boolean; one that throws or returns anything else makes the guard unknown.
    ///
    /// # Errors
    ///
    /// Throws `unknown-guard` when nothing in the definition asks a guard of that name.
    #[wasm_bindgen(js_name = registerGuard)]
    pub fn register_guard(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
        #[wasm_bindgen(
            unchecked_param_type = "(object: any, ctx: Required<Context>, states: string[]) => boolean"
        )]
        guard: &JsValue,
    ) -> Result<(), Thrown> {
        let name = convert::string("name", name)?;
        let guard = guard.dyn_ref::<Function>().cloned();
        let guard =
            guard.ok_or_else(|| Thrown::new("invalid-argument", "`guard` must be a function"))?;
        Ok(self.0.borrow_mut().register_guard(&name, guard::guard(guard))?)
    }

    /// Whether a transition leads from one state to the other: the bare table, without guards and
    /// permissions. False for states that there are not.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when a path is no text.
    #[wasm_bindgen(js_name = canTransition)]
    pub fn can_transition(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] from: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] to: &JsValue,
    ) -> Result<bool, Thrown> {
        let (from, to) = (convert::string("from", from)?, convert::string("to", to)?);
        Ok(self.0.borrow().can_transition(&from, &to))
    }

    /// Creates an object: a full step from nothing into the initial state. Refused when its data do not
    /// meet the entry conditions of that state.
    ///
    /// # Errors
    ///
    /// Throws `missing-timestamp` or `empty-object-id`.
    #[wasm_bindgen(unchecked_return_type = "Decision")]
    pub fn start(
        &self,
        #[wasm_bindgen(unchecked_param_type = "NewObject")] new_object: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let new_object = convert::argument("object", new_object)?;
        let (ctx, request) =
            (convert::optional("ctx", ctx)?, convert::optional("request", request)?);
        convert::answer_with_data(&self.core().start(&new_object, &ctx, &request)?)
    }

    /// The actions of the object's state: enabled, disabled or unknown, with every reason; with
    /// `{ all: true }` every action of the machine. It can never disagree with `decide`.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(unchecked_return_type = "Availability[]")]
    pub fn available(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "AvailableOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let snapshot = convert::argument("snapshot", snapshot)?;
        let (ctx, options) =
            (convert::optional("ctx", ctx)?, convert::optional("options", options)?);
        convert::answer(&self.core().available(&snapshot, &ctx, &options)?)
    }

    /// Whether `decide` would accept the action. An unknown guard is no yes.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    pub fn can(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] action: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
    ) -> Result<bool, Thrown> {
        Ok(self.core().can(
            &convert::argument("snapshot", snapshot)?,
            &convert::string("action", action)?,
            &convert::optional("ctx", ctx)?,
        )?)
    }

    /// What each guard of the object's state says and what it read, in document order: the guards of the
    /// transitions, each followed by the entry conditions of its target.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(unchecked_return_type = "GuardAnswer[]")]
    pub fn guards(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let snapshot = convert::argument("snapshot", snapshot)?;
        let (ctx, request) =
            (convert::optional("ctx", ctx)?, convert::optional("request", request)?);
        convert::answer_with_data(&self.core().guards(&snapshot, &ctx, &request)?)
    }

    /// Evaluates an expression on an object as a guard of this machine would see it: `object`, `ctx` and
    /// `states`, and the guards of the definition by name. The answer may be any value.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(unchecked_return_type = "Evaluation")]
    pub fn evaluate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] expression: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let expression = convert::string("expression", expression)?;
        let snapshot = convert::argument("snapshot", snapshot)?;
        let ctx = convert::optional("ctx", ctx)?;
        convert::answer_with_data(&self.core().evaluate(&expression, &snapshot, &ctx)?)
    }

    /// The data that the guards and entry conditions read, by path: what an editor of an object completes.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "Input[]")]
    pub fn inputs(&self) -> Result<JsValue, Thrown> {
        convert::answer(&self.core().inputs())
    }

    /// Whether the object accepts an operation, which is no transition, in its present state.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(unchecked_return_type = "Permit")]
    pub fn permits(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] operation: &JsValue,
    ) -> Result<JsValue, Thrown> {
        convert::answer(&self.core().permits(
            &convert::argument("snapshot", snapshot)?,
            &convert::string("operation", operation)?,
        )?)
    }

    /// The entry conditions of its present state that the object breaks. One that came here by `decide`
    /// breaks none, unless its data, the context or the definition has changed since.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(js_name = checkObject, unchecked_return_type = "Violation[]")]
    pub fn check_object(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let snapshot = convert::argument("snapshot", snapshot)?;
        convert::answer(&self.core().check_object(&snapshot, &convert::optional("ctx", ctx)?)?)
    }

    /// Decides one action and changes nothing. That an action may not be done is no error but a refusal.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` or `missing-timestamp`.
    #[wasm_bindgen(unchecked_return_type = "Decision")]
    pub fn decide(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] action: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Context")] ctx: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Request")] request: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let snapshot = convert::argument("snapshot", snapshot)?;
        let action = convert::string("action", action)?;
        let (ctx, request) =
            (convert::optional("ctx", ctx)?, convert::optional("request", request)?);
        convert::answer_with_data(&self.core().decide(&snapshot, &action, &ctx, &request)?)
    }

    /// What is due at `now`, in order of time. Nothing is carried out.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(unchecked_return_type = "Due[]")]
    pub fn due(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | number | Date")] now: &JsValue,
    ) -> Result<JsValue, Thrown> {
        convert::answer(
            &self
                .core()
                .due(&convert::argument("snapshot", snapshot)?, convert::time("now", now)?)?,
        )
    }

    /// Everything that the object's state asks for at a time, due or not, in order of time.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    #[wasm_bindgen(unchecked_return_type = "Due[]")]
    pub fn deadlines(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
    ) -> Result<JsValue, Thrown> {
        convert::answer(&self.core().deadlines(&convert::argument("snapshot", snapshot)?)?)
    }

    /// Plays a script and returns everything that happened. A refusal is part of the trace.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot`, `missing-timestamp`, `invalid-script` or `limit-exceeded`.
    #[wasm_bindgen(unchecked_return_type = "Trace")]
    pub fn simulate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Context")] ctx: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "ScriptStep[]")] script: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let (snapshot, ctx) =
            (convert::argument("snapshot", snapshot)?, convert::optional("ctx", ctx)?);
        let script: Vec<veristate::ScriptStep> = convert::list("script", script)?;
        convert::answer_with_data(&self.core().simulate(&snapshot, &ctx, &script)?)
    }

    /// The same object under this version of the definition; `mapping` gives a new path for the states
    /// that have another one here.
    ///
    /// # Errors
    ///
    /// Throws `unmapped-state` or `foreign-snapshot`.
    #[wasm_bindgen(unchecked_return_type = "Snapshot")]
    pub fn adopt(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, string>")] mapping: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let mapping: BTreeMap<String, String> = convert::optional("mapping", mapping)?;
        convert::answer_with_data(
            &self.core().adopt(&convert::argument("snapshot", snapshot)?, &mapping)?,
        )
    }

    /// Keeps a snapshot inside, for programs that ask often. Guards that are registered later are not
    /// seen by it.
    ///
    /// # Errors
    ///
    /// Throws `foreign-snapshot` when the snapshot does not belong to this machine.
    pub fn instance(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Snapshot")] snapshot: &JsValue,
    ) -> Result<Instance, Thrown> {
        Ok(Instance::new(self.core().instance(convert::argument("snapshot", snapshot)?)?))
    }

    /// What `other`, a newer version, changes of this machine's definition, and which changes break something: first the
    /// definition itself, then its states, transitions, orders, guards and actions.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "Change[]")]
    pub fn diff(&self, other: &Machine) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.core().diff(&other.core()))
    }

    /// Reads the history of one object, in any order of rows; `now` is needed. No rows at all are the history of an
    /// object that never moved.
    ///
    /// # Errors
    ///
    /// Throws `mixed-objects` when the rows are of several objects, `invalid-argument` for what is no row.
    pub fn history(
        &self,
        #[wasm_bindgen(unchecked_param_type = "RowInput[]")] rows: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "HistoryOptions")] options: &JsValue,
    ) -> Result<History, Thrown> {
        History::new(&self.core(), rows, options)
    }

    /// A log without records that asks this machine: the columns of many objects, statistics out. A guard that is
    /// registered later is not seen by it.
    #[must_use]
    pub fn log(&self) -> Log {
        Log::of(Some(self.core()))
    }

    /// The diagram in Mermaid.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape.
    #[wasm_bindgen(js_name = toMermaid)]
    pub fn to_mermaid(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "DiagramOptions")] options: &JsValue,
    ) -> Result<String, Thrown> {
        Ok(self.core().to_mermaid(&convert::optional("options", options)?))
    }

    /// The diagram in Graphviz DOT.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape.
    #[wasm_bindgen(js_name = toDot)]
    pub fn to_dot(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "DiagramOptions")] options: &JsValue,
    ) -> Result<String, Thrown> {
        Ok(self.core().to_dot(&convert::optional("options", options)?))
    }

    /// A flat definition that goes the same ways: a state for each configuration that can be reached, with
    /// guards left open. Timeouts are left out.
    ///
    /// # Errors
    ///
    /// Throws `limit-exceeded` when there are more configurations than the limit `configurations`.
    #[wasm_bindgen(unchecked_return_type = "Definition")]
    pub fn flatten(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let limits = convert::optional("limits", limits)?;
        convert::answer_with_data(&self.core().flatten(&limits)?)
    }

    /// For each configuration that can be reached the fewest actions that lead there, with guards left open.
    ///
    /// # Errors
    ///
    /// Throws `limit-exceeded` when there are more configurations than the limit `configurations`.
    #[wasm_bindgen(unchecked_return_type = "Route[]")]
    pub fn routes(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let limits = convert::optional("limits", limits)?;
        convert::answer(&self.core().routes(&limits)?)
    }

    /// A few action sequences that take every transition which can be taken, with what must come of each
    /// action: for another system to run.
    ///
    /// # Errors
    ///
    /// Throws `limit-exceeded` when there are more configurations than the limit `configurations`.
    #[wasm_bindgen(js_name = testVectors, unchecked_return_type = "TestVectors")]
    pub fn test_vectors(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let limits = convert::optional("limits", limits)?;
        convert::answer_with_data(&self.core().test_vectors(&limits)?)
    }

    /// The machine as an SCXML document, for other engines. `leftOut("scxml")` says what SCXML cannot say.
    #[wasm_bindgen(js_name = toScxml)]
    #[must_use]
    pub fn to_scxml(&self) -> String {
        self.core().to_scxml().text
    }

    /// The machine as a config of XState 5, for `createMachine`. `leftOut("xstate")` says what XState cannot say.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(js_name = toXstate, unchecked_return_type = "Record<string, any>")]
    pub fn to_xstate(&self) -> Result<JsValue, Thrown> {
        convert::json(&self.core().to_xstate().config)
    }

    /// What an export is without, since the other format has no words for it; empty where it behaves the same.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` for a format that is neither `scxml` nor `xstate`.
    #[wasm_bindgen(js_name = leftOut, unchecked_return_type = "LeftOut[]")]
    pub fn left_out(
        &self,
        #[wasm_bindgen(unchecked_param_type = "\"scxml\" | \"xstate\"")] format: &JsValue,
    ) -> Result<JsValue, Thrown> {
        match convert::string("format", format)?.as_str() {
            "scxml" => convert::answer(&self.core().to_scxml().left_out),
            "xstate" => convert::answer(&self.core().to_xstate().left_out),
            _ => Err(Thrown::new("invalid-argument", "`format` must be `scxml` or `xstate`")),
        }
    }

    /// The action that an event of SCXML stands for in a machine that came from there: the event itself, else its
    /// longest leading tokens that are an action (`order` for `order.paid`), else `*`, else nothing.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the event is no text.
    #[wasm_bindgen(js_name = actionForEvent)]
    pub fn action_for_event(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] event: &JsValue,
    ) -> Result<Option<String>, Thrown> {
        let event = convert::string("event", event)?;
        Ok(self.core().action_for_event(&event).map(str::to_owned))
    }

    /// The action that an event of XState stands for in a machine that came from there: the event itself, else the
    /// longest wildcard that matches it (`pay.*` for `pay.card`), else `*`, else nothing.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the event is no text.
    #[wasm_bindgen(js_name = actionForXstateEvent)]
    pub fn action_for_xstate_event(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] event: &JsValue,
    ) -> Result<Option<String>, Thrown> {
        let event = convert::string("event", event)?;
        Ok(self.core().action_for_xstate_event(&event).map(str::to_owned))
    }
}
