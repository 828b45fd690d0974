//! One trait behind which every implementation stands, so that the same cases drive all of them.
//!
//! The unit is a log document (spec S8.01), since bytes are all that implementations share. An
//! engine keeps nothing from one run to the next.

mod command;
mod core;
mod model;

use std::borrow::Cow;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use self::command::TernCommand;
pub use self::core::Core;
pub use self::model::Model;

/// An implementation of Tern.
pub trait Engine {
    /// What it is called in reports.
    fn name(&self) -> &str;

    /// Reads a log document, or a file of bare messages, from its first byte.
    ///
    /// # Errors
    /// [`EngineError`] where the engine itself failed: it could not be started, crashed, panicked, or
    /// said what is no answer. A document that it refuses is an [`Answer`].
    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError>;
}

/// How often an engine is to look while it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Once, at the end.
    ViewAtEnd,
    /// Before the first event (a delivery or a local fact) and after each. An engine that cannot
    /// looks once, at the end.
    ViewAfterEach,
}

/// What an engine says of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is broken, and nothing of it was applied (S8.02).
    Refused {
        /// The line at fault, from 1.
        line: usize,
    },
    /// It was applied.
    Read(Reading),
}

/// What a document led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What became of each delivery, in order.
    pub outcomes: Vec<Outcome>,
    /// How often the engine looked. What was asked, unless it cannot.
    pub looked: Ask,
    /// The canonical views, as often as the engine looked: the last one is that at the end.
    pub views: Vec<View>,
}

impl Reading {
    /// Nothing read yet.
    #[must_use]
    pub const fn new(looked: Ask) -> Self {
        Self {
            outcomes: Vec::new(),
            looked,
            views: Vec::new(),
        }
    }
}

impl Answer {
    /// What became of each delivery; nothing of a document that was refused.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        match self {
            Self::Refused { .. } => &[],
            Self::Read(reading) => &reading.outcomes,
        }
    }

    /// The view at the end.
    #[must_use]
    pub fn view(&self) -> Option<&View> {
        match self {
            Self::Refused { .. } => None,
            Self::Read(reading) => reading.views.last(),
        }
    }
}

/// A canonical view as an engine prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Canonical JSON (S7.03).
    pub json: String,
    /// Lower hex SHA-256 of it, by the engine's own account.
    pub digest: String,
}

/// What became of a delivery (S2.15).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Locally valid.
    Accepted,
    /// Waits for a reference.
    Pending,
    /// The same message was there.
    Duplicate,
    /// Another message was there under this id.
    IdConflict,
    /// Refused, or rejected at stage 6.
    Rejected {
        /// `syntax`, `version`, `shape`, `identity`, `limit` or `reference`.
        class: Cow<'static, str>,
        /// Normative in the classes `limit` and `reference`, advisory elsewhere (S2.15).
        code: Cow<'static, str>,
    },
}

impl Outcome {
    /// What of an outcome is normative everywhere, in one word: of a rejection the code at stage 6, else
    /// the class.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Accepted => "accepted",
            Self::Pending => "pending",
            Self::Duplicate => "duplicate",
            Self::IdConflict => "id_conflict",
            Self::Rejected { class, code } if class == "reference" => code,
            Self::Rejected { class, .. } => class,
        }
    }

    /// Whether two implementations answered alike: by outcome and class, and by code where codes
    /// are normative (S2.15).
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Rejected { class, code },
                Self::Rejected {
                    class: other_class,
                    code: other_code,
                },
            ) => {
                let normative = matches!(class.as_ref(), "limit" | "reference");
                class == other_class && (!normative || code == other_code)
            }
            _ => self == other,
        }
    }
}

/// An engine that failed as a program.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It could not be started or spoken to.
    #[error("{engine} could not be run: {source}")]
    Io {
        /// Its name.
        engine: String,
        /// Why.
        source: io::Error,
    },
    /// It ended with an unexpected status.
    #[error("{engine} ended with {status}: {stderr}")]
    Crashed {
        /// Its name.
        engine: String,
        /// How it ended.
        status: String,
        /// What it said on standard error.
        stderr: String,
    },
    /// It panicked in this process.
    #[error("{engine} panicked: {what}")]
    Panicked {
        /// Its name.
        engine: String,
        /// The message of the panic.
        what: String,
    },
    /// It was lost on the way: it ended, hung, or broke the protocol.
    #[error("{engine} failed: {what}")]
    Lost {
        /// Its name.
        engine: String,
        /// How.
        what: String,
    },
    /// It said what is no answer.
    #[error("{engine} answered what cannot be read: {what}")]
    Garbage {
        /// Its name.
        engine: String,
        /// What is wrong with it.
        what: String,
    },
}

/// What work in this process comes to: a panic is an error and ends nothing else.
pub(crate) fn caught<T>(engine: &str, work: impl FnOnce() -> T) -> Result<T, EngineError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| EngineError::Panicked {
        engine: engine.to_owned(),
        what: panic_message(&*panic).to_owned(),
    })
}

/// What a panic said.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
}
