//! §5: withdrawn, superseded, disputed, offers, and revisions of the request.

use serde_json::json;

use crate::common::{
    Chat, Words, challenge, commit, commit_body, decline, replace, report, request, request_body,
    tell, withdraw,
};

fn replacing(id: &str, commitment: &str) -> Words {
    request(id).body("replaces", json!(commitment))
}

/// S5.08, T4.29, T4.30: a withdrawn undertaking is withdrawn and disputed, and not fulfilled.
#[test]
fn s5_08_withdrawn() {
    let mut chat = Chat::deal();
    assert_eq!(chat.list("b:1", "annotations"), "");
    chat.ok(withdraw("b:2", "b:1", "b:1"));
    assert_eq!(chat.list("b:1", "annotations"), "disputed withdrawn");
    assert_eq!(chat.progress("b:1"), "none");
    assert_eq!(chat.list("b:1", "disputed_by"), "", "by nobody's CHALLENGE");
    assert_eq!(chat.blocks("b:1"), "commitment_withdrawn");
}

/// S5.08, R-11: whatever follows: a later replace is an offer and nothing more.
#[test]
fn r_11_a_withdrawn_commitment_stays_withdrawn() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("b:2", "b:1", "b:1"))
        .ok(replace("b:3", "b:1", "b:2", commit_body("a:1")));
    assert_eq!(chat.chain("b:1"), "replaced b:3");
    assert_eq!(chat.list("b:1", "annotations"), "disputed withdrawn");
    assert_eq!(chat.list("b:1", "offers"), "b:3");
    assert_eq!(chat.blocks("b:1"), "commitment_withdrawn");
}

/// S5.08: only an undisputed step withdraws: not one in a fork, and not below it.
#[test]
fn s5_08_a_disputed_withdrawal_does_not_withdraw() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("b:2", "b:1", "b:1"));
    assert_eq!(chat.list("b:1", "annotations"), "disputed withdrawn");
    chat.ok(replace("b:3", "b:1", "b:1", commit_body("a:1")));
    assert_eq!(
        chat.list("b:1", "annotations"),
        "",
        "the fork cuts the step off"
    );
    chat.ok(withdraw("b:4", "b:1", "b:3"));
    assert_eq!(chat.list("b:1", "annotations"), "");
    assert_eq!(chat.blocks("b:1"), "commitment_conflicted");
}

/// S5.08: a withdrawal above a fork is undisputed.
#[test]
fn s5_08_a_withdrawal_above_a_fork() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("b:2", "b:1", "b:1"));
    chat.ok(replace("b:3", "b:1", "b:2", commit_body("a:1")));
    chat.ok(replace("b:4", "b:1", "b:2", commit_body("a:1")));
    assert_eq!(chat.list("b:1", "annotations"), "disputed withdrawn");
    assert_eq!(
        chat.blocks("b:1"),
        "commitment_conflicted commitment_withdrawn"
    );
}

/// S5.08: a pending withdrawal is none.
#[test]
fn s5_08_a_pending_withdrawal_is_none() {
    let mut chat = Chat::deal();
    chat.wait(withdraw("b:2", "b:1", "b:1").reply("x:1"));
    assert_eq!(chat.list("b:1", "annotations"), "");
}

/// S5.09, T4.25, T4.27: a new REQUEST that replaces, and a new COMMIT to it by the same author.
#[test]
fn s5_09_superseded() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"));
    assert_eq!(
        chat.list("b:1", "annotations"),
        "",
        "the REQUEST alone does not"
    );
    assert_eq!(chat.blocks("b:1"), "");
    chat.ok(commit("b:2", "a:2"));
    assert_eq!(chat.list("b:1", "annotations"), "superseded");
    assert_eq!(chat.list("b:1", "superseded_by"), "b:2");
    assert_eq!(chat.blocks("b:1"), "superseded");
    assert_eq!(chat.list("b:2", "annotations"), "");
    chat.ok(commit("b:3", "a:2"));
    assert_eq!(chat.list("b:1", "superseded_by"), "b:2 b:3");
}

/// S5.09: by nobody else than its author.
#[test]
fn s5_09_not_by_others() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1"))
        .ok(commit("c:1", "a:2"))
        .ok(commit("a:3", "a:2"));
    assert_eq!(chat.list("b:1", "superseded_by"), "");
    // Neither by a pending nor by a rejected COMMIT.
    chat.wait(commit("b:2", "a:2").reply("x:1"));
    chat.refuse(commit("b:3", "a:2").thread("u"), "request_other_thread");
    assert_eq!(chat.list("b:1", "superseded_by"), "");
    // Nor by declining the request.
    chat.ok(decline("b:4", "a:2"));
    assert_eq!(chat.list("b:1", "annotations"), "");
}

/// S5.09: the later fate of that COMMIT, or of the REQUEST, does not matter.
#[test]
fn s5_09_the_later_fate_does_not_matter() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1")).ok(commit("b:2", "a:2"));
    chat.ok(withdraw("b:3", "b:2", "b:2"))
        .ok(withdraw("a:3", "a:2", "a:2"));
    chat.ok(report("b:4", "b:2", "failed"));
    assert_eq!(chat.list("b:1", "superseded_by"), "b:2");
    assert_eq!(chat.blocks("b:1"), "superseded");
}

/// S5.09: a chain of supersessions is not inherited: each names its own.
#[test]
fn s5_09_supersession_of_a_supersession() {
    let mut chat = Chat::deal();
    chat.ok(replacing("a:2", "b:1")).ok(commit("b:2", "a:2"));
    chat.ok(replacing("a:3", "b:2")).ok(commit("b:3", "a:3"));
    assert_eq!(chat.list("b:1", "superseded_by"), "b:2");
    assert_eq!(chat.list("b:2", "superseded_by"), "b:3");
    assert_eq!(chat.list("b:3", "superseded_by"), "");
}

/// T4.28, T4.15: deadlines, reports and breaches stay on record through a supersession.
#[test]
fn t4_28_the_record_stays() {
    let mut chat = Chat::new();
    let due = "2020-01-01T00:00:00.00+00:00";
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("due", json!(due)));
    chat.ok(report("b:2", "b:1", "failed"))
        .ok(challenge("a:2", "b:1"));
    chat.ok(replacing("a:3", "b:1")).ok(commit("b:3", "a:3"));
    let commitment = chat.commitment("b:1");
    assert_eq!(commitment["due"], due);
    assert_eq!(commitment["progress"], "failed");
    assert_eq!(commitment["reports"], json!(["b:2"]));
    assert_eq!(commitment["annotations"], json!(["disputed", "superseded"]));
    assert_eq!(chat.commitment("b:3")["due"], json!(null), "T4.05");
}

/// S5.10, T4.09: what a CHALLENGE may target to dispute the commitment.
#[test]
fn s5_10_disputed_by_challenges() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "fulfilled"));
    chat.ok(replace("b:3", "b:1", "b:1", commit_body("a:1")));
    chat.ok(withdraw("b:4", "b:2", "b:2"));
    for (id, target) in [
        ("a:9", "b:1"),
        ("a:8", "b:2"),
        ("c:7", "b:3"),
        ("b:6", "b:4"),
    ] {
        chat.ok(challenge(id, target));
    }
    assert_eq!(chat.list("b:1", "disputed_by"), "a:8 a:9 b:6 c:7");
    assert_eq!(chat.list("b:1", "annotations"), "disputed");
}

/// S5.10: what does not dispute it.
#[test]
fn s5_10_what_does_not_dispute() {
    let mut chat = Chat::deal();
    chat.ok(commit("b:9", "a:1"))
        .ok(report("b:8", "b:9", "active"));
    chat.ok(withdraw("a:2", "a:1", "a:1"))
        .ok(tell("b:7").reply("b:1"));
    for (n, target) in ["a:1", "a:2", "b:9", "b:8", "b:7"].into_iter().enumerate() {
        chat.ok(challenge(&format!("c:{n}"), target));
    }
    // A challenge of a challenge, and a pending one.
    chat.ok(challenge("c:10", "c:0"))
        .wait(challenge("c:11", "b:1").reply("x:1"));
    chat.ok(decline("c:12", "a:1"));
    assert_eq!(chat.list("b:1", "annotations"), "");
    assert_eq!(chat.list("b:1", "disputed_by"), "");
    assert_eq!(chat.list("b:9", "disputed_by"), "c:2 c:3");
}

/// S5.10: also a challenge of a revision below a fork.
#[test]
fn s5_10_a_revision_below_a_fork_may_be_challenged() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("b:2", "b:1", "b:1"))
        .ok(withdraw("b:3", "b:1", "b:1"));
    chat.ok(withdraw("b:4", "b:1", "b:3"))
        .ok(challenge("a:2", "b:4"));
    assert_eq!(chat.list("b:1", "disputed_by"), "a:2");
}

/// S5.10, T4.04: the local judge disputes, and a satisfied judgement does not.
#[test]
fn s5_10_disputed_by_the_judge() {
    for (terms, annotations) in [
        ("satisfied", ""),
        ("mismatch", "disputed"),
        ("ambiguous", "disputed"),
    ] {
        let mut chat = Chat::deal();
        chat.fact(&json!({"judge": {"commitment": "b:1", "terms": terms}}));
        assert_eq!(chat.list("b:1", "annotations"), annotations);
        assert_eq!(chat.list("b:1", "disputed_by"), "");
    }
}

/// S5.11, T4.24: replacements of a COMMIT are offers; the original terms are outstanding.
#[test]
fn s5_11_offers() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("due", json!("2030-01-01T00:00:00Z")));
    let mut body = commit_body("a:1");
    body["due"] = json!("2040-01-01T00:00:00Z");
    body["authority_ref"] = json!("g");
    chat.permit("b:1")
        .ok(replace("b:2", "b:1", "b:1", body.clone()));
    assert_eq!(chat.list("b:1", "offers"), "b:2");
    assert_eq!(chat.commitment("b:1")["due"], "2030-01-01T00:00:00Z");
    assert_eq!(chat.blocks("b:1"), "", "the original has no authority_ref");
    // Below a fork too; a withdrawal is no offer, a pending replacement none yet.
    chat.ok(replace("b:3", "b:1", "b:1", body.clone()))
        .ok(withdraw("b:4", "b:1", "b:3"));
    chat.ok(replace("b:5", "b:1", "b:4", body.clone()));
    chat.wait(replace("b:6", "b:1", "b:5", body).reply("x:1"));
    assert_eq!(chat.list("b:1", "offers"), "b:2 b:3 b:5");
}

/// R-14, T4.23: revisions of the request that the commitment does not follow are listed at it.
#[test]
fn r_14_request_changed_by() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(replace("a:2", "a:1", "a:1", request_body()));
    chat.ok(commit("b:1", "a:1"))
        .ok(commit("b:2", "a:1").reply("a:2"))
        .permit("b:1");
    assert_eq!(chat.list("b:1", "request_changed_by"), "a:2");
    assert_eq!(chat.list("b:2", "request_changed_by"), "");
    chat.ok(replace("a:3", "a:1", "a:2", request_body()));
    assert_eq!(chat.list("b:1", "request_changed_by"), "a:2 a:3");
    assert_eq!(chat.list("b:2", "request_changed_by"), "a:3");
    assert_eq!(chat.blocks("b:1"), "", "a replaced request blocks nothing");
    // Whatever became known later, and disputed ones as well.
    chat.ok(tell("b:3").reply("a:3"))
        .ok(withdraw("a:4", "a:1", "a:1"));
    assert_eq!(chat.list("b:2", "request_changed_by"), "a:3 a:4");
    assert_eq!(chat.commitment("b:1")["request"], "a:1");
}

/// known through any number of messages, whatever the order of arrival.
#[test]
fn r_14_known_through_others() {
    let mut chat = Chat::new();
    chat.wait(commit("b:1", "a:1").reply("c:2"))
        .wait(tell("c:2").reply("c:1"));
    chat.wait(tell("c:1").reply("a:3"))
        .wait(withdraw("a:3", "a:1", "a:2"));
    chat.wait(replace("a:2", "a:1", "a:1", request_body()))
        .ok(request("a:1"));
    assert_eq!(chat.list("b:1", "request_changed_by"), "");
}

/// S5.12, T2.12, T8.05: nothing else creates a commitment, and it binds its sender alone.
#[test]
fn s5_12_only_an_accepted_commit_is_a_commitment() {
    let mut chat = Chat::new();
    chat.wait(commit("b:1", "a:1"))
        .refuse(commit("b:2", "b:2x").via(None), "principal_missing");
    chat.ok(tell("c:1"))
        .refuse(commit("b:3", "c:1"), "request_not_request");
    assert_eq!(chat.at("/commitments"), json!({}));
    assert!(chat.state.commitment("b:1").is_none());
    chat.ok(request("a:1"));
    let commitment = chat.commitment("b:1");
    assert_eq!(
        (&commitment["by"], &commitment["requester"]),
        (&json!("b"), &json!("a"))
    );
    assert!(chat.state.commitment("b:1").is_some());
    assert!(chat.state.commitment("b:3").is_none());
}
