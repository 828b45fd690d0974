//! §6: reconcile: started actions that the history speaks against.

use serde_json::{Value, json};

use crate::common::{
    Chat, commit, commit_body, replace, report, request, request_body, tell, withdraw,
};

fn start(id: &str, action: &str) -> Value {
    json!({"start": {"commitment": id, "action": action}})
}

fn finish(id: &str, action: &str) -> Value {
    json!({"finish": {"commitment": id, "action": action}})
}

fn reconciled(id: &str, action: &str, causes: &[&str]) -> Value {
    json!({"reconciled": {"commitment": id, "action": action, "causes": causes}})
}

fn started() -> Chat {
    let mut chat = Chat::deal();
    chat.fact(&start("b:1", "k"));
    chat
}

/// S6.23: without a cause there is no entry; what only blocks progress or authority is no cause.
#[test]
fn s6_23_no_cause_no_entry() {
    let mut chat = started();
    assert!(chat.reconcile().is_empty());
    chat.ok(report("b:2", "b:1", "blocked"))
        .ok(report("b:3", "b:1", "failed"));
    chat.wait(report("b:4", "b:1", "active").reply("x:1"));
    chat.fact(&json!({"judge": {"commitment": "b:1", "terms": "mismatch"}}));
    chat.fact(&json!({"require_approval": {"commitment": "b:1"}}));
    chat.ok(tell("b:5"))
        .conflict(report("b:5", "b:1", "active"));
    assert_eq!(
        chat.blocks("b:1"),
        "approval_missing report_equivocal report_pending terminal terms_mismatch"
    );
    assert!(chat.reconcile().is_empty());
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1"))
        .fact(&start("b:1", "k"));
    assert_eq!(chat.blocks("b:1"), "no_authority");
    assert!(chat.reconcile().is_empty());
}

/// S6.23: `not_accepted`: unknown, pending, rejected, or another act.
#[test]
fn s6_23_not_accepted() {
    let mut chat = Chat::new();
    chat.ok(tell("a:9"));
    for id in ["b:1", "b:2", "a:9", "x:404"] {
        chat.fact(&start(id, "k"));
    }
    chat.wait(commit("b:1", "a:1"))
        .refuse(commit("b:2", "a:9"), "request_not_request");
    let all = [
        "a:9/k: not_accepted",
        "b:1/k: not_accepted",
        "b:2/k: not_accepted",
        "x:404/k: not_accepted",
    ];
    assert_eq!(chat.reconcile(), all);
    // The cause goes with the acceptance.
    chat.ok(request("a:1"));
    assert_eq!(
        chat.reconcile(),
        [
            "a:9/k: not_accepted",
            "b:2/k: not_accepted",
            "x:404/k: not_accepted"
        ]
    );
}

/// S6.23, T4.22: each cause, whichever came first: the action or the cause.
#[test]
fn s6_23_each_cause_in_either_order() {
    type Make = fn(&mut Chat);
    let cases: [(&str, Make); 10] = [
        ("request_conflicted", |chat| {
            chat.ok(withdraw("a:2", "a:1", "a:1"))
                .ok(withdraw("a:3", "a:1", "a:1"));
        }),
        ("request_revision_pending", |chat| {
            chat.wait(withdraw("a:2", "a:1", "a:1").reply("x:1"));
        }),
        ("request_equivocal", |chat| {
            chat.ok(tell("a:2")).conflict(withdraw("a:2", "a:1", "a:1"));
        }),
        ("request_withdrawn", |chat| {
            chat.ok(withdraw("a:2", "a:1", "a:1"));
        }),
        ("commitment_conflicted", |chat| {
            chat.ok(withdraw("b:2", "b:1", "b:1"))
                .ok(withdraw("b:3", "b:1", "b:1"));
        }),
        ("commitment_revision_pending", |chat| {
            chat.wait(withdraw("b:2", "b:1", "b:1").reply("x:1"));
        }),
        ("commitment_equivocal", |chat| {
            chat.conflict(commit("b:1", "a:1").otherwise());
        }),
        ("commitment_withdrawn", |chat| {
            chat.ok(withdraw("b:2", "b:1", "b:1"));
        }),
        ("superseded", |chat| {
            chat.ok(request("a:2").body("replaces", json!("b:1")))
                .ok(commit("b:2", "a:2"));
        }),
        ("supersession_pending", |chat| {
            chat.ok(request("a:2").body("replaces", json!("b:1")));
            chat.wait(commit("b:2", "a:2").reply("x:1"));
        }),
    ];
    for (cause, make) in cases {
        let mut late = started();
        make(&mut late);
        assert_eq!(late.reconcile(), [format!("b:1/k: {cause}")]);
        let mut early = Chat::deal();
        make(&mut early);
        early.fact(&start("b:1", "k"));
        assert_eq!(early.view(), late.view(), "{cause}");
    }
}

/// S6.23: causes are listed sorted, per pair of commitment and action key.
#[test]
fn s6_23_several_causes_and_actions() {
    let mut chat = started();
    chat.fact(&start("b:1", "a")).fact(&start("x:1", "z"));
    chat.ok(withdraw("b:2", "b:1", "b:1"))
        .ok(withdraw("a:2", "a:1", "a:1"));
    assert_eq!(
        chat.reconcile(),
        [
            "b:1/a: commitment_withdrawn request_withdrawn",
            "b:1/k: commitment_withdrawn request_withdrawn",
            "x:1/z: not_accepted"
        ]
    );
}

/// S6.23: `reconciled` takes the named causes of its own pair away, before or after.
#[test]
fn s6_23_reconciled() {
    let mut chat = started();
    chat.fact(&start("b:1", "other"));
    chat.ok(withdraw("b:2", "b:1", "b:1"))
        .ok(withdraw("a:2", "a:1", "a:1"));
    chat.fact(&reconciled("b:1", "k", &["commitment_withdrawn"]));
    assert_eq!(
        chat.reconcile(),
        [
            "b:1/k: request_withdrawn",
            "b:1/other: commitment_withdrawn request_withdrawn"
        ]
    );
    chat.fact(&reconciled(
        "b:1",
        "other",
        &["commitment_withdrawn", "request_withdrawn", "x"],
    ));
    assert_eq!(chat.reconcile(), ["b:1/k: request_withdrawn"]);
    // What is no cause changes nothing, nor does an empty list, nor another commitment.
    chat.fact(&reconciled("b:1", "k", &[]))
        .fact(&reconciled("b:1", "k", &["no_authority"]));
    chat.fact(&reconciled("b:9", "k", &["request_withdrawn"]));
    assert_eq!(chat.reconcile(), ["b:1/k: request_withdrawn"]);
    chat.fact(&reconciled("b:1", "k", &["request_withdrawn"]));
    assert!(chat.reconcile().is_empty());
}

/// S6.23, S6.01: `reconciled` and `start` act at once, in any order, and wait for no commitment.
#[test]
fn s6_23_reconciled_before_start() {
    let mut chat = Chat::new();
    chat.fact(&reconciled("x:1", "k", &["not_accepted"]))
        .fact(&start("x:1", "k"));
    assert!(chat.reconcile().is_empty());
    chat.fact(&start("x:1", "l"));
    assert_eq!(chat.reconcile(), ["x:1/l: not_accepted"]);
}

/// S6.23: a cause that goes and comes back after it was reconciled stays reconciled.
#[test]
fn s6_23_a_cause_that_comes_back() {
    let mut chat = started();
    chat.ok(withdraw("a:2", "a:1", "a:1"));
    chat.fact(&reconciled("b:1", "k", &["request_withdrawn"]));
    chat.ok(replace("a:3", "a:1", "a:2", request_body()));
    assert!(chat.reconcile().is_empty());
    chat.ok(withdraw("a:4", "a:1", "a:3"));
    assert!(chat.reconcile().is_empty());
    assert_eq!(
        chat.blocks("b:1"),
        "request_withdrawn",
        "it blocks all the same"
    );
}

/// S6.23, T4.39: `finish` closes nothing, and a revision undoes nothing.
#[test]
fn s6_23_finish_closes_nothing() {
    let mut chat = started();
    chat.fact(&finish("b:1", "k"))
        .ok(withdraw("b:2", "b:1", "b:1"));
    assert_eq!(chat.reconcile(), ["b:1/k: commitment_withdrawn"]);
    chat.fact(&finish("b:1", "k"));
    assert_eq!(chat.reconcile(), ["b:1/k: commitment_withdrawn"]);
    // A finish without a start makes no entry.
    chat.fact(&finish("b:9", "k"));
    assert_eq!(chat.reconcile().len(), 1);
}

/// S6.23: an offer, a replaced request and a dispute are no causes.
#[test]
fn s6_23_what_is_no_cause() {
    let mut chat = started();
    chat.ok(replace("a:2", "a:1", "a:1", request_body()));
    chat.ok(replace("b:2", "b:1", "b:1", commit_body("a:1")));
    chat.ok(crate::common::challenge("a:3", "b:1"));
    assert!(chat.reconcile().is_empty());
}

/// S6.23, T1.31: a repeated start of one key is one entry.
#[test]
fn s6_23_a_key_is_one_action() {
    let mut chat = Chat::new();
    chat.fact(&start("x:1", "k")).fact(&start("x:1", "k"));
    assert_eq!(chat.reconcile(), ["x:1/k: not_accepted"]);
}
