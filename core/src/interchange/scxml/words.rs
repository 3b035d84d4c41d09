//! Which event is written for an action, and which actions one `<transition>` stands for.
//!
//! In SCXML `order` also matches `order.paid`. So transitions that differ in their actions only become one
//! where their actions are all those that its events match; an action for which that fails somewhere gets a
//! word of its own everywhere, and keeps its name in an attribute.

use alloc::{format, string::String, vec::Vec};

use super::{
    ids::{event, is_event},
    plan::Out,
    tree::Tree,
};
use crate::{
    definition::{Transition, Trigger},
    interchange::{
        event::{covered_by, covers},
        naming::FreshNames,
        numbered::Numbered,
    },
};

/// A `<transition>`.
#[derive(Debug)]
pub(super) struct Arrow<'p, 'd> {
    pub(super) out: &'p Out<'d>,
    /// What it waits for; nothing for an automatic one.
    pub(super) event: Option<String>,
    /// The action, where it is not the event.
    pub(super) action: Option<&'d str>,
    /// Its name, where an import would make another.
    pub(super) name: Option<&'d str>,
}

/// What is written for the transitions out of each state.
pub(super) fn arrows<'p, 'd>(
    tree: &Tree<'d>,
    ids: &[String],
    plan: &'p [Vec<Out<'d>>],
    named_as_made: &[bool],
) -> Vec<Vec<Arrow<'p, 'd>>> {
    let can_merge = |source: usize| named_as_made[tree.places.machine_of(source)];
    let mut words = Words::new(tree, plan, &can_merge);
    let mut arrows = Vec::with_capacity(plan.len());
    for (source, outs) in plan.iter().enumerate() {
        let mut of_source = Vec::new();
        for run in (Runs { outs, can_merge: can_merge(source) }) {
            let name = |out: &Out<'d>| (!can_merge(source)).then_some(out.transition.name.as_str());
            match run[0].transition.trigger {
                Trigger::Automatic => of_source.push(Arrow {
                    out: &run[0],
                    event: None,
                    action: None,
                    name: name(&run[0]),
                }),
                Trigger::Completion => of_source.push(Arrow {
                    out: &run[0],
                    event: Some(format!("done.state.{}", ids[source])),
                    action: None,
                    name: name(&run[0]),
                }),
                Trigger::Action => {
                    if let Some(event) = words.common(run) {
                        let (event, action) = (Some(event), None);
                        of_source.push(Arrow { out: &run[0], event, action, name: name(&run[0]) });
                    }
                    for out in run {
                        let action = out.transition.asked();
                        if let Some(word) = words.word(action) {
                            let (event, action) = (Some(word.into()), Some(action));
                            of_source.push(Arrow { out, event, action, name: name(out) });
                        }
                    }
                }
            }
        }
        arrows.push(of_source);
    }
    arrows
}

/// Neighbours that differ in their actions only, each action once.
struct Runs<'p, 'd> {
    outs: &'p [Out<'d>],
    can_merge: bool,
}

impl<'p, 'd> Iterator for Runs<'p, 'd> {
    type Item = &'p [Out<'d>];

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.outs.first()?;
        let mut seen = Numbered::default();
        let can_merge = self.can_merge && first.transition.trigger == Trigger::Action;
        let length = self.outs.iter().take_while(|out| {
            let is_first = seen.is_empty();
            (is_first || can_merge && out.is_like(first)) && seen.insert(out.transition.asked())
        });
        let (run, rest) = self.outs.split_at(length.count());
        self.outs = rest;
        Some(run)
    }
}

struct Words<'d> {
    /// The actions that need words.
    own: Numbered<'d>,
    /// Their words.
    given: Vec<String>,
    /// Events in the order in which they are written.
    written: Numbered<'d>,
}

impl<'d> Words<'d> {
    fn new(tree: &Tree<'d>, plan: &[Vec<Out<'d>>], can_merge: &dyn Fn(usize) -> bool) -> Self {
        let has_ends = tree.ends.contains(&true);
        let is_plain = |action: &str| match action {
            "*" | "done" | "done.state" => !has_ends,
            _ => is_event(action) && !covers("done.state", action),
        };
        let actions = || {
            let outs = plan.iter().flatten().map(|out| out.transition);
            outs.filter(|transition| transition.trigger == Trigger::Action).map(Transition::asked)
        };
        let mut known = Numbered::default();
        let mut own = Numbered::default();
        for action in actions() {
            if is_plain(action) {
                known.add(action);
            } else {
                own.add(action);
            }
        }
        for (source, outs) in plan.iter().enumerate() {
            for run in (Runs { outs, can_merge: can_merge(source) }) {
                let mut of_run = Vec::with_capacity(run.len());
                for out in run {
                    of_run.extend(known.position(out.transition.asked()));
                }
                of_run.sort_unstable();
                for action in &of_run {
                    let action = known.get(*action);
                    if !own.contains(action)
                        && !covered_by(&known, action)
                            .iter()
                            .all(|other| of_run.binary_search(other).is_ok())
                    {
                        own.add(action);
                    }
                }
            }
        }
        // `*` would match the words, too.
        if !own.is_empty() && known.contains("*") {
            own.add("*");
        }
        // No word is a first token of a plain action.
        let mut used = FreshNames::default();
        used.reserve("done");
        for action in actions().filter(|action| !own.contains(action)) {
            used.reserve(action.split('.').next().unwrap_or_default());
        }
        let mut given = alloc::vec![String::new(); own.len()];
        for action in actions() {
            if let Some(number) = own.position(action)
                && given[number].is_empty()
            {
                given[number] = event(action, &mut used);
            }
        }
        Self { own, given, written: Numbered::default() }
    }

    /// The word for an action that needs one.
    fn word(&self, action: &str) -> Option<&str> {
        self.own.position(action).map(|number| self.given[number].as_str())
    }

    /// The events of a run whose actions need no words of their own, without those that another matches.
    fn common(&mut self, run: &[Out<'d>]) -> Option<String> {
        let actions = run.iter().map(|out| out.transition.asked());
        let mut plain = Numbered::default();
        for action in actions.clone().filter(|action| !self.own.contains(action)) {
            plain.add(action);
        }
        let is_matched = |action: &str| {
            action != "*"
                && (plain.contains("*")
                    || action.match_indices('.').any(|(dot, _)| plain.contains(&action[..dot])))
        };
        let shortest = actions.filter(|action| plain.contains(action) && !is_matched(action));
        let mut events: Vec<usize> = shortest.map(|action| self.written.add(action)).collect();
        events.sort_unstable();
        let events: Vec<&str> = events.into_iter().map(|event| self.written.get(event)).collect();
        (!events.is_empty()).then(|| events.join(" "))
    }
}
