//! Checked strings: every value that exists obeys its rule (T2.03, A-REFERENCE).

use crate::Code;
use alloc::borrow::Cow;
use core::borrow::Borrow;
use core::fmt;
use serde::{Serialize, Serializer};

/// Declares a checked string: its constructor, its views and what follows from being a string.
macro_rules! checked_string {
    ($(#[$meta:meta])* $name:ident, $(#[$errors:meta])* $check:path) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name<'a>(Cow<'a, str>);

        impl<'a> $name<'a> {
            /// Checks a string and keeps it as it is.
            ///
            /// # Errors
            ///
            $(#[$errors])*
            pub fn new(text: impl Into<Cow<'a, str>>) -> Result<Self, Code> {
                let text = text.into();
                $check(&text)?;
                Ok(Self(text))
            }

            /// The string as written.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The same value, borrowing nothing.
            #[must_use]
            pub fn into_owned(self) -> $name<'static> {
                $name(Cow::Owned(self.0.into_owned()))
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl AsRef<str> for $name<'_> {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        // Equality, order and hash are those of the string, so maps can be asked with a `&str`.
        impl Borrow<str> for $name<'_> {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

checked_string! {
    /// At least one character; white space counts (T2.04, S1.01).
    ///
    /// ```
    /// use tern_core::{Code, message::Text};
    /// assert_eq!(Text::new(" ").unwrap().as_str(), " ");
    /// assert_eq!(Text::new(""), Err(Code::EmptyText));
    /// ```
    Text,
    /// [`Code::EmptyText`] for the empty string.
    text
}

checked_string! {
    /// The name of a sender: a text without a colon (T1.19).
    ///
    /// ```
    /// use tern_core::{Code, message::Name};
    /// assert_eq!(Name::new("drafter").unwrap().as_str(), "drafter");
    /// assert_eq!(Name::new("drafter:1"), Err(Code::ColonInSender));
    /// ```
    Name,
    /// [`Code::EmptyText`] for the empty string, [`Code::ColonInSender`] for one with a colon.
    name
}

checked_string! {
    /// A message id or a reference to one: `sender:suffix` (T1.18, A-REFERENCE).
    ///
    /// The first colon separates; the suffix may hold anything, more colons too.
    ///
    /// ```
    /// use tern_core::{Code, message::Reference};
    /// let reference = Reference::new("drafter:a:b").unwrap();
    /// assert_eq!((reference.sender(), reference.suffix()), ("drafter", "a:b"));
    /// assert_eq!(Reference::new("drafter:"), Err(Code::BadReference));
    /// ```
    Reference,
    /// [`Code::BadReference`] unless there is a colon with something on both sides.
    reference
}

checked_string! {
    /// A reference to evidence: `ev:` and a nonempty suffix, in a namespace of its own (T1.26).
    ///
    /// ```
    /// use tern_core::{Code, message::EvidenceRef};
    /// assert_eq!(EvidenceRef::new("ev:log").unwrap().as_str(), "ev:log");
    /// assert_eq!(EvidenceRef::new("ev:"), Err(Code::BadEvidenceReference));
    /// ```
    EvidenceRef,
    /// [`Code::BadEvidenceReference`] for anything else.
    evidence
}

impl Reference<'_> {
    /// What stands before the first colon.
    #[must_use]
    pub fn sender(&self) -> &str {
        split(&self.0).map_or("", |(sender, _)| sender)
    }

    /// What stands after the first colon.
    #[must_use]
    pub fn suffix(&self) -> &str {
        split(&self.0).map_or("", |(_, suffix)| suffix)
    }
}

fn text(text: &str) -> Result<(), Code> {
    if text.is_empty() {
        Err(Code::EmptyText)
    } else {
        Ok(())
    }
}

fn name(name: &str) -> Result<(), Code> {
    text(name)?;
    if name.contains(':') {
        Err(Code::ColonInSender)
    } else {
        Ok(())
    }
}

fn reference(text: &str) -> Result<(), Code> {
    match split(text) {
        Some((sender, suffix)) if !sender.is_empty() && !suffix.is_empty() => Ok(()),
        _ => Err(Code::BadReference),
    }
}

fn evidence(text: &str) -> Result<(), Code> {
    match text.strip_prefix("ev:") {
        Some(suffix) if !suffix.is_empty() => Ok(()),
        _ => Err(Code::BadEvidenceReference),
    }
}

fn split(text: &str) -> Option<(&str, &str)> {
    // Names are short: a search that begins slowly takes longer than this.
    let colon = text.bytes().position(|byte| byte == b':')?;
    let (sender, rest) = text.split_at_checked(colon)?;
    Some((sender, rest.get(1..)?))
}
