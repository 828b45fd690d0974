//! `tern log`: the durable logs themselves.

mod checkpoint;
mod follow;
mod transfer;

use rusqlite::Connection;

use crate::common::{Folder, ask, context, deliver, document};

/// A database with a log of the context and of so many messages.
fn stored(messages: usize) -> Folder {
    let folder = Folder::new();
    append(&folder, 0..messages);
    folder
}

fn append(folder: &Folder, messages: std::ops::Range<usize>) {
    let records: Vec<_> = messages
        .map(|number| deliver(ask(&format!("ana:{}", number + 1), "?")))
        .collect();
    folder.write("log", document(&records));
    folder.tern(&["run", "--log", "t.db", "log"]).exits(0);
}

/// Changes the record at a position, as a program that is not ours could: REPLACE takes a row away without a trigger.
fn changed(folder: &Folder, position: u8, link: &str, bytes: &str) {
    let conn = Connection::open(folder.path("t.db")).unwrap();
    let place = (1_i64 << 40) + i64::from(position);
    let sql = format!(
        "REPLACE INTO record SELECT place, {link}, {bytes} FROM record WHERE place = {place}"
    );
    assert_eq!(conn.execute(&sql, []), Ok(1));
}

/// The head that `verify` prints.
fn head(out: &str) -> String {
    let line = out.lines().find_map(|it| it.strip_prefix("  head "));
    line.unwrap().to_owned()
}

/// T4.15: a log that only grew is whole, and is the log whose head was noted before.
#[test]
fn t4_15_a_log_that_only_grew_is_whole() {
    let folder = stored(3);
    let out = folder.tern(&["log", "verify", "t.db"]).exits(0).to_owned();
    assert!(
        out.starts_with("garden: 4 records, whole\n  head 4:"),
        "{out}"
    );
    let noted = head(&out);
    append(&folder, 3..5);
    let verify = ["log", "verify", "t.db", "--name", "garden", "--head"];
    let ran = folder.tern(&[&verify[..], &[&noted]].concat());
    let out = ran.exits(0);
    assert!(out.starts_with("garden: 6 records, whole\n"), "{out}");
    let ran = folder.tern(&["log", "verify", "t.db", "--json"]);
    ran.exits(0);
    let line = ran.json();
    assert_eq!(line["position"], 6);
    assert_eq!(line["wrong"], serde_json::Value::Null);
    assert_eq!(format!("6:{}", line["link"].as_str().unwrap()), head(out));
}

/// T4.15: what is not what was appended is named, and no command makes a view of it.
#[test]
fn t4_15_a_changed_record_is_named_and_never_read() {
    for (link, bytes, changed_part, words) in [
        (
            "link",
            "CAST(replace(CAST(bytes AS TEXT), 'ana:2', 'ana:7') AS BLOB)",
            "record",
            "the record is not the one that was appended",
        ),
        (
            "zeroblob(32)",
            "bytes",
            "link",
            "the record is as appended, and its link was changed",
        ),
    ] {
        let folder = stored(4);
        changed(&folder, 2, link, bytes);
        let ran = folder.tern(&["log", "verify", "t.db"]);
        let out = ran.exits(1);
        assert!(
            out.starts_with(&format!("garden: broken at position 2: {words}\n")),
            "{out}"
        );
        assert!(
            out.ends_with("  2 records before it: as appended\n"),
            "{out}"
        );
        let ran = folder.tern(&["log", "verify", "t.db", "--json"]);
        ran.exits(1);
        let wrong = &ran.json()["wrong"];
        assert_eq!(wrong["code"], "store_broken_chain");
        assert_eq!(wrong["position"], 2);
        assert_eq!(wrong["changed"], changed_part);
        for command in [
            &["run", "t.db"][..],
            &["digest", "t.db"],
            &["explain", "ana:1", "t.db"],
            &["check", "t.db"],
            &["run", "--log", "t.db"],
        ] {
            let ran = folder.tern(command);
            ran.exits(2);
            assert!(
                ran.err.contains("store_broken_chain") && ran.err.contains("position 2"),
                "{command:?}: {}",
                ran.err
            );
        }
    }
}

/// T4.15: a history that was written anew has links that fit, and not the head that was noted.
#[test]
fn t4_15_a_noted_head_tells_another_history() {
    let folder = stored(3);
    let noted = head(folder.tern(&["log", "verify", "t.db"]).exits(0));
    let verify = |folder: &Folder| {
        let verify = ["log", "verify", "t.db", "--name", "garden", "--head"];
        folder.tern(&[&verify[..], &[&noted]].concat())
    };
    let shorter = stored(2);
    let ran = verify(&shorter);
    assert!(
        ran.exits(1)
            .contains("whole, and shorter than it was when a head was noted at position 4"),
        "{}",
        ran.out
    );
    let other = Folder::new();
    append(&other, 5..9);
    let ran = verify(&other);
    assert!(
        ran.exits(1).contains("another history up to position 4"),
        "{}",
        ran.out
    );
    for wrong in ["4", "4:00", ":", "x:y"] {
        let ran = other.tern(&["log", "verify", "t.db", "--name", "garden", "--head", wrong]);
        ran.exits(2);
        assert!(ran.err.contains("64 hexadecimal digits"), "{}", ran.err);
    }
}

/// The records are shown as they stand there, hostile ones so that a terminal does nothing.
#[test]
fn the_records_as_they_stand_there() {
    let folder = stored(3);
    let out = folder.tern(&["log", "show", "t.db"]).exits(0).to_owned();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("     0 ") && lines[0].contains(context().trim()));
    let ran = folder.tern(&[
        "log", "show", "t.db", "--from", "2", "--count", "1", "--json",
    ]);
    ran.exits(0);
    let line = ran.json();
    assert_eq!(
        (&line["position"], &line["log"]),
        (&2.into(), &"garden".into())
    );
    assert!(line["record"].as_str().unwrap().contains("ana:2"));
    assert!(lines[2].contains(&line["link"].as_str().unwrap()[..12]));
    let ran = folder.tern(&["log", "show", "t.db", "--name", "park"]);
    ran.exits(2);
    assert!(ran.err.contains("there is no log `park`"), "{}", ran.err);
    let ran = folder.tern(&["log", "show", "nowhere.db"]);
    ran.exits(2);
    assert!(ran.err.contains("store_missing"), "{}", ran.err);
    changed(&folder, 3, "link", "x'1b5b324aff'");
    let ran = folder.tern(&["log", "show", "t.db"]);
    ran.exits(2);
    assert!(!ran.out.contains('\u{1b}') && ran.out.lines().count() == 3);
    assert!(ran.err.contains("store_broken_chain"), "{}", ran.err);
}
