//! Tables in plain text.

use crate::measure::{Spread, Times};

/// A table that is printed when it is full, so that its columns are as wide as they must be.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self { rows: vec![columns.iter().map(ToString::to_string).collect()] }
    }

    /// A table of comparisons, filled with [`Table::compare`].
    pub(crate) fn of_comparisons(ours: &str, theirs: &str) -> Self {
        Self::new(&["", ours, theirs, "times as fast", "middle half"])
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn compare(&mut self, name: &str, ours: &Times, theirs: &Times) {
        let ratio = ours.ratio(theirs);
        let [own, other] = [ours, theirs].map(|times| time(times.median()));
        self.row([name.into(), own, other, number(ratio.median), middle_half(ratio)]);
    }

    /// Prints it: the first column to the left, the others to the right.
    pub(crate) fn print(&self, title: &str) {
        let columns = self.rows[0].len();
        let width_of = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width_of).collect();
        println!("\n{title}");
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if column == 0 { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") }
            });
            println!("{}", cells.collect::<String>().trim_end());
        }
    }
}

/// Seconds as text.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        long if long >= 1.0 => format!("{long:.2} s"),
        millis if millis >= 1e-3 => format!("{:.2} ms", millis * 1e3),
        micros if micros >= 1e-6 => format!("{:.2} µs", micros * 1e6),
        short => format!("{:.1} ns", short * 1e9),
    }
}

/// A ratio as text.
pub(crate) fn number(ratio: f64) -> String {
    match ratio {
        small if small < 0.1 => format!("{small:.3}"),
        large if large >= 100.0 => format!("{large:.0}"),
        other => format!("{other:.2}"),
    }
}

/// The bounds of the middle half as text.
pub(crate) fn middle_half(spread: Spread) -> String {
    format!("{} – {}", number(spread.low), number(spread.high))
}

/// Whether a number is what was aimed at, or not much more: half of it.
pub(crate) fn verdict(number: f64, goal: f64) -> String {
    if number <= goal * 1.5 { "met".into() } else { "MISSED".into() }
}
