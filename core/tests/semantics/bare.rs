//! §8: bare messages: which files they are, and how they are read.

use serde_json::json;
use tern_core::log::{Input, Line, Reader, begins_document, is_one_object};
use tern_core::{Context, Delivery, Event, Limits, Log, State};

use crate::common::{ack, answer, commit, request, tell};

fn bare(lines: &[&str]) -> (State, Vec<String>) {
    let mut reader = Reader::new(Input::Bare);
    let mut state = State::new(reader.context().unwrap().clone(), Limits::default());
    let mut answers = Vec::new();
    for line in lines {
        let Ok(Line::Event(event)) = reader.read(line.as_bytes()) else {
            panic!("{line}");
        };
        answers.extend(state.apply(&event).as_ref().map(answer));
    }
    (state, answers)
}

/// S8.10: a first line that is an object with a record's key, valid or not.
#[test]
fn s8_10_what_begins_a_document() {
    for line in [
        r#"{"context":{"id":"x","participants":{}}}"#,
        r#"{"clock":null}"#,
        r#" { "grant" : 1 } "#,
        "{\"permit\":[]}\r",
        r#"{"x":1,"deliver":{},"y":2}"#,
        r#"{"cont\u0065xt":1}"#,
        // By the grammar: repeated keys, large numbers and half surrogates do not count here.
        r#"{"clock":1,"clock":2}"#,
        r#"{"start":1e999}"#,
        r#"{"judge":"\ud800"}"#,
        r#"{"reconciled":0,"id":"a:1"}"#,
    ] {
        assert!(begins_document(line.as_bytes()), "{line}");
    }
    for key in [
        "context",
        "deliver",
        "grant",
        "revoke",
        "permit",
        "require_approval",
        "approve",
        "confirm",
        "judge",
        "evidence",
        "clock",
        "start",
        "finish",
        "reconciled",
    ] {
        assert!(
            begins_document(json!({key: 1}).to_string().as_bytes()),
            "{key}"
        );
    }
}

/// S8.10: every other file is bare, an empty one included.
#[test]
fn s8_10_what_is_bare() {
    let message = tell("a:1").text();
    for line in [
        "",
        " ",
        "{}",
        "[]",
        "null",
        "{\"clock\":1",
        "{\"clock\":01}",
        "\"clock\"",
        r#"{"Clock":1}"#,
        r#"{"x":{"clock":1}}"#,
        r#"{"clock":1} {}"#,
        "{",
        message.as_str(),
    ] {
        assert!(!begins_document(line.as_bytes()), "{line}");
    }
    assert!(!begins_document(b"{\"clock\":\"\xff\"}"));
    assert!(!begins_document("\u{feff}{\"clock\":1}".as_bytes()));
    // Unless a message has such a field beside its own: `evidence` is one.
    assert!(begins_document(
        tell("a:1").giving("ev:1", "x").text().as_bytes()
    ));
}

/// S8.11: a file that is by the grammar one object.
#[test]
fn s8_11_one_object() {
    let pretty = serde_json::to_string_pretty(&tell("a:1").value).unwrap();
    for text in [
        pretty.as_str(),
        &format!("\n\n{pretty}\n \n"),
        "{\"a\":1,\n\"a\":1e999}",
        "{\"a\":\n\"\\ud800\"}",
    ] {
        assert!(is_one_object(text.as_bytes()), "{text}");
    }
    for text in [
        "",
        "\n",
        "[\n]",
        "{\n",
        "{\n}\n{\n}",
        "{\n} x",
        "{\n\"a\":01}",
    ] {
        assert!(!is_one_object(text.as_bytes()), "{text}");
    }
}

/// S8.11, T5.01: the context is `unverified`; stage 4 tests the prefix of the id only.
#[test]
fn s8_11_senders_are_believed() {
    let stranger = tell("z:1").text();
    let wrong = tell("a:9").with("from", json!("b")).text();
    let (state, answers) = bare(&[&stranger, &wrong, &ack("y:1", "z:1").text()]);
    assert_eq!(answers, ["accepted", "id_not_of_sender", "accepted"]);
    assert_eq!(state.context().id(), Context::UNVERIFIED);
    assert_eq!(state.view().context, "unverified");
}

/// S8.11: also with a principal from the channel.
#[test]
fn s8_11_a_principal_changes_nothing_there() {
    let mut state = State::new(Context::unverified(), Limits::default());
    let text = tell("z:1").text();
    let outcome = state.deliver(&Delivery::new(text.as_bytes(), Some("key:q")));
    assert_eq!(answer(&outcome), "accepted");
}

/// S8.11, R-05: each line is a delivery, a broken one a rejected delivery, the first one too.
#[test]
fn s8_11_a_broken_line_is_a_rejected_delivery() {
    let words = tell("a:1").text();
    let (state, answers) = bare(&[
        "nonsense",
        "",
        &words,
        "{\"tern\":\"0.2\"}",
        &format!("{words}\r"),
    ]);
    assert_eq!(
        answers,
        [
            "malformed_json",
            "empty",
            "accepted",
            "unsupported_version",
            "duplicate"
        ]
    );
    assert_eq!(state.position(), 5);
}

/// S8.11, S8.10: a record among bare messages is no record.
#[test]
fn s8_11_records_among_bare_messages_are_no_records() {
    let (request, commit) = (request("a:1").text(), commit("b:1", "a:1").text());
    let permit = json!({"permit": {"commitment": "b:1"}}).to_string();
    let (state, answers) = bare(&[&request, &commit, &permit]);
    assert_eq!(answers, ["accepted", "accepted", "missing_field"]);
    assert_eq!(
        state.commitment("b:1").unwrap().blocked_by,
        [tern_core::Block::NoAuthority]
    );
}

/// S8.12: that senders were not verified is known beside the view, and stands not in it.
#[test]
fn s8_12_unverified_is_said_beside_the_view() {
    let (state, _) = bare(&[&tell("a:1").text()]);
    assert!(!state.context().is_verified());
    assert!(!state.local_view().senders_verified);
    assert!(!state.view().to_canonical_json().contains("verified\":"));
    assert_eq!(state.context().participants().count(), 0);
    assert_eq!(state.context().principal_of("a"), None);
}

/// S8.11: a bare reader counts lines, and goes on under a context that is given.
#[test]
fn s8_11_a_reader_resumes() {
    let mut reader = Reader::resume(Input::Bare, crate::common::context());
    assert_eq!(reader.input(), Input::Bare);
    let line = tell("a:1").text();
    let Ok(Line::Event(Event::Deliver(delivery))) = reader.read(line.as_bytes()) else {
        panic!("no delivery");
    };
    assert_eq!(delivery.bytes, line.as_bytes());
    assert_eq!(reader.line(), 1);
    assert_eq!(reader.context().unwrap().id(), "design");
}

/// T1.03, T1.04: a stream has one whole object on each line, neither two nor a part of one.
#[test]
fn t1_03_one_whole_object_on_each_line() {
    let (one, other) = (tell("a:1").text(), tell("a:2").text());
    let (head, tail) = one.split_at(one.find("\"body\"").unwrap());
    let (_, answers) = bare(&[&format!("{one}{other}"), head, tail, &one, &other]);
    let expected = [
        "trailing_text",
        "malformed_json",
        "trailing_text",
        "accepted",
        "accepted",
    ];
    assert_eq!(answers, expected);
}

/// S8.11, S2.06, R-05: the newline that ends a file is no part of what is delivered, be it one line or
/// one object over several.
#[test]
fn s8_11_the_last_newline_is_not_delivered() {
    let longest = Limits::default().max_bytes;
    for text in [
        tell("a:1").text(),
        serde_json::to_string_pretty(&tell("a:1").value).unwrap(),
    ] {
        for (spaces, answer_is) in [
            (longest - text.len(), "accepted"),
            (longest - text.len() + 1, "too_long"),
        ] {
            for end in ["", "\n"] {
                let file = format!("{}{text}{end}", " ".repeat(spaces));
                let log = Log::read(file.as_bytes()).unwrap();
                let (_, outcomes) = log.state_at(1, &Limits::default());
                assert_eq!(answer(&outcomes[0]), answer_is, "{spaces} {end:?}");
            }
        }
    }
}
