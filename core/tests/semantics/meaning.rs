//! §0 to §5 of the specification: what acts mean and do not mean, as far as a state shows it.

use serde_json::{Value, json};

use crate::common::{
    Chat, ack, ask, challenge, claim, commit, decline, propose, replace, report, request, tell,
    withdraw,
};

fn commitments(chat: &Chat) -> Value {
    chat.at("/commitments")
}

/// T2.09, T6.02: to acknowledge is not to agree, neither to a request nor to a report of `blocked`.
#[test]
fn t2_09_an_ack_changes_no_commitment() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "blocked"));
    let before = commitments(&chat);
    chat.ok(ack("a:2", "b:2"))
        .ok(ack("a:3", "b:1"))
        .ok(ack("b:3", "a:1"));
    assert_eq!(commitments(&chat), before);
    assert_eq!(chat.at("/acknowledged/b:2"), json!(["a"]));
}

/// T2.10, T5.03: a REQUEST with an authority, an urgency or a permission in it permits nothing.
#[test]
fn t2_10_a_request_permits_nothing() {
    let mut chat = Chat::new();
    let urgent = "URGENT: you are hereby permitted";
    chat.ok(request("a:1")
        .body("authority_ref", json!("g"))
        .body("action", json!(urgent)));
    chat.ok(commit("b:1", "a:1"));
    assert_eq!(chat.blocks("b:1"), "no_authority");
}

/// T2.11, T8.05: ASK, ACK, PROPOSE and every other act but COMMIT promise nothing.
#[test]
fn t8_05_other_acts_create_no_commitment() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(propose("b:1"))
        .ok(ask("b:2").body("about", json!("a:1")));
    chat.ok(ack("b:3", "a:1"))
        .ok(tell("b:4").reply("a:1"))
        .ok(challenge("b:5", "a:1"));
    chat.ok(decline("b:6", "b:1"));
    chat.ok(replace("b:7", "b:1", "b:1", propose("b:x").body_value()));
    // A REPORT on what is no commitment creates none either.
    chat.refuse(report("b:8", "a:1", "active"), "commitment_not_commit");
    chat.refuse(
        replace("b:9", "b:4", "b:4", commit("b:x", "a:1").body_value()),
        "replacement_invalid",
    );
    assert_eq!(commitments(&chat), json!({}));
}

/// T2.12: a COMMIT that names others binds its sender alone.
#[test]
fn t2_12_a_commit_binds_its_sender() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"));
    chat.ok(commit("b:1", "a:1")
        .with("to", json!(["c", "d"]))
        .body("action", json!("c will do it")));
    let view = commitments(&chat);
    assert_eq!(view.as_object().unwrap().len(), 1);
    assert_eq!(view["b:1"]["by"], "b");
}

/// T2.13: nothing follows from silence: without a message nothing changes, however late it is.
#[test]
fn t2_13_silence_means_nothing() {
    let mut chat = Chat::new();
    chat.ok(request("a:1").with("to", json!(["b", "c"])));
    chat.ok(commit("b:1", "a:1").body("due", json!("2000-01-01T00:00:00Z")))
        .permit("b:1");
    let before = chat.view();
    chat.fact(&json!({"clock": "2099-01-01T00:00:00Z"}));
    assert_eq!(chat.view(), before);
}

/// T2.14: any valid message may be asked about, also an ACK and an ASK.
#[test]
fn t2_14_anything_may_be_asked_about() {
    let mut chat = Chat::deal();
    chat.ok(ack("a:2", "b:1"))
        .ok(ask("c:1").body("about", json!("a:2")));
    chat.ok(ask("c:2").body("about", json!("c:1")))
        .ok(ask("c:3"));
}

/// T2.15, T1.34: no delivery makes a message: neither an ACK of an ACK nor an error does.
#[test]
fn t2_15_nothing_is_answered_by_itself() {
    let mut chat = Chat::deal();
    chat.ok(ack("a:2", "b:1"))
        .ok(ack("b:2", "a:2"))
        .refuse(tell("z:1"), "sender_unbound");
    let view = chat.view();
    let ids: Vec<&String> = view["messages"].as_object().unwrap().keys().collect();
    assert_eq!(ids, ["a:1", "a:2", "b:1", "b:2"]);
}

/// T2.08, T4.09: others speak of a commitment through TELL and CHALLENGE.
#[test]
fn t2_08_others_speak_through_tell_and_challenge() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "fulfilled"));
    chat.ok(tell("c:1").reply("b:1"))
        .ok(challenge("a:2", "b:2"));
    assert_eq!(chat.progress("b:1"), "fulfilled");
    assert_eq!(chat.list("b:1", "annotations"), "disputed");
}

/// T3.04, T3.07: neither confidence, basis nor alternatives decide anything.
#[test]
fn t3_04_confidence_decides_nothing() {
    let view = |confidence: &str, basis: &str, alternatives: Value| {
        let mut chat = Chat::new();
        let mut said = claim("you may");
        said["confidence"] = json!(confidence);
        said["basis"] = json!(basis);
        said["alternatives"] = alternatives;
        chat.ok(request("a:1")).ok(commit("b:1", "a:1"));
        chat.ok(report("b:2", "b:1", "blocked").body("claims", json!([said])));
        commitments(&chat)
    };
    let one = view("high", "observed", json!([]));
    assert_eq!(one, view("low", "assumed", json!(["or not"])));
    assert_eq!(one, view("unspecified", "reported", json!(["x", "y"])));
    assert_eq!(one, view("medium", "inferred", json!([])));
}

/// T4.01: a commitment stands from its acceptance, on its conditions.
#[test]
fn t4_01_a_commit_is_an_undertaking_at_once() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("conditions", json!(["x"])));
    assert_eq!(chat.progress("b:1"), "none");
    assert_eq!(chat.blocks("b:1"), "condition_unconfirmed no_authority");
}

/// T4.05: `due` null promises no deadline, and is never overdue.
#[test]
fn t4_05_no_deadline() {
    let mut chat = Chat::deal();
    chat.fact(&json!({"clock": "9999-12-31T23:59:59Z"}));
    assert_eq!(chat.commitment("b:1")["due"], json!(null));
    assert!(chat.state.local_view().overdue.is_empty());
}

/// T4.10, T4.11, T8.07: `blocked`, with a next step or not, completes nothing and licenses nothing.
#[test]
fn t4_10_blocked_licenses_nothing() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "blocked").body("next", json!("go around it")));
    assert_eq!(chat.progress("b:1"), "blocked");
    assert_eq!(chat.blocks("b:1"), "reported_blocked");
}

/// T4.21: accepted does not say that anybody agrees: declined and challenged it stays accepted.
#[test]
fn t4_21_accepted_is_nobodys_agreement() {
    let mut chat = Chat::deal();
    chat.ok(decline("b:2", "a:1"))
        .ok(challenge("b:3", "a:1"))
        .ok(challenge("a:2", "b:1"));
    assert_eq!(
        (chat.status("a:1"), chat.status("b:1")),
        ("accepted".into(), "accepted".into())
    );
}

/// T4.23: a revision of a TELL, PROPOSE or REQUEST changes nobody's commitment but by what is listed.
#[test]
fn t4_23_a_revision_changes_no_commitment_of_others() {
    let mut chat = Chat::deal();
    chat.ok(tell("a:2")).ok(propose("a:3"));
    let before = commitments(&chat);
    chat.ok(withdraw("a:4", "a:2", "a:2"))
        .ok(withdraw("a:5", "a:3", "a:3"));
    assert_eq!(commitments(&chat), before);
    chat.ok(replace(
        "a:6",
        "a:1",
        "a:1",
        request("a:x").body("done_when", json!("else")).body_value(),
    ));
    let mut after = commitments(&chat);
    after["b:1"]["request_changed_by"] = json!([]);
    assert_eq!(after, before);
}

/// T4.38, T4.37: an impact pauses nobody.
#[test]
fn t4_38_an_impact_pauses_nobody() {
    let mut chat = Chat::deal();
    chat.ok(tell("a:2"));
    let before = commitments(&chat);
    for (n, word) in ["paused", "unaffected", "awaiting_instruction"]
        .into_iter()
        .enumerate()
    {
        let impact = json!([{"commitment": "b:1", "assessment": word, "reason": "stop"}]);
        let body = tell("a:x").body_value();
        chat.ok(replace(&format!("a:1{n}"), "a:2", "a:2", body).body("impact", impact));
    }
    assert_eq!(commitments(&chat), before);
    assert_eq!(chat.at("/impacts/b:1").as_array().unwrap().len(), 3);
}

/// T1.15: nothing inside `extensions` changes what a message means.
#[test]
fn t1_15_extensions_mean_nothing() {
    let tempting =
        json!({"act": "COMMIT", "reply": "x:1", "authority_ref": "g", "state": "fulfilled"});
    let mut plain = Chat::deal();
    plain.ok(report("b:2", "b:1", "active"));
    let mut extended = Chat::new();
    extended.ok(request("a:1").body("extensions", tempting.clone()));
    extended
        .ok(commit("b:1", "a:1").with("extensions", tempting.clone()))
        .permit("b:1");
    extended.ok(report("b:2", "b:1", "active").body("extensions", tempting));
    assert_eq!(commitments(&plain), commitments(&extended));
    assert_eq!(plain.at("/requests"), extended.at("/requests"));
}

/// T7.01: a gloss is no message.
#[test]
fn t7_01_a_gloss_is_no_wire_syntax() {
    let mut chat = Chat::new();
    let gloss = "a → b | ASK | Which one?";
    assert_eq!(chat.raw(gloss.as_bytes(), Some("key:a")), "malformed_json");
}

/// T7.02, T8.08: the log keeps every message as it came, byte for byte.
#[test]
fn t7_02_messages_are_kept_as_they_came() {
    let mut chat = Chat::new();
    let written = format!("  {} ", tell("a:1").text());
    chat.raw(written.as_bytes(), Some("key:a"));
    chat.ok(withdraw("a:2", "a:1", "a:1"));
    let tern_core::Event::Deliver(first) = &chat.log.events()[0] else {
        panic!("no delivery");
    };
    assert_eq!(first.bytes, written.as_bytes());
}

/// T6.01, T6.02: the worked exchange, and its last ACK taken away.
#[test]
fn t6_01_the_worked_exchange() {
    let text = include_str!("../../../spec/tern-0.1.md");
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("{\"tern\":\"0.1\""))
        .collect();
    assert_eq!(lines.len(), 4);
    let names = [("drafter", "key:d"), ("reviewer", "key:r")];
    let context = tern_core::Context::new("design", names).unwrap();
    let mut chat = Chat::in_context(context, tern_core::Limits::default());
    for (line, principal) in lines.iter().zip(["key:d", "key:r", "key:r"]) {
        assert_eq!(chat.raw(line.as_bytes(), Some(principal)), "accepted");
    }
    let before = commitments(&chat);
    assert_eq!(
        chat.blocks("reviewer:1"),
        "condition_unconfirmed no_authority reported_blocked"
    );
    assert_eq!(chat.raw(lines[3].as_bytes(), Some("key:d")), "accepted");
    assert_eq!(commitments(&chat), before);
    for (id, digest) in [
        ("drafter:1", "55e37f41"),
        ("drafter:2", "6d753c88"),
        ("reviewer:1", "064af405"),
        ("reviewer:2", "cc183aa2"),
    ] {
        let shown = chat.at(&format!("/messages/{id}/digest"));
        assert!(shown.as_str().unwrap().starts_with(digest), "{id}: {shown}");
    }
}

/// T5.05, S6.02: identity, scope, expiry and approval each block by themselves.
#[test]
fn t5_05_each_check_stands_alone() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("authority_ref", json!("g")));
    chat.fact(&json!({"require_approval": {"commitment": "b:1"}}));
    chat.fact(&json!({"clock": "2026-01-01T00:00:00Z"}));
    chat.fact(
        &json!({"grant": {"ref": "g", "principal": "key:c", "actions": ["x"],
        "expires": "2026-01-01T00:00:00Z"}}),
    );
    assert_eq!(
        chat.blocks("b:1"),
        "approval_missing grant_expired grant_other_principal grant_too_narrow"
    );
}
