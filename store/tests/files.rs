//! What is refused at the door, and that it stays as it was.
//!
//! INVARIANT 6: a file is a store or it is not touched.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::fs;
use std::path::Path;

use common::{can_mount, child_after, fresh, role, succeed, texts};
use rusqlite::Connection;
use tern_store::{Code, Error, Expected, Log, Position, SqliteLog};

/// Both ways of opening answer with `code`, name the file, and leave its bytes alone.
fn refused(path: &Path, code: Code) {
    let before = fs::read(path).ok();
    for error in [
        SqliteLog::open(path, "a").unwrap_err(),
        SqliteLog::open_read_only(path, "a").unwrap_err(),
        SqliteLog::logs(path).unwrap_err(),
    ] {
        assert_eq!(error.code(), code, "{error}");
        assert!(
            error.to_string().contains(&format!("`{}`", path.display())),
            "{error}"
        );
    }
    assert!(before == fs::read(path).ok(), "the file was changed");
}

#[test]
fn directories_and_devices() {
    let (folder, _) = fresh();
    refused(folder.path(), Code::NotALog);
    for device in ["/dev/null", "/dev/zero"] {
        let error = SqliteLog::open(device.as_ref(), "a").unwrap_err();
        assert_eq!(error.code(), Code::NotALog);
    }
}

#[test]
fn other_files() {
    let (_folder, path) = fresh();
    for text in [
        "x",
        "hello\n",
        &"{\"context\":{}}\n".repeat(10_000),
        "SQLite format 3",
        "SQLite format 3\0",
        &"x".repeat(511),
        &"x".repeat(512),
    ] {
        fs::write(&path, text).unwrap();
        refused(&path, Code::NotALog);
    }
}

#[test]
fn databases_of_others() {
    for journal in ["DELETE", "WAL"] {
        let (_folder, path) = fresh();
        let other = Connection::open(&path).unwrap();
        other
            .execute_batch(&format!(
                "PRAGMA journal_mode={journal}; CREATE TABLE log (x)"
            ))
            .unwrap();
        drop(other);
        refused(&path, Code::NotALog);
    }
}

/// A store that was cut short, wherever. SQLite reads what is missing of the last page as zeros: a record
/// would end in them, and the head be another one.
#[test]
fn a_store_that_was_cut_short() {
    let (_folder, path) = fresh();
    let record = [b'x'; 900];
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[&record[..]; 12]).unwrap();
    drop(log);
    let whole = fs::read(&path).unwrap();
    let pages = (4096..whole.len()).step_by(4096);
    for length in pages.chain((512..whole.len()).step_by(701)) {
        let cut = &whole[..length];
        for open in [
            |path: &Path| SqliteLog::open(path, "a").map(|_| ()),
            |path: &Path| SqliteLog::open_read_only(path, "a").map(|_| ()),
            |path: &Path| SqliteLog::logs(path).map(|_| ()),
            SqliteLog::recover,
        ] {
            fs::write(&path, cut).unwrap();
            let error = open(&path).unwrap_err();
            let is_said = matches!(error.code(), Code::Corrupt | Code::NotALog);
            assert!(is_said, "cut to {length}: {error}");
            assert!(cut == fs::read(&path).unwrap(), "cut to {length}: changed");
        }
    }
}

/// A foreign database that is in use: nothing of its write-ahead log is carried over by us.
#[test]
fn a_database_of_others_in_use() {
    let (_folder, path) = fresh();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("PRAGMA journal_mode=WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        .unwrap();
    refused(&path, Code::NotALog);
    // the same, left so by a killed process
    let left = path.with_file_name("left.db");
    for beside in ["", "-wal"] {
        fs::copy(
            format!("{}{beside}", path.display()),
            format!("{}{beside}", left.display()),
        )
        .unwrap();
    }
    refused(&left, Code::NotALog);
    assert_eq!(
        other
            .query_row("SELECT x FROM t", [], |row| row.get::<_, i64>(0))
            .unwrap(),
        1
    );
}

/// Our mark on other tables, and our tables with something beside them that could do harm.
#[test]
fn databases_that_only_look_like_ours() {
    let change = |change: &str| {
        let (folder, path) = fresh();
        drop(SqliteLog::open(&path, "a").unwrap());
        Connection::open(&path)
            .unwrap()
            .execute_batch(change)
            .unwrap();
        refused(&path, Code::NotALog);
        drop(folder);
    };
    change("PRAGMA application_id = 7");
    change("PRAGMA user_version = 0");
    change("DROP TRIGGER record_is_fixed");
    change("DROP TABLE record");
    change("CREATE TRIGGER t AFTER INSERT ON record BEGIN SELECT 1; END");
}

#[test]
fn a_newer_schema() {
    let (_folder, path) = fresh();
    drop(SqliteLog::open(&path, "a").unwrap());
    Connection::open(&path)
        .unwrap()
        .execute_batch("PRAGMA user_version = 4; CREATE TABLE later (x)")
        .unwrap();
    refused(&path, Code::NewerSchema);
    let error = SqliteLog::open(&path, "a").unwrap_err();
    assert!(matches!(
        error,
        Error::NewerSchema {
            found: 4,
            supported: 3,
            ..
        }
    ));
}

/// A store of before the chain, which no release ever wrote, is left alone.
#[test]
fn an_older_schema() {
    let (_folder, path) = fresh();
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "PRAGMA application_id = 1413837422; PRAGMA user_version = 1; CREATE TABLE record (place INTEGER PRIMARY KEY)",
        )
        .unwrap();
    refused(&path, Code::NotALog);
}

/// An empty file becomes a store when it is opened for writing; reading it is an error.
#[test]
fn empty_files() {
    let (_folder, path) = fresh();
    fs::write(&path, "").unwrap();
    assert_eq!(
        SqliteLog::open_read_only(&path, "a").unwrap_err().code(),
        Code::NotALog
    );
    assert_eq!(SqliteLog::logs(&path).unwrap_err().code(), Code::NotALog);
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    SqliteLog::open(&path, "a")
        .unwrap()
        .append(Expected::Any, &[b"x"])
        .unwrap();
    assert_eq!(texts(&SqliteLog::open(&path, "a").unwrap()), ["x"]);
}

#[test]
fn missing_files_and_logs() {
    let (folder, path) = fresh();
    assert_eq!(
        SqliteLog::open_read_only(&path, "a").unwrap_err().code(),
        Code::Missing
    );
    assert_eq!(SqliteLog::logs(&path).unwrap_err().code(), Code::Missing);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let nowhere = folder.path().join("no/where.db");
    assert_eq!(SqliteLog::open(&nowhere, "a").unwrap_err().code(), Code::Io);
    drop(SqliteLog::open(&path, "a").unwrap());
    let before = fs::read(&path).unwrap();
    let error = SqliteLog::open_read_only(&path, "b").unwrap_err();
    assert!(matches!(error, Error::NoSuchLog { name, .. } if name == "b"));
    assert!(before == fs::read(&path).unwrap());
    assert_eq!(SqliteLog::logs(&path).unwrap().len(), 1);
}

/// A log opened for reading reads along while another appends, and cannot append itself.
#[test]
fn read_only_reads_along_and_changes_nothing() {
    let (_folder, path) = fresh();
    let mut writer = SqliteLog::open(&path, "a").unwrap();
    let mut reader = SqliteLog::open_read_only(&path, "a").unwrap();
    for count in 1..=20 {
        writer.append(Expected::Any, &[b"x"]).unwrap();
        assert_eq!(texts(&reader).len(), count);
    }
    drop(writer);
    let before = fs::read(&path).unwrap();
    assert_eq!(
        reader.append(Expected::Any, &[b"y"]).unwrap_err().code(),
        Code::ReadOnly
    );
    assert_eq!(texts(&reader).len(), 20);
    drop(reader);
    assert_eq!(
        texts(&SqliteLog::open_read_only(&path, "a").unwrap()).len(),
        20
    );
    assert!(before == fs::read(&path).unwrap());
}

/// Cut at any page or in the middle of one, a store is refused or says where it is damaged; it
/// never answers with fewer records as if they were all.
#[test]
fn truncated_stores() {
    let (_folder, path) = fresh();
    let records = vec![[b'r'; 500]; 300];
    let batch: Vec<&[u8]> = records.iter().map(<[u8; 500]>::as_slice).collect();
    SqliteLog::open(&path, "a")
        .unwrap()
        .append(Expected::Any, &batch)
        .unwrap();
    let whole = fs::read(&path).unwrap();
    for length in (1..whole.len())
        .step_by(1777)
        .chain((4096..whole.len()).step_by(4096))
    {
        fs::write(&path, &whole[..length]).unwrap();
        let Err(error) = SqliteLog::open(&path, "a").and_then(|log| {
            let read = log.read(Position::START, 1000)?;
            assert_eq!(read.len(), 300, "cut at {length}");
            Ok(())
        }) else {
            panic!("cut at {length} of {} and nothing noticed", whole.len());
        };
        assert!(
            matches!(error.code(), Code::Corrupt | Code::NotALog | Code::Io),
            "cut at {length}: {error}"
        );
    }
}

/// INVARIANT 2: a record that somebody took out of the middle is missed, not skipped.
#[test]
fn a_hole_is_noticed_and_poisons() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[b"0", b"1", b"2"]).unwrap();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("DROP TRIGGER record_is_kept; DELETE FROM record WHERE place % 3 = 2")
        .unwrap();
    let error = Position::START;
    let error = log.read(error, 10).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("is damaged: the record at position"),
        "{error}"
    );
    assert_eq!(log.head().unwrap_err().code(), Code::Poisoned);
    assert_eq!(
        log.append(Expected::Any, &[b"3"]).unwrap_err().code(),
        Code::Poisoned
    );
}

/// On a file system that is mounted read-only. As root only; says so where it is left out.
#[test]
fn a_read_only_file_system() {
    if !can_mount() {
        return;
    }
    let (_folder, path) = fresh();
    let mount = "mount -t tmpfs -o size=4m none \"$0\"";
    succeed(child_after(
        &["unshare", "-m", "sh"],
        mount,
        "child_on_a_read_only_file_system",
        &path,
    ));
}

#[test]
#[ignore = "a role of another test"]
fn child_on_a_read_only_file_system() {
    let Some(path) = role() else { return };
    let folder = path.parent().unwrap();
    let mount = |how: &str| {
        let options = format!("remount,{how}");
        let status = std::process::Command::new("mount")
            .args(["-o", &options])
            .arg(folder)
            .status()
            .unwrap();
        assert!(status.success());
    };
    SqliteLog::open(&path, "a")
        .unwrap()
        .append(Expected::Any, &[b"x", b"y"])
        .unwrap();
    // a second store, whose last process was killed: its write-ahead log is still there
    let killed = folder.join("killed.db");
    let mut log = SqliteLog::open(&killed, "a").unwrap();
    log.append(Expected::Any, &[b"x"]).unwrap();
    for beside in ["", "-wal"] {
        fs::copy(
            format!("{}{beside}", killed.display()),
            format!("{}{beside}", folder.join("left.db").display()),
        )
        .unwrap();
    }
    drop(log);
    mount("ro");
    assert_eq!(
        texts(&SqliteLog::open_read_only(&path, "a").unwrap()),
        ["x", "y"]
    );
    assert_eq!(SqliteLog::logs(&path).unwrap().len(), 1);
    assert_eq!(
        SqliteLog::open(&path, "a").unwrap_err().code(),
        Code::ReadOnly
    );
    assert_eq!(
        SqliteLog::open(&folder.join("new.db"), "a")
            .unwrap_err()
            .code(),
        Code::Io
    );
    assert_eq!(
        SqliteLog::open_read_only(&folder.join("left.db"), "a")
            .unwrap_err()
            .code(),
        Code::NeedsRecovery
    );
    // read without locks: a change is noticed
    let still = SqliteLog::open_read_only(&path, "a").unwrap();
    mount("rw");
    let mut writer = SqliteLog::open(&path, "a").unwrap();
    writer.append(Expected::Any, &[b"z"]).unwrap();
    drop(writer);
    assert_eq!(
        still.read(Position::START, 10).unwrap_err().code(),
        Code::Io
    );
    assert_eq!(still.head().unwrap_err().code(), Code::Poisoned);
    assert_eq!(
        texts(&SqliteLog::open(&folder.join("left.db"), "a").unwrap()),
        ["x"]
    );
}

/// T1.30: what a crash left behind while a store was being made is made whole, and a whole store
/// stays as it is. INVARIANT 6.
#[test]
fn t1_30_a_half_made_store_is_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    fs::write(&path, b"").unwrap();
    assert_eq!(SqliteLog::logs(&path).unwrap_err().code(), Code::NotALog);
    SqliteLog::recover(&path).unwrap();
    assert_eq!(SqliteLog::logs(&path).unwrap(), []);

    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[b"kept"]).unwrap();
    drop(log);
    SqliteLog::recover(&path).unwrap();
    let log = SqliteLog::open_read_only(&path, "a").unwrap();
    assert_eq!(log.read(Position::START, 9).unwrap().len(), 1);

    let text = folder.path().join("notes.txt");
    fs::write(&text, b"not a store").unwrap();
    assert_eq!(SqliteLog::recover(&text).unwrap_err().code(), Code::NotALog);
    assert_eq!(fs::read(&text).unwrap(), b"not a store");
}
