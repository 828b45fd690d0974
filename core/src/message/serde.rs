//! Messages in and out of serde. The strict reader alone decides what a message is, so reading
//! goes through the source text; writing keeps `extensions` as text, so that numbers stay exact.

use super::tree::{Canonical, InTable};
use super::{Evidence, Message};
use crate::wire::{self, Limits};
use alloc::boxed::Box;
use alloc::string::String;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::value::RawValue;

impl Message<'_> {
    /// The canonical JSON of the whole message (S7.03, S7.04); its SHA-256 is the digest (S7.05).
    ///
    /// ```
    /// use tern_core::{message::Message, wire::{Digest, Limits, read}};
    /// let bytes = br#"{"tern": "0.1", "id": "a:2", "from": "a", "to": ["b"], "thread": "t",
    ///                  "reply": null, "act": "ACK", "body": {"target": "b:1"}}"#;
    /// let parsed = read(bytes, &Limits::default()).unwrap();
    /// let canonical = parsed.message.to_canonical_json();
    /// assert!(canonical.starts_with(r#"{"act":"ACK","body":{"target":"b:1"},"from":"a","#));
    /// assert_eq!(Digest::of(canonical.as_bytes()), parsed.digest);
    /// ```
    #[must_use]
    pub fn to_canonical_json(&self) -> String {
        self.canonical().json
    }

    /// The same, and where in it what has digests of its own stands.
    pub(crate) fn canonical(&self) -> Canonical {
        Canonical::of_message(self)
    }
}

impl Evidence<'_> {
    /// The canonical JSON of the object (S7.03, S7.04).
    #[must_use]
    pub fn to_canonical_json(&self) -> String {
        Canonical::of_evidence(self).json
    }
}

/// The message as its wire object, fields in the order of the table.
impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        InTable(self).serialize(serializer)
    }
}

/// Through the strict reader, with the default limits; only from serde_json.
impl<'de> Deserialize<'de> for Message<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = Box::<RawValue>::deserialize(deserializer)?;
        wire::message(source.get().as_bytes(), &Limits::default())
            .map(Message::into_owned)
            .map_err(D::Error::custom)
    }
}

/// The object as the wire has it, fields in the order of the table.
impl Serialize for Evidence<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        InTable(self).serialize(serializer)
    }
}

/// Through the strict reader, with the default limits; only from serde_json.
impl<'de> Deserialize<'de> for Evidence<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = Box::<RawValue>::deserialize(deserializer)?;
        wire::read_evidence(source.get().as_bytes(), &Limits::default())
            .map(Evidence::into_owned)
            .map_err(D::Error::custom)
    }
}
