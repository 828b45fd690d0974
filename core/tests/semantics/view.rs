//! §7: each section of the canonical view, empty and filled, and the local view.

use serde_json::{Value, json};

use crate::common::{
    Chat, ack, challenge, commit, decline, evidence, propose, replace, report, request,
    request_body, tell, withdraw,
};

/// S7.06: every section is there, also when nothing was said.
#[test]
fn s7_06_the_empty_view() {
    let chat = Chat::new();
    assert_eq!(
        chat.view(),
        json!({"tern_view": "0.1", "context": "design", "messages": {}, "equivocal": {},
            "cycles": [], "chains": {}, "requests": {}, "proposals": {}, "commitments": {},
            "challenges": {}, "acknowledged": {}, "impacts": {}, "evidence": {}, "reconcile": []})
    );
}

/// S7.07: fields of a message: accepted, pending, rejected; a later version is none.
#[test]
fn s7_07_messages() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1").thread("θ"))
        .wait(ack("b:1", "x:2").reply("x:1"));
    chat.refuse(commit("c:1", "a:1"), "request_not_request")
        .conflict(ack("a:1", "b:1"));
    let digest = |id: &str| chat.at(&format!("/messages/{id}/digest"));
    assert_eq!(
        chat.at("/messages"),
        json!({
            "a:1": {"act": "TELL", "from": "a", "thread": "θ", "status": "accepted",
                "digest": digest("a:1")},
            "b:1": {"act": "ACK", "from": "b", "thread": "t", "status": "pending",
                "digest": digest("b:1"), "waiting_for": ["x:1", "x:2"]},
            "c:1": {"act": "COMMIT", "from": "c", "thread": "t", "status": "rejected",
                "digest": digest("c:1"), "code": "request_not_request"},
        })
    );
}

/// S7.05, S7.07: the digest is that of the canonical JSON of the whole message.
#[test]
fn s7_05_message_digests() {
    let mut chat = Chat::new();
    let words = tell("a:1").with("extensions", json!({"ü": ["\u{1}", null, true]}));
    // serde_json sorts keys by code point: the same order for these.
    let expected = tern_core::Digest::of(words.text().as_bytes()).to_string();
    chat.ok(words);
    assert_eq!(chat.at("/messages/a:1/digest"), json!(expected));
    assert_eq!(expected.len(), 64);
    assert!(
        expected
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    );
}

/// S7.08: an unaccepted target has no chain; a chain's fields are all present.
#[test]
fn s7_08_chains() {
    let mut chat = Chat::new();
    chat.ok(request("a:1")).ok(withdraw("a:2", "a:1", "a:1"));
    chat.wait(withdraw("a:3", "a:1", "a:2").reply("x:1"));
    assert_eq!(
        chat.at("/chains"),
        json!({"a:1": {"state": "withdrawn", "head": "a:2", "content": null, "competing": [],
            "revisions": ["a:2"], "pending": ["a:3"]}})
    );
}

/// S7.09: who committed to and who declined a request, by message; its original `replaces`.
#[test]
fn s7_09_requests_and_proposals() {
    let mut chat = Chat::new();
    chat.ok(request("a:1")).ok(propose("a:2"));
    assert_eq!(
        chat.at("/requests"),
        json!({"a:1": {"committed_by": [], "declined_by": []}})
    );
    assert_eq!(chat.at("/proposals"), json!({"a:2": {"declined_by": []}}));
    chat.ok(commit("b:2", "a:1"))
        .ok(commit("b:1", "a:1"))
        .ok(commit("c:1", "a:1"));
    chat.ok(decline("b:3", "a:1"))
        .ok(decline("b:4", "a:1"))
        .ok(decline("c:2", "a:2"));
    chat.ok(request("a:3").body("replaces", json!("b:1")));
    chat.wait(request("a:4").reply("x:1"))
        .wait(propose("a:5").reply("x:1"));
    chat.wait(commit("c:3", "a:1").reply("x:1"))
        .wait(decline("c:4", "a:1").reply("x:1"));
    assert_eq!(
        chat.at("/requests"),
        json!({"a:1": {"committed_by": ["b:1", "b:2", "c:1"], "declined_by": ["b:3", "b:4"]},
            "a:3": {"committed_by": [], "declined_by": [], "replaces": "b:1"}})
    );
    assert_eq!(
        chat.at("/proposals"),
        json!({"a:2": {"declined_by": ["c:2"]}})
    );
}

/// S7.10: every field of a commitment, empty.
#[test]
fn s7_10_a_fresh_commitment() {
    assert_eq!(
        Chat::deal().at("/commitments"),
        json!({"b:1": {"request": "a:1", "by": "b", "requester": "a", "due": null,
            "progress": "none", "reports": [], "candidates": [], "reactivation_attempts": [],
            "annotations": [], "disputed_by": [], "superseded_by": [], "offers": [],
            "request_changed_by": [], "readiness": "ready", "blocked_by": []}})
    );
}

/// S7.10: every field of a commitment, filled.
#[test]
fn s7_10_a_commitment_with_a_history() {
    let mut chat = Chat::new();
    let due = "2026-11-30t12:00:00.10z";
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("due", json!(due)));
    chat.ok(report("b:2", "b:1", "fulfilled"))
        .ok(report("b:3", "b:1", "failed"));
    chat.ok(report("b:4", "b:1", "active").reply("b:3"));
    chat.ok(challenge("a:2", "b:2"))
        .ok(withdraw("b:5", "b:1", "b:1"));
    chat.ok(replace(
        "b:6",
        "b:1",
        "b:5",
        commit("b:x", "a:1").body_value(),
    ));
    chat.ok(replace("a:3", "a:1", "a:1", request_body()));
    chat.ok(request("a:4").body("replaces", json!("b:1")))
        .ok(commit("b:7", "a:4"));
    assert_eq!(
        chat.commitment("b:1"),
        json!({"request": "a:1", "by": "b", "requester": "a", "due": due,
            "progress": "unresolved", "progress_cause": "contradictory",
            "reports": ["b:2", "b:3", "b:4"], "candidates": ["b:2", "b:3"],
            "reactivation_attempts": ["b:4"],
            "annotations": ["disputed", "superseded", "withdrawn"], "disputed_by": ["a:2"],
            "superseded_by": ["b:7"], "offers": ["b:6"], "request_changed_by": ["a:3"],
            "readiness": "blocked",
            "blocked_by": ["commitment_withdrawn", "no_authority", "progress_unresolved",
                "superseded"]})
    );
}

/// S7.11: challenges, who acknowledged, and impacts under the reference as named.
#[test]
fn s7_11_challenges_acknowledgements_and_impacts() {
    let mut chat = Chat::deal();
    for (n, kind) in ["factual", "inference", "scope", "feasibility", "authority"]
        .into_iter()
        .enumerate()
    {
        chat.ok(challenge(&format!("c:{n}"), "b:1").body("kind", json!(kind)));
    }
    assert_eq!(
        chat.at("/challenges/c:3"),
        json!({"target": "b:1", "kind": "feasibility"})
    );
    assert_eq!(chat.at("/challenges").as_object().unwrap().len(), 5);
    chat.wait(challenge("c:9", "x:1")).wait(ack("c:8", "x:1"));
    chat.ok(ack("c:10", "b:1"))
        .ok(ack("a:9", "b:1"))
        .ok(ack("c:11", "b:1"))
        .ok(ack("a:8", "a:9"));
    assert_eq!(
        chat.at("/acknowledged"),
        json!({"b:1": ["a", "c"], "a:9": ["a"]})
    );
    assert_eq!(chat.at("/challenges").as_object().unwrap().len(), 5);
}

/// S7.11, S7.06, T4.36: impacts of accepted REVISEs only, sorted by REVISE and word, without repeats.
#[test]
fn s7_11_impacts() {
    let impact =
        |on: &str, word: &str| json!({"commitment": on, "assessment": word, "reason": "r"});
    let mut chat = Chat::deal();
    chat.ok(withdraw("a:3", "a:1", "a:1").body(
        "impact",
        json!([
            impact("b:1", "unaffected"),
            impact("x:404", "paused"),
            impact("b:1", "paused"),
            impact("b:1", "unaffected")
        ]),
    ));
    chat.ok(withdraw("a:2", "a:1", "a:1")
        .body("impact", json!([impact("b:1", "awaiting_instruction")])));
    chat.wait(withdraw("a:4", "a:1", "x:1").body("impact", json!([impact("b:1", "paused")])));
    chat.refuse(
        withdraw("c:1", "a:1", "a:1").body("impact", json!([impact("b:1", "paused")])),
        "target_other_author",
    );
    assert_eq!(
        chat.at("/impacts"),
        json!({"b:1": [{"by": "a:2", "assessment": "awaiting_instruction"},
                {"by": "a:3", "assessment": "paused"}, {"by": "a:3", "assessment": "unaffected"}],
            "x:404": [{"by": "a:3", "assessment": "paused"}]})
    );
}

/// T4.37: an empty impact leaves no trace.
#[test]
fn t4_37_an_empty_impact() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("a:2", "a:1", "a:1"));
    assert_eq!(chat.at("/impacts"), json!({}));
}

/// S7.01: the local view adds arrival and time, is marked, and is no part of the canonical one.
#[test]
fn s7_01_the_local_view() {
    let mut chat = Chat::new();
    chat.wait(commit("b:1", "a:1").body("due", json!("2026-01-01T00:00:00Z")));
    chat.fact(&json!({"clock": "2026-01-01T00:00:00.1Z"}))
        .ok(request("a:1"));
    chat.wait(ack("c:1", "x:1"));
    let local = serde_json::to_value(chat.state.local_view()).unwrap();
    assert_eq!(
        local,
        json!({"tern_local_view": "0.1", "context": "design", "senders_verified": true,
            "events": 4,
            "arrivals": {"a:1": {"arrived": 3, "settled": 3}, "b:1": {"arrived": 1, "settled": 3},
                "c:1": {"arrived": 4, "settled": null}},
            "overdue": [{"commitment": "b:1", "due": "2026-01-01T00:00:00Z"}]})
    );
    let view = chat.view();
    let fields: Vec<&String> = view.as_object().unwrap().keys().collect();
    assert!(
        fields
            .iter()
            .all(|field| !field.contains("local") && !field.contains("arriv"))
    );
}

/// S7.01, S6.22: overdue is what lies strictly before the latest clock and is not terminal.
#[test]
fn s7_01_overdue() {
    let due = json!("2026-01-01T00:00:00Z");
    let overdue = |clock: &str, state: &str| {
        let mut chat = Chat::new();
        chat.ok(request("a:1"))
            .ok(commit("b:1", "a:1").body("due", due.clone()));
        chat.ok(commit("b:2", "a:1"))
            .wait(commit("b:3", "a:9").body("due", due.clone()));
        if !clock.is_empty() {
            chat.fact(&json!({"clock": clock}));
        }
        if !state.is_empty() {
            chat.ok(report("b:4", "b:1", state));
        }
        chat.state.local_view().overdue.len()
    };
    assert_eq!(overdue("", ""), 0);
    assert_eq!(overdue("2026-01-01T01:00:00+01:00", ""), 0);
    assert_eq!(overdue("2026-01-01T00:00:00.000001Z", ""), 1);
    assert_eq!(overdue("2027-01-01T00:00:00Z", "blocked"), 1);
    assert_eq!(overdue("2027-01-01T00:00:00Z", "fulfilled"), 0);
    assert_eq!(overdue("2027-01-01T00:00:00Z", "failed"), 0);
}

/// S7.06: the single entries of a state are those of the whole view.
#[test]
fn s7_06_single_entries_equal_the_view() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("b:2", "b:1", "b:1"))
        .ok(tell("a:2").with("evidence", json!([evidence("ev:1", "x")])));
    let entry = |value: Result<Value, serde_json::Error>| value.unwrap();
    for id in ["a:1", "b:1", "b:2", "a:2", "x:404"] {
        let message = entry(serde_json::to_value(chat.state.message(id)));
        assert_eq!(message, chat.at(&format!("/messages/{id}")));
        let chain = entry(serde_json::to_value(chat.state.chain(id)));
        assert_eq!(chain, chat.at(&format!("/chains/{id}")));
        let commitment = entry(serde_json::to_value(chat.state.commitment(id)));
        assert_eq!(commitment, chat.at(&format!("/commitments/{id}")));
    }
}

/// S7.05: the digest of the view is that of its bytes.
#[test]
fn s7_05_the_digest_of_a_view() {
    let chat = Chat::deal();
    let view = chat.state.view();
    assert_eq!(
        view.digest(),
        tern_core::Digest::of(view.to_canonical_json().as_bytes())
    );
}
