//! Where all objects were at a time.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::{
    bind::{Bound, NONE, NOTHING, UNSAID},
    numbers::NONE as NO_SEQUENCE,
    objects::NO_TIME,
    options::LogOptions,
    order::Order,
    pass::Terms,
    store::Log,
};
use crate::{history::Certainty, machine::Machine, time::Time};

/// Where the objects of a log were at a time.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LogStateAt {
    /// The time.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub at: Time,
    /// How many objects were in each state for sure, by the states of the definition, then those that only the log
    /// names; states in which none was are among them.
    pub states: Vec<StateCount>,
    /// How many were somewhere, but the log has a gap there.
    pub uncertain: u64,
    /// Of how many the log does not say it.
    pub unknown: u64,
    /// How many did not exist yet.
    pub not_created: u64,
    /// Each object, in the order in which they first appear.
    pub objects: Vec<ObjectAt>,
}

/// How many objects are in a state.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StateCount {
    /// The path of the state.
    pub state: String,
    /// How many.
    pub objects: u64,
}

/// Where one object was.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ObjectAt {
    /// Which object.
    pub object_id: String,
    /// How sure that is.
    pub status: Certainty,
    /// The active leaves, as far as they are known.
    pub states: Vec<String>,
}

impl Log {
    /// Where every object was at a time, as its records up to and at that time say.
    ///
    /// Cost: linear in the records.
    #[must_use]
    pub fn state_at(&self, machine: &Machine, at: Time, options: &LogOptions) -> LogStateAt {
        let order = self.order();
        let mut bound = Bound::new(machine, &self.claims);
        let terms = Self::terms(options);
        let objects = self.asked(options.tenant.as_deref());
        let places: Vec<(Certainty, u32)> = objects
            .iter()
            .map(|&object| self.place(&mut bound, &order, terms, object, at.micros()))
            .collect();
        let mut counts = alloc::vec![0_u64; bound.slots.len()];
        let count = |wanted| places.iter().filter(|(status, _)| *status == wanted).count() as u64;
        for &(status, config) in &places {
            let active = bound.configs.get(config as usize).filter(|_| status == Certainty::Known);
            for &slot in active.into_iter().flat_map(|config| &config.active) {
                counts[slot as usize] += 1;
            }
        }
        let state_count = |state: u32| StateCount {
            state: bound.path(state).into(),
            objects: bound.slot_of(state).map_or(0, |slot| counts[slot]),
        };
        let object_at = |(&object, &(status, config)): (&u32, &(Certainty, u32))| ObjectAt {
            object_id: self.objects.ids.get(object).into(),
            status,
            states: bound.paths(config),
        };
        LogStateAt {
            at,
            states: bound.listed().into_iter().map(state_count).collect(),
            uncertain: count(Certainty::Uncertain),
            unknown: count(Certainty::Unknown),
            not_created: count(Certainty::NotCreated),
            objects: objects.iter().zip(&places).map(object_at).collect(),
        }
    }

    /// Where one object was, and how sure that is.
    fn place(
        &self,
        bound: &mut Bound<'_>,
        order: &Order,
        terms: Terms,
        object: u32,
        at: i64,
    ) -> (Certainty, u32) {
        let created = self.objects.created_at[object as usize];
        let range = order.range(object as usize);
        let is_turned = order.is_turned(self, range.clone(), terms.newest_first);
        let records = || {
            range.clone().map(|at| {
                order.record(if is_turned { range.end - 1 - (at - range.start) } else { at })
            })
        };
        let counted = || records().filter(|&record| self.time[record] <= terms.as_of);
        let unsure = |config| match at > terms.as_of {
            true => (Certainty::Unknown, config),
            false => (Certainty::Uncertain, config),
        };
        // The last of those up to the time, the next one after it, and whether one before it is later.
        let mut last: Option<usize> = None;
        let mut next: Option<usize> = None;
        let (mut is_late, mut is_contradicted) = (false, false);
        for record in counted() {
            if self.time[record] <= at {
                (last, next, is_contradicted) = (Some(record), None, is_late);
            } else {
                is_late = true;
                next = next.or(Some(record));
            }
        }
        if let Some(last) = last {
            let config = bound.claims[self.claim[last] as usize].to;
            let joins = next.is_none_or(|next| {
                let claim = bound.claims[self.claim[next] as usize];
                claim.goes_on(config)
                    && terms.follows(self.sequence.get(last), self.sequence.get(next))
            });
            return match joins || self.time[last] == at {
                _ if at > terms.as_of => (Certainty::Unknown, config),
                true if !is_contradicted => (Certainty::Known, config),
                _ => unsure(config),
            };
        }
        if created != NO_TIME && at < created {
            return (Certainty::NotCreated, NONE);
        }
        if at > terms.as_of {
            return (Certainty::Unknown, NONE);
        }
        let Some(first) = counted().next() else {
            let is_known = created != NO_TIME;
            let has_rows = !range.is_empty();
            return match bound.initial {
                NONE => (Certainty::Unknown, NONE),
                initial if is_known || !has_rows => (Certainty::Known, initial),
                _ => (Certainty::Unknown, NONE),
            };
        };
        let claim = bound.claims[self.claim[first] as usize];
        match claim.from {
            NOTHING => (Certainty::NotCreated, NONE),
            UNSAID if bound.begins(claim.to) => (Certainty::NotCreated, NONE),
            UNSAID => (Certainty::Unknown, NONE),
            from => {
                let joins = created != NO_TIME && created <= self.time[first] && bound.begins(from);
                (if joins { Certainty::Known } else { Certainty::Unknown }, from)
            }
        }
    }
}

impl Order {
    /// Whether the records of an object stand latest first: only where none has a sequence.
    pub(super) fn is_turned(
        &self,
        log: &Log,
        mut range: core::ops::Range<usize>,
        newest_first: bool,
    ) -> bool {
        newest_first && range.all(|at| log.sequence.get(self.record(at)) == NO_SEQUENCE)
    }
}
