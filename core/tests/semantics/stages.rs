//! §2: the order of the stages, identity, and which deliveries take an id.

use serde_json::json;
use tern_core::{Class, Context, Limits, State, Verdict};

use crate::common::{Chat, Words, ack, answer, ask, commit, commit_body, replace, request, tell};

fn class(chat: &Chat) -> &'static str {
    let last = chat.outcomes.last().unwrap();
    let class = last
        .verdict
        .rejection()
        .map(|rejection| rejection.code().class());
    class.map_or("none", Class::as_str)
}

/// S2.02, T1.33: each delivery is wrong at two stages; the earlier one decides.
#[test]
fn s2_02_the_first_stage_that_fails_decides() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    let version = tell("a:2").with("tern", json!("0.2")).text();
    let steps: [(String, Option<&str>, &str); 7] = [
        // bytes before version
        (
            version.replacen('{', "{\"x\":1,\"x\":2,", 1),
            Some("key:a"),
            "duplicate_key",
        ),
        // version before shape
        (
            version.replace("\"claims\"", "\"clams\""),
            Some("key:a"),
            "unsupported_version",
        ),
        // shape before identity
        (
            tell("a:2").body("claims", json!([])).text(),
            Some("key:b"),
            "empty_list",
        ),
        // identity before duplicate
        (tell("a:1").text(), Some("key:b"), "principal_mismatch"),
        (tell("a:1").otherwise().text(), None, "principal_missing"),
        // duplicate before references
        (ack("a:1", "x:404").text(), Some("key:a"), "id_conflict"),
        // references last
        (
            commit("b:1", "a:1").text(),
            Some("key:b"),
            "request_not_request",
        ),
    ];
    let classes = [
        "syntax",
        "version",
        "shape",
        "identity",
        "identity",
        "id_conflict",
        "reference",
    ];
    for ((text, principal, code), expected) in steps.into_iter().zip(classes) {
        assert_eq!(chat.raw(text.as_bytes(), principal), code, "{text}");
        assert_eq!(class(&chat), expected, "{text}");
    }
}

/// S2.12, T1.21, T1.20, T1.22: identity is tested in its own order.
#[test]
fn s2_12_identity_in_order() {
    let mut chat = Chat::new();
    let stranger = tell("z:1").via(Some("key:z"));
    // The prefix comes first, then the binding, then the principal.
    chat.refuse(
        stranger.clone().with("from", json!("y")),
        "id_not_of_sender",
    );
    chat.refuse(stranger.clone().via(None), "sender_unbound");
    chat.refuse(stranger, "sender_unbound");
    chat.refuse(tell("a:1").with("from", json!("b")), "id_not_of_sender");
    chat.refuse(tell("a:1").via(Some("key:b")), "principal_mismatch");
    chat.refuse(tell("a:1").via(None), "principal_missing");
    chat.ok(tell("a:1"));
}

/// T1.21: the prefix ends at the first colon, and case counts.
#[test]
fn t1_21_the_prefix_is_what_stands_before_the_first_colon() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1:b:2"));
    chat.refuse(tell("a:2").with("id", json!("A:2")), "id_not_of_sender");
    chat.refuse(tell("a:2").with("id", json!("ab:2")), "id_not_of_sender");
}

/// T1.23, T5.01, S8.09: without an authenticated principal a name proves nothing.
#[test]
fn t1_23_a_displayed_name_is_nobody() {
    let mut chat = Chat::new();
    chat.refuse(tell("a:1").via(None), "principal_missing");
    // Not even where the name of the principal is displayed.
    let shown = tell("a:1").with("extensions", json!({"principal": "key:a"}));
    chat.refuse(shown.via(None), "principal_missing");
    assert_eq!(chat.view()["messages"], json!({}));
}

/// R-03, T1.20: two names may share a principal, and either speaks for itself.
#[test]
fn r_03_two_names_may_share_a_principal() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).ok(tell("d:1"));
    assert_eq!(chat.at("/messages/d:1/from"), "d");
    // Still another author: the principal is not the author.
    chat.refuse(
        replace("d:2", "a:1", "a:1", tell("a:1").body_value()),
        "target_other_author",
    );
}

/// R-03, T1.25: one namespace over all threads of a context; another context is another world.
#[test]
fn r_03_ids_are_unique_across_threads_within_a_context() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1").thread("one"));
    chat.conflict(tell("a:1").thread("two"));
    chat.ok(ack("b:1", "a:1").thread("three"));

    let other = Context::new("other", [("a", "key:elsewhere")]).unwrap();
    let mut elsewhere = Chat::in_context(other, Limits::default());
    elsewhere.ok(tell("a:1")
        .thread("one")
        .otherwise()
        .via(Some("key:elsewhere")));
    elsewhere.refuse(tell("a:2").thread("one"), "principal_mismatch");
    assert_eq!(chat.at("/context"), "design");
    assert_eq!(elsewhere.at("/context"), "other");
    assert_eq!(elsewhere.at("/equivocal"), json!({}));
}

/// T1.24, R-03: bindings belong to the context and never change.
#[test]
fn t1_24_a_context_keeps_its_bindings() {
    let chat = Chat::deal();
    let before: Vec<_> = crate::common::context().participants().map(own).collect();
    let after: Vec<_> = chat.state.context().participants().map(own).collect();
    assert_eq!(before, after);
    assert!(chat.state.context().is_verified());
    assert_eq!(chat.state.context().principal_of("b"), Some("key:b"));
}

fn own((name, principal): (&str, &str)) -> (String, String) {
    (name.to_owned(), principal.to_owned())
}

/// S8.06, S8.05: no context is made that no document could hold.
#[test]
fn s8_06_contexts_that_cannot_be() {
    use tern_core::DocumentCode::{BadValue, ReservedContext};
    let new = |id: &str, bound: &[(&str, &str)]| Context::new(id, bound.iter().copied()).err();
    assert_eq!(new("unverified", &[("a", "k")]), Some(ReservedContext));
    assert_eq!(new("", &[]), Some(BadValue));
    assert_eq!(new("x", &[("a", "k"), ("", "k")]), Some(BadValue));
    assert_eq!(new("x", &[("a", "")]), Some(BadValue));
    assert_eq!(new("x", &[("a", "k"), ("b", "k")]), None);
}

/// R-01: what fails at stages 1 to 4 takes no id, and the real message can still come.
#[test]
fn r_01_a_refused_delivery_takes_no_id() {
    let mut chat = Chat::new();
    let real = tell("a:1");
    let broken: [(String, Option<&str>, &str); 4] = [
        (
            format!("{} trailing", real.text()),
            Some("key:a"),
            "trailing_text",
        ),
        (
            real.clone().with("tern", json!("1.0")).text(),
            Some("key:a"),
            "unsupported_version",
        ),
        (
            real.clone().with("mood", json!("good")).text(),
            Some("key:a"),
            "unknown_field",
        ),
        (real.text(), Some("key:b"), "principal_mismatch"),
    ];
    for (text, principal, code) in broken {
        assert_eq!(chat.raw(text.as_bytes(), principal), code);
        assert_eq!(chat.view()["messages"], json!({}), "{code}");
    }
    chat.ok(real);
    assert_eq!(chat.at("/equivocal"), json!({}));
}

/// R-01, T1.17: a message rejected at stage 6 keeps its id; the correction needs a fresh one.
#[test]
fn r_01_a_message_rejected_at_stage_6_keeps_its_id() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).ok(request("a:2"));
    chat.refuse(commit("b:1", "a:1"), "request_not_request");
    chat.conflict(commit("b:1", "a:2"));
    assert_eq!(chat.status("b:1"), "request_not_request");
    chat.ok(commit("b:2", "a:2"));
}

/// S2.13, T1.27, T8.04: a duplicate of an accepted, a pending and a rejected message is one.
#[test]
fn s2_13_a_duplicate_of_any_status_has_no_effect() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1"));
    chat.wait(ack("b:1", "x:404"));
    chat.refuse(commit("b:2", "a:1"), "request_not_request");
    let before = chat.view();
    for words in [tell("a:1"), ack("b:1", "x:404"), commit("b:2", "a:1")] {
        assert_eq!(chat.say(words), "duplicate");
        assert!(chat.released().is_empty());
    }
    assert_eq!(chat.view(), before);
}

/// T1.27, T1.29, R-02: equal is what is structurally equal; key order and white space do not count.
#[test]
fn r_02_a_duplicate_may_be_written_in_another_way() {
    let mut chat = Chat::new();
    let first = r#"{"tern":"0.1","id":"a:1","from":"a","to":["b","c"],"thread":"t","reply":null,"act":"ACK","body":{"target":"b:1"},"extensions":{"n":1,"text":"é"}}"#;
    let again = "{\"body\": {\"target\": \"b:\\u0031\"}, \"act\": \"ACK\",\r\n\"reply\": null, \"thread\": \"t\", \"to\": [\"b\", \"c\"], \"from\": \"a\", \"id\": \"a:1\", \"extensions\": {\"text\": \"\\u00e9\", \"n\": 10.0e-1}, \"tern\": \"0.1\"}";
    assert_eq!(chat.raw(first.as_bytes(), Some("key:a")), "pending");
    assert_eq!(chat.raw(again.as_bytes(), Some("key:a")), "duplicate");
    for different in [
        first.replace("[\"b\",\"c\"]", "[\"c\",\"b\"]"),
        first.replace("\"n\":1,", "\"n\":1.0000000000000000001,"),
        first.replace("é", "e\u{301}"),
    ] {
        assert_eq!(chat.raw(different.as_bytes(), Some("key:a")), "id_conflict");
    }
}

/// R-05, T1.34: a blank delivery is a syntax error and is answered with an error, no message.
#[test]
fn r_05_a_blank_line_is_a_syntax_error() {
    let mut chat = Chat::new();
    for blank in ["", " ", "\r", "\t \r\n"] {
        assert_eq!(chat.raw(blank.as_bytes(), Some("key:a")), "empty");
        assert_eq!(class(&chat), "syntax");
    }
    let pretty = serde_json::to_string_pretty(&tell("a:1").value).unwrap();
    assert_eq!(chat.raw(pretty.as_bytes(), Some("key:a")), "accepted");
    let crlf = format!("{}\r", tell("a:2").text());
    assert_eq!(chat.raw(crlf.as_bytes(), Some("key:a")), "accepted");
    assert_eq!(chat.view()["messages"].as_object().unwrap().len(), 2);
}

/// R-06, T1.35: recipients need not be bound, may be the sender, and bind nobody.
#[test]
fn r_06_recipients_are_no_identity_claim() {
    let mut chat = Chat::new();
    let to = |words: Words, names: &[&str]| words.with("to", json!(names));
    chat.ok(to(request("a:1"), &["a", "nobody", "x:y"]));
    // Whoever is not named may answer all the same.
    chat.ok(to(commit("b:1", "a:1"), &["b"]));
    assert_eq!(chat.commitment("b:1")["by"], "b");
}

/// S2.01: every delivery counts as an event of the log, whatever became of it.
#[test]
fn s2_01_refused_deliveries_are_logged() {
    let mut chat = Chat::new();
    chat.raw(b"\xff\xfe", Some("key:a"));
    chat.raw(b"{", None);
    chat.ok(tell("a:1")).permit("b:1");
    assert_eq!(chat.state.position(), 4);
    assert_eq!(chat.log.events().len(), 4);
    assert_eq!(chat.state.local_view().events, 4);
}

/// S2.14: identified is what passed stages 1 to 4 and was kept, also when it is pending or rejected.
#[test]
fn s2_14_identified_messages_are_all_in_the_view() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).wait(ack("b:1", "x:1"));
    chat.refuse(commit("b:2", "a:1"), "request_not_request");
    chat.refuse(tell("z:1"), "sender_unbound");
    let view = chat.view();
    let ids: Vec<&String> = view["messages"].as_object().unwrap().keys().collect();
    assert_eq!(ids, ["a:1", "b:1", "b:2"]);
}

/// S2.15: the five outcomes, and what only some of them carry.
#[test]
fn s2_15_five_outcomes() {
    let mut chat = Chat::new();
    chat.ok(tell("a:1")).wait(ack("b:1", "x:1"));
    chat.conflict(tell("a:1").otherwise());
    assert_eq!(chat.say(tell("a:1")), "duplicate");
    chat.refuse(commit("b:2", "a:1"), "request_not_request");
    let names: Vec<&str> = chat.outcomes.iter().map(|it| it.verdict.as_str()).collect();
    assert_eq!(
        names,
        [
            "accepted",
            "pending",
            "id_conflict",
            "duplicate",
            "rejected"
        ]
    );
    let conflict = &chat.outcomes[2].verdict;
    let code = conflict.rejection().unwrap().code();
    assert_eq!(
        (code.as_str(), code.class().as_str()),
        ("id_conflict", "id_conflict")
    );
    assert!(matches!(chat.outcomes[0].verdict, Verdict::Accepted));
    assert!(chat.outcomes[0].verdict.rejection().is_none());
    assert_eq!(chat.outcomes[4].id.as_deref(), Some("b:2"));
}

/// T1.16: nothing of a message of another version is carried out.
#[test]
fn t1_16_another_version_has_no_effect() {
    let mut chat = Chat::deal();
    let before = chat.view();
    let other = |words: Words, tern| words.with("tern", tern);
    chat.refuse(other(request("a:9"), json!("0.2")), "unsupported_version");
    chat.refuse(other(ack("a:8", "b:1"), json!(0.1)), "unsupported_version");
    chat.refuse(other(ask("a:7"), json!(null)), "unsupported_version");
    assert_eq!(chat.view(), before);
}

/// T8.01: everything that a receiver refuses by itself, in one conversation.
#[test]
fn t8_01_what_a_receiver_refuses() {
    let mut chat = Chat::deal();
    let before = chat.view();
    chat.refuse(tell("a:9").via(Some("key:c")), "principal_mismatch");
    assert_eq!(
        chat.raw(br#"{"tern":"0.1","tern":"0.1"}"#, Some("key:a")),
        "duplicate_key"
    );
    chat.refuse(tell("a:9").with("tern", json!("2")), "unsupported_version");
    chat.refuse(tell("a:9").body("claims", json!("no")), "wrong_type");
    assert_eq!(chat.view(), before);
    chat.conflict(request("a:1").otherwise());
    chat.refuse(
        replace("c:1", "b:1", "b:1", commit_body("a:1")),
        "target_other_author",
    );
}

/// T1.30, S6.24: the context and the id that make an idempotency key are known with the outcome.
#[test]
fn s6_24_an_outcome_names_the_id_that_its_context_qualifies() {
    let mut state = State::new(crate::common::context(), Limits::default());
    let words = tell("a:1");
    let bytes = words.text();
    let delivery = tern_core::Delivery::new(bytes.as_bytes(), Some("key:a"));
    let outcome = state.deliver(&delivery);
    assert_eq!(answer(&outcome), "accepted");
    assert_eq!(
        (state.context().id(), outcome.id.as_deref()),
        ("design", Some("a:1"))
    );
    assert_eq!(answer(&state.deliver(&delivery)), "duplicate");
}
