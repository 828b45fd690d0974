//! `tern run` and `tern digest`.

use serde_json::{Value, json};

use crate::common::{Folder, ask, commit, deliver, document, example, parsed, request, revise};

/// S7.01, S7.05: `run --json` is exactly the expected view, `digest` exactly its digest.
#[test]
fn s7_05_view_and_digest_are_exact() {
    let folder = Folder::new();
    for name in [
        "review",
        "negotiation",
        "late-conflict",
        "group",
        "spoof",
        "evidence",
    ] {
        let log = example(&format!("{name}.jsonl"));
        let view = std::fs::read_to_string(example(&format!("{name}.view.json"))).unwrap();
        let ran = folder.tern(&["run", "--json", &log]);
        assert_eq!(ran.exits(0), view, "{name}");
        assert_eq!(ran.err, "");
        let expected = format!("{}\n", tern_core::Digest::of(view.trim_end().as_bytes()));
        assert_eq!(folder.digest(&log), expected, "{name}");
    }
}

/// S2.15: one object a delivery, in order, with what an implementer compares.
#[test]
fn s2_15_outcomes_are_one_object_a_delivery() {
    let folder = Folder::new();
    let log = document(&[
        deliver(commit("ben:1", "ana:1")),
        deliver(request("ana:1")),
        deliver(request("ana:1")),
        deliver(request("ana:1").replace("wet", "dry")),
        json!({"permit": {"commitment": "ben:1"}}),
        deliver(commit("ana:2", "ben:1")),
        json!({"deliver": {"text": "{\"tern\":\"0.2\"}"}}),
    ]);
    folder.write("log", log);
    let lines = folder.tern(&["run", "--outcomes", "--json", "log"]).lines();
    let summary: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!([
                line["delivery"],
                line["line"],
                line["outcome"],
                line["class"],
                line["code"]
            ])
        })
        .collect();
    assert_eq!(
        summary,
        [
            json!([1, 2, "pending", null, null]),
            json!([2, 3, "accepted", null, null]),
            json!([3, 4, "duplicate", null, null]),
            json!([4, 5, "id_conflict", "id_conflict", "id_conflict"]),
            json!([5, 7, "rejected", "reference", "request_not_request"]),
            json!([6, 8, "rejected", "version", "unsupported_version"]),
        ]
    );
    assert_eq!(
        lines[1]["released"],
        json!([{"id": "ben:1", "status": "accepted", "code": null}])
    );
    assert_eq!(lines[0]["waiting_for"], json!(["ana:1"]));
    assert_eq!(lines[4]["findings"][0]["pointer"], "/body/request");
}

/// S8.02: a broken document ends with exit code 2 and its line number; nothing of it is shown.
#[test]
fn s8_02_a_broken_document_is_refused_as_a_whole() {
    let folder = Folder::new();
    let records = [deliver(request("ana:1")), json!({"deliver": {}})];
    folder.write("log", document(&records));
    for command in [
        &["run", "log"][..],
        &["run", "--json", "log"],
        &["run", "--outcomes", "--json", "log"],
        &["digest", "log"],
        &["check", "log"],
        &["run", "--log", "new.db", "log"],
    ] {
        let ran = folder.tern(command);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command:?}");
        assert!(ran.err.contains("log:3:"), "{}", ran.err);
        assert!(ran.err.contains("document_not_one_payload"), "{}", ran.err);
    }
    assert!(!folder.path("new.db").exists(), "nothing of it was kept");
}

/// S7.01: `--at N` is the view after any prefix of the log.
#[test]
fn s7_01_time_travel() {
    let folder = Folder::new();
    let records = [
        deliver(request("ana:1")),
        deliver(commit("ben:1", "ana:1")),
        json!({"permit": {"commitment": "ben:1"}}),
        deliver(revise("ana:2", "ana:1", "ana:1", "null")),
    ];
    folder.write("log", document(&records));
    for events in 0..=records.len() {
        folder.write("prefix", document(&records[..events]));
        let at = folder.tern(&["run", "--json", "--at", &events.to_string(), "log"]);
        assert_eq!(
            at.exits(0),
            folder.tern(&["run", "--json", "prefix"]).exits(0)
        );
    }
}

/// The board names what blocks, what waits, what conflicts and what was refused; `--strict` makes
/// an exit code of it. T4.18, T4.19, T8.03.
#[test]
fn t4_18_the_board_shows_what_needs_an_answer() {
    let folder = Folder::new();
    let log = example("late-conflict.jsonl");
    let board = folder.tern(&["run", &log]);
    for word in [
        "Conflicts",
        "dispatcher:2, dispatcher:3",
        "request_conflicted",
        "To reconcile",
    ] {
        assert!(board.exits(0).contains(word), "{word}\n{}", board.out);
    }
    folder.tern(&["run", "--strict", &log]).exits(1);
    folder
        .tern(&["run", "--strict", &example("review.jsonl")])
        .exits(0);
    let board = folder.tern(&["run", &example("group.jsonl")]);
    assert!(board.exits(0).contains("sound:1 (never seen)"));
    let board = folder.tern(&["run", &example("spoof.jsonl")]);
    assert!(board.exits(0).contains("line 2: principal_mismatch"));
    let board = folder.tern(&["run", &example("negotiation.jsonl")]);
    assert!(
        board
            .exits(0)
            .contains("superseded, due 2026-12-10T12:00:00+01:00")
    );
    assert!(board.out.contains("may be acted on"));
}

/// T3.12: texts are data. Nothing in a message reaches the terminal as a control sequence.
#[test]
fn t3_12_hostile_text_is_shown_as_text() {
    let folder = Folder::new();
    let evil = "\u{1b}[2J\u{7}\u{202e}\u{9b}31m\u{200b}\r";
    let mut body = parsed(&request("ana:1"));
    body["thread"] = json!(evil);
    let mut hostile = parsed(&commit("ben:1", "ana:1"));
    hostile["thread"] = json!(evil);
    hostile["body"]["action"] = json!(evil);
    let spoofed = ask(&format!("ana:{evil}"), evil);
    let log = document(&[
        deliver(body),
        deliver(hostile),
        deliver(spoofed),
        json!({"deliver": {"text": format!("{{\"{evil}")}}),
        json!({"deliver": {"principal": evil, "message": parsed(&ask("ana:7", "?"))}}),
    ]);
    folder.write("log", log);
    for command in [
        &["run", "log"][..],
        &["run", "--outcomes", "log"],
        &["check", "log"],
    ] {
        let ran = folder.tern(command);
        assert!(ran.code < 2);
        let odd = |text: &str| {
            text.chars()
                .find(|&c| (c.is_control() && c != '\n') || ('\u{200b}'..='\u{202e}').contains(&c))
        };
        assert_eq!(
            (odd(&ran.out), odd(&ran.err)),
            (None, None),
            "{command:?}\n{:?}",
            ran.out
        );
    }
}

/// Wrong usage and unreadable input end with exit code 2 and a sentence.
#[test]
fn wrong_usage_is_told() {
    let folder = Folder::new();
    for command in [
        &["run"][..],
        &["run", "absent"],
        &["run", "."],
        &["digest", "absent"],
        &["nonsense"],
        &["run", "--at", "x", "absent"],
        &["run", "--log", "absent/folder/x.db", "-"],
    ] {
        let ran = folder.tern(command);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command:?}");
        assert!(!ran.err.is_empty(), "{command:?}");
    }
    folder.tern(&["--help"]).exits(0);
    folder.tern(&["--version"]).exits(0);
}

/// S7.01: an option that means nothing where it stands is not ignored, but refused with a reason.
#[test]
fn s7_01_options_out_of_place_are_told() {
    let folder = Folder::new();
    let records = [deliver(request("ana:1")), deliver(request("ana:2"))];
    folder.write("log", document(&records));
    folder.write("bare", format!("{}\n", request("ana:1")));
    folder.tern(&["run", "--log", "x.db", "log"]).exits(0);
    for (command, words) in [
        (&["run", "--at", "3", "log"][..], "it has 2 events"),
        (
            &["run", "--at", "3", "--outcomes", "log"],
            "--at 3 is beyond",
        ),
        (
            &["run", "--at", "2", "--outcomes", "bare"],
            "it has 1 event\n",
        ),
        (&["run", "--at", "3", "x.db"], "it has 2 events"),
        (
            &["run", "--at", "1", "--log", "x.db"],
            "tern run --at N x.db",
        ),
        (
            &["run", "--at", "1", "--log", "new.db", "log"],
            "tern run --at N new.db",
        ),
        (&["run", "--name", "garden", "log"], "log is no database"),
        (
            &["check", "--name", "garden", "bare"],
            "bare is no database",
        ),
        (
            &["digest", "--name", "garden", "-"],
            "standard input is no database",
        ),
    ] {
        let ran = folder.tern(command);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command:?}");
        assert!(ran.err.contains(words), "{command:?}: {}", ran.err);
    }
    assert!(!folder.path("new.db").exists());
    // What names the log that is appended to may do so whatever the input is.
    let append = ["run", "--log", "x.db", "--name", "garden", "log"];
    folder.tern(&append).exits(0);
}

/// R-04: what a receiver refuses for its size is a clear outcome, and stops nothing else.
#[test]
fn r_04_a_huge_message_is_refused_alone() {
    let folder = Folder::new();
    let huge = ask("ana:1", &"x".repeat(2 << 20));
    let mut deep = request("ana:2");
    deep.pop();
    deep.push_str(&format!(
        ",\"extensions\":{{\"x\":{}{}}}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    ));
    let deep = format!("{{\"deliver\":{{\"principal\":\"key:ana\",\"message\":{deep}}}}}\n");
    let rest = format!("{}\n", deliver(request("ana:3")));
    folder.write("log", document(&[deliver(huge)]) + &deep + &rest);
    let lines = folder.tern(&["run", "--outcomes", "--json", "log"]).lines();
    let codes: Vec<&Value> = lines.iter().map(|line| &line["code"]).collect();
    assert_eq!(
        codes,
        [&json!("too_long"), &json!("too_deep"), &Value::Null]
    );
}
