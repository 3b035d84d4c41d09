//! All cases of the corpus, with the native answers.
//!
//! They are gathered and run when this crate is built, from the places that
//! the native tests know, too. A program without files (WebAssembly in a
//! browser) thus puts the same cases to its surface and compares.

/// A case and what native Rust answered.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name.
    pub path: &'static str,
    /// What it is about: the name of its folder.
    pub kind: &'static str,
    /// The case as JSON text, or why there is none.
    pub text: Result<&'static str, &'static str>,
    /// The whole transcript as JSON text, or why the case fails natively.
    pub native: Result<&'static str, &'static str>,
}

/// All cases, by source and path.
pub static CASES: &[Case] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));
