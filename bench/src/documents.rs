//! Reading and checking documents, against the crate `scxml`.
//!
//! The machines are equal: nine states, and 1,000 with three transitions
//! each. Each side reads its own format, without white space: JSON here,
//! SCXML there. The JSON is longer, since it names every transition.
//!
//! - Reading is `Definition::from_json` against `parse_xml`.
//! - Checking is `Machine::new` against `validate_all`. Ours also gives
//!   warnings and compiles the tables that run; theirs knows nested states,
//!   which these machines have not.
//! - Both together: `Machine::from_json`, which also places what is found in
//!   the text, against `parse_xml` and `validate_all`.

use std::error::Error;

use scxml::{parse_xml, validate_all};
use veristate::{Definition, Machine};

use crate::generate;
use crate::measure::{Side, measure};
use crate::table::Table;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let mut table = Table::of_comparisons("Veristate", "scxml");
    compare(&mut table, &Definition::from_json(generate::INSTANCE)?)?;
    compare(&mut table, &Definition::from_json(&generate::json(1_000))?)?;
    table.print("Reading and checking equal machines, against scxml; no goal");
    Ok(())
}

fn compare(table: &mut Table, definition: &Definition) -> Result<(), Box<dyn Error>> {
    let states = definition.states.len();
    let (json, xml) = (serde_json::to_string(definition)?, generate::scxml(definition));
    let chart = parse_xml(&xml)?;
    assert_eq!(chart.iter_all_states().count(), states);
    assert_eq!(validate_all(&chart).len(), 0);

    let [ours, theirs] = measure([
        Side::prepared(|| (), |()| Definition::from_json(&json)),
        Side::prepared(|| (), |()| parse_xml(&xml)),
    ]);
    let name = format!("{states} states: read {} and {} bytes", json.len(), xml.len());
    table.compare(&name, &ours, &theirs);

    let [ours, theirs] = measure([
        Side::prepared(|| definition.clone(), Machine::new),
        Side::prepared(|| (), |()| validate_all(&chart)),
    ]);
    table.compare(&format!("{states} states: check"), &ours, &theirs);

    let [ours, theirs] = measure([
        Side::prepared(|| (), |()| Machine::from_json(&json)),
        Side::prepared(
            || (),
            |()| {
                let chart = parse_xml(&xml);
                let found = chart.as_ref().map(validate_all);
                (found.map_or(0, |found| found.len()), chart)
            },
        ),
    ]);
    table.compare(&format!("{states} states: read and check"), &ours, &theirs);
    Ok(())
}
