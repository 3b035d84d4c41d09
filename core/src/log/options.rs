//! What is asked of a log.

use alloc::string::String;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{
    history::Sequences,
    time::{Duration, Time},
};

/// How a log is reported on. Only `as_of` is needed.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogOptions {
    /// Up to when time is counted. Records after it are violations and are not counted.
    #[cfg_attr(feature = "tsify", tsify(type = "string | number | Date"))]
    pub as_of: Time,
    /// From when up to when (half-open) the times in states, the transitions and the buckets are counted; what lasts
    /// beyond an end is cut there. Where objects are, variants, violations and stuck objects are of `as_of` in any
    /// case. Default: everything.
    #[serde(default)]
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "[string | number | Date, string | number | Date] | null")
    )]
    pub window: Option<[Time; 2]>,
    /// Only objects of this tenant.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null"))]
    pub tenant: Option<String>,
    /// Besides the report on all a report on each tenant; the first 1,000 by name. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub by_tenant: bool,
    /// What makes a state a bottleneck.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub bottleneck: BottleneckOptions,
    /// How time is cut.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub buckets: BucketOptions,
    /// How many variants are listed, the most frequent first. Default: 20.
    #[serde(default = "twenty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub variants: usize,
    /// How many violations are listed, and how many stuck objects; all are counted. Default: 1,000.
    #[serde(default = "thousand")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub listed: usize,
    /// Whether the rows of objects without sequences stand latest first. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub newest_first: bool,
    /// What sequence numbers mean. Default: `dense`.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub sequences: Sequences,
}

fn twenty() -> usize {
    20
}

fn thousand() -> usize {
    1000
}

impl LogOptions {
    /// Everything up to a time, and nothing else said.
    #[must_use]
    pub fn at(as_of: Time) -> Self {
        Self {
            as_of,
            window: None,
            tenant: None,
            by_tenant: false,
            bottleneck: BottleneckOptions::default(),
            buckets: BucketOptions::default(),
            variants: twenty(),
            listed: thousand(),
            newest_first: false,
            sequences: Sequences::Dense,
        }
    }
}

/// What makes a state a bottleneck: more objects than this in it, and a longer mean time. Terminal states are none.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct BottleneckOptions {
    /// More than so many objects are there. Default: 10.
    pub objects: u64,
    /// The mean of the visits that ended, or of those that last where none did, is longer. Default: one day.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[serde(deserialize_with = "duration")]
    pub mean: Duration,
}

impl Default for BottleneckOptions {
    fn default() -> Self {
        let mean = Duration::from_micros(86_400_000_000).unwrap_or_default();
        Self { objects: 10, mean }
    }
}

/// How time is cut into buckets: by a width, else into about so many.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct BucketOptions {
    /// At most so many buckets of a width that people use (an hour, a day, a week). Default: 60; at most 400.
    pub count: usize,
    /// The width of each. Where it makes more than 400 buckets, a multiple of it is taken.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    #[serde(deserialize_with = "some_duration")]
    pub width: Option<Duration>,
}

impl Default for BucketOptions {
    fn default() -> Self {
        Self { count: 60, width: None }
    }
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

fn some_duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        Some(text) => text.parse().map(Some).map_err(de::Error::custom),
        None => Ok(None),
    }
}
