//! Whatever way a message is written, read or changed: the readers agree with each other.

use crate::support::{self, message};
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tern_core::message::Message;
use tern_core::wire::{Digest, Json, JsonOptions, Limits, canonical, read};

/// JSON text in any layout: what it says is one thing, how it is written another.
fn written(value: &Value, style: u64) -> String {
    let mut out = String::new();
    write(&mut out, value, &mut Style(style));
    out
}

/// A source of choices.
struct Style(u64);

impl Style {
    fn choose(&mut self, of: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % of
    }

    fn space(&mut self) -> &'static str {
        ["", "", "", " ", "\n\t", "\r\n"][self.choose(6) as usize]
    }
}

fn write(out: &mut String, value: &Value, style: &mut Style) {
    *out += style.space();
    match value {
        Value::String(text) => write_text(out, text, style),
        Value::Array(items) => {
            *out += "[";
            for (index, item) in items.iter().enumerate() {
                *out += if index > 0 { "," } else { "" };
                write(out, item, style);
            }
            *out += "]";
        }
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            for index in (1..entries.len()).rev() {
                entries.swap(index, style.choose(index as u64 + 1) as usize);
            }
            *out += "{";
            for (index, (key, value)) in entries.into_iter().enumerate() {
                *out += if index > 0 { "," } else { "" };
                *out += style.space();
                write_text(out, key, style);
                *out += style.space();
                *out += ":";
                write(out, value, style);
            }
            *out += "}";
        }
        Value::Number(number) => {
            let zeros = style.choose(3) as usize;
            let form = style.choose(3);
            *out += &match (number.as_i64(), form) {
                (Some(integer), 1) if integer != 0 => {
                    format!("{integer}{}e-{zeros}", "0".repeat(zeros))
                }
                (Some(integer), 2) => format!("{integer}.{}", "0".repeat(zeros + 1)),
                _ => number.to_string(),
            };
        }
        scalar => *out += &scalar.to_string(),
    }
    *out += style.space();
}

fn write_text(out: &mut String, text: &str, style: &mut Style) {
    *out += "\"";
    for character in text.chars() {
        let must = character < ' ' || matches!(character, '"' | '\\');
        if must || style.choose(8) == 0 {
            for unit in character.encode_utf16(&mut [0; 2]) {
                *out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    *out += "\"";
}

/// Any JSON for `extensions`.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-20..20_i64).prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-c\u{E000}\u{10000}]{0,2}|.{0,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Any valid message: the table of acts, with texts and extensions at will.
fn any_message() -> impl Strategy<Value = Value> {
    let fields = (
        0..10_usize,
        any::<u16>(),
        "[^\u{0}]{1,8}",
        any::<String>(),
        anything(),
        anything(),
    );
    fields.prop_map(|(act, chosen, id, text, beyond, within)| {
        let (name, rows) = support::acts().swap_remove(act);
        let mut body = json!({});
        for (index, row) in rows.iter().enumerate() {
            if row.required || chosen >> index & 1 == 1 {
                body[row.name] = row.value.clone();
            }
            // Where a single space is an example, any text will do.
            if row.value == json!(" ") && body.get(row.name).is_some() {
                body[row.name] = json!(format!(" {text}"));
            }
        }
        if name == "REVISE" && chosen & 1 == 1 {
            let (_, rows) = support::acts().swap_remove(usize::from(chosen >> 1) % 10);
            let replacement = rows
                .iter()
                .filter(|row| row.required || chosen >> 8 & 1 == 1);
            body["mode"] = json!("replace");
            body["replacement"] = replacement
                .map(|row| (row.name.to_owned(), row.value.clone()))
                .collect();
        }
        if chosen >> 9 & 1 == 1 {
            body["extensions"] = json!({"x": within});
        }
        let mut whole = message(name, &body);
        whole["id"] = json!(format!("drafter:{id}"));
        if chosen >> 10 & 1 == 1 {
            whole["extensions"] = json!({"x": beyond, "": {}});
        }
        if chosen >> 11 & 1 == 1 {
            let evidence = vec![support::evidence(); usize::from(chosen >> 12 & 3)];
            whole["evidence"] = json!(evidence);
        }
        if chosen >> 14 & 1 == 1 {
            whole["reply"] = json!("reviewer:1");
        }
        whole
    })
}

/// A message in which one value was changed, removed or put where it does not belong.
fn changed_message() -> impl Strategy<Value = Value> {
    let change = (any_message(), any::<prop::sample::Index>(), 0..8_usize);
    change.prop_map(|(mut whole, place, change)| {
        let mut pointers = vec![];
        collect_pointers(&whole, String::new(), &mut pointers);
        let pointer = &pointers[place.index(pointers.len())];
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let new = [
            json!(null),
            json!(""),
            json!([]),
            json!({}),
            json!(1),
            json!("a:b"),
            json!(["ev:a"]),
        ];
        match (whole.pointer_mut(parent).unwrap(), new.get(change)) {
            (Value::Object(object), None) => drop(object.remove(key)),
            (Value::Object(object), Some(new)) => drop(object.insert(key.into(), new.clone())),
            (Value::Array(items), None) => drop(items.pop()),
            (Value::Array(items), Some(new)) => items.push(new.clone()),
            _ => {}
        }
        whole
    })
}

fn collect_pointers(value: &Value, at: String, pointers: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, item)| (index.to_string(), item))
            .collect(),
        _ => vec![],
    };
    for (key, child) in children {
        // Keys that a pointer would have to escape are only in extensions.
        if !key.contains(['/', '~']) {
            pointers.push(format!("{at}/{key}"));
            collect_pointers(child, format!("{at}/{key}"), pointers);
        }
    }
}

fn digest_of(text: &str) -> Digest {
    read(text.as_bytes(), &Limits::default()).unwrap().digest
}

/// What holds of any bytes: serde and the strict reader agree, and so does the tape with the bare
/// grammar of another reader.
fn readers_agree(bytes: &[u8]) -> Result<(), TestCaseError> {
    let strict = read(bytes, &Limits::default());
    let serde = serde_json::from_slice::<Message<'_>>(bytes);
    prop_assert_eq!(strict.is_ok(), serde.is_ok(), "{:?} {:?}", strict, serde);
    if let Ok(parsed) = strict {
        prop_assert_eq!(serde.unwrap(), parsed.message);
    }
    if let Ok(text) = core::str::from_utf8(bytes) {
        let bare = Json::read(
            bytes,
            JsonOptions {
                max_depth: None,
                lenient: true,
            },
        );
        let other = serde_json::from_str::<IgnoredAny>(text);
        prop_assert_eq!(bare.is_ok(), other.is_ok(), "{:?} {:?}", bare, other);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// R-02, T1.27, T1.29, S7.03, S7.05: layout, key order, escapes and the spelling of numbers do
    /// not count; the canonical form is a fixpoint and goes through message and text alike.
    #[test]
    fn r_02_layout_does_not_count(whole in any_message(), one in any::<u64>(), other in any::<u64>()) {
        let (one, other) = (written(&whole, one), written(&whole, other));
        let parsed = read(one.as_bytes(), &Limits::default()).unwrap();
        let second = read(other.as_bytes(), &Limits::default()).unwrap();
        prop_assert_eq!(parsed.digest, second.digest);
        prop_assert_eq!(parsed.content, second.content);
        prop_assert_eq!(&parsed.evidence, &second.evidence);
        prop_assert_eq!(&parsed.message, &second.message);

        let json = Json::read(one.as_bytes(), JsonOptions::default()).unwrap();
        let form = canonical(json.root());
        prop_assert_eq!(&parsed.message.to_canonical_json(), &form);
        prop_assert_eq!(Digest::of(form.as_bytes()), parsed.digest);
        let again = Json::read(form.as_bytes(), JsonOptions::default()).unwrap();
        prop_assert_eq!(canonical(again.root()), form.clone());
        prop_assert_eq!(digest_of(&form), parsed.digest);
        prop_assert_eq!(&parsed.message.clone().into_owned(), &parsed.message);
    }

    /// R-02, S2.10: through serde and back a message stays what it is, on one line.
    #[test]
    fn r_02_serde_round_trip(whole in any_message(), style in any::<u64>()) {
        let text = written(&whole, style);
        let message: Message<'static> = serde_json::from_str(&text).unwrap();
        let line = serde_json::to_string(&message).unwrap();
        prop_assert!(!line.contains(['\n', '\r']));
        prop_assert_eq!(digest_of(&line), digest_of(&text));
        prop_assert_eq!(&serde_json::from_str::<Message<'static>>(&line).unwrap(), &message);
        let value = serde_json::to_value(&message).unwrap();
        prop_assert!(serde_json::from_value::<Message<'static>>(value).is_ok());
    }

    /// R-02, T1.29: messages are equal exactly when their digests are.
    #[test]
    fn r_02_equal_exactly_by_digest(one in any_message(), other in changed_message()) {
        let (one, other) = (one.to_string(), other.to_string());
        let one = read(one.as_bytes(), &Limits::default()).unwrap();
        if let Ok(other) = read(other.as_bytes(), &Limits::default()) {
            prop_assert_eq!(one.message == other.message, one.digest == other.digest);
        }
    }

    /// S2.10, T1.34: serde and the strict reader agree about what is no longer a message.
    #[test]
    fn s2_10_readers_agree_on_changed_messages(whole in changed_message(), style in any::<u64>()) {
        readers_agree(written(&whole, style).as_bytes())?;
    }

    /// S2.03, T1.34: and about what is no longer JSON, to the byte.
    #[test]
    fn s2_03_readers_agree_on_changed_bytes(
        whole in any_message(),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:\\0e-. \n".to_vec())],
        how in 0..3_u8,
    ) {
        let mut bytes = whole.to_string().into_bytes();
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            _ => drop(bytes.remove(at)),
        }
        readers_agree(&bytes)?;
    }

    /// S2.03, T1.06: JSON-like text, against another reader.
    #[test]
    fn s2_03_readers_agree_on_json_like_text(text in "([\\[\\]{},:]|\"[a\\\\u0-9dDn]{0,7}\"|-?[01]{0,2}(\\.[0-9]?)?([eE][+-]?[0-9]?)?|true|false|null| |\n){0,12}") {
        readers_agree(text.as_bytes())?;
    }

    /// T1.34: any bytes are an answer, never a crash.
    #[test]
    fn t1_34_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        readers_agree(&bytes)?;
    }
}
