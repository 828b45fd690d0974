//! Logs in a PostgreSQL database: many logs a database, many machines a log.
//!
//! `server` has the connections, `schema` what stands in the database, `rows` and `append` what is asked and written,
//! `fault` what failures mean. `DESIGN.md` has the invariants that are cited here.

mod ahead;
mod append;
mod fault;
mod listen;
mod log;
mod rows;
mod schema;
mod server;
mod tls;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::blocking::Blocking;
use crate::log::check_name;
use crate::{Address, Error, Head, Kept, Log, Promise, Store};
use fault::{Trouble, While};
pub use log::PostgresLog;
use rows::Rows;
use schema::Found;
use server::{Server, within};

/// How long to wait for others, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest that is waited; the server takes no setting above 24.8 days.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

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
    /// that does not answer is given up after three times as long, and more for what is large. 10 s unless it is set, and a
    /// day at most.
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
        Self::of(&self.url, &self.server.store, patience.min(LONGEST))
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
        let rows = Rows {
            store: self.server.store.clone(),
            name: name.to_owned(),
            number,
        };
        let (server, blocking) = (Arc::clone(&self.server), self.blocking.clone());
        Box::new(PostgresLog::new(rows, writable, server, blocking))
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
