//! quotas at their edge. They are tested only where something new would be kept.

use serde_json::json;
use tern_core::Limits;

use crate::common::{
    Chat, ack, ask, commit, commit_body, replace, report_body, request, request_body, tell,
};

fn limits(pending: usize, of_sender: usize, versions: usize) -> Limits {
    let mut limits = Limits::default();
    limits.max_pending = pending;
    limits.max_pending_per_sender = of_sender;
    limits.max_versions = versions;
    limits
}

/// the default limits.
#[test]
fn r_04_defaults() {
    let limits = Limits::default();
    assert_eq!(limits.max_pending, 100_000);
    assert_eq!(limits.max_pending_per_sender, 10_000);
    assert_eq!(limits.max_versions, 16);
    assert_eq!(limits.max_bytes, 1_048_576);
    assert_eq!(limits.max_depth, 128);
}

/// as many as the limit are pending, and one more is refused; what settles at once is not.
#[test]
fn r_04_too_many_pending_at_the_edge() {
    let mut chat = Chat::with_limits(limits(2, 9, 16));
    chat.wait(ack("a:1", "x:1")).wait(ack("b:1", "x:1"));
    let before = chat.view();
    chat.refuse(ack("c:1", "x:1"), "too_many_pending");
    let class = chat
        .outcomes
        .last()
        .unwrap()
        .verdict
        .rejection()
        .unwrap()
        .code()
        .class();
    assert_eq!(class.as_str(), "limit");
    assert_eq!(chat.view(), before, "a refusal leaves everything as it was");
    // What settles at once needs no place, accepted or rejected.
    chat.ok(tell("c:2"));
    chat.refuse(commit("c:3", "c:2"), "request_not_request");
    // A duplicate and another version of a pending message are no new pending messages.
    assert_eq!(chat.say(ack("a:1", "x:1")), "duplicate");
    chat.conflict(ack("a:1", "x:2"));
}

/// who is refused may try again, once there is room.
#[test]
fn r_04_the_same_delivery_may_be_tried_again() {
    let mut chat = Chat::with_limits(limits(1, 9, 16));
    chat.wait(ack("a:1", "c:1"));
    chat.refuse(ack("b:1", "c:2"), "too_many_pending");
    assert_eq!(chat.status("b:1"), "unknown");
    // The reference that would release a pending message is never refused.
    chat.ok(tell("c:1"));
    chat.wait(ack("b:1", "c:2"));
    chat.ok(tell("c:2"));
    assert_eq!(chat.status("b:1"), "accepted");
}

/// pending messages of one `from`; others are not affected, nor is another name of the same
/// principal.
#[test]
fn r_04_too_many_pending_of_a_sender() {
    let mut chat = Chat::with_limits(limits(9, 1, 16));
    chat.wait(ack("a:1", "c:1"));
    chat.refuse(ack("a:2", "c:1"), "too_many_pending_of_sender");
    chat.wait(ack("d:1", "c:1"));
    chat.wait(ack("b:1", "c:1"));
    chat.ok(tell("c:1"));
    chat.wait(ack("a:2", "c:9"));
}

/// the order of the quotas.
#[test]
fn r_04_the_quota_of_all_comes_before_that_of_a_sender() {
    let mut chat = Chat::with_limits(limits(1, 1, 16));
    chat.wait(ack("a:1", "c:1"));
    chat.refuse(ack("a:2", "c:1"), "too_many_pending");
}

/// a limit of zero lets nothing wait.
#[test]
fn r_04_zero_pending() {
    let mut chat = Chat::with_limits(limits(0, 0, 1));
    chat.refuse(ack("a:1", "b:1"), "too_many_pending");
    chat.refuse(ack("a:1", "a:1"), "too_many_pending");
    chat.ok(tell("b:1")).ok(ack("a:1", "b:1"));
}

/// every way of waiting counts: each gating field, oneself, and what is pending.
#[test]
fn r_04_every_gating_field_counts_as_waiting() {
    let mut chat = Chat::with_limits(limits(1, 9, 16));
    chat.ok(request("a:1")).ok(commit("b:1", "a:1"));
    chat.wait(ack("c:1", "x:1"));
    for words in [
        ask("a:5").reply("x:1"),
        ask("a:5").body("about", json!("x:1")),
        ask("a:5").body("about", json!("c:1")),
        ask("a:5").reply("a:5"),
        commit("a:5", "x:1"),
        request("a:5").body("replaces", json!("x:1")),
        replace("a:5", "a:1", "x:1", request_body()),
        replace("a:5", "x:1", "a:1", request_body()),
    ] {
        chat.refuse(words, "too_many_pending");
    }
}

/// R-04, S3.01: the reference inside a replacement counts as far as it gates.
#[test]
fn r_04_a_replacement_counts_where_it_gates() {
    let mut chat = Chat::with_limits(limits(1, 9, 16));
    chat.ok(request("a:1"))
        .ok(tell("a:2"))
        .ok(commit("b:1", "a:1"));
    chat.wait(ack("c:1", "x:1"));
    let mut other = request_body();
    other["replaces"] = json!("x:1");
    chat.refuse(
        replace("a:5", "a:1", "a:1", other.clone()),
        "too_many_pending",
    );
    chat.refuse(
        replace("b:5", "b:1", "b:1", commit_body("x:1")),
        "too_many_pending",
    );
    chat.refuse(
        replace("a:5", "a:1", "a:1", request_body()).reply("a:5"),
        "too_many_pending",
    );
    // No body of a TELL: it does not gate, and the message settles at once.
    chat.refuse(replace("a:6", "a:2", "a:2", other), "replacement_invalid");
    chat.refuse(
        replace("b:6", "b:1", "b:1", report_body("x:1", "active")),
        "replacement_invalid",
    );
}

/// versions of one id, the first included; the kept ones may still be repeated.
#[test]
fn r_04_too_many_versions_at_the_edge() {
    let mut chat = Chat::with_limits(limits(9, 9, 3));
    let version = |n: usize| tell("a:1").with("to", json!([format!("all{n}")]));
    chat.ok(version(0))
        .conflict(version(1))
        .conflict(version(2));
    let before = chat.view();
    chat.refuse(version(3), "too_many_versions");
    chat.refuse(version(3), "too_many_versions");
    assert_eq!(chat.view(), before);
    assert_eq!(before["equivocal"]["a:1"].as_array().unwrap().len(), 3);
    chat.conflict(version(2)).conflict(version(1));
    assert_eq!(chat.say(version(0)), "duplicate");
}

/// with a limit of one version no id ever becomes equivocal.
#[test]
fn r_04_one_version_only() {
    let mut chat = Chat::with_limits(limits(9, 9, 1));
    chat.ok(tell("a:1"));
    chat.refuse(tell("a:1").otherwise(), "too_many_versions");
    assert_eq!(chat.at("/equivocal"), json!({}));
}

/// a quota takes no id.
#[test]
fn r_04_a_quota_takes_no_id() {
    let mut chat = Chat::with_limits(limits(0, 0, 16));
    chat.refuse(ack("a:1", "b:1"), "too_many_pending");
    chat.ok(tell("a:1"));
    assert_eq!(chat.at("/equivocal"), json!({}));
}

/// S2.06: the size limit at its edge; the bytes count, not the characters.
#[test]
fn s2_06_the_size_limit_through_the_state() {
    let words = tell("a:1").with("thread", json!("ü"));
    let size = words.text().len();
    let small = |max_bytes| {
        let mut limits = Limits::default();
        limits.max_bytes = max_bytes;
        limits
    };
    let mut chat = Chat::with_limits(small(size - 1));
    chat.refuse(words.clone(), "too_long");
    let mut chat = Chat::with_limits(small(size));
    chat.ok(words);
}
