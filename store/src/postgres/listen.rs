//! Waiting for appends: a connection that the server tells of them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_postgres::Client;

use super::server::Server;

/// The statement that tells those who wait for the log `number`.
pub(super) fn word(number: i64) -> String {
    format!("NOTIFY tern_{number}")
}

/// Says that somebody waits for the log, as long as the connection lasts, by holding its lock with others. An append tries
/// for it alone: until its transaction is over, who wants to wait has to wait for that, and then looks.
pub(super) fn watch(number: i64) -> String {
    format!("SET lock_timeout = 0; SELECT pg_advisory_lock_shared(6081392688605691904 + {number})")
}

/// A word that is lost costs so much time: then the log is looked at again.
pub(super) const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// A connection that listens.
pub(super) struct Listener {
    client: Client,
    told: Arc<Notify>,
}

impl Listener {
    /// Listens from now on: what is appended after this returns is told.
    pub(super) async fn to(server: &Server, number: i64) -> Result<Self, tokio_postgres::Error> {
        let told = Arc::new(Notify::new());
        let tell = Arc::clone(&told);
        let client = server.apart(move || tell.notify_one()).await?;
        client
            .batch_execute(&format!("LISTEN tern_{number}"))
            .await?;
        client.batch_execute(&watch(number)).await?;
        Ok(Self { client, told })
    }

    /// Whether it still does.
    pub(super) fn listens(&self) -> bool {
        !self.client.is_closed()
    }

    /// Waits until something was told since the last time, or for `patience`.
    pub(super) async fn told(&self, patience: Duration) {
        let _told_or_not =
            tokio::time::timeout(patience.min(LOOK_AGAIN), self.told.notified()).await;
    }
}
