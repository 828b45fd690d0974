//! Asynchronous clients behind the blocking trait.

use std::future::Future;
use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

/// The thread that drives a store's connections, while callers wait in their own.
#[derive(Clone, Debug)]
pub(crate) struct Blocking(Arc<Driver>);

/// A runtime that ends without waiting. Dropping one waits for its threads, which tokio does not allow within a task.
#[derive(Debug)]
struct Driver(Option<Runtime>);

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

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
        Ok(Self(Arc::new(Driver(Some(runtime)))))
    }

    /// Waits for `work` in this thread. Unlike tokio's `block_on` it may be called anywhere, also in a task of another
    /// runtime, which it then holds up as every blocking call does.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        let Driver(runtime) = &*self.0;
        // INVARIANT: it is there until it is dropped.
        let _within = runtime.as_ref().map(Runtime::enter);
        pollster::block_on(work)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::time::Duration;

    use super::Blocking;

    /// A store may be used, and given up, in a task of the caller's own runtime.
    #[test]
    fn is_used_and_dropped_within_a_task() {
        let outer = tokio::runtime::Builder::new_current_thread().build();
        outer.unwrap().block_on(async {
            let blocking = Blocking::new().unwrap();
            let slept = blocking.wait(async {
                tokio::time::sleep(Duration::from_millis(1)).await;
                7
            });
            assert_eq!(slept, 7);
            drop(blocking);
        });
    }
}
