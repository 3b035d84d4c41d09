//! Exact statistics of many lengths of time.
//!
//! Percentiles are values of the data (nearest rank), so that a person can
//! find them there. All three come from two passes: one that counts in which
//! range of values each length lies, and one that collects the lengths of the
//! ranges in which the percentiles lie.

use alloc::{string::String, vec, vec::Vec};
use core::fmt;

use serde::{Serialize, Serializer};

use crate::time::Duration;

/// A sum of durations, in microseconds: of any size, and exact. Leaves as ISO 8601 text.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct TotalTime(pub i128);

impl fmt::Display for TotalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i128 = 86_400_000_000;
        let micros = self.0.max(0);
        // Days are as many as they are; what is less than a day is a duration.
        let rest =
            i64::try_from(micros % DAY).ok().and_then(Duration::from_micros).unwrap_or_default();
        match micros / DAY {
            0 => write!(f, "{rest}"),
            days if rest.micros() == 0 => write!(f, "P{days}D"),
            days => {
                let rest = alloc::format!("{rest}");
                write!(f, "P{days}D{}", rest.trim_start_matches('P'))
            }
        }
    }
}

impl Serialize for TotalTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<TotalTime> for String {
    fn from(total: TotalTime) -> Self {
        alloc::format!("{total}")
    }
}

/// How long something took, over many cases.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Stats {
    /// How many cases; never 0.
    pub count: u64,
    /// All together, exact.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub sum: TotalTime,
    /// The mean, in whole microseconds; what is less is cut.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub mean: Duration,
    /// The median: half of the cases took no longer. Nearest rank: one of the values.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub p50: Duration,
    /// Nine of ten cases took no longer.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub p90: Duration,
    /// 99 of 100 cases took no longer.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub p99: Duration,
    /// The longest.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub max: Duration,
}

/// Works out statistics; keeps its memory from one set of lengths to the next.
#[derive(Debug, Default)]
pub(super) struct Reckoner {
    part: Counts,
    whole: Counts,
    /// For each range what is collected of it: 1 for the part, 2 for the whole.
    wanted: Vec<u8>,
}

/// Lengths by range.
#[derive(Debug, Default)]
struct Counts {
    by_range: Vec<u32>,
    count: usize,
    sum: i128,
    max: i64,
    /// For each percentile its range, and its rank there.
    places: [(usize, usize); 3],
    /// The lengths of these ranges.
    near: Vec<i64>,
}

/// Bits of a value behind its first one that tell its range.
const BITS: u32 = 6;
/// Ranges of values: below `1 << BITS` each value has its own.
const RANGES: usize = ((64 - BITS as usize) << BITS) + (1 << BITS);
/// Fewer lengths than this are sorted at once.
const FEW: usize = 512;

/// The range of a length; ranges are in the order of lengths.
#[inline]
fn range_of(length: i64) -> usize {
    let value = length.cast_unsigned();
    let bits = (value | 1).ilog2();
    let shift = bits.saturating_sub(BITS);
    #[expect(clippy::cast_possible_truncation, reason = "less than RANGES")]
    let range = ((u64::from(shift) << BITS) + (value >> shift)) as usize;
    range
}

impl Reckoner {
    /// The statistics of each of some lists of lengths, and of all of them together; none where there are none. No
    /// length may be negative, and there may be at most as many as a log has records.
    ///
    /// Cost: two passes over all lengths.
    pub(super) fn stats(&mut self, parts: &[&[i64]]) -> (Vec<Option<Stats>>, Option<Stats>) {
        let Self { part, whole, wanted } = self;
        if let [only] = parts {
            let stats = part.stats_of(only, wanted);
            return (vec![stats.clone()], stats);
        }
        let few = parts.iter().map(|lengths| lengths.len()).sum::<usize>() <= FEW;
        let mut all = Vec::with_capacity(parts.len());
        if few {
            whole.near.clear();
            for lengths in parts {
                all.push(part.stats_of(lengths, wanted));
                whole.near.extend_from_slice(lengths);
            }
            return (all, whole.few());
        }
        whole.begin();
        let mut places = Vec::with_capacity(parts.len());
        for lengths in parts {
            part.begin();
            part.add(lengths);
            part.find();
            places.push(part.places);
            whole.join(part);
        }
        whole.find();
        whole.near.clear();
        for (lengths, places) in parts.iter().zip(places) {
            // The counts of the part are needed once more, but only those of its few ranges.
            part.begin();
            part.count = lengths.len();
            part.places = places;
            wanted.clear();
            wanted.resize(RANGES, 0);
            for (mark, places) in [(1, &places), (2, &whole.places)] {
                for &(range, _) in places {
                    wanted[range] |= mark;
                }
            }
            part.near.clear();
            for few in lengths.chunks(16) {
                let mut small = 0_i64;
                for &length in few {
                    small = small.wrapping_add(length);
                    part.max = part.max.max(length);
                    let range = range_of(length);
                    let is_wanted = wanted[range];
                    if is_wanted != 0 {
                        if is_wanted & 1 != 0 {
                            part.by_range[range] += 1;
                            part.near.push(length);
                        }
                        if is_wanted & 2 != 0 {
                            whole.near.push(length);
                        }
                    }
                }
                part.sum += i128::from(small);
            }
            all.push(part.stats());
        }
        (all, whole.stats())
    }
}

impl Counts {
    fn begin(&mut self) {
        self.by_range.clear();
        self.by_range.resize(RANGES, 0);
        (self.count, self.sum, self.max) = (0, 0, 0);
    }

    /// Counts lengths.
    fn add(&mut self, lengths: &[i64]) {
        self.count += lengths.len();
        let counts = &mut self.by_range[..];
        // The sum of so few fits into 64 bits: no length is longer than 10,000 years.
        for few in lengths.chunks(16) {
            let mut small = 0_i64;
            for &length in few {
                counts[range_of(length)] += 1;
                small = small.wrapping_add(length);
                self.max = self.max.max(length);
            }
            self.sum += i128::from(small);
        }
    }

    fn join(&mut self, part: &Self) {
        self.count += part.count;
        self.sum += part.sum;
        self.max = self.max.max(part.max);
        for (sum, count) in self.by_range.iter_mut().zip(&part.by_range) {
            *sum += count;
        }
    }

    /// Finds the ranges of the percentiles.
    fn find(&mut self) {
        let ranks = ranks(self.count);
        let mut before = 0;
        for (range, &count) in self.by_range.iter().enumerate() {
            let behind = before + count as usize;
            for (place, &rank) in self.places.iter_mut().zip(&ranks) {
                if (before..behind).contains(&rank) {
                    *place = (range, rank - before);
                }
            }
            before = behind;
        }
    }

    /// The statistics of one list.
    fn stats_of(&mut self, lengths: &[i64], wanted: &mut Vec<u8>) -> Option<Stats> {
        self.near.clear();
        if lengths.len() <= FEW {
            self.near.extend_from_slice(lengths);
            return self.few();
        }
        self.begin();
        self.add(lengths);
        self.find();
        wanted.clear();
        wanted.resize(RANGES, 0);
        for &(range, _) in &self.places {
            wanted[range] = 1;
        }
        let is_near = |length: &i64| wanted[range_of(*length)] != 0;
        self.near.extend(lengths.iter().copied().filter(is_near));
        self.stats()
    }

    /// The statistics of what is collected, which is all.
    fn few(&mut self) -> Option<Stats> {
        self.near.sort_unstable();
        self.count = self.near.len();
        self.sum = self.near.iter().map(|&length| i128::from(length)).sum();
        self.max = *self.near.last()?;
        let at = |rank: usize| self.near.get(rank).copied().unwrap_or(0);
        Some(self.told(ranks(self.count).map(at)))
    }

    /// The statistics, once the lengths of the ranges in question are collected.
    fn stats(&mut self) -> Option<Stats> {
        if self.count == 0 {
            return None;
        }
        let Self { by_range: counts, places, near, .. } = self;
        // Ranges are in order, so those before one among the collected shift its rank.
        let (mut values, mut start, mut from) = ([0; 3], 0, 0);
        for at in 0..3 {
            let (range, rank) = places[at];
            if at > 0 && places[at - 1].0 != range {
                start += counts[places[at - 1].0] as usize;
            }
            // What was selected before stays in front: the next is looked for from there on.
            let behind = start + rank - from;
            if let Some(rest) = near.get_mut(from..).filter(|rest| behind < rest.len()) {
                values[at] = *rest.select_nth_unstable(behind).1;
            }
            from = start + rank;
        }
        Some(self.told(values))
    }

    fn told(&self, values: [i64; 3]) -> Stats {
        let length = |micros: i64| Duration::from_micros(micros).unwrap_or_default();
        let mean = i64::try_from(self.sum / self.count.max(1) as i128).unwrap_or(i64::MAX);
        Stats {
            count: self.count as u64,
            sum: TotalTime(self.sum),
            mean: length(mean),
            p50: length(values[0]),
            p90: length(values[1]),
            p99: length(values[2]),
            max: length(self.max),
        }
    }
}

/// The ranks of the percentiles among so many.
fn ranks(count: usize) -> [usize; 3] {
    [50, 90, 99].map(|percent| rank(count, percent))
}

/// The position, in order, of the value that so many percent do not exceed.
fn rank(count: usize, percent: u64) -> usize {
    let rank = (count as u64 * percent).div_ceil(100);
    usize::try_from(rank).unwrap_or(count).clamp(1, count) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn plain(mut lengths: Vec<i64>) -> Option<[i128; 6]> {
        lengths.sort_unstable();
        let at = |percent: usize| {
            i128::from(lengths[(lengths.len() * percent).div_ceil(100).max(1) - 1])
        };
        let sum = lengths.iter().map(|&length| i128::from(length)).sum();
        (!lengths.is_empty()).then(|| [lengths.len() as i128, sum, at(50), at(90), at(99), at(100)])
    }

    #[track_caller]
    fn check(lengths: impl Iterator<Item = i64>) {
        let lengths: Vec<i64> = lengths.collect();
        let numbers = |stats: &Option<Stats>| {
            let stats = stats.as_ref()?;
            let [p50, p90, p99, max] = [stats.p50, stats.p90, stats.p99, stats.max]
                .map(|length| i128::from(length.micros()));
            Some([i128::from(stats.count), stats.sum.0, p50, p90, p99, max])
        };
        let (first, second) = (lengths.len() / 3, lengths.len() / 2);
        let parts = [&lengths[..first], &lengths[first..second], &lengths[second..]];
        let mut reckoner = Reckoner::default();
        let (of_parts, whole) = reckoner.stats(&parts);
        for (part, stats) in parts.iter().zip(&of_parts) {
            assert_eq!(numbers(stats), plain(part.to_vec()));
        }
        assert_eq!(numbers(&whole), plain(lengths.clone()));
        let (of_parts, same) = reckoner.stats(&[&lengths]);
        assert_eq!((&of_parts[0], &same), (&whole, &whole));
    }

    #[test]
    fn percentiles_are_the_values_at_their_ranks() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        for count in [1, 2, 3, 10, 99, 100, 101, 511, 512, 513, 5000] {
            check((0..count).map(|_| i64::try_from(random()).unwrap_or(0)));
            check((0..count).map(|_| i64::try_from(random() % 3).unwrap_or(0)));
            check((0..count).map(|_| 1_i64 << (random() % 58)));
            check(0..count);
            check((0..count).map(|_| 7));
        }
        assert_eq!(Reckoner::default().stats(&[]), (vec![], None));
    }

    #[test]
    fn ranges_are_in_the_order_of_lengths() {
        let lengths = (0..1000).chain((10..62).flat_map(|bits| {
            let power = 1_i64 << bits;
            [power - 1, power, power + 1, power + power / 2]
        }));
        let mut before = 0;
        for length in lengths.chain([i64::MAX]) {
            let range = range_of(length);
            assert!(range >= before && range < RANGES, "{length}");
            before = range;
        }
    }

    #[test]
    fn a_sum_is_exact_whatever_its_size() {
        let total = |micros: i128| TotalTime(micros).to_string();
        assert_eq!(total(0), "PT0S");
        assert_eq!(total(9_007_199_254_740_993), "P104249DT23H47M34.740993S");
        assert_eq!(total(i128::from(i64::MAX) * 1000), "P106751991167DT7H12M55.807S");
        assert_eq!(total(86_400_000_000), "P1D");
    }
}
