//! Which durable log a run goes to, and that a log keeps one context whatever happens.

use std::process::Stdio;

use crate::common::{Folder, ask, context, deliver, request};

/// S8.06, R-03, T1.24: two runs that begin the same log with different bindings: one is refused as
/// a whole, and nothing of it stays in the log of the other.
#[test]
fn r_03_two_bindings_at_once() {
    let folder = Folder::new();
    let other = context().replace("key:ben", "key:x");
    folder.write(
        "one",
        format!("{}{}", context(), deliver(ask("ben:1", "?"))),
    );
    let asked = deliver(ask("ben:2", "?"))
        .to_string()
        .replace("key:ben", "key:x");
    folder.write("two", format!("{other}{asked}"));
    let mut refused = 0;
    for round in 0..20 {
        let database = format!("{round}.db");
        let children = ["one", "two"].map(|file| {
            folder
                .command(&["run", "--log", &database, "--json", file])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        });
        let codes = children.map(|mut child| child.wait().unwrap().code().unwrap());
        assert!(
            codes == [0, 2] || codes == [2, 0],
            "round {round}: {codes:?}"
        );
        refused += 1;
        let outcomes = folder.tern(&["run", "--outcomes", "--json", &database]);
        let lines = outcomes.lines();
        assert_eq!(lines.len(), 1, "round {round}");
        assert_eq!(lines[0]["outcome"], "accepted", "round {round}");
    }
    assert_eq!(refused, 20);
}

/// S8.06: a log that is named has to exist, unless the input brings its context.
#[test]
fn s8_06_a_named_log_is_the_log() {
    let folder = Folder::new();
    folder.write("log", format!("{}{}", context(), deliver(request("ana:1"))));
    folder.write("bare", format!("{}\n", ask("c:1", "?")));
    let ran = folder.tern(&["run", "--log", "x.db", "--name", "foo", "bare"]);
    ran.exits(2);
    assert!(ran.err.contains("foo"), "{}", ran.err);
    folder
        .tern(&["run", "--log", "x.db", "--name", "garden", "log"])
        .exits(0);
    let ran = folder.tern(&["run", "--log", "x.db", "--name", "foo", "bare"]);
    ran.exits(2);
    assert!(
        ran.err.contains("garden"),
        "the logs are named: {}",
        ran.err
    );
    folder.tern(&["run", "--log", "-", "log"]).exits(2);
    assert!(!folder.path("-").exists());
}

/// T1.30: a database that was cut off is broken, and no file of bare messages.
#[test]
fn t1_30_a_cut_database_is_no_bare_file() {
    let folder = Folder::new();
    folder.write("log", format!("{}{}", context(), deliver(request("ana:1"))));
    folder.tern(&["run", "--log", "x.db", "log"]).exits(0);
    let whole = std::fs::read(folder.path("x.db")).unwrap();
    for length in [15, 16, 100, 511, 4096] {
        folder.write("cut.db", &whole[..length.min(whole.len() - 1)]);
        let ran = folder.tern(&["digest", "cut.db"]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (2, ""),
            "{length}: {}",
            ran.err
        );
        assert!(ran.err.contains("error[store_"), "{length}: {}", ran.err);
    }
}

/// S8.02: with `--json` failures are JSON too, with code, line and hint.
#[test]
fn s8_02_failures_are_json_where_it_was_asked_for() {
    let folder = Folder::new();
    folder.write("log", format!("{}\n\n", context().trim_end()));
    let ran = folder.tern(&["run", "--json", "log"]);
    ran.exits(2);
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(error["error"]["code"], "document_blank_line");
    assert_eq!(error["error"]["line"], 2);
    let ran = folder.tern(&["digest", "--json", "absent"]);
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(error["error"]["code"], "io");
}

/// S8.01: a database that another program wrote, a record a line with or without its newline, is
/// read like any other input.
#[test]
fn s8_01_a_log_that_an_embedder_wrote() {
    use tern_store::{Expected, Log as _, SqliteLog};
    let folder = Folder::new();
    let lines = [context(), format!("{}\n", deliver(request("ana:1")))];
    folder.write("log", lines.concat());
    let mut log = SqliteLog::open(&folder.path("x.db"), "garden").unwrap();
    let records: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    log.append(Expected::Any, &records).unwrap();
    drop(log);
    assert_eq!(folder.digest("x.db"), folder.digest("log"));
}

/// S8.06, T1.25, S8.12: what stands under a context stays under it: a stored log of unverified
/// messages is not read into a verified one, and `--context` never overrules a log.
#[test]
fn s8_06_a_context_is_never_overruled() {
    let folder = Folder::new();
    folder.write("ctx", context());
    folder.write("evil", context().replace("key:ana", "key:evil"));
    folder.write("other", context().replace("garden", "park"));
    folder.write(
        "log",
        format!("{}{}\n", context(), deliver(request("ana:1"))),
    );
    folder.write("bare", format!("{}\n", ask("ana:9", "?")));
    folder.tern(&["run", "--log", "t.db", "log"]).exits(0);
    folder.tern(&["run", "--log", "u.db", "bare"]).exits(0);
    let before = folder.digest("t.db");
    for arguments in [
        &["run", "--context", "ctx", "u.db"][..],
        &["run", "--log", "z.db", "--context", "ctx", "u.db"],
        &[
            "run",
            "--log",
            "t.db",
            "--context",
            "evil",
            "--principal",
            "key:evil",
            "bare",
        ],
        &["run", "--log", "t.db", "--context", "other", "log"],
        &["run", "--log", "t.db", "--context", "ctx"],
        &["run", "--log", "t.db", "--principal", "", "bare"],
    ] {
        let ran = folder.tern(arguments);
        assert_eq!(
            ran.code,
            2,
            "{arguments:?}: {}{}",
            ran.out.as_str(),
            ran.err
        );
    }
    // A stored log goes to the log of its own context, and nowhere else.
    folder.tern(&["run", "--log", "t.db", "u.db"]).exits(0);
    assert_eq!(
        folder
            .tern(&["run", "--name", "garden", "--json", "t.db"])
            .json()["context"],
        "garden"
    );
    assert_eq!(
        folder
            .tern(&["digest", "--name", "garden", "t.db"])
            .out
            .trim(),
        before.trim()
    );
    assert_eq!(
        folder
            .tern(&["run", "--name", "unverified", "--json", "t.db"])
            .json()["context"],
        "unverified"
    );
}

/// T1.30: what was in a log before is not reported again, not even by an input without events; and
/// a closed pipe does not hide the verdict of `--strict`.
#[test]
fn t1_30_an_input_without_events_reports_none() {
    let folder = Folder::new();
    folder.write("ctx", context());
    folder.write("empty", "");
    let refused = deliver(request("ana:1"))
        .to_string()
        .replace("key:ana", "key:ben");
    folder.write("log", format!("{}{refused}\n", context()));
    folder
        .tern(&["run", "--log", "t.db", "--strict", "log"])
        .exits(1);
    for input in ["ctx", "empty"] {
        let ran = folder.tern(&["run", "--log", "t.db", "--outcomes", "--strict", input]);
        assert_eq!(ran.exits(0), "", "{input}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = folder.command(&["run", "--strict", "log"]);
    let status = command
        .stdout(writer)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

/// S8.07: a message that is delivered as text has lines of its own; what is reported is the line of
/// the record.
#[test]
fn s8_07_the_line_of_a_record() {
    let folder = Folder::new();
    let text = serde_json::json!({"deliver": {"text": "{\n\n\"tern\":\"0.1\",\n\"id\":5}"}});
    folder.write("log", format!("{}{text}\n", context()));
    let lines = folder.tern(&["run", "--outcomes", "--json", "log"]).lines();
    let findings = lines[0]["findings"].as_array().unwrap();
    assert!(
        findings.iter().all(|finding| finding["line"] == 2),
        "{findings:?}"
    );
    assert!(
        folder
            .tern(&["check", "log"])
            .exits(1)
            .contains("--> log:2:")
    );
}
