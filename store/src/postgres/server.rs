//! Connections: how they are made, kept and given up.

use std::future::Future;
use std::time::{Duration, Instant};

use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime,
};
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::fault::{self, Trouble};
use super::tls;
use crate::Error;

/// The most connections that one store opens for calls; each call holds one. Waiting logs have one more each.
const MOST: usize = 16;

/// A server, and the connections to it that are open.
pub(super) struct Server {
    /// Its address, without what is secret.
    pub(super) store: String,
    config: Config,
    tls: MakeRustlsConnect,
    pool: Pool,
    patience: Duration,
}

impl Server {
    /// The server at `url`. It is not asked yet.
    pub(super) fn at(url: &str, store: &str, patience: Duration) -> Result<Self, Error> {
        let bad = |why: String| Error::BadAddress {
            address: store.to_owned(),
            why,
        };
        let (url, tls) = tls::of(url).map_err(bad)?;
        // The client's sentence is not shown: it may repeat a part of the address that is secret.
        let mut config: Config = url.parse().map_err(|_| {
            bad("PostgreSQL's client does not understand its parts or parameters".to_owned())
        })?;
        config.ssl_mode(tls.mode);
        if config.get_application_name().is_none() {
            config.application_name("tern-store");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        config.keepalives_idle(Duration::from_secs(60));
        // How the server writes down what stands in the schema depends on the last two, and no name is looked up elsewhere.
        let settings = format!(
            "SET lock_timeout = {0}; SET idle_in_transaction_session_timeout = {1}; \
             SET search_path = pg_catalog; SET quote_all_identifiers = off",
            patience.as_millis().max(1),
            patience.as_millis().max(1) * 6,
        );
        let recycling_method = RecyclingMethod::Fast;
        let manager = Manager::from_config(
            config.clone(),
            tls.connect.clone(),
            ManagerConfig { recycling_method },
        );
        let pool = Pool::builder(manager)
            .max_size(MOST)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(patience))
            .create_timeout(Some(patience))
            .post_create(Hook::async_fn(move |client: &mut ClientWrapper, _| {
                let settings = settings.clone();
                Box::pin(async move {
                    let set = client.batch_execute(&settings).await;
                    set.map_err(HookError::Backend)
                })
            }))
            .build()
            .map_err(|error| bad(error.to_string()))?;
        Ok(Self {
            store: store.to_owned(),
            config,
            tls: tls.connect,
            pool,
            patience,
        })
    }

    /// How long an answer may take that moves so many bytes, 1 MiB a second being slow.
    pub(super) fn time(&self, bytes: usize) -> Duration {
        self.patience * 3 + Duration::from_secs((bytes >> 20) as u64)
    }

    /// A connection, after some patience with a server that starts or has too many.
    async fn connection(&self) -> Result<Object, Error> {
        let begun = Instant::now();
        loop {
            let error = match self.pool.get().await {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            let (meaning, is_passing) = fault::connecting(&self.store, &error);
            if !is_passing || begun.elapsed() >= self.patience {
                return Err(meaning);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Does `work` on a connection. One on which something failed, or whose work was given up, is not used again: a
    /// transaction may be open there, or a result on its way.
    pub(super) async fn with<T>(
        &self,
        work: impl AsyncFnOnce(&ClientWrapper) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let connection = self.connection().await.map_err(Trouble::Refused)?;
        let mut lent = Lent(None);
        let done = work(lent.0.insert(connection)).await;
        if matches!(done, Ok(_) | Err(Trouble::Refused(_))) {
            drop(lent.0.take());
        }
        done
    }

    /// A connection besides those of the pool, for a log that waits; what the server tells it unasked goes to `told`.
    pub(super) async fn apart(
        &self,
        told: impl Fn() + Send + 'static,
    ) -> Result<Client, tokio_postgres::Error> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        tokio::spawn(async move {
            let next = |context: &mut std::task::Context<'_>| connection.poll_message(context);
            let mut messages = futures_util::stream::poll_fn(next);
            while let Some(Ok(_)) = futures_util::StreamExt::next(&mut messages).await {
                told();
            }
            told();
        });
        Ok(client)
    }
}

/// A connection that goes back to the pool when it is taken out of this, and else is closed.
struct Lent(Option<Object>);

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(Object::take(connection));
        }
    }
}

/// The answer, or that there was none for `time`.
pub(super) async fn within<T, E>(
    time: Duration,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, Trouble>
where
    Trouble: From<E>,
{
    match tokio::time::timeout(time, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(Trouble::Silent(time)),
    }
}
