//! What PostgreSQL's failures mean here.

use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use deadpool_postgres::{HookError, PoolError, TimeoutType};
use tokio_postgres::error::SqlState;

use crate::Error;

/// Why something was not done.
pub(super) enum Trouble {
    /// By our own rules.
    Refused(Error),
    /// The server said so, or the connection was lost. Nothing was written, or nothing was to be written.
    Server(tokio_postgres::Error),
    /// There was no answer for so long.
    Silent(Duration),
    /// An append was sent to be committed and its answer does not say what became of it. INVARIANT 5.
    Undecided(Box<dyn std::error::Error + Send + Sync>),
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Server(error)
    }
}

/// What was being done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum While {
    Reading,
    Writing,
}

impl Trouble {
    /// What it means for a call on `store`.
    pub(super) fn meaning(self, store: &str, doing: While) -> Error {
        match self {
            Self::Refused(error) => error,
            Self::Server(error) => running(store, &error, doing),
            Self::Silent(time) => unreachable(store, silence(time)),
            Self::Undecided(source) => Error::Io {
                store: store.to_owned(),
                source,
            },
        }
    }
}

/// What PostgreSQL said, in one sentence with its code: its client's own sentences end before the cause. No password is
/// in there: the server is never sent one that it would repeat.
#[derive(Debug)]
pub(super) struct Said(String);

impl Said {
    pub(super) fn by(error: &tokio_postgres::Error) -> Self {
        Self(match (error.as_db_error(), error.source()) {
            (Some(said), _) => format!("{} ({})", said.message(), said.code().code()),
            (None, Some(cause)) => format!("{error}: {cause}"),
            (None, None) => error.to_string(),
        })
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Said {}

/// The sentence of a server that does not answer.
pub(super) fn silence(time: Duration) -> String {
    format!("the server did not answer for {time:?}")
}

pub(super) fn unreachable(
    store: &str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    Error::Unreachable {
        store: store.to_owned(),
        source: source.into(),
    }
}

/// A failure of a server that was asked something, when nothing of it was written.
fn running(store: &str, error: &tokio_postgres::Error, doing: While) -> Error {
    let said = Said::by(error);
    let store = store.to_owned();
    let Some(code) = error.code() else {
        return match lost(error) {
            true => unreachable(&store, said),
            false => Error::Corrupt {
                store,
                why: said.to_string(),
            },
        };
    };
    if *code == SqlState::READ_ONLY_SQL_TRANSACTION
        || *code == SqlState::INSUFFICIENT_PRIVILEGE && doing == While::Writing
    {
        return Error::ReadOnly { store };
    }
    match (code.code(), code.code().get(..2)) {
        ("53100", _) => Error::Full { store },
        // a lock that was not given, a deadlock, too many connections, no memory, a statement that was cancelled
        ("55P03" | "40001" | "40P01" | "53300" | "53200" | "57014", _) => Error::Busy { store },
        ("42501", _) => unreachable(&store, said),
        // the connection, the credentials, the server going down or not up yet, a database that is not there
        (_, Some("08" | "28" | "57" | "3D")) | ("25P03" | "25P04", _) => unreachable(&store, said),
        // damaged pages, tables that are gone, rows that no row of ours can be
        ("XX001" | "XX002", _) | (_, Some("23" | "42" | "3F" | "22" | "P0")) => Error::Corrupt {
            store,
            why: said.to_string(),
        },
        _ => Error::Io {
            store,
            source: said.into(),
        },
    }
}

/// Whether the connection is gone, and not the answer wrong.
pub(super) fn lost(error: &tokio_postgres::Error) -> bool {
    error.is_closed()
        || error
            .source()
            .is_some_and(|cause| cause.is::<std::io::Error>())
        || [
            "error performing",
            "timeout",
            "authentication",
            "invalid configuration",
        ]
        .iter()
        .any(|kind| error.to_string().starts_with(kind))
}

/// Why there is no connection, and whether there may be one soon: a server that starts, or has too many.
pub(super) fn connecting(store: &str, error: &PoolError) -> (Error, bool) {
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            let is_passing = error.code().is_some_and(|code| {
                [SqlState::TOO_MANY_CONNECTIONS, SqlState::CANNOT_CONNECT_NOW].contains(code)
            });
            let meaning = match error.code() {
                Some(code) if *code == SqlState::TOO_MANY_CONNECTIONS => Error::Busy {
                    store: store.to_owned(),
                },
                _ => unreachable(store, Said::by(error)),
            };
            (meaning, is_passing)
        }
        // all connections of this process are in use
        PoolError::Timeout(TimeoutType::Wait) => (
            Error::Busy {
                store: store.to_owned(),
            },
            false,
        ),
        PoolError::Timeout(_) => (
            unreachable(store, "the server did not answer in time"),
            false,
        ),
        PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
            (unreachable(store, error.to_string()), false)
        }
    }
}

/// Whether the log must not go on: whatever it would answer would be a guess. INVARIANT 5.
pub(super) fn unknown_after(error: &Error, doing: While) -> bool {
    matches!(error, Error::Corrupt { .. })
        || doing == While::Writing && matches!(error, Error::Io { .. })
}
