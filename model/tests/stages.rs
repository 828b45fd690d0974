//! §5: identity, duplicates, quotas, and which ids are taken.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::{Limits, Outcome};

fn deliver(principal: &str, message: &str) -> String {
    format!(r#"{{"deliver":{{"principal":{principal},"message":{message}}}}}"#)
}

// S2.12, T1.20-T1.23, T5.01, T8.01
#[test]
fn identity_in_this_order() {
    let foreign = message("a:1", "TELL", "", TELL).replace(r#""from":"a""#, r#""from":"x""#);
    let unbound = tell("x:1", "");
    let good = tell("a:1", "");
    let lines = [
        deliver(r#""key:b""#, &foreign),
        deliver(r#""key:x""#, &unbound),
        deliver("null", &unbound),
        deliver(r#""key:b""#, &good),
        deliver("null", &good),
        format!(r#"{{"deliver":{{"message":{good}}}}}"#),
        deliver(r#""a""#, &good),
        deliver(r#""key:a""#, &good),
    ];
    let identity = |code| rejected("identity", code);
    assert_eq!(
        outcomes(&lines),
        [
            identity("id_not_of_sender"),
            identity("sender_unbound"),
            identity("sender_unbound"),
            identity("principal_mismatch"),
            identity("principal_missing"),
            identity("principal_missing"),
            identity("principal_mismatch"),
            Outcome::Accepted,
        ]
    );
}

// S2.12: the prefix ends at the first colon
#[test]
fn the_prefix_ends_at_the_first_colon() {
    assert_eq!(outcomes(&[tell("a:b:c", "")]), [Outcome::Accepted]);
    let other = tell("a:b:c", "").replace(r#""from":"a""#, r#""from":"b""#);
    assert_eq!(
        outcomes(&[other]),
        [rejected("identity", "id_not_of_sender")]
    );
}

// R-03: two names may share a principal
#[test]
fn names_may_share_a_principal() {
    let log = format!(
        "{}\n{}\n{}\n",
        r#"{"context":{"id":"c","participants":{"a":"k","b":"k"}}}"#,
        deliver(r#""k""#, &tell("a:1", "")),
        deliver(r#""k""#, &tell("b:1", "")),
    );
    let (outcomes, _) = read_with(log.as_bytes(), Limits::default());
    assert_eq!(outcomes, [Outcome::Accepted, Outcome::Accepted]);
}

// S2.02: the first stage that refuses decides
#[test]
fn stages_run_in_order() {
    let broken = |text: &str| format!(r#"{{"deliver":{{"principal":"key:z","text":{text:?}}}}}"#);
    let lines = [
        broken(r#"{"tern":"9","tern":"9"}"#),
        broken(r#"{"tern":"9","id":7}"#),
        broken(r#"{"tern":"0.1","id":7}"#),
        deliver(r#""key:z""#, &tell("a:1", "x:y")),
        deliver(r#""key:a""#, &tell("a:1", "x:y")),
    ];
    let classes: Vec<_> = outcomes(&lines)
        .into_iter()
        .map(|outcome| match outcome {
            Outcome::Rejected { class, .. } => class,
            _ => "",
        })
        .collect();
    assert_eq!(classes, ["syntax", "version", "shape", "identity", ""]);
}

// R-01, T1.17: refused at stages 1 to 4, an id is not taken; rejected at stage 6, it is
#[test]
fn ids_taken_and_not_taken() {
    let bad = commit("a:1", "b:1");
    let lines = [
        deliver(r#""key:b""#, &ask("a:1", "", "")), // spoofed
        ask("b:1", "", ""),
        bad.clone(),
        bad,
        tell("a:1", ""),
        tell("a:2", "a:1"),
    ];
    assert_eq!(
        outcomes(&lines),
        [
            rejected("identity", "principal_mismatch"),
            Outcome::Accepted,
            rejected("reference", "request_not_request"),
            Outcome::Duplicate,
            Outcome::IdConflict,
            rejected("reference", "reference_rejected"),
        ]
    );
}

// T1.27, T1.28, S2.13, R-15: duplicates of accepted, pending and rejected messages; conflicts
#[test]
fn duplicates_and_conflicts() {
    let (first, second, third) = (tell("a:1", ""), ask("a:1", "", ""), propose("a:1"));
    let pending = tell("b:1", "b:9");
    let lines = [
        &first, &first, &second, &second, &first, &third, &third, &pending, &pending,
    ];
    use Outcome::*;
    assert_eq!(
        outcomes(&lines),
        [
            Accepted, Duplicate, IdConflict, IdConflict, Duplicate, IdConflict, IdConflict,
            Pending, Duplicate
        ]
    );
    let view = view(&lines);
    let digests = at(&view, &["equivocal", "a:1"]);
    assert_eq!(digests.split(',').count(), 3);
    assert_eq!(at(&view, &["messages", "a:1", "act"]), "\"TELL\"");
    assert_eq!(at(&view, &["equivocal", "b:1"]), "");
}

// R-04: quotas, tested only when something new would be stored
#[test]
fn quotas() {
    let limits = Limits {
        pending: 3,
        pending_of_sender: 2,
        versions: 2,
        ..Limits::default()
    };
    let lines = [
        tell("a:1", "x:1"),
        tell("a:2", "x:1"),
        tell("a:3", "x:1"),   // third of a
        tell("a:1", "x:1"),   // a duplicate stores nothing
        tell("a:4", ""),      // settles at once
        commit("a:5", "a:4"), // so does a rejection
        tell("b:1", "x:1"),
        tell("b:2", "x:1"), // fourth in all: the first quota is tested first
        tell("a:6", "x:1"),
        ask("a:4", "", ""), // second version
        propose("a:4"),     // third
        ask("a:4", "", ""), // known
        tell("a:4", ""),
        ask("a:1", "", ""), // a version of a pending id is no new pending message
        tell("d:1", "d:1"),
    ];
    let (outcomes, view) = read_with(log(&lines).as_bytes(), limits);
    let limit = |code| rejected("limit", code);
    assert_eq!(
        outcomes,
        [
            Outcome::Pending,
            Outcome::Pending,
            limit("too_many_pending_of_sender"),
            Outcome::Duplicate,
            Outcome::Accepted,
            rejected("reference", "request_not_request"),
            Outcome::Pending,
            limit("too_many_pending"),
            limit("too_many_pending"),
            Outcome::IdConflict,
            limit("too_many_versions"),
            Outcome::IdConflict,
            Outcome::Duplicate,
            Outcome::IdConflict,
            limit("too_many_pending"),
        ]
    );
    for id in ["a:3", "b:2", "a:6", "d:1"] {
        assert_eq!(status(&view, id), "");
    }
}

// R-04: who is refused may try again
#[test]
fn a_refused_delivery_may_come_again() {
    let limits = Limits {
        pending: 1,
        ..Limits::default()
    };
    let lines = [
        tell("a:1", "b:1"),
        tell("a:2", "b:1"),
        tell("b:1", ""),
        tell("a:2", "b:1"),
        tell("a:3", "b:9"),
    ];
    let (outcomes, _) = read_with(log(&lines).as_bytes(), limits);
    use Outcome::*;
    assert_eq!(
        outcomes,
        [
            Pending,
            rejected("limit", "too_many_pending"),
            Accepted,
            Accepted,
            Pending
        ]
    );
}
