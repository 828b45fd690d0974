//! Statuses as a least fixpoint, computed as messages come (semantics §3), and taint.
//!
//! INVARIANT (settle): a pending message counts its distinct gating references that are not
//! settled, and stands in the `Gates` list of each; so it settles exactly when the last one does,
//! and every list entry is visited once for settling and once for taint.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::State;
use super::ids::Ix;
use super::record::{
    ContentFacts, Facts, Gates, Link, Replacing, Revision, Slot, Status, Terms, Version,
};
use crate::message::{Body, Change, Content, Message, Replacement, ReportState};
use crate::revision::Step;
use crate::wire::Parsed;

impl State {
    /// Whether a new message would stay pending, without keeping anything of it.
    pub(super) fn would_wait(&self, message: &Message<'_>) -> bool {
        let id = message.id.as_str();
        references(message)
            .into_iter()
            .flatten()
            .any(|reference| reference.as_str() == id || !self.is_settled_name(reference.as_str()))
            || replaced(message).is_some_and(|(target, content)| {
                // The replacement's own reference gates where the target is known and of its act.
                let gates = self
                    .known(target)
                    .and_then(|ix| self.version(ix)?.content())
                    .is_some_and(|original| original.act() == content.act());
                gates
                    && reference_of(content)
                        .is_some_and(|reference| !self.is_settled_name(reference.as_str()))
            })
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
        (ix, settled)
    }

    /// Keeps a further, different version of a known id: from now on the id is equivocal.
    pub(super) fn keep_later_version(&mut self, ix: Ix, parsed: &Parsed<'_>) {
        let version = self.record(parsed);
        self.evidence.give(parsed);
        self.link_version(ix, &version);
        self.later_versions.entry(ix).or_default().push(version);
        self.taint(ix);
    }

    /// The distinct gating references of the message, as far as they are known to gate.
    pub(crate) fn gates(&self, ix: Ix) -> Gates {
        let mut gates = Gates::default();
        let Some(version) = self.version(ix) else {
            return gates;
        };
        if let Some(reply) = version.reply {
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
            let (target, previous) = (revision.target, revision.previous);
            self.cite_replacement(revise);
            if let Some(gate) = opened {
                let reply = self.version(revise).and_then(|version| version.reply);
                let is_new = gate != target && gate != previous && Some(gate) != reply;
                if is_new {
                    self.wait_for(revise, gate);
                }
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
    fn settle(&mut self, first: Ix, settled: &mut Vec<Ix>) {
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

    /// An accepted REVISE takes its place in the chain of its target (semantics §4).
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

    /// The number of an id, and of the participant in its prefix.
    pub(crate) fn intern(&mut self, id: &str) -> Ix {
        let ix = Ix(self.ids.intern(id));
        if self.slots.len() < self.ids.len() {
            let sender = id.split_once(':').map_or(id, |(sender, _)| sender);
            self.slots.push(Slot {
                sender: self.participants.intern(sender),
                status: Status::Unknown,
                version: None,
                tainted: false,
                arrived: 0,
                settled: 0,
                links: Link::NONE,
            });
        }
        ix
    }

    fn link(&mut self, to: Ix, kind: Link, from: Ix) {
        let head = self.links.push(self.head(to, kind), from);
        if let Some(place) = self.slot_mut(to).links.get_mut(kind as usize) {
            *place = head;
        }
    }

    /// Enters a kept version into the lists of what it names, unless another version of the same
    /// id stands there for it already.
    fn link_version(&mut self, ix: Ix, version: &Version) {
        if let Some((to, kind)) = version.link() {
            let is_new = self
                .versions(ix)
                .all(|kept| kept.link() != Some((to, kind)));
            if is_new {
                self.link(to, kind, ix);
            }
        }
    }

    /// What is kept of a version.
    fn record(&mut self, parsed: &Parsed<'_>) -> Version {
        let message = &parsed.message;
        let facts = match &message.body {
            Body::Ask(ask) => Facts::Ask {
                about: ask.about.as_ref().map(|about| self.intern(about.as_str())),
            },
            Body::Content(Content::Commit(commit)) => Facts::Commit(Box::new(Terms {
                request: self.intern(commit.request.as_str()),
                action: commit.action.as_str().into(),
                due: commit.due.as_ref().map(|due| due.as_str().into()),
                authority_ref: commit
                    .authority_ref
                    .as_ref()
                    .map(|text| text.as_str().into()),
                conditions: u32::try_from(commit.conditions.len()).unwrap_or(u32::MAX),
            })),
            Body::Content(content) => Facts::Content(self.content_facts(content)),
            Body::Challenge(challenge) => Facts::Challenge {
                target: self.intern(challenge.target.as_str()),
                kind: challenge.kind,
            },
            Body::Revise(revise) => {
                let (change, cites) = match &revise.change {
                    Change::Withdraw => (Replacing::Withdraw, Box::default()),
                    Change::Replace(Replacement::Shapeless(_)) => {
                        (Replacing::Replace(None), Box::default())
                    }
                    Change::Replace(Replacement::Content(content)) => (
                        Replacing::Replace(Some(self.content_facts(content))),
                        self.evidence.intern_cited(content),
                    ),
                };
                Facts::Revise(Box::new(Revision {
                    target: self.intern(revise.target.as_str()),
                    previous: self.intern(revise.previous.as_str()),
                    change,
                    cites,
                    impact: revise
                        .impact
                        .iter()
                        .map(|impact| (self.intern(impact.commitment.as_str()), impact.assessment))
                        .collect(),
                }))
            }
            Body::Decline(decline) => Facts::Decline {
                target: self.intern(decline.target.as_str()),
            },
            Body::Ack(ack) => Facts::Ack {
                target: self.intern(ack.target.as_str()),
            },
        };
        Version {
            digest: parsed.digest,
            content: parsed.content,
            thread: self.threads.intern(message.thread.as_str()),
            reply: message
                .reply
                .as_ref()
                .map(|reply| self.intern(reply.as_str())),
            facts,
        }
    }

    fn content_facts(&mut self, content: &Content<'_>) -> ContentFacts {
        match content {
            Content::Tell(_) => ContentFacts::Tell,
            Content::Propose(_) => ContentFacts::Propose,
            Content::Request(request) => ContentFacts::Request {
                replaces: request.replaces.as_ref().map(|id| self.intern(id.as_str())),
            },
            Content::Commit(commit) => ContentFacts::Commit {
                request: self.intern(commit.request.as_str()),
            },
            Content::Report(report) => ContentFacts::Report {
                commitment: self.intern(report.commitment.as_str()),
                state: report.state,
                cites: report.state == ReportState::Fulfilled
                    && report.claims.iter().any(|claim| !claim.evidence.is_empty()),
            },
        }
    }
}

type Named<'m, 'a> = &'m crate::message::Reference<'a>;

/// The references that gate from the start: `reply` and those of the act itself.
fn references<'m, 'a>(message: &'m Message<'a>) -> [Option<Named<'m, 'a>>; 3] {
    let (own, previous) = match &message.body {
        Body::Ask(ask) => (ask.about.as_ref(), None),
        Body::Content(content) => (reference_of(content), None),
        Body::Challenge(challenge) => (Some(&challenge.target), None),
        Body::Revise(revise) => (Some(&revise.target), Some(&revise.previous)),
        Body::Decline(decline) => (Some(&decline.target), None),
        Body::Ack(ack) => (Some(&ack.target), None),
    };
    [message.reply.as_ref(), own, previous]
}

fn reference_of<'m, 'a>(content: &'m Content<'a>) -> Option<Named<'m, 'a>> {
    match content {
        Content::Tell(_) | Content::Propose(_) => None,
        Content::Request(request) => request.replaces.as_ref(),
        Content::Commit(commit) => Some(&commit.request),
        Content::Report(report) => Some(&report.commitment),
    }
}

/// The target and the replacement of a REVISE that has one of some act's shape.
fn replaced<'m, 'a>(message: &'m Message<'a>) -> Option<(&'m str, &'m Content<'a>)> {
    let Body::Revise(revise) = &message.body else {
        return None;
    };
    match &revise.change {
        Change::Replace(Replacement::Content(content)) => Some((revise.target.as_str(), content)),
        _ => None,
    }
}
