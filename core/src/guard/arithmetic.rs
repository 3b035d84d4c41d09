//! `+ - * / %` and the sign. Source: CEL language definition, "Arithmetic" and "Overflow"; that int and double
//! may be mixed is our own (DESIGN §3).

use alloc::{format, sync::Arc, vec::Vec};

use super::{
    budget::{Budget, TooCostly},
    tree::Operator,
    types::Types,
    value::{List, Value},
};

/// Why there is no value.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// Not for values of these types.
    Type,
    /// Not for these values, and why.
    Value(&'static str),
    TooCostly,
}

impl From<TooCostly> for Fault {
    fn from(_: TooCostly) -> Self {
        Self::TooCostly
    }
}

const INT: &str = "leaves the range of int";
const UINT: &str = "leaves the range of uint";
const ZERO: &str = "divides by zero";
const TIME: &str = "leaves the years 0001 to 9999";
const LENGTH: &str = "is longer than a duration can be";

pub(super) fn calculate<'v>(
    operator: Operator,
    a: &Value<'v>,
    b: &Value<'v>,
    budget: &Budget,
) -> Result<Value<'v>, Fault> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => ints(operator, *a, *b).map(Value::Int),
        (Value::Uint(a), Value::Uint(b)) => uints(operator, *a, *b).map(Value::Uint),
        (Value::Double(a), Value::Double(b)) => doubles(operator, *a, *b).map(Value::Double),
        #[expect(clippy::cast_precision_loss, reason = "mixed numbers are doubles")]
        (Value::Int(a), Value::Double(b)) => doubles(operator, *a as f64, *b).map(Value::Double),
        #[expect(clippy::cast_precision_loss, reason = "mixed numbers are doubles")]
        (Value::Double(a), Value::Int(b)) => doubles(operator, *a, *b as f64).map(Value::Double),
        _ => others(operator, a, b, budget),
    }
}

fn ints(operator: Operator, a: i64, b: i64) -> Result<i64, Fault> {
    match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide if b != 0 => a.checked_div(b),
        Operator::Modulo if b != 0 => a.checked_rem(b),
        Operator::Divide | Operator::Modulo => return Err(Fault::Value(ZERO)),
        _ => return Err(Fault::Type),
    }
    .ok_or(Fault::Value(INT))
}

fn uints(operator: Operator, a: u64, b: u64) -> Result<u64, Fault> {
    match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide if b != 0 => a.checked_div(b),
        Operator::Modulo if b != 0 => a.checked_rem(b),
        Operator::Divide | Operator::Modulo => return Err(Fault::Value(ZERO)),
        _ => return Err(Fault::Type),
    }
    .ok_or(Fault::Value(UINT))
}

fn doubles(operator: Operator, a: f64, b: f64) -> Result<f64, Fault> {
    Ok(match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        _ => return Err(Fault::Type),
    })
}

fn others<'v>(
    operator: Operator,
    a: &Value<'v>,
    b: &Value<'v>,
    budget: &Budget,
) -> Result<Value<'v>, Fault> {
    match (operator, a, b) {
        (Operator::Add, Value::Timestamp(time), Value::Duration(length))
        | (Operator::Add, Value::Duration(length), Value::Timestamp(time)) => {
            time.plus(*length).map(Value::Timestamp).ok_or(Fault::Value(TIME))
        }
        (Operator::Subtract, Value::Timestamp(time), Value::Duration(length)) => {
            time.minus(*length).map(Value::Timestamp).ok_or(Fault::Value(TIME))
        }
        (Operator::Subtract, Value::Timestamp(a), Value::Timestamp(b)) => {
            a.since(*b).map(Value::Duration).ok_or(Fault::Value(LENGTH))
        }
        (Operator::Add, Value::Duration(a), Value::Duration(b)) => {
            a.plus(*b).map(Value::Duration).ok_or(Fault::Value(LENGTH))
        }
        (Operator::Subtract, Value::Duration(a), Value::Duration(b)) => {
            a.minus(*b).map(Value::Duration).ok_or(Fault::Value(LENGTH))
        }
        (Operator::Add, Value::List(a), Value::List(b)) => {
            budget.spend(a.len() + b.len())?;
            Ok(Value::List(joined(a, b)))
        }
        (Operator::Add, a, b) => match (a.text(), b.text()) {
            (Some(a), Some(b)) => {
                budget.spend_text(a.len() + b.len())?;
                Ok(Value::Made(Arc::from(format!("{a}{b}"))))
            }
            _ => Err(Fault::Type),
        },
        _ => Err(Fault::Type),
    }
}

fn joined<'v>(a: &List<'v>, b: &List<'v>) -> List<'v> {
    let items = |list: &List<'v>| (0..list.len()).filter_map(|at| list.get(at)).collect::<Vec<_>>();
    List::Made(items(a).into_iter().chain(items(b)).collect())
}

/// The value with the other sign.
pub(super) fn negate<'v>(value: &Value<'v>) -> Result<Value<'v>, Fault> {
    match value {
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or(Fault::Value(INT)),
        Value::Double(value) => Ok(Value::Double(-value)),
        _ => Err(Fault::Type),
    }
}

/// The type that an operator gives for two types; none where it is not for them.
pub(super) fn result(operator: Operator, a: Types, b: Types) -> Types {
    let (int, uint, double) = (Types::INT, Types::UINT, Types::DOUBLE);
    let (time, length) = (Types::TIMESTAMP, Types::DURATION);
    if operator == Operator::Modulo {
        return if a == b { a.and(int.or(uint)) } else { Types::NONE };
    }
    let is_mixed = a.or(b) == int.or(double);
    if is_mixed {
        return double;
    }
    if a == b && a.is_within(Types::NUMBER) {
        return a;
    }
    match operator {
        Operator::Add if a == b => a.and(Types::STRING.or(Types::LIST).or(length)),
        Operator::Add if a.or(b) == time.or(length) => time,
        Operator::Subtract if a == length && b == length => length,
        Operator::Subtract if a == time && b == time => length,
        Operator::Subtract if a == time && b == length => time,
        _ => Types::NONE,
    }
}

/// The types that an operator takes on one side (0 is the left) beside a type on the other.
pub(super) fn partners(operator: Operator, other: Types, side: usize) -> Types {
    Types::ANY.each().fold(Types::NONE, |fitting, one| {
        let gives = other.each().any(|other| {
            let (a, b) = if side == 0 { (one, other) } else { (other, one) };
            !result(operator, a, b).is_empty()
        });
        if gives { fitting.or(one) } else { fitting }
    })
}
