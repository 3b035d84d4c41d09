//! How much work an evaluation may still do. It bounds time and memory alike: whatever is made or compared costs.

/// A step is about one node, one item, or 64 bytes of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: usize,
}

/// The work is more than the limit `evaluation_steps`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooCostly;

impl Budget {
    pub(super) fn new(steps: usize) -> Self {
        Self { left: steps }
    }

    pub(super) fn left(self) -> usize {
        self.left
    }

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), TooCostly> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                // What is too costly stays so: nothing after it can make up an answer.
                self.left = 0;
                Err(TooCostly)
            }
        }
    }

    pub(super) fn spend_text(&mut self, bytes: usize) -> Result<(), TooCostly> {
        self.spend(bytes / 64)
    }
}
