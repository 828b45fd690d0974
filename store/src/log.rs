//! What a log is: the trait that every backend implements, and the types that it speaks in.

use std::fmt;
use std::time::{Duration, Instant};

use crate::{Error, Link};

/// The most bytes that one record may have: 64 MiB.
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// The most bytes that the name of a log may have.
pub const MAX_NAME_BYTES: usize = 1024;

/// The most bytes that one snapshot may have: 512 MiB.
pub const MAX_SNAPSHOT_BYTES: usize = 512 << 20;

/// [`Log::read`] stops after the record with which its answer reaches this many bytes: 64 MiB.
pub const READ_BYTES: usize = 64 << 20;

/// A place in a log: the number of records before it. The first record is at position 0.
///
/// ```
/// use tern_store::Position;
/// assert_eq!(Position::START.after(3), Position::new(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u64);

impl Position {
    /// The position of the first record; the head of an empty log.
    pub const START: Self = Self(0);

    /// The position with `records` records before it.
    #[must_use]
    pub const fn new(records: u64) -> Self {
        Self(records)
    }

    /// The number of records before this position.
    #[must_use]
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// The position `records` further on.
    #[must_use]
    pub const fn after(self, records: u64) -> Self {
        Self(self.0.saturating_add(records))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a log ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Head {
    /// The position after the last record, which is the number of records.
    pub position: Position,
    /// The link of the last record; of an empty log [`Link::start`].
    pub link: Link,
}

impl Head {
    /// A head at `position`, after the record with that link.
    #[must_use]
    pub const fn new(position: Position, link: Link) -> Self {
        Self { position, link }
    }
}

/// A record of a log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Record {
    /// The number of records before this one.
    pub position: Position,
    /// What was appended, to the byte.
    pub bytes: Vec<u8>,
    /// The link that stands beside it: it depends on the record and on all before it.
    pub link: Link,
}

impl Record {
    /// A record of `bytes` at `position`, with the link that stands beside it. For implementations of [`Log`].
    #[must_use]
    pub const fn new(position: Position, bytes: Vec<u8>, link: Link) -> Self {
        Self {
            position,
            bytes,
            link,
        }
    }
}

/// Something that was worked out of the records up to a head, and can be worked out of them again: a cache, kept beside
/// the log. Who reads one has to be ready for any bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Snapshot {
    /// What it is a snapshot of, with a version: 1 to 64 bytes of letters, digits, `-`, `_`, `.` and `/`. A log keeps
    /// one of each kind.
    pub kind: String,
    /// Up to where the records are in it.
    pub head: Head,
    /// The snapshot itself, up to [`MAX_SNAPSHOT_BYTES`].
    pub bytes: Vec<u8>,
}

impl Snapshot {
    /// A snapshot of this kind, of the records up to `head`.
    #[must_use]
    pub fn new(kind: impl Into<String>, head: Head, bytes: Vec<u8>) -> Self {
        Self {
            kind: kind.into(),
            head,
            bytes,
        }
    }
}

/// Where an append believes the log to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// Wherever it ends.
    Any,
    /// At this head position; if it has moved, nothing is appended.
    At(Position),
}

/// What keeps logs, each under its name: an SQLite file, a PostgreSQL database, a NATS stream. [`connect`](crate::connect)
/// makes one of an address.
pub trait Store: Send + Sync {
    /// What it is, for sentences: its address without what is secret in it.
    fn address(&self) -> &str;

    /// What an acknowledged append is safe from.
    ///
    /// # Errors
    ///
    /// `store_unreachable` where the answer depends on the server's settings.
    fn promise(&self) -> Result<Promise, Error>;

    /// Makes it ready to be opened: creates what is missing, and makes good what a crash left half done. Changes nothing
    /// in a store that is whole.
    ///
    /// # Errors
    ///
    /// Those of [`Store::open`], but for the name.
    fn prepare(&self) -> Result<(), Error>;

    /// Opens a log for reading and appending. Creates the store and the log where they do not exist yet; that too is
    /// durable when it returns.
    ///
    /// # Errors
    ///
    /// `store_bad_name`, `store_not_a_log`, `store_newer_schema`, `store_read_only`, `store_busy`, `store_unreachable` and
    /// what the medium answers. A store that is refused is not changed.
    fn open(&self, name: &str) -> Result<Box<dyn Log>, Error>;

    /// Opens a log for reading only. Neither the store nor the log is created or changed.
    ///
    /// # Errors
    ///
    /// `store_missing`, `store_no_such_log`, `store_needs_recovery`, and those of [`Store::open`].
    fn open_read_only(&self, name: &str) -> Result<Box<dyn Log>, Error>;

    /// The names of all logs, sorted by their bytes, and where each ends.
    ///
    /// # Errors
    ///
    /// `store_missing` and those of [`Store::open_read_only`].
    fn logs(&self) -> Result<Vec<(String, Head)>, Error>;
}

/// What an acknowledged append is safe from. What is not tested for a backend is not promised by it: see `DESIGN.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Promise {
    /// The writing process, or the server, is killed.
    pub process_killed: Kept,
    /// The system crashes or loses power, and the medium keeps what it was told to.
    pub power_lost: Kept,
    /// The machine that acknowledged is lost with its medium.
    pub machine_lost: Kept,
    /// Why that is so: the settings that it rests on, in one sentence.
    pub because: String,
}

impl Promise {
    /// For implementations of [`Store`].
    #[must_use]
    pub fn new(
        process_killed: Kept,
        power_lost: Kept,
        machine_lost: Kept,
        because: impl Into<String>,
    ) -> Self {
        Self {
            process_killed,
            power_lost,
            machine_lost,
            because: because.into(),
        }
    }
}

/// What is left of the acknowledged records after a mishap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// All of them.
    All,
    /// Those that were acknowledged longer ago than this.
    AllButTheLast(Duration),
    /// None can be counted on.
    Nothing,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("everything acknowledged is kept"),
            Self::AllButTheLast(time) => {
                write!(f, "what was acknowledged in the last {time:?} can be lost")
            }
            Self::Nothing => f.write_str("nothing can be counted on"),
        }
    }
}

/// One durable, append-only log of records. Generic over what a record means: it is bytes here.
///
/// It can be used as `dyn Log`, and moves to the thread that writes.
pub trait Log: Send {
    /// What keeps it, for sentences: [`Store::address`].
    fn store(&self) -> &str;

    /// Its name in there.
    fn name(&self) -> &str;

    /// Where the log ends now, with everything in it that any process was acknowledged.
    ///
    /// # Errors
    ///
    /// What the medium answers; `store_poisoned` after an earlier failure.
    fn head(&self) -> Result<Head, Error>;

    /// Appends `records` in their order, all or none, one directly after the other, and answers
    /// with the new head. They are durable when it returns, as far as [`Store::promise`] says. An empty batch checks
    /// `expected` and writes nothing.
    ///
    /// # Errors
    ///
    /// `store_conflict` when `expected` is not where the log ends; `store_record_too_long`,
    /// `store_limit`, `store_read_only`, `store_busy`: nothing was appended, and the log goes on. So it is with `store_full` and
    /// `store_unreachable` where a server said so, or was not reached, before anything was sent to be committed.
    ///
    /// After any other error, and wherever it is open what the medium holds, the log answers `store_poisoned` until it is opened again, and it is
    /// not known whether the batch will be found then: append it again with [`Expected::At`] the
    /// same position. If that conflicts, read from there: either the batch had arrived, or
    /// somebody else appended.
    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error>;

    /// Reads up to `max` records from `from` on, in order and without a gap. Whether they are what was appended is not
    /// looked at: [`Chain`](crate::Chain) does that.
    ///
    /// It stops early after the record with which the answer reaches [`READ_BYTES`]: only an empty
    /// answer (to a `max` above 0) says that `from` is at or beyond the head. [`Records`](crate::Records) walks
    /// through a whole log.
    ///
    /// # Errors
    ///
    /// `store_corrupt` where a record is missing, and what the medium answers; `store_poisoned`
    /// after an earlier failure.
    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error>;

    /// Waits until the log is longer than `position`, or for `patience`, whichever comes first, and answers with the head
    /// then: whoever follows a log reads on when it lies beyond.
    ///
    /// # Errors
    ///
    /// Those of [`Log::head`].
    fn wait(&self, position: Position, patience: Duration) -> Result<Head, Error> {
        look_again(patience, || self.head(), |head| head.position > position)
    }

    /// Keeps a snapshot, and no longer the one of the same kind before it. It is no part of the log: if it is lost, it is
    /// worked out again.
    ///
    /// # Errors
    ///
    /// `store_bad_snapshot` for a kind that no snapshot can have, one that is too long, or one of records that are not
    /// there; and those of [`Log::append`].
    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), Error>;

    /// The kept snapshot of a kind. That its head is one of this log has to be seen by following the chain:
    /// [`Records::after`](crate::Records::after) finds out.
    ///
    /// # Errors
    ///
    /// What the medium answers.
    fn snapshot(&self, kind: &str) -> Result<Option<Snapshot>, Error>;
}

/// Asks again and again, ever more slowly up to 20 times a second, until the answer will do or the patience is over.
fn look_again<T>(
    patience: Duration,
    mut ask: impl FnMut() -> Result<T, Error>,
    will_do: impl Fn(&T) -> bool,
) -> Result<T, Error> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let answer = ask()?;
        let left = patience.saturating_sub(begun.elapsed());
        if will_do(&answer) || left.is_zero() {
            return Ok(answer);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Whether a snapshot can be of this kind and length.
///
/// # Errors
///
/// `store_bad_snapshot`.
pub(crate) fn check_snapshot(snapshot: &Snapshot) -> Result<(), Error> {
    let kind = &snapshot.kind;
    let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    let why = if !(1..=64).contains(&kind.len()) || !kind.bytes().all(is_fine) {
        "its kind is not 1 to 64 letters, digits, `-`, `_`, `.` and `/`"
    } else if snapshot.bytes.len() > MAX_SNAPSHOT_BYTES {
        "it is longer than 512 MiB"
    } else {
        return Ok(());
    };
    Err(Error::BadSnapshot { why })
}

/// Whether a log can have this name.
///
/// # Errors
///
/// `store_bad_name`.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
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

/// Whether every record of a batch can be one.
///
/// # Errors
///
/// `store_record_too_long`.
pub(crate) fn check_records(records: &[&[u8]], limit: usize) -> Result<(), Error> {
    let lengths = records.iter().map(|record| record.len()).enumerate();
    let long = lengths.into_iter().find(|&(_, bytes)| bytes > limit);
    long.map_or(Ok(()), |(index, bytes)| {
        Err(Error::RecordTooLong {
            index,
            bytes,
            limit,
        })
    })
}
