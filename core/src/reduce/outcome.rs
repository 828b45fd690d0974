//! What a delivery is answered with (semantics §2).

use alloc::string::String;
use alloc::vec::Vec;

use super::State;
use super::ids::Ix;
use super::record::Status;
use crate::Code;
use crate::wire::Rejection;

/// What became of a delivery, and which earlier messages it released.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "an outcome says whether the delivery was refused and whom it released"]
pub struct Outcome {
    /// The id, where the bytes were a message (stages 1 to 3 passed).
    pub id: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
    /// Earlier messages that waited for it and are settled now.
    pub released: Vec<Released>,
}

/// What became of a delivery: one of the five outcomes of the language (S2.15), which a later version
/// of this crate does not add to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// Locally valid, for ever. Nobody's agreement.
    Accepted,
    /// Kept until what it refers to is known and settled.
    Pending {
        /// Its direct gating references that are unknown or pending themselves.
        waiting_for: Vec<String>,
    },
    /// The message was there already: no new effect.
    Duplicate,
    /// The id was there already with other content. Both are kept, and the id is equivocal.
    IdConflict(Rejection),
    /// Refused. At stage 6 it has claimed its id all the same.
    Rejected(Rejection),
}

/// A message that waited and is settled now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Released {
    /// Its id.
    pub id: String,
    /// None for accepted.
    pub code: Option<Code>,
}

impl Outcome {
    pub(super) fn new(id: &str, verdict: Verdict) -> Self {
        Self {
            id: Some(id.into()),
            verdict,
            released: Vec::new(),
        }
    }

    pub(super) fn refused(id: Option<String>, rejection: Rejection) -> Self {
        Self {
            id,
            verdict: Verdict::Rejected(rejection),
            released: Vec::new(),
        }
    }
}

impl Verdict {
    /// `accepted`, `pending`, `duplicate`, `id_conflict` or `rejected`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Pending { .. } => "pending",
            Self::Duplicate => "duplicate",
            Self::IdConflict(_) => "id_conflict",
            Self::Rejected(_) => "rejected",
        }
    }

    /// Why, where it was refused.
    #[must_use]
    pub fn rejection(&self) -> Option<&Rejection> {
        match self {
            Self::IdConflict(rejection) | Self::Rejected(rejection) => Some(rejection),
            Self::Accepted | Self::Pending { .. } | Self::Duplicate => None,
        }
    }

    /// The clause of `spec/clauses.toml` that decided.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        match self {
            Self::Accepted => "S3.02",
            Self::Pending { .. } => "S3.02",
            Self::Duplicate => "T1.27",
            Self::IdConflict(rejection) | Self::Rejected(rejection) => rejection.code().clause(),
        }
    }
}

impl State {
    pub(super) fn released(&self, ix: Ix) -> Released {
        Released {
            id: self.name(ix).into(),
            code: match self.status(ix) {
                Status::Rejected(code) => Some(code),
                _ => None,
            },
        }
    }
}
