//! Evidence: what was given and what was cited. Nothing is verified, and whatever contradicts is
//! kept (S5.13, T3.11, T3.14).

use alloc::boxed::Box;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::message::{Body, Content, Evidence, EvidenceRef, Message};
use crate::reduce::{HashKey, Interner};
use crate::wire::{Digest, Parsed};

/// What can be said of an evidence reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceStatus {
    /// One object was given under it.
    Available,
    /// Different objects were given under it.
    Contradictory,
    /// It was cited, and nothing was given.
    Inaccessible,
}

/// Everything ever given or cited.
#[derive(Clone, Debug)]
pub(crate) struct EvidenceStore {
    pub(crate) ids: Interner,
    pub(crate) entries: Vec<Entry>,
}

/// What is known of one reference.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    /// The first object.
    pub(crate) given: Option<Digest>,
    /// A different one was given, too.
    pub(crate) contradictory: bool,
    pub(crate) cited: bool,
}

impl EvidenceStore {
    pub(crate) fn new(key: HashKey) -> Self {
        Self {
            ids: Interner::new(key),
            entries: Vec::new(),
        }
    }

    /// Evidence that comes with a kept version.
    pub(crate) fn give(&mut self, parsed: &Parsed<'_>) {
        let given = parsed.message.evidence.iter().flatten();
        for (evidence, digest) in given.zip(&parsed.evidence) {
            self.give_one(&evidence.id, *digest);
        }
    }

    /// Evidence from the local store.
    pub(crate) fn give_from_store(&mut self, evidence: &Evidence<'_>) {
        let digest = Digest::of(evidence.to_canonical_json().as_bytes());
        self.give_one(&evidence.id, digest);
    }

    fn give_one(&mut self, id: &EvidenceRef<'_>, digest: Digest) {
        let index = self.intern(id);
        if let Some(entry) = self.entries.get_mut(index as usize) {
            let first = *entry.given.get_or_insert(digest);
            entry.contradictory |= first != digest;
        }
    }

    /// Evidence that a message cites by itself. What a replacement cites waits until it gates.
    pub(crate) fn cite(&mut self, message: &Message<'_>) {
        match &message.body {
            Body::Content(content) => {
                let cited = self.intern_cited(content);
                self.cite_all(&cited);
            }
            Body::Challenge(challenge) => {
                let cited: Vec<u32> = challenge.support.iter().map(|id| self.intern(id)).collect();
                self.cite_all(&cited);
            }
            Body::Ask(_) | Body::Revise(_) | Body::Decline(_) | Body::Ack(_) => {}
        }
    }

    /// The numbers of what the claims of a content cite.
    pub(crate) fn intern_cited(&mut self, content: &Content<'_>) -> Box<[u32]> {
        let claims = match content {
            Content::Tell(tell) => tell.claims.as_slice(),
            Content::Report(report) => report.claims.as_slice(),
            Content::Propose(_) | Content::Request(_) | Content::Commit(_) => &[],
        };
        claims
            .iter()
            .flat_map(|claim| &claim.evidence)
            .map(|id| self.intern(id))
            .collect()
    }

    pub(crate) fn cite_all(&mut self, cited: &[u32]) {
        for &index in cited {
            if let Some(entry) = self.entries.get_mut(index as usize) {
                entry.cited = true;
            }
        }
    }

    /// How many references are cited.
    pub(crate) fn cited(&self) -> usize {
        self.entries.iter().filter(|entry| entry.cited).count()
    }

    fn intern(&mut self, id: &EvidenceRef<'_>) -> u32 {
        let index = self.ids.intern(id.as_str());
        if self.entries.len() < self.ids.len() {
            self.entries.push(Entry::default());
        }
        index
    }

    /// Every reference that was given or cited, in order of first mention.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, EvidenceStatus)> {
        (0u32..).zip(&self.entries).filter_map(|(index, entry)| {
            let status = match entry.given {
                Some(_) if entry.contradictory => EvidenceStatus::Contradictory,
                Some(_) => EvidenceStatus::Available,
                None if entry.cited => EvidenceStatus::Inaccessible,
                None => return None,
            };
            Some((self.ids.name(index), status))
        })
    }
}
