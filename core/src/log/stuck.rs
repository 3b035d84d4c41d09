//! Objects that do not go on, and why.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde::Serialize;
use smallvec::SmallVec;

use super::{
    account::{Account, Open, Start},
    bind::Bound,
    objects::Objects,
};
use crate::{
    chart::Shape,
    history::StuckCode,
    name::{quoted, shortened},
    time::{Duration, Time},
};

/// An object that does not go on.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StuckObject {
    /// Which object.
    pub object_id: String,
    /// Of which tenant.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub tenant_id: Option<String>,
    /// The stable name of the cause: `overdue`, `no-way-out` or `long`.
    pub code: StuckCode,
    /// The path of the state that it is stuck in.
    pub state: String,
    /// When it was entered; where no record says so, when it is proven first.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub entered_at: Time,
    /// Since when it is stuck: since the timeout passed, else since the entry.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub since: Time,
    /// How long that is.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub for_time: Duration,
    /// The action of the timeout that has passed.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// The cause in one sentence. May change between versions.
    pub message: String,
}

/// All objects that do not go on.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct StuckObjects {
    /// How many there are.
    pub total: u64,
    /// How many by cause; each object has one.
    #[cfg_attr(feature = "tsify", tsify(type = "Partial<Record<StuckCode, number>>"))]
    pub by_code: BTreeMap<StuckCode, u64>,
    /// Those that are stuck the longest, the longest first.
    pub listed: Vec<StuckObject>,
}

/// Why an object does not go on, in integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stuck {
    pub(super) code: StuckCode,
    slot: u32,
    entered: i64,
    pub(super) since: i64,
}

/// What it takes to say whether an object is stuck.
pub(super) struct Judge<'a, 'l> {
    pub(super) bound: &'a Bound<'l>,
    pub(super) as_of: i64,
    /// For each slot the length that 99 of 100 visits do not exceed, where there are enough.
    pub(super) usual: Vec<Option<i64>>,
}

/// So many visits must have ended before one that lasts is called long.
pub(super) const ENOUGH: u64 = 10;

impl Judge<'_, '_> {
    /// Why an object does not go on, if it does not: of several causes the first in the order of
    /// [`StuckCode`], of several states that in which it is stuck the longest.
    pub(super) fn why(&self, config: u32, clocks: &[Open]) -> Option<Stuck> {
        let place = self.bound.configs.get(config as usize).filter(|place| !place.is_ended)?;
        let worst = |found: Option<Stuck>, next: Stuck| match found {
            Some(found) if found.since <= next.since => Some(found),
            _ => Some(next),
        };
        let overdue =
            clocks.iter().filter_map(|clock| self.due(clock).filter(|_| place.is_possible));
        if let Some(found) = overdue.fold(None, worst) {
            return Some(found);
        }
        let stuck = |code, clock: &Open| {
            let Open { slot, at, .. } = *clock;
            Stuck { code, slot, entered: at, since: at }
        };
        let leaves = || clocks.iter().filter(|clock| self.is_leaf(clock.slot));
        if self.bound.has_no_way_out(config) {
            return leaves().map(|clock| stuck(StuckCode::NoWayOut, clock)).fold(None, worst);
        }
        let long = leaves().filter(|clock| {
            let usual = self.usual.get(clock.slot as usize).copied().flatten();
            clock.start == Start::Known && usual.is_some_and(|usual| self.as_of - clock.at > usual)
        });
        long.map(|clock| stuck(StuckCode::Long, clock)).fold(None, worst)
    }

    /// The timeout of a state that has passed.
    pub(super) fn due(&self, clock: &Open) -> Option<Stuck> {
        let (timer, _) = self.bound.timer(clock.slot)?;
        let since = clock.at.checked_add(timer.micros())?;
        let is_time = Time::from_micros(since).is_some();
        (is_time && since <= self.as_of).then_some(Stuck {
            code: StuckCode::Overdue,
            slot: clock.slot,
            entered: clock.at,
            since,
        })
    }

    /// Whether nothing is inside a state, and its machine does not end there.
    fn is_leaf(&self, slot: u32) -> bool {
        let chart = &self.bound.machine.shared.resolved.chart;
        match self.bound.slots[slot as usize] {
            state if state < chart.count() => {
                chart.shape(state) == Shape::Atomic && !chart.node(state).is_terminal
            }
            _ => true,
        }
    }

    /// All objects that are stuck; counts the timeouts that have passed for each state.
    pub(super) fn all(
        &self,
        account: &mut Account,
        objects: &Objects,
        listed: usize,
    ) -> StuckObjects {
        let mut found: Vec<(i64, u32, u32)> = Vec::new();
        let mut causes: Vec<Stuck> = Vec::new();
        let mut by_code: BTreeMap<StuckCode, u64> = BTreeMap::new();
        for index in 0..account.ends.len() {
            let end = account.ends[index];
            let last = account
                .ends
                .get(index + 1)
                .map_or(account.clocks.len(), |next| next.clocks as usize);
            let clocks = &account.clocks[end.clocks as usize..last];
            let is_possible = self
                .bound
                .configs
                .get(end.config as usize)
                .is_some_and(|config| config.is_possible);
            let why = self.why(end.config, clocks);
            let over = clocks.iter().filter(|clock| is_possible && self.due(clock).is_some());
            for slot in over.map(|clock| clock.slot).collect::<SmallVec<[u32; 4]>>() {
                account.tallies[slot as usize].over += 1;
            }
            let Some(stuck) = why else { continue };
            *by_code.entry(stuck.code).or_default() += 1;
            found.push((stuck.since, end.object, crate::table::position(causes.len())));
            causes.push(stuck);
        }
        found.sort_unstable();
        let told = |&(_, object, cause): &(i64, u32, u32)| {
            self.told(&causes[cause as usize], object, objects)
        };
        StuckObjects {
            total: found.len() as u64,
            by_code,
            listed: found.iter().take(listed).filter_map(told).collect(),
        }
    }

    fn told(&self, stuck: &Stuck, object: u32, objects: &Objects) -> Option<StuckObject> {
        let state = self.bound.path(self.bound.slots[stuck.slot as usize]);
        let for_time = Duration::from_micros(self.as_of - stuck.since).unwrap_or_default();
        let (entered_at, since) =
            (Time::from_micros(stuck.entered)?, Time::from_micros(stuck.since)?);
        let action = self.bound.timer(stuck.slot).map(|(_, action)| action);
        let action = action.filter(|_| stuck.code == StuckCode::Overdue);
        let message = match (stuck.code, action) {
            (StuckCode::Overdue, Some(action)) => {
                format!(
                    "`{action}` of `{state}` was due at {since}, {for_time} ago, and was not done"
                )
            }
            (StuckCode::NoWayOut, _) => {
                let names = quoted([state]);
                format!("no transition leads out of {names}, which is not terminal")
            }
            _ => {
                let usual = self.usual.get(stuck.slot as usize).copied().flatten().unwrap_or(0);
                let usual = Duration::from_micros(usual).unwrap_or_default();
                format!(
                    "it is in `{state}` for {for_time}; 99 of 100 visits that ended took at most {usual}"
                )
            }
        };
        Some(StuckObject {
            object_id: objects.ids.get(object).into(),
            tenant_id: objects.tenant_of(object).map(String::from),
            code: stuck.code,
            state: state.into(),
            entered_at,
            since,
            for_time,
            action: action.map(String::from),
            message: shortened(message),
        })
    }
}

impl Bound<'_> {
    /// The timeout of the state of a slot, and its action.
    pub(super) fn timer(&self, slot: u32) -> Option<(Duration, &str)> {
        let state = self.slots[slot as usize];
        let timer = self.machine.shared.resolved.timers.get(state as usize).copied().flatten()?;
        Some((timer.after, self.machine.action(timer.action)))
    }
}
