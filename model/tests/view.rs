//! §13: the other parts of the view.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::{Document, Limits, Model, canonical_json};

// S7.01, S7.06: an empty view has all fields
#[test]
fn the_empty_view() {
    assert_eq!(
        view::<&str>(&[]),
        r#"{"acknowledged":{},"chains":{},"challenges":{},"commitments":{},"context":"c","cycles":[],"equivocal":{},"evidence":{},"impacts":{},"messages":{},"proposals":{},"reconcile":[],"requests":{},"tern_view":"0.1"}"#
    );
}

// S7.07: messages
#[test]
fn messages() {
    let lines = [
        tell("a:1", ""),
        ask("a:2", "x:2", "x:1"),
        commit("a:3", "a:1"),
        tell("a:4", "a:2"),
    ];
    let view = view_in_any_order(&lines);
    let fields = |id: &str| {
        let part = at(&view, &["messages", id]);
        let digest = at(part, &["digest"]);
        assert_eq!(digest.len(), 66);
        part.replace(&format!("\"digest\":{digest},"), "")
    };
    assert_eq!(
        fields("a:1"),
        r#"{"act":"TELL","from":"a","status":"accepted","thread":"t"}"#
    );
    assert_eq!(
        fields("a:2"),
        r#"{"act":"ASK","from":"a","status":"pending","thread":"t","waiting_for":["x:1","x:2"]}"#
    );
    assert_eq!(
        fields("a:3"),
        r#"{"act":"COMMIT","code":"request_not_request","from":"a","status":"rejected","thread":"t"}"#
    );
    assert_eq!(
        fields("a:4"),
        r#"{"act":"TELL","from":"a","status":"pending","thread":"t","waiting_for":["a:2"]}"#
    );
}

// S7.09, S7.11
#[test]
fn requests_proposals_challenges_acks() {
    let lines = [
        request("d:1"),
        propose("d:2"),
        commit("r:1", "d:1"),
        commit("a:1", "d:1"),
        commit("r:9", "x:1"),
        decline("b:1", "d:1"),
        decline("b:2", "d:2"),
        decline("b:3", "d:1"),
        challenge("a:2", "d:2"),
        ack("b:4", "d:1"),
        ack("b:5", "d:1"),
        ack("a:4", "d:1"),
        ack("a:5", "a:4"),
        ack("a:6", "x:1"),
        // R-08: a COMMIT whose replacement names another request stays with the original.
        request("d:3"),
        revise("r:2", "r:1", "r:1", &commit_body("d:3", "", "")),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(
        at(&view, &["requests"]),
        r#"{"d:1":{"committed_by":["a:1","r:1"],"declined_by":["b:1","b:3"]},"d:3":{"committed_by":[],"declined_by":[]}}"#
    );
    assert_eq!(
        at(&view, &["proposals"]),
        r#"{"d:2":{"declined_by":["b:2"]}}"#
    );
    assert_eq!(
        at(&view, &["challenges"]),
        r#"{"a:2":{"kind":"scope","target":"d:2"}}"#
    );
    assert_eq!(
        at(&view, &["acknowledged"]),
        r#"{"a:4":["a"],"d:1":["a","b"]}"#
    );
    // T2.09: an acknowledgement decides nothing.
    assert_eq!(of(&view, "r:1", "disputed_by"), "[]");
}

// S7.11, T4.38: impacts under each reference as it is named
#[test]
fn impacts() {
    let impact = |id: &str, word: &str, reason: &str| {
        format!(r#"{{"commitment":"{id}","assessment":"{word}","reason":"{reason}"}}"#)
    };
    let with = |id: &str, previous: &str, impacts: &[String]| {
        revise(id, "d:1", previous, "").replace(
            r#""impact":[]"#,
            &format!(r#""impact":[{}]"#, impacts.join(",")),
        )
    };
    let lines = [
        tell("d:1", ""),
        with(
            "d:2",
            "d:1",
            &[
                impact("x:1", "unaffected", "a"),
                impact("x:1", "paused", "a"),
                impact("x:1", "paused", "b"),
                impact("d:1", "paused", "a"),
            ],
        ),
        with("d:10", "d:2", &[impact("x:1", "awaiting_instruction", "a")]),
        with("d:3", "x:9", &[impact("x:1", "paused", "a")]),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(
        at(&view, &["impacts"]),
        r#"{"d:1":[{"assessment":"paused","by":"d:2"}],"x:1":[{"assessment":"awaiting_instruction","by":"d:10"},{"assessment":"paused","by":"d:2"},{"assessment":"unaffected","by":"d:2"}]}"#
    );
}

// S7.06, S7.03: lists and keys in UTF-16 order
#[test]
fn utf16_order() {
    let lines = [
        request("d:1"),
        commit("a:\u{fb33}", "d:1"),
        commit("a:😂", "d:1"),
        commit("a:z", "d:1"),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(
        at(&view, &["requests", "d:1", "committed_by"]),
        "[\"a:z\",\"a:😂\",\"a:\u{fb33}\"]"
    );
    let keys: Vec<usize> = ["\"a:z\":", "\"a:😂\":", "\"a:\u{fb33}\":"]
        .iter()
        .map(|key| at(&view, &["commitments"]).find(key).unwrap())
        .collect();
    assert!(keys.is_sorted());
    let again = canonical_json(view.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(again, view);
}

// T1.15: nothing in extensions changes what a message means
#[test]
fn extensions_mean_nothing() {
    let body = r#"{"action":"a","done_when":"w","constraints":[],"authority_ref":null,"extensions":{"replaces":"x:1","reply":"x:2"}}"#;
    let view = view(&[message("d:1", "REQUEST", "", body)]);
    assert_eq!(status(&view, "d:1"), "accepted");
    assert_eq!(
        at(&view, &["requests", "d:1"]),
        r#"{"committed_by":[],"declined_by":[]}"#
    );
}

// S7.01: a view can be asked for at any time, and asking changes nothing
#[test]
fn asking_changes_nothing() {
    let lines = [
        request("d:1"),
        commit("r:1", "d:1"),
        report("r:2", "r:1", "r:1", "active"),
    ];
    let document = Document::read(log(&lines).as_bytes()).unwrap();
    let mut asked = Model::new(&document, Limits::default());
    let mut silent = asked.clone();
    for record in document.records() {
        assert_eq!(asked.step(record), silent.step(record));
        assert_eq!(asked.view(), asked.view());
    }
    assert_eq!(asked.view(), silent.view());
    assert_eq!(asked.digest(), silent.digest());
}
