//! The formats of logs, and how to tell them apart.

use serde::{Deserialize, Serialize};

/// How a log is written.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordFormat {
    /// A JSON list of objects.
    Json,
    /// One JSON object a line; blank lines are passed over.
    JsonLines,
    /// RFC 4180, with a header.
    Csv,
    /// IEEE 1849, an event log of process mining.
    Xes,
}

impl RecordFormat {
    /// The format of a text that starts so, and whose file has this name, if it has one.
    ///
    /// The ending of the name decides, if it is `.csv`, `.tsv`, `.jsonl`, `.ndjson` or `.xes`; else the first
    /// character does: `<` is XES, `[` is JSON, `{` is JSON lines (or JSON, if the first line ends within the
    /// object), all else is CSV. Some kilobytes are enough.
    #[must_use]
    pub fn detect(start: &[u8], name: Option<&str>) -> Self {
        let ends = |ending: &str| {
            let name = name.unwrap_or_default();
            name.len()
                .checked_sub(ending.len())
                .and_then(|at| name.get(at..))
                .is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        if ends(".csv") || ends(".tsv") {
            return Self::Csv;
        } else if ends(".jsonl") || ends(".ndjson") {
            return Self::JsonLines;
        } else if ends(".xes") {
            return Self::Xes;
        }
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        match start.first() {
            Some(b'<') => Self::Xes,
            Some(b'[') => Self::Json,
            Some(b'{') => {
                let end = memchr::memchr(b'\n', start);
                let line = end.and_then(|end| start.get(..end)).map(<[u8]>::trim_ascii_end);
                match line {
                    Some(line) if !line.ends_with(b"}") => Self::Json,
                    _ => Self::JsonLines,
                }
            }
            None if ends(".json") => Self::Json,
            _ => Self::Csv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RecordFormat::{self, Csv, Json, JsonLines, Xes};

    #[track_caller]
    fn check(start: &str, name: Option<&str>, expected: RecordFormat) {
        assert_eq!(RecordFormat::detect(start.as_bytes(), name), expected, "{start:?} {name:?}");
    }

    #[test]
    fn the_name_decides_and_then_the_first_character() {
        check("[{", None, Json);
        check("\u{feff} [", None, Json);
        check("{\"a\":1}\n{", None, JsonLines);
        check("{\"a\":1}", Some("x.json"), JsonLines);
        check("{\n  \"a\": 1\n}", Some("x.json"), Json);
        check("<?xml", None, Xes);
        check("key,status", None, Csv);
        check("[key],[status]", Some("Export.CSV"), Csv);
        check("", Some("log.json"), Json);
        check("", None, Csv);
        check("key", Some("日.csv"), Csv);
    }
}
