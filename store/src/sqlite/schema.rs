//! What stands in the file, and how records are numbered in it.

use crate::Position;

/// "Tern", which marks the file as ours in SQLite's header.
pub(super) const APPLICATION: i64 = 0x5465_726e;

/// The version of the statements below.
pub(super) const VERSION: i64 = 3;

/// How many records a log can hold, as a power of two. The rest of an integer numbers the logs.
const RECORD_BITS: u32 = 40;

/// How many logs a file can hold.
pub(super) const MAX_LOGS: i64 = (1 << (63 - RECORD_BITS)) - 1;

/// Everything that stands in a file, and nothing else may.
///
/// `place` is the number of the log and the position in one integer, so that one tree without a
/// second index holds all records in order: see `DESIGN.md`. `head` says where each log that holds anything ends, so that no
/// record at its end is missed. A snapshot is no part of a log, and is replaced. The link stands before the bytes, which may go on in other
/// pages. INVARIANT 1: the triggers refuse
/// changes, also those of other programs.
pub(super) const STATEMENTS: &[&str] = &[
    "CREATE TABLE log (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    "CREATE TABLE record (place INTEGER PRIMARY KEY, link BLOB NOT NULL CHECK (length(link) = 32), bytes BLOB NOT NULL) STRICT",
    "CREATE TABLE head (log INTEGER PRIMARY KEY, position INTEGER NOT NULL, link BLOB NOT NULL CHECK (length(link) = 32)) STRICT",
    "CREATE TABLE snapshot (log INTEGER NOT NULL, kind TEXT NOT NULL, position INTEGER NOT NULL, link BLOB NOT NULL CHECK (length(link) = 32), bytes BLOB NOT NULL, PRIMARY KEY (log, kind)) STRICT",
    "CREATE TRIGGER log_is_kept BEFORE DELETE ON log BEGIN SELECT raise(ABORT, 'a log is never removed'); END",
    "CREATE TRIGGER log_is_fixed BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'a log is never renamed'); END",
    "CREATE TRIGGER record_is_kept BEFORE DELETE ON record BEGIN SELECT raise(ABORT, 'a record is never removed'); END",
    "CREATE TRIGGER record_is_fixed BEFORE UPDATE ON record BEGIN SELECT raise(ABORT, 'a record is never changed'); END",
    "CREATE TRIGGER head_is_kept BEFORE DELETE ON head BEGIN SELECT raise(ABORT, 'a head is never removed'); END",
    "CREATE TRIGGER head_goes_on BEFORE UPDATE ON head WHEN new.log != old.log OR new.position <= old.position BEGIN SELECT raise(ABORT, 'a head never goes back'); END",
];

/// The places of one log's records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// That of position 0.
    pub(super) first: i64,
    /// The last that there can be.
    pub(super) last: i64,
}

impl Places {
    /// Those of the log `number`, from 1 to `MAX_LOGS`.
    pub(super) const fn of(number: i64) -> Self {
        let first = number << RECORD_BITS;
        Self {
            first,
            last: first + ((1 << RECORD_BITS) - 1),
        }
    }

    /// The place of a position, if the log can have one.
    pub(super) fn place(self, position: Position) -> Option<i64> {
        (position < self.end()).then(|| self.first + position.as_u64().cast_signed())
    }

    /// The position of a place of this log.
    pub(super) const fn position(self, place: i64) -> Position {
        Position::new((place - self.first).cast_unsigned())
    }

    /// The head of a log that is full.
    #[allow(clippy::unused_self, reason = "the same for every log of this schema")]
    pub(super) const fn end(self) -> Position {
        Position::new(1 << RECORD_BITS)
    }
}
