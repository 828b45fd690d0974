//! What a corpus is: a context, then deliveries and local facts.

use tern_core::log::{Input, Line, Reader};
use tern_core::wire::{Json, JsonOptions, write_string};
use tern_core::{Context, Event};

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Something is delivered.
    Deliver {
        /// Whom the channel authenticated.
        principal: String,
        /// The message, whole or broken.
        message: String,
    },
    /// A local fact becomes known: a record of a log document.
    Fact(String),
}

/// Entries to come, and the context that they stand in.
pub struct Corpus {
    participants: Vec<String>,
    entries: Box<dyn Iterator<Item = Entry>>,
}

impl Corpus {
    pub(crate) fn new(
        participants: Vec<String>,
        entries: impl Iterator<Item = Entry> + 'static,
    ) -> Self {
        Self {
            participants,
            entries: Box::new(entries),
        }
    }

    /// Messages by their own senders.
    pub(crate) fn genuine(
        participants: Vec<String>,
        messages: impl Iterator<Item = String> + 'static,
    ) -> Self {
        Self::new(participants, messages.map(genuine))
    }

    /// The identity context: each participant `name` is bound to `key:name`.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "the participants are named by this crate"
    )]
    pub fn context(&self) -> Context {
        let bound = self.participants.iter();
        Context::new(
            "bench",
            bound.map(|name| (name.clone(), principal_of(name))),
        )
        .expect("names and principals are not empty")
    }

    /// The entries.
    pub fn entries(self) -> impl Iterator<Item = Entry> {
        self.entries
    }

    /// The lines of the log document, without their newlines.
    pub fn document(self) -> impl Iterator<Item = String> {
        let mut context = String::from(r#"{"context":{"id":"bench","participants":{"#);
        for (index, name) in self.participants.iter().enumerate() {
            if index > 0 {
                context.push(',');
            }
            write_string(&mut context, name);
            context.push(':');
            write_string(&mut context, &principal_of(name));
        }
        context.push_str("}}}");
        std::iter::once(context).chain(self.entries.map(|entry| match entry {
            Entry::Deliver { principal, message } => delivery(&principal, &message),
            Entry::Fact(record) => record,
        }))
    }

    /// The messages alone, one a line, without their newlines. Facts have no place there, and
    /// whoever sent a message is believed.
    pub fn bare(self) -> impl Iterator<Item = String> {
        self.entries.filter_map(|entry| match entry {
            Entry::Deliver { message, .. } => Some(message),
            Entry::Fact(_) => None,
        })
    }

    /// The events that a reader of the log document makes of it.
    ///
    /// # Panics
    ///
    /// If the document is broken, which a test excludes.
    pub fn events(self) -> impl Iterator<Item = Event<'static>> {
        let mut reader = Reader::new(Input::Document);
        self.document()
            .filter_map(move |line| match reader.read(line.as_bytes()) {
                Ok(Line::Event(event)) => Some(event.into_owned()),
                Ok(Line::Context(_)) => None,
                #[expect(
                    clippy::panic,
                    reason = "a generator that writes nonsense measures nothing"
                )]
                Err(error) => panic!("{error}: {line}"),
            })
    }
}

/// A message by whom it names as its sender.
pub(crate) fn genuine(message: String) -> Entry {
    let sender = message
        .split_once(r#""from":""#)
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(sender, _)| sender);
    Entry::Deliver {
        principal: principal_of(sender),
        message,
    }
}

pub(crate) fn principal_of(name: &str) -> String {
    format!("key:{name}")
}

/// As `message` where a document can hold it so, else as `text`.
fn delivery(principal: &str, message: &str) -> String {
    let mut line = String::with_capacity(message.len() + 64);
    line.push_str(r#"{"deliver":{"principal":"#);
    write_string(&mut line, principal);
    let is_object =
        message.starts_with('{') && Json::read(message.as_bytes(), JsonOptions::STRICT).is_ok();
    if is_object {
        line.push_str(r#","message":"#);
        line.push_str(message);
    } else {
        line.push_str(r#","text":"#);
        write_string(&mut line, message);
    }
    line.push_str("}}");
    line
}
