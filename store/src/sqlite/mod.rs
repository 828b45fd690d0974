//! Logs in an SQLite file: many logs a file, many processes a log.
//!
//! `open` finds out what a file is and makes new ones, `fault` says what SQLite's failures mean,
//! `schema` is what stands in the file. `DESIGN.md` has the invariants that are cited here.

mod fault;
mod open;
mod rows;
mod schema;
mod still;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::log::{check_name, check_records, check_snapshot};
use crate::standing::Standing;
use crate::{
    Error, Expected, Head, Kept, Log, MAX_RECORD_BYTES, Position, Promise, Record, Snapshot, Store,
};
use fault::{Trouble, unknown_after};
use rows::Rows;
use still::Still;

/// An SQLite file that keeps logs.
///
/// ```
/// use tern_store::{Expected, Log, SqliteStore, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("thread.db");
/// let store = SqliteStore::new(&path);
/// store.open("design")?.append(Expected::Any, &[b"first"])?;
/// let logs = store.logs()?;
/// assert_eq!(logs[0].0, "design");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SqliteStore {
    path: PathBuf,
    address: String,
}

impl SqliteStore {
    /// The file `path`, which need not exist yet.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            address: path.display().to_string(),
        }
    }
}

impl Store for SqliteStore {
    fn address(&self) -> &str {
        &self.address
    }

    fn promise(&self) -> Result<Promise, Error> {
        Ok(Promise::new(
            Kept::All,
            Kept::All,
            Kept::Nothing,
            "each append is synced to the file's write-ahead log before it is acknowledged (synchronous=FULL)",
        ))
    }

    fn prepare(&self) -> Result<(), Error> {
        SqliteLog::recover(&self.path)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Log>, Error> {
        Ok(Box::new(SqliteLog::open(&self.path, name)?))
    }

    fn open_read_only(&self, name: &str) -> Result<Box<dyn Log>, Error> {
        Ok(Box::new(SqliteLog::open_read_only(&self.path, name)?))
    }

    fn logs(&self) -> Result<Vec<(String, Head)>, Error> {
        SqliteLog::logs(&self.path)
    }
}

/// A log in an SQLite file (write-ahead log, synchronous FULL).
///
/// Any number of processes may have the same file open, to read and to append. One value serves
/// one thread at a time; it can be sent to another.
#[derive(Debug)]
pub struct SqliteLog {
    conn: Connection,
    rows: Rows,
    /// Set where the file is read without locks.
    still: Option<Still>,
    /// INVARIANT 5.
    standing: Standing,
}

impl SqliteLog {
    /// Opens the log `name` in the file `path` for reading and appending. Creates the file, but
    /// not its folder, and the log where they do not exist yet; that too is durable when it
    /// returns.
    ///
    /// # Errors
    ///
    /// `store_bad_name`, `store_not_a_log`, `store_newer_schema`, `store_read_only`,
    /// `store_busy` and what the medium answers. A file that is refused is not changed, except
    /// that SQLite rolls back what a crash left half written in it.
    pub fn open(path: &Path, name: &str) -> Result<Self, Error> {
        check_name(name)?;
        let mut opened = open::for_writing(path)?;
        let number =
            rows::number_of(&mut opened.conn, &opened.store, name).map_err(
                |trouble| match trouble {
                    Trouble::Refused(error) => error,
                    Trouble::Sqlite(error) => fault::opening(&opened.store, error),
                },
            )?;
        Ok(Self::new(opened, name, number, true))
    }

    /// Makes the file `path` readable again after a crash: an empty file becomes a store without
    /// logs, and what was left half written is rolled back. Changes nothing in a whole store.
    ///
    /// # Errors
    ///
    /// Those of [`SqliteLog::open`], but for the name.
    pub fn recover(path: &Path) -> Result<(), Error> {
        open::for_writing(path).map(|_| ())
    }

    /// Opens the log `name` in the file `path` for reading only. Neither the file nor the log is
    /// created or changed. SQLite keeps its index of the write-ahead log in files beside it
    /// (`-wal`, `-shm`) where the folder can be written to.
    ///
    /// Where it cannot (a read-only medium), the file is read without locks, and a read that
    /// notices that the file was changed meanwhile is an error.
    ///
    /// # Errors
    ///
    /// `store_missing`, `store_no_such_log`, `store_needs_recovery`, and those of
    /// [`SqliteLog::open`].
    pub fn open_read_only(path: &Path, name: &str) -> Result<Self, Error> {
        check_name(name)?;
        let opened = open::for_reading(path)?;
        let number = rows::find(&opened.conn, name)
            .map_err(|error| fault::opening(&opened.store, error))?
            .ok_or_else(|| Error::NoSuchLog {
                store: opened.store.clone(),
                name: name.to_owned(),
            })?;
        Ok(Self::new(opened, name, number, false))
    }

    /// The names of all logs in the file `path`, sorted by their bytes, and where each ends: all
    /// as of one moment. Opens the file as [`SqliteLog::open_read_only`] does.
    ///
    /// # Errors
    ///
    /// `store_missing` and those of [`SqliteLog::open_read_only`].
    pub fn logs(path: &Path) -> Result<Vec<(String, Head)>, Error> {
        let opened = open::for_reading(path)?;
        let list = || {
            let snapshot = opened.conn.unchecked_transaction()?;
            let mut names = snapshot.prepare("SELECT id, name FROM log ORDER BY name")?;
            let rows = names.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.map(|row| {
                let (number, name): (_, String) = row?;
                let head = Rows::of(&opened.store, &name, number).head(&opened.conn)?;
                Ok((name, head))
            })
            .collect::<Result<Vec<_>, Trouble>>()
        };
        let logs = list().map_err(|trouble| match trouble {
            Trouble::Refused(error) => error,
            Trouble::Sqlite(error) => fault::opening(&opened.store, error),
        })?;
        if let Some(still) = &opened.still {
            still.check(&opened.store)?;
        }
        Ok(logs)
    }

    /// How long to wait for another process that writes before answering `store_busy`. 10 s
    /// unless it is set.
    ///
    /// # Errors
    ///
    /// `store_poisoned` after an earlier failure.
    pub fn set_patience(&mut self, patience: Duration) -> Result<(), Error> {
        self.standing.expect_usable(&self.rows.store)?;
        open::set_patience(&self.conn, patience).map_err(|error| self.fail(error))
    }

    /// For tests: the file may not grow beyond `pages`. As on a full disk, SQLite fails.
    #[doc(hidden)]
    pub fn limit_pages_for_tests(&mut self, pages: u32) -> Result<(), Error> {
        self.conn
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .map_err(|error| self.fail(error))
    }

    fn new(opened: open::Opened, name: &str, number: i64, writable: bool) -> Self {
        let open::Opened { conn, store, still } = opened;
        Self {
            rows: Rows::of(&store, name, number),
            conn,
            still,
            standing: Standing::new(writable),
        }
    }

    /// What a failure of SQLite means, and whether the log goes on after it.
    fn fail(&self, error: rusqlite::Error) -> Error {
        self.note(fault::running(&self.rows.store, error))
    }

    /// INVARIANT 5: remembers an error after which nothing more is answered.
    fn note(&self, error: Error) -> Error {
        if unknown_after(&error) {
            self.standing.poison(&error);
        }
        error
    }

    /// A failure, or a file that changed while it was read without locks.
    fn settled<T>(&self, result: Result<T, Trouble>) -> Result<T, Error> {
        let value = match result {
            Ok(value) => value,
            Err(Trouble::Refused(error)) => return Err(self.note(error)),
            Err(Trouble::Sqlite(error)) => return Err(self.fail(error)),
        };
        match &self.still {
            Some(still) => still
                .check(&self.rows.store)
                .map(|()| value)
                .map_err(|error| self.note(error)),
            None => Ok(value),
        }
    }
}

impl Log for SqliteLog {
    fn store(&self) -> &str {
        &self.rows.store
    }

    fn name(&self) -> &str {
        &self.rows.name
    }

    fn head(&self) -> Result<Head, Error> {
        self.standing.expect_usable(&self.rows.store)?;
        self.settled(self.rows.head(&self.conn))
    }

    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error> {
        self.standing.expect_writable(&self.rows.store)?;
        check_records(records, MAX_RECORD_BYTES)?;
        let appended = self.rows.append(&mut self.conn, expected, records);
        self.settled(appended)
    }

    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error> {
        self.standing.expect_usable(&self.rows.store)?;
        self.settled(self.rows.read(&self.conn, from, max))
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.standing.expect_writable(&self.rows.store)?;
        check_snapshot(snapshot)?;
        let put = self.rows.put_snapshot(&mut self.conn, snapshot);
        self.settled(put)
    }

    fn snapshot(&self, kind: &str) -> Result<Option<Snapshot>, Error> {
        self.standing.expect_usable(&self.rows.store)?;
        self.settled(self.rows.snapshot(&self.conn, kind))
    }
}
