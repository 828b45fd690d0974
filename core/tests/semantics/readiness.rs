//! §6: what the history blocks: each code where it holds and where it does not.

use serde_json::{Value, json};

use crate::common::{
    Chat, Words, ack, challenge, commit, commit_body, decline, replace, report, report_body,
    request, request_body, tell, withdraw,
};

fn replacing(id: &str, commitment: &str) -> Words {
    request(id).body("replaces", json!(commitment))
}

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

/// S6.06: an exchange that would supersede it, with either id tainted.
#[test]
fn s6_06_a_tainted_supersession() {
    // The COMMIT's later version commits to the replacing request.
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1")).ok(tell("b:2"));
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(commit("b:2", "a:2"));
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal");
    // The request's later version replaces; the COMMIT to it is known.
    let mut chat = Chat::deal();
    chat.ok(request("a:2")).ok(commit("b:2", "a:2"));
    chat.conflict(replacing("a:2", "b:1"));
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal");
    // Both in later versions.
    let mut chat = Chat::deal();
    chat.ok(tell("a:2")).ok(tell("b:2"));
    chat.conflict(replacing("a:2", "b:1"));
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(commit("b:2", "a:2"));
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal");
    // Superseded by a first version, of which a later one is something else: both codes.
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"))
        .ok(commit("b:2", "a:2"))
        .conflict(tell("b:2"));
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal superseded");
}

/// S6.06: not by others, nor where neither id is tainted, nor where no COMMIT version is there.
#[test]
fn s6_06_other_supersessions_do_not() {
    let mut chat = Chat::deal();
    // A request by somebody else, in a later version.
    chat.ok(tell("c:1")).conflict(replacing("c:1", "b:1"));
    chat.wait(commit("b:2", "c:9"))
        .conflict(commit("b:2", "c:1"));
    // A COMMIT by somebody else.
    chat.ok(replacing("a:2", "b:1"))
        .ok(tell("c:2"))
        .conflict(commit("c:2", "a:2"));
    // A replacing request without any COMMIT by b.
    chat.ok(tell("a:3")).conflict(replacing("a:3", "b:1"));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.07: a pending COMMIT by its author on a request by the requester that replaces it.
#[test]
fn s6_07_supersession_pending() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"));
    assert_eq!(chat.blocks("b:1"), "");
    chat.wait(commit("b:2", "a:2").reply("c:1"));
    assert_eq!(chat.blocks("b:1"), "supersession_pending");
    chat.ok(tell("c:1"));
    assert_eq!(chat.blocks("b:1"), "superseded");
}

/// S6.07: of any status: the request may be pending or rejected itself.
#[test]
fn s6_07_the_request_may_be_of_any_status() {
    let mut chat = Chat::deal();
    chat.wait(commit("b:2", "a:2"));
    assert_eq!(chat.blocks("b:1"), "", "the request is unknown");
    chat.wait(replacing("a:2", "b:1").reply("x:1"));
    assert_eq!(chat.blocks("b:1"), "supersession_pending");
    // Rejected, while the COMMIT waits for something else.
    let mut chat = Chat::deal();
    chat.ok(tell("a:8"))
        .refuse(commit("c:8", "a:8"), "request_not_request");
    chat.refuse(replacing("a:2", "b:1").reply("c:8"), "reference_rejected");
    chat.wait(commit("b:2", "a:2").reply("x:1"));
    assert_eq!(chat.blocks("b:1"), "supersession_pending");
    chat.refuse(tell("x:1"), "sender_unbound");
    // A pending COMMIT in another thread is hopeless and blocks all the same.
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"))
        .wait(commit("b:2", "a:2").thread("u").reply("x:1"));
    assert_eq!(chat.blocks("b:1"), "supersession_pending");
}

/// S6.07: not by others, not for others.
#[test]
fn s6_07_what_is_no_pending_supersession() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"))
        .wait(commit("c:1", "a:2").reply("x:1"));
    chat.refuse(replacing("c:2", "b:1"), "replaces_other_requester");
    chat.wait(commit("b:2", "c:2").reply("x:1"));
    chat.ok(request("a:3"))
        .wait(commit("b:3", "a:3").reply("x:1"));
    // `replaces` by revision is content only (R-08).
    let mut body = request_body();
    body["replaces"] = json!("b:1");
    chat.ok(replace("a:4", "a:3", "a:3", body));
    chat.refuse(commit("b:4", "a:2").thread("u"), "request_other_thread");
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.08: a withdrawn request blocks while it is withdrawn; a withdrawn commitment for ever.
#[test]
fn s6_08_withdrawn() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("a:2", "a:1", "a:1"));
    assert_eq!(chat.blocks("b:1"), "request_withdrawn");
    chat.ok(replace("a:3", "a:1", "a:2", request_body()));
    assert_eq!(chat.blocks("b:1"), "");
    chat.ok(withdraw("b:2", "b:1", "b:1"));
    assert_eq!(chat.blocks("b:1"), "commitment_withdrawn");
    chat.ok(replace("b:3", "b:1", "b:2", commit_body("a:1")));
    assert_eq!(chat.blocks("b:1"), "commitment_withdrawn");
}

/// S6.08: a conflicted request is conflicted, and not withdrawn.
#[test]
fn s6_08_a_withdrawal_before_a_fork() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("a:2", "a:1", "a:1"));
    chat.ok(withdraw("a:3", "a:1", "a:2"))
        .ok(withdraw("a:4", "a:1", "a:2"));
    assert_eq!(chat.blocks("b:1"), "request_conflicted");
}

/// S6.09: superseded blocks for ever.
#[test]
fn s6_09_superseded() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"))
        .ok(commit("b:2", "a:2"))
        .permit("b:2");
    assert_eq!(chat.blocks("b:1"), "superseded");
    assert_eq!(chat.blocks("b:2"), "");
    chat.ok(withdraw("b:3", "b:2", "b:2"));
    assert_eq!(chat.blocks("b:1"), "superseded");
}

/// S6.10, T4.11, T4.12: what progress blocks, and `active` and `none` do not.
#[test]
fn s6_10_progress() {
    for (state, code) in [
        ("active", ""),
        ("blocked", "reported_blocked"),
        ("fulfilled", "terminal"),
        ("failed", "terminal"),
    ] {
        let mut chat = Chat::deal();
        chat.ok(report("b:2", "b:1", state));
        assert_eq!(chat.blocks("b:1"), code, "{state}");
    }
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "active"))
        .ok(report("b:3", "b:1", "blocked"));
    assert_eq!(chat.blocks("b:1"), "progress_unresolved");
}

/// S6.11: a pending REPORT on it by its author, or pending REVISE of an accepted one.
#[test]
fn s6_11_report_pending() {
    let mut chat = Chat::deal();
    chat.wait(report("b:2", "b:1", "active").reply("c:1"));
    assert_eq!(chat.blocks("b:1"), "report_pending");
    chat.ok(tell("c:1"));
    assert_eq!(chat.blocks("b:1"), "");
    chat.wait(replace("b:3", "b:2", "b:2", report_body("b:1", "active")).reply("c:2"));
    assert_eq!(chat.blocks("b:1"), "report_pending");
    chat.ok(tell("c:2"));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.11: not by others, not on others, and not the revision of a pending or rejected REPORT.
#[test]
fn s6_11_what_is_no_pending_report() {
    let mut chat = Chat::deal();
    chat.ok(commit("b:9", "a:1"))
        .ok(report("b:2", "b:1", "active"));
    chat.wait(report("c:1", "b:1", "active").reply("x:1"));
    chat.wait(report("b:3", "b:9", "active").reply("x:1"));
    chat.wait(withdraw("a:2", "b:2", "b:2").reply("x:1"));
    chat.refuse(
        report("b:4", "b:1", "fulfilled").citing(&[]),
        "fulfilled_without_evidence",
    );
    chat.wait(withdraw("b:5", "b:4", "b:4").reply("x:1"));
    chat.wait(decline("b:6", "b:1").reply("x:1"));
    assert_eq!(chat.blocks("b:1"), "");
    assert_eq!(chat.blocks("b:9"), "no_authority report_pending");
}

/// S6.12: its author reports on it in some kept version of a tainted id.
#[test]
fn s6_12_report_equivocal() {
    let mut chat = Chat::deal();
    chat.ok(tell("b:2"))
        .conflict(report("b:2", "b:1", "active"));
    assert_eq!(chat.blocks("b:1"), "report_equivocal");
    let mut chat = Chat::deal();
    chat.ok(tell("c:1"))
        .ok(report("b:2", "b:1", "active").reply("c:1"));
    chat.conflict(tell("c:1").otherwise());
    assert_eq!(chat.blocks("b:1"), "report_equivocal");
}

/// S6.12: or revises an id of which some kept version is such a report.
#[test]
fn s6_12_a_tainted_revision_of_a_report() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "active")).ok(tell("b:3"));
    chat.conflict(replace("b:3", "b:2", "b:2", report_body("b:1", "failed")));
    assert_eq!(chat.blocks("b:1"), "report_equivocal");
    // The report is a later version itself.
    let mut chat = Chat::deal();
    chat.ok(tell("b:2"))
        .ok(replace("b:3", "b:2", "b:2", tell("b:x").body_value()));
    chat.conflict(report("b:2", "b:1", "active"));
    assert_eq!(chat.blocks("b:1"), "report_equivocal");
}

/// S6.12: versions by others, on others, or other acts do not.
#[test]
fn s6_12_other_kept_versions_do_not() {
    let mut chat = Chat::deal();
    chat.ok(commit("b:9", "a:1"))
        .ok(report("b:2", "b:1", "active"));
    chat.ok(tell("c:1"))
        .conflict(report("c:1", "b:1", "failed"));
    chat.ok(tell("b:3"))
        .conflict(report("b:3", "b:9", "failed"));
    chat.ok(tell("c:2")).conflict(withdraw("c:2", "b:2", "b:2"));
    chat.ok(tell("b:4")).conflict(challenge("b:4", "b:2"));
    assert_eq!(chat.blocks("b:1"), "");
    assert_eq!(chat.blocks("b:9"), "no_authority report_equivocal");
}

/// S6.22, T4.38, T2.09: a dispute, an impact, a past `due`, a replaced request, an ACK, a DECLINE.
#[test]
fn s6_22_what_blocks_nothing() {
    let mut chat = Chat::new();
    let due = json!("2000-01-01T00:00:00Z");
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("due", due))
        .permit("b:1");
    chat.fact(&json!({"clock": "2026-11-30T12:00:00Z"}));
    let impact: Value = json!([{"commitment": "b:1", "assessment": "paused", "reason": "r"}]);
    chat.ok(replace("a:2", "a:1", "a:1", request_body()).body("impact", impact));
    chat.ok(challenge("a:3", "b:1"))
        .ok(ack("a:4", "b:1"))
        .ok(decline("a:5", "a:1"));
    chat.ok(replace("b:2", "b:1", "b:1", commit_body("a:1")));
    assert_eq!(chat.list("b:1", "annotations"), "disputed");
    assert_eq!(chat.blocks("b:1"), "");
    assert_eq!(chat.state.local_view().overdue.len(), 1);
}
