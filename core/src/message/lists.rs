//! Lists with a rule of their own (T1.12, S1.02).

use super::Text;
use crate::Code;
use crate::wire::has_repeats;
use alloc::vec::Vec;
use core::slice;

/// At least one entry, in an order that counts (T1.29, S1.02).
///
/// ```
/// use tern_core::{Code, message::NonEmpty};
/// assert_eq!(NonEmpty::new(vec![1, 2]).unwrap().as_slice(), [1, 2]);
/// assert_eq!(NonEmpty::<u8>::new(vec![]), Err(Code::EmptyList));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NonEmpty<T>(Vec<T>);

impl<T> NonEmpty<T> {
    /// Takes the entries as they are.
    ///
    /// # Errors
    ///
    /// [`Code::EmptyList`] if there is none.
    pub fn new(entries: Vec<T>) -> Result<Self, Code> {
        if entries.is_empty() {
            Err(Code::EmptyList)
        } else {
            Ok(Self(entries))
        }
    }

    /// The entries.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The entries, one after the other.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The entries as a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }

    /// Each entry turned into another; one entry stays one entry.
    pub(crate) fn map<U>(self, f: impl FnMut(T) -> U) -> NonEmpty<U> {
        NonEmpty(self.0.into_iter().map(f).collect())
    }
}

impl<T> TryFrom<Vec<T>> for NonEmpty<T> {
    type Error = Code;

    fn try_from(entries: Vec<T>) -> Result<Self, Code> {
        Self::new(entries)
    }
}

impl<'l, T> IntoIterator for &'l NonEmpty<T> {
    type Item = &'l T;
    type IntoIter = slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Whom a message is for: at least one, each once (T1.12). They need not be known to anybody (R-06).
///
/// ```
/// use tern_core::{Code, message::{Recipients, Text}};
/// let name = |text| Text::new(text).unwrap();
/// assert!(Recipients::new(vec![name("reviewer"), name("editor")]).is_ok());
/// assert_eq!(Recipients::new(vec![]), Err(Code::EmptyList));
/// assert_eq!(
///     Recipients::new(vec![name("reviewer"), name("reviewer")]),
///     Err(Code::RepeatedRecipient),
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Recipients<'a>(NonEmpty<Text<'a>>);

impl<'a> Recipients<'a> {
    /// Takes the names in their order.
    ///
    /// # Errors
    ///
    /// [`Code::EmptyList`] if there is none, [`Code::RepeatedRecipient`] if one occurs twice.
    pub fn new(names: Vec<Text<'a>>) -> Result<Self, Code> {
        if !has_repeats(names.iter().map(Text::as_str)) {
            Self::distinct(names)
        } else {
            Err(Code::RepeatedRecipient)
        }
    }

    /// Takes names that the caller has already found to be distinct.
    pub(crate) fn distinct(names: Vec<Text<'a>>) -> Result<Self, Code> {
        NonEmpty::new(names).map(Self)
    }

    /// The names.
    #[must_use]
    pub fn as_slice(&self) -> &[Text<'a>] {
        self.0.as_slice()
    }

    /// The names in their order.
    pub fn iter(&self) -> slice::Iter<'_, Text<'a>> {
        self.0.iter()
    }

    /// The same names, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Recipients<'static> {
        Recipients(self.0.map(Text::into_owned))
    }
}

impl<'l, 'a> IntoIterator for &'l Recipients<'a> {
    type Item = &'l Text<'a>;
    type IntoIter = slice::Iter<'l, Text<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
