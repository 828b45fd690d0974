//! The local facts that bear on a promise (S6.01), and the conditions that it stands on.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::value::RawValue;
use tern_core::log::Record;
use tern_core::message::{Body, Content};
use tern_core::{Event, Fact};

use crate::history::History;
use crate::look::raw;

/// A condition of a COMMIT.
#[derive(Serialize)]
pub(super) struct Condition {
    pub(super) condition: u64,
    pub(super) text: String,
    pub(super) confirmed: bool,
}

/// The conditions of an accepted COMMIT, in their order.
pub(super) fn conditions(id: &str, history: &History) -> Vec<Condition> {
    let message = history
        .state
        .commitment(id)
        .and_then(|_| history.message(id));
    let Some(Body::Content(Content::Commit(commit))) = message.map(|message| message.body) else {
        return Vec::new();
    };
    let confirmed: BTreeSet<u64> = facts(history)
        .filter_map(|fact| match fact {
            Fact::Confirm {
                commitment,
                condition,
            } if commitment.as_str() == id => Some(*condition),
            _ => None,
        })
        .collect();
    commit
        .conditions
        .iter()
        .zip(0..)
        .map(|(text, condition)| Condition {
            condition,
            text: text.as_str().into(),
            confirmed: confirmed.contains(&condition),
        })
        .collect()
}

/// The records of the log that bear on an id, each once: what names it, the grant that its own
/// `authority_ref` names, and the latest clock where that grant is bounded in time.
pub(super) fn about(id: &str, history: &History) -> Vec<Box<RawValue>> {
    let grant = match history.message(id).map(|message| message.body) {
        Some(Body::Content(Content::Commit(commit))) => commit.authority_ref,
        _ => None,
    };
    let grant = grant.as_ref().map(|grant| grant.as_str());
    let is_bounded = facts(history).any(|fact| match fact {
        Fact::Grant {
            reference,
            grant: record,
        } => {
            Some(reference.as_str()) == grant
                && (record.not_before.is_some() || record.expires.is_some())
        }
        _ => false,
    });
    let mut now = None;
    let mut lines: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for fact in facts(history) {
        let bears = match fact {
            Fact::Permit { commitment }
            | Fact::RequireApproval { commitment }
            | Fact::Approve { commitment, .. }
            | Fact::Confirm { commitment, .. }
            | Fact::Judge { commitment, .. }
            | Fact::Start { commitment, .. }
            | Fact::Finish { commitment, .. }
            | Fact::Reconciled { commitment, .. } => commitment.as_str() == id,
            Fact::Grant { reference, .. } | Fact::Revoke { reference } => {
                Some(reference.as_str()) == grant
            }
            Fact::Evidence(_) => false,
            Fact::Clock(time) => {
                if now.is_none_or(|latest: &tern_core::message::Timestamp<'_>| {
                    latest.instant() < time.instant()
                }) {
                    now = Some(time);
                }
                false
            }
        };
        if bears {
            let line = line(fact);
            if seen.insert(line.clone()) {
                lines.push(line);
            }
        }
    }
    if is_bounded {
        lines.extend(now.map(|time| line(&Fact::Clock(time.clone()))));
    }
    lines.iter().filter_map(|line| raw(line)).collect()
}

fn facts(history: &History) -> impl Iterator<Item = &Fact> {
    history.log.events().iter().filter_map(|event| match event {
        Event::Fact(fact) => Some(fact),
        Event::Deliver(_) => None,
    })
}

fn line(fact: &Fact) -> String {
    let record = Record::Event(Event::Fact(fact.clone()));
    record.to_line().trim_end().into()
}
