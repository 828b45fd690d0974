//! §6 References and §7 Equivocation and taint: what the list says about each id.

use crate::json::{Code, Object, list_of, objects_of, require, text_of};
use crate::shape::{Message, REVISABLE, is_one_of, is_shaped_like};
use crate::stages::Model;
use std::collections::{BTreeMap, BTreeSet};

/// The status of an identified message (S3.02).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Accepted,
    Pending,
    Rejected(Code),
}

/// A kept version of a message, with its gating references.
#[derive(Clone)]
pub(crate) struct Version<'a> {
    pub message: &'a Message,
    pub gating: BTreeSet<&'a str>,
    /// The replacement of a REVISE, if its references gate (S3.01).
    pub replacement: Option<&'a Object>,
}

/// The messages: of each id the version that came first.
pub(crate) type Messages<'a> = BTreeMap<&'a str, Version<'a>>;

/// The settled ids: accepted or rejected.
pub(crate) type Settled<'a> = BTreeMap<&'a str, Status>;

/// All that the list says about ids; made anew for every question.
pub(crate) struct Picture<'a> {
    pub model: &'a Model,
    pub messages: Messages<'a>,
    pub settled: Settled<'a>,
    pub equivocal: BTreeSet<&'a str>,
    pub tainted: BTreeSet<&'a str>,
    /// The accepted messages by act.
    accepted: BTreeMap<&'a str, Vec<&'a Message>>,
}

impl<'a> Picture<'a> {
    /// Reads the whole list.
    pub(crate) fn of(model: &'a Model) -> Picture<'a> {
        let (mut firsts, mut equivocal) = (BTreeMap::new(), BTreeSet::new());
        for message in &model.kept {
            let id = message.id.as_str();
            if firsts.contains_key(id) {
                equivocal.insert(id);
            }
            firsts.entry(id).or_insert(message);
        }
        let versions: Vec<Version> = model.kept.iter().map(|m| version(m, &firsts)).collect();
        let mut messages = Messages::new();
        for version in &versions {
            let id = version.message.id.as_str();
            messages.entry(id).or_insert_with(|| version.clone());
        }
        let settled = settle(&messages);
        let mut accepted: BTreeMap<&str, Vec<&Message>> = BTreeMap::new();
        for (id, message) in firsts {
            if settled.get(id) == Some(&Status::Accepted) {
                accepted.entry(&message.act).or_default().push(message);
            }
        }
        let tainted = taint(equivocal.clone(), &versions);
        Picture {
            model,
            messages,
            settled,
            equivocal,
            tainted,
            accepted,
        }
    }

    /// The message with this id.
    pub(crate) fn message(&self, id: &str) -> Option<&'a Message> {
        self.messages.get(id).map(|version| version.message)
    }

    /// The status of a known id.
    pub(crate) fn status(&self, id: &str) -> Status {
        self.settled.get(id).copied().unwrap_or(Status::Pending)
    }

    /// All accepted messages of an act.
    pub(crate) fn accepted(&self, act: &str) -> impl Iterator<Item = &'a Message> {
        self.accepted.get(act).into_iter().flatten().copied()
    }

    /// All pending messages.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &'a Message> {
        let messages = self.messages.iter();
        let pending = messages.filter(|(id, _)| !self.settled.contains_key(**id));
        pending.map(|(_, version)| version.message)
    }

    /// S5.01: every m ≺ n, which n reaches by one or more gating references.
    pub(crate) fn before(&self, n: &str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&Version> = self.messages.get(n).into_iter().collect();
        while let Some(version) = open.pop() {
            let new = version.gating.iter().filter(|id| reached.insert(**id));
            open.extend(new.filter_map(|id| self.messages.get(id)));
        }
        reached
    }

    /// S3.04: the cycles among the pending messages. Those that only wait for a cycle reach it, but
    /// do not reach themselves.
    pub(crate) fn cycles(&self) -> BTreeSet<BTreeSet<&'a str>> {
        let reach = self.pending().map(|m| (m.id.as_str(), self.before(&m.id)));
        let reach: BTreeMap<&str, BTreeSet<&str>> = reach.collect();
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
    let target = message.field("target").and_then(|id| firsts.get(id));
    let target = target.filter(|t| message.act == "REVISE" && is_one_of(&t.act, REVISABLE));
    let replacement = message.replacement();
    let replacement = replacement.filter(|r| target.is_some_and(|t| is_shaped_like(r, &t.act)));
    let mut gating: BTreeSet<&str> = message.reply.as_deref().into_iter().collect();
    for name in "about target previous request commitment replaces".split(' ') {
        gating.extend(message.field(name));
        gating.extend(replacement.and_then(|body| text_of(body, name)));
    }
    Version {
        message,
        gating,
        replacement,
    }
}

/// S3.02, S3.03: the least fixpoint. A message is settled once all its gating references are.
fn settle<'a>(messages: &Messages<'a>) -> Settled<'a> {
    let mut settled = Settled::new();
    let mut waiting: Vec<(&&str, &Version)> = messages.iter().collect();
    loop {
        let before = settled.len();
        waiting.retain(|(id, version)| {
            let mut gating = version.gating.iter();
            let ready = gating.all(|other| settled.contains_key(other));
            if ready {
                settled.insert(id, verdict(version, messages, &settled));
            }
            !ready
        });
        if settled.len() == before {
            return settled;
        }
    }
}

/// S3.05: the first rule that fails gives the code.
fn verdict(version: &Version, messages: &Messages, settled: &Settled) -> Status {
    let message = version.message;
    let is_accepted = |id: &&str| settled.get(id) == Some(&Status::Accepted);
    let rules = match message.act.as_str() {
        _ if !version.gating.iter().all(is_accepted) => Err("reference_rejected"), // S3.06
        "REVISE" => revision_rules(version, messages),
        "DECLINE" => {
            let target = named(messages, &message.body, "target", "REQUEST/PROPOSE");
            require(target.is_some(), "target_not_declinable") // S3.09
        }
        act => body_rules(act, &message.body, message, messages),
    };
    rules.map_or_else(Status::Rejected, |()| Status::Accepted)
}

/// The message that a field of a body names, if it is of one of these acts.
fn named<'a>(m: &Messages<'a>, body: &Object, field: &str, acts: &str) -> Option<&'a Message> {
    let version = text_of(body, field).and_then(|id| m.get(id))?;
    Some(version.message).filter(|message| is_one_of(&message.act, acts))
}

/// The rows for COMMIT, REQUEST and REPORT. The body may be a replacement; its owner is the message
/// whose body it is, or is to be (S3.08).
fn body_rules(act: &str, body: &Object, owner: &Message, m: &Messages) -> Result<(), Code> {
    match act {
        "COMMIT" => {
            let request = named(m, body, "request", "REQUEST").ok_or("request_not_request")?;
            require(request.thread == owner.thread, "request_other_thread") // T4.02
        }
        "REQUEST" if body.contains_key("replaces") => {
            let old = named(m, body, "replaces", "COMMIT").ok_or("replaces_not_commit")?; // T4.25
            let request = named(m, &old.body, "request", "REQUEST");
            let same = request.is_some_and(|request| request.from == owner.from);
            require(same, "replaces_other_requester") // T4.26
        }
        "REPORT" => {
            let commitment = named(m, body, "commitment", "COMMIT");
            let commitment = commitment.ok_or("commitment_not_commit")?; // S3.07
            require(commitment.from == owner.from, "commitment_other_author")?; // T2.07
            let cites = |claim: &Object| !list_of(claim, "evidence").is_empty();
            let fulfilled = text_of(body, "state") == Some("fulfilled");
            let holds = !fulfilled || objects_of(body, "claims").any(cites);
            require(holds, "fulfilled_without_evidence")
        }
        _ => Ok(()),
    }
}

/// The rows for REVISE (T4.13, T4.16, S3.08, R-08).
fn revision_rules(version: &Version, messages: &Messages) -> Result<(), Code> {
    let message = version.message;
    let target = named(messages, &message.body, "target", REVISABLE);
    let target = target.ok_or("target_not_revisable")?;
    require(target.from == message.from, "target_other_author")?;
    let previous = named(messages, &message.body, "previous", "REVISE");
    let later = previous.is_some_and(|p| p.field("target") == Some(&target.id));
    let first = message.field("previous") == Some(&target.id);
    require(first || later, "previous_not_in_chain")?;
    if message.field("mode") == Some("withdraw") {
        return Ok(());
    }
    let replacement = version.replacement.ok_or("replacement_invalid")?;
    let rules = body_rules(&target.act, replacement, target, messages);
    rules.map_err(|_| "replacement_invalid")?;
    let same = text_of(replacement, "commitment") == target.field("commitment");
    require(same, "replacement_other_commitment")
}

/// the equivocal ids and, step by step, every id of which some kept version has a gating
/// reference to a tainted id.
fn taint<'a>(equivocal: BTreeSet<&'a str>, versions: &[Version<'a>]) -> BTreeSet<&'a str> {
    let mut tainted = equivocal;
    loop {
        let before = tainted.len();
        for version in versions {
            if version.gating.iter().any(|id| tainted.contains(id)) {
                tainted.insert(&version.message.id);
            }
        }
        if tainted.len() == before {
            return tainted;
        }
    }
}
