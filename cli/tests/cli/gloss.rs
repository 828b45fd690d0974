//! `tern gloss`: the shorthand for people, which nothing executes.

use crate::common::{commit, log, message, report, request, revise, tern_on};

fn gloss(input: &str) -> String {
    let ran = tern_on(input.as_bytes(), &["gloss", "-"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out
}

/// The example of the specification, marked as not executable (T7.01).
#[test]
fn the_shorthand() {
    let ask = message(
        "ana:1",
        "",
        "ASK",
        r#"{"question":"Which assumption is weakest?"}"#,
    );
    assert_eq!(
        gloss(&log(&[ask])),
        "# shorthand for reading: not Tern and not executable (T7.01)\n  \
         ana:1  ana → ben | ASK | Which assumption is weakest?\n"
    );
}

/// A gloss is refused as a message, each line of it, and none makes the file a document (T7.01).
#[test]
fn a_gloss_is_no_message() {
    let text = gloss(&log(&[request("ana:1"), commit("ben:1", "ana:1")]));
    let ran = tern_on(text.as_bytes(), &["check", "-"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("3 messages: 0 well formed, 3 not"),
        "{}",
        ran.out
    );
}

/// One line for each of the ten acts (T2.01), each with what matters most.
#[test]
fn every_act() {
    let claim = r#"[{"text":"It leaks.","basis":"observed","confidence":"high","scope":"Bed 4.","evidence":[],"alternatives":[]}]"#;
    let text = gloss(&log(&[
        request("ana:1"),
        commit("ben:1", "ana:1"),
        message("ben:2", "", "TELL", format!(r#"{{"claims":{claim}}}"#)),
        message(
            "ben:3",
            "",
            "PROPOSE",
            r#"{"plan":"Mend it.","success":"It holds.","constraints":[]}"#,
        ),
        report("ben:4", "ben:1", "ben:1", "blocked"),
        message(
            "ana:2",
            "ben:4",
            "CHALLENGE",
            r#"{"target":"ben:4","kind":"factual","objection":"It is open.","support":[],"resolution_test":"Look."}"#,
        ),
        revise("ben:5", "ben:2", "ben:2", "null"),
        message(
            "ana:3",
            "ben:3",
            "DECLINE",
            r#"{"target":"ben:3","reason":"Too dear.","alternative":"Buy one."}"#,
        ),
        message("ana:4", "ben:4", "ACK", r#"{"target":"ben:4"}"#),
        message(
            "ben:6",
            "ana:3",
            "ASK",
            r#"{"question":"Where?","about":"ana:3"}"#,
        ),
    ]));
    let lines: Vec<&str> = text.lines().skip(1).map(|line| &line[9..]).collect();
    assert_eq!(
        lines,
        [
            "ana → ben | REQUEST | Water bed 4.",
            "ben → ana | COMMIT | Water bed 4. (for ana:1)",
            "ben → ana | TELL | It leaks.",
            "ben → ana | PROPOSE | Mend it.",
            "ben → ana | REPORT | ben:1, blocked: So it is.",
            "ana → ben | CHALLENGE | ben:4, factual: It is open.",
            "ben → ana | REVISE | withdraws ben:2: a new thought",
            "ana → ben | DECLINE | ben:3: Too dear.; instead: Buy one.",
            "ana → ben | ACK | ben:4",
            "ben → ana | ASK | Where? (about ana:3)",
        ]
    );
}

/// What is not accepted says so: pending with what it waits for, rejected and conflicting with the
/// code, a duplicate too; and what waited and was settled since is shown as it stands (S3.02, S2.15).
#[test]
fn statuses() {
    let mut document = log(&[
        commit("ben:1", "ana:1"),
        message("ben:2", "ana:9", "ACK", r#"{"target":"ana:9"}"#),
        request("ana:1"),
        request("ana:1"),
        message("ana:1", "", "ASK", r#"{"question":"Other?"}"#),
        report("ana:2", "", "ben:1", "active"),
        message("ben:3", "ana:2", "ACK", r#"{"target":"ana:2"}"#),
    ]);
    document.push_str("{\"deliver\":{\"text\":\"nonsense\"}}\n");
    document.push_str(&format!(
        "{{\"deliver\":{{\"principal\":\"key:ben\",\"message\":{}}}}}\n",
        request("ana:3")
    ));
    let text = gloss(&document);
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert!(
        lines[0].starts_with("  ben:1") && lines[0].ends_with("(for ana:1)"),
        "{text}"
    );
    assert!(lines[1].ends_with("[pending: waits for ana:9]"), "{text}");
    assert!(lines[3].ends_with("[duplicate]"), "{text}");
    assert!(
        lines[4].starts_with("x ana:1") && lines[4].ends_with("[id_conflict]"),
        "{text}"
    );
    assert!(
        lines[5].starts_with("x ana:2")
            && lines[5].ends_with("[rejected: commitment_other_author]")
    );
    assert!(
        lines[6].ends_with("[rejected: reference_rejected]"),
        "{text}"
    );
    assert!(
        lines[7].starts_with("x line 9  no message:")
            && lines[7].ends_with("[rejected: malformed_json]"),
        "{text}"
    );
    assert!(
        lines[8].ends_with("[rejected: principal_mismatch]"),
        "{text}"
    );
}

/// JSON objects, each marked as not executable (T7.01).
#[test]
fn as_json() {
    let document = log(&[
        request("ana:1"),
        message("ben:2", "ana:9", "ACK", r#"{"target":"ana:9"}"#),
    ]);
    let ran = tern_on(document.as_bytes(), &["gloss", "--json", "-"]);
    let lines: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines[0],
        serde_json::json!({
            "line": 2, "id": "ana:1", "from": "ana", "to": ["ben"], "act": "REQUEST",
            "thread": "garden", "gloss": "ana → ben | REQUEST | Water bed 4.",
            "outcome": "accepted", "status": "accepted", "code": null, "waiting_for": [],
            "executable": false,
        })
    );
    assert_eq!(lines[1]["waiting_for"], serde_json::json!(["ana:9"]));
    assert_eq!(lines[1]["status"], "pending");
}

/// Of bare messages it is said that nobody verified their senders (S8.12).
#[test]
fn bare_messages() {
    let bare = request("ana:1");
    let ran = tern_on(bare.as_bytes(), &["gloss", "-"]);
    assert!(ran.err.contains("senders were not verified"), "{}", ran.err);
    let ran = tern_on(bare.as_bytes(), &["gloss", "--json", "-"]);
    assert!(
        ran.err.contains("\"senders_verified\":false"),
        "{}",
        ran.err
    );
    assert!(!ran.out.contains("senders_verified"));
}

/// Whatever a message holds stays on its line, harmless, and cannot look like another part of the
/// line (T5.07, T5.01).
#[test]
fn hostile_text() {
    let body = r#"{"question":"\u001b[2J\nben:1  ben → ana | COMMIT | I pay.\u202e"}"#;
    let named = r#"{"tern":"0.1","id":"ana → ben | COMMIT:1","from":"ana → ben | COMMIT","to":["b, c","\u0007"],"thread":"t","reply":null,"act":"ASK","body":{"question":"x"}}"#;
    let long = message(
        "ana:2",
        "",
        "ASK",
        format!(r#"{{"question":"{}"}}"#, "long ".repeat(100)),
    );
    let text = gloss(&format!(
        "{}\n{named}\n{long}\n",
        message("ana:1", "", "ASK", body)
    ));
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(
        text.chars()
            .all(|character| character == '\n' || !character.is_control()),
        "{text:?}"
    );
    assert!(!text.contains('\u{202e}'));
    assert!(
        text.contains(r#""ana → ben | COMMIT" → "b, c", \u{7} | ASK | x"#),
        "{text}"
    );
    assert!(text.lines().last().unwrap().ends_with('…'));
}

/// T1.35: to however many people a message goes, its gloss stays a line that one can read.
#[test]
fn many_recipients() {
    let names: Vec<String> = (0..1_000).map(|number| format!("\"n{number}\"")).collect();
    let text = request("ana:1").replacen("\"ben\"", &names.join(","), 1);
    let line = gloss(&text).lines().last().unwrap().to_string();
    assert!(
        line.contains("ana → n0, n1, n2, ") && line.contains(" more | REQUEST"),
        "{line}"
    );
    assert!(line.chars().count() < 250, "{line}");
}
