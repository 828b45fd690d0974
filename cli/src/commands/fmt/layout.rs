//! JSON for reading: indented, with the fields in the order of the tables.

use tern_core::wire::{Kind, Value, canonical, utf16_cmp, write_string};

use crate::text::shown;

/// Every field of messages, bodies, their parts and records, so that each object of the tables
/// finds its fields in its own order.
const ORDER: [&str; 65] = [
    "context",
    "deliver",
    "grant",
    "revoke",
    "permit",
    "require_approval",
    "approve",
    "confirm",
    "judge",
    "clock",
    "start",
    "finish",
    "reconciled",
    // envelope; the context, whose `id` comes first too; a delivery and a grant
    "tern",
    "id",
    "from",
    "to",
    "thread",
    "reply",
    "act",
    "body",
    "participants",
    "ref",
    "principal",
    "message",
    // bodies and impacts
    "question",
    "about",
    "plan",
    "success",
    "request",
    "commitment",
    "assessment",
    "state",
    "action",
    "deliverable",
    "done_when",
    "due",
    "constraints",
    "conditions",
    "authority_ref",
    "replaces",
    "actions",
    "not_before",
    "expires",
    "target",
    "previous",
    "mode",
    "kind",
    "objection",
    "support",
    "resolution_test",
    "reason",
    "replacement",
    "impact",
    "alternative",
    "condition",
    "terms",
    "by",
    "causes",
    // claims, evidence and the rest
    "claims",
    "next",
    "text",
    "base64",
    "basis",
    "confidence",
];
/// What stands after those.
const REST: [&str; 8] = [
    "scope",
    "source",
    "collected_at",
    "method",
    "result",
    "evidence",
    "alternatives",
    "extensions",
];

/// Deeper than a message may be, indenting helps nobody.
const DEEPEST: usize = 128;

/// A list of plain values keeps to one line up to this width.
const WIDTH: usize = 80;

/// The value, indented by two spaces a level, without a newline at its end.
pub(super) fn pretty(value: Value<'_, '_>) -> String {
    let mut out = String::new();
    write(&mut out, value, 0, Keys::Tables);
    out
}

/// Which order the keys of an object have.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    /// That of the tables, then all others.
    Tables,
    /// The canonical one: nothing is known about them.
    Free,
}

fn write(out: &mut String, value: Value<'_, '_>, level: usize, keys: Keys) {
    if level >= DEEPEST {
        out.push_str(&canonical(value));
        return;
    }
    match value.kind() {
        Kind::String => write_text(out, value.as_str().unwrap_or_default()),
        Kind::Array => write_array(out, value, level, keys),
        Kind::Object => write_object(out, value, level, keys),
        Kind::Null | Kind::Bool | Kind::Number => out.push_str(&canonical(value)),
    }
}

fn write_array(out: &mut String, value: Value<'_, '_>, level: usize, keys: Keys) {
    let nested = |item: Value<'_, '_>| matches!(item.kind(), Kind::Array | Kind::Object);
    if !value.items().any(nested) {
        let start = out.len();
        out.push('[');
        for (index, item) in value.items().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            write(out, item, level + 1, keys);
        }
        out.push(']');
        if out.len() - start <= WIDTH {
            return;
        }
        out.truncate(start);
    }
    out.push('[');
    for (index, item) in value.items().enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        indent(out, level + 1);
        write(out, item, level + 1, keys);
    }
    out.push('\n');
    indent(out, level);
    out.push(']');
}

fn write_object(out: &mut String, value: Value<'_, '_>, level: usize, keys: Keys) {
    let mut entries: Vec<_> = value
        .entries()
        .map(|(key, _, value)| (key, value))
        .collect();
    if entries.is_empty() {
        out.push_str("{}");
        return;
    }
    entries.sort_unstable_by(|(one, _), (other, _)| {
        let place = |key| if keys == Keys::Tables { rank(key) } else { 0 };
        place(one)
            .cmp(&place(other))
            .then_with(|| utf16_cmp(one, other))
    });
    out.push('{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        indent(out, level + 1);
        write_text(out, key);
        out.push_str(": ");
        let inside = match key {
            "extensions" | "participants" => Keys::Free,
            _ => keys,
        };
        write(out, value, level + 1, inside);
    }
    out.push('\n');
    indent(out, level);
    out.push('}');
}

fn rank(key: &str) -> usize {
    ORDER
        .iter()
        .chain(&REST)
        .position(|&known| known == key)
        .unwrap_or(ORDER.len() + REST.len())
}

fn indent(out: &mut String, level: usize) {
    out.extend(std::iter::repeat_n("  ", level));
}

/// A string literal. What could disturb a terminal is written as an escape, which is the same text.
fn write_text(out: &mut String, text: &str) {
    let mut literal = String::new();
    write_string(&mut literal, text);
    if shown(&literal) == literal {
        out.push_str(&literal);
        return;
    }
    let mut units = [0; 2];
    for character in literal.chars() {
        if shown(character.encode_utf8(&mut [0; 4])).starts_with(character) {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
}

#[cfg(test)]
mod tests;
