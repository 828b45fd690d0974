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

use self::failure::Failure;

// What people rely on is built without the feature that breaks the reducer for tests.
const _: () = assert!(
    !tern_core::HAS_PLANTED_FAULTS,
    "`tern` is not built with the feature `planted-faults` of tern-core"
);

fn main() -> ExitCode {
    // Every command that prints JSON does so with this flag; its failures are JSON then, too.
    // What stands behind `--` belongs to somebody else.
    let mut own = std::env::args_os().take_while(|argument| argument != "--");
    let json = own.any(|argument| argument == "--json");
    let ended = match commands::Tern::try_parse() {
        // Help and version are no failure.
        Err(error) if !json || !error.use_stderr() => error.exit(),
        Err(error) => Err(Failure::arguments(&error)),
        Ok(arguments) => arguments.run(),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report(json),
    }
}
