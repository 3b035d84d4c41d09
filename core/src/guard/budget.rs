//! How much work an evaluation may still do. It bounds time and memory alike: whatever is made or compared costs.

use core::cell::Cell;

/// A step is about one node, one item, or 64 bytes of text. What takes longer costs more: in WebAssembly, a step
/// stands for less than 200 nanoseconds.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    left: Cell<usize>,
    /// How deep inside of a value the work is.
    depth: Cell<u32>,
}

/// The work is more than the limit `evaluation_steps`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooCostly;

impl Budget {
    #[inline]
    pub(super) fn new(steps: usize) -> Self {
        Self { left: Cell::new(steps), depth: Cell::new(0) }
    }

    #[inline]
    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    #[inline]
    pub(super) fn spend(&self, steps: usize) -> Result<(), TooCostly> {
        match self.left.get().checked_sub(steps) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                // What is too costly stays so: nothing after it can make up an answer.
                self.left.set(0);
                Err(TooCostly)
            }
        }
    }

    /// Does something inside of a list or a map. Few steps can put thousands of them one into the other; no
    /// reader of JSON goes through that.
    pub(super) fn inside<T>(
        &self,
        work: impl FnOnce() -> Result<T, TooCostly>,
    ) -> Result<T, TooCostly> {
        const DEEPEST: u32 = 120;
        let depth = self.depth.get();
        if depth >= DEEPEST {
            self.left.set(0);
            return Err(TooCostly);
        }
        self.depth.set(depth + 1);
        let done = work();
        self.depth.set(depth);
        done
    }

    /// Takes back what was spent for nothing.
    #[inline]
    pub(super) fn rewind(&self, left: usize) {
        self.left.set(left);
    }

    #[inline]
    pub(super) fn spend_text(&self, bytes: usize) -> Result<(), TooCostly> {
        self.spend(bytes / 64)
    }
}
