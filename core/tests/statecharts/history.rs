//! Histories of random machines: what `decide` wrote is true, and says where the object was.

use proptest::prelude::*;
use veristate::{
    Certainty, Decision, DwellOptions, History, HistoryOptions, LogRow, Machine, RowRule, Snapshot,
    Time, VisitStatus,
};

use crate::{
    asks::{Ask, asks, host, machine_with, noon, start},
    cases,
    charts::{ALL, sound},
    play,
};

/// Everything that was stored of an object: the rows, and the snapshot after each.
fn played(
    machine: &Machine,
    flags: u8,
    asks: &[Ask],
) -> Result<Vec<(LogRow, Snapshot)>, TestCaseError> {
    let Decision::Accepted(created) = start(machine, flags) else { return Ok(vec![]) };
    let mut stored = vec![(LogRow::of_record(&created.record, 1), created.snapshot)];
    play(machine, flags, asks, |_, _, decision| {
        if let Decision::Accepted(plan) = decision {
            let row = LogRow::of_record(&plan.record, stored.len() as u64 + 1);
            stored.push((row, plan.snapshot.clone()));
        }
        Ok(())
    })?;
    Ok(stored)
}

fn later(time: Time, minutes: i64) -> Time {
    Time::from_micros(time.micros() + minutes * 60_000_000).expect("it is a near time")
}

fn of(machine: &Machine, rows: &[LogRow]) -> History {
    machine.history(rows, &HistoryOptions::at(later(noon(), 1000))).expect("they are of one object")
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn what_was_decided_is_a_history(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(10)) {
        let machine = machine_with(&definition, &host);
        let stored = played(&machine, flags, &asks)?;
        let rows: Vec<LogRow> = stored.iter().map(|(row, _)| row.clone()).collect();
        let history = of(&machine, &rows);
        // Entry conditions may read what the record does not tell, and a request may change nothing of the data.
        let broken: Vec<_> = history.violations().iter().filter(|found| found.code != RowRule::EvidenceMissing).collect();
        prop_assert!(broken.is_empty(), "{broken:#?}");
        for (number, (row, snapshot)) in stored.iter().enumerate() {
            let is_last_then = stored.get(number + 1).is_none_or(|(next, _)| next.timestamp > row.timestamp);
            if !is_last_then {
                continue;
            }
            let at = history.state_at(row.timestamp);
            prop_assert_eq!(at.status, Certainty::Known);
            prop_assert_eq!(&at.states, &snapshot.states);
            let told = history.snapshot_at(row.timestamp).expect("it is known");
            prop_assert_eq!(&told.entered_at, &snapshot.entered_at);
            prop_assert_eq!(&told.memory, &snapshot.memory);
            prop_assert_eq!(told.version, snapshot.version);
        }
        prop_assert_eq!(history.state_at(later(noon(), -1)).status, if rows.is_empty() { Certainty::Unknown } else { Certainty::NotCreated });
    }

    #[test]
    fn the_time_of_all_leaves_is_the_time_that_was_observed(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(10)) {
        let machine = machine_with(&definition, &host);
        let stored = played(&machine, flags, &asks)?;
        let rows: Vec<LogRow> = stored.iter().map(|(row, _)| row.clone()).collect();
        let history = of(&machine, &rows);
        let dwell = history.dwell(&DwellOptions::default());
        prop_assert_eq!(dwell.uncertain.micros(), 0);
        prop_assert_eq!(dwell.unknown.micros(), 0);
        // Of the states of the outer machine exactly one is active at any time.
        let outline = machine.outline();
        let is_outer = |path: &str| outline.iter().any(|state| state.path == path && state.parent.is_none());
        let outer = dwell.states.iter().filter(|state| is_outer(&state.state));
        let sum: i64 = outer.filter_map(|state| state.total).map(veristate::Duration::micros).sum();
        prop_assert_eq!(sum, dwell.known.micros());
        prop_assert!(history.timeline().iter().all(|visit| matches!(visit.status, VisitStatus::Closed | VisitStatus::Open)));
    }

    #[test]
    fn a_row_that_is_taken_away_is_missed(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(10), pick in any::<prop::sample::Index>()) {
        let machine = machine_with(&definition, &host);
        let stored = played(&machine, flags, &asks)?;
        prop_assume!(stored.len() > 2);
        let mut rows: Vec<LogRow> = stored.iter().map(|(row, _)| row.clone()).collect();
        let at = pick.index(rows.len() - 1);
        rows.remove(at);
        let history = of(&machine, &rows);
        let next = rows[at].row;
        let codes: Vec<RowRule> = history.violations().iter().filter(|found| found.row == next).map(|found| found.code).collect();
        let expected = if at == 0 { RowRule::MissingCreation } else { RowRule::SequenceSkips };
        prop_assert!(codes.contains(&expected), "{codes:?}");
        // Nothing is told of the time across the gap.
        if at > 0 {
            let (before, after) = (rows[at - 1].timestamp, rows[at].timestamp);
            let middle = Time::from_micros(i64::midpoint(before.micros(), after.micros())).expect("it is between");
            if middle > before {
                prop_assert_eq!(history.state_at(middle).status, Certainty::Uncertain);
            }
            let dwell = history.dwell(&DwellOptions { state: None, window: Some([before, after]) });
            prop_assert_eq!(dwell.uncertain.micros(), after.micros() - before.micros());
        }
    }

    #[test]
    fn rows_in_any_order_are_no_panic(definition in sound(ALL), host in host(), flags in 0..90_u8, asks in asks(10), mix in proptest::collection::vec(any::<(prop::sample::Index, u8)>(), 1..6)) {
        let machine = machine_with(&definition, &host);
        let mut rows: Vec<LogRow> = played(&machine, flags, &asks)?.into_iter().map(|(row, _)| row).collect();
        prop_assume!(!rows.is_empty());
        for (index, what) in mix {
            let at = index.index(rows.len());
            let other = rows[(at * 7 + 3) % rows.len()].clone();
            match what % 9 {
                0 => rows.push(other),
                1 => rows[at].to_states = other.to_states,
                2 => rows[at].from_states = None,
                3 => rows[at].timestamp = later(noon(), i64::from(what) - 60),
                4 => rows[at].sequence = None,
                5 => rows[at].to_states = vec!["nowhere".into(), "else.where".into()],
                6 => rows[at].from_states = Some(vec![]),
                7 => rows[at].entered = Some(other.to_states),
                _ => rows[at].transitions = Some(vec!["unheard_of".into()]),
            }
        }
        let history = of(&machine, &rows);
        let dwell = history.dwell(&DwellOptions::default());
        let span = dwell.to.micros() - dwell.from.micros();
        prop_assert_eq!(dwell.known.micros() + dwell.uncertain.micros() + dwell.unknown.micros(), span);
        for visit in history.timeline() {
            if let (Some(entered), Some(exited), Some(length)) = (visit.entered_at, visit.exited_at, visit.duration) {
                prop_assert_eq!(length.micros(), exited.micros() - entered.micros());
            }
        }
        for found in history.violations() {
            prop_assert!(rows.iter().any(|row| row.row == found.row));
        }
        for minute in [-100, -1, 0, 1, 5, 999, 1000, 1001] {
            _ = history.state_at(later(noon(), minute));
            _ = history.snapshot_at(later(noon(), minute));
        }
        _ = history.card(&veristate::Context::default());
    }
}
