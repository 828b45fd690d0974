//! §4: revision chains.

use serde_json::json;

use crate::common::{
    Chat, Words, ack, ask, challenge, commit_body, replace, request, request_body, retell, tell,
    withdraw,
};

fn told() -> Chat {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    chat
}

fn digest(value: &serde_json::Value) -> serde_json::Value {
    let text = value.to_string();
    json!(tern_core::Digest::of(text.as_bytes()).to_string())
}

/// S4.02, S7.08: without a revision there is no chain; with a pending one it is `original`.
#[test]
fn s4_02_original() {
    let mut chat = told();
    assert_eq!(chat.chain("a:1"), "none");
    chat.wait(retell("a:2", "a:1", "a:9"));
    assert_eq!(chat.chain("a:1"), "original a:1");
    assert_eq!(
        chat.at("/chains/a:1"),
        json!({"state": "original", "head": "a:1", "competing": [], "revisions": [],
            "pending": ["a:2"], "content": digest(&tell("a:1").body_value())})
    );
}

/// S4.01, S4.02, T4.17: the only successor is followed; the last step decides.
#[test]
fn s4_02_replaced_and_withdrawn() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"));
    assert_eq!(chat.chain("a:1"), "replaced a:2");
    let body = retell("a:2", "a:1", "a:1").value["body"]["replacement"].clone();
    assert_eq!(chat.at("/chains/a:1/content"), digest(&body));
    chat.ok(withdraw("a:3", "a:1", "a:2"));
    assert_eq!(chat.chain("a:1"), "withdrawn a:3");
    assert_eq!(chat.at("/chains/a:1/content"), json!(null));
    assert_eq!(chat.at("/chains/a:1/revisions"), json!(["a:2", "a:3"]));
}

/// a replace after a withdraw is a valid successor.
#[test]
fn r_11_replace_after_withdraw() {
    let mut chat = told();
    chat.ok(withdraw("a:2", "a:1", "a:1"))
        .ok(retell("a:3", "a:1", "a:2"));
    assert_eq!(chat.chain("a:1"), "replaced a:3");
    let body = retell("a:3", "a:1", "a:2").value["body"]["replacement"].clone();
    assert_eq!(chat.at("/chains/a:1/content"), digest(&body));
    chat.ok(withdraw("a:4", "a:1", "a:3"))
        .ok(withdraw("a:5", "a:1", "a:4"));
    assert_eq!(chat.chain("a:1"), "withdrawn a:5");
}

/// S4.03, T4.18: a fork at the target itself.
#[test]
fn s4_03_a_fork_at_the_target() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"))
        .ok(withdraw("a:3", "a:1", "a:1"));
    assert_eq!(chat.chain("a:1"), "conflicted a:1: a:2 a:3");
    assert_eq!(chat.at("/chains/a:1/content"), json!(null));
    // A third one competes as well.
    chat.ok(retell("a:4", "a:1", "a:1"));
    assert_eq!(chat.chain("a:1"), "conflicted a:1: a:2 a:3 a:4");
}

/// S4.03: a fork at each depth of a chain of four steps, whenever the competing step comes.
#[test]
fn s4_03_a_fork_at_each_depth() {
    let steps = ["a:1", "a:2", "a:3", "a:4", "a:5"];
    for depth in 0..4 {
        for early in [false, true] {
            let mut chat = told();
            let rival = retell("a:9", "a:1", steps[depth]);
            let mut chain: Vec<Words> = (1..5)
                .map(|n| retell(steps[n], "a:1", steps[n - 1]))
                .collect();
            chain.insert(if early { depth } else { 4 }, rival);
            for words in chain {
                chat.ok(words);
            }
            let expected = format!("conflicted {}: {} a:9", steps[depth], steps[depth + 1]);
            assert_eq!(chat.chain("a:1"), expected, "depth {depth}, early {early}");
            assert_eq!(
                chat.at("/chains/a:1/revisions"),
                json!(["a:2", "a:3", "a:4", "a:5", "a:9"])
            );
        }
    }
}

/// S4.03: what hangs below a fork decides nothing, a second fork neither.
#[test]
fn s4_03_below_a_fork_nothing_decides() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"))
        .ok(withdraw("a:3", "a:1", "a:2"));
    chat.ok(retell("a:4", "a:1", "a:2"))
        .ok(retell("a:5", "a:1", "a:4"));
    assert_eq!(chat.chain("a:1"), "conflicted a:2: a:3 a:4");
    chat.ok(retell("a:6", "a:1", "a:4"))
        .ok(withdraw("a:7", "a:1", "a:5"));
    assert_eq!(chat.chain("a:1"), "conflicted a:2: a:3 a:4");
    // A fork nearer to the target takes over.
    chat.ok(withdraw("a:8", "a:1", "a:1"));
    assert_eq!(chat.chain("a:1"), "conflicted a:1: a:2 a:8");
}

/// T4.18, R-13: neither branch wins by coming first.
#[test]
fn t4_18_order_of_arrival_decides_nothing() {
    let (one, other) = (retell("a:2", "a:1", "a:1"), withdraw("a:3", "a:1", "a:1"));
    let mut here = told();
    here.ok(one.clone()).ok(other.clone());
    let mut there = told();
    there.ok(other).ok(one);
    assert_eq!(here.view(), there.view());
}

/// R-10, T4.20: no message about the target clears a conflict.
#[test]
fn r_10_nothing_clears_a_conflict() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"))
        .ok(retell("a:3", "a:1", "a:1"));
    let conflicted = "conflicted a:1: a:2 a:3";
    chat.ok(ack("a:4", "a:2"))
        .ok(ack("b:1", "a:2"))
        .ok(challenge("a:5", "a:3"));
    chat.ok(tell("a:6").reply("a:2"));
    chat.ok(ask("a:7").reply("a:2").body("about", json!("a:3")));
    chat.ok(withdraw("a:8", "a:1", "a:3"))
        .ok(retell("a:9", "a:1", "a:8"));
    assert_eq!(chat.chain("a:1"), conflicted);
    // A revision after both is no merge: it continues one branch.
    chat.ok(retell("a:10", "a:1", "a:2").reply("a:9"));
    assert_eq!(chat.chain("a:1"), conflicted);
    // A fresh message stands for itself.
    chat.ok(tell("a:11").reply("a:1"));
    assert_eq!(chat.chain("a:11"), "none");
}

/// a pending REVISE by the author is known; it has no effect on the chain.
#[test]
fn r_09_known_pending_revisions_have_no_effect() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"));
    chat.wait(retell("a:3", "a:1", "a:1").reply("x:1"));
    assert_eq!(chat.chain("a:1"), "replaced a:2");
    assert_eq!(chat.at("/chains/a:1/pending"), json!(["a:3"]));
    // Also one that can only be rejected.
    chat.ok(tell("a:8"))
        .wait(withdraw("a:4", "a:1", "a:8").reply("x:1"));
    assert_eq!(chat.at("/chains/a:1/pending"), json!(["a:3", "a:4"]));
}

/// by somebody else it counts for nothing, nor of a target that cannot be revised.
#[test]
fn r_09_others_count_for_nothing() {
    let mut chat = told();
    chat.wait(retell("b:1", "a:1", "a:1").reply("x:1"));
    chat.wait(retell("d:1", "a:1", "a:1").reply("x:1"));
    assert_eq!(chat.chain("a:1"), "none");
    chat.ok(ack("a:2", "a:1"))
        .wait(retell("a:3", "a:2", "a:2").reply("x:1"));
    assert_eq!(chat.at("/chains"), json!({}));
    // A pending target has no chain.
    chat.wait(tell("a:4").reply("x:1"))
        .wait(retell("a:5", "a:4", "a:4"));
    assert_eq!(chat.chain("a:4"), "none");
}

/// R-09, S4.03: the pending branch of the example, and its successor, which waits for it.
#[test]
fn r_09_a_pending_branch_does_not_compete() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"))
        .ok(withdraw("a:3", "a:1", "a:2"));
    chat.wait(retell("a:4", "a:1", "a:2").reply("c:1"))
        .wait(retell("a:5", "a:1", "a:4"));
    assert_eq!(chat.chain("a:1"), "withdrawn a:3");
    assert_eq!(chat.at("/chains/a:1/pending"), json!(["a:4", "a:5"]));
    chat.ok(tell("c:1"));
    assert_eq!(chat.released(), ["a:4", "a:5"]);
    assert_eq!(chat.chain("a:1"), "conflicted a:2: a:3 a:4");
    assert_eq!(chat.at("/chains/a:1/pending"), json!([]));
}

/// S4.01: a rejected REVISE is no successor.
#[test]
fn s4_01_rejected_revisions_do_not_compete() {
    let mut chat = told();
    chat.ok(retell("a:2", "a:1", "a:1"));
    chat.refuse(
        replace("a:3", "a:1", "a:1", json!({})),
        "replacement_invalid",
    );
    chat.refuse(retell("b:1", "a:1", "a:1"), "target_other_author");
    assert_eq!(chat.chain("a:1"), "replaced a:2");
}

/// S4.01: chains of different targets are apart, and every revisable act has one.
#[test]
fn s4_01_each_target_has_its_own_chain() {
    let mut chat = Chat::deal();
    chat.ok(withdraw("a:2", "a:1", "a:1"))
        .ok(replace("b:2", "b:1", "b:1", commit_body("a:1")));
    assert_eq!(chat.chain("a:1"), "withdrawn a:2");
    assert_eq!(chat.chain("b:1"), "replaced b:2");
    chat.ok(tell("a:3")).ok(retell("a:4", "a:3", "a:3"));
    assert_eq!(chat.chain("a:3"), "replaced a:4");
    assert_eq!(chat.chain("a:2"), "none", "a REVISE has no chain");
}

/// T4.15, T8.08: revisions take away no message.
#[test]
fn t4_15_history_only_grows() {
    let mut chat = told();
    let before = chat.at("/messages/a:1");
    chat.ok(retell("a:2", "a:1", "a:1"))
        .ok(withdraw("a:3", "a:1", "a:2"));
    chat.ok(retell("a:4", "a:1", "a:1"));
    assert_eq!(chat.at("/messages/a:1"), before);
    for id in ["a:1", "a:2", "a:3", "a:4"] {
        assert_eq!(chat.status(id), "accepted");
    }
}

/// S4.02: a replacement equal to the original is a replacement all the same.
#[test]
fn s4_02_an_equal_replacement_is_a_step() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(replace("a:2", "a:1", "a:1", request_body()));
    assert_eq!(chat.chain("a:1"), "replaced a:2");
    assert_eq!(chat.at("/chains/a:1/content"), digest(&request_body()));
}
