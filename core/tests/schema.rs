//! The schema in the repository is the one that the types give.

#[test]
fn the_schema_is_current() {
    assert_eq!(
        veristate::DEFINITION_SCHEMA,
        veristate::definition_schema(),
        "run `cargo xtask schema`"
    );
}
