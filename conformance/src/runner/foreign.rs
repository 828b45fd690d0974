//! An implementation in another process as an engine, so that it can be hunted like the core.

use std::collections::BTreeSet;

use super::process::{Process, Program, Trouble, word};
use crate::engine::{Answer, Ask, Engine, EngineError, Outcome, Reading, View};
use crate::protocol::{self, Bytes, Capability, Fate, Hello, Part, Reply, Told};
use crate::vector::canonical_of;

/// An implementation that speaks the protocol, as an [`Engine`]. It looks at the end only.
pub struct Foreign {
    program: Program,
    hello: Hello,
    process: Option<Process>,
}

impl Foreign {
    /// Starts it and asks who it is.
    ///
    /// # Errors
    /// Where it cannot be started, does not say who it is, or does not tell views, without which there is
    /// little to compare.
    pub fn start(program: Program) -> Result<Self, Trouble> {
        let (process, hello) = Process::start(&program)?;
        if !hello.capabilities.contains(&Capability::View) {
            return Err(Trouble::Garbage {
                what: "it does not declare the capability `view`, without which little can be compared".to_owned(),
            });
        }
        Ok(Self {
            program,
            hello,
            process: Some(process),
        })
    }

    /// Who it says it is.
    #[must_use]
    pub const fn hello(&self) -> &Hello {
        &self.hello
    }

    fn told(&mut self, document: &[u8]) -> Result<Told, Trouble> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.program)?.0,
        };
        let mut answer = BTreeSet::from([Part::View]);
        if self.hello.capabilities.contains(&Capability::Digest) {
            answer.insert(Part::Digest);
        }
        let ask = protocol::Request::Run {
            document: Bytes(document.to_vec()),
            answer,
        };
        let say = process.ask(&ask)?;
        self.process = Some(process);
        match say {
            Reply::Result(told) => Ok(told),
            Reply::Unsupported { why } | Reply::Error { why } => {
                Err(Trouble::Garbage { what: why })
            }
            hello @ Reply::Hello(_) => Err(Trouble::Garbage {
                what: word(&hello).to_owned(),
            }),
        }
    }
}

impl Engine for Foreign {
    fn name(&self) -> &str {
        &self.hello.implementation
    }

    fn run(&mut self, document: &[u8], _: Ask) -> Result<Answer, EngineError> {
        let engine = self.hello.implementation.clone();
        let told = self.told(document).map_err(|trouble| match trouble {
            Trouble::NotStarted { what } | Trouble::Harness { what } => EngineError::Io {
                engine: engine.clone(),
                source: std::io::Error::other(what),
            },
            trouble => EngineError::Lost {
                engine: engine.clone(),
                what: trouble.to_string(),
            },
        })?;
        if let Some(line) = told.refused {
            let line = usize::try_from(line).unwrap_or(usize::MAX);
            return Ok(Answer::Refused { line });
        }
        let outcomes = told.outcomes.unwrap_or_default();
        let json = told
            .view
            .as_ref()
            .and_then(canonical_of)
            .unwrap_or_default();
        let digest = if self.hello.capabilities.contains(&Capability::Digest) {
            told.digest.unwrap_or_default()
        } else {
            tern_core::wire::Digest::of(json.as_bytes()).to_string()
        };
        Ok(Answer::Read(Reading {
            outcomes: outcomes.into_iter().map(outcome).collect(),
            looked: Ask::ViewAtEnd,
            views: vec![View { json, digest }],
        }))
    }
}

fn outcome(fate: Fate) -> Outcome {
    match &*fate.outcome {
        "accepted" => Outcome::Accepted,
        "pending" => Outcome::Pending,
        "duplicate" => Outcome::Duplicate,
        "id_conflict" => Outcome::IdConflict,
        _ => Outcome::Rejected {
            class: fate.class.unwrap_or(fate.outcome).into(),
            code: fate.code.unwrap_or_default().into(),
        },
    }
}
