//! Failures of the medium: a full disk, a write that fails, a file that is cut under our feet.
//!
//! INVARIANT 5: after one of them the log answers nothing more until it is opened again, and
//! then everything acknowledged is there (T1.30).
#![cfg(feature = "sqlite")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::fs::{File, OpenOptions};
use std::path::Path;

use common::{can_mount, child_after, fresh, role, succeed, texts};
use tern_store::{Code, Error, Expected, Log, Position, SqliteLog};

/// Appends until something fails; then the log is poisoned, and reopening finds what was
/// acknowledged, to which at most the failed batch was added.
fn append_until_failure(mut log: SqliteLog, path: &Path, code: Code, make_room: impl FnOnce()) {
    let batch: Vec<Vec<u8>> = (0..20).map(|part| vec![b'a' + part; 1000]).collect();
    let bytes: Vec<&[u8]> = batch.iter().map(Vec::as_slice).collect();
    let mut acknowledged = log.head().unwrap();
    let failure = loop {
        match log.append(Expected::Any, &bytes) {
            Ok(head) => acknowledged = head,
            Err(error) => break error,
        }
        assert!(
            acknowledged.position < Position::new(1_000_000),
            "the fault never came"
        );
    };
    assert_eq!(failure.code(), code, "{failure}");
    for error in [
        log.head().unwrap_err(),
        log.read(Position::START, 1).unwrap_err(),
        log.append(Expected::Any, &[b"x"]).unwrap_err(),
        log.append(Expected::Any, &[]).unwrap_err(),
    ] {
        assert!(
            matches!(&error, Error::Poisoned { cause, .. } if *cause == failure.to_string()),
            "{error}"
        );
    }
    // others may read meanwhile
    assert!(
        texts(&SqliteLog::open_read_only(path, "a").unwrap()).len() as u64
            >= acknowledged.position.as_u64()
    );
    drop(log);
    make_room();
    let mut log = SqliteLog::open(path, "a").unwrap();
    let found = log.head().unwrap();
    assert!(
        found == acknowledged || found.position == acknowledged.position.after(20),
        "{found:?}"
    );
    let records = texts(&log);
    assert!(
        records
            .iter()
            .zip(batch.iter().cycle())
            .all(|(record, bytes)| record.as_bytes() == bytes.as_slice())
    );
    log.append(Expected::At(found.position), &bytes).unwrap();
    assert_eq!(texts(&log).len(), records.len() + 20);
}

/// SQLite's own limit (`PRAGMA max_page_count`, through the hook for tests): SQLITE_FULL.
#[test]
fn no_page_is_left() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[]).unwrap();
    log.limit_pages_for_tests(100).unwrap();
    append_until_failure(log, &path, Code::Full, || {});
}

/// A disk that is full in earnest: a small tmpfs. As root only; says so where it is left out.
#[test]
fn a_full_disk() {
    if can_mount() {
        let mount = "mount -t tmpfs -o size=2m none \"$0\"";
        let (_folder, path) = fresh();
        succeed(child_after(
            &["unshare", "-m", "sh"],
            mount,
            "child_on_a_full_disk",
            &path,
        ));
    }
}

#[test]
#[ignore = "a role of another test"]
fn child_on_a_full_disk() {
    let Some(path) = role() else { return };
    // what fills the disk besides us, and can be removed
    let ballast = path.with_file_name("ballast");
    std::fs::write(&ballast, vec![0; 1 << 20]).unwrap();
    let log = SqliteLog::open(&path, "a").unwrap();
    append_until_failure(log, &path, Code::Full, || {
        std::fs::remove_file(&ballast).unwrap()
    });
}

/// A write that fails with something else (EFBIG, from a limit on the size of files that the
/// child runs under): SQLITE_IOERR. Short writes come with it.
#[test]
fn a_write_fails() {
    let (_folder, path) = fresh();
    drop(SqliteLog::open(&path, "a").unwrap());
    // in units of 512 or 1024 bytes; the write-ahead log reaches it first
    let limit = "trap '' XFSZ; ulimit -f 300";
    succeed(child_after(
        &["sh"],
        limit,
        "child_whose_write_fails",
        &path,
    ));
    assert!(!texts(&SqliteLog::open(&path, "a").unwrap()).is_empty());
}

#[test]
#[ignore = "a role of another test"]
fn child_whose_write_fails() {
    let Some(path) = role() else { return };
    let log = SqliteLog::open(&path, "a").unwrap();
    append_until_failure(log, &path, Code::Io, || {});
}

/// The file is cut under an open log: reading says so, and then the log goes on with nothing.
#[test]
fn a_file_cut_under_an_open_log() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let record = [b'r'; 1000];
    log.append(Expected::Any, &[&record[..]; 5000]).unwrap();
    drop(log);
    let reader = SqliteLog::open_read_only(&path, "a").unwrap();
    assert_eq!(reader.read(Position::START, 10).unwrap().len(), 10);
    let file: File = OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(8192).unwrap();
    let error = reader.read(Position::START, 5000).unwrap_err();
    assert!(matches!(error.code(), Code::Io | Code::Corrupt), "{error}");
    assert_eq!(
        reader.read(Position::START, 1).unwrap_err().code(),
        Code::Poisoned
    );
    assert_eq!(reader.head().unwrap_err().code(), Code::Poisoned);
}

/// Refusals are no failures: none of them poisons a log.
#[test]
fn refusals_do_not_poison() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let long = vec![0; tern_store::MAX_RECORD_BYTES + 1];
    assert_eq!(
        log.append(Expected::Any, &[&long]).unwrap_err().code(),
        Code::RecordTooLong
    );
    assert_eq!(
        log.append(Expected::At(Position::new(9)), &[b"x"])
            .unwrap_err()
            .code(),
        Code::Conflict
    );
    assert_eq!(
        log.append(Expected::At(Position::new(9)), &[])
            .unwrap_err()
            .code(),
        Code::Conflict
    );
    log.append(Expected::Any, &[b"x"]).unwrap();
    assert_eq!(texts(&log), ["x"]);
}
