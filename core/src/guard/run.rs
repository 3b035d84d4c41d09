//! Running a program: a value, or unknown with every cause.
//!
//! Rules of this module. (1) Nothing is taken for false in silence: what has
//! no value is an [`Unknown`]. (2) Both sides of an operator are tried, so
//! that all causes are named. (3) Every step is paid for. Source: DESIGN §3,
//! CEL language definition, "Evaluation".

mod calls;
mod inputs;
mod operators;

use alloc::{borrow::ToOwned, string::String, sync::Arc, vec::Vec};

use serde_json::{Map as JsonMap, Value as Json};

use super::{
    ActiveStates, Guard, Guards, Kind, Scene,
    arithmetic::{self, Fault},
    budget::{Budget, TooCostly},
    cause::{Unknown, also, both},
    compare,
    program::{Node, NodeId, Program, Range},
    trace::Trace,
    types::Types,
    value::{List, Map, Value},
};

pub(super) use operators::ordered;

/// What the names of an expression stand for.
#[derive(Clone, Copy, Debug)]
pub(super) enum World<'v> {
    /// Of a guard of a machine.
    Machine { scene: Scene<'v>, guards: &'v Guards, table: &'v [Guard] },
    /// Of a guard of a machine of which nothing is known but the active states.
    Configuration { states: ActiveStates<'v>, table: &'v [Guard] },
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
        value.weigh(&self.budget).map_err(|error| self.costly(error))?;
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
        let unknown = || {
            let (name, _) = &self.program.guards[number as usize];
            Unknown::missing(name.as_ref().to_owned(), Types::BOOL)
        };
        let (table, host) = match self.world {
            World::Machine { scene, guards, table } => (table, Some((scene, guards))),
            World::Configuration { table, .. } => (table, None),
            World::Variables { .. } | World::Nothing => return Err(unknown()),
        };
        let guard = &table[self.program.guard_ids[number as usize] as usize];
        match &guard.kind {
            Kind::Host(slot) => {
                let (scene, guards) = host.ok_or_else(unknown)?;
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
            Node::HasPath(root, keys) => self.has_path(id, root, keys),
            Node::Local(_) => {
                let value = self.held(id)?;
                self.note(id, Some(&value));
                Ok(value)
            }
            Node::Select(of, name) => {
                let of_value = self.held(of)?;
                self.select(id, of, &of_value, &program.names[name as usize])
            }
            Node::Has(of, name) => match self.eval(of)? {
                Value::Map(map) => {
                    let found = map.field(&program.names[name as usize]);
                    self.note(id, found.as_ref());
                    Ok(Value::Bool(found.is_some()))
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
                let same = compare::equal(other, &key, &self.budget);
                if same.map_err(|error| self.costly(error))? {
                    return Err(self.no_value(id, "has a key twice"));
                }
            }
            entries.push((key, value));
        }
        Ok(Value::Map(Map::Made(Arc::from(entries))))
    }
}

/// The steps that a cause takes.
const CAUSE: usize = 10;

/// What can be the key of a map that is written.
const MAP_KEYS: Types = Types::BOOL.or(Types::INT).or(Types::UINT).or(Types::STRING);
