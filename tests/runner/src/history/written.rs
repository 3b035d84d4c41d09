//! The rows of a case as a file would hold them, read again.

use serde_json::{Map, Value, json};

use super::{agree, row};
use crate::{failure::Fault, run::Recorded};

/// Columns whose cells are JSON.
const JSON: [&str; 7] =
    ["from_states", "to_states", "transitions", "exited", "entered", "metadata", "object"];

/// The rows as JSON, as JSON lines and as CSV are the same history.
pub(crate) fn again(
    machine: &mut Recorded<'_>,
    rows: &[Map<String, Value>],
    read: &Value,
    options: &Value,
) -> Result<(), Fault> {
    // Readers number the rows as they stand in the text.
    if rows.iter().any(|row| row.contains_key("row")) || rows.is_empty() {
        return Ok(());
    }
    let given: Vec<Value> = rows.iter().map(row).collect();
    let mut full: Vec<&Value> = read["rows"].as_array().into_iter().flatten().collect();
    full.sort_by_key(|row| row["row"].as_u64());
    for (what, format, text) in [
        ("the rows as JSON", "json", json!(given).to_string()),
        ("the rows as JSON lines", "json_lines", lines(&given)),
        ("the rows as CSV", "csv", csv(&full)),
    ] {
        let log =
            machine.get(what, |surface| surface.read(text.as_bytes(), format, &Value::Null))?;
        if log["refused"] != json!([]) {
            let what = format!("{what} are not all used");
            return Err(Fault { got: Some(log["refused"].clone()), ..Fault::new(what) });
        }
        agree::same(machine, what, &log["records"], read, options)?;
    }
    Ok(())
}

/// Rows as JSON lines.
pub(crate) fn lines(rows: &[Value]) -> String {
    rows.iter().flat_map(|row| [row.to_string(), "\n".into()]).collect()
}

/// Full rows as CSV, with lists and data as JSON in their cells. A column that no row has is left out.
pub(crate) fn csv(rows: &[&Value]) -> String {
    let mut columns: Vec<&String> = Vec::new();
    for row in rows {
        let fields = row.as_object().into_iter().flatten();
        let said = fields.filter(|(name, value)| *name != "row" && !value.is_null());
        for (name, _) in said {
            if !columns.contains(&name) {
                columns.push(name);
            }
        }
    }
    let mut text = columns.iter().map(|name| cell(name)).collect::<Vec<_>>().join(",");
    for row in rows {
        let cells = columns.iter().map(|name| match &row[name.as_str()] {
            Value::Null => String::new(),
            Value::String(text) if !JSON.contains(&name.as_str()) => cell(text),
            value => cell(&value.to_string()),
        });
        text.push_str("\r\n");
        text.push_str(&cells.collect::<Vec<_>>().join(","));
    }
    text
}

/// A cell as RFC 4180 writes it.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\r', '\n']) || text.trim() != text {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}
