//! Which vectors, tests and fuzz targets check each clause: the text of `spec/COVERAGE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;
use tern_conformance::vector::{Level, Side, all};

use crate::named::{cited, tests_by_clause};
use crate::{clauses, root};

/// What no vector checks of a clause, as `spec/vectors/uncovered.toml` has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The clause.
    pub clause: String,
    /// From which sides.
    pub sides: BTreeSet<Side>,
    /// Why.
    pub reason: String,
}

/// All gaps, in the order of the file.
///
/// # Errors
/// Where the file cannot be read, or is none.
pub fn gaps() -> io::Result<Vec<Gap>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Uncovered {
        uncovered: Vec<Gap>,
    }
    let text = fs::read_to_string(root().join("spec/vectors/uncovered.toml"))?;
    let uncovered: Uncovered = toml::from_str(&text).map_err(io::Error::other)?;
    Ok(uncovered.uncovered)
}

/// What checks a clause.
#[derive(Default)]
struct Checks {
    applies: Vec<String>,
    spares: Vec<String>,
    tests: BTreeSet<String>,
    fuzzers: BTreeSet<String>,
}

/// The page.
///
/// # Errors
/// Where a file cannot be read.
pub fn coverage() -> io::Result<String> {
    let mut checks: BTreeMap<String, Checks> = BTreeMap::new();
    let mut vectors = 0;
    // The shapes are many and without a theme: they come last.
    let mut files = all().map_err(io::Error::other)?;
    files.sort_by_key(|(name, _)| *name == "shapes");
    for (_, file) in files {
        for vector in file.vectors {
            vectors += 1;
            for check in &vector.checks {
                let of = checks.entry(check.clause.clone()).or_default();
                let list = match check.side {
                    Side::Applies => &mut of.applies,
                    Side::Spares => &mut of.spares,
                };
                list.push(vector.id.clone());
            }
        }
    }
    for (clause, tests) in tests_by_clause()? {
        checks.entry(clause).or_default().tests = tests;
    }
    for entry in fs::read_dir(root().join("tests/targets"))? {
        let path = entry?.path();
        let target = stem(&path);
        let is_target = path.extension().is_some_and(|it| it == "rs");
        if !is_target || target == "mod" || target == "log" {
            continue;
        }
        for line in comments(&fs::read_to_string(&path)?) {
            for clause in cited(line) {
                let of = checks.entry(clause).or_default();
                of.fuzzers.insert(target.clone());
            }
        }
    }
    Ok(page(&checks, vectors, &gaps()?))
}

fn page(checks: &BTreeMap<String, Checks>, vectors: usize, gaps: &[Gap]) -> String {
    let mut text = format!(
        "# What checks each clause\n\n\
         Made by `cargo run -p tern-tests --example vectors -- --coverage`; a test says when it is old. {vectors} vectors.\n\n\
         *Applies* and *spares* are the vectors (`vectors/`) in which the rule takes effect, or comes near and does not: how\n\
         many, and the first of them. *Tests* are named by the module and the function of the Rust tests whose comment names\n\
         the clause, at most four; *fuzzers* by their targets.\n\n\
         | clause | level | applies | spares | tests | fuzzers |\n|---|---|---|---|---|---|\n"
    );
    let none = Checks::default();
    for clause in clauses() {
        let of = checks.get(&clause.id).unwrap_or(&none);
        let level = match clause.level {
            Level::MUST => "MUST",
            Level::SHOULD => "SHOULD",
            Level::MAY => "MAY",
            Level::FACT => "FACT",
            Level::Reading => "reading",
        };
        let _ = writeln!(
            text,
            "| {} | {level} | {} | {} | {} | {} |",
            clause.id,
            some(&of.applies, 1),
            some(&of.spares, 1),
            some(&of.tests.iter().cloned().collect::<Vec<_>>(), 4),
            of.fuzzers.iter().cloned().collect::<Vec<_>>().join(", "),
        );
    }
    text.push_str("\n## What no vector checks\n\n| clause | side | why |\n|---|---|---|\n");
    let mut gaps = gaps.to_vec();
    gaps.sort_by(|one, other| one.clause.cmp(&other.clause));
    for gap in gaps {
        let sides: Vec<&str> = gap
            .sides
            .iter()
            .map(|side| match side {
                Side::Applies => "applies",
                Side::Spares => "spares",
            })
            .collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            gap.clause,
            sides.join(", "),
            gap.reason
        );
    }
    text.push_str("\n## What no test can observe\n\n| clause | why |\n|---|---|\n");
    for clause in clauses() {
        if let Some(why) = clause.unchecked {
            let _ = writeln!(text, "| {} | {why} |", clause.id);
        }
    }
    text
}

/// How many, and the first of them.
fn some(names: &[String], most: usize) -> String {
    if names.is_empty() {
        return "–".to_owned();
    }
    let first: Vec<String> = names
        .iter()
        .take(most)
        .map(|it| format!("`{it}`"))
        .collect();
    format!("{}: {}", names.len(), first.join(", "))
}

fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| line.trim_start().starts_with("//"))
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().map(|it| it.to_string_lossy().into_owned());
    stem.unwrap_or_default()
}
