//! What guards say and what they read: for people who look at an object, and for editors.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde::Serialize;

use super::{
    choose::Data,
    context::{Context, Request},
    place::Place,
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{
    guard::{Evidence, Kind, Missing, Reading, Scene},
    machine::Machine,
};

/// What one guard of the object's state says now.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct GuardAnswer {
    /// The transition that it stands before.
    pub transition: String,
    /// The action of the transition; empty where something else sets it off.
    pub action: String,
    /// The state that asks it, where it is an entry condition of the transition's target.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub state: Option<String>,
    /// The name of the entry condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub condition: Option<String>,
    /// The guard as it is written: a name or an expression.
    pub guard: String,
    /// The expression behind it; absent for a function of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub expression: Option<String>,
    /// What it says.
    pub status: GuardStatus,
    /// What it says and why, in one sentence. May change between versions.
    pub message: String,
    /// What it read, in order.
    pub values: Vec<Reading>,
    /// Why it is unknown.
    pub missing: Vec<Missing>,
}

/// An entry condition of a state in which an object is, and what it says of the object.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Evidenced {
    /// The state that asks for it.
    pub state: String,
    /// The name of the entry condition.
    pub condition: String,
    /// What it asks for, in the words of the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub asks: Option<String>,
    /// What must be true, as it is written.
    pub require: String,
    /// What it says.
    pub status: GuardStatus,
    /// What it says and why, in one sentence. May change between versions.
    pub message: String,
    /// What it read, in order.
    pub values: Vec<Reading>,
    /// Why it is unknown.
    pub missing: Vec<Missing>,
}

/// The three answers of a guard.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GuardStatus {
    /// It holds.
    True,
    /// It does not.
    False,
    /// It cannot be evaluated on what there is.
    Unknown,
}

/// A place in the data that guards read.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Input {
    /// As an expression writes it: `object.amount`.
    pub path: String,
    /// The variable (`object` or `ctx`), then the fields on the way.
    pub keys: Vec<String>,
    /// The CEL types that fit what the guards do with it, of those that JSON can hold.
    #[cfg_attr(feature = "tsify", tsify(type = "string[]"))]
    pub types: Vec<&'static str>,
    /// The guards that read it, as they are written.
    pub guards: Vec<String>,
}

impl Machine {
    /// What each guard of the object's active states says, and what it read, in document order: the guards of the
    /// transitions, each followed by the entry conditions of the states that would be active then. All are asked, also those that
    /// `decide` would not come to.
    ///
    /// Cost: linear in the number of transitions that lead out of the states.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn guards(
        &self,
        snapshot: &Snapshot,
        ctx: &Context,
        request: &Request,
    ) -> Result<Vec<GuardAnswer>, ForeignSnapshot> {
        let Place { situation, .. } = self.locate(snapshot)?;
        let (object, resolved) = (&snapshot.object, &self.shared.resolved);
        let data = Data { object, after: request.data_after(object), ctx, explained: true };
        let scene = self.scene(&situation.active, object, data);
        let mut answers = Vec::new();
        for entry in situation.active.iter().flat_map(|&state| resolved.table.of(state)) {
            let transition = entry.transition;
            if let Some(guard) = resolved.guard_of[transition as usize] {
                let written = self.transition(transition).guard.clone().unwrap_or_default();
                answers.push(self.answer(transition, guard, written, scene));
            }
            if resolved.conditions.is_empty() {
                continue;
            }
            // What would be active is not known where the rest of the step gives no answer.
            let Ok(Some(course)) = self.course(&situation, &[*entry], data) else { continue };
            let after = self.scene(&course.to.active, data.after, data);
            for &to in &course.to.active {
                let conditions = resolved.conditions.of(to).iter();
                for (&guard, condition) in conditions.zip(&self.state(to).entry_conditions) {
                    let answer = self.answer(transition, guard, condition.require.clone(), after);
                    answers.push(GuardAnswer {
                        state: Some(self.path(to).clone()),
                        condition: Some(condition.name.clone()),
                        ..answer
                    });
                }
            }
        }
        Ok(answers)
    }

    /// The entry conditions of the object's present states, met or not, in document order: the evidence for where it
    /// is.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn evidence(
        &self,
        snapshot: &Snapshot,
        ctx: &Context,
    ) -> Result<Vec<Evidenced>, ForeignSnapshot> {
        let Place { situation, .. } = self.locate(snapshot)?;
        let object = &snapshot.object;
        let data = Data { object, after: object, ctx, explained: true };
        let scene = self.scene(&situation.active, object, data);
        let mut all = Vec::new();
        for &state in &situation.active {
            let conditions = self.shared.resolved.conditions.of(state).iter();
            for (&guard, condition) in conditions.zip(&self.state(state).entry_conditions) {
                let (status, message, why) = self.said(guard, &condition.require, scene);
                all.push(Evidenced {
                    state: self.path(state).clone(),
                    condition: condition.name.clone(),
                    asks: condition.message.clone(),
                    require: condition.require.clone(),
                    status,
                    message,
                    values: why.values,
                    missing: why.missing,
                });
            }
        }
        Ok(all)
    }

    /// What a guard says, and why, in one sentence.
    fn said(&self, guard: u32, written: &str, scene: Scene<'_>) -> (GuardStatus, String, Evidence) {
        let (said, why) = self.examine(guard, scene);
        let (status, message) = match said {
            Some(true) => (GuardStatus::True, format!("`{written}` is true{}", why.all_readings())),
            Some(false) => (GuardStatus::False, false_sentence(written, &why)),
            None => (GuardStatus::Unknown, format!("`{written}` is unknown: {}", why.causes())),
        };
        (status, crate::name::shortened(message), why)
    }

    fn answer(
        &self,
        transition: u32,
        guard: u32,
        written: String,
        scene: Scene<'_>,
    ) -> GuardAnswer {
        let (status, message, why) = self.said(guard, &written, scene);
        GuardAnswer {
            transition: self.transition(transition).name.clone(),
            action: self.transition(transition).asked().into(),
            state: None,
            condition: None,
            expression: self.shared.resolved.guards[guard as usize].expression().map(Into::into),
            guard: written,
            status,
            message,
            values: why.values,
            missing: why.missing,
        }
    }

    /// The data that the guards and entry conditions read, by path: what an editor of an object completes.
    ///
    /// Cost: linear in the size of all expressions.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        let mut inputs: Vec<Input> = Vec::new();
        let mut types = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for guard in &self.shared.resolved.guards {
            let Kind::Expression(program) = &guard.kind else { continue };
            for place in program.places() {
                let index = *known.entry(place.path.clone()).or_insert(inputs.len());
                if index == inputs.len() {
                    let (path, keys) = (place.path, place.keys);
                    inputs.push(Input { path, keys, types: Vec::new(), guards: Vec::new() });
                    types.push(place.types);
                }
                types[index] = types[index].with(place.types);
                if inputs[index].guards.last() != Some(&guard.key) {
                    inputs[index].guards.push(guard.key.clone());
                }
            }
        }
        for (input, types) in inputs.iter_mut().zip(types) {
            input.types = types.names();
        }
        inputs
    }
}

fn false_sentence(written: &str, why: &Evidence) -> String {
    match why.part.as_deref().filter(|part| *part != written) {
        Some(part) => format!("`{written}` is false, since `{part}` is{}", why.readings()),
        None => format!("`{written}` is false{}", why.readings()),
    }
}
