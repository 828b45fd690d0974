//! What the reducer keeps of a message: small fixed records, with ids as numbers.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::ids::Ix;
use crate::Code;
use crate::message::{Act, Assessment, ChallengeKind, ReportState};
use crate::planted::{self, Fault};
use crate::wire::Digest;

/// One id: known, or only referred to.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The participant that the id's prefix names; of a known message, its author (stage 4).
    pub(crate) sender: u32,
    pub(crate) status: Status,
    /// The first version that was identified: *the* message.
    pub(crate) version: Option<Version>,
    /// Equivocal, or a gating reference reaches an equivocal id.
    pub(crate) tainted: bool,
    /// Position in the log of the event that identified it, and of the one that settled it.
    pub(crate) arrived: u32,
    pub(crate) settled: u32,
    /// Heads of the lists of who refers to it, by kind.
    pub(crate) links: [u32; Link::COUNT],
}

/// Where a message stands (S3.02).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Referred to, never identified.
    Unknown,
    /// So many of its gating references are not settled.
    Pending {
        unsettled: u32,
    },
    /// Its place in the order of settling: greater than that of everything it refers to.
    Accepted {
        order: u32,
    },
    Rejected(Code),
}

impl Status {
    pub(crate) fn is_settled(self) -> bool {
        matches!(self, Self::Accepted { .. } | Self::Rejected(_))
            || planted::is(Fault::PendingAsAccepted) && self != Self::Unknown
    }
}

/// A kept version of an id.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// Of the whole message.
    pub(crate) digest: Digest,
    /// Of the body where it can be revised, of the replacement where there is one.
    pub(crate) content: Option<Digest>,
    pub(crate) thread: u32,
    pub(crate) reply: Option<Ix>,
    pub(crate) facts: Facts,
}

/// What the rules ask of each act.
#[derive(Clone, Debug)]
pub(crate) enum Facts {
    Ask { about: Option<Ix> },
    Content(ContentFacts),
    Commit(Box<Terms>),
    Challenge { target: Ix, kind: ChallengeKind },
    Revise(Box<Revision>),
    Decline { target: Ix },
    Ack { target: Ix },
}

/// What the rules ask of a content, in an original or in a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentFacts {
    Tell,
    Propose,
    Request {
        replaces: Option<Ix>,
    },
    Commit {
        request: Ix,
    },
    Report {
        commitment: Ix,
        state: ReportState,
        cites: bool,
    },
}

impl ContentFacts {
    pub(crate) fn act(self) -> Act {
        match self {
            Self::Tell => Act::Tell,
            Self::Propose => Act::Propose,
            Self::Request { .. } => Act::Request,
            Self::Commit { .. } => Act::Commit,
            Self::Report { .. } => Act::Report,
        }
    }

    /// Its own gating reference. No content has more than one.
    pub(crate) fn reference(self) -> Option<Ix> {
        match self {
            Self::Tell | Self::Propose => None,
            Self::Request { replaces } => replaces,
            Self::Commit { request } => Some(request),
            Self::Report { commitment, .. } => Some(commitment),
        }
    }
}

/// The original terms of a COMMIT, as far as acting on it asks for them.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) request: Ix,
    pub(crate) action: Box<str>,
    pub(crate) due: Option<Box<str>>,
    pub(crate) authority_ref: Option<Box<str>>,
    pub(crate) conditions: u32,
}

/// What a REVISE says.
#[derive(Clone, Debug)]
pub(crate) struct Revision {
    pub(crate) target: Ix,
    pub(crate) previous: Ix,
    pub(crate) change: Replacing,
    /// Evidence that its replacement cites; counted once the replacement gates (S7.12).
    pub(crate) cites: Box<[u32]>,
    /// Commitments as named, known or not.
    pub(crate) impact: Box<[(Ix, Assessment)]>,
    /// The terms that it offers for a COMMIT; only `Fault::OfferReplacesTerms` asks.
    #[cfg(feature = "planted-faults")]
    pub(crate) offer: Option<Box<Terms>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacing {
    Withdraw,
    /// None: the object has the shape of no revisable act's body.
    Replace(Option<ContentFacts>),
}

impl Version {
    pub(crate) fn act(&self) -> Act {
        match &self.facts {
            Facts::Ask { .. } => Act::Ask,
            Facts::Content(content) => content.act(),
            Facts::Commit(_) => Act::Commit,
            Facts::Challenge { .. } => Act::Challenge,
            Facts::Revise(_) => Act::Revise,
            Facts::Decline { .. } => Act::Decline,
            Facts::Ack { .. } => Act::Ack,
        }
    }

    /// What can be revised, or nothing for the acts that cannot.
    pub(crate) fn content(&self) -> Option<ContentFacts> {
        match &self.facts {
            Facts::Content(content) => Some(*content),
            Facts::Commit(terms) => Some(ContentFacts::Commit {
                request: terms.request,
            }),
            _ => None,
        }
    }

    pub(crate) fn revision(&self) -> Option<&Revision> {
        match &self.facts {
            Facts::Revise(revision) => Some(revision),
            _ => None,
        }
    }

    pub(crate) fn terms(&self) -> Option<&Terms> {
        match &self.facts {
            Facts::Commit(terms) => Some(terms),
            _ => None,
        }
    }

    /// The commitment and state of a REPORT.
    pub(crate) fn report(&self) -> Option<(Ix, ReportState)> {
        match self.facts {
            Facts::Content(ContentFacts::Report {
                commitment, state, ..
            }) => Some((commitment, state)),
            _ => None,
        }
    }

    /// The target and kind of a CHALLENGE.
    pub(crate) fn challenge(&self) -> Option<(Ix, ChallengeKind)> {
        match self.facts {
            Facts::Challenge { target, kind } => Some((target, kind)),
            _ => None,
        }
    }

    /// The COMMIT that a REQUEST replaces.
    pub(crate) fn replaces(&self) -> Option<Ix> {
        match self.facts {
            Facts::Content(ContentFacts::Request { replaces }) => replaces,
            _ => None,
        }
    }
}

/// Distinct gating references of a message: `reply`, at most two of its own, one of a replacement.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gates {
    ids: [Option<Ix>; 4],
}

impl Gates {
    /// Adds one if it is new; says whether it was.
    pub(crate) fn add(&mut self, ix: Ix) -> bool {
        for place in &mut self.ids {
            match place {
                Some(other) if *other == ix => return false,
                Some(_) => {}
                None => {
                    *place = Some(ix);
                    return true;
                }
            }
        }
        // INVARIANT: no message has more than four gating references (S3.01).
        false
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Ix> + '_ {
        self.ids.iter().flatten().copied()
    }
}

/// The lists that the derived parts walk. All but `Gates` name an id in a kept version, whichever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// First versions with a gating reference to it.
    Gates,
    /// REVISE.target
    Revise,
    /// REPORT.commitment
    Report,
    /// COMMIT.request
    Commit,
    /// REQUEST.replaces
    Replace,
    /// CHALLENGE.target
    Challenge,
    /// DECLINE.target
    Decline,
    /// ACK.target
    Ack,
}

impl Link {
    pub(crate) const COUNT: usize = 8;
    pub(crate) const NONE: [u32; Self::COUNT] = [u32::MAX; Self::COUNT];
}

/// All list entries, in one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    entries: Vec<(Ix, u32)>,
}

impl Links {
    /// Puts `from` in front of the list that begins at `head`; gives the new head.
    pub(crate) fn push(&mut self, head: u32, from: Ix) -> u32 {
        // INVARIANT: fewer than 2^32 - 1 entries, as for the ids that they join.
        let index = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push((from, head));
        index
    }

    /// The list that begins at `head`, newest first.
    pub(crate) fn iter(&self, head: u32) -> impl Iterator<Item = Ix> + '_ {
        let mut next = head;
        core::iter::from_fn(move || {
            let (from, after) = *self.entries.get(next as usize)?;
            next = after;
            Some(from)
        })
    }

    /// The entry at `head`, and the head of the rest.
    pub(crate) fn step(&self, head: u32) -> Option<(Ix, u32)> {
        self.entries.get(head as usize).copied()
    }
}
