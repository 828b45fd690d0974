//! The ten acts: the options of each and the body that they make.

use clap::Args;
use tern_core::message::{
    Ack, Ask, Body, Challenge, ChallengeKind, Commit, Content, Decline, EvidenceRef, NonEmpty,
    Propose, Reference, Report, ReportState, Request, Tell, Text, Timestamp,
};

use super::desk::{Desk, Stop, refusal};
use super::groups::Claims;
use super::interview::Interview;
use super::values::{evidence_ref, reference, text, timestamp, word};
use crate::gloss::gloss;

/// The options of an act.
pub(super) trait Draft {
    /// Whether every message of the act names the one that it answers, so that a log knows its
    /// thread and its recipients.
    const ANSWERS: bool;

    /// The body, or none while something is missing, which the interview has noted.
    fn body(
        self,
        interview: &mut Interview,
        desk: Option<&Desk>,
    ) -> Result<Option<Body<'static>>, Stop>;
}

#[derive(Debug, Args)]
pub(crate) struct AskDraft {
    /// What is asked
    #[arg(long, value_name = "TEXT", value_parser = text)]
    question: Option<Text<'static>>,

    /// The message that it is about
    #[arg(long, value_name = "REF", value_parser = reference)]
    about: Option<Reference<'static>>,
}

#[derive(Debug, Args)]
pub(crate) struct TellDraft {
    #[command(flatten)]
    claims: Claims,
}

#[derive(Debug, Args)]
pub(crate) struct ProposeDraft {
    /// The plan
    #[arg(long, value_name = "TEXT", value_parser = text)]
    plan: Option<Text<'static>>,

    /// How one would know that it worked
    #[arg(long, value_name = "TEXT", value_parser = text)]
    success: Option<Text<'static>>,

    /// What it keeps to; several allowed
    #[arg(long = "constraint", value_name = "TEXT", value_parser = text)]
    constraints: Vec<Text<'static>>,
}

#[derive(Debug, Args)]
pub(crate) struct RequestDraft {
    /// The action that is wanted
    #[arg(long, value_name = "TEXT", value_parser = text)]
    action: Option<Text<'static>>,

    /// When it counts as done
    #[arg(long, value_name = "TEXT", value_parser = text)]
    done_when: Option<Text<'static>>,

    /// What it must keep to; several allowed
    #[arg(long = "constraint", value_name = "TEXT", value_parser = text)]
    constraints: Vec<Text<'static>>,

    /// The name of a grant on record elsewhere; it grants nothing by itself
    #[arg(long, value_name = "NAME", value_parser = text)]
    authority_ref: Option<Text<'static>>,

    /// The COMMIT whose terms this renegotiates
    #[arg(long, value_name = "REF", value_parser = reference)]
    replaces: Option<Reference<'static>>,
}

#[derive(Debug, Args)]
pub(crate) struct CommitDraft {
    /// The REQUEST that it answers
    #[arg(long, value_name = "REF", value_parser = reference)]
    request: Option<Reference<'static>>,

    /// What you will do
    #[arg(long, value_name = "TEXT", value_parser = text)]
    action: Option<Text<'static>>,

    /// What comes of it
    #[arg(long, value_name = "TEXT", value_parser = text)]
    deliverable: Option<Text<'static>>,

    /// When it counts as done
    #[arg(long, value_name = "TEXT", value_parser = text)]
    done_when: Option<Text<'static>>,

    /// The deadline that you promise, RFC 3339; without it none is promised
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    due: Option<Timestamp<'static>>,

    /// What it depends on; several allowed
    #[arg(long = "condition", value_name = "TEXT", value_parser = text)]
    conditions: Vec<Text<'static>>,

    /// The name of a grant on record elsewhere; it grants nothing by itself
    #[arg(long, value_name = "NAME", value_parser = text)]
    authority_ref: Option<Text<'static>>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportDraft {
    /// Your COMMIT
    #[arg(long, value_name = "REF", value_parser = reference)]
    commitment: Option<Reference<'static>>,

    /// Where it stands
    #[arg(long, value_name = "STATE", value_parser = word::<ReportState>())]
    state: Option<ReportState>,

    /// The next step
    #[arg(long, value_name = "TEXT", value_parser = text)]
    next: Option<Text<'static>>,

    #[command(flatten)]
    claims: Claims,
}

#[derive(Debug, Args)]
pub(crate) struct ChallengeDraft {
    /// The message that is disputed
    #[arg(long, value_name = "REF", value_parser = reference)]
    target: Option<Reference<'static>>,

    /// In what respect
    #[arg(long, value_name = "KIND", value_parser = word::<ChallengeKind>())]
    kind: Option<ChallengeKind>,

    /// The objection
    #[arg(long, value_name = "TEXT", value_parser = text)]
    objection: Option<Text<'static>>,

    /// Evidence for it, ev:…; several allowed
    #[arg(long, value_name = "EV", value_parser = evidence_ref)]
    support: Vec<EvidenceRef<'static>>,

    /// What would settle it
    #[arg(long, value_name = "TEXT", value_parser = text)]
    resolution_test: Option<Text<'static>>,
}

#[derive(Debug, Args)]
pub(crate) struct DeclineDraft {
    /// The REQUEST or PROPOSE that is refused
    #[arg(long, value_name = "REF", value_parser = reference)]
    target: Option<Reference<'static>>,

    /// Why
    #[arg(long, value_name = "TEXT", value_parser = text)]
    reason: Option<Text<'static>>,

    /// What you would do instead
    #[arg(long, value_name = "TEXT", value_parser = text)]
    alternative: Option<Text<'static>>,
}

#[derive(Debug, Args)]
pub(crate) struct AckDraft {
    /// The message that was received
    #[arg(long, value_name = "REF", value_parser = reference)]
    target: Option<Reference<'static>>,
}

type Made = Result<Option<Body<'static>>, Stop>;

impl Draft for AskDraft {
    const ANSWERS: bool = false;

    fn body(self, interview: &mut Interview, _: Option<&Desk>) -> Made {
        let question = interview.need(self.question, "--question TEXT", "what is asked");
        let about = interview.may(self.about, "the message that it is about");
        Ok(question.map(|question| {
            Body::Ask(Ask {
                question,
                about,
                extensions: None,
            })
        }))
    }
}

impl Draft for TellDraft {
    const ANSWERS: bool = false;

    fn body(self, interview: &mut Interview, _: Option<&Desk>) -> Made {
        let claims = self.claims.need(interview);
        Ok(claims
            .and_then(|claims| NonEmpty::new(claims).ok())
            .map(|claims| {
                Body::Content(Content::Tell(Tell {
                    claims,
                    extensions: None,
                }))
            }))
    }
}

impl Draft for ProposeDraft {
    const ANSWERS: bool = false;

    fn body(self, interview: &mut Interview, _: Option<&Desk>) -> Made {
        let plan = interview.need(self.plan, "--plan TEXT", "the plan");
        let success = interview.need(
            self.success,
            "--success TEXT",
            "how one would know that it worked",
        );
        let constraints = interview.list(self.constraints, "what it keeps to");
        let (Some(plan), Some(success)) = (plan, success) else {
            return Ok(None);
        };
        Ok(Some(Body::Content(Content::Propose(Propose {
            plan,
            success,
            constraints,
            extensions: None,
        }))))
    }
}

impl Draft for RequestDraft {
    const ANSWERS: bool = false;

    fn body(self, interview: &mut Interview, _: Option<&Desk>) -> Made {
        let action = interview.need(self.action, "--action TEXT", "the action that is wanted");
        let done_when =
            interview.need(self.done_when, "--done-when TEXT", "when it counts as done");
        let constraints = interview.list(self.constraints, "what it must keep to");
        let (Some(action), Some(done_when)) = (action, done_when) else {
            return Ok(None);
        };
        Ok(Some(Body::Content(Content::Request(Request {
            action,
            done_when,
            constraints,
            authority_ref: self.authority_ref,
            replaces: self.replaces,
            extensions: None,
        }))))
    }
}

impl Draft for CommitDraft {
    const ANSWERS: bool = true;

    fn body(self, interview: &mut Interview, desk: Option<&Desk>) -> Made {
        let request = interview.need(self.request, "--request REF", "the REQUEST that it answers");
        recall(interview, desk, request.as_ref());
        let action = interview.need(self.action, "--action TEXT", "what you will do");
        let deliverable =
            interview.need(self.deliverable, "--deliverable TEXT", "what comes of it");
        let done_when =
            interview.need(self.done_when, "--done-when TEXT", "when it counts as done");
        let due = interview.may(self.due, "the deadline that you promise (RFC 3339)");
        let conditions = interview.list(self.conditions, "what it depends on");
        let (Some(request), Some(action), Some(deliverable), Some(done_when)) =
            (request, action, deliverable, done_when)
        else {
            return Ok(None);
        };
        Ok(Some(Body::Content(Content::Commit(Commit {
            request,
            action,
            deliverable,
            done_when,
            due,
            conditions,
            authority_ref: self.authority_ref,
            extensions: None,
        }))))
    }
}

impl Draft for ReportDraft {
    const ANSWERS: bool = true;

    fn body(self, interview: &mut Interview, desk: Option<&Desk>) -> Made {
        let commitment = interview.need(self.commitment, "--commitment REF", "your COMMIT");
        recall(interview, desk, commitment.as_ref());
        let state = interview.need(self.state, "--state STATE", "where it stands");
        let claims = self.claims.need(interview);
        let next = interview.may(self.next, "the next step");
        let claims = claims.and_then(|claims| NonEmpty::new(claims).ok());
        let (Some(commitment), Some(state), Some(claims)) = (commitment, state, claims) else {
            return Ok(None);
        };
        let unsupported = claims.iter().all(|claim| claim.evidence.is_empty());
        if state == ReportState::Fulfilled && unsupported {
            // Whatever log it meets: the message alone decides this.
            return Err(refusal(
                "fulfilled_without_evidence",
                "R-07",
                "a report of `fulfilled` cites evidence in at least one claim",
                &["add --evidence ev:… after a --claim; --give describes the evidence itself"],
            ));
        }
        Ok(Some(Body::Content(Content::Report(Report {
            commitment,
            state,
            claims,
            next,
            extensions: None,
        }))))
    }
}

impl Draft for ChallengeDraft {
    const ANSWERS: bool = true;

    fn body(self, interview: &mut Interview, desk: Option<&Desk>) -> Made {
        let target = interview.need(self.target, "--target REF", "the message that is disputed");
        recall(interview, desk, target.as_ref());
        let kind = interview.need(self.kind, "--kind KIND", "in what respect");
        let objection = interview.need(self.objection, "--objection TEXT", "the objection");
        let support = interview.list(self.support, "evidence for it (ev:…)");
        let resolution_test = interview.need(
            self.resolution_test,
            "--resolution-test TEXT",
            "what would settle it",
        );
        let (Some(target), Some(kind), Some(objection), Some(resolution_test)) =
            (target, kind, objection, resolution_test)
        else {
            return Ok(None);
        };
        Ok(Some(Body::Challenge(Challenge {
            target,
            kind,
            objection,
            support,
            resolution_test,
            extensions: None,
        })))
    }
}

impl Draft for DeclineDraft {
    const ANSWERS: bool = true;

    fn body(self, interview: &mut Interview, desk: Option<&Desk>) -> Made {
        let target = interview.need(
            self.target,
            "--target REF",
            "the REQUEST or PROPOSE refused",
        );
        recall(interview, desk, target.as_ref());
        let reason = interview.need(self.reason, "--reason TEXT", "why");
        let alternative = interview.may(self.alternative, "what you would do instead");
        let (Some(target), Some(reason)) = (target, reason) else {
            return Ok(None);
        };
        Ok(Some(Body::Decline(Decline {
            target,
            reason,
            alternative,
            extensions: None,
        })))
    }
}

impl Draft for AckDraft {
    const ANSWERS: bool = true;

    fn body(self, interview: &mut Interview, _: Option<&Desk>) -> Made {
        let target = interview.need(self.target, "--target REF", "the message that was received");
        Ok(target.map(|target| {
            Body::Ack(Ack {
                target,
                extensions: None,
            })
        }))
    }
}

/// How many characters of the words that are answered are shown.
const RECALLED: usize = 160;

/// Shows, to whoever answers, the message that is being answered.
fn recall(interview: &Interview, desk: Option<&Desk>, reference: Option<&Reference<'_>>) {
    if let (Some(desk), Some(reference)) = (desk, reference)
        && let Some(message) = desk.message(reference.as_str())
    {
        interview.tell(&gloss(&message, RECALLED));
    }
}
