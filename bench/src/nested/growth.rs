//! How much longer something takes for more of it.

use std::{
    error::Error,
    iter,
    time::{Duration, Instant},
};

use crate::{
    measure::Spread,
    table::{Table, number, time, verdict},
};

/// Each size is measured so often; the smaller ones several times in a round.
const ROUNDS: usize = 5;

/// Median times of calls on each size, in turns. A call says what took how long.
pub(super) fn in_turns<const N: usize, const M: usize>(
    sizes: [usize; N],
    mut once: impl FnMut(usize) -> Result<[Duration; M], Box<dyn Error>>,
) -> Result<[[f64; M]; N], Box<dyn Error>> {
    let mut times = [(); N].map(|()| [(); M].map(|()| Vec::new()));
    for _ in 0..ROUNDS {
        for (position, size) in sizes.into_iter().enumerate() {
            let repeats = (10_000 / size).clamp(1, 100);
            let mut sums = [Duration::ZERO; M];
            for _ in 0..repeats {
                for (sum, took) in sums.iter_mut().zip(once(position)?) {
                    *sum += took;
                }
            }
            for (times, sum) in times[position].iter_mut().zip(sums) {
                times.push(sum.as_secs_f64() / f64::from(u32::try_from(repeats)?));
            }
        }
    }
    Ok(times.map(|times| times.map(|times| Spread::of(times).median)))
}

pub(super) fn timed<T>(call: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = call();
    (result, start.elapsed())
}

/// A row for each kind of work: its times, and how many times as long the last size takes as the one before,
/// for each time as many states.
pub(super) fn print_growth<const N: usize, const M: usize>(
    title: &str,
    sizes: [usize; N],
    names: [&str; M],
    times: [[f64; M]; N],
) {
    let mut columns = vec![String::new()];
    columns.extend(sizes.map(|size| size.to_string()));
    columns.extend(["longer", "times as many", "goal: as many"].map(String::from));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(&columns);
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let many = sizes[N - 1] as f64 / sizes[N - 2] as f64;
    for (row, name) in names.into_iter().enumerate() {
        let longer = times[N - 1][row] / times[N - 2][row];
        let cells = times.iter().map(|times| time(times[row]));
        table.row(iter::once(name.into()).chain(cells).chain([
            number(longer),
            number(many),
            verdict(longer, many),
        ]));
    }
    table.print(title);
}
