//! What a fuzzer found, without the fuzzer.
#![allow(clippy::print_stdout, reason = "a program that is run by hand")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{CommandFactory as _, Parser, error::ErrorKind};
use tern_conformance::shown::shown;
use tern_conformance::shrink::shrink;
use tern_tests::quietly;
use tern_tests::targets::{self, Target};

/// Asks a fuzz target about a file and says what does not hold; the status is then 1.
#[derive(Parser)]
#[command(name = "finding")]
struct Arguments {
    /// What to ask
    #[arg(value_parser = PossibleValuesParser::new(targets::ALL.map(|(name, _)| name)))]
    target: String,
    /// What the fuzzer kept: the bytes of an input
    file: PathBuf,
    /// Gets the smallest log found on which the target still fails
    #[arg(long, value_name = "SMALL")]
    shrink: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Arguments {
        target: name,
        file,
        shrink: small,
    } = Arguments::parse();
    let bytes = fs::read(&file).unwrap_or_else(|error| refuse(&file.display(), &error));
    let known = targets::ALL.iter().find(|(known, _)| *known == name);
    let Some((_, target)) = known.copied() else {
        refuse(&name, &"no such target");
    };
    let Some(why) = failure(target, &bytes) else {
        println!("{name} finds nothing in {}", file.display());
        return ExitCode::SUCCESS;
    };
    println!("{}", shown(why.as_bytes()));
    if let Some(small) = small {
        // Before the search, which takes its time.
        let is_input = fs::canonicalize(&small).ok() == fs::canonicalize(&file).ok();
        if is_input {
            refuse(&small.display(), &"it is the input, which stays as it is");
        }
        let mut output =
            File::create(&small).unwrap_or_else(|error| refuse(&small.display(), &error));
        let document = targets::document_of(&name, &bytes);
        if failure(target, &document).is_none() {
            refuse(
                &file.display(),
                &"it fails on these bytes, but not on the log that they stand for",
            );
        }
        let lines: Vec<Vec<u8>> = document
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        let lines = shrink(&lines, |lines| {
            failure(target, &lines.join(&b'\n')).is_some()
        });
        let document = lines.join(&b'\n');
        if let Err(error) = output.write_all(&document) {
            refuse(&small.display(), &error);
        }
        let why = failure(target, &document).unwrap_or_default();
        let why = shown(why.as_bytes());
        println!("\n{} lines in {}:\n{why}", lines.len(), small.display());
    }
    ExitCode::FAILURE
}

/// What the target says where it fails.
fn failure(target: Target, bytes: &[u8]) -> Option<String> {
    quietly(|| target(bytes)).err()
}

fn refuse(what: &dyn std::fmt::Display, why: &dyn std::fmt::Display) -> ! {
    Arguments::command()
        .error(ErrorKind::Io, format_args!("{what}: {why}"))
        .exit()
}
