//! Records a second: our append and scan beside bare async-nats doing the same with the same messages, in one run.
//!
//! `cargo run --release -p tern-store --features nats --example append_rate_nats`; it starts a nats-server of its own in
//! a temporary folder. Records have 1 KiB. Each figure is the median of five runs, and the runs of the contenders take
//! turns.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::needless_range_loop,
    reason = "a measurement may stop"
)]

#[path = "../tests/common/nats_server.rs"]
mod nats_server;

use std::time::Instant;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, stream};
use futures_util::StreamExt as _;
use nats_server::NatsServer;
use tern_store::{Expected, Log, NatsStore, Position, Records, Store};
use tokio::runtime::Runtime;

const RUNS: usize = 5;
const RECORD: [u8; 1024] = [b'r'; 1024];
const NAMES: [&str; 3] = ["tern-store", "bare, same messages", "bare, records only"];

/// What stands around the records: around each, and around each batch.
const AROUND: (usize, usize) = (36, 74);
/// The longest message, with the server's default of 1 MiB.
const LONGEST: usize = (1 << 20) - 512;

fn main() {
    let server = NatsServer::start();
    let mut runs = 0;
    for (records, batch) in [(4_000, 1), (100_000, 1000)] {
        let mut appended = [[0.0; RUNS]; 3];
        let mut read = [[0.0; RUNS]; 3];
        for run in 0..RUNS {
            runs += 1;
            let rate = |begun: Instant| records as f64 / begun.elapsed().as_secs_f64();
            let store = NatsStore::new(&server.address(&format!("OURS{runs}"))).unwrap();
            let begun = append(&store, records, batch);
            appended[0][run] = rate(begun);
            // What we publish for a batch, in as few messages as it takes.
            let whole = batch * (RECORD.len() + AROUND.0) + AROUND.1;
            let same: Vec<usize> = match whole {
                0..=LONGEST => vec![whole],
                _ => vec![LONGEST, whole + 16 - LONGEST],
            };
            let bare = [
                Bare::new(&server, runs, "SAME"),
                Bare::new(&server, runs, "ONLY"),
            ];
            let begun = bare[0].append(records / batch, &same, true);
            appended[1][run] = rate(begun);
            let begun = bare[1].append(records / batch, &[batch * RECORD.len()], false);
            appended[2][run] = rate(begun);
            let begun = scan(&store, records);
            read[0][run] = rate(begun);
            for (at, bare) in bare.iter().enumerate() {
                let begun = bare.scan();
                read[at + 1][run] = rate(begun);
            }
        }
        print(&format!("append, batches of {batch}"), appended);
        print(&format!("scan, batches of {batch}"), read);
    }
}

fn append(store: &NatsStore, records: usize, batch: usize) -> Instant {
    let mut log = store.open("a").unwrap();
    let bytes = vec![&RECORD[..]; batch];
    let begun = Instant::now();
    for _ in 0..records / batch {
        log.append(Expected::Any, &bytes).unwrap();
    }
    begun
}

fn scan(store: &NatsStore, records: usize) -> Instant {
    let log: Box<dyn Log> = store.open_read_only("a").unwrap();
    let begun = Instant::now();
    let bytes: usize = Records::new(&*log, Position::START)
        .map(|record| record.unwrap().bytes.len())
        .sum();
    assert_eq!(bytes, records * RECORD.len());
    begun
}

/// The client by itself.
struct Bare {
    runtime: Runtime,
    context: jetstream::Context,
    stream: stream::Stream,
    name: String,
}

impl Bare {
    fn new(server: &NatsServer, run: usize, name: &str) -> Self {
        let name = format!("{name}{run}");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (context, stream) = runtime.block_on(async {
            let client = async_nats::connect(format!("127.0.0.1:{}", server.port)).await;
            let context = jetstream::new(client.unwrap());
            let config = stream::Config {
                name: name.clone(),
                subjects: vec![format!("{name}.*")],
                ..stream::Config::default()
            };
            let stream = context.create_stream(config).await.unwrap();
            (context, stream)
        });
        Self {
            runtime,
            context,
            stream,
            name,
        }
    }

    /// Publishes messages of these lengths so many times, and waits for each acknowledgement; each behind the one before
    /// it, if that is asked for.
    fn append(&self, times: usize, lengths: &[usize], behind: bool) -> Instant {
        let subject = format!("{}.a", self.name);
        let payloads = lengths.iter().map(|length| vec![b'r'; *length].into());
        let payloads: Vec<bytes::Bytes> = payloads.collect();
        let begun = Instant::now();
        self.runtime.block_on(async {
            let mut last = 0;
            for _ in 0..times {
                for payload in &payloads {
                    let message = PublishMessage::build().payload(payload.clone());
                    let message = match behind {
                        true => message.expected_last_subject_sequence(last),
                        false => message,
                    };
                    let sent = self.context.send_publish(subject.clone(), message);
                    last = sent.await.unwrap().await.unwrap().sequence;
                }
            }
        });
        begun
    }

    /// All messages, as a pull consumer gets them.
    fn scan(&self) -> Instant {
        self.runtime.block_on(async {
            let config = pull::Config {
                ack_policy: AckPolicy::None,
                filter_subject: format!("{}.a", self.name),
                memory_storage: true,
                ..pull::Config::default()
            };
            let stream = self.stream.get_info().await.unwrap();
            let begun = Instant::now();
            let consumer = self.stream.create_consumer(config).await.unwrap();
            let messages = consumer.stream().max_messages_per_batch(2000);
            let mut messages = messages
                .max_bytes_per_batch(8 << 20)
                .messages()
                .await
                .unwrap();
            let mut bytes = 0;
            for _ in 0..stream.state.messages {
                bytes += messages.next().await.unwrap().unwrap().payload.len();
            }
            assert!(bytes > 0);
            begun
        })
    }
}

fn print(what: &str, mut rates: [[f64; RUNS]; 3]) {
    println!("{what}: records a second, median (lowest to highest)");
    for (name, rates) in NAMES.iter().zip(&mut rates) {
        rates.sort_by(f64::total_cmp);
        let [lowest, highest] = [rates[0], rates[RUNS - 1]];
        println!(
            "  {name:20} {:>9.0} ({lowest:.0} to {highest:.0})",
            rates[RUNS / 2]
        );
    }
    for bare in 1..3 {
        let ratio = rates[0][RUNS / 2] / rates[bare][RUNS / 2];
        println!("  ours / {:20} {ratio:>5.2}", NAMES[bare]);
    }
}
