//! How the program ends: fine, with findings, or not at all.

use std::io::{self, Write as _};
use std::process::ExitCode;

use tern_core::log::DocumentError;

use crate::snippet;
use crate::text::shown;

/// How a command that did its work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing to report.
    Fine,
    /// Something was found that somebody should look at.
    Findings,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Findings => Self::from(1),
        }
    }
}

/// Why a command could not do its work. Ends with exit code 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Reading or writing failed.
    Io { name: String, error: io::Error },
    /// The log document is broken: nothing of it was applied.
    Document {
        name: String,
        line: Vec<u8>,
        error: Box<DocumentError>,
    },
    /// The durable log did not do what it was asked.
    Store(tern_store::Error),
    /// The command was asked for something that it cannot do.
    Usage { message: String, hint: String },
}

impl Failure {
    pub(crate) fn io(name: &str, error: io::Error) -> Self {
        Self::Io {
            name: name.into(),
            error,
        }
    }

    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Says why on standard error.
    pub(crate) fn report(&self) -> ExitCode {
        if self.is_broken_pipe() {
            return ExitCode::SUCCESS;
        }
        let mut err = anstream::stderr().lock();
        // There is nobody left to tell if standard error is gone.
        let _ = match self {
            Self::Io { name, error } => writeln!(err, "error: {}: {error}", shown(name)),
            Self::Document { name, line, error } => {
                write!(err, "{}", snippet::document(name, line, error))
            }
            Self::Store(error) => writeln!(
                err,
                "error[{}]: {}\n  hint: {}",
                error.code(),
                shown(&error.to_string()),
                error.hint()
            ),
            Self::Usage { message, hint } => writeln!(err, "error: {message}\n  hint: {hint}"),
        };
        ExitCode::from(2)
    }

    /// Whoever read our output has seen enough.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<tern_store::Error> for Failure {
    fn from(error: tern_store::Error) -> Self {
        Self::Store(error)
    }
}
