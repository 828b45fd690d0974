//! What one message holds: a batch of records, whole (INVARIANT 3).
//!
//! ```text
//! "tern", version 1, kind             6 bytes
//! id of the append                   16 bytes  tells whose message stands at a place
//! sequence of the message it follows  8 bytes  big-endian, like all numbers here
//! position of the first record        8 bytes
//! number of records                   4 bytes
//! link of the last record            32 bytes
//! only kind 2: number of parts        4 bytes, and of each its sequence (8) and its length (4)
//! the records: length (4), link (32), bytes
//! ```
//!
//! Kind 0 opens a log and holds nothing. Kind 2 is a batch that is too long for one message: its beginning is in the
//! parts, which were published before it and are nothing without it.

use bytes::{Buf as _, BufMut as _, Bytes};

use crate::{Head, Link, MAX_RECORD_BYTES, Position};

const MAGIC: &[u8; 4] = b"tern";
pub(super) const VERSION: u8 = 1;
/// Of a frame without records and parts.
pub(super) const FRAME_BYTES: usize = 74;
/// What stands before each record.
pub(super) const BEFORE_RECORD: usize = 36;

/// What tells one append from every other.
pub(super) type Id = [u8; 16];

/// A message that holds a piece of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) sequence: u64,
    pub(super) length: u32,
}

/// What stands before the records.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) id: Id,
    /// The message of the same log that it follows; 0 if it is the first.
    pub(super) previous: u64,
    pub(super) first: Position,
    pub(super) count: u32,
    /// The link of the last record.
    pub(super) after: Link,
    /// Where the beginning of the records is, if not here.
    pub(super) parts: Vec<Part>,
    /// The records, or the rest of them.
    pub(super) records: Bytes,
}

/// Why some bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoFrame {
    Newer(u8),
    Broken,
}

impl Frame {
    /// That opens the log `name`.
    pub(super) fn opening(name: &str, id: Id) -> Self {
        Self {
            id,
            previous: 0,
            first: Position::START,
            count: 0,
            after: Link::start(name),
            parts: Vec::new(),
            records: Bytes::new(),
        }
    }

    /// Where the log ends with it.
    pub(super) fn head(&self) -> Head {
        Head::new(self.first.after(self.count.into()), self.after)
    }

    pub(super) fn write(&self) -> Bytes {
        let mut bytes =
            Vec::with_capacity(FRAME_BYTES + 4 + 12 * self.parts.len() + self.records.len());
        bytes.put_slice(MAGIC);
        bytes.put_u8(VERSION);
        bytes.put_u8(match (self.count, &*self.parts) {
            (0, _) => 0,
            (_, []) => 1,
            _ => 2,
        });
        bytes.put_slice(&self.id);
        bytes.put_u64(self.previous);
        bytes.put_u64(self.first.as_u64());
        bytes.put_u32(self.count);
        bytes.put_slice(self.after.as_bytes());
        if !self.parts.is_empty() {
            bytes.put_u32(u32::try_from(self.parts.len()).unwrap_or(u32::MAX));
            for part in &self.parts {
                bytes.put_u64(part.sequence);
                bytes.put_u32(part.length);
            }
        }
        bytes.put_slice(&self.records);
        bytes.into()
    }

    /// Reads a message. Of one that holds a whole batch it is seen that its records are as many as it says, and end with
    /// the link that it says (INVARIANT 2).
    ///
    /// # Errors
    ///
    /// What it is instead.
    pub(super) fn read(mut bytes: Bytes) -> Result<Self, NoFrame> {
        let broken = |_| NoFrame::Broken;
        let mut magic = [0; 4];
        bytes.try_copy_to_slice(&mut magic).map_err(broken)?;
        if &magic != MAGIC {
            return Err(NoFrame::Broken);
        }
        match bytes.try_get_u8().map_err(broken)? {
            VERSION => {}
            newer if newer > VERSION => return Err(NoFrame::Newer(newer)),
            _ => return Err(NoFrame::Broken),
        }
        let kind = bytes.try_get_u8().map_err(broken)?;
        let mut id = Id::default();
        bytes.try_copy_to_slice(&mut id).map_err(broken)?;
        let previous = bytes.try_get_u64().map_err(broken)?;
        let first = Position::new(bytes.try_get_u64().map_err(broken)?);
        let count = bytes.try_get_u32().map_err(broken)?;
        let after = link(&mut bytes).ok_or(NoFrame::Broken)?;
        let mut parts = Vec::new();
        if kind == 2 {
            for _ in 0..bytes.try_get_u32().map_err(broken)? {
                let sequence = bytes.try_get_u64().map_err(broken)?;
                let length = bytes.try_get_u32().map_err(broken)?;
                parts.push(Part { sequence, length });
            }
        }
        let frame = Self {
            id,
            previous,
            first,
            count,
            after,
            parts,
            records: bytes,
        };
        frame.is_whole(kind).then_some(frame).ok_or(NoFrame::Broken)
    }

    fn is_whole(&self, kind: u8) -> bool {
        let fits = self.first.as_u64().checked_add(self.count.into()).is_some();
        fits && match kind {
            0 => self.is_opening() && self.records.is_empty(),
            1 => {
                let (mut count, mut last, mut rest) = (0_u32, None, self.records.clone());
                while let Some((link, _)) = take(&mut rest) {
                    count = count.saturating_add(1);
                    last = Some(link);
                }
                rest.is_empty() && count == self.count && last == Some(self.after)
            }
            2 => !self.parts.is_empty() && self.can_be_so_long(),
            _ => false,
        }
    }
}

impl Frame {
    fn is_opening(&self) -> bool {
        self.previous == 0 && self.first == Position::START && self.count == 0
    }

    /// Whether so many records can have as many bytes as are here and in the parts.
    fn can_be_so_long(&self) -> bool {
        let parts = self.parts.iter().map(|part| u64::from(part.length));
        let bytes = parts.fold(self.records.len() as u64, u64::saturating_add);
        let count = u64::from(self.count);
        let shortest = count * BEFORE_RECORD as u64;
        let longest = count * (BEFORE_RECORD + MAX_RECORD_BYTES) as u64;
        count > 0 && (shortest..=longest).contains(&bytes)
    }
}

fn link(bytes: &mut Bytes) -> Option<Link> {
    let mut link = [0; 32];
    bytes.try_copy_to_slice(&mut link).ok()?;
    Some(Link::from_bytes(link))
}

/// Writes a record where the next one goes.
pub(super) fn put(bytes: &mut Vec<u8>, link: Link, record: &[u8]) {
    bytes.put_u32(u32::try_from(record.len()).unwrap_or(u32::MAX));
    bytes.put_slice(link.as_bytes());
    bytes.put_slice(record);
}

/// How many bytes the next record takes up with what stands before it; as many as are needed to know it, if they are not
/// there yet. None if no record can be so long.
pub(super) fn needed(bytes: &[u8]) -> Option<usize> {
    let Some((length, _)) = bytes.split_first_chunk::<4>() else {
        return Some(BEFORE_RECORD);
    };
    let length = u32::from_be_bytes(*length) as usize;
    (length <= MAX_RECORD_BYTES).then_some(BEFORE_RECORD + length)
}

/// Takes the next record off, if it is there as a whole.
pub(super) fn take(bytes: &mut Bytes) -> Option<(Link, Bytes)> {
    let needed = needed(bytes)?;
    if bytes.len() < needed {
        return None;
    }
    let mut record = bytes.split_to(needed);
    record.advance(4);
    Some((link(&mut record)?, record))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn batch() -> Frame {
        let link = Link::start("a").then(b"x");
        let after = link.then(b"");
        let mut records = Vec::new();
        put(&mut records, link, b"x");
        put(&mut records, after, b"");
        Frame {
            previous: 11,
            first: Position::new(7),
            count: 2,
            after,
            records: records.into(),
            ..Frame::opening("a", [3; 16])
        }
    }

    #[test]
    fn a_frame_comes_back() {
        let mut frame = batch();
        let read = Frame::read(frame.write()).unwrap();
        assert_eq!(
            (read.head(), read.id, read.previous),
            (frame.head(), [3; 16], 11)
        );
        assert_eq!(read.records, frame.records);
        frame.parts = vec![Part {
            sequence: 9,
            length: 5,
        }];
        assert_eq!(Frame::read(frame.write()).unwrap().parts, frame.parts);
        let opening = Frame::opening("a", [0; 16]);
        assert_eq!(opening.write().len(), FRAME_BYTES);
        assert_eq!(
            Frame::read(opening.write()).unwrap().head(),
            Head::start("a")
        );
    }

    /// Cut anywhere, longer, of a later version, or with another count: never read as if it were whole.
    #[test]
    fn what_is_not_whole_is_no_frame() {
        let whole = batch().write();
        for length in 0..whole.len() {
            assert!(Frame::read(whole.slice(..length)).is_err(), "{length}");
        }
        for (at, error) in [
            (0, NoFrame::Broken),
            (4, NoFrame::Newer(2)),
            (5, NoFrame::Broken),
            (41, NoFrame::Broken),
        ] {
            let mut bytes = whole.to_vec();
            *bytes.get_mut(at).unwrap() += 1;
            assert_eq!(Frame::read(bytes.into()).unwrap_err(), error, "{at}");
        }
        let longer = [&*whole, b"x"].concat();
        assert_eq!(Frame::read(longer.into()).unwrap_err(), NoFrame::Broken);
    }
}
