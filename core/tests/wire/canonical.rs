//! Canonical JSON and what it decides: equality and digests.

use proptest::prelude::*;
use tern_core::wire::{Json, JsonOptions, Kind, canonical, utf16_cmp, write_string};

fn of(text: &str) -> String {
    let json = Json::read(
        text.as_bytes(),
        JsonOptions {
            max_depth: None,
            lenient: false,
        },
    )
    .unwrap();
    canonical(json.root())
}

/// S7.03, T1.08, T1.29
#[test]
fn s7_03_keys_white_space_and_strings() {
    assert_eq!(
        of(" { \"b\" : [ ] ,\t\"a\":{ }\r\n} "),
        r#"{"a":{},"b":[]}"#
    );
    assert_eq!(
        of("[[],[[]],{\"a\":[{}]},[1,\"[\",\"{\"]]"),
        r#"[[],[[]],{"a":[{}]},[1,"[","{"]]"#
    );
    assert_eq!(
        of(r#"[true,false,null,"\u002f\/"]"#),
        r#"[true,false,null,"//"]"#
    );
    assert_eq!(
        of(r#""\u0000\u0008\u0009\u000A\u000b\u000C\u000D\u001F\u007f\u2028\"\\""#),
        "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}\u{2028}\\\"\\\\\""
    );
    // Surrogates sort before U+E000 to U+FFFF.
    assert_eq!(
        of("{\"\u{E000}\":1,\"\u{10000}\":2,\"\u{D7FF}\":3,\"\":4}"),
        "{\"\":4,\"\u{D7FF}\":3,\"\u{10000}\":2,\"\u{E000}\":1}"
    );
    for scalar in ["null", "true", "\"\"", "0"] {
        assert_eq!(of(scalar), scalar);
    }
}

/// S2.03: what a document gives to those who read it themselves.
#[test]
fn s2_03_values_of_a_document() {
    let text = r#"{"s": "a\n", "p": "b", "n": -1.50, "t": true, "z": null, "l": [1, {}]}"#;
    let json = Json::read(text.as_bytes(), JsonOptions::default()).unwrap();
    let root = json.root();
    assert_eq!(root.kind(), Kind::Object);
    assert_eq!(root.get("s").unwrap().as_str(), Some("a\n"));
    assert_eq!(root.get("s").unwrap().as_cow().as_deref(), Some("a\n"));
    assert!(matches!(
        root.get("p").unwrap().as_cow(),
        Some(std::borrow::Cow::Borrowed("b"))
    ));
    assert_eq!(
        root.get("n").unwrap().as_number().unwrap().as_str(),
        "-1.50"
    );
    assert_eq!(root.get("t").unwrap().as_bool(), Some(true));
    assert_eq!(root.get("z").unwrap().kind(), Kind::Null);
    assert_eq!(root.get("l").unwrap().source(), "[1, {}]");
    assert_eq!(root.get("l").unwrap().items().count(), 2);
    assert!(root.get("x").is_none() && root.as_str().is_none() && root.as_bool().is_none());
    assert_eq!(
        (
            root.items().count(),
            root.get("l").unwrap().entries().count()
        ),
        (0, 0)
    );
    let spans: Vec<_> = root
        .entries()
        .map(|(_, key, value)| (&text[key], &text[value.span()]))
        .collect();
    assert_eq!(spans[0], ("\"s\"", r#""a\n""#));
    assert_eq!(spans.len(), 6);
}

/// S8.10: the bare grammar lets through what only the strict reader refuses.
#[test]
fn s8_10_lenient_reading() {
    let bare = JsonOptions {
        max_depth: None,
        lenient: true,
    };
    let json = Json::read(br#"{"a":1e999,"a":2,"\ud800x":"\ud800\u0041"}"#, bare).unwrap();
    assert_eq!(json.root().get("a").unwrap().source(), "1e999");
    assert_eq!(
        json.root().get("\u{FFFD}x").unwrap().as_str(),
        Some("\u{FFFD}A")
    );
    for broken in [
        &b"{\"a\":1,}"[..],
        b"",
        b"\xEF\xBB\xBF{}",
        b"{\"a\":\"\xFF\"}",
        b"{} {}",
        b"{\"a\":01}",
    ] {
        assert!(Json::read(broken, bare).is_err());
    }
    let shallow = JsonOptions {
        max_depth: Some(1),
        lenient: true,
    };
    assert!(Json::read(b"[[]]", shallow).is_err() && Json::read(b"[0]", shallow).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// S7.03
    #[test]
    fn s7_03_utf16_order(a in "[a\u{E9}\u{D7FF}\u{E000}\u{FB33}\u{FFFF}\u{10000}\u{1F600}\u{10FFFF}]{0,4}", b in "[a\u{E9}\u{D7FF}\u{E000}\u{FB33}\u{FFFF}\u{10000}\u{1F600}\u{10FFFF}]{0,4}") {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        prop_assert_eq!(utf16_cmp(&a, &b), units(&a).cmp(&units(&b)));
    }

    /// S7.03
    #[test]
    fn s7_03_utf16_order_of_any(a in any::<String>(), b in any::<String>()) {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        prop_assert_eq!(utf16_cmp(&a, &b), units(&a).cmp(&units(&b)));
    }

    /// S7.03: a literal is read back as the same string, by us and by another reader.
    #[test]
    fn s7_03_strings_are_read_back(text in any::<String>()) {
        let mut literal = String::new();
        write_string(&mut literal, &text);
        prop_assert_eq!(&serde_json::from_str::<String>(&literal).unwrap(), &text);
        let json = Json::read(literal.as_bytes(), JsonOptions::default()).unwrap();
        prop_assert_eq!(json.root().as_str(), Some(text.as_str()));
        prop_assert_eq!(of(&literal), literal);
    }
}
