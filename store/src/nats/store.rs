//! A stream as a store of logs.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::NatsLog;
use super::end::Remote;
use super::fault::Trouble;
use super::server::Server;
use super::stream::Purpose;
use super::subject;
use super::url::Url;
use crate::blocking::Blocking;
use crate::log::check_name;
use crate::{Error, Head, Kept, Log, Promise, Store};

/// Every server syncs what it has written this often, unless its `sync_interval` says otherwise, which cannot be asked.
const SYNC_INTERVAL: Duration = Duration::from_secs(120);
/// So many logs are looked at at once.
const AT_ONCE: usize = 32;

/// A stream of NATS JetStream that keeps logs.
///
/// Its logs share one connection, which is made when it is needed first.
///
/// ```no_run
/// use tern_store::{Expected, Log, NatsStore, Store};
///
/// let store = NatsStore::new("nats://ann:secret@localhost:4222/TERN?replicas=3")?;
/// store.open("design")?.append(Expected::Any, &[b"first"])?;
/// let logs = store.logs()?;
/// assert_eq!(logs[0].0, "design");
/// # Ok::<(), tern_store::Error>(())
/// ```
pub struct NatsStore {
    url: Url,
    connected: Mutex<Option<(Blocking, Server)>>,
}

impl fmt::Debug for NatsStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NatsStore").field(&self.url.shown).finish()
    }
}

impl NatsStore {
    /// The stream at an address, which need not exist yet: `nats://host:port/STREAM`, the stream being `TERN` where none
    /// is named. Before the host may stand `user:password@` or `token@`, with `%XX` for what has a meaning of its own;
    /// several hosts of a cluster have `,` between. With `tls://` the server must show a certificate that the system
    /// trusts. `?replicas=3` has a stream that is made now kept by three servers of a cluster; one that is there is left
    /// as it is.
    ///
    /// Nothing is opened or asked yet.
    ///
    /// # Errors
    ///
    /// `store_bad_address`.
    pub fn new(url: &str) -> Result<Self, Error> {
        Ok(Self {
            url: Url::read(url)?,
            connected: Mutex::new(None),
        })
    }

    fn server(&self) -> Result<(Blocking, Server), Error> {
        let poisoned = |_| Error::Io {
            store: self.url.shown.clone(),
            source: "a thread that was connecting ended".into(),
        };
        let mut connected = self.connected.lock().map_err(poisoned)?;
        if let Some(connected) = &*connected {
            return Ok(connected.clone());
        }
        let blocking = Blocking::new().map_err(|error| Error::Io {
            store: self.url.shown.clone(),
            source: error.into(),
        })?;
        let server = blocking.wait(Server::connect(&self.url))?;
        *connected = Some((blocking.clone(), server.clone()));
        Ok((blocking, server))
    }

    /// Asks the server something.
    fn ask<T>(
        &self,
        ask: impl AsyncFnOnce(Server) -> Result<T, Trouble>,
    ) -> Result<(Blocking, T), Error> {
        let (blocking, server) = self.server()?;
        let answer = blocking.wait(ask(server));
        let answer = answer.map_err(|trouble| trouble.error(&self.url.shown))?;
        Ok((blocking, answer))
    }
}

impl Store for NatsStore {
    fn address(&self) -> &str {
        &self.url.shown
    }

    fn promise(&self) -> Result<Promise, Error> {
        let (_, (found, version)) = self.ask(async |server| {
            let version = server.client.server_info().version;
            Ok((server.find(Purpose::Logs).await?, version))
        })?;
        let replicas = found.map_or(self.url.replicas, |info| info.config.num_replicas);
        let lasting = replicas >= 3;
        let because = match lasting {
            true => format!(
                "most of {replicas} servers have an append before it is acknowledged, so one of them may be lost; each syncs it only after a while (2 minutes unless its `sync_interval` is set), so all of them may not lose power at once"
            ),
            false => format!(
                "the stream has {replicas} replica, and nats-server {version} acknowledges before it syncs, which it does every 2 minutes unless its `sync_interval` is set"
            ),
        };
        Ok(Promise::new(
            Kept::All,
            Kept::AllButTheLast(SYNC_INTERVAL),
            if lasting { Kept::All } else { Kept::Nothing },
            because,
        ))
    }

    fn prepare(&self) -> Result<(), Error> {
        let made = self.ask(async |server| server.make(Purpose::Logs, self.url.replicas).await);
        made.map(|_| ())
    }

    fn open(&self, name: &str) -> Result<Box<dyn Log>, Error> {
        check_name(name)?;
        let (blocking, log) = self.ask(async |server| {
            let info = server.make(Purpose::Logs, self.url.replicas).await?;
            let remote = Remote::new(server, name);
            let end = remote.open().await?;
            Ok((remote, end, info.config.num_replicas))
        })?;
        let (remote, end, replicas) = log;
        Ok(Box::new(NatsLog::new(
            blocking, remote, end, replicas, true,
        )))
    }

    fn open_read_only(&self, name: &str) -> Result<Box<dyn Log>, Error> {
        check_name(name)?;
        let (blocking, log) = self.ask(async |server| {
            let info = server.find(Purpose::Logs).await?;
            let info = info.ok_or(Trouble::NotThere)?;
            let remote = Remote::new(server, name);
            let end = remote.end(None).await?;
            let end = end.ok_or_else(|| Error::NoSuchLog {
                store: self.url.shown.clone(),
                name: name.to_owned(),
            })?;
            Ok((remote, end, info.config.num_replicas))
        })?;
        let (remote, end, replicas) = log;
        Ok(Box::new(NatsLog::new(
            blocking, remote, end, replicas, false,
        )))
    }

    fn logs(&self) -> Result<Vec<(String, Head)>, Error> {
        let (_, mut logs) = self.ask(async |server| {
            server.find(Purpose::Logs).await?.ok_or(Trouble::NotThere)?;
            let subjects = server
                .subjects(&format!("{}*", subject::logs(&server.name)))
                .await?;
            let heads = subjects.into_iter().map(|subject| {
                let server = server.clone();
                async move {
                    let name =
                        subject::name(&server.name, &subject).ok_or_else(|| Error::Corrupt {
                            store: server.store.clone(),
                            why: format!("`{subject}` is the subject of no log"),
                        })?;
                    let end = Remote::new(server, &name).end(None).await?;
                    Ok::<_, Trouble>(end.map(|end| (name, end.head)))
                }
            });
            let heads = stream::iter(heads).buffer_unordered(AT_ONCE);
            heads
                .try_filter_map(async |it| Ok(it))
                .try_collect::<Vec<_>>()
                .await
        })?;
        logs.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(logs)
    }
}

impl Server {
    /// The subjects of the stream's messages, as far as a pattern has them. The server gives them in pages, and a new
    /// one moves those after it on, so that one may stand on two of them.
    pub(super) async fn subjects(&self, pattern: &str) -> Result<BTreeSet<String>, Trouble> {
        let all = async || {
            let found = self.stream.info_with_subjects(pattern).await?;
            let subjects = found.map_ok(|(subject, _)| subject);
            Ok(subjects.try_collect().await?)
        };
        self.patiently(all).await
    }
}
