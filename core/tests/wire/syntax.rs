//! Stage 1: what is one strict JSON object, and what is not.

use crate::support::{ack, found};
use tern_core::wire::{Limits, read};
use tern_core::{Class, Code};

/// The single finding of stage 1 in some bytes.
fn syntax(bytes: &[u8]) -> (Code, String) {
    let rejection = read(bytes, &Limits::default()).unwrap_err();
    assert_eq!(rejection.class(), Class::Syntax, "{rejection}");
    assert_eq!(rejection.findings().len(), 1);
    let finding = &rejection.findings()[0];
    assert_eq!(finding.code, rejection.code());
    assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len());
    (finding.code, finding.pointer.clone())
}

fn code(text: &str) -> Code {
    syntax(text.as_bytes()).0
}

/// An acceptable message with something more in its extensions.
fn with_extension(json: &str) -> String {
    let message = ack().to_string();
    format!(
        "{}, \"extensions\": {{\"x\": {json}}}}}",
        message.strip_suffix('}').unwrap()
    )
}

/// T1.01
#[test]
fn t1_01_not_utf8() {
    let message = with_extension("\"é\"");
    assert_eq!(found(&message), []);
    let at = message.find('é').unwrap();
    for broken in [
        &[0xE9][..],
        &[0xC3],
        &[0xED, 0xA0, 0x80],
        &[0xC0, 0x80],
        &[0xF5, 0x80, 0x80, 0x80],
    ] {
        let mut bytes = message.clone().into_bytes();
        bytes.splice(at..at + 2, broken.iter().copied());
        assert_eq!(syntax(&bytes).0, Code::NotUtf8);
        let finding = read(&bytes, &Limits::default()).unwrap_err().findings()[0].clone();
        assert_eq!((finding.span.start, finding.line), (at, 1));
        assert_eq!(finding.column as usize, at + 1);
    }
    // UTF-16, with and without its mark.
    for bytes in [&b"\xFF\xFE{\0}\0"[..], b"\xFE\xFF\0{\0}"] {
        assert_eq!(syntax(bytes).0, Code::NotUtf8);
    }
    assert_eq!(syntax(b"\0{\0}").0, Code::MalformedJson);
}

/// S2.04
#[test]
fn s2_04_byte_order_mark() {
    assert_eq!(code(&format!("\u{FEFF}{}", ack())), Code::ByteOrderMark);
    assert_eq!(found(&with_extension("\"\u{FEFF}\"")), []);
    // Anywhere else it is merely no JSON.
    assert_eq!(code(&format!("{}\u{FEFF}", ack())), Code::TrailingText);
    assert_eq!(code(" \u{FEFF}{}"), Code::MalformedJson);
}

/// R-05
#[test]
fn r_05_empty() {
    for text in ["", " ", "\n", "\r\n", "\t \r\n \n"] {
        assert_eq!(code(text), Code::Empty, "{text:?}");
    }
}

/// T1.04, R-05, T1.08
#[test]
fn t1_04_layout_is_free() {
    let message = ack();
    let pretty = serde_json::to_string_pretty(&message).unwrap();
    assert_eq!(found(&pretty), []);
    assert_eq!(
        found(&format!("\n\t {}\r\n", pretty.replace('\n', "\r\n"))),
        []
    );
}

/// T1.02
#[test]
fn t1_02_not_an_object() {
    for text in ["[]", "null", "true", "0", "\"{}\"", " [{}] "] {
        assert_eq!(code(text), Code::NotAnObject, "{text}");
    }
}

/// T1.02
#[test]
fn t1_02_trailing_text() {
    for more in ["{}", "null", "x", ",", "}", "// end", "\0", "\u{A0}"] {
        assert_eq!(
            code(&format!("{} {more}", ack())),
            Code::TrailingText,
            "{more}"
        );
    }
}

/// T1.06, S2.03
#[test]
fn t1_06_malformed_json() {
    let broken = [
        "{",
        "}",
        "{]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":[1,]}",
        "{\"a\":[,1]}",
        "{\"a\":[1 2]}",
        "{\"a\":tru}",
        "{\"a\":True}",
        "{\"a\":nul}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":01}",
        "{\"a\":-01}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":1e}",
        "{\"a\":1e+}",
        "{\"a\":0x1}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\",
        "{\"a\":\"b",
        "{\"a\":\"\u{1}\"}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\t\"}",
        "{/* */}",
        "{\"a\":1}// end\n]",
        "{\u{A0}}",
        "{\"a\":\u{B}1}",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "[",
        "tru",
        "-",
        "\"",
    ];
    for text in broken {
        let code = code(text);
        let expected = if text.starts_with("{\"a\":1}") {
            Code::TrailingText
        } else {
            Code::MalformedJson
        };
        assert_eq!(code, expected, "{text}");
    }
}

/// T1.05, S2.07: after escapes are read, in every object at any depth, in few and in many keys.
#[test]
fn t1_05_duplicate_keys_at_any_depth() {
    let twice = |json: &str| syntax(with_extension(json).as_bytes());
    let at = |pointer: &str| (Code::DuplicateKey, format!("/extensions/x{pointer}"));
    assert_eq!(twice(r#"{"a":1,"a":1}"#), at("/a"));
    assert_eq!(twice(r#"[0,{"b":[{"a":1,"\u0061":2}]}]"#), at("/1/b/0/a"));
    assert_eq!(twice(r#"{"":1,"b":{},"":2}"#), at("/"));
    assert_eq!(twice(r#"{"~/":1,"~\/":2}"#), at("/~0~1"));
    assert_eq!(twice(r#"{"\ud83d\ude00":1,"😀":2}"#), at("/😀"));
    let message = ack().to_string();
    let message = format!(
        "{},\"thread\":\"design\"}}",
        message.strip_suffix('}').unwrap()
    );
    assert_eq!(
        syntax(message.as_bytes()),
        (Code::DuplicateKey, "/thread".into())
    );

    // The same key in different objects, and keys that only look alike.
    assert_eq!(
        found(&with_extension(
            r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#
        )),
        []
    );
    assert_eq!(
        found(&with_extension("{\"é\":1,\"e\u{301}\":2,\"a\":3,\"A\":4}")),
        []
    );
    for count in [15, 16, 17, 18, 40] {
        let keys: Vec<_> = (0..count).map(|key| format!("\"k{key}\":{key}")).collect();
        assert_eq!(
            found(&with_extension(&format!("{{{}}}", keys.join(",")))),
            []
        );
        let again = format!("{{{},\"k3\":0}}", keys.join(","));
        assert_eq!(twice(&again), at("/k3"), "{count}");
    }
}

/// S2.05
#[test]
fn s2_05_lone_surrogates() {
    for escape in [
        r"\ud800",
        r"\uDFFF",
        r"\udc00\ud800",
        r"\udc00\udc00",
        r"\ud800\ue000",
        r"\ud83dx",
        r"\ud83d\n",
        r"\ud83d\u0041",
        r"\ud83d\ud83d\ude00",
    ] {
        let (code, pointer) = syntax(with_extension(&format!("[\"{escape}\"]")).as_bytes());
        assert_eq!(
            (code, pointer.as_str()),
            (Code::LoneSurrogate, "/extensions/x/0"),
            "{escape}"
        );
        let (code, pointer) = syntax(with_extension(&format!("{{\"{escape}\":1}}")).as_bytes());
        assert_eq!(
            (code, pointer.as_str()),
            (Code::LoneSurrogate, "/extensions/x"),
            "{escape}"
        );
    }
    assert_eq!(
        found(&with_extension(
            r#""\ud83d\ude00\uD83D\uDE00\ue000\uffff\u0000""#
        )),
        []
    );
    // Cut short, it is not even an escape.
    assert_eq!(
        code(&with_extension(r#""\ud83d\u00""#)),
        Code::MalformedJson
    );
}

/// T1.07, S2.08
#[test]
fn t1_07_numbers_that_overflow() {
    for number in [
        "1e309",
        "-1e309",
        "1e999999999999999999999",
        "1.7976931348623159e308",
    ] {
        let (code, pointer) = syntax(with_extension(&format!("{{\"n\":{number}}}")).as_bytes());
        assert_eq!(
            (code, pointer.as_str()),
            (Code::NumberOverflow, "/extensions/x/n"),
            "{number}"
        );
    }
    for number in [
        "1e308",
        "1.7976931348623157e308",
        "1e-999999999999999999999",
        "0e999999",
        "-0",
    ] {
        assert_eq!(found(&with_extension(number)), [], "{number}");
    }
}

/// S2.02, S2.03, S2.09: a failure of stage 1 anywhere comes before the version and the shape.
#[test]
fn s2_02_stage_1_comes_first() {
    assert_eq!(
        code(r#"{"tern":"9","extensions":{"a":[{"b":1,"b":2}]}}"#),
        Code::DuplicateKey
    );
    assert_eq!(code(r#"{"tern":"9","x":1e999}"#), Code::NumberOverflow);
    assert_eq!(code(r#"{"tern":"9"} {"#), Code::TrailingText);
    assert_eq!(code(r#"{"tern":"9","x":"\ud800"}"#), Code::LoneSurrogate);
    assert_eq!(code(r#"{"tern":"9","#), Code::MalformedJson);
}
