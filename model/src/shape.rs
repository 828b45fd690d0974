//! §2 Values and envelope, §3 Acts: the tables, and stage 3, which tests values against them.

use crate::canonical::{canonical, digest};
use crate::json::{Object, Value, list_of, text_of, texts_of};
use crate::time::instant;
use std::collections::BTreeSet;

/// The tables of §2 and §3, in their notation: each field, with `?` if it may be absent (T2.02, S1.02),
/// and the form of its value. Forms with a table of their own have capital letters.
fn table(name: &str) -> Option<&'static str> {
    Some(match name {
        "ENVELOPE" => {
            "tern text, id ref, from name, to [text]+, thread text, reply ref or null, act text, \
             body object, evidence? [Evidence], extensions? object"
        }
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

/// A-EVIDENCE
pub(crate) const EVIDENCE: &str =
    "id evref, source text, collected_at time, method text, result text";

/// T2.01, T8.02: the ten acts.
const ACTS: &str = "ASK/TELL/PROPOSE/REQUEST/COMMIT/REPORT/CHALLENGE/REVISE/DECLINE/ACK";

/// Tests a value against a form; the code says what is wrong.
pub(crate) fn check(value: &Value, form: &str) -> Result<(), &'static str> {
    if let Some(form) = form.strip_suffix(" or null") {
        return if *value == Value::Null {
            Ok(())
        } else {
            check(value, form)
        };
    }
    match value {
        Value::Text(text) => check_text(text, form),
        Value::Number(number) if form == "count" && number.is_count() => Ok(()),
        Value::List(entries) => {
            let entry_form = form.strip_prefix('[').ok_or("wrong_type")?;
            if entry_form.ends_with('+') && entries.is_empty() {
                return Err("empty_list");
            }
            let entry_form = entry_form.trim_end_matches([']', '+']);
            entries
                .iter()
                .try_for_each(|entry| check(entry, entry_form))
        }
        Value::Object(_) if form == "object" => Ok(()),
        Value::Object(members) if form == "names to texts" => {
            members.iter().try_for_each(|(name, to)| {
                check_text(name, "text")?;
                check(to, "text")
            })
        }
        Value::Object(members) => check_fields(members, table(form).ok_or("wrong_type")?),
        _ => Err("wrong_type"),
    }
}

/// T2.02, T1.14, T3.01: all required fields are there, no other than the listed ones, all valid.
pub(crate) fn check_fields(members: &Object, fields: &str) -> Result<(), &'static str> {
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
    if listed < members.len() {
        Err("unknown_field")
    } else {
        Ok(())
    }
}

/// The forms of strings (§2).
fn check_text(text: &str, form: &str) -> Result<(), &'static str> {
    let (holds, code) = match form {
        "text" => (!text.is_empty(), "empty_text"), // T2.04, S1.01
        "string" => (true, ""),
        "name" => (!text.is_empty() && !text.contains(':'), "colon_in_sender"), // T1.19
        // A-REFERENCE
        "ref" => {
            let parts = text.split_once(':');
            let holds = parts.is_some_and(|(name, suffix)| !name.is_empty() && !suffix.is_empty());
            (holds, "bad_reference")
        }
        "evref" => {
            let suffix = text.strip_prefix("ev:");
            (
                suffix.is_some_and(|suffix| !suffix.is_empty()),
                "bad_evidence_reference",
            )
        }
        "time" => (instant(text).is_some(), "bad_timestamp"),
        // S2.11
        words if words.contains('/') => {
            (words.split('/').any(|word| word == text), "unknown_value")
        }
        _ => (false, "wrong_type"),
    };
    if holds { Ok(()) } else { Err(code) }
}

/// Stage 3 for a whole message (S2.10).
pub(crate) fn check_message(message: &Object) -> Result<(), &'static str> {
    check_fields(message, table("ENVELOPE").unwrap_or(""))?;
    // T1.12
    let names: BTreeSet<&str> = texts_of(message, "to").collect();
    if names.len() < list_of(message, "to").len() {
        return Err("repeated_recipient");
    }
    let act = text_of(message, "act").unwrap_or("");
    check_text(act, ACTS).map_err(|_| "unknown_act")?;
    let empty = Object::new();
    let body = message
        .get("body")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    check_fields(body, table(act).unwrap_or(""))?;
    // T4.14: an object with replace, null with withdraw.
    let replaces = text_of(body, "mode") == Some("replace");
    let has_replacement = body.get("replacement").and_then(Value::as_object).is_some();
    if replaces == has_replacement {
        Ok(())
    } else {
        Err("replacement_mismatch")
    }
}

/// T4.13: the acts that can be revised.
pub(crate) fn is_revisable(act: &str) -> bool {
    ["TELL", "PROPOSE", "REQUEST", "COMMIT", "REPORT"].contains(&act)
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
    /// All of it. Equal messages have equal canonical JSON, different ones different (T1.29, S7.05).
    pub canonical: String,
    pub digest: String,
}

impl Message {
    /// The message that a checked object denotes.
    pub(crate) fn new(whole: &Object) -> Message {
        let text = |key: &str| text_of(whole, key).map(String::from);
        let body = whole.get("body").and_then(Value::as_object);
        let canonical = canonical(&Value::Object(whole.clone()));
        Message {
            id: text("id").unwrap_or_default(),
            from: text("from").unwrap_or_default(),
            thread: text("thread").unwrap_or_default(),
            act: text("act").unwrap_or_default(),
            reply: text("reply"),
            body: body.cloned().unwrap_or_default(),
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
        self.body.get("replacement").and_then(Value::as_object)
    }
}
