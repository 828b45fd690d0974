//! Checked strings: every value that exists obeys its rule (T2.03, A-REFERENCE).

use crate::Code;
use crate::wire::{unescaped, write_escaped, write_string};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use once_cell::race::OnceBox;
use serde::{Serialize, Serializer};

/// What follows from being a string.
macro_rules! is_a_string {
    ($name:ident) => {
        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl AsRef<str> for $name<'_> {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        // Equality, order and hash are those of the string, so maps can be asked with a `&str`.
        impl Borrow<str> for $name<'_> {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

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

        is_a_string!($name);
    };
}

/// At least one character; white space counts (T2.04, S1.01).
///
/// One that was read with escapes is undone when somebody asks for it: most texts are kept and passed on, and never looked
/// into.
///
/// ```
/// use tern_core::{Code, message::Text};
/// assert_eq!(Text::new(" ").unwrap().as_str(), " ");
/// assert_eq!(Text::new(""), Err(Code::EmptyText));
/// ```
#[derive(Clone)]
pub struct Text<'a>(Words<'a>);

#[derive(Clone)]
enum Words<'a> {
    Plain(Cow<'a, str>),
    /// The content of a literal with escapes, all of them right.
    Escaped {
        source: &'a str,
        content: OnceBox<String>,
    },
}

impl<'a> Text<'a> {
    /// Checks a string and keeps it as it is.
    ///
    /// # Errors
    ///
    /// [`Code::EmptyText`] for the empty string.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Result<Self, Code> {
        let text = text.into();
        match text.is_empty() {
            true => Err(Code::EmptyText),
            false => Ok(Self(Words::Plain(text))),
        }
    }

    /// The content of a literal that has escapes, all of them right: so it is not empty.
    pub(crate) const fn escaped(source: &'a str) -> Self {
        Self(Words::Escaped {
            source,
            content: OnceBox::new(),
        })
    }

    /// The string as written, its escapes undone.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Words::Plain(text) => text,
            Words::Escaped { source, content } => {
                content.get_or_init(|| Box::new(unescaped(source)))
            }
        }
    }

    /// The same value, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Text<'static> {
        let content = match self.0 {
            Words::Plain(text) => text.into_owned(),
            Words::Escaped { source, content } => match content.get() {
                Some(content) => content.clone(),
                None => unescaped(source),
            },
        };
        Text(Words::Plain(Cow::Owned(content)))
    }

    /// Appends it as canonical JSON (S7.03).
    pub(super) fn write_canonical(&self, out: &mut String) {
        match &self.0 {
            Words::Plain(text) => write_string(out, text),
            Words::Escaped { source, .. } => write_escaped(out, source),
        }
    }
}

is_a_string!(Text);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Text").field(&self.as_str()).finish()
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text<'_> {}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
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

fn name(name: &str) -> Result<(), Code> {
    if name.is_empty() {
        Err(Code::EmptyText)
    } else if name.bytes().any(|byte| byte == b':') {
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
