//! XML as text, indented, with everything escaped.

use alloc::string::String;

use super::ids::is_xml;

/// Elements that are written one after the other.
#[derive(Debug)]
pub(super) struct Xml {
    text: String,
    depth: usize,
    /// Whether the last start tag is not yet closed: attributes may follow.
    is_open: bool,
    pub(super) uses_ours: bool,
    pub(super) has_conditions: bool,
}

impl Xml {
    pub(super) fn new(depth: usize) -> Self {
        let (uses_ours, has_conditions) = (false, false);
        Self { text: String::new(), depth, is_open: false, uses_ours, has_conditions }
    }

    /// Starts an element.
    pub(super) fn open(&mut self, name: &str) {
        self.end_tag();
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        self.is_open = true;
        self.depth += 1;
    }

    /// Adds an attribute to the element that was started last.
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        for c in value.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                // A reader would make spaces of these.
                '\t' => self.text.push_str("&#9;"),
                '\n' => self.text.push_str("&#10;"),
                '\r' => self.text.push_str("&#13;"),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }

    /// Adds an attribute of our namespace, where there is a value that can be written.
    pub(super) fn ours(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| is_xml(value)) {
            self.attribute(&["veristate:", name].concat(), value);
            self.uses_ours = true;
        }
    }

    /// Ends the element that was started last and has not ended.
    pub(super) fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        if core::mem::take(&mut self.is_open) {
            self.text.push_str("/>\n");
        } else {
            self.indent();
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
        }
    }

    /// Puts what was written elsewhere into the element that was started last.
    pub(super) fn inside(&mut self, other: &Self) {
        if !other.text.is_empty() {
            self.end_tag();
            self.text.push_str(&other.text);
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn end_tag(&mut self) {
        if core::mem::take(&mut self.is_open) {
            self.text.push_str(">\n");
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }
}
