//! Reading text, apart from analysing it: into a log natively and in WebAssembly, against what JavaScript has.
//!
//! Every side starts with bytes. The others make objects with texts and numbers of them and check nothing; ours also
//! reads the times, finds the object and the states of each row, and fills the columns. Each side reads its own format;
//! the number of rows is checked to be equal.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use veristate::{Log, Machine, ReadOptions, RecordFormat};

use super::columns::Columns;
use super::node;
use super::rival::{Rival, Took};
use super::texts::Texts;
use super::turns::{Goal, Side, compare};

pub(super) fn run(
    columns: &Columns,
    machine: &Machine,
    folder: &Path,
) -> Result<(), Box<dyn Error>> {
    let texts = Texts::of(columns, machine).ok_or("a time that cannot be written")?;
    fs::write(folder.join("log.jsonl"), &texts.lines)?;
    fs::write(folder.join("log.json"), &texts.list)?;
    fs::write(folder.join("log.csv"), &texts.csv)?;
    let lines = [
        ("Veristate in WebAssembly", "veristate", "log.jsonl"),
        ("JSON.parse, line by line", "lines", "log.jsonl"),
        ("JSON.parse of a list", "list", "log.json"),
    ];
    let json = (RecordFormat::JsonLines, texts.lines.as_bytes());
    table("JSON lines", json, &lines, columns.len(), folder)?;
    let cells = [
        ("Veristate in WebAssembly", "veristate", "log.csv"),
        ("PapaParse", "papaparse", "log.csv"),
    ];
    table("CSV", (RecordFormat::Csv, texts.csv.as_bytes()), &cells, columns.len(), folder)
}

fn table(
    name: &str,
    (format, text): (RecordFormat, &[u8]),
    others: &[(&str, &str, &str)],
    rows: usize,
    folder: &Path,
) -> Result<(), Box<dyn Error>> {
    let mut rivals = Vec::new();
    let mut sizes = vec![megabytes(text.len())];
    for (name, side, file) in others {
        let path = folder.join(file);
        let length = fs::metadata(&path)?.len();
        sizes.push(megabytes(usize::try_from(length)?));
        let mut rival = Rival::start(name, node("reading.mjs").arg(side).arg(&path))?;
        rival.go()?;
        let found = rival.answer::<usize>()?;
        assert_eq!(found, rows, "{name}");
        rivals.push((*name, rival));
    }
    let options = ReadOptions::default();
    let mut readers = vec![Side::native("Veristate", || {
        let (read, took) = Took::of(|| Log::read(black_box(text), format, &options));
        assert!(read.is_ok_and(|(log, _)| log.len() == rows));
        took
    })];
    for (name, rival) in &mut rivals {
        readers.push(Side::rival(name, rival, Goal::None));
    }
    let title = format!("{name}: {rows} rows, {:.0} MB, from bytes", sizes[0]);
    compare(&title, readers, Some(("MB/s", &sizes)))
}

fn megabytes(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e6
}
