//! Entry conditions: what must be true of an object in a state.

use alloc::{format, string::String, vec::Vec};

use serde::Serialize;

use super::{
    choose::Data,
    context::Context,
    decision::{Reason, ReasonCode},
    snapshot::{ForeignSnapshot, Snapshot},
};
use crate::{
    definition::EntryCondition,
    guard::{Missing, Reading, Truth},
    machine::Machine,
    name::shortened,
};

/// An entry condition that an object breaks.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Violation {
    /// The state that has the condition.
    pub state: String,
    /// The name of the condition.
    pub condition: String,
    /// What the condition said.
    pub status: ViolationStatus,
    /// What is asked for, in one sentence. May change between versions.
    pub message: String,
    /// What must be true, as it is written: the condition's `require`.
    pub guard: String,
    /// The expression behind it; absent for a function of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub expression: Option<String>,
    /// What was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub values: Vec<Reading>,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub missing: Vec<Missing>,
}

/// What a condition that is not met said.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ViolationStatus {
    /// It is not true of the object.
    False,
    /// It gave no answer, so that nobody can tell.
    Unknown,
}

/// An entry condition that is not met, and what it said. Without text: most are never read.
#[derive(Debug)]
pub(crate) struct Unmet {
    state: u32,
    /// Its position in its state.
    index: usize,
    /// Anything but true.
    said: Truth,
}

impl Unmet {
    pub(crate) fn is_false(&self) -> bool {
        matches!(self.said, Truth::False(_))
    }
}

impl Machine {
    /// The entry conditions of its present states that the object breaks, in document order. An object that
    /// came here by `decide` breaks none, unless its data, the context or the definition has changed since.
    ///
    /// # Errors
    ///
    /// The snapshot does not belong to this machine.
    pub fn check_object(
        &self,
        snapshot: &Snapshot,
        ctx: &Context,
    ) -> Result<Vec<Violation>, ForeignSnapshot> {
        let place = self.locate(snapshot)?;
        let object = &snapshot.object;
        let data = Data { object, after: object, ctx, explained: true };
        let unmet = self.unmet(&place.situation.active, data);
        Ok(unmet.iter().map(|unmet| self.violation(unmet)).collect())
    }

    /// The entry conditions that the object would break while these states are active: all are asked, in
    /// document order, of its data after the step.
    ///
    /// Cost: where there is no condition, one look for each state.
    pub(crate) fn unmet(&self, active: &[u32], data: Data<'_>) -> Vec<Unmet> {
        let mut all = Vec::new();
        let conditions = &self.shared.resolved.conditions;
        if conditions.is_empty() {
            return all;
        }
        let scene = self.scene(active, data.after, data);
        for &state in active {
            for (index, &guard) in conditions.of(state).iter().enumerate() {
                match self.ask(guard, scene) {
                    Truth::True => {}
                    said => all.push(Unmet { state, index, said }),
                }
            }
        }
        all
    }

    /// The code of a refusal for these conditions: what is surely false weighs more than what is unknown.
    pub(crate) fn unmet_code(unmet: &[Unmet]) -> ReasonCode {
        match unmet.iter().any(Unmet::is_false) {
            true => ReasonCode::EntryConditionFailed,
            false => ReasonCode::EntryConditionUnknown,
        }
    }

    /// The reason that a condition keeps the object from taking `transition`; none for the creation.
    pub(crate) fn unmet_reason(&self, unmet: &Unmet, transition: Option<u32>) -> Reason {
        let condition = self.condition(unmet);
        let code = Self::unmet_code(core::slice::from_ref(unmet));
        let reason = Reason {
            transition: transition.map(|id| self.transition(id).name.clone()),
            condition: Some(condition.name.clone()),
            ..Reason::plain(code, self.unmet_sentence(unmet))
        };
        reason.of_guard(condition.require.clone(), self.expression_of(unmet), unmet.said.evidence())
    }

    fn expression_of(&self, unmet: &Unmet) -> Option<&str> {
        let guard = self.shared.resolved.conditions.of(unmet.state)[unmet.index];
        self.shared.resolved.guards[guard as usize].expression()
    }

    pub(crate) fn violation(&self, unmet: &Unmet) -> Violation {
        let condition = self.condition(unmet);
        let evidence = unmet.said.evidence();
        Violation {
            state: self.path(unmet.state).clone(),
            condition: condition.name.clone(),
            status: match unmet.is_false() {
                true => ViolationStatus::False,
                false => ViolationStatus::Unknown,
            },
            message: shortened(self.unmet_sentence(unmet)),
            guard: condition.require.clone(),
            expression: self.expression_of(unmet).map(Into::into),
            values: evidence.values.clone(),
            missing: evidence.missing.clone(),
        }
    }

    fn unmet_sentence(&self, unmet: &Unmet) -> String {
        let EntryCondition { name, message, .. } = self.condition(unmet);
        let state = self.state(unmet.state).title();
        let needs = match message {
            Some(message) => format!("`{state}` needs: {message} (condition `{name}`)"),
            None => format!("`{state}` needs the condition `{name}`"),
        };
        match &unmet.said {
            Truth::True => needs,
            Truth::False(why) => format!("{needs}{}", why.readings()),
            Truth::Unknown(why) if why.is_not_registered() => {
                format!("{needs}, whose {}", why.causes().trim_start_matches("the "))
            }
            Truth::Unknown(why) => {
                format!("{needs}, which could not be evaluated: {}", why.causes())
            }
        }
    }

    fn condition(&self, unmet: &Unmet) -> &EntryCondition {
        &self.state(unmet.state).entry_conditions[unmet.index]
    }
}
