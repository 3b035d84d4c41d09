//! Records that do not simply follow the one before: the first ones, those behind gaps, and those whose step depends on
//! what is before them.

use super::{
    account::{Open, Start},
    bind::{NONE, NOTHING, UNSAID},
    objects::NO_TIME,
    pass::{Before, Passing},
    violations::Found,
};
use crate::history::RowRule;

/// A record that is not the plain next one, and what is before it.
pub(super) struct Here {
    pub(super) object: u32,
    /// Its claim.
    pub(super) number: u32,
    pub(super) now: Before,
    /// The record that was counted before it, and where it ended; [`NONE`] if this is the first.
    pub(super) step: Before,
    pub(super) to: u32,
    pub(super) created: i64,
    /// Whether its sequence is the next one.
    pub(super) follows: bool,
    pub(super) in_time: bool,
}

impl Passing<'_, '_> {
    /// A record that is the first, does not join, or depends on what is before it: what it does, and whether it
    /// joins.
    #[inline(never)]
    pub(super) fn turn(&mut self, here: &Here, memory: u32) -> (u32, bool) {
        let &Here { object, number, now, to, created, in_time, .. } = here;
        let claim = self.bound.claims[number as usize];
        let is_first = to == NONE;
        let is_creation = match claim.from {
            UNSAID => is_first && self.bound.begins(claim.to),
            from => from == NOTHING,
        };
        let is_blind = is_first && !is_creation && claim.from == UNSAID;
        let from = match claim.from {
            _ if is_creation || is_blind => NOTHING,
            UNSAID => to,
            from => from,
        };
        let is_told = created != NO_TIME && created <= now.time;
        let joins = match (is_creation, is_first) {
            (true, first) => first,
            (false, true) => is_told && !is_blind && self.bound.begins(from),
            (false, false) => claim.goes_on(to) && here.follows,
        };
        let code = match (is_creation, is_first) {
            (true, false) => Some(RowRule::SecondCreation),
            (false, true) if !joins => Some(RowRule::MissingCreation),
            (false, false) if from != to => Some(RowRule::ChainGap),
            _ => None,
        };
        if let Some(code) = code {
            let (record, before) = (now.record, here.step.record);
            self.account.violations.add(Found { code, object, record, before, fault: NONE });
        }
        let mut memory = if joins && !is_creation { memory } else { NONE };
        if is_creation {
            memory = self.bound.no_memory();
        }
        if !joins || is_first {
            if is_first && !is_creation && is_told {
                let begins = if joins { from } else { self.bound.initial };
                self.begins = if joins { from } else { NONE };
                memory = self.bound.no_memory();
                self.start(begins, created, in_time);
            }
            if is_first && is_creation {
                self.create(now.time);
            }
            if !(is_first && joins) {
                self.part(here, from);
            }
            if from != NOTHING {
                self.account.variants.go(from);
            }
        }
        let step = match is_blind {
            true => self.bound.blind(number),
            false => self.bound.step(number, from, memory),
        };
        self.account.hold(self.bound);
        (step, joins)
    }

    /// The object begins; no row says so.
    pub(super) fn start(&mut self, config: u32, at: i64, in_time: bool) {
        let Some(begins) = self.bound.configs.get(config as usize) else { return };
        let bucket = self.account.tide.grid.of(at);
        for &slot in &begins.active {
            self.open.push(Open { slot, start: Start::Known, at });
            if in_time {
                self.account.tide.turn(slot, bucket, 1);
            }
        }
        self.account.variants.go(config);
        self.create(at);
    }

    fn create(&mut self, at: i64) {
        let tide = &mut self.account.tide;
        if tide.grid.holds(at) {
            tide.created[tide.grid.of(at)] += 1;
        }
    }

    /// Nothing is known between the record before and this one, nor when what this one starts from began.
    fn part(&mut self, here: &Here, from: u32) {
        let &Here { now, step, to, created, in_time, .. } = here;
        let is_first = to == NONE;
        let proof = match is_first {
            false => step.time,
            true if created != NO_TIME => created,
            true => now.time,
        };
        let end = now.time.max(proof);
        let grid = self.account.tide.grid;
        let (first, last) = (grid.of(proof), grid.of(now.time));
        if in_time && !is_first && !self.open.is_empty() {
            self.account.tide.uncertain[first] += 1;
            self.account.tide.uncertain[last] -= 1;
        }
        for index in 0..self.open.len() {
            let open = self.open[index];
            self.account.broken(open, proof, end);
            if in_time {
                self.account.tide.turn(open.slot, first, -1);
            }
        }
        self.open.clear();
        let start = match is_first && created == NO_TIME {
            true => Start::Censored,
            false => Start::Uncertain,
        };
        for &slot in &self.bound.configs[from as usize].active {
            self.open.push(Open { slot, start, at: now.time });
            if in_time {
                self.account.tide.turn(slot, last, 1);
            }
        }
    }
}
