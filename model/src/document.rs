//! §15 The log document, §16 Bare messages.

use crate::json::{Code, Object, Reading, Value, is_blank, read, require, text_of};
use crate::shape::{EVIDENCE, check, check_fields};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A log document that could be read: a context, and records in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What its record `context` says; `unverified` has no participants (S8.11).
    pub(crate) context: Object,
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
    fn new(line: usize, key: &str, value: Value, bytes: &[u8]) -> Record {
        let (key, bytes) = (key.to_string(), bytes.to_vec());
        Record {
            line,
            key,
            value,
            bytes,
        }
    }

    /// The line where it begins, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Whether it is a delivery.
    pub fn is_delivery(&self) -> bool {
        self.key == "deliver"
    }

    /// The string under a field.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        text_of(self.value.as_object()?, field)
    }
}

/// S8.01, S8.05: the fields of the records, in the notation of §3; the value of `clock` is a time.
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
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let whole = lines.len() > 1 && read_object(text).is_some();
        let deliveries = if whole { vec![text] } else { lines };
        let record = |(line, bytes)| Record::new(line, "deliver", Value::Null, bytes);
        let id = Value::Text(String::from("unverified"));
        Ok(Document {
            context: Object::from([(String::from("id"), id)]),
            records: (1..).zip(deliveries).map(record).collect(),
        })
    }

    /// Everything after the context record, without repetitions of it.
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

/// the newline after the last line is optional.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter(|_| !bytes.is_empty()).collect()
}

/// One object by the grammar of JSON. Records need three levels; `message` is read when delivered.
fn read_object(bytes: &[u8]) -> Option<Reading<'_>> {
    let text = str::from_utf8(bytes).ok()?;
    let reading = read(text, 3).ok()?;
    reading.value.as_object().is_some().then_some(reading)
}

/// S8.02: the first error refuses the whole.
fn read_records(lines: &[&[u8]]) -> Result<Document, Broken> {
    let (mut context, mut records) = (None, Vec::new());
    for (line, bytes) in (1..).zip(lines) {
        let read = read_record(line, bytes, context.as_ref()).map_err(String::from);
        let record = read.map_err(|reason| Broken { line, reason })?;
        match record.value {
            Value::Object(fields) if record.key == "context" => context = Some(fields),
            _ => records.push(record),
        }
    }
    let context = context.unwrap_or_default();
    Ok(Document { context, records })
}

/// One line, after the context that was read before it.
fn read_record(line: usize, bytes: &[u8], context: Option<&Object>) -> Result<Record, Code> {
    require(!is_blank(bytes), "document_blank_line")?; // S8.03
    let reading = read_object(bytes).ok_or("document_broken_line")?;
    let is_broken = reading.flaws.iter().any(|(_, in_message)| !in_message);
    require(!is_broken, "document_broken_line")?;
    let mut members = reading.value.as_object().into_iter().flatten();
    let (Some((key, value)), None) = (members.next(), members.next()) else {
        return Err("document_unknown_record"); // S8.04
    };
    let fields = record_fields(key).ok_or("document_unknown_record")?;
    let after_context = context.is_some() || key == "context";
    require(after_context, "document_before_context")?; // S8.06
    let members = value.as_object().ok_or("document_bad_value");
    if key == "deliver" {
        // S8.08
        let has_message = members?.contains_key("message");
        let possible = reading.flaws.is_empty() && has_message == reading.message.is_some();
        require(possible, "document_impossible_message")?;
    }
    // S8.05
    let checked = match key.as_str() {
        "clock" => check(value, "time"),
        _ => check_fields(members?, fields),
    };
    checked.map_err(|code| match code {
        "missing_field" => "document_missing_field",
        "unknown_field" => "document_unknown_field",
        _ => "document_bad_value",
    })?;
    let mut record = Record::new(line, key, value.clone(), b"");
    if key == "context" {
        // S8.06
        let reserved = record.text("id") == Some("unverified");
        require(!reserved, "document_reserved_context")?;
        let same = context.is_none_or(|context| members == Ok(context));
        require(same, "document_second_context")?;
    }
    if key == "deliver" {
        record.bytes = payload(&record, reading.message)?;
    }
    Ok(record)
}

/// S8.07: exactly one of the source text of `message`, the UTF-8 of `text`, the bytes of `base64`.
fn payload(record: &Record, message: Option<&str>) -> Result<Vec<u8>, Code> {
    match (message, record.text("text"), record.text("base64")) {
        (Some(text), None, None) | (None, Some(text), None) => Ok(text.as_bytes().to_vec()),
        (None, None, Some(base64)) => STANDARD.decode(base64).map_err(|_| "document_bad_value"),
        _ => Err("document_not_one_payload"),
    }
}
