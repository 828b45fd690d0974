//! A kept version in a snapshot: what the reducer keeps of a message, and no more.

use alloc::boxed::Box;

use super::bytes::{Reader, Writer};
use crate::message::{Act, Assessment, ChallengeKind, ReportState, Timestamp};
use crate::reduce::{ContentFacts, Facts, Ix, Replacing, Revision, State, Terms, Version};

/// What a REVISE does, before the content of a replacement.
const WITHDRAW: u8 = 0;
const REPLACE_SHAPELESS: u8 = 1;
const REPLACE: u8 = 2;

/// Whether a version has a digest of a content: the body of a revisable act or a replacement.
fn has_content(facts: &Facts) -> bool {
    match facts {
        Facts::Content(_) | Facts::Commit(_) => true,
        Facts::Revise(revision) => matches!(revision.change, Replacing::Replace(_)),
        Facts::Ask { .. } | Facts::Challenge { .. } | Facts::Decline { .. } | Facts::Ack { .. } => {
            false
        }
    }
}

/// Whether a content has claims, which may cite evidence.
fn has_claims(content: ContentFacts) -> bool {
    matches!(content, ContentFacts::Tell | ContentFacts::Report { .. })
}

/// Writes ids by their distance from the id of the message, which is short where it is recent.
struct From<'w> {
    own: Ix,
    out: &'w mut Writer,
}

impl Writer {
    /// A version of the id `own`.
    pub(super) fn version(&mut self, own: Ix, version: &Version) {
        self.word(Act::ALL, version.act());
        self.digest(&version.digest);
        self.number(version.thread.into());
        let mut from = From { own, out: self };
        from.maybe_id(version.reply);
        from.facts(&version.facts);
        if has_content(&version.facts) {
            // INVARIANT: it is there for these acts, see `wire::read`.
            self.digest(version.content.as_ref().unwrap_or(&version.digest));
        }
    }
}

impl From<'_> {
    fn id(&mut self, ix: Ix) {
        self.out.signed(i64::from(self.own.0) - i64::from(ix.0));
    }

    fn maybe_id(&mut self, ix: Option<Ix>) {
        self.out.flag(ix.is_some());
        ix.into_iter().for_each(|ix| self.id(ix));
    }

    fn facts(&mut self, facts: &Facts) {
        match facts {
            Facts::Ask { about } => self.maybe_id(*about),
            Facts::Content(content) => self.content(*content),
            Facts::Commit(terms) => {
                self.id(terms.request);
                self.out.text(&terms.action);
                let texts = [&terms.due, &terms.authority_ref];
                for text in texts {
                    self.out.maybe(text.as_deref(), |out, text| out.text(text));
                }
                self.out.number(terms.conditions.into());
            }
            Facts::Challenge { target, kind } => {
                self.id(*target);
                self.out.word(ChallengeKind::ALL, *kind);
            }
            Facts::Revise(revision) => self.revision(revision),
            Facts::Decline { target } | Facts::Ack { target } => self.id(*target),
        }
    }

    fn content(&mut self, content: ContentFacts) {
        match content {
            ContentFacts::Tell | ContentFacts::Propose => {}
            ContentFacts::Request { replaces } => self.maybe_id(replaces),
            ContentFacts::Commit { request } => self.id(request),
            ContentFacts::Report {
                commitment,
                state,
                cites,
            } => {
                self.id(commitment);
                self.out.word(ReportState::ALL, state);
                self.out.flag(cites);
            }
        }
    }

    fn revision(&mut self, revision: &Revision) {
        self.id(revision.target);
        self.id(revision.previous);
        match revision.change {
            Replacing::Withdraw => self.out.byte(WITHDRAW),
            Replacing::Replace(None) => self.out.byte(REPLACE_SHAPELESS),
            Replacing::Replace(Some(content)) => {
                self.out.byte(REPLACE);
                self.out.word(Act::ALL, content.act());
                self.content(content);
                if has_claims(content) {
                    let cites = revision.cites.iter();
                    self.out.all(cites, |out, &index| out.number(index.into()));
                }
            }
        }
        self.out.count(revision.impact.len());
        for &(commitment, assessment) in &revision.impact {
            self.id(commitment);
            self.out.word(Assessment::ALL, assessment);
        }
    }
}

/// What the numbers of a version are held against, and the id that it is of.
pub(super) struct Known {
    pub(super) ids: usize,
    pub(super) threads: usize,
    pub(super) evidence: usize,
}

impl Known {
    pub(super) fn of(state: &State) -> Self {
        Self {
            ids: state.ids.len(),
            threads: state.threads.len(),
            evidence: state.evidence.ids.len(),
        }
    }

    /// A version of the id `own`.
    pub(super) fn version(&self, own: Ix, bytes: &mut Reader<'_>) -> Option<Version> {
        let act = bytes.word(Act::ALL)?;
        let digest = bytes.digest()?;
        let thread: u32 = bytes.small()?;
        if thread as usize >= self.threads {
            return None;
        }
        let reply = bytes.maybe(|bytes| self.id(own, bytes))?;
        let facts = self.facts(own, act, bytes)?;
        let content = if has_content(&facts) {
            Some(bytes.digest()?)
        } else {
            None
        };
        Some(Version {
            digest,
            content,
            thread,
            reply,
            facts,
        })
    }

    fn id(&self, own: Ix, bytes: &mut Reader<'_>) -> Option<Ix> {
        let index = i64::from(own.0).checked_sub(bytes.signed()?)?;
        let index = u32::try_from(index).ok()?;
        ((index as usize) < self.ids).then_some(Ix(index))
    }

    fn facts(&self, own: Ix, act: Act, bytes: &mut Reader<'_>) -> Option<Facts> {
        Some(match act {
            Act::Ask => Facts::Ask {
                about: bytes.maybe(|bytes| self.id(own, bytes))?,
            },
            Act::Tell | Act::Propose | Act::Request | Act::Report => {
                Facts::Content(self.content(own, act, bytes)?)
            }
            Act::Commit => Facts::Commit(Box::new(Terms {
                request: self.id(own, bytes)?,
                action: bytes.boxed()?,
                due: bytes.maybe(|bytes| {
                    let due = bytes.text()?;
                    Timestamp::new(due).is_ok().then(|| due.into())
                })?,
                authority_ref: bytes.maybe(Reader::boxed)?,
                conditions: bytes.small()?,
            })),
            Act::Challenge => Facts::Challenge {
                target: self.id(own, bytes)?,
                kind: bytes.word(ChallengeKind::ALL)?,
            },
            Act::Revise => Facts::Revise(Box::new(self.revision(own, bytes)?)),
            Act::Decline => Facts::Decline {
                target: self.id(own, bytes)?,
            },
            Act::Ack => Facts::Ack {
                target: self.id(own, bytes)?,
            },
        })
    }

    fn content(&self, own: Ix, act: Act, bytes: &mut Reader<'_>) -> Option<ContentFacts> {
        Some(match act {
            Act::Tell => ContentFacts::Tell,
            Act::Propose => ContentFacts::Propose,
            Act::Request => ContentFacts::Request {
                replaces: bytes.maybe(|bytes| self.id(own, bytes))?,
            },
            Act::Commit => ContentFacts::Commit {
                request: self.id(own, bytes)?,
            },
            Act::Report => {
                let commitment = self.id(own, bytes)?;
                let state = bytes.word(ReportState::ALL)?;
                let cites = bytes.flag()?;
                if cites && state != ReportState::Fulfilled {
                    return None;
                }
                ContentFacts::Report {
                    commitment,
                    state,
                    cites,
                }
            }
            Act::Ask | Act::Challenge | Act::Revise | Act::Decline | Act::Ack => return None,
        })
    }

    fn revision(&self, own: Ix, bytes: &mut Reader<'_>) -> Option<Revision> {
        let (target, previous) = (self.id(own, bytes)?, self.id(own, bytes)?);
        let (change, cites) = match bytes.byte()? {
            WITHDRAW => (Replacing::Withdraw, Box::default()),
            REPLACE_SHAPELESS => (Replacing::Replace(None), Box::default()),
            REPLACE => {
                let act = bytes.word(Act::ALL)?;
                let content = self.content(own, act, bytes)?;
                let cites = if has_claims(content) {
                    bytes.all(1, |bytes| {
                        let index: u32 = bytes.small()?;
                        ((index as usize) < self.evidence).then_some(index)
                    })?
                } else {
                    Box::default()
                };
                (Replacing::Replace(Some(content)), cites)
            }
            _ => return None,
        };
        Some(Revision {
            target,
            previous,
            change,
            cites,
            impact: bytes.all(2, |bytes| {
                Some((self.id(own, bytes)?, bytes.word(Assessment::ALL)?))
            })?,
            // A snapshot carries nothing that only a planted fault asks for.
            #[cfg(feature = "planted-faults")]
            offer: None,
        })
    }
}
