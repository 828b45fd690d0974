//! A message in one line, for reading only: nothing executes it (T7.01).
//!
//! Whoever shows one says how long it may get. Names and words are data and may be hostile: what
//! comes out is safe to print, and a name cannot look like another part of the line.

use tern_core::message::{Body, Change, Claim, Content, Message, NonEmpty, Recipients};

use crate::text::short;

/// `drafter → reviewer | ASK | Which assumption is weakest?`: sender, recipients and words, each in
/// about `longest` characters.
pub(crate) fn gloss(message: &Message<'_>, longest: usize) -> String {
    format!(
        "{} → {} | {} | {}",
        name(message.from.as_str(), longest),
        recipients(&message.to, longest),
        message.act(),
        words(message, longest)
    )
}

/// What a message says, in a phrase of at most `longest` characters.
pub(crate) fn words(message: &Message<'_>, longest: usize) -> String {
    short(&body(&message.body), longest)
}

/// A name or an id, quoted if it could be mistaken for the rest of the line.
pub(crate) fn name(name: &str, longest: usize) -> String {
    let quiet = |character: char| {
        !character.is_whitespace() && !matches!(character, '|' | '→' | ',' | '"' | '[' | ']' | '\\')
    };
    let shown = short(name, longest);
    if !name.is_empty() && name.chars().all(quiet) {
        return shown;
    }
    format!("\"{}\"", shown.replace('"', "\\\""))
}

/// As many as there is room for, and how many more there are.
fn recipients(to: &Recipients<'_>, longest: usize) -> String {
    let mut row = String::new();
    for (index, recipient) in to.iter().enumerate() {
        let next = name(recipient.as_str(), longest);
        if index > 0 {
            if row.chars().count() + next.chars().count() > longest {
                row.push_str(&format!(" and {} more", to.iter().len() - index));
                break;
            }
            row.push_str(", ");
        }
        row.push_str(&next);
    }
    row
}

fn body(body: &Body<'_>) -> String {
    match body {
        Body::Ask(ask) => match &ask.about {
            Some(about) => format!("{} (about {about})", ask.question),
            None => ask.question.to_string(),
        },
        Body::Content(body) => content(body),
        Body::Challenge(challenge) => {
            format!(
                "{}, {}: {}",
                challenge.target, challenge.kind, challenge.objection
            )
        }
        Body::Revise(revise) => match &revise.change {
            Change::Withdraw => format!("withdraws {}: {}", revise.target, revise.reason),
            Change::Replace(_) => format!("replaces {}: {}", revise.target, revise.reason),
        },
        Body::Decline(decline) => match &decline.alternative {
            Some(other) => format!("{}: {}; instead: {other}", decline.target, decline.reason),
            None => format!("{}: {}", decline.target, decline.reason),
        },
        Body::Ack(ack) => ack.target.to_string(),
    }
}

fn content(content: &Content<'_>) -> String {
    let claims = |claims: &NonEmpty<Claim<'_>>| {
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        texts.join("; ")
    };
    match content {
        Content::Tell(tell) => claims(&tell.claims),
        Content::Propose(propose) => propose.plan.to_string(),
        Content::Request(request) => match &request.replaces {
            Some(replaces) => format!("{} (instead of {replaces})", request.action),
            None => request.action.to_string(),
        },
        Content::Commit(commit) => match &commit.due {
            Some(due) => format!("{} (for {}, due {due})", commit.action, commit.request),
            None => format!("{} (for {})", commit.action, commit.request),
        },
        Content::Report(report) => {
            format!(
                "{}, {}: {}",
                report.commitment,
                report.state,
                claims(&report.claims)
            )
        }
    }
}
