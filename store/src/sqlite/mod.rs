//! Logs in an SQLite file: many logs a file, many processes a log.
//!
//! `open` finds out what a file is and makes new ones, `fault` says what SQLite's failures mean,
//! `schema` is what stands in the file. `DESIGN.md` has the invariants that are cited here.

mod fault;
mod open;
mod schema;
mod still;

use std::cell::OnceCell;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::{
    Error, Expected, Head, Link, Log, MAX_NAME_BYTES, MAX_RECORD_BYTES, Position, READ_BYTES,
    Record,
};
use fault::{Trouble, unknown_after};
use schema::Places;
use still::Still;

/// A log in an SQLite file (write-ahead log, synchronous FULL).
///
/// Any number of processes may have the same file open, to read and to append. One value serves
/// one thread at a time; it can be sent to another.
#[derive(Debug)]
pub struct SqliteLog {
    conn: Connection,
    /// The path as it was given, for sentences.
    store: String,
    name: String,
    places: Places,
    writable: bool,
    /// Set where the file is read without locks.
    still: Option<Still>,
    /// The sentence of the failure after which nothing more is answered. INVARIANT 5.
    poison: OnceCell<String>,
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
            number_of(&mut opened.conn, &opened.store, name).map_err(|trouble| match trouble {
                Trouble::Refused(error) => error,
                Trouble::Sqlite(error) => fault::opening(&opened.store, error),
            })?;
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
        let number = find(&opened.conn, name)
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
                let head = head(&opened.conn, &name, Places::of(number))?;
                Ok((name, head))
            })
            .collect::<Result<Vec<_>, rusqlite::Error>>()
        };
        let logs = list().map_err(|error| fault::opening(&opened.store, error))?;
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
        self.usable()?;
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
            conn,
            store,
            name: name.to_owned(),
            places: Places::of(number),
            writable,
            still,
            poison: OnceCell::new(),
        }
    }

    /// INVARIANT 5: asked first by everything that a log answers.
    fn usable(&self) -> Result<(), Error> {
        match self.poison.get() {
            None => Ok(()),
            Some(cause) => Err(Error::Poisoned {
                store: self.store.clone(),
                cause: cause.clone(),
            }),
        }
    }

    /// What a failure of SQLite means, and whether the log goes on after it.
    fn fail(&self, error: rusqlite::Error) -> Error {
        self.note(fault::running(&self.store, error))
    }

    /// INVARIANT 5: remembers an error after which nothing more is answered.
    fn note(&self, error: Error) -> Error {
        if unknown_after(&error) {
            // the first cause is the one that counts
            let _already = self.poison.set(error.to_string());
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
                .check(&self.store)
                .map(|()| value)
                .map_err(|error| self.note(error)),
            None => Ok(value),
        }
    }

    fn read_rows(&self, from: Position, max: usize) -> Result<Vec<Record>, Trouble> {
        let mut records = Vec::new();
        let Some(first) = self.places.place(from) else {
            return Ok(records);
        };
        let mut statement = self.conn.prepare_cached(
            "SELECT place, bytes, link FROM record WHERE place BETWEEN ?1 AND ?2 ORDER BY place LIMIT ?3",
        )?;
        let most = i64::try_from(max).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![first, self.places.last, most])?;
        let (mut place, mut bytes) = (first, 0);
        while bytes < READ_BYTES
            && let Some(row) = rows.next()?
        {
            // INVARIANT 2: no gap
            if row.get::<_, i64>(0)? != place {
                let position = self.places.position(place);
                let why = format!("the record at position {position} is missing");
                return Err(Trouble::Refused(Error::Corrupt {
                    store: self.store.clone(),
                    why,
                }));
            }
            let link = Link::from_bytes(row.get(2)?);
            let record = Record::new(self.places.position(place), row.get(1)?, link);
            bytes += record.bytes.len();
            place = place.saturating_add(1);
            records.push(record);
        }
        Ok(records)
    }
}

impl SqliteLog {
    /// INVARIANTS 1 to 4: under the one write lock of the file, the head is found, compared and extended; dropping the
    /// transaction rolls it back.
    fn append_all(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Trouble> {
        let Self {
            conn,
            store,
            name,
            places,
            ..
        } = self;
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before = head(&transaction, name, *places)?;
        if let Some(refusal) = refusal(store, *places, before.position, expected, records.len()) {
            transaction.rollback()?;
            return Err(Trouble::Refused(refusal));
        }
        let after = insert(&transaction, *places, before, records)?;
        transaction.commit()?;
        Ok(after)
    }
}

/// Why a batch of so many records cannot stand after `found`.
fn refusal(
    store: &str,
    places: Places,
    found: Position,
    expected: Expected,
    records: usize,
) -> Option<Error> {
    match expected {
        Expected::At(expected) if expected != found => Some(Error::Conflict { expected, found }),
        _ if found.after(records as u64) > places.end() => Some(Error::Limit {
            store: store.to_owned(),
            what: "records",
        }),
        _ => None,
    }
}

/// INVARIANT 7: each record with its link.
fn insert(
    transaction: &Transaction<'_>,
    places: Places,
    before: Head,
    records: &[&[u8]],
) -> Result<Head, rusqlite::Error> {
    let mut statement = transaction
        .prepare_cached("INSERT INTO record (place, link, bytes) VALUES (?1, ?2, ?3)")?;
    let mut link = before.link;
    for (place, record) in (places.first + before.position.as_u64().cast_signed()..).zip(records) {
        link = link.then(record);
        statement.execute(params![place, link.as_bytes(), record])?;
    }
    Ok(Head::new(before.position.after(records.len() as u64), link))
}

impl Log for SqliteLog {
    fn store(&self) -> &str {
        &self.store
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn head(&self) -> Result<Head, Error> {
        self.usable()?;
        self.settled(head(&self.conn, &self.name, self.places).map_err(Trouble::from))
    }

    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error> {
        self.usable()?;
        if !self.writable {
            return Err(Error::ReadOnly {
                store: self.store.clone(),
            });
        }
        let long = records
            .iter()
            .map(|record| record.len())
            .enumerate()
            .find(|(_, bytes)| *bytes > MAX_RECORD_BYTES);
        if let Some((index, bytes)) = long {
            return Err(Error::RecordTooLong {
                index,
                bytes,
                limit: MAX_RECORD_BYTES,
            });
        }
        let appended = self.append_all(expected, records);
        self.settled(appended)
    }

    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error> {
        self.usable()?;
        self.settled(self.read_rows(from, max))
    }
}

/// INVARIANT 2: the head is derived from the last record, it is stored nowhere.
fn head(conn: &Connection, name: &str, places: Places) -> Result<Head, rusqlite::Error> {
    let last: Option<(i64, [u8; 32])> = conn
        .prepare_cached(
            "SELECT place, link FROM record WHERE place BETWEEN ?1 AND ?2 ORDER BY place DESC LIMIT 1",
        )?
        .query_row(params![places.first, places.last], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    Ok(match last {
        Some((place, link)) => Head::new(places.position(place).after(1), Link::from_bytes(link)),
        None => Head::start(name),
    })
}

fn find(conn: &Connection, name: &str) -> Result<Option<i64>, rusqlite::Error> {
    conn.query_row("SELECT id FROM log WHERE name = ?1", [name], |row| {
        row.get(0)
    })
    .optional()
}

/// The number of the log `name`, which is given one if it has none.
fn number_of(conn: &mut Connection, store: &str, name: &str) -> Result<i64, Trouble> {
    if let Some(number) = find(conn, name)? {
        return Ok(number);
    }
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // another process may have been faster
    let number = match find(&transaction, name)? {
        Some(number) => number,
        None => {
            let last: i64 =
                transaction
                    .query_row("SELECT coalesce(max(id), 0) FROM log", [], |row| row.get(0))?;
            if last >= schema::MAX_LOGS {
                return Err(Trouble::Refused(Error::Limit {
                    store: store.to_owned(),
                    what: "logs",
                }));
            }
            transaction.execute(
                "INSERT INTO log (id, name) VALUES (?1, ?2)",
                params![last + 1, name],
            )?;
            last + 1
        }
    };
    transaction.commit()?;
    Ok(number)
}

fn check_name(name: &str) -> Result<(), Error> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > MAX_NAME_BYTES {
        "it is longer than 1024 bytes"
    } else if name.contains('\0') {
        "it has a NUL in it"
    } else {
        return Ok(());
    };
    Err(Error::BadName {
        name: name.chars().take(40).flat_map(char::escape_debug).collect(),
        why,
    })
}
