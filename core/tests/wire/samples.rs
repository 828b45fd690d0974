//! The messages that came with the specification (T6.01, T6.02), and what binds message and JSON.

use crate::suites::shared;
use crate::support::{self, message};
use serde_json::json;
use tern_core::message::{Evidence, Message};
use tern_core::wire::{Limits, Rejection, read};

/// T6.01: the worked exchange and the archive are valid messages, one a line.
#[test]
fn t6_01_the_worked_exchange_is_valid() {
    for (file, lines) in [("worked-exchange.jsonl", 4), ("archive.jsonl", 3)] {
        let Some(path) = shared("tern") else { return };
        let text = std::fs::read_to_string(path.join(file)).unwrap();
        assert_eq!(text.lines().count(), lines);
        for line in text.lines() {
            let parsed = read(line.as_bytes(), &Limits::default()).unwrap();
            let written = serde_json::to_string(&parsed.message).unwrap();
            // They are written without white space and in the order of the table.
            assert_eq!(written, line);
        }
    }
}

/// R-02, T1.15: messages come out of serde as they went in, extensions to the digit.
#[test]
fn r_02_serde_keeps_numbers_exact() {
    let text = support::ack().to_string().replace(
        "\"body\"",
        "\"extensions\": {\"n\": [1.0, 9007199254740993, 1e-999999]}, \"body\"",
    );
    let message: Message<'_> = serde_json::from_str(&text).unwrap();
    let written = serde_json::to_string(&message).unwrap();
    assert!(
        written.contains("[1.0,9007199254740993,1e-999999]"),
        "{written}"
    );
    assert_eq!(
        serde_json::from_str::<Message<'_>>(&written).unwrap(),
        message
    );
    let pretty = serde_json::to_string_pretty(&message).unwrap();
    assert_eq!(
        serde_json::from_str::<Message<'_>>(&pretty).unwrap(),
        message
    );
}

/// S2.10: a message also comes from a `Value`, and goes into one.
#[test]
fn s2_10_from_a_value() {
    let mut value = message(
        "ASK",
        &json!({"question": "Which?", "extensions": {"n": [1, 2.5]}}),
    );
    value["evidence"] = json!([support::evidence()]);
    let message: Message<'static> = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&message).unwrap(), value);
    value["body"]["question"] = json!("");
    let error = serde_json::from_value::<Message<'static>>(value).unwrap_err();
    assert!(
        error.to_string().starts_with("`question` is empty"),
        "{error}"
    );

    let evidence: Evidence<'_> = serde_json::from_value(support::evidence()).unwrap();
    assert_eq!(
        serde_json::to_value(&evidence).unwrap(),
        support::evidence()
    );
    assert_eq!(
        evidence.to_canonical_json(),
        support::evidence().to_string()
    );
    assert!(serde_json::from_str::<Evidence<'_>>("{\"id\":\"ev:a\"}").is_err());
}

/// A-EVIDENCE: evidence is read off a larger document too; pointers begin at the object.
#[test]
fn a_evidence_off_a_document() {
    use tern_core::wire::{Json, JsonOptions, evidence, read_evidence};
    let text = json!({"evidence": support::evidence(), "x": {"id": "ev:"}}).to_string();
    let json = Json::read(text.as_bytes(), JsonOptions::default()).unwrap();
    let found = evidence(json.root().get("evidence").unwrap()).unwrap();
    assert_eq!(found.id.as_str(), "ev:log");
    let rejection: Rejection = evidence(json.root().get("x").unwrap()).unwrap_err();
    assert_eq!(rejection.findings().len(), 5);
    assert_eq!(rejection.findings()[0].pointer, "/source");
    assert_eq!(&text[rejection.findings()[4].span.clone()], "\"ev:\"");
    assert!(read_evidence(b"[]", &Limits::default()).is_err());
}
