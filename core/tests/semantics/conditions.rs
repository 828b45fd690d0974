//! §6: approvals, conditions, judgements, and facts before their commitment.

use serde_json::{Value, json};

use crate::common::{Chat, commit, replace, report, request, tell};

fn require(id: &str) -> Value {
    json!({"require_approval": {"commitment": id}})
}

fn approve(id: &str, by: &str) -> Value {
    json!({"approve": {"commitment": id, "by": by}})
}

fn confirm(id: &str, condition: u64) -> Value {
    json!({"confirm": {"commitment": id, "condition": condition}})
}

fn judge(id: &str, terms: &str) -> Value {
    json!({"judge": {"commitment": id, "terms": terms}})
}

/// S6.20, T5.05: a required approval, given or not, in either order.
#[test]
fn s6_20_approval_missing() {
    let mut chat = Chat::deal();
    chat.ok(commit("b:2", "a:1"));
    chat.fact(&require("b:1")).fact(&approve("b:2", "somebody"));
    assert_eq!(chat.blocks("b:1"), "approval_missing");
    chat.fact(&approve("b:1", "somebody"));
    assert_eq!(chat.blocks("b:1"), "");
    // Required again, approved by several: nothing is taken back.
    chat.fact(&require("b:1")).fact(&approve("b:1", "else"));
    assert_eq!(chat.blocks("b:1"), "");
    let mut chat = Chat::deal();
    chat.fact(&approve("b:1", "somebody"));
    assert_eq!(chat.blocks("b:1"), "", "approved and not required");
    chat.fact(&require("b:1"));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.20, T5.06: an approval that a message claims is none.
#[test]
fn s6_20_a_message_approves_nothing() {
    let mut chat = Chat::deal();
    chat.fact(&require("b:1"));
    chat.ok(tell("a:2")
        .reply("b:1")
        .giving("ev:approval", "approve b:1"));
    assert_eq!(chat.blocks("b:1"), "approval_missing");
}

/// S6.20, T4.01: each original condition, counted from 0, needs its confirmation.
#[test]
fn s6_20_condition_unconfirmed() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"));
    chat.ok(commit("b:1", "a:1").body("conditions", json!(["x", "y", "x"])))
        .permit("b:1");
    assert_eq!(chat.blocks("b:1"), "condition_unconfirmed");
    for condition in [2, 0] {
        chat.fact(&confirm("b:1", condition));
        assert_eq!(chat.blocks("b:1"), "condition_unconfirmed");
    }
    // Confirmations of others are ignored.
    chat.fact(&confirm("b:1", 3))
        .fact(&confirm("b:1", u64::MAX))
        .fact(&confirm("b:9", 1));
    assert_eq!(chat.blocks("b:1"), "condition_unconfirmed");
    chat.fact(&confirm("b:1", 1));
    assert_eq!(chat.blocks("b:1"), "");
    // No condition, nothing to confirm.
    let mut chat = Chat::deal();
    chat.fact(&confirm("b:1", 0));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.20: the conditions of an offer do not count.
#[test]
fn s6_20_original_conditions_only() {
    let mut chat = Chat::deal();
    let offer = commit("b:x", "a:1")
        .body("conditions", json!(["x"]))
        .body_value();
    chat.ok(replace("b:2", "b:1", "b:1", offer));
    assert_eq!(chat.blocks("b:1"), "");
    let mut chat = Chat::new();
    chat.ok(request("a:1"));
    chat.ok(commit("b:1", "a:1").body("conditions", json!(["x"])))
        .permit("b:1");
    chat.ok(replace(
        "b:2",
        "b:1",
        "b:1",
        commit("b:x", "a:1").body_value(),
    ));
    assert_eq!(chat.blocks("b:1"), "condition_unconfirmed");
}

/// S6.21, T4.04: each judgement blocks by itself, and a satisfied one takes nothing back.
#[test]
fn s6_21_judgements() {
    let mut chat = Chat::deal();
    chat.fact(&judge("b:1", "satisfied"));
    assert_eq!(chat.blocks("b:1"), "");
    chat.fact(&judge("b:1", "mismatch"));
    assert_eq!(chat.blocks("b:1"), "terms_mismatch");
    chat.fact(&judge("b:1", "ambiguous"))
        .fact(&judge("b:1", "satisfied"));
    assert_eq!(chat.blocks("b:1"), "terms_ambiguous terms_mismatch");
    let mut chat = Chat::deal();
    chat.fact(&judge("b:9", "mismatch"))
        .fact(&judge("b:1", "ambiguous"));
    assert_eq!(chat.blocks("b:1"), "terms_ambiguous");
}

/// S6.01: facts about a commitment may come before it and wait until it is accepted.
#[test]
fn s6_01_facts_before_their_commitment() {
    let facts = [
        json!({"permit": {"commitment": "b:1"}}),
        require("b:1"),
        approve("b:1", "somebody"),
        confirm("b:1", 0),
        judge("b:1", "ambiguous"),
    ];
    let terms = || commit("b:1", "a:1").body("conditions", json!(["x"]));
    let mut before = Chat::new();
    for fact in &facts {
        before.fact(fact);
    }
    assert_eq!(before.at("/messages"), json!({}), "a fact makes no message");
    before.wait(terms());
    assert_eq!(before.at("/commitments"), json!({}));
    before.ok(request("a:1"));
    let mut after = Chat::new();
    after.ok(request("a:1")).ok(terms());
    for fact in facts.iter().rev() {
        after.fact(fact);
    }
    assert_eq!(before.view(), after.view());
    assert_eq!(before.blocks("b:1"), "terms_ambiguous");
}

/// S6.01: facts about what is no commitment have no effect.
#[test]
fn s6_01_facts_about_no_commitment() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .refuse(commit("b:1", "b:9x").via(None), "principal_missing");
    let before = chat.view();
    for id in ["a:1", "b:1", "x:404"] {
        chat.permit(id)
            .fact(&require(id))
            .fact(&judge(id, "mismatch"))
            .fact(&confirm(id, 0));
    }
    assert_eq!(chat.view(), before);
}

/// S6.01: repetition and order of facts mean nothing.
#[test]
fn s6_01_facts_are_a_set() {
    let mut chat = Chat::deal();
    let facts = [
        require("b:1"),
        judge("b:1", "mismatch"),
        json!({"revoke": {"ref": "g"}}),
        json!({"clock": "2026-01-01T00:00:00Z"}),
        json!({"start": {"commitment": "b:1", "action": "k"}}),
        json!({"finish": {"commitment": "b:1", "action": "k"}}),
    ];
    for fact in &facts {
        chat.fact(fact);
    }
    let once = chat.view();
    for fact in facts.iter().rev().chain(&facts) {
        chat.fact(fact);
    }
    assert_eq!(chat.view(), once);
}

/// S6.01: no message clears or creates a local reason; the reasons stay whatever is said.
#[test]
fn s6_01_no_message_clears_a_local_reason() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"));
    chat.ok(commit("b:1", "a:1").body("conditions", json!(["x"])));
    chat.fact(&require("b:1")).fact(&judge("b:1", "mismatch"));
    let local = "approval_missing condition_unconfirmed no_authority terms_mismatch";
    assert_eq!(chat.blocks("b:1"), local);
    chat.ok(report("b:2", "b:1", "active"))
        .ok(crate::common::ack("a:2", "b:1"));
    chat.ok(tell("a:3").reply("b:1"))
        .ok(replace("a:4", "a:1", "a:1", request("a:x").body_value()));
    assert_eq!(chat.blocks("b:1"), local);
}
