//! Reading, checking and compiling definitions of 1,000 to 100,000 states with three transitions each.
//!
//! Reading is `Definition::from_json`; checking and compiling are one step,
//! `Machine::new`. `Machine::from_json` does both and places every finding in
//! the text. Making the text and dropping the machine are not in the times.
//! Goals: 100,000 states in about a second, ten times the size in about ten
//! times the time (met: at most half as much again).

use std::error::Error;
use std::time::{Duration, Instant};

use veristate::{Definition, Machine};

use crate::generate::{self, WAYS};
use crate::measure::Spread;
use crate::table::{Table, number, time, verdict};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Each size is measured so often; the smaller ones several times in a round.
const ROUNDS: usize = 7;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let texts = SIZES.map(generate::json);
    let mut times = SIZES.map(|_| [(); 3].map(|()| Vec::new()));
    for _ in 0..ROUNDS {
        for ((text, size), times) in texts.iter().zip(SIZES).zip(&mut times) {
            let repeats = (20_000 / size).max(1);
            let mut sums = [Duration::ZERO; 3];
            for _ in 0..repeats {
                for (sum, took) in sums.iter_mut().zip(once(text)?) {
                    *sum += took;
                }
            }
            for (times, sum) in times.iter_mut().zip(sums) {
                times.push(sum.as_secs_f64() / f64::from(u32::try_from(repeats)?));
            }
        }
    }
    print(&texts, times);
    Ok(())
}

/// Reads; checks and compiles; does all of it in one call.
fn once(text: &str) -> Result<[Duration; 3], Box<dyn Error>> {
    let start = Instant::now();
    let definition = Definition::from_json(text)?;
    let read = start.elapsed();

    let start = Instant::now();
    let machine = Machine::new(definition)?;
    let compiled = start.elapsed();
    drop(machine);

    let start = Instant::now();
    let machine = Machine::from_json(text)?;
    let all = start.elapsed();
    drop(machine);
    Ok([read, compiled, all])
}

fn print(texts: &[String], times: [[Vec<f64>; 3]; 3]) {
    let mut table = Table::new(&[
        "states",
        "transitions",
        "text",
        "read",
        "check, compile",
        "in one call",
        "goal: 1 s",
        "ten times the size",
        "goal: 10 ×",
    ]);
    let mut before = None;
    for ((size, text), times) in SIZES.iter().zip(texts).zip(times) {
        let [read, compiled, all] = times.map(|times| Spread::of(times).median);
        let (growth, linear) = before.map_or_else(Default::default, |before| {
            (format!("{} ×", number(all / before)), verdict(all / before, 10.0))
        });
        table.row([
            size.to_string(),
            ((size - 1) * WAYS).to_string(),
            format!("{} kB", text.len() / 1000),
            time(read),
            time(compiled),
            time(all),
            verdict(all, 1.0),
            growth,
            linear,
        ]);
        before = Some(all);
    }
    table.print("Reading, checking and compiling, by the number of states");
}
