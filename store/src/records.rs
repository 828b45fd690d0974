//! Reading a log from a position to its end, each record checked.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::{Chain, Error, Head, Link, Log, Position, Record};

/// The records of a log from a position to its end, read in pieces of bounded size, each of them what was appended there
/// (INVARIANT 7).
///
/// Ends after the first error. Records that others append meanwhile are met too. Of a log that has more than a few
/// pieces, a second thread checks one piece while the next one is read.
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
pub struct Records<'a> {
    log: Held<'a>,
    /// From where on the next piece is read.
    next: Position,
    /// Up to where the records were handed out; none while the link before the first one is not read yet.
    head: Option<Head>,
    /// Whether the log is known to have been at `head` once.
    is_that_log: bool,
    checking: Checking,
    checked: VecDeque<Record>,
    /// What comes after the checked records.
    ahead: Ahead,
}

/// A log that others may use too, or that is used for nothing else.
enum Held<'a> {
    Borrowed(&'a dyn Log),
    Owned(Box<dyn Log + 'a>),
}

impl<'a> Deref for Held<'a> {
    type Target = dyn Log + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Borrowed(log) => *log,
            Self::Owned(log) => &**log,
        }
    }
}

impl fmt::Debug for Held<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log")
            .field(&self.store())
            .field(&self.name())
            .finish()
    }
}

#[derive(Debug)]
enum Ahead {
    /// More, as far as is known.
    More,
    /// The end of the log.
    End,
    /// An error where the next piece was read.
    Failed(Error),
    /// Nothing more is handed out.
    Done,
}

impl<'a> Records<'a> {
    /// Few enough that typical records stay in the processor's cache until they are handed out.
    const PIECE: usize = 256;

    /// Starts at `from`. The record before it is taken for what it says that it is.
    #[must_use]
    pub fn new(log: &'a dyn Log, from: Position) -> Self {
        Self::of(Held::Borrowed(log), from, None)
    }

    /// Starts where the log was known to end once, and finds out whether it is that log: before the first record, or the end
    /// where none follows, `store_broken_chain` says that it has another history up to there, and `store_corrupt` that it is
    /// shorter.
    #[must_use]
    pub fn after(log: &'a dyn Log, head: Head) -> Self {
        Self::of(Held::Borrowed(log), head.position, Some(head))
    }

    /// [`Records::new`] of a log that is used for nothing else.
    #[must_use]
    pub fn owning(log: Box<dyn Log + 'a>, from: Position) -> Self {
        Self::of(Held::Owned(log), from, None)
    }

    fn of(log: Held<'a>, next: Position, head: Option<Head>) -> Self {
        Self {
            log,
            next,
            is_that_log: head.is_none(),
            head,
            checking: Checking::Here { pieces: 0 },
            checked: VecDeque::new(),
            ahead: Ahead::More,
        }
    }

    /// The same log from another place on: where it was known to end once.
    #[must_use]
    pub fn restarted(self, head: Head) -> Self {
        Self::of(self.log, head.position, Some(head))
    }

    /// The log that is read.
    #[must_use]
    pub fn log(&self) -> &dyn Log {
        &*self.log
    }

    /// How far it has read, and that up to there every record is what was appended. None before the first one was asked
    /// for.
    #[must_use]
    pub const fn head(&self) -> Option<Head> {
        self.head
    }

    fn next_record(&mut self) -> Result<Option<Record>, Error> {
        let head = match self.head {
            Some(head) if !self.is_that_log => expect_head(&*self.log, head)?,
            Some(head) => head,
            None => {
                let start = Link::start(self.log.name());
                // Beyond the end nothing follows that could be compared.
                let link = link_before(&*self.log, self.next)?.unwrap_or(start);
                Head::new(self.next, link)
            }
        };
        (self.head, self.is_that_log) = (Some(head), true);
        while self.checked.is_empty() && !matches!(self.ahead, Ahead::Done) {
            self.next_piece(head)?;
        }
        let Some(record) = self.checked.pop_front() else {
            return Ok(None);
        };
        self.head = Some(Head::new(record.position.after(1), record.link));
        Ok(Some(record))
    }

    /// Makes more checked records, or none where there are no more.
    fn next_piece(&mut self, head: Head) -> Result<(), Error> {
        while matches!(self.ahead, Ahead::More) && self.checking.has_room() {
            match self.log.read(self.next, Self::PIECE) {
                Ok(piece) if piece.is_empty() => self.ahead = Ahead::End,
                Ok(piece) => {
                    self.next = self.next.after(piece.len() as u64);
                    self.checking.give(self.log.store(), head, piece);
                }
                Err(error) => self.ahead = Ahead::Failed(error),
            }
        }
        let Some(Checked { records, broken }) = self.checking.take(self.log.store()) else {
            return match std::mem::replace(&mut self.ahead, Ahead::Done) {
                Ahead::Failed(error) => Err(error),
                Ahead::More | Ahead::End | Ahead::Done => Ok(()),
            };
        };
        self.checked = records.into();
        if let Some(error) = broken {
            // What was read beyond it does not count.
            self.checking = Checking::Here { pieces: 0 };
            self.ahead = Ahead::Failed(error);
        }
        Ok(())
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if matches!(self.ahead, Ahead::Done) && self.checked.is_empty() {
            return None;
        }
        let next = self.next_record().transpose();
        if !matches!(next, Some(Ok(_))) {
            self.ahead = Ahead::Done;
        }
        next
    }
}

/// Where pieces are checked.
#[derive(Debug)]
enum Checking {
    /// By whoever reads, one piece at a time.
    Here { pieces: usize },
    /// One piece that was checked here.
    Ready { pieces: usize, checked: Checked },
    /// By another thread, in the order in which they were given.
    Beside {
        pieces: Sender<Vec<Record>>,
        checked: Receiver<Checked>,
        /// The lengths of the pieces that wait.
        given: VecDeque<usize>,
    },
}

/// The records of a piece up to the first that is not what was appended.
#[derive(Debug)]
struct Checked {
    records: Vec<Record>,
    broken: Option<Error>,
}

impl Checking {
    /// So many pieces are checked here before another thread is worth its start.
    const FEW: usize = 4;
    /// So many pieces may wait, and another one only while they have so many bytes, so that memory stays bounded.
    const MOST: usize = 3;
    const MOST_BYTES: usize = 8 << 20;

    fn has_room(&self) -> bool {
        match self {
            Self::Here { .. } => true,
            Self::Ready { .. } => false,
            Self::Beside { given, .. } => {
                given.len() < Self::MOST && given.iter().sum::<usize>() < Self::MOST_BYTES
            }
        }
    }

    /// Takes the next piece, `head` being where the records before all pieces that wait end.
    fn give(&mut self, store: &str, head: Head, piece: Vec<Record>) {
        if let Self::Here { pieces: Self::FEW } = self {
            *self = Self::beside(store, head);
        }
        match self {
            Self::Here { pieces } | Self::Ready { pieces, .. } => {
                let pieces = Self::FEW.min(*pieces + 1);
                let checked = check(&mut Chain::from(head), store, piece);
                *self = Self::Ready { pieces, checked };
            }
            Self::Beside { pieces, given, .. } => {
                given.push_back(piece.iter().map(|record| record.bytes.len()).sum());
                // Who no longer listens has found something broken, and says so.
                let _sent = pieces.send(piece);
            }
        }
    }

    /// Another thread that checks what follows `head`; where there can be none, it goes on here.
    fn beside(store: &str, head: Head) -> Self {
        let (pieces, to_check) = mpsc::channel::<Vec<Record>>();
        let (answer, checked) = mpsc::channel();
        let (store, mut chain) = (store.to_owned(), Chain::from(head));
        let started = thread::Builder::new().spawn(move || {
            for piece in to_check {
                let piece = check(&mut chain, &store, piece);
                let is_last = piece.broken.is_some();
                if answer.send(piece).is_err() || is_last {
                    return;
                }
            }
        });
        match started {
            Ok(_runs_by_itself) => Self::Beside {
                pieces,
                checked,
                given: VecDeque::new(),
            },
            Err(_no_thread) => Self::Here { pieces: 0 },
        }
    }

    /// The next piece that was given, checked; none if none waits.
    fn take(&mut self, store: &str) -> Option<Checked> {
        match self {
            Self::Here { .. } => None,
            Self::Ready { pieces, .. } => {
                let here = Self::Here { pieces: *pieces };
                match std::mem::replace(self, here) {
                    Self::Ready { checked, .. } => Some(checked),
                    Self::Here { .. } | Self::Beside { .. } => None,
                }
            }
            Self::Beside { checked, given, .. } => {
                given.pop_front()?;
                Some(checked.recv().unwrap_or_else(|_| Checked {
                    records: Vec::new(),
                    broken: Some(Error::Io {
                        store: store.to_owned(),
                        source: "the thread that checks its records ended".into(),
                    }),
                }))
            }
        }
    }
}

fn check(chain: &mut Chain, store: &str, mut records: Vec<Record>) -> Checked {
    let fits = records
        .iter()
        .map(|record| chain.check(store, record))
        .enumerate()
        .find_map(|(index, fits)| fits.err().map(|error| (index, error)));
    let broken = fits.map(|(index, error)| {
        records.truncate(index);
        error
    });
    Checked { records, broken }
}

/// The link that stands before a position, if the log is as long.
fn link_before(log: &dyn Log, position: Position) -> Result<Option<Link>, Error> {
    let Some(before) = position.as_u64().checked_sub(1) else {
        return Ok(Some(Link::start(log.name())));
    };
    let before = log.read(Position::new(before), 1)?;
    Ok(before.first().map(|record| record.link))
}

/// The head itself, if the log was there once.
fn expect_head(log: &dyn Log, head: Head) -> Result<Head, Error> {
    let store = log.store().to_owned();
    match link_before(log, head.position)? {
        Some(link) if link == head.link => Ok(head),
        Some(found) => Err(Error::BrokenChain {
            store,
            position: Position::new(head.position.as_u64().saturating_sub(1)),
            expected: head.link,
            found,
        }),
        None => Err(Error::Corrupt {
            store,
            why: format!(
                "it ends before position {}, where it ended once",
                head.position
            ),
        }),
    }
}
