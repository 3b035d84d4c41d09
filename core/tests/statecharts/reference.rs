//! A second engine: W3C SCXML Appendix D as it stands there, with sets and lists of paths, slow and
//! plain, and with what DESIGN §5 decides otherwise. It reads the JSON of a definition by itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// How many microsteps may follow the first.
const ROUNDS: usize = 100;

pub(crate) fn join(parent: &str, name: &str) -> String {
    let name = name.replace('\\', r"\\").replace('.', r"\.");
    if parent.is_empty() { name } else { format!("{parent}.{name}") }
}

/// The paths around a path, from the inside out; the last is the machine itself, without a name.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(path);
    std::iter::from_fn(move || {
        let path = next.filter(|path| !path.is_empty())?;
        // A dot with an odd number of backslashes before it is a part of a name.
        let is_joint = |&(at, _): &(usize, &str)| {
            path[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0
        };
        let joint = path.match_indices('.').rfind(is_joint);
        next = Some(joint.map_or("", |(at, _)| &path[..at]));
        next
    })
}

pub(crate) fn is_descendant(path: &str, of: &str) -> bool {
    of.is_empty() || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'))
}

/// What a text of `to_state` stands for. Source: DESIGN §2.
pub(crate) fn look_up(paths: &BTreeSet<String>, container: &str, text: &str) -> Option<String> {
    let mut outward = vec![container];
    outward.extend(ancestors(container));
    let mut tries: Vec<String> = outward.iter().map(|around| join(around, text)).collect();
    tries.push(text.into());
    tries.extend(
        outward.iter().filter(|around| !around.is_empty()).map(|around| format!("{around}.{text}")),
    );
    tries.into_iter().find(|path| paths.contains(path))
}

/// What a text of `from_state` or `initial_state` stands for.
pub(crate) fn look_within(paths: &BTreeSet<String>, owner: &str, text: &str) -> Option<String> {
    let relative = if owner.is_empty() { text.into() } else { format!("{owner}.{text}") };
    let tries = [join(owner, text), relative, text.to_owned()];
    tries.into_iter().find(|path| paths.contains(path) && is_descendant(path, owner))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Atomic,
    Compound,
    Parallel,
    Shallow,
    Deep,
}

#[derive(Debug)]
struct State {
    parent: String,
    kind: Kind,
    is_final: bool,
    is_required: bool,
    joins_any: bool,
    on_enter: Vec<String>,
    on_exit: Vec<String>,
    conditions: Vec<String>,
    /// Of a compound state its initial states, of a history state its default.
    defaults: Vec<String>,
}

#[derive(Debug)]
struct Transition {
    name: String,
    /// The state whose machine it stands in.
    owner: String,
    sources: Vec<String>,
    targets: Vec<String>,
    /// The action, or the trigger in brackets.
    event: String,
    guard: Option<String>,
    permissions: Vec<String>,
    effects: Vec<String>,
    reenter: bool,
}

const AUTOMATIC: &str = "[automatic]";
const COMPLETION: &str = "[completion]";

/// What guards read, and who asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) before: Value,
    pub(crate) after: Value,
    pub(crate) permissions: Vec<String>,
    /// What functions of the host say; one that is missing is not registered.
    pub(crate) host: BTreeMap<String, Option<bool>>,
}

/// Where an object is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Place {
    /// In document order.
    pub(crate) active: Vec<String>,
    pub(crate) memory: BTreeMap<String, Vec<String>>,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Step {
    pub(crate) exited: Vec<String>,
    pub(crate) entered: Vec<String>,
    pub(crate) transitions: Vec<String>,
    pub(crate) effects: Vec<String>,
    pub(crate) place: Place,
}

/// A transition with the source that chose it.
type Enabled<'c> = (&'c Transition, String);

/// A definition, in the words of SCXML.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    states: BTreeMap<String, State>,
    /// Their paths in document order.
    order: Vec<String>,
    /// In document order: those of inner machines before those of outer ones.
    transitions: Vec<Transition>,
    initial: Vec<String>,
    /// Of each machine its named guards.
    guards: BTreeMap<String, BTreeMap<String, String>>,
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        _ => vec![],
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

impl Chart {
    pub(crate) fn read(definition: &Value) -> Self {
        let mut paths = BTreeSet::new();
        all_paths(&definition["states"], "", &mut paths);
        let mut chart = Self::default();
        chart.machine(definition, "", &paths);
        chart.initial = within(&paths, "", &definition["initial_state"]);
        chart
    }

    fn machine(&mut self, machine: &Value, owner: &str, paths: &BTreeSet<String>) {
        let guards = machine["guards"].as_object().into_iter().flatten();
        let guards = guards.map(|(name, text)| (name.clone(), texts(text).concat()));
        self.guards.insert(owner.into(), guards.collect());
        self.siblings(&machine["states"], owner, paths);
        for written in list(&machine["transitions"]) {
            let text = |field: &str| written[field].as_str().map(String::from);
            let event = match written["trigger"].as_str() {
                Some("automatic") => AUTOMATIC.into(),
                Some("completion") => COMPLETION.into(),
                _ => text("action").unwrap_or_default(),
            };
            self.transitions.push(Transition {
                name: text("name").unwrap_or_default(),
                owner: owner.into(),
                sources: within(paths, owner, &written["from_state"]),
                targets: targets(paths, owner, &written["to_state"]),
                event,
                guard: text("guard"),
                permissions: texts(&written["required_permissions"]),
                effects: texts(&written["side_effects"]),
                reenter: written["reenter"] == true,
            });
        }
    }

    fn siblings(&mut self, states: &Value, parent: &str, paths: &BTreeSet<String>) {
        for state in list(states) {
            let path = join(parent, state["name"].as_str().unwrap_or_default());
            let (machine, regions) = (&state["sub_machine"], &state["regions"]);
            let kind = match state["history"].as_str() {
                Some("deep") => Kind::Deep,
                Some(_) => Kind::Shallow,
                None if machine.is_object() => Kind::Compound,
                None if !list(regions).is_empty() => Kind::Parallel,
                None => Kind::Atomic,
            };
            let defaults = match kind {
                Kind::Compound => within(paths, &path, &machine["initial_state"]),
                Kind::Deep | Kind::Shallow => targets(paths, parent, &state["default_target"]),
                _ => vec![],
            };
            let conditions = list(&state["entry_conditions"]).iter();
            let state = State {
                parent: parent.into(),
                kind,
                is_final: state["is_terminal"] == true,
                is_required: state["required"] != false,
                joins_any: state["join_condition"] == "any",
                on_enter: texts(&state["on_enter"]),
                on_exit: texts(&state["on_exit"]),
                conditions: conditions.flat_map(|condition| texts(&condition["require"])).collect(),
                defaults,
            };
            self.order.push(path.clone());
            self.states.insert(path.clone(), state);
            match kind {
                Kind::Compound => self.machine(machine, &path, paths),
                _ => self.siblings(regions, &path, paths),
            }
        }
    }

    fn state(&self, path: &str) -> &State {
        self.states.get(path).unwrap_or_else(|| panic!("there is a state `{path}`"))
    }

    /// The machine itself is a compound state.
    fn kind(&self, path: &str) -> Kind {
        if path.is_empty() { Kind::Compound } else { self.state(path).kind }
    }

    fn is_history(&self, path: &str) -> bool {
        matches!(self.kind(path), Kind::Deep | Kind::Shallow)
    }

    fn parent(&self, path: &str) -> &str {
        &self.state(path).parent
    }

    /// `getChildStates`: without history states.
    fn children(&self, of: &str) -> Vec<String> {
        let is_child = |path: &&String| self.parent(path) == of && !self.is_history(path);
        self.order.iter().filter(is_child).cloned().collect()
    }

    fn in_document_order(&self, set: &BTreeSet<String>) -> Vec<String> {
        self.order.iter().filter(|path| set.contains(*path)).cloned().collect()
    }

    /// Paths in document order.
    pub(crate) fn in_order<'p>(&self, paths: impl Iterator<Item = &'p String>) -> Vec<String> {
        self.in_document_order(&paths.cloned().collect())
    }

    pub(crate) fn leaves(&self, active: &[String]) -> Vec<String> {
        active.iter().filter(|path| self.kind(path) == Kind::Atomic).cloned().collect()
    }

    /// `getEffectiveTargetStates`.
    fn effective(&self, targets: &[String], memory: &BTreeMap<String, Vec<String>>) -> Vec<String> {
        let mut found = Vec::new();
        for target in targets {
            match self.is_history(target) {
                true => found.extend(self.effective(self.remembered(target, memory), memory)),
                false => found.push(target.clone()),
            }
        }
        found
    }

    fn remembered<'m>(
        &'m self,
        history: &str,
        memory: &'m BTreeMap<String, Vec<String>>,
    ) -> &'m [String] {
        memory.get(history).unwrap_or(&self.state(history).defaults)
    }

    /// `getTransitionDomain`; of a transition without `reenter` as DESIGN §5.3 says.
    fn domain(
        &self,
        (transition, source): &Enabled<'_>,
        memory: &BTreeMap<String, Vec<String>>,
    ) -> Option<String> {
        if transition.targets.is_empty() {
            return None;
        }
        let targets = self.effective(&transition.targets, memory);
        let stays = targets.iter().all(|to| to == source || is_descendant(to, source));
        if stays && !transition.reenter {
            return (self.kind(source) != Kind::Atomic).then(|| source.clone());
        }
        let is_domain = |around: &&str| {
            self.kind(around) == Kind::Compound
                && targets.iter().all(|to| is_descendant(to, around))
        };
        ancestors(source).find(is_domain).map(String::from)
    }

    /// `computeExitSet` of one transition.
    fn exit_set(&self, enabled: &Enabled<'_>, place: &Place) -> BTreeSet<String> {
        match self.domain(enabled, &place.memory) {
            Some(domain) => {
                place.active.iter().filter(|path| is_descendant(path, &domain)).cloned().collect()
            }
            None => BTreeSet::new(),
        }
    }

    /// `selectTransitions`; a guard without an answer refuses.
    fn select<'c>(
        &'c self,
        event: &str,
        leaves: &[String],
        place: &Place,
        object: &Value,
        world: &World,
    ) -> Result<Vec<Enabled<'c>>, &'static str> {
        let mut chosen: Vec<Enabled<'c>> = Vec::new();
        for leaf in leaves {
            let outward = std::iter::once(leaf.as_str()).chain(ancestors(leaf));
            'leaf: for source in outward {
                for transition in self.of(source, event) {
                    if self.holds(transition, &place.active, object, world)? {
                        if !chosen
                            .iter()
                            .any(|(other, from)| other.name == transition.name && from == source)
                        {
                            chosen.push((transition, source.into()));
                        }
                        break 'leaf;
                    }
                }
            }
        }
        Ok(chosen)
    }

    fn of(&self, source: &str, event: &str) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(move |transition| {
            transition.event == event && transition.sources.iter().any(|from| from == source)
        })
    }

    /// `removeConflictingTransitions`.
    fn without_conflicts<'c>(
        &'c self,
        enabled: Vec<Enabled<'c>>,
        place: &Place,
    ) -> Vec<Enabled<'c>> {
        let mut filtered: Vec<Enabled<'c>> = Vec::new();
        for one in enabled {
            let exits = self.exit_set(&one, place);
            let mut is_preempted = false;
            let mut removed: Vec<Enabled<'c>> = Vec::new();
            for other in &filtered {
                if exits.is_disjoint(&self.exit_set(other, place)) {
                    continue;
                }
                if is_descendant(&one.1, &other.1) {
                    removed.push(other.clone());
                } else {
                    is_preempted = true;
                    break;
                }
            }
            if !is_preempted {
                let is_removed = |other: &Enabled<'_>| {
                    removed.iter().any(|gone| gone.0.name == other.0.name && gone.1 == other.1)
                };
                filtered.retain(|other| !is_removed(other));
                filtered.push(one);
            }
        }
        filtered
    }

    /// `microstep`: what completes by it is put behind `completed`.
    fn microstep(&self, enabled: &[Enabled<'_>], step: &mut Step, completed: &mut Vec<String>) {
        let domains: Vec<Option<String>> =
            enabled.iter().map(|one| self.domain(one, &step.place.memory)).collect();
        let exits: BTreeSet<String> =
            enabled.iter().flat_map(|one| self.exit_set(one, &step.place)).collect();
        let exits = self.in_document_order(&exits);
        let mut memory = step.place.memory.clone();
        for (path, history) in &self.states {
            let parent = self.parent(path);
            if !exits.iter().any(|exited| exited == parent) {
                continue;
            }
            let is_remembered = |path: &&String| match history.kind {
                Kind::Deep => self.kind(path) == Kind::Atomic && is_descendant(path, parent),
                Kind::Shallow => self.parent(path) == parent,
                _ => false,
            };
            if self.is_history(path) {
                let states = step.place.active.iter().filter(is_remembered).cloned().collect();
                memory.insert(path.clone(), states);
            }
        }
        step.place.memory = memory;
        for path in exits.iter().rev() {
            step.exited.push(path.clone());
            step.effects.extend(self.state(path).on_exit.iter().cloned());
            step.place.active.retain(|active| active != path);
        }
        for (transition, _) in enabled {
            step.transitions.push(transition.name.clone());
            step.effects.extend(transition.effects.iter().cloned());
        }
        let mut entry = BTreeSet::new();
        for ((transition, _), domain) in enabled.iter().zip(&domains) {
            let Some(domain) = domain else { continue };
            let mut of_this = BTreeSet::new();
            for to in &transition.targets {
                self.add_descendants(to, &step.place.memory, &mut of_this);
            }
            for to in self.effective(&transition.targets, &step.place.memory) {
                self.add_ancestors(&to, domain, &step.place.memory, &mut of_this);
            }
            // DESIGN §5.3: a state with regions may be the domain; all of them have been left.
            if self.kind(domain) == Kind::Parallel {
                self.fill(domain, &step.place.memory, &mut of_this);
            }
            // The domain, and what is around it, is active: a state that is its own target, or one on the way
            // from a history state that stands around it. (SCXML enters these twice.)
            of_this.retain(|path| is_descendant(path, domain));
            entry.extend(of_this);
        }
        self.enter(&entry, step, completed);
    }

    /// `addDescendantStatesToEnter`.
    fn add_descendants(
        &self,
        path: &str,
        memory: &BTreeMap<String, Vec<String>>,
        entry: &mut BTreeSet<String>,
    ) {
        let inside = match self.kind(path) {
            Kind::Deep | Kind::Shallow => self.remembered(path, memory).to_vec(),
            Kind::Compound => {
                entry.insert(path.into());
                self.state(path).defaults.clone()
            }
            Kind::Parallel => {
                entry.insert(path.into());
                self.fill(path, memory, entry);
                return;
            }
            Kind::Atomic => {
                entry.insert(path.into());
                return;
            }
        };
        let around = if self.is_history(path) { self.parent(path) } else { path };
        for to in &inside {
            self.add_descendants(to, memory, entry);
        }
        for to in self.effective(&inside, memory) {
            self.add_ancestors(&to, around, memory, entry);
        }
    }

    /// `addAncestorStatesToEnter`.
    fn add_ancestors(
        &self,
        path: &str,
        limit: &str,
        memory: &BTreeMap<String, Vec<String>>,
        entry: &mut BTreeSet<String>,
    ) {
        if path == limit {
            return;
        }
        for around in ancestors(path).take_while(|around| *around != limit) {
            entry.insert(around.into());
            if self.kind(around) == Kind::Parallel {
                self.fill(around, memory, entry);
            }
        }
    }

    fn fill(
        &self,
        path: &str,
        memory: &BTreeMap<String, Vec<String>>,
        entry: &mut BTreeSet<String>,
    ) {
        for region in self.children(path) {
            if !entry.iter().any(|other| is_descendant(other, &region)) {
                self.add_descendants(&region, memory, entry);
            }
        }
    }

    /// `enterStates`.
    fn enter(&self, entry: &BTreeSet<String>, step: &mut Step, completed: &mut Vec<String>) {
        let mut active: BTreeSet<String> = step.place.active.iter().cloned().collect();
        for path in self.in_document_order(entry) {
            let state = self.state(&path);
            step.entered.push(path.clone());
            step.effects.extend(state.on_enter.iter().cloned());
            active.insert(path.clone());
            if !state.is_final {
                continue;
            }
            let mut done = self.parent(&path).to_owned();
            while !done.is_empty() {
                completed.push(done.clone());
                let around = self.parent(&done).to_owned();
                if around.is_empty() || !self.joins(&around, &done, &active) {
                    break;
                }
                done = around;
            }
        }
        step.place.active = self.in_document_order(&active);
    }

    /// Whether the end of a region completes the state around it: `all` needs the others, `any` is for the
    /// first. Source: DESIGN §5.6.
    fn joins(&self, parallel: &str, ended: &str, active: &BTreeSet<String>) -> bool {
        if self.kind(parallel) != Kind::Parallel || !self.state(ended).is_required {
            return false;
        }
        let mut others = self.children(parallel);
        others.retain(|region| region != ended && self.state(region).is_required);
        match self.state(parallel).joins_any {
            true => !others.iter().any(|region| self.is_final(region, active)),
            false => others.iter().all(|region| self.is_final(region, active)),
        }
    }

    /// `isInFinalState`.
    fn is_final(&self, path: &str, active: &BTreeSet<String>) -> bool {
        let mut children = self.children(path);
        match self.kind(path) {
            Kind::Compound => {
                children.iter().any(|child| active.contains(child) && self.state(child).is_final)
            }
            Kind::Parallel => {
                children.retain(|region| self.state(region).is_required);
                match self.state(path).joins_any {
                    true => children.iter().any(|region| self.is_final(region, active)),
                    false => children.iter().all(|region| self.is_final(region, active)),
                }
            }
            _ => false,
        }
    }

    /// The creation.
    pub(crate) fn start(&self, world: &World) -> Result<Step, &'static str> {
        let mut step = Step::default();
        let mut entry = BTreeSet::new();
        for to in &self.initial {
            self.add_descendants(to, &BTreeMap::new(), &mut entry);
        }
        for to in self.effective(&self.initial, &BTreeMap::new()) {
            self.add_ancestors(&to, "", &BTreeMap::new(), &mut entry);
        }
        let mut completed = Vec::new();
        self.enter(&entry, &mut step, &mut completed);
        self.settle(step, completed, world)
    }

    /// One action; asked of one active state outward, or of all.
    pub(crate) fn act(
        &self,
        place: &Place,
        action: &str,
        from: Option<&str>,
        world: &World,
    ) -> Result<Step, &'static str> {
        if !self.transitions.iter().any(|transition| transition.event == action) {
            return Err("unknown-action");
        }
        let leaves = match from {
            None => self.leaves(&place.active),
            Some(from) if place.active.iter().any(|path| path == from) => vec![from.into()],
            Some(_) => return Err("no-transition"),
        };
        let enabled = self.select(action, &leaves, place, &world.before, world)?;
        if enabled.is_empty() {
            let mut outward = leaves
                .iter()
                .flat_map(|leaf| std::iter::once(leaf.as_str()).chain(ancestors(leaf)));
            let is_possible = outward.any(|source| self.of(source, action).next().is_some());
            return Err(if is_possible { "guards-failed" } else { "no-transition" });
        }
        let enabled = self.without_conflicts(enabled, place);
        let mut needed = enabled.iter().flat_map(|(transition, _)| &transition.permissions);
        if !needed.all(|permission| world.permissions.contains(permission)) {
            return Err("missing-permissions");
        }
        let mut step = Step { place: place.clone(), ..Step::default() };
        let mut completed = Vec::new();
        self.microstep(&enabled, &mut step, &mut completed);
        self.settle(step, completed, world)
    }

    /// `mainEventLoop`: automatic transitions, then the oldest completion.
    fn settle(
        &self,
        mut step: Step,
        mut completed: Vec<String>,
        world: &World,
    ) -> Result<Step, &'static str> {
        let mut rounds = 0;
        loop {
            let leaves = self.leaves(&step.place.active);
            let enabled = self.select(AUTOMATIC, &leaves, &step.place, &world.after, world)?;
            let mut enabled = self.without_conflicts(enabled, &step.place);
            if enabled.is_empty() {
                if completed.is_empty() {
                    break;
                }
                let done = completed.remove(0);
                if step.place.active.contains(&done) {
                    for transition in self.of(&done, COMPLETION) {
                        if self.holds(transition, &step.place.active, &world.after, world)? {
                            enabled.push((transition, done.clone()));
                            break;
                        }
                    }
                }
                if enabled.is_empty() {
                    continue;
                }
            }
            rounds += 1;
            if rounds > ROUNDS {
                return Err("never-rests");
            }
            self.microstep(&enabled, &mut step, &mut completed);
        }
        self.conditions(&step, world)?;
        Ok(step)
    }

    fn conditions(&self, step: &Step, world: &World) -> Result<(), &'static str> {
        let asked = step.place.active.iter().flat_map(|path| &self.state(path).conditions);
        let answers: Vec<Option<bool>> = asked
            .map(|text| self.answer(text, "", &step.place.active, &world.after, world))
            .collect();
        if answers.contains(&Some(false)) {
            return Err("entry-condition-failed");
        }
        if answers.contains(&None) {
            return Err("entry-condition-unknown");
        }
        Ok(())
    }

    fn holds(
        &self,
        transition: &Transition,
        active: &[String],
        object: &Value,
        world: &World,
    ) -> Result<bool, &'static str> {
        let Some(guard) = &transition.guard else { return Ok(true) };
        self.answer(guard, &transition.owner, active, object, world).ok_or("guard-unknown")
    }

    /// The few forms of guards that the generator writes. Nothing is unknown.
    fn answer(
        &self,
        text: &str,
        owner: &str,
        active: &[String],
        object: &Value,
        world: &World,
    ) -> Option<bool> {
        let ask = |text: &str| self.answer(text, owner, active, object, world);
        if let Some((left, right)) = text.split_once(" && ") {
            return match (ask(left), ask(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (left, right) => left.zip(right).map(|_| true),
            };
        }
        if let Some((left, right)) = text.split_once(" || ") {
            return match (ask(left), ask(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (left, right) => left.zip(right).map(|_| false),
            };
        }
        if let Some(rest) = text.strip_prefix('!') {
            let rest = rest.trim_start_matches('(').trim_end_matches(')');
            return ask(rest).map(|answer| !answer);
        }
        if let Some(flag) = text.strip_prefix("object.") {
            return object[flag].as_bool();
        }
        if let Some(path) = text.strip_suffix(" in states") {
            let path: String = serde_json::from_str(path).expect("it is a literal");
            return Some(active.contains(&path));
        }
        let mut outward = std::iter::once(owner).chain(ancestors(owner));
        let named = outward.find_map(|around| self.guards.get(around)?.get(text));
        match named {
            Some(named) => ask(named),
            None => world.host.get(text).copied().flatten(),
        }
    }
}

fn all_paths(states: &Value, parent: &str, paths: &mut BTreeSet<String>) {
    for state in list(states) {
        let path = join(parent, state["name"].as_str().unwrap_or_default());
        all_paths(&state["sub_machine"]["states"], &path, paths);
        all_paths(&state["regions"], &path, paths);
        paths.insert(path);
    }
}

fn within(paths: &BTreeSet<String>, owner: &str, value: &Value) -> Vec<String> {
    let find = |text: String| {
        look_within(paths, owner, &text).unwrap_or_else(|| panic!("`{text}` is in `{owner}`"))
    };
    texts(value).into_iter().map(find).collect()
}

fn targets(paths: &BTreeSet<String>, owner: &str, value: &Value) -> Vec<String> {
    let find = |text: String| {
        look_up(paths, owner, &text).unwrap_or_else(|| panic!("`{text}` is seen from `{owner}`"))
    };
    texts(value).into_iter().map(find).collect()
}
