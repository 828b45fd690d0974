//! What is expected of an implementation, against what it told.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Expect, Read, Vector, digest_of};
use crate::differ;
use crate::engine::{Ask, Engine as _, Model};
use crate::protocol::{Fate, Part, Told};

/// Where an implementation told something wrong. Written as it is shown: `delivery 2`, `view /messages/a:1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Place {
    /// Whether the document is read, and the line for which it is not.
    Document,
    /// The outcome of a delivery, from 1.
    Delivery(usize),
    /// How many outcomes there are.
    Outcomes,
    /// The view, at a JSON pointer.
    View(String),
    /// The digest of the view.
    Digest,
    /// The reply itself: it is none.
    Reply,
    /// The `hello` of a later process.
    Hello,
    /// A second answer, which was another.
    Again,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document => f.write_str("document"),
            Self::Delivery(number) => write!(f, "delivery {number}"),
            Self::Outcomes => f.write_str("outcomes"),
            Self::View(pointer) => write!(f, "view {pointer}"),
            Self::Digest => f.write_str("digest"),
            Self::Reply => f.write_str("reply"),
            Self::Hello => f.write_str("hello"),
            Self::Again => f.write_str("the same again"),
        }
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.to_string()
    }
}

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let plain = [
            Self::Document,
            Self::Outcomes,
            Self::Digest,
            Self::Reply,
            Self::Hello,
            Self::Again,
        ];
        if let Some(place) = plain.into_iter().find(|it| it.to_string() == text) {
            return Ok(place);
        }
        let delivery = text
            .strip_prefix("delivery ")
            .and_then(|it| it.parse().ok());
        match (delivery, text.strip_prefix("view ")) {
            (Some(number), _) => Ok(Self::Delivery(number)),
            (None, Some(pointer)) => Ok(Self::View(pointer.to_owned())),
            (None, None) => Err(format!("no place in what is told: `{text}`")),
        }
    }
}

/// One thing that an implementation told wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// Where.
    pub at: Place,
    /// What is right; none where nothing may be there.
    pub expected: Option<String>,
    /// What it told; none where it told nothing.
    pub told: Option<String>,
}

impl Mismatch {
    /// About the reply itself.
    pub(crate) const fn told(at: Place, told: String) -> Self {
        Self {
            at,
            expected: None,
            told: Some(told),
        }
    }

    /// Whether this is about the reply itself, and nothing is expected of it but that it is right.
    #[must_use]
    pub fn is_no_answer(&self) -> bool {
        matches!(self.at, Place::Reply | Place::Hello | Place::Again)
    }

    /// Where within two objects or two lists the first difference is (a JSON pointer), what is right there and
    /// what was told; none where the two are no such values.
    #[must_use]
    pub fn within(&self) -> Option<Self> {
        let Place::View(pointer) = &self.at else {
            return None;
        };
        let read = |text: &Option<String>| {
            let value: Value = serde_json::from_str(text.as_deref()?).ok()?;
            (value.is_object() || value.is_array()).then_some(value)
        };
        let (expected, told) = (read(&self.expected)?, read(&self.told)?);
        let (further, expected, told) = differ::first_difference(&expected, &told);
        (!further.is_empty()).then(|| Self {
            at: Place::View(format!("{pointer}{further}")),
            expected,
            told,
        })
    }
}

impl Mismatch {
    /// With the beginnings of texts that are longer than so many bytes. Of objects and lists that are too long, the
    /// place within where they first differ.
    pub(crate) fn cut(self, longest: usize) -> Self {
        let is_long = |it: &Option<String>| it.as_ref().is_some_and(|it| it.len() > longest);
        let is_too_long = is_long(&self.expected) || is_long(&self.told);
        let narrower = is_too_long.then(|| self.within()).flatten();
        let is_short = |it: &Self| it.at.to_string().len() <= longest / 8;
        let Self { at, expected, told } = narrower.filter(is_short).unwrap_or(self);
        Self {
            at: match at {
                Place::View(pointer) => Place::View(cut(pointer, longest)),
                at => at,
            },
            expected: expected.map(|it| cut(it, longest)),
            told: told.map(|it| cut(it, longest)),
        }
    }
}

/// The beginning of a text that is longer than so many bytes, with its length; any other as it is.
pub(crate) fn cut(mut text: String, longest: usize) -> String {
    if text.len() > longest {
        let all = text.len();
        text.truncate(text.floor_char_boundary(longest));
        text += &format!("… ({all} bytes)");
    }
    text
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nothing = || "nothing".to_owned();
        let expected = self.expected.clone().unwrap_or_else(nothing);
        let told = self.told.clone().unwrap_or_else(nothing);
        if self.is_no_answer() {
            return write!(f, "{}: {told}", self.at);
        }
        write!(f, "{}: expected {expected}, told {told}", self.at)
    }
}

impl Vector {
    /// What is wrong with what an implementation told of this vector, in the given order or another one, of
    /// which only what the log comes to is known, and how many outcomes there are. `asked` is what it had to tell.
    #[must_use]
    pub fn judge(&self, told: &Told, order: &[usize], asked: &BTreeSet<Part>) -> Vec<Mismatch> {
        let read = match &self.expect {
            Expect::Refused(refused) => {
                let line = |line: u64| format!("refused at line {line}");
                let told = told.refused.map_or_else(|| "read".to_owned(), line);
                return differ(Place::Document, line(refused.refused), told);
            }
            Expect::Read(read) => read,
        };
        if let Some(line) = told.refused {
            return differ(
                Place::Document,
                "read".into(),
                format!("refused at line {line}"),
            );
        }
        let told_outcomes = told.outcomes.as_deref().unwrap_or_default();
        let mut wrong = if order.is_sorted() {
            outcomes(&read.outcomes, told_outcomes)
        } else {
            let count = |outcomes: &[Fate]| format!("{} outcomes", outcomes.len());
            differ(Place::Outcomes, count(&read.outcomes), count(told_outcomes))
        };
        if asked.contains(&Part::View) {
            let before = wrong.len();
            wrong.extend(view(read, told.view.as_ref()));
            let digest = told.view.as_ref().and_then(digest_of);
            if wrong.len() == before && digest.as_ref() != Some(&read.digest) {
                wrong.push(self.elsewhere(order, told));
            }
        }
        if asked.contains(&Part::Digest) && told.digest.as_ref() != Some(&read.digest) {
            wrong.push(Mismatch {
                at: Place::Digest,
                expected: Some(read.digest.clone()),
                told: told.digest.clone(),
            });
        }
        wrong
    }

    /// Where the view that was told parts from that of the reference model, for a digest alone explains
    /// nothing.
    fn elsewhere(&self, order: &[usize], told: &Told) -> Mismatch {
        let answer = Model::default().run(&self.document(order), Ask::ViewAtEnd);
        let right = answer.ok().and_then(|answer| {
            let view = answer.view()?;
            serde_json::from_str::<Value>(&view.json).ok()
        });
        let view = told.view.clone().unwrap_or_default();
        let (pointer, expected, told) = differ::first_difference(&right.unwrap_or_default(), &view);
        Mismatch {
            at: Place::View(pointer),
            expected,
            told,
        }
    }
}

fn differ(at: Place, expected: String, told: String) -> Vec<Mismatch> {
    if expected == told {
        return Vec::new();
    }
    vec![Mismatch {
        at,
        expected: Some(expected),
        told: Some(told),
    }]
}

fn outcomes(expected: &[Fate], told: &[Fate]) -> Vec<Mismatch> {
    let mut wrong = Vec::new();
    for (index, expected) in expected.iter().enumerate() {
        let (expected, told) = (Some(expected.words()), told.get(index).map(Fate::words));
        if expected != told {
            wrong.push(Mismatch {
                at: Place::Delivery(index + 1),
                expected,
                told,
            });
        }
    }
    // However many are too many, they are one mistake.
    let extra = told.get(expected.len()..).unwrap_or_default();
    if let Some(first) = extra.first() {
        let more = match extra.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        wrong.push(Mismatch {
            at: Place::Delivery(expected.len() + 1),
            expected: None,
            told: Some(first.words() + &more),
        });
    }
    wrong
}

fn view(read: &Read, told: Option<&Value>) -> Vec<Mismatch> {
    let there = |pointer: &str| told.and_then(|view| view.pointer(pointer));
    let places = read.view.iter().filter_map(|(pointer, expected)| {
        let found = there(pointer);
        (found != Some(expected)).then(|| Mismatch {
            at: Place::View(pointer.clone()),
            expected: Some(expected.to_string()),
            told: found.map(Value::to_string),
        })
    });
    let absent = read.absent.iter().filter_map(|pointer| {
        there(pointer).map(|found| Mismatch {
            at: Place::View(pointer.clone()),
            expected: None,
            told: Some(found.to_string()),
        })
    });
    places.chain(absent).collect()
}
