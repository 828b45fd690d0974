//! Stage 3: a message off the tape. `bodies` and `envelope` are the table of acts, `values` the
//! rules for single values, `reader` what they share: where a value stands and what was found.

mod bodies;
mod envelope;
mod parts;
mod reader;
mod values;

use super::{Rejection, Value};
use crate::message::{Content, Evidence, Message};
use reader::{Reader, Spot};

/// Reads a message whose version is already judged; every independent failure is found.
pub(super) fn message<'a>(root: Value<'_, 'a>) -> Result<Message<'a>, Rejection> {
    let mut reader = Reader::new();
    let message = envelope::message(&mut reader, &Spot::root(root));
    reader.finish(root, message)
}

/// The body of a revisable act that an object has the shape of, if there is one.
pub(super) fn content<'a>(object: Value<'_, 'a>) -> Option<Content<'a>> {
    bodies::content(object)
}

/// Reads one Evidence object off a document (A-EVIDENCE).
///
/// # Errors
///
/// Every independent failure of its shape; pointers begin at the object.
pub fn evidence<'a>(value: Value<'_, 'a>) -> Result<Evidence<'a>, Rejection> {
    let mut reader = Reader::new();
    let evidence = parts::evidence(&mut reader, &Spot::root(value));
    reader.finish(value, evidence)
}
