//! Regular expressions of `matches`. Read by `regex-lite`: RE2's syntax without the classes of Unicode.

use alloc::string::{String, ToString};

use super::budget::{Budget, TooCostly};

/// A regular expression that has been read.
#[cfg(feature = "matches")]
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: regex_lite::Regex,
    /// Steps for each byte of text that is searched: the machine behind the pattern looks at all its states
    /// there, in the worst case.
    cost: usize,
}

#[cfg(feature = "matches")]
impl Pattern {
    /// `budget` pays for the size of what is made.
    pub(super) fn read(text: &str, budget: &Budget) -> Result<Result<Self, String>, TooCostly> {
        let build = |size: usize| regex_lite::RegexBuilder::new(text).size_limit(size).build();
        let mut last = String::new();
        // The size is not told, so the smallest limit that it keeps stands for it.
        for size in [1 << 10, 1 << 12, 1 << 14, 1 << 16] {
            budget.spend(size / 32)?;
            match build(size) {
                Ok(regex) => return Ok(Ok(Self { regex, cost: size / 64 })),
                Err(error) => last = error.to_string(),
            }
        }
        Ok(Err(last))
    }

    pub(super) fn matches(&self, text: &str, budget: &Budget) -> Result<bool, TooCostly> {
        budget.spend((text.len() + 4).saturating_mul(self.cost) / 6)?;
        Ok(self.regex.is_match(text))
    }
}

/// Without the feature `matches` there is no pattern.
#[cfg(not(feature = "matches"))]
#[derive(Clone, Debug)]
pub(super) enum Pattern {}

#[cfg(not(feature = "matches"))]
impl Pattern {
    pub(super) fn read(_: &str, _: &Budget) -> Result<Result<Self, String>, TooCostly> {
        Ok(Err("this build has no regular expressions (feature `matches`)".to_string()))
    }

    pub(super) fn matches(&self, _: &str, _: &Budget) -> Result<bool, TooCostly> {
        match *self {}
    }
}
