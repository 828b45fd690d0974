//! The entries of `spec/clauses.toml`.

use std::fs;

use serde::Deserialize;
use tern_conformance::vector::Level;

use crate::root;

/// An entry: a clause or a reading.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// How binding it is.
    pub level: Level,
    /// What it says.
    pub text: String,
    /// Why no test can observe it, where none can.
    pub unchecked: Option<String>,
}

#[derive(Deserialize)]
struct Spec {
    clause: Vec<Entry>,
    reading: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    level: Option<Level>,
    text: String,
    unchecked: Option<String>,
}

/// All entries, in their order.
///
/// # Panics
/// Where the file cannot be read.
#[must_use]
#[allow(clippy::expect_used, reason = "for tests alone")]
pub fn clauses() -> Vec<Clause> {
    let text = fs::read_to_string(root().join("spec/clauses.toml")).expect("the clauses are there");
    let spec: Spec = toml::from_str(&text).expect("the clauses are TOML");
    let entries = spec.clause.into_iter().chain(spec.reading);
    entries
        .map(|entry| Clause {
            id: entry.id,
            level: entry.level.unwrap_or(Level::Reading),
            text: entry.text,
            unchecked: entry.unchecked,
        })
        .collect()
}
