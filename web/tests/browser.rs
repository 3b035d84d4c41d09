//! The package in a browser: every case of the corpus, and what only JavaScript can do.
#![cfg(target_arch = "wasm32")]

mod conformance;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
