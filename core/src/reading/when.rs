//! Times as logs write them.
//!
//! RFC 3339, and what is as clear: a space for `T`, offsets without a colon (Jira) or without minutes
//! (PostgreSQL), `UTC`, a comma before the fraction, no seconds. The usual layouts are read over bytes, since a
//! log has millions of them; [`Time`]'s own way is asked where that does not do, so that all it takes is taken.

use alloc::{format, string::String};

use super::summary::{Fault, RowCode};
use crate::time::Time;

const SECOND: i64 = 1_000_000;

/// Why a text is no time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Odd {
    /// It is right but for the offset.
    NoOffset,
    /// A number, or a date as `3/4/2026`.
    Ambiguous,
    /// A date without a time of day.
    OnlyDate,
    /// No such day, hour, minute or second.
    Calendar,
    /// Anything else.
    NoTime,
}

/// Reads the time that a field has; `offset` in seconds is for times without one.
pub(super) fn read(text: &str, offset: Option<i32>, field: &str) -> Result<Time, Fault> {
    parse(text.as_bytes(), offset).or_else(|odd| {
        text.trim().parse().map_err(|_| {
            let shown = shown(text);
            let (code, cause, help) = match odd {
                Odd::NoOffset => (
                    RowCode::NoOffset,
                    "a time without an offset",
                    "say which offset the times have with the option `offset`, such as `+01:00` or `Z`",
                ),
                Odd::Ambiguous => (
                    RowCode::AmbiguousTime,
                    "a number or a date that can be read in two ways",
                    "write times as `2026-01-31T12:00:00Z`",
                ),
                Odd::OnlyDate => (
                    RowCode::InvalidTime,
                    "a date without a time of day",
                    "write times as `2026-01-31T12:00:00Z`",
                ),
                Odd::Calendar => (
                    RowCode::InvalidTime,
                    "no time that there is",
                    "a day has the hours 00 to 23, and a month its own days",
                ),
                Odd::NoTime => {
                    (RowCode::InvalidTime, "no time", "write times as `2026-01-31T12:00:00Z`")
                }
            };
            Fault::new(code, format!("`{field}` is `{shown}`, {cause}"), help)
        })
    })
}

/// Reads a number of milliseconds, as JSON writes it.
pub(super) fn read_number(text: &str, field: &str) -> Result<Time, Fault> {
    let time = match text.parse::<i64>() {
        Ok(millis) => millis.checked_mul(1000).and_then(Time::from_micros),
        Err(_) => text.parse::<f64>().ok().and_then(Time::from_millis),
    };
    time.ok_or_else(|| {
        let message = format!("`{field}` is {}, no time that there is", shown(text));
        Fault::new(RowCode::InvalidTime, message, "a number is taken as milliseconds since 1970")
    })
}

/// The seconds that an offset as `+02:00`, `+0200`, `+02` or `Z` stands for.
pub(super) fn offset(text: &str) -> Option<i32> {
    seconds_of_offset(text.as_bytes()).and_then(Result::ok)
}

/// As much of a text as a message needs.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn parse(text: &[u8], offset: Option<i32>) -> Result<Time, Odd> {
    let text = text.trim_ascii();
    let Some((date, rest)) = text.split_first_chunk::<10>() else { return Err(other(text)) };
    if date[4] != b'-' || date[7] != b'-' {
        return Err(other(text));
    }
    let [y0, y1, y2, y3, _, m0, m1, _, d0, d1] = *date;
    let (Some(century), Some(year), Some(month), Some(day)) =
        (two(y0, y1), two(y2, y3), two(m0, m1), two(d0, d1))
    else {
        return Err(other(text));
    };
    let year = century * 100 + year;
    let Some((b'T' | b't' | b' ', rest)) = rest.split_first() else {
        return Err(if rest.is_empty() { Odd::OnlyDate } else { Odd::NoTime });
    };
    let Some((clock, mut rest)) = rest.split_first_chunk::<5>() else { return Err(Odd::NoTime) };
    let [h0, h1, b':', m0, m1] = *clock else { return Err(Odd::NoTime) };
    let (Some(hour), Some(minute)) = (two(h0, h1), two(m0, m1)) else { return Err(Odd::NoTime) };
    let (mut second, mut micros) = (0, 0);
    if let Some((b':', after)) = rest.split_first() {
        let Some(([s0, s1], after)) = after.split_first_chunk() else { return Err(Odd::NoTime) };
        second = two(*s0, *s1).ok_or(Odd::NoTime)?;
        rest = after;
        if let Some((b'.' | b',', after)) = rest.split_first() {
            (micros, rest) = fraction(after).ok_or(Odd::NoTime)?;
        }
    }
    // A leap second is the first one of the next minute, as chrono counts.
    let is_clock = hour < 24 && minute < 60 && second <= 60;
    if !is_clock || day == 0 || day > days_of(year, month).ok_or(Odd::Calendar)? {
        return Err(Odd::Calendar);
    }
    let shift = match (seconds_of_offset(rest.trim_ascii_start()), offset) {
        (Some(shift), _) => shift?,
        (None, Some(offset)) => offset,
        (None, None) => return Err(Odd::NoOffset),
    };
    let days = days_from_civil(year, month, day);
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - i64::from(shift);
    Time::from_micros(seconds * SECOND + micros).ok_or(Odd::Calendar)
}

/// What is wrong with a text that does not begin with a date.
fn other(text: &[u8]) -> Odd {
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'/');
    let head = text.split(|byte| *byte == b' ').next().unwrap_or_default();
    match head.iter().all(is_number) && !head.is_empty() {
        true => Odd::Ambiguous,
        false => Odd::NoTime,
    }
}

/// The number that two digits are.
fn two(tens: u8, ones: u8) -> Option<i64> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| i64::from(tens) * 10 + i64::from(ones))
}

/// Microseconds of a fraction, of which further digits are cut, and what comes after it.
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let (mut micros, mut place, mut digits) = (0, 100_000, 0);
    while let Some(byte) = text.get(digits).filter(|byte| byte.is_ascii_digit()) {
        micros += i64::from(byte - b'0') * place;
        place /= 10;
        digits += 1;
    }
    (digits > 0).then(|| (micros, &text[digits..]))
}

/// The seconds of an offset; none where there is nothing.
fn seconds_of_offset(text: &[u8]) -> Option<Result<i32, Odd>> {
    let (sign, rest) = match text {
        [] => return None,
        b"Z" | b"z" | b"UTC" | b"GMT" => return Some(Ok(0)),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return Some(Err(Odd::NoTime)),
    };
    let [h0, h1, m0, m1, s0, s1] = match *rest {
        [h0, h1] => [h0, h1, b'0', b'0', b'0', b'0'],
        [h0, h1, m0, m1] | [h0, h1, b':', m0, m1] => [h0, h1, m0, m1, b'0', b'0'],
        [h0, h1, b':', m0, m1, b':', s0, s1] => [h0, h1, m0, m1, s0, s1],
        _ => return Some(Err(Odd::NoTime)),
    };
    let (Some(hours), Some(minutes), Some(seconds)) = (two(h0, h1), two(m0, m1), two(s0, s1))
    else {
        return Some(Err(Odd::NoTime));
    };
    if hours > 23 || minutes > 59 || seconds > 59 {
        return Some(Err(Odd::Calendar));
    }
    i32::try_from(hours * 3600 + minutes * 60 + seconds).ok().map(|length| Ok(sign * length))
}

fn days_of(year: i64, month: i64) -> Option<i64> {
    const DAYS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let index = usize::try_from(month).ok()?.checked_sub(1)?;
    DAYS.get(index).map(|days| days + i64::from(month == 2 && is_leap))
}

/// Days from 1970-01-01 to a day of the proleptic Gregorian calendar. Years are counted from March, so that the
/// leap day is the last one, and in eras of 400 years, which all have the same days.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    const ERA: i64 = 146_097;
    // Days from March 1st of the year 0 to January 1st of 1970.
    const EPOCH: i64 = 719_468;
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let days = year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + day - 1;
    era * ERA + days - EPOCH
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, RowCode>) {
        let got = read(text, None, "timestamp");
        let got = got.map(|time| time.to_string()).map_err(|fault| fault.code);
        assert_eq!(got, expected.map(ToString::to_string), "{text}");
    }

    #[test]
    fn what_tools_write_is_read() {
        let noon = Ok("2026-01-31T12:00:00Z");
        check("2026-01-31T12:00:00Z", noon);
        check("2026-01-31t12:00:00z", noon);
        check(" 2026-01-31 12:00:00+00 ", noon);
        check("2026-01-31T12:00:00.000+0000", noon);
        check("2026-01-31 17:30:00+0530", noon);
        check("2026-01-31 17:30:00 +05:30", noon);
        check("2026-01-31T10:00-02:00", noon);
        check("2026-01-31 12:00:00 UTC", noon);
        check("2026-01-31 12:00:00\u{2212}00:00", Ok("2026-01-31T12:00:00Z"));
        check("1891-01-31 12:09:21+00:09:21", Ok("1891-01-31T12:00:00Z"));
        check("2026-01-31T12:00:00.1234567891234Z", Ok("2026-01-31T12:00:00.123456Z"));
        check("2026-01-31T12:00:00,5Z", Ok("2026-01-31T12:00:00.500Z"));
        check("2016-12-31T23:59:60Z", Ok("2017-01-01T00:00:00Z"));
        check("0000-01-01T00:00:00Z", Ok("0000-01-01T00:00:00Z"));
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        check("2026-01-31T12:00:00", Err(RowCode::NoOffset));
        check("2026-01-31 12:00:00.5", Err(RowCode::NoOffset));
        check("2026-01-31", Err(RowCode::InvalidTime));
        check("1767225600", Err(RowCode::AmbiguousTime));
        check("1767225600000", Err(RowCode::AmbiguousTime));
        check("46053.5", Err(RowCode::AmbiguousTime));
        check("3/4/2026 10:00", Err(RowCode::AmbiguousTime));
        check("31.01.2026 12:00:00", Err(RowCode::AmbiguousTime));
        check("2026-02-29T12:00:00Z", Err(RowCode::InvalidTime));
        check("2026-13-01T12:00:00Z", Err(RowCode::InvalidTime));
        check("2026-01-00T12:00:00Z", Err(RowCode::InvalidTime));
        check("2026-01-31T24:00:00Z", Err(RowCode::InvalidTime));
        check("2026-01-31T12:00:61Z", Err(RowCode::InvalidTime));
        check("2026-01-31T12:00:00+24:00", Err(RowCode::InvalidTime));
        check("2026-01-31T12:00:00.Z", Err(RowCode::InvalidTime));
        check("2026-01-31T12:00:00 Europe/Berlin", Err(RowCode::InvalidTime));
        check("0000-01-01T00:00:00+00:01", Err(RowCode::InvalidTime));
        check("yesterday", Err(RowCode::InvalidTime));
        check("", Err(RowCode::InvalidTime));
    }

    #[test]
    fn a_named_offset_is_for_times_without_one() {
        let named = |text: &str| {
            read(text, offset("+02:00"), "timestamp").map(|time| time.to_string()).ok()
        };
        assert_eq!(named("2026-01-31T12:00:00").as_deref(), Some("2026-01-31T10:00:00Z"));
        assert_eq!(named("2026-01-31T12:00:00Z").as_deref(), Some("2026-01-31T12:00:00Z"));
        assert_eq!(named("2026-01-31"), None);
        assert_eq!(
            ["Z", "+0530", "-01", "02:00", "", "+25:00"].map(offset),
            [Some(0), Some(19_800), Some(-3600), None, None, None]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_quick_way_and_chrono_agree(
            (year, month, day) in (0_u32..=9999, 0_u32..=13, 0_u32..=32),
            (hour, minute, second) in (0_u32..=25, 0_u32..=61, 0_u32..=61),
            fraction in "(\\.[0-9]{0,12})?",
            letter in "[Tt ]",
            offset in "(Z|z|[+-][0-9]{2}:[0-6][0-9]|)",
        ) {
            let text = format!(
                "{year:04}-{month:02}-{day:02}{letter}{hour:02}:{minute:02}:{second:02}{fraction}{offset}"
            );
            let own = parse(text.as_bytes(), None).ok();
            let chrono = text.parse::<Time>().ok();
            prop_assert_eq!(own, chrono, "{}", text);
        }

        #[test]
        fn no_text_is_too_odd(text in "[0-9TZ:+. -]{0,30}|.{0,30}") {
            if let Ok(time) = parse(text.as_bytes(), Some(0)) {
                prop_assert_eq!(read(&time.to_string(), None, "timestamp").ok(), Some(time));
            }
        }
    }
}
