//! Letting go of the delivered bytes, and which act a body is of.

use super::{
    Ack, Act, Ask, Body, Challenge, Change, Claim, Commit, Content, Decline, Evidence, EvidenceRef,
    Impact, Message, Mode, Propose, RawObject, Reference, Report, Request, Revise, Tell, Text,
    Timestamp,
};
use alloc::vec::Vec;

impl Message<'_> {
    /// Which of the ten acts this is.
    #[must_use]
    pub const fn act(&self) -> Act {
        self.body.act()
    }

    /// The same message, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Message<'static> {
        Message {
            id: self.id.into_owned(),
            from: self.from.into_owned(),
            to: self.to.into_owned(),
            thread: self.thread.into_owned(),
            reply: self.reply.map(Reference::into_owned),
            body: self.body.into_owned(),
            evidence: self.evidence.map(|given| each(given, Evidence::into_owned)),
            extensions: self.extensions.map(RawObject::into_owned),
        }
    }
}

impl Body<'_> {
    /// Which of the ten acts this is a body of.
    #[must_use]
    pub const fn act(&self) -> Act {
        match self {
            Self::Ask(_) => Act::Ask,
            Self::Content(content) => content.act(),
            Self::Challenge(_) => Act::Challenge,
            Self::Revise(_) => Act::Revise,
            Self::Decline(_) => Act::Decline,
            Self::Ack(_) => Act::Ack,
        }
    }

    /// The same body, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Body<'static> {
        match self {
            Self::Ask(body) => Body::Ask(Ask {
                question: body.question.into_owned(),
                about: body.about.map(Reference::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Content(content) => Body::Content(content.into_owned()),
            Self::Challenge(body) => Body::Challenge(Challenge {
                target: body.target.into_owned(),
                kind: body.kind,
                objection: body.objection.into_owned(),
                support: each(body.support, EvidenceRef::into_owned),
                resolution_test: body.resolution_test.into_owned(),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Revise(body) => Body::Revise(Revise {
                target: body.target.into_owned(),
                previous: body.previous.into_owned(),
                change: body.change.into_owned(),
                reason: body.reason.into_owned(),
                impact: each(body.impact, Impact::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Decline(body) => Body::Decline(Decline {
                target: body.target.into_owned(),
                reason: body.reason.into_owned(),
                alternative: body.alternative.map(Text::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Ack(body) => Body::Ack(Ack {
                target: body.target.into_owned(),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
        }
    }
}

impl Content<'_> {
    /// Which of the five revisable acts this is a body of.
    #[must_use]
    pub const fn act(&self) -> Act {
        match self {
            Self::Tell(_) => Act::Tell,
            Self::Propose(_) => Act::Propose,
            Self::Request(_) => Act::Request,
            Self::Commit(_) => Act::Commit,
            Self::Report(_) => Act::Report,
        }
    }

    /// The same content, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Content<'static> {
        match self {
            Self::Tell(body) => Content::Tell(Tell {
                claims: body.claims.map(Claim::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Propose(body) => Content::Propose(Propose {
                plan: body.plan.into_owned(),
                success: body.success.into_owned(),
                constraints: each(body.constraints, Text::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Request(body) => Content::Request(Request {
                action: body.action.into_owned(),
                done_when: body.done_when.into_owned(),
                constraints: each(body.constraints, Text::into_owned),
                authority_ref: body.authority_ref.map(Text::into_owned),
                replaces: body.replaces.map(Reference::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Commit(body) => Content::Commit(Commit {
                request: body.request.into_owned(),
                action: body.action.into_owned(),
                deliverable: body.deliverable.into_owned(),
                done_when: body.done_when.into_owned(),
                due: body.due.map(Timestamp::into_owned),
                conditions: each(body.conditions, Text::into_owned),
                authority_ref: body.authority_ref.map(Text::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
            Self::Report(body) => Content::Report(Report {
                commitment: body.commitment.into_owned(),
                state: body.state,
                claims: body.claims.map(Claim::into_owned),
                next: body.next.map(Text::into_owned),
                extensions: body.extensions.map(RawObject::into_owned),
            }),
        }
    }
}

impl Change<'_> {
    /// The mode on the wire.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        match self {
            Self::Withdraw => Mode::Withdraw,
            Self::Replace(_) => Mode::Replace,
        }
    }

    fn into_owned(self) -> Change<'static> {
        match self {
            Self::Withdraw => Change::Withdraw,
            Self::Replace(replacement) => Change::Replace(replacement.into_owned()),
        }
    }
}

impl Claim<'_> {
    fn into_owned(self) -> Claim<'static> {
        Claim {
            text: self.text.into_owned(),
            basis: self.basis,
            confidence: self.confidence,
            scope: self.scope.into_owned(),
            evidence: each(self.evidence, EvidenceRef::into_owned),
            alternatives: each(self.alternatives, Text::into_owned),
        }
    }
}

impl Impact<'_> {
    fn into_owned(self) -> Impact<'static> {
        Impact {
            commitment: self.commitment.into_owned(),
            assessment: self.assessment,
            reason: self.reason.into_owned(),
        }
    }
}

impl Evidence<'_> {
    /// The same evidence, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Evidence<'static> {
        Evidence {
            id: self.id.into_owned(),
            source: self.source.into_owned(),
            collected_at: self.collected_at.into_owned(),
            method: self.method.into_owned(),
            result: self.result.into_owned(),
        }
    }
}

fn each<T, U>(list: Vec<T>, f: impl FnMut(T) -> U) -> Vec<U> {
    list.into_iter().map(f).collect()
}
