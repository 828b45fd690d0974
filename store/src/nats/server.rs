//! The connection to a server, and what is asked of it.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::ContextBuilder;
use async_nats::jetstream::context::Context;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{Info, Stream};
use async_nats::rustls::{self, ClientConfig, RootCertStore};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::fault::Trouble;
use super::frame::Id;
use super::url::{Login, Url};
use crate::Error;

/// How long a server that does not answer is asked again.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(3);
/// The shortest `max_payload` with which a server is of use.
const LEAST_PAYLOAD: usize = 4096;
/// So much of a payload is left to the headers.
const HEADERS: usize = 512;
const PAUSE: Duration = Duration::from_millis(50);

/// A connection, which comes back by itself, and a stream behind it.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pub(super) client: Client,
    pub(super) jetstream: Context,
    pub(super) stream: Stream<()>,
    pub(super) name: String,
    /// The address, for sentences.
    pub(super) store: String,
}

impl Server {
    /// Connects.
    ///
    /// # Errors
    ///
    /// `store_unreachable`.
    pub(super) async fn connect(url: &Url) -> Result<Self, Error> {
        let unreachable = |source| Error::Unreachable {
            store: url.shown.clone(),
            source,
        };
        let options = async_nats::ConnectOptions::new()
            .name("tern-store")
            .require_tls(url.tls)
            .tls_client_config(tls().map_err(|error| unreachable(error.into()))?)
            .connection_timeout(ANSWER)
            .request_timeout(Some(ANSWER))
            .reconnect_delay_callback(|attempts| {
                PAUSE * u32::try_from(attempts).unwrap_or(10).min(10)
            });
        let options = match &url.login {
            None => options,
            Some(Login::Token(token)) => options.token(token.clone()),
            Some(Login::Password { user, password }) => {
                options.user_and_password(user.clone(), password.clone())
            }
        };
        let servers: Vec<String> = url
            .servers
            .iter()
            .map(|it| format!("nats://{it}"))
            .collect();
        let client = options
            .connect(servers)
            .await
            .map_err(|error| unreachable(error.into()))?;
        payload(&client).map_err(|why| unreachable(why.into()))?;
        let jetstream = ContextBuilder::new()
            .timeout(ANSWER)
            .ack_timeout(ANSWER)
            .build(client.clone());
        let stream = jetstream
            .get_stream_no_info(&url.stream)
            .await
            .map_err(|error| unreachable(error.into()))?;
        Ok(Self {
            client,
            jetstream,
            stream,
            name: url.stream.clone(),
            store: url.shown.clone(),
        })
    }

    /// The same connection, with another stream behind it.
    pub(super) async fn with_stream(&self, name: &str) -> Result<Self, Trouble> {
        Ok(Self {
            stream: self.jetstream.get_stream_no_info(name).await?,
            name: name.to_owned(),
            ..self.clone()
        })
    }

    /// Asks until there is an answer, or the patience is over.
    pub(super) async fn patiently<T, F>(&self, mut ask: impl FnMut() -> F) -> Result<T, Trouble>
    where
        F: Future<Output = Result<T, Trouble>>,
    {
        let begun = Instant::now();
        loop {
            match ask().await {
                Err(trouble) if trouble.may_pass() && begun.elapsed() < PATIENCE => pause().await,
                answer => return answer,
            }
        }
    }

    /// How the stream is set up; none if it does not exist.
    pub(super) async fn info(&self) -> Result<Option<Info>, Trouble> {
        let info = self
            .patiently(async || Ok(self.stream.get_info().await?))
            .await;
        match info {
            Ok(info) => Ok(Some(info)),
            Err(Trouble::NotThere) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// The last message of a subject, said by the server that leads the stream: no other one may decide where a log ends,
    /// since it may not have heard of the last messages yet.
    pub(super) async fn last(&self, subject: &str) -> Result<StreamMessage, Trouble> {
        let last = async || {
            let ask = self.stream.raw_message_builder().last_by_subject(subject);
            Ok(ask.send().await?)
        };
        self.patiently(last).await
    }

    /// The first message of a subject from a sequence on, said by the server that leads the stream.
    pub(super) async fn surely_next(
        &self,
        subject: &str,
        from: u64,
    ) -> Result<StreamMessage, Trouble> {
        let next = async || {
            let ask = self.stream.raw_message_builder();
            Ok(ask.sequence(from).next_by_subject(subject).send().await?)
        };
        self.patiently(next).await
    }

    /// The first message of a subject from a sequence on. Any server that has one may answer, for what it has is the
    /// beginning of what the leader has; where it has none, the leader is asked.
    pub(super) async fn next(&self, subject: &str, from: u64) -> Result<StreamMessage, Trouble> {
        let ask = self.stream.direct_get_builder();
        match ask.sequence(from).next_by_subject(subject).send().await {
            Ok(message) => Ok(message),
            Err(_asks_the_leader) => self.surely_next(subject, from).await,
        }
    }

    /// The message at a sequence, in the same way.
    pub(super) async fn at(&self, sequence: u64) -> Result<StreamMessage, Trouble> {
        if let Ok(message) = self.stream.direct_get(sequence).await {
            return Ok(message);
        }
        let at = async || {
            let ask = self.stream.raw_message_builder().sequence(sequence);
            Ok(ask.send().await?)
        };
        self.patiently(at).await
    }

    /// Publishes once and waits until the stream has it: its sequence. `after` is the last message of the subject, as far as
    /// is known; most servers refuse it behind another one.
    pub(super) async fn publish(
        &self,
        subject: &str,
        payload: Bytes,
        after: u64,
    ) -> Result<u64, Trouble> {
        let message = PublishMessage::build().expected_last_subject_sequence(after);
        self.send(subject, message.payload(payload)).await
    }

    /// Publishes what nobody else competes for, again if there is no answer: its sequence. Of one that is there twice, one
    /// is named, and the other is nothing.
    pub(super) async fn keep(&self, subject: &str, payload: Bytes) -> Result<u64, Trouble> {
        let message = PublishMessage::build().payload(payload);
        self.patiently(|| self.send(subject, message.clone())).await
    }

    async fn send(&self, subject: &str, message: PublishMessage) -> Result<u64, Trouble> {
        let message = message.expected_stream(&self.name);
        let subject = subject.to_owned();
        let sent = self.jetstream.send_publish(subject, message).await?;
        Ok(sent.await?.sequence)
    }

    /// How long a payload may be, with room for headers: `LEAST_PAYLOAD - HEADERS` at least.
    ///
    /// # Errors
    ///
    /// `store_unreachable`, where the server that the connection has come back to takes less than that.
    pub(super) fn most_bytes(&self) -> Result<usize, Trouble> {
        payload(&self.client).map_err(Trouble::silent)
    }

    /// What no other append has.
    pub(super) fn new_id(&self) -> Id {
        let digest: [u8; 32] = Sha256::digest(self.client.new_inbox()).into();
        let mut id = Id::default();
        for (to, from) in id.iter_mut().zip(digest) {
            *to = from;
        }
        id
    }
}

/// As the client would set it up by itself, but for the cryptography: which one the rest of the program uses is not ours
/// to say.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    // those that cannot be read are as if they were not there
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// How long a payload may be, or why that is too little.
fn payload(client: &Client) -> Result<usize, String> {
    match client.max_payload() {
        most if most >= LEAST_PAYLOAD => Ok(most - HEADERS),
        most => Err(format!(
            "its max_payload is {most} bytes; {LEAST_PAYLOAD} is the least"
        )),
    }
}

pub(super) async fn pause() {
    tokio::time::sleep(PAUSE).await;
}
