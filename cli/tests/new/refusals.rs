//! What does not come out, and what comes out with a warning.

use super::by_hand::{Ran, commit, file, log, message, report, request, revise, tern};
use super::new;

fn refused(ran: &Ran, code: &str, clause: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{code}: {ran:?}");
    assert!(ran.err.contains(&format!("[{code}]")), "{code}: {}", ran.err);
    assert!(ran.err.contains(&format!("clause {clause}")), "{clause}: {}", ran.err);
}

const COMMIT: [&str; 6] = ["--action", "a", "--deliverable", "d", "--done-when", "w"];
const CLAIM: [&str; 10] = [
    "--claim", "c", "--basis", "observed", "--confidence", "low", "--scope", "s", "--evidence", "ev:1",
];

fn garden() -> String {
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
    let revise_of = |target, more: &[&'static str]| with(&["--target", target, "--reason", "r"], more);
    let other_report = r#"{"commitment":"ben:7","state":"active","claims":[{"text":"c","basis":"observed","confidence":"low","scope":"s","evidence":[],"alternatives":[]}]}"#;
    let mut garden = garden();
    garden.push_str(&log(&[commit("ben:7", "ana:1")]).lines().skip(1).collect::<Vec<_>>().join("\n"));
    garden.push('\n');
    let cases: Vec<(&str, &str, Vec<&str>, &str, &str)> = vec![
        ("ana", "ack", vec!["--target", "cleo:1"], "reference_rejected", "S3.06"),
        ("ben", "commit", with(&["--request", "ana:2"], &COMMIT), "request_not_request", "T4.02"),
        ("ben", "commit", with(&["--request", "ana:1", "--thread", "t"], &COMMIT), "request_other_thread", "T4.02"),
        ("ana", "request", request_of("ben:2"), "replaces_not_commit", "T4.25"),
        ("cleo", "request", request_of("ben:1"), "replaces_other_requester", "T4.26"),
        ("ana", "report", with(&["--commitment", "ana:1", "--state", "active"], &CLAIM), "commitment_not_commit", "S3.07"),
        ("ana", "report", with(&["--commitment", "ben:1", "--state", "active"], &CLAIM), "commitment_other_author", "T2.07"),
        ("ana", "revise", revise_of("ana:2", &["--withdraw"]), "target_not_revisable", "T4.13"),
        ("ana", "revise", revise_of("ben:2", &["--withdraw"]), "target_other_author", "T4.13"),
        ("ana", "revise", revise_of("ana:1", &["--withdraw", "--previous", "ben:1"]), "previous_not_in_chain", "T4.16"),
        ("ana", "revise", revise_of("ana:1", &["--replacement", "{}"]), "replacement_invalid", "S3.08"),
        ("ben", "revise", revise_of("ben:2", &["--replacement", other_report]), "replacement_other_commitment", "R-08"),
        ("ana", "decline", vec!["--target", "ben:1", "--reason", "r"], "target_not_declinable", "S3.09"),
    ];
    for (from, act, options, code, clause) in cases {
        refused(&new(&garden, from, act, &options), code, clause);
    }
}

/// So is what it would refuse before: senders that the context does not bind (S2.12), ids of others
/// (T1.21), ids that are taken (T1.28), and a message that is there already (T1.27).
#[test]
fn earlier_stages() {
    let garden = garden();
    let ack = ["--target", "ben:2"];
    let with_id = |id| vec!["--target", "ben:2", "--id", id];
    refused(&new(&garden, "zoe", "ack", &ack), "sender_unbound", "S2.12");
    refused(&new(&garden, "ana", "ack", &with_id("ben:9")), "id_not_of_sender", "T1.21");
    refused(&new(&garden, "ana", "ack", &with_id("ana:1")), "id_conflict", "T1.28");
    refused(&new(&garden, "ana", "ack", &with_id("ana:2")), "duplicate", "T1.27");
    let long = "x".repeat(1 << 17);
    let mut many = vec!["--to", "ben", "--thread", "t", "--question", "q"];
    for _ in 0..9 {
        many.extend(["--give", "ev:1", "--source", "s", "--collected-at", "2026-01-01T00:00:00Z", "--method", "m"]);
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
    assert!(ran.err.contains("pending until it knows and has settled `ben:77`"), "{ran:?}");
}

/// A promise on a request that is gone is possible, and said not to be one to act on (S6.03, S6.08).
#[test]
fn a_request_that_is_gone() {
    let mut options = COMMIT.to_vec();
    options.extend(["--request", "ana:1"]);
    let mut messages = vec![request("ana:1"), revise("ana:2", "ana:1", "ana:1", "null")];
    let ran = new(&log(&messages), "ben", "commit", &options);
    assert!(ran.code == 0 && ran.err.contains("was withdrawn"), "{ran:?}");
    messages.push(revise("ana:3", "ana:1", "ana:1", "null"));
    let ran = new(&log(&messages), "ben", "commit", &options);
    assert!(ran.code == 0 && ran.err.contains("compete"), "{ran:?}");
}

/// Without a terminal every missing option is named at once (T2.02, T1.13).
#[test]
fn everything_missing_is_named() {
    for (act, options) in [
        ("ask", "--from NAME, --question TEXT, --thread TEXT, --to NAME, --id ID (or --in LOG, which finds it)"),
        ("tell", "--from NAME, --claim TEXT --basis WORD --confidence WORD --scope TEXT, --thread"),
        ("propose", "--from NAME, --plan TEXT, --success TEXT, --thread"),
        ("request", "--from NAME, --action TEXT, --done-when TEXT, --thread"),
        ("commit", "--from NAME, --request REF, --action TEXT, --deliverable TEXT, --done-when TEXT, --thread"),
        ("report", "--from NAME, --commitment REF, --state STATE, --claim TEXT"),
        ("challenge", "--from NAME, --target REF, --kind KIND, --objection TEXT, --resolution-test TEXT, --thread"),
        ("revise", "--from NAME, --target REF, --previous REF (or --in LOG, which finds it), --withdraw, --replacement OBJECT or the fields that change, --reason TEXT"),
        ("decline", "--from NAME, --target REF, --reason TEXT, --thread"),
        ("ack", "--from NAME, --target REF, --thread"),
    ] {
        let ran = tern(&["new", act]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(&format!("missing: {options}")), "{act}: {}", ran.err);
    }
    let ran = new(&garden(), "ben", "tell", &["--claim", "c", "--scope", "s", "--claim", "d", "--basis", "observed"]);
    assert!(
        ran.err.contains(
            "--basis WORD of claim 1, --confidence WORD of claim 1, --confidence WORD of claim 2, --scope TEXT of claim 2, --thread TEXT, --to NAME"
        ),
        "{ran:?}"
    );
    // What a log finds is not asked for; what it cannot find is.
    let ran = new(&garden(), "ben", "ack", &[]);
    assert!(ran.err.contains("missing: --target REF\n"), "{ran:?}");
    // A report without a log has to say what it follows (S5.05).
    let mut report = vec!["new", "report", "--from", "ben", "--commitment", "ben:1", "--state", "active"];
    report.extend(CLAIM);
    let ran = tern(&report);
    assert!(ran.err.contains("--reply REF (or --in LOG, which finds it)"), "{ran:?}");
}

/// What is no value of its field is refused with the rule (T2.04, A-REFERENCE, A-TIME, T1.19, S2.11,
/// T1.12), and so are options out of place.
#[test]
fn wrong_values() {
    let garden = file(garden());
    for (arguments, word) in [
        (vec!["ask", "--question", ""], "empty_text"),
        (vec!["ask", "--about", "ben"], "bad_reference"),
        (vec!["ask", "--reply", "nothing"], "bad_reference"),
        (vec!["ask", "--from", "a:b"], "colon_in_sender"),
        (vec!["commit", "--due", "tomorrow"], "bad_timestamp"),
        (vec!["report", "--state", "done"], "fulfilled"),
        (vec!["challenge", "--support", "photo"], "bad_evidence_reference"),
        (vec!["revise", "--replacement", "{\"a\":1,\"a\":2}"], "duplicate_key"),
        (vec!["ask", "--question", "q", "--to", "b", "--to", "b", "--thread", "t"], "repeated_recipient"),
        (vec!["tell", "--basis", "observed", "--claim", "c"], "stand before it"),
        (vec!["tell", "--claim", "c", "--basis", "observed", "--basis", "assumed"], "stands twice"),
        (vec!["revise", "--target", "ana:1", "--plan", "p", "--reason", "r"], "--plan is no field of a REQUEST"),
        (vec!["revise", "--target", "ana:1", "--withdraw", "--action", "p", "--reason", "r"], "has no fields"),
        (vec!["revise", "--target", "ana:1", "--replacement", "{}", "--action", "p"], "do not go with it"),
    ] {
        let mut all = vec!["new"];
        all.extend(&arguments);
        if !arguments.contains(&"--from") {
            all.extend(["--in", &garden, "--from", "ana"]);
        }
        let ran = tern(&all);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{word}: {ran:?}");
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    assert_eq!(tern(&["new", "ack", "--in", "/no/such/log"]).code, 2);
}

/// Ids and words of others are data (T5.07): no note or refusal passes on what moves a cursor, and
/// a command that is suggested quotes them.
#[test]
fn hostile_text() {
    let evil = "ben:\\u001b[2J$(rm)\\u202e";
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
    assert!(ran.err.contains(r"--about 'ben:\u{1b}[2J$(rm)\u{202e}'"), "{}", ran.err);
    clean(&ran);
    let ran = new(&log(&messages), "ben", "revise", &["--target", "ben:2", "--withdraw", "--reason", "r"]);
    assert_eq!(ran.code, 1);
    clean(&ran);
    // What a person types goes into the message exactly, escaped as JSON escapes it.
    let ran = new(&log(&messages), "ana", "ack", &["--target", "ben:\u{1b}x", "--to", "b", "--thread", "t"]);
    assert!(ran.code == 0 && ran.out.contains("ben:\\u001bx"), "{ran:?}");
    clean(&ran);
}
