//! The outermost level of a JSON object: names, and values as they are written.
//!
//! Objects of a log are flat, and most of their values are short texts, so that this is where reading spends its
//! time. What is nested or escaped goes to `serde_json`, and so does a text that is no object, for what is wrong.

use alloc::borrow::Cow;

use serde::de::IgnoredAny;

use super::convert;

/// Calls `each` with every name and value of the object that `text` is, and whether the value is sure to be JSON:
/// not nested, and without an escape. None if it is no JSON object; nested
/// values have then been checked only if `each` says so with true.
pub(super) fn members<'a>(
    text: &'a str,
    mut each: impl FnMut(&str, &'a str, bool) -> bool,
) -> Option<()> {
    let bytes = text.as_bytes();
    let mut at = expect(bytes, space(bytes, 0), b'{')?;
    at = space(bytes, at);
    if bytes.get(at) == Some(&b'}') {
        return (space(bytes, at + 1) == bytes.len()).then_some(());
    }
    loop {
        let (end, is_plain) = string(bytes, at)?;
        let name = match is_plain {
            true => Cow::Borrowed(text.get(at + 1..end - 1)?),
            false => convert::string(text.get(at..end)?).ok()?,
        };
        at = space(bytes, expect(bytes, space(bytes, end), b':')?);
        let (end, is_checked) = value(bytes, at)?;
        let value = text.get(at..end)?;
        if each(&name, value, is_checked) && !is_checked {
            serde_json::from_str::<IgnoredAny>(value).ok()?;
        }
        at = space(bytes, end);
        match bytes.get(at)? {
            b',' => at = space(bytes, at + 1),
            b'}' => return (space(bytes, at + 1) == bytes.len()).then_some(()),
            _ => return None,
        }
    }
}

fn expect(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    (bytes.get(at) == Some(&byte)).then_some(at + 1)
}

/// Where the white space ends.
fn space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Where the text that starts here ends, and whether it is plain: without an escape.
fn string(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let mut at = expect(bytes, at, b'"')?;
    let mut is_plain = true;
    loop {
        at += plain(bytes.get(at..)?);
        match bytes.get(at)? {
            b'"' => return Some((at + 1, is_plain)),
            b'\\' => {
                is_plain = false;
                at += 2;
            }
            _ => return None,
        }
    }
}

/// How many bytes come before a quote, a backslash or a control character.
///
/// Eight at a time: a byte below `n` borrows from its high bit when `n` is taken from it, and one that equals `c`
/// is below 1 after `^ c`. Borrows go upwards, so that the lowest mark is right.
pub(super) fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let below = |word: u64, n: u8| word.wrapping_sub(ONES * u64::from(n)) & !word;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let slash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let marks = (below(word, b' ') | quote | slash) & HIGH;
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        at += 1;
    }
    at
}

/// Where the value that starts here ends, and whether it is sure to be JSON.
fn value(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    match bytes.get(at)? {
        b'"' => string(bytes, at),
        b'{' | b'[' => nested(bytes, at).map(|end| (end, false)),
        _ => {
            let rest = bytes.get(at..)?;
            let length = rest
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t'))?;
            let word = &rest[..length];
            let is_checked = match word {
                b"null" | b"true" | b"false" | b"0" => true,
                [b'1'..=b'9', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => true,
                // Few are so, and all who get a value rely on it.
                word => {
                    serde_json::from_slice::<IgnoredAny>(word).ok()?;
                    true
                }
            };
            Some((at + length, is_checked))
        }
    }
}

/// Where the list or object that starts here ends, if it is one.
fn nested(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string(bytes, at)?.0;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec, vec::Vec};
    use proptest::prelude::*;
    use serde_json::Value;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn plain_stops_at_the_first_special_byte(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let special = |byte: &u8| matches!(byte, b'"' | b'\\') || *byte < b' ';
            let expected = bytes.iter().position(special).unwrap_or(bytes.len());
            prop_assert_eq!(plain(&bytes), expected);
        }

        #[test]
        fn what_is_an_object_is_what_serde_takes(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "{", "}", "[", "]", ",", ":", " ", "\n", "\"a\"", "\"b\\n\"", "\"\\u00e9\"", "\"\\x\"",
                    "\"", "\\", "1", "01", "-0", "-", "1.5e3", "1e", "null", "true", "nul", "\"a\":1", "\"c\":{}",
                    ",\"d\":[1,2]", "é",
                ]),
                0..8,
            ),
            is_wrapped in any::<bool>(),
        ) {
            let inner: String = parts.concat();
            let text = if is_wrapped { ["{\"a\":", inner.as_str(), "}"].concat() } else { inner };
            let mut found = Vec::new();
            let own = members(&text, |name, value, _| {
                found.push((String::from(name), String::from(value)));
                true
            });
            let is_object = text.trim_ascii_start().starts_with('{');
            let serde = is_object && serde_json::from_str::<IgnoredAny>(&text).is_ok();
            prop_assert_eq!(own.is_some(), serde, "{}", text);
            if let (Some(()), Ok(Value::Object(map))) = (own, serde_json::from_str(&text)) {
                for (name, value) in map {
                    let last = found.iter().rev().find(|(own, _)| *own == name);
                    let last = last.map(|(_, value)| serde_json::from_str::<Value>(value).ok());
                    prop_assert_eq!(last, Some(Some(value)));
                }
            }
        }
    }
}
