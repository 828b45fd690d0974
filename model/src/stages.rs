//! §5 The stages of a delivery, and the list of what was kept.

use crate::canonical::{canonical, digest};
use crate::document::{Document, Record};
use crate::json::{Code, Object, object_of, read_strict, require, text_of};
use crate::references::{Picture, Status};
use crate::shape::{self, Message};

/// Limits are configuration; the default is what the specification gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The longest delivery, in bytes (S2.06).
    pub bytes: usize,
    /// The deepest level of nesting; the message object is level 1 (S2.06). Reading takes any depth, but
    /// writing canonical JSON and giving values free go down level by level on the stack: keep it in the
    /// thousands.
    pub depth: usize,
    /// How many messages may be pending in all.
    pub pending: usize,
    /// How many messages with one `from` may be pending.
    pub pending_of_sender: usize,
    /// How many versions of one id are kept, the first included.
    pub versions: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 1_048_576,
            depth: 128,
            pending: 100_000,
            pending_of_sender: 10_000,
            versions: 16,
        }
    }
}

/// What a delivery is answered with (S2.15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All rules hold.
    Accepted,
    /// A gating reference leads to an unknown or pending id.
    Pending,
    /// The same message is known (T1.27).
    Duplicate,
    /// Another message with this id is known (T1.28).
    IdConflict,
    /// Refused; codes are normative in the classes `reference` and `limit`.
    Rejected {
        /// The stage that refused.
        class: &'static str,
        /// What is wrong.
        code: &'static str,
    },
}

/// A class and a code.
type Refusal = (&'static str, &'static str);

/// Any JSON text by the strict reader (stage 1, but for the type): its canonical JSON, or a code.
pub fn canonical_json(bytes: &[u8], limits: &Limits) -> Result<String, &'static str> {
    read_strict(bytes, limits.bytes, limits.depth).map(|value| canonical(&value))
}

/// Stages 1 to 3 on the bytes of one message: its canonical JSON, or class and code.
pub fn check_message(bytes: &[u8], limits: &Limits) -> Result<String, Refusal> {
    message(bytes, limits).map(|message| message.canonical)
}

/// S2.02: stages 1 to 3.
fn message(bytes: &[u8], limits: &Limits) -> Result<Message, Refusal> {
    // Stage 1 (S2.03).
    let value = read_strict(bytes, limits.bytes, limits.depth).map_err(|code| ("syntax", code))?;
    let object = value.as_object().ok_or(("syntax", "not_an_object"))?;
    // Stage 2 (S2.09): an absent `tern` is left to stage 3.
    if object.contains_key("tern") && text_of(object, "tern") != Some("0.1") {
        return Err(("version", "unsupported_version"));
    }
    // Stage 3 (S2.10).
    shape::check_message(object).map_err(|code| ("shape", code))?;
    Ok(Message::new(object))
}

/// Stage 4 (S2.12), in this order. In the context `unverified` the prefix is all (S8.11).
fn identity(message: &Message, principal: Option<&str>, model: &Model) -> Result<(), Code> {
    let prefix = message.id.split_once(':').map(|(prefix, _)| prefix);
    require(prefix == Some(&message.from), "id_not_of_sender")?;
    if !model.context.contains_key("participants") {
        return Ok(());
    }
    let bound = model.principal(&message.from).ok_or("sender_unbound")?;
    let principal = principal.ok_or("principal_missing")?;
    require(principal == bound, "principal_mismatch")
}

/// A context, limits, and the list of what was kept. Nothing is derived before it is asked for.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) context: Object,
    limits: Limits,
    /// All versions of all identified messages, in the order in which they came.
    pub(crate) kept: Vec<Message>,
    /// The local facts, as they were read.
    pub(crate) facts: Vec<Record>,
}

impl Model {
    /// An empty list in the context of a document.
    pub fn new(document: &Document, limits: Limits) -> Model {
        Model {
            context: document.context.clone(),
            limits,
            kept: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// The principal that the context binds to a name (T1.20).
    pub(crate) fn principal(&self, name: &str) -> Option<&str> {
        text_of(object_of(&self.context, "participants")?, name)
    }

    /// Takes the next record; a local fact has no outcome.
    pub fn step(&mut self, record: &Record) -> Option<Outcome> {
        if !record.is_delivery() {
            self.facts.push(record.clone());
            return None;
        }
        let outcome = self.deliver(record.text("principal"), &record.bytes);
        Some(outcome.unwrap_or_else(|(class, code)| Outcome::Rejected { class, code }))
    }

    /// S2.02, T1.33: the stages from top to bottom. A refusal at 1 to 4 or by a quota keeps nothing
    /// and takes no id.
    fn deliver(&mut self, principal: Option<&str>, bytes: &[u8]) -> Result<Outcome, Refusal> {
        let message = message(bytes, &self.limits)?;
        identity(&message, principal, self).map_err(|code| ("identity", code))?;
        // Stage 5 (S2.13).
        let known: Vec<&Message> = self.kept.iter().filter(|m| m.id == message.id).collect();
        let equal = |kept: &&Message| kept.canonical == message.canonical;
        match known.iter().position(equal) {
            None if known.is_empty() => {}
            None if known.len() < self.limits.versions => {
                self.kept.push(message);
                return Ok(Outcome::IdConflict);
            }
            None => return Err(("limit", "too_many_versions")),
            Some(0) => return Ok(Outcome::Duplicate),
            Some(_) => return Ok(Outcome::IdConflict), // nothing new is stored.
        }
        // Stage 6 (S2.14).
        let (id, from) = (message.id.clone(), message.from.clone());
        self.kept.push(message);
        let picture = Picture::of(self);
        let status = picture.status(&id);
        let others: Vec<&Message> = picture.pending().filter(|m| m.id != id).collect();
        let own = others.iter().filter(|m| m.from == from).count();
        let (all, limits) = (others.len(), &self.limits);
        let quotas = require(all < limits.pending, "too_many_pending");
        let of_sender = require(own < limits.pending_of_sender, "too_many_pending_of_sender");
        match (status, quotas.and(of_sender)) {
            (Status::Accepted, _) => Ok(Outcome::Accepted),
            (Status::Rejected(code), _) => Err(("reference", code)),
            (Status::Pending, Ok(())) => Ok(Outcome::Pending),
            (Status::Pending, Err(code)) => {
                // as if the delivery had never come.
                self.kept.pop();
                Err(("limit", code))
            }
        }
    }

    /// The canonical JSON of the canonical view (S7.01).
    pub fn view(&self) -> String {
        canonical(&Picture::of(self).view())
    }

    /// The digest of the view: SHA-256, in lower-case hexadecimal (S7.05).
    pub fn digest(&self) -> String {
        digest(&self.view())
    }
}
