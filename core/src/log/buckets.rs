//! Time in equal parts: what happened in each, and where objects were at its end.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::options::BucketOptions;
use crate::time::{Duration, Time};

/// Most buckets of a report.
pub(super) const MOST: usize = 400;

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3600 * SECOND;
const DAY: i64 = 24 * HOUR;
/// Widths that people use.
const WIDTHS: [i64; 22] = [
    1,
    1000,
    SECOND,
    5 * SECOND,
    15 * SECOND,
    60 * SECOND,
    5 * 60 * SECOND,
    15 * 60 * SECOND,
    30 * 60 * SECOND,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY,
    28 * DAY,
    91 * DAY,
    182 * DAY,
    364 * DAY,
    3640 * DAY,
];
/// 10,000 years: longer than all times that there are.
const LONGEST: i64 = 3_652_500 * DAY;
const FIRST_TIME: i64 = -62_167_219_200 * SECOND;
const LAST_TIME: i64 = 253_402_300_800 * SECOND - 1;
/// Bits behind the point of a bucket's number while it is reckoned.
const POINT: u32 = 54;
/// A Monday: weeks begin there.
const MONDAY: i64 = 4 * DAY;

/// Where buckets begin and end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) start: i64,
    pub(super) width: i64,
    pub(super) count: usize,
    /// The first time that is asked for: the first bucket may begin before it.
    first: i64,
    /// The first time that is in no bucket.
    end: i64,
    /// How many bits of a time are left away, and by what the rest is multiplied, to find its bucket without a
    /// division.
    shift: u32,
    inverse: u64,
}

impl Grid {
    /// Buckets for the times from `first` up to `end`, which is not among them.
    pub(super) fn new(first: i64, end: i64, options: &BucketOptions) -> Self {
        let end = end.max(first.saturating_add(1));
        let most = i64::try_from(options.count.clamp(1, MOST)).unwrap_or(1);
        let given = options.width.map(Duration::micros).filter(|&width| width > 0);
        // How many buckets of a width there are, if they start at a multiple of it.
        let start_of = |width: i64| {
            let origin = if width % (7 * DAY) == 0 { MONDAY } else { 0 };
            (first - origin).div_euclid(width) * width + origin
        };
        let count_of = |width: i64| (end - start_of(width) - 1) / width + 1;
        let fits = |&width: &i64| count_of(width) <= most;
        let (width, start) = match given.map(|width| width.min(LONGEST)) {
            Some(width) if count_of(width) <= 400 => (width, start_of(width)),
            Some(width) => {
                let wider = ((end - first) / width / 398 + 1) * width;
                (wider, start_of(wider))
            }
            None => match WIDTHS.into_iter().find(fits) {
                Some(width) => (width, start_of(width)),
                None => ((end - first) / most + 1, first),
            },
        };
        let count = usize::try_from((end - start - 1) / width + 1).unwrap_or(1).clamp(1, MOST);
        let bits = 64 - (end - start).cast_unsigned().leading_zeros();
        let shift = bits.saturating_sub(31);
        let inverse = (1_u128 << (POINT + shift)) / u128::from(width.cast_unsigned().max(1));
        let inverse = u64::try_from(inverse).unwrap_or(u64::MAX);
        Self { start, width, count, first, end, shift, inverse }
    }

    /// The bucket of a time: the first for what lies before, and the one behind the last for what lies behind.
    #[inline]
    pub(super) fn of(&self, time: i64) -> usize {
        if time >= self.end {
            return self.count;
        }
        let since = time - self.start;
        if since < 0 {
            return 0;
        }
        self.inside(time).min(self.count - 1)
    }

    /// The bucket of a time that lies in one.
    #[inline]
    pub(super) fn inside(&self, time: i64) -> usize {
        let since = time.wrapping_sub(self.start);
        // At most one too little, which is then put right.
        let bucket = (since.cast_unsigned() >> self.shift).wrapping_mul(self.inverse) >> POINT;
        let bucket = bucket.cast_signed();
        let more = i64::from((bucket + 1).wrapping_mul(self.width) <= since);
        usize::try_from(bucket + more).unwrap_or(0)
    }

    /// Whether a time is in a bucket.
    #[inline]
    pub(super) fn holds(&self, time: i64) -> bool {
        time >= self.first && time < self.end
    }

    fn start_of(&self, bucket: usize) -> i64 {
        let ahead = i64::try_from(bucket).unwrap_or(0).saturating_mul(self.width);
        self.start.saturating_add(ahead)
    }
}

/// Where objects come and go, bucket by bucket. What is counted is a change: sums make it a number of objects.
#[derive(Debug)]
pub(super) struct Tide {
    /// Without one there are no buckets.
    pub(super) grid: Grid,
    /// A row for each slot: how many more objects are there from a bucket on.
    pub(super) rows: Vec<i64>,
    /// The same for those of which nothing is sure.
    pub(super) uncertain: Vec<i64>,
    pub(super) created: Vec<u64>,
    pub(super) finished: Vec<u64>,
    pub(super) records: Vec<u64>,
}

impl Tide {
    pub(super) fn new(grid: Grid) -> Self {
        let stride = grid.count + 1;
        let zeros = || alloc::vec![0; stride];
        Self {
            grid,
            rows: Vec::new(),
            uncertain: alloc::vec![0; stride],
            created: zeros(),
            finished: zeros(),
            records: zeros(),
        }
    }

    /// Makes room for slots.
    pub(super) fn hold(&mut self, slots: usize) {
        let stride = self.grid.count + 1;
        if self.rows.len() < slots * stride {
            self.rows.resize(slots * stride, 0);
        }
    }

    /// From a bucket on there is one object more, or fewer, in a slot.
    #[inline]
    pub(super) fn turn(&mut self, slot: u32, bucket: usize, by: i64) {
        let at = slot as usize * (self.grid.count + 1) + bucket;
        if let Some(cell) = self.rows.get_mut(at) {
            *cell += by;
        }
    }
}

/// What happened in parts of time, and where objects were at the end of each.
///
/// Where an object was is counted as at its end; of the last bucket, at the end of what is asked for.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Buckets {
    /// The start of the first.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub start: Time,
    /// How long each is.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub width: Duration,
    /// The start of each.
    #[cfg_attr(feature = "tsify", tsify(type = "string[]"))]
    pub starts: Vec<Time>,
    /// Objects that were created in each.
    pub created: Vec<u64>,
    /// Objects whose life ended in each: that came into a terminal state.
    pub finished: Vec<u64>,
    /// Records of each.
    pub records: Vec<u64>,
    /// For each state the objects that were there when each bucket ended; states in which none ever was are left out.
    pub states: Vec<StateTide>,
    /// Objects that existed when each bucket ended, but whose log has a gap there.
    pub uncertain: Vec<u64>,
}

/// How many objects were in a state when each bucket ended.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StateTide {
    /// The path of the state.
    pub state: String,
    /// A number for each bucket.
    pub objects: Vec<u64>,
}

impl Tide {
    /// The buckets, with the states of slots in the order in which they are to be listed.
    pub(super) fn told(
        self,
        as_of: Time,
        states: impl Iterator<Item = (String, usize)>,
    ) -> Buckets {
        let Self { grid, rows, uncertain, created, finished, records } = self;
        let stride = grid.count + 1;
        let sums = |changes: &[i64]| -> Vec<u64> {
            let mut sum = 0;
            let sum_up = |change: &i64| {
                sum += change;
                u64::try_from(sum).unwrap_or(0)
            };
            changes.iter().take(grid.count).map(sum_up).collect()
        };
        let first = |mut counts: Vec<u64>| {
            counts.truncate(grid.count);
            counts
        };
        // The first bucket may begin before the first time that can be written.
        let time = |at: i64| Time::from_micros(at.clamp(FIRST_TIME, LAST_TIME)).unwrap_or(as_of);
        let states = states.filter_map(|(state, slot)| {
            let row = rows.get(slot * stride..(slot + 1) * stride)?;
            row.iter().any(|&change| change != 0).then(|| StateTide { state, objects: sums(row) })
        });
        Buckets {
            start: time(grid.start),
            width: Duration::from_micros(grid.width).unwrap_or_default(),
            starts: (0..grid.count).map(|bucket| time(grid.start_of(bucket))).collect(),
            states: states.collect(),
            uncertain: sums(&uncertain),
            created: first(created),
            finished: first(finished),
            records: first(records),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_in_the_bucket_that_begins_before_it() {
        let far = LAST_TIME;
        for (first, end) in [(0, 1), (5, 100), (-7, 3 * DAY), (DAY + 1, 900 * DAY), (-far / 4, far)]
        {
            for width in [None, Some(1), Some(7), Some(HOUR), Some(DAY), Some(i64::MAX)] {
                let width = width.and_then(Duration::from_micros);
                let grid = Grid::new(first, end, &BucketOptions { count: 60, width });
                assert!(grid.count <= MOST && grid.start <= first, "{grid:?}");
                for at in 0..997 {
                    let time = first + (end - first - 1) / 997 * at;
                    let bucket = grid.of(time);
                    assert_eq!(grid.inside(time), bucket);
                    assert!(bucket < grid.count && grid.holds(time));
                    let start = grid.start_of(bucket);
                    assert!(start <= time && time - start < grid.width, "{grid:?} {time}");
                }
                assert_eq!(grid.of(end), grid.count);
            }
        }
    }

    #[test]
    fn weeks_begin_on_mondays() {
        let grid = Grid::new(0, 300 * DAY, &BucketOptions::default());
        assert_eq!((grid.width, grid.start), (7 * DAY, MONDAY - 7 * DAY));
    }
}
