//! What is kept of a message: its facts as small records, and the lists of who names whom.

use alloc::boxed::Box;

use super::State;
use super::ids::Ix;
use super::record::{ContentFacts, Facts, Link, Replacing, Revision, Slot, Status, Terms, Version};
use crate::message::{Body, Change, Content, ReportState};
use crate::wire::Parsed;

impl State {
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

    pub(super) fn link(&mut self, to: Ix, kind: Link, from: Ix) {
        let head = self.links.push(self.head(to, kind), from);
        if let Some(place) = self.slot_mut(to).links.get_mut(kind as usize) {
            *place = head;
        }
    }

    /// Enters a kept version into the lists of what it names, unless another version of the same
    /// id stands there for it already.
    pub(super) fn link_version(&mut self, ix: Ix, version: &Version) {
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
    pub(super) fn record(&mut self, parsed: &Parsed<'_>) -> Version {
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
                    Change::Replace(replacement) => match replacement.content() {
                        None => (Replacing::Replace(None), Box::default()),
                        Some(content) => (
                            Replacing::Replace(Some(self.content_facts(content))),
                            self.evidence.intern_cited(content),
                        ),
                    },
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
                    #[cfg(feature = "planted-faults")]
                    offer: self.terms_offered(revise),
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
