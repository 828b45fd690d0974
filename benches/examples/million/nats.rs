//! NATS JetStream, and async-nats by itself: our bytes in the same messages, and a message a record.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, stream};
use futures_util::StreamExt as _;
use tern_store::{NatsStore, Store};
use tokio::runtime::Runtime;

use crate::nats_server::{self, NatsServer};
use crate::table::{clock, locked};
use crate::{BATCH, Expected, Kind, Peer};

/// What tern-store has before each record, and before each batch.
const AROUND: (usize, usize) = (36, 74);
/// The longest message, with the server's default of 1 MiB.
const LONGEST: usize = (1 << 20) - 512;

pub(crate) struct Nats {
    server: Arc<NatsServer>,
    number: usize,
}

impl Nats {
    pub(crate) fn start() -> Option<Self> {
        nats_server::is_here().then(|| Self {
            server: Arc::new(NatsServer::start()),
            number: 0,
        })
    }
}

impl Kind for Nats {
    fn name(&self) -> &'static str {
        "NATS JetStream"
    }

    fn versions(&self) -> String {
        let said = Command::new("nats-server").arg("--version").output();
        let said = String::from_utf8(said.unwrap().stdout).unwrap();
        format!(
            "{}, which acknowledges before it syncs; {}",
            said.trim(),
            locked("async-nats")
        )
    }

    fn fresh(&mut self) -> (Box<dyn Store>, String) {
        self.number += 1;
        let address = self.server.address(&format!("OURS{}", self.number));
        (Box::new(NatsStore::new(&address).unwrap()), address)
    }

    fn peers(&mut self) -> Vec<Box<dyn Peer>> {
        let bare = |is_same| Bare {
            server: self.server.clone(),
            is_same,
            runs: 0,
            open: None,
        };
        vec![Box::new(bare(true)), Box::new(bare(false))]
    }
}

/// The client by itself.
struct Bare {
    server: Arc<NatsServer>,
    /// The same messages as ours, else one for each record.
    is_same: bool,
    runs: usize,
    open: Option<Open>,
}

struct Open {
    runtime: Runtime,
    context: jetstream::Context,
    stream: stream::Stream,
    subject: String,
}

impl Open {
    fn new(server: &NatsServer, name: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (context, stream) = runtime.block_on(async {
            let client = async_nats::connect(format!("127.0.0.1:{}", server.port)).await;
            let context = jetstream::new(client.unwrap());
            let config = stream::Config {
                name: name.to_owned(),
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
            subject: format!("{name}.a"),
        }
    }

    /// Each message behind the one before it, when that is acknowledged.
    async fn publish_batches(&self, lines: &[&[u8]]) {
        let mut last = 0;
        for batch in lines.chunks(BATCH) {
            let mut payload = vec![b'f'; AROUND.1];
            for line in batch {
                payload.extend_from_slice(&[b'l'; AROUND.0]);
                payload.extend_from_slice(line);
            }
            let mut rest = bytes::Bytes::from(payload);
            while !rest.is_empty() {
                let part = rest.split_to(rest.len().min(LONGEST));
                let message = PublishMessage::build()
                    .payload(part)
                    .expected_last_subject_sequence(last);
                let sent = self.context.send_publish(self.subject.clone(), message);
                last = sent.await.unwrap().await.unwrap().sequence;
            }
        }
    }

    /// A batch of messages, and then their acknowledgements.
    async fn publish_records(&self, lines: &[&[u8]]) {
        for batch in lines.chunks(BATCH) {
            let mut sent = Vec::with_capacity(batch.len());
            for line in batch {
                let payload = line.to_vec().into();
                let published = self.context.publish(self.subject.clone(), payload);
                sent.push(published.await.unwrap());
            }
            for acknowledgement in sent {
                acknowledgement.await.unwrap();
            }
        }
    }

    /// The bytes of all messages, as a pull consumer gets them.
    async fn scan(&self) -> (u64, usize) {
        let config = pull::Config {
            ack_policy: AckPolicy::None,
            filter_subject: self.subject.clone(),
            memory_storage: true,
            ..pull::Config::default()
        };
        let messages = self.stream.get_info().await.unwrap().state.messages;
        let consumer = self.stream.create_consumer(config).await.unwrap();
        let stream = consumer.stream().max_messages_per_batch(2000);
        let stream = stream.max_bytes_per_batch(8 << 20).messages().await;
        let mut stream = stream.unwrap();
        let mut bytes = 0;
        for _ in 0..messages {
            bytes += stream.next().await.unwrap().unwrap().payload.len();
        }
        (messages, bytes)
    }
}

impl Peer for Bare {
    fn name(&self) -> &'static str {
        match self.is_same {
            true => "async-nats, the same messages",
            false => "async-nats, a message a record, 1000 under way",
        }
    }

    fn append(&mut self, lines: &[&[u8]]) -> Duration {
        self.runs += 1;
        let name = match self.is_same {
            true => format!("SAME{}", self.runs),
            false => format!("EACH{}", self.runs),
        };
        let open = Open::new(&self.server, &name);
        let (time, ()) = clock(|| {
            open.runtime.block_on(async {
                match self.is_same {
                    true => open.publish_batches(lines).await,
                    false => open.publish_records(lines).await,
                }
            });
        });
        self.open = Some(open);
        time
    }

    fn scan(&mut self, expected: Expected) -> Vec<(&'static str, Duration)> {
        let open = self.open.as_ref().unwrap();
        let (time, (messages, bytes)) = clock(|| open.runtime.block_on(open.scan()));
        if self.is_same {
            let batches = expected.records.div_ceil(BATCH);
            let around = expected.records * AROUND.0 + batches * AROUND.1;
            assert_eq!(bytes, expected.bytes + around);
            return vec![("async-nats, the same messages", time)];
        }
        expected.check(usize::try_from(messages).unwrap(), bytes);
        vec![("async-nats, a message a record", time)]
    }
}
