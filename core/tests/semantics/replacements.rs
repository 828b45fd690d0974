//! §3: what a REVISE may put in the target's place, and when the replacement gates.

use serde_json::{Value, json};

use crate::common::{
    Chat, ack, claim, commit, commit_body, propose, replace, report, report_body, request,
    request_body, tell,
};

fn replacing(commitment: &str) -> Value {
    let mut body = request_body();
    body["replaces"] = json!(commitment);
    body
}

/// S3.08: a whole body of the target's act is needed, of each of the five acts.
#[test]
fn s3_08_a_body_of_the_targets_act() {
    let mut chat = Chat::deal();
    chat.ok(tell("b:t"))
        .ok(propose("b:p"))
        .ok(request("b:r"))
        .ok(report("b:2", "b:1", "active"));
    let bodies = [
        ("b:t", tell("b:x").body_value()),
        ("b:p", propose("b:x").body_value()),
        ("b:r", request_body()),
        ("b:1", commit_body("a:1")),
        ("b:2", report_body("b:1", "blocked")),
    ];
    for (n, (target, _)) in bodies.iter().enumerate() {
        for (m, (_, body)) in bodies.iter().enumerate() {
            let words = replace(&format!("b:x{n}{m}"), target, target, body.clone());
            chat.expect_code(
                words,
                if n == m {
                    "accepted"
                } else {
                    "replacement_invalid"
                },
            );
        }
    }
}

impl Chat {
    fn expect_code(&mut self, words: crate::common::Words, code: &str) {
        let text = words.text();
        assert_eq!(self.say(words), code, "{text}");
    }
}

/// S3.08: shape counts in full: missing, additional, mistyped and empty fields, and `extensions`.
#[test]
fn s3_08_a_replacement_is_shaped_like_a_whole_body() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"));
    let change = |field: &str, value: Value| {
        let mut body = request_body();
        if value == json!("absent") {
            body.as_object_mut().unwrap().remove(field);
        } else {
            body[field] = value;
        }
        body
    };
    let cases = [
        (json!({}), false),
        (change("action", json!("absent")), false),
        (change("action", json!("")), false),
        (change("action", json!(1)), false),
        (change("done_when", json!(null)), false),
        (change("constraints", json!([""])), false),
        (change("authority_ref", json!("absent")), false),
        (change("mood", json!("good")), false),
        (change("replaces", json!(null)), false),
        (change("replaces", json!("nocolon")), false),
        (change("extensions", json!([])), false),
        (change("extensions", json!({"x": [1e3]})), true),
        (change("constraints", json!([])), true),
        (change("authority_ref", json!("g")), true),
    ];
    for (n, (body, valid)) in cases.into_iter().enumerate() {
        let words = replace(&format!("a:x{n}"), "a:1", "a:1", body);
        chat.expect_code(
            words,
            if valid {
                "accepted"
            } else {
                "replacement_invalid"
            },
        );
    }
    // A REVISE as replacement is no body of a revisable act either.
    let body = replace("a:z", "a:1", "a:1", request_body()).body_value();
    chat.refuse(replace("a:9", "a:1", "a:1", body), "replacement_invalid");
}

/// S3.08: the replacement obeys the rules of the act in the target's place: thread of the target.
#[test]
fn s3_08_a_replacement_for_a_commit_obeys_its_rules() {
    let mut chat = Chat::deal();
    chat.ok(request("a:2"))
        .ok(request("a:3").thread("u"))
        .ok(tell("a:4"));
    chat.ok(replace("b:2", "b:1", "b:1", commit_body("a:2")));
    chat.refuse(
        replace("b:3", "b:1", "b:2", commit_body("a:3")),
        "replacement_invalid",
    );
    chat.refuse(
        replace("b:4", "b:1", "b:2", commit_body("a:4")),
        "replacement_invalid",
    );
    // The thread of the REVISE itself plays no part.
    chat.ok(replace("b:5", "b:1", "b:2", commit_body("a:2")).thread("u"));
    chat.refuse(
        replace("b:6", "b:1", "b:5", commit_body("a:3")).thread("u"),
        "replacement_invalid",
    );
}

/// S3.08, T4.26: and for a REQUEST: `replaces` names a COMMIT to a request of the target's author.
#[test]
fn s3_08_a_replacement_for_a_request_obeys_its_rules() {
    let mut chat = Chat::deal();
    chat.ok(request("c:1")).ok(commit("b:9", "c:1"));
    chat.ok(replace("a:2", "a:1", "a:1", replacing("b:1")));
    chat.refuse(
        replace("a:3", "a:1", "a:2", replacing("b:9")),
        "replacement_invalid",
    );
    chat.refuse(
        replace("a:4", "a:1", "a:2", replacing("a:1")),
        "replacement_invalid",
    );
    chat.ok(replace("c:2", "c:1", "c:1", replacing("b:9")));
}

/// S3.08, R-07: and for a REPORT: `fulfilled` cites.
#[test]
fn s3_08_a_replacement_for_a_report_obeys_its_rules() {
    let mut chat = Chat::deal();
    chat.ok(report("b:2", "b:1", "active"))
        .ok(request("a:2"))
        .ok(commit("a:3", "a:2"));
    let mut bare = report_body("b:1", "fulfilled");
    bare["claims"] = json!([claim("done")]);
    chat.refuse(replace("b:3", "b:2", "b:2", bare), "replacement_invalid");
    // A commitment of somebody else fails as a REPORT before it fails as another commitment.
    chat.refuse(
        replace("b:4", "b:2", "b:2", report_body("a:3", "active")),
        "replacement_invalid",
    );
    chat.refuse(
        replace("b:5", "b:2", "b:2", report_body("a:1", "active")),
        "replacement_invalid",
    );
    chat.ok(replace(
        "b:6",
        "b:2",
        "b:2",
        report_body("b:1", "fulfilled"),
    ));
}

/// R-08: a revised REPORT keeps its commitment.
#[test]
fn r_08_replacement_other_commitment() {
    let mut chat = Chat::deal();
    chat.ok(commit("b:9", "a:1"))
        .ok(report("b:2", "b:1", "active"));
    chat.refuse(
        replace("b:3", "b:2", "b:2", report_body("b:9", "active")),
        "replacement_other_commitment",
    );
    assert_eq!(chat.list("b:9", "reports"), "");
}

/// R-08: links come from original bodies only.
#[test]
fn r_08_links_are_read_from_the_originals() {
    let mut chat = Chat::deal();
    chat.ok(request("a:2"));
    chat.ok(replace("b:2", "b:1", "b:1", commit_body("a:2")));
    assert_eq!(chat.commitment("b:1")["request"], "a:1");
    assert_eq!(chat.at("/requests/a:1/committed_by"), json!(["b:1"]));
    assert_eq!(chat.at("/requests/a:2/committed_by"), json!([]));
    // A request that comes to replace a commitment by revision supersedes nothing.
    chat.ok(replace("a:3", "a:2", "a:2", replacing("b:1")))
        .ok(commit("b:4", "a:2"));
    assert_eq!(chat.list("b:1", "superseded_by"), "");
    assert_eq!(chat.at("/requests/a:2/replaces"), json!(null));
    // And one that ceases to replace it by revision still does.
    chat.ok(request("a:5").body("replaces", json!("b:1")));
    chat.ok(replace("a:6", "a:5", "a:5", request_body()))
        .ok(commit("b:5", "a:5"));
    assert_eq!(chat.list("b:1", "superseded_by"), "b:5");
    assert_eq!(chat.at("/requests/a:5/replaces"), "b:1");
}

/// S3.01: the replacement begins to gate when the target is known and of its act.
#[test]
fn s3_01_a_replacement_gates_from_when_the_target_is_known() {
    let mut chat = Chat::new();
    chat.wait(replace("a:3", "a:2", "a:2", replacing("b:7")));
    assert_eq!(chat.waiting(), ["a:2"]);
    chat.ok(request("a:2"));
    assert!(chat.released().is_empty());
    assert_eq!(chat.at("/messages/a:3/waiting_for"), json!(["b:7"]));
    chat.ok(request("a:1"));
    chat.ok(commit("b:7", "a:1"));
    assert_eq!(chat.released(), ["a:3"]);
}

/// S3.01: with a target of another act the replacement does not gate, and fails.
#[test]
fn s3_01_a_replacement_of_another_act_does_not_gate() {
    let mut chat = Chat::new();
    chat.wait(replace("a:3", "a:2", "a:2", replacing("b:7")));
    chat.ok(tell("a:2"));
    assert_eq!(chat.released(), ["a:3 replacement_invalid"]);
    // Nor with a target that cannot be revised.
    chat.wait(replace("a:5", "a:4", "a:4", replacing("b:7")));
    chat.ok(ack("a:4", "a:2"));
    assert_eq!(chat.released(), ["a:5 target_not_revisable"]);
}

/// S3.01: a known target is enough, be it pending or of somebody else.
#[test]
fn s3_01_a_pending_or_foreign_target_opens_the_replacement() {
    let mut chat = Chat::new();
    chat.wait(replace("a:3", "a:2", "a:2", replacing("b:7")));
    chat.wait(request("a:2").reply("x:1"));
    assert_eq!(chat.at("/messages/a:3/waiting_for"), json!(["a:2", "b:7"]));
    chat.ok(request("c:1"));
    chat.wait(replace("a:4", "c:1", "c:1", replacing("b:7")));
    assert_eq!(
        chat.waiting(),
        ["b:7"],
        "hopeless, and pending all the same"
    );
}

/// S3.01, S3.06: a replacement that rests on a rejected message fails by the first rule.
#[test]
fn s3_06_a_gating_replacement_names_a_rejected_message() {
    let mut chat = Chat::deal();
    chat.ok(tell("a:9"))
        .refuse(commit("b:9", "a:9"), "request_not_request");
    chat.refuse(
        replace("a:2", "a:1", "a:1", replacing("b:9")),
        "reference_rejected",
    );
    chat.refuse(
        replace("a:3", "a:9", "a:9", replacing("b:9")),
        "replacement_invalid",
    );
}

/// S3.01: a reference that is named twice is waited for once, also when it opens late.
#[test]
fn s3_01_the_same_reference_in_a_replacement() {
    let mut chat = Chat::new();
    chat.wait(replace("a:3", "a:2", "a:2", replacing("b:7")).reply("b:7"));
    chat.ok(request("a:2"));
    assert_eq!(chat.at("/messages/a:3/waiting_for"), json!(["b:7"]));
    chat.ok(request("a:1")).ok(commit("b:7", "a:1"));
    assert_eq!(chat.released(), ["a:3"]);
    assert_eq!(chat.state.pending(), 0);
}

/// S3.01, R-15: a later version of the target opens nothing.
#[test]
fn s3_01_the_first_version_of_the_target_decides() {
    let mut chat = Chat::new();
    chat.ok(tell("a:2"));
    chat.conflict(request("a:2"));
    chat.refuse(
        replace("a:3", "a:2", "a:2", replacing("b:7")),
        "replacement_invalid",
    );
}

/// T4.14, S2.10: object with replace, null with withdraw, decided at stage 3; contents at stage 6.
#[test]
fn t4_14_replacement_and_mode() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    chat.refuse(
        replace("a:2", "a:1", "a:1", json!(null)),
        "replacement_mismatch",
    );
    chat.refuse(
        replace("a:2", "a:1", "a:1", tell("a:9").body_value()).body("mode", json!("withdraw")),
        "replacement_mismatch",
    );
    assert_eq!(chat.status("a:2"), "unknown", "R-01: takes no id");
    chat.refuse(
        replace("a:2", "a:1", "a:1", json!({})),
        "replacement_invalid",
    );
    assert_eq!(
        chat.status("a:2"),
        "replacement_invalid",
        "R-01: takes its id"
    );
}
