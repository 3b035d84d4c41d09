//! The quick way through records of which each follows the one before, stops one clock and starts one: most are so.
//!
//! It says nothing that the pass would not say of each by itself; what it is not sure of, it leaves to that.

use alloc::vec::Vec;

use super::{
    account::{Open, Start},
    numbers::Numbers,
    order::Order,
    pass::{Before, Passing},
    store::Log,
};
use crate::{history::Sequences, table::position};

/// A sequence number as a column has it.
trait Sequence: Copy {
    fn of(number: u64) -> Self;
    /// How far apart two may be that follow each other.
    fn most(sequences: Sequences) -> Self;
    /// Whether it follows another, if it is at least that, in short: yes is sure, and no is to be looked at again.
    fn is_near(self, before: Self, most: Self) -> bool;
}

impl Sequence for u32 {
    #[inline]
    fn of(number: u64) -> Self {
        Self::try_from(number).unwrap_or(Self::MAX)
    }

    fn most(sequences: Sequences) -> Self {
        if sequences == Sequences::Dense { 0 } else { Self::MAX / 2 }
    }

    #[inline]
    fn is_near(self, before: Self, most: Self) -> bool {
        self.wrapping_sub(before).wrapping_sub(1) <= most || self == Self::MAX
    }
}

impl Sequence for u64 {
    #[inline]
    fn of(number: u64) -> Self {
        number
    }

    fn most(sequences: Sequences) -> Self {
        if sequences == Sequences::Dense { 0 } else { Self::MAX / 2 }
    }

    #[inline]
    fn is_near(self, before: Self, most: Self) -> bool {
        self.wrapping_sub(before).wrapping_sub(1) <= most || self == Self::MAX
    }
}

/// Records of one object that do not stand together in their columns.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    times: Vec<i64>,
    claims: Vec<u32>,
    sequences: Vec<u64>,
}

impl Gathered {
    fn fill(&mut self, log: &Log, order: &Order, range: core::ops::Range<usize>) {
        self.times.clear();
        self.claims.clear();
        self.sequences.clear();
        for record in range.map(|at| order.record(at)) {
            self.times.push(log.time[record]);
            self.claims.push(log.claim[record]);
            self.sequences.push(log.sequence.get(record));
        }
    }
}

impl Passing<'_, '_> {
    /// Goes through records as long as each follows the one before, stops one clock and starts one. Returns how many.
    pub(super) fn run(
        &mut self,
        range: core::ops::Range<usize>,
        step: &mut Before,
        to: &mut u32,
    ) -> usize {
        let [clock] = self.open[..] else { return 0 };
        if clock.start != Start::Known {
            return 0;
        }
        let (log, order) = (self.log, self.order);
        let mut gathered = core::mem::take(&mut self.gathered);
        let (mut place, mut since) = (*to, clock.at);
        let went = match order.direct(range.clone()) {
            Some(direct) => {
                let (times, claims) = (&log.time[direct.clone()], &log.claim[direct.clone()]);
                let went = match &log.sequence {
                    Numbers::Small(all) => {
                        self.chain(times, claims, &all[direct], step, &mut place, &mut since)
                    }
                    Numbers::Large(all) => {
                        self.chain(times, claims, &all[direct], step, &mut place, &mut since)
                    }
                };
                self.place(&times[..went], &claims[..went]);
                went
            }
            None => {
                // Not more than a few at once: what is behind a break would be gathered again.
                let few = range.start..range.end.min(range.start + 256);
                gathered.fill(log, order, few);
                let Gathered { times, claims, sequences } = &gathered;
                let went = self.chain(times, claims, sequences, step, &mut place, &mut since);
                self.place(&times[..went], &claims[..went]);
                went
            }
        };
        self.gathered = gathered;
        if went > 0 {
            let last = order.record(range.start + went - 1);
            let claim = self.bound.quick[log.claim[last] as usize];
            self.open[0] = Open { slot: claim.entered, start: Start::Known, at: since };
            *to = place;
            *step =
                Before { record: position(last), time: since, sequence: log.sequence.get(last) };
        }
        went
    }

    /// Stops and starts the clock, record by record.
    #[inline(never)]
    fn chain<S: Sequence>(
        &mut self,
        times: &[i64],
        claims: &[u32],
        sequences: &[S],
        step: &Before,
        to: &mut u32,
        at: &mut i64,
    ) -> usize {
        let quick = &self.bound.quick[..];
        let lists = &mut self.account.lists[..];
        let most = S::most(self.terms.sequences);
        let (mut place, mut since, mut before) = (*to, *at, S::of(step.sequence));
        let (mut slots, mut went) = (0_u64, 0);
        for ((&time, &claim), &sequence) in times.iter().zip(claims).zip(sequences) {
            let claim = &quick[claim as usize];
            if claim.from != place || !sequence.is_near(before, most) {
                break;
            }
            lists[claim.list as usize].push(time - since);
            slots |= 1 << (claim.left & 63);
            (place, since, before) = (claim.to, time, sequence);
            went += 1;
        }
        (*to, *at) = (place, since);
        self.account.went(went, slots);
        went
    }

    /// Notes when records were that have been gone through, and where they led.
    #[inline(never)]
    fn place(&mut self, times: &[i64], claims: &[u32]) {
        let quick = &self.bound.quick[..];
        let counts = &mut self.account.quick[..];
        let grid = self.account.tide.grid;
        for (&time, &claim) in times.iter().zip(claims) {
            let row = self.rows[claim as usize] as usize;
            if let Some(count) = counts.get_mut(row + grid.inside(time)) {
                *count += 1;
            }
        }
        self.account.variants.go_on(claims.iter().map(|&claim| quick[claim as usize].to));
    }
}
