//! The package in Node: every case of the corpus, and what only JavaScript can do.
#![cfg(target_arch = "wasm32")]

mod conformance;
