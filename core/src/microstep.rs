//! One microstep: which states transitions leave and enter.
//!
//! A configuration is all active states, in document order. Nothing here asks
//! a guard: the transitions have been chosen. Source: SCXML Appendix D
//! (`exitStates`, `computeEntrySet` and what they call) and DESIGN §5.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::{
    chart::{Chart, ROOT, Shape},
    definition::HistoryKind,
    table::Entry,
};

/// A few states, mostly in document order.
pub(crate) type States = SmallVec<[u32; 4]>;

/// What history states remember: for each that was left, in order of ids, where it leads.
pub(crate) type Memory = Vec<(u32, States)>;

/// One thing that happens in a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Happening {
    Exit(u32),
    Take(u32),
    Enter(u32),
}

impl Happening {
    /// The state that is left, if it is that.
    pub(crate) fn exited(self) -> Option<u32> {
        if let Self::Exit(id) = self { Some(id) } else { None }
    }

    /// The transition that is taken, if it is that.
    pub(crate) fn taken(self) -> Option<u32> {
        if let Self::Take(id) = self { Some(id) } else { None }
    }

    /// The state that is entered, if it is that.
    pub(crate) fn entered(self) -> Option<u32> {
        if let Self::Enter(id) = self { Some(id) } else { None }
    }
}

/// Where an object is, while a step is reckoned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Situation {
    /// All active states, in document order.
    pub(crate) active: States,
    pub(crate) memory: Memory,
}

/// What microsteps did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// In order.
    pub(crate) happenings: SmallVec<[Happening; 4]>,
    /// The states that were completed, in order.
    pub(crate) completed: States,
}

/// What a transition leaves: the state whose inside it changes, or [`ROOT`]. Nothing where it leaves nothing.
type Domain = Option<u32>;

impl Chart {
    /// The innermost active states.
    pub(crate) fn leaves(&self, active: &[u32]) -> impl DoubleEndedIterator<Item = u32> {
        active.iter().copied().filter(|&id| self.shape(id) == Shape::Atomic)
    }

    /// The state whose inside a transition changes.
    ///
    /// Without `reenter`, a source with all targets inside of it is left by none of them; one that leads to
    /// itself begins anew inside. Source: SCXML `getTransitionDomain`; DESIGN §5.3.
    pub(crate) fn domain(&self, entry: Entry, memory: &Memory) -> Domain {
        let (source, targets) = (entry.state, self.targets.of(entry.transition));
        let first = *targets.first()?;
        if self.is_flat() {
            return (first != source || self.reenters[entry.transition as usize]).then_some(ROOT);
        }
        let mut effective = States::new();
        self.lead_to(targets, memory, &mut effective);
        if !self.reenters[entry.transition as usize]
            && effective.iter().all(|&to| self.is_within(to, source))
        {
            return (self.shape(source) != Shape::Atomic).then_some(source);
        }
        let holds_all = |&around: &u32| {
            self.shape(around) == Shape::Compound
                && effective.iter().all(|&to| self.is_inside(to, around))
        };
        Some(self.around(source).find(holds_all).unwrap_or(ROOT))
    }

    /// Where targets lead once history states are followed. Source: SCXML `getEffectiveTargetStates`.
    fn lead_to(&self, targets: &[u32], memory: &Memory, out: &mut States) {
        for &to in targets {
            match self.shape(to) {
                Shape::History(_) => self.lead_to(self.remembered(to, memory), memory, out),
                _ => out.push(to),
            }
        }
    }

    /// What a history state leads to: what it remembers, else its default.
    fn remembered<'m>(&'m self, history: u32, memory: &'m Memory) -> &'m [u32] {
        match memory.binary_search_by_key(&history, |(id, _)| *id) {
            Ok(at) => &memory[at].1,
            Err(_) => self.defaults(history),
        }
    }

    /// Of transitions that leave the same states one is taken: that of the inner source, else the first.
    ///
    /// Source: SCXML `removeConflictingTransitions`.
    pub(crate) fn without_conflicts(&self, chosen: &mut SmallVec<[Entry; 1]>, memory: &Memory) {
        if chosen.len() < 2 {
            return;
        }
        let mut kept: SmallVec<[(Entry, Domain); 4]> = SmallVec::new();
        'chosen: for &entry in chosen.iter() {
            let domain = self.domain(entry, memory);
            let mut removed: SmallVec<[usize; 4]> = SmallVec::new();
            for (at, &(other, of_other)) in kept.iter().enumerate() {
                if !self.meet(domain, of_other) {
                    continue;
                }
                if !self.is_inside(entry.state, other.state) {
                    continue 'chosen;
                }
                removed.push(at);
            }
            for at in removed.into_iter().rev() {
                kept.remove(at);
            }
            kept.push((entry, domain));
        }
        *chosen = kept.into_iter().map(|(entry, _)| entry).collect();
    }

    /// Whether two transitions leave a state in common.
    fn meet(&self, a: Domain, b: Domain) -> bool {
        match (a, b) {
            (Some(ROOT), Some(_)) | (Some(_), Some(ROOT)) => true,
            (Some(a), Some(b)) => self.is_within(a, b) || self.is_within(b, a),
            _ => false,
        }
    }

    /// Enters the machine from nothing.
    pub(crate) fn begin(&self, situation: &mut Situation, log: &mut Log) {
        let mut entering =
            Entering { chart: self, memory: &situation.memory, states: States::new() };
        entering.begin(ROOT);
        let states = entering.states;
        self.enter(situation, &states, log);
    }

    /// Leaves, takes, enters; history is recorded before anything is left.
    ///
    /// Source: SCXML `microstep`; DESIGN §5.4.
    pub(crate) fn microstep(&self, situation: &mut Situation, chosen: &[Entry], log: &mut Log) {
        if let ([entry], true) = (chosen, self.is_flat()) {
            self.flat_microstep(situation, *entry, log);
            return;
        }
        let domains: SmallVec<[Domain; 2]> =
            chosen.iter().map(|&entry| self.domain(entry, &situation.memory)).collect();
        let is_left =
            |&id: &u32| domains.iter().flatten().any(|&domain| self.is_inside(id, domain));
        let left: States = situation.active.iter().copied().filter(is_left).collect();
        self.record(situation, &left);
        // A transition that leads to a history state of a state that it leaves finds what is remembered now.
        let mut entering =
            Entering { chart: self, memory: &situation.memory, states: States::new() };
        for (entry, domain) in chosen.iter().zip(&domains) {
            if let Some(domain) = *domain {
                entering.targets(self.targets.of(entry.transition), domain);
            }
        }
        let entered = entering.states;
        log.happenings.extend(left.iter().rev().map(|&id| Happening::Exit(id)));
        log.happenings.extend(chosen.iter().map(|entry| Happening::Take(entry.transition)));
        situation.active.retain(|id| left.binary_search(id).is_err());
        self.enter(situation, &entered, log);
    }

    /// The same where no state is inside another: one is left and one entered, or none.
    fn flat_microstep(&self, situation: &mut Situation, entry: Entry, log: &mut Log) {
        let take = Happening::Take(entry.transition);
        let to = self.targets.of(entry.transition).first();
        match to.filter(|_| self.domain(entry, &situation.memory).is_some()) {
            Some(&to) => {
                let happenings = [Happening::Exit(entry.state), take, Happening::Enter(to)];
                log.happenings.extend_from_slice(&happenings);
                situation.active = SmallVec::from_slice(&[to]);
            }
            None => log.happenings.push(take),
        }
    }

    /// What history states remember of states that are left.
    fn record(&self, situation: &mut Situation, left: &[u32]) {
        let active = &situation.active;
        for &id in left {
            for &history in self.histories.of(id) {
                let is_remembered = |&&inside: &&u32| match self.shape(history) {
                    Shape::History(HistoryKind::Deep) => {
                        self.shape(inside) == Shape::Atomic && self.is_inside(inside, id)
                    }
                    _ => self.parent(inside) == id,
                };
                let states: States = active.iter().filter(is_remembered).copied().collect();
                let memory = &mut situation.memory;
                match memory.binary_search_by_key(&history, |(id, _)| *id) {
                    Ok(at) => memory[at].1 = states,
                    Err(at) => memory.insert(at, (history, states)),
                }
            }
        }
    }

    /// Enters states, and notes what is completed by that. Source: SCXML `enterStates`; DESIGN §5.6.
    fn enter(&self, situation: &mut Situation, states: &[u32], log: &mut Log) {
        for &id in states {
            if let Err(at) = situation.active.binary_search(&id) {
                situation.active.insert(at, id);
            }
            log.happenings.push(Happening::Enter(id));
            if !self.node(id).is_terminal {
                continue;
            }
            let mut ended = self.parent(id);
            while ended != ROOT {
                log.completed.push(ended);
                let around = self.parent(ended);
                if around == ROOT || !self.is_joined_by(around, ended, &situation.active) {
                    break;
                }
                ended = around;
            }
        }
    }

    /// Whether a state with regions is complete now that one of them has ended, and was not before.
    fn is_joined_by(&self, id: u32, ended: u32, active: &[u32]) -> bool {
        let node = self.node(id);
        let is_other_complete = |region: u32| self.is_complete(region, active);
        let mut others =
            self.regions(id).filter(|&region| region != ended && self.node(region).is_required);
        node.shape == Shape::Parallel
            && self.node(ended).is_required
            && match node.joins_any {
                true => !others.any(is_other_complete),
                false => others.all(is_other_complete),
            }
    }

    /// Whether what is inside a state has ended. Source: SCXML `isInFinalState`; DESIGN §5.6.
    pub(crate) fn is_complete(&self, id: u32, active: &[u32]) -> bool {
        match self.shape(id) {
            Shape::Compound => {
                let first = active.partition_point(|&other| other <= id);
                active
                    .get(first)
                    .is_some_and(|&child| self.parent(child) == id && self.node(child).is_terminal)
            }
            Shape::Parallel => {
                let mut required = self.regions(id).filter(|&region| self.node(region).is_required);
                let is_region_complete = |region: u32| self.is_complete(region, active);
                match self.node(id).joins_any {
                    true => required.any(is_region_complete),
                    false => required.all(is_region_complete),
                }
            }
            Shape::Atomic | Shape::History(_) => false,
        }
    }

    /// Whether states, in document order, can be all that is active inside `root` (of which they say nothing).
    ///
    /// Cost: depends on them alone. Source: SCXML §3.11, legal state configurations.
    pub(crate) fn is_legal(&self, root: u32, active: &[u32]) -> bool {
        let mut of_root = 0;
        let mut inside: SmallVec<[usize; 4]> = SmallVec::from_elem(0, active.len());
        for &id in active {
            if !self.is_inside(id, root) || matches!(self.shape(id), Shape::History(_)) {
                return false;
            }
            match self.parent(id) {
                parent if parent == root => of_root += 1,
                parent => match active.binary_search(&parent) {
                    Ok(at) => inside[at] += 1,
                    Err(_) => return false,
                },
            }
        }
        self.is_filled(root, of_root)
            && active.iter().zip(&inside).all(|(&id, &count)| self.is_filled(id, count))
    }

    /// Whether so many states directly inside a state are what it needs.
    fn is_filled(&self, id: u32, count: usize) -> bool {
        match if id == ROOT { Shape::Compound } else { self.shape(id) } {
            Shape::Atomic => count == 0,
            Shape::Compound => count == 1,
            Shape::Parallel => count == self.regions(id).count(),
            Shape::History(_) => false,
        }
    }

    /// States with all that is around them inside of `root`, in document order.
    pub(crate) fn with_outer(&self, root: u32, states: &[u32]) -> States {
        let mut all = States::new();
        for &id in states {
            for id in self.outward(id).take_while(|&id| id != root) {
                match all.binary_search(&id) {
                    Ok(_) => break,
                    Err(at) => all.insert(at, id),
                }
            }
        }
        all
    }

    /// Whether a history state can remember these: what it would record.
    pub(crate) fn can_remember(&self, history: u32, states: &[u32]) -> bool {
        let parent = self.parent(history);
        let in_order = states.is_sorted_by(|a, b| a < b);
        let is_of =
            |&id: &u32| self.is_inside(id, parent) && !matches!(self.shape(id), Shape::History(_));
        in_order
            && states.iter().all(is_of)
            && match self.shape(history) {
                Shape::History(HistoryKind::Shallow) => {
                    states.iter().all(|&id| self.parent(id) == parent)
                        && self.is_filled(parent, states.len())
                }
                _ => {
                    states.iter().all(|&id| self.shape(id) == Shape::Atomic)
                        && self.is_legal(parent, &self.with_outer(parent, states))
                }
            }
    }
}

/// States that are to be entered, in document order. Source: SCXML `computeEntrySet`.
pub(crate) struct Entering<'c> {
    pub(crate) chart: &'c Chart,
    pub(crate) memory: &'c Memory,
    pub(crate) states: States,
}

impl Entering<'_> {
    /// The targets of a transition that changes the inside of `domain`, with all that is entered on the way.
    pub(crate) fn targets(&mut self, targets: &[u32], domain: u32) {
        let of_others = core::mem::take(&mut self.states);
        for &to in targets {
            match to == domain {
                // A state that leads to itself and is not left begins anew inside.
                true => self.begin(to),
                false => self.descend(to),
            }
        }
        let mut effective = States::new();
        self.chart.lead_to(targets, self.memory, &mut effective);
        for to in effective {
            if to != domain {
                self.ascend(to, domain);
            }
        }
        // A state with regions that is not left itself: all of its regions were.
        if domain != ROOT && self.chart.shape(domain) == Shape::Parallel {
            self.fill(domain);
        }
        // A history state around the domain leads through states that are active, which SCXML enters twice.
        self.states.retain(|id| self.chart.is_inside(*id, domain));
        for id in of_others {
            self.insert(id);
        }
    }

    /// What is inside a state (or the machine) that is entered.
    fn begin(&mut self, id: u32) {
        let chart = self.chart;
        match if id == ROOT { Shape::Compound } else { chart.shape(id) } {
            Shape::Compound => self.all(chart.defaults(id), id),
            Shape::Parallel => self.fill(id),
            Shape::Atomic | Shape::History(_) => {}
        }
    }

    /// States inside of `around`, and those between.
    fn all(&mut self, states: &[u32], around: u32) {
        for &id in states {
            self.descend(id);
        }
        for &id in states {
            self.ascend(id, around);
        }
    }

    /// A state and what is inside of it. Source: SCXML `addDescendantStatesToEnter`.
    fn descend(&mut self, id: u32) {
        let chart = self.chart;
        if let Shape::History(_) = chart.shape(id) {
            let memory = self.memory;
            self.all(chart.remembered(id, memory), chart.parent(id));
            return;
        }
        self.insert(id);
        self.begin(id);
    }

    /// The states between a state and one around it. Source: SCXML `addAncestorStatesToEnter`.
    fn ascend(&mut self, id: u32, limit: u32) {
        let chart = self.chart;
        for around in chart.around(id).take_while(|&around| around != limit) {
            self.insert(around);
            if chart.shape(around) == Shape::Parallel {
                self.fill(around);
            }
        }
    }

    /// Regions that nothing names begin at their beginning.
    fn fill(&mut self, id: u32) {
        let chart = self.chart;
        for region in chart.regions(id) {
            let first = self.states.partition_point(|&other| other <= region);
            if self.states.get(first).is_none_or(|&other| !chart.is_inside(other, region)) {
                self.descend(region);
            }
        }
    }

    fn insert(&mut self, id: u32) {
        if let Err(at) = self.states.binary_search(&id) {
            self.states.insert(at, id);
        }
    }
}
