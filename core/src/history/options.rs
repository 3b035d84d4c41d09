//! What is given with the rows of one object.

use serde::{Deserialize, Serialize};

use crate::{calendar::Calendar, time::Time};

/// How the rows of one object are read.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryOptions {
    /// Up to when time is counted. Rows after it are violations and are not counted.
    #[cfg_attr(feature = "tsify", tsify(type = "string | number | Date"))]
    pub now: Time,
    /// When the object was created, where no row says so.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | number | Date | null"))]
    pub created_at: Option<Time>,
    /// Whether rows without a sequence stand latest first. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub newest_first: bool,
    /// What sequence numbers mean. Default: `dense`.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub sequences: Sequences,
    /// The hours in which time is counted as working time.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "Calendar | null"))]
    pub calendar: Option<Calendar>,
}

impl HistoryOptions {
    /// Time counted up to `now`, and nothing else.
    #[must_use]
    pub fn at(now: Time) -> Self {
        let (created_at, calendar) = (None, None);
        Self { now, created_at, newest_first: false, sequences: Sequences::Dense, calendar }
    }
}

/// What the sequence numbers of an object mean.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sequences {
    /// They count the object's own steps: one that is left out is a row that is missing.
    #[default]
    Dense,
    /// They only order, as numbers that all objects share do.
    Ordered,
}
