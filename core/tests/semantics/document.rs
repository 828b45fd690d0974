//! §8: log documents: records, payloads, context, writing back.

use serde_json::{Value, json};
use tern_core::log::{Input, Line, Reader, Record};
use tern_core::{Context, DocumentCode, Event, Limits, Log, Outcome, State};

use crate::common::{Chat, ack, commit, evidence, report, request, tell};

/// Reads a whole document: the log, or the line and code of its first error.
pub(crate) fn read(document: &[u8]) -> Result<Log, (u64, DocumentCode)> {
    let mut reader = Reader::new(Input::Document);
    let mut log: Option<Log> = None;
    let body = document.strip_suffix(b"\n").unwrap_or(document);
    for line in body.split(|&byte| byte == b'\n') {
        match reader
            .read(line)
            .map_err(|error| (error.line, error.error.code))?
        {
            Line::Context(context) => {
                log.get_or_insert_with(|| Log::new(context));
            }
            Line::Event(event) => log.as_mut().unwrap().push(event),
        }
    }
    Ok(log.unwrap())
}

const CONTEXT: &str = r#"{"context":{"id":"design","participants":{"a":"key:a","b":"key:b"}}}"#;

fn with_context(records: &[String]) -> String {
    format!("{CONTEXT}\n{}\n", records.join("\n"))
}

fn run(document: &str) -> (State, Vec<Outcome>) {
    read(document.as_bytes())
        .unwrap()
        .state_at(usize::MAX, &Limits::default())
}

/// S8.01: every kind of record is read, in order.
#[test]
fn s8_01_every_record() {
    let time = "2026-11-30T12:00:00Z";
    let records: Vec<String> = [
        json!({"deliver": {"principal": "key:a", "message": request("a:1").value}}),
        json!({"grant": {"ref": "g", "principal": "key:b", "actions": ["x"], "not_before": time,
            "expires": time}}),
        json!({"grant": {"ref": "g", "principal": "key:b"}}),
        json!({"revoke": {"ref": "g"}}),
        json!({"permit": {"commitment": "b:1"}}),
        json!({"require_approval": {"commitment": "b:1"}}),
        json!({"approve": {"commitment": "b:1", "by": "p"}}),
        json!({"confirm": {"commitment": "b:1", "condition": 0}}),
        json!({"judge": {"commitment": "b:1", "terms": "satisfied"}}),
        json!({"evidence": evidence("ev:1", "x")}),
        json!({"clock": time}),
        json!({"start": {"commitment": "b:1", "action": "k"}}),
        json!({"finish": {"commitment": "b:1", "action": "k"}}),
        json!({"reconciled": {"commitment": "b:1", "action": "k", "causes": ["x", "not_accepted"]}}),
    ]
    .iter()
    .map(Value::to_string)
    .collect();
    let log = read(with_context(&records).as_bytes()).unwrap();
    assert_eq!(log.events().len(), 14);
    assert_eq!(log.context().id(), "design");
    let (state, outcomes) = log.state_at(usize::MAX, &Limits::default());
    assert_eq!(outcomes.len(), 1);
    assert_eq!(state.position(), 14);
}

/// S8.07: `message` delivers the source text of that value, as it stands in the line.
#[test]
fn s8_07_message_delivers_its_source_text() {
    let odd = r#"{ "tern" : "0.1", "id":"a:\u0031","from":"a","to":["b"],"thread":"t","reply":null,"act":"ACK","body":{"target":"a:0"},"extensions":{"n":1.50e+1} }"#;
    let line = format!(r#"{{"deliver": {{"message" : {odd} , "principal":"key:a"}}}}"#);
    let log = read(with_context(&[line]).as_bytes()).unwrap();
    let Event::Deliver(delivery) = &log.events()[0] else {
        panic!("no delivery");
    };
    assert_eq!(delivery.bytes, odd.as_bytes());
    assert_eq!(delivery.principal.as_deref(), Some("key:a"));
}

/// S8.07: the three payloads deliver the same message: one message, two duplicates.
#[test]
fn s8_07_three_payloads() {
    let words = tell("a:1");
    let text = json!({"deliver": {"principal": "key:a", "text": words.text()}}).to_string();
    let message = json!({"deliver": {"principal": "key:a", "message": words.value}}).to_string();
    // The base64 of the same text, from the writer's own form of bytes that are no text.
    let encoded = encode(words.text().as_bytes());
    let base64 = json!({"deliver": {"principal": "key:a", "base64": encoded}}).to_string();
    let (state, outcomes) = run(&with_context(&[text, message, base64]));
    let answers: Vec<String> = outcomes.iter().map(crate::common::answer).collect();
    assert_eq!(answers, ["accepted", "duplicate", "duplicate"]);
    assert_eq!(state.view().messages.len(), 1);
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0_usize, |word, n| {
            word << 8 | usize::from(*chunk.get(n).unwrap_or(&0))
        });
        for n in 0..4 {
            let digit = ALPHABET[word >> (18 - 6 * n) & 63];
            out.push(if n <= chunk.len() { digit as char } else { '=' });
        }
    }
    out
}

/// S8.07, S8.08: broken bytes travel as text or base64 and are rejected deliveries.
#[test]
fn s8_07_broken_bytes_are_deliveries() {
    let texts = [
        "",
        " ",
        "{",
        "nonsense",
        "{\"a\":1,\"a\":2}",
        "[1e999]",
        "\u{feff}{}",
        "{}\n{}",
    ];
    let mut records: Vec<String> = texts
        .iter()
        .map(|text| json!({"deliver": {"text": text}}).to_string())
        .collect();
    records.push(json!({"deliver": {"base64": ""}}).to_string());
    records.push(json!({"deliver": {"base64": encode(b"\xff\xfe\x00")}}).to_string());
    records.push(json!({"deliver": {"text": r#"{"a":"\ud800"}"#}}).to_string());
    let (_, outcomes) = run(&with_context(&records));
    let answers: Vec<String> = outcomes.iter().map(crate::common::answer).collect();
    assert_eq!(
        answers,
        [
            "empty",
            "empty",
            "malformed_json",
            "malformed_json",
            "duplicate_key",
            "number_overflow",
            "byte_order_mark",
            "trailing_text",
            "empty",
            "not_utf8",
            "lone_surrogate"
        ]
    );
}

/// S8.08: what is merely too long or too deep is delivered and rejected.
#[test]
fn s8_08_too_long_and_too_deep_are_deliveries() {
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let long = format!("{{\"x\":\"{}\"}}", "y".repeat(1 << 20));
    let records = [deep, long].map(|message| format!(r#"{{"deliver":{{"message":{message}}}}}"#));
    let (state, outcomes) = run(&with_context(&records));
    let answers: Vec<String> = outcomes.iter().map(crate::common::answer).collect();
    assert_eq!(answers, ["too_deep", "too_long"]);
    assert_eq!(state.position(), 2);
    // One that is no message at all, but an object that one could be.
    let (_, outcomes) = run(&with_context(&[r#"{"deliver":{"message":{}}}"#.to_owned()]));
    assert_eq!(crate::common::answer(&outcomes[0]), "missing_field");
}

/// S8.09: an absent and a null principal are a channel that authenticated nobody.
#[test]
fn s8_09_nobody_authenticated() {
    let absent = json!({"deliver": {"message": tell("a:1").value}}).to_string();
    let null = json!({"deliver": {"principal": null, "message": tell("a:1").value}}).to_string();
    let (_, outcomes) = run(&with_context(&[absent, null]));
    let answers: Vec<String> = outcomes.iter().map(crate::common::answer).collect();
    assert_eq!(answers, ["principal_missing", "principal_missing"]);
}

/// S8.06, T1.25: the same context may be repeated anywhere, in any writing, and changes nothing.
#[test]
fn s8_06_an_equal_context_may_be_repeated() {
    let again = "{\"context\": {\"participants\": {\"b\": \"key:b\", \"a\": \"key:\\u0061\"}, \"id\": \"design\"}}\r";
    let record = json!({"permit": {"commitment": "b:1"}}).to_string();
    let document = with_context(&[again.to_owned(), record, again.to_owned()]);
    assert_eq!(read(document.as_bytes()).unwrap().events().len(), 1);
}

/// S8.01, R-05: a last line without newline, CRLF, a context without participants.
#[test]
fn s8_01_line_ends() {
    let mut none = "{\"context\":{\"id\":\"x\",\"participants\":{}}}\r\n".to_owned();
    none.push_str("{\"clock\":\"2026-11-30T12:00:00Z\"}");
    let log = read(none.as_bytes()).unwrap();
    assert_eq!(log.events().len(), 1);
    assert_eq!(log.context(), &Context::new("x", [("a", "b"); 0]).unwrap());
    assert_eq!(read(CONTEXT.as_bytes()).unwrap().events().len(), 0);
}

/// S8.05: `condition` counts by value.
#[test]
fn s8_05_condition_by_value() {
    for (written, valid) in [
        ("0", true),
        ("-0", true),
        ("0.0", true),
        ("1.0", true),
        ("10e-1", true),
        ("1E0", true),
        ("-1", false),
        ("0.5", false),
        ("1e-1", false),
        ("\"0\"", false),
        ("null", false),
        ("true", false),
    ] {
        let record = format!(r#"{{"confirm":{{"commitment":"b:1","condition":{written}}}}}"#);
        let read = read(with_context(&[record]).as_bytes());
        match read {
            Ok(_) => assert!(valid, "{written}"),
            Err(error) => {
                assert!(!valid, "{written}: {error:?}");
                assert_eq!(error, (2, DocumentCode::BadValue));
            }
        }
    }
    // 1.0 is condition 1.
    let record = |n: &str| format!(r#"{{"confirm":{{"commitment":"b:1","condition":{n}}}}}"#);
    let one = read(with_context(&[record("1")]).as_bytes()).unwrap();
    let float = read(with_context(&[record("1.0")]).as_bytes()).unwrap();
    assert_eq!(one.events(), float.events());
}

/// S8.05: an integer of any size is an integer of 0 or more; it is ignored like any other number
/// that no condition has.
#[test]
fn s8_05_conditions_of_any_size() {
    for written in [
        "18446744073709551615",
        "18446744073709551616",
        "1e30",
        "1e300",
    ] {
        let record = format!(r#"{{"confirm":{{"commitment":"b:1","condition":{written}}}}}"#);
        let log = read(with_context(&[record]).as_bytes());
        assert!(log.is_ok(), "{written}: {log:?}");
    }
}

/// S8.05: `causes` may hold any code or none.
#[test]
fn s8_05_causes_of_any_name() {
    for causes in [
        json!([]),
        json!(["x"]),
        json!(["not_accepted", "not_accepted"]),
    ] {
        let record = json!({"reconciled": {"commitment": "b:1", "action": "k", "causes": causes}});
        assert!(read(with_context(&[record.to_string()]).as_bytes()).is_ok());
    }
}

/// S8.01: a log written back is a document that gives equal state and outcomes.
#[test]
fn s8_01_a_log_written_back() {
    let mut chat = Chat::new();
    chat.wait(commit("b:1", "a:1").body("conditions", json!(["x"])))
        .ok(request("a:1"));
    chat.ok(report("b:2", "b:1", "fulfilled").giving("ev:1", "\u{0}\u{1F602}\"\\"));
    chat.conflict(tell("b:2"))
        .refuse(ack("c:1", "b:1").via(None), "principal_missing");
    for bytes in [
        &b""[..],
        b"\xff\xfe",
        b" {\r\n}",
        "{\"\u{7f}\":1e999}".as_bytes(),
        b"\xef\xbb\xbf{}",
    ] {
        chat.raw(bytes, Some("key:\"odd\"\n"));
        chat.raw(bytes, None);
    }
    let time = "2026-11-30t12:00:00.0-00:00";
    for fact in [
        json!({"grant": {"ref": "g\u{1}", "principal": "key:b", "actions": ["y", "x", "y"],
            "not_before": time, "expires": time}}),
        json!({"grant": {"ref": "g", "principal": "p", "actions": []}}),
        json!({"grant": {"ref": "g", "principal": "p"}}),
        json!({"revoke": {"ref": "g"}}),
        json!({"permit": {"commitment": "b:1"}}),
        json!({"require_approval": {"commitment": "b:1"}}),
        json!({"approve": {"commitment": "b:1", "by": "\u{2028}"}}),
        json!({"confirm": {"commitment": "b:1", "condition": u64::MAX}}),
        json!({"judge": {"commitment": "b:1", "terms": "ambiguous"}}),
        json!({"evidence": evidence("ev:2", "é")}),
        json!({"clock": time}),
        json!({"start": {"commitment": "b:1:2", "action": "k\t"}}),
        json!({"finish": {"commitment": "b:1", "action": "k"}}),
        json!({"reconciled": {"commitment": "b:1", "action": "k", "causes": []}}),
        json!({"reconciled": {"commitment": "b:1", "action": "k", "causes": ["x", "a", "x"]}}),
    ] {
        chat.fact(&fact);
    }
    let document = chat.log.to_document().unwrap();
    let back = read(document.as_bytes()).unwrap();
    assert_eq!(back.context(), chat.log.context());
    assert_eq!(back.events(), chat.log.events());
    let (state, outcomes) = back.state_at(usize::MAX, &Limits::default());
    assert_eq!(outcomes, chat.outcomes);
    assert_eq!(state.view(), chat.state.view());
    assert_eq!(back.to_document().unwrap(), document, "a fixpoint");
    let lines = document.lines().count();
    assert_eq!(lines, chat.log.events().len() + 1);
}

/// S8.01: each written record is one line that reads back as the same record.
#[test]
fn s8_01_records_read_back() {
    let chat = Chat::deal();
    let document = chat.log.to_document().unwrap();
    for line in document.lines() {
        let record = Record::read(line.as_bytes()).unwrap();
        assert_eq!(record.to_line(), format!("{line}\n"));
    }
}

/// S8.01, S8.02, S8.10: a document is read whole or not at all, and one written is read again.
#[test]
fn s8_02_a_document_is_read_whole() {
    let context = r#"{"context":{"id":"c","participants":{"a":"key:a"}}}"#;
    let whole = format!(
        "{context}\n{{\"clock\":\"2026-01-01T00:00:00Z\"}}\r\n{context}\n{{\"revoke\":{{\"ref\":\"g\"}}}}"
    );
    let log = Log::read(whole.as_bytes()).unwrap();
    assert_eq!((log.context().id(), log.events().len()), ("c", 2));
    let again = Log::read(log.to_document().unwrap().as_bytes()).unwrap();
    assert_eq!(again.events(), log.events());

    let error = Log::read(format!("{whole}\n\n{whole}").as_bytes()).unwrap_err();
    assert_eq!((error.line, error.error.code), (5, DocumentCode::BlankLine));

    let bare = Log::read(b"{\"tern\":\n\"0.1\"}\n").unwrap();
    assert_eq!(
        (bare.context().is_verified(), bare.events().len()),
        (false, 1)
    );
    assert_eq!(Log::read(b"x\n\ny").unwrap().events().len(), 3);
    assert!(Log::read(b"").unwrap().events().is_empty());
}
