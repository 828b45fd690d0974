//! One line of a log document (S8.01), read strictly and written back.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::fields::{Fields, bad, error, string, text, time};
use super::{Delivery, Event};
use crate::context::Context;
use crate::local::{Fact, Grant, Judgement};
use crate::message::{Evidence, EvidenceRef};
use crate::wire::{Delivered, Finding, Json, JsonOptions, Kind, Value, delivery, write_string};
use crate::{Code, DocumentCode};

/// A record of a log document: its context first, then events. Exhaustive: these are all that the
/// language has (S8.01).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// The identity context of the log.
    Context(Context),
    /// An event.
    Event(Event<'a>),
}

/// The keys that a record can have.
pub(super) const KEYS: [&str; 14] = [
    "context",
    "deliver",
    "grant",
    "revoke",
    "permit",
    "require_approval",
    "approve",
    "confirm",
    "judge",
    "evidence",
    "clock",
    "start",
    "finish",
    "reconciled",
];

/// Why a line is no record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordError {
    /// The stable code.
    pub code: DocumentCode,
    /// Where in the record (RFC 6901).
    pub pointer: String,
    /// Which bytes of the line.
    pub span: Range<usize>,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl core::error::Error for RecordError {}

pub(super) type Result<T> = core::result::Result<T, RecordError>;

impl<'a> Record<'a> {
    /// Reads one line.
    ///
    /// # Errors
    /// What keeps the line from being a record: then the whole document is refused.
    pub fn read(line: &'a [u8]) -> Result<Self> {
        match delivery(line) {
            Some(Delivered { principal, bytes }) => {
                Ok(Self::Event(Event::Deliver(Delivery { principal, bytes })))
            }
            None => Self::explained(line),
        }
    }

    /// The long way: every record, and what is wrong with one.
    fn explained(line: &'a [u8]) -> Result<Self> {
        if line.iter().all(|byte| b" \t\r\n".contains(byte)) {
            return Err(RecordError {
                code: DocumentCode::BlankLine,
                pointer: String::new(),
                span: 0..line.len(),
                message: "the line is blank".into(),
            });
        }
        let json = Json::read(line, JsonOptions::STRICT).map_err(|finding| RecordError {
            code: if is_in_message(&finding) && Json::read(line, JsonOptions::GRAMMAR).is_ok() {
                DocumentCode::ImpossibleMessage
            } else {
                DocumentCode::BrokenLine
            },
            pointer: finding.pointer,
            span: finding.span,
            message: finding.message,
        })?;
        let root = json.root();
        if root.kind() != Kind::Object {
            return Err(error(
                DocumentCode::BrokenLine,
                "",
                root,
                "the line is not an object",
            ));
        }
        let mut entries = root.entries();
        let (Some((key, _, value)), None) = (entries.next(), entries.next()) else {
            let count = root.entries().count();
            // A bare message with evidence looks like the record `evidence` (S8.10).
            let sentence = if root.get("tern").is_some() {
                "a message stands where a record should; a first line with the key `evidence` makes the \
                 file a log document, in which messages are wrapped in `deliver`"
                    .to_string()
            } else {
                format!("a record has exactly one key, this one has {count}")
            };
            return Err(error(DocumentCode::UnknownRecord, "", root, sentence));
        };
        read_record(key, value, root)
    }

    /// The record as one line with its newline. Delivered bytes are kept exactly.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut out = String::new();
        match self {
            Self::Context(context) => write_context(&mut out, context),
            Self::Event(Event::Deliver(delivery)) => write_delivery(&mut out, delivery),
            Self::Event(Event::Fact(fact)) => super::write::fact(&mut out, fact),
        }
        out.push('\n');
        out
    }
}

/// Whether the line is JSON, but what stands in `message` is none that a message could be (S8.08).
fn is_in_message(finding: &Finding) -> bool {
    let Some(inside) = finding.pointer.strip_prefix("/deliver/message") else {
        return false;
    };
    match finding.code {
        Code::NumberOverflow | Code::LoneSurrogate => inside.is_empty() || inside.starts_with('/'),
        // A repeated `message` stands in `deliver`.
        Code::DuplicateKey => inside.starts_with('/'),
        _ => false,
    }
}

fn read_record<'a>(key: &str, value: Value<'_, 'a>, root: Value<'_, 'a>) -> Result<Record<'a>> {
    let fact = match key {
        "context" => return read_context(value).map(Record::Context),
        "deliver" => {
            return read_delivery(value).map(|delivery| Record::Event(Event::Deliver(delivery)));
        }
        "clock" => Fact::Clock(time(value, "/clock")?),
        "evidence" => {
            let fields = Fields::of(
                value,
                "/evidence",
                &["id", "source", "collected_at", "method", "result"],
            )?;
            let (pointer, id) = fields.required("id")?;
            let text = string(id, &pointer)?;
            Fact::Evidence(Evidence {
                id: EvidenceRef::new(text.to_string())
                    .map_err(|_| bad(&pointer, id, "`ev:` and a nonempty suffix"))?,
                source: fields.text("source")?,
                collected_at: {
                    let (pointer, value) = fields.required("collected_at")?;
                    time(value, &pointer)?
                },
                method: fields.text("method")?,
                result: fields.text("result")?,
            })
        }
        "grant" => {
            let fields = Fields::of(
                value,
                "/grant",
                &["ref", "principal", "actions", "not_before", "expires"],
            )?;
            Fact::Grant {
                reference: fields.text("ref")?,
                grant: Grant {
                    principal: fields.text("principal")?,
                    actions: fields
                        .texts("actions")?
                        .map(|actions| actions.into_iter().collect::<BTreeSet<_>>()),
                    not_before: fields.optional_time("not_before")?,
                    expires: fields.optional_time("expires")?,
                },
            }
        }
        "revoke" => Fact::Revoke {
            reference: Fields::of(value, "/revoke", &["ref"])?.text("ref")?,
        },
        "permit" => Fact::Permit {
            commitment: Fields::of(value, "/permit", &["commitment"])?.commitment()?,
        },
        "require_approval" => Fact::RequireApproval {
            commitment: Fields::of(value, "/require_approval", &["commitment"])?.commitment()?,
        },
        "approve" => {
            let fields = Fields::of(value, "/approve", &["commitment", "by"])?;
            Fact::Approve {
                commitment: fields.commitment()?,
                by: fields.text("by")?,
            }
        }
        "confirm" => {
            let fields = Fields::of(value, "/confirm", &["commitment", "condition"])?;
            let (pointer, number) = fields.required("condition")?;
            Fact::Confirm {
                commitment: fields.commitment()?,
                condition: number
                    .as_number()
                    .and_then(|number| number.as_unsigned_integer())
                    .ok_or_else(|| bad(&pointer, number, "an integer of 0 or more"))?,
            }
        }
        "judge" => {
            let fields = Fields::of(value, "/judge", &["commitment", "terms"])?;
            let (pointer, terms) = fields.required("terms")?;
            let word = string(terms, &pointer)?;
            Fact::Judge {
                commitment: fields.commitment()?,
                terms: Judgement::ALL
                    .into_iter()
                    .find(|judgement| judgement.as_str() == word)
                    .ok_or_else(|| bad(&pointer, terms, "satisfied, mismatch or ambiguous"))?,
            }
        }
        "start" => {
            let fields = Fields::of(value, "/start", &["commitment", "action"])?;
            Fact::Start {
                commitment: fields.commitment()?,
                action: fields.text("action")?,
            }
        }
        "finish" => {
            let fields = Fields::of(value, "/finish", &["commitment", "action"])?;
            Fact::Finish {
                commitment: fields.commitment()?,
                action: fields.text("action")?,
            }
        }
        "reconciled" => {
            let fields = Fields::of(value, "/reconciled", &["commitment", "action", "causes"])?;
            fields.required("causes")?;
            Fact::Reconciled {
                commitment: fields.commitment()?,
                action: fields.text("action")?,
                causes: fields.texts("causes")?.unwrap_or_default(),
            }
        }
        _ => {
            return Err(error(
                DocumentCode::UnknownRecord,
                "",
                root,
                format!("`{key}` is no record"),
            ));
        }
    };
    Ok(Record::Event(Event::Fact(fact)))
}

fn read_context(value: Value<'_, '_>) -> Result<Context> {
    let fields = Fields::of(value, "/context", &["id", "participants"])?;
    let id = fields.text("id")?;
    let (pointer, participants) = fields.required("participants")?;
    if participants.kind() != Kind::Object {
        return Err(bad(
            &pointer,
            participants,
            "an object of names and principals",
        ));
    }
    let mut bound = Vec::new();
    for (name, _, principal) in participants.entries() {
        bound.push((name, string(principal, &pointer)?));
    }
    Context::new(id.as_str(), bound).map_err(|code| {
        let sentence = match code {
            DocumentCode::ReservedContext => format!("no context can be named `{id}`"),
            _ => "names and principals have at least one character".into(),
        };
        error(code, "/context", value, sentence)
    })
}

fn read_delivery<'a>(value: Value<'_, 'a>) -> Result<Delivery<'a>> {
    let fields = Fields::of(
        value,
        "/deliver",
        &["principal", "message", "text", "base64"],
    )?;
    let principal = match fields.get("principal") {
        None => None,
        Some((_, principal)) if principal.kind() == Kind::Null => None,
        Some((pointer, principal)) => Some(Cow::Owned(text(principal, &pointer)?.to_string())),
    };
    let payloads = [
        fields.get("message"),
        fields.get("text"),
        fields.get("base64"),
    ];
    let bytes = match payloads {
        [Some((pointer, message)), None, None] => {
            if message.kind() != Kind::Object {
                return Err(error(
                    DocumentCode::ImpossibleMessage,
                    &pointer,
                    message,
                    "what is delivered as `message` is an object",
                ));
            }
            Cow::Borrowed(message.source().as_bytes())
        }
        [None, Some((pointer, text)), None] => {
            Cow::Owned(string(text, &pointer)?.as_bytes().to_vec())
        }
        [None, None, Some((pointer, encoded))] => Cow::Owned(
            BASE64
                .decode(string(encoded, &pointer)?)
                .map_err(|_| bad(&pointer, encoded, "canonical base64 with its padding"))?,
        ),
        _ => {
            let count = payloads.iter().flatten().count();
            return Err(error(
                DocumentCode::NotOnePayload,
                "/deliver",
                value,
                format!("a delivery has exactly one payload, this one has {count}"),
            ));
        }
    };
    Ok(Delivery { principal, bytes })
}

fn write_context(out: &mut String, context: &Context) {
    out.push_str("{\"context\":{\"id\":");
    write_string(out, context.id());
    out.push_str(",\"participants\":{");
    for (index, (name, principal)) in context.participants().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(out, name);
        out.push(':');
        write_string(out, principal);
    }
    out.push_str("}}}");
}

fn write_delivery(out: &mut String, delivery: &Delivery<'_>) {
    out.push_str("{\"deliver\":{");
    // An empty name authenticates nobody, and a document has no word for it (S8.05, S8.09).
    let principal = delivery.principal.as_ref();
    if let Some(principal) = principal.filter(|name| !name.is_empty()) {
        out.push_str("\"principal\":");
        write_string(out, principal);
        out.push(',');
    }
    match core::str::from_utf8(&delivery.bytes) {
        Ok(text) => {
            out.push_str("\"text\":");
            write_string(out, text);
        }
        Err(_) => {
            out.push_str("\"base64\":\"");
            out.push_str(&BASE64.encode(&delivery.bytes));
            out.push('"');
        }
    }
    out.push_str("}}");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::indexing_slicing, reason = "tests")]
    extern crate std;

    use super::Record;
    use crate::wire::delivery;
    use alloc::format;
    use alloc::string::String;

    /// S8.03, S8.07, S8.08: a delivery that is a little damaged is never taken by the direct way and refused by the long one,
    /// nor taken for something else.
    #[test]
    fn s8_07_deliveries_are_read_alike_both_ways() {
        const INSERTED: [&str; 18] = [
            "",
            " ",
            "\"",
            "\\",
            ",",
            ":",
            "{",
            "}",
            "[",
            "]",
            "0",
            "1e400",
            "null",
            "\u{1}",
            "\\ud800",
            "\"text\":\"x\",",
            "\"x\":1,",
            "{}",
        ];
        let message = r#"{"tern":"0.1","x":[1,{"y":"\u00e9"},null,true,-0.5e2],"z":{}}"#;
        let text = r#""{\"tern\":\"0.1\"}\n\u00e9""#;
        let samples = [
            format!(r#"{{"deliver":{{"principal":"key:a","message":{message}}}}}"#),
            format!(r#"{{"deliver":{{"principal":"key:\u0061","text":{text}}}}}"#),
            format!("\t{{ \"deliver\" : {{ \"message\" : {message} , \"principal\" : null }} }} "),
            String::from(r#"{"deliver":{"text":""}}"#),
        ];
        let (mut judged, mut taken) = (0, 0);
        for sample in &samples {
            assert!(delivery(sample.as_bytes()).is_some(), "{sample}");
            for at in 0..sample.len() {
                for removed in [0, 1, 2, 5] {
                    for inserted in INSERTED {
                        let bytes = sample.as_bytes();
                        let rest = bytes.get(at + removed..).unwrap_or_default();
                        let bytes = [&bytes[..at], inserted.as_bytes(), rest].concat();
                        judged += 1;
                        if delivery(&bytes).is_none() {
                            continue;
                        }
                        taken += 1;
                        let shown = String::from_utf8_lossy(&bytes);
                        let long = Record::explained(&bytes);
                        assert_eq!(Record::read(&bytes), long, "{shown}");
                        assert!(long.is_ok(), "{shown}");
                    }
                }
            }
        }
        std::println!("{judged} damaged records, {taken} still records");
        assert!(taken * 50 > judged, "hardly anything was compared");
    }
}
