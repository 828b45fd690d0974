//! What a fuzzer found, without the fuzzer: `finding TARGET FILE [--shrink SMALL]`.
//!
//! Says whether the target still fails on the file; with `--shrink`, writes the smallest log found on which
//! it does.
#![allow(clippy::print_stdout, reason = "a program that is run by hand")]

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::{env, fs, panic};

use tern_conformance::shrink::shrink;
use tern_tests::targets::{self, Target};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, file, small) = match words.as_slice() {
        [name, file] => (*name, *file, None),
        [name, file, "--shrink", small] => (*name, *file, Some(*small)),
        _ => return Err("usage: finding TARGET FILE [--shrink SMALL]".into()),
    };
    let known = targets::ALL.iter().find(|(known, _)| *known == name);
    let (_, target) = known.ok_or_else(|| format!("no target `{name}`"))?;
    let bytes = fs::read(file)?;
    if !fails(*target, &bytes) {
        println!("{name} finds nothing in {file}");
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(small) = small {
        let document = targets::document_of(name, &bytes);
        if !fails(*target, &document) {
            return Err("it fails on these bytes, but not on the log that they stand for".into());
        }
        let lines: Vec<Vec<u8>> = document
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        panic::set_hook(Box::new(|_| {}));
        let lines = shrink(&lines, |lines| fails(*target, &lines.join(&b'\n')));
        let _ = panic::take_hook();
        fs::write(small, lines.join(&b'\n'))?;
        println!("{} lines in {small}:", lines.len());
        fails(*target, &lines.join(&b'\n'));
    }
    Ok(ExitCode::FAILURE)
}

/// Whether the target fails. The panic says why.
fn fails(target: Target, bytes: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err()
}
