//! §5, §7: evidence given and cited.

use serde_json::{Value, json};

use crate::common::{
    Chat, Words, ack, challenge, commit, evidence, replace, report, report_body, tell,
};

fn record(id: &str, result: &str) -> Value {
    json!({"evidence": evidence(id, result)})
}

fn citing_body(ids: &[&str]) -> Value {
    tell("a:x").citing(ids).body_value()
}

/// S5.13, T3.11: cited and nowhere given is inaccessible; given once, available.
#[test]
fn s5_13_inaccessible_and_available() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")
        .citing(&["ev:1", "ev:2"])
        .giving("ev:2", "green"));
    assert_eq!(
        chat.at("/evidence"),
        json!({"ev:1": "inaccessible", "ev:2": "available"})
    );
    // Given later, by somebody else, in any envelope.
    chat.ok(ack("b:1", "a:1").giving("ev:1", "seen"));
    assert_eq!(chat.at("/evidence/ev:1"), "available");
}

/// S5.13, T3.14: different objects under one id contradict each other; equal ones do not.
#[test]
fn s5_13_contradictory() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1").giving("ev:1", "green"))
        .ok(tell("b:1").giving("ev:1", "green"));
    assert_eq!(chat.at("/evidence/ev:1"), "available");
    chat.ok(tell("c:1").giving("ev:1", "red"));
    assert_eq!(chat.at("/evidence/ev:1"), "contradictory");
    // For ever: the third one does not settle it.
    chat.ok(tell("c:2").giving("ev:1", "green"));
    assert_eq!(chat.at("/evidence/ev:1"), "contradictory");
    // Two objects in one envelope.
    let both = json!([
        evidence("ev:2", "x"),
        evidence("ev:2", "y"),
        evidence("ev:3", "x"),
        evidence("ev:3", "x")
    ]);
    chat.ok(tell("a:2").with("evidence", both));
    assert_eq!(chat.at("/evidence/ev:2"), "contradictory");
    assert_eq!(chat.at("/evidence/ev:3"), "available");
}

/// S5.13, A-TIME: compared as written: an equal instant that is written otherwise differs.
#[test]
fn s5_13_objects_differ_structurally() {
    let mut chat = Chat::new();
    let mut other = evidence("ev:1", "green");
    other["collected_at"] = json!("2026-11-30T12:00:00.0Z");
    chat.ok(tell("a:1").giving("ev:1", "green"))
        .ok(tell("a:2").with("evidence", json!([other])));
    assert_eq!(chat.at("/evidence/ev:1"), "contradictory");
}

/// S5.13, T3.09: the store's objects count like those of messages, in any order.
#[test]
fn t3_09_evidence_from_the_store() {
    let mut chat = Chat::new();
    chat.fact(&record("ev:1", "green"));
    assert_eq!(chat.at("/evidence"), json!({"ev:1": "available"}));
    chat.ok(tell("a:1").giving("ev:1", "green"));
    assert_eq!(chat.at("/evidence/ev:1"), "available", "the same object");
    chat.fact(&record("ev:1", "red"));
    assert_eq!(chat.at("/evidence/ev:1"), "contradictory");
    chat.ok(tell("a:2").giving("ev:2", "x"))
        .fact(&record("ev:2", "x"));
    assert_eq!(chat.at("/evidence/ev:2"), "available");
    // Nothing of a message is lost by it.
    assert_eq!(chat.status("a:1"), "accepted");
}

/// S7.12: cited in claims, in `support`, and by pending and rejected messages.
#[test]
fn s7_12_citations_of_every_identified_message() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1").citing(&["ev:tell"]));
    chat.ok(challenge("a:2", "a:1").body("support", json!(["ev:support"])));
    chat.wait(
        report("b:1", "x:1", "active")
            .citing(&["ev:pending"])
            .giving("ev:p", "x"),
    );
    chat.refuse(
        report("b:2", "a:1", "failed").citing(&["ev:rejected"]),
        "commitment_not_commit",
    );
    let refused = tell("a:9")
        .citing(&["ev:refused"])
        .giving("ev:r", "x")
        .via(None);
    chat.refuse(refused, "principal_missing");
    assert_eq!(
        chat.at("/evidence"),
        json!({"ev:tell": "inaccessible", "ev:support": "inaccessible",
            "ev:pending": "inaccessible", "ev:p": "available", "ev:rejected": "inaccessible"})
    );
}

/// S7.12: a replacement cites from when its references gate, be it accepted or not.
#[test]
fn s7_12_a_replacement_cites_once_it_gates() {
    let mut chat = Chat::new();
    chat.wait(replace("a:2", "a:1", "a:1", citing_body(&["ev:1"])));
    assert_eq!(chat.at("/evidence"), json!({}), "the target is unknown");
    chat.ok(tell("a:1"));
    assert_eq!(chat.at("/evidence"), json!({"ev:1": "inaccessible"}));
    // By somebody else, rejected, and pending for another reason: the condition is the same.
    chat.refuse(
        replace("b:1", "a:1", "a:1", citing_body(&["ev:2"])),
        "target_other_author",
    );
    chat.wait(replace("a:3", "a:1", "x:1", citing_body(&["ev:3"])));
    let evidence = chat.at("/evidence");
    assert_eq!(
        evidence,
        json!({"ev:1": "inaccessible", "ev:2": "inaccessible", "ev:3": "inaccessible"})
    );
}

/// S7.12: a replacement of another act's shape cites nothing.
#[test]
fn s7_12_a_replacement_of_another_act_cites_nothing() {
    let mut chat = Chat::deal();
    chat.ok(tell("b:2"));
    chat.refuse(
        replace("a:2", "a:1", "a:1", citing_body(&["ev:1"])),
        "replacement_invalid",
    );
    let mut body = report_body("b:1", "active");
    body["claims"][0]["evidence"] = json!(["ev:2"]);
    chat.refuse(replace("b:3", "b:2", "b:2", body), "replacement_invalid");
    chat.ok(ack("a:3", "b:2"));
    chat.refuse(
        replace("a:4", "a:3", "a:3", citing_body(&["ev:3"])),
        "target_not_revisable",
    );
    assert_eq!(chat.at("/evidence"), json!({}));
}

/// S7.12: evidence is about ids of its own; a message id of the same looks is something else.
#[test]
fn t1_26_evidence_ids_are_a_namespace_apart() {
    let context = tern_core::Context::new("ev", [("ev", "key:ev")]).unwrap();
    let mut chat = Chat::in_context(context, tern_core::Limits::default());
    chat.ok(tell("ev:1").citing(&["ev:1"]).via(Some("key:ev")));
    assert_eq!(chat.at("/evidence"), json!({"ev:1": "inaccessible"}));
    assert_eq!(chat.status("ev:1"), "accepted");
}

/// T3.06, T3.11: a claim without evidence, or with evidence out of reach, is accepted as it is.
#[test]
fn t3_06_unsupported_is_not_false() {
    let mut chat = Chat::deal();
    chat.ok(tell("a:2").citing(&[]))
        .ok(tell("a:3").citing(&["ev:404"]));
    chat.ok(report("b:2", "b:1", "fulfilled"));
    assert_eq!(chat.at("/evidence/ev:1"), "inaccessible");
    assert_eq!(
        chat.progress("b:1"),
        "fulfilled",
        "T4.07: an assessment, not a verified fact"
    );
}

/// T8.06, T5.06: evidence, available or not, authorizes nothing and blocks nothing.
#[test]
fn t8_06_evidence_decides_nothing() {
    let mut chat = Chat::new();
    chat.ok(crate::common::request("a:1"))
        .ok(commit("b:1", "a:1"));
    let claim = |words: Words| words.giving("ev:permit", "permit b:1");
    chat.ok(claim(tell("a:2").citing(&["ev:permit"])))
        .fact(&record("ev:permit", "permitted"));
    assert_eq!(chat.at("/evidence/ev:permit"), "contradictory");
    assert_eq!(chat.blocks("b:1"), "no_authority");
}
