//! Strings in the order of the canonical view.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::wire::utf16_cmp;

/// A string of the view, ordered by UTF-16 code unit (semantics §7).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id<'a>(Cow<'a, str>);

impl<'a> Id<'a> {
    /// The string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same string, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Id<'static> {
        Id(Cow::Owned(self.0.into_owned()))
    }

    /// The strings in order, without repeats.
    pub(super) fn sorted(strings: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let mut ids: Vec<Self> = strings.into_iter().map(Self::from).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

impl<'a> From<&'a str> for Id<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl Ord for Id<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        utf16_cmp(&self.0, &other.0)
    }
}

impl PartialOrd for Id<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Id<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
