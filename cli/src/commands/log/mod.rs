//! `tern log`: the durable logs themselves, below what their records mean.

mod append;
mod checkpoint;
mod copy;
mod export;
mod exported;
mod follow;
mod followed;
mod import;
mod noted;
mod show;
mod stats;
mod transfer;
mod used;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tern_store::{Store, is_auxiliary};

use crate::durable::{self, no_log};
use crate::failure::{Exit, Failure};
use crate::text::shown;

/// Work with durable logs: append, read, verify, copy and follow them
#[derive(Debug, Args)]
#[command(after_help = "\
A store is a file (`thread.db`, `sqlite:thread.db`), a PostgreSQL database (`postgres://user@host/database`) or a stream of
NATS JetStream (`nats://host:4222/STREAM`).

Examples:
  tern log append thread.db new.jsonl        append what a file holds, durably, all or none
  tern log verify thread.db                  is every record what was appended?
  tern log checkpoint thread.db --key me.pem sign where its log ends
  tern log show thread.db --from 118         the records as they stand there, each with its position
  tern log export thread.db > log.jsonl      the log document that a log is
  tern log copy thread.db postgres:///tern   the same logs in another store
  tern log follow thread.db                  each record as it comes
  tern log stats thread.db                   what is in it, and what an acknowledgement promises")]
pub(crate) struct Log {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Append(append::Append),
    Show(show::Show),
    Verify(verify::Verify),
    Export(export::Export),
    Import(import::Import),
    Checkpoint(checkpoint::Checkpoint),
    Follow(follow::Follow),
    Stats(stats::Stats),
    Copy(copy::Copy),
}

impl Log {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Append(command) => command.run(),
            Command::Show(command) => command.run(),
            Command::Verify(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Import(command) => command.run(),
            Command::Checkpoint(command) => command.run(),
            Command::Follow(command) => command.run(),
            Command::Stats(command) => command.run(),
            Command::Copy(command) => command.run(),
        }
    }
}

/// A store, and a log in it.
#[derive(Debug, Args)]
struct Stored {
    /// The address of the store
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// The log: the id of its context
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Stored {
    fn store(&self) -> Result<Box<dyn Store>, Failure> {
        durable::store(&self.store)
    }

    /// The names of the logs that are meant: the named one, or all but those of leases and usage.
    fn names(&self, store: &dyn Store) -> Result<Vec<String>, Failure> {
        let mut logs: Vec<String> = store.logs()?.into_iter().map(|(name, _)| name).collect();
        if let Some(name) = &self.name {
            return match logs.contains(name) {
                true => Ok(vec![name.clone()]),
                false => Err(no_log(name, &logs)),
            };
        }
        logs.retain(|name| !is_auxiliary(name));
        Ok(logs)
    }

    /// The log that is meant: the named one, or the only one.
    fn log(&self, store: &dyn Store) -> Result<Box<dyn tern_store::Log>, Failure> {
        let names = self.names(store)?;
        match &*names {
            [name] => Ok(store.open_read_only(name)?),
            names => Err(Failure::usage(
                format!("{} holds {} logs", shown(store.address()), names.len()),
                "choose one with --name; `tern log verify` names them all",
            )),
        }
    }
}
