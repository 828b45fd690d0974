//! Every way in which a store can fail: a stable code, a sentence and a hint for each.

use std::fmt;

use crate::{Link, Position};

/// What went wrong underneath, for those who want to look.
pub(crate) type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why a store did not do what it was asked. `store` is its address: a file as it was given, or a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Somebody else appended, or the caller counts wrongly. Nothing was appended.
    #[error("expected the log to end at position {expected}, but it ends at {found}")]
    Conflict {
        /// Where the caller believed the log to end.
        expected: Position,
        /// Where it ends.
        found: Position,
    },

    /// What is there is something else. It was not changed.
    #[error("`{store}` is not a store of logs: {why}")]
    NotALog {
        /// Its address.
        store: String,
        /// What it is instead.
        why: String,
    },

    /// Written by a later version of this crate. It was not changed.
    #[error("`{store}` has schema version {found}; versions up to {supported} are understood")]
    NewerSchema {
        /// Its address.
        store: String,
        /// The version found.
        found: i64,
        /// The highest version understood.
        supported: i64,
    },

    /// There is no such store.
    #[error("`{store}` does not exist")]
    Missing {
        /// Its address.
        store: String,
    },

    /// The store is there and holds no log of that name.
    #[error("`{store}` holds no log named `{name}`")]
    NoSuchLog {
        /// Its address.
        store: String,
        /// The name asked for.
        name: String,
    },

    /// A name that no log can have.
    #[error("no log can have the name `{name}`: {why}")]
    BadName {
        /// The name, cut short if it is long.
        name: String,
        /// The rule it breaks.
        why: &'static str,
    },

    /// A text that is the address of no store.
    #[error("`{address}` is no address of a store: {why}")]
    BadAddress {
        /// The address, without what is secret in it.
        address: String,
        /// The rule it breaks.
        why: String,
    },

    /// The address of a kind of store that this program was built without.
    #[error("`{address}` is the address of a kind of store that this program was built without")]
    NotBuilt {
        /// The address, without what is secret in it.
        address: String,
        /// The feature that it needs.
        feature: &'static str,
    },

    /// A snapshot that cannot be kept. Nothing was done.
    #[error("the snapshot cannot be kept: {why}")]
    BadSnapshot {
        /// The rule it breaks.
        why: &'static str,
    },

    /// A text that is no signed checkpoint, or one that its signature does not bear.
    #[error("the checkpoint does not hold: {why}")]
    BadCheckpoint {
        /// The rule it breaks.
        why: String,
    },

    /// A text that is no Ed25519 key.
    #[error("the key cannot be used: {why}")]
    BadKey {
        /// The rule it breaks.
        why: String,
    },

    /// A record over the limit. Nothing of its batch was appended.
    #[error("record {index} of the batch has {bytes} bytes; {limit} is the most")]
    RecordTooLong {
        /// Which record of the batch, the first being 0.
        index: usize,
        /// Its length.
        bytes: usize,
        /// The longest allowed.
        limit: usize,
    },

    /// No room for more logs or records by the numbering. Nothing was appended.
    #[error("`{store}` cannot number more {what}")]
    Limit {
        /// Its address.
        store: String,
        /// Logs or records.
        what: &'static str,
    },

    /// Another process held the store for longer than the patience of this one. Nothing was done.
    #[error("`{store}` is held by another process")]
    Busy {
        /// Its address.
        store: String,
    },

    /// Opened for reading, or not writable. Nothing was done.
    #[error("`{store}` cannot be written to")]
    ReadOnly {
        /// Its address.
        store: String,
    },

    /// Left by a crash in a state that only opening for writing can repair.
    #[error("`{store}` was not closed and cannot be recovered without writing")]
    NeedsRecovery {
        /// Its address.
        store: String,
    },

    /// The disk, a quota or a page limit is full.
    #[error("no room is left for `{store}`")]
    Full {
        /// Its address.
        store: String,
    },

    /// It is damaged.
    #[error("`{store}` is damaged: {why}")]
    Corrupt {
        /// Its address.
        store: String,
        /// Where, as far as it is known.
        why: String,
    },

    /// A record is not what was appended after those before it.
    #[error(
        "the record at position {position} of `{store}` is not what was appended there: its link should be {expected}, and {found} stands beside it"
    )]
    BrokenChain {
        /// Its address.
        store: String,
        /// Of the first such record.
        position: Position,
        /// What its link has to be, by the record and the link before it.
        expected: Link,
        /// What stands beside it.
        found: Link,
    },

    /// The server does not answer, or refuses the connection. Nothing was done.
    #[error("`{store}` cannot be reached: {source}")]
    Unreachable {
        /// The server.
        store: String,
        /// What failed.
        source: Source,
    },

    /// The medium failed.
    #[error("`{store}` cannot be used: {source}")]
    Io {
        /// Its address.
        store: String,
        /// What failed.
        source: Source,
    },

    /// An earlier failure left it unknown what the medium holds.
    #[error("`{store}` answers nothing more after a failure: {cause}")]
    Poisoned {
        /// Its address.
        store: String,
        /// The sentence of that failure.
        cause: String,
    },
}

/// The stable name of a failure. Codes are API; sentences are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[allow(missing_docs, reason = "one code per failure, documented there")]
pub enum Code {
    Conflict,
    NotALog,
    NewerSchema,
    Missing,
    NoSuchLog,
    BadName,
    BadAddress,
    NotBuilt,
    BadSnapshot,
    BadCheckpoint,
    BadKey,
    RecordTooLong,
    OverQuota,
    Limit,
    Busy,
    ReadOnly,
    NeedsRecovery,
    Full,
    Corrupt,
    BrokenChain,
    Unreachable,
    Io,
    Poisoned,
}

impl Code {
    /// Every code.
    pub const ALL: &'static [Self] = &[
        Self::Conflict,
        Self::NotALog,
        Self::NewerSchema,
        Self::Missing,
        Self::NoSuchLog,
        Self::BadName,
        Self::BadAddress,
        Self::NotBuilt,
        Self::BadSnapshot,
        Self::BadCheckpoint,
        Self::BadKey,
        Self::RecordTooLong,
        Self::OverQuota,
        Self::Limit,
        Self::Busy,
        Self::ReadOnly,
        Self::NeedsRecovery,
        Self::Full,
        Self::Corrupt,
        Self::BrokenChain,
        Self::Unreachable,
        Self::Io,
        Self::Poisoned,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().0
    }

    /// What to do about it, in one sentence.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        self.row().1
    }

    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::Conflict => (
                "store_conflict",
                "read what was appended meanwhile, decide again, and append at the new head",
            ),
            Self::NotALog => (
                "store_not_a_log",
                "name a store that this program made, or a path where nothing is yet",
            ),
            Self::NewerSchema => (
                "store_newer_schema",
                "use the version of this program that wrote it, or a later one",
            ),
            Self::Missing => ("store_missing", "check the path, or append something first"),
            Self::NoSuchLog => (
                "store_no_such_log",
                "list the logs of the store and name one of them",
            ),
            Self::BadName => (
                "store_bad_name",
                "choose a name of 1 to 1024 bytes without a NUL",
            ),
            Self::BadAddress => (
                "store_bad_address",
                "write `thread.db`, `sqlite:thread.db`, `postgres://user@host/database` or `nats://host/stream`",
            ),
            Self::NotBuilt => (
                "store_not_built",
                "build it with the feature of that name, or use another kind of store",
            ),
            Self::BadSnapshot => (
                "store_bad_snapshot",
                "go on without a snapshot: the records say the same",
            ),
            Self::BadCheckpoint => (
                "store_bad_checkpoint",
                "use the file as `tern log checkpoint` wrote it, and the public key of whoever signed it",
            ),
            Self::BadKey => (
                "store_bad_key",
                "give an Ed25519 key as PEM (PKCS #8 or SubjectPublicKeyInfo), or a public key as 64 hexadecimal digits",
            ),
            Self::RecordTooLong => (
                "store_record_too_long",
                "split the content over several records",
            ),
            Self::OverQuota => (
                "store_over_quota",
                "raise the quota of every principal, or let this one go on in another store",
            ),
            Self::Limit => ("store_limit", "go on in another store"),
            Self::Busy => ("store_busy", "try again, or end the process that holds it"),
            Self::ReadOnly => (
                "store_read_only",
                "open it for writing, with the rights to the file and its folder",
            ),
            Self::NeedsRecovery => (
                "store_needs_recovery",
                "open it for writing once, or copy it with the files beside it to a writable folder",
            ),
            Self::Full => ("store_full", "make room, then open the log again"),
            Self::Corrupt => ("store_corrupt", "keep it as it is and restore a copy"),
            Self::BrokenChain => (
                "store_broken_chain",
                "keep it as it is, find out who changed it, and restore a copy",
            ),
            Self::Unreachable => (
                "store_unreachable",
                "check that the server runs and that the address, the user and the password are right, then try again",
            ),
            Self::Io => (
                "store_io",
                "check the path, the rights and the disk, then open the log again",
            ),
            Self::Poisoned => (
                "store_poisoned",
                "remove the cause, open the log again and look where it ends",
            ),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Error {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Conflict { .. } => Code::Conflict,
            Self::NotALog { .. } => Code::NotALog,
            Self::NewerSchema { .. } => Code::NewerSchema,
            Self::Missing { .. } => Code::Missing,
            Self::NoSuchLog { .. } => Code::NoSuchLog,
            Self::BadName { .. } => Code::BadName,
            Self::BadAddress { .. } => Code::BadAddress,
            Self::NotBuilt { .. } => Code::NotBuilt,
            Self::BadSnapshot { .. } => Code::BadSnapshot,
            Self::BadCheckpoint { .. } => Code::BadCheckpoint,
            Self::BadKey { .. } => Code::BadKey,
            Self::RecordTooLong { .. } => Code::RecordTooLong,
            Self::Limit { .. } => Code::Limit,
            Self::Busy { .. } => Code::Busy,
            Self::ReadOnly { .. } => Code::ReadOnly,
            Self::NeedsRecovery { .. } => Code::NeedsRecovery,
            Self::Full { .. } => Code::Full,
            Self::Corrupt { .. } => Code::Corrupt,
            Self::BrokenChain { .. } => Code::BrokenChain,
            Self::Unreachable { .. } => Code::Unreachable,
            Self::Io { .. } => Code::Io,
            Self::Poisoned { .. } => Code::Poisoned,
        }
    }

    /// What to do about it, in one sentence.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        self.code().hint()
    }
}
