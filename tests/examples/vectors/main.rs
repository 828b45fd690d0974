//! Keeps the test vectors in order: fills in what follows from the rest, and writes the files anew.
#![allow(clippy::print_stdout, reason = "a program that is run by hand")]

mod shapes;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser;
use tern_conformance::engine::{Core, Model};
use tern_conformance::protocol::Part;
use tern_conformance::serve::told;
use tern_conformance::vector::{Expect, File, Vector};
use tern_conformance::{Ask, Engine as _};
use tern_tests::{Clause, clauses, coverage, root};

/// Writes files of vectors anew, sorted and laid out, with what follows from the rest: the level of each clause
/// that they check, the digest of the view and the hash of the content. What is to be said of a scenario is
/// never filled in; where core or model says otherwise, the vector is left as it is and the status is 1.
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
    /// The files; all of spec/vectors where none is named
    files: Vec<PathBuf>,
}

fn main() -> io::Result<ExitCode> {
    let Arguments {
        shapes,
        coverage,
        mut files,
    } = Arguments::parse();
    if coverage {
        fs::write(root().join("spec/COVERAGE.md"), coverage::coverage()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if shapes {
        let path = root().join("spec/vectors/shapes.json");
        fs::write(&path, shapes::shapes().to_text())?;
        files = vec![path];
    }
    if files.is_empty() {
        for entry in fs::read_dir(root().join("spec/vectors"))? {
            let path = entry?.path();
            let is_file = path.extension().is_some_and(|it| it == "json");
            if is_file && !path.ends_with("retired.json") {
                files.push(path);
            }
        }
        files.sort();
    }
    let clauses = clauses();
    let (mut vectors, mut wrong) = (0, 0);
    for path in files {
        let text = fs::read_to_string(&path)?;
        let mut file: File = match serde_json::from_str(&text) {
            Ok(file) => file,
            Err(error) => {
                println!("{}: {error}", path.display());
                wrong += 1;
                continue;
            }
        };
        file.vectors.sort_by(|one, other| one.id.cmp(&other.id));
        for vector in &mut file.vectors {
            vectors += 1;
            for why in complete(vector, &clauses) {
                println!("{}: {}: {why}", path.display(), vector.id);
                wrong += 1;
            }
        }
        fs::write(&path, file.to_text())?;
    }
    println!("{vectors} vectors, {wrong} findings");
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Fills in what follows, and gives what is wrong.
fn complete(vector: &mut Vector, clauses: &[Clause]) -> Vec<String> {
    let mut wrong = Vec::new();
    for check in &mut vector.checks {
        match clauses.iter().find(|it| it.id == check.clause) {
            Some(clause) => check.level = clause.level,
            None => wrong.push(format!("there is no clause {}", check.clause)),
        }
    }
    vector.checks.sort();
    vector.checks.dedup();
    let given: Vec<usize> = (0..vector.log.len()).collect();
    let document = vector.document(&given);
    let (core, model) = (
        Core::default().run(&document, Ask::ViewAtEnd),
        Model::default().run(&document, Ask::ViewAtEnd),
    );
    let (Ok(core), Ok(model)) = (core, model) else {
        wrong.push("core or model panics".to_owned());
        return wrong;
    };
    let before = vector.clone();
    if let (Expect::Read(read), Some(view)) = (&mut vector.expect, model.view()) {
        read.digest.clone_from(&view.digest);
    }
    for (name, answer) in [("core", &core), ("model", &model)] {
        let parts = BTreeSet::from([Part::View, Part::Digest]);
        for mismatch in vector.judge(&told(answer, &parts), &given, &parts) {
            wrong.push(format!("{name}: {mismatch}"));
        }
    }
    if !wrong.is_empty() {
        *vector = before;
        return wrong;
    }
    match vector.content_hash() {
        Ok(hash) => vector.hash = hash,
        Err(error) => wrong.push(error.to_string()),
    }
    wrong
}
