//! Which rows of a history cannot be true, by which rule, and what would make them so.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use serde::Serialize;

use super::{
    explain::{Explainer, Explanation},
    object::History,
    options::Sequences,
    pass::{StepKind, are_same},
    rule::RowRule,
};
use crate::{
    guard::{Missing, Reading},
    name::{quoted, shortened},
    reading::LogRow,
    step::{Context, Data, Violation},
    time::{Duration, Time},
};

/// A row that cannot be true, together with the rows around it.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowViolation {
    /// The rule that is broken.
    pub code: RowRule,
    /// The number of the row.
    pub row: u64,
    /// Other rows that the rule is about, by number.
    pub rows: Vec<u64>,
    /// The row's sequence, as it says.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub sequence: Option<u64>,
    /// What is wrong, in one sentence. May change between versions.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The states that the rule would have, where it is about states.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub expected: Option<Vec<String>>,
    /// The states that the row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub found: Option<Vec<String>>,
    /// By how much time runs back, or the row lies before the creation or after now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub by: Option<Duration>,
    /// The state whose evidence is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub state: Option<String>,
    /// The entry condition that is not met.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub condition: Option<String>,
    /// What the entry condition read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub values: Vec<Reading>,
    /// What the entry condition could not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub missing: Vec<Missing>,
    /// The nearest legal history; absent where there is none that is near.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub explanation: Option<Explanation>,
}

impl RowViolation {
    fn new(code: RowRule, row: &LogRow, message: String, help: &str) -> Self {
        Self {
            code,
            row: row.row,
            rows: vec![],
            sequence: row.sequence,
            message: shortened(message),
            help: help.into(),
            expected: None,
            found: None,
            by: None,
            state: None,
            condition: None,
            values: vec![],
            missing: vec![],
            explanation: None,
        }
    }
}

/// Every violation of a history, in the order of its rows.
pub(super) fn violations(history: &History) -> Vec<RowViolation> {
    let mut found = Vec::new();
    let explainer = Explainer::new(history);
    let mut requests: BTreeMap<&str, u64> = BTreeMap::new();
    let created_at = history.created_at();
    let mut next_step = 0;
    for (at, row) in history.rows.iter().enumerate() {
        let step = history.pass.steps.get(next_step).filter(|step| step.at == at);
        if row.timestamp > history.options.now {
            found.push(after_now(row, history.options.now));
        }
        if let Some(created) = created_at.filter(|&created| row.timestamp < created) {
            found.push(before_creation(row, created));
        }
        if let Some(before) = at.checked_sub(1).map(|before| &history.rows[before]) {
            found.extend(sequence(before, row, history.options.sequences, &explainer, at));
            found.extend(time(before, row, &explainer, at));
        }
        if step.is_some() {
            found.extend(chain(history, next_step, &explainer));
            next_step += 1;
        }
        if let Some(request) = &row.request_id {
            if let Some(&first) = requests.get(request.as_str()) {
                let message = format!("the request `{request}` was applied by row {first} already");
                let help = "a request is applied once: one of the rows is a copy, or a store applied it twice";
                let mut violation = RowViolation::new(RowRule::RepeatedRequest, row, message, help);
                violation.rows.push(first);
                violation.explanation = explainer.doubled(at);
                found.push(violation);
            } else {
                requests.insert(request, row.row);
            }
        }
        if let Some(step) = step {
            found.extend(evidence(history, &step.to, row));
        }
    }
    found
}

fn after_now(row: &LogRow, now: Time) -> RowViolation {
    let message = format!("the row is of {}, after now, {now}", row.timestamp);
    let help = "the clock that wrote it is wrong, or `now` is earlier than the log; the row is not counted";
    let mut violation = RowViolation::new(RowRule::AfterNow, row, message, help);
    violation.by = between(now, row.timestamp);
    violation
}

fn before_creation(row: &LogRow, created: Time) -> RowViolation {
    let message =
        format!("the row is of {}, before the object was created, {created}", row.timestamp);
    let help = "one of the two times is wrong, or the row belongs to another object";
    let mut violation = RowViolation::new(RowRule::BeforeCreation, row, message, help);
    violation.by = between(row.timestamp, created);
    violation
}

fn between(from: Time, to: Time) -> Option<Duration> {
    Duration::from_micros(to.micros() - from.micros())
}

fn sequence(
    before: &LogRow,
    row: &LogRow,
    sequences: Sequences,
    explainer: &Explainer<'_>,
    at: usize,
) -> Option<RowViolation> {
    let (a, b) = (before.sequence?, row.sequence?);
    if a == b {
        let message = format!("the sequence {b} is that of row {}, too", before.row);
        let help = "each step has a number of its own: two writers did not lock, or a row was written twice";
        let mut violation = RowViolation::new(RowRule::SequenceRepeats, row, message, help);
        violation.rows.push(before.row);
        violation.explanation = explainer.doubled(at);
        return Some(violation);
    }
    if sequences == Sequences::Ordered || b == a + 1 {
        return None;
    }
    let left_out = b - a - 1;
    let message = match left_out {
        1 => format!("the sequence {} is missing before it", a + 1),
        _ => format!("the sequences {} to {} are missing before it", a + 1, b - 1),
    };
    let help = "look for the rows that are missing; if the numbers are shared by all objects, say `sequences: \"ordered\"`";
    let mut violation = RowViolation::new(RowRule::SequenceSkips, row, message, help);
    violation.rows.push(before.row);
    violation.explanation = explainer.missing_before(at);
    Some(violation)
}

fn time(
    before: &LogRow,
    row: &LogRow,
    explainer: &Explainer<'_>,
    at: usize,
) -> Option<RowViolation> {
    let by = between(row.timestamp, before.timestamp).filter(|by| by.micros() > 0)?;
    let message = format!(
        "the row is of {}, {by} before row {}, which comes before it",
        row.timestamp, before.row
    );
    let help = "order comes from the sequence: the clocks of two writers differ, or a time was corrected by hand";
    let mut violation = RowViolation::new(RowRule::TimeRunsBack, row, message, help);
    violation.rows.push(before.row);
    violation.by = Some(by);
    violation.explanation = explainer.swapped(at);
    Some(violation)
}

/// Whether a row starts where the row before it ended, and does what the definition can do.
fn chain(history: &History, number: usize, explainer: &Explainer<'_>) -> Vec<RowViolation> {
    let mut found = Vec::new();
    let step = &history.pass.steps[number];
    let row = &history.rows[step.at];
    let before = number.checked_sub(1).map(|before| &history.pass.steps[before]);
    let names = |ids: &[u32]| -> Vec<String> {
        ids.iter().map(|&id| history.name(id).to_string()).collect()
    };
    match (step.kind, before) {
        (StepKind::Creation, Some(before)) => {
            let message = "the object is created a second time".to_string();
            let help = "an id names one object: the row is a copy, or two objects share the id";
            let mut violation = RowViolation::new(RowRule::SecondCreation, row, message, help);
            violation.rows.push(history.rows[before.at].row);
            violation.expected = Some(names(&before.to));
            violation.found = Some(vec![]);
            violation.explanation = explainer.near(number);
            found.push(violation);
        }
        (StepKind::First, None) if !step.joins => {
            let from = names(&step.from);
            let listed = quoted(from.iter().map(String::as_str));
            let message = match from.is_empty() {
                true => "the history does not begin with the creation of the object".to_string(),
                false => format!(
                    "the history begins in {listed}, without the row that created the object"
                ),
            };
            let help =
                "say when the object was created (`created_at`), or add the rows that are missing";
            let mut violation = RowViolation::new(RowRule::MissingCreation, row, message, help);
            violation.found = Some(from);
            violation.explanation = explainer.near(number);
            found.push(violation);
        }
        (StepKind::Later, Some(before)) if !are_same(&step.from, &before.to) => {
            let (expected, got) = (names(&before.to), names(&step.from));
            let message = format!(
                "the row starts in {}, but row {} ended in {}",
                quoted(got.iter().map(String::as_str)),
                history.rows[before.at].row,
                quoted(expected.iter().map(String::as_str)),
            );
            let help = "somebody changed the state without a row, or a row is missing, doubled or misplaced";
            let mut violation = RowViolation::new(RowRule::ChainGap, row, message, help);
            violation.rows.push(history.rows[before.at].row);
            (violation.expected, violation.found) = (Some(expected), Some(got));
            violation.explanation = explainer.near(number);
            found.push(violation);
        }
        _ => {}
    }
    if let Some(fault) = &step.hop.fault {
        let mut violation = RowViolation::new(fault.rule, row, fault.message.clone(), &fault.help);
        violation.expected = Some(names(&step.from));
        violation.found = Some(names(&step.to));
        let is_explained = found.iter().any(|other: &RowViolation| other.explanation.is_some());
        if !is_explained {
            violation.explanation = explainer.step_between(number);
        }
        found.push(violation);
    }
    found
}

/// The entry conditions that the object's data break after a row that tells them.
///
/// A condition that reads what a log does not hold (the context, a function of the host) is passed over.
fn evidence(history: &History, to: &[u32], row: &LogRow) -> Vec<RowViolation> {
    let Some(object) = &row.object else { return vec![] };
    let machine = &history.machine;
    let Some(active) = machine.configuration(to.iter().copied().collect()) else { return vec![] };
    let ctx = Context {
        timestamp: Some(row.timestamp),
        actor_id: row.actor_id.clone(),
        actor_type: row.actor_type.clone(),
        tenant_id: row.tenant_id.clone(),
        world_id: row.world_id.clone(),
        ..Context::default()
    };
    let data = Data { object, after: object, ctx: &ctx, explained: true };
    let unmet = machine.unmet(&active, data);
    let of_object = |violation: &Violation| {
        violation.missing.is_empty()
            || violation
                .missing
                .iter()
                .any(|missing| missing.path.as_ref().is_some_and(|path| path.starts_with("object")))
    };
    let violation = |found: Violation| {
        let help =
            "the data that the row tells do not prove the state: the row or the data are wrong";
        let mut violation = RowViolation::new(RowRule::EvidenceMissing, row, found.message, help);
        violation.state = Some(found.state);
        violation.condition = Some(found.condition);
        violation.values = found.values;
        violation.missing = found.missing;
        violation
    };
    let all = unmet.iter().map(|unmet| machine.violation(unmet));
    all.filter(of_object).map(violation).collect()
}
