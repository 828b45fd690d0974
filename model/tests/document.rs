//! §15 and §16: log documents and bare messages.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::{Broken, Document, Limits, Model, Outcome};

fn error(text: &str) -> (usize, String) {
    match Document::read(text.as_bytes()) {
        Err(Broken { line, reason }) => (line, reason),
        Ok(_) => panic!("no error in {text}"),
    }
}

/// The error of a second line after a good context.
fn second(line: &str) -> String {
    let (number, reason) = error(&format!(
        "{CONTEXT}\n{line}\n{}\n",
        record(&tell("a:1", ""))
    ));
    assert_eq!(number, 2, "{line}");
    reason
}

fn fits(line: &str) {
    let read = Document::read(format!("{CONTEXT}\n{line}").as_bytes());
    assert!(read.is_ok(), "{line}: {read:?}");
}

// S8.03, S8.04
#[test]
fn lines_and_keys() {
    for blank in ["", " ", "\t", "\r"] {
        assert_eq!(second(blank), "document_blank_line");
    }
    for broken in [
        "[]",
        "1",
        "{",
        "x",
        "{}{}",
        r#"{"clock":"2026-01-01T00:00:00Z","clock":"2026-01-01T00:00:00Z"}"#,
        r#"{"clock":1e999}"#,
        r#"{"clock":"\ud800"}"#,
        "\u{feff}{}",
        r#"{"revoke":{"ref":"a","ref":"a"}}"#,
        r#"{"deliver":{"text":"\ud800"}}"#,
        r#"{"deliver":{"text":"a","text":"a"}}"#,
    ] {
        assert_eq!(second(broken), "document_broken_line", "{broken}");
    }
    for unknown in [
        "{}",
        r#"{"x":1}"#,
        r#"{"Clock":"2026-01-01T00:00:00Z"}"#,
        r#"{"revoke":{"ref":"a"},"permit":{"commitment":"a:1"}}"#,
    ] {
        assert_eq!(second(unknown), "document_unknown_record", "{unknown}");
    }
    fits("{ \"revoke\" : {\"r\\u0065f\":\"a\"} } \r");
    let mut bytes = format!("{CONTEXT}\n").into_bytes();
    bytes.extend(b"{\"revoke\":{\"ref\":\"\xff\"}}");
    assert_eq!(Document::read(&bytes).unwrap_err().line, 2);
}

// S8.05: fields of every record
#[test]
fn records_have_their_fields() {
    let evidence = r#"{"id":"ev:1","source":"s","collected_at":"2026-12-01T06:00:00Z","method":"m","result":"r"}"#;
    let good = [
        r#"{"grant":{"ref":"g","principal":"p"}}"#,
        r#"{"grant":{"ref":"g","principal":"p","actions":["a"],"not_before":"2026-12-01T06:00:00Z","expires":"2026-12-01T06:00:00Z"}}"#,
        r#"{"revoke":{"ref":"g"}}"#,
        r#"{"permit":{"commitment":"a:1"}}"#,
        r#"{"require_approval":{"commitment":"a:1"}}"#,
        r#"{"approve":{"commitment":"a:1","by":"x"}}"#,
        r#"{"confirm":{"commitment":"a:1","condition":1.0}}"#,
        r#"{"judge":{"commitment":"a:1","terms":"satisfied"}}"#,
        &format!(r#"{{"evidence":{evidence}}}"#),
        r#"{"start":{"commitment":"a:1","action":"k"}}"#,
        r#"{"finish":{"commitment":"a:1","action":"k"}}"#,
        r#"{"reconciled":{"commitment":"a:1","action":"k","causes":[]}}"#,
        r#"{"reconciled":{"commitment":"a:1","action":"k","causes":["any","any"]}}"#,
    ];
    for line in good {
        fits(line);
        let (head, fields) = line.split_once("\":{\"").unwrap();
        assert_eq!(
            second(&format!("{head}\":{{\"extra\":1,\"{fields}")),
            "document_unknown_field",
            "{line}"
        );
        assert_eq!(second(&format!("{head}\":null}}")), "document_bad_value");
        assert_eq!(second(&format!("{head}\":[]}}")), "document_bad_value");
        assert_eq!(
            second(&format!("{head}\":{{}}}}")),
            "document_missing_field"
        );
    }
    fits(r#"{"clock":"2026-12-31T23:59:60Z"}"#);
    for bad in [
        r#"{"clock":"yesterday"}"#,
        r#"{"clock":null}"#,
        r#"{"clock":{}}"#,
        r#"{"revoke":{"ref":""}}"#,
        r#"{"revoke":{"ref":null}}"#,
        r#"{"permit":{"commitment":"a"}}"#,
        r#"{"permit":{"commitment":7}}"#,
        r#"{"confirm":{"commitment":"a:1","condition":-1}}"#,
        r#"{"confirm":{"commitment":"a:1","condition":0.5}}"#,
        r#"{"confirm":{"commitment":"a:1","condition":"0"}}"#,
        r#"{"confirm":{"commitment":"a:1","condition":1e-400}}"#,
        r#"{"judge":{"commitment":"a:1","terms":"Mismatch"}}"#,
        r#"{"grant":{"ref":"g","principal":"p","actions":null}}"#,
        r#"{"grant":{"ref":"g","principal":"p","actions":[""]}}"#,
        r#"{"grant":{"ref":"g","principal":"p","expires":null}}"#,
        r#"{"start":{"commitment":"a:1","action":""}}"#,
        r#"{"reconciled":{"commitment":"a:1","action":"k","causes":[1]}}"#,
        r#"{"evidence":{"id":"a:1","source":"s","collected_at":"2026-12-01T06:00:00Z","method":"m","result":"r"}}"#,
        r#"{"approve":{"commitment":"a:1","by":["x"]}}"#,
    ] {
        assert_eq!(second(bad), "document_bad_value", "{bad}");
    }
    for fine in [
        "0",
        "-0",
        "1e400",
        "1e2",
        "10e-1",
        "99999999999999999999999",
    ] {
        let line = format!(r#"{{"confirm":{{"commitment":"a:1","condition":{fine}}}}}"#);
        if fine == "1e400" {
            assert_eq!(second(&line), "document_broken_line"); // not finite
        } else {
            fits(&line);
        }
    }
}

// S8.06
#[test]
fn contexts() {
    let grant = r#"{"grant":{"ref":"g","principal":"p"}}"#;
    assert_eq!(
        error(&format!("{grant}\n{CONTEXT}\n")),
        (1, "document_before_context".into())
    );
    let turned = r#"{"context":{"participants":{"r":"key:r","d":"key:d","b":"key:b","a":"key:a"},"id":"c"}}"#;
    fits(turned);
    assert_eq!(
        second(r#"{"context":{"id":"c","participants":{}}}"#),
        "document_second_context"
    );
    assert_eq!(
        second(&CONTEXT.replace(r#""id":"c""#, r#""id":"C""#)),
        "document_second_context"
    );
    let of = |context: &str| error(&format!("{{\"context\":{context}}}\n{grant}")).1;
    assert_eq!(
        of(r#"{"id":"unverified","participants":{}}"#),
        "document_reserved_context"
    );
    assert_eq!(of(r#"{"id":"","participants":{}}"#), "document_bad_value");
    assert_eq!(
        of(r#"{"id":"c","participants":{"":"k"}}"#),
        "document_bad_value"
    );
    assert_eq!(
        of(r#"{"id":"c","participants":{"a":""}}"#),
        "document_bad_value"
    );
    assert_eq!(
        of(r#"{"id":"c","participants":{"a":null}}"#),
        "document_bad_value"
    );
    assert_eq!(of(r#"{"id":"c","participants":[]}"#), "document_bad_value");
    assert_eq!(of(r#"{"id":"c"}"#), "document_missing_field");
    assert_eq!(
        of(r#"{"id":"c","participants":{},"x":1}"#),
        "document_unknown_field"
    );
    let document = Document::read(format!("{CONTEXT}\n{turned}\n{grant}\n").as_bytes()).unwrap();
    assert_eq!(document.records().len(), 1);
    assert_eq!(document.records()[0].line(), 3);
    assert!(!document.records()[0].is_delivery());
    assert!(
        Document::read(br#"{"context":{"id":"x","participants":{}}}"#)
            .unwrap()
            .records()
            .is_empty()
    );
}

// S8.07, S8.09
#[test]
fn payloads() {
    for line in [
        r#"{"deliver":{}}"#,
        r#"{"deliver":{"principal":"p"}}"#,
        r#"{"deliver":{"text":"a","base64":""}}"#,
        r#"{"deliver":{"message":{},"text":""}}"#,
        r#"{"deliver":{"message":{},"base64":""}}"#,
    ] {
        assert_eq!(second(line), "document_not_one_payload", "{line}");
    }
    for line in [
        r#"{"deliver":{"text":null}}"#,
        r#"{"deliver":{"text":"a","principal":""}}"#,
        r#"{"deliver":{"text":"a","principal":7}}"#,
        r#"{"deliver":{"base64":"YQ"}}"#,
        r#"{"deliver":{"base64":"YR=="}}"#,
        r#"{"deliver":{"base64":"YQ==\n"}}"#,
        r#"{"deliver":{"base64":" YQ=="}}"#,
        r#"{"deliver":{"base64":"YQ=="" }}"#,
        r#"{"deliver":{"base64":"Y"}}"#,
        r#"{"deliver":{"base64":"_-=="}}"#,
        r#"{"deliver":{"base64":"YQ==YQ=="}}"#,
        r#"{"deliver":{"base64":[]}}"#,
        r#"{"deliver":1}"#,
    ] {
        let reason = second(line);
        assert!(
            reason == "document_bad_value" || reason == "document_broken_line",
            "{line}: {reason}"
        );
    }
    assert_eq!(
        second(r#"{"deliver":{"text":"a","more":1}}"#),
        "document_unknown_field"
    );
    let empty = |payload: &str| {
        outcomes(&[format!(
            r#"{{"deliver":{{"principal":"key:a",{payload}}}}}"#
        )])[0]
    };
    assert_eq!(empty(r#""text":"""#), rejected("syntax", "empty"));
    assert_eq!(empty(r#""base64":"""#), rejected("syntax", "empty"));
    assert_eq!(empty(r#""base64":"/w==""#), rejected("syntax", "not_utf8"));
    assert_eq!(
        empty(r#""base64":"77u/e30=""#),
        rejected("syntax", "byte_order_mark")
    );
    assert_eq!(empty(r#""text":"{}""#), rejected("shape", "missing_field"));
    assert_eq!(
        empty(r#""text":"{\"tern\":\"0.2\"}""#),
        rejected("version", "unsupported_version")
    );
    assert_eq!(empty(r#""message":{}"#), rejected("shape", "missing_field"));
    let text = format!(
        r#"{{"deliver":{{"text":{:?},"principal":"key:a"}}}}"#,
        tell("a:1", "")
    );
    assert_eq!(outcomes(&[text])[0], Outcome::Accepted);
}

// S8.08
#[test]
fn impossible_messages() {
    for message in [
        "1",
        "[]",
        "null",
        "\"{}\"",
        r#"{"a":1,"a":1}"#,
        r#"{"a":1,"\u0061":1}"#,
        r#"{"x":{"a":[1e999]}}"#,
        r#"{"a":"\udc00"}"#,
        r#"{"\udc00":1}"#,
        r#"{"x":[[[[[[{"a":1,"a":2}]]]]]]}"#,
    ] {
        assert_eq!(
            second(&format!(r#"{{"deliver":{{"message":{message}}}}}"#)),
            "document_impossible_message",
            "{message}"
        );
        assert_eq!(
            second(&format!(
                r#"{{"deliver":{{"principal":null,"message":{message}}}}}"#
            )),
            "document_impossible_message"
        );
    }
    assert_eq!(
        second(r#"{"deliver":{"message":{},"message":{}}}"#),
        "document_broken_line"
    );
    assert_eq!(
        second(r#"{"deliver":{"message":{"a":}}}"#),
        "document_broken_line"
    );
    // Merely too deep or too long: delivered, and rejected.
    let deep = format!(
        r#"{{"tern":{}1{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    let deep = format!(r#"{{"deliver":{{"principal":"key:a","message":{deep}}}}}"#);
    let long = format!(
        r#"{{"deliver":{{"principal":"key:a","message":{{"a":"{}"}}}}}}"#,
        "x".repeat(1_048_576)
    );
    assert_eq!(
        outcomes(&[deep, long]),
        [
            rejected("syntax", "too_deep"),
            rejected("syntax", "too_long")
        ]
    );
}

// S8.07: the bytes of a message are its source text, as it stands in the line
#[test]
fn the_source_text_is_delivered() {
    let message = tell("a:1", "")
        .replace(',', " ,\t")
        .replace("TELL", "T\\u0045LL");
    let line =
        format!(r#" {{ "deliver" : {{ "message" : {message} , "principal" : "key:a" }} }} "#);
    let document = Document::read(format!("{CONTEXT}\n{line}\n").as_bytes()).unwrap();
    for (bytes, expected) in [
        (message.len(), Outcome::Accepted),
        (message.len() - 1, rejected("syntax", "too_long")),
    ] {
        let mut model = Model::new(
            &document,
            Limits {
                bytes,
                ..Limits::default()
            },
        );
        assert_eq!(model.step(&document.records()[0]), Some(expected));
    }
}

// S8.02: nothing is kept of a broken document; the first error is reported
#[test]
fn the_first_error_is_reported() {
    let text = format!("{CONTEXT}\n{}\nx\n\n", record(&tell("a:1", "")));
    assert_eq!(error(&text), (3, "document_broken_line".into()));
    let text = format!("{CONTEXT}\n{}\n\nx\n", record(&tell("a:1", "")));
    assert_eq!(error(&text), (3, "document_blank_line".into()));
    // R-05: a newline at the end is no blank line, a second one is.
    assert!(Document::read(format!("{CONTEXT}\n").as_bytes()).is_ok());
    assert_eq!(
        error(&format!("{CONTEXT}\n\n")),
        (2, "document_blank_line".into())
    );
    assert_eq!(
        error(&format!("{CONTEXT}\n ")),
        (2, "document_blank_line".into())
    );
    assert!(Document::read(format!("{CONTEXT}\r\n").as_bytes()).is_ok());
}

// S8.10: what makes a file a log document
#[test]
fn log_or_bare() {
    for first in [
        r#"{"clock":1}"#,
        r#"{"evidence":[],"tern":"0.1"}"#,
        r#"{"x":1,"deliver":2}"#,
        r#"{"clock":1,"clock":1}"#,
        r#"{"clock":1e999}"#,
        r#"{"clock":"\ud800"}"#,
        r#"{"cl\u006fck":1}"#,
        " \t{\"context\":{}}\r",
    ] {
        assert_eq!(error(first).0, 1, "{first}");
        assert_eq!(error(&format!("{first}\n{}", tell("a:1", ""))).0, 1);
    }
    let deep = format!(
        r#"{{"grant":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(error(&deep).0, 1);
    for bare in [
        "",
        "{}",
        "x",
        "[]",
        "\n",
        r#"{"clock":}"#,
        r#"["clock"]"#,
        "\u{feff}{\"clock\":1}",
        r#"{"x":{"clock":1}}"#,
        r#"{"":1}"#,
    ] {
        assert!(Document::read(bare.as_bytes()).is_ok(), "{bare}");
    }
    assert!(Document::read(b"\n{\"clock\":1}").is_ok());
}

fn bare(file: &str) -> Vec<Outcome> {
    read_with(file.as_bytes(), Limits::default()).0
}

// S8.11: each line is a delivery
#[test]
fn bare_messages() {
    let lines = [
        tell("a:1", ""),
        "x".into(),
        String::new(),
        tell("zed:1", "a:1"),
        tell("a:2", "").replace(r#""from":"a""#, r#""from":"b""#),
    ];
    let got = bare(&lines.join("\n"));
    assert_eq!(got[0], Outcome::Accepted);
    assert!(matches!(
        got[1],
        Outcome::Rejected {
            class: "syntax",
            ..
        }
    ));
    assert_eq!(got[2], rejected("syntax", "empty"));
    assert_eq!(got[3], Outcome::Accepted);
    assert_eq!(got[4], rejected("identity", "id_not_of_sender"));
    let document = Document::read(lines.join("\r\n").as_bytes()).unwrap();
    let numbers: Vec<usize> = document.records().iter().map(|r| r.line()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert!(bare("").is_empty());
    assert_eq!(bare("\n"), [rejected("syntax", "empty")]);
    assert_eq!(bare("\n\n").len(), 2);
    assert_eq!(bare(&format!("{}\n", tell("a:1", ""))), [Outcome::Accepted]);
    let view = read_with(tell("a:1", "").as_bytes(), Limits::default()).1;
    assert_eq!(at(&view, &["context"]), "\"unverified\"");
    // A record later in a bare file is a broken message.
    assert_eq!(
        bare(&format!("{}\n{CONTEXT}", tell("a:1", "")))[1],
        rejected("shape", "missing_field")
    );
}

// S8.11, T1.04: a file that is one object is one delivery
#[test]
fn one_object_over_several_lines() {
    let pretty = tell("a:1", "").replace(',', ",\n  ").replace('{', "{\n");
    assert_eq!(bare(&pretty), [Outcome::Accepted]);
    assert_eq!(bare(&format!("\n\r\n {pretty}\n\n")), [Outcome::Accepted]);
    assert_eq!(
        bare(&format!("\n{}\n\n", tell("a:1", ""))),
        [Outcome::Accepted]
    );
    assert_eq!(
        bare(&format!("\n\n{}", tell("a:1", ""))),
        [Outcome::Accepted]
    );
    // By the grammar: flaws are errors of the one delivery.
    let flawed = pretty.replace(r#""act""#, "\"x\":1e999,\n\"act\"");
    assert_eq!(bare(&flawed), [rejected("syntax", "number_overflow")]);
    let repeated = pretty.replace(r#""act""#, "\"id\":\"a:1\",\n\"act\"");
    assert_eq!(bare(&repeated), [rejected("syntax", "duplicate_key")]);
    // Two objects are lines, and so is what is no JSON.
    assert_eq!(
        bare(&format!("{pretty}\n{}", tell("a:2", ""))).len(),
        pretty.lines().count() + 1
    );
    assert_eq!(bare("[1,\n2]").len(), 2);
    // A pretty-printed message may give evidence (S8.10).
    let giving = pretty.replace(r#""act""#, "\"evidence\":[],\n\"act\"");
    assert_eq!(bare(&giving), [Outcome::Accepted]);
    assert_eq!(
        error(&tell("a:1", "").replace(r#""act""#, r#""evidence":[],"act""#)).0,
        1
    );
}
