//! Typed arrays and texts as arguments. What is given is checked by what it is, not by what it says of itself: a proxy,
//! or an array whose `length` was changed, would otherwise throw in the middle of a call.

use js_sys::{Array, ArrayBuffer, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::thrown::Thrown;

/// The bytes of a `Uint8Array`, or of a text in UTF-8.
pub(crate) fn bytes_or_text(name: &str, value: &JsValue) -> Result<Vec<u8>, Thrown> {
    match value.as_string() {
        Some(text) => Ok(text.into_bytes()),
        None => bytes(name, value, "a text or a Uint8Array"),
    }
}

/// The bytes of a `Uint8Array`; `needed` says what else may be given.
pub(crate) fn bytes(name: &str, value: &JsValue, needed: &str) -> Result<Vec<u8>, Thrown> {
    let wrong = || Thrown::new("invalid-argument", &format!("`{name}` must be {needed}"));
    Ok(sound(value, &Uint8Array::new_with_length(0)).ok_or_else(wrong)?.to_vec())
}

/// A typed array of the kind of `like` whose length is what it says; of one that may say anything, a copy. One whose
/// memory is gone (it was handed to a worker) is none.
pub(crate) fn sound<T: JsCast + Clone>(value: &JsValue, like: &T) -> Option<T> {
    if !ArrayBuffer::is_view(value) {
        return None;
    }
    let array: &T = value.dyn_ref()?;
    let prototype = |value: &JsValue| Object::get_prototype_of(value);
    let length = JsValue::from("length");
    let own = Reflect::get_own_property_descriptor(value.unchecked_ref::<Object>(), &length);
    if prototype(value) == prototype(like.as_ref())
        && own.is_ok_and(|own| own.is_undefined())
        && Reflect::get(value, &length).is_ok_and(|length| length != 0)
    {
        return Some(array.clone());
    }
    let constructor = Reflect::get(like.as_ref(), &"constructor".into()).ok()?;
    let constructor: &Function = constructor.dyn_ref()?;
    Reflect::construct(constructor, &Array::of1(value)).ok()?.dyn_into().ok()
}
