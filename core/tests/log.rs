//! Logs: many objects together say what each says alone, in any order of rows, and what a person can reckon.

#[path = "log/cases.rs"]
mod cases;
#[path = "log/naive.rs"]
mod naive;

use std::collections::BTreeMap;

use cases::{Case, at, case, flat, nested};
use proptest::prelude::*;
use veristate::{
    BucketOptions, Certainty, DwellOptions, HistoryOptions, Log, LogColumns, LogOptions, LogReport,
    Machine, ReadOptions, RecordFormat, RowRule, Sequences, StateReport, Time,
};

fn log_of(cases: &[Case]) -> Log {
    let mut log = Log::new();
    for (number, case) in cases.iter().enumerate() {
        let id = format!("o-{number}");
        if case.created_at.is_some() {
            log.add_object(&id, case.created_at, None).expect("there is room");
        }
        for row in &case.rows {
            let mut row = row.clone();
            row.object_id.clone_from(&id);
            log.add_row(&row).expect("there is room");
        }
    }
    log
}

fn state<'r>(report: &'r LogReport, path: &str) -> &'r StateReport {
    report.states.iter().find(|state| state.state == path).expect("the report has every state")
}

fn as_json(report: &LogReport) -> serde_json::Value {
    serde_json::to_value(report).expect("a report is JSON")
}

/// What one object says in a log is what its history says.
fn agrees_with_history(machine: &Machine, case: &Case, options: &LogOptions) {
    let log = log_of(std::slice::from_ref(case));
    let mut with = HistoryOptions::at(options.as_of);
    with.created_at = case.created_at;
    with.newest_first = options.newest_first;
    with.sequences = options.sequences;
    let history = machine.history(&case.rows, &with).expect("the rows are of one object");
    let report = log.report(machine, options);
    let window = options.window.unwrap_or([at(-1_000_000), options.as_of]);
    let dwell = history.dwell(&DwellOptions { state: None, window: Some(window) });
    let micros = |duration: Option<veristate::Duration>| {
        duration.map_or(0, |duration| i128::from(duration.micros()))
    };
    for expected in dwell.states {
        let Some(found) = report.states.iter().find(|state| state.state == expected.state) else {
            assert_eq!(expected.visits, 0, "{} is not in the report", expected.state);
            continue;
        };
        let closed = found.closed.as_ref().map_or(0, |closed| closed.sum.0);
        let context = format!("{}: {found:?}\n{expected:?}", expected.state);
        assert_eq!(found.visits, expected.visits, "{context}");
        assert_eq!(found.re_entries, expected.re_entries, "{context}");
        let total = closed + found.open.sum.0 + found.uncertain.known.0;
        assert_eq!(total, micros(expected.total), "{context}");
        assert_eq!(found.open.sum.0, micros(expected.open), "{context}");
        assert_eq!(found.uncertain.sum.0, micros(expected.uncertain), "{context}");
        assert_eq!(found.censored, expected.censored, "{context}");
        assert_eq!(found.disordered, expected.disordered, "{context}");
    }
    let mut by_code: BTreeMap<RowRule, u64> = BTreeMap::new();
    for violation in history.violations() {
        if violation.code != RowRule::RepeatedRequest && violation.code != RowRule::EvidenceMissing
        {
            *by_code.entry(violation.code).or_default() += 1;
        }
    }
    assert_eq!(
        report.violations.by_code,
        by_code,
        "{:#?}\n{:#?}",
        history.violations(),
        report.violations.listed
    );
    if log.object_count() == 0 {
        return;
    }
    for seconds in (-45..90).step_by(3) {
        let expected = history.state_at(at(seconds));
        let found = log.state_at(machine, at(seconds), options);
        assert_eq!(found.objects[0].status, expected.status, "at {seconds}");
        if expected.status != Certainty::NotCreated {
            let mut states = expected.states;
            let mut found = found.objects[0].states.clone();
            states.sort();
            found.sort();
            if !states.is_empty() {
                assert_eq!(found, states, "at {seconds}");
            }
        }
    }
    let overdue = history.overdue();
    let line = &log.objects(machine, options)[0];
    assert_eq!(line.overdue, overdue.first().map(|overdue| overdue.due_at), "{overdue:?}");
}

fn options() -> impl Strategy<Value = LogOptions> {
    let window = prop::option::of((-30_i64..200, 0_i64..200));
    (0_i64..300, window, any::<bool>(), any::<bool>()).prop_map(
        |(now, window, newest_first, is_ordered)| {
            let mut options = LogOptions::at(at(now));
            options.window = window.map(|(from, length)| [at(from), at(from + length)]);
            options.newest_first = newest_first;
            options.sequences = if is_ordered { Sequences::Ordered } else { Sequences::Dense };
            options
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn one_object_says_in_a_log_what_its_history_says(
        case in case(flat(), 5), options in options()
    ) {
        agrees_with_history(&flat(), &case, &options);
    }

    #[test]
    fn so_it_does_with_states_inside_states(case in case(nested(), 4), options in options()) {
        agrees_with_history(&nested(), &case, &options);
    }

    #[test]
    fn and_what_the_rules_of_time_say_plainly(
        cases in prop::collection::vec(case(flat(), 4), 0..6), now in 0_i64..300, ordered: bool
    ) {
        let machine = flat();
        let sequences = if ordered { Sequences::Ordered } else { Sequences::Dense };
        let mut told: BTreeMap<String, naive::Told> = BTreeMap::new();
        for case in &cases {
            let mut with = HistoryOptions::at(at(now));
            with.sequences = sequences;
            // Only the order of the rows is taken from there.
            let history = machine.history(&case.rows, &with).expect("the rows are of one object");
            for (state, of_one) in naive::tell(&machine, history.rows(), case.created_at, at(now), sequences) {
                let all = told.entry(state).or_default();
                all.visits += of_one.visits;
                all.closed.extend(of_one.closed);
                all.open.extend(of_one.open);
                all.uncertain.extend(of_one.uncertain);
                all.censored += of_one.censored;
                all.disordered += of_one.disordered;
            }
        }
        let report = log_of(&cases).report(&machine, &LogOptions { sequences, ..LogOptions::at(at(now)) });
        for found in &report.states {
            let mut expected = told.remove(&found.state).unwrap_or_default();
            expected.closed.sort_unstable();
            let sum = |lengths: &[i64]| lengths.iter().map(|&length| i128::from(length)).sum::<i128>();
            assert_eq!(found.visits, expected.visits, "{found:?} {expected:?}");
            let count = found.closed.as_ref().map_or(0, |closed| closed.count);
            assert_eq!(count, expected.closed.len() as u64, "{found:?} {expected:?}");
            if let Some(closed) = &found.closed {
                let at = |percent: usize| expected.closed[(expected.closed.len() * percent).div_ceil(100) - 1];
                let found = [closed.p50, closed.p90, closed.p99, closed.max].map(veristate::Duration::micros);
                assert_eq!(found, [at(50), at(90), at(99), at(100)]);
                assert_eq!(closed.sum.0, sum(&expected.closed));
            }
            assert_eq!((found.open.count, found.open.sum.0), (expected.open.len() as u64, sum(&expected.open)));
            assert_eq!(found.open.max.micros(), expected.open.iter().copied().max().unwrap_or(0));
            let across: Vec<i64> = expected.uncertain.iter().map(|&(_, gap)| gap).collect();
            let known: Vec<i64> = expected.uncertain.iter().map(|&(known, _)| known).collect();
            assert_eq!(found.uncertain.count, expected.uncertain.len() as u64, "{found:?} {expected:?}");
            assert_eq!((found.uncertain.known.0, found.uncertain.sum.0), (sum(&known), sum(&across)));
            assert_eq!((found.censored, found.disordered), (expected.censored, expected.disordered));
        }
        assert!(told.is_empty(), "{told:?}");
    }

    #[test]
    fn the_order_of_rows_between_objects_changes_nothing(
        cases in prop::collection::vec(case(flat(), 3), 1..6), seed: u64, options in options()
    ) {
        let machine = flat();
        let mut options = options;
        options.newest_first = false;
        let mut log = log_of(&cases);
        let expected = as_json(&log.report(&machine, &options));
        log.settle();
        assert_eq!(as_json(&log.report(&machine, &options)), expected);
        // The rows of the objects shuffled into each other; each object's own keep their order.
        let mut mixed = Log::new();
        for (number, case) in cases.iter().enumerate() {
            mixed.add_object(&format!("o-{number}"), case.created_at, None).expect("there is room");
        }
        let mut rows: Vec<_> = cases.iter().map(|case| case.rows.iter()).collect();
        let all: usize = cases.iter().map(|case| case.rows.len()).sum();
        let mut random = seed;
        let mut count = 0;
        while count < all {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let number = usize::try_from(random >> 33).expect("it fits") % cases.len();
            if let Some(row) = rows[number].next() {
                let mut row = row.clone();
                row.object_id = format!("o-{number}");
                mixed.add_row(&row).expect("there is room");
                count += 1;
            }
        }
        // Objects without any row are there, too.
        let mut whole = Log::new();
        for (number, case) in cases.iter().enumerate() {
            let id = format!("o-{number}");
            whole.add_object(&id, case.created_at, None).expect("there is room");
        }
        for (number, case) in cases.iter().enumerate() {
            for row in &case.rows {
                let mut row = row.clone();
                row.object_id = format!("o-{number}");
                whole.add_row(&row).expect("there is room");
            }
        }
        let expected = as_json(&whole.report(&machine, &options));
        assert_eq!(as_json(&mixed.report(&machine, &options)), expected);
        let lines = mixed.objects(&machine, &options);
        mixed.settle();
        assert_eq!(as_json(&mixed.report(&machine, &options)), expected);
        assert_eq!(mixed.objects(&machine, &options), lines);
        for number in 0..cases.len() {
            let id = format!("o-{number}");
            assert_eq!(mixed.records_of(&id), whole.records_of(&id));
        }
    }

    #[test]
    fn all_time_is_told_where_times_run_forward(case in case(flat(), 0), now in 0_i64..900) {
        let report = log_of(std::slice::from_ref(&case)).report(&flat(), &LogOptions::at(at(now)));
        let sum = |state: &StateReport| {
            state.closed.as_ref().map_or(0, |closed| closed.sum.0)
                + state.open.sum.0 + state.uncertain.known.0 + state.uncertain.sum.0
        };
        let told: i128 = report.states.iter().map(sum).sum();
        assert_eq!(told, i128::from(now) * 1_000_000);
    }

    #[test]
    fn buckets_end_where_objects_are(
        cases in prop::collection::vec(case(nested(), 3), 1..4), now in 10_i64..300, count in 1_usize..30
    ) {
        let machine = nested();
        let log = log_of(&cases);
        let mut options = LogOptions::at(at(now));
        options.buckets = BucketOptions { count, width: None };
        let report = log.report(&machine, &options);
        let buckets = &report.buckets;
        assert_eq!(buckets.records.iter().sum::<u64>(), report.records);
        for (index, start) in buckets.starts.iter().enumerate() {
            // Half a second before the end, which no row of these logs has.
            let end = start.micros() + buckets.width.micros() - 500_000;
            let end = Time::from_micros(end.min(at(now).micros())).expect("it is in range");
            if buckets.width.micros() < 1_000_000 || end < *start {
                continue;
            }
            let there = log.state_at(&machine, end, &options);
            assert_eq!(buckets.uncertain[index], there.uncertain, "at {end}");
            for state in &there.states {
                let tide = buckets.states.iter().find(|tide| tide.state == state.state);
                assert_eq!(tide.map_or(0, |tide| tide.objects[index]), state.objects, "{} at {end}", state.state);
            }
        }
    }

    #[test]
    fn columns_say_what_rows_say(cases in prop::collection::vec(case(flat(), 0), 1..5), now in 0_i64..300) {
        let machine = flat();
        let (mut objects, mut times, mut from, mut to, mut sequences) = (vec![], vec![], vec![], vec![], vec![]);
        let id = |name: &str| i32::try_from(machine.state_id(name).expect("it is a state").number()).expect("it fits");
        let mut plain = cases.clone();
        for (number, case) in (0..).zip(&mut plain) {
            for row in &mut case.rows {
                (row.transitions, row.exited, row.entered, row.action) = (None, None, None, None);
                objects.push(number);
                times.push(row.timestamp.micros());
                from.push(row.from_states.as_ref().and_then(|names| names.first()).map_or(-1, |name| id(name)));
                to.push(id(&row.to_states[0]));
                sequences.push(row.sequence.expect("a record has one"));
            }
        }
        let mut log = Log::new();
        for number in 0..cases.len() {
            log.add_object(&format!("o-{number}"), None, None).expect("there is room");
        }
        log.add_columns(&LogColumns {
            objects: &objects, times: &times, from: Some(&from), to: &to,
            sequences: Some(&sequences), states: machine.states(),
        }).expect("the columns fit");
        let options = LogOptions::at(at(now));
        let mut expected = log_of(&plain).report(&machine, &options);
        let found = log.report(&machine, &options);
        // Rows are numbered on in columns, and by object in the cases.
        expected.violations.listed.clone_from(&found.violations.listed);
        assert_eq!(as_json(&found), as_json(&expected));
    }

    #[test]
    fn odd_columns_never_panic(
        objects in prop::collection::vec(0_u32..9, 0..40), times in prop::collection::vec(any::<i64>(), 0..40),
        states in prop::collection::vec(-3_i32..9, 0..40), sequences in prop::collection::vec(any::<u64>(), 0..40),
        near: bool, window in prop::option::of((any::<i32>(), any::<i32>())), width in prop::option::of(0_i64..i64::MAX)
    ) {
        let machine = flat();
        let times: Vec<i64> = times.iter().map(|&time| if near { time.rem_euclid(100_000_000) } else { time }).collect();
        let count = objects.len().min(times.len()).min(states.len()).min(sequences.len());
        let mut log = Log::new();
        let columns = LogColumns {
            objects: &objects[..count], times: &times[..count], from: Some(&states[..count]), to: &states[..count],
            sequences: Some(&sequences[..count]), states: machine.states(),
        };
        let _ = log.add_columns(&columns);
        let _ = log.add_columns(&LogColumns { from: None, sequences: None, ..columns });
        let to: Vec<i32> = states.iter().map(|state| state.rem_euclid(6)).collect();
        let times: Vec<i64> = times.iter().map(|time| time.rem_euclid(1 << 50)).collect();
        let objects: Vec<u32> = objects.iter().map(|object| object % u32::try_from(count.max(1)).expect("it is small")).collect();
        let columns = LogColumns { objects: &objects[..count], times: &times[..count], to: &to[..count], from: Some(&to[..count]), ..columns };
        log.add_columns(&columns).expect("these fit");
        let mut options = LogOptions::at(at(0));
        options.window = window.map(|(from, to)| [at(i64::from(from)), at(i64::from(to))]);
        options.buckets.width = width.and_then(veristate::Duration::from_micros);
        options.by_tenant = true;
        let report = log.report(&machine, &options);
        assert!(report.buckets.starts.len() <= 400);
        let other = nested();
        let _ = (log.report(&other, &options), log.objects(&other, &options), log.replay(&other, &options));
        let _ = (log.state_at(&other, at(7), &options), log.discover("X"));
        log.settle();
        assert_eq!(as_json(&log.report(&machine, &options)), as_json(&report));
    }

    #[test]
    fn what_is_discovered_allows_all_that_it_was_made_from(
        cases in prop::collection::vec(case(flat(), 3), 0..5)
    ) {
        let mut cases = cases;
        for row in cases.iter_mut().flat_map(|case| &mut case.rows) {
            (row.transitions, row.exited, row.entered) = (None, None, None);
        }
        let log = log_of(&cases);
        let machine = Machine::new(log.discover("Found")).unwrap_or_else(|invalid| panic!("{invalid:?}"));
        let replay = log.replay(&machine, &LogOptions::at(at(10_000)));
        assert_eq!(replay.refused.total, 0, "{replay:#?}");
    }
}

fn read(text: &str) -> Log {
    let (log, read) = Log::read(text.as_bytes(), RecordFormat::Csv, &ReadOptions::default())
        .expect("options are none");
    assert_eq!(read.summary.refused, 0, "{:?}", read.refused);
    log
}

const HEAD: &str = "object_id,sequence,from_state,to_state,timestamp,tenant_id\n";

fn reckoned() -> Log {
    read(&format!(
        "{HEAD}\
        x,1,,a,2026-01-01T00:00:00Z,red\n\
        x,2,a,b,2026-01-01T00:00:10Z,red\n\
        x,3,b,c,2026-01-01T00:00:30Z,red\n\
        x,4,c,b,2026-01-01T00:01:00Z,red\n\
        y,1,,a,2026-01-01T00:00:05Z,blue\n\
        y,2,a,b,2026-01-01T00:00:45Z,blue\n\
        y,5,c,d,2026-01-01T00:02:00Z,blue\n"
    ))
}

#[test]
fn a_person_finds_the_numbers_in_the_rows() {
    let report = reckoned().report(&flat(), &LogOptions::at(at(180)));
    assert_eq!((report.objects, report.records, report.tenants, report.finished), (2, 7, 2, 1));
    let a = state(&report, "a").closed.as_ref().expect("two objects left it");
    assert_eq!((a.count, a.sum.to_string().as_str()), (2, "PT50S"));
    let text = |duration: veristate::Duration| duration.to_string();
    assert_eq!([a.p50, a.p90, a.max, a.mean].map(text), ["PT10S", "PT40S", "PT40S", "PT25S"]);
    let b = state(&report, "b");
    assert_eq!((b.visits, b.visitors, b.re_entries, b.objects), (3, 2, 1, 1));
    assert_eq!(b.closed.as_ref().map(|closed| closed.sum.to_string()).as_deref(), Some("PT20S"));
    assert_eq!(b.open.sum.to_string(), "PT2M");
    // Nobody knows when `y` left it in the 75 seconds before its last row.
    assert_eq!((b.uncertain.count, b.uncertain.sum.to_string().as_str()), (1, "PT1M15S"));
    let codes: Vec<(RowRule, u64)> = report.violations.by_code.into_iter().collect();
    assert_eq!(codes, [(RowRule::ChainGap, 1), (RowRule::SequenceSkips, 1)]);
    assert_eq!(report.violations.listed[0].row, 7);
    assert_eq!((report.rework_objects, report.re_entries), (1, 1));
    let stuck = &report.stuck.listed[0];
    assert_eq!(
        (stuck.object_id.as_str(), stuck.state.as_str(), stuck.for_time.to_string().as_str()),
        ("x", "b", "PT1M")
    );
    let to_b = report.transitions.iter().find(|way| way.transition.as_deref() == Some("to_b"));
    assert_eq!(to_b.map(|way| way.count), Some(2));
    assert_eq!(report.variants.len(), 2);
    assert_eq!(
        report.variants[0].states,
        [["a"], ["b"], ["c"], ["b"]].map(|states| states.map(String::from).to_vec())
    );
}

#[test]
fn tenants_are_reported_on_apart() {
    let log = reckoned();
    let options = LogOptions { by_tenant: true, ..LogOptions::at(at(180)) };
    let report = log.report(&flat(), &options);
    let names: Vec<_> = report.by_tenant.iter().map(|report| report.tenant.as_deref()).collect();
    assert_eq!(names, [Some("blue"), Some("red")]);
    let red = LogOptions { tenant: Some("red".into()), ..LogOptions::at(at(180)) };
    let alone = log.report(&flat(), &red);
    assert_eq!(as_json(&report.by_tenant[1]), as_json(&alone));
    assert_eq!(alone.records, 4);
}

#[test]
fn a_window_without_events_counts_the_state_that_holds_through_it() {
    let options = LogOptions { window: Some([at(70), at(100)]), ..LogOptions::at(at(180)) };
    let report = reckoned().report(&flat(), &options);
    let b = state(&report, "b");
    assert_eq!((b.open.count, b.open.sum.to_string().as_str()), (1, "PT30S"));
    assert_eq!(b.uncertain.sum.to_string(), "PT30S");
    assert_eq!(state(&report, "a").visits, 0);
    assert!(report.transitions.is_empty());
    assert!(report.buckets.records.iter().all(|&count| count == 0));
}

#[test]
fn objects_that_never_moved_are_in_the_initial_state() {
    let mut log = reckoned();
    log.add_object("z", Some(at(100)), None).expect("there is room");
    log.add_object("later", Some(at(1000)), None).expect("there is room");
    log.add_object("dark", None, None).expect("there is room");
    let report = log.report(&flat(), &LogOptions::at(at(180)));
    let a = state(&report, "a");
    assert_eq!(
        (a.objects, a.open.count, a.censored, report.never_moved, report.not_known),
        (2, 1, 1, 2, 1)
    );
    assert_eq!(a.open.sum.to_string(), "PT1M20S");
    let lines = log.objects(&flat(), &LogOptions::at(at(180)));
    let status: Vec<_> = lines.iter().map(|line| format!("{:?}", line.status)).collect();
    assert_eq!(status, ["Known", "Known", "Initial", "Unknown", "Initial"]);
}

#[test]
fn sums_are_exact_beyond_what_a_double_holds() {
    let log = read(
        "object_id,sequence,from_state,to_state,timestamp\n\
        o1,1,,a,1970-01-01T00:00:00Z\n\
        o1,2,a,b,2255-06-05T23:47:34.740992Z\n\
        o2,1,,a,1970-01-01T00:00:00Z\n\
        o2,2,a,b,1970-01-01T00:00:00.000001Z\n",
    );
    let report = log.report(
        &flat(),
        &LogOptions::at("2255-06-05T23:47:34.740992Z".parse().expect("it is a time")),
    );
    let a = state(&report, "a").closed.as_ref().expect("two objects left it");
    assert_eq!(a.sum.0, 9_007_199_254_740_993);
}

#[test]
fn another_definition_says_what_it_would_refuse() {
    let text = r#"{ "object_type": "Flat", "version": 2, "initial_state": "a",
        "states": [{ "name": "a" }, { "name": "c" }, { "name": "d", "is_terminal": true }],
        "transitions": [
            { "name": "skip", "from_state": "a", "to_state": "c", "action": "on" },
            { "name": "over", "from_state": "c", "to_state": "d", "action": "end" }
        ] }"#;
    let next = Machine::from_json(text).expect("it is sound");
    let replay = reckoned().replay(&next, &LogOptions::at(at(180)));
    assert_eq!((replay.homeless.total, replay.no_way_out.total, replay.records), (1, 0, 7));
    assert_eq!(replay.homeless.listed[0].object_id, "x");
    assert_eq!(replay.refused.by_code.get(&RowRule::UnknownState), Some(&4));
    assert!(!replay.is_safe);
    assert!(reckoned().replay(&flat(), &LogOptions::at(at(180))).refused.total == 0);
}

#[test]
fn a_definition_is_discovered_from_what_happened() {
    let log = read(
        "case,activity,time\n1,Register,2026-01-01T00:00:00Z\n1,Check v1.2,2026-01-02T00:00:00Z\n\
        1,Pay,2026-01-03T00:00:00Z\n2,Phone,2026-01-01T00:00:00Z\n2,Check v1.2,2026-01-01T01:00:00Z\n",
    );
    let found = log.discover("Claim");
    let names: Vec<&str> = found.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, ["start", "Register", "Check v1.2", "Pay", "Phone"]);
    let machine = Machine::new(found).unwrap_or_else(|invalid| panic!("{invalid:?}"));
    let report = log.report(&machine, &LogOptions::at(at(10 * 86_400)));
    assert_eq!(report.violations.total, 0, "{:#?}", report.violations.listed);
    assert_eq!(state(&report, "Register").closed.as_ref().map(|closed| closed.count), Some(1));
}
