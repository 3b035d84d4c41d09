//! Guards of the host: functions that it registers with a machine.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::fmt;

use serde_json::Value;

use super::{Scene, cause::Unknown};
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

/// A guard that was registered, but that nothing in the definition asks.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("nothing in this definition asks a host guard `{name}`{hint}")]
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

/// The functions that the host has registered, by number. A copy shares the functions.
#[derive(Clone, Default)]
pub(crate) struct Guards(Vec<Option<Registered>>);

type Registered = Arc<dyn HostGuard<Output = Result<bool, String>>>;

impl Guards {
    pub(crate) fn new(count: usize) -> Self {
        Self(alloc::vec![None; count])
    }

    pub(crate) fn register(&mut self, slot: u32, guard: impl HostGuard) {
        self.0[slot as usize] = Some(Arc::new(guard));
    }

    /// Calls the function `name`.
    pub(super) fn ask(&self, slot: u32, name: &str, scene: Scene<'_>) -> Result<bool, Unknown> {
        match &self.0[slot as usize] {
            None => Err(Unknown::not_registered(name)),
            Some(guard) => {
                let states: Vec<String> = scene.states.paths().cloned().collect();
                guard(scene.object, scene.ctx, &states)
                    .map_err(|why| Unknown::host_failed(name, &why))
            }
        }
    }
}

impl fmt::Debug for Guards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(Option::is_some)).finish()
    }
}
