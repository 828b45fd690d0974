//! Keeps the test vectors in order: fills in what follows from the rest, and writes the files anew.
#![allow(clippy::print_stdout, reason = "a program that is run by hand")]

mod shapes;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser;
use tern_tests::{clauses, coverage, lint, root};

/// Writes files of vectors anew, sorted and laid out, with what follows from the rest: the level of each clause
/// that they check, the digest of the view, the hash of the content, and the list of all ids. What is to be said of a
/// scenario is never filled in. Where anything is wrong with a vector, or core or model says otherwise in any of its
/// orders, nothing is written at all and the status is 1.
#[derive(Parser)]
#[command(name = "vectors")]
struct Arguments {
    /// Make shapes.json anew: a vector for each distinct shape of the view of up to three messages. Takes
    /// minutes
    #[arg(long)]
    shapes: bool,
    /// Make spec/COVERAGE.md anew, and nothing else
    #[arg(long)]
    coverage: bool,
    /// The names of files of spec/vectors, such as `chains`; all where none is named
    files: Vec<String>,
}

fn main() -> io::Result<ExitCode> {
    let Arguments {
        shapes,
        coverage,
        files,
    } = Arguments::parse();
    if coverage {
        fs::write(root().join("spec/COVERAGE.md"), coverage::coverage()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut names = BTreeSet::from_iter(files);
    let mut made = None;
    if shapes {
        names.insert("shapes".to_owned());
        match shapes::shapes() {
            Ok(file) => made = Some(("shapes".to_owned(), file)),
            Err(partings) => {
                println!("core and model differ:\n{}", partings.join("\n"));
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let folder = root().join("spec/vectors");
    let (vectors, wrong) = lint::keep(&folder, &names, made, &clauses())?;
    for finding in &wrong {
        println!("{finding}");
    }
    println!("{vectors} vectors, {} findings", wrong.len());
    Ok(if wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
