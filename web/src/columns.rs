//! Records in typed arrays.

use js_sys::{Array, BigInt64Array, BigUint64Array, Int32Array, Reflect, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::{bytes, convert, thrown::Thrown};

/// The columns of records as a program hands them over.
pub(crate) struct Columns {
    names: Option<Vec<String>>,
    object: Vec<u32>,
    pub(crate) time: Vec<i64>,
    pub(crate) from: Option<Vec<i32>>,
    pub(crate) to: Vec<i32>,
    pub(crate) sequence: Option<Vec<u64>>,
    pub(crate) states: Option<Vec<String>>,
}

/// The fields of columns.
const FIELDS: [&str; 7] = ["objects", "object", "time", "from", "to", "sequence", "states"];

impl Columns {
    /// Takes the columns out of an object.
    pub(crate) fn read(columns: &JsValue) -> Result<Self, Thrown> {
        let wrong = |why: &str| Thrown::new("invalid-argument", &format!("`columns` {why}"));
        if !columns.is_object() || columns.is_function() {
            return Err(wrong("must be an object"));
        }
        let keys = Reflect::own_keys(columns).map_err(|_| wrong("cannot be read"))?;
        for key in keys.iter() {
            let name = key.as_string().unwrap_or_default();
            if !FIELDS.contains(&name.as_str()) {
                return Err(wrong(&format!(
                    "has the unknown field `{name}`; its fields are {}",
                    FIELDS.join(", ")
                )));
            }
        }
        let field = |name: &str| {
            Reflect::get(columns, &name.into())
                .map_err(|_| wrong(&format!("has a field `{name}` that cannot be read")))
        };
        let must_be = |name: &str, kind: &str| wrong(&format!("needs `{name}`, a {kind}"));
        let names = |name: &str| -> Result<Option<Vec<String>>, Thrown> {
            let value = field(name)?;
            if is_none(&value) {
                return Ok(None);
            }
            let is_list = Array::is_array(&value);
            let list = is_list.then(|| convert::text(name, &value)).transpose()?;
            let list = list.and_then(|list| serde_json::from_str(&list).ok());
            list.map(Some).ok_or_else(|| must_be(name, "list of texts"))
        };
        let (object, time, from, to) =
            (field("object")?, field("time")?, field("from")?, field("to")?);
        let sequence = field("sequence")?;
        let int32 = |name: &str, value: &JsValue| {
            let array = bytes::sound(value, &Int32Array::new_with_length(0));
            array.map(|array| array.to_vec()).ok_or_else(|| must_be(name, "Int32Array"))
        };
        let object = bytes::sound(&object, &Uint32Array::new_with_length(0));
        let time = bytes::sound(&time, &BigInt64Array::new_with_length(0));
        Ok(Self {
            names: names("objects")?,
            object: object.ok_or_else(|| must_be("object", "Uint32Array"))?.to_vec(),
            time: time.ok_or_else(|| must_be("time", "BigInt64Array"))?.to_vec(),
            from: (!is_none(&from)).then(|| int32("from", &from)).transpose()?,
            to: int32("to", &to)?,
            sequence: match is_none(&sequence) {
                true => None,
                false => Some(
                    self::sequence(&sequence)
                        .ok_or_else(|| must_be("sequence", "BigUint64Array or Uint32Array"))?,
                ),
            },
            states: names("states")?,
        })
    }

    /// The numbers of the objects in a log, to which those that are named are added.
    pub(crate) fn objects(&self, log: &mut veristate::Log) -> Result<Vec<u32>, Thrown> {
        let Some(names) = &self.names else { return Ok(self.object.clone()) };
        let mut numbers = Vec::with_capacity(names.len());
        for (at, object) in self.object.iter().enumerate() {
            if *object as usize >= names.len() {
                let why = format!(
                    "`object` at position {at}: {object} is no position in `objects`, which has {}",
                    names.len()
                );
                return Err(Thrown::new("invalid-argument", &why));
            }
        }
        for name in names {
            numbers.push(log.add_object(name, None, None)?);
        }
        Ok(self.object.iter().map(|&object| numbers[object as usize]).collect())
    }
}

fn is_none(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

fn sequence(value: &JsValue) -> Option<Vec<u64>> {
    if let Some(array) = bytes::sound(value, &BigUint64Array::new_with_length(0)) {
        return Some(array.to_vec());
    }
    let array = bytes::sound(value, &Uint32Array::new_with_length(0))?;
    Some(array.to_vec().into_iter().map(u64::from).collect())
}
