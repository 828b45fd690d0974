//! One log: what it answers, and when it answers nothing more.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool_postgres::ClientWrapper;

use super::ahead::{Ahead, is_short};
use super::fault::{Trouble, While, unknown_after};
use super::listen::{LOOK_AGAIN, Listener};
use super::rows::Rows;
use super::server::{Server, within};
use crate::blocking::Blocking;
use crate::log::{check_records, check_snapshot};
use crate::standing::Standing;
use crate::{Error, Expected, Head, Log, MAX_RECORD_BYTES, Position, READ_BYTES, Record, Snapshot};

/// A log in a PostgreSQL database, made by [`PostgresStore`](crate::PostgresStore).
///
/// A call takes one of the store's connections for as long as it lasts, and waits in its own thread. A lost connection
/// is replaced with the next call; only after an append of which it is not known whether it was committed nothing more
/// is answered.
///
/// ```no_run
/// use std::time::Duration;
/// use tern_store::{PostgresStore, Position, Store};
///
/// let store = PostgresStore::new("postgres://localhost/thread")?;
/// let log = store.open_read_only("design")?;
/// // until somebody appends, on whatever machine
/// let head = log.wait(Position::START, Duration::from_secs(60))?;
/// # Ok::<(), tern_store::Error>(())
/// ```
pub struct PostgresLog {
    rows: Rows,
    /// INVARIANT 5.
    standing: Standing,
    ahead: RefCell<Ahead>,
    listener: RefCell<Option<Listener>>,
    server: Arc<Server>,
    blocking: Blocking,
}

impl fmt::Debug for PostgresLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLog")
            .field("store", &self.rows.store)
            .field("name", &self.rows.name)
            .finish_non_exhaustive()
    }
}

impl PostgresLog {
    pub(super) fn new(rows: Rows, writable: bool, server: Arc<Server>, blocking: Blocking) -> Self {
        Self {
            rows,
            standing: Standing::new(writable),
            ahead: RefCell::default(),
            listener: RefCell::default(),
            server,
            blocking,
        }
    }

    /// Does `work` on a connection. INVARIANT 5: remembers an error after which nothing more is answered.
    fn ask<T>(
        &self,
        doing: While,
        work: impl AsyncFnOnce(&ClientWrapper) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        let done = self.blocking.wait(self.server.with(work));
        done.map_err(|trouble| {
            let is_undecided = matches!(trouble, Trouble::Undecided(_));
            let error = trouble.meaning(&self.rows.store, doing);
            if is_undecided || unknown_after(&error, doing) {
                self.standing.poison(&error);
            }
            error
        })
    }

    /// Until something was told, or the log is to be looked at again in any case.
    async fn told(&self, patience: Duration) {
        let mut listener = self.listener.take();
        if !listener.as_ref().is_some_and(Listener::listens) {
            // The log is looked at before it is waited for the first time: it may have grown until now. Where nobody
            // listens, as on a standby, looking again has to do.
            let listen = Listener::to(&self.server, self.rows.number);
            listener = match within(self.server.time(0).min(patience), listen).await {
                Ok(listener) => Some(listener),
                Err(_) => {
                    tokio::time::sleep(patience.min(LOOK_AGAIN) / 20).await;
                    None
                }
            };
        } else if let Some(listener) = &listener {
            listener.told(patience).await;
        }
        self.listener.replace(listener);
    }
}

impl Log for PostgresLog {
    fn store(&self) -> &str {
        &self.rows.store
    }

    fn name(&self) -> &str {
        &self.rows.name
    }

    fn head(&self) -> Result<Head, Error> {
        self.standing.expect_usable(&self.rows.store)?;
        self.ask(While::Reading, async |client| {
            self.rows.head(client, &self.server).await
        })
    }

    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error> {
        self.standing.expect_writable(&self.rows.store)?;
        check_records(records, MAX_RECORD_BYTES)?;
        self.ask(While::Writing, async |client| {
            let appended = self.rows.append(client, &self.server, expected, records);
            appended.await
        })
    }

    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error> {
        self.standing.expect_usable(&self.rows.store)?;
        let mut ahead = self.ahead.borrow_mut();
        let goes_on = ahead.goes_on(from);
        let mut records = Vec::new();
        self.blocking
            .wait(ahead.take(&mut records, max, READ_BYTES));
        let bytes: usize = records.iter().map(|record| record.bytes.len()).sum();
        if records.len() < max && bytes < READ_BYTES {
            let next = from.after(records.len() as u64);
            let rest = (max - records.len()) as u64;
            records.extend(self.ask(While::Reading, async |client| {
                let read = self
                    .rows
                    .read(client, &self.server, next, rest, READ_BYTES - bytes);
                read.await
            })?);
        }
        let bytes: usize = records.iter().map(|record| record.bytes.len()).sum();
        let is_short = is_short(records.len(), bytes);
        let is_full = records.len() == max && max > 0;
        let end = from.after(records.len() as u64);
        self.blocking.wait(async {
            let more = goes_on && is_full;
            ahead.answered(&self.server, &self.rows, end, more, is_short);
        });
        Ok(records)
    }

    fn wait(&self, position: Position, patience: Duration) -> Result<Head, Error> {
        let begun = Instant::now();
        loop {
            let head = self.head()?;
            let left = patience.saturating_sub(begun.elapsed());
            if head.position > position || left.is_zero() {
                return Ok(head);
            }
            self.blocking.wait(self.told(left));
        }
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.standing.expect_writable(&self.rows.store)?;
        check_snapshot(snapshot)?;
        self.ask(While::Writing, async |client| {
            self.rows.put_snapshot(client, &self.server, snapshot).await
        })
    }

    fn snapshot(&self, kind: &str) -> Result<Option<Snapshot>, Error> {
        self.standing.expect_usable(&self.rows.store)?;
        self.ask(While::Reading, async |client| {
            self.rows.snapshot(client, &self.server, kind).await
        })
    }
}
