//! What SQLite's failures mean here.

use rusqlite::{ErrorCode, ffi};

use crate::Error;

/// Why something was not done: by our own rules, or because SQLite failed.
pub(super) enum Trouble {
    Refused(Error),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// A failure while finding out what a file is: something that is no database is just another file.
pub(super) fn opening(store: &str, error: rusqlite::Error) -> Error {
    if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return Error::NotALog {
            store: store.to_owned(),
            why: "it is no SQLite database".to_owned(),
        };
    }
    running(store, error)
}

/// SQLite's sentence names the file again, by the name that it is given inside.
#[derive(Debug, thiserror::Error)]
#[error("the file, or one beside it that SQLite needs, cannot be opened")]
struct NotOpened(#[source] rusqlite::Error);

/// A failure of a store that was one.
pub(super) fn running(store: &str, error: rusqlite::Error) -> Error {
    let store = store.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Error::Io {
            store,
            source: Box::new(NotOpened(error)),
        },
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => Error::Busy { store },
        Some(ErrorCode::ReadOnly) if wants_to_recover(&error) => Error::NeedsRecovery { store },
        Some(ErrorCode::ReadOnly) => Error::ReadOnly { store },
        Some(ErrorCode::DiskFull) => Error::Full { store },
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch,
        ) => Error::Corrupt {
            store,
            why: error.to_string(),
        },
        None => Error::Corrupt {
            store,
            why: error.to_string(),
        },
        Some(_) => Error::Io {
            store,
            source: Box::new(error),
        },
    }
}

/// Whether the log must not go on: whatever it would answer would be a guess. INVARIANT 5.
pub(super) const fn unknown_after(error: &Error) -> bool {
    matches!(
        error,
        Error::Io { .. } | Error::Full { .. } | Error::Corrupt { .. } | Error::NeedsRecovery { .. }
    )
}

/// Whether SQLite lacks the right to write the files beside the database.
pub(super) fn wants_to_write_beside(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
        || wants_to_recover(error)
        || error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_DIRECTORY)
}

fn wants_to_recover(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| {
        matches!(
            error.extended_code,
            ffi::SQLITE_READONLY_RECOVERY
                | ffi::SQLITE_READONLY_CANTLOCK
                | ffi::SQLITE_READONLY_CANTINIT
                | ffi::SQLITE_READONLY_ROLLBACK
        )
    })
}
