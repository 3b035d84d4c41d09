//! The functions of the language. Source: CEL language definition, "List of standard definitions".

use super::{moment::Part, types::Types};

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Function {
    Size,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
    Int,
    Uint,
    Double,
    Text,
    Bool,
    Timestamp,
    Duration,
    Dyn,
    Part(Part),
}

/// How a function is called, and what it takes and gives. What it is called on is its first argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) function: Function,
    /// `size(x)`, `x.size()` or both.
    form: Form,
    pub(super) takes: &'static [Types],
    pub(super) gives: Types,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    Plain,
    Member,
    Both,
}

const TEXTS: &[Types] = &[Types::STRING, Types::STRING];
const ZONED: &[Types] = &[Types::TIMESTAMP, Types::STRING];
const TIME: &[Types] = &[Types::TIMESTAMP];
const TIME_OR_LENGTH: &[Types] = &[Types::TIMESTAMP.or(Types::DURATION)];
const NUMERIC: Types = Types::NUMBER.or(Types::STRING);

const fn of(
    name: &'static str,
    function: Function,
    form: Form,
    takes: &'static [Types],
    gives: Types,
) -> Signature {
    Signature { name, function, form, takes, gives }
}

const fn part(name: &'static str, part: Part, takes: &'static [Types]) -> Signature {
    of(name, Function::Part(part), Form::Member, takes, Types::INT)
}

const SIGNATURES: [Signature; 33] = [
    of(
        "size",
        Function::Size,
        Form::Both,
        &[Types::STRING.or(Types::LIST).or(Types::MAP)],
        Types::INT,
    ),
    of("contains", Function::Contains, Form::Member, TEXTS, Types::BOOL),
    of("startsWith", Function::StartsWith, Form::Member, TEXTS, Types::BOOL),
    of("endsWith", Function::EndsWith, Form::Member, TEXTS, Types::BOOL),
    of("matches", Function::Matches, Form::Both, TEXTS, Types::BOOL),
    of("int", Function::Int, Form::Plain, &[NUMERIC.or(Types::TIMESTAMP)], Types::INT),
    of("uint", Function::Uint, Form::Plain, &[NUMERIC], Types::UINT),
    of("double", Function::Double, Form::Plain, &[NUMERIC], Types::DOUBLE),
    of(
        "string",
        Function::Text,
        Form::Plain,
        &[NUMERIC.or(Types::BOOL).or(Types::TIMESTAMP).or(Types::DURATION)],
        Types::STRING,
    ),
    of("bool", Function::Bool, Form::Plain, &[Types::BOOL.or(Types::STRING)], Types::BOOL),
    of(
        "timestamp",
        Function::Timestamp,
        Form::Plain,
        &[Types::TIMESTAMP.or(Types::STRING).or(Types::INT)],
        Types::TIMESTAMP,
    ),
    of(
        "duration",
        Function::Duration,
        Form::Plain,
        &[Types::DURATION.or(Types::STRING)],
        Types::DURATION,
    ),
    of("dyn", Function::Dyn, Form::Plain, &[Types::ANY], Types::ANY),
    part("getFullYear", Part::FullYear, TIME),
    part("getFullYear", Part::FullYear, ZONED),
    part("getMonth", Part::Month, TIME),
    part("getMonth", Part::Month, ZONED),
    part("getDate", Part::Date, TIME),
    part("getDate", Part::Date, ZONED),
    part("getDayOfMonth", Part::DayOfMonth, TIME),
    part("getDayOfMonth", Part::DayOfMonth, ZONED),
    part("getDayOfWeek", Part::DayOfWeek, TIME),
    part("getDayOfWeek", Part::DayOfWeek, ZONED),
    part("getDayOfYear", Part::DayOfYear, TIME),
    part("getDayOfYear", Part::DayOfYear, ZONED),
    part("getHours", Part::Hours, TIME_OR_LENGTH),
    part("getHours", Part::Hours, ZONED),
    part("getMinutes", Part::Minutes, TIME_OR_LENGTH),
    part("getMinutes", Part::Minutes, ZONED),
    part("getSeconds", Part::Seconds, TIME_OR_LENGTH),
    part("getSeconds", Part::Seconds, ZONED),
    part("getMilliseconds", Part::Milliseconds, TIME_OR_LENGTH),
    part("getMilliseconds", Part::Milliseconds, ZONED),
];

/// What a name stands for in a call.
#[derive(Debug)]
pub(super) enum Found {
    Function(&'static Signature),
    /// The name is known; it takes so many arguments (what it is called on not counted).
    Arguments(&'static str),
    /// The name is known, in the other form: `x.size()` for `size(x)`.
    Form(&'static str),
    Nothing,
}

/// Finds a function by its name, whether it is called on a value, and the number of its arguments with that value.
pub(super) fn find(name: &str, is_member: bool, count: usize) -> Found {
    let fits = |form: Form| form == Form::Both || (form == Form::Member) == is_member;
    let mut named = SIGNATURES.iter().filter(|signature| signature.name == name).peekable();
    let Some(first) = named.peek().copied() else { return Found::Nothing };
    let found = named.find(|signature| signature.takes.len() == count && fits(signature.form));
    if let Some(signature) = found {
        return Found::Function(signature);
    }
    if !fits(first.form) {
        return Found::Form(if is_member { "name(…)" } else { "value.name(…)" });
    }
    let own = first.takes.len() - usize::from(is_member);
    Found::Arguments(match (own, matches!(first.function, Function::Part(_))) {
        (_, true) => "none or a time zone",
        (0, _) => "none",
        (1, _) => "one",
        _ => "two",
    })
}

/// The names of all functions and macros, for near misses.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SIGNATURES.iter().map(|signature| signature.name).chain([
        "has",
        "all",
        "exists",
        "exists_one",
        "map",
        "filter",
    ])
}

/// The macros that go through a list or the keys of a map.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Loop {
    All,
    Exists,
    ExistsOne,
    Map,
    Filter,
}

impl Loop {
    pub(super) fn named(name: &str, count: usize) -> Option<Self> {
        Some(match (name, count) {
            ("all", 2) => Self::All,
            ("exists", 2) => Self::Exists,
            ("exists_one", 2) => Self::ExistsOne,
            ("map", 2 | 3) => Self::Map,
            ("filter", 2) => Self::Filter,
            _ => return None,
        })
    }
}
