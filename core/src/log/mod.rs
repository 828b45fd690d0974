//! The log: what came in, in order, whatever became of it. It only ever grows.

mod document;
mod fields;
mod record;
mod write;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

pub use document::{DocumentError, Input, Line, Reader, begins_document, is_one_object};
pub use record::{Record, RecordError};

use crate::DocumentCode;
use crate::context::Context;
use crate::local::Fact;
use crate::reduce::{Outcome, State};
use crate::wire::Limits;

/// A delivery: bytes, and whom the channel authenticated (S2.01).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// The authenticated principal; none on an unauthenticated channel.
    pub principal: Option<Cow<'a, str>>,
    /// The message as it came.
    pub bytes: Cow<'a, [u8]>,
}

/// An entry of the log. Another kind of entry would be another version of the log document (S8.01),
/// so whoever matches on this sees all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Something was delivered.
    Deliver(Delivery<'a>),
    /// Something became known locally.
    Fact(Fact),
}

/// The append-only sequence of events of one identity context.
///
/// The log is the truth, a [`State`] is a function of it: [`Log::state_at`] gives the state after
/// any prefix.
#[derive(Clone, Debug)]
pub struct Log {
    context: Context,
    events: Vec<Event<'static>>,
}

impl<'a> Delivery<'a> {
    /// Bytes from a channel that authenticated `principal`. An empty one is nobody.
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>, principal: Option<&'a str>) -> Self {
        Self {
            principal: principal.filter(|name| !name.is_empty()).map(Cow::Borrowed),
            bytes: bytes.into(),
        }
    }

    /// Lets go of what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Delivery<'static> {
        Delivery {
            principal: self
                .principal
                .map(|principal| Cow::Owned(principal.into_owned())),
            bytes: Cow::Owned(self.bytes.into_owned()),
        }
    }
}

impl Event<'_> {
    /// Lets go of what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Event<'static> {
        match self {
            Self::Deliver(delivery) => Event::Deliver(delivery.into_owned()),
            Self::Fact(fact) => Event::Fact(fact),
        }
    }
}

impl Log {
    /// An empty log.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self {
            context,
            events: Vec::new(),
        }
    }

    /// Reads a log document (S8.01), or a file of bare messages where the first line makes it none
    /// (S8.10): the whole of it, or nothing.
    ///
    /// # Errors
    /// The first line of a document that is no record in its place.
    pub fn read(bytes: &[u8]) -> Result<Self, DocumentError> {
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        lines.pop_if(|last| last.is_empty());
        let input = if begins_document(lines.first().copied().unwrap_or_default()) {
            Input::Document
        } else {
            Input::Bare
        };
        if input == Input::Bare && is_one_object(bytes) {
            lines = vec![bytes.strip_suffix(b"\n").unwrap_or(bytes)];
        }
        let mut reader = Reader::new(input);
        let mut log = Self::new(Context::unverified());
        for line in lines {
            match reader.read(line)? {
                Line::Context(context) => log.context = context,
                Line::Event(event) => log.push(event),
            }
        }
        Ok(log)
    }

    /// The identity context that qualifies everything in the log.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The events, oldest first.
    #[must_use]
    pub fn events(&self) -> &[Event<'static>] {
        &self.events
    }

    /// Appends an event.
    pub fn push(&mut self, event: Event<'_>) {
        self.events.push(event.into_owned());
    }

    /// The state after the first `position` events (all of them where there are fewer), and the
    /// outcome of each delivery among them.
    ///
    /// Quotas decide what was refused, so a replay comes to the same state only under the
    /// limits of the first run. For a state with a secret hash key, see [`Log::replay`].
    #[must_use]
    pub fn state_at(&self, position: usize, limits: &Limits) -> (State, Vec<Outcome>) {
        let mut state = State::new(self.context.clone(), *limits);
        let outcomes = self.replay(position, &mut state);
        (state, outcomes)
    }

    /// Applies the first `position` events to a state that the caller made for this context.
    pub fn replay(&self, position: usize, state: &mut State) -> Vec<Outcome> {
        self.events
            .iter()
            .take(position)
            .filter_map(|event| state.apply(event))
            .collect()
    }

    /// The log as a log document, one record a line (S8.01).
    ///
    /// # Errors
    /// [`DocumentCode::ReservedContext`] for a log of bare messages, which no document can declare
    /// (S8.06).
    pub fn to_document(&self) -> Result<String, DocumentCode> {
        if !self.context.is_verified() {
            return Err(DocumentCode::ReservedContext);
        }
        let mut out = Record::Context(self.context.clone()).to_line();
        for event in &self.events {
            out.push_str(&Record::Event(event.clone()).to_line());
        }
        Ok(out)
    }
}
