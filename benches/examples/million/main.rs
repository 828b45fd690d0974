//! What a durable log costs at a million records: import, verify, restart; beside a plain file and the raw database.
//!
//! `cargo run --release -p tern-benches --example million -- [RECORDS] [sqlite|postgres|nats ...]`, a million records and
//! SQLite if nothing is said. Everything is in a folder under TMPDIR, which is removed at the end, and takes up to 10 kB a
//! record there; servers are those of Debian, started on the loopback in folders of their own. The records are those of
//! the mixed corpus, kept in memory (1 kB a record).
//!
//! Times are those of the clock on the wall: syncs and servers are what is measured. So the load of the machine counts,
//! and is printed; ratios within one run are what to look at. `-- 2000` is quick, to see that it runs.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a measurement may stop"
)]

mod cqrs;
mod file;
mod measure;
mod nats;
#[path = "../../../store/tests/common/nats_server.rs"]
mod nats_server;
mod ours;
mod postgres;
#[path = "../../../store/tests/common/postgres_server.rs"]
mod postgres_server;
mod sqlite;
mod table;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use tern_benches::mixed;
use tern_store::Store;

/// So many records go into one transaction, as in `tern log import`.
const BATCH: usize = 1000;
const SEED: u64 = 7;
/// The name of the log: the id of the corpus's context.
const LOG: &str = "bench";

/// A kind of store.
trait Kind {
    fn name(&self) -> &'static str;
    /// The versions of what is measured beside it.
    fn versions(&self) -> String;
    /// A new store, and its address.
    fn fresh(&mut self) -> (Box<dyn Store>, String);
    /// What does the same without us; first what our ratios are to.
    fn peers(&mut self) -> Vec<Box<dyn Peer>>;
    /// Lets the server finish what it does later by itself, before what was appended is read.
    fn settle(&mut self) {}
}

/// What does the same without us.
trait Peer {
    fn name(&self) -> &'static str;
    /// Appends to a new place, in transactions of [`BATCH`].
    fn append(&mut self, lines: &[&[u8]]) -> Duration;
    /// Reads what was appended last, in each way that is worth a look.
    fn scan(&mut self, expected: Expected) -> Vec<(&'static str, Duration)>;
}

/// What a scan has to meet.
#[derive(Clone, Copy)]
struct Expected {
    records: usize,
    bytes: usize,
}

impl Expected {
    fn of(lines: &[&[u8]]) -> Self {
        Self {
            records: lines.len(),
            bytes: lines.iter().map(|line| line.len()).sum(),
        }
    }

    /// That it was all there: a scan that misses something is no measurement.
    fn check(self, records: usize, bytes: usize) {
        assert_eq!((records, bytes), (self.records, self.bytes));
    }
}

/// Whatever all kinds are given.
struct Input<'i> {
    lines: Vec<&'i [u8]>,
    /// The same as a file, a line a record.
    document: &'i Path,
    /// Where files may be made.
    folder: &'i Path,
}

fn main() -> ExitCode {
    let mut records = 1_000_000;
    let mut kinds = Vec::new();
    for argument in std::env::args().skip(1) {
        match (argument.as_str(), argument.parse()) {
            (_, Ok(number)) if number >= 100 => records = number,
            ("sqlite" | "postgres" | "nats", _) => kinds.push(argument),
            _ => {
                eprintln!("usage: million [RECORDS, at least 100] [sqlite|postgres|nats ...]");
                return ExitCode::from(2);
            }
        }
    }
    if kinds.is_empty() {
        kinds.push("sqlite".to_owned());
    }
    let folder = tempfile::Builder::new().prefix("tern-million-").tempdir();
    let folder = folder.unwrap();
    let path = folder.path().join("document.jsonl");
    let document = document(&path, records);
    let lines = document.split(|byte| *byte == b'\n');
    let lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
    let input = Input {
        lines,
        document: &path,
        folder: folder.path(),
    };
    println!(
        "{} records of {} bytes on average; {}\n",
        input.lines.len(),
        Expected::of(&input.lines).bytes / input.lines.len(),
        table::machine(),
    );
    for kind in kinds {
        let kind: Option<Box<dyn Kind>> = match kind.as_str() {
            "sqlite" => Some(Box::new(sqlite::Sqlite::new(folder.path()))),
            "postgres" => postgres::Postgres::start().map(|it| Box::new(it) as Box<dyn Kind>),
            _ => nats::Nats::start().map(|it| Box::new(it) as Box<dyn Kind>),
        };
        // Why there is none, it said itself.
        let Some(mut kind) = kind else { continue };
        measure::measure(&mut *kind, &input);
        if kind.name() == "SQLite" {
            sqlite::group_commit(&input);
            cqrs::beside(&input);
        }
    }
    ExitCode::SUCCESS
}

/// Writes the log document, and gives it.
fn document(path: &Path, records: usize) -> Vec<u8> {
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path).unwrap());
    // The first line is the context.
    for line in mixed(SEED, records).document().take(records) {
        file.write_all(line.as_bytes()).unwrap();
        file.write_all(b"\n").unwrap();
    }
    file.into_inner().unwrap().sync_all().unwrap();
    std::fs::read(path).unwrap()
}
