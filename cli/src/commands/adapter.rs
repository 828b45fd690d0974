//! `tern adapter`: Tern as an implementation that `tern conform` can ask.

use std::io::{stdin, stdout};

use clap::{Args, ValueEnum};
use tern_conformance::engine::{Core, Engine, Model};
use tern_conformance::serve::serve;

use crate::failure::{Exit, Failure};

/// Answer the questions of `tern conform`, as other implementations do
///
/// Reads requests from standard input and writes replies to standard output, a line of JSON each.
/// spec/protocol.md says what they are.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tern conform -- tern adapter                  the core, asked about every vector
  tern conform -- tern adapter --engine model   the reference model")]
pub(crate) struct Adapter {
    /// Who answers
    #[arg(long, value_enum, default_value_t = Who::Core)]
    engine: Who,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Who {
    /// What `tern run` uses
    Core,
    /// The reference model: slow, and obviously right
    Model,
}

impl Adapter {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut engine: Box<dyn Engine> = match self.engine {
            Who::Core => Box::new(Core::default()),
            Who::Model => Box::new(Model::default()),
        };
        serve(&mut *engine, stdin().lock(), stdout().lock())
            .map_err(|error| Failure::io("the runner", error))?;
        Ok(Exit::Fine)
    }
}
