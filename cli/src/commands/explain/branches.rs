//! A conflict: every branch against the last content that nobody disputes (S4.03).

use std::collections::HashMap;

use serde::Serialize;
use serde_json::value::RawValue;
use tern_core::message::{Body, Mode};
use tern_core::view::ChainStatus;
use tern_core::wire::{Json, JsonOptions, Kind, Value, canonical};

use crate::history::History;
use crate::look::{Difference, differences, raw};

/// The revisions of one message that compete.
#[derive(Serialize)]
pub(super) struct Conflict {
    /// The original.
    pub(super) target: String,
    /// The last message that no fork puts in doubt.
    pub(super) head: String,
    pub(super) line: Option<u64>,
    /// Its effective body; none where it withdrew.
    pub(super) undisputed: Option<Box<RawValue>>,
    /// None wins: they stand in the order of their ids.
    pub(super) branches: Vec<Branch>,
}

/// One competing revision.
#[derive(Serialize)]
pub(super) struct Branch {
    pub(super) id: String,
    pub(super) line: Option<u64>,
    pub(super) mode: Mode,
    pub(super) reason: String,
    /// The body that would hold if it were alone; none for a withdrawal.
    pub(super) content: Option<Box<RawValue>>,
    /// Against the undisputed content.
    pub(super) differences: Vec<Difference>,
    /// Accepted revisions that hang below it, and decide nothing.
    pub(super) below: Vec<String>,
}

/// The conflict of a message's chain, if there is one.
pub(super) fn of(target: &str, history: &History) -> Option<Conflict> {
    let chain = history.state.chain(target)?;
    if chain.state != ChainStatus::Conflicted {
        return None;
    }
    let revisions: Vec<&str> = chain.revisions.iter().map(|id| id.as_str()).collect();
    let followers = followers(&revisions, history);
    let head = chain.head.as_str();
    let base = history.bytes_of(head).and_then(read);
    let undisputed = base.as_ref().and_then(content);
    let branches = chain
        .competing
        .iter()
        .filter_map(|id| branch(id.as_str(), undisputed, &followers, history))
        .collect();
    Some(Conflict {
        target: target.into(),
        head: head.into(),
        line: line(head, history),
        undisputed: undisputed.and_then(|value| raw(&canonical(value))),
        branches,
    })
}

fn branch(
    id: &str,
    undisputed: Option<Value<'_, '_>>,
    followers: &HashMap<String, Vec<&str>>,
    history: &History,
) -> Option<Branch> {
    let message = history.message(id)?;
    let Body::Revise(revise) = &message.body else {
        return None;
    };
    let json = history.bytes_of(id).and_then(read)?;
    let content = content(&json);
    // Against a withdrawn content, every field is new.
    let nothing = read(b"{}")?;
    let before = undisputed.or_else(|| content.and(Some(nothing.root())));
    Some(Branch {
        id: id.into(),
        line: line(id, history),
        mode: revise.change.mode(),
        reason: revise.reason.as_str().into(),
        content: content.and_then(|value| raw(&canonical(value))),
        differences: compare(before, content),
        below: below(id, followers),
    })
}

/// Both sides borrow from documents of their own.
fn compare(before: Option<Value<'_, '_>>, after: Option<Value<'_, '_>>) -> Vec<Difference> {
    differences(before, after)
}

/// The content that a message gives its chain: its body, or its replacement.
fn content<'j>(json: &'j Json<'_>) -> Option<Value<'j, 'j>> {
    let root: Value<'j, 'j> = json.root();
    let body = root.get("body")?;
    let content = match root.get("act")?.as_str() {
        Some("REVISE") => body.get("replacement")?,
        _ => body,
    };
    (content.kind() != Kind::Null).then_some(content)
}

fn read(bytes: &[u8]) -> Option<Json<'_>> {
    Json::read(bytes, JsonOptions::default()).ok()
}

fn line(id: &str, history: &History) -> Option<u64> {
    history.delivery(id).map(|(delivered, _)| delivered.line)
}

/// Which revisions name which one as `previous`.
fn followers<'r>(revisions: &[&'r str], history: &History) -> HashMap<String, Vec<&'r str>> {
    let mut followers: HashMap<String, Vec<&str>> = HashMap::new();
    for &revision in revisions {
        if let Some(Body::Revise(revise)) = history.message(revision).map(|message| message.body) {
            let before = followers.entry(revise.previous.as_str().into());
            before.or_default().push(revision);
        }
    }
    followers
}

/// All that hangs below a revision.
fn below(id: &str, followers: &HashMap<String, Vec<&str>>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        for &follower in followers.get(next).into_iter().flatten() {
            found.push(follower.into());
            open.push(follower);
        }
    }
    found.sort_unstable();
    found
}
