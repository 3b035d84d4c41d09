//! Running a program: a value, or unknown with every cause.
//!
//! Rules of this module. (1) Nothing is taken for false in silence: what has
//! no value is an [`Unknown`]. (2) Both sides of an operator are tried, so
//! that all causes are named. (3) Every step is paid for. Source: DESIGN §3,
//! CEL language definition, "Evaluation".

use alloc::{borrow::ToOwned, boxed::Box, format, string::String, sync::Arc, vec::Vec};
use core::cmp::Ordering;

use chrono::FixedOffset;
use serde_json::{Map as JsonMap, Value as Json};

use super::{
    Guard, Guards, Kind, Scene,
    arithmetic::{self, Fault, calculate},
    budget::{Budget, TooCostly},
    cause::{Unknown, also, both},
    compare, convert,
    functions::{Function, Loop},
    literal,
    moment::{Part, read_zone},
    path,
    pattern::Pattern,
    program::{LoopNode, Node, NodeId, Program, Range, Root},
    trace::Trace,
    tree::Operator,
    types::Types,
    value::{List, Map, Value, whole},
};

/// What the names of an expression stand for.
#[derive(Clone, Copy, Debug)]
pub(super) enum World<'v> {
    /// Of a guard of a machine.
    Machine { scene: Scene<'v>, guards: &'v Guards, table: &'v [Guard] },
    /// Of an expression that is tried by itself; whether a name holds a dot.
    Variables { map: &'v JsonMap<String, Json>, dotted: bool },
    /// Of a constant.
    Nothing,
}

/// A variable of a macro, with the item that it stands for at present.
#[derive(Clone, Debug)]
pub(super) struct Local<'v> {
    pub(super) value: Value<'v>,
    over: NodeId,
    /// The item's position; none for the key of a map.
    at: Option<usize>,
}

/// One evaluation.
#[derive(Debug)]
pub(super) struct Run<'v> {
    pub(super) program: &'v Program,
    pub(super) world: World<'v>,
    pub(super) budget: Budget,
    limit: usize,
    pub(super) locals: Vec<Local<'v>>,
    /// Where the variables of the present program begin.
    pub(super) base: usize,
    /// What the host's functions have said: each is asked once.
    asked: Vec<(u32, Result<bool, Unknown>)>,
    pub(super) trace: Option<Trace<'v>>,
}

type Answer<'v> = Result<Value<'v>, Unknown>;

impl<'v> Run<'v> {
    #[inline]
    pub(super) fn new(program: &'v Program, world: World<'v>, limit: usize) -> Self {
        let budget = Budget::new(limit);
        let (locals, asked) = (Vec::new(), Vec::new());
        Self { program, world, budget, limit, locals, base: 0, asked, trace: None }
    }

    /// Takes notes of what is read.
    pub(super) fn traced(self) -> Self {
        Self { trace: Some(Trace::default()), ..self }
    }

    /// The same evaluation once more, with notes and with the answers of the host.
    pub(super) fn again(self) -> Self {
        let asked = self.asked;
        Self { asked, ..Self::new(self.program, self.world, self.limit).traced() }
    }

    pub(super) fn into_trace(self) -> Trace<'v> {
        self.trace.unwrap_or_default()
    }

    /// The steps that are left.
    pub(super) fn left(&self) -> usize {
        self.budget.left()
    }

    /// The value of the program, light enough to be written down.
    pub(super) fn value(&mut self) -> Answer<'v> {
        let value = self.eval(self.program.root)?;
        value.weigh(&mut self.budget).map_err(|error| self.costly(error))?;
        Ok(value)
    }

    /// The answer of the program as a guard.
    #[inline]
    pub(super) fn holds(&mut self) -> Result<bool, Unknown> {
        match self.glance_at_all() {
            Some(answer) => Ok(answer),
            None => self.truth(self.program.root),
        }
    }

    #[inline]
    fn spend(&self, steps: usize) -> Result<(), Unknown> {
        self.budget.spend(steps).map_err(|error| self.costly(error))
    }

    /// A cause costs, too: it is some text that is written.
    fn cause(&self, path: Option<&String>) {
        // Where that is too costly, the next step says so.
        let _ = self.budget.spend(CAUSE + path.map_or(0, String::len) / 16);
    }

    fn costly(&self, _: TooCostly) -> Unknown {
        Unknown::too_costly(self.limit)
    }

    fn expected(&self, id: NodeId) -> Types {
        self.program.expected[id as usize]
    }

    fn mark(&self) -> usize {
        self.trace.as_ref().map_or(0, Trace::len)
    }

    fn wrong_type(&self, id: NodeId, value: &Value<'_>, expected: Types) -> Unknown {
        let path = self.path(id);
        self.cause(path.as_ref());
        Unknown::wrong_type(path, self.program.source(id), Types::of(value), expected)
    }

    fn missing(&self, path: String, expected: Types) -> Unknown {
        self.cause(Some(&path));
        Unknown::missing(path, expected)
    }

    fn no_value(&self, id: NodeId, why: &str) -> Unknown {
        self.cause(None);
        Unknown::no_value(self.program.source(id), why)
    }

    /// True, false or unknown. `&&` and `||` are decided by one side where that is possible.
    fn truth(&mut self, id: NodeId) -> Result<bool, Unknown> {
        match self.program.node(id) {
            Node::And(parts) => self.joined(parts, false),
            Node::Or(parts) => {
                let mark = self.mark();
                let answer = self.joined(parts, true);
                self.blame(id, mark, &answer);
                answer
            }
            Node::If(condition, yes, no) => {
                self.spend(1)?;
                match self.truth(condition)? {
                    true => self.truth(yes),
                    false => self.truth(no),
                }
            }
            Node::Guard(number) => self.guard(number),
            _ => {
                if let Some(answer) = self.glance(id) {
                    return Ok(answer);
                }
                let mark = self.mark();
                let answer = match self.eval(id) {
                    Ok(Value::Bool(answer)) => Ok(answer),
                    Ok(value) => Err(self.wrong_type(id, &value, Types::BOOL)),
                    Err(unknown) => Err(unknown),
                };
                self.blame(id, mark, &answer);
                answer
            }
        }
    }

    /// Notes which part is false, and what was read for it.
    fn blame(&mut self, id: NodeId, mark: usize, answer: &Result<bool, Unknown>) {
        if let (Some(trace), Ok(false)) = (&mut self.trace, answer) {
            trace.blame(self.program.source(id), mark);
        }
    }

    /// Parts joined by `&&` (decided by a false one) or `||` (decided by a true one).
    #[inline]
    fn joined(&mut self, parts: Range, decides: bool) -> Result<bool, Unknown> {
        let mut unknown = None;
        for &part in self.program.list(parts) {
            match self.truth(part) {
                Ok(answer) if answer == decides => return Ok(decides),
                Ok(_) => {}
                Err(cause) => also(&mut unknown, cause),
            }
        }
        unknown.map_or(Ok(!decides), Err)
    }

    fn guard(&mut self, number: u32) -> Result<bool, Unknown> {
        self.spend(1)?;
        let World::Machine { scene, guards, table } = self.world else {
            let (name, _) = &self.program.guards[number as usize];
            return Err(Unknown::missing(name.as_ref().to_owned(), Types::BOOL));
        };
        let guard = &table[self.program.guard_ids[number as usize] as usize];
        match &guard.kind {
            Kind::Host(slot) => {
                self.spend(self.asked.len() / 8)?;
                if let Some((_, answer)) = self.asked.iter().find(|(asked, _)| asked == slot) {
                    return answer.clone();
                }
                let answer = guards.ask(*slot, &guard.key, scene);
                self.asked.push((*slot, answer.clone()));
                answer
            }
            Kind::Expression(program) => {
                let outer = core::mem::replace(&mut self.program, program);
                let base = core::mem::replace(&mut self.base, self.locals.len());
                let answer = self.truth(program.root);
                (self.program, self.base) = (outer, base);
                answer
            }
        }
    }

    fn eval(&mut self, id: NodeId) -> Answer<'v> {
        self.spend(1)?;
        let program = self.program;
        match program.node(id) {
            Node::Constant(number) => Ok(program.constants[number as usize].borrowed()),
            Node::Path(root, keys) => self.read(id, root, keys),
            Node::HasPath(root, keys) => self.has_path(root, keys),
            Node::Local(_) => {
                let value = self.held(id)?;
                self.note(id, &value);
                Ok(value)
            }
            Node::Select(of, name) => {
                let of_value = self.held(of)?;
                self.select(id, of, &of_value, &program.names[name as usize])
            }
            Node::Has(of, name) => match self.eval(of)? {
                Value::Map(map) => {
                    Ok(Value::Bool(map.field(&program.names[name as usize]).is_some()))
                }
                other => Err(self.wrong_type(of, &other, Types::MAP)),
            },
            Node::Index(of, at) => {
                let (of_value, at_value) = both(self.held(of), self.held(at))?;
                self.index(id, of, at, &of_value, &at_value)
            }
            Node::Not(inner) => Ok(Value::Bool(!self.truth(inner)?)),
            Node::And(_) | Node::Or(_) | Node::Guard(_) => self.truth(id).map(Value::Bool),
            Node::Negate(inner) => {
                let value = self.eval(inner)?;
                arithmetic::negate(&value).map_err(|fault| match fault {
                    Fault::Type => self.wrong_type(inner, &value, Types::INT.or(Types::DOUBLE)),
                    Fault::Value(why) => self.no_value(id, why),
                    Fault::TooCostly => self.costly(TooCostly),
                })
            }
            Node::Binary(operator, left, right) => self.binary(id, operator, left, right),
            Node::If(condition, yes, no) => match self.truth(condition)? {
                true => self.eval(yes),
                false => self.eval(no),
            },
            Node::List(items) => {
                let items = self.all(program.list(items))?;
                self.spend(items.len())?;
                Ok(Value::List(List::Made(Arc::from(items))))
            }
            Node::Map(entries) => self.map(id, program.list(entries)),
            Node::Call(function, args) => self.call(id, function, program.list(args)),
            Node::Matches(of, pattern) => {
                let value = self.eval(of)?;
                self.matches(of, &value, &program.patterns[pattern as usize])
            }
            Node::Loop(number) => self.run_loop(program.loops[number as usize]),
            Node::NoFunction(name) => Err(Unknown::no_function(&program.names[name as usize])),
        }
    }

    /// The value of a part that is only gone through: a variable of a macro is then no reading of its own.
    fn held(&mut self, id: NodeId) -> Answer<'v> {
        match self.program.node(id) {
            Node::Local(slot) => Ok(self.locals[self.base + slot as usize].value.clone()),
            _ => self.eval(id),
        }
    }

    /// All values, or the causes of those that have none.
    fn all(&mut self, ids: &[NodeId]) -> Result<Vec<Value<'v>>, Unknown> {
        let mut values = Vec::with_capacity(ids.len());
        let mut unknown = None;
        for &id in ids {
            match self.eval(id) {
                Ok(value) => values.push(value),
                Err(cause) => also(&mut unknown, cause),
            }
        }
        unknown.map_or(Ok(values), Err)
    }

    fn note(&mut self, id: NodeId, value: &Value<'v>) {
        if self.trace.is_some()
            && let Some(path) = self.path(id)
            && let Some(trace) = &mut self.trace
        {
            trace.read(path, value);
        }
    }

    /// Where a node reads its value: `object.items[2].price`. None for what is no input.
    fn path(&self, id: NodeId) -> Option<String> {
        match self.program.node(id) {
            Node::Path(root, keys) | Node::HasPath(root, keys) => {
                Some(path::written(self.program, root, self.program.keys(keys)))
            }
            Node::Local(slot) => {
                let local = self.locals.get(self.base + slot as usize)?;
                match (local.at, self.path(local.over)) {
                    (Some(at), Some(over)) => Some(format!("{over}[{at}]")),
                    _ => None,
                }
            }
            Node::Select(of, name) | Node::Has(of, name) => {
                let mut path = self.path(of)?;
                path::push_field(&mut path, &self.program.names[name as usize]);
                Some(path)
            }
            Node::Index(of, at) => {
                let key = match self.program.node(at) {
                    Node::Constant(number) => &self.program.constants[number as usize],
                    Node::Local(slot) => &self.locals.get(self.base + slot as usize)?.value,
                    _ => return None,
                };
                Some(indexed(&self.path(of)?, key))
            }
            _ => None,
        }
    }

    fn read(&mut self, id: NodeId, root: Root, keys: Range) -> Answer<'v> {
        let value = self.look_up(root, self.program.keys(keys), self.expected(id))?;
        if self.trace.is_some() {
            self.note(id, &value);
        }
        Ok(value)
    }

    fn is_object(&self, root: Root) -> bool {
        match root {
            Root::Object => true,
            Root::Variable(name) => self.program.names[name as usize].as_ref() == "object",
            _ => false,
        }
    }

    /// Follows the keys from the root.
    fn look_up(&self, root: Root, keys: &'v [Box<str>], expected: Types) -> Answer<'v> {
        let written = |keys| path::written(self.program, root, keys);
        let missing = || self.missing(written(keys), expected);
        let (mut value, rest) = self.start(root, keys).ok_or_else(missing)?;
        let first = keys.len() - rest.len();
        for (depth, key) in (first..).zip(rest) {
            self.spend(key.len() / 16)?;
            value = match &value {
                Value::Map(map) => map.field(key).ok_or_else(missing)?,
                // An object without data has no fields.
                Value::Null if depth == 0 && self.is_object(root) => return Err(missing()),
                other => {
                    self.cause(None);
                    let path = Some(written(&keys[..depth]));
                    return Err(Unknown::wrong_type(path, "", Types::of(other), Types::MAP));
                }
            };
        }
        Ok(value)
    }

    /// The value that a path begins with, and the keys that are left to follow.
    fn start<'k>(&self, root: Root, keys: &'k [Box<str>]) -> Option<(Value<'v>, &'k [Box<str>])> {
        let value = match (self.world, root) {
            (World::Machine { scene, .. }, Root::Object) => Value::of(scene.object),
            (World::Machine { scene, .. }, Root::Context) => Value::Map(Map::Context(scene.ctx)),
            (World::Machine { scene, .. }, Root::Field(field)) => field.of(scene.ctx)?,
            (World::Machine { scene, .. }, Root::States) => Value::List(List::Texts(scene.states)),
            (World::Variables { map, dotted }, Root::Variable(name)) => {
                let name = self.program.names[name as usize].as_ref();
                // The longest name that there is wins. Source: CEL, "Name resolution".
                let longest = if dotted { keys.len() } else { 0 };
                let _ = self.budget.spend(longest * longest / 4);
                for count in (1..=longest).rev() {
                    let joined = format!("{name}.{}", keys[..count].join("."));
                    if let Some(value) = map.get(&joined) {
                        return Some((Value::of(value), &keys[count..]));
                    }
                }
                Value::of(map.get(name)?)
            }
            _ => return None,
        };
        Some((value, keys))
    }

    /// `has(object.a.b)`: whether `object.a` has a field `b`.
    fn has_path(&mut self, root: Root, keys: Range) -> Answer<'v> {
        let Some((last, before)) = self.program.keys(keys).split_last() else {
            return Ok(Value::Bool(self.start(root, &[]).is_some()));
        };
        let has = match self.look_up(root, before, Types::MAP)? {
            Value::Map(map) => map.field(last).is_some(),
            // An object without data has no fields.
            Value::Null if before.is_empty() && self.is_object(root) => false,
            other => {
                self.cause(None);
                let path = Some(path::written(self.program, root, before));
                return Err(Unknown::wrong_type(path, "", Types::of(&other), Types::MAP));
            }
        };
        Ok(Value::Bool(has))
    }

    fn select(&mut self, id: NodeId, of: NodeId, value: &Value<'v>, field: &str) -> Answer<'v> {
        let Value::Map(map) = value else {
            return Err(self.wrong_type(of, value, Types::MAP));
        };
        self.spend(field.len() / 16)?;
        let found = map.field(field).ok_or_else(|| match self.path(id) {
            Some(path) => self.missing(path, self.expected(id)),
            None => self.no_value(id, "asks for a field that is not there"),
        })?;
        self.note(id, &found);
        Ok(found)
    }

    fn index(
        &mut self,
        id: NodeId,
        of: NodeId,
        at: NodeId,
        value: &Value<'v>,
        key: &Value<'v>,
    ) -> Answer<'v> {
        let found = match value {
            Value::List(list) => {
                let position = match key {
                    Value::Int(at) => Some(*at),
                    Value::Uint(at) => Some(i64::try_from(*at).unwrap_or(i64::MAX)),
                    Value::Double(at) => whole(*at),
                    other => return Err(self.wrong_type(at, other, Types::INT)),
                };
                position.and_then(|at| usize::try_from(at).ok()).and_then(|at| list.get(at))
            }
            Value::Map(map) => {
                if !Types::of(key).meets(KEYS) {
                    return Err(self.wrong_type(at, key, KEYS));
                }
                compare::find(map, key, &mut self.budget).map_err(|error| self.costly(error))?
            }
            other => return Err(self.wrong_type(of, other, Types::LIST.or(Types::MAP))),
        };
        let path = || self.path(of).map(|path| indexed(&path, key));
        let found = found.ok_or_else(|| match path() {
            Some(path) => self.missing(path, self.expected(id)),
            None => self.no_value(id, "asks for an item that is not there"),
        })?;
        if self.trace.is_some()
            && let Some(path) = path()
            && let Some(trace) = &mut self.trace
        {
            trace.read(path, &found);
        }
        Ok(found)
    }

    fn binary(
        &mut self,
        id: NodeId,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Answer<'v> {
        let (a, b) = (self.eval(left), self.eval(right));
        let (a, b) = match (a, b) {
            (Ok(a), Ok(b)) => (a, b),
            // What is there says what is needed beside it.
            (Ok(a), Err(unknown)) => return Err(self.beside(operator, right, 1, &a, unknown)),
            (Err(unknown), Ok(b)) => return Err(self.beside(operator, left, 0, &b, unknown)),
            (a, b) => both(a, b)?,
        };
        let budget = &mut self.budget;
        let answer = match operator {
            Operator::Equal => compare::equal(&a, &b, budget).map(Some),
            Operator::NotEqual => compare::equal(&a, &b, budget).map(|equal| Some(!equal)),
            Operator::In => compare::contains(&b, &a, budget),
            Operator::Less => ordered(&a, &b, budget, Ordering::is_lt),
            Operator::LessOrEqual => ordered(&a, &b, budget, Ordering::is_le),
            Operator::Greater => ordered(&a, &b, budget, Ordering::is_gt),
            Operator::GreaterOrEqual => ordered(&a, &b, budget, Ordering::is_ge),
            _ => {
                return calculate(operator, &a, &b, budget).map_err(|fault| match fault {
                    Fault::Type => self.misfit(operator, [left, right], [&a, &b]),
                    Fault::Value(why) => self.no_value(id, why),
                    Fault::TooCostly => self.costly(TooCostly),
                });
            }
        };
        match answer {
            Ok(Some(answer)) => Ok(Value::Bool(answer)),
            Ok(None) => Err(self.misfit(operator, [left, right], [&a, &b])),
            Err(error) => Err(self.costly(error)),
        }
    }

    fn is_constant(&self, id: NodeId) -> bool {
        matches!(self.program.node(id), Node::Constant(_))
    }

    /// The cause of a side without a value, beside a value: for a missing input with the types that fit.
    fn beside(
        &self,
        operator: Operator,
        id: NodeId,
        side: usize,
        other: &Value<'v>,
        unknown: Unknown,
    ) -> Unknown {
        let fitting = self.expected(id).and(fits(operator, side, Types::of(other)));
        match (self.program.node(id), self.path(id)) {
            (Node::Path(..), Some(path)) if unknown.is_missing(&path) && !fitting.is_empty() => {
                self.missing(path, fitting)
            }
            _ => unknown,
        }
    }

    /// Which side of an operator does not fit: the input, where one of them is an input, else the second.
    fn misfit(&self, operator: Operator, ids: [NodeId; 2], values: [&Value<'v>; 2]) -> Unknown {
        self.cause(None);
        let types = values.map(Types::of);
        let blames = |side: usize| {
            let expected = fits(operator, side, types[1 - side]);
            let path = self.path(ids[side]);
            let source = self.program.source(ids[side]);
            (!types[side].is_within(expected))
                .then(|| (path.is_some(), Unknown::wrong_type(path, source, types[side], expected)))
        };
        match (blames(0), blames(1)) {
            (Some((true, mut a)), Some((true, b))) => {
                a.join(b);
                a
            }
            (Some((is_input, a)), b) if is_input || b.is_none() || self.is_constant(ids[1]) => a,
            (_, Some((_, b))) => b,
            (_, None) => Unknown::no_value(self.program.source(ids[0]), "does not fit here"),
        }
    }

    fn map(&mut self, id: NodeId, parts: &[NodeId]) -> Answer<'v> {
        let values = self.all(parts)?;
        let mut entries: Vec<(Value<'v>, Value<'v>)> = Vec::with_capacity(values.len() / 2);
        let mut values = values.into_iter().zip(parts);
        while let (Some((key, &key_id)), Some((value, _))) = (values.next(), values.next()) {
            if !Types::of(&key).meets(MAP_KEYS) {
                return Err(self.wrong_type(key_id, &key, MAP_KEYS));
            }
            for (other, _) in &entries {
                self.spend(1)?;
                let same = compare::equal(other, &key, &mut self.budget);
                if same.map_err(|error| self.costly(error))? {
                    return Err(self.no_value(id, "has a key twice"));
                }
            }
            entries.push((key, value));
        }
        Ok(Value::Map(Map::Made(Arc::from(entries))))
    }

    fn matches(&mut self, of: NodeId, value: &Value<'v>, pattern: &Pattern) -> Answer<'v> {
        let Some(text) = value.text() else {
            return Err(self.wrong_type(of, value, Types::STRING));
        };
        let found = pattern.matches(text, &self.budget);
        found.map(Value::Bool).map_err(|error| self.costly(error))
    }

    fn call(&mut self, id: NodeId, function: Function, ids: &[NodeId]) -> Answer<'v> {
        match (function, ids) {
            (_, &[of]) => {
                let value = self.eval(of)?;
                match function {
                    Function::Size => self.size(of, &value),
                    Function::Dyn => Ok(value),
                    Function::Part(part) => self.part(of, &value, part, None),
                    _ => self.convert(id, function, of, &value),
                }
            }
            (Function::Part(part), &[of, at]) => {
                let (value, zone) = both(self.eval(of), self.eval(at))?;
                let text = zone.text().ok_or_else(|| self.wrong_type(at, &zone, Types::STRING))?;
                let why = "names a time zone: only `UTC` and offsets such as `+02:00` are read, since the rules of places change";
                let zone = read_zone(text).ok_or_else(|| self.no_value(id, why))?;
                self.part(of, &value, part, Some(zone))
            }
            (_, &[of, with]) => {
                let (a, b) = both(self.eval(of), self.eval(with))?;
                self.texts(function, [of, with], &a, &b)
            }
            _ => Err(self.no_value(id, "has the wrong number of arguments")),
        }
    }

    fn part(
        &self,
        of: NodeId,
        value: &Value<'v>,
        part: Part,
        zone: Option<FixedOffset>,
    ) -> Answer<'v> {
        let part = match (value, zone) {
            (Value::Timestamp(time), zone) => time.part(part, zone),
            (Value::Duration(length), None) => length.part(part),
            _ => None,
        };
        part.map(Value::Int).ok_or_else(|| self.wrong_type(of, value, Types::TIMESTAMP))
    }

    fn size(&mut self, of: NodeId, value: &Value<'v>) -> Answer<'v> {
        let size = match value {
            Value::List(list) => list.len(),
            Value::Map(map) => map.len(),
            other => match other.text() {
                Some(text) => {
                    self.spend(text.len() / 64)?;
                    text.chars().count()
                }
                None => {
                    let sized = Types::STRING.or(Types::LIST).or(Types::MAP);
                    return Err(self.wrong_type(of, value, sized));
                }
            },
        };
        Ok(Value::Int(i64::try_from(size).unwrap_or(i64::MAX)))
    }

    fn texts(
        &mut self,
        function: Function,
        ids: [NodeId; 2],
        a: &Value<'v>,
        b: &Value<'v>,
    ) -> Answer<'v> {
        let text = a.text().ok_or_else(|| self.wrong_type(ids[0], a, Types::STRING));
        let part = b.text().ok_or_else(|| self.wrong_type(ids[1], b, Types::STRING));
        let (text, part) = both(text, part)?;
        let read = match function {
            Function::Contains => text.len() / 16,
            Function::Matches => 0,
            _ => part.len() / 64,
        };
        self.spend(read)?;
        Ok(Value::Bool(match function {
            Function::Contains => text.contains(part),
            Function::StartsWith => text.starts_with(part),
            Function::EndsWith => text.ends_with(part),
            _ => {
                self.spend(100 + part.len())?;
                let why = |error: String| format!("is no regular expression: {error}");
                let pattern = Pattern::read(part, &self.budget)
                    .map_err(|error| self.costly(error))?
                    .map_err(|error| Unknown::no_value(self.program.source(ids[1]), &why(error)))?;
                let found = pattern.matches(text, &self.budget);
                found.map_err(|error| self.costly(error))?
            }
        }))
    }

    fn convert(&self, id: NodeId, function: Function, of: NodeId, value: &Value<'v>) -> Answer<'v> {
        self.spend(value.text().map_or(0, str::len) / 16)?;
        let converted = match function {
            Function::Int => convert::to_int(value),
            Function::Uint => convert::to_uint(value),
            Function::Double => convert::to_double(value),
            Function::Text => convert::to_text(value),
            Function::Bool => convert::to_bool(value),
            Function::Timestamp => convert::to_timestamp(value),
            Function::Duration => convert::to_duration(value),
            _ => Err(Fault::Type),
        };
        converted.map_err(|fault| match fault {
            Fault::Type => self.wrong_type(of, value, self.expected(of)),
            Fault::Value(why) => {
                let (source, path) = (self.program.source(id), self.path(of));
                self.cause(path.as_ref());
                match path {
                    // The text that was read says more than the expression.
                    Some(path) if value.text().is_some() => {
                        let found = value.text().unwrap_or_default();
                        Unknown::no_value(source, &format!("{why}: `{path}` is `{found}`"))
                    }
                    _ => Unknown::no_value(source, why),
                }
            }
            Fault::TooCostly => self.costly(TooCostly),
        })
    }

    fn run_loop(&mut self, node: LoopNode) -> Answer<'v> {
        let over = self.eval(node.over)?;
        let keys;
        let (list, is_list) = match &over {
            Value::List(list) => (list, true),
            Value::Map(map) => {
                self.spend(map.len())?;
                keys = List::Made(map.entries().into_iter().map(|(key, _)| key).collect());
                (&keys, false)
            }
            other => return Err(self.wrong_type(node.over, other, Types::LIST.or(Types::MAP))),
        };
        self.locals.push(Local { value: Value::Null, over: node.over, at: None });
        let answer = self.each(node, list, is_list);
        self.locals.pop();
        answer
    }

    fn each(&mut self, node: LoopNode, list: &List<'v>, is_list: bool) -> Answer<'v> {
        let slot = self.locals.len() - 1;
        let mut unknown: Option<Unknown> = None;
        let mut made = Vec::new();
        let mut count = 0_usize;
        for at in 0..list.len() {
            self.spend(1)?;
            let Some(item) = list.get(at) else { break };
            self.locals[slot].value = item.clone();
            self.locals[slot].at = is_list.then_some(at);
            let mark = self.mark();
            let before = count;
            let step = match node.kind {
                Loop::Map => match node.filter.map_or(Ok(true), |filter| self.truth(filter)) {
                    Ok(true) => self.eval(node.body).map(|value| made.push(value)),
                    Ok(false) => Ok(()),
                    Err(cause) => Err(cause),
                },
                _ => self.truth(node.body).map(|answer| {
                    count += usize::from(answer);
                    if answer && node.kind == Loop::Filter {
                        made.push(item);
                    }
                }),
            };
            match (step, node.kind) {
                (Err(cause), _) if cause.is_too_costly() => return Err(cause),
                (Err(cause), _) => also(&mut unknown, cause),
                (Ok(()), Loop::All) if count == before => {
                    return Ok(Value::Bool(false));
                }
                (Ok(()), Loop::Exists) if count > 0 => return Ok(Value::Bool(true)),
                // What held tells nobody why the whole does not.
                (Ok(()), Loop::All) => {
                    if let Some(trace) = &mut self.trace {
                        trace.forget(mark);
                    }
                }
                (Ok(()), _) => {}
            }
        }
        if let Some(unknown) = unknown {
            return Err(unknown);
        }
        Ok(match node.kind {
            Loop::All => Value::Bool(true),
            Loop::Exists => Value::Bool(false),
            Loop::ExistsOne => Value::Bool(count == 1),
            Loop::Map | Loop::Filter => Value::List(List::Made(Arc::from(made))),
        })
    }
}

/// The steps that a cause takes.
const CAUSE: usize = 10;

/// What can be the key of a map that is asked: all that equals a key.
const KEYS: Types = MAP_KEYS.or(Types::DOUBLE);
/// What can be the key of a map that is written.
const MAP_KEYS: Types = Types::BOOL.or(Types::INT).or(Types::UINT).or(Types::STRING);

/// The types that an operator takes on one side (0 is the left) beside a type on the other.
fn fits(operator: Operator, side: usize, other: Types) -> Types {
    match operator {
        Operator::Equal | Operator::NotEqual => other.equals(),
        Operator::In if side == 1 => Types::LIST.or(Types::MAP),
        Operator::In => Types::ANY,
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            other.ordered()
        }
        _ => arithmetic::partners(operator, other, side),
    }
}

/// The answer of a comparison; none for types without an order. Nothing is less or more than NaN.
pub(super) fn ordered(
    a: &Value<'_>,
    b: &Value<'_>,
    budget: &mut Budget,
    holds: fn(Ordering) -> bool,
) -> Result<Option<bool>, TooCostly> {
    Ok(compare::order(a, b, budget)?.ok().map(|order| order.is_some_and(holds)))
}

/// A path with the index of an item.
fn indexed(path: &str, key: &Value<'_>) -> String {
    format!("{path}[{}]", literal::write(key))
}
