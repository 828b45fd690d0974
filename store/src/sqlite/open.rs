//! Opening: what a file is, making a new one, and the settings of a connection.
//!
//! The file is looked at through SQLite alone. Opening it ourselves and closing it again would
//! drop the locks that other connections of this process hold on it (POSIX advisory locks).

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::fault::{self, Trouble};
use super::schema::{APPLICATION, STATEMENTS, VERSION};
use super::still::{Still, is_cut_short};
use crate::Error;

/// How long to wait for another process unless something else is set.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection to a file that holds logs.
pub(super) struct Opened {
    pub(super) conn: Connection,
    pub(super) store: String,
    pub(super) still: Option<Still>,
}

/// Opens a store, or makes one where nothing is.
pub(super) fn for_writing(path: &Path) -> Result<Opened, Error> {
    let store = path.display().to_string();
    // INVARIANT 3: an absolute path, for `:memory:` and `file:` are ordinary names
    let (absolute, _) = look(path, &store)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = connect(&absolute, flags).map_err(|error| fault::opening(&store, error))?;
    match make_ready(&mut conn, &absolute, &store) {
        Ok(()) => Ok(Opened {
            conn,
            store,
            still: None,
        }),
        Err(Trouble::Refused(error)) => Err(error),
        Err(Trouble::Sqlite(error)) => Err(fault::opening(&store, error)),
    }
}

/// Opens a store that exists, without the right to change it.
pub(super) fn for_reading(path: &Path) -> Result<Opened, Error> {
    let store = path.display().to_string();
    let (absolute, size) = look(path, &store)?;
    match size {
        None => return Err(Error::Missing { store }),
        Some(0) => {
            return Err(Error::NotALog {
                store,
                why: "it is empty".to_owned(),
            });
        }
        Some(_) => {}
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let plain = connect(&absolute, flags)
        .map_err(Trouble::from)
        .and_then(|conn| {
            expect_store(&conn, &absolute, &store)?;
            Ok(conn)
        });
    let error = match plain {
        Ok(conn) => {
            return Ok(Opened {
                conn,
                store,
                still: None,
            });
        }
        Err(Trouble::Refused(error)) => return Err(error),
        Err(Trouble::Sqlite(error)) => error,
    };
    if !fault::wants_to_write_beside(&error) {
        return Err(fault::opening(&store, error));
    }
    let Some(still) = Still::of(&absolute) else {
        return Err(Error::NeedsRecovery { store });
    };
    let unlocked = connect(Path::new(&still.uri()), flags | OpenFlags::SQLITE_OPEN_URI)
        .map_err(Trouble::from)
        .and_then(|conn| expect_store(&conn, &absolute, &store).map(|()| conn));
    match unlocked {
        Ok(conn) => Ok(Opened {
            conn,
            store,
            still: Some(still),
        }),
        Err(Trouble::Refused(error)) => Err(error),
        Err(Trouble::Sqlite(error)) => Err(fault::opening(&store, error)),
    }
}

/// Sets how long SQLite waits for a lock.
pub(super) fn set_patience(conn: &Connection, patience: Duration) -> Result<(), rusqlite::Error> {
    // SQLite counts milliseconds in 32 bits
    conn.busy_timeout(patience.min(Duration::from_secs(86_400)))
}

/// The absolute path, and the size of what is there.
fn look(path: &Path, store: &str) -> Result<(PathBuf, Option<u64>), Error> {
    let io = |error| Error::Io {
        store: store.to_owned(),
        source: Box::new(error),
    };
    let absolute = std::path::absolute(path).map_err(io)?;
    let not_a_log = |why: &str| Error::NotALog {
        store: store.to_owned(),
        why: why.to_owned(),
    };
    match fs::metadata(&absolute) {
        Ok(meta) if meta.is_dir() => Err(not_a_log("it is a directory")),
        Ok(meta) if !meta.is_file() => Err(not_a_log("it is not a regular file")),
        // SQLite takes these for empty and would write over them; its smallest page has 512 bytes
        Ok(meta) if (1..512).contains(&meta.len()) => Err(not_a_log("it is no SQLite database")),
        Ok(meta) => Ok((absolute, Some(meta.len()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((absolute, None)),
        Err(error) => Err(io(error)),
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, rusqlite::Error> {
    let conn = Connection::open_with_flags(path, flags)?;
    set_patience(&conn, PATIENCE)?;
    // until it is known to be ours, nothing is carried over into the file
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    Ok(conn)
}

/// Makes a store of an empty file, and sets up the connection for writing.
fn make_ready(conn: &mut Connection, path: &Path, store: &str) -> Result<(), Trouble> {
    if conn.is_readonly("main")? {
        return Err(Trouble::Refused(Error::ReadOnly {
            store: store.to_owned(),
        }));
    }
    if is_store(conn, store)? {
        expect_whole(conn, path, store)?;
    } else {
        // INVARIANT 6: all of it or nothing, in the rollback journal, before the file can be
        // anything else; and another process may be doing the same
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if !is_store(&transaction, store)? {
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            for statement in STATEMENTS {
                transaction.execute(statement, [])?;
            }
        }
        transaction.commit()?;
    }
    use_write_ahead_log(conn, store)?;
    // INVARIANT 3
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.query_row("PRAGMA journal_size_limit = 67108864", [], |_| Ok(()))?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    carry_over(conn)
}

/// Switches the file to write-ahead logging, which it then keeps. SQLite does not wait for other
/// connections here, so this does.
fn use_write_ahead_log(conn: &Connection, store: &str) -> Result<(), Trouble> {
    let begun = Instant::now();
    let mode: String = loop {
        match conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)) {
            Ok(mode) => break mode,
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begun.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(error.into()),
        }
    };
    if mode == "wal" {
        return Ok(());
    }
    let source = "the file system does not bear a write-ahead log".into();
    Err(Trouble::Refused(Error::Io {
        store: store.to_owned(),
        source,
    }))
}

/// INVARIANT 3: what a crash left in the write-ahead log is written to the database file before
/// anything is built on it, for it may have been read from a cache that an earlier, failed sync
/// took for written. If others use the file, they have done that, and this does not wait.
fn carry_over(conn: &Connection) -> Result<(), Trouble> {
    set_patience(conn, Duration::ZERO)?;
    let carried = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    set_patience(conn, PATIENCE)?;
    match carried {
        Err(error) if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) => {
            Err(error.into())
        }
        _ => Ok(()),
    }
}

fn expect_store(conn: &Connection, path: &Path, store: &str) -> Result<(), Trouble> {
    if is_store(conn, store)? {
        return expect_whole(conn, path, store);
    }
    Err(Trouble::Refused(Error::NotALog {
        store: store.to_owned(),
        why: "it is empty".to_owned(),
    }))
}

/// A file that lacks whole pages is noticed by SQLite, one that lacks a part of a page is not: it reads
/// the rest as zeros.
fn expect_whole(conn: &Connection, path: &Path, store: &str) -> Result<(), Trouble> {
    let page = conn.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0))?;
    if is_cut_short(path, page.into()) {
        return Err(Trouble::Refused(Error::Corrupt {
            store: store.to_owned(),
            why: "it ends within a page".to_owned(),
        }));
    }
    Ok(())
}

/// Whether the file is a store (yes) or empty (no); anything else is refused.
fn is_store(conn: &Connection, store: &str) -> Result<bool, Trouble> {
    let begun = if conn.is_autocommit() {
        Some(conn.unchecked_transaction()?)
    } else {
        None
    };
    let number = |name: &str| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let refuse = |why: &str| {
        Trouble::Refused(Error::NotALog {
            store: store.to_owned(),
            why: why.to_owned(),
        })
    };
    let empty: bool = conn.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| {
        row.get(0)
    })?;
    if (application, version, empty) == (0, 0, true) {
        return Ok(false);
    }
    if application != APPLICATION {
        return Err(refuse("it is an SQLite database of another application"));
    }
    if version > VERSION {
        let store = store.to_owned();
        return Err(Trouble::Refused(Error::NewerSchema {
            store,
            found: version,
            supported: VERSION,
        }));
    }
    let mut statement =
        conn.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")?;
    let found = statement
        .query_map([], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    if (1..VERSION).contains(&version) {
        return Err(refuse(&format!(
            "it has schema version {version}, which no release of this program ever wrote, and {VERSION} is the first one that is kept"
        )));
    }
    if version != VERSION || found != STATEMENTS {
        return Err(refuse("its tables are not those that its version says"));
    }
    drop(begun);
    Ok(true)
}
