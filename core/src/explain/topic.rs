//! What a ruling is about.

use core::fmt;

use serde::{Serialize, Serializer};

/// What a ruling is about. Serialized, and shown, as one word in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Topic {
    /// Where the message stands: unknown, pending, accepted or rejected.
    Status,
    /// A row of the table of rules that it passed.
    Rule,
    /// Its id has several contents.
    Equivocal,
    /// It rests on an id with several contents.
    Tainted,
    /// Where its revision chain stands.
    Chain,
    /// The part that it plays as a REVISE in a chain.
    Revision,
    /// What it assesses as a REPORT.
    Assessment,
    /// Who undertook, declined or acknowledged it.
    Answer,
    /// Who disputes it.
    Dispute,
    /// Who promised what to whom.
    Promise,
    /// How far the promise is.
    Progress,
    /// Other terms that its author offers.
    Offer,
    /// What became of its request.
    Request,
    /// Nothing blocks it.
    Ready,
    /// A reason why it may not be acted on.
    Blocked,
    /// An action that was started, and what speaks against it.
    Reconcile,
}

impl Topic {
    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Rule => "rule",
            Self::Equivocal => "equivocal",
            Self::Tainted => "tainted",
            Self::Chain => "chain",
            Self::Revision => "revision",
            Self::Assessment => "assessment",
            Self::Answer => "answer",
            Self::Dispute => "dispute",
            Self::Promise => "promise",
            Self::Progress => "progress",
            Self::Offer => "offer",
            Self::Request => "request",
            Self::Ready => "ready",
            Self::Blocked => "blocked",
            Self::Reconcile => "reconcile",
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
