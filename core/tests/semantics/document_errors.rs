//! §8: every error of a document, with the number of its line.

use serde_json::{Value, json};
use tern_core::DocumentCode;

use super::document::{encode, read};
use crate::common::{evidence, tell};

const CONTEXT: &str = r#"{"context":{"id":"design","participants":{"a":"key:a"}}}"#;
const CLOCK: &str = r#"{"clock":"2026-11-30T12:00:00Z"}"#;

/// The error of a document whose third line is this one.
fn third(line: &str) -> Option<&'static str> {
    let document = format!("{CONTEXT}\n{CLOCK}\n{line}\n{CLOCK}\n");
    match read(document.as_bytes()) {
        Ok(log) => {
            assert_eq!(log.events().len(), 3, "{line}");
            None
        }
        Err((number, code)) => {
            assert_eq!(number, 3, "{line}");
            Some(code.as_str())
        }
    }
}

fn error(line: &str) -> &'static str {
    third(line).unwrap_or_else(|| panic!("no error: {line}"))
}

/// S8.02, S8.03: a blank line anywhere, with its number, and the whole is refused.
#[test]
fn s8_03_blank_lines() {
    for blank in ["", " ", "\r", "\t \r"] {
        assert_eq!(error(blank), "document_blank_line");
    }
    let first = read(format!("\n{CONTEXT}\n").as_bytes());
    assert_eq!(first.unwrap_err(), (1, DocumentCode::BlankLine));
    let last = read(format!("{CONTEXT}\n{CLOCK}\n\n").as_bytes());
    assert_eq!(last.unwrap_err(), (3, DocumentCode::BlankLine));
}

/// S8.03: a line that is not one strict JSON object.
#[test]
fn s8_03_broken_lines() {
    for line in [
        "nonsense",
        "{",
        "[]",
        "\"clock\"",
        "null",
        "{\"clock\":\"2026-11-30T12:00:00Z\"} x",
        "{\"clock\":\"2026-11-30T12:00:00Z\"}{}",
        "{\"clock\":\"2026-11-30T12:00:00Z\",\"clock\":\"2026-11-30T12:00:00Z\"}",
        "{\"clock\":\"\\ud800\"}",
        "{\"clock\":1e999}",
        "{\"confirm\":{\"commitment\":\"b:1\",\"condition\":1e999}}",
        "{\"permit\":{\"commitment\":\"b:1\",\"commitment\":\"b:1\"}}",
        "{\"clock\":\"2026-11-30T12:00:00Z\"} // comment",
        "\u{feff}{\"clock\":\"2026-11-30T12:00:00Z\"}",
    ] {
        assert_eq!(error(line), "document_broken_line", "{line}");
    }
    let bytes = [CONTEXT.as_bytes(), b"\n{\"revoke\":{\"ref\":\"\xff\"}}\n"].concat();
    assert_eq!(read(&bytes).unwrap_err(), (2, DocumentCode::BrokenLine));
}

/// S8.03, S8.08: what is no JSON at all is a broken line wherever it breaks; a key `message` twice,
/// or one that merely begins so, is not *in* `message`.
#[test]
fn s8_03_broken_lines_around_a_message() {
    for line in [
        r#"{"deliver":{"message":{"a":}}}"#,
        r#"{"deliver":{"message":{"a":1}"#,
        r#"{"deliver":{"message":{"a":01}}}"#,
        r#"{"deliver":{"message":{},"message":{}}}"#,
        r#"{"deliver":{"messages":{"a":1,"a":2}}}"#,
        r#"{"deliver":{"message2":1e999}}"#,
        r#"{"deliver":{"principal":"\ud800","message":{}}}"#,
        r#"{"deliver":{"message":{},"\ud800":1}}"#,
        r#"{"deliver":{"message":{},"text":"\ud800"}}"#,
        r#"{"other":{"message":{"a":1,"a":2}}}"#,
        r#"{"deliver":{"message":{},"principal":"k","principal":"k"}}"#,
    ] {
        assert_eq!(error(line), "document_broken_line", "{line}");
    }
}

/// S8.08: what no message could be, in `message`.
#[test]
fn s8_08_impossible_messages() {
    for message in [
        "[]",
        "null",
        "\"text\"",
        "1",
        "true",
        r#"{"a":1,"a":2}"#,
        r#"{"a":{"b":[{"c":1,"\u0063":2}]}}"#,
        r#"{"a":1e999}"#,
        r#"{"a":[-1E400]}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"\udc00":1}"#,
    ] {
        let line = format!(r#"{{"deliver":{{"principal":"key:a","message":{message}}}}}"#);
        assert_eq!(error(&line), "document_impossible_message", "{line}");
    }
    // The smallest and the largest that are finite.
    for number in ["1e-999", "0e999", "1.7976931348623157e308", "-0"] {
        let line = format!(r#"{{"deliver":{{"message":{{"a":{number}}}}}}}"#);
        assert_eq!(third(&line), None, "{line}");
    }
}

/// S8.04: exactly one key, of those listed, spelled so.
#[test]
fn s8_04_unknown_records() {
    for line in [
        "{}",
        r#"{"clocks":"2026-11-30T12:00:00Z"}"#,
        r#"{"Clock":"2026-11-30T12:00:00Z"}"#,
        r#"{"":1}"#,
        r#"{"clock":"2026-11-30T12:00:00Z","revoke":{"ref":"g"}}"#,
        r#"{"deliver":{"text":"x"},"comment":"y"}"#,
    ] {
        assert_eq!(error(line), "document_unknown_record", "{line}");
    }
    assert_eq!(
        third(r#"{"cl\u006fck":"2026-11-30T12:00:00Z"}"#),
        None,
        "keys are read first"
    );
}

/// Every record with all its fields, and which of them are required.
fn records() -> Vec<(Value, &'static [&'static str])> {
    let time = "2026-11-30T12:00:00Z";
    vec![
        (
            json!({"grant": {"ref": "g", "principal": "p", "actions": ["x"], "not_before": time,
            "expires": time}}),
            &["ref", "principal"],
        ),
        (json!({"revoke": {"ref": "g"}}), &["ref"]),
        (json!({"permit": {"commitment": "b:1"}}), &["commitment"]),
        (
            json!({"require_approval": {"commitment": "b:1"}}),
            &["commitment"],
        ),
        (
            json!({"approve": {"commitment": "b:1", "by": "p"}}),
            &["commitment", "by"],
        ),
        (
            json!({"confirm": {"commitment": "b:1", "condition": 0}}),
            &["commitment", "condition"],
        ),
        (
            json!({"judge": {"commitment": "b:1", "terms": "mismatch"}}),
            &["commitment", "terms"],
        ),
        (
            json!({"evidence": evidence("ev:1", "x")}),
            &["id", "source", "collected_at", "method", "result"],
        ),
        (
            json!({"start": {"commitment": "b:1", "action": "k"}}),
            &["commitment", "action"],
        ),
        (
            json!({"finish": {"commitment": "b:1", "action": "k"}}),
            &["commitment", "action"],
        ),
        (
            json!({"reconciled": {"commitment": "b:1", "action": "k", "causes": ["x"]}}),
            &["commitment", "action", "causes"],
        ),
        (
            json!({"context": {"id": "design", "participants": {"a": "key:a"}}}),
            &["id", "participants"],
        ),
    ]
}

/// S8.05: a required field is absent; an optional one may be.
#[test]
fn s8_05_missing_fields() {
    for (record, required) in records() {
        let (name, body) = record.as_object().unwrap().iter().next().unwrap();
        for field in body.as_object().unwrap().keys() {
            let mut without = record.clone();
            without[name].as_object_mut().unwrap().remove(field);
            let found = third_or_context(name, &without);
            let expected = required
                .contains(&field.as_str())
                .then_some("document_missing_field");
            assert_eq!(found, expected, "{without}");
        }
    }
    assert_eq!(error(r#"{"permit":{}}"#), "document_missing_field");
}

/// A context in the third line must equal the first, so its form is tested in the first.
fn third_or_context(name: &str, record: &Value) -> Option<&'static str> {
    if name != "context" {
        return third(&record.to_string());
    }
    match read(format!("{record}\n{CLOCK}\n").as_bytes()) {
        Ok(_) => None,
        Err((number, code)) => {
            assert_eq!(number, 1, "{record}");
            Some(code.as_str())
        }
    }
}

/// S8.05: a field that the record does not have.
#[test]
fn s8_05_unknown_fields() {
    for (record, _) in records() {
        let (name, _) = record.as_object().unwrap().iter().next().unwrap();
        for field in ["extensions", "Ref", ""] {
            let mut with = record.clone();
            with[name][field] = json!({});
            assert_eq!(
                third_or_context(name, &with),
                Some("document_unknown_field"),
                "{with}"
            );
        }
    }
    let line = json!({"deliver": {"message": tell("a:1").value, "note": "x"}}).to_string();
    assert_eq!(error(&line), "document_unknown_field");
}

/// S8.05: no field takes a value of another type or form, null included.
#[test]
fn s8_05_bad_values() {
    for (record, _) in records() {
        let (name, body) = record.as_object().unwrap().iter().next().unwrap();
        for field in body.as_object().unwrap().keys() {
            let bad: &[Value] = match field.as_str() {
                "commitment" => &[
                    json!(null),
                    json!(1),
                    json!(""),
                    json!("b"),
                    json!("b:"),
                    json!(":1"),
                ],
                "condition" => &[json!("0"), json!(-1), json!(0.5), json!(null), json!([])],
                "terms" => &[json!("Mismatch"), json!(""), json!(null), json!("disputed")],
                "actions" | "causes" => {
                    &[json!("x"), json!([""]), json!([1]), json!(null), json!({})]
                }
                "not_before" | "expires" | "collected_at" => &[
                    json!("2026-11-30"),
                    json!(0),
                    json!(""),
                    json!(null),
                    json!("2026-02-30T00:00:00Z"),
                ],
                "participants" => &[
                    json!([]),
                    json!({"a": ""}),
                    json!({"": "k"}),
                    json!({"a": null}),
                    json!(null),
                ],
                "id" if name == "evidence" => {
                    &[json!("1"), json!("ev:"), json!("EV:1"), json!(null)]
                }
                _ => &[json!(""), json!(1), json!(null), json!(["x"])],
            };
            for value in bad {
                let mut with = record.clone();
                with[name][field] = value.clone();
                assert_eq!(
                    third_or_context(name, &with),
                    Some("document_bad_value"),
                    "{with}"
                );
            }
        }
    }
    for line in [
        r#"{"clock":1}"#,
        r#"{"clock":"now"}"#,
        r#"{"clock":null}"#,
        r#"{"permit":"b:1"}"#,
        r#"{"deliver":[]}"#,
        r#"{"evidence":null}"#,
    ] {
        assert_eq!(error(line), "document_bad_value", "{line}");
    }
}

/// S8.06: the context comes first.
#[test]
fn s8_06_before_context() {
    let document = format!("{CLOCK}\n{CONTEXT}\n");
    assert_eq!(
        read(document.as_bytes()).unwrap_err(),
        (1, DocumentCode::BeforeContext)
    );
}

/// S8.06, T1.24, T1.25: a second context that differs, in id, name, principal or number.
#[test]
fn s8_06_second_context() {
    for context in [
        json!({"id": "other", "participants": {"a": "key:a"}}),
        json!({"id": "design", "participants": {"a": "key:b"}}),
        json!({"id": "design", "participants": {"b": "key:a"}}),
        json!({"id": "design", "participants": {"a": "key:a", "b": "key:a"}}),
        json!({"id": "design", "participants": {}}),
    ] {
        assert_eq!(
            error(&json!({"context": context}).to_string()),
            "document_second_context"
        );
    }
}

/// S8.06: no context is named `unverified`, first or later.
#[test]
fn s8_06_reserved_context() {
    let line = r#"{"context":{"id":"unverified","participants":{}}}"#;
    assert_eq!(
        read(line.as_bytes()).unwrap_err(),
        (1, DocumentCode::ReservedContext)
    );
    assert_eq!(error(line), "document_reserved_context");
    let other = r#"{"context":{"id":"Unverified","participants":{}}}"#;
    assert!(read(other.as_bytes()).is_ok());
}

/// S8.07: exactly one payload.
#[test]
fn s8_07_not_one_payload() {
    let (message, text, base64) = (json!({}), json!("x"), json!(encode(b"x")));
    for payloads in [
        json!({}),
        json!({"principal": "key:a"}),
        json!({"message": message, "text": text}),
        json!({"message": message, "base64": base64}),
        json!({"text": text, "base64": base64}),
        json!({"message": message, "text": text, "base64": base64}),
    ] {
        let line = json!({"deliver": payloads}).to_string();
        assert_eq!(error(&line), "document_not_one_payload", "{line}");
    }
}

/// S8.07, S8.05: base64 is padded and canonical, and texts are strings.
#[test]
fn s8_07_payloads_of_a_bad_form() {
    for encoded in [
        "eA", "eA=", "eB==", "eA===", " eA==", "eA==\n", "eA==eA==", "-_-_", "e A=", "=",
    ] {
        let line = json!({"deliver": {"base64": encoded}}).to_string();
        assert_eq!(error(&line), "document_bad_value", "{encoded:?}");
    }
    for deliver in [
        json!({"text": 1}),
        json!({"text": null}),
        json!({"base64": null}),
        json!({"text": "x", "principal": ""}),
        json!({"text": "x", "principal": 1}),
    ] {
        assert_eq!(
            error(&json!({"deliver": deliver}).to_string()),
            "document_bad_value"
        );
    }
    assert_eq!(
        third(&json!({"deliver": {"base64": "eA==", "principal": null}}).to_string()),
        None
    );
    assert_eq!(third(r#"{"deliver":{"text":""}}"#), None);
}

/// S8.02: the error says where, and names its code and clause.
#[test]
fn s8_02_errors_say_where() {
    use tern_core::log::{Input, Reader};
    let mut reader = Reader::new(Input::Document);
    reader.read(CONTEXT.as_bytes()).unwrap();
    let line = r#"{"grant":{"ref":"g","principal":"p","expires":"soon"}}"#;
    let error = reader.read(line.as_bytes()).unwrap_err();
    assert_eq!(error.line, 2);
    assert_eq!(error.error.pointer, "/grant/expires");
    assert_eq!(&line[error.error.span.clone()], "\"soon\"");
    assert!(error.to_string().starts_with("line 2: "));
    for code in DocumentCode::ALL {
        assert!(code.clause().starts_with("S8."), "{code}");
        assert!(code.as_str().starts_with("document_"));
        assert_eq!(DocumentCode::from_name(code.as_str()), Some(*code));
    }
}
