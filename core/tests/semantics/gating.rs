//! §3: what gates, pending, cycles, and what a delivery releases.

use serde_json::json;

use crate::common::{
    Chat, ack, ask, challenge, commit, decline, propose, replace, report, request, request_body,
    retell, tell, withdraw,
};

/// S3.01, T1.32: every gating field keeps a message pending, and is named.
#[test]
fn s3_01_each_gating_field_waits() {
    let mut chat = Chat::deal();
    chat.ok(tell("a:tell"));
    for words in [
        ask("c:1").reply("x:1"),
        ask("c:2").body("about", json!("x:1")),
        tell("c:3").reply("x:1"),
        propose("c:4").reply("x:1"),
        request("c:5").body("replaces", json!("x:1")),
        commit("c:6", "x:1"),
        report("c:7", "x:1", "active"),
        challenge("c:8", "x:1"),
        withdraw("a:9", "x:1", "a:tell"),
        withdraw("a:10", "a:tell", "x:1"),
        decline("c:11", "x:1"),
        ack("c:12", "x:1"),
    ] {
        let id = words.id();
        chat.wait(words);
        assert_eq!(chat.waiting(), ["x:1"], "{id}");
        assert_eq!(
            chat.at(&format!("/messages/{id}/waiting_for")),
            json!(["x:1"])
        );
    }
}

/// S3.01: several references are each waited for, once.
#[test]
fn s3_01_distinct_references_are_waited_for_once() {
    let mut chat = Chat::new();
    chat.wait(withdraw("a:1", "a:8", "a:9").reply("b:7"));
    assert_eq!(chat.waiting(), ["a:8", "a:9", "b:7"]);
    chat.wait(withdraw("a:2", "a:8", "a:8").reply("a:8"));
    assert_eq!(chat.waiting(), ["a:8"]);
    chat.wait(ask("a:3").reply("b:7").body("about", json!("b:7")));
    assert_eq!(chat.waiting(), ["b:7"]);
    chat.ok(tell("b:7"));
    assert_eq!(chat.released(), ["a:3"]);
    assert_eq!(chat.at("/messages/a:1/waiting_for"), json!(["a:8", "a:9"]));
    chat.ok(tell("a:8"));
    assert_eq!(chat.released(), ["a:2"]);
    chat.ok(retell("a:9", "a:8", "a:8"));
    assert_eq!(chat.released(), ["a:1"]);
}

/// S3.01: impacts, evidence and authority never gate.
#[test]
fn s3_01_impacts_evidence_and_authority_do_not_gate() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1").citing(&["ev:nowhere"]));
    let impact = json!([{"commitment": "x:404", "assessment": "paused", "reason": "r"}]);
    chat.ok(retell("a:2", "a:1", "a:1").body("impact", impact));
    chat.ok(request("a:3").body("authority_ref", json!("x:404")));
    chat.ok(challenge("a:4", "a:1").body("support", json!(["ev:nowhere"])));
    chat.ok(ack("a:5", "a:1").with("extensions", json!({"reply": "x:404", "target": "x:404"})));
}

/// S3.02: a hopeless message waits all the same, and the last reference decides the code.
#[test]
fn s3_02_pending_while_hopeless() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    chat.wait(commit("b:1", "a:1").reply("a:9"));
    assert_eq!(chat.waiting(), ["a:9"]);
    chat.wait(commit("b:2", "a:1").reply("a:8"));
    chat.ok(tell("a:9"));
    assert_eq!(chat.released(), ["b:1 request_not_request"]);
    chat.refuse(decline("a:8", "a:1"), "target_not_declinable");
    assert_eq!(chat.released(), ["b:2 reference_rejected"]);
}

/// S3.02: a rejected reference does not settle a message that still waits for another.
#[test]
fn s3_02_pending_beside_a_rejected_reference() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"))
        .refuse(commit("b:1", "a:1"), "request_not_request");
    chat.wait(ack("c:1", "b:1").reply("a:9"));
    assert_eq!(chat.at("/messages/c:1/waiting_for"), json!(["a:9"]));
    chat.ok(tell("a:9"));
    assert_eq!(chat.status("c:1"), "reference_rejected");
}

/// S3.02: what refers to a pending message is pending, and both settle together.
#[test]
fn s3_02_pending_on_a_pending_message() {
    let mut chat = Chat::new();
    chat.wait(ack("c:1", "b:1"))
        .wait(ack("c:2", "c:1"))
        .wait(commit("b:1", "a:1"));
    assert_eq!(chat.waiting(), ["a:1"]);
    assert_eq!(chat.at("/messages/c:1/waiting_for"), json!(["b:1"]));
    chat.ok(request("a:1"));
    assert_eq!(chat.released(), ["b:1", "c:1", "c:2"]);
    assert_eq!(chat.state.pending(), 0);
    assert_eq!(chat.at("/messages/c:1/waiting_for"), json!(null));
}

/// S3.02, S3.06: a rejection cascades through everything that waited.
#[test]
fn s3_02_a_rejection_cascades() {
    let mut chat = Chat::new();
    chat.wait(ack("c:1", "b:1"))
        .wait(ack("c:2", "c:1"))
        .wait(commit("b:1", "a:1"));
    chat.wait(tell("c:3").reply("a:1"));
    chat.ok(tell("a:1"));
    assert_eq!(
        chat.released(),
        [
            "b:1 request_not_request",
            "c:1 reference_rejected",
            "c:2 reference_rejected",
            "c:3"
        ]
    );
}

/// S3.03: the outcome of the last delivery lists what it released, and only that.
#[test]
fn s3_03_released_only_what_settles_now() {
    let mut chat = Chat::new();
    chat.wait(ask("c:1").reply("a:1").body("about", json!("a:2")));
    chat.ok(tell("a:1"));
    assert!(chat.released().is_empty());
    chat.ok(tell("a:2"));
    assert_eq!(chat.released(), ["c:1"]);
    chat.ok(tell("a:3"));
    assert!(chat.released().is_empty());
}

/// S3.02: accepted and rejected are for ever.
#[test]
fn s3_02_settled_for_ever() {
    let mut chat = Chat::deal();
    chat.refuse(commit("b:9", "b:1"), "request_not_request");
    chat.ok(withdraw("a:2", "a:1", "a:1"))
        .conflict(request("a:1").otherwise());
    chat.conflict(commit("b:9", "a:1"));
    assert_eq!(chat.status("b:1"), "accepted");
    assert_eq!(chat.status("a:1"), "accepted");
    assert_eq!(chat.status("b:9"), "request_not_request");
}

/// S3.04: a message that names itself is a cycle of one.
#[test]
fn s3_04_a_self_reference_is_a_cycle() {
    let mut chat = Chat::new();
    chat.wait(ack("a:1", "a:1"));
    assert_eq!(chat.waiting(), ["a:1"]);
    chat.wait(tell("a:2").reply("a:2"))
        .wait(withdraw("a:3", "a:3", "a:3"));
    chat.wait(request("a:4").body("replaces", json!("a:4")));
    assert_eq!(
        chat.at("/cycles"),
        json!([["a:1"], ["a:2"], ["a:3"], ["a:4"]])
    );
    assert_eq!(chat.status("a:1"), "pending");
}

/// S3.04: mutual references; what merely waits for a cycle is not in it.
#[test]
fn s3_04_cycles_and_what_waits_for_them() {
    let mut chat = Chat::new();
    chat.wait(tell("a:1").reply("a:2"))
        .wait(tell("a:2").reply("a:1"));
    chat.wait(tell("b:1").reply("a:1"));
    assert_eq!(chat.at("/cycles"), json!([["a:1", "a:2"]]));
    // A cycle of three over different fields, and one message in the cycle also waits outside.
    chat.wait(ask("c:1").reply("c:3").body("about", json!("x:404")));
    chat.wait(ack("c:2", "c:1")).wait(commit("c:3", "c:2"));
    assert_eq!(
        chat.at("/cycles"),
        json!([["a:1", "a:2"], ["c:1", "c:2", "c:3"]])
    );
    chat.refuse(tell("x:404"), "sender_unbound");
    assert_eq!(
        chat.at("/messages/c:1/waiting_for"),
        json!(["c:3", "x:404"])
    );
}

/// S3.04: waiting for the unknown is no cycle.
#[test]
fn s3_04_no_cycle_without_a_way_back() {
    let mut chat = Chat::new();
    chat.wait(ack("a:1", "a:2")).wait(ack("a:2", "a:3"));
    assert_eq!(chat.at("/cycles"), json!([]));
    chat.wait(ack("a:3", "a:2"));
    assert_eq!(chat.at("/cycles"), json!([["a:2", "a:3"]]));
}

/// S3.04, S3.01: a replacement closes a cycle only from when it gates.
#[test]
fn s3_04_a_cycle_through_a_replacement() {
    let mut body = request_body();
    body["replaces"] = json!("b:1");
    let mut chat = Chat::new();
    chat.wait(replace("a:2", "a:1", "a:1", body));
    chat.wait(commit("b:1", "a:9").reply("a:2"));
    assert_eq!(chat.at("/cycles"), json!([]));
    chat.ok(request("a:1"));
    assert_eq!(chat.at("/messages/a:2/waiting_for"), json!(["b:1"]));
    assert_eq!(chat.at("/cycles"), json!([["a:2", "b:1"]]));
}

/// S3.01: a cycle of a COMMIT and the REQUEST that replaces it.
#[test]
fn s3_04_a_request_cannot_replace_the_commitment_that_it_asks_for() {
    let mut chat = Chat::new();
    chat.wait(request("a:1").body("replaces", json!("b:1")))
        .wait(commit("b:1", "a:1"));
    assert_eq!(chat.at("/cycles"), json!([["a:1", "b:1"]]));
    assert_eq!(chat.at("/commitments"), json!({}));
}
