//! §3: each rule of the table, where it holds and where it fails, and the order of rules.

use serde_json::json;

use crate::common::{
    Chat, ack, ask, challenge, claim, commit, decline, propose, report, request, retell, tell,
    withdraw,
};

/// Messages of each act, all accepted: `a:1` REQUEST, `b:1` COMMIT, then the others by `a` and `b`.
fn room() -> Chat {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1"))
        .ok(report("b:2", "b:1", "active"));
    chat.ok(ask("a:ask"))
        .ok(tell("a:tell"))
        .ok(propose("a:propose"));
    chat.ok(challenge("a:challenge", "b:1"))
        .ok(decline("a:decline", "a:propose"));
    chat.ok(ack("a:ack", "b:1"))
        .ok(retell("a:revise", "a:tell", "a:tell"));
    chat
}

/// Ids of one message of each act but REQUEST, COMMIT and REPORT.
const OTHERS: [&str; 7] = [
    "a:ask",
    "a:tell",
    "a:propose",
    "a:challenge",
    "a:decline",
    "a:ack",
    "a:revise",
];

/// T4.02: a COMMIT names a REQUEST.
#[test]
fn t4_02_request_not_request() {
    let mut chat = room();
    for other in OTHERS.into_iter().chain(["b:1", "b:2"]) {
        chat.refuse(commit(&format!("b:{other}"), other), "request_not_request");
    }
    chat.ok(commit("b:9", "a:1"));
}

/// T4.02: of its own thread; threads are compared character for character.
#[test]
fn t4_02_request_other_thread() {
    let mut chat = room();
    chat.refuse(commit("b:9", "a:1").thread("T"), "request_other_thread");
    chat.refuse(commit("b:8", "a:1").thread("t "), "request_other_thread");
    // The act is looked at before the thread.
    chat.refuse(commit("b:7", "a:tell").thread("u"), "request_not_request");
    chat.ok(request("a:9").thread("u"))
        .ok(commit("b:6", "a:9").thread("u"));
}

/// T4.25: `replaces` names a COMMIT.
#[test]
fn t4_25_replaces_not_commit() {
    let mut chat = room();
    for other in OTHERS.into_iter().chain(["a:1", "b:2"]) {
        let words = request(&format!("a:x{other}")).body("replaces", json!(other));
        chat.refuse(words, "replaces_not_commit");
    }
    chat.ok(request("a:9").body("replaces", json!("b:1")));
}

/// T4.26: only the original requester issues the request that replaces; a name is an author.
#[test]
fn t4_26_replaces_other_requester() {
    let mut chat = room();
    for other in ["b:9", "c:9", "d:9"] {
        let words = request(other).body("replaces", json!("b:1"));
        chat.refuse(words, "replaces_other_requester");
    }
    // In another thread it is allowed.
    chat.ok(request("a:9").thread("u").body("replaces", json!("b:1")));
}

/// S3.07: a REPORT names a COMMIT.
#[test]
fn s3_07_commitment_not_commit() {
    let mut chat = room();
    for other in OTHERS.into_iter().chain(["a:1", "b:2"]) {
        let words = report(&format!("b:x{other}"), other, "active");
        chat.refuse(words, "commitment_not_commit");
    }
}

/// T2.07: by nobody but its author, whatever the state.
#[test]
fn t2_07_commitment_other_author() {
    let mut chat = room();
    for (id, state) in [("a:9", "active"), ("c:9", "failed"), ("d:9", "fulfilled")] {
        chat.refuse(report(id, "b:1", state), "commitment_other_author");
    }
    // The act is looked at before the author, the author before the evidence.
    chat.refuse(report("c:8", "a:1", "active"), "commitment_not_commit");
    let bare = report("c:7", "b:1", "fulfilled").citing(&[]);
    chat.refuse(bare, "commitment_other_author");
    // From another thread it is allowed.
    chat.ok(report("b:9", "b:1", "blocked").thread("u"));
}

/// T4.08, R-07: `fulfilled` needs one claim that cites; no other state does.
#[test]
fn t4_08_fulfilled_without_evidence() {
    let mut chat = room();
    chat.refuse(
        report("b:3", "b:1", "fulfilled").citing(&[]),
        "fulfilled_without_evidence",
    );
    let bare = json!([claim("one"), claim("two")]);
    chat.refuse(
        report("b:4", "b:1", "fulfilled").body("claims", bare.clone()),
        "fulfilled_without_evidence",
    );
    // Evidence that stands in the envelope, uncited, is not cited.
    chat.refuse(
        report("b:5", "b:1", "fulfilled")
            .citing(&[])
            .giving("ev:1", "green"),
        "fulfilled_without_evidence",
    );
    for state in ["active", "blocked", "failed"] {
        chat.ok(report(&format!("b:{state}"), "b:1", state).citing(&[]));
    }
    let mut second = bare;
    second[1]["evidence"] = json!(["ev:nowhere"]);
    chat.ok(report("b:6", "b:1", "fulfilled").body("claims", second));
}

/// T4.13: only five acts are revised.
#[test]
fn t4_13_target_not_revisable() {
    let mut chat = room();
    for other in ["a:ask", "a:challenge", "a:decline", "a:ack", "a:revise"] {
        chat.refuse(
            retell(&format!("a:x{other}"), other, other),
            "target_not_revisable",
        );
        chat.refuse(
            withdraw(&format!("a:y{other}"), other, other),
            "target_not_revisable",
        );
    }
    for (id, target) in [
        ("a:11", "a:1"),
        ("a:12", "a:propose"),
        ("b:11", "b:1"),
        ("b:12", "b:2"),
    ] {
        chat.ok(withdraw(id, target, target));
    }
    chat.ok(withdraw("a:13", "a:tell", "a:revise"));
    // A REVISE is never a target, even of its own author.
    chat.refuse(withdraw("a:14", "a:13", "a:13"), "target_not_revisable");
}

/// T4.13, T8.01: only by the target's author; the act is looked at first.
#[test]
fn t4_13_target_other_author() {
    let mut chat = room();
    chat.refuse(withdraw("b:9", "a:1", "a:1"), "target_other_author");
    chat.refuse(withdraw("d:9", "a:1", "a:1"), "target_other_author");
    chat.refuse(withdraw("a:9", "b:1", "b:1"), "target_other_author");
    chat.refuse(withdraw("b:8", "a:ack", "a:ack"), "target_not_revisable");
    // The author is looked at before `previous`.
    chat.refuse(withdraw("b:7", "a:1", "b:1"), "target_other_author");
}

/// T4.16: `previous` is the target or a REVISE of the same target.
#[test]
fn t4_16_previous_not_in_chain() {
    let mut chat = room();
    chat.ok(tell("a:2")).ok(retell("a:3", "a:2", "a:2"));
    for previous in ["a:1", "b:1", "a:ack", "a:revise", "a:2x"] {
        if previous == "a:2x" {
            chat.ok(tell("a:2x"));
        }
        let id = format!("a:p{previous}");
        chat.refuse(retell(&id, "a:2", previous), "previous_not_in_chain");
    }
    chat.ok(retell("a:4", "a:2", "a:3"))
        .ok(retell("a:5", "a:2", "a:4"));
    // An earlier one may be named again: that is a fork, and no error.
    chat.ok(retell("a:6", "a:2", "a:3"));
    // `previous` is looked at before the replacement.
    let both = retell("a:7", "a:2", "a:1").body("replacement", json!({}));
    chat.refuse(both, "previous_not_in_chain");
}

/// S3.09: only REQUEST and PROPOSE are declined.
#[test]
fn s3_09_target_not_declinable() {
    let mut chat = room();
    let others = [
        "b:1",
        "b:2",
        "a:ask",
        "a:tell",
        "a:challenge",
        "a:decline",
        "a:ack",
        "a:revise",
    ];
    for other in others {
        chat.refuse(
            decline(&format!("c:{other}"), other),
            "target_not_declinable",
        );
    }
    chat.ok(decline("c:1", "a:1"))
        .ok(decline("c:2", "a:propose"));
    // Also one's own, and late.
    chat.ok(decline("a:9", "a:1")).ok(decline("b:9", "a:1"));
}

/// S3.06: nothing rests on a rejected message, whatever the reference.
#[test]
fn s3_06_reference_rejected() {
    let mut chat = room();
    chat.refuse(commit("b:bad", "a:tell"), "request_not_request");
    let bad = "b:bad";
    for words in [
        ask("a:20").reply(bad),
        ask("a:21").body("about", json!(bad)),
        tell("a:22").reply(bad),
        propose("a:23").reply(bad),
        request("a:24").reply(bad),
        request("a:25").body("replaces", json!(bad)),
        commit("b:26", bad),
        report("b:27", bad, "active"),
        challenge("a:28", bad),
        withdraw("b:29", bad, bad),
        withdraw("a:30", "a:1", bad),
        decline("a:31", bad),
        ack("a:32", bad),
    ] {
        chat.refuse(words, "reference_rejected");
    }
    // And so on down.
    chat.refuse(ack("c:1", "a:32"), "reference_rejected");
}

/// S3.05: the rejected reference comes before every other rule.
#[test]
fn s3_05_reference_rejected_comes_first() {
    let mut chat = room();
    chat.refuse(decline("c:1", "b:1"), "target_not_declinable");
    chat.refuse(commit("b:9", "a:tell").reply("c:1"), "reference_rejected");
    chat.refuse(decline("c:2", "a:tell").reply("c:1"), "reference_rejected");
    chat.refuse(withdraw("b:8", "a:tell", "c:1"), "reference_rejected");
}

/// S3.05: ASK, TELL, PROPOSE, CHALLENGE and ACK have the first rule only.
#[test]
fn s3_05_five_acts_may_refer_to_anything_accepted() {
    let mut chat = room();
    let all = OTHERS.into_iter().chain(["a:1", "b:1", "b:2"]);
    for (n, other) in all.enumerate() {
        chat.ok(ask(&format!("c:ask{n}")).body("about", json!(other)));
        chat.ok(tell(&format!("c:tell{n}")).reply(other).thread("u"));
        chat.ok(propose(&format!("c:propose{n}")).reply(other));
        chat.ok(challenge(&format!("c:challenge{n}"), other));
        chat.ok(ack(&format!("c:ack{n}"), other));
    }
}

/// what no rule forbids is allowed.
#[test]
fn r_16_everything_else_is_allowed() {
    let mut chat = room();
    // To a request of one's own, twice, unasked, and after declining.
    chat.ok(commit("a:9", "a:1")).ok(commit("a:10", "a:1"));
    chat.ok(decline("c:1", "a:1")).ok(commit("c:2", "a:1"));
    chat.ok(commit("c:3", "a:1").with("to", json!(["nobody"])));
    // Late, and across threads.
    chat.ok(decline("b:9", "a:1"));
    chat.ok(report("b:10", "b:1", "active").thread("elsewhere"));
    chat.ok(withdraw("b:11", "b:1", "b:1").thread("elsewhere"));
    assert_eq!(chat.list("a:9", "reports"), "");
    assert_eq!(chat.commitment("a:9")["requester"], "a");
}

/// S3.03: rules look at originals only; a withdrawn, replaced or conflicted target changes no status.
#[test]
fn s3_03_rules_do_not_look_at_the_lifecycle() {
    let mut chat = room();
    chat.ok(withdraw("a:9", "a:1", "a:1"));
    chat.ok(commit("c:1", "a:1"));
    chat.ok(report("b:3", "b:1", "failed"))
        .ok(withdraw("b:4", "b:1", "b:1"));
    chat.ok(report("b:5", "b:1", "active"));
    chat.ok(request("a:10").body("replaces", json!("b:1")));
    chat.ok(decline("b:6", "a:1"));
}
