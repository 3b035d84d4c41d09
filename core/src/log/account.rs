//! What a report counts, in integers, while a log is gone through.

use alloc::vec::Vec;

use super::{
    bind::{Bound, NONE},
    buckets::Tide,
    variants::Variants,
    violations::Violations,
};

/// A visit that has not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) slot: u32,
    pub(super) start: Start,
    /// When it was entered; where nobody knows it, when it is proven first.
    pub(super) at: i64,
}

/// What is known of the beginning of a visit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Start {
    /// When it was.
    Known,
    /// Not when: it was before the first record.
    Censored,
    /// Not when: it was in a gap.
    Uncertain,
}

/// What was counted of one state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) visits: u64,
    /// Objects that were there, and the last of them.
    pub(super) visitors: u64,
    stamp: u32,
    pub(super) here: u64,
    pub(super) open: Lasting,
    pub(super) uncertain: Broken,
    pub(super) censored: u64,
    pub(super) disordered: u64,
    pub(super) over: u64,
}

/// Visits that last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lasting {
    pub(super) count: u64,
    pub(super) sum: i128,
    pub(super) max: i64,
}

/// Visits next to gaps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Broken {
    pub(super) count: u64,
    /// How much of them is proven.
    pub(super) known: i128,
    /// How much longer they may have lasted.
    pub(super) sum: i128,
}

/// Where an object is at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) object: u32,
    /// Its configuration, or [`NONE`] where nothing is known of it.
    pub(super) config: u32,
    /// Where its clocks begin among all.
    pub(super) clocks: u32,
}

/// What was counted.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) window: Option<[i64; 2]>,
    pub(super) as_of: i64,
    pub(super) tallies: Vec<Tally>,
    /// Lengths of visits that ended: see [`ListOf`](super::bind::ListOf).
    pub(super) lists: Vec<Vec<i64>>,
    /// For each way how often it was taken.
    pub(super) ways: Vec<u64>,
    pub(super) tide: Tide,
    pub(super) variants: Variants,
    pub(super) violations: Violations,
    pub(super) ends: Vec<End>,
    pub(super) clocks: Vec<Open>,
    /// Whether the clocks of objects whose life is over are kept, too.
    pub(super) keeps_all: bool,
    pub(super) objects: u64,
    pub(super) records: u64,
    pub(super) never_moved: u64,
    /// Objects that came back to a state, and how often all of them did.
    pub(super) returned: u64,
    pub(super) returns: u64,
    /// For each step and bucket how many quick records there were; empty where that is too many.
    pub(super) quick: Vec<u32>,
    stamp: u32,
    visits: u32,
    visited: u32,
}

/// So many steps and buckets are counted at once.
const QUICK: usize = 1 << 20;

impl Account {
    pub(super) fn new(as_of: i64, window: Option<[i64; 2]>, tide: Tide, listed: usize) -> Self {
        Self {
            window,
            as_of,
            tallies: Vec::new(),
            lists: Vec::new(),
            ways: Vec::new(),
            tide,
            variants: Variants::default(),
            violations: Violations::new(listed),
            ends: Vec::new(),
            clocks: Vec::new(),
            keeps_all: false,
            objects: 0,
            records: 0,
            never_moved: 0,
            returned: 0,
            returns: 0,
            quick: Vec::new(),
            stamp: 0,
            visits: 0,
            visited: 0,
        }
    }

    /// Makes room for all that is bound by now.
    pub(super) fn hold(&mut self, bound: &Bound<'_>) {
        self.tallies.resize(bound.slots.len(), Tally::default());
        self.lists.resize(bound.lists.len(), Vec::new());
        self.ways.resize(bound.ways.len(), 0);
        self.tide.hold(bound.slots.len());
    }

    /// Makes room to count quick records, if they can be. With a window each is looked at by itself.
    pub(super) fn hold_quick(&mut self, bound: &Bound<'_>) {
        let size = bound.moves.len().saturating_mul(self.tide.grid.count + 1);
        if self.window.is_none() && size <= QUICK && bound.slots.len() <= 64 {
            self.quick.resize(size, 0);
        }
    }

    /// Quick records of the object went out of these slots; the lengths are in their lists.
    pub(super) fn went(&mut self, records: usize, mut slots: u64) {
        let count = u32::try_from(records).unwrap_or(u32::MAX);
        self.visits = self.visits.saturating_add(count);
        self.records += u64::from(count);
        while slots != 0 {
            let tally = &mut self.tallies[slots.trailing_zeros() as usize];
            if tally.stamp != self.stamp {
                tally.stamp = self.stamp;
                tally.visitors += 1;
                self.visited += 1;
            }
            slots &= slots - 1;
        }
    }

    /// Adds what was counted of quick records to the rest.
    pub(super) fn add_quick(&mut self, bound: &Bound<'_>) {
        let stride = self.tide.grid.count + 1;
        for (taken, counts) in bound.moves.iter().zip(self.quick.chunks_exact(stride)) {
            for (bucket, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let (count, by) = (u64::from(count), i64::from(count));
                self.tide.records[bucket] += count;
                self.tide.finished[bucket] += u64::from(taken.is_end) * count;
                if let Some(way) = self.ways.get_mut(taken.way as usize) {
                    *way += count;
                }
                for &(slot, _) in bound.left(taken) {
                    self.tallies[slot as usize].visits += count;
                    self.tide.turn(slot, bucket, -by);
                }
                for &(slot, _) in bound.entered(taken) {
                    self.tide.turn(slot, bucket, by);
                }
            }
        }
        self.quick.clear();
    }

    /// The clocks of an object at its end.
    pub(super) fn clocks_of(&self, index: usize) -> &[Open] {
        let end = self.ends.get(index + 1).map_or(self.clocks.len(), |next| next.clocks as usize);
        let start = self.ends.get(index).map_or(end, |end| end.clocks as usize);
        self.clocks.get(start..end).unwrap_or_default()
    }

    /// The next object.
    pub(super) fn begin(&mut self) {
        self.stamp += 1;
        (self.visits, self.visited) = (0, 0);
    }

    /// The object is over: returns how often it came back to a state.
    pub(super) fn end(&mut self) -> u32 {
        let returns = self.visits - self.visited;
        self.returns += u64::from(returns);
        self.returned += u64::from(returns > 0);
        returns
    }

    #[inline]
    fn visit(&mut self, slot: u32) -> &mut Tally {
        let tally = &mut self.tallies[slot as usize];
        tally.visits += 1;
        self.visits += 1;
        if tally.stamp != self.stamp {
            tally.stamp = self.stamp;
            tally.visitors += 1;
            self.visited += 1;
        }
        tally
    }

    /// A visit that a record ended, and where its length is collected.
    #[inline]
    pub(super) fn closed(&mut self, open: Open, until: i64, list: u32, plain: u32) {
        if self.window.is_none() && open.start == Start::Known && until >= open.at {
            self.visit(open.slot);
            self.lists[list as usize].push(until - open.at);
        } else {
            self.closed_otherwise(open, until, list, plain);
        }
    }

    #[cold]
    fn closed_otherwise(&mut self, open: Open, until: i64, list: u32, plain: u32) {
        let Open { slot, start, at } = open;
        let entered = (start == Start::Known).then_some(at);
        if !self.touches(entered, until, false) {
            return;
        }
        match start {
            Start::Censored => self.visit(slot).censored += 1,
            Start::Uncertain => self.visit(slot).uncertain.count += 1,
            Start::Known if at > until => self.visit(slot).disordered += 1,
            Start::Known => {
                self.visit(slot);
                let list = if self.is_within(until) { list } else { plain };
                let length = self.overlap(at, until);
                self.lists[list as usize].push(length);
            }
        }
    }

    /// A visit that was passed through in a step.
    pub(super) fn passed(&mut self, slot: u32, at: i64, list: u32) {
        if self.touches(Some(at), at, false) {
            self.visit(slot);
            self.lists[list as usize].push(0);
        }
    }

    /// A visit that a gap ended: the last proof of it, and the end of the gap.
    pub(super) fn broken(&mut self, open: Open, proof: i64, gap_end: i64) {
        let Open { slot, start, at } = open;
        let entered = (start == Start::Known).then_some(at);
        let until = entered.map_or(proof, |entered| proof.max(entered));
        if !self.touches(entered, gap_end, false) {
            return;
        }
        let known = entered.map_or(0, |entered| self.overlap(entered, until));
        let sum = self.overlap(until, gap_end);
        let broken = &mut self.visit(slot).uncertain;
        broken.count += 1;
        broken.known += i128::from(known);
        broken.sum += i128::from(sum);
    }

    /// A visit that lasts.
    pub(super) fn lasts(&mut self, open: Open) {
        let Open { slot, start, at } = open;
        self.tallies[slot as usize].here += 1;
        let entered = (start == Start::Known).then_some(at);
        if !self.touches(entered, self.as_of, start == Start::Known) {
            return;
        }
        let length = self.overlap(at, self.as_of);
        let tally = self.visit(slot);
        match start {
            Start::Censored => tally.censored += 1,
            Start::Uncertain => tally.uncertain.count += 1,
            Start::Known => {
                tally.open.count += 1;
                tally.open.sum += i128::from(length);
                tally.open.max = tally.open.max.max(length);
            }
        }
    }

    /// A record took a way; where that does not leave its source, with the time there before it.
    #[inline]
    pub(super) fn took(&mut self, way: u32, at: i64) {
        if way != NONE && self.is_within(at) {
            self.ways[way as usize] += 1;
        }
    }

    /// The time in a source that was not left.
    #[cold]
    pub(super) fn stayed(&mut self, open: Open, at: i64, list: u32) {
        if open.start == Start::Known && open.at <= at && self.is_within(at) {
            let length = self.overlap(open.at, at);
            self.lists[list as usize].push(length);
        }
    }

    /// Whether a time is asked for.
    #[inline]
    fn is_within(&self, at: i64) -> bool {
        self.window.is_none_or(|[from, to]| from <= at && at < to)
    }

    /// How long a span lies in the window; zero where it is turned round.
    fn overlap(&self, start: i64, end: i64) -> i64 {
        let [from, to] = self.window.unwrap_or([i64::MIN, i64::MAX]);
        end.min(to).saturating_sub(start.max(from)).max(0)
    }

    /// Whether a visit touches the window. One of no length does if it lies in it.
    fn touches(&self, entered: Option<i64>, end: i64, is_open: bool) -> bool {
        let Some([from, to]) = self.window else { return true };
        let start = entered.unwrap_or(end).min(end);
        let begins = start < to || (start == to && to == self.as_of);
        begins && (end > from || (start == end && start >= from) || is_open)
    }
}
