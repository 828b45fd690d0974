//! §14 Canonical JSON and digests.

use crate::json::{Object, Value};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

/// S7.03: the canonical JSON of a value.
pub(crate) fn canonical(value: &Value) -> String {
    match value {
        Value::Null => String::from("null"),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.canonical.clone(),
        Value::Text(text) => quoted(text),
        Value::List(entries) => {
            let entries: Vec<String> = entries.iter().map(canonical).collect();
            format!("[{}]", entries.join(","))
        }
        Value::Object(members) => canonical_object(members),
    }
}

/// S7.03: the canonical JSON of an object, with its keys by UTF-16 code unit.
pub(crate) fn canonical_object(members: &Object) -> String {
    let mut members: Vec<(&String, &Value)> = members.iter().collect();
    members.sort_by(|a, b| utf16_order(a.0, b.0));
    let member = |(key, value): (&String, &Value)| quoted(key) + ":" + &canonical(value);
    let members: Vec<String> = members.into_iter().map(member).collect();
    format!("{{{}}}", members.join(","))
}

/// S7.03: a string as RFC 8785 writes it.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// S7.03, S7.06: the order of keys and lists, by UTF-16 code unit.
pub(crate) fn utf16_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// S7.05: SHA-256 over canonical JSON, in lower-case hexadecimal.
pub fn digest(canonical: &str) -> String {
    let hash = Sha256::digest(canonical.as_bytes());
    let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
    digits.collect()
}
