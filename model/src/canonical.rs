//! §14 Canonical JSON and digests.

use crate::json::Value;
use sha2::{Digest, Sha256};

/// A string as UTF-16 code units; they give keys and lists their order (S7.03, S7.06).
pub(crate) fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// S7.03: the canonical JSON of a value.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// S7.05: SHA-256 over canonical JSON, in lower-case hexadecimal.
pub(crate) fn digest(canonical: &str) -> String {
    let hash = Sha256::digest(canonical.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.canonical()),
        Value::Text(text) => write_text(text, out),
        Value::List(entries) => {
            out.push('[');
            for (place, entry) in entries.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write(entry, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            out.push('{');
            for (place, (key, member)) in members.into_iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
    }
}

/// S7.03: a string as RFC 8785 writes it.
fn write_text(text: &str, out: &mut String) {
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
}
