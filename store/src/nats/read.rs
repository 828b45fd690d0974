//! Reading a log: where a position is, and what follows it.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::Bound;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use bytes::Bytes;
use futures_util::future::{self, FutureExt as _};
use futures_util::stream::{self, Stream, StreamExt as _, TryStreamExt as _};
use tokio::runtime::Handle;
use tokio::time::error::Elapsed;

use super::end::{End, Remote};
use super::fault::Trouble;
use super::frame::{self, Frame, Part};
use super::server::{PATIENCE, Server, pause};
use crate::{Link, Position, READ_BYTES, Record};

/// So many messages are asked for one by one before the server is asked to send them.
const SINGLE: u32 = 4;
/// How much the server may send ahead.
const AHEAD_BYTES: usize = 8 << 20;
const AHEAD_MESSAGES: usize = 2000;
/// Batches of no more parts than this are fetched ahead.
const FEW_PARTS: usize = 4;
/// So many of those are fetched at once.
const FETCHED: usize = 6;
/// How long the server may send nothing although there is more.
const SILENCE: Duration = Duration::from_secs(3);
/// The server forgets who has asked it for nothing for so long, if it was not told before.
const FORGOTTEN: Duration = Duration::from_secs(5);
/// So many places are remembered.
const PLACES: usize = 4096;

/// A message of a log.
#[derive(Debug)]
pub(super) struct Arrived {
    sequence: u64,
    frame: Frame,
    /// The parts that were fetched already, from the first on.
    parts: Vec<Bytes>,
}

/// Messages that the server sends, one after the other.
type Feed = Pin<Box<dyn Stream<Item = Result<Arrived, Trouble>> + Send>>;

/// Where messages are: their sequences by the position of their first record.
pub(super) type Places = BTreeMap<Position, u64>;

/// Where a reader is.
pub(super) struct Cursor {
    /// The position of the record that comes next.
    next: Position,
    /// The link of the record before it, if that is of the same message.
    link: Link,
    /// The message that it is in.
    end: End,
    /// What is left of the piece that it is in.
    rest: Bytes,
    /// The other pieces of the batch.
    pieces: VecDeque<Piece>,
    /// How many messages were asked for one by one.
    single: u32,
    feed: Option<Feed>,
}

enum Piece {
    Here(Bytes),
    There(Part),
}

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cursor").field(&self.next).finish()
    }
}

impl Cursor {
    fn new(arrived: Arrived, single: u32, feed: Option<Feed>) -> Self {
        let Arrived {
            sequence,
            mut frame,
            parts,
        } = arrived;
        let end = End::of(sequence, &frame);
        let there: Vec<Part> = frame.parts.drain(..).skip(parts.len()).collect();
        let mut pieces: VecDeque<Piece> = parts.into_iter().map(Piece::Here).collect();
        pieces.extend(there.into_iter().map(Piece::There));
        pieces.push_back(Piece::Here(frame.records));
        Self {
            next: frame.first,
            link: frame.after,
            end,
            rest: Bytes::new(),
            pieces,
            single,
            feed,
        }
    }

    /// The next record of the batch, if it is here as a whole.
    fn take(&mut self) -> Option<(Link, Bytes)> {
        if self.next >= self.end.head.position {
            return None;
        }
        let (link, record) = frame::take(&mut self.rest)?;
        (self.next, self.link) = (self.next.after(1), link);
        Some((link, record))
    }
}

impl Remote {
    /// Up to `max` records from `from` on, up to `end`. The cursor is the one that an earlier read has left.
    pub(super) async fn read(
        &self,
        cursor: &mut Option<Cursor>,
        places: &mut Places,
        from: Position,
        max: usize,
        end: End,
    ) -> Result<Vec<Record>, Trouble> {
        let last = from.after(max as u64).min(end.head.position);
        if from >= last {
            return Ok(Vec::new());
        }
        let mut at = match cursor.take() {
            Some(at) if at.next == from => at,
            _ => self.locate(places, from, end).await?,
        };
        let (mut records, mut bytes) = (Vec::new(), 0);
        while at.next < last && bytes < READ_BYTES {
            let position = at.next;
            let (link, record) = match at.take() {
                Some(record) => record,
                None => self.next(&mut at, places).await?,
            };
            bytes += record.len();
            records.push(Record::new(position, record.into(), link));
        }
        if at.next == end.head.position {
            // Who has caught up needs nothing that is sent ahead.
            (at.single, at.feed) = (0, None);
        }
        *cursor = Some(at);
        Ok(records)
    }

    /// The place of `from`, which is before `end`: the messages between two whose positions are known are halved until one
    /// is left.
    async fn locate(
        &self,
        places: &mut Places,
        from: Position,
        end: End,
    ) -> Result<Cursor, Trouble> {
        let beyond = (Bound::Excluded(from), Bound::Unbounded);
        let before = places.range(..=from).next_back();
        let (low, mut high) = if from >= end.first {
            (Some(end.sequence), end.sequence)
        } else {
            let high = places.range(beyond).next();
            (
                before.map(|(_, sequence)| *sequence),
                high.map_or(end.sequence, |(_, sequence)| *sequence),
            )
        };
        let mut low = self.arrived(low.unwrap_or(1)).await?;
        remember(places, low.frame.first, low.sequence);
        while high.saturating_sub(low.sequence) > 1 {
            let middle = low.sequence + (high - low.sequence) / 2;
            let mut found = self.arrived(middle).await?;
            while found.sequence < high && !self.counts(&found).await? {
                found = self.arrived(found.sequence + 1).await?;
            }
            if found.sequence >= high {
                high = middle;
                continue;
            }
            remember(places, found.frame.first, found.sequence);
            if found.frame.first <= from {
                low = found;
            } else {
                high = middle;
            }
        }
        let mut at = Cursor::new(low, 0, None);
        if at.next > from || at.end.head.position <= from {
            return Err(self.missing(from));
        }
        while at.next < from {
            self.next(&mut at, places).await?;
        }
        Ok(at)
    }

    fn missing(&self, position: Position) -> Trouble {
        self.corrupt(format!("the record at position {position} is missing"))
    }

    /// Whether a message counts: it is the first that follows the one that it names.
    async fn counts(&self, found: &Arrived) -> Result<bool, Trouble> {
        let previous = found.frame.previous;
        if previous.checked_add(1) == Some(found.sequence) {
            return Ok(true);
        }
        let mut end = End {
            sequence: previous,
            looked: previous,
            ..End::of(previous, &found.frame)
        };
        let first = self.follower(&mut end).await?;
        Ok(first.is_some_and(|(sequence, _)| sequence == found.sequence))
    }

    /// The first message of the log from a sequence on.
    async fn arrived(&self, sequence: u64) -> Result<Arrived, Trouble> {
        match self.server.next(&self.subject, sequence).await {
            Ok(message) => Ok(Arrived {
                sequence: message.sequence,
                frame: self.frame(message.sequence, message.payload)?,
                parts: Vec::new(),
            }),
            Err(Trouble::NotThere) => {
                Err(self.corrupt(format!("its messages from {sequence} on are missing")))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// The next record, which is there.
    async fn next(&self, at: &mut Cursor, places: &mut Places) -> Result<(Link, Bytes), Trouble> {
        loop {
            if let Some(record) = at.take() {
                return Ok(record);
            }
            if !at.pieces.is_empty() {
                self.gather(at).await?;
                continue;
            }
            // INVARIANT 2: the batch was as long as it said.
            if !at.rest.is_empty() || at.next != at.end.head.position {
                return Err(self.miscounted(at));
            }
            if at.link != at.end.head.link {
                let position = at.next;
                return Err(self.corrupt(format!(
                    "the link of its head at position {position} is not that of its last record"
                )));
            }
            self.advance(at).await?;
            if at.end.sequence.is_multiple_of(64) {
                remember(places, at.next, at.end.sequence);
            }
        }
    }

    fn miscounted(&self, at: &Cursor) -> Trouble {
        let sequence = at.end.sequence;
        self.corrupt(format!(
            "message {sequence} has another number of records than it says"
        ))
    }

    /// So many pieces of a batch that its next record is there as a whole.
    async fn gather(&self, at: &mut Cursor) -> Result<(), Trouble> {
        let needed = frame::needed(&at.rest).ok_or_else(|| self.miscounted(at))?;
        let mut pieces = Vec::new();
        let mut length = at.rest.len();
        while length < needed
            && let Some(piece) = at.pieces.pop_front()
        {
            let piece = match piece {
                Piece::Here(bytes) => bytes,
                Piece::There(part) => self.part_of(part).await?,
            };
            length += piece.len();
            pieces.push(piece);
        }
        at.rest = match &*pieces {
            [piece] if at.rest.is_empty() => piece.clone(),
            _ => {
                let mut bytes = Vec::with_capacity(length);
                bytes.extend_from_slice(&at.rest);
                pieces.iter().for_each(|it| bytes.extend_from_slice(it));
                bytes.into()
            }
        };
        Ok(())
    }

    async fn part_of(&self, part: Part) -> Result<Bytes, Trouble> {
        let Part { sequence, length } = part;
        match self.server.at(sequence).await {
            Ok(message) if message.payload.len() == length as usize => Ok(message.payload),
            Ok(_) | Err(Trouble::NotThere) => {
                Err(self.corrupt(format!("message {sequence}, a part of a batch, is missing")))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// On to the next message, which is there. INVARIANT 2: it must begin where the one before it ended.
    async fn advance(&self, at: &mut Cursor) -> Result<(), Trouble> {
        let begun = Instant::now();
        loop {
            let after = at.end.looked.saturating_add(1);
            let was_sent = at.feed.is_some();
            let arrived = match &mut at.feed {
                None if at.single < SINGLE => {
                    at.single += 1;
                    self.arrived(after).await?
                }
                None => {
                    at.feed = Some(self.feed(after).await?);
                    continue;
                }
                Some(feed) => match next_of(feed).await {
                    Ok(Some(Ok(arrived))) => arrived,
                    Ok(Some(Err(trouble))) if !trouble.may_pass() => return Err(trouble),
                    // The server has forgotten who was reading, as it does when it is started again.
                    silent if begun.elapsed() < PATIENCE => {
                        drop(silent);
                        at.feed = None;
                        pause().await;
                        continue;
                    }
                    Ok(Some(Err(trouble))) => return Err(trouble),
                    _ => return Err(Trouble::silent("it sends nothing")),
                },
            };
            let previous = arrived.frame.previous;
            if previous < at.end.sequence {
                // It does not count: another one was faster.
                at.end.looked = arrived.sequence;
                continue;
            }
            if previous == at.end.sequence && arrived.frame.first == at.next {
                let feed = at.feed.take();
                *at = Cursor::new(arrived, at.single, feed);
                return Ok(());
            }
            if !was_sent {
                return Err(self.missing(at.next));
            }
            // Whether it is the log that has a gap, or what was sent, is seen by asking.
            (at.single, at.feed) = (0, None);
            at.end.looked = at.end.sequence;
        }
    }

    /// The messages of the log from a sequence on, as the server sends them, also those to come; without what they hold,
    /// if only `heads` are asked for. What it sends is only what it has stored.
    async fn sent(
        &self,
        from: u64,
        heads: bool,
    ) -> Result<impl Stream<Item = Result<Message, Trouble>> + Send + use<>, Trouble> {
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: from,
            },
            ack_policy: AckPolicy::None,
            filter_subject: self.subject.clone(),
            headers_only: heads,
            inactive_threshold: FORGOTTEN,
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let stream = &self.server.stream;
        let consumer = self
            .server
            .patiently(async || Ok(stream.create_consumer(config.clone()).await?))
            .await?;
        let kept = Consumer {
            server: self.server.clone(),
            name: consumer.cached_info().name.clone(),
            runtime: Handle::current(),
        };
        // A message that is longer than what may be sent ahead would never be sent.
        let ahead = AHEAD_BYTES.max(2 * self.server.client.max_payload());
        let messages = consumer
            .stream()
            .max_messages_per_batch(AHEAD_MESSAGES)
            .max_bytes_per_batch(ahead)
            .messages()
            .await
            .map_err(Trouble::silent)?;
        Ok(messages.map(move |message| {
            let _as_long_as_this = &kept;
            message.map_err(Trouble::silent)
        }))
    }

    /// The sequences of the log's messages from one on, also of those to come.
    pub(super) fn told(&self, from: u64) -> Told {
        let remote = self.clone();
        // Who is cut short while the server is asked goes on with the same question.
        let sent = stream::once(async move { remote.sent(from, true).await });
        let told = sent.try_flatten().map(|message| sequence(&message?));
        Told {
            told: Box::pin(told),
            since: Instant::now(),
        }
    }

    /// The messages of the log from a sequence on, also those to come, with their first parts.
    async fn feed(&self, from: u64) -> Result<Feed, Trouble> {
        let messages = self.sent(from, false).await?;
        let remote = Arc::new(self.clone());
        let decoding = Arc::clone(&remote);
        let frames = messages.map(move |message| {
            let message = message?;
            let sequence = sequence(&message)?;
            let frame = decoding.frame(sequence, message.message.payload)?;
            Ok::<_, Trouble>((sequence, frame))
        });
        let mut frames = Box::pin(frames.peekable());
        // As the first one is, so are most. If it does not come, whoever waits for it finds out.
        let first = tokio::time::timeout(SILENCE, frames.as_mut().peek()).await;
        let has_parts = matches!(first, Ok(Some(Ok((_, frame)))) if !frame.parts.is_empty());
        let with_parts = move |framed: Result<(u64, Frame), Trouble>| {
            let remote = Arc::clone(&remote);
            async move {
                let (sequence, frame) = framed?;
                let few = match frame.parts.len() <= FEW_PARTS {
                    true => &*frame.parts,
                    false => &[],
                };
                let parts = few.iter().map(|part| remote.part_of(*part));
                let parts = future::try_join_all(parts).await?;
                Ok(Arrived {
                    sequence,
                    frame,
                    parts,
                })
            }
        };
        // To fetch several at once costs something for each, also where there is nothing to fetch.
        Ok(match has_parts {
            true => Box::pin(frames.map(with_parts).buffered(FETCHED)),
            false => Box::pin(frames.then(with_parts)),
        })
    }
}

fn sequence(message: &Message) -> Result<u64, Trouble> {
    let info = message.info().map_err(Trouble::silent)?;
    Ok(info.stream_sequence)
}

/// Who reads, as the server knows it: forgotten when this goes, as far as the connection lasts.
struct Consumer {
    server: Server,
    name: String,
    runtime: Handle,
}

impl Drop for Consumer {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), std::mem::take(&mut self.name));
        // The server forgets it by itself if this fails.
        self.runtime
            .spawn(async move { server.stream.delete_consumer(&name).await });
    }
}

/// What is heard of a log's messages.
pub(super) struct Told {
    told: Pin<Box<dyn Stream<Item = Result<u64, Trouble>> + Send>>,
    since: Instant,
}

impl Told {
    /// Whether the server may have forgotten who is to be told.
    pub(super) fn is_old(&self) -> bool {
        self.since.elapsed() >= FORGOTTEN
    }

    /// Waits until a message behind `looked` is heard of; whether one was. May be cut short and asked again.
    pub(super) async fn beyond(&mut self, looked: u64) -> bool {
        loop {
            match self.told.next().await {
                Some(Ok(sequence)) if sequence <= looked => {}
                heard => return matches!(heard, Some(Ok(_))),
            }
        }
    }
}

fn remember(places: &mut Places, position: Position, sequence: u64) {
    if places.len() >= PLACES {
        places.clear();
    }
    places.insert(position, sequence);
}

/// What the server sends next. Most of it is here already, and nothing is arranged to wait for that.
async fn next_of(feed: &mut Feed) -> Result<Option<Result<Arrived, Trouble>>, Elapsed> {
    match feed.next().now_or_never() {
        Some(next) => Ok(next),
        None => tokio::time::timeout(SILENCE, feed.next()).await,
    }
}
