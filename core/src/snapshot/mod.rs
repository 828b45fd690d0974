//! Snapshots: a state as bytes, so that a restart costs only what is new in the log.
//!
//! # Layout
//!
//! A *number* has seven bits a byte, the low ones first, and the high bit on all bytes but the last. A
//! *text* is the number of its bytes and the bytes, in UTF-8. A *list* is the number of its items and
//! the items. There is one way to write each value, and no other is read.
//!
//! | part | bytes |
//! |---|---|
//! | magic | `TERNSNAP` |
//! | version of this layout | 1 byte |
//! | context | SHA-256 of its id, whether it verifies, and its bindings |
//! | limits | 5 numbers, in the order of [`Limits`] |
//! | position | a number: the events applied |
//! | view | the SHA-256 of the canonical view |
//! | names | ids, then threads: lists of texts in the order in which they were first named |
//! | evidence | a list: reference, what is known of it, and the digest that was given |
//! | versions | a list, in the order of the log: how many events later, which id, and what is kept of it |
//! | local facts | grants, revocations, permits and so on, each a sorted list |
//! | end | SHA-256 of everything before |
//!
//! # What is stored and what is derived
//!
//! Stored is what the reducer was told: names, kept versions, what is known of evidence, and
//! local facts. Whatever it made of them (statuses, who waits for whom and who was released in which
//! order, counts, strands, chains, taint) is made again by the reducer itself, to which each
//! version arrives once more at its place. So no snapshot, however forged, holds
//! statuses that its versions do not bear, and there is no second reducer that could differ from the
//! first. What this spares is all of stages 1 to 4: JSON, shapes, digests.
//!
//! # What a snapshot is worth
//!
//! It is checked against itself, not against the log: that it was made under this context and
//! these limits, that its bytes are what was written, that every number names something, that no
//! version could not have been kept (its id is taken, its sender unbound, a quota exceeded), and that the
//! view comes out as it did. That its versions are those of the log is *not* checked: who can write the
//! file can write another history, with a SHA-256 to match. So it is trusted as far as its keeper, and
//! who distrusts it replays the log.

mod bytes;
mod error;
mod local;
mod versions;

use alloc::vec::Vec;

pub use error::SnapshotError;

use crate::context::Context;
use crate::evidence::Entry;
use crate::message::{EvidenceRef, Reference};
use crate::reduce::{HashKey, Ix, State};
use crate::wire::{Digest, Limits};
use bytes::{Reader, Writer};
use versions::Known;

const MAGIC: &[u8] = b"TERNSNAP";

/// Of the layout, and of what is stored: another one is refused.
const VERSION: u8 = 1;

const GIVEN: u8 = 1;
const CONTRADICTORY: u8 = 2;
const CITED: u8 = 4;

impl State {
    /// The state as bytes, from which [`State::restore`] makes it again. Costs a view and a digest.
    ///
    /// The same events give the same bytes, whatever the hash key, which is not in them. The
    /// module's own documentation lists the layout; it is no part of the language, and another version of
    /// this crate may write and read another one.
    ///
    /// ```
    /// use tern_core::{Context, Delivery, HashKey, Limits, State};
    /// let context = Context::unverified();
    /// let mut state = State::new(context.clone(), Limits::default());
    /// let ask = br#"{"tern":"0.1","id":"ana:1","from":"ana","to":["ben"],"thread":"beds",
    ///     "reply":null,"act":"ASK","body":{"question":"Are the beds dry?"}}"#;
    /// let _ = state.deliver(&Delivery::new(&ask[..], None));
    ///
    /// let bytes = state.snapshot();
    /// let again = State::restore(&bytes, context, Limits::default(), HashKey(1, 2)).unwrap();
    /// assert_eq!(again.snapshot(), bytes);
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes.extend_from_slice(MAGIC);
        out.byte(VERSION);
        out.digest(&identity(&self.context));
        out.limits(self.limits());
        out.number(self.position());
        out.digest(&self.digest());
        out.all(self.ids.names(), |out, id| out.text(id));
        out.all(self.threads.names(), |out, thread| out.text(thread));
        let evidence = self.evidence.ids.names().zip(&self.evidence.entries);
        out.all(evidence, |out, (reference, entry)| {
            out.text(reference);
            out.entry(entry);
        });
        let (mut position, mut next) = (0, 0);
        out.all(
            self.by_arrival().into_iter(),
            |out, (arrived, ix, version)| {
                out.number(u64::from(arrived - position));
                out.signed(i64::from(ix.0) - next);
                out.version(ix, version);
                (position, next) = (arrived, i64::from(ix.0) + 1);
            },
        );
        out.local(&self.local);
        let end = Digest::of(&out.bytes);
        out.digest(&end);
        out.bytes
    }

    /// The state that a snapshot was made of: whatever is delivered to it or asked of it from now on has
    /// the answer that the first one would have given. Go on with the event after
    /// [`State::position`].
    ///
    /// `context` and `limits` are those that the log stands under. A snapshot is no evidence of them, so it
    /// is refused where it was made under others. The hash key may be another one.
    ///
    /// It costs the reducer's part of the messages, without reading them, and a digest of the view.
    ///
    /// INVARIANT (any bytes): whatever the bytes, it ends without a panic; a state that it gives is as safe
    /// to go on with as any; and it allocates at most some fifty bytes for each of theirs. Only bytes that
    /// [`State::snapshot`] writes are taken. It compares a snapshot with itself, and never with the log: who
    /// can write it can write another history, so it is trusted as far as its keeper. Who distrusts it
    /// replays the log.
    ///
    /// # Errors
    /// In this order: [`SnapshotError::Corrupt`] for what is no snapshot, `OtherVersion` for one of another
    /// layout, `Corrupt` for changed bytes, `OtherContext`, `OtherLimits`, `Corrupt` for what no state holds,
    /// and `OtherView` where this version of the crate makes another view of it. After each of them, replay
    /// the log.
    ///
    /// ```
    /// use tern_core::{Context, HashKey, Limits, SnapshotError, State};
    /// let context = || Context::new("garden", [("ana", "key:a")]).unwrap();
    /// let bytes = State::new(context(), Limits::default()).snapshot();
    ///
    /// let state = State::restore(&bytes, context(), Limits::default(), HashKey::default());
    /// assert_eq!(state.unwrap().position(), 0);
    ///
    /// let other = Context::new("garden", [("ana", "key:b")]).unwrap();
    /// let refused = State::restore(&bytes, other, Limits::default(), HashKey::default());
    /// assert_eq!(refused.unwrap_err(), SnapshotError::OtherContext);
    /// ```
    pub fn restore(
        bytes: &[u8],
        context: Context,
        limits: Limits,
        key: HashKey,
    ) -> Result<Self, SnapshotError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::Corrupt)?;
        match rest.first() {
            Some(&VERSION) => {}
            Some(&found) => return Err(SnapshotError::OtherVersion { found }),
            None => return Err(SnapshotError::Corrupt),
        }
        let (before, end) = bytes
            .split_last_chunk::<32>()
            .ok_or(SnapshotError::Corrupt)?;
        let body = before.get(MAGIC.len() + 1..);
        let rest = body.ok_or(SnapshotError::Corrupt)?;
        if Digest::of(before).as_bytes() != end {
            return Err(SnapshotError::Corrupt);
        }
        let mut bytes = Reader { rest };
        if bytes.digest().ok_or(SnapshotError::Corrupt)? != identity(&context) {
            return Err(SnapshotError::OtherContext);
        }
        let mut state = Self::with_hash_key(context, limits, key);
        if !bytes.is_of_limits(&limits).ok_or(SnapshotError::Corrupt)? {
            return Err(SnapshotError::OtherLimits);
        }
        let written = bytes.state(&mut state).ok_or(SnapshotError::Corrupt)?;
        let found = state.digest();
        if found != written {
            return Err(SnapshotError::OtherView { written, found });
        }
        Ok(state)
    }
}

/// What makes two contexts the same.
fn identity(context: &Context) -> Digest {
    let mut out = Writer::default();
    out.text(context.id());
    out.flag(context.is_verified());
    for (name, principal) in context.participants() {
        out.text(name);
        out.text(principal);
    }
    Digest::of(&out.bytes)
}

fn numbers(limits: &Limits) -> [u64; 5] {
    let &Limits {
        max_bytes,
        max_depth,
        max_pending,
        max_pending_per_sender,
        max_versions,
    } = limits;
    [
        max_bytes,
        max_depth,
        max_pending,
        max_pending_per_sender,
        max_versions,
    ]
    .map(|limit| limit as u64)
}

impl Writer {
    fn limits(&mut self, limits: &Limits) {
        for limit in numbers(limits) {
            self.number(limit);
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let flags = [
            (entry.given.is_some(), GIVEN),
            (entry.contradictory, CONTRADICTORY),
            (entry.cited, CITED),
        ];
        let flags = flags.into_iter().filter(|&(holds, _)| holds);
        self.byte(flags.fold(0, |all, (_, flag)| all | flag));
        if let Some(given) = &entry.given {
            self.digest(given);
        }
    }
}

impl Reader<'_> {
    /// Whether these limits are written.
    fn is_of_limits(&mut self, limits: &Limits) -> Option<bool> {
        let mut same = true;
        for limit in numbers(limits) {
            same &= self.number()? == limit;
        }
        Some(same)
    }

    /// All that follows, into a new state; gives the digest of its view.
    fn state(&mut self, state: &mut State) -> Option<Digest> {
        let position: u32 = self.small()?;
        let view = self.digest()?;

        // The shortest id is `a:b`.
        let ids = self.count(4)?;
        state.reserve_ids(ids);
        for index in 0..ids {
            let id = Reference::new(self.text()?).ok()?;
            // One that was there before is not new.
            if state.intern(id.as_str()).0 as usize != index {
                return None;
            }
        }
        let threads = self.count(2)?;
        for index in 0..threads {
            if state.threads.intern(self.text()?) as usize != index {
                return None;
            }
        }
        for index in 0..self.count(2)? {
            let reference = EvidenceRef::new(self.text()?).ok()?;
            if state.evidence.ids.intern(reference.as_str()) as usize != index {
                return None;
            }
            let entry = self.entry()?;
            state.evidence.entries.push(entry);
        }

        let cited = state.evidence.cited();
        let known = Known::of(state);
        let (mut arrived, mut next): (u32, i64) = (0, 0);
        // An act, a digest, a thread, a reply.
        for _ in 0..self.count(35)? {
            let later = self.small::<u32>()?;
            arrived = arrived.checked_add(later).filter(|_| later > 0)?;
            let ix = u32::try_from(next.checked_add(self.signed()?)?).ok()?;
            let ix = Some(Ix(ix)).filter(|ix| (ix.0 as usize) < known.ids)?;
            next = i64::from(ix.0) + 1;
            let version = known.version(ix, self)?;
            state.arrive(arrived, ix, version)?;
        }
        state.go_on_to(position)?;
        // What gates cites, and was cited already.
        if state.evidence.cited() != cited {
            return None;
        }
        state.local = self.local(known.ids)?;
        self.rest.is_empty().then_some(view)
    }

    fn entry(&mut self) -> Option<Entry> {
        let flags = self.byte()?;
        let has = |flag| flags & flag != 0;
        let is_known = flags <= GIVEN | CONTRADICTORY | CITED;
        if !is_known || has(CONTRADICTORY) && !has(GIVEN) {
            return None;
        }
        Some(Entry {
            given: if has(GIVEN) {
                Some(self.digest()?)
            } else {
                None
            },
            contradictory: has(CONTRADICTORY),
            cited: has(CITED),
        })
    }
}
