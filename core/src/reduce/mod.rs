//! Stages 5 and 6: what a delivery does to the state (S2.13, S2.14).
//!
//! [`State`] is a function of the events it was given, in memory only: no clock, no I/O. Whatever
//! the specification derives is derived from it in the modules beside this one, never stored.

mod accessors;
mod causal;
mod ids;
mod keep;
mod outcome;
mod record;
mod restore;
mod rules;
mod settle;
mod strands;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

pub(crate) use causal::Sought;
pub use ids::HashKey;
pub(crate) use ids::{Interner, Ix};
pub use outcome::{Outcome, Released, Verdict};
pub(crate) use record::{ContentFacts, Facts, Link, Replacing, Revision, Status, Terms, Version};
use record::{Links, Slot};
use strands::Strands;

use crate::Code;
use crate::context::Context;
use crate::evidence::EvidenceStore;
use crate::local::LocalFacts;
use crate::log::{Delivery, Event};
use crate::planted::{self, Fault};
use crate::revision::Revisions;
use crate::wire::{self, Limits, Parsed, Rejection};

/// Everything that a sequence of events implies for one identity context.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) context: Context,
    limits: Limits,
    pub(crate) ids: Interner,
    pub(crate) participants: Interner,
    pub(crate) threads: Interner,
    /// By `Ix`.
    slots: Vec<Slot>,
    links: Links,
    /// Kept versions after the first, of the equivocal ids only, each with the position in the log of
    /// the event that brought it.
    later_versions: BTreeMap<Ix, Vec<(u32, Version)>>,
    pub(crate) evidence: EvidenceStore,
    pub(crate) revisions: Revisions,
    pub(crate) local: LocalFacts,
    pending: usize,
    /// By participant.
    pending_of: Vec<usize>,
    strands: Strands,
    /// The next place in the order of settling.
    next_order: u32,
    /// Events applied.
    position: u32,
}

impl State {
    /// Nothing said yet.
    #[must_use]
    pub fn new(context: Context, limits: Limits) -> Self {
        Self::with_hash_key(context, limits, HashKey::default())
    }

    /// Nothing said yet, with a secret key for the tables that hostile senders fill.
    #[must_use]
    pub fn with_hash_key(context: Context, limits: Limits, key: HashKey) -> Self {
        Self {
            context,
            limits,
            ids: Interner::new(key),
            participants: Interner::new(key),
            threads: Interner::new(key),
            slots: Vec::new(),
            links: Links::default(),
            later_versions: BTreeMap::new(),
            evidence: EvidenceStore::new(key),
            revisions: Revisions::default(),
            local: LocalFacts::default(),
            pending: 0,
            pending_of: Vec::new(),
            strands: Strands::default(),
            next_order: 0,
            position: 0,
        }
    }

    /// The identity context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// How many events were applied, refused deliveries included.
    #[must_use]
    pub fn position(&self) -> u64 {
        u64::from(self.position)
    }

    /// How many messages wait for a reference.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// Takes the next event of the log. A delivery has an outcome, a local fact has none.
    pub fn apply(&mut self, event: &Event<'_>) -> Option<Outcome> {
        match event {
            Event::Deliver(delivery) => Some(self.deliver(delivery)),
            Event::Fact(fact) => {
                self.position = self.position.saturating_add(1);
                self.learn(fact);
                None
            }
        }
    }

    /// Takes a delivery through all stages.
    pub fn deliver(&mut self, delivery: &Delivery<'_>) -> Outcome {
        self.position = self.position.saturating_add(1);
        let message = match wire::message(&delivery.bytes, &self.limits) {
            Ok(message) => message,
            Err(rejection) => return Outcome::refused(None, rejection),
        };
        let principal = delivery.principal.as_deref();
        if let Err(code) = self.context.identify(&message, principal) {
            let (pointer, sentence) = self.identity_sentence(code, &message, principal);
            let rejection = Rejection::locate(&delivery.bytes, code, pointer, sentence);
            let refused = Outcome::refused(Some(message.id.as_str().into()), rejection);
            if planted::is(Fault::SpoofClaimsId) && !self.is_known(message.id.as_str()) {
                let _kept = self.first(&Parsed::of(message), &delivery.bytes);
            }
            return refused;
        }
        let parsed = Parsed::of(message);
        match self.known(parsed.message.id.as_str()) {
            Some(ix) => self.again(ix, &parsed, &delivery.bytes),
            None => self.first(&parsed, &delivery.bytes),
        }
    }

    /// Stage 5 for an id that is taken.
    fn again(&mut self, ix: Ix, parsed: &Parsed<'_>, bytes: &[u8]) -> Outcome {
        let id = parsed.message.id.as_str();
        let is_first = self
            .version(ix)
            .is_some_and(|first| first.digest == parsed.digest);
        if is_first || planted::is(Fault::DuplicateById) {
            return Outcome::new(id, Verdict::Duplicate);
        }
        let versions = self.versions(ix).count();
        if self.versions(ix).all(|kept| kept.digest != parsed.digest)
            && !planted::is(Fault::EquivocationForgotten)
        {
            if versions >= self.limits.max_versions {
                let sentence = alloc::format!(
                    "`{id}` has {versions} different contents already; no more are kept"
                );
                let rejection = Rejection::locate(bytes, Code::TooManyVersions, "/id", sentence);
                return Outcome::refused(Some(id.into()), rejection);
            }
            self.keep_later_version(ix, parsed);
        }
        let sentence = alloc::format!("`{id}` was used before with different content");
        Outcome::new(
            id,
            Verdict::IdConflict(Rejection::locate(bytes, Code::IdConflict, "/id", sentence)),
        )
    }

    /// Stages 5 and 6 for a new id.
    fn first(&mut self, parsed: &Parsed<'_>, bytes: &[u8]) -> Outcome {
        let message = &parsed.message;
        let id = message.id.as_str();
        if self.would_wait(message)
            && let Some((code, sentence)) = self.over_quota(message.from.as_str())
        {
            let rejection = Rejection::locate(bytes, code, "", sentence);
            return Outcome::refused(Some(id.into()), rejection);
        }
        let (ix, settled) = self.identify(parsed);
        let released = settled
            .into_iter()
            .filter(|&other| other != ix)
            .map(|other| self.released(other))
            .collect();
        let verdict = match self.status(ix) {
            Status::Accepted { .. } => Verdict::Accepted,
            Status::Rejected(_) => Verdict::Rejected(self.rejection(ix, bytes)),
            Status::Pending { .. } | Status::Unknown => Verdict::Pending {
                waiting_for: self
                    .waiting_for(ix)
                    .map(|ix| self.name(ix).into())
                    .collect(),
            },
        };
        Outcome {
            id: Some(id.into()),
            verdict,
            released,
        }
    }

    /// The quotas of R-04, for a message that would stay pending.
    fn over_quota(&self, from: &str) -> Option<(Code, alloc::string::String)> {
        if self.pending >= self.limits.max_pending {
            let sentence = alloc::format!("{} messages wait for references already", self.pending);
            return Some((Code::TooManyPending, sentence));
        }
        let of_sender = self
            .participants
            .find(from)
            .and_then(|sender| self.pending_of.get(sender as usize))
            .copied()
            .unwrap_or(0);
        (of_sender >= self.limits.max_pending_per_sender).then(|| {
            let sentence =
                alloc::format!("{of_sender} messages of `{from}` wait for references already");
            (Code::TooManyPendingOfSender, sentence)
        })
    }
}
