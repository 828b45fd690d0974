//! The `tern` command line as a process of its own.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Answer, Ask, Engine, EngineError, Outcome, Reading, View};

/// A `tern` binary, asked through its `run` and `digest` subcommands. It may take its time and say as much
/// as it likes: for a binary that is trusted to end.
#[derive(Clone, Debug)]
pub struct TernCommand {
    binary: PathBuf,
    name: String,
}

/// What a process answered with: its standard output, or the line of a broken document.
enum Reply {
    Said(String),
    Refused(usize),
}

impl TernCommand {
    /// The binary at this path.
    #[must_use]
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let binary = binary.into();
        Self {
            name: format!("the command {}", binary.display()),
            binary,
        }
    }

    fn ask(&self, arguments: &[&str], file: &Path) -> Result<Reply, EngineError> {
        let output = Command::new(&self.binary)
            .args(arguments)
            .arg(file)
            .output()
            .map_err(|source| self.io(source))?;
        if output.status.success() {
            let said = String::from_utf8(output.stdout).map_err(|error| self.garbage(&error))?;
            return Ok(Reply::Said(said));
        }
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() == Some(2)
            && let Ok(failure) = serde_json::from_str::<Value>(&stderr)
            && let Some(line) = failure.pointer("/error/line").and_then(Value::as_u64)
        {
            return Ok(Reply::Refused(usize::try_from(line).unwrap_or(usize::MAX)));
        }
        Err(EngineError::Crashed {
            engine: self.name().into(),
            status: output.status.to_string(),
            stderr,
        })
    }

    fn outcome(&self, line: &str) -> Result<Outcome, EngineError> {
        let value: Value = serde_json::from_str(line).map_err(|error| self.garbage(&error))?;
        let text = |field: &str| {
            let text = value.get(field).and_then(Value::as_str);
            text.ok_or_else(|| self.garbage(&format_args!("no `{field}`: {line}")))
        };
        Ok(match text("outcome")? {
            "accepted" => Outcome::Accepted,
            "pending" => Outcome::Pending,
            "duplicate" => Outcome::Duplicate,
            "id_conflict" => Outcome::IdConflict,
            "rejected" => Outcome::Rejected {
                class: Cow::Owned(text("class")?.to_owned()),
                code: Cow::Owned(text("code")?.to_owned()),
            },
            other => return Err(self.garbage(&format_args!("outcome `{other}`"))),
        })
    }

    fn io(&self, source: std::io::Error) -> EngineError {
        EngineError::Io {
            engine: self.name().into(),
            source,
        }
    }

    fn garbage(&self, what: &dyn std::fmt::Display) -> EngineError {
        EngineError::Garbage {
            engine: self.name().into(),
            what: what.to_string(),
        }
    }
}

impl Engine for TernCommand {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, document: &[u8], _: Ask) -> Result<Answer, EngineError> {
        let mut file = tempfile::NamedTempFile::new().map_err(|source| self.io(source))?;
        file.write_all(document).map_err(|source| self.io(source))?;
        let mut said = Vec::new();
        for arguments in [
            ["run", "--json", "--outcomes"].as_slice(),
            &["run", "--json"],
            &["digest"],
        ] {
            match self.ask(arguments, file.path())? {
                Reply::Said(text) => said.push(text),
                Reply::Refused(line) if said.is_empty() => return Ok(Answer::Refused { line }),
                Reply::Refused(_) => {
                    return Err(self.garbage(&"a document is read once, and refused another time"));
                }
            }
        }
        let [outcomes, json, digest] = said.as_slice() else {
            return Err(self.garbage(&"an answer is missing"));
        };
        let outcomes = outcomes
            .lines()
            .map(|line| self.outcome(line))
            .collect::<Result<_, _>>()?;
        let view = View {
            json: json.trim_end_matches('\n').into(),
            digest: digest.trim_end_matches('\n').into(),
        };
        Ok(Answer::Read(Reading {
            outcomes,
            looked: Ask::ViewAtEnd,
            views: vec![view],
        }))
    }
}
