//! Where a message stands in the order: `reply` and `previous`.

use super::{extended, new, written};
use crate::common::{
    Ran, commit, log, message, outcomes, report, report_body, request, revise, view,
};

const FULFILLED: [&str; 12] = [
    "--commitment",
    "ben:1",
    "--state",
    "fulfilled",
    "--claim",
    "Done.",
    "--basis",
    "observed",
    "--confidence",
    "high",
    "--scope",
    "Bed 4.",
];
pub(super) const ACTIVE: [&str; 12] = [
    "--commitment",
    "ben:1",
    "--state",
    "active",
    "--claim",
    "Going on.",
    "--basis",
    "observed",
    "--confidence",
    "high",
    "--scope",
    "Bed 4.",
];

pub(super) fn promised(more: &[String]) -> String {
    let mut messages = vec![request("ana:1"), commit("ben:1", "ana:1")];
    messages.extend_from_slice(more);
    log(&messages)
}

fn reply(log: &str) -> serde_json::Value {
    written(log, "ben", "report", &ACTIVE)["reply"].clone()
}

fn progress(log: &str) -> serde_json::Value {
    view(log)["commitments"]["ben:1"]["progress"].clone()
}

/// A report follows the commitment, then the last report on it, by references and not by arrival
/// (R-13, S5.06); so it decides.
#[test]
fn a_report_follows_the_last() {
    assert_eq!(reply(&promised(&[])), "ben:1");
    let second = report("ben:2", "ben:1", "ben:1", "blocked");
    let third = report("ben:3", "ben:2", "ben:1", "blocked");
    assert_eq!(reply(&promised(std::slice::from_ref(&second))), "ben:2");
    // The later one came first.
    let log = promised(&[third, second]);
    assert_eq!(reply(&log), "ben:3");
    assert_eq!(progress(&log), "blocked");
    assert_eq!(
        progress(&extended(&log, "ben", "report", &ACTIVE)),
        "active"
    );
}

/// A fresh report after a correction replies to the correction: only then does it count (S5.03,
/// S5.05, T4.34).
#[test]
fn a_fresh_report_follows_the_correction() {
    let log = promised(&[
        report("ben:2", "ben:1", "ben:1", "fulfilled"),
        revise("ben:3", "ben:2", "ben:2", "null"),
    ]);
    assert_eq!(progress(&log), "unresolved");
    assert_eq!(reply(&log), "ben:3");
    assert_eq!(
        progress(&extended(&log, "ben", "report", &ACTIVE)),
        "active"
    );
    // A correction that takes back nothing final is the last word all the same.
    let log = promised(&[
        report("ben:2", "ben:1", "ben:1", "active"),
        revise("ben:3", "ben:2", "ben:2", report_body("ben:1", "blocked")),
    ]);
    assert_eq!(reply(&log), "ben:3");
}

/// Where revisions of a report compete, one `reply` cannot follow both: `new` says so, says what to
/// do, and doing it settles the progress (S5.03, S5.05, T4.18).
#[test]
fn several_to_follow() {
    let blocked = report_body("ben:1", "blocked");
    let fork: Vec<String> = vec![
        report("ben:2", "ben:1", "ben:1", "blocked"),
        revise("ben:3", "ben:2", "ben:2", &blocked),
        revise("ben:4", "ben:2", "ben:2", "null"),
    ];
    let log = promised(&fork);
    let ran = new(&log, "ben", "report", &ACTIVE);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("clause S5.05"), "{}", ran.err);
    assert!(
        ran.err
            .contains("--from ben --reply ben:3 --about ben:4 --question"),
        "{}",
        ran.err
    );
    // Naming one of them is possible, and it is said that it does not count.
    let mut one = ACTIVE.to_vec();
    one.extend(["--reply", "ben:4"]);
    let ran = new(&log, "ben", "report", &one);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err
            .contains("the progress of `ben:1` is `unresolved`, not `active`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("S5.05"), "{}", ran.err);
    // What is final counts wherever it stands, so one may choose (S5.04).
    let mut last = FULFILLED.to_vec();
    last.extend(["--evidence", "ev:photo"]);
    let ran = new(&log, "ben", "report", &last);
    assert!(ran.code == 1 && ran.err.contains("S5.04"), "{ran:?}");
    last.extend(["--reply", "ben:4"]);
    assert_eq!(
        progress(&extended(&log, "ben", "report", &last)),
        "fulfilled"
    );
    // What the advice says.
    let log = extended(
        &log,
        "ben",
        "ask",
        &[
            "--reply",
            "ben:3",
            "--about",
            "ben:4",
            "--question",
            "Both?",
        ],
    );
    assert_eq!(reply(&log), "ben:5");
    assert_eq!(progress(&log), "unresolved");
    assert_eq!(
        progress(&extended(&log, "ben", "report", &ACTIVE)),
        "active"
    );

    // Three: two steps.
    let mut fork = fork;
    fork.push(revise("ben:5", "ben:2", "ben:2", "null"));
    let log = promised(&fork);
    let ran = new(&log, "ben", "report", &ACTIVE);
    assert!(
        ran.err.contains("for each of the others, another ASK"),
        "{}",
        ran.err
    );
    let log = extended(
        &log,
        "ben",
        "ask",
        &["--reply", "ben:3", "--about", "ben:4", "--question", "?"],
    );
    assert_eq!(new(&log, "ben", "report", &ACTIVE).code, 1);
    let log = extended(
        &log,
        "ben",
        "ask",
        &["--reply", "ben:6", "--about", "ben:5", "--question", "?"],
    );
    assert_eq!(
        progress(&extended(&log, "ben", "report", &ACTIVE)),
        "active"
    );
}

/// Concurrent reports are followed in the same way (S5.06).
#[test]
fn concurrent_reports() {
    let log = promised(&[
        report("ben:2", "ben:1", "ben:1", "active"),
        report("ben:3", "ben:1", "ben:1", "blocked"),
    ]);
    let ran = new(&log, "ben", "report", &ACTIVE);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("--reply ben:2 --about ben:3"),
        "{}",
        ran.err
    );
}

/// An id with several contents unsettles a commitment, and a fresh report follows it (S5.03, R-15).
#[test]
fn an_equivocal_report() {
    let log = promised(&[
        report("ben:2", "ben:1", "ben:1", "active"),
        report("ben:2", "ben:1", "ben:1", "blocked"),
        report("ben:3", "", "ben:1", "active"),
    ]);
    let ran = new(&log, "ben", "report", &ACTIVE);
    assert!(
        ran.code == 1 && ran.err.contains("has several contents"),
        "{ran:?}"
    );
}

/// What is final does not become active: the log takes the report, and a note says that it changes
/// nothing (T4.12, S5.07, T4.35).
#[test]
fn a_report_after_the_end() {
    let log = promised(&[report("ben:2", "ben:1", "ben:1", "fulfilled")]);
    let ran = new(&log, "ben", "report", &ACTIVE);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("is `fulfilled`, not `active`") && ran.err.contains("T4.35"),
        "{ran:?}"
    );
    assert_eq!(
        progress(&extended(&log, "ben", "report", &ACTIVE)),
        "fulfilled"
    );
}

/// `fulfilled` cites evidence, whatever the log knows (R-07, T4.08).
#[test]
fn fulfilled_needs_evidence() {
    let check = |ran: Ran| {
        assert_eq!((ran.code, ran.out.as_str()), (1, ""));
        assert!(
            ran.err.contains("fulfilled_without_evidence") && ran.err.contains("R-07"),
            "{ran:?}"
        );
    };
    check(new(&promised(&[]), "ben", "report", &FULFILLED));
    check(new(&log(&[]), "ben", "report", &FULFILLED));
}

/// A revision continues the head of its chain, with the fields of the content that holds (T4.16,
/// S4.01, S4.02); extensions come along.
#[test]
fn a_revision_follows_the_head() {
    let body = r#"{"plan":"Mend it.","success":"It holds.","constraints":["Cheap."],"extensions":{"n":1.50}}"#;
    let log = log(&[message("ben:1", "", "PROPOSE", body)]);
    let options = [
        "--target", "ben:1", "--plan", "Buy one.", "--reason", "Broken.",
    ];
    let first = written(&log, "ben", "revise", &options);
    assert_eq!(
        (&first["body"]["previous"], &first["reply"]),
        (&"ben:1".into(), &"ben:1".into())
    );
    let log = extended(&log, "ben", "revise", &options);
    let options = [
        "--target",
        "ben:1",
        "--success",
        "It works.",
        "--reason",
        "Clearer.",
    ];
    let ran = new(&log, "ben", "revise", &options);
    assert!(
        ran.out.contains(
            r#""previous":"ben:2","mode":"replace","reason":"Clearer.","replacement":{"plan":"Buy one.","success":"It works.","constraints":["Cheap."],"extensions":{"n":1.50}},"impact":[]"#
        ),
        "{ran:?}"
    );
    let log = extended(&log, "ben", "revise", &options);
    assert_eq!(view(&log)["chains"]["ben:1"]["head"], "ben:3");
    let log = extended(
        &log,
        "ben",
        "revise",
        &["--target", "ben:1", "--withdraw", "--reason", "No."],
    );
    assert_eq!(view(&log)["chains"]["ben:1"]["state"], "withdrawn");
    // Nothing is left of which fields could change; a whole body may follow (R-11).
    assert_eq!(
        new(
            &log,
            "ben",
            "revise",
            &["--target", "ben:1", "--plan", "P", "--reason", "R"]
        )
        .code,
        2
    );
    let whole = [
        "--target",
        "ben:1",
        "--replacement",
        body,
        "--reason",
        "After all.",
    ];
    let log = extended(&log, "ben", "revise", &whole);
    assert_eq!(outcomes(&log).pop().unwrap()["outcome"], "accepted");
    assert_eq!(view(&log)["chains"]["ben:1"]["head"], "ben:5");
}

/// No revision is made on a chain whose revisions compete, nor one that would compete (R-10, T4.17,
/// T4.18); where an unknown one could, a note says so (R-09).
#[test]
fn a_conflicted_chain() {
    let withdraw = ["--target", "ana:1", "--withdraw", "--reason", "It rained."];
    let first = revise("ana:2", "ana:1", "ana:1", "null");
    let log_with = |more: &[String]| {
        let mut messages = vec![request("ana:1")];
        messages.extend_from_slice(more);
        log(&messages)
    };
    let forked = log_with(&[first.clone(), revise("ana:3", "ana:1", "ana:1", "null")]);
    let ran = new(&forked, "ana", "revise", &withdraw);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("`ana:2`, `ana:3`") && ran.err.contains("clause R-10"),
        "{ran:?}"
    );
    assert!(
        ran.err.contains("fresh message under another id"),
        "{ran:?}"
    );

    let mut behind = withdraw.to_vec();
    behind.extend(["--previous", "ana:1"]);
    let ran = new(
        &log_with(std::slice::from_ref(&first)),
        "ana",
        "revise",
        &behind,
    );
    assert!(
        ran.code == 1 && ran.err.contains("would compete"),
        "{ran:?}"
    );

    let waiting = message(
        "ana:3",
        "cleo:9",
        "REVISE",
        r#"{"target":"ana:1","previous":"ana:2","mode":"withdraw","reason":"r","replacement":null,"impact":[]}"#,
    );
    let ran = new(&log_with(&[first, waiting]), "ana", "revise", &withdraw);
    assert!(
        ran.code == 0 && ran.err.contains("`ana:3`") && ran.err.contains("R-09"),
        "{ran:?}"
    );
}
