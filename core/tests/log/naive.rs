//! The rules of time for one object of a flat machine, written a second time, plainly and slowly.

use std::collections::BTreeMap;

use veristate::{LogRow, Machine, Sequences, Time};

/// What is told of one state.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Told {
    pub(crate) visits: u64,
    pub(crate) closed: Vec<i64>,
    pub(crate) open: Vec<i64>,
    /// Proven, and across the gap.
    pub(crate) uncertain: Vec<(i64, i64)>,
    pub(crate) censored: u64,
    pub(crate) disordered: u64,
}

/// An open visit: since when, or why that is not known.
#[derive(Clone, Copy)]
enum Since {
    Known(i64),
    Censored,
    Uncertain,
}

fn follows(a: Option<u64>, b: Option<u64>, sequences: Sequences) -> bool {
    match (a, b, sequences) {
        (Some(a), Some(b), Sequences::Dense) => b == a + 1,
        (Some(a), Some(b), Sequences::Ordered) => b > a,
        _ => true,
    }
}

/// Rows of one object, in the order of its history.
pub(crate) fn tell(
    machine: &Machine,
    rows: &[LogRow],
    created_at: Option<Time>,
    now: Time,
    sequences: Sequences,
) -> BTreeMap<String, Told> {
    let mut all: BTreeMap<String, Told> = BTreeMap::new();
    // In a flat machine one state is open at a time.
    let mut open: Option<(String, Since)> = None;
    let mut before: Option<&LogRow> = None;
    let initial = machine.definition().initial_state.as_slice()[0].clone();
    for row in rows.iter().filter(|row| row.timestamp <= now) {
        let at = row.timestamp.micros();
        let to = row.to_states[0].clone();
        let creates = match (&row.from_states, before) {
            (Some(from), _) => from.is_empty(),
            (None, None) => to == initial,
            (None, Some(_)) => false,
        };
        let from = match (&row.from_states, before) {
            _ if creates => None,
            (Some(from), _) => Some(from[0].clone()),
            (None, Some(before)) => Some(before.to_states[0].clone()),
            (None, None) => None,
        };
        let told = created_at.filter(|created| *created <= row.timestamp);
        let joins = match before {
            None => creates || told.is_some() && from.as_ref() == Some(&initial),
            Some(before) => {
                !creates
                    && from.as_ref() == Some(&before.to_states[0])
                    && follows(before.sequence, row.sequence, sequences)
            }
        };
        if let Some(since) = told.filter(|_| before.is_none() && !creates) {
            open = Some((initial.clone(), Since::Known(since.micros())));
        }
        if !joins {
            // The visit that was open ends where it is proven last.
            if let Some((state, since)) = open.take() {
                let proof = before.map_or(created_at, |before| Some(before.timestamp));
                let mut proof = proof.map_or(at, Time::micros);
                let end = at.max(proof);
                let told = all.entry(state).or_default();
                told.visits += 1;
                let mut known = 0;
                if let Since::Known(since) = since {
                    proof = proof.max(since);
                    known = proof - since;
                }
                told.uncertain.push((known, (end - proof).max(0)));
            }
            let since = match before.is_none() && created_at.is_none() {
                true => Since::Censored,
                false => Since::Uncertain,
            };
            open = from.clone().map(|from| (from, since));
        }
        // What the record does: nothing if it stays where it is without beginning anew.
        let is_told = |told: &Option<Vec<String>>, names: &[&str]| {
            told.as_ref().is_none_or(|told| told == names)
        };
        let is_by = |action: &str| row.action.as_deref().is_none_or(|told| told == action);
        let is_anew = from.as_deref() == Some("c")
            && to == "c"
            && is_by("again")
            && is_told(&row.transitions, &["again"])
            && is_told(&row.exited, &["c"])
            && is_told(&row.entered, &["c"]);
        if from.as_ref() != Some(&to) || is_anew {
            if let Some((state, since)) = open.take() {
                let told = all.entry(state).or_default();
                told.visits += 1;
                match since {
                    Since::Known(since) if since > at => told.disordered += 1,
                    Since::Known(since) => told.closed.push(at - since),
                    Since::Censored => told.censored += 1,
                    Since::Uncertain => told.uncertain.push((0, 0)),
                }
            }
            // The one state that is passed through.
            let is_legal = is_by("end")
                && (is_told(&row.transitions, &["over"])
                    || is_told(&row.transitions, &["over", "pass"]))
                && is_told(&row.exited, &["c", "between"])
                && is_told(&row.entered, &["between", "d"]);
            if from.as_deref() == Some("c") && to == "d" && is_legal {
                let told = all.entry("between".into()).or_default();
                told.visits += 1;
                told.closed.push(0);
            }
            open = Some((to, Since::Known(at)));
        }
        before = Some(row);
    }
    if let Some(since) = created_at.filter(|created| before.is_none() && *created <= now) {
        open = Some((initial, Since::Known(since.micros())));
    }
    if let Some((state, since)) = open {
        let told = all.entry(state).or_default();
        told.visits += 1;
        match since {
            Since::Known(since) => told.open.push(now.micros() - since),
            Since::Censored => told.censored += 1,
            Since::Uncertain => told.uncertain.push((0, 0)),
        }
    }
    all
}
