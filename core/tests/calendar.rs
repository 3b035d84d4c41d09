//! Business calendars: against a reference that goes through the minutes one by one.

use std::collections::BTreeMap;

use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};
use veristate::{Calendar, Duration, Time};

const MINUTE: i64 = 60_000_000;
const DAY: i64 = 1440 * MINUTE;
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

fn time(text: &str) -> Time {
    text.parse().expect("it is a time")
}

fn office() -> Calendar {
    Calendar::from_json(r#"{ "offset": "Z", "hours": { "mon-fri": "09:00-17:00" } }"#)
        .expect("it is a calendar")
}

#[test]
fn a_weekend_between_two_minutes_of_work_does_not_count() {
    let (from, to) = (time("2023-12-01T16:58:00Z"), time("2023-12-04T09:01:01Z"));
    assert_eq!(office().working_time(from, to).micros(), 181_000_000);
    assert_eq!(office().working_time(to, from).micros(), 0);
}

#[test]
fn a_deadline_is_the_first_moment_at_which_the_time_has_passed() {
    let from = time("2023-12-01T16:00:00Z");
    let add = |text: &str| office().add(from, text.parse().expect("it is a duration"));
    assert_eq!(add("0s"), Some(from));
    assert_eq!(add("1h"), Some(time("2023-12-01T17:00:00Z")));
    assert_eq!(add("1h 1us"), Some(time("2023-12-04T09:00:00.000001Z")));
    assert_eq!(add("40h"), Some(time("2023-12-08T16:00:00Z")));
    assert_eq!(add("99999w"), None);
    // 7,008,000 hours of 40 a week are 175,200 weeks.
    assert_eq!(add("292000d"), Some(time("5381-09-07T16:00:00Z")));
}

#[test]
fn the_first_and_the_last_moment_have_working_time() {
    let calendar =
        Calendar::from_json(r#"{ "offset": "-23:59", "hours": { "mon-sun": "00:00-24:00" } }"#)
            .expect("it is a calendar");
    let (first, last) = (time("0000-01-01T00:00:00Z"), time("9999-12-31T23:59:59.999999Z"));
    let all = calendar.working_time(first, last);
    assert_eq!(all.micros(), last.micros() - first.micros());
    assert_eq!(calendar.add(first, all), Some(last));
    let more = Duration::from_micros(all.micros() + 1).expect("it is positive");
    assert_eq!(calendar.add(first, more), None);
}

#[test]
fn what_is_written_reads_as_the_same_calendar() {
    let text = r#"{ "offset": "+05:30",
        "hours": { "fri-mon": ["13:00-17:00", ["09:00", "12:00"]], "tue": "08:00-09:00, 10:00-24:00", "wed": [] },
        "holidays": ["2026-12-26", { "date": "2026-12-24", "hours": "09:00-12:00" }, "2026-12-25"] }"#;
    let calendar = Calendar::from_json(text).expect("it is a calendar");
    let written = serde_json::to_value(&calendar).expect("it can be written");
    let days = ["09:00-12:00", "13:00-17:00"];
    assert_eq!(
        written,
        json!({
            "offset": "+05:30",
            "hours": {
                "mon": days, "tue": ["08:00-09:00", "10:00-24:00"], "fri": days, "sat": days, "sun": days,
            },
            "holidays": [{ "date": "2026-12-24", "hours": ["09:00-12:00"] }, "2026-12-25", "2026-12-26"],
        })
    );
    assert_eq!(Calendar::from_json(&written.to_string()), Ok(calendar));
}

#[test]
fn what_is_no_calendar_is_refused_with_its_place() {
    #[track_caller]
    fn check(text: &str, pointer: &str, cause: &str) {
        let error = Calendar::from_json(text).expect_err("it is no calendar");
        assert_eq!(error.code(), "invalid-calendar");
        assert_eq!(error.pointer(), pointer, "{error}");
        assert!(error.cause().contains(cause), "{error}");
    }
    let with = |hours: &str| format!(r#"{{ "offset": "Z", "hours": {hours} }}"#);
    let day = |hours: &str| with(&format!(r#"{{ "mon": {hours} }}"#));
    check("[]", "", "expected an object");
    check(r#"{ "hours": { "mon": "09:00-17:00" } }"#, "", "missing field `offset`");
    check(r#"{ "offset": "Z", "hours": {} }"#, "/hours", "no day of the week has working hours");
    check(
        r#"{ "offset": "Z", "hours": { "mon": "09:00-17:00" }, "zone": "x" }"#,
        "/zone",
        "unknown field",
    );
    check(
        r#"{ "offset": "Europe/Berlin", "hours": {} }"#,
        "/offset",
        "`Europe/Berlin` is no offset",
    );
    check(r#"{ "offset": "+24:00", "hours": {} }"#, "/offset", "`+24:00` is no offset");
    check(r#"{ "offset": 1, "hours": {} }"#, "/offset", "expected an offset");
    check(
        &with(r#"{ "monday": "09:00-17:00" }"#),
        "/hours/monday",
        "`monday` is no day of the week",
    );
    check(
        &with(r#"{ "mon-fri": "09:00-10:00", "wed": [] }"#),
        "/hours/wed",
        "the hours of `wed` are said twice",
    );
    check(
        &with(r#"{ "mon": "09:00-10:00", "mon": [] }"#),
        "/hours/mon",
        "the hours of `mon` are said twice",
    );
    check(&day(r#""9-17""#), "/hours/mon", "`9-17` are no hours");
    check(&day(r#""09:00-24:01""#), "/hours/mon", "are no hours");
    check(&day(r#""09:60-17:00""#), "/hours/mon", "are no hours");
    check(&day(r#""+9:00-17:00""#), "/hours/mon", "are no hours");
    check(&day(r#""""#), "/hours/mon", "are no hours");
    check(&day(r#""17:00-09:00""#), "/hours/mon", "ends before it begins");
    check(&day(r#""09:00-09:00""#), "/hours/mon", "ends before it begins");
    check(
        &day(r#"["09:00-12:00", "11:59-13:00"]"#),
        "/hours/mon",
        "`09:00-12:00` and `11:59-13:00` overlap",
    );
    check(&day(r#"["09:00-12:00", ["12:00"]]"#), "/hours/mon/1", "`12:00` are no hours");
    check(&day("null"), "/hours/mon", "expected hours");
    let free = |days: &str| {
        format!(r#"{{ "offset": "Z", "hours": {{ "mon": "09:00-17:00" }}, "holidays": {days} }}"#)
    };
    check(&free(r#"["2026-02-28", "2026-02-29"]"#), "/holidays/1", "`2026-02-29` is no date");
    check(&free(r#"["25.12.2026"]"#), "/holidays/0", "is no date");
    check(&free(r#"["2026-12-25", "2026-12-25"]"#), "/holidays", "`2026-12-25` is listed twice");
    check(&free(r#"[{ "date": "2026-12-24" }]"#), "/holidays/0", "missing field `hours`");
    check(&free(r#""2026-12-24""#), "/holidays", "expected a list of dates");
}

/// A calendar in minutes, as nobody would compute with it.
#[derive(Clone, Debug)]
struct Plain {
    offset: i64,
    week: Vec<Vec<(i64, i64)>>,
    holidays: BTreeMap<i64, Vec<(i64, i64)>>,
}

impl Plain {
    /// Whether a minute since the epoch, in local time, is one of work.
    fn works(&self, minute: i64) -> bool {
        let (day, time) = (minute.div_euclid(1440), minute.rem_euclid(1440));
        // The epoch was a Thursday.
        let weekday = usize::try_from((day + 3).rem_euclid(7)).expect("it is below 7");
        let hours = self.holidays.get(&day).unwrap_or(&self.week[weekday]);
        hours.iter().any(|&(start, end)| (start..end).contains(&time))
    }

    /// The working time of `from` to `to`, in microseconds since the epoch, minute by minute.
    fn between(&self, from: i64, to: i64) -> i64 {
        let (from, to) = (from + self.offset * MINUTE, to + self.offset * MINUTE);
        (from.div_euclid(MINUTE)..=to.div_euclid(MINUTE))
            .filter(|&minute| self.works(minute))
            .map(|minute| ((minute + 1) * MINUTE).min(to) - (minute * MINUTE).max(from))
            .sum()
    }

    fn json(&self) -> Value {
        let clock = |minutes: i64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        let hours = |hours: &Vec<(i64, i64)>| -> Value {
            hours.iter().map(|&(start, end)| json!([clock(start), clock(end)])).collect()
        };
        let sign = if self.offset < 0 { '-' } else { '+' };
        let week = DAYS.iter().zip(&self.week).map(|(day, list)| ((*day).to_string(), hours(list)));
        let holidays = self.holidays.iter().rev().map(|(&day, list)| {
            let at = Time::from_micros(day * DAY).expect("it is near the epoch").to_string();
            json!({ "date": at[..10], "hours": hours(list) })
        });
        json!({
            "offset": format!("{sign}{}", clock(self.offset.abs())),
            "hours": week.collect::<serde_json::Map<_, _>>(),
            "holidays": holidays.collect::<Vec<_>>(),
        })
    }
}

fn hours() -> impl Strategy<Value = Vec<(i64, i64)>> {
    vec(prop_oneof![4 => 0_i64..=1440, 1 => Just(0), 1 => Just(1440)], 0..5).prop_map(|mut ends| {
        ends.sort_unstable();
        ends.dedup();
        ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    })
}

fn calendars() -> impl Strategy<Value = Plain> {
    let holidays = vec((-20_i64..20, option::of(hours())), 0..8);
    (-1439_i64..1440, vec(hours(), 7), holidays)
        .prop_filter("some day has hours", |(_, week, _)| week.iter().any(|day| !day.is_empty()))
        .prop_map(|(offset, week, holidays)| Plain {
            offset,
            week,
            holidays: holidays
                .into_iter()
                .map(|(day, hours)| (day, hours.unwrap_or_default()))
                .collect(),
        })
}

/// Moments around the epoch, many of them on whole minutes.
fn moments() -> impl Strategy<Value = i64> {
    prop_oneof![-12 * DAY..12 * DAY, (-17_280_i64..17_280).prop_map(|minute| minute * MINUTE)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn working_time_is_that_of_the_minutes(plain in calendars(), a in moments(), b in moments()) {
        let calendar = Calendar::from_json(&plain.json().to_string()).expect("it is a calendar");
        let (from, to) = (a.min(b), a.max(b));
        let at = |micros| Time::from_micros(micros).expect("it is near the epoch");
        let worked = calendar.working_time(at(from), at(to));
        prop_assert_eq!(worked.micros(), plain.between(from, to));

        // The deadline is the first moment at which so much has passed.
        let deadline = calendar.add(at(from), worked).expect("it is near");
        prop_assert!(deadline <= at(to));
        prop_assert_eq!(plain.between(from, deadline.micros()), worked.micros());
        if deadline.micros() > from {
            prop_assert_eq!(plain.between(from, deadline.micros() - 1), worked.micros() - 1);
        }
    }

    #[test]
    fn sums_add_up_however_far_apart(plain in calendars(), mut at in vec(any::<i64>(), 3)) {
        let calendar = Calendar::from_json(&plain.json().to_string()).expect("it is a calendar");
        let (first, last) = (-62_167_219_200_000_000_i64, 253_402_300_799_999_999_i64);
        for micros in &mut at {
            *micros = first + micros.rem_euclid(last - first);
        }
        at.sort_unstable();
        let time = |micros| Time::from_micros(micros).expect("it is in the years 0 to 9999");
        let between = |a, b| calendar.working_time(time(at[a]), time(at[b])).micros();
        prop_assert_eq!(between(0, 1) + between(1, 2), between(0, 2));
        prop_assert!(between(0, 2) <= at[2] - at[0]);
    }
}
