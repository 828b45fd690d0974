//! The object under `replacement` of a REVISE.

use super::{Content, RawObject};
use crate::wire;
use alloc::boxed::Box;

/// The object under `replacement`. Whether it fits the target is stage 6's to judge (S2.10).
///
/// It is a [`Content`] exactly if it has the shape of a body: no object has the shape of two acts'
/// bodies. Two are equal when their JSON is, number by number and key by key (R-02).
///
/// ```
/// use tern_core::message::{RawObject, Replacement};
/// let read = |text| Replacement::read(RawObject::new(text).unwrap());
/// let plan = read(r#"{"plan": "p", "success": "s", "constraints": []}"#);
/// assert_eq!(plan.content().unwrap().act().as_str(), "PROPOSE");
/// assert_eq!(plan, read(r#"{"constraints":[],"success":"\u0073","plan":"p"}"#));
/// assert!(read(r#"{"plan": "p"}"#).content().is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement<'a>(Shape<'a>);

/// INVARIANT: an object that has the shape of a body is `Content`, so that equality of the two
/// kinds is equality of the JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape<'a> {
    /// The shape of a body of the five revisable acts.
    Content(Box<Content<'a>>),
    /// The shape of no such body.
    Other(RawObject<'a>),
}

impl<'a> Replacement<'a> {
    /// Takes an object for what its shape makes it, as the reader of messages does.
    #[must_use]
    pub fn read(object: RawObject<'a>) -> Self {
        match wire::content(&object) {
            Some(content) => Self(Shape::Content(Box::new(content))),
            None => Self(Shape::Other(object)),
        }
    }

    /// The body that it has the shape of, if there is one.
    #[must_use]
    pub fn content(&self) -> Option<&Content<'a>> {
        match &self.0 {
            Shape::Content(content) => Some(content),
            Shape::Other(_) => None,
        }
    }

    /// The same replacement, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Replacement<'static> {
        Replacement(match self.0 {
            Shape::Content(content) => Shape::Content(Box::new(content.into_owned())),
            Shape::Other(object) => Shape::Other(object.into_owned()),
        })
    }

    /// What the strict reader found to have no body's shape.
    pub(crate) const fn shapeless(object: RawObject<'a>) -> Self {
        Self(Shape::Other(object))
    }

    /// The body that it has the shape of, or the object.
    pub(super) const fn shape(&self) -> Result<&Content<'a>, &RawObject<'a>> {
        match &self.0 {
            Shape::Content(content) => Ok(content),
            Shape::Other(object) => Err(object),
        }
    }
}

impl<'a> From<Content<'a>> for Replacement<'a> {
    fn from(content: Content<'a>) -> Self {
        Self(Shape::Content(Box::new(content)))
    }
}
