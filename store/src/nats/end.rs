//! Where a log ends, and going on from there.

use std::time::Instant;

use bytes::Bytes;

use super::fault::Trouble;
use super::frame::{self, BEFORE_RECORD, FRAME_BYTES, Frame, NoFrame, Part};
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

/// Where a log ends: the last of its messages that counts.
///
/// Not every message does. A cluster of nats-server 2.9 compares what an append takes for the last message when it arrives,
/// and not when its turn comes, so two that arrive together can both be stored. So each message names the one that it
/// follows, and of several that name the same one the first counts, in the order of the stream, which is the same for
/// everybody; the others never do, nor does anything else. INVARIANT 4 rests on this, and not on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Its sequence in the stream.
    pub(super) sequence: u64,
    /// The last message behind it that was looked at, or itself: none of those counts.
    pub(super) looked: u64,
    /// The position of its first record.
    pub(super) first: Position,
    pub(super) head: Head,
}

impl End {
    pub(super) fn of(sequence: u64, frame: &Frame) -> Self {
        Self {
            sequence,
            looked: sequence,
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

    /// Before its first message.
    fn before(&self) -> End {
        let head = Head::start(&self.name);
        End {
            sequence: 0,
            looked: 0,
            first: head.position,
            head,
        }
    }

    /// Where the log ends now; `known` is where it ended before. None if it was never opened.
    ///
    /// INVARIANT 2: the last message says where the log ends by itself, and which message its writer took for the last one:
    /// that one counts, for its writer had found out, and must end where the next one begins.
    pub(super) async fn end(&self, known: Option<End>) -> Result<Option<End>, Trouble> {
        let begun = Instant::now();
        let last = loop {
            let last = match self.server.last(&self.subject).await {
                Ok(last) => Some(last),
                Err(Trouble::NotThere) => None,
                Err(trouble) => return Err(trouble),
            };
            match (last, known) {
                (None, None) => return Ok(None),
                (Some(last), Some(known)) if last.sequence == known.looked => {
                    return Ok(Some(known));
                }
                (Some(last), None) => break last,
                (Some(last), Some(known)) if last.sequence > known.looked => break last,
                // A leader that was chosen just now may not have caught up.
                (_, Some(_)) if begun.elapsed() < PATIENCE => pause().await,
                (_, Some(known)) => {
                    return Err(self.corrupt(format!(
                        "it ends before position {}, where it ended once",
                        known.head.position
                    )));
                }
            }
        };
        let (last_one, payload) = (last.sequence, last.payload);
        let last = self.frame(last_one, payload)?;
        let mut end = match known {
            Some(known) if last.previous <= known.sequence => known,
            _ if last.previous == 0 => self.before(),
            _ => match self.server.at(last.previous).await {
                Ok(message) if *message.subject == *self.subject => {
                    End::of(last.previous, &self.frame(last.previous, message.payload)?)
                }
                Ok(_) | Err(Trouble::NotThere) => {
                    return Err(self.corrupt(format!("message {} is missing", last.previous)));
                }
                Err(trouble) => return Err(trouble),
            },
        };
        while end.looked < last_one {
            let next = match end.looked + 1 == last_one && last.previous == end.sequence {
                true => Some((last_one, last.clone())),
                false => self.follower(&mut end).await?,
            };
            let Some((sequence, frame)) = next else {
                break;
            };
            if frame.first != end.head.position {
                let (position, first) = (end.head.position, frame.first);
                return Err(self.corrupt(format!(
                    "its records end at position {position}, and its next batch begins at {first}"
                )));
            }
            end = End::of(sequence, &frame);
        }
        Ok(Some(end))
    }

    /// The message that follows the one at `end`: the first one that names it. If there is none yet, `end` knows how far
    /// this was looked for.
    pub(super) async fn follower(&self, end: &mut End) -> Result<Option<(u64, Frame)>, Trouble> {
        loop {
            let from = end.looked.saturating_add(1);
            let message = match self.server.next(&self.subject, from).await {
                Ok(message) => message,
                Err(Trouble::NotThere) => return Ok(None),
                Err(trouble) => return Err(trouble),
            };
            let frame = self.frame(message.sequence, message.payload)?;
            if frame.previous == end.sequence {
                return Ok(Some((message.sequence, frame)));
            }
            if frame.previous > end.sequence {
                let (sequence, previous) = (message.sequence, frame.previous);
                return Err(self.corrupt(format!(
                    "message {sequence} follows message {previous}, which is missing"
                )));
            }
            end.looked = message.sequence;
        }
    }

    /// Opens the log where it was never opened: its first message.
    pub(super) async fn open(&self) -> Result<End, Trouble> {
        let begun = Instant::now();
        loop {
            if let Some(end) = self.end(None).await? {
                return Ok(end);
            }
            let frame = Frame::opening(&self.name, self.server.new_id());
            match self.commit(&frame, self.before()).await? {
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
            let frame = self.batch(*end, records).await?;
            if let Some(sequence) = self.commit(&frame, *end).await? {
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
    async fn batch(&self, end: End, records: &[&[u8]]) -> Result<Frame, Trouble> {
        let head = end.head;
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
        // INVARIANT: it is not 0, so each part takes something off, and the loops end.
        let most = self.server.most_bytes()?.max(1);
        let mut frame = Frame {
            id: self.server.new_id(),
            previous: end.sequence,
            first: head.position,
            count,
            after: head.link,
            parts: Vec::new(),
            records: Bytes::new(),
        };
        let length = records.iter().map(|record| record.len() + BEFORE_RECORD);
        let mut bytes = Vec::with_capacity(length.sum::<usize>().min(3 * most));
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

    /// Publishes a message behind `end`: its sequence, or none if another one follows there. INVARIANT 5: without an answer
    /// it is published again, which is harmless, because of several that follow the same message only the first counts;
    /// whose that is tells how it went.
    async fn commit(&self, frame: &Frame, mut end: End) -> Result<Option<u64>, Trouble> {
        let payload = frame.write();
        let begun = Instant::now();
        loop {
            let published = self
                .server
                .publish(&self.subject, payload.clone(), end.looked);
            match published.await {
                // Nothing can be between the two.
                Ok(sequence) if end.sequence.checked_add(1) == Some(sequence) => {
                    return Ok(Some(sequence));
                }
                Ok(_) | Err(Trouble::Lost) => {
                    if let Some((sequence, first)) = self.follower(&mut end).await? {
                        return Ok((first.id == frame.id).then_some(sequence));
                    }
                }
                Err(trouble) if trouble.may_pass() && begun.elapsed() < PATIENCE => {}
                Err(trouble) => return Err(trouble),
            }
            if begun.elapsed() >= PATIENCE {
                return Err(Trouble::silent(
                    "the server says that another message is there, and does not show it",
                ));
            }
            pause().await;
        }
    }
}
