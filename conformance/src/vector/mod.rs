//! Test vectors: scenarios with what every implementation must say of them.
//!
//! `spec/vectors/README.md` tells the format to people, `spec/schemas/vectors.schema.json` to machines.

mod files;
mod found;
mod judge;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tern_core::log;
use tern_core::wire::{Digest, Json, JsonOptions, canonical};

pub use files::{FILES, all, read_retired, retired};
pub(crate) use judge::cut;
pub use judge::{Mismatch, Place};

use crate::protocol::{Bytes, Fate};

/// A themed file of vectors.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// What they have in common.
    pub title: String,
    /// In the order of their ids.
    pub vectors: Vec<Vector>,
}

/// A scenario, and what is to be said of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Permanent: never given to another scenario.
    pub id: String,
    /// Lower hex SHA-256 of its canonical JSON without this field.
    #[serde(default)]
    pub hash: String,
    /// What happens, in a line.
    pub title: String,
    /// How much it takes: 1 one message, 2 references, duplicates and identity, 3 chains and conflicts, 4
    /// commitments, 5 readiness and reconciliation.
    pub level: u8,
    /// Which entries of `spec/clauses.toml` it checks.
    pub checks: Vec<Check>,
    /// The lines of the file.
    pub log: Vec<Line>,
    /// Whether the file ends without a newline after its last line.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open_end: bool,
    /// In which orders the records after the context are delivered.
    #[serde(default, skip_serializing_if = "Orders::is_given")]
    pub orders: Orders,
    /// What is to be said.
    pub expect: Expect,
}

/// An entry of the specification that a vector checks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its id.
    pub clause: String,
    /// How binding it is.
    #[serde(default = "reading")]
    pub level: Level,
    /// Whether the scenario is one in which the entry takes effect, or comes near and does not.
    pub side: Side,
}

/// How binding an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// It demands.
    MUST,
    /// It recommends.
    SHOULD,
    /// It allows.
    MAY,
    /// It defines.
    FACT,
    /// It is a choice where the text is open.
    #[serde(rename = "reading")]
    Reading,
}

/// On which side of a rule a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The rule takes effect.
    Applies,
    /// What the rule speaks of is near, and does not hold.
    Spares,
}

/// A line of a file. An object with `base64` is bytes, or an error: no record has that key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// These bytes.
    Exact(Bytes),
    /// A record; how it is written does not matter.
    Record(serde_json::Map<String, Value>),
}

/// In which orders a log is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orders {
    /// As it stands.
    #[default]
    Given,
    /// In every order: each comes to the same view. The outcomes are those of the order given.
    All,
}

/// What is to be said.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Expect {
    /// The document is broken.
    Refused(Refused),
    /// It is read.
    Read(Read),
}

/// A broken document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The line at fault, counted from 1.
    pub refused: u64,
}

/// A document that is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// What becomes of each delivery, in the order given.
    pub outcomes: Vec<Fate>,
    /// Parts of the view at the end, by JSON pointer (RFC 6901).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub view: BTreeMap<String, Value>,
    /// Places, by JSON pointer, that the view at the end does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// The digest of the view at the end.
    #[serde(default)]
    pub digest: String,
}

impl Orders {
    const fn is_given(&self) -> bool {
        matches!(self, Self::Given)
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(record) if !record.contains_key("base64") => Ok(Self::Record(record)),
            exact => match serde_json::from_value(exact) {
                Ok(bytes) => Ok(Self::Exact(bytes)),
                Err(error) => Err(serde::de::Error::custom(format!("a line: {error}"))),
            },
        }
    }
}

impl Line {
    /// Its bytes, without a newline.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Exact(bytes) => bytes.0.clone(),
            Self::Record(record) => Value::Object(record.clone()).to_string().into_bytes(),
        }
    }
}

impl Vector {
    /// The bytes of the file, with its lines in this order: each with its newline, but for the last where
    /// the end is open.
    #[must_use]
    pub fn document(&self, order: &[usize]) -> Vec<u8> {
        let mut document = Vec::new();
        for line in order.iter().filter_map(|&index| self.log.get(index)) {
            document.extend(line.bytes());
            document.push(b'\n');
        }
        if self.open_end {
            document.pop();
        }
        document
    }

    /// The orders of the lines in which it is delivered, the order given first.
    #[must_use]
    pub fn orders(&self) -> Vec<Vec<usize>> {
        let given: Vec<usize> = (0..self.log.len()).collect();
        match self.orders {
            Orders::Given => vec![given],
            Orders::All => permutations(given, 1),
        }
    }

    /// What its hash has to be.
    ///
    /// # Errors
    /// Where it cannot be written as JSON.
    pub fn content_hash(&self) -> Result<String, serde_json::Error> {
        let mut value = serde_json::to_value(self)?;
        if let Value::Object(fields) = &mut value {
            fields.remove("hash");
        }
        digest_of(&value).ok_or_else(|| serde::ser::Error::custom("no canonical JSON"))
    }

    /// The ids of the entries that it checks, each once.
    #[must_use]
    pub fn clauses(&self) -> Vec<&str> {
        let mut clauses: Vec<&str> = self.checks.iter().map(|it| &*it.clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }

    /// Whether the document has to be refused as a whole.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        matches!(self.expect, Expect::Refused(_))
    }

    /// Whether it is a file of bare messages, and no log document (S8.11).
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let first = self.log.first().map(Line::bytes);
        !first.is_some_and(|line| log::begins_document(&line))
    }
}

/// How much a scenario takes, by what its view shows: commitments are level 5, chains 3, anything else 1.
#[must_use]
pub fn level_of(view: &Value) -> u8 {
    let has = |part: &str| {
        let part = view.get(part).and_then(Value::as_object);
        part.is_some_and(|it| !it.is_empty())
    };
    if has("commitments") {
        5
    } else if has("chains") {
        3
    } else {
        1
    }
}

/// The canonical JSON of a value (S7.03, S7.04).
pub(crate) fn canonical_of(value: &Value) -> Option<String> {
    let text = value.to_string();
    let json = Json::read(text.as_bytes(), JsonOptions::STRICT).ok()?;
    Some(canonical(json.root()))
}

/// Which vectors these are: lower hex SHA-256 over their ids and hashes, in the order of the ids.
pub(crate) fn digest(vectors: &[&Vector]) -> String {
    let sorted: BTreeMap<&str, &str> = vectors.iter().map(|it| (&*it.id, &*it.hash)).collect();
    let lines = sorted.iter().map(|(id, hash)| format!("{id} {hash}\n"));
    Digest::of(lines.collect::<String>().as_bytes()).to_string()
}

/// The digest of a value (S7.05).
fn digest_of(value: &Value) -> Option<String> {
    let canonical = canonical_of(value)?;
    Some(Digest::of(canonical.as_bytes()).to_string())
}

/// All orders of these, of which the first `fixed` stay where they are.
fn permutations(items: Vec<usize>, fixed: usize) -> Vec<Vec<usize>> {
    if fixed + 1 >= items.len() {
        return vec![items];
    }
    let mut all = Vec::new();
    for place in fixed..items.len() {
        let mut next = items.clone();
        let chosen = next.remove(place);
        next.insert(fixed, chosen);
        all.extend(permutations(next, fixed + 1));
    }
    all
}

const fn reading() -> Level {
    Level::Reading
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
const fn is_false(it: &bool) -> bool {
    !*it
}
