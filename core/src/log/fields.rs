//! The fields of a record: no others than it has, each of its type and form (S8.05).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::record::{RecordError, Result};
use crate::DocumentCode;
use crate::message::{Reference, Text, Timestamp};
use crate::wire::{Kind, Value};

/// The fields of an object that has no others.
pub(super) struct Fields<'p, 'j, 'a> {
    value: Value<'j, 'a>,
    pointer: &'p str,
}

impl<'p, 'j, 'a> Fields<'p, 'j, 'a> {
    pub(super) fn of(value: Value<'j, 'a>, pointer: &'p str, known: &[&str]) -> Result<Self> {
        if value.kind() != Kind::Object {
            return Err(bad(pointer, value, "an object"));
        }
        for (key, _, field) in value.entries() {
            if !known.contains(&key) {
                return Err(error(
                    DocumentCode::UnknownField,
                    pointer,
                    field,
                    format!(
                        "there is no field `{key}` here; the fields are {}",
                        known.join(", ")
                    ),
                ));
            }
        }
        Ok(Self { value, pointer })
    }

    pub(super) fn get(&self, key: &str) -> Option<(String, Value<'j, 'a>)> {
        let value = self.value.get(key)?;
        Some((format!("{}/{key}", self.pointer), value))
    }

    pub(super) fn required(&self, key: &str) -> Result<(String, Value<'j, 'a>)> {
        self.get(key).ok_or_else(|| {
            error(
                DocumentCode::MissingField,
                self.pointer,
                self.value,
                format!("field `{key}` is missing"),
            )
        })
    }

    pub(super) fn text(&self, key: &str) -> Result<Text<'static>> {
        let (pointer, value) = self.required(key)?;
        text(value, &pointer)
    }

    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<Text<'static>>>> {
        let Some((pointer, value)) = self.get(key) else {
            return Ok(None);
        };
        if value.kind() != Kind::Array {
            return Err(bad(&pointer, value, "a list of texts"));
        }
        value
            .items()
            .map(|item| text(item, &pointer))
            .collect::<Result<Vec<_>>>()
            .map(Some)
    }

    pub(super) fn commitment(&self) -> Result<Reference<'static>> {
        let (pointer, value) = self.required("commitment")?;
        Reference::new(string(value, &pointer)?.to_string())
            .map_err(|_| bad(&pointer, value, "a reference `sender:suffix`"))
    }

    pub(super) fn optional_time(&self, key: &str) -> Result<Option<Timestamp<'static>>> {
        self.get(key)
            .map(|(pointer, value)| time(value, &pointer))
            .transpose()
    }
}

pub(super) fn string<'j>(value: Value<'j, '_>, pointer: &str) -> Result<&'j str> {
    value
        .as_str()
        .ok_or_else(|| bad(pointer, value, "a string"))
}

pub(super) fn text(value: Value<'_, '_>, pointer: &str) -> Result<Text<'static>> {
    Text::new(string(value, pointer)?.to_string())
        .map_err(|_| bad(pointer, value, "a text of at least one character"))
}

pub(super) fn time(value: Value<'_, '_>, pointer: &str) -> Result<Timestamp<'static>> {
    Timestamp::new(string(value, pointer)?.to_string())
        .map_err(|_| bad(pointer, value, "an RFC 3339 timestamp"))
}

pub(super) fn bad(pointer: &str, value: Value<'_, '_>, expected: &str) -> RecordError {
    error(
        DocumentCode::BadValue,
        pointer,
        value,
        format!("`{pointer}` must be {expected}"),
    )
}

pub(super) fn error(
    code: DocumentCode,
    pointer: &str,
    value: Value<'_, '_>,
    message: impl Into<String>,
) -> RecordError {
    RecordError {
        code,
        pointer: pointer.into(),
        span: value.span(),
        message: message.into(),
    }
}
