//! The report on a log: all that its records say together.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use serde::Serialize;

use super::{
    account::Account,
    bind::{Bound, NONE},
    buckets::{Buckets, Grid, Tide},
    objects::NO_TENANT,
    options::LogOptions,
    order::Order,
    pass::{Passing, Terms},
    stats::{Reckoner, Stats, TotalTime},
    store::Log,
    stuck::{ENOUGH, Judge, StuckObjects},
    variants::Variant,
    violations::LogViolations,
};
use crate::{
    machine::Machine,
    time::{Duration, Time},
};

/// What the records of many objects say together, as of a time.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogReport {
    /// Up to when time is counted.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub as_of: Time,
    /// The window that was asked for.
    #[cfg_attr(feature = "tsify", tsify(type = "[string, string] | null"))]
    pub window: Option<[Time; 2]>,
    /// The tenant whose objects these are; null for all.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub tenant: Option<String>,
    /// How many objects there are.
    pub objects: u64,
    /// How many of them have no record up to `as_of` and are in the initial state.
    pub never_moved: u64,
    /// Of how many objects the log does not say where they are at `as_of`: they come later, or begin in the dark.
    pub not_known: u64,
    /// How many objects have come to their end.
    pub finished: u64,
    /// How many records were counted: all up to `as_of`.
    pub records: u64,
    /// How many different tenants the objects have.
    pub tenants: u64,
    /// The states of the definition in document order, then those that only the log names, by name.
    pub states: Vec<StateReport>,
    /// The ways that records took: those of transitions in document order, then the others by name.
    pub transitions: Vec<TransitionReport>,
    /// The states in which many objects stay for long.
    pub bottlenecks: Vec<Bottleneck>,
    /// What happened when.
    pub buckets: Buckets,
    /// The ways through the states that objects went, the most frequent first.
    pub variants: Vec<Variant>,
    /// How many different ones there are.
    pub variant_count: u64,
    /// Objects that came back to a state.
    pub rework_objects: u64,
    /// How often they did.
    pub re_entries: u64,
    /// Objects that do not go on.
    pub stuck: StuckObjects,
    /// Records that cannot be true.
    pub violations: LogViolations,
    /// The same for each tenant, where that was asked for: the first 1,000 by name, then objects without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub by_tenant: Vec<LogReport>,
}

/// What is known of the times in one state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StateReport {
    /// The path of the state.
    pub state: String,
    /// Whether the definition has it.
    pub is_known: bool,
    /// Objects that are there at `as_of`.
    pub objects: u64,
    /// Visits, those included that last.
    pub visits: u64,
    /// Objects that were there.
    pub visitors: u64,
    /// Visits that were not an object's first.
    pub re_entries: u64,
    /// Visits whose beginning and end are known; null where there are none.
    #[cfg_attr(feature = "tsify", tsify(type = "Stats | null"))]
    pub closed: Option<Stats>,
    /// Visits that last.
    pub open: OpenVisits,
    /// Visits next to a gap in the log.
    pub uncertain: UncertainVisits,
    /// Visits that began before the first record: their length is not known.
    pub censored: u64,
    /// Visits that by their records ended before they began: their length is not known.
    pub disordered: u64,
    /// Objects whose timeout in this state has passed.
    pub over: u64,
    /// Whether many objects stay here for long.
    pub is_bottleneck: bool,
}

/// Visits that last.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct OpenVisits {
    /// How many.
    pub count: u64,
    /// How long they lasted up to `as_of`, together.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub sum: TotalTime,
    /// How long the longest lasted.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub max: Duration,
}

/// Visits next to a gap.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct UncertainVisits {
    /// How many.
    pub count: u64,
    /// How long they are proven to have lasted, together.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub known: TotalTime,
    /// How much longer they may have lasted: the time across the gaps.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub sum: TotalTime,
}

/// What is known of one way between states.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct TransitionReport {
    /// The name of the transition; null where the definition has none that leads so.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub transition: Option<String>,
    /// Where it stands in the definition (RFC 6901).
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub pointer: Option<String>,
    /// Its action; where there is no transition, that of the records.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub action: Option<String>,
    /// The state that it leads out of; where there is no transition, the leaves before.
    pub from: Vec<String>,
    /// Where it leads; empty if it changes nothing; where there is no transition, the leaves after.
    pub to: Vec<String>,
    /// How often it was taken.
    pub count: u64,
    /// How long objects were in its source before; null where that is never known.
    #[cfg_attr(feature = "tsify", tsify(type = "Stats | null"))]
    pub time: Option<Stats>,
}

/// A state in which many objects stay for long.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Bottleneck {
    /// The path of the state.
    pub state: String,
    /// Objects that are there.
    pub objects: u64,
    /// The mean of the visits that ended; of those that last where none did.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub mean: Duration,
}

/// So many tenants get a report of their own.
const TENANTS: usize = 1000;
/// So many states of a variant are listed.
const STEPS: usize = 1000;

impl Log {
    /// Reports on all objects of the log, or those of a tenant, in one pass.
    ///
    /// Cost: linear in the records; nothing is allocated for one. A log that is not [settled](Log::settle) is put in
    /// order first.
    #[must_use]
    pub fn report(&self, machine: &Machine, options: &LogOptions) -> LogReport {
        let order = self.order();
        let mut bound = Bound::new(machine, &self.claims);
        let tenant = options.tenant.as_deref();
        let mut report = self.report_on(&order, &mut bound, options, &self.asked(tenant));
        if !options.by_tenant {
            return report;
        }
        let mut names: BTreeMap<Option<&str>, Vec<u32>> = BTreeMap::new();
        for object in self.asked(tenant) {
            let tenant = self.objects.tenant_of(object);
            names.entry(tenant).or_default().push(object);
        }
        let without = names.remove(&None).map(|objects| (None, objects));
        let first = names.into_iter().take(TENANTS);
        let of = |(tenant, objects): (Option<&str>, Vec<u32>)| {
            let tenant = tenant.map(String::from);
            LogReport { tenant, ..self.report_on(&order, &mut bound, options, &objects) }
        };
        report.by_tenant = first.chain(without).map(of).collect();
        report
    }

    /// The objects of a tenant, or all.
    pub(super) fn asked(&self, tenant: Option<&str>) -> Vec<u32> {
        let all = 0..crate::table::position(self.objects.len());
        match tenant {
            None => all.collect(),
            Some(name) => match self.objects.tenants.find(name) {
                None => vec![],
                Some(id) => {
                    all.filter(|&object| self.objects.tenant[object as usize] == id).collect()
                }
            },
        }
    }

    pub(super) fn terms(options: &LogOptions) -> Terms {
        let LogOptions { as_of, newest_first, sequences, .. } = *options;
        Terms { as_of: as_of.micros(), newest_first, sequences }
    }

    /// An account in which nothing has been counted.
    pub(super) fn account(&self, options: &LogOptions) -> Account {
        let as_of = options.as_of.micros();
        let window = options.window.map(|[from, to]| [from.micros(), to.max(from).micros()]);
        let [first, _] = self.span.unwrap_or([as_of, as_of]);
        let [first, end] = match window {
            Some([from, to]) => [from, to.min(as_of + 1)],
            None => [first.min(as_of), as_of + 1],
        };
        let grid = Grid::new(first, end, &options.buckets);
        Account::new(as_of, window, Tide::new(grid), options.listed)
    }

    fn report_on<'l>(
        &'l self,
        order: &Order,
        bound: &mut Bound<'l>,
        options: &LogOptions,
        objects: &[u32],
    ) -> LogReport {
        let mut account = self.account(options);
        account.make_room(self, order, bound, objects);
        let mut passing = Passing::new(self, order, bound, Self::terms(options), account);
        let mut tenants = vec![false; self.objects.tenants.len()];
        for &object in objects {
            passing.object(object);
            match self.objects.tenant[object as usize] {
                NO_TENANT => {}
                tenant => tenants[tenant as usize] = true,
            }
        }
        let mut account = passing.account;
        account.add_quick(bound);
        let tenants = tenants.iter().filter(|&&seen| seen).count() as u64;
        self.told(account, bound, options, tenants)
    }

    fn told(
        &self,
        mut account: Account,
        bound: &Bound<'_>,
        options: &LogOptions,
        tenants: u64,
    ) -> LogReport {
        let mut reckoner = Reckoner::default();
        let (closed, times) = account.stats(bound, &mut reckoner);
        let as_of = options.as_of;
        let judge = Judge { bound, as_of: as_of.micros(), usual: usual(&closed) };
        let stuck = judge.all(&mut account, &self.objects, options.listed);
        let states: Vec<StateReport> = bound
            .listed()
            .into_iter()
            .map(|state| state_report(&account, bound, &closed, options, state))
            .collect();
        let bottlenecks = states.iter().filter(|state| state.is_bottleneck);
        let bottlenecks = bottlenecks.map(|state| Bottleneck {
            state: state.state.clone(),
            objects: state.objects,
            mean: mean(state).unwrap_or_default(),
        });
        let bottlenecks = bottlenecks.collect();
        let config = |end: &super::account::End| bound.configs.get(end.config as usize);
        let finished =
            account.ends.iter().filter_map(config).filter(|config| config.is_ended).count();
        let not_known = account.ends.iter().filter(|end| end.config == NONE).count();
        let slots = bound
            .listed()
            .into_iter()
            .filter_map(|state| Some((String::from(bound.path(state)), bound.slot_of(state)?)));
        LogReport {
            as_of,
            window: options.window,
            tenant: options.tenant.clone(),
            objects: account.objects,
            never_moved: account.never_moved,
            not_known: not_known as u64,
            finished: finished as u64,
            records: account.records,
            tenants,
            transitions: transitions(&account, bound, times),
            states,
            bottlenecks,
            variants: self.variants(&account, bound, options.variants),
            variant_count: account.variants.all.len() as u64,
            rework_objects: account.returned,
            re_entries: account.returns,
            stuck,
            violations: account.violations.told(self, bound, as_of),
            buckets: account.tide.told(as_of, slots),
            by_tenant: vec![],
        }
    }

    fn variants(&self, account: &Account, bound: &Bound<'_>, count: usize) -> Vec<Variant> {
        let variants = &account.variants;
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
        let share = |count: u64| count as f64 / variants.objects.max(1) as f64;
        let told = |counted: &super::variants::Counted| {
            let way = variants.way(counted);
            Variant {
                states: way.iter().take(STEPS).map(|&config| bound.paths(config)).collect(),
                length: way.len(),
                count: counted.count,
                share: share(counted.count),
                example: self.objects.ids.get(counted.example).into(),
            }
        };
        variants.most(count).iter().map(told).collect()
    }
}

/// For each slot the length that 99 of 100 visits do not exceed, where there are enough of them.
pub(super) fn usual(closed: &[Option<Stats>]) -> Vec<Option<i64>> {
    let usual = |stats: &Option<Stats>| {
        let stats = stats.as_ref().filter(|stats| stats.count >= ENOUGH)?;
        Some(stats.p99.micros())
    };
    closed.iter().map(usual).collect()
}

impl Account {
    /// Reserves the room that lengths take, so that no list grows while it is filled.
    fn make_room(&mut self, log: &Log, order: &Order, bound: &Bound<'_>, objects: &[u32]) {
        self.hold(bound);
        let mut counts = Vec::new();
        let counts = match objects.len() == log.object_count() {
            true => &log.claims.counts,
            false => {
                counts.resize(bound.claims.len(), 0_u32);
                for at in objects.iter().flat_map(|&object| order.range(object as usize)) {
                    counts[log.claim[order.record(at)] as usize] += 1;
                }
                &counts
            }
        };
        for (claim, &count) in bound.claims.iter().zip(counts) {
            let Some(taken) = bound.moves.get(claim.step as usize) else { continue };
            for &(_, list) in bound.left(taken) {
                self.lists[list as usize].reserve_exact(count as usize);
            }
        }
    }

    /// The statistics of closed visits for each slot, and of the times before each way.
    pub(super) fn stats(
        &self,
        bound: &Bound<'_>,
        reckoner: &mut Reckoner,
    ) -> (Vec<Option<Stats>>, Vec<Option<Stats>>) {
        let mut by_slot: Vec<Vec<u32>> = vec![vec![]; bound.slots.len()];
        let mut by_way: Vec<Vec<u32>> = vec![vec![]; bound.ways.len()];
        for (id, (list, lengths)) in (0..).zip(bound.lists.iter().zip(&self.lists)) {
            if lengths.is_empty() {
                continue;
            }
            if let Some(lists) = by_slot.get_mut(list.slot as usize) {
                lists.push(id);
            }
            if let Some(lists) = by_way.get_mut(list.way as usize) {
                lists.push(id);
            }
        }
        let lengths = |lists: &[u32]| -> Vec<&[i64]> {
            lists.iter().map(|&list| self.lists[list as usize].as_slice()).collect()
        };
        let mut of_list: Vec<Option<Stats>> = vec![None; bound.lists.len()];
        let mut closed = Vec::with_capacity(by_slot.len());
        for lists in &by_slot {
            let (parts, whole) = reckoner.stats(&lengths(lists));
            for (&list, stats) in lists.iter().zip(parts) {
                of_list[list as usize] = stats;
            }
            closed.push(whole);
        }
        let times = by_way.iter().map(|lists| match lists[..] {
            // Mostly the visits of its source that it ended.
            [only] if of_list[only as usize].is_some() => of_list[only as usize].take(),
            _ => reckoner.stats(&lengths(lists)).1,
        });
        (closed, times.collect())
    }
}

fn mean(state: &StateReport) -> Option<Duration> {
    let OpenVisits { count, sum, .. } = state.open;
    match &state.closed {
        Some(closed) => Some(closed.mean),
        None if count == 0 => None,
        None => i64::try_from(sum.0 / i128::from(count)).ok().and_then(Duration::from_micros),
    }
}

fn state_report(
    account: &Account,
    bound: &Bound<'_>,
    closed: &[Option<Stats>],
    options: &LogOptions,
    state: u32,
) -> StateReport {
    let slot = bound.slot_of(state);
    let tally = slot.and_then(|slot| account.tallies.get(slot)).copied().unwrap_or_default();
    let chart = &bound.machine.shared.resolved.chart;
    let is_known = state < chart.count();
    let mut report = StateReport {
        state: bound.path(state).into(),
        is_known,
        objects: tally.here,
        visits: tally.visits,
        visitors: tally.visitors,
        re_entries: tally.visits - tally.visitors,
        closed: slot.and_then(|slot| closed.get(slot)).cloned().flatten(),
        open: OpenVisits {
            count: tally.open.count,
            sum: TotalTime(tally.open.sum),
            max: Duration::from_micros(tally.open.max).unwrap_or_default(),
        },
        uncertain: UncertainVisits {
            count: tally.uncertain.count,
            known: TotalTime(tally.uncertain.known),
            sum: TotalTime(tally.uncertain.sum),
        },
        censored: tally.censored,
        disordered: tally.disordered,
        over: tally.over,
        is_bottleneck: false,
    };
    let is_terminal = is_known && chart.node(state).is_terminal;
    let limits = &options.bottleneck;
    report.is_bottleneck = !is_terminal
        && tally.here > limits.objects
        && mean(&report).is_some_and(|mean| mean > limits.mean);
    report
}

/// The ways that were taken.
fn transitions(
    account: &Account,
    bound: &Bound<'_>,
    times: Vec<Option<Stats>>,
) -> Vec<TransitionReport> {
    let machine = bound.machine;
    let chart = &machine.shared.resolved.chart;
    // Those of transitions in document order, then the others by what they say.
    let mut keys: BTreeMap<(u32, u32, String), u32> = BTreeMap::new();
    for (id, (way, _)) in
        (0..).zip(bound.ways.iter().zip(&account.ways)).filter(|(_, (_, count))| **count > 0)
    {
        let told = match way.transition {
            NONE => {
                let parts =
                    [bound.paths(way.from), bound.paths(way.to)].map(|paths| paths.join("\n"));
                [parts.join("\n\n").as_str(), bound.action(way.action).unwrap_or_default()]
                    .join("\n\n")
            }
            _ => String::new(),
        };
        let from = if way.transition == NONE { NONE } else { way.from };
        let mut key = (way.transition, from, told);
        // What differs in no word differs in the order of words.
        while keys.contains_key(&key) {
            key.2.push('\n');
        }
        keys.insert(key, id);
    }
    let mut times = times;
    let path = |&state: &u32| String::from(bound.path(state));
    let mut told = |id: u32| {
        let (way, count) = (bound.ways[id as usize], account.ways[id as usize]);
        let time = times.get_mut(id as usize).and_then(Option::take);
        match way.transition {
            NONE => TransitionReport {
                transition: None,
                pointer: None,
                action: bound.action(way.action).map(String::from),
                from: bound.paths(way.from),
                to: bound.paths(way.to),
                count,
                time,
            },
            transition => TransitionReport {
                transition: Some(machine.transition(transition).name.clone()),
                pointer: Some(chart.transition_pointer(transition)),
                action: machine.transition(transition).action.clone(),
                from: vec![path(&way.from)],
                to: chart.targets.of(transition).iter().map(path).collect(),
                count,
                time,
            },
        }
    };
    keys.values().map(|&id| told(id)).collect()
}
