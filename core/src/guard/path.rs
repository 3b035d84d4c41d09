//! Paths of inputs as people write them: `object.amount`, ``object.`a/b` ``, `object.items[2].price`.

use alloc::{boxed::Box, string::String};

use super::{
    literal,
    program::{Program, Root},
    value::Value,
};

/// The path that begins at a root and follows the keys.
pub(super) fn written(program: &Program, root: Root, keys: &[Box<str>]) -> String {
    let mut path = match root {
        Root::Object => String::from("object"),
        Root::Context => String::from("ctx"),
        Root::States => String::from("states"),
        Root::Field(field) => ["ctx.", field.name()].concat(),
        Root::Variable(name) => program.names[name as usize].as_ref().into(),
    };
    for key in keys {
        push_field(&mut path, key);
    }
    path
}

/// Adds a field, in the form that CEL reads.
pub(super) fn push_field(path: &mut String, field: &str) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = field.chars().all(is_word) && !field.starts_with(|c: char| c.is_ascii_digit());
    let in_backticks = |c: char| is_word(c) || matches!(c, '.' | '-' | '/' | ' ');
    if field.is_empty() || !field.chars().all(in_backticks) {
        path.push('[');
        path.push_str(&literal::write(&Value::Text(field)));
        path.push(']');
    } else if is_name && !matches!(field, "true" | "false" | "null" | "in") {
        path.push('.');
        path.push_str(field);
    } else {
        path.push_str(".`");
        path.push_str(field);
        path.push('`');
    }
}
