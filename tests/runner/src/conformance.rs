//! How many of other people's cases there are, and were run.

use std::fmt;

use serde_json::Value;

use crate::{case::Kind, cel::Exception, files::CaseFile};

/// How many of other people's cases (of CEL, of SCXML, histories) are at hand, and were run.
///
/// Written, it is one line for each.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Conformance {
    cel: Count,
    /// Cases of CEL in which Veristate differs on purpose.
    exceptions: usize,
    scxml: Count,
    histories: Count,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Count {
    at_hand: usize,
    ran: usize,
}

impl Conformance {
    /// Notes a case that is at hand, if it is one of a suite.
    pub fn found(&mut self, file: &CaseFile) {
        if let Some(count) = self.of(file) {
            count.at_hand += 1;
        }
    }

    /// Notes one that was run.
    pub fn ran(&mut self, file: &CaseFile) {
        let Some(count) = self.of(file) else { return };
        count.ran += 1;
        if file.kind == Kind::Cel {
            let text = file.text.as_deref().unwrap_or_default();
            let case: Value = serde_json::from_str(text).unwrap_or_default();
            let exception = case["expr"].as_str().and_then(Exception::of);
            self.exceptions += usize::from(exception.is_some());
        }
    }

    /// The count of the suite that a case belongs to. Our own cases belong to none.
    fn of(&mut self, file: &CaseFile) -> Option<&mut Count> {
        match file.kind {
            _ if file.is_ours() => None,
            Kind::Cel => Some(&mut self.cel),
            Kind::Scxml => Some(&mut self.scxml),
            Kind::Foreign => Some(&mut self.histories),
            _ => None,
        }
    }
}

impl fmt::Display for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CEL conformance: ")?;
        self.cel.write(f, ["cel", "cel", "guard"])?;
        if self.cel.at_hand > 0 {
            let exceptions = self.exceptions;
            write!(f, ", {exceptions} of them with a named time zone, which must be unknown")?;
        }
        f.write_str("\nSCXML conformance: ")?;
        self.scxml.write(f, ["scxml"; 3])?;
        f.write_str("\nHistories of other people: ")?;
        self.histories.write(f, ["cases/history.json", "history", "history"])
    }
}

impl Count {
    /// Where other people's cases would be, in `../shared` and elsewhere, and where those are that say the same for us.
    fn write(self, f: &mut fmt::Formatter<'_>, [shared, theirs, ours]: [&str; 3]) -> fmt::Result {
        let Self { at_hand, ran } = self;
        match at_hand {
            0 => write!(
                f,
                "no cases at hand, neither in ../shared/{shared} nor in $VERISTATE_CASES/{theirs}; our own \
                 are in tests/cases/{ours}"
            ),
            _ => write!(f, "{ran} of {at_hand} cases were run"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, kind: Kind, text: &str) -> CaseFile {
        CaseFile { path: path.into(), kind, text: Ok(text.into()) }
    }

    #[test]
    fn each_suite_has_its_line_and_our_own_cases_are_in_none() {
        let mut conformance = Conformance::default();
        let zoned = r#"{ "expr": "timestamp('2009-02-13T23:31:30Z').getHours('Asia/Kolkata')" }"#;
        let cel = file("shared/cel/a/b/c", Kind::Cel, zoned);
        let scxml = file("extra/scxml/a", Kind::Scxml, "{}");
        let foreign = file("shared/history/a", Kind::Foreign, "{}");
        for file in [&cel, &scxml, &scxml, &foreign, &file("scxml/ours", Kind::Scxml, "{}")] {
            conformance.found(file);
        }
        conformance.ran(&cel);
        conformance.ran(&scxml);
        conformance.ran(&foreign);
        assert_eq!(
            conformance.to_string(),
            "CEL conformance: 1 of 1 cases were run, 1 of them with a named time zone, which must be unknown\n\
             SCXML conformance: 1 of 2 cases were run\n\
             Histories of other people: 1 of 1 cases were run"
        );
    }

    #[test]
    fn a_clone_without_the_suites_says_so() {
        let text = Conformance::default().to_string();
        let mut lines = text.lines();
        for suite in ["cel", "scxml", "cases/history.json"] {
            let line = lines.next().unwrap_or_default();
            assert!(line.contains(": no cases at hand"), "{line}");
            assert!(line.contains(&format!("../shared/{suite} ")), "{line}");
        }
        assert_eq!(lines.next(), None);
    }
}
