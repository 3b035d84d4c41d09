//! Nested machines: steps, reading and checking, import and export, flattening.

mod growth;
mod independence;
mod objects;
mod shape;
mod steps;
mod work;

use std::error::Error;

use shape::Shape;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    steps::run()?;
    for shape in [Shape::Elsewhere, Shape::Beside] {
        independence::run(shape)?;
        work::definitions(shape)?;
        work::interchange(shape)?;
    }
    work::flattening()
}
