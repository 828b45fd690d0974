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

impl Exit {
    /// What it is whether something was found.
    pub(crate) const fn found(found: bool) -> Self {
        if found { Self::Findings } else { Self::Fine }
    }

    /// This end, once what there is to say is written. Whoever closed the pipe has seen enough, and the verdict
    /// stands all the same.
    pub(crate) fn once(self, written: Result<(), Failure>) -> Result<Self, Failure> {
        match written {
            Err(failure) if failure.is_broken_pipe() => Ok(self),
            written => written.map(|()| self),
        }
    }
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
    /// The command was asked for something that it cannot do. The code is `usage` where nothing more is known.
    Usage {
        code: &'static str,
        message: String,
        hint: String,
    },
    /// It failed after something was done that stays done. `done` says what, and whether to do it again.
    After { done: String, failure: Box<Self> },
    /// Several things at once; never none.
    Several(Vec<Self>),
}

impl Failure {
    /// A failure to read or write; that of the store underneath, if it was one.
    pub(crate) fn io(name: &str, error: io::Error) -> Self {
        match error.downcast::<tern_store::Error>() {
            Ok(error) => Self::Store(error),
            Err(error) => Self::Io {
                name: name.into(),
                error,
            },
        }
    }

    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::coded("usage", message, hint)
    }

    /// A failure with a code of its own.
    pub(crate) fn coded(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Usage {
            code,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Arguments that no command takes.
    pub(crate) fn arguments(error: &clap::Error) -> Self {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        // What stands before the tips and the usage.
        let sentence = text.split("\n\n").next().unwrap_or(text);
        let tip = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("tip: "));
        let hint =
            tip.unwrap_or("`tern help` lists the commands, and `--help` after one what it takes");
        Self::usage(sentence.trim(), hint)
    }

    /// This failure, and what was done before it, if anything was. Whoever closed the pipe is told nothing.
    pub(crate) fn after(self, done: Option<String>) -> Self {
        match done {
            Some(done) if !self.is_broken_pipe() => Self::After {
                done,
                failure: Box::new(self),
            },
            _ => self,
        }
    }

    /// Says why on standard error, as JSON where that was asked for.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        if self.is_broken_pipe() {
            return ExitCode::SUCCESS;
        }
        let text = if json {
            format!("{}\n", self.to_json())
        } else {
            self.to_text()
        };
        // There is nobody left to tell if standard error is gone.
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
        ExitCode::from(2)
    }

    fn to_text(&self) -> String {
        match self {
            Self::Io { name, error } => format!(
                "error: {}: {error}\n  hint: {}\n",
                shown(name),
                hint(error.kind())
            ),
            Self::Document { name, line, error } => format!(
                "{}\nnothing of the document was applied: line {} breaks it (S8.02)\n",
                snippet::document(name, line, error),
                error.line
            ),
            Self::After { done, failure } => match &**failure {
                // What was done says it better than that nothing was.
                Self::Document { name, line, error } => {
                    format!("{}  note: {done}\n", snippet::document(name, line, error))
                }
                failure => format!("{}  note: {done}\n", failure.to_text()),
            },
            Self::Store(error) => format!(
                "error[{}]: {}\n  hint: {}\n",
                error.code(),
                shown(&error.to_string()),
                error.hint()
            ),
            Self::Usage {
                code: "usage",
                message,
                hint,
            } => format!("error: {message}\n  hint: {hint}\n"),
            Self::Usage {
                code,
                message,
                hint,
            } => format!("error[{code}]: {message}\n  hint: {hint}\n"),
            Self::Several(all) => all.iter().map(Self::to_text).collect(),
        }
    }

    fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Several(all) => {
                let errors: Vec<_> = all.iter().map(Self::object).collect();
                serde_json::json!({ "errors": errors })
            }
            one => serde_json::json!({ "error": one.object() }),
        }
    }

    fn object(&self) -> serde_json::Value {
        match self {
            Self::Several(all) => all.iter().map(Self::object).collect(),
            Self::Io { name, error } => serde_json::json!({
                "code": "io", "file": name, "message": error.to_string(), "hint": hint(error.kind()),
            }),
            Self::After { done, failure } => {
                let mut object = failure.object();
                if !object.is_object() {
                    object = serde_json::json!({ "errors": object });
                }
                if let Some(object) = object.as_object_mut() {
                    object.insert("done".to_owned(), done.as_str().into());
                }
                object
            }
            Self::Document { name, line, error } => serde_json::json!({
                "code": error.error.code,
                "clause": error.error.code.clause(),
                "file": name,
                "line": error.line,
                "at": snippet::place(name, line, error),
                "pointer": error.error.pointer,
                "offset": error.error.span.start,
                "message": format!("line {}: {}", error.line, error.error.message),
                "hint": error.error.code.hint(),
            }),
            Self::Store(error) => serde_json::json!({
                "code": error.code().as_str(), "message": error.to_string(), "hint": error.hint(),
            }),
            Self::Usage {
                code,
                message,
                hint,
            } => serde_json::json!({
                "code": code, "message": message, "hint": hint,
            }),
        }
    }

    /// Whoever read our output has seen enough.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What to do about a failure of the system.
fn hint(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "check the name, and the folder that it is looked for in",
        io::ErrorKind::PermissionDenied => "check the rights to it and to its folder",
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room and try again",
        io::ErrorKind::InvalidData => "check that it is the file you mean",
        _ => "check the file and what it is on, then try again",
    }
}

impl From<tern_store::Error> for Failure {
    fn from(error: tern_store::Error) -> Self {
        Self::Store(error)
    }
}
