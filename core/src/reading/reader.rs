//! Reading a log in chunks.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    csv::Csv,
    format::RecordFormat,
    lines::Lines,
    list::List,
    names::Names,
    object,
    options::{InvalidReadOptions, ReadOptions},
    row::LogRow,
    start::Start,
    summary::{ReadSummary, RefusedRow, RowResult, Tally},
    when,
    xes::Xes,
};

/// Size of one row, if the caller does not say.
const ROW_BYTES: usize = 1 << 20;
/// The same for a trace of XES.
const TRACE_BYTES: usize = 64 << 20;

/// Reads a log in chunks of any size, and hands over each row as soon as it is whole.
///
/// Where a chunk ends changes nothing. The memory that it takes is bounded by the largest row (the option
/// `row_bytes`), so that a file of any size can stream through. Time is linear in the size of the text.
///
/// ```
/// use veristate::{ReadOptions, RecordFormat, RecordReader, RowResult};
///
/// let mut reader = RecordReader::new(RecordFormat::Csv, &ReadOptions::default())?;
/// let mut states = Vec::new();
/// let mut take = |row: RowResult<'_>| {
///     if let RowResult::Record(row) = row {
///         states.push(row.to_states[0].to_string());
///     }
/// };
/// for chunk in ["Issue key,Status,Chan", "ged\nA-1,In Progress,2026-01-31T12:00:00.000+0000\n"] {
///     reader.feed(chunk.as_bytes(), &mut take);
/// }
/// reader.finish(&mut take);
/// assert_eq!(states, ["In Progress"]);
/// # Ok::<(), veristate::InvalidReadOptions>(())
/// ```
#[derive(Debug)]
pub struct RecordReader {
    format: RecordFormat,
    stage: Stage,
    source: Source,
    rows: Rows,
}

/// How far reading is.
#[derive(Debug)]
enum Stage {
    Start(Start),
    Body,
    Over,
}

/// What cuts the text into rows.
#[derive(Debug)]
enum Source {
    List(List),
    Lines(Lines),
    Csv(Csv),
    Xes(Xes),
}

/// What all formats need to make rows.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) names: Names,
    pub(super) tally: Tally,
    /// In seconds, for times that have none.
    pub(super) offset: Option<i32>,
    /// JSON that is put together for one row.
    pub(super) scratch: String,
}

impl Rows {
    /// The next row, which is a JSON object.
    pub(super) fn object<F: FnMut(RowResult<'_>)>(&mut self, text: &[u8], line: u64, take: &mut F) {
        let Self { names, tally, offset, scratch } = self;
        tally.row(object::read(text, tally.next(), names, *offset, scratch), line, take);
    }
}

impl RecordReader {
    /// A reader that has read nothing.
    ///
    /// # Errors
    ///
    /// An option cannot be followed: the mapping has a field that there is not, the offset or delimiter is none,
    /// or `row_bytes` is 0.
    pub fn new(format: RecordFormat, options: &ReadOptions) -> Result<Self, InvalidReadOptions> {
        let invalid =
            |cause: String, help: &str| InvalidReadOptions { cause, help: help.to_owned() };
        let names = Names::new(options, format == RecordFormat::Xes).map_err(|key| {
            let cause = format!("the option `columns` has `{key}`, which is no field of a row");
            let help = "the fields are those of `LogRow` with `from_state`, `to_state` and `transition`, and `object.` with any name";
            invalid(cause, help)
        })?;
        let offset = options.offset.as_deref().map(|text| {
            let cause = || format!("the option `offset` is `{text}`, no offset");
            when::offset(text).ok_or_else(|| invalid(cause(), "offsets look like `+02:00` or `Z`"))
        });
        let delimiter = options.delimiter.map(|delimiter| {
            let byte = u8::try_from(delimiter).ok();
            byte.filter(|byte| byte.is_ascii() && !b"\"\r\n\0".contains(byte)).ok_or_else(|| {
                let cause = format!("the option `delimiter` is {delimiter:?}");
                invalid(cause, "it is one ASCII character, and no quote and no line end")
            })
        });
        let (offset, delimiter) = (offset.transpose()?, delimiter.transpose()?);
        let default = if format == RecordFormat::Xes { TRACE_BYTES } else { ROW_BYTES };
        let limit = options.row_bytes.unwrap_or(default);
        if limit == 0 {
            return Err(invalid(
                "the option `row_bytes` is 0".to_string(),
                "a row needs some bytes",
            ));
        }
        let source = match format {
            RecordFormat::Json => Source::List(List::new(limit)),
            RecordFormat::JsonLines => Source::Lines(Lines::new(limit)),
            RecordFormat::Csv => Source::Csv(Csv::new(limit, delimiter)),
            RecordFormat::Xes => Source::Xes(Xes::new(limit)),
        };
        let tally = Tally { only: options.object_id.clone(), ..Tally::default() };
        let rows = Rows { names, tally, offset, scratch: String::new() };
        Ok(Self { format, stage: Stage::Start(Start::default()), source, rows })
    }

    /// Reads on; `take` gets each row that is whole. Does nothing after [`finish`](Self::finish).
    pub fn feed<F: FnMut(RowResult<'_>)>(&mut self, bytes: &[u8], take: &mut F) {
        let mut rest = bytes;
        if let Stage::Start(start) = &mut self.stage {
            rest = start.gather(rest);
            if !start.is_full() {
                return;
            }
            self.begin(take);
        }
        if matches!(self.stage, Stage::Body) && !rest.is_empty() {
            self.source.feed(rest, &mut self.rows, take);
        }
    }

    /// The text is over: `take` gets what was left.
    pub fn finish<F: FnMut(RowResult<'_>)>(&mut self, take: &mut F) {
        if matches!(self.stage, Stage::Start(_)) {
            self.begin(take);
        }
        if matches!(self.stage, Stage::Body) {
            self.stage = Stage::Over;
            let rows = &mut self.rows;
            match &mut self.source {
                Source::List(list) => list.finish(rows, take),
                Source::Lines(lines) => lines.finish(rows, take),
                Source::Csv(csv) => csv.finish(rows, take),
                Source::Xes(xes) => xes.finish(rows, take),
            }
        }
    }

    /// Looks at the first bytes.
    fn begin<F: FnMut(RowResult<'_>)>(&mut self, take: &mut F) {
        let Stage::Start(start) = &self.stage else { return };
        match start.text() {
            Ok((bytes, text)) => {
                self.stage = Stage::Body;
                if let Some(text) = bytes.get(text).filter(|text| !text.is_empty()) {
                    self.source.feed(text, &mut self.rows, take);
                }
            }
            Err(fault) => {
                self.stage = Stage::Over;
                self.rows.tally.file(fault, 1, take);
            }
        }
    }

    /// What has been read so far.
    #[must_use]
    pub fn summary(&self) -> ReadSummary {
        let Rows { names, tally, .. } = &self.rows;
        let (ignored, ignored_more) = names.list_ignored();
        ReadSummary {
            format: self.format,
            rows: tally.rows,
            used: tally.used,
            refused: tally.refused,
            refused_by_code: tally.refused_by_code.clone(),
            other_objects: tally.other_objects,
            columns: names.columns(),
            ignored,
            ignored_more,
        }
    }
}

impl Source {
    fn feed<F: FnMut(RowResult<'_>)>(&mut self, bytes: &[u8], rows: &mut Rows, take: &mut F) {
        match self {
            Self::List(list) => list.feed(bytes, rows, take),
            Self::Lines(lines) => lines.feed(bytes, rows, take),
            Self::Csv(csv) => csv.feed(bytes, rows, take),
            Self::Xes(xes) => xes.feed(bytes, rows, take),
        }
    }
}

/// A log that has been read whole.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Records {
    /// The rows that can be used, in the order of the file.
    pub records: Vec<LogRow>,
    /// Those that cannot, and why.
    pub refused: Vec<RefusedRow>,
    /// The counts of all.
    pub summary: ReadSummary,
}

/// Reads a log that is in memory as a whole.
///
/// ```
/// use veristate::{ReadOptions, RecordFormat, read_records};
///
/// let log = r#"[{ "object_id": "o-1", "from_state": null, "to_state": "draft", "timestamp": "2026-01-31T12:00:00Z" }]"#;
/// let read = read_records(log.as_bytes(), RecordFormat::Json, &ReadOptions::default())?;
/// assert_eq!(read.records[0].from_states, Some(vec![]));
/// assert_eq!(read.summary.used, 1);
/// # Ok::<(), veristate::InvalidReadOptions>(())
/// ```
///
/// # Errors
///
/// As [`RecordReader::new`]; nothing in the text is an error, but may be a refused row.
pub fn read_records(
    bytes: &[u8],
    format: RecordFormat,
    options: &ReadOptions,
) -> Result<Records, InvalidReadOptions> {
    let mut reader = RecordReader::new(format, options)?;
    let (mut records, mut refused) = (Vec::new(), Vec::new());
    let mut take = |row: RowResult<'_>| match row {
        RowResult::Record(row) => records.push(row.to_row()),
        RowResult::Refused(row) => refused.push(row),
    };
    reader.feed(bytes, &mut take);
    reader.finish(&mut take);
    Ok(Records { records, refused, summary: reader.summary() })
}
