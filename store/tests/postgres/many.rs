//! Many processes at one log: INVARIANT 4.

use std::collections::HashMap;
use std::path::Path;

use tern_store::{Expected, Position, Records, Store as _};

use crate::common::{child, role, texts};
use crate::postgres_server::postgres;
use crate::store_at;

const WRITERS: usize = 10;
const BATCHES: usize = 15;

/// One order, in which each writer's batches are whole and in its own order; and everybody is told the same head.
#[test]
fn ten_processes_have_one_order() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let start = |writer: usize| {
        let mut child = child("many::child_appends", Path::new(&address));
        child.env("WRITER", writer.to_string()).spawn().unwrap()
    };
    let children: Vec<_> = (0..WRITERS).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    let log = store_at(&address).open("a").unwrap();
    let all = texts(&*log);
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
    let mut read = Records::new(&*log, Position::START);
    assert_eq!(read.by_ref().flatten().count(), all.len());
    assert_eq!(read.head(), Some(log.head().unwrap()));
    assert_eq!(
        store_at(&address).logs().unwrap(),
        [("a".to_owned(), log.head().unwrap())]
    );
}

#[test]
#[ignore = "a role of another test"]
fn child_appends() {
    let Some(address) = role() else { return };
    let writer = std::env::var("WRITER").unwrap();
    let mut log = store_at(address.to_str().unwrap()).open("a").unwrap();
    for batch in 0..BATCHES {
        let records: Vec<String> = (0..3)
            .map(|part| format!("{writer} {batch} {part}"))
            .collect();
        let records: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
        // in one half they expect something, and decide again when it was not so
        let mut expected = Expected::Any;
        loop {
            if batch % 2 == 0 {
                expected = Expected::At(log.head().unwrap().position);
            }
            match log.append(expected, &records) {
                Ok(_) => break,
                Err(tern_store::Error::Conflict { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// A batch larger than a statement can be, the longest record, and an answer of both.
#[test]
fn long_records_and_many() {
    let Some(server) = postgres() else { return };
    let store = store_at(&server.fresh());
    let mut log = store.open("a").unwrap();
    let long = vec![b'l'; tern_store::MAX_RECORD_BYTES];
    log.append(Expected::Any, &[b"first", &long, b"last"])
        .unwrap();
    let records: Vec<_> = Records::new(&*log, Position::START)
        .map(Result::unwrap)
        .collect();
    assert!(records[1].bytes == long && records.len() == 3);
    let read = log.read(Position::START, 10).unwrap();
    assert_eq!(
        read.len(),
        2,
        "it ends with the record with which it is full"
    );
    let tiny: Vec<[u8; 4]> = (0..200_000_u32).map(u32::to_be_bytes).collect();
    let tiny: Vec<&[u8]> = tiny.iter().map(<[u8; 4]>::as_slice).collect();
    let head = log.append(Expected::Any, &tiny).unwrap();
    assert_eq!(head.position, Position::new(200_003));
    assert_eq!(
        Records::new(&*log, Position::new(3)).flatten().count(),
        200_000
    );
}

/// 1.1 GiB in one batch, and a million records in another: `cargo test … -- --ignored` where memory and time permit.
#[test]
#[ignore = "takes gigabytes"]
fn a_batch_of_more_than_a_gigabyte() {
    let Some(server) = postgres() else { return };
    let store = store_at(&server.fresh());
    let mut log = store.open("a").unwrap();
    let long = vec![b'l'; tern_store::MAX_RECORD_BYTES];
    let head = log.append(Expected::Any, &[&long[..]; 18]).unwrap();
    assert_eq!(
        Records::new(&*log, Position::START)
            .map(Result::unwrap)
            .count(),
        18
    );
    let head = log
        .append(Expected::At(head.position), &vec![&b"x"[..]; 1_000_000])
        .unwrap();
    assert_eq!(log.head().unwrap(), head);
}
