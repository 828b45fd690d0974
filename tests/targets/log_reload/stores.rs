//! Whole stores, made once, and the same with a row removed.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tern_store::{Expected, Log, SqliteLog};

/// The size of a page, SQLite's default.
pub(super) const PAGE: usize = 4096;

/// A store as bytes, and what was written to it.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) name: String,
    pub(super) database: Vec<u8>,
    /// The write-ahead log, where it has not been carried over.
    pub(super) waiting: Vec<u8>,
    /// The records of each log.
    pub(super) logs: Vec<(String, Vec<Vec<u8>>)>,
    with_gaps: OnceLock<Vec<Store>>,
}

/// All of them.
pub(super) fn all() -> &'static [Store] {
    static ALL: OnceLock<Vec<Store>> = OnceLock::new();
    ALL.get_or_init(|| {
        let few = vec![("design", records(7, 40))];
        let many = vec![("design", records(70, 150)), ("\u{e9}", records(30, 90))];
        let long = vec![("design", records(5, 6000))];
        vec![
            make("few", &few, true),
            make("many", &many, true),
            make("long", &long, true),
            make("few, not carried over", &few, false),
            make("many, not carried over", &many, false),
        ]
    })
}

impl Store {
    /// The store with one row less, for each row.
    pub(super) fn with_gaps(&self) -> &[Self] {
        self.with_gaps.get_or_init(|| {
            let rows = rows(self);
            rows.into_iter().map(|row| without(self, row)).collect()
        })
    }
}

/// Records of about that many bytes.
fn records(count: usize, bytes: usize) -> Vec<Vec<u8>> {
    let record = |at: usize| format!("{at} {}", "record ".repeat(bytes / 7)).into_bytes();
    (0..count).map(record).collect()
}

fn make(name: &str, logs: &[(&str, Vec<Vec<u8>>)], is_closed: bool) -> Store {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut open: Vec<_> = logs
        .iter()
        .map(|(name, _)| SqliteLog::open(&path, name).unwrap())
        .collect();
    // In turns, three records at a time.
    let most = logs.iter().map(|(_, records)| records.len()).max().unwrap();
    for from in (0..most).step_by(3) {
        for (log, (_, records)) in open.iter_mut().zip(logs) {
            let batch: Vec<&[u8]> = records
                .iter()
                .skip(from)
                .take(3)
                .map(Vec::as_slice)
                .collect();
            log.append(Expected::Any, &batch).unwrap();
        }
    }
    if is_closed {
        open.clear();
    }
    let logs = logs
        .iter()
        .map(|(name, records)| ((*name).into(), records.clone()));
    take(name.into(), &path, logs.collect())
}

/// The files as they stand.
fn take(name: String, path: &Path, logs: Vec<(String, Vec<Vec<u8>>)>) -> Store {
    let waiting = path.with_file_name("log.db-wal");
    Store {
        name,
        database: fs::read(path).unwrap(),
        waiting: fs::read(waiting).unwrap_or_default(),
        logs,
        with_gaps: OnceLock::new(),
    }
}

/// The tables and row ids of a store.
fn rows(store: &Store) -> Vec<(&'static str, i64)> {
    opened(store, |conn| {
        let mut rows = Vec::new();
        for table in ["log", "record"] {
            let mut all = conn.prepare(&format!("SELECT rowid FROM {table}")).unwrap();
            let ids = all.query_map([], |row| row.get(0)).unwrap();
            rows.extend(ids.map(|id| (table, id.unwrap())));
        }
        rows
    })
    .0
}

fn without(store: &Store, (table, id): (&str, i64)) -> Store {
    let name = format!("row {id} of `{table}`");
    let logs = store.logs.clone();
    let ((), (database, waiting)) = opened(store, |conn| {
        // What refuses this is a trigger.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
            .unwrap();
        let removed = conn.execute(&format!("DELETE FROM {table} WHERE rowid = {id}"), []);
        assert_eq!(removed, Ok(1));
    });
    Store {
        name,
        database,
        waiting,
        logs,
        with_gaps: OnceLock::new(),
    }
}

/// Lays a store down, opens it by SQLite alone, and takes it up again as it then is.
fn opened<T>(store: &Store, act: impl FnOnce(&Connection) -> T) -> (T, (Vec<u8>, Vec<u8>)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    fs::write(&path, &store.database).unwrap();
    fs::write(folder.path().join("log.db-wal"), &store.waiting).unwrap();
    let conn = Connection::open(&path).unwrap();
    if !store.waiting.is_empty() {
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .unwrap();
    }
    let result = act(&conn);
    drop(conn);
    let taken = take(String::new(), &path, Vec::new());
    (result, (taken.database, taken.waiting))
}
