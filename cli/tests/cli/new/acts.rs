//! The ten acts, with and without a log.

use super::{extended, new, written};
use crate::common::{commit, log, message, outcomes, report, request, tern, tern_on};

const CLAIM: [&str; 10] = [
    "--claim",
    "It leaks.",
    "--basis",
    "observed",
    "--confidence",
    "high",
    "--scope",
    "Bed 4.",
    "--evidence",
    "ev:photo",
];

fn with_claim<'a>(options: &[&'a str]) -> Vec<&'a str> {
    options.iter().chain(&CLAIM).copied().collect()
}

/// A log in which each act has something to answer.
pub(super) fn garden() -> String {
    log(&[
        request("ana:1"),
        commit("ben:1", "ana:1"),
        message(
            "ben:2",
            "",
            "PROPOSE",
            r#"{"plan":"Mend it.","success":"It holds.","constraints":[]}"#,
        ),
        report("ben:3", "ben:1", "ben:1", "active"),
    ])
}

/// Each act, with its sender and options for `garden`.
pub(super) fn every_act() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    vec![
        (
            "ask",
            "ana",
            vec!["--question", "Where?", "--about", "ben:2"],
        ),
        ("tell", "ben", with_claim(&["--reply", "ben:3"])),
        (
            "propose",
            "ana",
            vec![
                "--reply",
                "ben:2",
                "--plan",
                "Buy one.",
                "--success",
                "It holds.",
                "--constraint",
                "Cheap.",
                "--constraint",
                "Green.",
            ],
        ),
        (
            "request",
            "ana",
            vec![
                "--action",
                "Water bed 5.",
                "--done-when",
                "It is wet.",
                "--constraint",
                "At night.",
                "--replaces",
                "ben:1",
                "--authority-ref",
                "garden-2",
            ],
        ),
        (
            "commit",
            "ben",
            vec![
                "--request",
                "ana:1",
                "--action",
                "Water it.",
                "--deliverable",
                "A wet bed.",
                "--done-when",
                "It is wet.",
                "--due",
                "2026-05-01T18:00:00+02:00",
                "--condition",
                "It is open.",
            ],
        ),
        (
            "report",
            "ben",
            with_claim(&[
                "--commitment",
                "ben:1",
                "--state",
                "fulfilled",
                "--next",
                "Rest.",
            ]),
        ),
        (
            "challenge",
            "ana",
            vec![
                "--target",
                "ben:3",
                "--kind",
                "factual",
                "--objection",
                "It is dry.",
                "--support",
                "ev:look",
                "--resolution-test",
                "Touch it.",
            ],
        ),
        (
            "revise",
            "ana",
            vec![
                "--target",
                "ana:1",
                "--done-when",
                "It is soaked.",
                "--reason",
                "Wet is not enough.",
                "--impact",
                "ben:1",
                "--assessment",
                "awaiting_instruction",
                "--impact-reason",
                "More water.",
            ],
        ),
        (
            "decline",
            "ana",
            vec![
                "--target",
                "ben:2",
                "--reason",
                "Too dear.",
                "--alternative",
                "Buy one.",
            ],
        ),
        ("ack", "ana", vec!["--target", "ben:3"]),
    ]
}

/// A message of each act is well formed (S2.10), and the log that it was made for accepts it under
/// its sender's principal (S3.02, S2.12): A-ASK, A-TELL, A-PROPOSE, A-REQUEST, A-COMMIT, A-REPORT,
/// A-CHALLENGE, A-REVISE, A-DECLINE, A-ACK.
#[test]
fn every_act_is_accepted() {
    let log = garden();
    let acts = every_act();
    assert_eq!(acts.len(), 10);
    for (act, from, options) in acts {
        let message = written(&log, from, act, &options);
        assert_eq!(message["act"], act.to_uppercase());
        assert_eq!(message["thread"], "garden", "{act}");
        assert_eq!(message["id"], if from == "ana" { "ana:2" } else { "ben:4" });
        assert_eq!(
            message["to"],
            serde_json::json!([if from == "ana" { "ben" } else { "ana" }])
        );
        let check = tern_on(message.to_string().as_bytes(), &["check", "-"]);
        assert_eq!(check.code, 0, "{act}: {check:?}");
        let outcome = outcomes(&extended(&log, from, act, &options))
            .pop()
            .unwrap();
        assert_eq!(outcome["outcome"], "accepted", "{act}: {outcome}");
        assert_eq!(outcome["id"], message["id"]);
    }
}

/// The words of a person arrive as they are, in the fields of the tables (T1.10, A-COMMIT, A-CLAIM).
#[test]
fn fields_as_given() {
    let log = garden();
    let ran = new(&log, "ben", "commit", &every_act()[4].2);
    assert_eq!(
        ran.out,
        concat!(
            r#"{"tern":"0.1","id":"ben:4","from":"ben","to":["ana"],"thread":"garden","reply":"ana:1","act":"COMMIT","#,
            r#""body":{"request":"ana:1","action":"Water it.","deliverable":"A wet bed.","done_when":"It is wet.","#,
            r#""due":"2026-05-01T18:00:00+02:00","conditions":["It is open."],"authority_ref":null}}"#,
            "\n"
        )
    );
    let tell = written(
        &log,
        "ben",
        "tell",
        &[
            "--reply",
            "none",
            "--to",
            "cleo",
            "--to",
            "ana",
            "--thread",
            "pump",
            "--id",
            "ben:pump:1",
            "--claim",
            "One.",
            "--scope",
            "A.",
            "--basis",
            "assumed",
            "--confidence",
            "low",
            "--claim",
            "Two.",
            "--confidence",
            "unspecified",
            "--basis",
            "reported",
            "--scope",
            "B.",
            "--evidence",
            "ev:x",
            "--evidence",
            "ev:y",
            "--alternative-reading",
            "Neither.",
            "--give",
            "ev:x",
            "--source",
            "Log.",
            "--collected-at",
            "2026-05-01T00:00:00Z",
            "--method",
            "Read.",
            "--result",
            "5",
        ],
    );
    let claim = |text, basis, confidence, scope, evidence: &[&str], alternatives: &[&str]| {
        serde_json::json!({
            "text": text, "basis": basis, "confidence": confidence, "scope": scope,
            "evidence": evidence, "alternatives": alternatives,
        })
    };
    assert_eq!(
        tell["body"]["claims"],
        serde_json::json!([
            claim("One.", "assumed", "low", "A.", &[], &[]),
            claim(
                "Two.",
                "reported",
                "unspecified",
                "B.",
                &["ev:x", "ev:y"],
                &["Neither."]
            ),
        ])
    );
    assert_eq!(tell["evidence"][0]["result"], "5");
    assert_eq!(
        (&tell["id"], &tell["reply"], &tell["to"]),
        (
            &"ben:pump:1".into(),
            &serde_json::Value::Null,
            &serde_json::json!(["cleo", "ana"])
        )
    );
}

/// Without a log everything is said by the person, and nothing is inferred (T1.13).
#[test]
fn without_a_log() {
    let ran = tern(&[
        "new", "ack", "--from", "ana", "--to", "ben", "--thread", "t", "--id", "ana:7", "--target",
        "ben:2", "--json",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    assert_eq!(
        ran.out,
        "{\"tern\":\"0.1\",\"id\":\"ana:7\",\"from\":\"ana\",\"to\":[\"ben\"],\"thread\":\"t\",\
         \"reply\":\"ben:2\",\"act\":\"ACK\",\"body\":{\"target\":\"ben:2\"}}\n"
    );
    let ran = tern(&[
        "new",
        "revise",
        "--from",
        "ana",
        "--to",
        "ben",
        "--thread",
        "t",
        "--id",
        "ana:8",
        "--target",
        "ana:1",
        "--previous",
        "ana:2",
        "--replacement",
        r#"{ "claims": [], "extensions": {"n": 1.50} }"#,
        "--reason",
        "So.",
    ]);
    assert!(
        ran.out
            .contains(r#""replacement":{"claims":[],"extensions":{"n":1.50}},"impact":[]"#),
        "{ran:?}"
    );
}
