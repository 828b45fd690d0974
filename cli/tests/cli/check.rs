//! `tern check`.

use serde_json::json;

use crate::common::{Folder, ask, parsed, request};

/// T1.05, S2.10: `check` reports every finding with line, caret, clause and hint, and counts codes.
#[test]
fn s2_10_check_reports_all_findings() {
    let folder = Folder::new();
    let mut broken = parsed(&request("ana:1"));
    broken["to"] = json!(["b", "b"]);
    broken["body"]["done_wen"] = json!("typo");
    broken["body"].as_object_mut().unwrap().remove("done_when");
    folder.write(
        "bare",
        format!(
            "{}\n{broken}\n{{\"a\":1,\"\\u0061\":2}}\n",
            ask("ana:2", "fine?")
        ),
    );
    let ran = folder.tern(&["check", "bare"]);
    let out = ran.exits(1);
    for word in [
        "error[repeated_recipient]",
        "error[unknown_field]",
        "error[missing_field]",
        "error[duplicate_key]",
        "--> bare:2:",
        "--> bare:3:8",
        "^",
        "clause T1.05",
        "help:",
        "3 messages: 1 well formed, 2 not",
    ] {
        assert!(out.contains(word), "{word}\n{out}");
    }
    let lines = folder.tern(&["check", "--json", "bare"]).lines();
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["messages"], &last["refused"]),
        (&json!(3), &json!(2))
    );
    assert_eq!(lines.len(), 5);
    folder.write("fine", format!("{}\n", ask("ana:2", "fine?")));
    folder.tern(&["check", "fine"]).exits(0);
}
