//! Records a second: our append beside bare rusqlite and a plain file doing the same, in one run.
//!
//! `cargo run --release -p tern-store --example append_rate [FOLDER]`; FOLDER is on the disk to
//! be measured, a temporary folder if none is given. Records have 1 KiB. Each figure is the
//! median of five runs, and the runs of the three take turns.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_range_loop,
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

/// What is measured: a path, the number of records, the size of a batch.
type Work = fn(&Path, usize, usize);

const RUNS: usize = 5;
const RECORD: [u8; 1024] = [b'r'; 1024];

fn main() {
    let folder = std::env::args().nth(1);
    let mut contenders: [(&str, Work); 3] = [
        ("tern-store", ours),
        ("bare rusqlite", bare),
        ("file + fdatasync", file),
    ];
    for (records, batch) in [(2_000, 1), (200_000, 1000)] {
        let mut rates = [[0.0; RUNS]; 3];
        for run in 0..RUNS {
            for (contender, (_, append)) in contenders.iter().enumerate() {
                let folder = new_folder(folder.as_deref());
                let begun = Instant::now();
                append(&folder.path().join("log"), records, batch);
                rates[contender][run] = records as f64 / begun.elapsed().as_secs_f64();
            }
        }
        print(
            &format!("append, batches of {batch}"),
            contenders.map(|(name, _)| name),
            rates,
        );
    }
    group_commit(folder.as_deref());
    contenders[0].1 = read_ours;
    contenders[1].1 = read_bare;
    contenders[2].1 = read_file;
    let records = 200_000;
    let folder = new_folder(folder.as_deref());
    let path = |name: &str| folder.path().join(name);
    ours(&path("tern-store"), records, 1000);
    bare(&path("bare rusqlite"), records, 1000);
    file(&path("file + fdatasync"), records, 1000);
    let mut rates = [[0.0; RUNS]; 3];
    for run in 0..RUNS {
        for (contender, (name, read)) in contenders.iter().enumerate() {
            let begun = Instant::now();
            read(&path(name), records, 1000);
            rates[contender][run] = records as f64 / begun.elapsed().as_secs_f64();
        }
    }
    print(
        "read back (cached by the system)",
        contenders.map(|(name, _)| name),
        rates,
    );
}

/// Eight threads that append single records through one group, each with up to so many not yet acknowledged, against one
/// thread that appends one by one.
fn group_commit(folder: Option<&str>) {
    const WRITERS: usize = 8;
    const WINDOWS: [usize; 3] = [1, 16, 256];
    let mut rates = [[0.0; RUNS]; WINDOWS.len() + 1];
    for run in 0..RUNS {
        for (at, window) in [0].into_iter().chain(WINDOWS).enumerate() {
            let folder = new_folder(folder);
            let path = folder.path().join("log");
            let records = if window == 0 {
                2_000
            } else {
                1_000 * window.clamp(8, 128)
            };
            let begun = Instant::now();
            match window {
                0 => ours(&path, records, 1),
                _ => grouped(&path, records / WRITERS, window),
            }
            rates[at][run] = records as f64 / begun.elapsed().as_secs_f64();
        }
    }
    println!("append of single records, {WRITERS} threads: records a second, median");
    rates
        .iter_mut()
        .for_each(|rates| rates.sort_by(f64::total_cmp));
    let median = |rates: &[f64; RUNS]| rates[RUNS / 2];
    let one = median(&rates[0]);
    println!("  one thread, one by one          {one:>9.0}");
    for (window, rates) in WINDOWS.iter().zip(&rates[1..]) {
        let rate = median(rates);
        println!(
            "  {window:>3} not yet acknowledged each   {rate:>9.0}  {:.1} x",
            rate / one
        );
    }

    fn grouped(path: &Path, each: usize, window: usize) {
        let group = Group::new(Box::new(SqliteLog::open(path, "a").unwrap())).unwrap();
        thread::scope(|scope| {
            for _ in 0..WRITERS {
                let group = group.clone();
                scope.spawn(move || {
                    let mut waiting = VecDeque::new();
                    for _ in 0..each {
                        if waiting.len() == window {
                            let oldest: Option<Ticket> = waiting.pop_front();
                            oldest.unwrap().wait().unwrap();
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
}

fn new_folder(parent: Option<&str>) -> tempfile::TempDir {
    parent
        .map_or_else(tempfile::tempdir, tempfile::tempdir_in)
        .unwrap()
}

fn print(what: &str, names: [&str; 3], mut rates: [[f64; RUNS]; 3]) {
    println!("{what}: records a second, median (lowest to highest)");
    for (name, rates) in names.iter().zip(&mut rates) {
        rates.sort_by(f64::total_cmp);
        println!(
            "  {name:18} {:>9.0} ({:.0} to {:.0})",
            rates[RUNS / 2],
            rates[0],
            rates[RUNS - 1]
        );
    }
    println!(
        "  bare / ours        {:>9.2}",
        rates[1][RUNS / 2] / rates[0][RUNS / 2]
    );
}

fn ours(path: &Path, records: usize, batch: usize) {
    let mut log = SqliteLog::open(path, "a").unwrap();
    let bytes = vec![&RECORD[..]; batch];
    for _ in 0..records / batch {
        log.append(Expected::Any, &bytes).unwrap();
    }
}

fn bare(path: &Path, records: usize, batch: usize) {
    let mut conn = Connection::open(path).unwrap();
    conn.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
         CREATE TABLE record (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
    )
    .unwrap();
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

fn file(path: &Path, records: usize, batch: usize) {
    let mut file = File::create(path).unwrap();
    let bytes = RECORD.repeat(batch);
    for _ in 0..records / batch {
        file.write_all(&bytes).unwrap();
        file.sync_data().unwrap();
    }
}

fn read_ours(path: &Path, records: usize, _: usize) {
    let log = SqliteLog::open_read_only(path, "a").unwrap();
    let bytes: usize = Records::new(&log, Position::START)
        .map(|record| record.unwrap().bytes.len())
        .sum();
    assert_eq!(bytes, records * RECORD.len());
}

fn read_bare(path: &Path, records: usize, _: usize) {
    let conn = Connection::open(path).unwrap();
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

fn read_file(path: &Path, records: usize, _: usize) {
    let mut bytes = Vec::new();
    File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len(), records * RECORD.len());
}
