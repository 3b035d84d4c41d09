//! What became of the rows: refusals, and the counts of all.

use alloc::{borrow::Cow, collections::BTreeMap, string::String, vec::Vec};

use serde::Serialize;

use super::{format::RecordFormat, row::LogRowRef};

/// A row as it is handed over: used or refused.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "most rows are records, and a box would be an allocation"
)]
pub enum RowResult<'a> {
    /// It can be used.
    Record(LogRowRef<'a>),
    /// It cannot, and why.
    Refused(RefusedRow),
}

/// A row that cannot be used.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct RefusedRow {
    /// The number of the row, from 1; 0 for the header of a CSV file, and for what stands before all rows.
    pub row: u64,
    /// The line where it starts, from 1.
    pub line: u64,
    /// The stable name of the reason.
    pub code: RowCode,
    /// What is wrong. May change between versions.
    pub message: String,
    /// The way out. May change between versions.
    pub help: String,
}

/// Why a row is refused.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowCode {
    /// It is not JSON.
    InvalidJson,
    /// A cell has a quote that does not close, or text behind one that does.
    InvalidCsv,
    /// It is not XML.
    InvalidXml,
    /// It is not UTF-8.
    InvalidEncoding,
    /// The file is packed.
    Compressed,
    /// The JSON is no list of objects.
    NotAList,
    /// An item of the list, or a line, is no JSON object.
    NotAnObject,
    /// The header lacks a column that is needed; every row is then refused with this code, and one is listed.
    MissingColumn,
    /// It has other cells than the header.
    CellCount,
    /// A field that is needed is missing or empty.
    MissingField,
    /// A field is written twice.
    DuplicateField,
    /// A field has a value that it cannot have.
    InvalidField,
    /// A time without an offset, and none was named.
    NoOffset,
    /// A number or a date that can be read in two ways.
    AmbiguousTime,
    /// A text that is no time.
    InvalidTime,
    /// An event that belongs to no trace.
    OutsideTrace,
    /// The text ends before the row does, or before the file does.
    Unfinished,
    /// It is larger than a limit allows, which the message names.
    LimitExceeded,
}

/// Which name of the file was taken for which field.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct TakenColumn {
    /// Our name of it.
    pub field: String,
    /// Its name in the file.
    pub column: String,
}

/// What has been read so far: `rows` is `used` and `refused` and `other_objects` together.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ReadSummary {
    /// How the log is written.
    pub format: RecordFormat,
    /// How many rows it has. What makes a whole file useless counts as one.
    pub rows: u64,
    /// How many of them became records.
    pub used: u64,
    /// How many of them were refused.
    pub refused: u64,
    /// The same by reason.
    #[cfg_attr(feature = "tsify", tsify(type = "Partial<Record<RowCode, number>>"))]
    pub refused_by_code: BTreeMap<RowCode, u64>,
    /// How many were passed over, since they belong to other objects than the option `object_id` names.
    pub other_objects: u64,
    /// Which name was taken for which field, in the order of the file. In JSON two rows may name one field differently.
    pub columns: Vec<TakenColumn>,
    /// Names that were not used: at most 64.
    pub ignored: Vec<String>,
    /// How many more were not used. Beyond 1024 different names in one file, each one counts as often as it is there.
    pub ignored_more: u64,
}

/// A refusal before it has a place.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) code: RowCode,
    pub(super) message: String,
    pub(super) help: Cow<'static, str>,
}

impl Fault {
    pub(super) fn new(
        code: RowCode,
        message: impl Into<String>,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { code, message: message.into(), help: help.into() }
    }
}

/// Counts the rows and hands them on.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) rows: u64,
    pub(super) used: u64,
    pub(super) refused: u64,
    pub(super) refused_by_code: BTreeMap<RowCode, u64>,
    pub(super) other_objects: u64,
    /// The one object whose rows are wanted.
    pub(super) only: Option<String>,
}

impl Tally {
    /// The number of the row that comes next.
    pub(super) fn next(&self) -> u64 {
        self.rows + 1
    }

    /// The next row, which starts at `line`.
    pub(super) fn row<F: FnMut(RowResult<'_>)>(
        &mut self,
        row: Result<LogRowRef<'_>, Fault>,
        line: u64,
        take: &mut F,
    ) {
        match row {
            Ok(row) => {
                self.rows += 1;
                if self.only.as_ref().is_some_and(|only| *only != row.object_id) {
                    self.other_objects += 1;
                } else {
                    self.used += 1;
                    take(RowResult::Record(row));
                }
            }
            Err(fault) => {
                let refused = self.refuse(fault, line);
                take(RowResult::Refused(refused));
            }
        }
    }

    /// The next row, refused.
    pub(super) fn refuse(&mut self, fault: Fault, line: u64) -> RefusedRow {
        self.count(fault.code, 1);
        let Fault { code, message, help } = fault;
        RefusedRow { row: self.rows, line, code, message, help: help.into_owned() }
    }

    /// What makes the file useless, or what comes after this place.
    pub(super) fn file<F: FnMut(RowResult<'_>)>(&mut self, fault: Fault, line: u64, take: &mut F) {
        let refused = RefusedRow { row: 0, ..self.refuse(fault, line) };
        take(RowResult::Refused(refused));
    }

    /// Rows that are refused without being listed.
    pub(super) fn count(&mut self, code: RowCode, rows: u64) {
        self.rows += rows;
        self.refused += rows;
        *self.refused_by_code.entry(code).or_default() += rows;
    }
}
