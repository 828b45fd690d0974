//! The canonical view: all that a set of messages and local facts implies, in one order-free shape
//! (S7.01). Equal sets give byte-equal JSON in every implementation.
//!
//! INVARIANT (canonical): fields stand in the order of their names and every map and list is
//! sorted by UTF-16 code unit, so that serializing a view writes its canonical JSON.

mod build;
mod digest;
mod id;
mod local;
mod order;
mod owned;

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

pub(crate) use build::RequestHistory;
pub use id::Id;
pub use local::{Arrival, LocalView, Overdue};

use crate::commitment::{Cause, Progress};
use crate::evidence::EvidenceStatus;
use crate::message::{Act, Assessment, ChallengeKind};
use crate::wire::Digest;
use crate::{Block, Code};

/// The version of the shape of a view, under `tern_view`.
const VERSION: &str = "0.1";

/// The canonical view of a state.
///
/// It can be read from JSON too, of which every list must be in order and without repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
#[non_exhaustive]
pub struct View<'a> {
    /// Who acknowledged receipt of what.
    pub acknowledged: BTreeMap<Id<'a>, Vec<Id<'a>>>,
    /// Accepted messages with a revision, or a known pending one.
    pub chains: BTreeMap<Id<'a>, ChainView<'a>>,
    /// Accepted CHALLENGEs.
    pub challenges: BTreeMap<Id<'a>, ChallengeView<'a>>,
    /// Accepted COMMITs.
    pub commitments: BTreeMap<Id<'a>, CommitmentView<'a>>,
    /// The id of the identity context.
    pub context: Cow<'a, str>,
    /// Pending messages that wait for each other, or for themselves, for ever.
    pub cycles: Vec<Vec<Id<'a>>>,
    /// Ids with several contents, and the digest of each.
    pub equivocal: BTreeMap<Id<'a>, Vec<Digest>>,
    /// Every evidence reference given or cited.
    pub evidence: BTreeMap<Id<'a>, EvidenceStatus>,
    /// What accepted REVISEs say of commitments, under the reference as named, known or not.
    pub impacts: BTreeMap<Id<'a>, Vec<ImpactView<'a>>>,
    /// Every identified message.
    pub messages: BTreeMap<Id<'a>, MessageView<'a>>,
    /// Accepted PROPOSEs.
    pub proposals: BTreeMap<Id<'a>, ProposalView<'a>>,
    /// Started actions that the history speaks against.
    pub reconcile: Vec<ReconcileView<'a>>,
    /// Accepted REQUESTs.
    pub requests: BTreeMap<Id<'a>, RequestView<'a>>,
    /// The version of this shape: `0.1`.
    pub tern_view: Cow<'a, str>,
}

/// An identified message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MessageView<'a> {
    /// Its act.
    pub act: Act,
    /// Why it was rejected, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// Of its canonical JSON.
    pub digest: Digest,
    /// Its author.
    pub from: Cow<'a, str>,
    /// Where it stands.
    pub status: MessageStatus,
    /// Its thread.
    pub thread: Cow<'a, str>,
    /// If it is pending: the direct gating references that are unknown or pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<Vec<Id<'a>>>,
}

/// Where an identified message stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// Locally valid, for ever.
    Accepted,
    /// Some gating reference is unknown or pending.
    Pending,
    /// A rule of stage 6 failed.
    Rejected,
}

/// The revision chain of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ChainView<'a> {
    /// The successors of the head that compete.
    pub competing: Vec<Id<'a>>,
    /// Of the effective body; none where it is withdrawn or conflicted.
    pub content: Option<Digest>,
    /// The last message that no fork puts in doubt.
    pub head: Id<'a>,
    /// Known revisions that wait.
    pub pending: Vec<Id<'a>>,
    /// All accepted revisions, below a fork too.
    pub revisions: Vec<Id<'a>>,
    /// Where the chain stands.
    pub state: ChainStatus,
}

/// Where a revision chain stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainStatus {
    /// No accepted revision.
    Original,
    /// The last step replaced the content.
    Replaced,
    /// The last step withdrew it.
    Withdrawn,
    /// Successors compete.
    Conflicted,
}

/// An accepted REQUEST.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RequestView<'a> {
    /// The accepted COMMITs on it.
    pub committed_by: Vec<Id<'a>>,
    /// The accepted DECLINEs of it.
    pub declined_by: Vec<Id<'a>>,
    /// The COMMIT that its original body replaces, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Id<'a>>,
}

/// An accepted PROPOSE.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ProposalView<'a> {
    /// The accepted DECLINEs of it.
    pub declined_by: Vec<Id<'a>>,
}

/// An accepted COMMIT.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CommitmentView<'a> {
    /// What the history says of it beyond its progress.
    pub annotations: Vec<Annotation>,
    /// Every reason why it may not be acted on.
    pub blocked_by: Vec<Block>,
    /// Who promised.
    pub by: Cow<'a, str>,
    /// The REPORTs between which progress is unresolved.
    pub candidates: Vec<Id<'a>>,
    /// The CHALLENGEs of it, of its reports and of the revisions of either.
    pub disputed_by: Vec<Id<'a>>,
    /// The original deadline as written.
    pub due: Option<Cow<'a, str>>,
    /// Revisions that offer other terms.
    pub offers: Vec<Id<'a>>,
    /// How far it is.
    pub progress: Progress,
    /// Why progress is unresolved, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress_cause: Option<Cause>,
    /// Non-terminal REPORTs that knew of a terminal one. They change nothing.
    pub reactivation_attempts: Vec<Id<'a>>,
    /// Whether it may be acted on.
    pub readiness: Readiness,
    /// All accepted REPORTs on it.
    pub reports: Vec<Id<'a>>,
    /// The REQUEST.
    pub request: Id<'a>,
    /// Revisions of the REQUEST that it did not know of.
    pub request_changed_by: Vec<Id<'a>>,
    /// Who asked.
    pub requester: Cow<'a, str>,
    /// The COMMITs that took its place.
    pub superseded_by: Vec<Id<'a>>,
}

/// A lifecycle annotation, derived from the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Annotation {
    /// Challenged, withdrawn, or its terms judged not to fit.
    Disputed,
    /// A later commitment took its place.
    Superseded,
    /// Its author will not continue. Nobody released them.
    Withdrawn,
}

/// Whether a commitment may be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Readiness {
    /// Nothing speaks against it.
    Ready,
    /// Something does.
    Blocked,
}

/// An accepted CHALLENGE.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ChallengeView<'a> {
    /// In what respect.
    pub kind: ChallengeKind,
    /// What is disputed.
    pub target: Id<'a>,
}

/// What a REVISE says of a commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ImpactView<'a> {
    /// The assessment.
    pub assessment: Assessment,
    /// The REVISE.
    pub by: Id<'a>,
}

/// A started action that the history speaks against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReconcileView<'a> {
    /// The idempotency key of the action.
    pub action: Id<'a>,
    /// `not_accepted` or codes of readiness.
    pub causes: Vec<Cow<'a, str>>,
    /// What was acted on.
    pub commitment: Id<'a>,
}

impl Annotation {
    /// The word of the view.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disputed => "disputed",
            Self::Superseded => "superseded",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl View<'_> {
    /// The canonical JSON (S7.03). Of a view that was read from JSON it is canonical, too, but says
    /// what that JSON said.
    #[must_use]
    pub fn to_canonical_json(&self) -> String {
        // A view holds only strings, lists and maps with string keys, which always serialize.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The SHA-256 of the canonical JSON (S7.05).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_canonical_json().as_bytes())
    }
}
