//! A calendar as it is written, and how it is read and written.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, marker::PhantomData};

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeStruct};

use super::{Calendar, DAY, Holiday, MINUTE, Span};
use crate::json::object;

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/// The epoch in chrono's count of days.
const EPOCH: i64 = 719_163;

/// Working hours by day of the week, in a fixed offset from UTC, with holidays. All intervals are half-open.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(rename = "Calendar"))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// The offset from UTC that days and hours are meant in: `Z`, `+01:00`. Zones by name are not read.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    offset: Offset,
    /// The hours of a day (`mon`, …, `sun`) or of several (`mon-fri`): `"09:00-17:00"`, `"09:00-12:00, 13:00-17:00"`,
    /// or a list of `"09:00-12:00"` or `["09:00", "12:00"]`. A day that is not named has none. The last end is `24:00`.
    #[cfg_attr(
        feature = "tsify",
        tsify(type = "Record<string, string | (string | [string, string])[]>")
    )]
    hours: Week,
    /// Days without hours, as `2026-12-25`, or with hours of their own, as `{ "date": "2026-12-24", "hours":
    /// "09:00-12:00" }`. Each once, in any order.
    #[serde(default)]
    #[cfg_attr(
        feature = "tsify",
        tsify(
            optional,
            type = "(string | { date: string; hours: string | (string | [string, string])[] })[]"
        )
    )]
    holidays: Holidays,
}

struct Offset(i64);

struct Week([Vec<Span>; 7]);

#[derive(Default)]
struct Holidays(Vec<Holiday>);

/// The hours of a day.
struct Hours(Vec<Span>);

/// A day with hours of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Special {
    date: Date,
    hours: Hours,
}

struct Date(i64);

impl<'de> Deserialize<'de> for Calendar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { offset, hours, holidays } = object(deserializer)?;
        Ok(Self::new(offset.0, hours.0, holidays.0))
    }
}

/// What each kind of part is made of: a text, a list or an object.
trait Part: Sized {
    const EXPECTED: &'static str;

    fn from_text(_text: &str) -> Option<Result<Self, String>> {
        None
    }

    fn from_list<'de, A: de::SeqAccess<'de>>(_list: A) -> Option<Result<Self, A::Error>> {
        None
    }

    fn from_map<'de, A: de::MapAccess<'de>>(_map: A) -> Option<Result<Self, A::Error>> {
        None
    }
}

/// Reads a part; what is wrong is found while its text is read, so that it comes with its place.
struct Visitor<T>(PhantomData<T>);

impl<'de, T: Part> de::Visitor<'de> for Visitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        match T::from_text(text) {
            Some(read) => read.map_err(E::custom),
            None => Err(E::invalid_type(de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::from_list(list).unwrap_or_else(|| Err(mistyped(de::Unexpected::Seq, &self)))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(map).unwrap_or_else(|| Err(mistyped(de::Unexpected::Map, &self)))
    }
}

fn mistyped<E: de::Error>(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> E {
    E::invalid_type(found, expected)
}

macro_rules! read_as_part {
    ($($part:ty),*) => {$(
        impl<'de> Deserialize<'de> for $part {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Visitor(PhantomData))
            }
        }
    )*};
}

read_as_part!(Offset, Week, Holidays, Holiday, Hours, Span, Date);

impl Part for Offset {
    const EXPECTED: &'static str = "an offset from UTC, such as `+01:00` or `Z`";

    fn from_text(text: &str) -> Option<Result<Self, String>> {
        let offset = match text.as_bytes().first() {
            Some(b'+') => clock(&text[1..]),
            Some(b'-') => clock(&text[1..]).map(|offset| -offset),
            _ => (text == "Z").then_some(0),
        };
        let offset = offset.filter(|offset| offset.abs() < DAY).map(Self);
        Some(offset.ok_or_else(|| {
            format!(
                "`{text}` is no offset from UTC: write it as `+01:00`, or `Z`; a zone by name is not read, since its rules change"
            )
        }))
    }
}

impl Part for Date {
    const EXPECTED: &'static str = "a date, such as `2026-12-25`";

    fn from_text(text: &str) -> Option<Result<Self, String>> {
        let day = date(text).map(Self);
        Some(day.ok_or_else(|| format!("`{text}` is no date: write it as `2026-12-25`")))
    }
}

impl Part for Span {
    const EXPECTED: &'static str = "hours, such as `09:00-17:00` or `[\"09:00\", \"17:00\"]`";

    fn from_text(text: &str) -> Option<Result<Self, String>> {
        Some(match text.split_once('-') {
            Some((start, end)) => span(start, end),
            None => Err(no_hours(text)),
        })
    }

    fn from_list<'de, A: de::SeqAccess<'de>>(mut list: A) -> Option<Result<Self, A::Error>> {
        let mut read = || {
            let mut texts: Vec<String> = Vec::new();
            while let Some(text) = list.next_element()? {
                texts.push(text);
            }
            match texts.as_slice() {
                [start, end] => span(start, end).map_err(de::Error::custom),
                _ => Err(de::Error::custom(no_hours(&texts.join(", ")))),
            }
        };
        Some(read())
    }
}

impl Part for Hours {
    const EXPECTED: &'static str = "hours, such as `09:00-17:00`, or a list of them";

    fn from_text(text: &str) -> Option<Result<Self, String>> {
        let mut hours = Vec::new();
        for part in text.split(',') {
            match Span::from_text(part.trim())? {
                Ok(span) => hours.push(span),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(apart(hours))
    }

    fn from_list<'de, A: de::SeqAccess<'de>>(mut list: A) -> Option<Result<Self, A::Error>> {
        let mut read = || {
            let mut hours = Vec::new();
            while let Some(span) = list.next_element()? {
                hours.push(span);
            }
            apart(hours).map_err(de::Error::custom)
        };
        Some(read())
    }
}

impl Part for Week {
    const EXPECTED: &'static str = "an object with hours, such as `\"mon-fri\": \"09:00-17:00\"`";

    fn from_map<'de, A: de::MapAccess<'de>>(mut map: A) -> Option<Result<Self, A::Error>> {
        let mut read = || {
            let mut week: [Option<Vec<Span>>; 7] = Default::default();
            while let Some(key) = map.next_key::<String>()? {
                let named = days(&key).map_err(de::Error::custom)?;
                if let Some(day) = named.clone().find(|&day| week[day].is_some()) {
                    let day = DAYS[day];
                    return Err(de::Error::custom(format!(
                        "the hours of `{day}` are said twice, at last in `{key}`: say all of them in one place"
                    )));
                }
                let Hours(hours) = map.next_value()?;
                for day in named {
                    week[day] = Some(hours.clone());
                }
            }
            let week = week.map(Option::unwrap_or_default);
            match week.iter().all(Vec::is_empty) {
                true => Err(de::Error::custom(
                    "no day of the week has working hours: say some, such as `\"mon-fri\": \"09:00-17:00\"`",
                )),
                false => Ok(Self(week)),
            }
        };
        Some(read())
    }
}

impl Part for Holiday {
    const EXPECTED: &'static str =
        "a date, such as `2026-12-25`, or an object with `date` and `hours`";

    fn from_text(text: &str) -> Option<Result<Self, String>> {
        Some(Date::from_text(text)?.map(|date| Self { day: date.0, hours: Vec::new() }))
    }

    fn from_map<'de, A: de::MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        let special = Special::deserialize(de::value::MapAccessDeserializer::new(map));
        Some(special.map(|special| Self { day: special.date.0, hours: special.hours.0 }))
    }
}

impl Part for Holidays {
    const EXPECTED: &'static str = "a list of dates";

    fn from_list<'de, A: de::SeqAccess<'de>>(mut list: A) -> Option<Result<Self, A::Error>> {
        let mut read = || {
            let mut holidays: Vec<Holiday> = Vec::new();
            while let Some(holiday) = list.next_element()? {
                holidays.push(holiday);
            }
            holidays.sort_unstable_by_key(|holiday| holiday.day);
            match holidays.windows(2).find(|pair| pair[0].day == pair[1].day) {
                Some(pair) => Err(de::Error::custom(format!(
                    "the holiday `{}` is listed twice: keep one",
                    date_text(pair[0].day)
                ))),
                None => Ok(Self(holidays)),
            }
        };
        Some(read())
    }
}

/// The days that a key names, from Monday on.
fn days(key: &str) -> Result<impl Iterator<Item = usize> + Clone, String> {
    let number = |name: &str| DAYS.iter().position(|day| *day == name.trim());
    let (first, last) = key.split_once('-').unwrap_or((key, key));
    match (number(first), number(last)) {
        (Some(first), Some(last)) => {
            let count = (last + 7 - first) % 7 + 1;
            Ok((first..first + count).map(|day| day % 7))
        }
        _ => Err(format!(
            "`{key}` is no day of the week: the days are `mon`, `tue`, `wed`, `thu`, `fri`, `sat`, `sun`, and several are `mon-fri`"
        )),
    }
}

fn no_hours(text: &str) -> String {
    format!("`{text}` are no hours: write them as `09:00-17:00`, from `00:00` to `24:00`")
}

fn span(start: &str, end: &str) -> Result<Span, String> {
    let (start, end) = (start.trim(), end.trim());
    let text = || format!("{start}-{end}");
    let (Some(from), Some(to)) = (clock(start), clock(end)) else { return Err(no_hours(&text())) };
    if from >= to {
        return Err(format!(
            "`{}` ends before it begins: hours over midnight belong to two days, `22:00-24:00` and `00:00-06:00`",
            text()
        ));
    }
    Ok(Span { start: from, end: to })
}

/// Hours in order, none of which overlap.
fn apart(mut hours: Vec<Span>) -> Result<Hours, String> {
    hours.sort_unstable_by_key(|span| span.start);
    match hours.windows(2).find(|pair| pair[0].end > pair[1].start) {
        Some(pair) => Err(format!(
            "`{}` and `{}` overlap: no hour counts twice",
            span_text(pair[0]),
            span_text(pair[1])
        )),
        None => Ok(Hours(hours)),
    }
}

/// `00:00` to `24:00`.
fn clock(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let time =
        (number(hours, 2)? * 60 + number(minutes, 2).filter(|&minutes| minutes < 60)?) * MINUTE;
    (time <= DAY).then_some(time)
}

/// A number of so many digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// `2026-12-25`, in days since the epoch.
fn date(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let mut next = |digits| parts.next().and_then(|part| number(part, digits));
    let (year, month, day) = (next(4)?, next(2)?, next(2)?);
    let (year, month, day) = (year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
    let date = NaiveDate::from_ymd_opt(year, month, day).filter(|_| parts.next().is_none())?;
    Some(i64::from(date.num_days_from_ce()) - EPOCH)
}

fn date_text(day: i64) -> String {
    let day = i32::try_from(day + EPOCH).ok().and_then(NaiveDate::from_num_days_from_ce_opt);
    let date = day.unwrap_or_default();
    format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
}

fn clock_text(time: i64) -> String {
    let minutes = time / MINUTE;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

fn span_text(span: Span) -> String {
    format!("{}-{}", clock_text(span.start), clock_text(span.end))
}

fn texts(hours: &[Span]) -> Vec<String> {
    hours.iter().map(|&span| span_text(span)).collect()
}

/// Writes each day by itself, and hours as lists of texts: what reads as the same calendar.
impl Serialize for Calendar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Days<'c>(&'c Calendar);

        impl Serialize for Days<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let days = DAYS.iter().zip(&self.0.week).filter(|(_, hours)| !hours.is_empty());
                serializer.collect_map(days.map(|(day, hours)| (*day, texts(hours))))
            }
        }

        #[derive(Serialize)]
        #[serde(untagged)]
        enum Day {
            Free(String),
            Special { date: String, hours: Vec<String> },
        }

        let day = |holiday: &Holiday| match holiday.hours.as_slice() {
            [] => Day::Free(date_text(holiday.day)),
            hours => Day::Special { date: date_text(holiday.day), hours: texts(hours) },
        };
        let offset = match self.offset {
            0 => "Z".to_string(),
            offset => format!("{}{}", if offset < 0 { '-' } else { '+' }, clock_text(offset.abs())),
        };
        let mut written = serializer.serialize_struct("Calendar", 3)?;
        written.serialize_field("offset", &offset)?;
        written.serialize_field("hours", &Days(self))?;
        let holidays: Vec<Day> = self.holidays.iter().map(day).collect();
        written.serialize_field("holidays", &holidays)?;
        written.end()
    }
}
