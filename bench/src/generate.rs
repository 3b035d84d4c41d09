//! Machines to measure: the nine states of `instance.json`, and generated ones of any size.

use std::fmt::Write;

use veristate::{Context, Definition, Machine, Snapshot, Time};

/// The machine of nine states; `js/` reads the same file.
pub(crate) const INSTANCE: &str = include_str!("../instance.json");

/// Transitions out of each state of a generated machine but the last.
pub(crate) const WAYS: usize = 3;

/// A definition of so many states as JSON text. The action `go` leads on to the next state, up to a
/// terminal one; two of five other actions lead from each state to states taken at random, always the same.
pub(crate) fn json(states: usize) -> String {
    let mut random = Random::new();
    let mut text =
        String::from(r#"{"object_type":"Generated","version":1,"initial_state":"s0","states":["#);
    for state in 0..states {
        let comma = if state == 0 { "" } else { "," };
        let end = if state == states - 1 { r#","is_terminal":true"# } else { "" };
        write(&mut text, format_args!(r#"{comma}{{"name":"s{state}"{end}}}"#));
    }
    text.push_str(r#"],"transitions":["#);
    for state in 0..states - 1 {
        let first = random.below(5);
        let jumps = [first, (first + 1 + random.below(4)) % 5].map(|jump| format!("jump_{jump}"));
        let ways = [
            ("go", state + 1),
            (&jumps[0], random.below(states)),
            (&jumps[1], random.below(states)),
        ];
        for (way, (action, to)) in ways.into_iter().enumerate() {
            let comma = if state + way == 0 { "" } else { "," };
            write(
                &mut text,
                format_args!(
                    r#"{comma}{{"name":"t{}","from_state":"s{state}","to_state":"s{to}","action":"{action}"}}"#,
                    state * WAYS + way
                ),
            );
        }
    }
    text.push_str("]}");
    text
}

/// A flat definition without guards as SCXML text.
pub(crate) fn scxml(definition: &Definition) -> String {
    let mut text = format!(
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="{}">"#,
        definition.initial_state.as_slice().join(" ")
    );
    let mut ways_of = std::collections::HashMap::<&str, Vec<(&str, &str)>>::new();
    for transition in &definition.transitions {
        let to = transition.to_state.as_ref().map_or("", |names| names.as_slice()[0].as_str());
        for from in transition.from_state.as_slice() {
            let action = transition.action.as_deref().unwrap_or_default();
            ways_of.entry(from).or_default().push((action, to));
        }
    }
    for state in &definition.states {
        let element = if state.is_terminal { "final" } else { "state" };
        write(&mut text, format_args!(r#"<{element} id="{}">"#, state.name));
        for (action, to) in ways_of.get(state.name.as_str()).into_iter().flatten() {
            write(&mut text, format_args!(r#"<transition event="{action}" target="{to}"/>"#));
        }
        write(&mut text, format_args!("</{element}>"));
    }
    text.push_str("</scxml>");
    text
}

/// An object that a store would hold, in this state.
pub(crate) fn object_in(machine: &Machine, state: &str) -> Snapshot {
    let entered: Time = "2026-01-01T12:00:00Z".parse().expect("is a time");
    Snapshot {
        object_id: "object-1".into(),
        states: vec![state.into()],
        version: 1,
        entered_at: [(state.to_owned(), entered)].into(),
        updated_at: Some(entered),
        object: serde_json::json!({ "name": "primary", "gigabytes": 20 }),
        memory: [].into(),
        requests: vec![],
        definition_version: machine.definition().version,
    }
}

/// A person who acts a minute later.
pub(crate) fn actor() -> Context {
    Context {
        actor_id: Some("user-1".into()),
        timestamp: Some("2026-01-01T12:01:00Z".parse().expect("is a time")),
        ..Context::default()
    }
}

fn write(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.write_fmt(part).expect("a string takes everything");
}

/// Xorshift: random enough, and the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("has 31 bits") % bound
    }

    /// From 0 to less than a bound that is larger than 31 bits.
    pub(crate) fn up_to(&mut self, bound: i64) -> i64 {
        i64::try_from(self.next() >> 1).expect("has 63 bits") % bound
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
