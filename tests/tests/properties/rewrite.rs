//! The same JSON, written otherwise: what R-02 calls equal.

use tern_conformance::Mixer;
use tern_core::wire::{Json, JsonOptions, Kind, Value};

/// The same message with keys in another order, other white space, escapes and spellings of numbers.
/// None for bytes that are no strict JSON, or so large or deep that it would take too long.
pub(crate) fn rewritten(bytes: &[u8], dice: &mut Mixer) -> Option<Vec<u8>> {
    if bytes.len() > 100_000 {
        return None;
    }
    // The reader takes any depth, the writer here does not.
    let options = JsonOptions {
        max_depth: Some(400),
        ..JsonOptions::STRICT
    };
    let json = Json::read(bytes, options).ok()?;
    let mut out = String::new();
    write(&mut out, json.root(), dice);
    Some(out.into_bytes())
}

fn write(out: &mut String, value: Value<'_, '_>, dice: &mut Mixer) {
    space(out, dice);
    match value.kind() {
        Kind::Object => {
            let mut entries: Vec<_> = value.entries().collect();
            dice.shuffle(&mut entries);
            out.push('{');
            for (index, (key, _, value)) in entries.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                space(out, dice);
                text(out, key, dice);
                space(out, dice);
                out.push(':');
                write(out, value, dice);
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for (index, item) in value.items().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(out, item, dice);
            }
            out.push(']');
        }
        Kind::String => text(out, value.as_str().unwrap_or_default(), dice),
        Kind::Number => out.push_str(&number(value.source(), dice)),
        _ => out.push_str(value.source()),
    }
    space(out, dice);
}

fn space(out: &mut String, dice: &mut Mixer) {
    if dice.below(8) == 0 {
        out.push_str([" ", "\t", "\r", "  "][dice.below(4)]);
    }
}

/// A string with some characters escaped that need not be.
pub(crate) fn text(out: &mut String, text: &str, dice: &mut Mixer) {
    out.push('"');
    for character in text.chars() {
        let must = character < ' ' || character == '"' || character == '\\';
        if must || dice.below(24) == 0 {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let hex = format!("\\u{unit:04x}");
                out.push_str(&if dice.below(2) == 0 {
                    hex.to_uppercase().replace("\\U", "\\u")
                } else {
                    hex
                });
            }
        } else {
            out.push(character);
        }
    }
    out.push('"');
}

/// The same value: more zeros, or the point elsewhere and another exponent.
pub(crate) fn number(source: &str, dice: &mut Mixer) -> String {
    let (mantissa, exponent) = match source.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()),
        None => (source, Some(0_i64)),
    };
    // An exponent that is no machine word, or about to leave it, stays as it is.
    let Some(exponent) = exponent.filter(|it| it.abs() < 1 << 60) else {
        return source.to_owned();
    };
    let negative = mantissa.starts_with('-');
    let (whole, fraction) = mantissa
        .trim_start_matches('-')
        .split_once('.')
        .unwrap_or((mantissa.trim_start_matches('-'), ""));
    let zeros = dice.below(4);
    let mut digits = format!("{whole}{fraction}{}", "0".repeat(zeros));
    let mut exponent = exponent - i64::try_from(fraction.len() + zeros).unwrap();
    // One digit stays before the point, however many come after it.
    let after = dice.below(digits.len());
    exponent += i64::try_from(after).unwrap();
    let before = digits.len() - after;
    let tail = digits.split_off(before);
    let head = digits.trim_start_matches('0');
    let head = if head.is_empty() { "0" } else { head };
    let sign = if negative { "-" } else { "" };
    let point = if tail.is_empty() {
        String::new()
    } else {
        format!(".{tail}")
    };
    let exponent = match dice.below(3) {
        0 if exponent == 0 => String::new(),
        1 if exponent >= 0 => format!("e+{exponent}"),
        _ => format!("E{exponent}"),
    };
    format!("{sign}{head}{point}{exponent}")
}
