//! Where Veristate differs from CEL on purpose, and what must come out there in place of what the
//! conformance suite expects.

/// A kind of difference.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Exception {
    /// An accessor of a timestamp takes a zone by its name.
    NamedZone,
}

impl Exception {
    /// Why it is so.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::NamedZone => {
                "a named time zone: its database differs from machine to machine and year to year, \
                 so verdicts would differ"
            }
        }
    }

    /// The status that must come out.
    #[must_use]
    pub fn status(self) -> &'static str {
        match self {
            Self::NamedZone => "unknown",
        }
    }

    /// The difference that an expression of the suite meets.
    #[must_use]
    pub fn of(expression: &str) -> Option<Self> {
        let mut accessors = expression.split(".get").skip(1);
        accessors.any(takes_named_zone).then_some(Self::NamedZone)
    }
}

/// Whether what follows `.get` is the rest of an accessor's name and a zone that is no offset and not UTC.
fn takes_named_zone(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let Some(argument) = rest.strip_prefix('(') else { return false };
    let argument = argument.trim_start();
    let Some(quote) = argument.chars().next().filter(|quote| "'\"".contains(*quote)) else {
        return false;
    };
    let zone = argument[1..].split(quote).next().unwrap_or_default();
    zone != "UTC" && zone.contains(|c: char| c.is_ascii_alphabetic())
}
