//! §1 and §14: reading JSON, equality, canonical JSON, digests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::{Document, Limits, Model, Outcome, canonical_json};

fn canonical(text: &str) -> String {
    canonical_json(text.as_bytes(), &Limits::default())
        .unwrap_or_else(|code| panic!("{text}: {code}"))
}

fn code(text: &[u8]) -> &'static str {
    canonical_json(text, &Limits::default()).unwrap_err()
}

// S7.04, S2.08: the table of canonical numbers
#[test]
fn numbers_keep_their_exact_value() {
    let cases = [
        ("1", "1"),
        ("1.0", "1"),
        ("10e-1", "1"),
        ("10", "1E1"),
        ("1E+1", "1E1"),
        ("0.50", "5E-1"),
        ("-0", "0"),
        ("-0.0e7", "0"),
        ("0e5", "0"),
        ("-1.50", "-15E-1"),
        ("100e-5", "1E-3"),
        ("1e-999999", "1E-999999"),
        ("9007199254740993", "9007199254740993"),
        ("1e-99999999999999999999", "1E-99999999999999999999"),
        ("0e99999999999999999999", "0"),
        ("10e-100000000000000000000", "1E-99999999999999999999"),
        ("0.1e-99999999999999999999", "1E-100000000000000000000"),
        ("1000e-1000000000000000000", "1E-999999999999999997"),
        ("10.0e-9999999999999999999", "1E-9999999999999999998"),
        ("1e-000000000000000000000000005", "1E-5"),
        ("1e00000000000000000000000", "1"),
        ("120000", "12E4"),
        ("0.00012", "12E-5"),
        ("100.001", "100001E-3"),
        ("1e5", "1E5"),
        ("123e-18", "123E-18"),
        ("1e-18446744073709551616", "1E-18446744073709551616"),
    ];
    for (written, expected) in cases {
        assert_eq!(canonical(written), expected, "{written}");
    }
}

// S2.08, T1.07: what rounds to infinity is refused
#[test]
fn numbers_are_finite() {
    for refused in [
        "1e999",
        "-1e999",
        "1e309",
        "1.7976931348623159e308",
        "179769313486231580793e289",
        "1e99999999999999999999",
        "[1e400]",
        "1e309999999999999999999999999",
    ] {
        assert_eq!(code(refused.as_bytes()), "number_overflow", "{refused}");
    }
    for kept in [
        "1e-999",
        "0e999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1e308",
    ] {
        canonical(kept);
    }
    // Half a step below 2^1024 is a tie, and goes to even, so to infinity.
    let tie = "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792";
    assert_eq!(code(tie.as_bytes()), "number_overflow");
    assert_eq!(code(format!("-{tie}.000").as_bytes()), "number_overflow");
    let below = tie.replace("74497792", "74497791");
    canonical(&format!("{below}.{}", "9".repeat(2000)));
    // Many digits against an exponent of the same size: the value is 1.
    let long = format!("1{}e-700000", "0".repeat(700_000));
    assert_eq!(canonical(&long), "1");
    let small = format!("0.{}1e700001", "0".repeat(700_000));
    assert_eq!(canonical(&small), "1");
}

// T1.06: the grammar and nothing else
#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "{",
        "}",
        "[1,]",
        "{\"a\":1,}",
        "{,}",
        "[,1]",
        "{\"a\"}",
        "{a:1}",
        "{'a':1}",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru",
        "nul",
        "TRUE",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u+123\"",
        "\"abc",
        "/* c */ 1",
        "// c\n1",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "[1]]",
        "\u{b}1",
        "\u{a0}1",
        "--1",
        "1-2",
        "0x1",
        "\"\t\"",
        "{\"a\":1}{",
        "\"\\u12\"",
        "\"\\",
        "[\u{feff}1]",
    ] {
        let code = code(text.as_bytes());
        assert!(
            code == "malformed_json" || code == "trailing_text",
            "{text}: {code}"
        );
    }
    assert_eq!(code(b"{} x"), "trailing_text"); // T1.02
    assert_eq!(code(b"{} {}"), "trailing_text");
    assert_eq!(code(b""), "empty"); // R-05
    assert_eq!(code(b" \t\r\n"), "empty");
    assert_eq!(code(b"\xef\xbb\xbf{}"), "byte_order_mark"); // S2.04
    assert_eq!(code(b"{\"a\":\"\xff\"}"), "not_utf8"); // T1.01
    assert_eq!(code(b"\"\xed\xa0\x80\""), "not_utf8"); // a surrogate in bytes
    assert_eq!(
        canonical(" \r\n\t{ \"a\" : [ 1 , true , false , null ] } \r\n"),
        "{\"a\":[1,true,false,null]}"
    );
}

// T1.05, S2.07: keys are compared after their escapes are read, at any depth
#[test]
fn keys_are_not_repeated() {
    for text in [
        r#"{"a":1,"a":1}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"{"x":[{"b":1,"b":2}]}"#,
        r#"{"\u00e9":1,"é":2}"#,
        r#"{"":1,"":2}"#,
        r#"{"/":1,"\/":2}"#,
        r#"{"😂":1,"\ud83d\ude02":1}"#,
    ] {
        assert_eq!(code(text.as_bytes()), "duplicate_key", "{text}");
    }
    canonical(r#"{"a":1,"A":1,"b":{"a":1},"é":1,"e\u0301":1}"#); // T1.09, R-02
}

// S2.05: half a surrogate pair
#[test]
fn surrogates_come_in_pairs() {
    for text in [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud83d x""#,
        r#""\ud83d\ud83d\ude02""#,
        r#""\ude02\ud83d""#,
        r#""\ud83d\n""#,
        r#"{"\ud83d":1}"#,
        r#""\ud83d\u0041""#,
    ] {
        assert_eq!(code(text.as_bytes()), "lone_surrogate", "{text}");
    }
    assert_eq!(
        canonical(r#""\ud83d\ude02\uD83D\uDE02\u0041\u00e9""#),
        "\"😂😂Aé\""
    );
    assert_eq!(
        canonical(r#""\ufffd\uffff\ud7ff\ue000""#),
        "\"\u{fffd}\u{ffff}\u{d7ff}\u{e000}\""
    );
}

// S2.06: limits of size and depth
#[test]
fn size_and_depth_are_limited() {
    let limits = Limits {
        bytes: 10,
        depth: 3,
        ..Limits::default()
    };
    assert_eq!(
        canonical_json(b"\"12345678\"", &limits).unwrap(),
        "\"12345678\""
    );
    assert_eq!(canonical_json(b"\"123456789\"", &limits), Err("too_long"));
    assert_eq!(canonical_json(b"[[[1]]]", &limits).unwrap(), "[[[1]]]");
    assert_eq!(canonical_json(b"[[[[]]]]", &limits), Err("too_deep"));
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    canonical(&nested(128));
    assert_eq!(code(nested(129).as_bytes()), "too_deep");
    assert_eq!(code(nested(500_000).as_bytes()), "too_deep");
    assert_eq!(code("[".repeat(500_000).as_bytes()), "malformed_json");
    assert_eq!(Limits::default().bytes, 1024 * 1024);
}

// S7.03: order of keys by UTF-16, strings as RFC 8785
#[test]
fn canonical_json_of_the_specification() {
    let text = r#"{"b": 10, "a": "\u00e9/\u0007", "\ufb33": 0.50, "\ud83d\ude02": []}"#;
    assert_eq!(
        canonical(text),
        "{\"a\":\"é/\\u0007\",\"b\":1E1,\"😂\":[],\"\u{fb33}\":5E-1}"
    );
    assert_eq!(
        canonical(r#""\"\\\/\b\f\n\r\t\u0000\u001f\u007f\u2028""#),
        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\u{2028}\""
    );
    assert_eq!(
        canonical(r#"{"ab":1,"a":2,"":3,"B":4}"#),
        r#"{"":3,"B":4,"a":2,"ab":1}"#
    );
}

// S7.05: the digests of the worked exchange of §17 (T6.01, T6.02)
#[test]
fn the_worked_exchange() {
    let specification = include_str!("../../spec/tern-0.1.md");
    let chapter = specification
        .split("## 17. Worked exchange")
        .nth(1)
        .unwrap();
    let lines: Vec<&str> = chapter
        .lines()
        .filter(|line| line.starts_with("{\"tern\""))
        .collect();
    assert_eq!(lines.len(), 4);
    let file = lines.join("\n");
    let document = Document::read(file.as_bytes()).unwrap();
    let mut model = Model::new(&document, Limits::default());
    for record in document.records() {
        assert_eq!(model.step(record), Some(Outcome::Accepted));
    }
    let view = model.view();
    for (id, digest) in [
        (
            "drafter:1",
            "55e37f410a779e95646dc1932aeaddc7788fc710647252ff1285b0380bc424f7",
        ),
        (
            "drafter:2",
            "6d753c880531119c962f6c8ad85583a0e57bd4fc3d2c280d603fb8b9e4db1175",
        ),
        (
            "reviewer:1",
            "064af4054c2496d5981ff2b2532380f44f02c3eb56cb6f69b61e0794825b0cba",
        ),
        (
            "reviewer:2",
            "cc183aa268090d515626224a7694cd76b8aeee2372c2f529fa9899bdfb5538fb",
        ),
    ] {
        assert_eq!(
            at(&view, &["messages", id, "digest"]),
            format!("\"{digest}\"")
        );
    }
    assert_eq!(of(&view, "reviewer:1", "progress"), "\"blocked\"");
    assert_eq!(
        of(&view, "reviewer:1", "blocked_by"),
        r#"["condition_unconfirmed","no_authority","reported_blocked"]"#
    );
    assert_eq!(at(&view, &["context"]), "\"unverified\"");
    // T6.02: without the last ACK not one field of the commitment changes.
    let without = read_with(lines[..3].join("\n").as_bytes(), Limits::default()).1;
    assert_eq!(at(&without, &["commitments"]), at(&view, &["commitments"]));
}

// T1.29, R-02, T1.27, T1.28: equality of messages
#[test]
fn equality_is_structural() {
    let with = |extension: &str| {
        let body = format!(r#"{{"question":"q","extensions":{{"e":{extension}}}}}"#);
        message("a:1", "ASK", "", &body)
    };
    let equal = [
        ("1", "1.0"),
        ("1", "10e-1"),
        ("0", "-0"),
        ("0", "0e5"),
        (r#""é""#, r#""\u00e9""#),
        (r#"{"a":1,"b":2}"#, r#"{ "b":2, "a":1 }"#),
    ];
    for (first, second) in equal {
        assert_eq!(
            outcomes(&[with(first), with(second)])[1],
            Outcome::Duplicate,
            "{first} {second}"
        );
    }
    let different = [
        ("9007199254740992", "9007199254740993"),
        ("1e-999999", "0"),
        (r#""é""#, r#""e\u0301""#),
        ("[1,2]", "[2,1]"),
        ("1", "\"1\""),
        ("null", "false"),
        ("{}", "[]"),
        ("1", "-1"),
        (r#"{"a":null}"#, "{}"),
    ];
    for (first, second) in different {
        assert_eq!(
            outcomes(&[with(first), with(second)])[1],
            Outcome::IdConflict,
            "{first} {second}"
        );
    }
    let turned = r#"{"body":{"question":"q"},"act":"ASK","reply":null,"thread":"t","to":["all"],"from":"a","id":"a:1","tern":"0.1"}"#;
    let turned = format!(r#"{{"deliver":{{"principal":"key:a","message":{turned}}}}}"#);
    assert_eq!(
        outcomes(&[ask("a:1", "", ""), turned])[1],
        Outcome::Duplicate
    ); // T1.08
}
