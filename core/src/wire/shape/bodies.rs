//! The table of acts, one function an act (T2; semantics §1).

use super::super::{Kind, Value};
use super::parts::{claim, impact};
use super::reader::{Field, Reader, Spot};
use super::values::{
    challenge_kind, evidence_ref, extensions, list, list_of_some, mode, or_null, reference,
    report_state, text, time,
};
use crate::Code;
use crate::message::{
    Ack, Act, Ask, Body, Challenge, Change, Commit, Content, Decline, Mode, Propose, RawObject,
    Replacement, Report, Request, Revise, Tell,
};
use alloc::format;

/// The body of an act.
pub(super) fn body<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>, act: Act) -> Option<Body<'a>> {
    match act {
        Act::Ask => ask(r, spot).map(Body::Ask),
        Act::Tell => tell(r, spot).map(Content::Tell).map(Body::Content),
        Act::Propose => propose(r, spot).map(Content::Propose).map(Body::Content),
        Act::Request => request(r, spot).map(Content::Request).map(Body::Content),
        Act::Commit => commit(r, spot).map(Content::Commit).map(Body::Content),
        Act::Report => report(r, spot).map(Content::Report).map(Body::Content),
        Act::Challenge => challenge(r, spot).map(Body::Challenge),
        Act::Revise => revise(r, spot).map(Body::Revise),
        Act::Decline => decline(r, spot).map(Body::Decline),
        Act::Ack => ack(r, spot).map(Body::Ack),
    }
}

/// A-ASK
fn ask<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Ask<'a>> {
    let names = ["question", "about", "extensions"];
    let [question, about, beyond] = r.fields(spot, "the body of an ASK", names)?;
    let question = question.required(r, text);
    let about = about.optional(r, reference);
    let beyond = beyond.optional(r, extensions);
    Some(Ask {
        question: question?,
        about: about?,
        extensions: beyond?,
    })
}

/// A-TELL
fn tell<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Tell<'a>> {
    let names = ["claims", "extensions"];
    let [claims, beyond] = r.fields(spot, "the body of a TELL", names)?;
    let claims = claims.required(r, list_of_some(claim));
    let beyond = beyond.optional(r, extensions);
    Some(Tell {
        claims: claims?,
        extensions: beyond?,
    })
}

/// A-PROPOSE
fn propose<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Propose<'a>> {
    let names = ["plan", "success", "constraints", "extensions"];
    let [plan, success, constraints, beyond] = r.fields(spot, "the body of a PROPOSE", names)?;
    let plan = plan.required(r, text);
    let success = success.required(r, text);
    let constraints = constraints.required(r, list(text));
    let beyond = beyond.optional(r, extensions);
    Some(Propose {
        plan: plan?,
        success: success?,
        constraints: constraints?,
        extensions: beyond?,
    })
}

/// A-REQUEST
fn request<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Request<'a>> {
    let names = [
        "action",
        "done_when",
        "constraints",
        "authority_ref",
        "replaces",
        "extensions",
    ];
    let [
        action,
        done_when,
        constraints,
        authority_ref,
        replaces,
        beyond,
    ] = r.fields(spot, "the body of a REQUEST", names)?;
    let action = action.required(r, text);
    let done_when = done_when.required(r, text);
    let constraints = constraints.required(r, list(text));
    let authority_ref = authority_ref.required(r, or_null(text));
    let replaces = replaces.optional(r, reference);
    let beyond = beyond.optional(r, extensions);
    Some(Request {
        action: action?,
        done_when: done_when?,
        constraints: constraints?,
        authority_ref: authority_ref?,
        replaces: replaces?,
        extensions: beyond?,
    })
}

/// A-COMMIT
fn commit<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Commit<'a>> {
    let names = [
        "request",
        "action",
        "deliverable",
        "done_when",
        "due",
        "conditions",
        "authority_ref",
        "extensions",
    ];
    let [
        request,
        action,
        deliverable,
        done_when,
        due,
        conditions,
        authority_ref,
        beyond,
    ] = r.fields(spot, "the body of a COMMIT", names)?;
    let request = request.required(r, reference);
    let action = action.required(r, text);
    let deliverable = deliverable.required(r, text);
    let done_when = done_when.required(r, text);
    let due = due.required(r, or_null(time));
    let conditions = conditions.required(r, list(text));
    let authority_ref = authority_ref.required(r, or_null(text));
    let beyond = beyond.optional(r, extensions);
    Some(Commit {
        request: request?,
        action: action?,
        deliverable: deliverable?,
        done_when: done_when?,
        due: due?,
        conditions: conditions?,
        authority_ref: authority_ref?,
        extensions: beyond?,
    })
}

/// A-REPORT
fn report<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Report<'a>> {
    let names = ["commitment", "state", "claims", "next", "extensions"];
    let [commitment, state, claims, next, beyond] =
        r.fields(spot, "the body of a REPORT", names)?;
    let commitment = commitment.required(r, reference);
    let state = state.required(r, report_state);
    let claims = claims.required(r, list_of_some(claim));
    let next = next.optional(r, text);
    let beyond = beyond.optional(r, extensions);
    Some(Report {
        commitment: commitment?,
        state: state?,
        claims: claims?,
        next: next?,
        extensions: beyond?,
    })
}

/// A-CHALLENGE
fn challenge<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Challenge<'a>> {
    let names = [
        "target",
        "kind",
        "objection",
        "support",
        "resolution_test",
        "extensions",
    ];
    let [target, kind, objection, support, resolution_test, beyond] =
        r.fields(spot, "the body of a CHALLENGE", names)?;
    let target = target.required(r, reference);
    let kind = kind.required(r, challenge_kind);
    let objection = objection.required(r, text);
    let support = support.required(r, list(evidence_ref));
    let resolution_test = resolution_test.required(r, text);
    let beyond = beyond.optional(r, extensions);
    Some(Challenge {
        target: target?,
        kind: kind?,
        objection: objection?,
        support: support?,
        resolution_test: resolution_test?,
        extensions: beyond?,
    })
}

/// A-REVISE
fn revise<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Revise<'a>> {
    let names = [
        "target",
        "previous",
        "mode",
        "reason",
        "replacement",
        "impact",
        "extensions",
    ];
    let [
        target,
        previous,
        mode_field,
        reason,
        replacement,
        impacts,
        beyond,
    ] = r.fields(spot, "the body of a REVISE", names)?;
    let target = target.required(r, reference);
    let previous = previous.required(r, reference);
    let mode = mode_field.required(r, mode);
    let reason = reason.required(r, text);
    let change = change(r, mode, &replacement);
    let impact = impacts.required(r, list(impact));
    let beyond = beyond.optional(r, extensions);
    Some(Revise {
        target: target?,
        previous: previous?,
        change: change?,
        reason: reason?,
        impact: impact?,
        extensions: beyond?,
    })
}

/// `mode` and `replacement` must fit. What an object holds is for stage 6 (S2.10, S3.08).
fn change<'a>(
    r: &mut Reader,
    mode: Option<Mode>,
    replacement: &Field<'_, '_, 'a>,
) -> Option<Change<'a>> {
    replacement.required(r, |r, spot| {
        let kind = spot.value.kind();
        let (mode, expected) = match (mode, kind) {
            (Some(Mode::Replace), Kind::Object) => {
                let shapeless = || Replacement::shapeless(RawObject::read(spot.value.source()));
                let content = content(spot.value);
                return Some(Change::Replace(
                    content.map_or_else(shapeless, Replacement::from),
                ));
            }
            (Some(Mode::Withdraw), Kind::Null) => return Some(Change::Withdraw),
            (None, Kind::Object | Kind::Null) => return None,
            (None, _) => return r.wrong_type(spot, "an object or null"),
            (Some(mode @ Mode::Replace), _) => (mode, "an object"),
            (Some(mode @ Mode::Withdraw), _) => (mode, "null"),
        };
        r.report(Code::ReplacementMismatch, spot, |label| {
            format!("{label} is {kind}; with mode `{mode}` it must be {expected}")
        });
        None
    })
}

/// A-DECLINE
fn decline<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Decline<'a>> {
    let names = ["target", "reason", "alternative", "extensions"];
    let [target, reason, alternative, beyond] = r.fields(spot, "the body of a DECLINE", names)?;
    let target = target.required(r, reference);
    let reason = reason.required(r, text);
    let alternative = alternative.optional(r, text);
    let beyond = beyond.optional(r, extensions);
    Some(Decline {
        target: target?,
        reason: reason?,
        alternative: alternative?,
        extensions: beyond?,
    })
}

/// A-ACK
fn ack<'a>(r: &mut Reader, spot: &Spot<'_, '_, 'a>) -> Option<Ack<'a>> {
    let [target, beyond] = r.fields(spot, "the body of an ACK", ["target", "extensions"])?;
    let target = target.required(r, reference);
    let beyond = beyond.optional(r, extensions);
    Some(Ack {
        target: target?,
        extensions: beyond?,
    })
}

/// The body that an object has the shape of, of any revisable act: at most one, as each requires a
/// field that the others do not have.
pub(super) fn content<'a>(value: Value<'_, 'a>) -> Option<Content<'a>> {
    const ACTS: [Act; 5] = [
        Act::Tell,
        Act::Propose,
        Act::Request,
        Act::Commit,
        Act::Report,
    ];
    let spot = Spot::root(value);
    ACTS.into_iter().find_map(|act| {
        let mut reader = Reader::quiet();
        match body(&mut reader, &spot, act) {
            Some(Body::Content(content)) if reader.is_satisfied() => Some(content),
            _ => None,
        }
    })
}
