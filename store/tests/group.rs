//! Group commit: batches of many threads in few transactions, each still one batch (INVARIANTS 3 to 5).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::thread;
use std::time::Duration;

use common::{fresh, texts};
use tern_store::{Code, Error, Expected, Group, Log, Position, SqliteLog, Ticket};

fn batch(records: &[&str]) -> Vec<Vec<u8>> {
    records.iter().map(|it| it.as_bytes().to_vec()).collect()
}

/// Holds the write lock of a file, so that what is submitted meanwhile is one group.
fn holding<T>(path: &std::path::Path, work: impl FnOnce() -> T) -> T {
    let holder = rusqlite::Connection::open(path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let done = work();
    thread::sleep(Duration::from_millis(50));
    holder.execute_batch("COMMIT").unwrap();
    done
}

/// INVARIANT 4: within a group, each batch is compared with what the ones before it leave.
#[test]
fn each_batch_of_a_group_is_compared_in_its_turn() {
    let (_folder, path) = fresh();
    let group = Group::new(Box::new(SqliteLog::open(&path, "a").unwrap())).unwrap();
    let at = |position| Expected::At(Position::new(position));
    let tickets: Vec<Ticket> = holding(&path, || {
        // The first one is on its way alone; the others wait behind it.
        let first = group.submit(Expected::Any, batch(&["0"]));
        thread::sleep(Duration::from_millis(50));
        let others = [
            (at(1), batch(&["1", "2"])),
            (at(1), batch(&["lost"])),
            (Expected::Any, batch(&["3"])),
            (at(9), batch(&[])),
            (at(4), batch(&[])),
            (at(4), batch(&["4"])),
        ];
        let others = others.map(|(expected, records)| group.submit(expected, records));
        [first].into_iter().chain(others).collect()
    });
    let answers: Vec<Result<u64, (u64, u64)>> = tickets
        .into_iter()
        .map(|ticket| match ticket.wait() {
            Ok(end) => Ok(end.as_u64()),
            Err(Error::Conflict { expected, found }) => Err((expected.as_u64(), found.as_u64())),
            Err(error) => panic!("{error}"),
        })
        .collect();
    let expected = [Ok(1), Ok(3), Err((1, 3)), Ok(4), Err((9, 4)), Ok(4), Ok(5)];
    assert_eq!(answers, expected);
    let log = SqliteLog::open(&path, "a").unwrap();
    assert_eq!(texts(&log), ["0", "1", "2", "3", "4"]);
}

/// Another process that appends between makes a group look again, and no batch is lost or there twice.
#[test]
fn a_group_and_another_writer() {
    let (_folder, path) = fresh();
    let group = Group::new(Box::new(SqliteLog::open(&path, "a").unwrap())).unwrap();
    thread::scope(|scope| {
        for writer in 0..8 {
            let group = group.clone();
            scope.spawn(move || {
                for number in 0..50 {
                    let record = format!("{writer} {number}");
                    let mut expected = Position::START;
                    loop {
                        match group.append(Expected::At(expected), batch(&[&record])) {
                            Ok(_) => break,
                            Err(Error::Conflict { found, .. }) => expected = found,
                            Err(error) => panic!("{error}"),
                        }
                        if number % 2 == 0 {
                            group.append(Expected::Any, batch(&[&record])).unwrap();
                            break;
                        }
                    }
                }
            });
        }
        let path = &path;
        scope.spawn(move || {
            let mut log = SqliteLog::open(path, "a").unwrap();
            for number in 0..50 {
                let record = format!("other {number}");
                log.append(Expected::Any, &[record.as_bytes()]).unwrap();
            }
        });
    });
    let found = texts(&SqliteLog::open(&path, "a").unwrap());
    for writer in ["0", "1", "2", "3", "4", "5", "6", "7", "other"] {
        let own: Vec<&String> = found
            .iter()
            .filter(|it| it.starts_with(&format!("{writer} ")))
            .collect();
        let appended: Vec<String> = (0..50).map(|it| format!("{writer} {it}")).collect();
        assert!(own.into_iter().eq(&appended), "{writer}");
    }
    assert_eq!(found.len(), 9 * 50);
}

/// A record that is too long refuses its own batch and no other.
#[test]
fn a_refused_record_is_its_own_batch() {
    let (_folder, path) = fresh();
    let group = Group::new(Box::new(SqliteLog::open(&path, "a").unwrap())).unwrap();
    let long = vec![vec![0; tern_store::MAX_RECORD_BYTES + 1]];
    let refused = group.submit(Expected::Any, long);
    let fine = group.submit(Expected::Any, batch(&["x"]));
    assert_eq!(refused.wait().unwrap_err().code(), Code::RecordTooLong);
    assert_eq!(fine.wait().unwrap(), Position::new(1));
}

/// INVARIANT 5: after a failure nobody is acknowledged, and everybody is told.
#[test]
fn a_failure_is_told_to_all() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[b"before"]).unwrap();
    log.limit_pages_for_tests(30).unwrap();
    let group = Group::new(Box::new(log)).unwrap();
    let tickets: Vec<Ticket> = holding(&path, || {
        let large = |_| group.submit(Expected::Any, vec![vec![b'x'; 100_000]]);
        (0..5).map(large).collect()
    });
    let codes: Vec<Code> = tickets
        .into_iter()
        .map(|ticket| ticket.wait().unwrap_err().code())
        .collect();
    assert!(
        codes
            .iter()
            .all(|it| [Code::Full, Code::Poisoned].contains(it)),
        "{codes:?}"
    );
    assert!(codes.contains(&Code::Full));
    let later = group.append(Expected::Any, batch(&["later"])).unwrap_err();
    assert_eq!(later.code(), Code::Poisoned);
    drop(group);
    let log = SqliteLog::open(&path, "a").unwrap();
    assert_eq!(texts(&log), ["before"]);
}

/// A refusal of one is a refusal of all, and the log goes on.
#[test]
fn a_refusal_is_one_for_all() {
    let (_folder, path) = fresh();
    drop(SqliteLog::open(&path, "a").unwrap());
    let group = Group::new(Box::new(SqliteLog::open_read_only(&path, "a").unwrap())).unwrap();
    for _ in 0..3 {
        let tickets = [0, 1, 2].map(|_| group.submit(Expected::Any, batch(&["x"])));
        for ticket in tickets {
            assert_eq!(ticket.wait().unwrap_err().code(), Code::ReadOnly);
        }
    }
}

/// What was submitted is appended, whether or not anybody waits.
#[test]
fn nobody_has_to_wait() {
    let (_folder, path) = fresh();
    let group = Group::new(Box::new(SqliteLog::open(&path, "a").unwrap())).unwrap();
    for number in 0..20 {
        drop(group.submit(Expected::Any, batch(&[&number.to_string()])));
    }
    drop(group);
    let log = SqliteLog::open(&path, "a").unwrap();
    let head = log
        .wait(Position::new(19), Duration::from_secs(60))
        .unwrap();
    assert_eq!(head.position, Position::new(20));
}
