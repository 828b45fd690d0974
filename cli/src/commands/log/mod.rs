//! `tern log`: the durable logs themselves, below what their records mean.

mod show;
mod verify;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tern_store::SqliteLog;

use crate::durable::no_log;
use crate::failure::{Exit, Failure};

/// Look at durable logs: what stands in them, and whether it is what was appended
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tern log verify thread.db                  is every record what was appended?
  tern log verify thread.db --head 120:9f86… and is it the log whose head was noted once?
  tern log show thread.db --from 118         the records as they stand there, each with its position")]
pub(crate) struct Log {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Verify),
    Show(show::Show),
}

impl Log {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Verify(command) => command.run(),
            Command::Show(command) => command.run(),
        }
    }
}

/// A store, and a log in it.
#[derive(Debug, Args)]
struct Stored {
    /// The database that `tern run --log` made
    #[arg(value_name = "DATABASE")]
    file: PathBuf,

    /// The log: the id of its context
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Stored {
    /// The names of the logs that are meant: the named one, or all.
    fn names(&self) -> Result<Vec<String>, Failure> {
        let logs = SqliteLog::logs(&self.file)?;
        let logs: Vec<String> = logs.into_iter().map(|(name, _)| name).collect();
        match &self.name {
            None => Ok(logs),
            Some(name) if logs.contains(name) => Ok(vec![name.clone()]),
            Some(name) => Err(no_log(name, &logs)),
        }
    }
}

fn open(file: &Path, name: &str) -> Result<SqliteLog, Failure> {
    Ok(SqliteLog::open_read_only(file, name)?)
}
