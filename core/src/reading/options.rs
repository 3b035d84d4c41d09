//! What a caller says of a log before it is read.

use alloc::{collections::BTreeMap, string::String};

use serde::{Deserialize, Serialize};

/// How a log is to be read. All of it may be left out.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadOptions {
    /// For a field of a row (`object_id`, `to_state`, `timestamp`, …) the name that it has in the file, exactly as
    /// written there. A field that is not in here is found by our name for it, or by one that is well known. The
    /// key `object.amount` makes the field `amount` of the object's data out of a column of its own.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
    pub columns: BTreeMap<String, String>,
    /// The offset of times that have none: `Z`, `+02:00`. Without it, such rows are refused.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub offset: Option<String>,
    /// What parts the cells of a CSV file: one ASCII character. Default: the one of `,`, `;`, tab and `|` that the
    /// header has most of.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub delimiter: Option<char>,
    /// Take the rows of this object only; the others are counted.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub object_id: Option<String>,
    /// Size of one row in bytes, and so the memory that reading takes. Default: 1 MiB, and for a trace of XES 64 MiB.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub row_bytes: Option<usize>,
}

/// Options that cannot be followed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{cause}; {help}")]
pub struct InvalidReadOptions {
    /// What is wrong.
    pub cause: String,
    /// The way out.
    pub help: String,
}

impl InvalidReadOptions {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-argument"
    }
}
