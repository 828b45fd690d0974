//! Where a log ends, and going on from there.

use std::time::Instant;

use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::jetstream::message::StreamMessage;
use bytes::Bytes;

use super::fault::Trouble;
use super::frame::{self, FRAME_BYTES, Frame, Id, NoFrame, Part};
use super::server::{PATIENCE, Server, pause};
use super::subject;
use crate::{Error, Expected, Head, Position};

/// A log as its server keeps it: the messages of one subject.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    pub(super) server: Server,
    pub(super) name: String,
    pub(super) subject: String,
}

/// The last message of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Its sequence in the stream.
    pub(super) sequence: u64,
    /// The position of its first record.
    pub(super) first: Position,
    pub(super) head: Head,
}

impl End {
    pub(super) fn of(sequence: u64, frame: &Frame) -> Self {
        Self {
            sequence,
            first: frame.first,
            head: frame.head(),
        }
    }
}

impl Remote {
    pub(super) fn new(server: Server, name: &str) -> Self {
        Self {
            subject: subject::of(&server.name, name),
            name: name.to_owned(),
            server,
        }
    }

    pub(super) fn corrupt(&self, why: impl Into<String>) -> Trouble {
        Trouble::Found(Error::Corrupt {
            store: self.server.store.clone(),
            why: why.into(),
        })
    }

    /// What a message of this log holds.
    pub(super) fn frame(&self, sequence: u64, payload: Bytes) -> Result<Frame, Trouble> {
        let frame = Frame::read(payload).map_err(|error| match error {
            NoFrame::Newer(version) => Trouble::Found(Error::NewerSchema {
                store: self.server.store.clone(),
                found: version.into(),
                supported: frame::VERSION.into(),
            }),
            NoFrame::Broken => self.corrupt(format!("message {sequence} is no batch of records")),
        })?;
        if frame.count == 0 && frame.head() != Head::start(&self.name) {
            return Err(self.corrupt(format!("message {sequence} opens another log")));
        }
        Ok(frame)
    }

    /// Where the log ends now; `known` is where it ended before. None if it was never opened.
    ///
    /// INVARIANT 2: the last message says where the log ends by itself, and the server has kept which message its writer
    /// took for the last one; that one must end where this one begins.
    pub(super) async fn end(&self, known: Option<End>) -> Result<Option<End>, Trouble> {
        let last = match self.server.last(&self.subject).await {
            Ok(last) => last,
            Err(Trouble::NotThere) if known.is_none() => return Ok(None),
            Err(Trouble::NotThere) => return Err(self.corrupt("its messages are gone")),
            Err(trouble) => return Err(trouble),
        };
        if let Some(known) = known
            && last.sequence <= known.sequence
        {
            return match last.sequence == known.sequence {
                true => Ok(Some(known)),
                false => Err(self.corrupt(format!(
                    "it ends before position {}, where it ended once",
                    known.head.position
                ))),
            };
        }
        let before = before(&last);
        let end = End::of(last.sequence, &self.frame(last.sequence, last.payload)?);
        let before = match (before, known) {
            (Some(0), _) => Position::START,
            (Some(before), Some(known)) if before == known.sequence => known.head.position,
            (Some(before), _) => match self.server.at(before).await {
                Ok(message) if *message.subject == *self.subject => {
                    self.frame(before, message.payload)?.head().position
                }
                Ok(_) | Err(Trouble::NotThere) => {
                    return Err(self.corrupt(format!("message {before} is missing")));
                }
                Err(trouble) => return Err(trouble),
            },
            (None, _) => {
                let why = format!("message {} was published by another program", end.sequence);
                return Err(self.corrupt(why));
            }
        };
        if before != end.first {
            let first = end.first;
            return Err(self.corrupt(format!(
                "its records end at position {before}, and its last batch begins at {first}"
            )));
        }
        Ok(Some(end))
    }

    /// Opens the log where it was never opened: its first message.
    pub(super) async fn open(&self) -> Result<End, Trouble> {
        let begun = Instant::now();
        loop {
            if let Some(end) = self.end(None).await? {
                return Ok(end);
            }
            let frame = Frame::opening(&self.name, self.server.new_id());
            match self.commit(&frame, 0).await? {
                Some(sequence) => return Ok(End::of(sequence, &frame)),
                // Somebody else has opened it.
                None if begun.elapsed() < PATIENCE => {}
                None => return Err(Trouble::Lost),
            }
        }
    }

    /// INVARIANTS 1 to 4: publishes a batch behind `end`, and only there.
    ///
    /// # Errors
    ///
    /// After other than a refusal it is open whether the batch is there.
    pub(super) async fn append(
        &self,
        end: &mut End,
        expected: Expected,
        records: &[&[u8]],
    ) -> Result<(), Trouble> {
        let begun = Instant::now();
        let stale = matches!(expected, Expected::At(expected) if expected != end.head.position);
        if stale || records.is_empty() {
            *end = self.end(Some(*end)).await?.unwrap_or(*end);
        }
        loop {
            if let Expected::At(expected) = expected
                && expected != end.head.position
            {
                let found = end.head.position;
                return Err(Error::Conflict { expected, found }.into());
            }
            if records.is_empty() {
                return Ok(());
            }
            let frame = self.batch(end.head, records).await?;
            if let Some(sequence) = self.commit(&frame, end.sequence).await? {
                *end = End::of(sequence, &frame);
                return Ok(());
            }
            if begun.elapsed() >= PATIENCE {
                return Err(Trouble::Lost);
            }
            *end = self.end(Some(*end)).await?.unwrap_or(*end);
        }
    }

    /// INVARIANT 7: the records, each with its link. What does not fit into one message is published as parts, which are
    /// nothing until a message that names them is there.
    async fn batch(&self, head: Head, records: &[&[u8]]) -> Result<Frame, Trouble> {
        let limit = || {
            let store = self.server.store.clone();
            let what = "records";
            Trouble::Found(Error::Limit { store, what })
        };
        let count = u32::try_from(records.len()).map_err(|_| limit())?;
        head.position
            .as_u64()
            .checked_add(count.into())
            .ok_or_else(limit)?;
        let most = self.server.most_bytes();
        let mut frame = Frame {
            id: self.server.new_id(),
            first: head.position,
            count,
            after: head.link,
            parts: Vec::new(),
            records: Bytes::new(),
        };
        let mut bytes = Vec::new();
        for record in records {
            frame.after = frame.after.then(record);
            frame::put(&mut bytes, frame.after, record);
            // A part is taken off only when more follows than the last message can hold.
            while bytes.len() > 2 * most {
                let rest = bytes.split_off(most);
                self.part(&mut frame, std::mem::replace(&mut bytes, rest))
                    .await?;
            }
        }
        while FRAME_BYTES + 4 + 12 * frame.parts.len() + bytes.len() > most {
            if bytes.is_empty() {
                return Err(limit());
            }
            let rest = bytes.split_off(most.min(bytes.len()));
            self.part(&mut frame, std::mem::replace(&mut bytes, rest))
                .await?;
        }
        frame.records = bytes.into();
        Ok(frame)
    }

    async fn part(&self, frame: &mut Frame, bytes: Vec<u8>) -> Result<(), Trouble> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let sequence = self
            .server
            .keep(&subject::parts(&self.server.name), bytes.into())
            .await?;
        frame.parts.push(Part { sequence, length });
        Ok(())
    }

    /// Publishes a message behind the one with the sequence `after`: its own sequence, or none if another message stands
    /// there. INVARIANT 5: without an answer it asks again, which is harmless, because the server takes what is
    /// published behind `after` only once. Then whose message stands there tells how it went.
    async fn commit(&self, frame: &Frame, after: u64) -> Result<Option<u64>, Trouble> {
        let payload = frame.write();
        let begun = Instant::now();
        loop {
            let published = self
                .server
                .publish(&self.subject, payload.clone(), Some(after));
            match published.await {
                Ok(sequence) => return Ok(Some(sequence)),
                Err(Trouble::Lost) => match self.whose(after).await {
                    Ok((sequence, id)) => return Ok((id == Some(frame.id)).then_some(sequence)),
                    // The message that it lost to has not arrived where this was asked.
                    Err(Trouble::NotThere) if begun.elapsed() < PATIENCE => pause().await,
                    Err(trouble) => return Err(undecided(trouble)),
                },
                Err(trouble) if trouble.may_pass() && begun.elapsed() < PATIENCE => pause().await,
                Err(trouble) => return Err(trouble),
            }
        }
    }

    /// The message behind the one with the sequence `after`, and the append that it is of.
    async fn whose(&self, after: u64) -> Result<(u64, Option<Id>), Trouble> {
        let from = after.saturating_add(1);
        let message = self.server.surely_next(&self.subject, from).await?;
        let id = Frame::read(message.payload).ok().map(|frame| frame.id);
        Ok((message.sequence, id))
    }
}

/// A failure after which it is open what the server holds.
fn undecided(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::NotThere | Trouble::Lost => {
            Trouble::silent("the server says that another message is there, and does not show it")
        }
        trouble => trouble,
    }
}

/// Which message the writer of this one took for the last of the subject; the server has seen that it was.
fn before(message: &StreamMessage) -> Option<u64> {
    let header = message.headers.get(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE)?;
    header.as_str().parse().ok()
}

impl Server {
    /// Publishes what nobody else competes for, again if there is no answer: its sequence. One that was published twice
    /// is named once, and the other is nothing.
    pub(super) async fn keep(&self, subject: &str, payload: Bytes) -> Result<u64, Trouble> {
        self.patiently(|| self.publish(subject, payload.clone(), None))
            .await
    }
}
