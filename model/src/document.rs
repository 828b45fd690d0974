//! §15 The log document, §16 Bare messages.

use crate::json::{self, Object, Reading, Value, is_blank, texts_of};
use crate::shape::{EVIDENCE, check, check_fields};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A log document that could be read: a context, and records in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The record `context`; none for the context `unverified` (S8.11).
    pub(crate) context: Option<Object>,
    records: Vec<Record>,
}

/// Why a log document is refused as a whole (S8.02).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The line with the error, counted from 1.
    pub line: usize,
    /// The code of the error.
    pub reason: String,
}

/// A delivery or a local fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    line: usize,
    pub(crate) key: String,
    /// What stands under the key.
    pub(crate) value: Value,
    /// What a delivery delivers.
    pub(crate) bytes: Vec<u8>,
}

impl Record {
    /// The line where it begins, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Whether it is a delivery.
    pub fn is_delivery(&self) -> bool {
        self.key == "deliver"
    }

    /// The value under a field.
    pub(crate) fn field(&self, field: &str) -> Option<&Value> {
        self.value.as_object().and_then(|fields| fields.get(field))
    }

    /// The string under a field.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.field(field).and_then(Value::as_text)
    }

    /// The strings in the array under a field.
    pub(crate) fn texts(&self, field: &str) -> impl Iterator<Item = &str> {
        let fields = self.value.as_object().into_iter();
        fields.flat_map(move |fields| texts_of(fields, field))
    }
}

/// S8.01, S8.05: the fields of the records, in the notation of the tables of §3. The value of `clock` is
/// a time.
fn record_fields(key: &str) -> Option<&'static str> {
    Some(match key {
        "context" => "id text, participants names to texts",
        "deliver" => "principal? text or null, message? object, text? string, base64? string",
        "grant" => "ref text, principal text, actions? [text], not_before? time, expires? time",
        "revoke" => "ref text",
        "permit" | "require_approval" => "commitment ref",
        "approve" => "commitment ref, by text",
        "confirm" => "commitment ref, condition count",
        "judge" => "commitment ref, terms satisfied/mismatch/ambiguous",
        "evidence" => EVIDENCE,
        "clock" => "",
        "start" | "finish" => "commitment ref, action text",
        "reconciled" => "commitment ref, action text, causes [text]",
        _ => return None,
    })
}

/// No field of a record lies deeper; what is in `message` is read when it is delivered.
const DEEPEST: usize = 4;

impl Document {
    /// Reads a log document or bare messages.
    pub fn read(bytes: &[u8]) -> Result<Document, Broken> {
        let lines = lines(bytes);
        // S8.10: by an object with one of the keys, be it a valid record or not.
        let first = lines.first().and_then(|line| read_object(line));
        let first = first.as_ref().and_then(|reading| reading.value.as_object());
        if first.is_some_and(|object| object.keys().any(|key| record_fields(key).is_some())) {
            return read_records(&lines);
        }
        // S8.11: the file is one object, or each line is a delivery.
        let whole = lines.len() > 1 && read_object(bytes).is_some();
        let deliveries = if whole { vec![bytes] } else { lines };
        let numbered = (1..).zip(deliveries);
        let records = numbered.map(|(line, bytes)| record(line, "deliver", Value::Null, bytes));
        Ok(Document {
            context: None,
            records: records.collect(),
        })
    }

    /// Everything after the context record, without repetitions of it.
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

fn record(line: usize, key: &str, value: Value, bytes: &[u8]) -> Record {
    Record {
        line,
        key: key.to_string(),
        value,
        bytes: bytes.to_vec(),
    }
}

/// the newline after the last line is optional.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter(|_| !bytes.is_empty()).collect()
}

/// One object by the grammar of JSON.
fn read_object(bytes: &[u8]) -> Option<Reading> {
    let text = str::from_utf8(bytes).ok()?;
    let reading = json::read(text, DEEPEST).ok()?;
    reading.value.as_object().is_some().then_some(reading)
}

/// S8.02: the first error refuses the whole.
fn read_records(lines: &[&[u8]]) -> Result<Document, Broken> {
    let mut document = Document {
        context: None,
        records: Vec::new(),
    };
    for (line, bytes) in (1..).zip(lines) {
        let read = read_record(line, bytes, document.context.as_ref());
        let record = read.map_err(|code| Broken {
            line,
            reason: code.to_string(),
        })?;
        match record.value {
            Value::Object(context) if record.key == "context" => document.context = Some(context),
            _ => document.records.push(record),
        }
    }
    Ok(document)
}

/// One line, after the context that was read so far.
fn read_record(
    line: usize,
    bytes: &[u8],
    context: Option<&Object>,
) -> Result<Record, &'static str> {
    // S8.03
    if is_blank(bytes) {
        return Err("document_blank_line");
    }
    let reading = read_object(bytes).filter(|reading| reading.flaw.is_none());
    let reading = reading.ok_or("document_broken_line")?;
    // S8.04
    let mut members = reading.value.as_object().into_iter().flatten();
    let (Some((key, value)), None) = (members.next(), members.next()) else {
        return Err("document_unknown_record");
    };
    let fields = record_fields(key).ok_or("document_unknown_record")?;
    // S8.06
    if key != "context" && context.is_none() {
        return Err("document_before_context");
    }
    // S8.08
    let mut record = record(line, key, value.clone(), b"");
    let message = record.field("message").filter(|_| record.is_delivery());
    let is_object = |value: &Value| value.as_object().is_some();
    if reading.message_flaw.is_some() || message.is_some_and(|message| !is_object(message)) {
        return Err("document_impossible_message");
    }
    // S8.05
    let checked = match value {
        Value::Object(members) if key != "clock" => check_fields(members, fields),
        value => check(value, if key == "clock" { "time" } else { "" }),
    };
    checked.map_err(|code| match code {
        "missing_field" => "document_missing_field",
        "unknown_field" => "document_unknown_field",
        _ => "document_bad_value",
    })?;
    if key == "context" {
        // S8.06
        if record.text("id") == Some("unverified") {
            return Err("document_reserved_context");
        }
        if context.is_some_and(|context| value.as_object() != Some(context)) {
            return Err("document_second_context");
        }
    }
    if record.is_delivery() {
        let message = reading.message.and_then(|range| bytes.get(range));
        record.bytes = payload(&record, message)?;
    }
    Ok(record)
}

/// S8.07: exactly one of the source text of `message`, the UTF-8 of `text`, the bytes of `base64`.
fn payload(record: &Record, message: Option<&[u8]>) -> Result<Vec<u8>, &'static str> {
    match (message, record.text("text"), record.text("base64")) {
        (Some(message), None, None) => Ok(message.to_vec()),
        (None, Some(text), None) => Ok(text.as_bytes().to_vec()),
        (None, None, Some(base64)) => STANDARD.decode(base64).map_err(|_| "document_bad_value"),
        _ => Err("document_not_one_payload"),
    }
}
