//! The chain: what is not what was appended is noticed (INVARIANT 7 of `DESIGN.md`).
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

use common::fresh;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};
use tern_store::{
    Code, Damage, Error, Expected, Head, Link, Log, Position, Record, Records, SqliteLog, damage,
};

/// Some records, of which none fits on a page.
fn records() -> Vec<Vec<u8>> {
    (0..12_u8)
        .map(|it| vec![it; 1500 + usize::from(it)])
        .collect()
}

fn written(path: &Path) -> Head {
    let mut log = SqliteLog::open(path, "a").unwrap();
    let mut head = Head::start("a");
    for pair in records().chunks(2) {
        let batch: Vec<&[u8]> = pair.iter().map(Vec::as_slice).collect();
        head = log.append(Expected::At(head.position), &batch).unwrap();
    }
    head
}

/// Changes the file as a program that is not ours could: REPLACE takes a row away without a trigger.
fn changed(path: &Path, replace: &str) {
    let conn = Connection::open(path).unwrap();
    let rows = conn.execute(&format!("REPLACE INTO {replace}"), []);
    assert!(rows.unwrap() > 0, "{replace}");
}

fn all(log: &dyn Log) -> Result<Vec<Record>, Error> {
    Records::new(log, Position::START).collect()
}

/// INVARIANT 7: a link is SHA-256 over the link before it and the record, whatever the batches were.
#[test]
fn links_are_what_they_should_be() {
    let (_folder, path) = fresh();
    let head = written(&path);
    let log = SqliteLog::open_read_only(&path, "a").unwrap();
    let mut link: [u8; 32] = Sha256::digest("a").into();
    for (record, bytes) in all(&log).unwrap().iter().zip(records()) {
        let input = [&link[..], &bytes].concat();
        link = Sha256::digest(&input).into();
        assert_eq!(record.link.as_bytes(), &link);
    }
    assert_eq!(head, Head::new(Position::new(12), Link::from_bytes(link)));
    assert_eq!(log.head().unwrap(), head);
    for text in [
        "",
        "0",
        &"0".repeat(63),
        &"0".repeat(65),
        &"G".repeat(64),
        &"A".repeat(64),
        &"é".repeat(32),
    ] {
        assert!(text.parse::<Link>().is_err(), "{text}");
    }
}

/// INVARIANT 7: the first record that is not what was appended is named, and nothing of it or after it is read.
#[test]
fn what_is_changed_is_named() {
    let zeros = "zeroblob(32)";
    for (link, bytes, code, what) in [
        ("link", "x'00'", Code::BrokenChain, Damage::Record),
        ("link", "x''", Code::BrokenChain, Damage::Record),
        (zeros, "bytes", Code::BrokenChain, Damage::Link),
        (zeros, "x'00'", Code::BrokenChain, Damage::Unknown),
    ] {
        let set = format!("{link}, {bytes}");
        for position in [0, 5, 10] {
            let (_folder, path) = fresh();
            written(&path);
            let place = (1_i64 << 40) + position;
            changed(
                &path,
                &format!("record SELECT place, {set} FROM record WHERE place = {place}"),
            );
            let log = SqliteLog::open_read_only(&path, "a").unwrap();
            let mut read = Records::new(&log, Position::START);
            let before: Vec<Record> = read.by_ref().map_while(Result::ok).collect();
            assert_eq!(before.len() as i64, position, "{set}");
            assert!(read.next().is_none());
            let error = all(&log).unwrap_err();
            assert_eq!(error.code(), code, "{set}");
            let Error::BrokenChain { position: at, .. } = error else {
                panic!("{error}");
            };
            assert_eq!(at, Position::new(position.cast_unsigned()));
            let link = before.last().map_or(Link::start("a"), |it| it.link);
            assert_eq!(damage(&log, Head::new(at, link)).unwrap(), what, "{set}");
        }
    }
}

/// INVARIANT 7: two records that changed places, and one that was put in with the link that fits, are noticed.
#[test]
fn another_order_is_noticed() {
    let (_folder, path) = fresh();
    written(&path);
    let third = (1_i64 << 40) + 3;
    changed(
        &path,
        &format!(
            "record SELECT one.place, one.link, other.bytes FROM record one JOIN record other \
             ON one.place + other.place = 2 * {third} + 1 WHERE one.place IN ({third}, {third} + 1)"
        ),
    );
    let log = SqliteLog::open_read_only(&path, "a").unwrap();
    let error = all(&log).unwrap_err();
    assert!(
        matches!(error, Error::BrokenChain { position, .. } if position == Position::new(3)),
        "{error}"
    );
}

/// A head that was kept tells whether a log is still the one that it was, also where every link fits.
#[test]
fn a_history_that_was_written_anew_is_noticed_by_a_head() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    log.append(Expected::Any, &[b"a", b"b", b"c"]).unwrap();
    let (_other_folder, other) = fresh();
    let mut other = SqliteLog::open(&other, "a").unwrap();
    let kept = other.append(Expected::Any, &[b"a", b"x"]).unwrap();
    other.append(Expected::Any, &[b"c"]).unwrap();
    assert!(all(&log).is_ok() && all(&other).is_ok());
    let rest: Result<Vec<Record>, Error> = Records::after(&other, kept).collect();
    assert_eq!(rest.unwrap().len(), 1);
    let rest: Result<Vec<Record>, Error> = Records::after(&log, kept).collect();
    assert_eq!(rest.unwrap_err().code(), Code::BrokenChain);
}

/// A head tells also where nothing follows it: another history of the same length, and a shorter one.
#[test]
fn a_head_is_held_against_the_end_of_a_log() {
    let (_folder, path) = fresh();
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let known = log.append(Expected::Any, &[b"a", b"b"]).unwrap();
    assert!(Records::after(&log, known).next().is_none());
    for (records, code) in [
        (&[&b"a"[..], b"x"][..], Code::BrokenChain),
        (&[b"a"], Code::Corrupt),
        (&[], Code::Corrupt),
    ] {
        let (_folder, path) = fresh();
        let mut other = SqliteLog::open(&path, "a").unwrap();
        other.append(Expected::Any, records).unwrap();
        let mut read = Records::after(&other, known);
        assert_eq!(read.next().unwrap().unwrap_err().code(), code);
        assert!(read.next().is_none());
    }
    let elsewhere = Records::after(&log, Head::start("b")).next();
    assert_eq!(elsewhere.unwrap().unwrap_err().code(), Code::BrokenChain);
}

/// INVARIANT 7: a log that was renamed is not the log of that name.
#[test]
fn no_log_passes_for_another() {
    let (_folder, path) = fresh();
    written(&path);
    changed(&path, "log SELECT id, 'b' FROM log");
    let log = SqliteLog::open_read_only(&path, "b").unwrap();
    let error = all(&log).unwrap_err();
    assert!(
        matches!(error, Error::BrokenChain { position, .. } if position == Position::START),
        "{error}"
    );
}

/// INVARIANTS 2 and 7: whatever byte of the file is changed, what is read is all that was appended, or an error.
#[test]
fn no_changed_byte_is_read_as_something_else() {
    let (folder, path) = fresh();
    written(&path);
    // All in one file, with nothing beside it.
    Connection::open(&path)
        .unwrap()
        .execute_batch("PRAGMA journal_mode = DELETE")
        .unwrap();
    let sound = fs::read(&path).unwrap();
    let right = records();
    let (mut refused, mut whole) = (0, 0);
    for at in (0..sound.len()).step_by(17) {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= change;
            let broken = folder.path().join(format!("{at}-{change}.db"));
            fs::write(&broken, &bytes).unwrap();
            let read = SqliteLog::open_read_only(&broken, "a").and_then(|log| all(&log));
            match read {
                Err(_) => refused += 1,
                Ok(read) => {
                    let read: Vec<Vec<u8>> = read.into_iter().map(|it| it.bytes).collect();
                    assert_eq!(read, right, "byte {at} ^ {change}");
                    whole += 1;
                }
            }
            fs::remove_file(&broken).unwrap();
        }
    }
    println!("{refused} refused, {whole} without effect");
    assert!(refused > 1000 && whole > 0);
}

/// INVARIANT 2: the end of a log is said in two places, and where they do not agree, nothing is answered; appending would
/// make a gap.
#[test]
fn an_end_that_was_taken_away_is_noticed() {
    for change in [
        "DELETE FROM record WHERE place = (1 << 40) + 11",
        "DELETE FROM record",
        "DELETE FROM head",
        "UPDATE head SET position = 11",
        "UPDATE head SET position = -1",
        "UPDATE head SET link = zeroblob(32)",
        "INSERT INTO record VALUES ((1 << 40) + 12, zeroblob(32), x'')",
    ] {
        let (_folder, path) = fresh();
        written(&path);
        let conn = Connection::open(&path).unwrap();
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
            .unwrap();
        assert!(conn.execute(change, []).unwrap() > 0);
        let corrupt = |error: Error| assert_eq!(error.code(), Code::Corrupt, "{change}: {error}");
        corrupt(SqliteLog::logs(&path).unwrap_err());
        let open = || SqliteLog::open(&path, "a").unwrap();
        corrupt(open().head().unwrap_err());
        corrupt(open().append(Expected::Any, &[b"x"]).unwrap_err());
        corrupt(all(&open()).unwrap_err());
    }
}

/// The bytes of a link are 32; SQLite itself takes no other.
#[test]
fn a_link_has_its_length() {
    let (_folder, path) = fresh();
    written(&path);
    let conn = Connection::open(&path).unwrap();
    let insert = "INSERT INTO record (place, link, bytes) VALUES (?1, ?2, x'')";
    let place = (1_i64 << 40) + 12;
    assert!(
        conn.execute(insert, params![place, vec![0_u8; 31]])
            .is_err()
    );
    assert!(conn.execute(insert, params![place, vec![0_u8; 32]]).is_ok());
}
