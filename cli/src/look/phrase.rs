//! A message in one line, for reading only: nothing executes it (T7.01).

use tern_core::Message;
use tern_core::message::{Body, Content};

use crate::text::{short, shown};

/// How many characters of its words a line shows.
const WORDS: usize = 60;

/// `from → to | ACT | its words`, safe to print.
pub(crate) fn phrase(message: &Message<'_>) -> String {
    let mut names = message.to.iter().map(|name| short(name.as_str(), WORDS));
    let mut to = names.by_ref().take(3).collect::<Vec<_>>().join(", ");
    let others = names.count();
    if others > 0 {
        to.push_str(&format!(" and {others} more"));
    }
    format!(
        "{} → {to} | {} | {}",
        short(message.from.as_str(), WORDS),
        message.act(),
        gist(message)
    )
}

/// The words of a message that tell it from others, safe to print and short.
pub(crate) fn gist(message: &Message<'_>) -> String {
    match &message.body {
        Body::Ask(ask) => words(&ask.question),
        Body::Content(Content::Tell(tell)) => claims(&tell.claims),
        Body::Content(Content::Propose(propose)) => words(&propose.plan),
        Body::Content(Content::Request(request)) => words(&request.action),
        Body::Content(Content::Commit(commit)) => match &commit.due {
            Some(due) => format!("{}, due {}", words(&commit.action), shown(due.as_str())),
            None => words(&commit.action),
        },
        Body::Content(Content::Report(report)) => {
            format!("{}: {}", report.state, claims(&report.claims))
        }
        Body::Challenge(challenge) => format!(
            "{} of {}: {}",
            challenge.kind,
            words(&challenge.target),
            words(&challenge.objection)
        ),
        Body::Revise(revise) => format!(
            "{} {}: {}",
            revise.change.mode(),
            words(&revise.target),
            words(&revise.reason)
        ),
        Body::Decline(decline) => {
            format!("{}: {}", words(&decline.target), words(&decline.reason))
        }
        Body::Ack(ack) => words(&ack.target),
    }
}

fn claims(claims: &tern_core::message::NonEmpty<tern_core::message::Claim<'_>>) -> String {
    let claims = claims.as_slice();
    let first = claims
        .first()
        .map_or_else(String::new, |claim| words(&claim.text));
    match claims.len() {
        0 | 1 => first,
        number => format!("{first} (and {} more)", number - 1),
    }
}

fn words(text: &impl AsRef<str>) -> String {
    short(text.as_ref(), WORDS)
}
