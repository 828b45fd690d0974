//! `tern run`, `tern check` and `tern digest` as their users call them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod common;

use common::{Folder, ask, commit, context, deliver, example, message, request, withdraw};
use serde_json::{Value, json};

fn digest(folder: &Folder, file: &str) -> String {
    folder.tern(&["digest", file]).exits(0).to_string()
}

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
        let log = log.to_str().unwrap();
        let view = std::fs::read_to_string(example(&format!("{name}.view.json"))).unwrap();
        let ran = folder.tern(&["run", "--json", log]);
        assert_eq!(ran.exits(0), view, "{name}");
        assert_eq!(ran.err, "");
        let expected = format!("{}\n", tern_core::Digest::of(view.trim_end().as_bytes()));
        assert_eq!(digest(&folder, log), expected, "{name}");
    }
}

/// S2.15: one object a delivery, in order, with what an implementer compares.
#[test]
fn s2_15_outcomes_are_one_object_a_delivery() {
    let folder = Folder::new();
    let twice = deliver(&request("a:1"));
    let log = [
        context(),
        deliver(&commit("b:1", "a:1")),
        twice.clone(),
        twice,
        deliver(&request("a:1")).replace("wet", "dry"),
        format!("{}\n", json!({"permit": {"commitment": "b:1"}})),
        deliver(&commit("a:2", "b:1")),
        format!("{}\n", json!({"deliver": {"text": "{\"tern\":\"0.2\"}"}})),
    ]
    .concat();
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
        json!([{"id": "b:1", "status": "accepted", "code": null}])
    );
    assert_eq!(lines[0]["waiting_for"], json!(["a:1"]));
    assert_eq!(lines[4]["findings"][0]["pointer"], "/body/request");
}

/// S8.02: a broken document ends with exit code 2 and its line number; nothing of it is shown.
#[test]
fn s8_02_a_broken_document_is_refused_as_a_whole() {
    let folder = Folder::new();
    let broken = [
        context(),
        deliver(&request("a:1")),
        "{\"deliver\":{}}\n".into(),
    ]
    .concat();
    folder.write("log", broken);
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

/// S8.12: whatever is printed of bare messages says that senders were not verified, beside the view.
#[test]
fn s8_12_bare_messages_are_marked() {
    let folder = Folder::new();
    folder.write("bare", format!("{}\n", request("a:1")));
    let ran = folder.tern(&["run", "--json", "bare"]);
    assert_eq!(ran.json()["context"], "unverified");
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
    let folder = Folder::new();
    let outcomes = |input: &str| -> Vec<String> {
        let ran = folder.tern_with(&["run", "--outcomes", "--json", "-"], input.as_bytes());
        ran.exits(0);
        let word = |line: &Value| line["outcome"].as_str().unwrap().to_string();
        ran.lines().iter().map(word).collect()
    };
    let (one, two) = (request("a:1").to_string(), request("a:2").to_string());
    let pretty = serde_json::to_string_pretty(&request("a:1")).unwrap();
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
    let mut first = request("a:1");
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
        format!("{}\n{}\n", request("a:1"), ask("b:1", "really?")),
    );
    let ran = folder.tern(&[
        "run",
        "--context",
        "ctx",
        "--principal",
        "key:a",
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

/// S7.01: `--at N` is the view after any prefix of the log.
#[test]
fn s7_01_time_travel() {
    let folder = Folder::new();
    let lines = [
        context(),
        deliver(&request("a:1")),
        deliver(&commit("b:1", "a:1")),
        format!("{}\n", json!({"permit": {"commitment": "b:1"}})),
        deliver(&withdraw("a:2", "a:1", "a:1")),
    ];
    folder.write("log", lines.concat());
    for events in 0..=5_usize {
        let prefix = lines.iter().take(events + 1).cloned().collect::<String>();
        folder.write("prefix", prefix);
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
    let log = log.to_str().unwrap();
    let board = folder.tern(&["run", log]);
    for word in [
        "Conflicts",
        "dispatcher:2, dispatcher:3",
        "request_conflicted",
        "To reconcile",
    ] {
        assert!(board.exits(0).contains(word), "{word}\n{}", board.out);
    }
    folder.tern(&["run", "--strict", log]).exits(1);
    folder
        .tern(&["run", "--strict", example("review.jsonl").to_str().unwrap()])
        .exits(0);
    let board = folder.tern(&["run", example("group.jsonl").to_str().unwrap()]);
    assert!(board.exits(0).contains("sound:1 (never seen)"));
    let board = folder.tern(&["run", example("spoof.jsonl").to_str().unwrap()]);
    assert!(board.exits(0).contains("line 2: principal_mismatch"));
    let board = folder.tern(&["run", example("negotiation.jsonl").to_str().unwrap()]);
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
    let mut body = request("a:1");
    body["thread"] = json!(evil);
    let mut hostile = commit("b:1", "a:1");
    hostile["thread"] = json!(evil);
    hostile["body"]["action"] = json!(evil);
    let spoofed = ask(&format!("a:{evil}"), evil);
    let log = [
        context(),
        deliver(&body),
        deliver(&hostile),
        deliver(&spoofed),
        format!("{}\n", json!({"deliver": {"text": format!("{{\"{evil}")}})),
        format!(
            "{}\n",
            json!({"deliver": {"principal": evil, "message": ask("a:7", "?")}})
        ),
    ]
    .concat();
    folder.write("log", &log);
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

/// T1.05, S2.10: `check` reports every finding with line, caret, clause and hint, and counts codes.
#[test]
fn s2_10_check_reports_all_findings() {
    let folder = Folder::new();
    let mut broken = request("a:1");
    broken["to"] = json!(["b", "b"]);
    broken["body"]["done_wen"] = json!("typo");
    broken["body"].as_object_mut().unwrap().remove("done_when");
    folder.write(
        "bare",
        format!(
            "{}\n{broken}\n{{\"a\":1,\"\\u0061\":2}}\n",
            ask("a:2", "fine?")
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
    folder.write("fine", format!("{}\n", ask("a:2", "fine?")));
    folder.tern(&["check", "fine"]).exits(0);
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

/// T1.30, T4.15: with `--log` everything is durable before it is reported, and a later run goes on
/// from there, to the same view as one file would give.
#[test]
fn t1_30_a_durable_log_goes_on() {
    let folder = Folder::new();
    let parts = [
        deliver(&commit("b:1", "a:1")),
        deliver(&request("a:1")),
        deliver(&request("a:1")),
        format!("{}\n", json!({"permit": {"commitment": "b:1"}})),
    ];
    folder.write("whole", format!("{}{}", context(), parts.concat()));
    for (number, part) in parts.iter().enumerate() {
        // Only the first part needs to say its context again.
        let opening = if number == 2 {
            String::new()
        } else {
            context()
        };
        folder.write("part", format!("{opening}{part}"));
        let ran = folder.tern(&["run", "--log", "x.db", "--outcomes", "--json", "part"]);
        ran.exits(0);
        assert_eq!(
            ran.lines().len(),
            usize::from(number < 3),
            "only what is new is reported"
        );
    }
    let whole = folder.tern(&["run", "--json", "whole"]);
    assert_eq!(
        folder.tern(&["run", "--json", "--log", "x.db"]).out,
        whole.out
    );
    assert_eq!(folder.tern(&["run", "--json", "x.db"]).out, whole.out);
    assert_eq!(digest(&folder, "x.db"), digest(&folder, "whole"));
    let at = folder.tern(&["run", "--json", "--at", "2", "x.db"]);
    assert_eq!(
        at.out,
        folder.tern(&["run", "--json", "--at", "2", "whole"]).out
    );
}

/// S8.06, R-03: a store holds a log for each context; another binding under the same name is
/// refused and nothing of it is kept.
#[test]
fn s8_06_one_log_a_context() {
    let folder = Folder::new();
    folder.write("one", format!("{}{}", context(), deliver(&request("a:1"))));
    folder.write(
        "two",
        format!(
            "{}{}",
            context().replace("room", "hall"),
            deliver(&request("a:2"))
        ),
    );
    folder.write(
        "bad",
        format!(
            "{}{}",
            context().replace("key:b", "key:x"),
            deliver(&request("a:3"))
        ),
    );
    folder.write("bare", format!("{}\n", ask("c:1", "?")));
    for part in ["one", "two"] {
        folder.tern(&["run", "--log", "x.db", part]).exits(0);
    }
    let ran = folder.tern(&["run", "--log", "x.db", "bad"]);
    ran.exits(2);
    assert!(ran.err.contains("document_second_context"), "{}", ran.err);
    let several = folder.tern(&["run", "x.db"]);
    several.exits(2);
    assert!(
        several.err.contains("hall") && several.err.contains("room"),
        "{}",
        several.err
    );
    assert_eq!(
        folder
            .tern(&["run", "--name", "hall", "--json", "x.db"])
            .json()["context"],
        "hall"
    );
    // Bare messages need to know which log is theirs.
    folder.tern(&["run", "--log", "x.db", "bare"]).exits(2);
    folder.tern(&["run", "--log", "y.db", "bare"]).exits(0);
    folder.tern(&["run", "--log", "y.db", "bare"]).exits(0);
    let view = folder.tern(&["run", "--json", "y.db"]).json();
    assert_eq!(view["context"], "unverified");
    assert_eq!(view["messages"].as_object().unwrap().len(), 1);
}

/// T1.30: a file that is no store is left alone.
#[test]
fn t1_30_foreign_files_are_left_alone() {
    let folder = Folder::new();
    folder.write("log", format!("{}{}", context(), deliver(&request("a:1"))));
    folder.write("notes.txt", "my notes\n");
    folder.tern(&["run", "--log", "notes.txt", "log"]).exits(2);
    assert_eq!(
        std::fs::read(folder.path("notes.txt")).unwrap(),
        b"my notes\n"
    );
}

/// T1.30, T4.15: killed at any moment, a run leaves a log of whole batches, and going on from it
/// ends at the view of an undisturbed run.
#[test]
fn t1_30_killed_runs_lose_nothing_reported() {
    let folder = Folder::new();
    let all: Vec<String> = (0..40)
        .map(|n| deliver(&ask(&format!("a:{n}"), "how far?")))
        .collect();
    folder.write("all", format!("{}{}", context(), all.concat()));
    let mut reported = 0;
    for (number, line) in all.iter().enumerate() {
        folder.write("part", format!("{}{line}", context()));
        let mut child = folder
            .command(&["run", "--log", "x.db", "--outcomes", "--json", "part"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(
            (number * number / 6) as u64,
        ));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if !output.stdout.is_empty() {
            reported += 1;
            let view = folder.tern(&["run", "--json", "x.db"]).json();
            assert!(
                view["messages"].get(format!("a:{number}")).is_some(),
                "reported and lost"
            );
        }
    }
    println!(
        "{reported} of {} runs reported before they were killed",
        all.len()
    );
    assert!(reported > 0, "no run was quick enough to report anything");
    folder.tern(&["run", "--log", "x.db", "all"]).exits(0);
    assert_eq!(digest(&folder, "x.db"), digest(&folder, "all"));
}

/// T1.30: two runs at once end in one total order that holds both.
#[test]
fn t1_30_two_runs_at_once() {
    let folder = Folder::new();
    for who in ["a", "b"] {
        let lines: String = (0..200)
            .map(|n| deliver(&ask(&format!("{who}:{n}"), "?")))
            .collect();
        folder.write(who, format!("{}{lines}", context()));
    }
    let mut children: Vec<_> = ["a", "b", "a", "b"]
        .map(|who| {
            folder
                .command(&["run", "--log", "x.db", "--json", who])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .into();
    assert!(
        children
            .iter_mut()
            .all(|child| child.wait().unwrap().success())
    );
    let view = folder.tern(&["run", "--json", "x.db"]).json();
    assert_eq!(view["messages"].as_object().unwrap().len(), 400);
}

/// R-04: what a receiver refuses for its size is a clear outcome, and stops nothing else.
#[test]
fn r_04_a_huge_message_is_refused_alone() {
    let folder = Folder::new();
    let huge = message("a:1", None, "ASK", json!({"question": "x".repeat(2 << 20)}));
    let mut deep = request("a:2").to_string();
    deep.pop();
    deep.push_str(&format!(
        ",\"extensions\":{{\"x\":{}{}}}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    ));
    let deep = format!("{{\"deliver\":{{\"principal\":\"key:a\",\"message\":{deep}}}}}\n");
    folder.write(
        "log",
        [context(), deliver(&huge), deep, deliver(&request("a:3"))].concat(),
    );
    let lines = folder.tern(&["run", "--outcomes", "--json", "log"]).lines();
    let codes: Vec<&Value> = lines.iter().map(|line| &line["code"]).collect();
    assert_eq!(
        codes,
        [&json!("too_long"), &json!("too_deep"), &Value::Null]
    );
}
