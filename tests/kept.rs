//! What a receiver keeps of a log, and what is tainted by equivocation: said once more, from the messages as
//! the core reads them, without its reducer's sets.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says so by failing"
)]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tern_core::message::{Body, Change};
use tern_core::{Class, Event, Limits, Outcome, State, wire};

/// Ids of messages.
pub type Ids = BTreeSet<String>;

/// A version of a message that was kept.
#[derive(Clone, Debug)]
pub struct Version {
    /// The act.
    pub act: String,
    /// The sender.
    pub from: String,
    /// The body.
    pub body: Value,
    /// What it refers to, without what stands in a replacement.
    references: Ids,
    /// Of a REVISE whose replacement has the shape of a body: target, act of the body, reference.
    replacement: Option<(String, String, Option<String>)>,
}

/// All identified messages: the first version of an id comes first.
#[derive(Clone, Debug)]
pub struct Kept(pub BTreeMap<String, Vec<Version>>);

impl Kept {
    /// What a state keeps of these events.
    #[must_use]
    pub fn of(mut state: State, events: &[Event<'static>]) -> Self {
        let mut kept: BTreeMap<String, Vec<Version>> = BTreeMap::new();
        for event in events {
            let outcome = state.apply(event);
            if let (Some(outcome), Event::Deliver(delivery)) = (outcome, event)
                && !is_refused(&outcome)
                && outcome.verdict.as_str() != "duplicate"
            {
                let (id, version) = read_version(&delivery.bytes);
                kept.entry(id).or_default().push(version);
            }
        }
        Self(kept)
    }

    /// The first version of an id.
    #[must_use]
    pub fn first(&self, id: &str) -> Option<&Version> {
        self.0.get(id).map(|versions| &versions[0])
    }

    /// S3.01: what a version waits for.
    #[must_use]
    pub fn gates(&self, version: &Version) -> Ids {
        let mut gates = version.references.clone();
        if let Some((target, act, Some(reference))) = &version.replacement
            && self.first(target).is_some_and(|target| target.act == *act)
        {
            gates.insert(reference.clone());
        }
        gates
    }

    /// the equivocal ids, and step by step whatever has a version that rests on a tainted one.
    #[must_use]
    pub fn tainted(&self, equivocal: Ids) -> Ids {
        let mut tainted = equivocal;
        loop {
            let rests = |version: &Version| !self.gates(version).is_disjoint(&tainted);
            let more: Ids = (self.0.iter())
                .filter(|(id, versions)| !tainted.contains(*id) && versions.iter().any(rests))
                .map(|(id, _)| id.clone())
                .collect();
            if more.is_empty() {
                return tainted;
            }
            tainted.extend(more);
        }
    }

    /// S5.01: everything that is causally before a message.
    #[must_use]
    pub fn past(&self, id: &str) -> Ids {
        let mut past = Ids::new();
        let mut open = vec![id.to_owned()];
        while let Some(id) = open.pop() {
            let Some(version) = self.first(&id) else {
                continue;
            };
            for gate in self.gates(version) {
                if past.insert(gate.clone()) {
                    open.push(gate);
                }
            }
        }
        past
    }
}

/// Whether a delivery left nothing: stages 1 to 4 refused it, or a limit did.
#[must_use]
pub fn is_refused(outcome: &Outcome) -> bool {
    let class = outcome.verdict.rejection().map(|it| it.code().class());
    class.is_some_and(|class| ![Class::Reference, Class::IdConflict].contains(&class))
}

/// The message of a delivery, where it can be read at all.
#[must_use]
pub fn said(event: &Event<'static>) -> Option<(String, Version)> {
    match event {
        Event::Deliver(delivery) => {
            wire::read(&delivery.bytes, &Limits::default()).ok()?;
            Some(read_version(&delivery.bytes))
        }
        Event::Fact(_) => None,
    }
}

/// The id and what counts of a message that the reader accepts.
fn read_version(bytes: &[u8]) -> (String, Version) {
    let parsed = wire::read(bytes, &Limits::default()).unwrap();
    let message = parsed.message;
    let mut replacement = None;
    if let Body::Revise(revise) = &message.body
        && let Change::Replace(replaced) = &revise.change
        && let Some(content) = replaced.content()
    {
        replacement = Some((
            revise.target.as_str().to_owned(),
            content.act().as_str().to_owned(),
            content.reference().map(|it| it.as_str().to_owned()),
        ));
    }
    let value: Value = serde_json::from_str(&message.to_canonical_json()).unwrap_or_default();
    let version = Version {
        act: message.act().as_str().to_owned(),
        from: message.from.as_str().to_owned(),
        body: value["body"].clone(),
        references: message
            .references()
            .map(|it| it.to.as_str().to_owned())
            .collect(),
        replacement,
    };
    (message.id.as_str().to_owned(), version)
}
