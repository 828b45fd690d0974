//! A log with the state that it comes to, for commands that look back at messages.

use std::collections::HashMap;

use tern_core::{Delivery, Event, Limits, Log, Message, Outcome, State, Verdict, wire};

use crate::failure::Failure;
use crate::input::{Origin, Source, new_state};

/// Everything that came in, what became of it and what it implies.
pub(crate) struct History {
    pub(crate) log: Log,
    pub(crate) state: State,
    /// The outcome of each delivery, with its line in the input and its place in the log.
    pub(crate) outcomes: Vec<Delivered>,
    /// Where the first version of each identified message stands in `outcomes`.
    first: HashMap<String, usize>,
}

/// A delivery and what became of it.
pub(crate) struct Delivered {
    /// Its line in the input, counted from 1.
    pub(crate) line: u64,
    /// The same, for its findings.
    pub(crate) origin: Origin,
    /// Its place among the events of the log, counted from 0.
    pub(crate) event: usize,
    pub(crate) outcome: Outcome,
}

impl History {
    /// Reads an input to its end.
    pub(crate) fn load(source: &Source) -> Result<Self, Failure> {
        let mut events: Vec<(Origin, Event<'static>)> = Vec::new();
        let context = source.each(|item| {
            events.push((item.origin, item.event.into_owned()));
            Ok(())
        })?;
        let mut history = Self {
            state: new_state(&context),
            log: Log::new(context),
            outcomes: Vec::new(),
            first: HashMap::new(),
        };
        for (event, (origin, entry)) in events.into_iter().enumerate() {
            if let Some(outcome) = history.state.apply(&entry) {
                history.note(origin, event, outcome);
            }
            history.log.push(entry);
        }
        Ok(history)
    }

    fn note(&mut self, origin: Origin, event: usize, outcome: Outcome) {
        if let (Some(id), Verdict::Accepted | Verdict::Pending { .. } | Verdict::Rejected(_)) =
            (&outcome.id, &outcome.verdict)
        {
            // A refused delivery claims no id: only what the state knows counts.
            if self.state.is_known(id) && !self.first.contains_key(id) {
                self.first.insert(id.clone(), self.outcomes.len());
            }
        }
        self.outcomes.push(Delivered {
            line: origin.line,
            origin,
            event,
            outcome,
        });
    }

    /// The delivery that identified a message.
    pub(crate) fn delivery(&self, id: &str) -> Option<(&Delivered, &Delivery<'static>)> {
        let delivered = self.outcomes.get(*self.first.get(id)?)?;
        match self.log.events().get(delivered.event)? {
            Event::Deliver(delivery) => Some((delivered, delivery)),
            Event::Fact(_) => None,
        }
    }

    /// The message of an id: its first version.
    pub(crate) fn message(&self, id: &str) -> Option<Message<'_>> {
        let (_, delivery) = self.delivery(id)?;
        wire::message(&delivery.bytes, &Limits::default()).ok()
    }

    /// The delivered bytes.
    pub(crate) fn bytes(&self, delivered: &Delivered) -> Option<&[u8]> {
        match self.log.events().get(delivered.event)? {
            Event::Deliver(delivery) => Some(&delivery.bytes),
            Event::Fact(_) => None,
        }
    }

    /// The delivered bytes of an id's first version.
    pub(crate) fn bytes_of(&self, id: &str) -> Option<&[u8]> {
        self.delivery(id).map(|(_, delivery)| &*delivery.bytes)
    }

    /// Every identified message, in the order of arrival.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.outcomes
            .iter()
            .enumerate()
            .filter_map(|(place, delivered)| {
                let id = delivered.outcome.id.as_deref()?;
                (self.first.get(id) == Some(&place)).then_some(id)
            })
    }
}
