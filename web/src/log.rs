//! The class `Log`, and the reader that fills one.

use std::{
    cell::{Ref, RefCell, RefMut},
    rc::Rc,
};

use serde::Deserialize;
use veristate::{LogColumns, LogOptions, LogRead, RecordReader, Time};
use wasm_bindgen::prelude::*;

use crate::{bytes, columns, convert, machine::Machine, reading, thrown::Thrown};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An object that a log knows beside its rows: one that never moved is in its initial state since its creation. */
export interface LogObject {
    object_id: string;
    created_at?: string | number | Date | null;
    tenant_id?: string | null;
}
/** Records in columns of one length, as programs hold them. Only flat machines have such. */
export interface Columns {
    /** The ids of the objects that `object` counts. Left out: `object` counts the objects of the log. */
    objects?: string[];
    /** For each record its object: a position in `objects`. */
    object: Uint32Array;
    /** When, in microseconds since 1970. */
    time: BigInt64Array;
    /** The state before: a position in `states`; -1 for a creation. Left out: the log does not know it. */
    from?: Int32Array;
    /** The state after: a position in `states`. */
    to: Int32Array;
    /** The place in the history of the object. Left out: the order of the records. */
    sequence?: BigUint64Array | Uint32Array;
    /** The paths of the states. Left out: `machine.states()`. */
    states?: string[];
}
"#;

/// The records of many objects, in columns: filled with rows, files or typed arrays, asked with one pass over all.
///
/// It keeps the names of states as they are; what they mean is asked of its machine, which may be another one later.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Log {
    core: Shared,
    machine: RefCell<Option<veristate::Machine>>,
}

/// The records; none while a reader has them.
type Shared = Rc<RefCell<Option<veristate::Log>>>;

/// An object that a log knows beside its rows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LogObject {
    object_id: String,
    #[serde(default)]
    created_at: Option<Time>,
    #[serde(default)]
    tenant_id: Option<String>,
}

impl Log {
    pub(crate) fn of(machine: Option<veristate::Machine>) -> Self {
        let core = Rc::new(RefCell::new(Some(veristate::Log::new())));
        Self { core, machine: RefCell::new(machine) }
    }

    /// The machine that questions are about.
    fn machine(&self) -> Result<Ref<'_, veristate::Machine>, Thrown> {
        Ref::filter_map(self.machine.borrow(), Option::as_ref).map_err(|_| {
            Thrown::new("invalid-argument", "the log has no machine: give it one with `use`")
        })
    }

    /// The log as it is.
    fn core(&self) -> Result<Ref<'_, veristate::Log>, Thrown> {
        Ref::filter_map(self.core.borrow(), Option::as_ref).map_err(|_| busy())
    }

    fn change(&self) -> Result<RefMut<'_, veristate::Log>, Thrown> {
        RefMut::filter_map(self.core.borrow_mut(), Option::as_mut).map_err(|_| busy())
    }

    /// The log, in the order of histories: put into it once, and not at each question.
    fn settled(&self) -> Result<Ref<'_, veristate::Log>, Thrown> {
        self.change()?.settle();
        self.core()
    }
}

fn busy() -> Thrown {
    Thrown::new("busy", "a reader fills this log: call `end` of the reader first")
}

#[wasm_bindgen]
impl Log {
    /// A log without records and without a machine; `machine.log()` makes one with a machine.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::of(None)
    }

    /// Takes this machine for all questions from now on. The records stay.
    #[wasm_bindgen(js_name = use)]
    pub fn take_machine(&self, machine: &Machine) {
        self.machine.replace(Some(machine.core()));
    }

    /// How many records it holds; 0 while a reader fills it.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn size(&self) -> usize {
        self.core().map_or(0, |core| core.len())
    }

    /// The bytes that it takes, about.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.core().map_or(0, |core| core.bytes())
    }

    /// The ids of all objects, in the order in which they came.
    ///
    /// # Errors
    ///
    /// Throws `busy` while a reader fills it.
    #[wasm_bindgen(js_name = objectIds, unchecked_return_type = "string[]")]
    pub fn object_ids(&self) -> Result<JsValue, Thrown> {
        convert::answer_with_data(&self.core()?.object_ids().collect::<Vec<_>>())
    }

    /// Adds objects that may have no records. What was said first of an object stays.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` for what is no list of objects, `limit-exceeded` when the log is full.
    #[wasm_bindgen(js_name = addObjects)]
    pub fn add_objects(
        &self,
        #[wasm_bindgen(unchecked_param_type = "LogObject[]")] objects: &JsValue,
    ) -> Result<(), Thrown> {
        let objects: Vec<LogObject> = convert::list("objects", objects)?;
        let mut core = self.change()?;
        for LogObject { object_id, created_at, tenant_id } in &objects {
            core.add_object(object_id, *created_at, tenant_id.as_deref())?;
        }
        Ok(())
    }

    /// Adds records in columns. All are added, or none.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when a column is not of its kind, the columns differ in length or a value means
    /// nothing; `limit-exceeded` when the log is full.
    #[wasm_bindgen(js_name = addColumns)]
    pub fn add_columns(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Columns")] columns: &JsValue,
    ) -> Result<(), Thrown> {
        let columns = columns::Columns::read(columns)?;
        let of_machine = || self.machine().map(|machine| machine.states().to_vec());
        let states = columns.states.clone().map_or_else(of_machine, Ok)?;
        let mut core = self.change()?;
        let objects = columns.objects(&mut core)?;
        Ok(core.add_columns(&LogColumns {
            objects: &objects,
            times: &columns.time,
            from: columns.from.as_deref(),
            to: &columns.to,
            sequences: columns.sequence.as_deref(),
            states: &states,
        })?)
    }

    /// Reads a log that is in memory as a whole, and adds its rows; those that are refused are counted, and the first
    /// 1,000 listed. What is in the text is never an error.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` for a format that there is not, and for options that cannot be followed; `busy` while
    /// a reader fills it.
    #[wasm_bindgen(unchecked_return_type = "LogRead")]
    pub fn read(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | string")] log: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "RecordFormat")] format: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<ReadOptions>")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let bytes = bytes::bytes_or_text("log", log)?;
        let reader = self.reader(format, options)?;
        reader.change()?.feed(&bytes);
        reader.end()
    }

    /// A reader that adds the rows of a log which comes in chunks. Until its `end` the log answers nothing.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` for a format that there is not, and for options that cannot be followed; `busy` while
    /// another reader fills it.
    pub fn reader(
        &self,
        #[wasm_bindgen(unchecked_param_type = "RecordFormat")] format: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<ReadOptions>")] options: &JsValue,
    ) -> Result<LogReader, Thrown> {
        let (format, options) = (reading::format(format)?, reading::options(options)?);
        // Options that cannot be followed must not cost the records.
        RecordReader::new(format, &options)?;
        let log = self.core.borrow_mut().take().ok_or_else(busy)?;
        let reader = veristate::LogReader::into(log, format, &options)?;
        Ok(LogReader {
            core: RefCell::new(Some(reader)),
            ended: RefCell::new(None),
            log: Rc::clone(&self.core),
        })
    }

    /// Everything about all objects as of a time, in one pass: where they are, the times in each state, the
    /// transitions, bottlenecks, throughput, variants, re-entries, violations and stuck objects.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape, or there is no machine.
    #[wasm_bindgen(unchecked_return_type = "LogReport")]
    pub fn report(
        &self,
        #[wasm_bindgen(unchecked_param_type = "LogOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let options: LogOptions = convert::argument("options", options)?;
        convert::answer_with_data(&self.settled()?.report(&*self.machine()?, &options))
    }

    /// A line for each object, in the order in which they came: where it is, since when, and what is wrong with it.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape, or there is no machine; `busy` while a reader
    /// fills the log.
    #[wasm_bindgen(unchecked_return_type = "ObjectLine[]")]
    pub fn objects(
        &self,
        #[wasm_bindgen(unchecked_param_type = "LogOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let options: LogOptions = convert::argument("options", options)?;
        convert::answer_with_data(&self.settled()?.objects(&*self.machine()?, &options))
    }

    /// Where every object was at a time, as its records up to and at that time say. Without options, nothing is known
    /// after it.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when `at` is no time, the options are not of their shape, or there is no machine;
    /// `busy` while a reader fills the log.
    #[wasm_bindgen(js_name = stateAt, unchecked_return_type = "LogStateAt")]
    pub fn state_at(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | Date")] at: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "LogOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let at = convert::time("at", at)?;
        let options = match options.is_undefined() || options.is_null() {
            true => LogOptions::at(at),
            false => convert::argument("options", options)?,
        };
        convert::answer_with_data(&self.settled()?.state_at(&*self.machine()?, at, &options))
    }

    /// The records of one object, in the order of its history, as far as columns hold them: enough for
    /// `machine.history`. Data, actors and requests are not kept. Empty for an object that there is not.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the id is no text, `busy` while a reader fills the log.
    #[wasm_bindgen(unchecked_return_type = "LogRow[]")]
    pub fn records(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] object_id: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let object_id = convert::string("object_id", object_id)?;
        convert::answer_with_data(&self.settled()?.records_of(&object_id))
    }

    /// Puts the log to another definition, before it is deployed: which objects are in states that it does not have,
    /// which records it would refuse and why, and which objects have no way out there.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when the options are not of their shape, `busy` while a reader fills the log.
    #[wasm_bindgen(unchecked_return_type = "Replay")]
    pub fn replay(
        &self,
        machine: &Machine,
        #[wasm_bindgen(unchecked_param_type = "LogOptions")] options: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let options: LogOptions = convert::argument("options", options)?;
        convert::answer_with_data(&self.settled()?.replay(&machine.core(), &options))
    }

    /// A flat definition that allows all that the log shows; a beginning, and no more. It needs no machine.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` when `object_type` is no text, `busy` while a reader fills the log.
    #[wasm_bindgen(unchecked_return_type = "Definition")]
    pub fn discover(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] object_type: &JsValue,
    ) -> Result<JsValue, Thrown> {
        let object_type = convert::string("object_type", object_type)?;
        convert::answer_with_data(&self.core()?.discover(&object_type))
    }
}

impl Default for Log {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads a log in chunks into a `Log`. Where a chunk ends changes nothing.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LogReader {
    core: RefCell<Option<veristate::LogReader>>,
    ended: RefCell<Option<LogRead>>,
    log: Shared,
}

impl LogReader {
    fn change(&self) -> Result<RefMut<'_, veristate::LogReader>, Thrown> {
        RefMut::filter_map(self.core.borrow_mut(), Option::as_mut)
            .map_err(|_| Thrown::new("invalid-argument", "the reader has come to its end"))
    }

    /// Gives the log back, with what was left.
    fn finish(&self) {
        if let Some(reader) = self.core.borrow_mut().take() {
            let (log, read) = reader.finish();
            self.log.replace(Some(log));
            self.ended.replace(Some(read));
        }
    }
}

impl Drop for LogReader {
    fn drop(&mut self) {
        self.finish();
    }
}

#[wasm_bindgen]
impl LogReader {
    /// Reads on: every row that is whole is added, or refused.
    ///
    /// # Errors
    ///
    /// Throws `invalid-argument` for what are no bytes, and after `end`.
    pub fn feed(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: &JsValue,
    ) -> Result<(), Thrown> {
        let bytes = bytes::bytes("bytes", bytes, "a Uint8Array")?;
        self.change()?.feed(&bytes);
        Ok(())
    }

    /// The counts of all rows so far, to show progress.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "ReadSummary")]
    pub fn summary(&self) -> Result<JsValue, Thrown> {
        match &*self.ended.borrow() {
            Some(read) => convert::answer_with_data(&read.summary),
            None => convert::answer_with_data(&self.change()?.summary()),
        }
    }

    /// The log is over: adds what was left, and gives the counts of all rows and the first 1,000 that were refused.
    /// From now on the log answers. A second call gives the same.
    ///
    /// # Errors
    ///
    /// None that a caller can bring about.
    #[wasm_bindgen(unchecked_return_type = "LogRead")]
    pub fn end(&self) -> Result<JsValue, Thrown> {
        self.finish();
        convert::answer_with_data(&*self.ended.borrow())
    }
}
