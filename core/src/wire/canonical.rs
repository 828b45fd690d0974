//! Canonical JSON (S7.03, S7.04): what equality and digests are decided by.

use super::escape::{Piece, for_each_piece};
use super::json::{Kind, Value};
use super::number::Number;
use super::plain::plain;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The canonical JSON of a value: keys sorted by UTF-16 code unit, no white space, strings as
/// RFC 8785 writes them, numbers exact.
///
/// ```
/// use tern_core::wire::{Json, JsonOptions, canonical};
/// let json = Json::read(br#"{"b": [10, 0.50, -0], "a": "\u00e9\u000a"}"#, JsonOptions::default());
/// assert_eq!(canonical(json.unwrap().root()), r#"{"a":"é\n","b":[1E1,5E-1,0]}"#);
/// ```
#[must_use]
pub fn canonical(value: Value<'_, '_>) -> String {
    let mut out = String::with_capacity(value.span().len());
    write(&mut out, value);
    out
}

/// What is still to be written, the next last.
enum Step<'j, 'a> {
    Root(Value<'j, 'a>),
    Item(Value<'j, 'a>),
    Entry(&'j str, Value<'j, 'a>),
    Close(char),
}

/// Appends the canonical JSON of a value. The stack is on the heap: depth does not matter.
pub(super) fn write(out: &mut String, value: Value<'_, '_>) {
    let mut steps = Vec::with_capacity(32);
    steps.push(Step::Root(value));
    while let Some(step) = steps.pop() {
        let value = match step {
            Step::Root(value) => value,
            Step::Item(value) => {
                separate(out);
                value
            }
            Step::Entry(key, value) => {
                separate(out);
                write_string(out, key);
                out.push(':');
                value
            }
            Step::Close(bracket) => {
                out.push(bracket);
                continue;
            }
        };
        match value.kind() {
            Kind::Null | Kind::Bool => out.push_str(value.source()),
            Kind::Number => {
                out.push_str(&value.as_number().map(Number::canonical).unwrap_or_default());
            }
            Kind::String => write_string(out, value.as_str().unwrap_or_default()),
            Kind::Array => {
                out.push('[');
                steps.push(Step::Close(']'));
                let first = steps.len();
                steps.extend(value.items().map(Step::Item));
                steps.get_mut(first..).unwrap_or_default().reverse();
            }
            Kind::Object => {
                out.push('{');
                steps.push(Step::Close('}'));
                let first = steps.len();
                steps.extend(
                    value
                        .entries()
                        .map(|(key, _, value)| Step::Entry(key, value)),
                );
                let entries = steps.get_mut(first..).unwrap_or_default();
                entries.sort_unstable_by(|one, other| utf16_cmp(other.key(), one.key()));
            }
        }
    }
}

impl Step<'_, '_> {
    const fn key(&self) -> &str {
        match self {
            Self::Entry(key, _) => key,
            _ => "",
        }
    }
}

/// A comma, unless a bracket was just opened: strings and values never end with that byte.
fn separate(out: &mut String) {
    if !out.ends_with(['[', '{']) {
        out.push(',');
    }
}

/// Compares by UTF-16 code units, as RFC 8785 sorts keys, without writing them down.
///
/// That is the order of code points, except that the surrogates of those from U+10000 sort before
/// U+E000 to U+FFFF.
///
/// ```
/// use core::cmp::Ordering;
/// use tern_core::wire::utf16_cmp;
/// assert_eq!(utf16_cmp("\u{1F600}", "\u{FB33}"), Ordering::Less);
/// ```
#[must_use]
pub fn utf16_cmp(a: &str, b: &str) -> Ordering {
    // UTF-8 sorts by code point, so the first byte that differs decides. Where the order is
    // another one, that byte leads a character: EE or EF against F0 to F4.
    let rank = |byte: u8| {
        if matches!(byte, 0xEE | 0xEF) {
            byte | 0x10
        } else {
            byte
        }
    };
    match a.bytes().zip(b.bytes()).find(|(one, other)| one != other) {
        Some((one, other)) => rank(one).cmp(&rank(other)),
        None => a.len().cmp(&b.len()),
    }
}

/// Appends a string literal as RFC 8785 writes it: the shortest escapes, and only where JSON needs
/// one.
///
/// ```
/// let mut out = String::new();
/// tern_core::wire::write_string(&mut out, "a\"\n\u{1}/é");
/// assert_eq!(out, r#""a\"\n\u0001/é""#);
/// ```
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    loop {
        let end = plain(rest.as_bytes());
        let (before, special) = rest.split_at_checked(end).unwrap_or_default();
        out.push_str(before);
        let mut characters = special.chars();
        match characters.next() {
            Some(character) => write_character(out, character),
            None => break,
        }
        rest = characters.as_str();
    }
    out.push('"');
}

/// The same for the content of a literal with escapes, all of them right.
pub(crate) fn write_escaped(out: &mut String, source: &str) {
    out.push('"');
    for_each_piece(source, |piece| match piece {
        Piece::Plain(text) => out.push_str(text),
        Piece::Escape(character) => write_character(out, character),
    });
    out.push('"');
}

/// A character within a literal.
fn write_character(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{c}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '\0'..' ' => {
            out.push_str("\\u00");
            let code = u32::from(character);
            out.extend(
                [code >> 4, code & 15].map(|digit| char::from_digit(digit, 16).unwrap_or('0')),
            );
        }
        plain => out.push(plain),
    }
}
