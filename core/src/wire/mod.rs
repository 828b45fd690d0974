//! Bytes to a typed message: stages 1 to 3 of a delivery (S2.02).
//!
//! `direct` takes a well-formed message in one pass. What it does not take is read again: `scan` reads strict JSON onto a
//! flat tape ([`Json`]), `shape` reads a message off the tape, and every failure says where it is. Nothing
//! here recurses over input, and nothing panics on it.

mod canonical;
mod digest;
mod direct;
mod escape;
mod finding;
mod json;
mod locate;
mod near;
mod number;
mod plain;
mod printable;
mod repeats;
mod scan;
mod shape;

use crate::Code;
use crate::message::{Content, Evidence, Message, RawObject};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

pub(crate) use canonical::write_escaped;
pub use canonical::{canonical, utf16_cmp, write_string};
pub(crate) use digest::Hasher;
pub use digest::{Digest, NotADigest};
pub(crate) use direct::{Delivered, delivery};
pub(crate) use escape::unescaped;
pub(crate) use finding::sentence;
pub use finding::{Finding, Rejection};
pub use json::{Entries, Items, Json, JsonOptions, Kind, Value};
pub use number::Number;
pub use printable::Printable;
pub(crate) use repeats::has_repeats;
pub use shape::evidence;

/// What a receiver is ready to hold (R-04, S2.06). The defaults are safe ones.
///
/// They are no part of a log: replay one under the limits that it was made under, or what was
/// accepted then may be refused now.
///
/// ```
/// use tern_core::Limits;
/// let mut limits = Limits::default();
/// limits.max_pending = 5;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one message.
    pub max_bytes: usize,
    /// Arrays and objects within each other, the message itself being 1.
    pub max_depth: usize,
    /// Messages that wait for references, in all.
    pub max_pending: usize,
    /// Messages of one sender that wait for references.
    pub max_pending_per_sender: usize,
    /// Versions of one id, the first included.
    pub max_versions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 1 << 20,
            max_depth: 128,
            max_pending: 100_000,
            max_pending_per_sender: 10_000,
            max_versions: 16,
        }
    }
}

/// A message of valid shape, with the digests that equality and views are decided by.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed<'a> {
    /// The message.
    pub message: Message<'a>,
    /// Of the canonical JSON of the whole message. Equal messages have equal digests (R-02).
    pub digest: Digest,
    /// Of the content that a chain can show: `body` of the five revisable acts, `replacement` of a
    /// REVISE that replaces.
    pub content: Option<Digest>,
    /// Of each object of the message's `evidence`, in its order.
    pub evidence: Vec<Digest>,
}

impl<'a> Parsed<'a> {
    /// A message with its digests.
    #[must_use]
    pub fn of(message: Message<'a>) -> Self {
        let written = message.canonical();
        let digest = |range: &Range<usize>| {
            Digest::of(
                written
                    .json
                    .as_bytes()
                    .get(range.clone())
                    .unwrap_or_default(),
            )
        };
        Self {
            digest: digest(&(0..written.json.len())),
            content: written.content.as_ref().map(digest),
            evidence: written.evidence.iter().map(digest).collect(),
            message,
        }
    }
}

/// Reads one message: stages 1 to 3 (S2.02).
///
/// # Errors
///
/// The one failure of stage 1 or 2, or every independent failure of stage 3.
///
/// ```
/// use tern_core::{Code, message::Act, wire::{Limits, message}};
/// let bytes = br#"{"tern": "0.1", "id": "a:1", "from": "a", "to": ["b"], "thread": "t",
///                  "reply": null, "act": "ASK", "body": {"question": "Which first?"}}"#;
/// assert_eq!(message(bytes, &Limits::default()).unwrap().act(), Act::Ask);
///
/// let rejection = message(b"{\"tern\": \"0.2\"}", &Limits::default()).unwrap_err();
/// assert_eq!(rejection.code(), Code::UnsupportedVersion);
/// ```
pub fn message<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Message<'a>, Rejection> {
    match direct::message(bytes, limits) {
        Some(message) => Ok(message),
        None => explained(bytes, limits),
    }
}

/// The long way: finds what is wrong, wherever it is, or that nothing is.
fn explained<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Message<'a>, Rejection> {
    let json = strict(bytes, limits)?;
    version(json.root())?;
    shape::message(json.root())
}

/// Reads one message, and works out its digests.
///
/// # Errors
///
/// As [`message`].
///
/// ```
/// use tern_core::wire::{Digest, Limits, read};
/// let bytes = br#"{"tern": "0.1", "id": "a:2", "from": "a", "to": ["b"], "thread": "t",
///                  "reply": null, "act": "ACK", "body": {"target": "b:1"}}"#;
/// let parsed = read(bytes, &Limits::default()).unwrap();
/// let canonical = parsed.message.to_canonical_json();
/// assert_eq!(Digest::of(canonical.as_bytes()), parsed.digest);
/// ```
pub fn read<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Parsed<'a>, Rejection> {
    message(bytes, limits).map(Parsed::of)
}

/// Reads one Evidence object by the same rules (A-EVIDENCE).
///
/// # Errors
///
/// The one failure of stage 1, or every independent failure of its shape.
pub fn read_evidence<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Evidence<'a>, Rejection> {
    evidence(strict(bytes, limits)?.root())
}

/// The body of a revisable act that an object has the shape of, if there is one (S2.10).
pub(crate) fn content<'a>(object: &RawObject<'a>) -> Option<Content<'a>> {
    fn read(text: &str) -> Option<Content<'_>> {
        // INVARIANT: the text of a raw object is strict JSON.
        let json = Json::read(text.as_bytes(), JsonOptions::STRICT).ok()?;
        shape::content(json.root())
    }
    match object.source() {
        Cow::Borrowed(text) => read(text),
        Cow::Owned(text) => read(text).map(Content::into_owned),
    }
}

/// Stage 1.
fn strict<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Json<'a>, Rejection> {
    if bytes.len() > limits.max_bytes {
        let message = alloc::format!(
            "the message has {} bytes; at most {} are read",
            bytes.len(),
            limits.max_bytes
        );
        return Err(Finding::whole(Code::TooLong, bytes.len(), message).into());
    }
    let json = Json::read(
        bytes,
        JsonOptions {
            max_depth: Some(limits.max_depth),
            lenient: false,
        },
    )?;
    if json.root().kind() == Kind::Object {
        return Ok(json);
    }
    let message = alloc::format!(
        "the message is {}; it must be an object",
        json.root().kind()
    );
    Err(Finding::at(json.root(), Code::NotAnObject, message).into())
}

/// Stage 2. An absent `tern` is for stage 3 to report.
fn version(root: Value<'_, '_>) -> Result<(), Rejection> {
    match root.get("tern") {
        Some(tern) if tern.as_str() != Some("0.1") => {
            let message = match tern.as_str() {
                Some(text) => {
                    alloc::format!("`tern` is {}; it must be `0.1`", finding::shown(text))
                }
                None => alloc::format!("`tern` is {}; it must be the string `0.1`", tern.kind()),
            };
            let mut finding = Finding::at(tern, Code::UnsupportedVersion, message);
            finding.pointer = "/tern".into();
            Err(finding.into())
        }
        _ => Ok(()),
    }
}
