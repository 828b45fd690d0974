//! What only NATS JetStream can do to a log: servers and writers that are killed, stopped and started again, clusters,
//! and other programs that publish where our logs are. What every backend promises is in `tests/backends`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/nats_server.rs"]
mod nats_server;

mod cluster;
mod foreign;
mod kill;
mod trouble;
mod wait;

use tern_store::{Log, NatsStore, Store};

/// A store at an address.
fn at(address: &str) -> NatsStore {
    NatsStore::new(address).unwrap()
}

/// A log of the store at an address, opened for writing.
fn open(address: &str, name: &str) -> Box<dyn Log> {
    at(address).open(name).unwrap()
}

/// What a test does to a server by itself.
fn bare<T>(port: u16, work: impl AsyncFnOnce(async_nats::jetstream::Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(format!("127.0.0.1:{port}"))
            .await
            .unwrap();
        work(async_nats::jetstream::new(client)).await
    })
}

/// Numbers at random, from a seed that is printed.
struct Random(u64);

impl Random {
    fn new() -> Self {
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
        let seed = u64::from(now.subsec_nanos()) | 1;
        println!("seed {seed}");
        Self(seed)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pause(&mut self, milliseconds: u64) {
        let time = self.below(milliseconds * 1000);
        std::thread::sleep(std::time::Duration::from_micros(time));
    }
}
