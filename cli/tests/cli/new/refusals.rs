//! What does not come out, and what comes out with a warning.

use super::new;
use crate::common::{Ran, commit, log, message, report, request, revise};

fn refused(ran: &Ran, code: &str, clause: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{code}: {ran:?}");
    assert!(
        ran.err.contains(&format!("[{code}]")),
        "{code}: {}",
        ran.err
    );
    assert!(
        ran.err.contains(&format!("clause {clause}")),
        "{clause}: {}",
        ran.err
    );
}

const COMMIT: [&str; 6] = ["--action", "a", "--deliverable", "d", "--done-when", "w"];
pub(super) const CLAIM: [&str; 10] = [
    "--claim",
    "c",
    "--basis",
    "observed",
    "--confidence",
    "low",
    "--scope",
    "s",
    "--evidence",
    "ev:1",
];

pub(super) fn garden() -> String {
    log(&[
        request("ana:1"),
        commit("ben:1", "ana:1"),
        report("ben:2", "ben:1", "ben:1", "active"),
        message("ana:2", "ben:2", "ACK", r#"{"target":"ben:2"}"#),
        report("cleo:1", "", "ben:1", "active"),
    ])
}

/// What the log would reject at stage 6 is refused with the finding: every rule of the table
/// (S3.05, S3.06, T4.02, T4.25, T4.26, S3.07, T2.07, T4.13, T4.16, S3.08, R-08, S3.09).
#[test]
fn stage_six() {
    let with = |options: &[&'static str], more: &[&'static str]| {
        let mut all = options.to_vec();
        all.extend_from_slice(more);
        all
    };
    let request_of = |replaces| vec!["--action", "a", "--done-when", "w", "--replaces", replaces];
    let revise_of =
        |target, more: &[&'static str]| with(&["--target", target, "--reason", "r"], more);
    let other_report = r#"{"commitment":"ben:7","state":"active","claims":[{"text":"c","basis":"observed","confidence":"low","scope":"s","evidence":[],"alternatives":[]}]}"#;
    let mut garden = garden();
    garden.push_str(
        &log(&[commit("ben:7", "ana:1")])
            .lines()
            .skip(1)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    garden.push('\n');
    let cases: Vec<(&str, &str, Vec<&str>, &str, &str)> = vec![
        (
            "ana",
            "ack",
            vec!["--target", "cleo:1"],
            "reference_rejected",
            "S3.06",
        ),
        (
            "ben",
            "commit",
            with(&["--request", "ana:2"], &COMMIT),
            "request_not_request",
            "T4.02",
        ),
        (
            "ben",
            "commit",
            with(&["--request", "ana:1", "--thread", "t"], &COMMIT),
            "request_other_thread",
            "T4.02",
        ),
        (
            "ana",
            "request",
            request_of("ben:2"),
            "replaces_not_commit",
            "T4.25",
        ),
        (
            "cleo",
            "request",
            request_of("ben:1"),
            "replaces_other_requester",
            "T4.26",
        ),
        (
            "ana",
            "report",
            with(&["--commitment", "ana:1", "--state", "active"], &CLAIM),
            "commitment_not_commit",
            "S3.07",
        ),
        (
            "ana",
            "report",
            with(&["--commitment", "ben:1", "--state", "active"], &CLAIM),
            "commitment_other_author",
            "T2.07",
        ),
        (
            "ana",
            "revise",
            revise_of("ana:2", &["--withdraw"]),
            "target_not_revisable",
            "T4.13",
        ),
        (
            "ana",
            "revise",
            revise_of("ben:2", &["--withdraw"]),
            "target_other_author",
            "T4.13",
        ),
        (
            "ana",
            "revise",
            revise_of("ana:1", &["--withdraw", "--previous", "ben:1"]),
            "previous_not_in_chain",
            "T4.16",
        ),
        (
            "ana",
            "revise",
            revise_of("ana:1", &["--replacement", "{}"]),
            "replacement_invalid",
            "S3.08",
        ),
        (
            "ben",
            "revise",
            revise_of("ben:2", &["--replacement", other_report]),
            "replacement_other_commitment",
            "R-08",
        ),
        (
            "ana",
            "decline",
            vec!["--target", "ben:1", "--reason", "r"],
            "target_not_declinable",
            "S3.09",
        ),
    ];
    for (from, act, options, code, clause) in cases {
        refused(&new(&garden, from, act, &options), code, clause);
    }
}

/// So is what it would refuse before: senders that the context does not bind (T1.20, S2.12), ids of others
/// (T1.21), ids that are taken (T1.28), and a message that is there already (T1.27).
#[test]
fn earlier_stages() {
    let garden = garden();
    let ack = ["--target", "ben:2"];
    let with_id = |id| vec!["--target", "ben:2", "--id", id];
    refused(&new(&garden, "zoe", "ack", &ack), "sender_unbound", "T1.20");
    refused(
        &new(&garden, "ana", "ack", &with_id("ben:9")),
        "id_not_of_sender",
        "T1.21",
    );
    refused(
        &new(&garden, "ana", "ack", &with_id("ana:1")),
        "id_conflict",
        "T1.28",
    );
    refused(
        &new(&garden, "ana", "ack", &with_id("ana:2")),
        "duplicate",
        "T1.27",
    );
    let long = "x".repeat(120_000);
    let mut many = vec!["--to", "ben", "--thread", "t", "--question", "q"];
    for _ in 0..9 {
        many.extend([
            "--give",
            "ev:1",
            "--source",
            "s",
            "--collected-at",
            "2026-01-01T00:00:00Z",
            "--method",
            "m",
        ]);
        many.extend(["--result", &long]);
    }
    refused(&new(&garden, "ana", "ask", &many), "too_long", "S2.06");
}

/// What would wait comes out, and it is said what for (S3.02, S3.01).
#[test]
fn pending() {
    let options = ["--target", "ben:77", "--to", "ben", "--thread", "t"];
    let ran = new(&garden(), "ana", "ack", &options);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains(r#""reply":"ben:77""#), "{ran:?}");
    assert!(
        ran.err
            .contains("pending until it knows and has settled `ben:77`"),
        "{ran:?}"
    );
}

/// A promise on a request that is gone is possible, and said not to be one to act on (S6.03, S6.08).
#[test]
fn a_request_that_is_gone() {
    let mut options = COMMIT.to_vec();
    options.extend(["--request", "ana:1"]);
    let mut messages = vec![request("ana:1"), revise("ana:2", "ana:1", "ana:1", "null")];
    let ran = new(&log(&messages), "ben", "commit", &options);
    assert!(
        ran.code == 0 && ran.err.contains("was withdrawn"),
        "{ran:?}"
    );
    messages.push(revise("ana:3", "ana:1", "ana:1", "null"));
    let ran = new(&log(&messages), "ben", "commit", &options);
    assert!(ran.code == 0 && ran.err.contains("compete"), "{ran:?}");
}

/// Ids and words of others are data (T5.07): no note or refusal passes on what moves a cursor, and
/// a command that is suggested quotes them.
#[test]
fn hostile_text() {
    let evil = "ben:\u{1b}[2J$(rm)\u{202e}";
    let messages = [
        request("ana:1"),
        commit("ben:1", "ana:1"),
        report("ben:2", "ben:1", "ben:1", "active"),
        revise(evil, "ben:2", "ben:2", "null"),
        revise("ben:4", "ben:2", "ben:2", "null"),
    ];
    let mut options = vec!["--commitment", "ben:1", "--state", "active"];
    options.extend(CLAIM);
    let clean = |ran: &Ran| assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.err);
    let ran = new(&log(&messages), "ben", "report", &options);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains(r"--reply 'ben:\u{1b}[2J$(rm)\u{202e}'"),
        "{}",
        ran.err
    );
    clean(&ran);
    let ran = new(
        &log(&messages),
        "ben",
        "revise",
        &["--target", "ben:2", "--withdraw", "--reason", "r"],
    );
    assert_eq!(ran.code, 1);
    clean(&ran);
    // What a person types goes into the message exactly, escaped as JSON escapes it.
    let ran = new(
        &log(&messages),
        "ana",
        "ack",
        &["--target", "ben:\u{1b}x", "--to", "b", "--thread", "t"],
    );
    assert!(ran.code == 0 && ran.out.contains("ben:\\u001bx"), "{ran:?}");
    clean(&ran);
}
