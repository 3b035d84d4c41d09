//! Reading logs: what is taken, what is refused and why, and that chunks change nothing.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use veristate::{
    LogRow, ReadOptions, ReadSummary, RecordFormat, RecordReader, RefusedRow, RowResult,
    read_records,
};

const FORMATS: [RecordFormat; 4] =
    [RecordFormat::Json, RecordFormat::JsonLines, RecordFormat::Csv, RecordFormat::Xes];

/// Everything that a reader says, in the order in which it does.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    rows: Vec<Result<LogRow, RefusedRow>>,
    summary: ReadSummary,
}

impl Said {
    fn codes(&self) -> Vec<String> {
        self.rows.iter().filter_map(|row| row.as_ref().err()).map(code).collect()
    }
}

fn code(refused: &RefusedRow) -> String {
    let code = serde_json::to_value(refused.code).expect("a code is JSON");
    code.as_str().expect("a code is a text").to_owned()
}

fn read<'c>(
    format: RecordFormat,
    options: &ReadOptions,
    chunks: impl IntoIterator<Item = &'c [u8]>,
) -> Said {
    let mut reader = RecordReader::new(format, options).expect("the options can be followed");
    let mut rows = Vec::new();
    let mut take = |row: RowResult<'_>| {
        rows.push(match row {
            RowResult::Record(row) => Ok(row.to_row()),
            RowResult::Refused(row) => Err(row),
        });
    };
    for chunk in chunks {
        reader.feed(chunk, &mut take);
    }
    reader.finish(&mut take);
    let summary = reader.summary();
    let (used, refused) = (summary.used, summary.refused);
    assert_eq!(summary.rows, used + refused + summary.other_objects, "{summary:?}");
    assert_eq!(summary.refused, summary.refused_by_code.values().sum::<u64>());
    assert_eq!(used, rows.iter().filter(|row| row.is_ok()).count() as u64);
    assert!(refused >= rows.iter().filter(|row| row.is_err()).count() as u64);
    assert!(refused == 0 || rows.iter().any(Result::is_err), "none is listed: {summary:?}");
    Said { rows, summary }
}

fn whole(format: RecordFormat, options: &ReadOptions, text: &[u8]) -> Said {
    read(format, options, [text])
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it is written in the call")]
fn check(format: RecordFormat, options: &ReadOptions, text: &str, expected: Value) {
    let said = whole(format, options, text.as_bytes());
    let got: Vec<Value> = said
        .rows
        .iter()
        .map(|row| match row {
            Ok(row) => {
                let Value::Object(mut row) = serde_json::to_value(row).expect("a row is JSON")
                else {
                    unreachable!("a row is an object")
                };
                row.retain(|name, value| {
                    name != "row"
                        && !value.is_null()
                        && !(name == "metadata" && *value == json!({}))
                });
                Value::Object(row)
            }
            Err(refused) => json!([refused.row, refused.line, code(refused)]),
        })
        .collect();
    assert_eq!(Value::from(got), expected, "{text}\n{said:#?}");
}

fn options(options: Value) -> ReadOptions {
    serde_json::from_value(options).expect("they are options")
}

fn plain() -> ReadOptions {
    ReadOptions::default()
}

#[test]
fn json_rows_in_both_forms() {
    let text = r#"[
        { "object_id": "o-1", "from_state": null, "to_state": "draft", "timestamp": 1767225600000, "object": { "amount": 1 } },
        { "object_id": 7, "sequence": "2", "from_states": ["a.b", "c\n"], "to_states": ["d"], "transitions": [],
          "timestamp": "2026-01-01 01:00:00+01", "metadata": { "x": [1.5] }, "extra": [{}] },
        { "object_id": "o-1", "from_states": null, "to_state": "sent", "transition": "send", "timestamp": 1767225600000.25 }
    ]"#;
    let expected = json!([
        { "object_id": "o-1", "from_states": [], "to_states": ["draft"], "timestamp": "2026-01-01T00:00:00Z", "object": { "amount": 1 } },
        { "object_id": "7", "sequence": 2, "from_states": ["a.b", "c\n"], "to_states": ["d"], "transitions": [],
          "timestamp": "2026-01-01T00:00:00Z", "metadata": { "x": [1.5] } },
        { "object_id": "o-1", "to_states": ["sent"], "transitions": ["send"], "timestamp": "2026-01-01T00:00:00.000250Z" },
    ]);
    check(RecordFormat::Json, &plain(), text, expected);
    let said = whole(RecordFormat::Json, &plain(), text.as_bytes());
    assert_eq!(said.summary.ignored, ["extra"]);
}

#[test]
fn a_row_that_is_written_is_read_back() {
    let text = r#"{"object_id":"é\u0041","from_state":"a","to_states":["b","c"],"timestamp":"2026-01-01T00:00:00Z","metadata":{"k":{}},"object":[1]}"#;
    let read = read_records(text.as_bytes(), RecordFormat::JsonLines, &plain()).unwrap();
    let row = &read.records[0];
    let json = serde_json::to_string(row).unwrap();
    assert_eq!(&serde_json::from_str::<LogRow>(&json).unwrap(), row);
    assert_eq!(&serde_json::from_value::<LogRow>(json!({
        "row": 1, "object_id": "éA", "from_state": "a", "to_states": ["b", "c"], "timestamp": 1_767_225_600_000_u64,
        "metadata": { "k": {} }, "object": [1], "unknown": null
    })).unwrap(), row);
    let error = serde_json::from_str::<LogRow>(r#"{"object_id":"x"}"#).unwrap_err();
    assert!(error.to_string().starts_with("`to_states` is missing or empty"), "{error}");
}

#[test]
fn json_rows_are_refused_with_number_line_and_reason() {
    let good = r#""to_state":"s","timestamp":0"#;
    let lines = [
        r#"{"object_id":"a","to_state":"s","timestamp":"2026-01-01T00:00:00"}"#,
        "",
        r#"{"object_id":"a","to_state":"s","timestamp":"1767225600"}"#,
        r#"{"object_id":"a","to_state":"s"}"#,
        &format!(r#"{{"object_id":"a","object_id":"a",{good}}}"#),
        &format!(r#"{{"object_id":"a","sequence":-1,{good}}}"#),
        &format!(r#"{{"object_id":{{}},{good}}}"#),
        &format!(r#"{{"object_id":"a","metadata":[],{good}}}"#),
        &format!(r#"{{"object_id":"a","object":1e999,{good}}}"#),
        &format!(r#"{{"object_id":"\ud800",{good}}}"#),
        "[1]",
        "{\"object_id\":",
        "\"text\"",
        &format!(r#"{{"object_id":"a",{good}}} x"#),
        &format!(r#"{{"object_id":"a","object":{}1{},{good}}}"#, "[".repeat(101), "]".repeat(101)),
        &format!("{{\"object_id\":\"a\",{good}}}\r"),
    ];
    check(
        RecordFormat::JsonLines,
        &plain(),
        &lines.join("\n"),
        json!([
            [1, 1, "no-offset"],
            [2, 3, "ambiguous-time"],
            [3, 4, "missing-field"],
            [4, 5, "duplicate-field"],
            [5, 6, "invalid-field"],
            [6, 7, "invalid-field"],
            [7, 8, "invalid-field"],
            [8, 9, "invalid-field"],
            [9, 10, "invalid-field"],
            [10, 11, "not-an-object"],
            [11, 12, "invalid-json"],
            [12, 13, "not-an-object"],
            [13, 14, "invalid-json"],
            [14, 15, "invalid-field"],
            { "object_id": "a", "to_states": ["s"], "timestamp": "1970-01-01T00:00:00Z" },
        ]),
    );
}

#[test]
fn a_broken_list_says_so_and_goes_on() {
    let row = r#"{"object_id":"a","to_state":"s","timestamp":0}"#;
    let good = json!({ "object_id": "a", "to_states": ["s"], "timestamp": "1970-01-01T00:00:00Z" });
    let json = |text: &str, expected: Value| check(RecordFormat::Json, &plain(), text, expected);
    json("[]", json!([]));
    json("\u{feff} [\n] \n", json!([]));
    json(&format!("[{row},\n\n{row}]"), json!([good, good]));
    json(
        &format!("[1,\n{{\"a\": nul}},{row}]"),
        json!([[1, 1, "not-an-object"], [2, 2, "invalid-json"], good]),
    );
    json(&format!("[{row},]"), json!([good, [2, 1, "invalid-json"]]));
    json(&format!("[{row} {row}]"), json!([[1, 1, "invalid-json"]]));
    json(&format!("[{row}"), json!([[1, 1, "unfinished"]]));
    json(&format!("[{row},"), json!([good, [0, 1, "unfinished"]]));
    json(&format!("[{row}] {row}"), json!([good, [0, 1, "invalid-json"]]));
    json("{\"records\": []}", json!([[0, 1, "not-a-list"]]));
    json("", json!([[0, 1, "unfinished"]]));
}

#[test]
fn a_jira_like_export_needs_no_mapping() {
    let text = "\u{feff}Issue key;Created;Old Value;New Value;Author;Notes;Status\r\n\
                A-1;2026-01-31T12:00:00.000+0000;;To Do;Ann;;x\r\n\
                A-1;2026-01-31T13:00:00.000+0100;To Do;\"In \"\"Progress\"\"\nnow; here\";;;y\r\n\
                \r\n\
                A-1;2026-01-31 14:00;To Do;Done;;;\r\n";
    check(
        RecordFormat::Csv,
        &plain(),
        text,
        json!([
            { "object_id": "A-1", "from_states": [], "to_states": ["To Do"], "timestamp": "2026-01-31T12:00:00Z", "actor_id": "Ann" },
            { "object_id": "A-1", "from_states": ["To Do"], "to_states": ["In \"Progress\"\nnow; here"], "timestamp": "2026-01-31T12:00:00Z" },
            [3, 6, "no-offset"],
        ]),
    );
    let said = whole(RecordFormat::Csv, &options(json!({ "offset": "+02:00" })), text.as_bytes());
    assert_eq!(said.summary.used, 3);
    assert_eq!(said.summary.ignored, ["Notes", "Status"]);
    let columns: BTreeMap<_, _> =
        said.summary.columns.into_iter().map(|taken| (taken.field, taken.column)).collect();
    assert_eq!(columns["timestamp"], "Created");
    assert_eq!(columns["to_states"], "New Value");
}

#[test]
fn columns_are_mapped_and_make_the_object() {
    let text = "id,who,when it was,what,cost,ok,note,states\n\
                x,1,2026-01-01T00:00:00Z,s,1.50,true,007,\"[\"\"a.b\"\", \"\"c\"\"]\"\n\
                y,2,2026-01-01T00:00:00Z,s,,,,s\n";
    let options = options(json!({ "columns": {
        "object_id": "who", "timestamp": "when it was", "to_state": "states",
        "object.amount": "cost", "object.ok": "ok", "object.code": "note"
    } }));
    check(
        RecordFormat::Csv,
        &options,
        text,
        json!([
            { "object_id": "1", "to_states": ["a.b", "c"], "timestamp": "2026-01-01T00:00:00Z",
              "object": { "amount": 1.5, "ok": true, "code": "007" } },
            { "object_id": "2", "to_states": ["s"], "timestamp": "2026-01-01T00:00:00Z" },
        ]),
    );
    let said = whole(RecordFormat::Csv, &options, text.as_bytes());
    assert_eq!(said.summary.ignored, ["id", "what"]);
    let missing = self::options(json!({ "columns": { "object_id": "Who" } }));
    let said = whole(RecordFormat::Csv, &missing, text.as_bytes());
    assert_eq!(said.codes(), ["missing-column"]);
    assert_eq!((said.summary.rows, said.summary.refused), (3, 3));
    assert!(
        RecordReader::new(
            RecordFormat::Csv,
            &self::options(json!({ "columns": { "objct": "x" } }))
        )
        .is_err()
    );
}

#[test]
fn csv_rows_are_refused_with_number_line_and_reason() {
    let text = "obj|to|at\n\
                a|s|2026-01-01T00:00:00Z|\n\
                a|s\n\
                a|s|2026-01-01T00:00:00Z|x\n\
                a|\"s\"x|2026-01-01T00:00:00Z\n\
                a|5\" disk|2026-01-01T00:00:00Z\n\
                a||2026-01-01T00:00:00Z\n\
                a|\"s|2026-01-01T00:00:00Z\n\
                a|t|2026-01-01T00:00:00Z\n";
    let row = |state: &str| json!({ "object_id": "a", "to_states": [state], "timestamp": "2026-01-01T00:00:00Z" });
    check(
        RecordFormat::Csv,
        &plain(),
        text,
        json!([
            row("s"),
            [2, 3, "cell-count"],
            [3, 4, "cell-count"],
            [4, 5, "invalid-csv"],
            row("5\" disk"),
            [6, 7, "missing-field"],
            [7, 8, "invalid-csv"],
            row("t"),
        ]),
    );
    check(
        RecordFormat::Csv,
        &plain(),
        "sep=;\nobj;to;at\ra;s;2026-01-01T00:00:00Z\r",
        json!([row("s")]),
    );
    check(RecordFormat::Csv, &plain(), "", json!([[0, 1, "missing-column"]]));
    check(RecordFormat::Csv, &plain(), "a,b\n1,2\n1,2\n", json!([[0, 1, "missing-column"]]));
}

const XES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- <trace> is no trace here --><log xes.version="1.0" xmlns:x="urn:a">
<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
<global scope="event"><string key="concept:name" value="?"/></global>
<trace>
  <string key="concept:name" value="o-1 &gt; &#65;"/><int key="cost" value="3"/>
  <event><string key="concept:name" value="draft"/><date key="time:timestamp" value="2026-01-01T00:00:00.000+01:00"/>
    <string key="org:resource" value="ann"/><int key="n" value="+05"/><boolean key="ok" value="true"/><float key="f" value="NaN"/></event>
  <event><string key="concept:name" value="check > &lt;/event>"/><string key="lifecycle:transition" value="start"/>
    <date key="time:timestamp" value="2026-01-01T00:00:00Z"/><list key="l"><values><int key="inner" value="1"/></values></list></event>
  <event><string key="concept:name" value="x"/></event>
  <event><string key="concept:name" value="x"></event>
  <event><x:string key="concept:name" value="done"/><string key="lifecycle:transition" value="COMPLETE"/><![CDATA[</event>]]>
    <date key="time:timestamp" value="2026-01-01T00:00:00Z"/></event>
</trace>
<event><string key="concept:name" value="x"/></event>
<trace><event><string key="concept:name" value="x"/><date key="time:timestamp" value="2026-01-01T00:00:00Z"/></event></trace>
</log>
"#;

#[test]
fn xes_traces_become_rows() {
    let object = "o-1 > A";
    check(
        RecordFormat::Xes,
        &plain(),
        XES,
        json!([
            { "object_id": object, "sequence": 1, "from_states": [], "to_states": ["draft"], "actor_id": "ann",
              "timestamp": "2025-12-31T23:00:00Z", "metadata": { "f": "NaN", "n": 5, "ok": true } },
            { "object_id": object, "sequence": 2, "to_states": ["check > </event>+start"], "timestamp": "2026-01-01T00:00:00Z" },
            [3, 11, "missing-field"],
            [4, 12, "invalid-xml"],
            { "object_id": object, "sequence": 5, "to_states": ["done"], "timestamp": "2026-01-01T00:00:00Z" },
            [6, 16, "outside-trace"],
            [7, 17, "missing-field"],
        ]),
    );
    let said = whole(RecordFormat::Xes, &plain(), XES.as_bytes());
    assert_eq!(said.summary.ignored, ["case:cost", "inner", "l"]);
}

#[test]
fn what_is_no_readable_file_is_refused_once() {
    let xes = |text: &str, expected: Value| check(RecordFormat::Xes, &plain(), text, expected);
    xes("<?xml version='1.0' encoding='ISO-8859-1'?><log/>", json!([[0, 1, "invalid-encoding"]]));
    xes("<!DOCTYPE log><log/>", json!([[0, 1, "invalid-xml"]]));
    xes("<pnml/>", json!([[0, 1, "invalid-xml"]]));
    xes("\n", json!([[0, 2, "invalid-xml"]]));
    xes("<log/>", json!([]));
    xes("<log>\n<trace>\n<event/>", json!([[1, 3, "unfinished"]]));
    xes("<log><trace></trace>", json!([[0, 1, "unfinished"]]));
    for format in FORMATS {
        for (start, code) in [
            (&b"\x1f\x8b\x08\0\0"[..], "compressed"),
            (b"PK\x03\x04xx", "compressed"),
            (b"\xff\xfe{\0", "invalid-encoding"),
            (b"{\0\"\0a\0", "invalid-encoding"),
        ] {
            assert_eq!(whole(format, &plain(), start).codes(), [code], "{format:?}");
        }
    }
}

#[test]
fn a_row_over_the_limit_is_refused_and_reading_goes_on() {
    let long = "x".repeat(300);
    let small = options(json!({ "row_bytes": 200 }));
    let row = |id: &str| format!(r#"{{"object_id":"{id}","to_state":"s","timestamp":0}}"#);
    let lines = [row("a"), row(&long), row("b")].join("\n");
    assert_eq!(
        whole(RecordFormat::JsonLines, &small, lines.as_bytes()).codes(),
        ["limit-exceeded"]
    );
    let list = format!("[{}]", [row("a"), row(&long), row("b")].join(","));
    assert_eq!(whole(RecordFormat::Json, &small, list.as_bytes()).summary.used, 2);
    let csv = format!("obj,to,at\na,\"{long}\n{long}\na,s,2026-01-01T00:00:00Z\n");
    let said = whole(RecordFormat::Csv, &small, csv.as_bytes());
    assert_eq!((said.summary.used, said.codes()), (1, vec!["limit-exceeded".to_owned(); 2]));
    let event = "<event><string key='concept:name' value='s'/><date key='time:timestamp' value='2026-01-01T00:00:00Z'/></event>";
    let trace = |events: usize| {
        let id = "<string key='concept:name' value='a'/>";
        format!("<trace>{id}{}</trace>", event.repeat(events))
    };
    let xes = format!("<log>{}{}{}</log>", trace(1), trace(2), trace(1));
    let small = options(json!({ "row_bytes": 250 }));
    let said = whole(RecordFormat::Xes, &small, xes.as_bytes());
    assert_eq!((said.summary.used, said.codes()), (2, vec!["limit-exceeded".to_owned()]));
    assert_eq!(said.summary.refused, 2);
}

#[test]
fn one_object_can_be_asked_for() {
    let text = "obj,to,at\na,s,2026-01-01T00:00:00Z\nb,s,2026-01-01T00:00:00Z\n";
    let said = whole(RecordFormat::Csv, &options(json!({ "object_id": "b" })), text.as_bytes());
    assert_eq!((said.summary.used, said.summary.other_objects, said.summary.rows), (1, 1, 2));
    assert_eq!(said.rows[0].as_ref().unwrap().row, 2);
}

/// A valid file of each format, as different as may be.
fn file(format: RecordFormat) -> String {
    match format {
        RecordFormat::Json => r#" [ {"object_id":"ö\"1","from_state":null,"to_state":"dr\\aft","timestamp":"2026-01-01T00:00:00Z","object":{"a":[1,"]"]}},
{"key":"b","seq":2,"to":["x","y"],"at":0,"time":1,"odd":{"x":"\u00e9"}}, {"object_id":"a"} ]"#.into(),
        RecordFormat::JsonLines => "\u{feff}{\"object_id\":\"ö\\\"1\",\"to_state\":\"s\",\"timestamp\":0}\r\n\n{\"object_id\":\"b\",\"to_state\":\"é\",\"timestamp\":\"2026-01-01T00:00:00Z\"}\n{\"x\"\n{}".into(),
        RecordFormat::Csv => "\u{feff}obj,from,to,at,\"no\nte\",x\r\na,,\"sö \"\"x\"\"\r\n, y\",2026-01-01T00:00:00Z,,\r\n\r\nb,s,t,2026-01-01T00:00:00Z,\"\",\"q\n\"\rc,s,t,yesterday,,\r\nd,s,\"t,2026-01-01T00:00:00Z,,\nd,s,t,2026-01-01T00:00:00Z,,".into(),
        RecordFormat::Xes => XES.into(),
    }
}

fn any_format() -> impl Strategy<Value = RecordFormat> {
    prop::sample::select(FORMATS.to_vec())
}

/// Small edits of a text: bytes that mean something to the formats, put in, written over or taken away.
fn edits() -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
    let byte = prop_oneof![
        prop::sample::select(b"\"'\\,;\n\r{}[]<>/!-?&= \t:0\xc3\xff".to_vec()),
        any::<u8>()
    ];
    prop::collection::vec((0_usize..4000, 0_u8..3, byte), 0..6)
}

fn edited(text: &str, edits: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, what, byte) in edits {
        let at = at % (bytes.len() + 1);
        match what {
            0 => bytes.insert(at, *byte),
            1 if at < bytes.len() => bytes[at] = *byte,
            _ if at < bytes.len() => drop(bytes.remove(at)),
            _ => {}
        }
    }
    bytes
}

fn chunks<'b>(bytes: &'b [u8], cuts: &[usize]) -> Vec<&'b [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.sort_unstable();
    let mut start = 0;
    let mut chunks = Vec::new();
    for cut in cuts {
        chunks.push(&bytes[start..cut]);
        start = cut;
    }
    chunks.push(&bytes[start..]);
    chunks
}

#[test]
fn a_file_can_be_cut_at_every_byte() {
    for format in FORMATS {
        let text = file(format);
        for limit in [None, Some(60), Some(130), Some(700)] {
            let options = ReadOptions { row_bytes: limit, ..plain() };
            let expected = whole(format, &options, text.as_bytes());
            let bytes = read(format, &options, text.as_bytes().chunks(1));
            assert_eq!(bytes, expected, "{format:?} {limit:?} byte by byte");
            for cut in 0..text.len() {
                let (head, tail) = text.as_bytes().split_at(cut);
                let got = read(format, &options, [head, tail]);
                assert_eq!(got, expected, "{format:?} {limit:?} cut at {cut}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(768))]

    #[test]
    fn chunks_change_nothing_whatever_the_text(
        format in any_format(),
        edits in edits(),
        cuts in prop::collection::vec(any::<usize>(), 0..8),
        limit in prop_oneof![Just(None), (1_usize..800).prop_map(Some)],
    ) {
        let bytes = edited(&file(format), &edits);
        let options = ReadOptions { row_bytes: limit, ..plain() };
        let expected = whole(format, &options, &bytes);
        prop_assert_eq!(&read(format, &options, chunks(&bytes, &cuts)), &expected);
        prop_assert_eq!(&read(format, &options, bytes.chunks(1)), &expected);
    }

    #[test]
    fn no_bytes_are_too_odd(
        format in any_format(),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        start in prop::sample::select(vec!["", "[", "{\"a\":", "obj,to,at\n", "<log><trace><event>"]),
    ) {
        let bytes = [start.as_bytes(), &bytes].concat();
        whole(format, &plain(), &bytes);
        whole(RecordFormat::detect(&bytes, None), &plain(), &bytes);
    }

    #[test]
    fn every_row_is_counted(kinds in prop::collection::vec(0_usize..4, 0..40)) {
        let json = [
            r#"{"object_id":"a","to_state":"s","timestamp":"2026-01-01T00:00:00Z"}"#,
            r#"{"object_id":"a","to_state":"s","timestamp":"?"}"#,
            r#"{"object_id":"a"}"#,
            "{",
        ];
        let csv = ["a,s,2026-01-01T00:00:00Z", "a,s,?", "a,,2026-01-01T00:00:00Z", "a,s"];
        let used = kinds.iter().filter(|kind| **kind == 0).count() as u64;
        let lines: Vec<&str> = kinds.iter().map(|kind| json[*kind]).collect();
        let cells: Vec<&str> = kinds.iter().map(|kind| csv[*kind]).collect();
        for (format, text) in [
            (RecordFormat::JsonLines, lines.join("\n")),
            (RecordFormat::Csv, format!("obj,to,at\n{}", cells.join("\n"))),
        ] {
            let said = whole(format, &plain(), text.as_bytes());
            prop_assert_eq!(said.summary.used, used);
            prop_assert_eq!(said.summary.rows, kinds.len() as u64);
            let numbers: Vec<u64> =
                said.rows.iter().map(|row| row.as_ref().map_or_else(|r| r.row, |r| r.row)).collect();
            prop_assert_eq!(numbers, (1..=kinds.len() as u64).collect::<Vec<_>>());
        }
    }
}
