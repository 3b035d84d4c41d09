//! Timestamps and durations as CEL has them: nanoseconds, in the range of protobuf. Source: CEL language
//! definition, "Timestamps" and "Durations"; RFC 3339.

use alloc::{format, string::String};

use chrono::{DateTime, Datelike, FixedOffset, SecondsFormat, Timelike, Utc};

const NANOS: i64 = 1_000_000_000;

/// A moment in the years 0001 to 9999.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Timestamp {
    seconds: i64,
    nanos: i32,
}

/// A signed length of time, up to 315,576,000,000 seconds.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Length {
    /// Both have the same sign only in what is written; here the nanoseconds count upwards.
    seconds: i64,
    nanos: i32,
}

/// Seconds and nanoseconds with the nanoseconds in 0 … 10^9 − 1.
fn settled(seconds: i64, nanos: i64) -> Option<(i64, i32)> {
    let seconds = seconds.checked_add(nanos.div_euclid(NANOS))?;
    Some((seconds, i32::try_from(nanos.rem_euclid(NANOS)).ok()?))
}

impl Timestamp {
    const FIRST: i64 = -62_135_596_800;
    const LAST: i64 = 253_402_300_799;

    pub(super) fn new(seconds: i64, nanos: i64) -> Option<Self> {
        let (seconds, nanos) = settled(seconds, nanos)?;
        (Self::FIRST..=Self::LAST).contains(&seconds).then_some(Self { seconds, nanos })
    }

    /// Reads RFC 3339 with an offset; further digits than nanoseconds are cut.
    pub(super) fn read(text: &str) -> Option<Self> {
        let time = DateTime::parse_from_rfc3339(text).ok()?;
        Self::new(time.timestamp(), i64::from(time.timestamp_subsec_nanos()))
    }

    pub(super) fn seconds(self) -> i64 {
        self.seconds
    }

    pub(super) fn plus(self, span: Length) -> Option<Self> {
        let nanos = i64::from(self.nanos) + i64::from(span.nanos);
        Self::new(self.seconds.checked_add(span.seconds)?, nanos)
    }

    pub(super) fn minus(self, span: Length) -> Option<Self> {
        let nanos = i64::from(self.nanos) - i64::from(span.nanos);
        Self::new(self.seconds.checked_sub(span.seconds)?, nanos)
    }

    pub(super) fn since(self, other: Self) -> Option<Length> {
        Length::new(self.seconds - other.seconds, i64::from(self.nanos - other.nanos))
    }

    /// RFC 3339 in UTC, with as many digits as there are.
    pub(super) fn write(self) -> String {
        let mut text = self.at(None).map_or_else(String::new, |time| {
            time.with_nanosecond(0).unwrap_or(time).to_rfc3339_opts(SecondsFormat::Secs, true)
        });
        if self.nanos > 0 {
            text.pop();
            text = format!("{text}{}Z", fraction(self.nanos));
        }
        text
    }

    fn at(self, offset: Option<FixedOffset>) -> Option<DateTime<FixedOffset>> {
        let utc: DateTime<Utc> = DateTime::from_timestamp(self.seconds, self.nanos.unsigned_abs())?;
        let zero = FixedOffset::east_opt(0)?;
        Some(utc.with_timezone(&offset.unwrap_or(zero)))
    }

    /// One part of the time as it is read at an offset from UTC.
    pub(super) fn part(self, part: Part, offset: Option<FixedOffset>) -> Option<i64> {
        let time = self.at(offset)?;
        Some(match part {
            Part::FullYear => i64::from(time.year()),
            Part::Month => i64::from(time.month0()),
            Part::Date => i64::from(time.day()),
            Part::DayOfMonth => i64::from(time.day0()),
            Part::DayOfWeek => i64::from(time.weekday().num_days_from_sunday()),
            Part::DayOfYear => i64::from(time.ordinal0()),
            Part::Hours => i64::from(time.hour()),
            Part::Minutes => i64::from(time.minute()),
            Part::Seconds => i64::from(time.second()),
            Part::Milliseconds => i64::from(time.nanosecond() / 1_000_000),
        })
    }
}

/// What the functions `getFullYear` … `getMilliseconds` ask for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Part {
    FullYear,
    Month,
    Date,
    DayOfMonth,
    DayOfWeek,
    DayOfYear,
    Hours,
    Minutes,
    Seconds,
    Milliseconds,
}

/// Reads a time zone: `UTC` or an offset such as `+02:00`, `-09:30`, `02:00`. Names of places are not read: their
/// rules change, and differ from machine to machine, so that verdicts would differ, too.
pub(super) fn read_zone(text: &str) -> Option<FixedOffset> {
    if matches!(text, "UTC" | "Etc/UTC" | "GMT" | "Z") {
        return FixedOffset::east_opt(0);
    }
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |digits: &str, below: i32| {
        let well = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<i32>().ok().filter(|number| well && *number < below)
    };
    FixedOffset::east_opt(sign * (number(hours, 24)? * 3600 + number(minutes, 60)? * 60))
}

impl Length {
    const LONGEST: i64 = 315_576_000_000;

    pub(super) fn new(seconds: i64, nanos: i64) -> Option<Self> {
        let (seconds, nanos) = settled(seconds, nanos)?;
        let over = seconds > Self::LONGEST || (seconds == Self::LONGEST && nanos > 0);
        (seconds >= -Self::LONGEST && !over).then_some(Self { seconds, nanos })
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Self::new(self.seconds + other.seconds, i64::from(self.nanos) + i64::from(other.nanos))
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        Self::new(self.seconds - other.seconds, i64::from(self.nanos) - i64::from(other.nanos))
    }

    pub(super) fn negated(self) -> Option<Self> {
        Self::new(-self.seconds, -i64::from(self.nanos))
    }

    /// Whole seconds and what is left, both with the sign of the whole.
    fn parts(self) -> (i64, i64) {
        match self.seconds < 0 && self.nanos > 0 {
            true => (self.seconds + 1, i64::from(self.nanos) - NANOS),
            false => (self.seconds, i64::from(self.nanos)),
        }
    }

    /// One of hours, minutes and seconds: the whole length in that unit; or the milliseconds beyond the seconds.
    pub(super) fn part(self, part: Part) -> Option<i64> {
        let (seconds, nanos) = self.parts();
        Some(match part {
            Part::Hours => seconds / 3600,
            Part::Minutes => seconds / 60,
            Part::Seconds => seconds,
            Part::Milliseconds => nanos / 1_000_000,
            _ => return None,
        })
    }

    /// Seconds with as many digits as there are, such as `1.5s`.
    pub(super) fn write(self) -> String {
        let (seconds, nanos) = self.parts();
        let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
        let digits = match i32::try_from(nanos.unsigned_abs()) {
            Ok(nanos) if nanos > 0 => fraction(nanos),
            _ => String::new(),
        };
        format!("{sign}{}{digits}s", seconds.unsigned_abs())
    }

    /// Reads numbers with units, such as `1h30m`, `-1.5s`, `100ms`; `0` needs none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (negative, mut rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if rest == "0" {
            return Self::new(0, 0);
        }
        let mut total = (!rest.is_empty()).then_some(Self { seconds: 0, nanos: 0 })?;
        while !rest.is_empty() {
            let digits =
                |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let end = digits(rest);
            let (whole, after) = rest.split_at(end);
            let (part, after) = match after.strip_prefix('.') {
                Some(after) => after.split_at(digits(after)),
                None => ("", after),
            };
            if whole.is_empty() && part.is_empty() {
                return None;
            }
            let (unit, after) = [
                ("ns", 1),
                ("us", 1_000),
                ("µs", 1_000),
                ("μs", 1_000),
                ("ms", 1_000_000),
                ("h", 3600 * NANOS),
                ("m", 60 * NANOS),
                ("s", NANOS),
            ]
            .into_iter()
            .find_map(|(name, unit)| Some((unit, after.strip_prefix(name)?)))?;
            let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
            total = total.plus(length(whole, part, unit)?)?;
            rest = after;
        }
        if negative { total.negated() } else { Some(total) }
    }
}

/// `whole` and a decimal fraction of it, in units of so many nanoseconds; what is less than one is cut.
fn length(whole: i64, part: &str, unit: i64) -> Option<Length> {
    let digits = part.get(..part.len().min(12))?;
    let scaled: i64 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    let scale = 10_i128.pow(u32::try_from(digits.len()).ok()?);
    let unit = i128::from(unit);
    let nanos = i128::from(whole) * unit + i128::from(scaled) * unit / scale;
    let second = i128::from(NANOS);
    Length::new(i64::try_from(nanos / second).ok()?, i64::try_from(nanos % second).ok()?)
}

/// Nanoseconds as the digits behind the seconds, without zeros at the end.
fn fraction(nanos: i32) -> String {
    let digits = format!(".{nanos:09}");
    digits.trim_end_matches('0').into()
}
