//! What receivers of the same set agree on (S7.01, S7.02).

use std::collections::{BTreeMap, BTreeSet};

use tern_core::message::{Body, Change, Content, Message};
use tern_core::view::{CommitmentView, Id, Readiness};
use tern_core::{Event, Limits, Log, View, wire};

/// What is promised for one set of messages and facts.
pub(super) enum Agreement {
    /// All of the view.
    Whole,
    /// What S7.02 leaves, with these ids tainted.
    Tainted(BTreeSet<String>),
}

impl Agreement {
    pub(super) fn of(log: &Log, view: &View<'_>) -> Self {
        if view.equivocal.is_empty() {
            return Self::Whole;
        }
        Self::Tainted(tainted(log, view))
    }

    pub(super) fn check(&self, one: &View<'_>, other: &View<'_>) -> Result<(), String> {
        let tainted = match self {
            Self::Whole if one.digest() == other.digest() => return Ok(()),
            Self::Whole => return Err("S7.01, S3.03: another order, another view".into()),
            Self::Tainted(tainted) => tainted,
        };
        if one.equivocal != other.equivocal {
            return Err("S7.02: they disagree on what is equivocal".into());
        }
        if !one.messages.keys().eq(other.messages.keys()) {
            return Err("S7.07: they disagree on what is identified".into());
        }
        let sound = one
            .messages
            .iter()
            .filter(|(id, _)| !tainted.contains(id.as_str()));
        for (id, message) in sound {
            if other.messages.get(id) != Some(message) {
                return Err(format!(
                    "S7.02: they disagree on {id}, which is not tainted"
                ));
            }
        }
        for id in one.commitments.keys().chain(other.commitments.keys()) {
            let is_safe = |view: &View<'_>| {
                let commitment = view.commitments.get(id);
                commitment.is_none_or(|it| it.readiness == Readiness::Blocked)
            };
            if standing(one, id) != standing(other, id) && !(is_safe(one) && is_safe(other)) {
                return Err(format!(
                    "S7.02: they disagree on the commitment {id}, and one of them does not block it"
                ));
            }
        }
        Ok(())
    }
}

/// Status, chains, progress and supersession of a commitment, as far as a receiver has it.
fn standing<'v>(view: &'v View<'v>, id: &'v Id<'v>) -> impl PartialEq + 'v {
    let chain = |id: &'v Id<'v>| view.chains.get(id);
    let of_promise = |commitment: &'v CommitmentView<'v>| {
        (
            &commitment.request,
            chain(&commitment.request),
            commitment.progress,
            commitment.progress_cause,
            &commitment.superseded_by,
        )
    };
    let commitment = view.commitments.get(id);
    let status = view.messages.get(id).map(|it| it.status);
    (status, chain(id), commitment.map(of_promise))
}

/// R-15, once more and directly: the equivocal ids, and step by step whatever has a version that
/// refers to a tainted one.
fn tainted(log: &Log, view: &View<'_>) -> BTreeSet<String> {
    let mut versions: BTreeMap<String, Vec<Message<'_>>> = BTreeMap::new();
    for event in log.events() {
        let Event::Deliver(delivery) = event else {
            continue;
        };
        let Ok(parsed) = wire::read(&delivery.bytes, &Limits::default()) else {
            continue;
        };
        let message = parsed.message;
        let principal = delivery.principal.as_deref();
        if log.context().identify(&message, principal).is_ok() {
            let of_id = versions.entry(message.id.as_str().to_owned());
            of_id.or_default().push(message);
        }
    }
    let mut tainted: BTreeSet<String> = view.equivocal.keys().map(ToString::to_string).collect();
    loop {
        let before = tainted.len();
        for (id, versions) in &versions {
            if versions.iter().any(|it| refers_to(it, &tainted, view)) {
                tainted.insert(id.clone());
            }
        }
        if tainted.len() == before {
            return tainted;
        }
    }
}

fn refers_to(message: &Message<'_>, tainted: &BTreeSet<String>, view: &View<'_>) -> bool {
    let is_tainted = |to: &str| tainted.contains(to);
    if message
        .references()
        .any(|gate| is_tainted(gate.to.as_str()))
    {
        return true;
    }
    let Body::Revise(revise) = &message.body else {
        return false;
    };
    let Change::Replace(replacement) = &revise.change else {
        return false;
    };
    // A target of several versions is tainted, and that decided already.
    let target = view.messages.get(&Id::from(revise.target.as_str()));
    let content = replacement.content();
    content.is_some_and(|content| {
        target.is_some_and(|target| target.act == act(content))
            && content
                .reference()
                .is_some_and(|to| is_tainted(to.as_str()))
    })
}

fn act(content: &Content<'_>) -> tern_core::message::Act {
    use tern_core::message::Act;
    match content {
        Content::Tell(_) => Act::Tell,
        Content::Propose(_) => Act::Propose,
        Content::Request(_) => Act::Request,
        Content::Commit(_) => Act::Commit,
        Content::Report(_) => Act::Report,
    }
}
