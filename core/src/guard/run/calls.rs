//! Functions and macros.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use chrono::FixedOffset;

use super::{Answer, Local, Run};
use crate::guard::{
    arithmetic::Fault,
    budget::TooCostly,
    cause::{Unknown, also, both},
    convert,
    functions::{Function, Loop},
    moment::{Part, read_zone},
    pattern::Pattern,
    program::{LoopNode, NodeId},
    types::Types,
    value::{List, Value},
};

impl<'v> Run<'v> {
    pub(super) fn matches(
        &mut self,
        of: NodeId,
        value: &Value<'v>,
        pattern: &Pattern,
    ) -> Answer<'v> {
        let Some(text) = value.text() else {
            return Err(self.wrong_type(of, value, Types::STRING));
        };
        let found = pattern.matches(text, &self.budget);
        found.map(Value::Bool).map_err(|error| self.costly(error))
    }

    pub(super) fn call(&mut self, id: NodeId, function: Function, ids: &[NodeId]) -> Answer<'v> {
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

    pub(super) fn part(
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

    pub(super) fn size(&mut self, of: NodeId, value: &Value<'v>) -> Answer<'v> {
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

    pub(super) fn texts(
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

    pub(super) fn convert(
        &self,
        id: NodeId,
        function: Function,
        of: NodeId,
        value: &Value<'v>,
    ) -> Answer<'v> {
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

    pub(super) fn run_loop(&mut self, node: LoopNode) -> Answer<'v> {
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

    pub(super) fn each(&mut self, node: LoopNode, list: &List<'v>, is_list: bool) -> Answer<'v> {
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
