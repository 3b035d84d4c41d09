//! What is done with a whole machine, by its size: reading and checking, import and export, flattening.
//!
//! Goal: ten times the size in ten times the time (met: at most half as much again). The configurations of four
//! regions with as many leaves each are these to the fourth power.

use std::error::Error;

use veristate::{Definition, Limits, Machine};

use super::{
    growth::{in_turns, print_growth, timed},
    shape::Shape,
};

pub(super) fn definitions(shape: Shape) -> Result<(), Box<dyn Error>> {
    let sizes = [10, 1_000, 10_000, 100_000];
    let texts = sizes.map(|size| shape.json(size));
    let times = in_turns(sizes, |position| {
        let text = &texts[position];
        let (definition, read) = timed(|| Definition::from_json(text));
        let definition = definition?;
        let (machine, compiled) = timed(|| Machine::new(definition));
        drop(machine?);
        let (machine, all) = timed(|| Machine::from_json(text));
        drop(machine?);
        Ok([read, compiled, all])
    })?;
    let name = shape.name();
    let names = ["read", "check, compile", "in one call"];
    print_growth(
        &format!("Nested definitions by the number of states: {name}"),
        sizes,
        names,
        times,
    );
    Ok(())
}

pub(super) fn interchange(shape: Shape) -> Result<(), Box<dyn Error>> {
    let sizes = [100, 1_000, 10_000];
    let mut machines = Vec::new();
    let mut texts = Vec::new();
    for size in sizes {
        let machine = Machine::from_json(&shape.json(size))?;
        let (scxml, xstate) = (machine.to_scxml(), machine.to_xstate());
        assert_eq!(
            Definition::from_scxml(&scxml.text)?.states.len(),
            machine.definition().states.len()
        );
        texts.push((scxml.text, xstate.config));
        machines.push(machine);
    }
    let times = in_turns(sizes, |position| {
        let (machine, (scxml, xstate)) = (&machines[position], &texts[position]);
        let (definition, from_scxml) = timed(|| Definition::from_scxml(scxml));
        definition?;
        let (definition, from_xstate) = timed(|| Definition::from_xstate(xstate));
        definition?;
        let (_, to_scxml) = timed(|| machine.to_scxml());
        let (_, to_xstate) = timed(|| machine.to_xstate());
        Ok([from_scxml, from_xstate, to_scxml, to_xstate])
    })?;
    let names = ["from SCXML", "from XState", "to SCXML", "to XState"];
    let name = shape.name();
    print_growth(
        &format!("Import and export by the number of states: {name}"),
        sizes,
        names,
        times,
    );
    Ok(())
}

pub(super) fn flattening() -> Result<(), Box<dyn Error>> {
    // Four regions of three, four and five leaves.
    let sizes = [81, 256, 625];
    let mut machines = Vec::new();
    for leaves in 3..=5 {
        machines.push(Machine::from_json(&Shape::Beside.json(5 + 4 * leaves))?);
    }
    let limits = Limits::default();
    for (machine, size) in machines.iter().zip(sizes) {
        assert_eq!(machine.flatten(&limits)?.states.len(), size);
    }
    let times = in_turns(sizes, |position| {
        let machine = &machines[position];
        let (definition, flatten) = timed(|| machine.flatten(&limits));
        definition?;
        let (found, routes) = timed(|| machine.routes(&limits));
        found?;
        let (found, vectors) = timed(|| machine.test_vectors(&limits));
        found?;
        Ok([flatten, routes, vectors])
    })?;
    let names = ["flatten", "routes", "test_vectors"];
    print_growth("Flattening, by the number of configurations", sizes, names, times);
    Ok(())
}
