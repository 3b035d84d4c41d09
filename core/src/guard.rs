//! Guards: conditions that are true, false or unknown.
//!
//! A guard is a host function: the host registers it with the machine.
//! *Unknown* is a guard that gave no answer (it failed, or nobody registered
//! it); it is never taken for false. Source: DESIGN §3.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::fmt;

use serde_json::Value;

use crate::step::Context;

/// A guard of the host: a function of the object's data, the context and the paths of the active states.
///
/// An error is a guard that could not be evaluated; its text says why, and the guard is *unknown*.
pub trait HostGuard:
    Fn(&Value, &Context, &[String]) -> Result<bool, String> + Send + Sync + 'static
{
}

impl<F: Fn(&Value, &Context, &[String]) -> Result<bool, String> + Send + Sync + 'static> HostGuard
    for F
{
}

/// A guard that was registered, but that no transition of the definition names.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("no transition of this definition has the guard `{name}`{hint}")]
pub struct UnknownGuard {
    pub(crate) name: String,
    pub(crate) hint: String,
}

impl UnknownGuard {
    /// The stable name of the cause, which programs compare.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "unknown-guard"
    }
}

/// What a guard said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Truth {
    True,
    False,
    /// It gave no answer, and why.
    Unknown(String),
    /// Nobody registered it.
    NotRegistered,
}

/// What a guard sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'s> {
    pub(crate) object: &'s Value,
    pub(crate) ctx: &'s Context,
    /// Paths of all active states.
    pub(crate) states: &'s [String],
}

/// The functions that the host has registered, by guard id. A copy shares the functions.
#[derive(Clone, Default)]
pub(crate) struct Guards(Vec<Option<Registered>>);

type Registered = Arc<dyn HostGuard<Output = Result<bool, String>>>;

impl Guards {
    pub(crate) fn new(count: usize) -> Self {
        Self(alloc::vec![None; count])
    }

    pub(crate) fn register(&mut self, id: u32, guard: impl HostGuard) {
        self.0[id as usize] = Some(Arc::new(guard));
    }

    pub(crate) fn ask(&self, id: u32, scene: Scene<'_>) -> Truth {
        match &self.0[id as usize] {
            None => Truth::NotRegistered,
            Some(guard) => match guard(scene.object, scene.ctx, scene.states) {
                Ok(true) => Truth::True,
                Ok(false) => Truth::False,
                Err(why) => Truth::Unknown(why),
            },
        }
    }
}

impl fmt::Debug for Guards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(Option::is_some)).finish()
    }
}
