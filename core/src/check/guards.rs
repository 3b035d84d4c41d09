//! Guards: expressions and functions of the host, and the names between them.

use alloc::{
    borrow::ToOwned, boxed::Box, collections::BTreeMap, format, string::String, vec, vec::Vec,
};
use core::cell::RefCell;

use super::{At, Check, Scope};
use crate::{
    chart::{ROOT, Shape},
    diagnostic::{Code, Diagnostic, Part},
    guard::{self, Bounds, Guard, Kind, Names, Problem, Program},
    name::{self, Nearest},
    place::escape,
    table::position,
};

impl<'d> Check<'d> {
    /// The named guards: they get the first ids, so that they can name each other in any order.
    pub(super) fn named_guards(&mut self) {
        self.scopes();
        let mut texts: Vec<(u32, u32, &str)> = Vec::new();
        // The outer machine comes first, though it is the last of the frames.
        for frame in (0..position(self.resolved.chart.frames.len())).rev() {
            for (name, text) in self.guards_of(frame) {
                let at = At::Guards(frame);
                let field = format!("guards/{}", escape(name));
                let scope = self.scope_of[frame as usize];
                let id = self.add_guard(scope, name, Kind::Expression(Box::default()), (at, field));
                texts.push((id, frame, text));
            }
        }
        self.named = texts.len();
        for (id, frame, text) in texts {
            let (at, field) = self.guard_places[id as usize].clone();
            let name = self.resolved.guards[id as usize].key.clone();
            if !name::is_guard_name(&name) {
                let message = format!("`{name}` cannot be the name of a guard");
                let help = "a guard is named with letters, digits and `_`, not a digit first, and not with a word of the language";
                self.report(at, &field, Code::InvalidName, message, help).part = Part::Key;
            }
            let program = self.compiled(at, frame, &field, text).unwrap_or_default();
            self.resolved.guards[id as usize].kind = Kind::Expression(program);
        }
    }

    /// A machine with guards of its own has a scope of its own.
    fn scopes(&mut self) {
        let frames = self.resolved.chart.frames.len();
        self.resolved.scopes = vec![Scope::default()];
        self.scope_of = vec![0; frames];
        for frame in (0..position(frames)).rev() {
            let owner = self.resolved.chart.frames[frame as usize].owner;
            if owner == ROOT {
                continue;
            }
            let outer = self.scope_of[self.frame_around(owner) as usize];
            self.scope_of[frame as usize] = match self.guards_of(frame).is_empty() {
                true => outer,
                false => {
                    self.resolved.scopes.push(Scope { outer: Some(outer), ..Scope::default() });
                    position(self.resolved.scopes.len() - 1)
                }
            };
        }
    }

    fn guards_of(&self, frame: u32) -> &'d BTreeMap<String, String> {
        match self.resolved.chart.frames[frame as usize].owner {
            ROOT => &self.definition.guards,
            owner => match &self.state(owner).sub_machine {
                Some(machine) => &machine.guards,
                None => &self.definition.guards,
            },
        }
    }

    /// The machine that a state stands in.
    pub(super) fn frame_around(&self, id: u32) -> u32 {
        let chart = &self.resolved.chart;
        let owner = chart.around(id).find(|&around| chart.shape(around) == Shape::Compound);
        owner.map_or(position(chart.frames.len()) - 1, |owner| chart.frame_of_owner(owner))
    }

    /// The guard that a name or a text stands for in a scope, or further out.
    fn known_guard(&self, mut scope: u32, key: &str, is_name: bool) -> Option<u32> {
        loop {
            let here = &self.resolved.scopes[scope as usize];
            let known = self.resolved.guard_in(here, key);
            if known.is_some() || !is_name {
                return known;
            }
            scope = here.outer?;
        }
    }

    /// The id of the guard `text`, which stands in `field` of `at`. What is wrong with it is reported
    /// there, once for each text and scope.
    pub(super) fn guard(&mut self, at: At, frame: u32, field: &str, text: &str) -> u32 {
        let (scope, is_name) = (self.scope_of[frame as usize], name::is_guard_name(text));
        if let Some(known) = self.known_guard(scope, text, is_name) {
            return known;
        }
        if is_name {
            return self.host_guard(at, field, text, Part::Whole);
        }
        // One that cannot be read is an error: no machine is made of it.
        let program = self.compiled(at, frame, field, text).unwrap_or_default();
        self.add_guard(scope, text, Kind::Expression(program), (at, field.into()))
    }

    fn add_guard(&mut self, scope: u32, key: &str, kind: Kind, place: (At, String)) -> u32 {
        self.guard_places.push(place);
        let next = position(self.resolved.guards.len());
        self.resolved.guards.push(Guard { key: key.to_owned(), kind, height: 0 });
        let known = &self.resolved.guards;
        let ids = &mut self.resolved.scopes[scope as usize].ids;
        ids.insert(next, &|id| known[id as usize].key.as_str());
        next
    }

    fn host_guard(&mut self, at: At, field: &str, name: &str, part: Part) -> u32 {
        let slot = position(self.resolved.host_guards.len());
        let id = self.add_guard(0, name, Kind::Host(slot), (at, field.into()));
        self.resolved.host_guards.push(id);
        let message = format!("the host must register the guard `{name}`");
        let named = self.definition.guards.keys().map(String::as_str);
        let help = match self.nearest.find(name, named) {
            Some(near) => format!("or did you mean the named guard `{near}`?"),
            None => "until then what depends on it is unknown, neither allowed nor refused for a reason; or give it an expression in `guards`".into(),
        };
        self.report(at, field, Code::HostGuard, message, help).part = part;
        id
    }

    /// Compiles an expression and reports what is found about it.
    fn compiled(&mut self, at: At, frame: u32, field: &str, text: &str) -> Option<Box<Program>> {
        let scope = self.scope_of[frame as usize];
        if let Some(message) = self.limits.expression_too_long(text) {
            let help = "give parts of it names in `guards`, or raise the limit";
            self.report(at, field, Code::LimitExceeded, message, help);
            return None;
        }
        // One budget for all suggestions, so that many faults stay cheap.
        let nearest = RefCell::new(core::mem::replace(&mut self.nearest, Nearest::new()));
        let compiled = {
            let unknown_state = |path: &str| match self.resolved.state(path) {
                Some(_) => None,
                None => Some(suggested(&mut nearest.borrow_mut(), path, &self.resolved.paths)),
            };
            let is_named = |id: u32| (id as usize) < self.named;
            let is_guard = |name: &str| self.known_guard(scope, name, true).is_some_and(is_named);
            let names = Names::Machine {
                is_guard: &is_guard,
                unknown_state: &unknown_state,
                is_condition: true,
            };
            guard::compile(text, names, Bounds::of(self.limits))
        };
        self.nearest = nearest.into_inner();
        let (mut program, mut problems) = match compiled {
            Ok((program, problems)) => (Some(program), problems),
            Err(problem) => (None, vec![problem]),
        };
        problems.sort_by_key(Problem::byte);
        for problem in problems {
            let Problem { code, message, help, .. } = &problem;
            let found = self.report(at, field, *code, message.clone(), help.clone());
            found.part = Part::From(problem.byte());
        }
        if let Some(program) = &mut program {
            let names: Vec<(String, u32)> =
                program.guards().map(|(name, byte)| (name.to_owned(), byte)).collect();
            program.guard_ids = names
                .iter()
                .map(|(name, byte)| match self.known_guard(scope, name, true) {
                    Some(known) => known,
                    None => self.host_guard(at, field, name, Part::From(*byte)),
                })
                .collect();
        }
        program.map(Box::new)
    }

    /// Named guards that refer to each other in a circle, that are nested too deeply together, or that
    /// nothing asks. Needs all guards. Gives their order: each behind those that it names.
    pub(super) fn guard_names(&mut self) -> Vec<u32> {
        let (order, circles) = self.references_first();
        for &(id, back) in &circles {
            let key = |id: u32| &self.resolved.guards[id as usize].key;
            let message = match id == back {
                true => format!("the guard `{}` asks itself", key(id)),
                false => {
                    format!("the guard `{}` asks `{}`, which asks it in turn", key(id), key(back))
                }
            };
            let named = self.program(id).and_then(|program| program.place_of(back));
            let help = "let one of the two not name the other";
            let found = self.report_guard(id, Code::GuardCycle, message, help);
            found.part = named.map_or(Part::Whole, Part::From);
        }
        if circles.is_empty() {
            self.heights(&order);
        }
        self.unused_guards();
        order
    }

    /// How deeply guards are nested with those that they name.
    fn heights(&mut self, order: &[u32]) {
        let deepest = Bounds::of(self.limits).depth;
        for &id in order {
            let Some(program) = self.program(id) else { continue };
            let height = guard::height(program, &self.resolved.guards);
            self.resolved.guards[id as usize].height = height;
            if height > deepest {
                let message = format!(
                    "with the guards that it names, this guard is nested more deeply than the limit `expression_depth`, {deepest}"
                );
                let help = "name fewer guards one inside the other, or raise the limit";
                self.report_guard(id, Code::LimitExceeded, message, help);
                // Those that name it are too deep, too: one finding says it.
                return;
            }
        }
    }

    fn unused_guards(&mut self) {
        let mut is_asked = vec![false; self.resolved.guards.len()];
        let asked = self.resolved.guard_of.iter().flatten().copied();
        let mut open: Vec<u32> = asked.chain(self.resolved.conditions.guards()).collect();
        while let Some(id) = open.pop() {
            let Some(is_asked) = is_asked.get_mut(id as usize) else { continue };
            if !core::mem::replace(is_asked, true)
                && let Some(program) = self.program(id)
            {
                open.extend(&program.guard_ids);
            }
        }
        for id in 0..position(self.named) {
            let key = &self.resolved.guards[id as usize].key;
            if !is_asked[id as usize] && name::is_guard_name(key) {
                let message = format!("nothing asks the guard `{key}`");
                let help =
                    "name it in a transition, an entry condition or another guard, or drop it";
                self.report_guard(id, Code::UnusedGuard, message, help);
            }
        }
    }

    fn program(&self, id: u32) -> Option<&Program> {
        match &self.resolved.guards[id as usize].kind {
            Kind::Expression(program) => Some(program),
            Kind::Host(_) => None,
        }
    }

    /// Reports something about a guard at the place where it is written.
    pub(super) fn report_guard(
        &mut self,
        id: u32,
        code: Code,
        message: String,
        help: &str,
    ) -> &mut Diagnostic {
        let (at, field) = self.guard_places[id as usize].clone();
        self.report(at, &field, code, message, help)
    }

    /// The guards, each behind those that it names; and, for each circle, the guard that closes it with the
    /// one that it leads back to.
    fn references_first(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            OnTheWay,
            Done,
        }
        let count = self.resolved.guards.len();
        let (mut order, mut circles) = (Vec::with_capacity(count), Vec::new());
        let mut seen = vec![Seen::Not; count];
        let mut way: Vec<(u32, usize)> = Vec::new();
        for start in 0..position(count) {
            if seen[start as usize] == Seen::Not {
                seen[start as usize] = Seen::OnTheWay;
                way.push((start, 0));
            }
            while let Some((id, next)) = way.last_mut() {
                let names = self.program(*id).map_or(&[][..], |program| &program.guard_ids);
                let Some(&name) = names.get(*next) else {
                    seen[*id as usize] = Seen::Done;
                    order.push(*id);
                    way.pop();
                    continue;
                };
                *next += 1;
                match seen[name as usize] {
                    Seen::Done => {}
                    Seen::OnTheWay => circles.push((*id, name)),
                    Seen::Not => {
                        seen[name as usize] = Seen::OnTheWay;
                        way.push((name, 0));
                    }
                }
            }
        }
        (order, circles)
    }
}

fn suggested(nearest: &mut Nearest, path: &str, paths: &[String]) -> String {
    match nearest.find(path, paths.iter().map(String::as_str)) {
        Some(known) => format!("did you mean `{known}`?"),
        None => "add the state, or name one that there is".into(),
    }
}
