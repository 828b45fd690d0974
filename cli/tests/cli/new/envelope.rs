//! What the log fills in: the id, the thread, the recipients, and the record around it.

use super::acts::{every_act, garden};
use super::{extended, new, written};
use crate::common::{Folder, log, message, report, request, tern, view};

/// A `deliver` record carries the principal that the context binds the sender to (S8.01, T1.20), and
/// none is made for bare messages, whose context is no record (S8.12).
#[test]
fn as_a_record() {
    let log = garden();
    let ran = new(&log, "ana", "ack", &["--target", "ben:3", "--deliver"]);
    assert!(
        ran.out.starts_with(
            r#"{"deliver":{"principal":"key:ana","message":{"tern":"0.1","id":"ana:2""#
        ),
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
    let ack =
        |id: &str, target: &str| message(id, target, "ACK", format!(r#"{{"target":"{target}"}}"#));
    let next = |messages: &[String]| {
        written(
            &log(messages),
            "ana",
            "ask",
            &["--question", "?", "--to", "ben", "--thread", "t"],
        )["id"]
            .clone()
    };
    assert_eq!(next(&[]), "ana:1");
    assert_eq!(next(&[ack("ana:9", "ben:9")]), "ana:10");
    assert_eq!(
        next(&[
            request("ana:9"),
            request("ana:010"),
            request("ana:x99"),
            request("ana:2:3")
        ]),
        "ana:11"
    );
    assert_eq!(
        next(&[request("ana:99999999999999999999999")]),
        "ana:100000000000000000000000"
    );
    assert_eq!(
        next(&[request("ana:1"), report("ana:5", "", "ana:1", "active")]),
        "ana:6"
    );
    assert_eq!(next(&[request("ana:1"), ack("ben:1", "ana:2")]), "ana:3");
    let mut spoofed = log(&[request("ana:1")]);
    spoofed.push_str(&format!(
        "{{\"deliver\":{{\"principal\":\"key:ben\",\"message\":{}}}}}\n",
        request("ana:500")
    ));
    let id = &written(
        &spoofed,
        "ana",
        "ask",
        &["--question", "?", "--to", "ben", "--thread", "t"],
    )["id"];
    assert_eq!(*id, "ana:2");
}

/// Thread and recipients are those of what is answered: all who take part, without the sender
/// (T1.35); a commitment is in the thread of its request, whatever it replies to (T4.02).
#[test]
fn thread_and_recipients() {
    let group = r#"{"tern":"0.1","id":"cleo:1","from":"cleo","to":["ana","ben"],"thread":"pump","reply":null,"act":"ASK","body":{"question":"Who?"}}"#;
    let log = log(&[request("ana:1"), group.to_string()]);
    let ack = written(&log, "ben", "ack", &["--target", "cleo:1"]);
    assert_eq!(
        (&ack["to"], &ack["thread"]),
        (&serde_json::json!(["cleo", "ana"]), &"pump".into())
    );
    let commit = written(
        &log,
        "ben",
        "commit",
        &[
            "--request",
            "ana:1",
            "--reply",
            "cleo:1",
            "--action",
            "a",
            "--deliverable",
            "d",
            "--done-when",
            "w",
        ],
    );
    assert_eq!(
        (&commit["to"], &commit["thread"]),
        (&serde_json::json!(["cleo", "ana"]), &"garden".into())
    );
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
    assert_eq!(
        view["commitments"]["ben:4"]["request_changed_by"],
        serde_json::json!([])
    );
    assert_eq!(
        view["commitments"]["ben:1"]["request_changed_by"],
        serde_json::json!(["ana:2"])
    );
}

/// A message for a durable log reads it like a file (T4.15).
#[test]
fn for_a_database() {
    let folder = Folder::new();
    folder.write("log", garden());
    folder.tern(&["run", "--log", "x.db", "log"]).exits(0);
    let ran = folder.tern(&[
        "new", "ack", "--in", "x.db", "--from", "ana", "--target", "ben:3",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains(r#""id":"ana:2""#), "{ran:?}");
}
