//! Where a field of delivered bytes stands: for the stages after the reader, on the cold path.

use alloc::string::String;
use core::ops::Range;

use super::{Finding, Json, JsonOptions, Rejection, sentence};
use crate::Code;

impl Rejection {
    /// A rejection of a message that was read before, at one of its fields.
    pub(crate) fn locate(bytes: &[u8], code: Code, pointer: &str, message: String) -> Self {
        let span = find(bytes, pointer).unwrap_or(0..bytes.len());
        Finding::new(bytes, code, pointer.into(), span, sentence(&message)).into()
    }
}

/// The bytes of the value under a pointer whose tokens are all plain keys.
fn find(bytes: &[u8], pointer: &str) -> Option<Range<usize>> {
    let json = Json::read(bytes, JsonOptions::STRICT).ok()?;
    let value = pointer
        .split('/')
        .skip(1)
        .try_fold(json.root(), |value, key| value.get(key))?;
    Some(value.span())
}
