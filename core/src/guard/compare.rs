//! Equality and order. Source: CEL language definition, "Equality" and "Ordering".

use core::cmp::Ordering;

use super::{
    budget::{Budget, TooCostly},
    value::{List, Map, Value},
};

/// Whether two values are equal; numbers of all types with each other, other types never.
pub(super) fn equal(a: &Value<'_>, b: &Value<'_>, budget: &Budget) -> Result<bool, TooCostly> {
    Ok(match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::List(a), Value::List(b)) => return budget.inside(|| equal_lists(a, b, budget)),
        (Value::Map(a), Value::Map(b)) => return budget.inside(|| equal_maps(a, b, budget)),
        _ => match (a.text(), b.text()) {
            (Some(a), Some(b)) => {
                budget.spend_text(a.len().min(b.len()))?;
                a == b
            }
            _ => numbers(a, b) == Some(Ordering::Equal),
        },
    })
}

fn equal_lists(a: &List<'_>, b: &List<'_>, budget: &Budget) -> Result<bool, TooCostly> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for at in 0..a.len() {
        budget.spend(1)?;
        match (a.get(at), b.get(at)) {
            (Some(a), Some(b)) if equal(&a, &b, budget)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn equal_maps(a: &Map<'_>, b: &Map<'_>, budget: &Budget) -> Result<bool, TooCostly> {
    if a.len() != b.len() {
        return Ok(false);
    }
    budget.spend(a.len().saturating_mul(3))?;
    for (key, value) in a.entries() {
        match find(b, &key, budget)? {
            Some(other) if equal(&value, &other, budget)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The value of a key in a map; numbers of all types are one key where they are equal.
pub(super) fn find<'v>(
    map: &Map<'v>,
    key: &Value<'_>,
    budget: &Budget,
) -> Result<Option<Value<'v>>, TooCostly> {
    if let Some(name) = key.text() {
        // Of other keys, those of the same length are read to the end.
        let tries = match map {
            Map::Json(fields) => 2 * (usize::BITS - fields.len().leading_zeros()) as usize,
            other => other.len(),
        };
        budget.spend(tries.saturating_mul(1 + name.len() / 8) / 8)?;
        return Ok(map.field(name));
    }
    let entries: &[(Value<'v>, Value<'v>)] = match map {
        // Their keys are texts.
        Map::Json(_) | Map::Context(_) => return Ok(None),
        Map::Constant(entries) => entries,
        Map::Made(entries) => entries,
    };
    for (other, value) in entries {
        budget.spend(1)?;
        if equal(key, other, budget)? {
            return Ok(Some(value.clone()));
        }
    }
    Ok(None)
}

/// Whether a value is one of a list's items or one of a map's keys; nothing for what is neither.
pub(super) fn contains(
    container: &Value<'_>,
    wanted: &Value<'_>,
    budget: &Budget,
) -> Result<Option<bool>, TooCostly> {
    let list = match container {
        Value::List(list) => list,
        Value::Map(map) => return Ok(Some(find(map, wanted, budget)?.is_some())),
        _ => return Ok(None),
    };
    for at in 0..list.len() {
        budget.spend(1)?;
        if let Some(item) = list.get(at)
            && equal(&item, wanted, budget)?
        {
            return Ok(Some(true));
        }
    }
    Ok(Some(false))
}

/// The order of two values. `Err` where their types have none; `Ok(None)` beside NaN.
pub(super) fn order(
    a: &Value<'_>,
    b: &Value<'_>,
    budget: &Budget,
) -> Result<Result<Option<Ordering>, NoOrder>, TooCostly> {
    Ok(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(Some(a.cmp(b))),
        (Value::Timestamp(a), Value::Timestamp(b)) => Ok(Some(a.cmp(b))),
        (Value::Duration(a), Value::Duration(b)) => Ok(Some(a.cmp(b))),
        _ => match (a.text(), b.text()) {
            (Some(a), Some(b)) => {
                budget.spend_text(a.len().min(b.len()))?;
                // By code points, which is the order of UTF-8's bytes.
                Ok(Some(a.cmp(b)))
            }
            _ if is_number(a) && is_number(b) => Ok(numbers(a, b)),
            _ => Err(NoOrder),
        },
    })
}

/// Values of these types have no order with each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoOrder;

fn is_number(value: &Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_))
}

/// The order of two numbers: int and uint exactly; beside a double as doubles, where the double is in the
/// range of the other type. None beside NaN and for what is no number.
fn numbers(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Uint(a), Value::Uint(b)) => Some(a.cmp(b)),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Uint(b)) => {
            Some(u64::try_from(*a).map_or(Ordering::Less, |a| a.cmp(b)))
        }
        #[expect(clippy::cast_precision_loss, reason = "the conformance suite asks for the loss")]
        (Value::Int(a), Value::Double(b)) => (*a as f64).partial_cmp(b),
        #[expect(clippy::cast_precision_loss, reason = "the conformance suite asks for the loss")]
        (Value::Uint(a), Value::Double(b)) => (*a as f64).partial_cmp(b),
        (Value::Uint(_), Value::Int(_)) | (Value::Double(_), Value::Int(_) | Value::Uint(_)) => {
            numbers(b, a).map(Ordering::reverse)
        }
        _ => None,
    }
}
