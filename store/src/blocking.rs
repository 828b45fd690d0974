//! Asynchronous clients behind the blocking trait.

use std::future::Future;
use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

/// The thread that drives a store's connections, while callers wait in their own.
#[derive(Clone, Debug)]
pub(crate) struct Blocking(Arc<Runtime>);

impl Blocking {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// What the system says where it can start no thread.
    pub(crate) fn new() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("tern-store")
            .enable_all()
            .build()?;
        Ok(Self(Arc::new(runtime)))
    }

    /// Waits for `work` in this thread. Unlike tokio's `block_on` it may be called anywhere, also in a task of another
    /// runtime, which it then holds up as every blocking call does.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        let _within = self.0.enter();
        pollster::block_on(work)
    }
}
