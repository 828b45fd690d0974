//! What a message carries beyond the language, kept as written (T1.14, T1.15).

use crate::Code;
use crate::wire::{Json, JsonOptions, Kind, canonical};
use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

/// The text of one strict JSON object, without white space around it (T1.14, R-02).
///
/// Two are equal when their canonical JSON is: key order, white space, escapes and the spelling of
/// numbers do not count. Hash and order follow the same form.
///
/// ```
/// use tern_core::message::RawObject;
/// let one = RawObject::new(r#"{"x": 1.0, "y": "A"}"#).unwrap();
/// let two = RawObject::new(r#"{"y":"\u0041","x":10e-1}"#).unwrap();
/// assert_eq!(one, two);
/// assert_eq!(one.as_str(), r#"{"x": 1.0, "y": "A"}"#);
/// ```
#[derive(Clone, Debug)]
pub struct RawObject<'a>(Cow<'a, str>);

impl<'a> RawObject<'a> {
    /// Reads a text as strict JSON, at any depth, and keeps it.
    ///
    /// # Errors
    ///
    /// The code of stage 1 that the text offends; [`Code::NotAnObject`] for any other value.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Result<Self, Code> {
        let text = text.into();
        let json =
            Json::read(text.as_bytes(), JsonOptions::STRICT).map_err(|finding| finding.code)?;
        if json.root().kind() != Kind::Object {
            return Err(Code::NotAnObject);
        }
        let span = json.root().span();
        drop(json);
        if span == (0..text.len()) {
            return Ok(Self(text));
        }
        Ok(Self(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(span).unwrap_or_default()),
            Cow::Owned(text) => Cow::Owned(text.get(span).unwrap_or_default().into()),
        }))
    }

    /// Takes the source of an object that the strict reader has already read.
    pub(crate) const fn read(source: &'a str) -> Self {
        Self(Cow::Borrowed(source))
    }

    /// The source text, borrowed where it was.
    pub(crate) const fn source(&self) -> &Cow<'a, str> {
        &self.0
    }

    /// The object as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same object, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> RawObject<'static> {
        RawObject(Cow::Owned(self.0.into_owned()))
    }

    /// Its canonical JSON.
    #[must_use]
    pub fn to_canonical_json(&self) -> String {
        // INVARIANT: the text was read by the strict reader when the value was made.
        Json::read(self.0.as_bytes(), JsonOptions::STRICT)
            .map_or_else(|_| self.0.as_ref().into(), |json| canonical(json.root()))
    }
}

impl PartialEq for RawObject<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.to_canonical_json() == other.to_canonical_json()
    }
}

impl Eq for RawObject<'_> {}

impl PartialOrd for RawObject<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RawObject<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_canonical_json().cmp(&other.to_canonical_json())
    }
}

impl Hash for RawObject<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_canonical_json().hash(state);
    }
}

impl fmt::Display for RawObject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As written, except that white space between tokens is dropped: in a stream a message keeps to
/// its line (R-05).
impl Serialize for RawObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let compact = compact(&self.0);
        let raw: &RawValue = serde_json::from_str(&compact).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Strict JSON without the white space between its tokens.
fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if matches!(character, ' ' | '\t' | '\r' | '\n') {
            continue;
        } else {
            in_string = character == '"';
        }
        compact.push(character);
    }
    compact
}
