//! Records a second: our append and our reading beside rusqlite and a plain file doing the same, in one run.
//!
//! `cargo run --release -p tern-store --example append_rate [FOLDER]`; FOLDER is on the disk to be measured, a temporary
//! folder if none is given. Records have 1 KiB. Each figure is the median of five runs, and the contenders take turns.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a measurement may stop"
)]

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::thread;
use std::time::Instant;

use rusqlite::{Connection, TransactionBehavior, params};
use tern_store::{Expected, Group, Log, Position, Records, SqliteLog, Ticket};

/// What is measured: a path, the number of records, the size of a batch or what else there is to vary.
type Work = fn(&Path, usize, usize);

const RUNS: usize = 5;
const RECORD: [u8; 1024] = [b'r'; 1024];
const WRITERS: usize = 8;

fn main() {
    let folder = std::env::args().nth(1);
    let appends: [(&str, Work); 4] = [
        ("tern-store", ours),
        ("rusqlite, same rows", bare_same),
        ("rusqlite, records only", bare),
        ("file + fdatasync", file),
    ];
    for (records, batch) in [(5_000, 1), (200_000, 1000)] {
        let work = appends.map(|(name, work)| (name, work, records, batch));
        let what = format!("append, batches of {batch}");
        compare(&what, &work, || new_folder(folder.as_deref()));
    }
    let title =
        format!("append of single records by {WRITERS} threads, so many not yet acknowledged each");
    let groups: [(&str, Work, usize, usize); 4] = [
        ("one thread, one by one", ours, 2_000, 1),
        ("1", grouped, 8_000, 1),
        ("16", grouped, 16_000, 16),
        ("256", grouped, 128_000, 256),
    ];
    compare(&title, &groups, || new_folder(folder.as_deref()));

    let full = new_folder(folder.as_deref());
    let records = 200_000;
    ours(full.path(), records, 1000);
    bare(full.path(), records, 1000);
    file(full.path(), records, 1000);
    let reads: [(&str, Work); 4] = [
        ("Records, each checked", read_ours),
        ("Log::read", read_unchecked),
        ("rusqlite", read_bare),
        ("file", read_file),
    ];
    let work = reads.map(|(name, work)| (name, work, records, 0));
    compare("read back (cached by the system)", &work, || &full);
}

/// Runs each contender in turn, and prints their rates beside that of the first.
fn compare<F: AsFolder>(
    what: &str,
    contenders: &[(&str, Work, usize, usize)],
    folder: impl Fn() -> F,
) {
    let mut rates = vec![Vec::new(); contenders.len()];
    for _ in 0..RUNS {
        for (at, (_, work, records, size)) in contenders.iter().enumerate() {
            let folder = folder();
            let begun = Instant::now();
            work(folder.path(), *records, *size);
            rates[at].push(*records as f64 / begun.elapsed().as_secs_f64());
        }
    }
    println!("{what}: records a second, median (lowest to highest), and by the first");
    rates
        .iter_mut()
        .for_each(|rates| rates.sort_by(f64::total_cmp));
    let first = rates[0][RUNS / 2];
    for ((name, ..), rates) in contenders.iter().zip(&rates) {
        let (low, median, high) = (rates[0], rates[RUNS / 2], rates[RUNS - 1]);
        println!(
            "  {name:24} {median:>9.0} ({low:.0} to {high:.0})  {:.2}",
            median / first
        );
    }
}

/// A folder of its own, or one that is shared.
trait AsFolder {
    fn path(&self) -> &Path;
}

impl AsFolder for tempfile::TempDir {
    fn path(&self) -> &Path {
        Self::path(self)
    }
}

impl AsFolder for &tempfile::TempDir {
    fn path(&self) -> &Path {
        tempfile::TempDir::path(self)
    }
}

fn new_folder(parent: Option<&str>) -> tempfile::TempDir {
    parent
        .map_or_else(tempfile::tempdir, tempfile::tempdir_in)
        .unwrap()
}

fn ours(folder: &Path, records: usize, batch: usize) {
    let path = folder.join("ours");
    let mut log = SqliteLog::open(&path, "a").unwrap();
    let bytes = vec![&RECORD[..]; batch];
    for _ in 0..records / batch {
        log.append(Expected::Any, &bytes).unwrap();
    }
}

/// Threads that append single records through one group, each with up to `window` not yet acknowledged.
fn grouped(folder: &Path, records: usize, window: usize) {
    let path = folder.join("ours");
    let group = Group::new(Box::new(SqliteLog::open(&path, "a").unwrap())).unwrap();
    thread::scope(|scope| {
        for _ in 0..WRITERS {
            let group = group.clone();
            scope.spawn(move || {
                let mut waiting: VecDeque<Ticket> = VecDeque::new();
                for _ in 0..records / WRITERS {
                    if waiting.len() == window {
                        waiting.pop_front().unwrap().wait().unwrap();
                    }
                    waiting.push_back(group.submit(Expected::Any, vec![RECORD.to_vec()]));
                }
                for ticket in waiting {
                    ticket.wait().unwrap();
                }
            });
        }
    });
}

fn begin(path: &Path, tables: &str) -> Connection {
    let conn = Connection::open(path).unwrap();
    conn.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
        .unwrap();
    conn.execute_batch(tables).unwrap();
    conn
}

fn bare(folder: &Path, records: usize, batch: usize) {
    let mut conn = begin(
        &folder.join("bare"),
        "CREATE TABLE record (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
    );
    let mut place: i64 = 0;
    for _ in 0..records / batch {
        let transaction = conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .unwrap();
        let mut insert = transaction
            .prepare_cached("INSERT INTO record VALUES (?1, ?2)")
            .unwrap();
        for _ in 0..batch {
            insert.execute(params![place, &RECORD[..]]).unwrap();
            place += 1;
        }
        drop(insert);
        transaction.commit().unwrap();
    }
}

/// The rows that we write, by whom they cost nothing but to be written.
fn bare_same(folder: &Path, records: usize, batch: usize) {
    let mut conn = begin(
        &folder.join("same"),
        "CREATE TABLE record (place INTEGER PRIMARY KEY, link BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
         CREATE TABLE head (log INTEGER PRIMARY KEY, position INTEGER NOT NULL, link BLOB NOT NULL) STRICT;
         INSERT INTO head VALUES (1, 0, x'')",
    );
    let mut place: i64 = 0;
    for _ in 0..records / batch {
        let transaction = conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .unwrap();
        let mut insert = transaction
            .prepare_cached("INSERT INTO record VALUES (?1, ?2, ?3)")
            .unwrap();
        for _ in 0..batch {
            insert
                .execute(params![place, &RECORD[..32], &RECORD[..]])
                .unwrap();
            place += 1;
        }
        drop(insert);
        transaction
            .prepare_cached("UPDATE head SET position = ?1, link = ?2 WHERE log = 1")
            .unwrap()
            .execute(params![place, &RECORD[..32]])
            .unwrap();
        transaction.commit().unwrap();
    }
}

fn file(folder: &Path, records: usize, batch: usize) {
    let mut file = File::create(folder.join("file")).unwrap();
    let bytes = RECORD.repeat(batch);
    for _ in 0..records / batch {
        file.write_all(&bytes).unwrap();
        file.sync_data().unwrap();
    }
}

fn read_ours(folder: &Path, records: usize, _: usize) {
    let log = SqliteLog::open_read_only(&folder.join("ours"), "a").unwrap();
    let bytes: usize = Records::new(&log, Position::START)
        .map(|record| record.unwrap().bytes.len())
        .sum();
    assert_eq!(bytes, records * RECORD.len());
}

fn read_unchecked(folder: &Path, records: usize, _: usize) {
    let log = SqliteLog::open_read_only(&folder.join("ours"), "a").unwrap();
    let (mut bytes, mut next) = (0, Position::START);
    loop {
        let read = log.read(next, 256).unwrap();
        if read.is_empty() {
            break;
        }
        bytes += read.iter().map(|record| record.bytes.len()).sum::<usize>();
        next = next.after(read.len() as u64);
    }
    assert_eq!(bytes, records * RECORD.len());
}

fn read_bare(folder: &Path, records: usize, _: usize) {
    let conn = Connection::open(folder.join("bare")).unwrap();
    let mut select = conn
        .prepare("SELECT place, bytes FROM record ORDER BY place")
        .unwrap();
    let rows = select
        .query_map([], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
        })
        .unwrap();
    let bytes: usize = rows.map(|row| row.unwrap().1.len()).sum();
    assert_eq!(bytes, records * RECORD.len());
}

fn read_file(folder: &Path, records: usize, _: usize) {
    let mut bytes = Vec::new();
    File::open(folder.join("file"))
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    assert_eq!(bytes.len(), records * RECORD.len());
}
