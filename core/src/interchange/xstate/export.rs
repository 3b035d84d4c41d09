//! A definition as a config of XState.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::{
    XstateExport,
    build::{AFTER, millis},
    extra::{KEPT, OWN},
    json::{Json, order},
    target::Targets,
};
use crate::{
    definition::{Definition, HistoryKind, JoinCondition, Kind, Names, State, Transition, Trigger},
    interchange::{
        LeftOut, LeftOutCode,
        numbered::Numbered,
        places::{Places, ROOT},
    },
    name::is_guard_name,
    time::Duration,
};

/// Members of an object in the order in which they are written.
type Members = Vec<(String, Json)>;

pub(super) fn export(definition: &Definition) -> XstateExport {
    let mut export = Export {
        places: Places::new(),
        machines: Vec::new(),
        ways: alloc::vec![Vec::new()],
        targets: Targets::new(&definition.object_type),
        actions: Numbered::default(),
        takers: Vec::new(),
        guards: Guards::default(),
        left_out: Vec::new(),
    };
    export.machines.push(Machine {
        holder: ROOT,
        guards: &definition.guards,
        renamed: BTreeMap::new(),
        transitions: &definition.transitions,
        pointer: String::new(),
    });
    export.read_states(&definition.states, ROOT, "/states");
    export.read_guards();
    export.read_transitions();
    export.count_takers();
    let config = export.root(definition);
    let config = serde_json::to_string_pretty(&config).unwrap_or_default();
    XstateExport { config, left_out: export.left_out }
}

struct Export<'d> {
    places: Places<'d>,
    machines: Vec<Machine<'d>>,
    /// For each place the transitions out of it.
    ways: Vec<Vec<Way<'d>>>,
    targets: Targets,
    actions: Numbered<'d>,
    /// For each action how many states take it.
    takers: Vec<usize>,
    guards: Guards<'d>,
    left_out: Vec<LeftOut>,
}

struct Machine<'d> {
    holder: usize,
    guards: &'d BTreeMap<String, String>,
    /// Those that are written under another name.
    renamed: BTreeMap<String, String>,
    transitions: &'d [Transition],
    pointer: String,
}

/// A transition as it leads out of one state.
#[derive(Clone)]
struct Way<'d> {
    transition: &'d Transition,
    targets: Vec<String>,
    guard: Option<String>,
    /// Which transition of which machine, for its pointer.
    at: (usize, usize),
}

/// The names of guards in the one list that a config has.
#[derive(Default)]
struct Guards<'d> {
    /// All that have an expression.
    list: BTreeMap<String, String>,
    /// The expressions that got names, and these.
    texts: Numbered<'d>,
    names: Vec<String>,
    used: Numbered<'d>,
    /// The number of the last name that was made.
    last: usize,
}

impl<'d> Guards<'d> {
    /// A name for an expression.
    fn name(&mut self, text: &'d str) -> String {
        if let Some(known) = self.texts.position(text) {
            return self.names[known].clone();
        }
        let name = loop {
            self.last += 1;
            let name = format!("expression_{}", self.last);
            if !self.used.contains(&name) && !self.list.contains_key(&name) {
                break name;
            }
        };
        self.list.insert(name.clone(), text.into());
        self.texts.add(text);
        self.names.push(name.clone());
        name
    }
}

impl<'d> Export<'d> {
    fn leave_out(&mut self, code: LeftOutCode, pointer: String, message: impl Into<String>) {
        self.left_out.push(LeftOut { code, pointer, message: message.into() });
    }

    fn read_states(&mut self, states: &'d [State], parent: usize, pointer: &str) {
        for (index, state) in states.iter().enumerate() {
            let (place, _) = self.places.add(parent, &state.name, !state.regions.is_empty());
            self.ways.push(Vec::new());
            self.targets.add(parent, &state.name);
            let here = format!("{pointer}/{index}");
            if let Some(machine) = &state.sub_machine {
                self.machines.push(Machine {
                    holder: place,
                    guards: &machine.guards,
                    renamed: BTreeMap::new(),
                    transitions: &machine.transitions,
                    pointer: format!("{here}/sub_machine"),
                });
                self.read_states(&machine.states, place, &format!("{here}/sub_machine/states"));
            }
            self.read_states(&state.regions, place, &format!("{here}/regions"));
        }
    }

    /// Puts the guards of all machines into one list.
    fn read_guards(&mut self) {
        for machine in &self.machines {
            let named = machine.guards.keys().map(String::as_str);
            let asked = machine.transitions.iter().filter_map(|it| it.guard.as_deref());
            for name in named.chain(asked) {
                self.guards.used.add(name);
            }
        }
        for at in 0..self.machines.len() {
            let guards = self.machines[at].guards;
            for (name, text) in guards {
                match self.guards.list.get(name) {
                    None => {
                        self.guards.list.insert(name.clone(), text.clone());
                    }
                    Some(known) if known == text => {}
                    Some(_) => {
                        let new = self.guards.name(text);
                        let message = format!(
                            "another machine has a guard `{name}`, too: this one is called `{new}`, \
                             and guards that name it ask the other one"
                        );
                        self.machines[at].renamed.insert(name.clone(), new);
                        let pointer = format!("{}/guards", self.machines[at].pointer);
                        self.leave_out(LeftOutCode::Guard, pointer, message);
                    }
                }
            }
        }
    }

    fn read_transitions(&mut self) {
        for machine in 0..self.machines.len() {
            let transitions = self.machines[machine].transitions;
            for (index, transition) in transitions.iter().enumerate() {
                self.transition(machine, index, transition);
            }
        }
    }

    fn count_takers(&mut self) {
        // For each action the last state that takes it.
        let mut last = Vec::new();
        for (place, ways) in self.ways.iter().enumerate() {
            for action in ways.iter().filter_map(|way| way.transition.action.as_deref()) {
                if self.actions.insert(action) {
                    self.takers.push(0);
                    last.push(ROOT);
                }
                let Some(number) = self.actions.position(action) else { continue };
                if core::mem::replace(&mut last[number], place) != place {
                    self.takers[number] += 1;
                }
            }
        }
    }

    fn pointer(&self, (machine, index): (usize, usize)) -> String {
        format!("{}/transitions/{index}", self.machines[machine].pointer)
    }

    fn transition(&mut self, machine: usize, index: usize, transition: &'d Transition) {
        let (at, holder) = ((machine, index), self.machines[machine].holder);
        let pointer = self.pointer(at);
        if !transition.required_permissions.is_empty() {
            let message = "the permissions that it needs: in XState everybody can take it";
            let pointer = format!("{pointer}/required_permissions");
            self.leave_out(LeftOutCode::Permissions, pointer, message);
        }
        let mut targets = Vec::new();
        for text in transition.to_state.iter().flat_map(Names::as_slice) {
            let Some(place) = self.places.find(holder, text) else {
                let message = format!("the transition: its target `{text}` is no state");
                return self.leave_out(LeftOutCode::Transition, pointer, message);
            };
            targets.push(self.targets.text(place));
        }
        let guard = transition.guard.as_deref().map(|guard| self.guard(at, guard));
        let way = Way { transition, targets, guard, at };
        for text in transition.from_state.as_slice() {
            match self.places.find_inside(holder, text) {
                Some(place) => self.ways[place].push(way.clone()),
                None => {
                    let message = format!("the transition out of `{text}`, which is no state");
                    self.leave_out(LeftOutCode::Transition, pointer.clone(), message);
                }
            }
        }
    }

    /// The name by which a config asks a guard.
    fn guard(&mut self, at: (usize, usize), text: &'d str) -> String {
        if !is_guard_name(text) {
            return self.guards.name(text);
        }
        let mut holder = self.machines[at.0].holder;
        loop {
            if let Some(machine) = self.machine(holder) {
                if let Some(name) = machine.renamed.get(text) {
                    return name.clone();
                }
                if machine.guards.contains_key(text) {
                    return text.into();
                }
            }
            if holder == ROOT {
                break;
            }
            holder = self.places.machine_of(holder);
        }
        if self.guards.list.contains_key(text) {
            let pointer = format!("{}/guard", self.pointer(at));
            let message = format!(
                "that `{text}` is a function of the host here: another machine has a guard of this name"
            );
            self.leave_out(LeftOutCode::Guard, pointer, message);
        }
        text.into()
    }

    /// The machine that a state holds.
    fn machine(&self, holder: usize) -> Option<&Machine<'d>> {
        let found = self.machines.binary_search_by_key(&holder, |machine| machine.holder);
        found.ok().map(|at| &self.machines[at])
    }

    fn root(&mut self, definition: &Definition) -> Json {
        let mut members = Members::new();
        let mut metadata = definition.metadata.clone();
        let mut kept = take_kept(&mut metadata);
        members.push(("id".into(), definition.object_type.as_str().into()));
        if let Some(description) = kept.remove("description") {
            members.push(("description".into(), Json::from(&description)));
        }
        for field in ["context", "version", "output", "tags"] {
            if let Some(value) = kept.remove(field) {
                members.push((field.into(), Json::from(&value)));
            }
        }
        let states = &definition.states;
        self.initial(&mut members, &definition.initial_state, ROOT, states, "/initial_state");
        self.states(&mut members, states, ROOT, "/states");
        let mut guards = Map::new();
        for (name, text) in core::mem::take(&mut self.guards.list) {
            guards.insert(name, text.into());
        }
        let mut own = Map::new();
        own.insert("object_type".into(), definition.object_type.as_str().into());
        own.insert("version".into(), definition.version.into());
        own.insert("allow".into(), definition.allow.as_slice().into());
        put(&mut own, "history_enabled", (!definition.history_enabled).then_some(false.into()));
        put(&mut own, "guards", (!guards.is_empty()).then_some(guards.into()));
        members.extend(meta(metadata, kept, own));
        Json::Object(members)
    }

    fn initial(
        &mut self,
        members: &mut Members,
        names: &Names,
        holder: usize,
        states: &[State],
        pointer: &str,
    ) {
        let first = names.as_slice().first().and_then(|text| self.places.find_inside(holder, text));
        let mut child = first;
        while let Some(at) = child.filter(|at| self.places.parent(*at) != holder) {
            child = Some(self.places.parent(at));
        }
        if child != first || child.is_none() || names.as_slice().len() > 1 {
            let message = "what is inside of the state that is entered first: there XState begins \
                           with the `initial` of that state";
            self.leave_out(LeftOutCode::Target, pointer.into(), message);
        }
        let name = match child {
            Some(child) => self.places.name(child),
            None => states.first().map_or("", |state| state.name.as_str()),
        };
        members.push(("initial".into(), name.into()));
    }

    fn states(&mut self, members: &mut Members, states: &[State], parent: usize, pointer: &str) {
        let sorted = states.is_sorted_by_key(|state| order(&state.name));
        if !sorted {
            let message =
                "the order of the states: JavaScript puts names that are whole numbers first";
            self.leave_out(LeftOutCode::Order, pointer.into(), message);
        }
        let mut list = Members::new();
        for (index, state) in states.iter().enumerate() {
            let Some(place) = self.places.find_inside(parent, &state.name) else { continue };
            let pointer = format!("{pointer}/{index}");
            let config = self.state(state, place, &pointer);
            if state.name == "__proto__" {
                let message =
                    "JavaScript has no state of this name: `__proto__` is a word of its own";
                self.leave_out(LeftOutCode::Name, format!("{pointer}/name"), message);
            }
            list.push((state.name.clone(), config));
        }
        members.push(("states".into(), Json::Object(list)));
    }

    fn state(&mut self, state: &State, place: usize, pointer: &str) -> Json {
        let mut members = Members::new();
        if let Some(id) = self.targets.own_id(place) {
            members.push(("id".into(), Json::from(id)));
        }
        self.lost(state, pointer);
        let has_inside = state.sub_machine.is_some() || !state.regions.is_empty();
        if !state.regions.is_empty() {
            members.push(("type".into(), "parallel".into()));
        } else if state.history.is_some() {
            members.push(("type".into(), "history".into()));
        } else if state.is_terminal && !has_inside {
            members.push(("type".into(), "final".into()));
        }
        if state.history == Some(HistoryKind::Deep) {
            members.push(("history".into(), "deep".into()));
        }
        if let Some(targets) = state.default_target.as_ref().filter(|_| state.history.is_some()) {
            let around = self.places.parent(place);
            let mut found = Vec::new();
            for text in targets.as_slice() {
                match self.places.find(around, text) {
                    Some(target) => found.push(self.targets.text(target)),
                    None => {
                        let message = format!("where it leads first: `{text}` is no state");
                        let pointer = format!("{pointer}/default_target");
                        self.leave_out(LeftOutCode::Target, pointer, message);
                    }
                }
            }
            members.extend(texts("target", &found));
        }
        let mut metadata = state.metadata.clone();
        let mut kept = take_kept(&mut metadata);
        if let Some(description) = &state.description {
            members.push(("description".into(), description.as_str().into()));
        }
        for field in ["tags", "output"] {
            if let Some(value) = kept.remove(field) {
                members.push((field.into(), Json::from(&value)));
            }
        }
        if state.history.is_none() {
            self.behaviour(&mut members, state, place, pointer);
        }
        if let Some(machine) = &state.sub_machine {
            let pointer = format!("{pointer}/sub_machine");
            let (initial, states) = (&machine.initial_state, &machine.states);
            let initial_pointer = format!("{pointer}/initial_state");
            self.initial(&mut members, initial, place, states, &initial_pointer);
            self.states(&mut members, states, place, &format!("{pointer}/states"));
        }
        if !state.regions.is_empty() {
            self.states(&mut members, &state.regions, place, &format!("{pointer}/regions"));
        }
        members.extend(meta(metadata, kept, own_of(state)));
        Json::Object(members)
    }

    /// Names what XState has no word for.
    fn lost(&mut self, state: &State, pointer: &str) {
        let has_inside = state.sub_machine.is_some() || !state.regions.is_empty();
        let notice = state.timeout.as_ref().is_some_and(|timeout| timeout.notify_before.is_some());
        for (lost, code, field, message) in [
            (
                !state.permits.is_empty(),
                LeftOutCode::Permits,
                "permits",
                "the operations that it permits",
            ),
            (
                !state.entry_conditions.is_empty(),
                LeftOutCode::EntryConditions,
                "entry_conditions",
                "what must be true of an object in it: XState does not ask",
            ),
            (
                state.join_condition == JoinCondition::Any,
                LeftOutCode::JoinCondition,
                "join_condition",
                "that one region is enough: in XState all must have ended",
            ),
            (
                state.required == Some(false),
                LeftOutCode::Required,
                "required",
                "that the state around it does not wait for it: in XState it does",
            ),
            (
                state.is_terminal && has_inside,
                LeftOutCode::Terminal,
                "is_terminal",
                "that it is an end: in XState an end has nothing inside",
            ),
            (
                notice,
                LeftOutCode::Timeout,
                "timeout/notify_before",
                "the notice before the timeout",
            ),
        ] {
            if lost {
                self.leave_out(code, format!("{pointer}/{field}"), message);
            }
        }
    }

    /// What happens in a state: effects and transitions.
    fn behaviour(&mut self, members: &mut Members, state: &State, place: usize, pointer: &str) {
        let has_inside = state.sub_machine.is_some() || !state.regions.is_empty();
        // XState leaves what is active as the machine ends, and then nothing follows.
        let is_end = state.is_terminal && !has_inside && self.places.parent(place) == ROOT;
        members.extend(texts("entry", &state.on_enter));
        if !is_end {
            members.extend(texts("exit", &state.on_exit));
        }
        let ways = core::mem::take(&mut self.ways[place]);
        if is_end {
            for way in &ways {
                let message = "the transition: in XState the machine has ended in its state";
                self.leave_out(LeftOutCode::Transition, self.pointer(way.at), message);
            }
            return;
        }
        let timed = state.timeout.as_ref().map(|timeout| timeout.action.as_str());
        let mut on: Vec<(&str, Vec<Json>)> = Vec::new();
        let mut by_action: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut always, mut done) = (Vec::new(), Vec::new());
        for way in &ways {
            let transition = way.transition;
            match transition.trigger {
                Trigger::Automatic => always.push(config_of(way, None)),
                Trigger::Completion if has_inside => done.push(config_of(way, None)),
                Trigger::Completion => {
                    let message = "the transition: its state has nothing inside that could end";
                    self.leave_out(LeftOutCode::Transition, self.pointer(way.at), message);
                }
                Trigger::Action => {
                    let action = transition.asked();
                    if action.starts_with(AFTER) && timed == Some(action) {
                        continue;
                    }
                    if self.is_unwritable(way, action) {
                        continue;
                    }
                    let next = on.len();
                    let at = *by_action.entry(action).or_insert(next);
                    if at == next {
                        on.push((action, Vec::new()));
                    }
                    on[at].1.push(config_of(way, None));
                }
            }
        }
        if !on.is_empty() {
            let on = on.into_iter().map(|(action, ways)| (action.into(), one_or_list(ways)));
            members.push(("on".into(), Json::Object(on.collect())));
        }
        members.extend(list("always", always));
        if let Some(after) = self.after(state, &ways, pointer) {
            members.push(("after".into(), after));
        }
        members.extend(list("onDone", done));
    }

    /// Whether XState takes the action for something else.
    fn is_unwritable(&mut self, way: &Way<'_>, action: &str) -> bool {
        let stem = action.strip_suffix(".*").unwrap_or(if action == "*" { "" } else { action });
        let internal =
            ["xstate.", "done.state.", "done.invoke.", "error.platform.", "error.execution"];
        let is_internal = internal.iter().any(|inside| action.starts_with(inside));
        if action.is_empty() || stem.contains('*') || is_internal {
            let message = format!("the transition: to XState `{action}` is no event of the world");
            self.leave_out(LeftOutCode::Transition, self.pointer(way.at), message);
            return true;
        }
        if stem != action {
            let pointer = format!("{}/action", self.pointer(way.at));
            let message =
                format!("that `{action}` is one action: in XState it stands for many events");
            self.leave_out(LeftOutCode::Action, pointer, message);
        }
        false
    }

    fn after(&mut self, state: &State, ways: &[Way<'_>], pointer: &str) -> Option<Json> {
        let timeout = state.timeout.as_ref()?;
        let pointer = format!("{pointer}/timeout");
        let Ok(after) = timeout.after.parse::<Duration>() else {
            let message = format!("the timeout: `{}` is no duration", timeout.after);
            self.leave_out(LeftOutCode::Timeout, pointer, message);
            return None;
        };
        let action = timeout.action.as_str();
        let timed: Vec<Json> = ways
            .iter()
            .filter(|way| way.transition.action.as_deref() == Some(action))
            .map(|way| config_of(way, Some(action)))
            .collect();
        let takers = self.actions.position(action).map_or(0, |number| self.takers[number]);
        if timed.is_empty() || takers > 1 {
            let message = match timed.is_empty() {
                true => "the timeout: no transition of the state takes its action",
                false => {
                    "that its action is decided by all active states: in XState a delay is \
                          its state's own"
                }
            };
            self.leave_out(LeftOutCode::Timeout, pointer, message);
        }
        (!timed.is_empty()).then(|| Json::Object([(millis(after), one_or_list(timed))].into()))
    }
}

/// What XState does not read of a state; [`StateExtra`](super::extra::StateExtra) reads it.
fn own_of(state: &State) -> Map<String, Value> {
    let mut own = Map::new();
    put_text(&mut own, "display_name", state.display_name.as_deref());
    if state.kind != Kind::default() {
        put(&mut own, "kind", serde_json::to_value(state.kind).ok());
    }
    put_list(&mut own, "permits", &state.permits);
    if !state.entry_conditions.is_empty() {
        put(&mut own, "entry_conditions", serde_json::to_value(&state.entry_conditions).ok());
    }
    if state.join_condition != JoinCondition::default() {
        put(&mut own, "join_condition", serde_json::to_value(state.join_condition).ok());
    }
    put(&mut own, "required", state.required.map(Value::from));
    let notice = state.timeout.as_ref().and_then(|timeout| timeout.notify_before.as_deref());
    put_text(&mut own, "notify_before", notice);
    if let Some(machine) = &state.sub_machine {
        let mut inside = Map::new();
        put_text(&mut inside, "object_type", machine.object_type.as_deref());
        let metadata = &machine.metadata;
        put(&mut inside, "metadata", (!metadata.is_empty()).then(|| metadata.clone().into()));
        put(&mut own, "sub_machine", (!inside.is_empty()).then_some(inside.into()));
    }
    own
}

fn put(own: &mut Map<String, Value>, field: &str, value: Option<Value>) {
    if let Some(value) = value {
        own.insert(field.into(), value);
    }
}

fn put_text(own: &mut Map<String, Value>, field: &str, text: Option<&str>) {
    put(own, field, text.map(Value::from));
}

fn put_list(own: &mut Map<String, Value>, field: &str, texts: &[String]) {
    put(own, field, (!texts.is_empty()).then(|| texts.into()));
}

/// One transition; `timer` is the action of the timeout that it belongs to.
fn config_of(way: &Way<'_>, timer: Option<&str>) -> Json {
    let transition = way.transition;
    let mut members = Members::new();
    members.extend(texts("target", &way.targets));
    if let Some(guard) = &way.guard {
        members.push(("guard".into(), guard.as_str().into()));
    }
    members.extend(texts("actions", &transition.side_effects));
    if transition.reenter && !way.targets.is_empty() {
        members.push(("reenter".into(), Json::Bool(true)));
    }
    let mut metadata = transition.metadata.clone();
    let mut kept = take_kept(&mut metadata);
    if let Some(description) = kept.remove("description") {
        members.push(("description".into(), Json::from(&description)));
    }
    let mut own = Map::new();
    own.insert("name".into(), transition.name.as_str().into());
    put_text(&mut own, "display_name", transition.display_name.as_deref());
    put_text(&mut own, "action", timer);
    put_list(&mut own, "required_permissions", &transition.required_permissions);
    members.extend(meta(metadata, kept, own));
    Json::Object(members)
}

/// Takes out what an import has put into `metadata`.
fn take_kept(metadata: &mut Map<String, Value>) -> Map<String, Value> {
    match metadata.remove(KEPT) {
        Some(Value::Object(kept)) => kept,
        Some(other) => {
            metadata.insert(KEPT.into(), other);
            Map::new()
        }
        None => Map::new(),
    }
}

/// The free data of the author, and our own.
fn meta(
    mut metadata: Map<String, Value>,
    mut kept: Map<String, Value>,
    own: Map<String, Value>,
) -> Option<(String, Json)> {
    match kept.remove("meta") {
        Some(Value::Object(meta)) => {
            for (key, value) in meta {
                metadata.insert(key, value);
            }
        }
        Some(other) => {
            metadata.insert("meta".into(), other);
        }
        None => {}
    }
    if !kept.is_empty() {
        metadata.entry(KEPT).or_insert(Value::Object(kept));
    }
    if !own.is_empty() {
        metadata.insert(OWN.into(), Value::Object(own));
    }
    (!metadata.is_empty()).then(|| ("meta".into(), Json::from(&metadata)))
}

/// A field with one text or a list of them.
fn texts(field: &str, texts: &[String]) -> Option<(String, Json)> {
    let texts: Vec<Json> = texts.iter().map(|text| text.as_str().into()).collect();
    list(field, texts)
}

fn list(field: &str, values: Vec<Json>) -> Option<(String, Json)> {
    (!values.is_empty()).then(|| (field.into(), one_or_list(values)))
}

fn one_or_list(mut values: Vec<Json>) -> Json {
    match values.pop() {
        Some(only) if values.is_empty() => only,
        Some(last) => {
            values.push(last);
            Json::List(values)
        }
        None => Json::List(values),
    }
}
