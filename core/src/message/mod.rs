//! A message as the table of acts describes it (semantics §1).
//!
//! Every value that exists has a valid shape: the constructors are the shape rules, so nothing
//! downstream checks them again. Texts borrow from the delivered bytes where they can;
//! [`Message::into_owned`] lets go of them.

mod lists;
mod owned;
mod raw;
mod references;
mod replacement;
mod serde;
mod text;
mod time;
mod tree;
mod words;

use alloc::vec::Vec;

pub use lists::{NonEmpty, Recipients};
pub use raw::RawObject;
pub use references::Gate;
pub use replacement::Replacement;
pub use text::{EvidenceRef, Name, Reference, Text};
pub use time::{Instant, Timestamp};
pub use words::{Act, Assessment, Basis, ChallengeKind, Confidence, Mode, ReportState};

/// One message: its envelope and exactly one act (A-ENVELOPE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// The full message id, `sender:suffix`. That its prefix is `from` is stage 4's to check.
    pub id: Reference<'a>,
    /// Who claims to speak.
    pub from: Name<'a>,
    /// Whom it is for.
    pub to: Recipients<'a>,
    /// The thread that it belongs to.
    pub thread: Text<'a>,
    /// What it answers, if anything.
    pub reply: Option<Reference<'a>>,
    /// The act and its body.
    pub body: Body<'a>,
    /// Evidence given with the message. Absent and empty are different content.
    pub evidence: Option<Vec<Evidence<'a>>>,
    /// What the envelope carries beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// A body of one of the ten acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// A-ASK
    Ask(Ask<'a>),
    /// The five acts whose content its author may revise: TELL, PROPOSE, REQUEST, COMMIT, REPORT.
    Content(Content<'a>),
    /// A-CHALLENGE
    Challenge(Challenge<'a>),
    /// A-REVISE
    Revise(Revise<'a>),
    /// A-DECLINE
    Decline(Decline<'a>),
    /// A-ACK
    Ack(Ack<'a>),
}

/// A body that can be revised, and so can stand as a replacement (T4.14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// A-TELL
    Tell(Tell<'a>),
    /// A-PROPOSE
    Propose(Propose<'a>),
    /// A-REQUEST
    Request(Request<'a>),
    /// A-COMMIT
    Commit(Commit<'a>),
    /// A-REPORT
    Report(Report<'a>),
}

/// Ask for information, not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask<'a> {
    /// What is asked.
    pub question: Text<'a>,
    /// The message it is about.
    pub about: Option<Reference<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// Assert something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tell<'a> {
    /// What is asserted.
    pub claims: NonEmpty<Claim<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// Offer a plan, without obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propose<'a> {
    /// The plan.
    pub plan: Text<'a>,
    /// How one would know that it worked.
    pub success: Text<'a>,
    /// What it must keep to.
    pub constraints: Vec<Text<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// Ask for an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The action.
    pub action: Text<'a>,
    /// When it counts as done.
    pub done_when: Text<'a>,
    /// What it must keep to.
    pub constraints: Vec<Text<'a>>,
    /// A grant on record elsewhere. Grants nothing by itself.
    pub authority_ref: Option<Text<'a>>,
    /// The COMMIT whose terms this request renegotiates.
    pub replaces: Option<Reference<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// The sender's own undertaking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit<'a> {
    /// The REQUEST it answers.
    pub request: Reference<'a>,
    /// What the sender will do.
    pub action: Text<'a>,
    /// What comes of it.
    pub deliverable: Text<'a>,
    /// When it counts as done.
    pub done_when: Text<'a>,
    /// The promised deadline, if there is one.
    pub due: Option<Timestamp<'a>>,
    /// What it depends on.
    pub conditions: Vec<Text<'a>>,
    /// A grant on record elsewhere. Grants nothing by itself.
    pub authority_ref: Option<Text<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// The author's assessment of an own commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<'a> {
    /// The COMMIT that is assessed.
    pub commitment: Reference<'a>,
    /// Where it stands.
    pub state: ReportState,
    /// What the assessment says.
    pub claims: NonEmpty<Claim<'a>>,
    /// The next step.
    pub next: Option<Text<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// Dispute a message without overwriting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge<'a> {
    /// What is disputed.
    pub target: Reference<'a>,
    /// In what respect.
    pub kind: ChallengeKind,
    /// The objection.
    pub objection: Text<'a>,
    /// Evidence for the objection.
    pub support: Vec<EvidenceRef<'a>>,
    /// What would settle it.
    pub resolution_test: Text<'a>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// Correct or withdraw one's own message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revise<'a> {
    /// The original message.
    pub target: Reference<'a>,
    /// The target for a first revision, the preceding REVISE after that.
    pub previous: Reference<'a>,
    /// What becomes of the content: `mode` and `replacement` in one.
    pub change: Change<'a>,
    /// Why.
    pub reason: Text<'a>,
    /// Which commitments the sender knows to be affected.
    pub impact: Vec<Impact<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// `mode` and `replacement` of a REVISE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// `withdraw`, with `replacement` null.
    Withdraw,
    /// `replace`, with an object.
    Replace(Replacement<'a>),
}

/// Refuse a request or a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline<'a> {
    /// What is refused.
    pub target: Reference<'a>,
    /// Why.
    pub reason: Text<'a>,
    /// What the sender would do instead.
    pub alternative: Option<Text<'a>>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// Received, and nothing more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ack<'a> {
    /// What was received.
    pub target: Reference<'a>,
    /// Beyond the language.
    pub extensions: Option<RawObject<'a>>,
}

/// How something is known (A-CLAIM).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// What is claimed.
    pub text: Text<'a>,
    /// How the sender comes to it.
    pub basis: Basis,
    /// How firmly the sender believes it.
    pub confidence: Confidence,
    /// Of what, where and when.
    pub scope: Text<'a>,
    /// Evidence that is cited. None means unsupported here.
    pub evidence: Vec<EvidenceRef<'a>>,
    /// Other explanations.
    pub alternatives: Vec<Text<'a>>,
}

/// What a revision does to a commitment, as its sender sees it (A-IMPACT).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact<'a> {
    /// The commitment, known or not.
    pub commitment: Reference<'a>,
    /// The assessment.
    pub assessment: Assessment,
    /// Why.
    pub reason: Text<'a>,
}

/// A piece of evidence, given and not verified (A-EVIDENCE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence<'a> {
    /// Its id, in a namespace of its own.
    pub id: EvidenceRef<'a>,
    /// Where it comes from.
    pub source: Text<'a>,
    /// When it was collected.
    pub collected_at: Timestamp<'a>,
    /// How it was collected.
    pub method: Text<'a>,
    /// What it shows: untrusted data.
    pub result: Text<'a>,
}
