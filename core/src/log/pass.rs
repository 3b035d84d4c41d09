//! The pass over the records of objects: which join, which clocks stop and start.
//!
//! The rules are those of [`History`](crate::History), in integers, and a test
//! compares the two. Nothing is allocated for a record.

use alloc::vec::Vec;

use super::{
    account::{Account, End, Open, Start},
    bind::{Bound, Move, NONE, Quick},
    buckets::Tide,
    numbers::NONE as NO_SEQUENCE,
    objects::NO_TIME,
    order::Order,
    quick::Gathered,
    store::Log,
    turn::Here,
    violations::Found,
};
use crate::{
    history::{RowRule, Sequences},
    table::position,
};

/// How records are gone through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) as_of: i64,
    pub(super) newest_first: bool,
    pub(super) sequences: Sequences,
}

impl Terms {
    /// Whether no sequence number is left out or repeated between two.
    #[inline]
    pub(super) fn follows(&self, before: u64, sequence: u64) -> bool {
        let is_said = before != NO_SEQUENCE && sequence != NO_SEQUENCE;
        !is_said
            || match self.sequences {
                Sequences::Dense => before + 1 == sequence,
                Sequences::Ordered => before < sequence,
            }
    }
}

/// What is known of an object once its records are over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Where it is; [`NONE`] where nothing is known of that.
    pub(super) config: u32,
    /// The record that brought it there, or [`NONE`].
    pub(super) last: u32,
    /// How many records were counted.
    pub(super) records: u32,
    pub(super) returns: u32,
    pub(super) violations: u64,
}

/// A record, as the next one sees it.
#[derive(Clone, Copy)]
pub(super) struct Before {
    pub(super) record: u32,
    pub(super) time: i64,
    pub(super) sequence: u64,
}

/// A record of an object whose times run back.
#[derive(Clone, Copy, Debug)]
struct Step {
    time: i64,
    /// The latest time of all records before it.
    latest: i64,
    config: u32,
    joins: bool,
}

/// Goes through the objects of a log.
#[derive(Debug)]
pub(super) struct Passing<'p, 'l> {
    pub(super) log: &'l Log,
    pub(super) order: &'p Order,
    pub(super) bound: &'p mut Bound<'l>,
    pub(super) terms: Terms,
    pub(super) account: Account,
    pub(super) open: Vec<Open>,
    steps: Vec<Step>,
    pub(super) gathered: Gathered,
    /// For each claim where its row of [`Account::quick`] begins.
    pub(super) rows: Vec<u32>,
    /// Where the object was from its creation up to its first record, or [`NONE`].
    pub(super) begins: u32,
}

impl<'p, 'l> Passing<'p, 'l> {
    pub(super) fn new(
        log: &'l Log,
        order: &'p Order,
        bound: &'p mut Bound<'l>,
        terms: Terms,
        mut account: Account,
    ) -> Self {
        account.hold(bound);
        account.hold_quick(bound);
        let stride = position(account.tide.grid.count + 1);
        let row = |claim: &Quick| if claim.from == NONE { 0 } else { claim.step * stride };
        let is_quick = !account.quick.is_empty();
        let rows = bound.quick.iter().map(|claim| if is_quick { row(claim) } else { 0 }).collect();
        Self {
            log,
            order,
            bound,
            terms,
            account,
            open: Vec::new(),
            steps: Vec::new(),
            gathered: Gathered::default(),
            rows,
            begins: NONE,
        }
    }

    /// Goes through the records of one object.
    pub(super) fn object(&mut self, object: u32) -> Seen {
        let log = self.log;
        let range = self.order.range(object as usize);
        let created = log.objects.created_at[object as usize];
        let is_turned = self.order.is_turned(log, range.clone(), self.terms.newest_first);
        let in_time = !is_turned && self.is_in_time(range.clone());
        self.account.begin();
        self.account.objects += 1;
        self.open.clear();
        self.steps.clear();
        self.begins = NONE;
        let mut seen = Seen { config: NONE, last: NONE, records: 0, returns: 0, violations: 0 };
        let mut row: Option<Before> = None;
        // The record that was counted last, and where it ended.
        let mut step = Before { record: NONE, time: i64::MIN, sequence: NO_SEQUENCE };
        let mut to = NONE;
        let mut memory = NONE;
        let is_quick = in_time && !self.account.quick.is_empty() && self.is_over(range.clone());
        let mut next = range.start;
        while next < range.end {
            if is_quick && to != NONE && created <= step.time {
                let went = self.run(next..range.end, &mut step, &mut to);
                if went > 0 {
                    next += went;
                    seen.records += position(went);
                    row = Some(step);
                    continue;
                }
            }
            let at = next;
            next += 1;
            let at = if is_turned { range.end - 1 - (at - range.start) } else { at };
            let record = self.order.record(at);
            let time = log.time[record];
            let sequence = log.sequence.get(record);
            let now = Before { record: position(record), time, sequence };
            if !self.is_plain(&now, row.as_ref(), created) {
                self.check(object, &now, row.as_ref(), created);
            }
            row = Some(now);
            if time > self.terms.as_of {
                continue;
            }
            let number = log.claim[record];
            let claim = self.bound.claims[number as usize];
            let is_first = to == NONE;
            let follows = !is_first && self.terms.follows(step.sequence, sequence);
            let (number_of_step, joins) = if follows && claim.from == to && claim.step != NONE {
                (claim.step, true)
            } else {
                let here = Here { object, number, now, step, to, created, follows, in_time };
                self.turn(&here, memory)
            };
            let taken = self.bound.moves[number_of_step as usize];
            if taken.fault != NONE {
                let code = self.bound.faults[taken.fault as usize].rule;
                let (record, before, fault) = (now.record, NONE, taken.fault);
                self.account.violations.add(Found { code, object, record, before, fault });
            }
            memory = taken.memory;
            self.apply(&taken, time, in_time);
            self.account.variants.go(claim.to);
            if !in_time {
                // Where it was is reckoned once all of its times are known.
                let latest = self.steps.last().map_or(i64::MIN, |step| step.latest.max(step.time));
                self.steps.push(Step { time, latest, config: claim.to, joins });
            }
            to = claim.to;
            step = now;
            seen.records += 1;
        }
        seen.config = to;
        seen.last = step.record;
        self.finish(object, created, seen, in_time)
    }

    /// Whether all records, whose times run forward, are to be counted.
    fn is_over(&self, range: core::ops::Range<usize>) -> bool {
        let last = range.last().map(|at| self.log.time[self.order.record(at)]);
        last.is_some_and(|last| last <= self.terms.as_of)
    }

    /// Whether times run forward only.
    fn is_in_time(&self, range: core::ops::Range<usize>) -> bool {
        match self.order.direct(range.clone()) {
            Some(range) => self.log.runs_forward || self.log.time[range].is_sorted(),
            None => range.map(|at| self.log.time[self.order.record(at)]).is_sorted(),
        }
    }

    /// Whether a row breaks none of the rules that are about rows and not about states.
    #[inline]
    fn is_plain(&self, now: &Before, row: Option<&Before>, created: i64) -> bool {
        now.time <= self.terms.as_of
            && now.time >= created
            && row.is_none_or(|row| {
                now.time >= row.time && self.terms.follows(row.sequence, now.sequence)
            })
    }

    /// Notes which of those rules a row breaks.
    #[cold]
    fn check(&mut self, object: u32, now: &Before, row: Option<&Before>, created: i64) {
        let &Before { record, time, sequence } = now;
        let before = row.map_or(NONE, |row| row.record);
        let mut add = |code, before| {
            self.account.violations.add(Found { code, object, record, before, fault: NONE });
        };
        if time > self.terms.as_of {
            add(RowRule::AfterNow, NONE);
        }
        if time < created {
            add(RowRule::BeforeCreation, NONE);
        }
        let Some(row) = row else { return };
        if row.sequence != NO_SEQUENCE && sequence != NO_SEQUENCE {
            if row.sequence == sequence {
                add(RowRule::SequenceRepeats, before);
            } else if self.terms.sequences == Sequences::Dense && row.sequence + 1 != sequence {
                add(RowRule::SequenceSkips, before);
            }
        }
        if time < row.time {
            add(RowRule::TimeRunsBack, before);
        }
    }

    /// Stops and starts the clocks of a record.
    #[inline]
    fn apply(&mut self, taken: &Move, at: i64, in_time: bool) {
        let Self { bound, account, open, .. } = self;
        account.took(taken.way, at);
        account.records += 1;
        let bucket = account.tide.grid.of(at);
        if account.tide.grid.holds(at) {
            account.tide.records[bucket] += 1;
            account.tide.finished[bucket] += u64::from(taken.is_end);
        }
        let (left, entered) = (bound.left(taken), bound.entered(taken));
        if let ([clock], &[(slot, list)], &[(next, _)]) = (&mut open[..], left, entered)
            && clock.slot == slot
            && !taken.is_passing
        {
            account.closed(*clock, at, list, bound.plain[slot as usize]);
            *clock = Open { slot: next, start: Start::Known, at };
            if in_time {
                account.tide.turn(slot, bucket, -1);
                account.tide.turn(next, bucket, 1);
            }
            return;
        }
        if taken.stays.0 != NONE
            && let Some(&clock) = open.iter().find(|clock| clock.slot == taken.stays.0)
        {
            account.stayed(clock, at, taken.stays.1);
        }
        for &(slot, list) in left {
            if let Some(index) = open.iter().position(|clock| clock.slot == slot) {
                let clock = open.swap_remove(index);
                account.closed(clock, at, list, bound.plain[slot as usize]);
                if in_time {
                    account.tide.turn(slot, bucket, -1);
                }
            }
        }
        for &(slot, list) in bound.passed(taken) {
            account.passed(slot, at, list);
        }
        for &(slot, _) in entered {
            let known = open.iter_mut().find(|clock| clock.slot == slot);
            let clock = Open { slot, start: Start::Known, at };
            match known {
                Some(known) => *known = clock,
                None => {
                    open.push(clock);
                    if in_time {
                        account.tide.turn(slot, bucket, 1);
                    }
                }
            }
        }
    }

    /// The records of an object are over.
    fn finish(&mut self, object: u32, created: i64, mut seen: Seen, in_time: bool) -> Seen {
        let initial = self.bound.initial;
        if seen.config == NONE && initial != NONE {
            let is_told = created != NO_TIME && created <= self.terms.as_of;
            if is_told {
                self.start(initial, created, true);
            } else if created == NO_TIME && self.order.range(object as usize).is_empty() {
                // Somebody knows it, but not since when.
                let at = self.terms.as_of;
                let bucket = self.account.tide.grid.of(at);
                for &slot in &self.bound.configs[initial as usize].active {
                    self.open.push(Open { slot, start: Start::Censored, at });
                    self.account.tide.turn(slot, bucket, 1);
                }
                self.account.variants.go(initial);
            }
            if !self.open.is_empty() {
                self.account.never_moved += 1;
                seen.config = initial;
            }
        }
        if !in_time {
            self.spread(created);
        }
        let clocks = position(self.account.clocks.len());
        let is_over =
            self.bound.configs.get(seen.config as usize).is_none_or(|config| config.is_ended);
        for index in 0..self.open.len() {
            self.account.lasts(self.open[index]);
        }
        if !is_over || self.account.keeps_all {
            self.account.clocks.extend_from_slice(&self.open);
        }
        self.account.ends.push(End { object, config: seen.config, clocks });
        self.account.variants.end(object);
        seen.returns = self.account.end();
        seen.violations = self.account.violations.end();
        seen
    }

    /// Where an object whose times run back was: of the records up to a time the last one says it, and it is sure
    /// where no record before that one is later.
    fn spread(&mut self, created: i64) {
        let Self { bound, account, steps, .. } = self;
        let tide = &mut account.tide;
        let mut until = i64::MAX;
        let mut joins = true;
        let uncertain = |tide: &mut Tide, from: i64, until: i64| {
            if from < until {
                let (first, last) = (tide.grid.of(from), tide.grid.of(until));
                tide.uncertain[first] += 1;
                tide.uncertain[last] -= 1;
            }
        };
        let known = |tide: &mut Tide, config: u32, from: i64, until: i64| {
            if from < until {
                let (first, last) = (tide.grid.of(from), tide.grid.of(until));
                for &slot in &bound.configs[config as usize].active {
                    tide.turn(slot, first, 1);
                    tide.turn(slot, last, -1);
                }
            }
        };
        for step in steps.iter().rev() {
            let sure = step.time.max(step.latest.min(until));
            uncertain(tide, step.time, sure.min(until));
            match joins {
                true => known(tide, step.config, sure, until),
                false => uncertain(tide, sure, until),
            }
            until = until.min(step.time);
            joins = step.joins;
        }
        if created != NO_TIME && self.begins != NONE && !steps.is_empty() {
            known(tide, self.begins, created, until);
        }
    }
}
