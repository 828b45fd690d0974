//! The table of acts, one function an act (S2.10).

use super::cursor::Cursor;
use super::names::{Key, names};
use super::parts::{claim, extensions, impact};
use crate::message::{
    Ack, Act, Ask, Body, Challenge, Change, Commit, Content, Decline, Mode, Propose, RawObject,
    Replacement, Report, Request, Revise, Tell,
};

/// The body of an act.
pub(super) fn body<'a>(c: &mut Cursor<'a>, act: Act) -> Option<Body<'a>> {
    match act {
        Act::Ask => ask(c).map(Body::Ask),
        Act::Tell => tell(c).map(Content::Tell).map(Body::Content),
        Act::Propose => propose(c).map(Content::Propose).map(Body::Content),
        Act::Request => request(c).map(Content::Request).map(Body::Content),
        Act::Commit => commit(c).map(Content::Commit).map(Body::Content),
        Act::Report => report(c).map(Content::Report).map(Body::Content),
        Act::Challenge => challenge(c).map(Body::Challenge),
        Act::Revise => revise(c).map(Body::Revise),
        Act::Decline => decline(c).map(Body::Decline),
        Act::Ack => ack(c).map(Body::Ack),
    }
}

/// A-ASK
fn ask<'a>(c: &mut Cursor<'a>) -> Option<Ask<'a>> {
    names!(Names {
        question,
        about,
        extensions
    });
    let (mut question, mut about, mut beyond) = (None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::question => question = Some(c.text()?),
            Names::about => about = Some(c.reference()?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Ask {
        question: question?,
        about,
        extensions: beyond,
    })
}

/// A-TELL
fn tell<'a>(c: &mut Cursor<'a>) -> Option<Tell<'a>> {
    names!(Names { claims, extensions });
    let (mut claims, mut beyond) = (None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::claims => claims = Some(c.some(claim)?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Tell {
        claims: claims?,
        extensions: beyond,
    })
}

/// A-PROPOSE
fn propose<'a>(c: &mut Cursor<'a>) -> Option<Propose<'a>> {
    names!(Names {
        plan,
        success,
        constraints,
        extensions
    });
    let (mut plan, mut success, mut constraints, mut beyond) = (None, None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::plan => plan = Some(c.text()?),
            Names::success => success = Some(c.text()?),
            Names::constraints => constraints = Some(c.list(Cursor::text)?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Propose {
        plan: plan?,
        success: success?,
        constraints: constraints?,
        extensions: beyond,
    })
}

/// A-REQUEST
fn request<'a>(c: &mut Cursor<'a>) -> Option<Request<'a>> {
    names!(Names {
        action,
        done_when,
        constraints,
        authority_ref,
        replaces,
        extensions
    });
    let (mut action, mut done_when, mut constraints) = (None, None, None);
    let (mut authority_ref, mut replaces, mut beyond) = (None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::action => action = Some(c.text()?),
            Names::done_when => done_when = Some(c.text()?),
            Names::constraints => constraints = Some(c.list(Cursor::text)?),
            Names::authority_ref => authority_ref = Some(c.or_null(Cursor::text)?),
            Names::replaces => replaces = Some(c.reference()?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Request {
        action: action?,
        done_when: done_when?,
        constraints: constraints?,
        authority_ref: authority_ref?,
        replaces,
        extensions: beyond,
    })
}

/// A-COMMIT
fn commit<'a>(c: &mut Cursor<'a>) -> Option<Commit<'a>> {
    names!(Names {
        request,
        action,
        deliverable,
        done_when,
        due,
        conditions,
        authority_ref,
        extensions
    });
    let (mut request, mut action, mut deliverable, mut done_when) = (None, None, None, None);
    let (mut due, mut conditions, mut authority_ref, mut beyond) = (None, None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::request => request = Some(c.reference()?),
            Names::action => action = Some(c.text()?),
            Names::deliverable => deliverable = Some(c.text()?),
            Names::done_when => done_when = Some(c.text()?),
            Names::due => due = Some(c.or_null(Cursor::time)?),
            Names::conditions => conditions = Some(c.list(Cursor::text)?),
            Names::authority_ref => authority_ref = Some(c.or_null(Cursor::text)?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Commit {
        request: request?,
        action: action?,
        deliverable: deliverable?,
        done_when: done_when?,
        due: due?,
        conditions: conditions?,
        authority_ref: authority_ref?,
        extensions: beyond,
    })
}

/// A-REPORT
fn report<'a>(c: &mut Cursor<'a>) -> Option<Report<'a>> {
    names!(Names {
        commitment,
        state,
        claims,
        next,
        extensions
    });
    let (mut commitment, mut state, mut claims) = (None, None, None);
    let (mut next, mut beyond) = (None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::commitment => commitment = Some(c.reference()?),
            Names::state => state = Some(c.word()?),
            Names::claims => claims = Some(c.some(claim)?),
            Names::next => next = Some(c.text()?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Report {
        commitment: commitment?,
        state: state?,
        claims: claims?,
        next,
        extensions: beyond,
    })
}

/// A-CHALLENGE
fn challenge<'a>(c: &mut Cursor<'a>) -> Option<Challenge<'a>> {
    names!(Names {
        target,
        kind,
        objection,
        support,
        resolution_test,
        extensions
    });
    let (mut target, mut kind, mut objection) = (None, None, None);
    let (mut support, mut resolution_test, mut beyond) = (None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::target => target = Some(c.reference()?),
            Names::kind => kind = Some(c.word()?),
            Names::objection => objection = Some(c.text()?),
            Names::support => support = Some(c.list(Cursor::evidence_ref)?),
            Names::resolution_test => resolution_test = Some(c.text()?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Challenge {
        target: target?,
        kind: kind?,
        objection: objection?,
        support: support?,
        resolution_test: resolution_test?,
        extensions: beyond,
    })
}

/// A-REVISE
fn revise<'a>(c: &mut Cursor<'a>) -> Option<Revise<'a>> {
    names!(Names {
        target,
        previous,
        mode,
        reason,
        replacement,
        impact,
        extensions
    });
    let (mut target, mut previous, mut mode, mut reason) = (None, None, None, None);
    let (mut given, mut impacts, mut beyond) = (None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::target => target = Some(c.reference()?),
            Names::previous => previous = Some(c.reference()?),
            Names::mode => mode = Some(c.word()?),
            Names::reason => reason = Some(c.text()?),
            Names::replacement => given = Some(c.or_null(replacement)?),
            Names::impact => impacts = Some(c.list(impact)?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    let change = match (mode?, given?) {
        (Mode::Withdraw, None) => Change::Withdraw,
        (Mode::Replace, Some(replacement)) => Change::Replace(replacement),
        _ => return None,
    };
    Some(Revise {
        target: target?,
        previous: previous?,
        change,
        reason: reason?,
        impact: impacts?,
        extensions: beyond,
    })
}

/// The object under `replacement`, for what its shape makes it. Its first key tells most often which shape that is.
fn replacement<'a>(c: &mut Cursor<'a>) -> Option<Replacement<'a>> {
    const LIKELY: [(Key, Act); 5] = [
        (Key::new("claims"), Act::Tell),
        (Key::new("plan"), Act::Propose),
        (Key::new("action"), Act::Request),
        (Key::new("request"), Act::Commit),
        (Key::new("commitment"), Act::Report),
    ];
    let likely = LIKELY.iter().find(|(key, _)| c.opens_with(key));
    if let Some((_, act)) = likely
        && let Some(Body::Content(content)) = c.attempt(|c| body(c, *act))
    {
        return Some(content.into());
    }
    let object = c.any_object().map(RawObject::read)?;
    Some(Replacement::read(object))
}

/// A-DECLINE
fn decline<'a>(c: &mut Cursor<'a>) -> Option<Decline<'a>> {
    names!(Names {
        target,
        reason,
        alternative,
        extensions
    });
    let (mut target, mut reason, mut alternative, mut beyond) = (None, None, None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::target => target = Some(c.reference()?),
            Names::reason => reason = Some(c.text()?),
            Names::alternative => alternative = Some(c.text()?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Decline {
        target: target?,
        reason: reason?,
        alternative,
        extensions: beyond,
    })
}

/// A-ACK
fn ack<'a>(c: &mut Cursor<'a>) -> Option<Ack<'a>> {
    names!(Names { target, extensions });
    let (mut target, mut beyond) = (None, None);
    c.object(&Names::NAMES, |c, name| {
        match name {
            Names::target => target = Some(c.reference()?),
            Names::extensions => beyond = Some(extensions(c)?),
            _ => return None,
        }
        Some(())
    })?;
    Some(Ack {
        target: target?,
        extensions: beyond,
    })
}
