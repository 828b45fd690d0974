//! What runner and implementation say to each other: JSON Lines over standard input and output.
//!
//! `spec/protocol.md` tells it to implementers, `spec/schemas/protocol.schema.json` to machines.

use std::collections::BTreeSet;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use tern_core::wire::{Json, JsonOptions};

use crate::engine::Outcome;
use crate::shown::shown;

/// The version of this protocol.
pub const PROTOCOL: u64 = 1;

/// The revision of the specification that the vectors check.
pub const SPEC: &str = "0.1";

/// How many characters a text of `hello` may have.
const NAME: usize = 200;

/// What the runner asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Who are you? The first thing that is asked.
    Hello {
        /// The version of the protocol that the runner speaks.
        protocol: u64,
        /// The revision of the specification that it checks.
        spec: String,
    },
    /// Read this document from nothing, under default limits, and say what it comes to.
    Run {
        /// The bytes of a log document, or of a file of bare messages (S8.11).
        document: Bytes,
        /// What the reply must tell beside the outcomes.
        #[serde(deserialize_with = "distinct")]
        answer: BTreeSet<Part>,
    },
    /// There is nothing more: end, with status 0. It has no reply. The braces let no other field in.
    Stop {},
}

/// Exact bytes: a string where they are UTF-8, else `{"base64": "…"}`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Base64 {
                base64: STANDARD.encode(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Text(text) => Ok(Self(text.into_bytes())),
            Written::Base64(Base64 { base64 }) => {
                let bytes = STANDARD.decode(base64);
                bytes.map(Self).map_err(serde::de::Error::custom)
            }
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Base64(Base64),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Base64 {
    base64: String,
}

/// What can be told beside the outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The canonical view (S7.03).
    View,
    /// Its digest (S7.05).
    Digest,
}

/// What an implementation can do beside telling the outcomes of deliveries. What it declares, it must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Read files of bare messages (S8.11).
    Bare,
    /// Tell the canonical view (S7.03).
    View,
    /// Tell the digest of the canonical view (S7.05).
    Digest,
}

impl Capability {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bare, Self::View, Self::Digest];

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::View => "view",
            Self::Digest => "digest",
        }
    }
}

/// What an implementation says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// Who it is.
    Hello(Hello),
    /// What the document comes to.
    Result(Told),
    /// It does not do that.
    Unsupported {
        /// In a sentence.
        why: String,
    },
    /// It could not do it, and says so.
    Error {
        /// In a sentence.
        why: String,
    },
}

/// Who an implementation is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The version of the protocol that it speaks.
    pub protocol: u64,
    /// The revision of the specification that it implements.
    pub spec: String,
    /// Its name.
    pub implementation: String,
    /// Its version.
    pub version: String,
    /// The language that it is written in.
    pub language: String,
    /// What it can do.
    #[serde(deserialize_with = "distinct")]
    pub capabilities: BTreeSet<Capability>,
}

impl Hello {
    /// What the types leave open: its texts stand in every report.
    fn check(&self) -> Result<(), String> {
        let texts = [
            ("spec", &self.spec),
            ("implementation", &self.implementation),
            ("version", &self.version),
            ("language", &self.language),
        ];
        let is_wrong = |text: &str| text.is_empty() || text.chars().count() > NAME;
        match texts.iter().find(|(_, text)| is_wrong(text)) {
            Some((field, text)) if text.is_empty() => Err(format!("`{field}` is empty")),
            Some((field, _)) => Err(format!("`{field}` has more than {NAME} characters")),
            None => Ok(()),
        }
    }
}

/// What a document comes to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The line, counted from 1, for which the whole document is refused; nothing else is told then.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    pub refused: Option<u64>,
    /// What became of each delivery, in their order (S2.15).
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    pub outcomes: Option<Vec<Fate>>,
    /// The canonical view at the end, as a JSON value.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    pub view: Option<Value>,
    /// Lower hex SHA-256 of the canonical JSON of that view.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    pub digest: Option<String>,
}

impl Told {
    /// What the types leave open: which fields go together.
    fn check(&self) -> Result<(), &'static str> {
        match self {
            Self {
                refused: Some(0), ..
            } => Err("line 0; lines are counted from 1"),
            Self {
                refused: Some(_),
                outcomes: None,
                view: None,
                digest: None,
            } => Ok(()),
            Self {
                refused: Some(_), ..
            } => Err("`refused` and something else"),
            Self { outcomes: None, .. } => Err("neither `refused` nor `outcomes`"),
            Self {
                view: Some(view), ..
            } if !view.is_object() => Err("a `view` that is no object"),
            Self {
                digest: Some(digest),
                ..
            } if !is_digest(digest) => {
                Err("a `digest` that is not 64 hexadecimal digits in lower case")
            }
            Self {
                outcomes: Some(outcomes),
                ..
            } => outcomes.iter().try_for_each(Fate::check),
        }
    }
}

/// What became of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    /// `accepted`, `pending`, `duplicate`, `id_conflict` or `rejected`.
    pub outcome: String,
    /// Of what is rejected: at which stage.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    pub class: Option<String>,
    /// Of what is rejected: why. Compared where the class is `reference` or `limit` (S2.15).
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    pub code: Option<String>,
}

fn is_digest(text: &str) -> bool {
    let is_digit = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 64 && text.bytes().all(is_digit)
}

impl Fate {
    fn check(&self) -> Result<(), &'static str> {
        match (self.outcome.as_str(), &self.class, &self.code) {
            ("rejected", Some(_), Some(_)) => Ok(()),
            ("rejected", ..) => Err("`rejected` without `class` and `code`"),
            ("accepted" | "pending" | "duplicate" | "id_conflict", None, None) => Ok(()),
            ("accepted" | "pending" | "duplicate" | "id_conflict", ..) => {
                Err("a `class` or a `code` of what is not rejected")
            }
            _ => Err("an `outcome` that there is not"),
        }
    }

    /// What is normative of it, in words: a code where codes are, else the class.
    #[must_use]
    pub fn words(&self) -> String {
        let Self {
            outcome,
            class,
            code,
        } = self;
        match (class.as_deref(), code.as_deref()) {
            (Some(class @ ("reference" | "limit")), Some(code)) => {
                format!("{outcome}, {class}: {code}")
            }
            (Some(class), _) => format!("{outcome}, {class}"),
            (None, _) => outcome.clone(),
        }
    }
}

impl From<&Outcome> for Fate {
    fn from(outcome: &Outcome) -> Self {
        let said = |outcome: &str| Self {
            outcome: outcome.to_owned(),
            class: None,
            code: None,
        };
        match outcome {
            Outcome::Rejected { class, code } => Self {
                class: Some(class.clone().into_owned()),
                code: Some(code.clone().into_owned()),
                ..said("rejected")
            },
            other => said(other.word()),
        }
    }
}

/// A line that is none of this protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NotOfProtocol {
    /// Its `seq`, if it has one.
    pub seq: Option<u64>,
    /// What is wrong with it.
    pub why: String,
}

/// A request as a line, without its newline.
#[must_use]
pub fn write_request(seq: u64, ask: &Request) -> String {
    write(seq, ask)
}

/// A reply as a line, without its newline.
#[must_use]
pub fn write_reply(seq: u64, say: &Reply) -> String {
    write(seq, say)
}

/// Reads a line of the runner.
///
/// # Errors
/// Where it is no strict JSON, or no request.
pub fn read_request(line: &[u8]) -> Result<(u64, Request), NotOfProtocol> {
    read(line)
}

/// Reads a line of an implementation.
///
/// # Errors
/// Where it is no strict JSON, or no reply.
pub fn read_reply(line: &[u8]) -> Result<(u64, Reply), NotOfProtocol> {
    let (seq, say) = read(line)?;
    let checked = match &say {
        Reply::Result(told) => told.check().map_err(|why| format!("a result with {why}")),
        Reply::Hello(hello) => hello.check(),
        Reply::Unsupported { .. } | Reply::Error { .. } => Ok(()),
    };
    match checked {
        Ok(()) => Ok((seq, say)),
        Err(why) => Err(NotOfProtocol {
            seq: Some(seq),
            why,
        }),
    }
}

/// An optional field is there or not; null is no value for it.
fn not_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A list in which nothing stands twice.
fn distinct<'de, T: Deserialize<'de> + Ord, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeSet<T>, D::Error> {
    let listed = Vec::<T>::deserialize(deserializer)?;
    let count = listed.len();
    let set = BTreeSet::from_iter(listed);
    if set.len() < count {
        return Err(serde::de::Error::custom("a list with something twice"));
    }
    Ok(set)
}

fn write(seq: u64, said: &impl Serialize) -> String {
    let mut object = serde_json::Map::from_iter([("seq".to_owned(), seq.into())]);
    if let Ok(Value::Object(said)) = serde_json::to_value(said) {
        object.extend(said);
    }
    Value::Object(object).to_string()
}

fn read<T: DeserializeOwned>(line: &[u8]) -> Result<(u64, T), NotOfProtocol> {
    let without = |why| NotOfProtocol { seq: None, why };
    Json::read(line, JsonOptions::STRICT)
        .map_err(|finding| without(format!("no strict JSON: {finding}")))?;
    let value = serde_json::from_slice(line)
        .map_err(|error| without(format!("no JSON that can be kept: {error}")))?;
    let Value::Object(mut object) = value else {
        return Err(without("no JSON object".to_owned()));
    };
    let seq = object.remove("seq").as_ref().and_then(Value::as_u64);
    let Some(seq) = seq else {
        return Err(without("no `seq` that is a number from 0".to_owned()));
    };
    match serde_json::from_value(Value::Object(object)) {
        Ok(said) => Ok((seq, said)),
        Err(error) => Err(NotOfProtocol {
            seq: Some(seq),
            why: error.to_string(),
        }),
    }
}
