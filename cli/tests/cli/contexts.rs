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
