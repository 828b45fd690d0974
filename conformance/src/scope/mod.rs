//! Small scopes: every log of a few messages over two participants, up to renaming.
//!
//! Most mistakes in rules about references show in a handful of messages, so all of them are tried.
//! A [`SmallLog`] says who makes which kind of message that refers to which others, and nothing
//! else; [`enumerate`] gives one of each class of logs that differ only by the names of ids and
//! participants (R-13: nothing may depend on how ids look), and [`SmallLog::lines`] writes it out.

mod check;
mod enumerate;
mod shape;
mod write;

pub use check::{Checked, Look, Parting};
pub use enumerate::{Scope, enumerate, enumerate_equivocal};

/// What a message of a small log is: an act, and what matters of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// ASK.
    Ask,
    /// ASK `about`.
    AskAbout,
    /// TELL.
    Tell,
    /// TELL in `reply`.
    Reply,
    /// PROPOSE.
    Propose,
    /// REQUEST.
    Request,
    /// REQUEST that `replaces`.
    RequestReplacing,
    /// COMMIT.
    Commit,
    /// REPORT `active`.
    Active,
    /// REPORT `blocked`.
    Blocked,
    /// REPORT `fulfilled`, with evidence.
    Fulfilled,
    /// REPORT `failed`.
    Failed,
    /// CHALLENGE.
    Challenge,
    /// REVISE, `replace`: the original content anew, a REPORT as `active`.
    Replace,
    /// REVISE, `withdraw`.
    Withdraw,
    /// DECLINE.
    Decline,
    /// ACK.
    Ack,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 17] = [
        Self::Ask,
        Self::AskAbout,
        Self::Tell,
        Self::Reply,
        Self::Propose,
        Self::Request,
        Self::RequestReplacing,
        Self::Commit,
        Self::Active,
        Self::Blocked,
        Self::Fulfilled,
        Self::Failed,
        Self::Challenge,
        Self::Replace,
        Self::Withdraw,
        Self::Decline,
        Self::Ack,
    ];

    /// How many gating references it makes.
    #[must_use]
    pub const fn references(self) -> usize {
        match self {
            Self::Ask | Self::Tell | Self::Propose | Self::Request => 0,
            Self::Replace | Self::Withdraw => 2,
            _ => 1,
        }
    }
}

/// Instead of the index of a message: one that never comes.
pub const NEVER: u8 = u8::MAX;

/// A message of a small log. Its references are indices of messages of the log, or [`NEVER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmallMessage {
    /// What it is.
    pub kind: Kind,
    /// Which of the two participants says it: 0 or 1.
    pub author: u8,
    /// Whom it refers to; the second only in a REVISE, where they are target and previous.
    pub references: [u8; 2],
}

/// A few messages, with distinct ids unless the last one is another version of an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmallLog {
    messages: Vec<SmallMessage>,
    /// The message whose id the last one has, too.
    version_of: Option<usize>,
    /// Whether ids are numbered from the last message to the first.
    is_numbered_backwards: bool,
}

impl SmallLog {
    /// A log of these messages under distinct ids.
    #[must_use]
    pub const fn new(messages: Vec<SmallMessage>) -> Self {
        Self {
            messages,
            version_of: None,
            is_numbered_backwards: false,
        }
    }

    /// The same log with ids that sort the other way round. Messages are sorted by their kinds, so
    /// what hangs on the look of an id shows in one of the two.
    #[must_use]
    pub fn numbered_backwards(&self) -> Self {
        Self {
            is_numbered_backwards: !self.is_numbered_backwards,
            ..self.clone()
        }
    }

    /// The same log with another version of one of its messages, whose author it keeps.
    #[must_use]
    pub fn with_version(&self, of: usize, kind: Kind, references: [u8; 2]) -> Option<Self> {
        let first = self.messages.get(of)?;
        let version = SmallMessage {
            kind,
            author: first.author,
            references,
        };
        let mut messages = self.messages.clone();
        messages.push(version);
        (version != *first).then_some(Self {
            messages,
            version_of: Some(of),
            ..*self
        })
    }

    /// Its messages.
    #[must_use]
    pub fn messages(&self) -> &[SmallMessage] {
        &self.messages
    }

    /// The two messages that are versions of one id, where there are such.
    #[must_use]
    pub fn versions(&self) -> Option<(usize, usize)> {
        Some((self.version_of?, self.messages.len().checked_sub(1)?))
    }
}
