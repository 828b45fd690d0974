//! Bare messages: what is read, and what is said of it.

use serde_json::{Value, json};

use crate::common::{Folder, ask, context, parsed, request, tern_on};

/// S8.12: whatever is printed of bare messages says that senders were not verified, beside the view.
#[test]
fn s8_12_bare_messages_are_marked() {
    let folder = Folder::new();
    folder.write("bare", format!("{}\n", request("ana:1")));
    let ran = folder.tern(&["run", "--json", "bare"]);
    assert_eq!(ran.fine().json()["context"], "unverified");
    let beside: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(beside["senders_verified"], false);
    assert!(
        folder
            .tern(&["run", "bare"])
            .exits(0)
            .contains("senders not verified")
    );
    assert!(
        folder
            .tern(&["digest", "bare"])
            .err
            .contains("not verified")
    );
}

/// S8.11, T1.04, R-05: a bare line is a delivery, a broken one a rejected delivery; a file that is
/// one object is one delivery; a blank line between messages is a syntax error.
#[test]
fn s8_11_bare_files() {
    let outcomes = |input: &str| -> Vec<String> {
        let ran = tern_on(input, &["run", "--outcomes", "--json", "-"]);
        ran.exits(0);
        let word = |line: &Value| line["outcome"].as_str().unwrap().to_string();
        ran.lines().iter().map(word).collect()
    };
    let (one, two) = (request("ana:1"), request("ana:2"));
    let pretty = serde_json::to_string_pretty(&parsed(&one)).unwrap();
    assert_eq!(outcomes(""), [""; 0]);
    assert_eq!(outcomes(&format!("{one}\n{two}")), ["accepted", "accepted"]);
    assert_eq!(
        outcomes(&format!("{one}\r\n{two}\r\n")),
        ["accepted", "accepted"]
    );
    assert_eq!(
        outcomes(&format!("{one}\n\n{two}\n")),
        ["accepted", "rejected", "accepted"]
    );
    assert_eq!(outcomes(&format!("{{\n{two}\n")), ["rejected", "accepted"]);
    assert_eq!(outcomes(&pretty), ["accepted"]);
    assert_eq!(outcomes(&format!("\n\n{pretty}\n\n")), ["accepted"]);
    assert_eq!(outcomes(&format!("\n{one}\n\n")), ["accepted"]);
    assert_eq!(
        outcomes(&format!("{pretty}\n{two}\n")).last().unwrap(),
        "accepted"
    );
    assert_eq!(outcomes("\n"), ["rejected"]);
    assert_eq!(outcomes("\u{FEFF}{}\n"), ["rejected"]);
}

/// S8.10: a bare file whose first message gives evidence is read as a document, and the error says
/// what to do.
#[test]
fn s8_10_a_first_message_with_evidence_teaches() {
    let folder = Folder::new();
    let mut first = parsed(&request("ana:1"));
    first["evidence"] = json!([]);
    folder.write("bare", format!("{first}\n"));
    let ran = folder.tern(&["run", "bare"]);
    ran.exits(2);
    assert!(
        ran.err.contains("`evidence`") && ran.err.contains("deliver"),
        "{}",
        ran.err
    );
}

/// S8.06, T1.22: bare messages can be read under a context, with the principal of their channel.
#[test]
fn s8_06_bare_messages_under_a_context() {
    let folder = Folder::new();
    folder.write("ctx", context());
    folder.write(
        "bare",
        format!("{}\n{}\n", request("ana:1"), ask("ben:1", "really?")),
    );
    let ran = folder.tern(&[
        "run",
        "--context",
        "ctx",
        "--principal",
        "key:ana",
        "--outcomes",
        "--json",
        "bare",
    ]);
    let codes: Vec<Value> = ran
        .lines()
        .iter()
        .map(|line| line["code"].clone())
        .collect();
    assert_eq!(codes, [Value::Null, json!("principal_mismatch")]);
    let ran = folder.tern(&["run", "--context", "ctx", "--outcomes", "--json", "bare"]);
    assert!(
        ran.lines()
            .iter()
            .all(|line| line["code"] == "principal_missing")
    );
    folder.tern(&["run", "--context", "bare", "bare"]).exits(2);
}
