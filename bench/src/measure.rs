//! Measuring: several ways to do something, in turns.
//!
//! A busy machine slows down whatever runs at the moment. So the measurement
//! has many rounds of short turns, one for each side, and another side begins
//! each time; a ratio is the median of the ratios within the rounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;

/// How long one turn takes, about: less than a scheduler's time slice.
const TURN: Duration = Duration::from_millis(1);

/// No further round begins after this time, so that a slow side does not keep everybody waiting.
const LONGEST: Duration = Duration::from_secs(5);

/// Does something so many times and says how long it took.
type Turn<'a> = Box<dyn FnMut(u32) -> Duration + 'a>;

/// One of the ways that are compared.
pub(crate) struct Side<'a>(Turn<'a>);

impl<'a> Side<'a> {
    /// What is measured is the call, and dropping what it returns.
    pub(crate) fn new<T>(mut call: impl FnMut() -> T + 'a) -> Self {
        Self(Box::new(move |times| {
            let start = Instant::now();
            for _ in 0..times {
                black_box(call());
            }
            start.elapsed()
        }))
    }

    /// What is measured is neither making the argument nor dropping what is returned.
    pub(crate) fn prepared<A, T>(
        mut prepare: impl FnMut() -> A + 'a,
        mut call: impl FnMut(A) -> T + 'a,
    ) -> Self {
        Self(Box::new(move |times| {
            let arguments: Vec<A> = (0..times).map(|_| prepare()).collect();
            let mut results = Vec::with_capacity(arguments.len());
            let start = Instant::now();
            results.extend(arguments.into_iter().map(|argument| black_box(call(argument))));
            start.elapsed()
        }))
    }

    /// What is measured is what the turn says.
    pub(crate) fn turns(turn: impl FnMut(u32) -> Duration + 'a) -> Self {
        Self(Box::new(turn))
    }

    /// How many calls fill a turn.
    fn calls_in_a_turn(&mut self) -> u32 {
        let mut times = 1;
        loop {
            let took = (self.0)(times);
            if took * 4 >= TURN {
                let fitting = f64::from(times) * TURN.as_secs_f64() / took.as_secs_f64();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                return (fitting as u32).max(1);
            }
            times *= 2;
        }
    }
}

/// Seconds for one call, for each round.
pub(crate) struct Times(Vec<f64>);

impl Times {
    /// Times that were measured in another way.
    pub(crate) fn of(seconds: Vec<f64>) -> Self {
        Self(seconds)
    }

    /// The median.
    pub(crate) fn median(&self) -> f64 {
        Spread::of(self.0.clone()).median
    }

    /// How many times as long as this the other took.
    pub(crate) fn ratio(&self, other: &Self) -> Spread {
        Spread::of(self.0.iter().zip(&other.0).map(|(own, other)| other / own).collect())
    }
}

/// The middle of many numbers, and the bounds of the middle half of them.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

impl Spread {
    pub(crate) fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let at = |quarter: usize| numbers[(numbers.len() - 1) * quarter / 4];
        Self { low: at(1), median: at(2), high: at(3) }
    }
}

/// Measures all sides in turns; the times come in their order.
pub(crate) fn measure<const N: usize>(mut sides: [Side<'_>; N]) -> [Times; N] {
    let calls = sides.each_mut().map(Side::calls_in_a_turn);
    let mut times = [(); N].map(|()| Times(Vec::with_capacity(ROUNDS)));
    let start = Instant::now();
    for round in 0..ROUNDS {
        for turn in 0..N {
            let side = (round + turn) % N;
            let took = (sides[side].0)(calls[side]);
            times[side].0.push(took.as_secs_f64() / f64::from(calls[side]));
        }
        if start.elapsed() > LONGEST {
            break;
        }
    }
    times
}
