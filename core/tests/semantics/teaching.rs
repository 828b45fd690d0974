//! What a refusal teaches: code, clause, where in the message, and a sentence that names what is
//! wrong. Codes are API and sentences are not, but they must be the right ones.

use serde_json::json;
use tern_core::Topic;

use crate::common::{
    Chat, Words, ack, ask, challenge, commit, commit_body, decline, propose, replace, report,
    report_body, request, request_body, tell, withdraw,
};

/// `a:1` asks and `b:1` promises; `b:2` reports. `c:1` is a REQUEST of another thread, `a:9` is
/// rejected, `b:5` is a promise to `c`.
fn chat() -> Chat {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1"))
        .ok(report("b:2", "b:1", "active"))
        .ok(tell("a:2"))
        .ok(request("c:1").thread("u"))
        .ok(request("c:2"))
        .ok(commit("b:5", "c:2"))
        .refuse(decline("a:9", "a:2"), "target_not_declinable");
    chat
}

fn refused(words: Words, code: &str, pointer: &str, sentence: &str) {
    let mut chat = chat();
    assert_eq!(chat.say(words.clone()), code, "{}", words.text());
    let verdict = &chat.outcomes.last().unwrap().verdict;
    let finding = &verdict.rejection().unwrap().findings()[0];
    assert_eq!(
        (finding.pointer.as_str(), finding.message.as_str()),
        (pointer, sentence),
        "{code}"
    );
    assert_eq!(verdict.clause(), finding.code.clause(), "{code}");
    // The bytes that it marks are the value that the pointer names.
    let text = words.text();
    let marked: serde_json::Value = serde_json::from_str(&text[finding.span.clone()]).unwrap();
    assert_eq!(words.value.pointer(pointer), Some(&marked), "{code}");
}

/// S3.05 to S3.09, T4.02, T4.13, T4.16, T4.25, T4.26, R-07, R-08: each rule says what it is about.
#[test]
fn s3_05_each_rule_says_what_is_wrong_and_where() {
    let naming = |field: &str, id: &str| request("a:10").body(field, json!(id));
    refused(
        commit("b:10", "a:2"),
        "request_not_request",
        "/body/request",
        "`a:2` is TELL, not a REQUEST",
    );
    refused(
        commit("b:10", "c:1"),
        "request_other_thread",
        "/body/request",
        "request `c:1` is in thread `u`, not in `t`",
    );
    refused(
        naming("replaces", "a:2"),
        "replaces_not_commit",
        "/body/replaces",
        "`a:2` is TELL, not a COMMIT",
    );
    refused(
        naming("replaces", "b:5"),
        "replaces_other_requester",
        "/body/replaces",
        "commitment `b:5` was requested by `c`; `a` may not replace it",
    );
    refused(
        report("b:10", "a:1", "active"),
        "commitment_not_commit",
        "/body/commitment",
        "`a:1` is REQUEST, not a COMMIT",
    );
    refused(
        report("a:10", "b:1", "active"),
        "commitment_other_author",
        "/body/commitment",
        "commitment `b:1` is by `b`; `a` may not report on it",
    );
    refused(
        report("b:10", "b:1", "fulfilled").citing(&[]),
        "fulfilled_without_evidence",
        "/body/claims",
        "`b:1` is reported fulfilled, but no claim cites evidence",
    );
    refused(
        withdraw("a:10", "a:9", "a:9"),
        "reference_rejected",
        "/body/target",
        "`a:9` was rejected, so nothing can rest on it",
    );
    let mut chat = chat();
    chat.ok(ask("a:3"));
    assert_eq!(
        chat.say(withdraw("a:10", "a:3", "a:3")),
        "target_not_revisable"
    );
    refused(
        withdraw("b:10", "a:2", "a:2"),
        "target_other_author",
        "/body/target",
        "`a:2` is by `a`; `b` may not revise it",
    );
    refused(
        withdraw("a:10", "a:2", "a:1"),
        "previous_not_in_chain",
        "/body/previous",
        "`a:1` is neither the target nor a revision of it",
    );
    refused(
        replace("a:10", "a:2", "a:2", json!({})),
        "replacement_invalid",
        "/body/replacement",
        "the replacement could not stand as the TELL `a:2`",
    );
    refused(
        replace("b:10", "b:2", "b:2", report_body("b:5", "active")),
        "replacement_other_commitment",
        "/body/replacement/commitment",
        "the replacement reports on `b:5`, the target on another commitment",
    );
    refused(
        decline("b:10", "a:2"),
        "target_not_declinable",
        "/body/target",
        "`a:2` is TELL; only a REQUEST or a PROPOSE is declined",
    );
}

/// S3.06: whichever field names a rejected message, the pointer leads to it.
#[test]
fn s3_06_the_pointer_leads_to_the_rejected_reference() {
    let replaces = |id: &str| {
        let mut body = request_body();
        body["replaces"] = json!(id);
        body
    };
    let mut chat = chat();
    chat.ok(propose("a:4"));
    for (words, pointer) in [
        (tell("a:10").reply("a:9"), "/reply"),
        (ask("a:10").body("about", json!("a:9")), "/body/about"),
        (
            request("a:10").body("replaces", json!("a:9")),
            "/body/replaces",
        ),
        (commit("b:10", "a:9"), "/body/request"),
        (report("b:10", "a:9", "active"), "/body/commitment"),
        (challenge("b:10", "a:9"), "/body/target"),
        (decline("b:10", "a:9"), "/body/target"),
        (ack("b:10", "a:9"), "/body/target"),
        (withdraw("a:10", "a:9", "a:1"), "/body/target"),
        (withdraw("a:10", "a:1", "a:9"), "/body/previous"),
        (
            replace("a:10", "a:1", "a:1", replaces("a:9")),
            "/body/replacement/replaces",
        ),
        (
            replace("b:10", "b:1", "b:1", commit_body("a:9")),
            "/body/replacement/request",
        ),
        (
            replace("b:10", "b:2", "b:2", report_body("a:9", "active")),
            "/body/replacement/commitment",
        ),
    ] {
        refused(
            words,
            "reference_rejected",
            pointer,
            "`a:9` was rejected, so nothing can rest on it",
        );
    }
}

/// S2.12: who is not whom.
#[test]
fn s2_12_identity_says_who_is_not_whom() {
    refused(
        tell("a:10").with("from", json!("b")),
        "id_not_of_sender",
        "/id",
        "id `a:10` does not begin with `b:`",
    );
    refused(
        tell("z:10"),
        "sender_unbound",
        "/from",
        "context `design` binds no participant `z`",
    );
    refused(
        tell("a:10").via(None),
        "principal_missing",
        "/from",
        "`a` is bound to a principal, but the channel authenticated nobody",
    );
    refused(
        tell("a:10").via(Some("key:b")),
        "principal_mismatch",
        "/from",
        "`a` is bound to `key:a`, but the channel authenticated `key:b`",
    );
}

/// S2.15, S3.02, S3.04, T1.27, S6.02: outcomes and explanations name their clauses, and a promise its
/// obstacles.
#[test]
fn s2_15_outcomes_and_explanations_name_clauses() {
    let mut chat = Chat::new();
    let clause = |chat: &Chat| chat.outcomes.last().unwrap().verdict.clause();
    chat.ok(request("a:1"));
    assert_eq!(clause(&chat), "S3.02");
    chat.say(request("a:1"));
    assert_eq!(clause(&chat), "T1.27");
    chat.wait(ack("a:2", "b:9"));
    assert_eq!(clause(&chat), "S3.02");
    chat.wait(ack("a:3", "a:4"))
        .wait(ack("a:4", "a:3"))
        .wait(ack("a:5", "a:4"));
    let of = |chat: &Chat, id: &str| chat.state.explain(id).unwrap().findings[0].clause;
    assert_eq!(
        [of(&chat, "a:3"), of(&chat, "a:5"), of(&chat, "a:2")],
        ["S3.04", "S3.02", "S3.02"]
    );

    chat.ok(commit("b:1", "a:1"));
    let explained = chat.state.explain("b:1").unwrap();
    let obstacles = explained
        .findings
        .iter()
        .filter(|it| it.topic == Topic::Blocked);
    let codes: Vec<_> = obstacles.filter_map(|it| it.code).collect();
    assert_eq!(codes, ["no_authority"]);
}
