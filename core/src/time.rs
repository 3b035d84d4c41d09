//! Times and durations: the unit is the microsecond, an `i64`.
//!
//! A time is counted from the Unix epoch, as in PostgreSQL's `timestamptz`.
//! Reading is strict (an offset is needed, a month is no length), writing is
//! exact. Source: DESIGN §2, RFC 3339, ISO 8601.

use alloc::{format, string::String};
use core::{fmt, str::FromStr};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;

/// A moment, in microseconds since the Unix epoch; years 0000 to 9999.
///
/// Read from RFC 3339 text with an offset (further digits are cut) or, for
/// JavaScript, from a number of milliseconds. Written as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Time(i64);

/// A text or number that is not a time.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is not a time: RFC 3339 with an offset is needed, such as `2026-01-31T12:00:00Z`")]
pub struct InvalidTime(String);

impl Time {
    const MIN: i64 = -62_167_219_200 * SECOND;
    const MAX: i64 = 253_402_300_800 * SECOND - 1;

    /// The time that lies `micros` microseconds after the Unix epoch; none outside the years 0000 to 9999.
    #[must_use]
    pub fn from_micros(micros: i64) -> Option<Self> {
        (Self::MIN..=Self::MAX).contains(&micros).then_some(Self(micros))
    }

    /// The time that lies `millis` milliseconds after the Unix epoch, as JavaScript counts; further
    /// digits than microseconds are cut. None for what is not finite or outside the years 0000 to 9999.
    #[must_use]
    pub fn from_millis(millis: f64) -> Option<Self> {
        let micros = millis * 1000.0;
        // Saturates outside of i64, and the range check then refuses it.
        #[expect(clippy::cast_possible_truncation, reason = "cutting further digits is the rule")]
        if micros.is_finite() { Self::from_micros(micros as i64) } else { None }
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub fn micros(self) -> i64 {
        self.0
    }

    /// This time moved by `duration`; none when it leaves the years 0000 to 9999.
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        Self::from_micros(self.0.checked_add(duration.0)?)
    }

    /// This time moved back by `duration`; none when it leaves the years 0000 to 9999.
    #[must_use]
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        Self::from_micros(self.0.checked_sub(duration.0)?)
    }
}

impl FromStr for Time {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        DateTime::parse_from_rfc3339(text)
            .ok()
            .and_then(|time| Self::from_micros(time.timestamp_micros()))
            .ok_or_else(|| InvalidTime(text.into()))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.0 {
            whole if whole % SECOND == 0 => SecondsFormat::Secs,
            whole if whole % 1000 == 0 => SecondsFormat::Millis,
            _ => SecondsFormat::Micros,
        };
        let time: DateTime<Utc> = DateTime::from_timestamp_micros(self.0).unwrap_or_default();
        f.write_str(&time.to_rfc3339_opts(digits, true))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time: RFC 3339 text with an offset, or milliseconds since 1970")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Time, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, millis: i64) -> Result<Time, E> {
                millis
                    .checked_mul(1000)
                    .and_then(Time::from_micros)
                    .ok_or_else(|| E::custom(InvalidTime(format!("{millis}"))))
            }

            fn visit_u64<E: de::Error>(self, millis: u64) -> Result<Time, E> {
                self.visit_i64(i64::try_from(millis).unwrap_or(i64::MAX))
            }

            fn visit_f64<E: de::Error>(self, millis: f64) -> Result<Time, E> {
                Time::from_millis(millis)
                    .ok_or_else(|| E::custom(InvalidTime("that number of milliseconds".into())))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// A length of time in microseconds, zero or more.
///
/// Read from ISO 8601 (`PT30M`) or a friendly form (`30m`, `1h 30m`, `2d`, `1.5h`). A day is 24 hours;
/// months and years have no fixed length and are refused. Written as ISO 8601, exact.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Duration(i64);

/// A text that is not a duration, and why.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{text}` is not a duration: {cause}")]
pub struct InvalidDuration {
    text: String,
    cause: &'static str,
}

impl Duration {
    /// The duration of `micros` microseconds; none below zero.
    #[must_use]
    pub fn from_micros(micros: i64) -> Option<Self> {
        (micros >= 0).then_some(Self(micros))
    }

    /// Microseconds, zero or more.
    #[must_use]
    pub fn micros(self) -> i64 {
        self.0
    }
}

impl FromStr for Duration {
    type Err = InvalidDuration;

    fn from_str(text: &str) -> Result<Self, InvalidDuration> {
        let trimmed = text.trim();
        let parsed = match trimmed.strip_prefix(['P', 'p']) {
            Some(iso) => parse_iso(iso),
            None => parse_friendly(trimmed),
        };
        parsed.map(Self).map_err(|cause| InvalidDuration { text: text.into(), cause })
    }
}

const NO_UNIT: &str = "a number needs a unit, such as `30m`, `1h 30m`, `2d` or `PT30M`";
const NO_NUMBER: &str = "a unit needs a number before it, such as `30m`";
const NO_LENGTH: &str = "months and years have no fixed length; say it in days";
const ODD_UNIT: &str = "the units are `w`, `d`, `h`, `m`, `s`, `ms` and `us`";
const TOO_LONG: &str = "it is longer than 292,000 years";
const EMPTY: &str = "it is empty";
const ISO_FORM: &str = "ISO 8601 durations look like `P1DT2H30M` or `PT0.5S`";

fn parse_friendly(text: &str) -> Result<i64, &'static str> {
    let mut rest = text;
    let mut total: i64 = 0;
    if rest.is_empty() {
        return Err(EMPTY);
    }
    while !rest.is_empty() {
        let (number, after) = take_number(rest)?;
        let after = after.trim_start();
        let end = after
            .find(|c: char| !c.is_ascii_alphabetic() && !matches!(c, 'µ' | 'μ'))
            .unwrap_or(after.len());
        let unit = match &after[..end] {
            "" => return Err(NO_UNIT),
            "w" | "week" | "weeks" => WEEK,
            "d" | "day" | "days" => DAY,
            "h" | "hr" | "hrs" | "hour" | "hours" => HOUR,
            "m" | "min" | "mins" | "minute" | "minutes" => MINUTE,
            "s" | "sec" | "secs" | "second" | "seconds" => SECOND,
            "ms" | "millisecond" | "milliseconds" => 1000,
            "us" | "µs" | "μs" | "microsecond" | "microseconds" => 1,
            "mo" | "month" | "months" | "y" | "yr" | "yrs" | "year" | "years" => {
                return Err(NO_LENGTH);
            }
            _ => return Err(ODD_UNIT),
        };
        total = add(total, number, unit)?;
        rest = after[end..].trim_start_matches([' ', ',', '\t']);
    }
    Ok(total)
}

fn parse_iso(text: &str) -> Result<i64, &'static str> {
    let (date, time) = match text.split_once(['T', 't']) {
        Some((_, "")) => return Err(ISO_FORM),
        Some((date, time)) => (date, time),
        None => (text, ""),
    };
    if date.is_empty() && time.is_empty() {
        return Err(ISO_FORM);
    }
    let total = parse_iso_part(date, &[('Y', 0), ('M', 0), ('W', WEEK), ('D', DAY)], 0)?;
    parse_iso_part(time, &[('H', HOUR), ('M', MINUTE), ('S', SECOND)], total)
}

/// Adds one half of an ISO duration. Units come at most once and in order; a unit of length 0 has no fixed length.
fn parse_iso_part(text: &str, units: &[(char, i64)], mut total: i64) -> Result<i64, &'static str> {
    let mut rest = text;
    let mut units = units.iter();
    while !rest.is_empty() {
        let (number, after) = take_number(rest)?;
        let unit = after.chars().next().ok_or(NO_UNIT)?.to_ascii_uppercase();
        let length = units.find(|(name, _)| *name == unit).ok_or(ISO_FORM)?.1;
        if length == 0 {
            return Err(NO_LENGTH);
        }
        total = add(total, number, length)?;
        rest = &after[1..];
    }
    Ok(total)
}

/// A decimal number: its whole part, and its fraction in millionths (further digits are cut).
#[derive(Clone, Copy)]
struct Number {
    whole: i64,
    millionths: i64,
}

fn take_number(text: &str) -> Result<(Number, &str), &'static str> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if text.starts_with(['-', '+']) {
        return Err("a duration has no sign");
    }
    let end = digits(text);
    if end == 0 {
        return Err(NO_NUMBER);
    }
    let whole = text[..end].parse().map_err(|_| TOO_LONG)?;
    let rest = &text[end..];
    let Some(fraction) = rest.strip_prefix('.') else {
        return Ok((Number { whole, millionths: 0 }, rest));
    };
    let end = digits(fraction);
    if end == 0 {
        return Err("digits are missing after the point");
    }
    let mut millionths = 0;
    let mut place = 100_000;
    for digit in fraction[..end].bytes().take(6) {
        millionths += i64::from(digit - b'0') * place;
        place /= 10;
    }
    Ok((Number { whole, millionths }, &fraction[end..]))
}

fn add(total: i64, number: Number, unit: i64) -> Result<i64, &'static str> {
    let fraction = i128::from(number.millionths) * i128::from(unit) / 1_000_000;
    let sum = i128::from(total) + i128::from(number.whole) * i128::from(unit) + fraction;
    i64::try_from(sum).map_err(|_| TOO_LONG)
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, hours) = (self.0 / DAY, self.0 % DAY / HOUR);
        let (minutes, seconds) = (self.0 % HOUR / MINUTE, self.0 % MINUTE / SECOND);
        let micros = self.0 % SECOND;
        f.write_str("P")?;
        if days > 0 {
            write!(f, "{days}D")?;
        }
        if self.0 % DAY == 0 && days > 0 {
            return Ok(());
        }
        f.write_str("T")?;
        if hours > 0 {
            write!(f, "{hours}H")?;
        }
        if minutes > 0 {
            write!(f, "{minutes}M")?;
        }
        if micros > 0 {
            let digits = format!("{micros:06}");
            write!(f, "{seconds}.{}S", digits.trim_end_matches('0'))
        } else if seconds > 0 || self.0 == 0 {
            write!(f, "{seconds}S")
        } else {
            Ok(())
        }
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[track_caller]
    fn check_duration(text: &str, expected: Result<&str, &str>) {
        let got = text.parse::<Duration>();
        assert_eq!(
            got.as_ref().map(ToString::to_string).map_err(|error| error.cause),
            expected.map(Into::into)
        );
    }

    #[test]
    fn durations_are_read_in_both_forms_and_written_in_one() {
        check_duration("30m", Ok("PT30M"));
        check_duration("1h 30m", Ok("PT1H30M"));
        check_duration("1h30m", Ok("PT1H30M"));
        check_duration("90 minutes", Ok("PT1H30M"));
        check_duration("2d", Ok("P2D"));
        check_duration("1w, 1h", Ok("P7DT1H"));
        check_duration("1.5h", Ok("PT1H30M"));
        check_duration("250ms", Ok("PT0.25S"));
        check_duration("1us", Ok("PT0.000001S"));
        check_duration("0s", Ok("PT0S"));
        check_duration("PT30M", Ok("PT30M"));
        check_duration("P1DT2H30M0.5S", Ok("P1DT2H30M0.5S"));
        check_duration("P2W", Ok("P14D"));
    }

    #[test]
    fn what_has_no_fixed_length_or_no_unit_is_refused() {
        check_duration("P1M", Err(NO_LENGTH));
        check_duration("P1Y", Err(NO_LENGTH));
        check_duration("2 months", Err(NO_LENGTH));
        check_duration("30", Err(NO_UNIT));
        check_duration("", Err(EMPTY));
        check_duration("-5m", Err("a duration has no sign"));
        check_duration("PT", Err(ISO_FORM));
        check_duration("P", Err(ISO_FORM));
        check_duration("PT1S1H", Err(ISO_FORM));
        check_duration("5 fortnights", Err(ODD_UNIT));
        check_duration("99999999999999999999d", Err(TOO_LONG));
        check_duration("9999999999999d", Err(TOO_LONG));
        check_duration("1.h", Err("digits are missing after the point"));
        check_duration("PT5é", Err(ISO_FORM));
    }

    #[track_caller]
    fn check_time(text: &str, expected: Option<&str>) {
        assert_eq!(text.parse::<Time>().ok().map(|time| time.to_string()).as_deref(), expected);
    }

    #[test]
    fn times_need_an_offset_and_keep_six_digits() {
        check_time("2026-01-31T12:00:00Z", Some("2026-01-31T12:00:00Z"));
        check_time("2026-01-31T12:00:00.5+02:00", Some("2026-01-31T10:00:00.500Z"));
        check_time("2026-01-31T12:00:00.123456789Z", Some("2026-01-31T12:00:00.123456Z"));
        check_time("1969-12-31T23:59:59.999999Z", Some("1969-12-31T23:59:59.999999Z"));
        check_time("2026-01-31T12:00:00", None);
        check_time("2026-02-30T12:00:00Z", None);
        check_time("yesterday", None);
    }

    #[test]
    fn javascript_numbers_are_milliseconds() {
        let read = |json: &str| serde_json::from_str::<Time>(json).ok().map(Time::micros);
        assert_eq!(read("1000"), Some(1_000_000));
        assert_eq!(read("1000.25"), Some(1_000_250));
        assert_eq!(read("1e300"), None);
        assert_eq!(read("null"), None);
    }
}
