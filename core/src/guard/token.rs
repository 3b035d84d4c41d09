//! Tokens of an expression. Source: the lexical part of the CEL grammar.

use alloc::{borrow::Cow, format, string::String};

use super::convert::read_double;

/// A part of the expression, in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }

    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A text that is no expression: where, what and the way out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SyntaxFault {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: Cow<'static, str>,
    /// Whether it is only too much.
    pub(super) is_limit: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    /// Digits; a minus before them belongs to the number, so that the lowest int can be written.
    Int(u64),
    Uint(u64),
    Double(f64),
    Text(Cow<'t, str>),
    Ident(&'t str),
    /// A field name in backticks.
    Quoted(&'t str),
    /// An operator, a bracket, a comma, a dot, a colon or a question mark.
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
}

/// The longer signs first.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",",
    "(", ")", "[", "]", "{", "}",
];

/// Whether two expressions consist of the same tokens: spaces, comments and the ways to write a literal mean nothing.
pub(crate) fn same_tokens(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (Lexer::new(a), Lexer::new(b));
    loop {
        match (a.next(), b.next()) {
            (Ok(Token { kind: Kind::End, .. }), Ok(Token { kind: Kind::End, .. })) => return true,
            (Ok(a), Ok(b)) if a.kind == b.kind => {}
            _ => return false,
        }
    }
}

/// Reads tokens one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn span(&self, start: usize) -> Span {
        let place = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Span { start: place(start), end: place(self.at) }
    }

    fn fault(
        &self,
        start: usize,
        message: impl Into<String>,
        help: impl Into<Cow<'static, str>>,
    ) -> SyntaxFault {
        SyntaxFault {
            span: self.span(start),
            message: message.into(),
            help: help.into(),
            is_limit: false,
        }
    }

    pub(super) fn next(&mut self) -> Result<Token<'t>, SyntaxFault> {
        self.space();
        let start = self.at;
        let rest = self.rest();
        let kind = match rest {
            [] => Kind::End,
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => self.number()?,
            [b'"' | b'\'', ..] => self.string(false)?,
            [b'r' | b'R', b'"' | b'\'', ..] => {
                self.at += 1;
                self.string(true)?
            }
            [b'b' | b'B', b'"' | b'\'', ..]
            | [b'b' | b'B', b'r' | b'R', b'"' | b'\'', ..]
            | [b'r' | b'R', b'b' | b'B', b'"' | b'\'', ..] => {
                self.at += 1;
                let help = "write a string without the `b`";
                return Err(self.fault(start, "bytes are no part of this language", help));
            }
            [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
                self.at += length;
                Kind::Ident(&self.text[start..self.at])
            }
            [b'`', ..] => self.quoted()?,
            _ => match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
                Some(sign) => {
                    self.at += sign.len();
                    Kind::Sign(sign)
                }
                None => return Err(self.stranger()),
            },
        };
        Ok(Token { kind, span: self.span(start) })
    }

    fn space(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0c, ..] => self.at += 1,
                [b'/', b'/', ..] => {
                    let rest = self.rest();
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// A character that begins nothing.
    fn stranger(&mut self) -> SyntaxFault {
        let start = self.at;
        let found = self.text[start..].chars().next().unwrap_or_default();
        self.at += found.len_utf8();
        let help = match found {
            '=' => "equality is `==`",
            '&' => "and is `&&`",
            '|' => "or is `||`",
            '“' | '”' | '„' | '‘' | '’' => "texts stand in straight quotes: \"…\" or '…'",
            '≤' => "write `<=`",
            '≥' => "write `>=`",
            '≠' => "write `!=`",
            c if c.is_alphanumeric() => {
                "names of fields with other letters stand in brackets: `object[\"größe\"]`"
            }
            _ => "texts stand in quotes; names of fields with other characters in backticks",
        };
        self.fault(start, format!("`{found}` means nothing here"), help)
    }

    fn digits(&mut self, is_digit: fn(&u8) -> bool) -> &'t str {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_digit(byte)).unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    fn number(&mut self) -> Result<Kind<'t>, SyntaxFault> {
        let start = self.at;
        let kind = if let [b'0', b'x', ..] = self.rest() {
            self.at += 2;
            let digits = self.digits(u8::is_ascii_hexdigit);
            self.whole(start, u64::from_str_radix(digits, 16).ok())?
        } else {
            self.digits(u8::is_ascii_digit);
            let whole_end = self.at;
            if let [b'.', b'0'..=b'9', ..] = self.rest() {
                self.at += 1;
                self.digits(u8::is_ascii_digit);
            }
            match self.rest() {
                [b'e' | b'E', b'0'..=b'9', ..] => {
                    self.at += 1;
                    self.digits(u8::is_ascii_digit);
                }
                [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => {
                    self.at += 2;
                    self.digits(u8::is_ascii_digit);
                }
                _ => {}
            }
            let digits = &self.text[start..self.at];
            match self.at == whole_end {
                true => self.whole(start, digits.parse().ok())?,
                false => match read_double(digits) {
                    Some(value) if value.is_finite() => Kind::Double(value),
                    _ => {
                        return Err(self.fault(
                            start,
                            "this number is too large",
                            "a double ends at about 1.8e308",
                        ));
                    }
                },
            }
        };
        if self.rest().first().is_some_and(|&byte| is_word(byte)) {
            self.digits(|&byte| is_word(byte));
            let word = &self.text[start..self.at];
            let help = "a number ends before a letter; a duration is `duration('30m')`";
            return Err(self.fault(start, format!("`{word}` is no number"), help));
        }
        Ok(kind)
    }

    /// An int or, with its suffix, a uint.
    fn whole(&mut self, start: usize, value: Option<u64>) -> Result<Kind<'t>, SyntaxFault> {
        let is_uint = matches!(self.rest(), [b'u' | b'U', ..]);
        self.at += usize::from(is_uint);
        let Some(value) = value else {
            let help = "whole numbers have 64 bits; write a double, such as `1e20`";
            return Err(self.fault(start, "this number is too large", help));
        };
        Ok(if is_uint { Kind::Uint(value) } else { Kind::Int(value) })
    }

    fn quoted(&mut self) -> Result<Kind<'t>, SyntaxFault> {
        let start = self.at;
        self.at += 1;
        let name = self.digits(|byte| is_word(*byte) || matches!(*byte, b'.' | b'-' | b'/' | b' '));
        let help = "inside backticks stand letters, digits, `_`, `.`, `-`, `/` and spaces; for other names write `object[\"name\"]`";
        if name.is_empty() || self.rest().first() != Some(&b'`') {
            return Err(self.fault(start, "this name in backticks cannot be read", help));
        }
        self.at += 1;
        Ok(Kind::Quoted(name))
    }

    fn string(&mut self, raw: bool) -> Result<Kind<'t>, SyntaxFault> {
        let start = self.at;
        let quote = self.rest()[0];
        let triple = self.rest().starts_with(&[quote; 3]);
        self.at += if triple { 3 } else { 1 };
        let from = self.at;
        let mut value: Option<String> = None;
        let mut copied = from;
        loop {
            match self.rest() {
                [] => {
                    self.at = self.text.len();
                    let message = "this text has no end";
                    return Err(self.fault(
                        start,
                        message,
                        "close it with the quote that began it",
                    ));
                }
                [first, second, third, ..] if triple && [*first, *second, *third] == [quote; 3] => {
                    break;
                }
                [first, ..] if !triple && *first == quote => break,
                [b'\n' | b'\r', ..] if !triple => {
                    let help = "write `\\n`, or put the text into triple quotes";
                    return Err(self.fault(start, "a line ends inside of this text", help));
                }
                [b'\\', ..] if !raw => {
                    let before = &self.text[copied..self.at];
                    let value = value.get_or_insert_with(String::new);
                    value.push_str(before);
                    value.push(self.escape()?);
                    copied = self.at;
                }
                _ => self.at += 1,
            }
        }
        let last = &self.text[copied..self.at];
        let text = match value {
            None => Cow::Borrowed(last),
            Some(mut value) => {
                value.push_str(last);
                Cow::Owned(value)
            }
        };
        self.at += if triple { 3 } else { 1 };
        Ok(Kind::Text(text))
    }

    /// The character that an escape stands for.
    fn escape(&mut self) -> Result<char, SyntaxFault> {
        let start = self.at;
        let help = "escapes are \\n \\r \\t \\a \\b \\f \\v \\\\ \\' \\\" \\` \\? \\x41 \\101 \\u0041 \\U00000041; in r\"…\" a backslash is itself";
        let letter = self.rest().get(1).copied();
        self.at += 2;
        let plain = match letter {
            Some(letter @ (b'\\' | b'\'' | b'"' | b'`' | b'?')) => Some(char::from(letter)),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            Some(b'a') => Some('\u{7}'),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'v') => Some('\u{b}'),
            _ => None,
        };
        if let Some(plain) = plain {
            return Ok(plain);
        }
        let (length, radix) = match letter {
            Some(b'x' | b'X') => (2, 16),
            Some(b'u') => (4, 16),
            Some(b'U') => (8, 16),
            Some(b'0'..=b'3') => {
                self.at -= 1;
                (3, 8)
            }
            _ => (0, 0),
        };
        let digits = self.text.get(self.at..self.at + length).unwrap_or_default();
        let well = length > 0 && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let value = if well { u32::from_str_radix(digits, radix).ok() } else { None };
        match value.and_then(char::from_u32) {
            Some(value) => {
                self.at += length;
                Ok(value)
            }
            None => {
                self.at = (start + 2).min(self.text.len());
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                Err(self.fault(start, "this escape stands for no character", help))
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
