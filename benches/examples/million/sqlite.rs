//! SQLite, and rusqlite by itself: the same rows in the same transactions, with the same settings.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior, params};
use tern_store::{Expected, Group, SqliteStore, Store, Ticket};

use crate::table::{Table, clock, locked, median};
use crate::{BATCH, Input, Kind, LOG, Peer, ours};

pub(crate) struct Sqlite {
    folder: PathBuf,
    number: usize,
}

impl Sqlite {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            number: 0,
        }
    }
}

impl Kind for Sqlite {
    fn name(&self) -> &'static str {
        "SQLite"
    }

    fn versions(&self) -> String {
        format!("SQLite {}, {}", rusqlite::version(), locked("rusqlite"))
    }

    fn fresh(&mut self) -> (Box<dyn Store>, String) {
        self.number += 1;
        let path = self.folder.join(format!("{}.db", self.number));
        let address = format!("sqlite:{}", path.display());
        (Box::new(SqliteStore::new(&path)), address)
    }

    fn peers(&mut self) -> Vec<Box<dyn Peer>> {
        vec![Box::new(Bare {
            path: self.folder.join("bare.db"),
        })]
    }
}

struct Bare {
    path: PathBuf,
}

/// What SQLite leaves behind, too.
pub(crate) fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _none_yet = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}

impl Peer for Bare {
    fn name(&self) -> &'static str {
        "rusqlite"
    }

    fn append(&mut self, lines: &[&[u8]]) -> Duration {
        remove(&self.path);
        let mut conn = Connection::open(&self.path).unwrap();
        conn.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=67108864;
             CREATE TABLE record (place INTEGER PRIMARY KEY, link BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
             CREATE TABLE head (log INTEGER PRIMARY KEY, position INTEGER NOT NULL, link BLOB NOT NULL) STRICT",
        )
        .unwrap();
        let link = [b'l'; 32];
        let (time, ()) = clock(|| {
            let mut place: i64 = 1 << 40;
            for batch in lines.chunks(BATCH) {
                let transaction = conn
                    .transaction_with_behavior(TransactionBehavior::Immediate)
                    .unwrap();
                let mut insert = transaction
                    .prepare_cached("INSERT INTO record VALUES (?1, ?2, ?3)")
                    .unwrap();
                for line in batch {
                    insert.execute(params![place, link, line]).unwrap();
                    place += 1;
                }
                drop(insert);
                transaction
                    .prepare_cached("INSERT OR REPLACE INTO head VALUES (1, ?1, ?2)")
                    .unwrap()
                    .execute(params![place, link])
                    .unwrap();
                transaction.commit().unwrap();
            }
        });
        time
    }

    fn scan(&mut self, expected: crate::Expected) -> Vec<(&'static str, Duration)> {
        let (time, ()) = clock(|| {
            let conn = Connection::open(&self.path).unwrap();
            let mut select = conn
                .prepare("SELECT place, link, bytes FROM record ORDER BY place")
                .unwrap();
            let rows = select
                .query_map([], |row| {
                    let link: [u8; 32] = row.get(1)?;
                    Ok((row.get::<_, i64>(0)?, link, row.get::<_, Vec<u8>>(2)?))
                })
                .unwrap();
            let (mut records, mut bytes) = (0, 0);
            for row in rows {
                records += 1;
                bytes += std::hint::black_box(row.unwrap()).2.len();
            }
            expected.check(records, bytes);
        });
        vec![("rusqlite, SELECT", time)]
    }
}

const WRITERS: usize = 8;
const WINDOWS: [usize; 3] = [1, 16, 256];

/// Eight threads that append single records through one group, each with up to so many not yet acknowledged, against one
/// thread that appends one by one.
pub(crate) fn group_commit(input: &Input<'_>) {
    const ROUNDS: usize = 3;
    let alone = &input.lines[..input.lines.len().min(20_000) / 10];
    let mut times = vec![Vec::new(); WINDOWS.len() + 1];
    let mut counts = [alone.len(); WINDOWS.len() + 1];
    for _ in 0..ROUNDS {
        let path = input.folder.join("one.db");
        remove(&path);
        times[0].push(ours::append(&SqliteStore::new(&path), alone, 1));
        for (at, window) in WINDOWS.into_iter().enumerate() {
            remove(&path);
            let count = input.lines.len().min(1000 * window.clamp(8, 128));
            counts[at + 1] = count / WRITERS * WRITERS;
            let store = SqliteStore::new(&path);
            times[at + 1].push(grouped(&store, &input.lines[..counts[at + 1]], window));
        }
    }
    let mut table = Table::new();
    let one = "one by one";
    for (at, times) in times.into_iter().enumerate() {
        let what = match at.checked_sub(1) {
            None => one.to_owned(),
            Some(at) => format!("`Group`, {} under way each", WINDOWS[at]),
        };
        table.row(what, counts[at], median(times));
    }
    table.print(
        &format!("single records, {WRITERS} writers, median of {ROUNDS} rounds"),
        one,
    );
}

fn grouped(store: &SqliteStore, lines: &[&[u8]], window: usize) -> Duration {
    let group = Group::new(store.open(LOG).unwrap()).unwrap();
    let (time, ()) = clock(|| {
        thread::scope(|scope| {
            for mine in lines.chunks(lines.len() / WRITERS) {
                let group = group.clone();
                scope.spawn(move || {
                    let mut waiting: VecDeque<Ticket> = VecDeque::new();
                    for line in mine {
                        if waiting.len() == window {
                            waiting.pop_front().unwrap().wait().unwrap();
                        }
                        waiting.push_back(group.submit(Expected::Any, vec![line.to_vec()]));
                    }
                    for ticket in waiting {
                        ticket.wait().unwrap();
                    }
                });
            }
        });
    });
    time
}
