//! Business calendars: which hours of which days count.
//!
//! A day is a number of whole days since the epoch, in the calendar's own
//! offset. Working time between two moments is the difference of two sums
//! from one fixed Monday on: whole weeks by multiplication, the days that are
//! not like others by a table of sums, and what is left within one day. So
//! nothing takes longer for a longer time.

mod text;

use alloc::{vec, vec::Vec};

use crate::{
    json,
    time::{Duration, Time},
};

const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// How many days lie between the Monday that sums begin at and the epoch, which was a Thursday.
const MONDAY_BEFORE: i64 = 3;
/// The first of January of the year 10000, in days since the epoch: no moment lies later in any offset.
const LAST_DAY: i64 = 2_932_896;

/// Working hours by day of the week, in a fixed offset from UTC, with holidays.
///
/// Read from `{ "offset": "+01:00", "hours": { "mon-fri": "09:00-17:00" }, "holidays": ["2026-12-25"] }`. All
/// intervals are half-open. A zone by name is not read: its rules change, and two machines would count
/// differently.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Calendar {
    /// Microseconds east of UTC.
    offset: i64,
    /// The hours of each day of the week, Monday first.
    week: [Vec<Span>; 7],
    /// For each day of the week the working time of the days before it; behind them that of the whole week, never
    /// zero.
    before: [i64; 8],
    /// The days that are not like others of their day of the week, in order, each once.
    holidays: Vec<Holiday>,
    /// For each holiday by how much all those before it change the working time; behind them the sum of all.
    shifts: Vec<i64>,
}

/// Hours within a day, in microseconds since its midnight. Invariants: `start < end`, and of a day they are in order
/// and do not overlap.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Span {
    start: i64,
    end: i64,
}

/// A day with hours of its own, mostly none.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Holiday {
    day: i64,
    hours: Vec<Span>,
}

/// A text that is no calendar.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidCalendar(json::InvalidInput);

impl InvalidCalendar {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "invalid-calendar"
    }

    /// What is wrong, and the way out.
    #[must_use]
    pub fn cause(&self) -> &str {
        &self.0.cause
    }

    /// The part of the calendar that is wrong (RFC 6901); empty for all of it.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.0.pointer
    }
}

impl Calendar {
    /// Reads a calendar.
    ///
    /// ```
    /// use veristate::Calendar;
    ///
    /// let calendar = Calendar::from_json(r#"{ "offset": "Z", "hours": { "mon-fri": "09:00-17:00" } }"#)?;
    /// let (friday, monday) = ("2023-12-01T16:58:00Z".parse()?, "2023-12-04T09:01:01Z".parse()?);
    /// assert_eq!(calendar.working_time(friday, monday).to_string(), "PT3M1S");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault: a field, an offset, a day, hours or a date that cannot be read; hours that overlap or end
    /// before they begin; a day that is said twice; no working hours in the whole week.
    pub fn from_json(text: &str) -> Result<Self, InvalidCalendar> {
        json::read(text).map_err(InvalidCalendar)
    }

    /// `holidays` in any order, each once.
    fn new(offset: i64, week: [Vec<Span>; 7], mut holidays: Vec<Holiday>) -> Self {
        holidays.sort_unstable_by_key(|holiday| holiday.day);
        let mut calendar =
            Self { offset, week, before: [0; 8], holidays: Vec::new(), shifts: vec![0] };
        for (weekday, hours) in calendar.week.iter().enumerate() {
            calendar.before[weekday + 1] = calendar.before[weekday] + length(hours);
        }
        let mut shift = 0;
        for holiday in &holidays {
            shift += length(&holiday.hours) - length(&calendar.week[weekday(holiday.day)]);
            calendar.shifts.push(shift);
        }
        calendar.holidays = holidays;
        calendar
    }

    /// How much of the time from `from` to `to` is working time; zero where `to` is not after `from`.
    ///
    /// Cost: independent of how far the two lie apart; two binary searches in the holidays.
    #[must_use]
    pub fn working_time(&self, from: Time, to: Time) -> Duration {
        let worked = |time: Time| self.worked(time.micros() + self.offset);
        let micros = if from < to { worked(to) - worked(from) } else { 0 };
        Duration::from_micros(micros).unwrap_or_default()
    }

    /// The first moment at which `working` has passed since `from` as working time: the end of the hours on
    /// Friday, and not the beginning of those on Monday. No time has passed at `from` itself, whether it is
    /// working time or not. None after the year 9999.
    ///
    /// Cost: independent of how far that is; some twenty binary searches in the holidays.
    #[must_use]
    pub fn add(&self, from: Time, working: Duration) -> Option<Time> {
        if working.micros() == 0 {
            return Some(from);
        }
        let start = from.micros() + self.offset;
        let target = self.worked(start).checked_add(working.micros())?;
        // The first day at whose end so much has been worked.
        let (mut first, mut last) = (start.div_euclid(DAY), LAST_DAY);
        while first < last {
            let middle = first + (last - first) / 2;
            match self.before_day(middle + 1) >= target {
                true => last = middle,
                false => first = middle + 1,
            }
        }
        let mut missing = target - self.before_day(first);
        for span in self.hours(first) {
            let length = span.end - span.start;
            if missing <= length {
                return Time::from_micros(first * DAY + span.start + missing - self.offset);
            }
            missing -= length;
        }
        None
    }

    /// The working time from the first Monday of all sums to a local time; negative before it.
    fn worked(&self, local: i64) -> i64 {
        let day = local.div_euclid(DAY);
        let time = local - day * DAY;
        let hours = self.hours(day).iter();
        let today: i64 = hours.map(|span| time.clamp(span.start, span.end) - span.start).sum();
        self.before_day(day) + today
    }

    /// The same up to the beginning of a day.
    fn before_day(&self, day: i64) -> i64 {
        let weeks = (day + MONDAY_BEFORE).div_euclid(7);
        let holidays = self.holidays.partition_point(|holiday| holiday.day < day);
        weeks * self.before[7] + self.before[weekday(day)] + self.shifts[holidays]
    }

    fn hours(&self, day: i64) -> &[Span] {
        match self.holidays.binary_search_by_key(&day, |holiday| holiday.day) {
            Ok(holiday) => &self.holidays[holiday].hours,
            Err(_) => &self.week[weekday(day)],
        }
    }
}

/// The day of the week, from Monday on.
fn weekday(day: i64) -> usize {
    usize::try_from((day + MONDAY_BEFORE).rem_euclid(7)).unwrap_or_default()
}

fn length(hours: &[Span]) -> i64 {
    hours.iter().map(|span| span.end - span.start).sum()
}
