//! §6 References and §7 Equivocation and taint: what the list says about each id.

use crate::json::{Object, list_of, text_of};
use crate::shape::{Message, is_revisable, is_shaped_like};
use crate::stages::Model;
use std::collections::{BTreeMap, BTreeSet};

/// The status of an identified message (S3.02).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Accepted,
    Pending,
    Rejected(&'static str),
}

/// A kept version of a message, with its gating references.
pub(crate) struct Version<'a> {
    pub message: &'a Message,
    pub gating: BTreeSet<&'a str>,
    /// The replacement of a REVISE, if its references gate (S3.01).
    pub replacement: Option<&'a Object>,
}

/// The first version of each id, which is the message.
pub(crate) type Messages<'a> = BTreeMap<&'a str, Version<'a>>;

/// All that the list says; made anew for every question.
pub(crate) struct Picture<'a> {
    pub model: &'a Model,
    pub messages: Messages<'a>,
    /// The further versions of equivocal ids.
    pub later: Vec<Version<'a>>,
    /// The settled ids: accepted or rejected.
    pub settled: BTreeMap<&'a str, Status>,
    /// The accepted messages by act.
    pub accepted: BTreeMap<&'a str, Vec<&'a Message>>,
    pub equivocal: BTreeSet<&'a str>,
    pub tainted: BTreeSet<&'a str>,
}

impl<'a> Picture<'a> {
    /// Reads the whole list.
    pub(crate) fn of(model: &'a Model) -> Picture<'a> {
        let mut firsts: BTreeMap<&str, &Message> = BTreeMap::new();
        let mut others = Vec::new();
        for message in &model.kept {
            if firsts.contains_key(message.id.as_str()) {
                others.push(message);
            } else {
                firsts.insert(&message.id, message);
            }
        }
        let entry = |message: &&'a Message| (message.id.as_str(), version(message, &firsts));
        let messages: Messages = firsts.values().map(entry).collect();
        let later: Vec<_> = others.iter().map(|other| version(other, &firsts)).collect();
        let settled = settle(&messages);
        let mut accepted: BTreeMap<&str, Vec<&Message>> = BTreeMap::new();
        for (id, version) in &messages {
            if settled.get(id) == Some(&Status::Accepted) {
                let act = version.message.act.as_str();
                accepted.entry(act).or_default().push(version.message);
            }
        }
        let equivocal: BTreeSet<&str> = others.iter().map(|other| other.id.as_str()).collect();
        let tainted = taint(equivocal.clone(), messages.values().chain(&later));
        Picture {
            model,
            messages,
            later,
            settled,
            accepted,
            equivocal,
            tainted,
        }
    }

    /// Every kept version of every id.
    pub(crate) fn versions(&self) -> impl Iterator<Item = &Version<'a>> {
        self.messages.values().chain(&self.later)
    }

    /// The message with this id.
    pub(crate) fn message(&self, id: &str) -> Option<&'a Message> {
        self.messages.get(id).map(|version| version.message)
    }

    /// The status of a known id.
    pub(crate) fn status(&self, id: &str) -> Status {
        self.settled.get(id).copied().unwrap_or(Status::Pending)
    }

    /// All accepted messages of an act, in order of id.
    pub(crate) fn accepted(&self, act: &str) -> impl Iterator<Item = &'a Message> {
        self.accepted.get(act).into_iter().flatten().copied()
    }

    /// All pending messages.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &'a Message> {
        let versions = self.messages.values().map(|version| version.message);
        versions.filter(|message| !self.settled.contains_key(message.id.as_str()))
    }

    /// S5.01: all m ≺ n, which n reaches by one or more gating references.
    pub(crate) fn before(&self, n: &str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&Version> = self.messages.get(n).into_iter().collect();
        while let Some(version) = open.pop() {
            for id in &version.gating {
                if reached.insert(*id) {
                    open.extend(self.messages.get(id));
                }
            }
        }
        reached
    }

    /// S3.04: the cycles among the pending messages. Those that only wait for a cycle reach it, but
    /// do not reach themselves.
    pub(crate) fn cycles(&self) -> BTreeSet<BTreeSet<&'a str>> {
        let reach = |message: &'a Message| (message.id.as_str(), self.before(&message.id));
        let reach: BTreeMap<&str, BTreeSet<&str>> = self.pending().map(reach).collect();
        let reaches = |m: &str, n: &str| reach.get(m).is_some_and(|reached| reached.contains(n));
        let mut cycles = BTreeSet::new();
        for (id, reached) in reach.iter().filter(|(id, _)| reaches(id, id)) {
            let back = reached.iter().filter(|other| reaches(other, id));
            cycles.insert(back.copied().collect());
        }
        cycles
    }
}

/// S3.01: the gating references of a version. The first version of its target decides whether those
/// inside a replacement gate.
fn version<'a>(message: &'a Message, firsts: &BTreeMap<&str, &'a Message>) -> Version<'a> {
    let names = [
        "about",
        "request",
        "commitment",
        "target",
        "previous",
        "replaces",
    ];
    let mut gating: BTreeSet<&str> = message.reply.as_deref().into_iter().collect();
    gating.extend(names.iter().filter_map(|name| message.field(name)));
    let mut replacement = None;
    if message.act == "REVISE"
        && let Some(target) = message.field("target").and_then(|id| firsts.get(id))
        && is_revisable(&target.act)
    {
        let shaped = |body: &&'a Object| is_shaped_like(body, &target.act);
        replacement = message.replacement().filter(shaped);
    }
    if let Some(body) = replacement {
        let names = ["request", "commitment", "replaces"];
        gating.extend(names.iter().filter_map(|name| text_of(body, name)));
    }
    Version {
        message,
        gating,
        replacement,
    }
}

/// S3.02, S3.03: the least fixpoint. A message is settled when all its gating references are.
fn settle<'a>(messages: &Messages<'a>) -> BTreeMap<&'a str, Status> {
    let mut settled: BTreeMap<&str, Status> = BTreeMap::new();
    let mut waiting: Vec<(&str, &Version)> = messages.iter().map(|(id, v)| (*id, v)).collect();
    loop {
        let before = settled.len();
        waiting.retain(|(id, version)| {
            if !version
                .gating
                .iter()
                .all(|other| settled.contains_key(other))
            {
                return true;
            }
            settled.insert(id, verdict(version, messages, &settled));
            false
        });
        if settled.len() == before {
            return settled;
        }
    }
}

/// S3.05: the first rule that fails gives the code.
fn verdict(version: &Version, messages: &Messages, settled: &BTreeMap<&str, Status>) -> Status {
    let is_accepted = |id: &&str| settled.get(id) == Some(&Status::Accepted);
    // S3.06, for every act.
    if !version.gating.iter().all(is_accepted) {
        return Status::Rejected("reference_rejected");
    }
    let message = version.message;
    let rules = match message.act.as_str() {
        "REVISE" => revision_rules(version, messages),
        // S3.09
        "DECLINE" => {
            let target = named(messages, &message.body, "target");
            let declinable = |act: &str| act == "REQUEST" || act == "PROPOSE";
            let holds = target.is_some_and(|target| declinable(&target.act));
            rule(holds, "target_not_declinable")
        }
        act => body_rules(act, &message.body, message, messages),
    };
    match rules {
        Ok(()) => Status::Accepted,
        Err(code) => Status::Rejected(code),
    }
}

fn rule(holds: bool, code: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(code) }
}

/// The message that a field of a body names.
fn named<'a>(messages: &Messages<'a>, body: &Object, field: &str) -> Option<&'a Message> {
    let version = text_of(body, field).and_then(|id| messages.get(id));
    version.map(|version| version.message)
}

/// The rows for COMMIT, REQUEST and REPORT. The body may be a replacement; author and thread are
/// those of the message that it is, or is to be, the body of (S3.08).
fn body_rules(
    act: &str,
    body: &Object,
    owner: &Message,
    messages: &Messages,
) -> Result<(), &'static str> {
    match act {
        "COMMIT" => {
            // T4.02
            let request = named(messages, body, "request").filter(|m| m.act == "REQUEST");
            rule(request.is_some(), "request_not_request")?;
            let same_thread = request.is_some_and(|request| request.thread == owner.thread);
            rule(same_thread, "request_other_thread")
        }
        "REQUEST" if body.contains_key("replaces") => {
            // T4.25, T4.26
            let old = named(messages, body, "replaces").filter(|m| m.act == "COMMIT");
            rule(old.is_some(), "replaces_not_commit")?;
            let request = old.and_then(|old| named(messages, &old.body, "request"));
            let same_author = request.is_some_and(|request| request.from == owner.from);
            rule(same_author, "replaces_other_requester")
        }
        "REPORT" => {
            // S3.07, T2.07, R-07
            let commitment = named(messages, body, "commitment").filter(|m| m.act == "COMMIT");
            rule(commitment.is_some(), "commitment_not_commit")?;
            let same_author = commitment.is_some_and(|commitment| commitment.from == owner.from);
            rule(same_author, "commitment_other_author")?;
            let claims = list_of(body, "claims")
                .iter()
                .filter_map(|claim| claim.as_object());
            let cites = claims
                .map(|claim| list_of(claim, "evidence").len())
                .sum::<usize>()
                > 0;
            let fulfilled = text_of(body, "state") == Some("fulfilled");
            rule(cites || !fulfilled, "fulfilled_without_evidence")
        }
        _ => Ok(()),
    }
}

/// The rows for REVISE (T4.13, T4.16, S3.08, R-08).
fn revision_rules(version: &Version, messages: &Messages) -> Result<(), &'static str> {
    let message = version.message;
    let target = named(messages, &message.body, "target").filter(|m| is_revisable(&m.act));
    let target = target.ok_or("target_not_revisable")?;
    rule(target.from == message.from, "target_other_author")?;
    let previous = named(messages, &message.body, "previous");
    let in_chain = |m: &Message| m.id == target.id || m.names("REVISE", "target", &target.id);
    rule(previous.is_some_and(in_chain), "previous_not_in_chain")?;
    if message.field("mode") == Some("withdraw") {
        return Ok(());
    }
    let replacement = version.replacement.ok_or("replacement_invalid")?;
    let rules = body_rules(&target.act, replacement, target, messages);
    rules.map_err(|_| "replacement_invalid")?;
    let same = text_of(replacement, "commitment") == target.field("commitment");
    rule(
        target.act != "REPORT" || same,
        "replacement_other_commitment",
    )
}

/// the equivocal ids and, step by step, every id of which some kept version has a gating
/// reference to a tainted id.
fn taint<'a: 'b, 'b>(
    equivocal: BTreeSet<&'a str>,
    versions: impl Iterator<Item = &'b Version<'a>> + Clone,
) -> BTreeSet<&'a str> {
    let mut tainted = equivocal;
    loop {
        let before = tainted.len();
        for version in versions.clone() {
            if version.gating.iter().any(|id| tainted.contains(id)) {
                tainted.insert(&version.message.id);
            }
        }
        if tainted.len() == before {
            return tainted;
        }
    }
}
