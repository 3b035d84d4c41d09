//! Measuring sides that take seconds, in turns, and comparing them with the first one.

use std::error::Error;
use std::time::{Duration, Instant};

use super::rival::{Rival, Took};
use crate::measure::Times;
use crate::table::{Table, middle_half, number, time};

/// At least, and at most if that takes no longer than [`LONGEST`].
const ROUNDS: [usize; 2] = [3, 11];
const LONGEST: Duration = Duration::from_secs(60);

type Call<'a> = Box<dyn FnMut() -> Result<Took, Box<dyn Error>> + 'a>;

/// One of those that are compared.
pub(crate) struct Side<'a> {
    pub(crate) name: &'a str,
    pub(crate) call: Call<'a>,
    /// Whether it may use more than one thread, so that only the clock can be asked.
    pub(crate) is_wall: bool,
    pub(crate) goal: Goal,
}

/// What is aimed at.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    None,
    /// The first side is so many times as fast as this one.
    Faster(f64),
    /// This one takes at most so many times as long as the first.
    AtMost(f64),
}

impl<'a> Side<'a> {
    pub(crate) fn native(name: &'a str, mut call: impl FnMut() -> Took + 'a) -> Self {
        Self { name, call: Box::new(move || Ok(call())), is_wall: false, goal: Goal::None }
    }

    pub(crate) fn rival(name: &'a str, rival: &'a mut Rival, goal: Goal) -> Self {
        Self { name, call: Box::new(|| rival.go()), is_wall: false, goal }
    }

    pub(crate) fn by_the_clock(self) -> Self {
        Self { is_wall: true, ..self }
    }
}

/// Measures all sides in turns and prints them; ratios are those to the first side. `amount` is how much of a unit
/// each side goes through, for a column of its speed.
pub(crate) fn compare(
    title: &str,
    mut sides: Vec<Side<'_>>,
    speed: Option<(&str, &[f64])>,
) -> Result<(), Box<dyn Error>> {
    let mut took: Vec<Vec<Took>> = sides.iter().map(|_| Vec::new()).collect();
    let count = sides.len();
    let start = Instant::now();
    for round in 0..ROUNDS[1] {
        for turn in 0..count {
            let side = (round + turn) % count;
            took[side].push((sides[side].call)()?);
        }
        if round + 1 >= ROUNDS[0] && start.elapsed() > LONGEST {
            break;
        }
    }
    let times = |side: usize, is_wall: bool| {
        let of = |took: &Took| if is_wall { took.wall } else { took.used };
        Times::of(took[side].iter().map(of).collect())
    };
    let unit = speed.map_or("", |(unit, _)| unit);
    let mut table = Table::new(&["", "time", unit, "times the first", "middle half", "goal", ""]);
    for (at, side) in sides.iter().enumerate() {
        let own = times(at, side.is_wall);
        let ratio = times(0, side.is_wall).ratio(&own);
        let (goal, is_met) = match side.goal {
            Goal::None => (String::new(), None),
            Goal::Faster(goal) => (format!("{goal} or more"), Some(ratio.median >= goal)),
            Goal::AtMost(goal) => (format!("{goal} or less"), Some(ratio.median <= goal)),
        };
        let per_second = |(_, amounts): (_, &[f64])| format!("{:.0}", amounts[at] / own.median());
        table.row([
            side.name.into(),
            time(own.median()),
            speed.map_or_else(String::new, per_second),
            if at == 0 { String::new() } else { number(ratio.median) },
            if at == 0 { String::new() } else { middle_half(ratio) },
            goal,
            is_met.map_or("", |is_met| if is_met { "met" } else { "MISSED" }).into(),
        ]);
    }
    table.print(title);
    Ok(())
}
