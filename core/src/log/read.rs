//! Reading a log from text into columns.

use alloc::{string::ToString, vec::Vec};

use serde::Serialize;

use super::store::Log;
use crate::reading::{
    InvalidReadOptions, ReadOptions, ReadSummary, RecordFormat, RecordReader, RefusedRow, RowCode,
    RowResult,
};

/// What became of the rows of a text.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogRead {
    /// The counts of all.
    pub summary: ReadSummary,
    /// The first 1,000 rows that were refused, and why.
    pub refused: Vec<RefusedRow>,
}

/// Reads a text in chunks of any size into a log.
#[derive(Debug)]
pub struct LogReader {
    reader: RecordReader,
    taken: Taken,
}

/// What the rows became.
#[derive(Debug)]
struct Taken {
    log: Log,
    refused: Vec<RefusedRow>,
    /// Rows that could be read but found no room.
    beyond: u64,
}

/// So many refused rows are listed.
const LISTED: usize = 1000;

impl Taken {
    fn take(&mut self, row: RowResult<'_>) {
        let refused = match row {
            RowResult::Refused(refused) => refused,
            RowResult::Record(row) => match self.log.add(&row) {
                Ok(()) => return,
                Err(error) => {
                    self.beyond += 1;
                    RefusedRow {
                        row: row.row,
                        line: 0,
                        code: RowCode::LimitExceeded,
                        message: error.to_string(),
                        help: "split the file, or leave out columns whose texts are all different"
                            .into(),
                    }
                }
            },
        };
        if self.refused.len() < LISTED {
            self.refused.push(refused);
        }
    }
}

impl LogReader {
    /// A reader into an empty log.
    ///
    /// # Errors
    ///
    /// As [`RecordReader::new`].
    pub fn new(format: RecordFormat, options: &ReadOptions) -> Result<Self, InvalidReadOptions> {
        Self::into(Log::new(), format, options)
    }

    /// A reader that adds to a log, which may know objects already.
    ///
    /// # Errors
    ///
    /// As [`RecordReader::new`].
    pub fn into(
        log: Log,
        format: RecordFormat,
        options: &ReadOptions,
    ) -> Result<Self, InvalidReadOptions> {
        let reader = RecordReader::new(format, options)?;
        Ok(Self { reader, taken: Taken { log, refused: Vec::new(), beyond: 0 } })
    }

    /// Reads on.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Self { reader, taken } = self;
        reader.feed(bytes, &mut |row| taken.take(row));
    }

    /// What has been read so far; of use to show progress.
    #[must_use]
    pub fn summary(&self) -> ReadSummary {
        let mut summary = self.reader.summary();
        let beyond = self.taken.beyond;
        if beyond > 0 {
            summary.used -= beyond;
            summary.refused += beyond;
            *summary.refused_by_code.entry(RowCode::LimitExceeded).or_default() += beyond;
        }
        summary
    }

    /// The text is over: the log, in order, and what became of the rows.
    #[must_use]
    pub fn finish(mut self) -> (Log, LogRead) {
        let Self { reader, taken } = &mut self;
        reader.finish(&mut |row| taken.take(row));
        let summary = self.summary();
        let Taken { mut log, refused, .. } = self.taken;
        log.settle();
        (log, LogRead { summary, refused })
    }
}

impl Log {
    /// Reads a text that is in memory as a whole.
    ///
    /// # Errors
    ///
    /// As [`RecordReader::new`]; nothing in the text is an error, but may be a refused row.
    pub fn read(
        bytes: &[u8],
        format: RecordFormat,
        options: &ReadOptions,
    ) -> Result<(Self, LogRead), InvalidReadOptions> {
        let mut reader = LogReader::new(format, options)?;
        reader.feed(bytes);
        Ok(reader.finish())
    }
}
