//! R-15: equivocation and taint.

use serde_json::{Value, json};

use crate::common::{
    Chat, ack, ask, commit, evidence, replace, report, request, request_body, retell, tell,
    withdraw,
};

/// R-15, T1.28: the first version stays the message; the later one changes no status.
#[test]
fn r_15_the_first_version_stays_the_message() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1"))
        .ok(ack("b:2", "b:1"));
    let before = chat.view();
    chat.conflict(tell("a:1"));
    let after = chat.view();
    assert_eq!(after["messages"], before["messages"]);
    assert_eq!(after["requests"], before["requests"]);
    assert_eq!(
        chat.blocks("b:1"),
        "commitment_equivocal no_authority request_equivocal"
    );
}

/// R-15: the digests of every kept version are shown, sorted; a repeated version adds none.
#[test]
fn r_15_every_distinct_version_is_kept_once() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    assert_eq!(chat.at("/equivocal"), json!({}));
    chat.conflict(tell("a:1").thread("u"))
        .conflict(tell("a:1").thread("v"));
    let kept = chat.at("/equivocal/a:1");
    chat.conflict(tell("a:1").thread("u"))
        .conflict(tell("a:1").thread("v"));
    assert_eq!(chat.at("/equivocal/a:1"), kept);
    let digests: Vec<&str> = kept.as_array().unwrap().iter().map(text).collect();
    assert_eq!(digests.len(), 3);
    assert!(digests.is_sorted());
    assert!(digests.contains(&text(&chat.at("/messages/a:1/digest"))));
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// R-15: a version whose bytes are equal in structure is no other version.
#[test]
fn r_15_an_equal_version_is_a_duplicate_also_of_an_equivocal_id() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).conflict(tell("a:1").otherwise());
    assert_eq!(chat.say(tell("a:1")), "duplicate");
}

/// R-15: a pending and a rejected id become equivocal as well.
#[test]
fn r_15_pending_and_rejected_ids_too() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).wait(ack("b:1", "x:1"));
    chat.refuse(commit("b:2", "a:1"), "request_not_request");
    chat.conflict(ack("b:1", "a:1")).conflict(ack("b:2", "a:1"));
    assert_eq!(chat.status("b:1"), "pending");
    assert_eq!(chat.status("b:2"), "request_not_request");
    let view = chat.view();
    assert_eq!(view["equivocal"].as_object().unwrap().len(), 2);
}

/// R-15: a later version is no message: its references release nothing and it acknowledges nobody.
#[test]
fn r_15_a_later_version_has_no_effect_of_its_own() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).ok(request("a:2")).ok(tell("b:1"));
    chat.conflict(ack("b:1", "a:1"));
    chat.conflict(commit("b:1", "a:2"));
    let view = chat.view();
    assert_eq!(view["acknowledged"], json!({}));
    assert_eq!(view["commitments"], json!({}));
    assert_eq!(view["requests"]["a:2"]["committed_by"], json!([]));
}

/// R-15: taint follows gating references step by step, over every kind of reference.
#[test]
fn r_15_taint_spreads_along_gating_references() {
    // b:1 rests on a:1 through a reference that is no reply of its own: about.
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    chat.ok(ask("c:1").body("about", json!("a:1")));
    chat.ok(ack("c:2", "c:1"));
    chat.ok(request("a:2").reply("c:2"));
    chat.ok(commit("b:1", "a:2")).permit("b:1");
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(tell("a:1").otherwise());
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal request_equivocal");
}

/// R-15: what comes after the equivocation is tainted as well, whichever came first.
#[test]
fn r_15_taint_does_not_depend_on_what_came_first() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).conflict(tell("a:1").otherwise());
    chat.ok(request("a:2").reply("a:1"))
        .ok(commit("b:1", "a:2"))
        .permit("b:1");
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal request_equivocal");
    // Also through a message that was pending meanwhile.
    let mut chat = Chat::new();
    chat.wait(request("a:2").reply("a:1"))
        .wait(commit("b:1", "a:2"));
    chat.ok(tell("a:1")).permit("b:1");
    chat.conflict(tell("a:1").otherwise());
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal request_equivocal");
}

/// R-15, S3.01: impacts, evidence and authority carry no taint.
#[test]
fn r_15_what_does_not_gate_carries_no_taint() {
    let mut chat = Chat::new();
    chat.ok(tell("a:9")).conflict(tell("a:9").otherwise());
    let impact = json!([{"commitment": "a:9", "assessment": "paused", "reason": "r"}]);
    chat.ok(tell("a:8"));
    chat.ok(retell("a:7", "a:8", "a:8").body("impact", impact));
    chat.ok(request("a:1").reply("a:7"))
        .ok(commit("b:1", "a:1"))
        .permit("b:1");
    assert_eq!(chat.blocks("b:1"), "");
}

/// R-15: a replacement that gates carries taint, from when its target is known.
#[test]
fn r_15_a_gating_replacement_carries_taint() {
    let mut other = request_body();
    other["replaces"] = json!("b:9");
    let mut chat = Chat::deal();
    chat.ok(request("a:8")).ok(commit("b:9", "a:8"));
    chat.ok(replace("a:2", "a:1", "a:1", other));
    assert_eq!(chat.blocks("b:1"), "");
    chat.conflict(commit("b:9", "a:8").otherwise());
    // a:2 is tainted, and in it the requester revises a:1.
    assert_eq!(chat.blocks("b:1"), "request_equivocal");
}

/// R-15: messages by third parties are tainted too, and block nothing.
#[test]
fn r_15_taint_elsewhere_blocks_nothing() {
    let mut chat = Chat::deal();
    chat.ok(ack("c:1", "b:1")).conflict(ack("c:1", "a:1"));
    chat.ok(tell("c:2").reply("c:1"));
    assert_eq!(chat.blocks("b:1"), "");
}

/// R-15: nothing clears an equivocation; the parties use fresh ids.
#[test]
fn r_15_nothing_clears_it() {
    let mut chat = Chat::deal();
    chat.conflict(commit("b:1", "a:1").otherwise());
    assert_eq!(chat.blocks("b:1"), "commitment_equivocal");
    chat.ok(ack("a:2", "b:1")).ok(withdraw("b:2", "b:1", "b:1"));
    assert!(chat.blocks("b:1").contains("commitment_equivocal"));
    chat.ok(request("a:3"))
        .ok(commit("b:3", "a:3"))
        .permit("b:3");
    assert_eq!(chat.blocks("b:3"), "");
}

/// R-15, S5.13: evidence given in a later version counts; evidence cited there does not.
#[test]
fn r_15_evidence_of_later_versions() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1").citing(&["ev:1"]).giving("ev:2", "green"));
    chat.conflict(tell("a:1").citing(&["ev:3"]).with(
        "evidence",
        json!([evidence("ev:2", "red"), evidence("ev:4", "x")]),
    ));
    assert_eq!(
        chat.at("/evidence"),
        json!({"ev:1": "inaccessible", "ev:2": "contradictory", "ev:4": "available"})
    );
}

/// R-15, S5.02: a REPORT with an equivocal id has no effective assessment.
#[test]
fn r_15_an_equivocal_report_assesses_nothing() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "active"));
    assert_eq!(chat.progress("b:1"), "active");
    chat.conflict(report("b:2", "b:1", "blocked"));
    assert_eq!(chat.progress("b:1"), "unresolved conflict");
    assert_eq!(chat.blocks("b:1"), "progress_unresolved report_equivocal");
    assert_eq!(chat.list("b:1", "reports"), "b:2");
}

/// R-15, S5.05: an equivocal report is not even known to itself, however many others there are.
#[test]
fn r_15_an_equivocal_report_beside_others_assesses_nothing() {
    for others in [1, 2, 70] {
        let mut chat = Chat::deal();
        chat.ok(report("b:e", "b:1", "active"));
        for other in 0..others {
            chat.ok(report(&format!("b:o{other}"), "b:1", "active"));
        }
        chat.conflict(report("b:e", "b:1", "blocked"));
        assert_eq!(chat.progress("b:1"), "unresolved conflict");
    }
}

/// R-15, S7.02: the order of versions may change statuses, and then both receivers are blocked.
#[test]
fn s7_02_where_first_versions_differ_what_differs_is_blocked() {
    let (one, other) = (request("a:1"), request("a:1").thread("u"));
    let mut here = Chat::new();
    here.ok(one.clone()).ok(commit("b:1", "a:1")).permit("b:1");
    here.conflict(other.clone());
    let mut there = Chat::new();
    there
        .ok(other)
        .refuse(commit("b:1", "a:1"), "request_other_thread")
        .permit("b:1");
    there.conflict(one);
    assert_eq!(here.blocks("b:1"), "commitment_equivocal request_equivocal");
    assert_eq!(there.at("/commitments"), json!({}));
    assert_eq!(here.at("/equivocal"), there.at("/equivocal"));
}
