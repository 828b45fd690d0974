//! What an embedder does by hand comes back from a log, and hostile words in sentences are harmless.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use tern_core::log::{Input, Line, Reader, Record};
use tern_core::{Context, Delivery, DocumentCode, Event, Limits, Log, State, View};

fn ask(id: &str, question: &str) -> String {
    let from = id.split(':').next().unwrap();
    serde_json::json!({"tern": "0.1", "id": id, "from": from, "to": ["b"], "thread": "t",
        "reply": null, "act": "ASK", "body": {"question": question}})
    .to_string()
}

fn state() -> State {
    State::new(Context::new("c", [("a", "k")]).unwrap(), Limits::default())
}

/// S8.09, S8.05: a channel that names nobody authenticates nobody, and its deliveries are written
/// so that they can be read again, however they were made.
#[test]
fn s8_09_an_empty_principal_is_nobody() {
    assert_eq!(Delivery::new(b"{}".as_slice(), Some("")).principal, None);
    let by_hand = Delivery {
        principal: Some("".into()),
        bytes: b"{}".as_slice().into(),
    };
    let line = Record::Event(Event::Deliver(by_hand)).to_line();
    assert!(Record::read(line.as_bytes()).is_ok(), "{line}");
}

/// S8.06: a log of bare messages is no document and is not written as one; any other reads back.
#[test]
fn s8_06_what_is_written_reads_back() {
    let bare = Log::new(Context::unverified());
    assert_eq!(bare.to_document(), Err(DocumentCode::ReservedContext));

    let mut log = Log::new(Context::new("c", [("a", "k")]).unwrap());
    log.push(Event::Deliver(Delivery::new(
        ask("a:1", "?").into_bytes(),
        Some("k"),
    )));
    let document = log.to_document().unwrap();
    let mut reader = Reader::new(Input::Document);
    let events: Vec<Line<'_>> = document
        .lines()
        .map(|line| reader.read(line.as_bytes()).unwrap())
        .collect();
    assert_eq!(events.len(), 2);

    let mut keyed = State::with_hash_key(
        log.context().clone(),
        Limits::default(),
        tern_core::HashKey(1, 2),
    );
    assert_eq!(log.replay(usize::MAX, &mut keyed).len(), 1);
    let (plain, _) = log.state_at(usize::MAX, &Limits::default());
    assert_eq!(keyed.view(), plain.view());
}

/// T3.12: a sentence quotes what was sent, but never its control characters, and stays readable
/// however long an id is.
#[test]
fn t3_12_sentences_are_safe_to_print() {
    let mut state = state();
    let evil = format!("a:\u{1b}[31m\n{}", "x".repeat(100_000));
    let mut seen = Vec::new();
    for question in ["one", "two"] {
        let bytes = ask(&evil, question).into_bytes();
        let outcome = state.deliver(&Delivery::new(bytes, Some("k")));
        if let Some(rejection) = outcome.verdict.rejection() {
            seen.push(rejection.to_string());
        }
    }
    let stranger = ask("\u{1b}[31mEVIL\nINFO:1", "?").into_bytes();
    let outcome = state.deliver(&Delivery::new(stranger, Some("k")));
    seen.push(outcome.verdict.rejection().unwrap().to_string());
    let explanation = state.explain(&evil).unwrap();
    seen.extend(
        explanation
            .findings
            .into_iter()
            .map(|ruling| ruling.sentence),
    );
    assert!(seen.len() >= 4);
    for sentence in seen {
        assert!(!sentence.chars().any(char::is_control), "{sentence:?}");
        assert!(sentence.len() < 2_000, "{} bytes", sentence.len());
    }
}

/// S3.04: a message knows whether it waits in a circle, at the cost of what it waits for.
#[test]
fn s3_04_explain_tells_a_circle_from_a_queue() {
    let mut state = state();
    let reply = |id: &str, to: &str| {
        ask(id, "?")
            .replace("\"reply\":null", &format!("\"reply\":\"{to}\""))
            .into_bytes()
    };
    for (id, to) in [
        ("a:1", "a:2"),
        ("a:2", "a:1"),
        ("a:3", "a:1"),
        ("a:4", "a:9"),
        ("a:5", "a:5"),
    ] {
        let _ = state.deliver(&Delivery::new(reply(id, to), Some("k")));
    }
    let circles = |id: &str| {
        let explanation = state.explain(id).unwrap();
        explanation
            .findings
            .iter()
            .any(|ruling| ruling.clause == "S3.04")
    };
    assert_eq!(
        ["a:1", "a:2", "a:3", "a:4", "a:5"].map(circles),
        [true, true, false, false, true]
    );
}

/// S7.06: a view of another version is not taken for one of this.
#[test]
fn s7_06_views_of_other_versions_are_refused() {
    let text = state().view().to_canonical_json();
    assert!(serde_json::from_str::<View<'_>>(&text).is_ok());
    let other = text.replace("\"tern_view\":\"0.1\"", "\"tern_view\":\"9.9\"");
    assert!(serde_json::from_str::<View<'_>>(&other).is_err());
}

/// S5.12: what is promised can be listed without a view, and only accepted COMMITs are.
#[test]
fn s5_12_promises_can_be_listed() {
    let mut state = state();
    let say = |id: &str, act: &str, body: serde_json::Value| {
        serde_json::json!({"tern": "0.1", "id": id, "from": "a", "to": ["b"], "thread": "t",
            "reply": null, "act": act, "body": body})
        .to_string()
        .into_bytes()
    };
    let promise = |request: &str| {
        serde_json::json!({"request": request, "action": "x", "deliverable": "x", "done_when": "x",
            "due": null, "conditions": [], "authority_ref": null})
    };
    let request = serde_json::json!({"action": "x", "done_when": "x", "constraints": [],
        "authority_ref": null});
    for bytes in [
        say("a:1", "REQUEST", request),
        say("a:2", "COMMIT", promise("a:1")),
        say("a:3", "COMMIT", promise("a:9")),
        say("a:4", "COMMIT", promise("a:2")),
    ] {
        let _ = state.deliver(&Delivery::new(bytes, Some("k")));
    }
    let listed: Vec<&str> = state.commitments().collect();
    assert_eq!(listed, ["a:2"]);
    let view = state.view();
    assert!(
        listed
            .iter()
            .all(|id| view.commitments.contains_key(&(*id).into()))
    );
}

/// T3.12: the key of the hash tables, which hostile senders must not learn, is not shown.
#[test]
fn the_hash_key_is_not_shown() {
    let shown = format!("{:?}", tern_core::HashKey(41, 42));
    assert_eq!(shown, "HashKey(…)");
}
