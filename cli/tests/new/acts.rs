//! The ten acts, with and without a log.

use super::by_hand::{commit, file, log, message, outcomes, report, request, tern, tern_on, view};
use super::{extended, new, written};

const CLAIM: [&str; 10] = [
    "--claim", "It leaks.", "--basis", "observed", "--confidence", "high", "--scope", "Bed 4.",
    "--evidence", "ev:photo",
];

fn with_claim<'a>(options: &[&'a str]) -> Vec<&'a str> {
    options.iter().chain(&CLAIM).copied().collect()
}

/// A log in which each act has something to answer.
fn garden() -> String {
    log(&[
        request("ana:1"),
        commit("ben:1", "ana:1"),
        message("ben:2", "", "PROPOSE", r#"{"plan":"Mend it.","success":"It holds.","constraints":[]}"#),
        report("ben:3", "ben:1", "ben:1", "active"),
    ])
}

/// Each act, with its sender and options for `garden`.
fn every_act() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    vec![
        ("ask", "ana", vec!["--question", "Where?", "--about", "ben:2"]),
        ("tell", "ben", with_claim(&["--reply", "ben:3"])),
        ("propose", "ana", vec![
            "--reply", "ben:2", "--plan", "Buy one.", "--success", "It holds.", "--constraint", "Cheap.",
            "--constraint", "Green.",
        ]),
        ("request", "ana", vec![
            "--action", "Water bed 5.", "--done-when", "It is wet.", "--constraint", "At night.",
            "--replaces", "ben:1", "--authority-ref", "garden-2",
        ]),
        ("commit", "ben", vec![
            "--request", "ana:1", "--action", "Water it.", "--deliverable", "A wet bed.",
            "--done-when", "It is wet.", "--due", "2026-05-01T18:00:00+02:00", "--condition", "It is open.",
        ]),
        ("report", "ben", with_claim(&["--commitment", "ben:1", "--state", "fulfilled", "--next", "Rest."])),
        ("challenge", "ana", vec![
            "--target", "ben:3", "--kind", "factual", "--objection", "It is dry.", "--support", "ev:look",
            "--resolution-test", "Touch it.",
        ]),
        ("revise", "ana", vec![
            "--target", "ana:1", "--done-when", "It is soaked.", "--reason", "Wet is not enough.",
            "--impact", "ben:1", "--assessment", "awaiting_instruction", "--impact-reason", "More water.",
        ]),
        ("decline", "ana", vec!["--target", "ben:2", "--reason", "Too dear.", "--alternative", "Buy one."]),
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
        assert_eq!(message["to"], serde_json::json!([if from == "ana" { "ben" } else { "ana" }]));
        let check = tern_on(message.to_string().as_bytes(), &["check", "-"]);
        assert_eq!(check.code, 0, "{act}: {check:?}");
        let outcome = outcomes(&extended(&log, from, act, &options)).pop().unwrap();
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
    let tell = written(&log, "ben", "tell", &[
        "--reply", "none", "--to", "cleo", "--to", "ana", "--thread", "pump", "--id", "ben:pump:1",
        "--claim", "One.", "--scope", "A.", "--basis", "assumed", "--confidence", "low",
        "--claim", "Two.", "--confidence", "unspecified", "--basis", "reported", "--scope", "B.",
        "--evidence", "ev:x", "--evidence", "ev:y", "--alternative-reading", "Neither.",
        "--give", "ev:x", "--source", "Log.", "--collected-at", "2026-05-01T00:00:00Z",
        "--method", "Read.", "--result", "5",
    ]);
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
            claim("Two.", "reported", "unspecified", "B.", &["ev:x", "ev:y"], &["Neither."]),
        ])
    );
    assert_eq!(tell["evidence"][0]["result"], "5");
    assert_eq!(
        (&tell["id"], &tell["reply"], &tell["to"]),
        (&"ben:pump:1".into(), &serde_json::Value::Null, &serde_json::json!(["cleo", "ana"]))
    );
}

/// Without a log everything is said by the person, and nothing is inferred (T1.13).
#[test]
fn without_a_log() {
    let ran = tern(&[
        "new", "ack", "--from", "ana", "--to", "ben", "--thread", "t", "--id", "ana:7", "--target", "ben:2",
        "--json",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    assert_eq!(
        ran.out,
        "{\"tern\":\"0.1\",\"id\":\"ana:7\",\"from\":\"ana\",\"to\":[\"ben\"],\"thread\":\"t\",\
         \"reply\":\"ben:2\",\"act\":\"ACK\",\"body\":{\"target\":\"ben:2\"}}\n"
    );
    let ran = tern(&[
        "new", "revise", "--from", "ana", "--to", "ben", "--thread", "t", "--id", "ana:8", "--target", "ana:1",
        "--previous", "ana:2", "--replacement", r#"{ "claims": [], "extensions": {"n": 1.50} }"#,
        "--reason", "So.",
    ]);
    assert!(
        ran.out.contains(r#""replacement":{"claims":[],"extensions":{"n":1.50}},"impact":[]"#),
        "{ran:?}"
    );
}

/// A `deliver` record carries the principal that the context binds the sender to (S8.01, T1.20), and
/// none is made for bare messages, whose context is no record (S8.12).
#[test]
fn as_a_record() {
    let log = garden();
    let ran = new(&log, "ana", "ack", &["--target", "ben:3", "--deliver"]);
    assert!(
        ran.out.starts_with(r#"{"deliver":{"principal":"key:a","message":{"tern":"0.1","id":"ana:2""#),
        "{ran:?}"
    );
    let bare = format!("{}\n", request("ana:1"));
    let ran = new(&bare, "ben", "ack", &["--target", "ana:1", "--deliver"]);
    assert_eq!(ran.code, 2);
    let ran = new(&bare, "ben", "ack", &["--target", "ana:1"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("senders were not verified"), "{ran:?}");
    let ran = tern(&["new", "ack", "--deliver", "--target", "ben:3"]);
    assert!(ran.code == 2 && ran.err.contains("--in"), "{ran:?}");
}

/// The next id is one above the largest number among the sender's suffixes, by value and of any
/// length (T1.17); rejected and pending messages have taken theirs, refused ones not (R-01), and an
/// id that somebody refers to may be taken elsewhere.
#[test]
fn the_next_id() {
    let ack = |id: &str, target: &str| message(id, target, "ACK", &format!(r#"{{"target":"{target}"}}"#));
    let next = |messages: &[String]| {
        written(&log(messages), "ana", "ask", &["--question", "?", "--to", "ben", "--thread", "t"])["id"].clone()
    };
    assert_eq!(next(&[]), "ana:1");
    assert_eq!(next(&[ack("ana:9", "ben:9")]), "ana:10");
    assert_eq!(next(&[request("ana:9"), request("ana:010"), request("ana:x99"), request("ana:2:3")]), "ana:11");
    assert_eq!(next(&[request("ana:99999999999999999999999")]), "ana:100000000000000000000000");
    assert_eq!(next(&[request("ana:1"), report("ana:5", "", "ana:1", "active")]), "ana:6");
    assert_eq!(next(&[request("ana:1"), ack("ben:1", "ana:2")]), "ana:3");
    let mut spoofed = log(&[request("ana:1")]);
    spoofed.push_str(&format!(
        "{{\"deliver\":{{\"principal\":\"key:b\",\"message\":{}}}}}\n",
        request("ana:500")
    ));
    let id = &written(&spoofed, "ana", "ask", &["--question", "?", "--to", "ben", "--thread", "t"])["id"];
    assert_eq!(*id, "ana:2");
}

/// Thread and recipients are those of what is answered: all who take part, without the sender
/// (T1.35); a commitment is in the thread of its request, whatever it replies to (T4.02).
#[test]
fn thread_and_recipients() {
    let group = r#"{"tern":"0.1","id":"cleo:1","from":"cleo","to":["ana","ben"],"thread":"pump","reply":null,"act":"ASK","body":{"question":"Who?"}}"#;
    let log = log(&[request("ana:1"), group.to_string()]);
    let ack = written(&log, "ben", "ack", &["--target", "cleo:1"]);
    assert_eq!((&ack["to"], &ack["thread"]), (&serde_json::json!(["cleo", "ana"]), &"pump".into()));
    let commit = written(&log, "ben", "commit", &[
        "--request", "ana:1", "--reply", "cleo:1", "--action", "a", "--deliverable", "d", "--done-when", "w",
    ]);
    assert_eq!((&commit["to"], &commit["thread"]), (&serde_json::json!(["cleo", "ana"]), &"garden".into()));
    let log = extended(&log, "ben", "ack", &["--target", "cleo:1"]);
    let again = written(&log, "ben", "ask", &["--question", "?", "--reply", "ben:1"]);
    assert_eq!(again["to"], serde_json::json!(["cleo", "ana"]));
}

/// A commitment replies to the last word of its request, and so knows of it (R-14).
#[test]
fn a_commitment_knows_its_request() {
    let log = extended(&garden(), "ana", "revise", &every_act()[7].2);
    let options = &every_act()[4].2;
    assert_eq!(written(&log, "ben", "commit", options)["reply"], "ana:2");
    let view = view(&extended(&log, "ben", "commit", options));
    assert_eq!(view["commitments"]["ben:4"]["request_changed_by"], serde_json::json!([]));
    assert_eq!(view["commitments"]["ben:1"]["request_changed_by"], serde_json::json!(["ana:2"]));
}

/// A message for a durable log reads it like a file (T4.15).
#[test]
fn for_a_database() {
    let path = format!("{}.db", file(""));
    let ran = tern_on(garden().as_bytes(), &["run", "--log", &path, "-"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = tern(&["new", "ack", "--in", &path, "--from", "ana", "--target", "ben:3"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains(r#""id":"ana:2""#), "{ran:?}");
}
