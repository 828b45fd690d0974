//! What a log is: the trait that every backend implements, and the types it speaks in.

use std::collections::VecDeque;
use std::fmt;

use crate::{Chain, Error, Link};

/// The most bytes that one record may have: 64 MiB.
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// The most bytes that the name of a log may have.
pub const MAX_NAME_BYTES: usize = 1024;

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

/// Where an append believes the log to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// Wherever it ends.
    Any,
    /// At this head position; if it has moved, nothing is appended.
    At(Position),
}

/// One durable, append-only log of records. Generic over what a record means: it is bytes here.
///
/// It can be used as `dyn Log`, and moves to the thread that writes.
pub trait Log: Send {
    /// What keeps it, for sentences: a file, as it was given.
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
    /// with the new head. They are durable when it returns, as long as the file is still the one at
    /// its path: a store that was removed or replaced while open goes on in a file without a name. An empty batch checks `expected` and
    /// writes nothing.
    ///
    /// # Errors
    ///
    /// `store_conflict` when `expected` is not where the log ends; `store_record_too_long`,
    /// `store_limit`, `store_read_only`, `store_busy`: nothing was appended, and the log goes on.
    ///
    /// After any other error the log answers `store_poisoned` until it is opened again, and it is
    /// not known whether the batch will be found then: append it again with [`Expected::At`] the
    /// same position. If that conflicts, read from there: either the batch had arrived, or
    /// somebody else appended.
    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error>;

    /// Reads up to `max` records from `from` on, in order and without a gap. Whether they are what was appended is not
    /// looked at: [`Chain`] does that.
    ///
    /// It stops early after the record with which the answer reaches [`READ_BYTES`]: only an empty
    /// answer (to a `max` above 0) says that `from` is at or beyond the head. [`Records`] walks
    /// through a whole log.
    ///
    /// # Errors
    ///
    /// `store_corrupt` where a record is missing, and what the medium answers; `store_poisoned`
    /// after an earlier failure.
    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error>;
}

/// The records of a log from a position to its end, read in pieces of bounded size, each of them what was appended there
/// (INVARIANT 7).
///
/// Ends after the first error. Records that others append meanwhile are met too.
///
/// ```
/// use tern_store::{Expected, Log, Position, Records, SqliteLog};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("thread.db");
/// let mut log = SqliteLog::open(&path, "design")?;
/// log.append(Expected::Any, &[b"a", b"b", b"c"])?;
/// let rest: Result<Vec<_>, _> = Records::new(&log, Position::new(1)).collect();
/// assert_eq!(rest?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Records<'a, L: ?Sized> {
    log: &'a L,
    /// Where it is; none while the link before the first record is not read yet.
    chain: Option<Chain>,
    from: Position,
    read: VecDeque<Record>,
    done: bool,
}

impl<'a, L: Log + ?Sized> Records<'a, L> {
    /// Few enough that typical records stay in the processor's cache until they are handed out.
    const PIECE: usize = 256;

    /// Starts at `from`. The record before it is taken for what it says that it is.
    pub const fn new(log: &'a L, from: Position) -> Self {
        Self {
            log,
            chain: None,
            from,
            read: VecDeque::new(),
            done: false,
        }
    }

    /// Starts where the log was known to end once, and finds out whether it is that log.
    pub fn after(log: &'a L, head: Head) -> Self {
        Self {
            chain: Some(Chain::from(head)),
            ..Self::new(log, head.position)
        }
    }

    /// How far it has read, and that up to there every record is what was appended. None before the first one was asked
    /// for.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        self.chain.map(|chain| chain.head())
    }

    fn next_piece(&mut self) -> Result<(), Error> {
        let chain = match self.chain {
            Some(chain) => chain,
            None => Chain::from(head_at(self.log, self.from)?),
        };
        self.chain = Some(chain);
        self.read = self.log.read(chain.head().position, Self::PIECE)?.into();
        Ok(())
    }

    fn next_record(&mut self) -> Result<Option<Record>, Error> {
        if self.read.is_empty() {
            self.next_piece()?;
        }
        let (Some(record), Some(chain)) = (self.read.pop_front(), &mut self.chain) else {
            return Ok(None);
        };
        chain.check(self.log.store(), &record)?;
        Ok(Some(record))
    }
}

impl<L: Log + ?Sized> Iterator for Records<'_, L> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.next_record().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

/// The head up to a position, by the link that stands there. Beyond the end it is that of the start, where nothing
/// follows that could be compared.
fn head_at<L: Log + ?Sized>(log: &L, position: Position) -> Result<Head, Error> {
    let Some(before) = position.as_u64().checked_sub(1) else {
        return Ok(Head::start(log.name()));
    };
    let before = log.read(Position::new(before), 1)?;
    Ok(match before.first() {
        Some(record) => Head::new(position, record.link),
        None => Head::new(position, Link::start(log.name())),
    })
}
