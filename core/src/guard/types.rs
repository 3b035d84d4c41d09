//! Types, and sets of them: what an expression may turn out to be.

use alloc::{string::String, vec::Vec};

use super::value::Value;

/// A set of CEL types. A set, since the type of data is known only when it is there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Types(u16);

const NAMES: [&str; 10] =
    ["null", "bool", "int", "uint", "double", "string", "list", "map", "timestamp", "duration"];

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOL: Self = Self(1 << 1);
    pub(super) const INT: Self = Self(1 << 2);
    pub(super) const UINT: Self = Self(1 << 3);
    pub(super) const DOUBLE: Self = Self(1 << 4);
    pub(super) const STRING: Self = Self(1 << 5);
    pub(super) const LIST: Self = Self(1 << 6);
    pub(super) const MAP: Self = Self(1 << 7);
    pub(super) const TIMESTAMP: Self = Self(1 << 8);
    pub(super) const DURATION: Self = Self(1 << 9);

    pub(super) const ANY: Self = Self((1 << 10) - 1);
    pub(super) const NUMBER: Self = Self::INT.or(Self::UINT).or(Self::DOUBLE);
    /// What JSON can hold.
    pub(super) const JSON: Self = Self(0xff ^ Self::UINT.0);

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    pub(super) fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOL,
            Value::Int(_) => Self::INT,
            Value::Uint(_) => Self::UINT,
            Value::Double(_) => Self::DOUBLE,
            Value::Text(_) | Value::Made(_) => Self::STRING,
            Value::List(_) => Self::LIST,
            Value::Map(_) => Self::MAP,
            Value::Timestamp(_) => Self::TIMESTAMP,
            Value::Duration(_) => Self::DURATION,
        }
    }

    /// Each type of the set.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        (0..NAMES.len()).map(|bit| Self(1 << bit)).filter(move |one| self.meets(*one))
    }

    pub(super) fn names(self) -> Vec<&'static str> {
        self.each().map(Self::name).collect()
    }

    /// The name of a set of one type.
    pub(super) fn name(self) -> &'static str {
        NAMES.get(self.0.trailing_zeros() as usize).copied().unwrap_or("nothing")
    }

    /// The types whose values can equal one of these: all numbers equal each other.
    pub(super) fn equals(self) -> Self {
        if self.meets(Self::NUMBER) { self.or(Self::NUMBER) } else { self }
    }

    /// The types that make sense beside one of these in `==`: who compares with null asks for any value.
    pub(super) fn beside_equals(self) -> Self {
        if self == Self::NULL { Self::ANY } else { self.equals() }
    }

    /// The types whose values have an order with one of these.
    pub(super) fn ordered(self) -> Self {
        const ORDERED: Types =
            Types::BOOL.or(Types::STRING).or(Types::TIMESTAMP).or(Types::DURATION);
        let numbers = if self.meets(Self::NUMBER) { Self::NUMBER } else { Self::NONE };
        self.and(ORDERED).or(numbers)
    }
}

/// The set in words for a sentence: what a place needs, or what a value is.
pub(super) fn in_words(types: Types) -> String {
    if types == Types::NUMBER || types == Types::INT.or(Types::DOUBLE) {
        return "a number".into();
    }
    if types.each().count() > 5 {
        return "data".into();
    }
    each_in_words(types)
}

/// The same without a word for several types together.
pub(super) fn each_in_words(types: Types) -> String {
    let words: Vec<&str> = types
        .each()
        .map(|one| match one.name() {
            "null" => "null",
            "int" => "an int",
            "uint" => "a uint",
            "string" => "a string",
            "bool" => "true or false",
            "double" => "a double",
            "list" => "a list",
            "map" => "a map",
            "timestamp" => "a timestamp",
            _ => "a duration",
        })
        .collect();
    words.join(" or ")
}
