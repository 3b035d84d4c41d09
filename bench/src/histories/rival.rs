//! A side in a process of its own: it waits while others are measured, and says itself how long it took.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// How long something took, in seconds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Took {
    /// By the clock.
    pub(crate) wall: f64,
    /// Of processors: what others do on a busy machine is not in it.
    pub(crate) used: f64,
}

impl Took {
    /// Measures a call in this thread.
    pub(crate) fn of<T>(call: impl FnOnce() -> T) -> (T, Self) {
        let (start, before) = (Instant::now(), used());
        let result = call();
        let wall = start.elapsed().as_secs_f64();
        let used = before.zip(used()).map_or(wall, |(before, after)| after - before);
        (result, Self { wall, used })
    }
}

/// The processor time of this thread; only Linux tells.
fn used() -> Option<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(|nanoseconds: f64| nanoseconds / 1e9)
}

/// A process that answers lines.
pub(crate) struct Rival {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Rival {
    /// Starts it, and waits until it has read what it needs.
    pub(crate) fn start(name: &str, command: &mut Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut rival = Self { name: name.to_owned(), child, input, output };
        rival.line()?;
        Ok(rival)
    }

    /// Does all the work once.
    pub(crate) fn go(&mut self) -> Result<Took, Box<dyn Error>> {
        self.ask("go")
    }

    /// What came out.
    pub(crate) fn answer<T: DeserializeOwned>(&mut self) -> Result<T, Box<dyn Error>> {
        self.ask("answer")
    }

    fn ask<T: DeserializeOwned>(&mut self, what: &str) -> Result<T, Box<dyn Error>> {
        writeln!(self.input, "{what}")?;
        let line = self.line()?;
        serde_json::from_str(&line).map_err(|error| format!("{}: {error}", self.name).into())
    }

    fn line(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err(format!("{} ended: {}", self.name, self.child.wait()?).into()),
            _ => Ok(line),
        }
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // It is ours, and has nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
