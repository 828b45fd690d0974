//! What a log promises to one process: order, bytes, positions, all or none.
//!
//! T4.15: history only grows. Statements of `DESIGN.md` are cited as INVARIANT n.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use common::{fresh, texts};
use tern_store::{Code, Error, Expected, Log, MAX_RECORD_BYTES, Position, READ_BYTES, SqliteLog};

/// T1.30, what was seen is durable: what was acknowledged is there when the log is opened again.
#[test]
fn a_reopened_log_goes_on_where_it_was() {
    let (_folder, path) = fresh();
    for round in 0..5_u64 {
        let mut log = SqliteLog::open(&path, "a").unwrap();
        assert_eq!(log.head().unwrap().position, Position::new(round));
        log.append(
            Expected::At(Position::new(round)),
            &[round.to_string().as_bytes()],
        )
        .unwrap();
    }
    let log = SqliteLog::open_read_only(&path, "a").unwrap();
    assert_eq!(texts(&log), ["0", "1", "2", "3", "4"]);
}

/// INVARIANT 3: a batch with one record that is refused leaves nothing. Tested at the edge.
#[test]
fn a_batch_with_a_refused_record_leaves_nothing() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let long = vec![7; MAX_RECORD_BYTES + 1];
    let error = log.append(Expected::Any, &[b"x", &long, b"y"]).unwrap_err();
    assert!(matches!(error, Error::RecordTooLong { index: 1, .. }));
    assert_eq!(log.head().unwrap().position, Position::START);
    let longest = &long[1..];
    log.append(Expected::Any, &[longest]).unwrap();
    assert_eq!(log.read(Position::START, 1).unwrap()[0].bytes, longest);
}

/// An answer is bounded in bytes and says its end by being empty, not by being short.
#[test]
fn records_of_16_mib_are_read_in_bounded_pieces() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let records: Vec<Vec<u8>> = (0..6).map(|byte| vec![byte; 16 << 20]).collect();
    let batch: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    log.append(Expected::Any, &batch).unwrap();
    let first = log.read(Position::START, 100).unwrap();
    assert_eq!(
        first.iter().map(|record| record.bytes.len()).sum::<usize>(),
        READ_BYTES
    );
    assert_eq!(log.read(Position::new(4), 100).unwrap().len(), 2);
    let all: Vec<Vec<u8>> = tern_store::Records::new(&log, Position::START)
        .map(|record| record.unwrap().bytes)
        .collect();
    assert!(all == records);
}

/// A million records in one batch.
#[test]
fn a_batch_of_a_million_records() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let records: Vec<[u8; 8]> = (0..1_000_000_u64).map(u64::to_be_bytes).collect();
    let batch: Vec<&[u8]> = records.iter().map(<[u8; 8]>::as_slice).collect();
    assert_eq!(
        log.append(Expected::Any, &batch).unwrap().position,
        Position::new(1_000_000)
    );
    let read = log.read(Position::START, usize::MAX).unwrap();
    assert!(read.iter().map(|record| record.bytes.as_slice()).eq(batch));
}

/// Paths that SQLite would take for something else are ordinary file names.
#[test]
fn special_names_of_sqlite_are_files() {
    let (folder, _) = fresh();
    for name in [
        ":memory:",
        "file:x?mode=memory",
        "a%20b?immutable=1#c",
        "ü \"'",
    ] {
        let path = folder.path().join(name);
        SqliteLog::open(&path, "a")
            .unwrap()
            .append(Expected::Any, &[b"x"])
            .unwrap();
        assert!(path.is_file());
        assert_eq!(
            texts(&SqliteLog::open_read_only(&path, "a").unwrap()),
            ["x"]
        );
    }
    assert_eq!(
        SqliteLog::open("".as_ref(), "a").unwrap_err().code(),
        Code::Io
    );
}

/// T4.15, history only grows: the file itself refuses changes, also by other programs.
#[test]
fn records_cannot_be_changed_or_removed() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[b"x"]).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    for statement in [
        "UPDATE record SET bytes = x'00'",
        "UPDATE record SET place = place + 1",
        "DELETE FROM record",
        "DELETE FROM log",
        "UPDATE log SET name = 'b'",
    ] {
        assert!(other.execute(statement, []).is_err(), "{statement}");
    }
    assert_eq!(texts(&log), ["x"]);
}

/// Codes are API: each is there once, with a hint.
#[test]
fn codes_are_distinct_and_have_hints() {
    let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        assert!(code.as_str().starts_with("store_"));
        assert!(!code.hint().is_empty() && !code.hint().ends_with('.'));
    }
}

/// A log belongs to one thread at a time and can move to another; so can what it answers.
#[test]
fn logs_move_to_other_threads() {
    const fn moves<T: Send + ?Sized>() {}
    const {
        moves::<SqliteLog>();
        moves::<Error>();
        moves::<Box<dyn Log>>();
    }
}
