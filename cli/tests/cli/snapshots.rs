//! Snapshots of durable logs: a restart costs what is new, and comes to the same.

use rusqlite::Connection;
use serde_json::Value;

use crate::common::{Folder, ask, deliver, document};

/// A log of so many questions, appended in one go.
fn long(count: usize) -> Folder {
    let folder = Folder::new();
    let records: Vec<Value> = (1..=count)
        .map(|it| deliver(ask(&format!("ana:{it}"), "?")))
        .collect();
    folder.write("log", document(&records));
    folder
        .tern(&["run", "--log", "t.db", "--json", "log"])
        .exits(0);
    folder
}

fn append(folder: &Folder, id: &str) -> Vec<Value> {
    folder.write("more", document(&[deliver(ask(id, "?"))]));
    let ran = folder.tern(&["run", "--log", "t.db", "--outcomes", "--json", "more"]);
    ran.exits(0);
    ran.lines()
}

fn snapshot(folder: &Folder) -> Option<u64> {
    let ran = folder.tern(&["log", "stats", "t.db", "--json"]);
    ran.json()["logs"][0]["snapshot"].as_u64()
}

fn change(folder: &Folder, set: &str) {
    let conn = Connection::open(folder.path("t.db")).unwrap();
    assert_eq!(
        conn.execute(&format!("UPDATE snapshot SET {set}"), []),
        Ok(1)
    );
}

/// S7.01: a view that goes on from a snapshot is that of all the records, and so are the outcomes of what is new.
#[test]
fn s7_01_a_restart_comes_to_the_same() {
    let folder = long(10_500);
    assert_eq!(snapshot(&folder), Some(10_501));
    let digest = folder.digest("t.db");
    let view = folder.tern(&["run", "--log", "t.db", "--json"]);
    folder.write("view", &view.out);
    assert_eq!(folder.tern(&["run", "--json", "t.db"]).out, view.out);
    let lines = append(&folder, "ana:7");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["outcome"], "duplicate");
    assert_eq!(lines[0]["line"], 2);
    assert_eq!(folder.digest("t.db"), digest);
    assert_eq!(append(&folder, "ana:10501")[0]["outcome"], "accepted");
    let from_snapshot = folder.tern(&["run", "--log", "t.db", "--json"]);
    from_snapshot.exits(0);
    assert!(from_snapshot.err.is_empty(), "{}", from_snapshot.err);
    assert_eq!(
        folder.tern(&["run", "--json", "t.db"]).out,
        from_snapshot.out
    );
    assert_eq!(
        snapshot(&folder),
        Some(10_501),
        "so little is not worth a new one"
    );
}

/// A snapshot that cannot be used is said, and the records tell the same; the next run that reads so much keeps a new one.
#[test]
fn a_snapshot_that_is_wrong_is_made_again() {
    let folder = long(10_500);
    let right = folder.tern(&["run", "--log", "t.db", "--json"]);
    for (set, why) in [
        ("bytes = x''", "not used"),
        ("bytes = zeroblob(length(bytes))", "not used"),
        ("bytes = substr(bytes, 1, length(bytes) - 1)", "not used"),
        ("link = zeroblob(32)", "it is of other records"),
        ("position = 9000", "it is of other records"),
        ("position = 99999999", "it is of other records"),
        ("position = 0", "it is of other records"),
        ("position = -1", "it is of other records"),
        (
            "position = 9000, link = (SELECT link FROM record WHERE place = (1 << 40) + 8999)",
            "it is of another place in the log",
        ),
    ] {
        change(&folder, set);
        let ran = folder.tern(&["run", "--log", "t.db", "--json"]);
        assert_eq!(ran.exits(0), right.out, "{set}");
        assert!(ran.err.contains(why), "{set}: {}", ran.err);
        // What is appended goes on from the records too, and leaves a snapshot that can be used.
        append(&folder, "ana:1");
        let ran = folder.tern(&["run", "--log", "t.db", "--json"]);
        assert_eq!((ran.exits(0), &*ran.err), (&*right.out, ""), "{set}");
    }
}
