//! Bytes that are no strict JSON (stage 1). They travel as `text` or `base64`.

use super::super::node::{Node, write_escape, write_string};
use super::super::post::Mail;
use super::super::world::{Hope, Said, World};
use super::Damage;

pub(super) fn strike(
    damage: Damage,
    world: &mut World<'_, '_>,
    said: &mut Said,
    mail: &mut Mail,
) -> Option<Hope> {
    let mut hope = Hope::Lost;
    let json = said.node.to_json();
    let bytes = match damage {
        Damage::RepeatedKey | Damage::RepeatedKeyEscaped => {
            repeated_key(damage == Damage::RepeatedKeyEscaped, world, said)
        }
        Damage::NotUtf8 => {
            let bad: &[u8] = world.dice.one(&[
                b"\xff".as_slice(),
                b"\xc3",
                b"\xed\xa0\x80",
                b"\xc0\xaf",
                b"\xf4\x90\x80\x80",
            ]);
            splice(world, json.into_bytes(), bad)
        }
        Damage::ByteOrderMark => format!("\u{feff}{json}").into_bytes(),
        Damage::Truncated => {
            let mut bytes = json.into_bytes();
            let keep = world.dice.below(bytes.len());
            bytes.truncate(keep);
            bytes
        }
        Damage::TrailingText => {
            let more = world
                .dice
                .one(&["{}", "x", ",", " null", "}", "\u{0}", "\u{a0}", "//"]);
            format!("{json}{more}").into_bytes()
        }
        Damage::LoneSurrogate => {
            let half = world.dice.one(&[
                "\\ud83d",
                "\\ude02",
                "\\ud83d\\u0041",
                "\\ude02\\ud83d",
                "\\uDFFF",
            ]);
            extended(said, &format!("\"{half}\""))
        }
        Damage::NumberOverflow => {
            let number = world.dice.one(&[
                "1e999",
                "-1e999",
                "1.8e308",
                "17976931348623158079372897140530341507993413271003782693617377898044496829276475e230",
                "1E99999999999999999999",
            ]);
            extended(said, number)
        }
        Damage::NoContent => world
            .dice
            .one(&[b"".as_slice(), b" ", b"\t\r ", b"  "])
            .to_vec(),
        Damage::NotAnObject => {
            let value = world.dice.one(&["[]", "1", "null", "\"x\"", "true"]);
            match world.dice.below(3) {
                0 => format!("[{json}]").into_bytes(),
                _ => value.as_bytes().to_vec(),
            }
        }
        Damage::NotJson => not_json(world, &json),
        Damage::Garbled => {
            hope = Hope::Waiting;
            garbled(world, json.into_bytes())
        }
        Damage::TooLong => {
            // White space up to the limit, or one byte or more beyond.
            let length = 1_048_576 + world.dice.one(&[1_usize, 0, 100]);
            if length == 1_048_576 {
                hope = Hope::Sound;
            }
            let mut bytes = json.into_bytes();
            bytes.resize(length, b' ');
            bytes
        }
        _ => return None,
    };
    // No damage puts in a newline: on a line of a bare file it would end the message.
    mail.bytes = Some(bytes);
    Some(hope)
}

/// A message whose `extensions` hold one value more.
fn extended(said: &Said, value: &str) -> Vec<u8> {
    let mut node = said.node.clone();
    let extensions = Node::object([("x", Node::Raw(value.to_owned().into()))]);
    node.set("extensions", extensions);
    node.to_json().into_bytes()
}

fn repeated_key(escaped: bool, world: &mut World<'_, '_>, said: &Said) -> Vec<u8> {
    if world.dice.chance(40) {
        let pair = if escaped {
            "{\"a\":1,\"\\u0061\":1}"
        } else {
            "{\"a\":1,\"b\":[{\"c\":1,\"c\":2}]}"
        };
        return extended(said, pair);
    }
    let key = world
        .dice
        .one(&["tern", "id", "from", "act", "body", "reply"]);
    let mut out = String::from("{");
    let mut letters = key.chars();
    match letters.next() {
        Some(first) if escaped => {
            out.push('"');
            write_escape(first, &mut out);
            out.push_str(letters.as_str());
            out.push('"');
        }
        _ => write_string(key, &mut out),
    }
    out.push_str(":null,");
    let json = said.node.to_json();
    out.push_str(json.get(1..).unwrap_or_default());
    out.into_bytes()
}

/// Puts bytes somewhere into others.
fn splice(world: &mut World<'_, '_>, mut bytes: Vec<u8>, more: &[u8]) -> Vec<u8> {
    let at = world.dice.below(bytes.len());
    let tail = bytes.split_off(at);
    bytes.extend_from_slice(more);
    bytes.extend_from_slice(&tail);
    bytes
}

fn not_json(world: &mut World<'_, '_>, json: &str) -> Vec<u8> {
    let text = match world.dice.below(8) {
        0 => json.replacen(':', "=", 1),
        1 => json.replacen('"', "'", 2),
        2 => format!("/* */{json}"),
        3 => json.replacen(',', ",,", 1),
        4 => json.replacen("null", "NaN", 1) + "Infinity",
        5 => json.replacen('}', ",}", 1),
        6 => json.replacen("\"tern\"", "tern", 1),
        _ => json.replacen("\"0.1\"", "\"0.1\\x\"", 1),
    };
    text.into_bytes()
}

fn garbled(world: &mut World<'_, '_>, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..world.dice.between(1, 3) {
        let at = world.dice.below(bytes.len());
        let byte = world.dice.byte();
        if let Some(place) = bytes.get_mut(at) {
            *place = if byte == b'\n' { b' ' } else { byte };
        }
    }
    bytes
}
