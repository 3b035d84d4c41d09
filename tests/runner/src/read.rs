//! A case about a log as text, and the rows that it holds.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{failure::Fault, json::missing, run::Recorded};

/// A case about a log as text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadCase {
    format: Option<String>,
    /// The name of the file, where the format is to be found out.
    name: Option<String>,
    text: Option<Lines>,
    /// In hexadecimal.
    bytes: Option<String>,
    #[serde(default)]
    options: Value,
    records: Option<Value>,
    refused: Option<Value>,
    summary: Option<Value>,
    /// The error in place of these.
    error: Option<String>,
}

/// A text, or its lines.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Lines {
    Lines(Vec<String>),
    Text(String),
}

pub(crate) fn run(case: &ReadCase, machine: &mut Recorded<'_>) -> Result<(), Fault> {
    let log = case.log()?;
    let detected = machine.get("`detect`", |surface| surface.detect(&log, case.name.as_deref()))?;
    let format = case.format.as_deref().or(detected.as_str()).unwrap_or_default();
    let read = machine.ask(|surface| surface.read(&log, format, &case.options));
    let read = match (read, &case.error) {
        (Ok(read), None) => read,
        (Err(thrown), Some(code)) if thrown.code == *code => return Ok(()),
        (Err(thrown), Some(code)) => {
            return Err(Fault::differs("the error", json!(code), json!(thrown.code)));
        }
        (Ok(_), Some(code)) => return Err(Fault::new(format!("`read` should throw `{code}`"))),
        (Err(thrown), None) => {
            let what = format!("`read` throws `{}`: {}", thrown.code, thrown.message);
            return Err(Fault::new(what));
        }
    };
    let parts = [
        ("records", case.records.as_ref()),
        ("refused", case.refused.as_ref()),
        ("summary", case.summary.as_ref()),
    ];
    let nothing = json!([]);
    for (name, expected) in parts {
        // A row that is refused is never passed over in silence.
        let expected = expected.or((name == "refused").then_some(&nothing));
        let Some(expected) = expected else { continue };
        if let Some(inside) = missing(expected, &read[name]) {
            let what = format!("`{name}{inside}` is not as expected");
            return Err(Fault::differs(what, expected.clone(), read[name].clone()));
        }
    }
    counted(&read)
}

impl ReadCase {
    fn log(&self) -> Result<Vec<u8>, Fault> {
        match (&self.text, &self.bytes) {
            (Some(Lines::Text(text)), None) => Ok(text.clone().into_bytes()),
            (Some(Lines::Lines(lines)), None) => Ok(lines.join("\n").into_bytes()),
            (None, Some(digits)) => {
                let digits: Vec<char> = digits.chars().filter(|c| !c.is_whitespace()).collect();
                let byte = |pair: &[char]| {
                    let pair: String = pair.iter().collect();
                    u8::from_str_radix(&pair, 16).ok().filter(|_| pair.len() == 2)
                };
                let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
                bytes.ok_or_else(|| Fault::new("`bytes` are pairs of hexadecimal digits"))
            }
            _ => Err(Fault::new("a reading case has either a `text` or `bytes`")),
        }
    }
}

/// The summary counts every row.
fn counted(read: &Value) -> Result<(), Fault> {
    let count = |field: &str| read["summary"][field].as_u64().unwrap_or_default();
    let length = |list: &Value| list.as_array().map_or(0, Vec::len) as u64;
    let sound = count("rows") == count("used") + count("refused") + count("other_objects")
        && count("used") == length(&read["records"])
        && count("refused") >= length(&read["refused"]);
    match sound {
        true => Ok(()),
        false => {
            let what = "the summary does not count the rows";
            Err(Fault { got: Some(read.clone()), ..Fault::new(what) })
        }
    }
}
