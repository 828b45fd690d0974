//! The chain: beside each record stands a link, which depends on it and on every record before it.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::hex::{hex, unhex};
use crate::{Error, Head, Log, Position, Record};

/// SHA-256 over the link before a record and the record; before the first one, over the name of the log. 32 bytes,
/// written as 64 lower hexadecimal digits. Two logs whose links at a position are equal have the same name and the same
/// records up to there.
///
/// ```
/// use tern_store::Link;
///
/// let start = Link::start("design");
/// let link = start.then(b"first").then(b"second");
/// assert_eq!(link.to_string().parse(), Ok(link));
/// assert_ne!(link, start.then(b"firstsecond"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link([u8; 32]);

impl Link {
    /// The link before the first record of the log `name`: SHA-256 over the name, so that no log passes for another.
    #[must_use]
    pub fn start(name: &str) -> Self {
        Self(Sha256::digest(name).into())
    }

    /// The link of a record that follows this one: SHA-256 over this link and the record. A link has always 32 bytes,
    /// so where the record begins is no question.
    #[must_use]
    pub fn then(self, record: &[u8]) -> Self {
        let hash = Sha256::new().chain_update(self.0).chain_update(record);
        Self(hash.finalize().into())
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The link of these bytes. For implementations of [`Log`].
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a link is 64 hexadecimal digits in lower case")]
pub struct NoLink;

impl FromStr for Link {
    type Err = NoLink;

    fn from_str(text: &str) -> Result<Self, NoLink> {
        unhex(text).map(Self).ok_or(NoLink)
    }
}

/// Follows the chain record by record. INVARIANT 7.
///
/// ```
/// use tern_store::{Chain, Expected, Head, Log, Position, SqliteLog};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("thread.db");
/// let mut log = SqliteLog::open(&path, "design")?;
/// log.append(Expected::Any, &[b"a", b"b"])?;
/// let mut chain = Chain::from(Head::start("design"));
/// for record in log.read(Position::START, 10)? {
///     chain.check(log.store(), &record)?;
/// }
/// assert_eq!(chain.head(), log.head()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chain(Head);

impl From<Head> for Chain {
    /// Begins where a log was known to end.
    fn from(head: Head) -> Self {
        Self(head)
    }
}

impl Chain {
    /// Goes on by one record.
    ///
    /// # Errors
    ///
    /// `store_corrupt` where it is at another position, and `store_broken_chain` where it is not what was appended
    /// after the records before it. Then the chain stays where it was.
    pub fn check(&mut self, store: &str, record: &Record) -> Result<(), Error> {
        let position = self.0.position;
        if record.position != position {
            return Err(Error::Corrupt {
                store: store.to_owned(),
                why: format!("the record at position {position} is missing"),
            });
        }
        let link = self.0.link.then(&record.bytes);
        if link != record.link {
            return Err(Error::BrokenChain {
                store: store.to_owned(),
                position,
                expected: link,
                found: record.link,
            });
        }
        self.0 = Head::new(position.after(1), link);
        Ok(())
    }

    /// Where it is.
    #[must_use]
    pub const fn head(&self) -> Head {
        self.0
    }
}

/// What does not fit where a chain is broken, as far as the records after it tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The record is another: the next link fits to the one that stands beside it.
    Record,
    /// The link is another: the next one fits to what it should be.
    Link,
    /// What follows fits to neither, or nothing follows.
    Unknown,
}

/// Looks at what follows the record at which a chain is broken. `before` is the head up to there.
///
/// # Errors
///
/// What the log answers.
pub fn damage(log: &dyn Log, before: Head) -> Result<Damage, Error> {
    let records = log.read(before.position, 2)?;
    let [broken, next] = &*records else {
        return Ok(Damage::Unknown);
    };
    if broken.link.then(&next.bytes) == next.link {
        return Ok(Damage::Record);
    }
    let right = before.link.then(&broken.bytes);
    Ok(match right.then(&next.bytes) == next.link {
        true => Damage::Link,
        false => Damage::Unknown,
    })
}

impl Head {
    /// The head of the log `name` while it is empty.
    #[must_use]
    pub fn start(name: &str) -> Self {
        Self::new(Position::START, Link::start(name))
    }
}
