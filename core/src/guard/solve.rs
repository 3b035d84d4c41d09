//! Which data make comparisons true: an example, or that there is none.
//!
//! A comparison with a literal changes its answer only at the literal, so a few
//! values for each literal stand for all that JSON can hold: the literal, its
//! neighbours, something between two of them, and something of every type.
//! Numbers are ints, or doubles that are not whole or not in the range of an
//! int; these are rows of their own, since beyond 2^53 ints are compared exactly
//! with ints and as doubles with doubles.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use serde_json::{Map, Value as Json};

use super::{
    ActiveStates, Guard, Guards, Kind, Scene,
    alternatives::{Alternative, Comparison, Place, Reader, Test},
    budget::{Budget, TooCostly},
    program::Root,
    run::{Run, World},
    tree::Operator,
    value::{Field, Value, whole},
};
use crate::step::Context;

/// Finds guards that can never be true, and those that can be true together.
///
/// Its work is bounded by the number of guards; what is left then stays undecided.
#[derive(Debug)]
pub(crate) struct Solver<'p> {
    table: &'p [Guard],
    /// Of each guard whether it is known never to be true.
    never: Vec<bool>,
    /// Of each guard the alternatives that an example can be given for.
    possible: Vec<Vec<Alternative<'p>>>,
    budget: Budget,
    /// Bound of one evaluation.
    steps: usize,
    hosts: Guards,
}

/// Data on which guards are true.
#[derive(Debug, Default)]
pub(crate) struct Example {
    object: Json,
    ctx: Context,
    /// What of it matters: `object = {"amount":5}`; empty where nothing does.
    pub(crate) text: String,
}

/// What is known of comparisons.
enum Answer<'p> {
    Possible(Vec<(Place<'p>, Option<Json>)>),
    Impossible,
    Undecided,
}

impl<'p> Solver<'p> {
    /// So much work can always be done, about a comparison each.
    const STEPS: usize = 2_000_000;
    /// And so much more for each guard.
    const STEPS_PER_GUARD: usize = 64;
    /// Nobody reads thousands of findings.
    const STEPS_PER_FINDING: usize = 500;

    pub(crate) fn new(table: &'p [Guard], hosts: usize, steps: usize) -> Self {
        let budget = Budget::new(Self::STEPS + Self::STEPS_PER_GUARD * table.len());
        let never = vec![false; table.len()];
        let possible = table.iter().map(|_| Vec::new()).collect();
        Self { table, never, possible, budget, steps, hosts: Guards::new(hosts) }
    }

    /// Whether more can be done.
    pub(crate) fn goes_on(&mut self) -> bool {
        self.budget.spend(1).is_ok()
    }

    /// Why a guard can never be true; nothing where it can, or where that is not known. Each guard is asked
    /// once, behind those that it names.
    pub(crate) fn never_true(&mut self, id: u32) -> Option<String> {
        let Kind::Expression(program) = &self.table[id as usize].kind else { return None };
        let mut reader = Reader { table: self.table, never: &self.never, budget: &self.budget };
        let mut alternatives = reader.read(program, program.root, true);
        let mut is_never = true;
        for alternative in &mut alternatives {
            let answer = solve(&alternative.comparisons, &self.budget);
            is_never &= matches!(answer, Ok(Answer::Impossible));
            // No example can be given for it.
            alternative.is_partial |= !matches!(answer, Ok(Answer::Possible(_)));
        }
        self.never[id as usize] = is_never;
        if is_never {
            return Some(self.cause(&alternatives));
        }
        alternatives.retain(|alternative| !alternative.is_partial);
        self.possible[id as usize] = alternatives;
        None
    }

    /// What excludes what, in a guard that can never be true.
    fn cause(&mut self, alternatives: &[Alternative<'p>]) -> String {
        let Some(first) = alternatives.first() else {
            return "it is false whatever the input is".into();
        };
        let others = match alternatives.len() {
            1 => "",
            _ => ", and so it is with each of its alternatives",
        };
        let all = &first.comparisons;
        let is_impossible =
            |some: &[Comparison<'p>]| matches!(solve(some, &self.budget), Ok(Answer::Impossible));
        if let Some(one) = all.iter().find(|one| is_impossible(&[**one])) {
            return format!("`{}` never holds{others}", one.source());
        }
        for (at, one) in all.iter().enumerate() {
            if let Some(other) = all[..at].iter().find(|other| is_impossible(&[**other, *one])) {
                let (one, other) = (one.source(), other.source());
                return format!("`{other}` and `{one}` exclude each other{others}");
            }
        }
        format!("its comparisons exclude each other{others}")
    }

    /// Data on which two guards are both true, in a state: each was asked. Both have been asked whether they
    /// are never true.
    pub(crate) fn overlap(&mut self, a: u32, b: u32, states: ActiveStates<'_>) -> Option<Example> {
        let (ones, others) = (self.possible[a as usize].len(), self.possible[b as usize].len());
        for (one, other) in (0..ones).flat_map(|one| (0..others).map(move |other| (one, other))) {
            let one = &self.possible[a as usize][one].comparisons;
            let other = &self.possible[b as usize][other].comparisons;
            let all = [one.as_slice(), other.as_slice()].concat();
            let Ok(answer) = solve(&all, &self.budget) else { return None };
            let Answer::Possible(found) = answer else { continue };
            let example = Example::new(found);
            // What is said of an example is true of it, whatever was reckoned.
            if self.is_true(a, &example, states) && self.is_true(b, &example, states) {
                self.budget.spend(Self::STEPS_PER_FINDING + example.text.len()).ok()?;
                return Some(example);
            }
        }
        None
    }

    /// Asks a guard as a machine would, as long as there are steps left.
    fn is_true(&mut self, id: u32, example: &Example, states: ActiveStates<'_>) -> bool {
        let Kind::Expression(program) = &self.table[id as usize].kind else { return false };
        let (object, ctx) = (&example.object, &example.ctx);
        let scene = Scene { object, ctx, states, explained: false, budget: None };
        let world = World::Machine { scene, guards: &self.hosts, table: self.table };
        let steps = self.steps.min(self.budget.left());
        let mut run = Run::new(program, world, steps);
        let answer = run.holds();
        self.budget.spend(steps - run.left()).is_ok() && matches!(answer, Ok(true))
    }
}

/// Whether comparisons can hold together. Each path is by itself: a path and a path below it do not differ,
/// but that what is below another is in a map.
fn solve<'p>(all: &[Comparison<'p>], budget: &Budget) -> Result<Answer<'p>, TooCostly> {
    let (mut found, mut is_decided) = (Vec::new(), true);
    for (at, first) in all.iter().enumerate() {
        budget.spend(all.len())?;
        let place = first.place;
        if all[..at].iter().any(|one| one.place == place) {
            continue;
        }
        let here: Vec<Comparison<'p>> =
            all.iter().filter(|one| one.place == place).copied().collect();
        let is_map = all.iter().any(|one| one.place.is_below(place));
        match fitting(place, &here, is_map, budget)? {
            Fit::Value(value) => found.push((place, Some(value))),
            Fit::Absent => found.push((place, None)),
            // An object that is null has no fields, and can be asked for them.
            Fit::None if is_map && place.keys.is_empty() && place.root == Root::Object => {
                is_decided = false;
            }
            Fit::None => return Ok(Answer::Impossible),
        }
    }
    Ok(if is_decided { Answer::Possible(found) } else { Answer::Undecided })
}

/// What one path can be.
enum Fit {
    Value(Json),
    /// It must not be there.
    Absent,
    /// Nothing fits.
    None,
}

/// Finds a value of one path for which all comparisons hold.
fn fitting(
    place: Place<'_>,
    all: &[Comparison<'_>],
    is_map: bool,
    budget: &Budget,
) -> Result<Fit, TooCostly> {
    let field = match place.root {
        Root::Field(field) if place.keys.is_empty() => Some(field),
        _ => None,
    };
    if all.iter().any(|one| !one.holds && matches!(one.test, Test::Has)) {
        let nothing_else = all.iter().all(|one| !one.holds && matches!(one.test, Test::Has));
        let always = matches!(field, Some(Field::Permissions | Field::Config | Field::Metadata));
        let is_possible = nothing_else && !always && !is_map;
        return Ok(if is_possible { Fit::Absent } else { Fit::None });
    }
    let can_be = |value: &Json| match field {
        _ if is_map => value.is_object(),
        None => true,
        Some(Field::Permissions) => value.is_array(),
        Some(Field::Config | Field::Metadata) => value.is_object(),
        Some(_) => value.is_string(),
    };
    let literals = literals(all);
    let is_text = literals.first().is_none_or(|literal| literal.text().is_some());
    let first_fitting = |values: Vec<Json>| -> Result<Option<Json>, TooCostly> {
        for value in values {
            budget.spend(1)?;
            budget.spend_text(value.as_str().map_or(0, str::len))?;
            let (read, mut fits) = (Value::of(&value), can_be(&value));
            for one in all {
                fits = fits && one.is_met(&read, budget)?;
            }
            if fits {
                return Ok(Some(value));
            }
        }
        Ok(None)
    };
    // The first that fits is shown to people.
    let mut found = first_fitting(if is_text { vec![ANY_TEXT.into()] } else { Vec::new() })?;
    for literal in &literals {
        if found.is_none() {
            found = first_fitting(near(literal))?;
        }
    }
    if found.is_none() {
        found = first_fitting(general(all))?;
    }
    if found.is_none() {
        found = first_fitting(between(&literals))?;
    }
    Ok(found.map_or(Fit::None, Fit::Value))
}

/// The literals that a path is compared with.
fn literals<'p>(all: &[Comparison<'p>]) -> Vec<Value<'p>> {
    let mut literals = Vec::new();
    for one in all {
        match one.test {
            Test::Compare(Operator::In, Value::List(list)) => {
                for at in 0..list.len() {
                    literals.extend(list.get(at));
                }
            }
            Test::Compare(_, literal) => literals.push(literal.borrowed()),
            Test::Has | Test::Is | Test::Contains(_) => {}
        }
    }
    literals
}

/// Some text.
const ANY_TEXT: &str = "x";

/// A literal and its neighbours.
fn near(literal: &Value<'_>) -> Vec<Json> {
    let number = match literal {
        Value::Int(value) => *value,
        Value::Uint(value) => i64::try_from(*value).unwrap_or(i64::MAX),
        #[expect(clippy::cast_possible_truncation, reason = "its neighbours are meant")]
        Value::Double(value) => *value as i64,
        Value::Bool(value) => return vec![(*value).into()],
        other => {
            let Some(text) = other.text() else { return vec![Json::Null] };
            // Nothing is between a text and the one that has a zero more.
            return vec![
                text.into(),
                format!("{text}{ANY_TEXT}").into(),
                format!("{text}\0").into(),
            ];
        }
    };
    let near = [number, number.saturating_add(1), number.saturating_sub(1)].map(Json::from);
    let mut near = Vec::from(near);
    if let Value::Double(value) = literal
        && whole(*value).is_none()
    {
        near.insert(0, (*value).into());
    }
    near
}

/// Something of every type; of the doubles that are whole, those beyond the ints and where these end.
fn general(all: &[Comparison<'_>]) -> Vec<Json> {
    let (mut items, mut map) = (Vec::new(), Map::new());
    for one in all {
        if let (Test::Contains(text), true) = (one.test, one.holds) {
            items.push(text.into());
            map.insert(text.into(), Json::Null);
        }
    }
    vec![
        0.into(),
        ANY_TEXT.into(),
        "".into(),
        9_223_372_036_854_775_808.0.into(),
        1e19.into(),
        (-1e19).into(),
        true.into(),
        false.into(),
        Json::Null,
        Json::Array(items),
        Json::Object(map),
    ]
}

/// A number between each number and the next one.
fn between(literals: &[Value<'_>]) -> Vec<Json> {
    let mut numbers = Vec::new();
    for literal in literals {
        #[expect(clippy::cast_precision_loss, reason = "so are they compared")]
        match literal {
            Value::Int(value) => numbers.push(*value as f64),
            Value::Uint(value) => numbers.push(*value as f64),
            Value::Double(value) => numbers.push(*value),
            _ => {}
        }
    }
    let mut between = Vec::new();
    for &a in &numbers {
        let next =
            numbers.iter().fold(f64::INFINITY, |next, &b| if b > a { next.min(b) } else { next });
        if next.is_finite() {
            between.push(f64::midpoint(a, next).into());
        }
    }
    between
}

impl Example {
    fn new(found: Vec<(Place<'_>, Option<Json>)>) -> Self {
        let mut roots = Map::new();
        for (place, value) in found {
            let mut keys = match place.root {
                Root::Field(field) => vec!["ctx", field.name()],
                _ => vec!["object"],
            };
            keys.extend(place.keys.iter().map(AsRef::as_ref));
            put(&mut roots, &keys, value.as_ref());
        }
        let mut text = String::new();
        for (root, value) in &roots {
            text.push_str(if text.is_empty() { "" } else { ", " });
            text.push_str(root);
            text.push_str(" = ");
            text.push_str(&value.to_string());
        }
        let mut ctx = Context::default();
        if let Some(fields) = roots.get("ctx") {
            let text = |field: Field| fields.get(field.name())?.as_str().map(String::from);
            let map = |field: Field| fields.get(field.name())?.as_object().cloned();
            ctx.actor_id = text(Field::ActorId);
            ctx.actor_type = text(Field::ActorType);
            ctx.tenant_id = text(Field::TenantId);
            ctx.world_id = text(Field::WorldId);
            ctx.config = map(Field::Config).unwrap_or_default();
            ctx.metadata = map(Field::Metadata).unwrap_or_default();
            if let Some(Json::Array(list)) = fields.get(Field::Permissions.name()) {
                ctx.permissions.extend(list.iter().filter_map(Json::as_str).map(String::from));
            }
        }
        let object = roots.get("object").cloned();
        Self { object: object.unwrap_or_else(|| Json::Object(Map::new())), ctx, text }
    }
}

/// Puts a value, or nothing, where the keys lead to. A map is laid under what is there.
fn put(map: &mut Map<String, Json>, keys: &[&str], value: Option<&Json>) {
    match (keys, value) {
        ([], Some(Json::Object(more))) => {
            for (name, value) in more {
                if !map.contains_key(name) {
                    map.insert(name.clone(), value.clone());
                }
            }
        }
        ([], _) | ([_], None) => {}
        ([key], Some(value)) if !value.is_object() => _ = map.insert((*key).into(), value.clone()),
        ([key, rest @ ..], _) => {
            let inner = map.get(*key).and_then(Json::as_object).cloned();
            let mut inner = inner.unwrap_or_default();
            put(&mut inner, rest, value);
            map.insert((*key).into(), Json::Object(inner));
        }
    }
}
