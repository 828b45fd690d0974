//! Statuses as a least fixpoint, computed as messages come (S3.02, S3.03), and taint.
//!
//! INVARIANT (settle): a pending message counts its distinct gating references that are not
//! settled, and stands in the `Gates` list of each; so it settles exactly when the last one does,
//! and every list entry is visited once for settling and once for taint.

use alloc::vec;
use alloc::vec::Vec;

use super::State;
use super::ids::Ix;
use super::record::{ContentFacts, Facts, Gates, Link, Replacing, Revision, Status, Version};
use crate::message::{Body, Change, Message, Revise};
use crate::planted::{self, Fault};
use crate::revision::Step;
use crate::wire::Parsed;

impl State {
    /// Whether a new message would stay pending, without keeping anything of it.
    pub(super) fn would_wait(&self, message: &Message<'_>) -> bool {
        let id = message.id.as_str();
        message
            .references()
            .any(|gate| gate.to.as_str() == id || !self.is_settled_name(gate.to.as_str()))
            || self.would_wait_for_replacement(message)
    }

    /// The replacement's own reference gates where the target is known and of its act.
    fn would_wait_for_replacement(&self, message: &Message<'_>) -> bool {
        let Body::Revise(Revise {
            target,
            change: Change::Replace(replacement),
            ..
        }) = &message.body
        else {
            return false;
        };
        let Some(content) = replacement.content() else {
            return false;
        };
        let original = self
            .known(target.as_str())
            .and_then(|ix| self.version(ix)?.content());
        original.is_some_and(|original| original.act() == content.act())
            && content
                .reference()
                .is_some_and(|reference| !self.is_settled_name(reference.as_str()))
    }

    fn is_settled_name(&self, id: &str) -> bool {
        self.ids
            .find(id)
            .is_some_and(|ix| self.status(Ix(ix)).is_settled())
    }

    /// Keeps the first version of an id and settles what can be settled. Gives its number and
    /// every message that settled, itself included.
    pub(super) fn identify(&mut self, parsed: &Parsed<'_>) -> (Ix, Vec<Ix>) {
        let ix = self.intern(parsed.message.id.as_str());
        let version = self.record(parsed);
        self.evidence.cite(&parsed.message);
        self.evidence.give(parsed);
        (ix, self.enter_first(ix, version))
    }

    /// Enters the first version of an id. Gives every message that settled.
    ///
    /// INVARIANT (total): it asks nothing of the version but that its numbers are those of this state.
    pub(super) fn enter_first(&mut self, ix: Ix, version: Version) -> Vec<Ix> {
        self.link_version(ix, &version);
        let position = self.position;
        let sender = {
            let slot = self.slot_mut(ix);
            slot.version = Some(version);
            slot.arrived = position;
            slot.status = Status::Pending { unsettled: 0 };
            slot.sender
        };
        self.count_pending(sender, true);

        for gate in self.gates(ix).iter() {
            self.wait_for(ix, gate);
        }
        self.cite_replacement(ix);
        self.open_replacements_of(ix);

        let mut settled = Vec::new();
        if self.status(ix) == (Status::Pending { unsettled: 0 }) {
            self.settle(ix, &mut settled);
        }
        if planted::is(Fault::PendingAsAccepted) {
            self.go_on_after(ix, &mut settled);
        }
        settled
    }

    /// Keeps a further, different version of a known id: from now on the id is equivocal.
    pub(super) fn keep_later_version(&mut self, ix: Ix, parsed: &Parsed<'_>) {
        let version = self.record(parsed);
        self.evidence.give(parsed);
        self.enter_later(ix, version);
    }

    /// Enters a further version of an id, as total as [`State::enter_first`].
    pub(super) fn enter_later(&mut self, ix: Ix, version: Version) {
        self.link_version(ix, &version);
        let later = self.later_versions.entry(ix).or_default();
        later.push((self.position, version));
        self.taint(ix);
    }

    /// The distinct gating references of the message, as far as they are known to gate.
    pub(crate) fn gates(&self, ix: Ix) -> Gates {
        let mut gates = Gates::default();
        let Some(version) = self.version(ix) else {
            return gates;
        };
        if let Some(reply) = version.reply
            && !planted::is(Fault::ReplyNotGating)
        {
            gates.add(reply);
        }
        match &version.facts {
            Facts::Ask { about } => {
                about.map(|about| gates.add(about));
            }
            Facts::Content(content) => {
                content.reference().map(|reference| gates.add(reference));
            }
            Facts::Commit(terms) => {
                gates.add(terms.request);
            }
            Facts::Challenge { target, .. } | Facts::Decline { target } | Facts::Ack { target } => {
                gates.add(*target);
            }
            Facts::Revise(revision) => {
                gates.add(revision.target);
                gates.add(revision.previous);
                if let Some(content) = self.gating_replacement(revision) {
                    content.reference().map(|reference| gates.add(reference));
                }
            }
        }
        gates
    }

    /// The replacement, once its target is known and revisable and it has the shape of its act.
    pub(crate) fn gating_replacement(&self, revision: &Revision) -> Option<ContentFacts> {
        let Replacing::Replace(Some(content)) = revision.change else {
            return None;
        };
        let original = self.version(revision.target)?.content()?;
        (original.act() == content.act()).then_some(content)
    }

    /// A target became known: replacements that wait for its act begin to gate.
    fn open_replacements_of(&mut self, target: Ix) {
        let mut head = self.head(target, Link::Revise);
        while let Some((revise, rest)) = self.links.step(head) {
            head = rest;
            if revise == target {
                continue;
            }
            let Some(revision) = self.version(revise).and_then(Version::revision) else {
                continue;
            };
            if revision.target != target {
                continue;
            }
            let opened = self
                .gating_replacement(revision)
                .and_then(ContentFacts::reference);
            self.cite_replacement(revise);
            if let Some(gate) = opened {
                // What it waits for already is counted twice, and settles twice.
                self.wait_for(revise, gate);
            }
        }
    }

    fn cite_replacement(&mut self, revise: Ix) {
        let Some(revision) = self.version(revise).and_then(Version::revision) else {
            return;
        };
        if self.gating_replacement(revision).is_some() {
            let cites = revision.cites.clone();
            self.evidence.cite_all(&cites);
        }
    }

    /// Puts a known message into the list of one of its gating references.
    fn wait_for(&mut self, ix: Ix, gate: Ix) {
        self.link(gate, Link::Gates, ix);
        if !self.status(gate).is_settled()
            && let Status::Pending { unsettled } = &mut self.slot_mut(ix).status
        {
            *unsettled += 1;
        }
        if self.is_tainted(gate) {
            self.taint(ix);
        }
    }

    /// Settles a message whose gating references are all settled, and all that it releases.
    pub(crate) fn settle(&mut self, first: Ix, settled: &mut Vec<Ix>) {
        let mut ready = vec![first];
        while let Some(ix) = ready.pop() {
            let verdict = self.judge(ix);
            let (order, position) = (self.next_order, self.position);
            let sender = {
                let slot = self.slot_mut(ix);
                slot.status = match verdict {
                    Ok(()) => Status::Accepted { order },
                    Err(failure) => Status::Rejected(failure.code),
                };
                slot.settled = position;
                slot.sender
            };
            self.count_pending(sender, false);
            settled.push(ix);
            if verdict.is_ok() {
                self.next_order = order.saturating_add(1);
                self.weave(ix);
                self.accept_revision(ix);
                #[cfg(feature = "planted-faults")]
                if planted::is(Fault::AckClearsConflict) {
                    self.remember_ack(ix);
                }
            }
            if planted::is(Fault::PendingAsAccepted) {
                continue; // It released what waits for it when it became known.
            }
            let mut head = self.head(ix, Link::Gates);
            while let Some((waiting, rest)) = self.links.step(head) {
                head = rest;
                if let Status::Pending { unsettled } = &mut self.slot_mut(waiting).status {
                    *unsettled = unsettled.saturating_sub(1);
                    if *unsettled == 0 {
                        ready.push(waiting);
                    }
                }
            }
        }
    }

    /// An accepted REVISE takes its place in the chain of its target (S4.01).
    fn accept_revision(&mut self, ix: Ix) {
        let Some(revision) = self.version(ix).and_then(Version::revision) else {
            return;
        };
        let step = match revision.change {
            Replacing::Withdraw => Step::Withdraw,
            Replacing::Replace(_) => Step::Replace,
        };
        let (target, previous) = (revision.target, revision.previous);
        self.revisions.accept(target, previous, ix, step);
    }

    /// Taints an id and everything whose gating references reach it.
    fn taint(&mut self, first: Ix) {
        let mut reached = vec![first];
        while let Some(ix) = reached.pop() {
            if core::mem::replace(&mut self.slot_mut(ix).tainted, true) {
                continue;
            }
            let head = self.head(ix, Link::Gates);
            reached.extend(self.links.iter(head));
        }
    }

    fn count_pending(&mut self, sender: u32, more: bool) {
        let index = sender as usize;
        if self.pending_of.len() <= index {
            self.pending_of.resize(index + 1, 0);
        }
        let of_sender = self.pending_of.get_mut(index);
        let counts = [Some(&mut self.pending), of_sender];
        for count in counts.into_iter().flatten() {
            *count = if more {
                count.saturating_add(1)
            } else {
                count.saturating_sub(1)
            };
        }
    }
}
