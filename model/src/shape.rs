//! §2 Values and envelope, §3 Acts: the tables, and stage 3, which tests values against them.

use crate::canonical::{canonical_object, digest};
use crate::json::{Code, Object, Value, list_of, object_of, require, text_of, texts_of};
use crate::time::instant;
use std::collections::BTreeSet;

/// The tables of §3 in their notation: each field, with `?` if it may be absent (T2.02, S1.02),
/// and the form of its value. Forms with a table of their own have capital letters.
fn table(name: &str) -> Option<&'static str> {
    Some(match name {
        "ASK" => "question text, about? ref, extensions? object",
        "TELL" => "claims [Claim]+, extensions? object",
        "PROPOSE" => "plan text, success text, constraints [text], extensions? object",
        "REQUEST" => {
            "action text, done_when text, constraints [text], authority_ref text or null, \
             replaces? ref, extensions? object"
        }
        "COMMIT" => {
            "request ref, action text, deliverable text, done_when text, due time or null, \
             conditions [text], authority_ref text or null, extensions? object"
        }
        "REPORT" => {
            "commitment ref, state active/blocked/fulfilled/failed, claims [Claim]+, next? text, \
             extensions? object"
        }
        "CHALLENGE" => {
            "target ref, kind factual/inference/scope/feasibility/authority, objection text, \
             support [evref], resolution_test text, extensions? object"
        }
        "REVISE" => {
            "target ref, previous ref, mode replace/withdraw, reason text, \
             replacement object or null, impact [Impact], extensions? object"
        }
        "DECLINE" => "target ref, reason text, alternative? text, extensions? object",
        "ACK" => "target ref, extensions? object",
        "Claim" => {
            "text text, basis observed/inferred/reported/assumed, \
             confidence low/medium/high/unspecified, scope text, evidence [evref], \
             alternatives [text]"
        }
        "Impact" => {
            "commitment ref, assessment paused/unaffected/awaiting_instruction, reason text"
        }
        "Evidence" => EVIDENCE,
        _ => return None,
    })
}

/// A-ENVELOPE, T1.11
const ENVELOPE: &str = "tern text, id ref, from name, to [text]+, thread text, reply ref or null, \
    act text, body object, evidence? [Evidence], extensions? object";

/// A-EVIDENCE
pub(crate) const EVIDENCE: &str =
    "id evref, source text, collected_at time, method text, result text";

/// T2.01, T8.02: the ten acts.
const ACTS: &str = "ASK/TELL/PROPOSE/REQUEST/COMMIT/REPORT/CHALLENGE/REVISE/DECLINE/ACK";

/// T4.13: the acts that can be revised.
pub(crate) const REVISABLE: &str = "TELL/PROPOSE/REQUEST/COMMIT/REPORT";

/// S2.11: whether a word is one of these, spelled exactly so.
pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    words.split('/').any(|other| other == word)
}

/// Tests a value against a form; the code says what is wrong.
pub(crate) fn check(value: &Value, form: &str) -> Result<(), Code> {
    let or_null = form.strip_suffix(" or null");
    let form = or_null.unwrap_or(form);
    match value {
        Value::Null if or_null.is_some() => Ok(()),
        Value::Text(text) => check_text(text, form),
        Value::Number(number) if form == "count" => require(number.is_count(), "unknown_value"),
        Value::List(entries) => {
            let of = form.strip_prefix('[').ok_or("wrong_type")?;
            require(!of.ends_with('+') || !entries.is_empty(), "empty_list")?;
            let of = of.trim_end_matches([']', '+']);
            entries.iter().try_for_each(|entry| check(entry, of))
        }
        Value::Object(_) if form == "object" => Ok(()),
        Value::Object(names) if form == "names to texts" => {
            require(!names.contains_key(""), "empty_text")?;
            names.values().try_for_each(|to| check(to, "text"))
        }
        Value::Object(members) => check_fields(members, table(form).ok_or("wrong_type")?),
        _ => Err("wrong_type"),
    }
}

/// T2.02, T1.14, T3.01: the required fields are there, only listed ones are, and all are valid.
pub(crate) fn check_fields(members: &Object, fields: &str) -> Result<(), Code> {
    let mut listed = 0;
    for (field, form) in fields.split(", ").filter_map(|row| row.split_once(' ')) {
        let name = field.trim_end_matches('?');
        match members.get(name) {
            Some(value) => check(value, form)?,
            None if field == name => return Err("missing_field"),
            None => continue,
        }
        listed += 1;
    }
    require(listed == members.len(), "unknown_field")
}

/// The forms of strings (T2.04, S1.01, T1.19, A-REFERENCE, A-TIME, S2.11).
fn check_text(text: &str, form: &str) -> Result<(), Code> {
    let is_split = |(a, b): (&str, &str)| !a.is_empty() && !b.is_empty();
    let is_evref = text.len() > 3 && text.starts_with("ev:");
    match form {
        "text" => require(!text.is_empty(), "empty_text"),
        "string" => Ok(()),
        "name" => require(!text.is_empty() && !text.contains(':'), "colon_in_sender"),
        "ref" => require(text.split_once(':').is_some_and(is_split), "bad_reference"),
        "evref" => require(is_evref, "bad_evidence_reference"),
        "time" => require(instant(text).is_some(), "bad_timestamp"),
        words if words.contains('/') => require(is_one_of(text, words), "unknown_value"),
        _ => Err("wrong_type"),
    }
}

/// Stage 3 for a whole message (S2.10).
pub(crate) fn check_message(message: &Object) -> Result<(), Code> {
    check_fields(message, ENVELOPE)?;
    // T1.12
    let names: BTreeSet<&str> = texts_of(message, "to").collect();
    let repeats = names.len() < list_of(message, "to").len();
    require(!repeats, "repeated_recipient")?;
    let act = text_of(message, "act").unwrap_or("");
    require(is_one_of(act, ACTS), "unknown_act")?;
    let body = object_of(message, "body").ok_or("wrong_type")?;
    check_fields(body, table(act).unwrap_or(""))?;
    // T4.14: an object with replace, null with withdraw.
    let replaces = text_of(body, "mode") == Some("replace");
    let has_replacement = object_of(body, "replacement").is_some();
    require(replaces == has_replacement, "replacement_mismatch")
}

/// S3.08: whether an object is shaped like a body of an act.
pub(crate) fn is_shaped_like(body: &Object, act: &str) -> bool {
    table(act).is_some_and(|fields| check_fields(body, fields).is_ok())
}

/// A message that passed stage 3.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub id: String,
    pub from: String,
    pub thread: String,
    pub act: String,
    pub reply: Option<String>,
    pub body: Object,
    /// The evidence objects that it gives (T3.08).
    pub evidence: Vec<Value>,
    /// All of it. Messages are equal if and only if this is (T1.29, R-02, S7.05).
    pub canonical: String,
    pub digest: String,
}

impl Message {
    /// The message that a checked object denotes.
    pub(crate) fn new(whole: &Object) -> Message {
        let text = |key: &str| text_of(whole, key).unwrap_or("").to_string();
        let canonical = canonical_object(whole);
        Message {
            id: text("id"),
            from: text("from"),
            thread: text("thread"),
            act: text("act"),
            reply: text_of(whole, "reply").map(String::from),
            body: object_of(whole, "body").cloned().unwrap_or_default(),
            evidence: list_of(whole, "evidence").to_vec(),
            digest: digest(&canonical),
            canonical,
        }
    }

    /// A string of the body, such as a reference.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        text_of(&self.body, name)
    }

    /// Whether it is of this act and names this id in this field.
    pub(crate) fn names(&self, act: &str, field: &str, id: &str) -> bool {
        self.act == act && self.field(field) == Some(id)
    }

    /// The replacement of a REVISE with mode replace; none if it withdraws.
    pub(crate) fn replacement(&self) -> Option<&Object> {
        object_of(&self.body, "replacement")
    }
}
