//! §6: what the history blocks: each code where it holds and where it does not.

use serde_json::json;

use crate::common::{Chat, ack, commit, replace, report, request, request_body, tell, withdraw};

/// S6.02: nothing blocks: ready, with an empty list.
#[test]
fn s6_02_ready() {
    let chat = Chat::deal();
    assert_eq!(chat.blocks("b:1"), "");
    assert_eq!(chat.commitment("b:1")["readiness"], "ready");
}

/// S6.02: every code that holds is listed, once and sorted.
#[test]
fn s6_02_every_code_that_holds() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"));
    chat.ok(commit("b:1", "a:1").body("conditions", json!(["x", "y"])));
    chat.ok(withdraw("a:2", "a:1", "a:1"))
        .ok(withdraw("b:2", "b:1", "b:1"));
    chat.ok(report("b:3", "b:1", "blocked"));
    chat.wait(report("b:4", "b:1", "active").reply("x:1"));
    chat.wait(report("b:5", "b:1", "active").reply("x:1"));
    assert_eq!(
        chat.blocks("b:1"),
        "commitment_withdrawn condition_unconfirmed no_authority report_pending reported_blocked \
         request_withdrawn"
    );
}

/// S6.03, T4.19: forks of the request and of the commitment.
#[test]
fn s6_03_conflicted() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("a:2", "a:1", "a:1"))
        .ok(withdraw("a:3", "a:1", "a:1"));
    assert_eq!(chat.blocks("b:1"), "request_conflicted");
    let mut chat = Chat::deal();
    chat.ok(withdraw("b:2", "b:1", "b:1"))
        .ok(withdraw("b:3", "b:1", "b:1"));
    assert_eq!(chat.blocks("b:1"), "commitment_conflicted");
    // Those of another request, or of another commitment to the same one, do not.
    let mut chat = Chat::deal();
    chat.ok(request("a:8"))
        .ok(withdraw("a:2", "a:8", "a:8"))
        .ok(withdraw("a:3", "a:8", "a:8"));
    chat.ok(commit("b:8", "a:1"))
        .ok(withdraw("b:2", "b:8", "b:8"))
        .ok(withdraw("b:3", "b:8", "b:8"));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.04, R-09: known pending revisions block until they settle, each way.
#[test]
fn s6_04_revision_pending() {
    let mut chat = Chat::deal();
    chat.wait(withdraw("a:2", "a:1", "a:1").reply("c:1"));
    assert_eq!(chat.blocks("b:1"), "request_revision_pending");
    chat.wait(replace("b:2", "b:1", "b:1", json!({})).reply("c:1"));
    assert_eq!(
        chat.blocks("b:1"),
        "commitment_revision_pending request_revision_pending"
    );
    chat.ok(tell("c:1"));
    assert_eq!(chat.released(), ["a:2", "b:2 replacement_invalid"]);
    assert_eq!(chat.blocks("b:1"), "request_withdrawn");
}

/// S6.04, R-09: a hopeless one blocks for ever; one by anybody else does not.
#[test]
fn s6_04_hopeless_and_foreign_revisions() {
    let mut chat = Chat::deal();
    chat.wait(withdraw("c:2", "a:1", "a:1").reply("x:1"));
    chat.wait(withdraw("a:3", "b:1", "b:1").reply("x:1"));
    chat.wait(withdraw("d:1", "a:1", "a:1").reply("x:1"));
    assert_eq!(chat.blocks("b:1"), "");
    // In a cycle for ever.
    chat.wait(withdraw("b:2", "b:1", "b:2"));
    assert_eq!(chat.blocks("b:1"), "commitment_revision_pending");
    assert_eq!(chat.at("/cycles"), json!([["b:2"]]));
}

/// S6.05: the request itself is tainted.
#[test]
fn s6_05_request_tainted() {
    let mut chat = Chat::new();
    chat.ok(tell("c:1"))
        .ok(request("a:1").reply("c:1"))
        .ok(commit("b:1", "a:1"))
        .permit("b:1");
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(tell("c:1").otherwise());
    // The commitment rests on the request, so it is tainted with it.
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal request_equivocal");
}

/// S6.05: the requester revises the request in some kept version of a tainted id.
#[test]
fn s6_05_request_equivocal_when_a_kept_version_revises_it() {
    // The first version revises, accepted.
    let mut chat = Chat::deal();
    chat.ok(replace("a:2", "a:1", "a:1", request_body()));
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(tell("a:2"));
    assert_eq!(chat.blocks("b:1"), "request_equivocal");
    // A later version revises; the first is a TELL.
    let mut chat = Chat::deal();
    chat.ok(tell("a:2")).conflict(withdraw("a:2", "a:1", "a:1"));
    assert_eq!(chat.blocks("b:1"), "request_equivocal");
    // A third version, while the first is pending or rejected.
    let mut chat = Chat::deal();
    chat.wait(tell("a:2").reply("x:1")).conflict(tell("a:2"));
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(withdraw("a:2", "a:1", "x:9"));
    assert_eq!(chat.blocks("b:1"), "request_equivocal");
    let mut chat = Chat::deal();
    chat.refuse(commit("a:2", "b:1"), "request_not_request");
    chat.conflict(withdraw("a:2", "a:1", "a:1"));
    assert_eq!(chat.blocks("b:1"), "request_equivocal");
}

/// S6.05: a tainted revision need not be equivocal itself.
#[test]
fn s6_05_a_tainted_revision() {
    let mut chat = Chat::deal();
    chat.ok(tell("c:1"))
        .ok(replace("a:2", "a:1", "a:1", request_body()).reply("c:1"));
    chat.conflict(tell("c:1").otherwise());
    assert_eq!(chat.blocks("b:1"), "request_equivocal");
}

/// S6.05: a version by somebody else, or one that revises another message, does not.
#[test]
fn s6_05_other_kept_versions_do_not() {
    let mut chat = Chat::deal();
    chat.ok(tell("c:1")).conflict(withdraw("c:1", "a:1", "a:1"));
    chat.ok(tell("d:1")).conflict(withdraw("d:1", "a:1", "a:1"));
    chat.ok(tell("a:8"))
        .ok(tell("a:2"))
        .conflict(withdraw("a:2", "a:8", "a:8"));
    chat.ok(tell("a:3")).conflict(ack("a:3", "a:1"));
    chat.ok(tell("b:2")).conflict(withdraw("b:2", "a:1", "a:1"));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.06: the commitment is tainted, or its author revises it in a kept version of a tainted id.
#[test]
fn s6_06_commitment_tainted_or_revised() {
    let mut chat = Chat::deal();
    chat.conflict(commit("b:1", "a:1").otherwise());
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal");
    let mut chat = Chat::deal();
    chat.ok(tell("b:2")).conflict(withdraw("b:2", "b:1", "b:1"));
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal");
    let mut chat = Chat::deal();
    chat.ok(tell("a:2")).conflict(withdraw("a:2", "b:1", "b:1"));
    chat.ok(tell("b:2")).conflict(ack("b:2", "b:1"));
    assert_eq!(chat.blocks("b:1"), "");
}
