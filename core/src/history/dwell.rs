//! How long the object was in each state, and what of it is proven.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{
    object::History,
    pass::StepKind,
    visit::{Stay, Visit, VisitStatus, length, overlap},
};
use crate::{
    table::position,
    time::{Duration, Time},
};

/// What is asked of [`History::dwell`].
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DwellOptions {
    /// The path of one state. Default: all.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub state: Option<String>,
    /// From when up to when (half-open). Default: from the creation, or the first row, up to now.
    #[cfg_attr(
        feature = "tsify",
        tsify(type = "[string | number | Date, string | number | Date] | null")
    )]
    pub window: Option<[Time; 2]>,
}

/// How long an object was in which state. Of the window, `known`, `uncertain` and `unknown` are all there is.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Dwell {
    /// The start of the window.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub from: Time,
    /// Its end, which does not belong to it.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub to: Time,
    /// The states of the definition in document order, then those that only the rows name; those that were never
    /// visited, too.
    pub states: Vec<StateDwell>,
    /// How much of the window the rows prove.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub known: Duration,
    /// How much lies across gaps.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub uncertain: Duration,
    /// How much the log says nothing of: before its first row, or the creation, and after now.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    pub unknown: Duration,
}

/// How long an object was in one state. Never visited (`visits` is 0) is not the same as no length.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StateDwell {
    /// The path of the state.
    pub state: String,
    /// How often the object was there.
    pub visits: u64,
    /// How often it came back: visits but the first.
    pub re_entries: u64,
    /// The sum of all lengths that are proven, that of an open visit up to now included; null where none is.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub total: Option<Duration>,
    /// The part of it that belongs to a visit that lasts; null where none does.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub open: Option<Duration>,
    /// How much longer it may have been, across gaps; null where no visit ends in one.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub uncertain: Option<Duration>,
    /// Visits that began before the first row: their length is not known.
    pub censored: u64,
    /// Visits that by their rows ended before they began: their length is not known.
    pub disordered: u64,
    /// `total` in working time, where a calendar is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub working: Option<Duration>,
    /// When it was entered first, as far as rows say.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub first_entered_at: Option<Time>,
    /// When it was entered last.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub last_entered_at: Option<Time>,
    /// Each visit; its length is the part in the window.
    pub intervals: Vec<Visit>,
}

/// How long it took from one state to another.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Cycle {
    /// When the first state was entered for the first time.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub started_at: Option<Time>,
    /// When the second was entered for the first time after that.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub ended_at: Option<Time>,
    /// The time between; null where there is none, never below zero.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub duration: Option<Duration>,
    /// Why there is none, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub message: Option<String>,
}

impl History {
    /// How long the object was in which state, within a window.
    #[must_use]
    pub fn dwell(&self, options: &DwellOptions) -> Dwell {
        let [from, to] = options.window.unwrap_or_else(|| self.whole());
        let window = [from, to.max(from)];
        let count = position(self.machine.states().len() + self.pass.foreign.len());
        let chart = &self.machine.shared.resolved.chart;
        let is_asked = |&state: &u32| match &options.state {
            Some(path) => self.name(state) == path,
            None => {
                let is_history = (state < chart.count())
                    && matches!(chart.shape(state), crate::chart::Shape::History(_));
                !is_history
            }
        };
        let mut stays: Vec<Vec<&Stay>> = Vec::new();
        stays.resize(count as usize, Vec::new());
        for stay in self.pass.stays.iter().filter(|stay| stay.touches(window, self.options.now)) {
            stays[stay.state as usize].push(stay);
        }
        let of = |state: u32| self.state_dwell(state, &stays[state as usize], window);
        let states = (0..count).filter(is_asked).map(of).collect();
        let (known, uncertain) = self.observed(window);
        let all = window[1].micros() - window[0].micros();
        let unknown = length(all - known - uncertain);
        let (known, uncertain) = (length(known), length(uncertain));
        Dwell { from: window[0], to: window[1], states, known, uncertain, unknown }
    }

    fn state_dwell(&self, state: u32, stays: &[&Stay], window: [Time; 2]) -> StateDwell {
        let count = |status| stays.iter().filter(|stay| stay.status == status).count() as u64;
        let sum = |parts: &mut dyn Iterator<Item = i64>| -> Option<Duration> {
            let mut sum: Option<i128> = None;
            for part in parts {
                *sum.get_or_insert(0) += i128::from(part);
            }
            sum.and_then(|sum| i64::try_from(sum).ok()).map(length)
        };
        // A stay before a gap whose proof is no longer than a moment proves no length.
        let proven = |stay: &&&Stay| {
            stay.status != VisitStatus::Uncertain
                || stay.known(window).is_some_and(|known| known > 0)
        };
        let is_open = |stay: &&&Stay| stay.status == VisitStatus::Open;
        let visits = stays.len() as u64;
        let working = self.options.calendar.as_ref().map(|_| {
            let parts = stays.iter().filter(proven).filter_map(|stay| self.working(stay, window));
            length(parts.map(Duration::micros).sum())
        });
        let entered = || stays.iter().filter_map(|stay| stay.entered);
        StateDwell {
            state: self.name(state).into(),
            visits,
            re_entries: visits.saturating_sub(1),
            total: sum(&mut stays.iter().filter(proven).filter_map(|stay| stay.known(window))),
            open: sum(&mut stays.iter().filter(is_open).filter_map(|stay| stay.known(window))),
            uncertain: sum(&mut stays.iter().filter_map(|stay| stay.uncertain(window))),
            censored: count(VisitStatus::Censored),
            disordered: count(VisitStatus::Disordered),
            working,
            first_entered_at: entered().next(),
            last_entered_at: entered().next_back(),
            intervals: stays.iter().map(|stay| self.visit(stay, window)).collect(),
        }
    }

    /// How much of a window rows prove, and how much lies across gaps; each moment is counted once, where time runs
    /// back, too.
    fn observed(&self, window: [Time; 2]) -> (i64, i64) {
        let (mut known, mut uncertain) = (0, 0);
        let mut covered: Option<Time> = None;
        let created = self.created_at().filter(|&created| created <= self.options.now);
        if let Some(created) = created {
            covered = Some(created);
        }
        for step in &self.pass.steps {
            match covered {
                None => covered = Some(step.time),
                Some(start) if step.time > start => {
                    let part = overlap(window, start, step.time);
                    // Between a creation that somebody told of and the row of the creation nothing is known.
                    if step.joins && (step.kind != StepKind::Creation) {
                        known += part;
                    } else if step.kind != StepKind::Creation || step.at > 0 {
                        uncertain += part;
                    }
                    covered = Some(step.time);
                }
                Some(_) => {}
            }
        }
        if let Some(start) = covered {
            known += overlap(window, start, self.options.now);
        }
        (known, uncertain)
    }

    /// How long it took from the first entry of one state to the first entry of another after it.
    #[must_use]
    pub fn cycle(&self, from: &str, to: &str) -> Cycle {
        let entries = |path: &str| {
            let of = self.pass.stays.iter().filter(move |stay| self.name(stay.state) == path);
            of.filter_map(|stay| stay.entered).collect::<Vec<Time>>()
        };
        let started_at = entries(from).first().copied();
        let none = |message: String| Cycle {
            started_at,
            ended_at: None,
            duration: None,
            message: Some(crate::name::shortened(message)),
        };
        let Some(start) = started_at else {
            return none(alloc::format!("no row enters `{from}`"));
        };
        let end = entries(to).into_iter().find(|&end| end >= start);
        match end {
            None => none(alloc::format!("no row enters `{to}` after `{from}` was entered first")),
            Some(end) => Cycle {
                started_at,
                ended_at: Some(end),
                duration: Some(length(end.micros() - start.micros())),
                message: None,
            },
        }
    }
}
