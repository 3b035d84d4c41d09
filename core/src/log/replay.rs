//! The same log against another version of the definition: what would go wrong if it were deployed now.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::Serialize;

use super::{
    at::StateCount,
    bind::{Bound, NONE},
    options::LogOptions,
    pass::Passing,
    store::Log,
    violations::LogViolations,
};
use crate::{machine::Machine, time::Time};

/// What becomes of the objects of a log under a definition.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Replay {
    /// The version of the definition.
    pub definition_version: u64,
    /// How many objects were looked at.
    pub objects: u64,
    /// How many records were used.
    pub records: u64,
    /// Objects that are in states that the definition does not have, or that cannot be active together in it.
    pub homeless: Stranded,
    /// Objects that are in states out of which nothing leads, and which are not terminal.
    pub no_way_out: Stranded,
    /// Records that the definition would not have allowed. Gaps and clocks are not its fault, and not counted here.
    pub refused: LogViolations,
    /// Whether nothing of all that is there.
    pub is_safe: bool,
}

/// Objects that would be stranded.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Stranded {
    /// How many.
    pub total: u64,
    /// How many by the state they are in, in the order of names.
    pub by_state: Vec<StateCount>,
    /// The first ones, in the order in which they first appear.
    pub listed: Vec<StrandedObject>,
}

/// An object that would be stranded.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StrandedObject {
    /// Which object.
    pub object_id: String,
    /// Where it is.
    pub states: Vec<String>,
    /// The time of the record that brought it there.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub since: Option<Time>,
}

/// Stranded objects by configuration.
#[derive(Default)]
struct Found {
    configs: BTreeMap<u32, u64>,
    listed: Vec<(u32, u32, u32)>,
}

impl Found {
    fn add(&mut self, config: u32, object: u32, last: u32, most: usize) {
        *self.configs.entry(config).or_default() += 1;
        if self.listed.len() < most {
            self.listed.push((object, config, last));
        }
    }

    fn told(self, log: &Log, bound: &Bound<'_>) -> Stranded {
        let mut by_state: BTreeMap<String, u64> = BTreeMap::new();
        for (&config, count) in &self.configs {
            for path in bound.paths(config) {
                *by_state.entry(path).or_default() += count;
            }
        }
        let object = |&(object, config, last): &(u32, u32, u32)| StrandedObject {
            object_id: log.objects.ids.get(object).into(),
            states: bound.paths(config),
            since: log.time.get(last as usize).and_then(|&at| Time::from_micros(at)),
        };
        let count = |(state, objects)| StateCount { state, objects };
        Stranded {
            total: self.configs.values().sum(),
            by_state: by_state.into_iter().map(count).collect(),
            listed: self.listed.iter().map(object).collect(),
        }
    }
}

impl Log {
    /// Puts the log to another definition: which objects are now in states that it does not have, which records it
    /// would refuse and why, and which objects have no way out there.
    ///
    /// Cost: that of a report.
    #[must_use]
    pub fn replay(&self, machine: &Machine, options: &LogOptions) -> Replay {
        let order = self.order();
        let mut bound = Bound::new(machine, &self.claims);
        let mut account = self.account(options);
        account.violations.only_faults = true;
        let mut passing = Passing::new(self, &order, &mut bound, Self::terms(options), account);
        let (mut homeless, mut no_way_out) = (Found::default(), Found::default());
        for object in self.asked(options.tenant.as_deref()) {
            let seen = passing.object(object);
            if seen.config == NONE {
                continue;
            }
            if !passing.bound.configs[seen.config as usize].is_possible {
                homeless.add(seen.config, object, seen.last, options.listed);
            } else if passing.bound.has_no_way_out(seen.config) {
                no_way_out.add(seen.config, object, seen.last, options.listed);
            }
        }
        let account = passing.account;
        let (homeless, no_way_out) = (homeless.told(self, &bound), no_way_out.told(self, &bound));
        let refused = account.violations.told(self, &bound, options.as_of);
        Replay {
            definition_version: machine.definition().version,
            objects: account.objects,
            records: account.records,
            is_safe: homeless.total == 0 && no_way_out.total == 0 && refused.total == 0,
            homeless,
            no_way_out,
            refused,
        }
    }
}
