//! Several connections and several processes on one file: one total order, no record lost.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::HashMap;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use common::{child, fresh, role, texts};
use tern_store::{Code, Error, Expected, Log, Position, SqliteLog};

/// A process that holds the file too long is waited for, then named as the reason.
#[test]
fn a_held_file_is_busy_and_the_log_goes_on() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.set_patience(Duration::from_millis(50)).unwrap();
    let holder = rusqlite::Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    let error = log.append(Expected::Any, &[b"x"]).unwrap_err();
    assert_eq!(error.code(), Code::Busy);
    assert!(begun.elapsed() >= Duration::from_millis(40));
    assert_eq!(
        texts(&log),
        [""; 0],
        "reading goes on while another holds the file"
    );
    holder.execute_batch("COMMIT").unwrap();
    log.append(Expected::Any, &[b"x"]).unwrap();
    assert_eq!(texts(&log), ["x"]);
}

/// Many threads make and open the same new file at once: one store, every log once.
#[test]
fn opened_at_once_by_many() {
    for _ in 0..10 {
        let (_folder, path) = fresh();
        thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    let mut log = SqliteLog::open(path, &format!("{}", number % 3)).unwrap();
                    log.append(Expected::Any, &[b"x"]).unwrap();
                });
            }
        });
        let counts: Vec<u64> = SqliteLog::logs(&path)
            .unwrap()
            .iter()
            .map(|(_, head)| head.position.as_u64())
            .collect();
        assert_eq!(counts, [3, 3, 2]);
    }
}

const WRITERS: usize = 3;
const BATCHES: usize = 60;

/// INVARIANTS 2 and 4: processes that append at once, some blindly and some with an expectation,
/// end with one order in which each one's records are in its own order, batches unbroken.
#[test]
fn processes_append_at_once() {
    let (_folder, path) = fresh();
    let children: Vec<Child> = (0..WRITERS)
        .map(|writer| {
            child("child_appends", &path)
                .env("WRITER", writer.to_string())
                .spawn()
                .unwrap()
        })
        .collect();
    // meanwhile somebody reads: what was seen once is never seen otherwise
    let mut seen: Vec<String> = Vec::new();
    let mut children = children.into_iter();
    let mut waiting = children.next();
    while let Some(child) = waiting.as_mut() {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            waiting = children.next();
        }
        if let Ok(log) = SqliteLog::open_read_only(&path, "a") {
            let now = texts_until_head(&log);
            assert!(now.starts_with(&seen));
            seen = now;
        }
    }
    let all = texts(&SqliteLog::open_read_only(&path, "a").unwrap());
    assert_eq!(all.len(), WRITERS * BATCHES * 3);
    let mut next: HashMap<String, usize> = HashMap::new();
    for batch in all.chunks(3) {
        let writer = batch[0].split_once(' ').unwrap().0.to_owned();
        let count = next.entry(writer.clone()).or_default();
        let expected: Vec<String> = (0..3)
            .map(|part| format!("{writer} {count} {part}"))
            .collect();
        assert_eq!(batch, expected);
        *count += 1;
    }
    assert_eq!(next.len(), WRITERS);
}

/// The records up to the head as it was first; others append meanwhile.
fn texts_until_head(log: &SqliteLog) -> Vec<String> {
    let head = log.head().unwrap().position.as_u64();
    let records = log
        .read(Position::START, usize::try_from(head).unwrap())
        .unwrap();
    assert_eq!(records.len() as u64, head);
    records
        .into_iter()
        .map(|record| String::from_utf8(record.bytes).unwrap())
        .collect()
}

#[test]
#[ignore = "a role of another test"]
fn child_appends() {
    let Some(path) = role() else { return };
    let writer: usize = std::env::var("WRITER").unwrap().parse().unwrap();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let mut conflicts = 0;
    for batch in 0..BATCHES {
        let records: Vec<String> = (0..3)
            .map(|part| format!("{writer} {batch} {part}"))
            .collect();
        let records: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
        loop {
            let expected = if writer == 0 {
                Expected::Any
            } else {
                Expected::At(log.head().unwrap().position)
            };
            match log.append(expected, &records) {
                Ok(_) => break,
                Err(Error::Conflict { .. }) => conflicts += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    println!("writer {writer}: {conflicts} conflicts");
}
