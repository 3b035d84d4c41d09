//! Reading logs: JSON, JSON lines, CSV and XES into rows, whole or in chunks.
//!
//! `reader` is the way in. `list`, `lines`, `csv` and `xes` cut a text into rows, wherever chunks end; `object`,
//! `cells` and `event` read one row. `names` knows which name of a file is which field; `convert` and `when`
//! have the rules of values; `summary` counts.

mod cells;
mod convert;
mod csv;
mod event;
mod format;
mod lines;
mod list;
mod markup;
mod names;
mod object;
mod options;
mod owned;
mod reader;
mod row;
mod scan;
mod start;
mod summary;
mod when;
mod xes;

pub use format::RecordFormat;
pub use options::{InvalidReadOptions, ReadOptions};
pub use reader::{RecordReader, Records, read_records};
pub use row::{LogRow, LogRowRef, RowNames};
pub use summary::{ReadSummary, RefusedRow, RowCode, RowResult, TakenColumn};
