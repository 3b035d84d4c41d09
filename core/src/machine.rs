//! A machine: a definition that has been checked, in the form that runs.
//!
//! It never changes, apart from the guards that the host registers, and a
//! clone shares everything. Names are interned: inside, a state, an action, a
//! transition is its position in document order.

use alloc::{
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use crate::{
    check::{self, Resolved},
    definition::{Definition, State, Transition},
    diagnostic::{Diagnostic, InvalidDefinition, Severity},
    guard::{self, Evidence, Guards, HostGuard, Kind, Scene, Truth, UnknownGuard},
    index::Index,
    interchange::{self, ScxmlExport, XstateExport},
    limits::Limits,
    name::did_you_mean,
    place,
    table::position,
};

/// A state of a machine: its position in [`Machine::states`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct StateId(pub(crate) u32);

impl StateId {
    /// The state at a position of [`Machine::states`]. A position that there is not is no state: every question
    /// about it is answered with no.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The position in [`Machine::states`].
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// An action of a machine: its position in [`Machine::actions`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ActionId(pub(crate) u32);

impl ActionId {
    /// The action at a position of [`Machine::actions`]. A position that there is not is no action: every question
    /// about it is answered with no.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The position in [`Machine::actions`].
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A definition that has been checked: every target resolves. A clone is cheap and shares it.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) shared: Arc<Shared>,
    pub(crate) guards: Arc<Guards>,
}

/// What all clones of a machine share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) definition: Definition,
    pub(crate) resolved: Resolved,
    pub(crate) limits: Limits,
    diagnostics: Vec<Diagnostic>,
}

impl Machine {
    /// Checks a definition.
    ///
    /// Cost: linear in the size of the definition.
    ///
    /// # Errors
    ///
    /// Everything that was found, if any of it is an error.
    pub fn new(definition: Definition) -> Result<Self, InvalidDefinition> {
        Self::build(definition, &Limits::default(), None)
    }

    /// Checks a definition within `limits`.
    ///
    /// # Errors
    ///
    /// As [`Machine::new`].
    pub fn new_within(definition: Definition, limits: &Limits) -> Result<Self, InvalidDefinition> {
        Self::build(definition, limits, None)
    }

    /// Reads and checks a definition; every diagnostic comes with its line and column.
    ///
    /// # Errors
    ///
    /// The first fault of the text, or else everything that was found, if any of it is an error.
    pub fn from_json(text: &str) -> Result<Self, InvalidDefinition> {
        Self::from_json_within(text, &Limits::default())
    }

    /// Reads and checks a definition within `limits`.
    ///
    /// # Errors
    ///
    /// As [`Machine::from_json`].
    pub fn from_json_within(text: &str, limits: &Limits) -> Result<Self, InvalidDefinition> {
        Self::build(Definition::from_json_within(text, limits)?, limits, Some(text))
    }

    fn build(
        definition: Definition,
        limits: &Limits,
        text: Option<&str>,
    ) -> Result<Self, InvalidDefinition> {
        let (mut diagnostics, resolved) = check::check(&definition, limits);
        if let Some(text) = text {
            diagnostics = place::locate(text, diagnostics);
        }
        if diagnostics.iter().any(|found| found.severity == Severity::Error) {
            return Err(InvalidDefinition::new(diagnostics));
        }
        let guards = Arc::new(Guards::new(resolved.host_guards.len()));
        let shared = Shared { definition, resolved, limits: *limits, diagnostics };
        Ok(Self { shared: Arc::new(shared), guards })
    }

    /// The definition that was checked.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.shared.definition
    }

    /// What was found about the definition: warnings and information.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.shared.diagnostics
    }

    /// The paths of all states, in document order; the position is the [`StateId`].
    #[must_use]
    pub fn states(&self) -> &[String] {
        &self.shared.resolved.paths
    }

    /// All actions, in the order in which the document first names them; the position is the [`ActionId`].
    #[must_use]
    pub fn actions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.resolved.actions.iter().map(|&first| self.transition(first).asked())
    }

    /// All permissions that a transition asks for, each once, in document order.
    #[must_use]
    pub fn permissions(&self) -> Vec<&str> {
        let transitions = 0..position(self.shared.resolved.chart.transitions());
        each_once(transitions.flat_map(|id| &self.transition(id).required_permissions))
    }

    /// All operations that a state permits, each once, in document order.
    #[must_use]
    pub fn operations(&self) -> Vec<&str> {
        each_once(self.ids().flat_map(|id| &self.state(id).permits))
    }

    /// The guards that the host must register, in the order in which the checks meet them.
    #[must_use]
    pub fn host_guards(&self) -> impl ExactSizeIterator<Item = &str> {
        let resolved = &self.shared.resolved;
        resolved.host_guards.iter().map(|&id| resolved.guards[id as usize].key.as_str())
    }

    /// Registers the function behind a guard, in place of an earlier one. Clones made before keep the earlier one.
    ///
    /// # Errors
    ///
    /// Nothing in the definition asks a host guard of that name.
    pub fn register_guard(
        &mut self,
        name: &str,
        guard: impl HostGuard,
    ) -> Result<(), UnknownGuard> {
        let guards = &self.shared.resolved.guards;
        let kind = self.guard_id(name).map(|id| &guards[id as usize].kind);
        let Some(&Kind::Host(slot)) = kind else {
            let hint = did_you_mean(name, self.host_guards());
            return Err(UnknownGuard { name: name.to_string(), hint });
        };
        Arc::make_mut(&mut self.guards).register(slot, guard);
        Ok(())
    }

    /// The guard of this name, or with this text.
    pub(crate) fn guard_id(&self, key: &str) -> Option<u32> {
        self.shared.resolved.guard_id(key)
    }

    /// Asks a guard of the definition.
    #[inline]
    pub(crate) fn ask(&self, guard: u32, scene: Scene<'_>) -> Truth {
        let steps = self.shared.limits.evaluation_steps;
        guard::ask(&self.shared.resolved.guards, guard, &self.guards, scene, steps)
    }

    /// Asks a guard for its answer, and for all that it read.
    pub(crate) fn examine(&self, guard: u32, scene: Scene<'_>) -> (Option<bool>, Evidence) {
        let steps = self.shared.limits.evaluation_steps;
        guard::examine(&self.shared.resolved.guards, guard, &self.guards, scene, steps)
    }

    /// The state with this path.
    #[must_use]
    pub fn state_id(&self, path: &str) -> Option<StateId> {
        self.shared.resolved.state(path).map(StateId)
    }

    /// The action of this name.
    #[must_use]
    pub fn action_id(&self, action: &str) -> Option<ActionId> {
        self.shared.resolved.action_ids.get(action, &|id| self.action(id)).map(ActionId)
    }

    /// Whether a transition leads from one state to the other: the bare table, without guards and
    /// permissions. False for states that there are not.
    #[must_use]
    pub fn can_transition(&self, from: &str, to: &str) -> bool {
        match (self.state_id(from), self.state_id(to)) {
            (Some(from), Some(to)) => self.leads(from, to),
            _ => false,
        }
    }

    /// [`Machine::can_transition`] for states of this machine that are known already.
    #[must_use]
    pub fn leads(&self, from: StateId, to: StateId) -> bool {
        let count = self.shared.resolved.paths.len();
        let known = |id: StateId| (id.0 as usize) < count;
        known(from) && known(to) && self.shared.resolved.table.leads(from.0, to.0)
    }

    pub(crate) fn state(&self, id: u32) -> &State {
        let Shared { definition, resolved, .. } = &*self.shared;
        resolved.chart.state(definition, id)
    }

    #[inline]
    pub(crate) fn path(&self, id: u32) -> &String {
        &self.shared.resolved.paths[id as usize]
    }

    #[inline]
    pub(crate) fn transition(&self, id: u32) -> &Transition {
        let Shared { definition, resolved, .. } = &*self.shared;
        resolved.chart.transition(definition, id)
    }

    pub(crate) fn action(&self, id: u32) -> &str {
        self.transition(self.shared.resolved.actions[id as usize]).asked()
    }

    /// The machine as an SCXML document; see [`Definition::to_scxml`].
    #[must_use]
    pub fn to_scxml(&self) -> ScxmlExport {
        self.definition().to_scxml()
    }

    /// The machine as a config of XState 5; see [`Definition::to_xstate`].
    #[must_use]
    pub fn to_xstate(&self) -> XstateExport {
        self.definition().to_xstate()
    }

    /// The action that an event of SCXML stands for in a machine that came from there; see
    /// [`action_for_event`](crate::action_for_event()).
    #[must_use]
    pub fn action_for_event(&self, event: &str) -> Option<&str> {
        interchange::action_for_event(self.actions(), event)
    }

    /// The action that an event of XState stands for in a machine that came from there; see
    /// [`action_for_xstate_event`](crate::action_for_xstate_event()).
    #[must_use]
    pub fn action_for_xstate_event(&self, event: &str) -> Option<&str> {
        interchange::action_for_xstate_event(self.actions(), event)
    }

    /// The ids of all states.
    pub(crate) fn ids(&self) -> core::ops::Range<u32> {
        0..self.shared.resolved.chart.count()
    }
}

/// Reads and checks a definition: everything that is found, in document order. Never fails: a text that
/// is no definition is a finding, too.
#[must_use]
pub fn check(text: &str, limits: &Limits) -> Vec<Diagnostic> {
    match Machine::from_json_within(text, limits) {
        Ok(machine) => machine.diagnostics().to_vec(),
        Err(invalid) => invalid.diagnostics().to_vec(),
    }
}

fn each_once<'n>(names: impl Iterator<Item = &'n String>) -> Vec<&'n str> {
    let mut known = Index::default();
    let mut list: Vec<&str> = Vec::new();
    for name in names {
        list.push(name);
        if known.insert(position(list.len() - 1), &|id| list[id as usize]).is_some() {
            list.pop();
        }
    }
    list
}
