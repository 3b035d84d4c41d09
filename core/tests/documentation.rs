//! Every diagnostic has its section in the documentation.

#[test]
fn every_code_has_its_section() {
    let source = include_str!("../src/diagnostic.rs");
    let page = include_str!("../../docs/diagnostics.md");
    let codes = source.split("pub enum Code {").nth(1).and_then(|rest| rest.split("\n}").next());
    let codes: Vec<String> = codes
        .expect("the enum is there")
        .lines()
        .filter_map(|line| line.trim().strip_suffix(','))
        .filter(|name| name.chars().all(char::is_alphanumeric))
        .map(kebab)
        .collect();
    assert!(codes.len() > 30, "only {} codes were found", codes.len());
    let missing: Vec<&String> =
        codes.iter().filter(|code| !page.contains(&format!("\n### {code}\n"))).collect();
    assert!(missing.is_empty(), "no section for {missing:?}");
}

/// `NoExit` as `no-exit`, which is how it leaves.
fn kebab(name: &str) -> String {
    let mut code = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !code.is_empty() {
            code.push('-');
        }
        code.extend(c.to_lowercase());
    }
    code
}
