//! The lines of a vector in words.

use tern_conformance::vector::Vector;
use tern_core::log::Record;
use tern_core::{Context, Delivery, Event, Fact, Grant, Limits, wire};

use crate::board::sentence;
use crate::gloss::{gloss, name};

/// Longer than this, a gloss no longer fits on a line.
const LONGEST: usize = 60;

/// What each line of a vector is. Deliveries are counted as verdicts count them.
pub(super) fn lines(vector: &Vector) -> Vec<String> {
    let mut deliveries = 0;
    let mut count = || {
        deliveries += 1;
        deliveries
    };
    let is_bare = vector.is_bare();
    let lines = vector.log.iter().map(|line| {
        let bytes = line.bytes();
        if is_bare {
            return format!("bare: {}", message(&bytes));
        }
        match Record::read(&bytes) {
            Ok(Record::Context(context)) => speakers(&context),
            Ok(Record::Event(Event::Deliver(Delivery { principal, bytes }))) => {
                let by = match principal.as_deref() {
                    Some(by) => name(by, LONGEST),
                    None => "nobody known".to_owned(),
                };
                format!("delivery {}, by {by}: {}", count(), message(&bytes))
            }
            Ok(Record::Event(Event::Fact(known))) => format!("local fact: {}", fact(&known)),
            Err(error) => format!("no record: {}", error.message),
        }
    });
    lines.collect()
}

fn message(bytes: &[u8]) -> String {
    match wire::message(bytes, &Limits::default()) {
        Ok(message) => gloss(&message, LONGEST),
        Err(rejection) => format!("no message, {}", sentence(&rejection)),
    }
}

fn speakers(context: &Context) -> String {
    let bound = context
        .participants()
        .map(|(who, principal)| format!("{} is {}", name(who, LONGEST), name(principal, LONGEST)));
    let bound: Vec<String> = bound.collect();
    if bound.is_empty() {
        return "the context: nobody may speak".to_owned();
    }
    format!("the context: {}", bound.join(", "))
}

/// What a receiver knows by itself.
fn fact(fact: &Fact) -> String {
    let quoted = |text: &str| name(text, LONGEST);
    match fact {
        Fact::Grant { reference, grant } => {
            format!("the grant {} {}", quoted(reference.as_str()), allows(grant))
        }
        Fact::Revoke { reference } => {
            format!("the grant {} holds no longer", quoted(reference.as_str()))
        }
        Fact::Permit { commitment } => {
            format!("local policy permits {}", quoted(commitment.as_str()))
        }
        Fact::RequireApproval { commitment } => {
            format!("a person has to approve {}", quoted(commitment.as_str()))
        }
        Fact::Approve { commitment, by } => format!(
            "{} approved {}",
            quoted(by.as_str()),
            quoted(commitment.as_str())
        ),
        Fact::Confirm {
            commitment,
            condition,
        } => format!(
            "condition {condition} of {} holds (they are counted from 0)",
            quoted(commitment.as_str())
        ),
        Fact::Judge { commitment, terms } => format!(
            "the terms of {} were judged against the request: {}",
            quoted(commitment.as_str()),
            terms.as_str()
        ),
        Fact::Evidence(evidence) => format!(
            "evidence {} from a shared store: {}",
            quoted(evidence.id.as_str()),
            quoted(evidence.result.as_str())
        ),
        Fact::Clock(time) => format!("it is {}", time.as_str()),
        Fact::Start { commitment, action } => format!(
            "the action {} on {} has begun",
            quoted(action.as_str()),
            quoted(commitment.as_str())
        ),
        Fact::Finish { commitment, action } => format!(
            "the action {} on {} has ended",
            quoted(action.as_str()),
            quoted(commitment.as_str())
        ),
        Fact::Reconciled {
            commitment,
            action,
            causes,
        } => {
            let causes: Vec<String> = causes.iter().map(|it| quoted(it.as_str())).collect();
            format!(
                "of the action {} on {} these causes were dealt with: {}",
                quoted(action.as_str()),
                quoted(commitment.as_str()),
                if causes.is_empty() {
                    "none".to_owned()
                } else {
                    causes.join(", ")
                }
            )
        }
    }
}

fn allows(grant: &Grant) -> String {
    let who = name(grant.principal.as_str(), LONGEST);
    let what = match &grant.actions {
        None => "everything".to_owned(),
        Some(actions) if actions.is_empty() => "nothing".to_owned(),
        Some(actions) => {
            let actions: Vec<String> = actions
                .iter()
                .map(|it| name(it.as_str(), LONGEST))
                .collect();
            actions.join(", ")
        }
    };
    let mut text = format!("allows {who} {what}");
    if let Some(time) = &grant.not_before {
        text.push_str(&format!(", not before {}", time.as_str()));
    }
    if let Some(time) = &grant.expires {
        text.push_str(&format!(", not at or after {}", time.as_str()));
    }
    text
}
