//! One row of a history, judged by itself: which states it leaves and enters, and whether the definition has a
//! step that does that. Guards are left open: a log does not say what they read.

use alloc::{format, string::String, vec::Vec};

use smallvec::SmallVec;

use super::rule::RowRule;
use crate::{
    flat::{Outcome, Patience, Reach, Wanted},
    machine::Machine,
    microstep::{Happening, Memory, Situation, States},
    name::{did_you_mean, quoted, shortened},
    table::position,
};

/// What a row says of its step. States are ids of the machine; ids behind those stand for names that the machine
/// does not have.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'a> {
    /// The leaves before it; empty for a creation. Where the row does not say it: the leaves after the row before it.
    pub(crate) from: &'a [u32],
    /// The leaves after it.
    pub(crate) to: &'a [u32],
    pub(crate) action: Option<&'a str>,
    pub(crate) transitions: Option<&'a [&'a str]>,
    pub(crate) exited: Option<&'a [u32]>,
    pub(crate) entered: Option<&'a [u32]>,
    /// What history states remember before it; none where the log does not say.
    pub(crate) memory: Option<&'a Memory>,
    /// How much may be looked at for this row and those after it.
    pub(crate) patience: &'a Patience,
    /// The name of a state, those included that the machine does not have.
    pub(crate) name: &'a dyn Fn(u32) -> &'a str,
}

/// What a row does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hop {
    /// The states that it leaves, in order.
    pub(crate) exited: SmallVec<[u32; 2]>,
    /// The states that it enters, in order.
    pub(crate) entered: SmallVec<[u32; 2]>,
    /// The first transition that it takes, as far as that is known.
    pub(crate) transition: Option<u32>,
    /// What history states remember after it, where that is known.
    pub(crate) memory: Option<Memory>,
    /// Why no step of the definition does that.
    pub(crate) fault: Option<HopFault>,
}

/// Why no step of a definition does what a row says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct HopFault {
    pub(crate) rule: RowRule,
    pub(crate) message: String,
    pub(crate) help: String,
}

fn fault(rule: RowRule, message: String, help: impl Into<String>) -> HopFault {
    HopFault { rule, message: shortened(message), help: help.into() }
}

/// A step that takes the transitions that a row names, leaves and enters the states that it names, and ends where it
/// ends.
struct Told<'a, 'c> {
    machine: &'a Machine,
    claim: &'a Claim<'c>,
    to: &'a [u32],
}

impl Told<'_, '_> {
    /// How many transitions of the row a step has taken; none where it took another.
    fn taken<'t>(&self, mut taken: impl Iterator<Item = &'t str>) -> Option<usize> {
        match self.claim.transitions {
            None => Some(0),
            // The plain form names the transition of the action, and not what follows by itself.
            Some(&[only]) => match taken.next() {
                None => Some(0),
                Some(first) => (first == only).then_some(1),
            },
            Some(told) => begins(told.iter().copied(), taken),
        }
    }
}

impl Wanted for Told<'_, '_> {
    fn is_it(&self, outcome: &Outcome) -> bool {
        let is_all = |told: Option<usize>, list: Option<usize>| {
            told.is_some_and(|count| list.is_none_or(|length| length == count))
        };
        let [taken, exited, entered] = self.parts(&outcome.happenings);
        outcome.to.active[..] == *self.to
            && is_all(taken, self.claim.transitions.map(<[_]>::len))
            && is_all(exited, self.claim.exited.map(<[_]>::len))
            && is_all(entered, self.claim.entered.map(<[_]>::len))
    }

    fn progress(&self, happenings: &[Happening]) -> Option<[usize; 3]> {
        let [taken, exited, entered] = self.parts(happenings);
        Some([taken?, exited?, entered?])
    }
}

impl Told<'_, '_> {
    /// How much of what the row says of transitions, exits and entries a step has done; none where it did something
    /// else, nothing where the row says nothing.
    fn parts(&self, happenings: &[Happening]) -> [Option<usize>; 3] {
        let all = || happenings.iter().copied();
        let machine = self.machine;
        let names = all().filter_map(Happening::taken);
        let names = names.map(|id| machine.transition(id).name.as_str());
        let list = |told: Option<&[u32]>, done: &mut dyn Iterator<Item = u32>| match told {
            None => Some(0),
            Some(told) => begins(told.iter().copied(), done),
        };
        [
            self.taken(names),
            list(self.claim.exited, &mut all().filter_map(Happening::exited)),
            list(self.claim.entered, &mut all().filter_map(Happening::entered)),
        ]
    }
}

/// How many items there are, if they are the first ones of a list.
fn begins<T: PartialEq<U>, U>(
    mut list: impl Iterator<Item = T>,
    items: impl Iterator<Item = U>,
) -> Option<usize> {
    let mut count = 0;
    for item in items {
        if list.next().is_none_or(|expected| expected != item) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

impl Machine {
    /// All states that are active when these leaves are, in document order; those that the machine does not have
    /// come last. The leaves need not fit together.
    pub(crate) fn with_outer(&self, leaves: &[u32]) -> States {
        let count = position(self.states().len());
        let known: States = leaves.iter().copied().filter(|&id| id < count).collect();
        let mut active = match self.shared.resolved.chart.is_flat() {
            true => known,
            false => self.shared.resolved.chart.with_outer(crate::chart::ROOT, &known),
        };
        active.sort_unstable();
        let mut foreign: States = leaves.iter().copied().filter(|&id| id >= count).collect();
        foreign.sort_unstable();
        active.extend(foreign);
        active.dedup();
        active
    }

    /// Judges a row by itself.
    ///
    /// Cost: that of every way that its action can go from its states with open guards, bounded; a log asks it
    /// once for each distinct row.
    pub(crate) fn hop(&self, claim: &Claim<'_>) -> Hop {
        match self.legal(claim) {
            Ok(outcome) => Hop {
                exited: outcome.exited().collect(),
                entered: outcome.entered().collect(),
                transition: outcome.taken().next(),
                memory: claim.memory.map(|_| outcome.to.memory.clone()),
                fault: None,
            },
            Err(fault) => self.illegal(claim, fault),
        }
    }

    /// The step of the definition that does what a row says.
    fn legal(&self, claim: &Claim<'_>) -> Result<Outcome, HopFault> {
        let count = position(self.states().len());
        let told =
            [claim.from, claim.to, claim.exited.unwrap_or(&[]), claim.entered.unwrap_or(&[])];
        if let Some(&id) = told.iter().copied().flatten().find(|&&id| id >= count) {
            let name = (claim.name)(id);
            let hint = did_you_mean(name, self.states().iter().map(String::as_str));
            let message = format!("`{name}` is no state of this definition{hint}");
            let help =
                "correct the name, or judge the row by the version of the definition that made it";
            return Err(fault(RowRule::UnknownState, message, help));
        }
        let configuration = |leaves: &[u32]| {
            self.configuration(States::from_slice(leaves)).ok_or_else(|| {
                let names = quoted(leaves.iter().map(|&id| (claim.name)(id)));
                fault(
                    RowRule::ImpossibleConfiguration,
                    format!("no object can be in {names}"),
                    "a row lists the innermost active states: one of each machine that is active, and of all regions",
                )
            })
        };
        let to = configuration(claim.to)?;
        if claim.from.is_empty() {
            let told = Told { machine: self, claim, to: &to };
            let found = Reach::within(self, claim.patience).creation(&told);
            return self.judged(claim, found, RowRule::WrongCreation);
        }
        let from = configuration(claim.from)?;
        let action = match claim.action.map(|name| (name, self.action_id(name))) {
            Some((name, None)) => {
                let hint = did_you_mean(name, self.actions());
                let message = format!("`{name}` is no action of this definition{hint}");
                let help = "correct the action, or judge the row by the version of the definition that made it";
                return Err(fault(RowRule::UnknownTransition, message, help));
            }
            Some((_, Some(id))) => Some(id.0),
            None => None,
        };
        let told = Told { machine: self, claim, to: &to };
        if let Some(memory) = claim.memory {
            let situation = Situation { active: from, memory: memory.clone() };
            let found = Reach::within(self, claim.patience).step(&situation, action, &told);
            if let Ok(Some(outcome)) = found {
                return Ok(outcome);
            }
            let unknown = Claim { memory: None, ..*claim };
            return match self.legal(&unknown) {
                Ok(_) => {
                    let names = quoted(claim.to.iter().map(|&id| (claim.name)(id)));
                    let message =
                        format!("a history state leads to {names} only if that was left last");
                    let help = "the rows before it say what is remembered; one of them is missing or wrong";
                    Err(fault(RowRule::NotRemembered, message, help))
                }
                Err(fault) => Err(fault),
            };
        }
        // What is remembered is not known: nothing, or what the row goes to.
        let mut found = Ok(None);
        for memory in [Memory::new(), self.memory_of(&to)] {
            let situation = Situation { active: from.clone(), memory };
            found = Reach::within(self, claim.patience).step(&situation, action, &told);
            if !matches!(found, Ok(None)) {
                break;
            }
        }
        self.judged(claim, found, RowRule::UnknownTransition)
    }

    /// The outcome, or why there is none.
    fn judged(
        &self,
        claim: &Claim<'_>,
        found: Result<Option<Outcome>, crate::FlattenError>,
        rule: RowRule,
    ) -> Result<Outcome, HopFault> {
        match found {
            Ok(Some(outcome)) => Ok(outcome),
            Ok(None) if rule == RowRule::WrongCreation => Err(self.wrong_creation(claim)),
            Ok(None) => Err(self.no_step(claim)),
            Err(_) => Err(fault(
                RowRule::NotJudged,
                "it takes too much to look at all that its action can do".into(),
                "the row is taken as it says; judge fewer rows at once, or name the transitions in them",
            )),
        }
    }

    /// What history states remember so that a row's end is where they lead.
    fn memory_of(&self, to: &[u32]) -> Memory {
        use crate::{chart::Shape, definition::HistoryKind};
        let chart = &self.shared.resolved.chart;
        let mut memory = Memory::new();
        for id in self.ids() {
            let Shape::History(kind) = chart.shape(id) else { continue };
            let owner = chart.parent(id);
            let inside = to.iter().copied().filter(|&state| chart.is_inside(state, owner));
            let states: States = match kind {
                HistoryKind::Shallow => {
                    inside.filter(|&state| chart.parent(state) == owner).collect()
                }
                HistoryKind::Deep => {
                    inside.filter(|&state| chart.shape(state) == Shape::Atomic).collect()
                }
            };
            if !states.is_empty() && chart.can_remember(id, &states) {
                memory.push((id, states));
            }
        }
        memory
    }

    fn wrong_creation(&self, claim: &Claim<'_>) -> HopFault {
        let names = quoted(claim.to.iter().map(|&id| (claim.name)(id)));
        let to = self.with_outer(claim.to);
        if let Ok(Some(_)) = Reach::new(self).creation(&|outcome: &Outcome| outcome.to.active == to)
        {
            let message = format!("a creation leads to {names}, but not as the row says");
            let help = "correct `transitions`, `exited` and `entered`";
            return fault(RowRule::OtherVisits, message, help);
        }
        let begins = Reach::new(self).creation(&|_: &Outcome| true).ok().flatten();
        let begins = begins.map(|outcome| self.leaf_paths(&outcome.to.active)).unwrap_or_default();
        let begins = quoted(begins.iter().map(String::as_str));
        fault(
            RowRule::WrongCreation,
            format!("no object begins in {names}: it begins in {begins}"),
            "the row that created the object is missing before it, or its states are wrong",
        )
    }

    /// Why no step leads so.
    fn no_step(&self, claim: &Claim<'_>) -> HopFault {
        let from = quoted(claim.from.iter().map(|&id| (claim.name)(id)));
        let to = quoted(claim.to.iter().map(|&id| (claim.name)(id)));
        let active = self.with_outer(claim.from);
        let chart = &self.shared.resolved.chart;
        let outer = active.first().copied().filter(|&id| chart.node(id).is_terminal);
        if let Some(terminal) = outer.filter(|_| self.possible_actions(&active).is_empty()) {
            let message = format!("`{}` is terminal: nothing leads out of it", self.path(terminal));
            let help = "the row belongs to another object, or the object was ended by mistake";
            return fault(RowRule::AfterTerminal, message, help);
        }
        // The same row without a part of what it says: what is left out then is what is wrong.
        let told = Claim { exited: None, entered: None, ..*claim };
        if (claim.exited.is_some() || claim.entered.is_some())
            && let Ok(outcome) = self.legal(&told)
        {
            let path = |id: u32| self.path(id).as_str();
            let (exited, entered) =
                (quoted(outcome.exited().map(path)), quoted(outcome.entered().map(path)));
            let message = format!(
                "the step from {from} to {to} leaves {} and enters {}, which is not what the row says",
                or_nothing(exited),
                or_nothing(entered)
            );
            return fault(RowRule::OtherVisits, message, "correct `exited` and `entered`");
        }
        let untold = Claim { transitions: None, ..told };
        if let Some(names) = claim.transitions
            && let Ok(outcome) = self.legal(&untold)
        {
            let names = quoted(names.iter().copied());
            let taken: Vec<&str> =
                outcome.taken().map(|id| self.transition(id).name.as_str()).collect();
            let message = format!(
                "{names} does not lead from {from} to {to}: that does {}",
                quoted(taken.iter().copied())
            );
            return fault(
                RowRule::UnknownTransition,
                message,
                "correct the transition or the states",
            );
        }
        if let Some(action) = claim.action
            && let Ok(outcome) = self.legal(&Claim { action: None, ..untold })
            && let Some(other) = outcome.action
        {
            let message = format!(
                "`{action}` does not lead from {from} to {to}: that does `{}`",
                self.action(other)
            );
            return fault(RowRule::UnknownTransition, message, "correct the action or the states");
        }
        let message = match claim.action {
            Some(action) => {
                format!("`{action}` does not lead from {from} to {to}, nor does any other action")
            }
            None => format!("no transition leads from {from} to {to}"),
        };
        fault(
            RowRule::UnknownTransition,
            message,
            "rows between the two are missing, or the states are wrong",
        )
    }

    /// What a row does that no step does: what it says, else the difference of the states before and after.
    fn illegal(&self, claim: &Claim<'_>, fault: HopFault) -> Hop {
        let (exited, entered) = self.difference(claim);
        Hop { exited, entered, fault: Some(fault), ..Hop::default() }
    }

    fn difference(&self, claim: &Claim<'_>) -> (SmallVec<[u32; 2]>, SmallVec<[u32; 2]>) {
        let (from, to) = (self.with_outer(claim.from), self.with_outer(claim.to));
        let exited = from.iter().rev().copied().filter(|id| !to.contains(id));
        let entered = to.iter().copied().filter(|id| !from.contains(id));
        (exited.collect(), entered.collect())
    }
}

fn or_nothing(names: String) -> String {
    match names.is_empty() {
        true => "nothing".into(),
        false => names,
    }
}
