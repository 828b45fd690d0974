//! Logs in a stream of NATS JetStream: a subject each, a message a batch.
//!
//! `url` reads addresses, `server` asks and publishes, `stream` makes the stream and knows it again, `subject` and `frame`
//! say how names and batches are written, `end` appends, `read` reads, `snapshot` keeps snapshots, `fault` says what
//! failures mean. `DESIGN.md` has the invariants that are cited here.

mod end;
mod fault;
mod frame;
mod read;
mod server;
mod snapshot;
mod store;
mod stream;
mod subject;
mod url;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::time::{Duration, Instant};

use crate::blocking::Blocking;
use crate::log::{check_records, check_snapshot};
use crate::standing::Standing;
use crate::{Code, Error, Expected, Head, Log, MAX_RECORD_BYTES, Position, Record, Snapshot};
use end::{End, Remote};
use fault::Trouble;
use read::{Cursor, Places, Told};

pub use store::NatsStore;

/// Who waits for a log looks at it this often, even if nothing is heard of it.
const LOOK: Duration = Duration::from_secs(5);

/// A log in a stream of NATS JetStream. [`NatsStore`] opens it.
///
/// Any number of processes may have the same log open, to read and to append. One value serves one thread at a time; it
/// can be sent to another. A server that goes and comes back within 10 seconds is waited for.
///
/// ```no_run
/// use tern_store::{Expected, Log, NatsStore, Position, Store};
///
/// let store = NatsStore::new("nats://localhost:4222/TERN")?;
/// let mut log = store.open("design")?;
/// let head = log.append(Expected::At(Position::START), &[b"first", b"second"])?;
/// assert_eq!(log.read(Position::START, 10)?.len(), 2);
/// # Ok::<(), tern_store::Error>(())
/// ```
pub struct NatsLog {
    remote: Remote,
    replicas: usize,
    /// Where the log ended when it was looked at last.
    end: Cell<End>,
    cursor: RefCell<Option<Cursor>>,
    places: RefCell<Places>,
    /// What the server tells who waits; the next wait goes on with it.
    told: RefCell<Option<Told>>,
    /// INVARIANT 5.
    standing: Standing,
    /// Last, since what is above needs it when it goes.
    blocking: Blocking,
}

impl fmt::Debug for NatsLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsLog")
            .field("store", &self.remote.server.store)
            .field("name", &self.remote.name)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

impl NatsLog {
    fn new(blocking: Blocking, remote: Remote, end: End, replicas: usize, writable: bool) -> Self {
        Self {
            remote,
            replicas,
            end: Cell::new(end),
            cursor: RefCell::default(),
            places: RefCell::default(),
            told: RefCell::default(),
            standing: Standing::new(writable),
            blocking,
        }
    }

    fn error(&self, trouble: Trouble) -> Error {
        trouble.error(self.store())
    }

    /// Where the log ends now.
    async fn look(&self) -> Result<End, Trouble> {
        let known = self.end.get();
        let end = self.remote.end(Some(known)).await?.unwrap_or(known);
        self.end.set(end);
        Ok(end)
    }

    async fn read_on(&self, from: Position, max: usize) -> Result<Vec<Record>, Trouble> {
        let mut end = self.end.get();
        if end.head.position < from.after(max as u64) {
            end = self.look().await?;
        }
        let (mut cursor, mut places) = (self.cursor.take(), self.places.take());
        let read = self
            .remote
            .read(&mut cursor, &mut places, from, max, end)
            .await;
        self.cursor.replace(cursor);
        self.places.replace(places);
        read
    }

    /// INVARIANT 1 as far as a wait goes: what is told begins right behind a message that was the last one when the head
    /// was looked at, then or before, so no append falls between.
    async fn wait_for(&self, position: Position, patience: Duration) -> Result<Head, Trouble> {
        let begun = Instant::now();
        loop {
            let end = self.look().await?;
            let left = patience.saturating_sub(begun.elapsed());
            if end.head.position > position || left.is_zero() {
                return Ok(end.head);
            }
            let told = self.told.take().filter(|told| !told.is_old());
            let from = end.looked.saturating_add(1);
            let mut told = told.unwrap_or_else(|| self.remote.told(from));
            let heard = told.beyond(end.looked);
            match tokio::time::timeout(left.min(LOOK), heard).await {
                Ok(false) => server::pause().await,
                _ => drop(self.told.replace(Some(told))),
            }
        }
    }
}

impl Log for NatsLog {
    fn store(&self) -> &str {
        &self.remote.server.store
    }

    fn name(&self) -> &str {
        &self.remote.name
    }

    fn head(&self) -> Result<Head, Error> {
        self.standing.expect_usable(self.store())?;
        let end = self.blocking.wait(self.look());
        end.map(|end| end.head).map_err(|it| self.error(it))
    }

    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error> {
        self.standing.expect_writable(self.store())?;
        check_records(records, MAX_RECORD_BYTES)?;
        let mut end = self.end.get();
        let appended = self.remote.append(&mut end, expected, records);
        let appended = self.blocking.wait(appended);
        self.end.set(end);
        appended.map(|()| end.head).map_err(|trouble| {
            let error = self.error(trouble);
            if !matches!(error.code(), Code::Conflict | Code::Busy | Code::Limit) {
                self.standing.poison(&error);
            }
            error
        })
    }

    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error> {
        self.standing.expect_usable(self.store())?;
        let read = self.blocking.wait(self.read_on(from, max));
        read.map_err(|it| self.error(it))
    }

    fn wait(&self, position: Position, patience: Duration) -> Result<Head, Error> {
        self.standing.expect_usable(self.store())?;
        let head = self.blocking.wait(self.wait_for(position, patience));
        head.map_err(|it| self.error(it))
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.standing.expect_writable(self.store())?;
        check_snapshot(snapshot)?;
        let there = match snapshot.head.position.as_u64().checked_sub(1) {
            None => Some(Head::start(self.name())),
            Some(before) => {
                let records = self.read(Position::new(before), 1)?;
                let link = records.first().map(|record| record.link);
                link.map(|link| Head::new(snapshot.head.position, link))
            }
        };
        if there != Some(snapshot.head) {
            return Err(Error::BadSnapshot {
                why: "the log has other records up to there",
            });
        }
        let put = self.remote.put_snapshot(snapshot, self.replicas);
        self.blocking.wait(put).map_err(|it| self.error(it))
    }

    fn snapshot(&self, kind: &str) -> Result<Option<Snapshot>, Error> {
        self.standing.expect_usable(self.store())?;
        let kept = self.blocking.wait(self.remote.snapshot(kind));
        kept.map_err(|it| self.error(it))
    }
}
