//! Logs in a PostgreSQL database: many logs a database, many machines a log.
//!
//! `server` has the connections, `schema` what stands in the database, `rows` and `append` what is asked and written,
//! `fault` what failures mean. `DESIGN.md` has the invariants that are cited here.

mod ahead;
mod append;
mod fault;
mod listen;
mod rows;
mod schema;
mod server;
mod tls;

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::blocking::Blocking;
use crate::log::{check_name, check_records, check_snapshot};
use crate::{
    Address, Error, Expected, Head, Kept, Log, MAX_RECORD_BYTES, Position, Promise, READ_BYTES,
    Record, Snapshot, Store,
};
use ahead::Ahead;
use fault::{Trouble, While, unknown_after};
use listen::Listener;
use rows::Rows;
use schema::Found;
use server::{Server, within};

/// How long to wait for others, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// A PostgreSQL database that keeps logs, in a schema of its own named `tern`.
///
/// The address is a URL as PostgreSQL's clients write it: `postgres://user:password@host:port/database?parameters`. The
/// database has to be there; the schema is made by [`Store::prepare`] or [`Store::open`]. Of the parameters, `sslmode` is
/// one of `disable`, `prefer` (meant where nothing is said: encrypted if the server can, its certificate not checked),
/// `require` and `verify-full` (both: encrypted, and the certificate checked); `sslrootcert` names a file (PEM) with the
/// certificates to trust instead of the system's. No environment variable and no `.pgpass` is read.
///
/// ```no_run
/// use tern_store::{Expected, Log, PostgresStore, Store};
///
/// let store = PostgresStore::new("postgres://ann:secret@localhost/thread")?;
/// let head = store.open("design")?.append(Expected::Any, &[b"first"])?;
/// assert_eq!(store.logs()?, [("design".to_owned(), head)]);
/// println!("{}", store.promise()?.because);
/// # Ok::<(), tern_store::Error>(())
/// ```
#[derive(Clone)]
pub struct PostgresStore {
    url: String,
    server: Arc<Server>,
    blocking: Blocking,
}

impl PostgresStore {
    /// The database at an address. It is not asked yet.
    ///
    /// # Errors
    ///
    /// `store_bad_address` for a URL or parameters that are not understood.
    ///
    /// ```
    /// use tern_store::{PostgresStore, Store};
    ///
    /// let store = PostgresStore::new("postgres://ann:secret@localhost/thread")?;
    /// assert_eq!(store.address(), "postgres://ann@localhost/thread");
    /// # Ok::<(), tern_store::Error>(())
    /// ```
    pub fn new(url: &str) -> Result<Self, Error> {
        let address: Address = url.parse()?;
        let store = address.to_string();
        if !matches!(address, Address::Postgres(_)) {
            return Err(Error::BadAddress {
                address: store,
                why: "it does not begin with `postgres://`".to_owned(),
            });
        }
        Self::of(url, &store, PATIENCE)
    }

    fn of(url: &str, store: &str, patience: Duration) -> Result<Self, Error> {
        let server = Server::at(url, store, patience)?;
        let blocking = Blocking::new().map_err(|source| Error::Io {
            store: store.to_owned(),
            source: Box::new(source),
        })?;
        Ok(Self {
            url: url.to_owned(),
            server: Arc::new(server),
            blocking,
        })
    }

    /// How long to wait for a lock or a free connection before answering `store_busy`, and for a server that starts; one
    /// that does not answer is given up after three times as long, and more for what is large. 10 s unless it is set.
    /// Holds for logs that are opened from then on.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use tern_store::PostgresStore;
    ///
    /// let store = PostgresStore::new("postgres://localhost/thread")?;
    /// let store = store.with_patience(Duration::from_secs(1))?;
    /// # Ok::<(), tern_store::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `store_io` where the system can start no thread.
    pub fn with_patience(self, patience: Duration) -> Result<Self, Error> {
        Self::of(&self.url, &self.server.store, patience)
    }

    /// Does `work` on a connection, and says in our words what failed.
    fn ask<T>(
        &self,
        doing: While,
        work: impl AsyncFnOnce(&deadpool_postgres::ClientWrapper) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        self.blocking
            .wait(self.server.with(work))
            .map_err(|trouble| trouble.meaning(&self.server.store, doing))
    }

    /// INVARIANT 6: that what is there is a store of ours.
    async fn expect_ours(&self, client: &deadpool_postgres::ClientWrapper) -> Result<(), Trouble> {
        let store = || self.server.store.clone();
        let look = schema::look(client, &self.server.store);
        Err(Trouble::Refused(
            match within(self.server.time(0), look).await? {
                Found::Ours => return Ok(()),
                Found::Nothing => Error::Missing { store: store() },
                Found::Older(_) => Error::NeedsRecovery { store: store() },
            },
        ))
    }

    async fn prepared(&self, client: &deadpool_postgres::ClientWrapper) -> Result<(), Trouble> {
        let look = schema::look(client, &self.server.store);
        if let Found::Ours = within(self.server.time(0), look).await? {
            return Ok(());
        }
        let migrate = schema::migrate(client, &self.server.store);
        within(self.server.time(0), migrate).await
    }

    fn log(&self, name: &str, number: i64, writable: bool) -> Box<dyn Log> {
        Box::new(PostgresLog {
            rows: Rows {
                store: self.server.store.clone(),
                name: name.to_owned(),
                number,
            },
            writable,
            poison: OnceCell::new(),
            ahead: RefCell::default(),
            listener: RefCell::default(),
            server: Arc::clone(&self.server),
            blocking: self.blocking.clone(),
        })
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresStore")
            .field(&self.address())
            .finish()
    }
}

impl Store for PostgresStore {
    fn address(&self) -> &str {
        &self.server.store
    }

    fn promise(&self) -> Result<Promise, Error> {
        let row = self.ask(While::Reading, async |client| {
            let settings = client.query_one(
                "SELECT current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on', \
                 current_setting('synchronous_commit'), current_setting('synchronous_standby_names')",
                &[],
            );
            let row = within(self.server.time(0), settings).await?;
            Ok((
                (row.try_get(0)?, row.try_get(1)?),
                (row.try_get::<_, String>(2)?, row.try_get::<_, String>(3)?),
            ))
        })?;
        let ((syncs, whole_pages), (commit, standbys)) = row;
        let commit = match commit.as_str() {
            "remote_apply" => "remote_apply",
            _ => "on",
        };
        let on = |setting| if setting { "on" } else { "off" };
        let (power, machine, why) = match (syncs, whole_pages, standbys.trim().is_empty()) {
            (false, _, _) => (Kept::Nothing, Kept::Nothing, "the server does not sync what it acknowledges".to_owned()),
            (true, false, _) => (Kept::Nothing, Kept::Nothing, "a page that was half written cannot be mended".to_owned()),
            (true, true, true) => (Kept::All, Kept::Nothing, "the server syncs each append to its write-ahead log, and no standby has to have it".to_owned()),
            (true, true, false) => (Kept::All, Kept::All, format!("the server syncs each append to its write-ahead log, and so do the standbys that it waits for ({standbys})")),
        };
        let settings = format!(
            "fsync={}, full_page_writes={}, synchronous_commit={commit} for appends",
            on(syncs),
            on(whole_pages)
        );
        Ok(Promise::new(
            Kept::All,
            power,
            machine,
            format!("{why} ({settings})"),
        ))
    }

    fn prepare(&self) -> Result<(), Error> {
        self.ask(While::Writing, async |client| self.prepared(client).await)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Log>, Error> {
        check_name(name)?;
        let number = self.ask(While::Writing, async |client| {
            self.prepared(client).await?;
            rows::number_of(client, &self.server, name).await
        })?;
        Ok(self.log(name, number, true))
    }

    fn open_read_only(&self, name: &str) -> Result<Box<dyn Log>, Error> {
        check_name(name)?;
        let number = self.ask(While::Reading, async |client| {
            self.expect_ours(client).await?;
            rows::find(client, &self.server, name).await
        })?;
        let number = number.ok_or_else(|| Error::NoSuchLog {
            store: self.server.store.clone(),
            name: name.to_owned(),
        })?;
        Ok(self.log(name, number, false))
    }

    fn logs(&self) -> Result<Vec<(String, Head)>, Error> {
        self.ask(While::Reading, async |client| {
            self.expect_ours(client).await?;
            rows::logs(client, &self.server).await
        })
    }
}

/// A log in a PostgreSQL database, made by [`PostgresStore`].
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
    writable: bool,
    /// The sentence of the failure after which nothing more is answered. INVARIANT 5.
    poison: OnceCell<String>,
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
    /// INVARIANT 5: asked first by everything that a log answers.
    fn usable(&self) -> Result<(), Error> {
        match self.poison.get() {
            None => Ok(()),
            Some(cause) => Err(Error::Poisoned {
                store: self.rows.store.clone(),
                cause: cause.clone(),
            }),
        }
    }

    fn expect_writable(&self) -> Result<(), Error> {
        self.usable()?;
        if self.writable {
            return Ok(());
        }
        Err(Error::ReadOnly {
            store: self.rows.store.clone(),
        })
    }

    /// Does `work` on a connection. INVARIANT 5: remembers an error after which nothing more is answered.
    fn ask<T>(
        &self,
        doing: While,
        work: impl AsyncFnOnce(&deadpool_postgres::ClientWrapper) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        let done = self.blocking.wait(self.server.with(work));
        done.map_err(|trouble| {
            let is_undecided = matches!(trouble, Trouble::Undecided(_));
            let error = trouble.meaning(&self.rows.store, doing);
            if is_undecided || unknown_after(&error, doing) {
                // the first cause is the one that counts
                let _already = self.poison.set(error.to_string());
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
                    tokio::time::sleep(patience.min(listen::LOOK_AGAIN) / 20).await;
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
        self.usable()?;
        self.ask(While::Reading, async |client| {
            self.rows.head(client, &self.server).await
        })
    }

    fn append(&mut self, expected: Expected, records: &[&[u8]]) -> Result<Head, Error> {
        self.expect_writable()?;
        check_records(records, MAX_RECORD_BYTES)?;
        self.ask(While::Writing, async |client| {
            let appended = self.rows.append(client, &self.server, expected, records);
            appended.await
        })
    }

    fn read(&self, from: Position, max: usize) -> Result<Vec<Record>, Error> {
        self.usable()?;
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
        let is_full = records.len() == max && max > 0;
        let end = from.after(records.len() as u64);
        self.blocking.wait(async {
            ahead.answered(&self.server, &self.rows, end, goes_on && is_full);
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
        self.expect_writable()?;
        check_snapshot(snapshot)?;
        self.ask(While::Writing, async |client| {
            self.rows.put_snapshot(client, &self.server, snapshot).await
        })
    }

    fn snapshot(&self, kind: &str) -> Result<Option<Snapshot>, Error> {
        self.usable()?;
        self.ask(While::Reading, async |client| {
            self.rows.snapshot(client, &self.server, kind).await
        })
    }
}
