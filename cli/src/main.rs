//! The `tern` binary: one file a subcommand, each reading a file or `-`.

mod board;
mod commands;
mod durable;
mod failure;
mod gloss;
mod history;
mod input;
mod look;
mod output;
mod snippet;
mod spec;
mod text;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = commands::Tern::parse();
    match arguments.run() {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report(),
    }
}
