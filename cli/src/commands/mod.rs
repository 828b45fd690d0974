//! The subcommands, one file each.

mod adapter;
mod check;
mod completions;
mod conform;
mod diff;
mod digest;
mod explain;
mod fmt;
mod gloss;
mod graph;
mod log;
mod new;
mod run;
mod work;

use clap::{Parser, Subcommand};

use crate::failure::{Exit, Failure};

/// Who said what, who promised what, and what may be acted on.
///
/// Tern reads files of messages in the language Tern 0.1, works out the state that they imply and
/// says why it is so. A file is a log document, or bare messages, one JSON object a line; `-` reads
/// standard input; a database that `tern run --log` made is read like a file.
#[derive(Debug, Parser)]
#[command(name = "tern", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Tern {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tern run examples/review.jsonl          what a conversation comes to
  tern check messages.jsonl               every finding in every message
  tern explain checker:1 log.jsonl        why a promise stands as it does
  tern run --log thread.db new.jsonl      append durably, and go on from there
  tern diff mine.jsonl theirs.jsonl       why two receivers disagree
  tern log verify thread.db               is the log what was appended?
  tern work thread.db --as ben --worker 1 -- ./do
                                          run a command for each promise that may be acted on
  tern new ack --in log.jsonl --from ana --target ben:2
                                          write a message by hand
  tern conform -- ./my-tern               does another implementation speak Tern?

Exit codes: 0 fine, 1 findings, 2 wrong usage, unreadable input or a broken log document.";

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Run(run::Run),
    Digest(digest::Digest),
    Explain(explain::Explain),
    Graph(graph::Graph),
    Diff(diff::Diff),
    Fmt(fmt::Fmt),
    Gloss(gloss::Gloss),
    New(new::New),
    Log(log::Log),
    Work(work::Work),
    Conform(conform::Conform),
    Adapter(adapter::Adapter),
    Completions(completions::Completions),
}

impl Tern {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self.command {
            Command::Check(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Digest(command) => command.run(),
            Command::Explain(command) => command.run(),
            Command::Graph(command) => command.run(),
            Command::Diff(command) => command.run(),
            Command::Fmt(command) => command.run(),
            Command::Gloss(command) => command.run(),
            Command::New(command) => command.run(),
            Command::Log(command) => command.run(),
            Command::Work(command) => command.run(),
            Command::Conform(command) => command.run(),
            Command::Adapter(command) => command.run(),
            Command::Completions(command) => command.run(),
        }
    }
}
