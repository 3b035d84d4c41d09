//! Any text as Mermaid shows it.

use alloc::{string::String, vec::Vec};
use core::fmt::Write as _;

use super::super::label::showable;

/// `text` so that Mermaid shows it as it is.
///
/// In the text of a state a line break is a line break: next to `<br/>`, Mermaid would turn code points into
/// signs first and read those as Markdown. In that of an arrow it is `<br/>`, since the text ends with the
/// line; no Markdown is read there.
pub(super) fn escape(text: &str, line_break: &str) -> String {
    showable(text).split('\n').map(escape_line).collect::<Vec<_>>().join(line_break)
}

/// Whatever means something to Mermaid, to Markdown, to HTML or to JavaScript's `trim` is written as a code
/// point.
fn escape_line(line: &str) -> String {
    if line.is_empty() {
        // No text at all would be an error of syntax.
        return INVISIBLE.into();
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    for (index, c) in line.char_indices() {
        let rest = &line[index..];
        let next = rest.chars().nth(1).unwrap_or(' ');
        let is_kept = match c {
            ' ' => before != ' ' && next != ' ',
            '_' => before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric(),
            // "direction LR" anywhere in a line would be a statement of its own.
            'd' | 'D' => !starts_with_direction(rest),
            c => c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_whitespace() && !is_format(c),
        };
        // What Mermaid itself writes for "&" and for ";".
        if matches!((before, c), ('\u{fb02}', '°') | ('¶', 'ß')) {
            out.push_str(INVISIBLE);
        }
        if is_kept {
            out.push(c);
        } else {
            _ = write!(out, "#{};", u32::from(c));
        }
        before = c;
    }
    out
}

/// A space without width, U+200B.
const INVISIBLE: &str = "#8203;";

/// A line break in what an arrow says.
pub(super) const BREAK: &str = "<br/>";

fn starts_with_direction(text: &str) -> bool {
    text.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("direction"))
}

/// Whether a character has no shape of its own; some turn the text around them.
fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{BREAK, escape};

    #[test]
    fn a_label_holds_any_text() {
        let check = |text: &str, label: &str| assert_eq!(escape(text, BREAK), label, "{text:?}");
        check("In review_2 été 状態", "In review_2 été 状態");
        check("a; b: <i>", "a#59; b#58; #60;i#62;");
        check(" a  b ", "#32;a#32;#32;b#32;");
        check("_a_", "#95;a#95;");
        check("Direction LR", "#68;irection LR");
        check("a\r\nb\0", "a<br/>b\u{fffd}");
        check("\n¶ß\\", "#8203;<br/>¶#8203;ß#92;");
        check("\u{a0}\u{202e}", "#160;#8238;");
        check("", "#8203;");
    }
}
