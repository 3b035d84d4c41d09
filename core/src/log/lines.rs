//! A line for each object: where it is, since when, and what is wrong with it.

use alloc::{string::String, vec::Vec};

use serde::Serialize;
use serde_json::Map;

use super::{
    account::Start,
    bind::{Bound, NONE},
    objects::NO_TIME,
    options::LogOptions,
    pass::{Passing, Seen},
    report::usual,
    stats::Reckoner,
    store::Log,
    stuck::Judge,
};
use crate::{history::StuckCode, machine::Machine, reading::LogRow, time::Time};

/// What a log says of one object, as of a time.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ObjectLine {
    /// Which object.
    pub object_id: String,
    /// For which tenant.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub tenant_id: Option<String>,
    /// The active leaves; empty where they are not known.
    pub states: Vec<String>,
    /// When it came into these leaves, the last of them; null where no record says so.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub since: Option<Time>,
    /// How sure that is.
    pub status: ObjectStatus,
    /// How many records were counted.
    pub records: u64,
    /// The time of the last one.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub last_at: Option<Time>,
    /// When the first timeout passed whose action was not taken.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub overdue: Option<Time>,
    /// How many rules its records break.
    pub violations: u64,
    /// How often it came back to a state.
    pub re_entries: u64,
    /// Why it does not go on.
    #[cfg_attr(feature = "tsify", tsify(type = "StuckCode | null"))]
    pub stuck: Option<StuckCode>,
}

/// How sure a log is of where an object is.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectStatus {
    /// Its records prove it.
    Known,
    /// It has no record, and is where every object begins.
    Initial,
    /// Its records lead to states that cannot be active together, or that the definition does not have.
    Uncertain,
    /// The log does not say it: its records or its creation come later.
    Unknown,
}

impl Log {
    /// A line for each object, in the order in which they first appear; of one tenant, if the options name it.
    ///
    /// Cost: that of a report.
    #[must_use]
    pub fn objects(&self, machine: &Machine, options: &LogOptions) -> Vec<ObjectLine> {
        let order = self.order();
        let mut bound = Bound::new(machine, &self.claims);
        let mut account = self.account(options);
        account.keeps_all = true;
        let objects = self.asked(options.tenant.as_deref());
        let mut passing = Passing::new(self, &order, &mut bound, Self::terms(options), account);
        let seen: Vec<Seen> = objects.iter().map(|&object| passing.object(object)).collect();
        let account = passing.account;
        let (closed, _) = account.stats(&bound, &mut Reckoner::default());
        let judge = Judge { bound: &bound, as_of: options.as_of.micros(), usual: usual(&closed) };
        let line = |(index, (&object, seen)): (usize, (&u32, &Seen))| {
            let clocks = account.clocks_of(index);
            let config = bound.configs.get(seen.config as usize);
            let is_possible = config.is_some_and(|config| config.is_possible);
            let leaf = |slot: u32| {
                config.is_some_and(|config| config.leaves.contains(&bound.slots[slot as usize]))
            };
            let latest =
                clocks.iter().filter(|clock| leaf(clock.slot)).max_by_key(|clock| clock.at);
            let since = latest.filter(|clock| clock.start == Start::Known).map(|clock| clock.at);
            let overdue = clocks.iter().filter_map(|clock| judge.due(clock));
            let overdue = overdue.map(|due| due.since).min().filter(|_| is_possible);
            let is_ended = config.is_some_and(|config| config.is_ended);
            let last = self.time.get(seen.last as usize).copied();
            let time = |micros: Option<i64>| micros.and_then(Time::from_micros);
            ObjectLine {
                object_id: self.objects.ids.get(object).into(),
                tenant_id: self.objects.tenant_of(object).map(String::from),
                states: bound.paths(seen.config),
                since: time(since),
                status: match (seen.config, seen.records) {
                    (NONE, _) => ObjectStatus::Unknown,
                    (_, 0) => ObjectStatus::Initial,
                    _ if is_possible => ObjectStatus::Known,
                    _ => ObjectStatus::Uncertain,
                },
                records: u64::from(seen.records),
                last_at: time(last),
                overdue: time(overdue.filter(|_| !is_ended)),
                violations: seen.violations,
                re_entries: u64::from(seen.returns),
                stuck: judge.why(seen.config, clocks).map(|stuck| stuck.code),
            }
        };
        objects.iter().zip(&seen).enumerate().map(line).collect()
    }

    /// What the columns know of the records of an object, in the order of its history: enough for
    /// [`Machine::history`]. Data, actors and requests are not kept in columns.
    #[must_use]
    pub fn records_of(&self, object_id: &str) -> Vec<LogRow> {
        let Some(object) = self.objects.ids.find(object_id) else { return Vec::new() };
        let order = self.order();
        let created = self.objects.created_at[object as usize];
        let created_at = Some(created).filter(|&at| at != NO_TIME).and_then(Time::from_micros);
        let names = &self.claims.names;
        let list = |list| {
            let names_of =
                |ids: &[u32]| ids.iter().map(|&id| String::from(names.get(id))).collect();
            self.claims.list(list).map(names_of)
        };
        let row = |at: usize| {
            let record = order.record(at);
            let claim = &self.claims.all[self.claim[record] as usize];
            Some(LogRow {
                row: self.rows.get(record),
                object_id: object_id.into(),
                sequence: self.sequence_of(record),
                from_states: list(claim.from),
                to_states: list(claim.to).unwrap_or_default(),
                transitions: list(claim.transitions),
                exited: list(claim.exited),
                entered: list(claim.entered),
                action: claim.action.map(|id| names.get(id).into()),
                actor_id: None,
                actor_type: None,
                tenant_id: self.objects.tenant_of(object).map(String::from),
                world_id: None,
                reason: None,
                timestamp: Time::from_micros(self.time[record])?,
                request_id: None,
                definition_version: None,
                created_at,
                metadata: Map::new(),
                object: None,
            })
        };
        order.range(object as usize).filter_map(row).collect()
    }
}
