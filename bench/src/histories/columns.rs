//! The logs that are measured: 100,000 objects that live by the nine states of `instance.json`.
//!
//! Objects are updated, degrade and recover many times before they end, if they do. How long a state lasts has a
//! long tail. One row of 5,000 or so breaks a rule: it is missing, doubled, earlier than the one before it, or takes a
//! way that the definition does not have. The same numbers give the same log, everywhere.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;
use veristate::{Machine, StateId};

use crate::generate::Random;

pub(crate) const OBJECTS: u32 = 100_000;

/// In `from`: the row creates its object.
pub(crate) const CREATION: u8 = u8::MAX;

/// The states of `instance.json`, with how long an object stays in each of them on average, in seconds.
pub(crate) const STATES: [(&str, i64); 9] = [
    ("pending", 60),
    ("provisioning", 600),
    ("ready", 3 * 86_400),
    ("updating", 300),
    ("degraded", 1_800),
    ("suspended", 86_400),
    ("deprovisioning", 300),
    ("deleted", 0),
    ("failed", 0),
];
const PENDING: u8 = 0;
const DEPROVISIONING: u8 = 6;
const DELETED: u8 = 7;

/// 2025-01-01T00:00:00Z, in microseconds since 1970.
const START: i64 = 1_735_689_600_000_000;
const SECOND: i64 = 1_000_000;

/// Rows in their order: by object, then by sequence.
#[derive(Default)]
pub(crate) struct Columns {
    pub(crate) object: Vec<u32>,
    /// Microseconds since 1970.
    pub(crate) time: Vec<i64>,
    /// Positions in [`STATES`], or [`CREATION`].
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<u8>,
    /// From 1.
    pub(crate) sequence: Vec<u32>,
}

impl Columns {
    /// So many rows, shared out among all objects.
    pub(crate) fn generate(records: usize, ways: &Ways) -> Self {
        let mut columns = Self::default();
        let mut random = Random::new();
        for object in 0..OBJECTS {
            let fair = (records - columns.len()) / (OBJECTS - object) as usize;
            let length = match object == OBJECTS - 1 {
                true => fair,
                false => fair / 5 + random.below(fair * 8 / 5 + 1),
            };
            columns.live(object, length, ways, &mut random);
        }
        columns
    }

    /// The life of one object, with so many rows.
    fn live(&mut self, object: u32, length: usize, ways: &Ways, random: &mut Random) {
        let end = self.len() + length;
        let mut time = START + random.up_to(180 * 86_400 * SECOND);
        let (mut from, mut to, mut sequence) = (CREATION, PENDING, 1);
        while self.len() < end {
            let left = end - self.len();
            match if sequence == 1 { usize::MAX } else { random.below(20_000) } {
                0 if left > 2 => {}
                1 if left > 1 => {
                    self.push(object, time, from, to, sequence);
                    self.push(object, time, from, to, sequence);
                }
                2 => {
                    time -= random.up_to(5 * 86_400 * SECOND);
                    self.push(object, time, from, to, sequence);
                }
                3 if from != PENDING => {
                    to = PENDING;
                    self.push(object, time, from, to, sequence);
                }
                _ => self.push(object, time, from, to, sequence),
            }
            time += stay(to, random);
            from = to;
            to = ways.next(from, end.saturating_sub(self.len()), random);
            sequence += 1;
        }
    }

    fn push(&mut self, object: u32, time: i64, from: u8, to: u8, sequence: u32) {
        self.object.push(object);
        self.time.push(time);
        self.from.push(from);
        self.to.push(to);
        self.sequence.push(sequence);
    }

    pub(crate) fn len(&self) -> usize {
        self.object.len()
    }

    /// The time of which it is asked where the objects were: in the middle, at a whole second.
    pub(crate) fn at(&self) -> i64 {
        i64::midpoint(START, self.now()) / SECOND * SECOND
    }

    /// About a day after the last row, at a whole second.
    pub(crate) fn now(&self) -> i64 {
        let last = self.time.iter().max().map_or(START, |last| last + 86_400 * SECOND);
        last / SECOND * SECOND
    }

    /// Writes each column as a file of little-endian numbers, and `meta.json`, for those who run in other processes.
    pub(crate) fn write(&self, folder: &Path, ways: &Ways) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let wide = |numbers: &[u32]| -> Vec<u8> {
            numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
        };
        let time: Vec<u8> = self.time.iter().flat_map(|time| time.to_le_bytes()).collect();
        fs::write(folder.join("object"), wide(&self.object))?;
        fs::write(folder.join("time"), time)?;
        fs::write(folder.join("from"), &self.from)?;
        fs::write(folder.join("to"), &self.to)?;
        fs::write(folder.join("sequence"), wide(&self.sequence))?;
        let meta = json!({
            "objects": OBJECTS,
            "states": STATES.map(|(name, _)| name),
            "ways": ways.pairs,
            "at": self.at(),
            "now": self.now(),
        });
        fs::write(folder.join("meta.json"), meta.to_string())
    }
}

/// How long an object stays: seldom long, mostly short.
fn stay(state: u8, random: &mut Random) -> i64 {
    let mean = STATES[usize::from(state)].1;
    let part = random.up_to(1 << 20);
    // Four times the cube of a number from 0 to 1 is 1 on average.
    1 + ((((part * part) >> 20) * part) >> 18) * mean * SECOND / (1 << 20)
}

/// Which states lead to which.
pub(crate) struct Ways {
    pairs: Vec<(u8, u8)>,
}

impl Ways {
    pub(crate) fn of(machine: &Machine) -> Self {
        let ids: Vec<StateId> =
            STATES.iter().filter_map(|(name, _)| machine.state_id(name)).collect();
        let mut pairs = vec![(CREATION, PENDING)];
        for (from, &id) in (0..).zip(&ids) {
            let targets = (0..).zip(&ids).filter(|&(_, &to)| machine.leads(id, to));
            pairs.extend(targets.map(|(to, _): (u8, _)| (from, to)));
        }
        Self { pairs }
    }

    /// Where an object goes that has so many rows left: to an end only with the last one.
    fn next(&self, state: u8, left: usize, random: &mut Random) -> u8 {
        let is_fit = |to: u8| match to {
            DEPROVISIONING => left <= 2,
            to => to < DELETED || left <= 1,
        };
        let ways = || self.pairs.iter().filter(|&&(from, to)| from == state && is_fit(to));
        match ways().count() {
            0 => state,
            count => ways().nth(random.below(count)).map_or(state, |&(_, to)| to),
        }
    }
}
